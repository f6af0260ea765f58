# Runs a script of the user: errors end it, and the exit code is that of the script or of the last program that it ran.
param([string]$Path)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
Set-Location -LiteralPath 'C:\'
$global:LASTEXITCODE = 0
& $Path
exit $LASTEXITCODE
