# Runs a program with doubles of the functions and cmdlets that need Windows. Each double appends its name and arguments
# to the file calls in the working directory. An alias has precedence over a function of the program.
#
#   pwsh -NoProfile -File doubles.ps1 PROGRAM FAILING
#
# The double of the command FAILING throws.
param([string]$Program, [string]$Failing)
$names = @(
    'Add-LocalGroupMember', 'Disable-LocalUser', 'Get-CimInstance', 'Get-LocalGroup', 'Get-LocalUser', 'New-LocalGroup',
    'New-LocalUser', 'Restart-Service', 'Set-LocalUser', 'Set-Service', 'Start-Service', 'Stop-Service',
    'Protect-Directory', 'Wait-Setup', 'Start-Script', 'Get-Fact', 'Get-Metadata', 'Get-Download', 'Assert-Name',
    'Assert-Domain', 'Get-AccountName', 'Set-Password', 'Set-RandomPassword', 'Write-File', 'Add-File'
)
foreach ($name in $names) {
    $body = "[IO.File]::AppendAllText('calls', '$name ' + (`$args -join ' ') + [Environment]::NewLine)`n" +
        "if ('$name' -eq '$Failing') { throw '$name fails' }"
    Set-Item -Path "function:global:Invoke-Double$name" -Value ([scriptblock]::Create($body))
    Set-Alias -Name $name -Value "Invoke-Double$name" -Scope Global
}
. $Program
