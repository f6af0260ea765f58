# Runs the agent, which records its failures itself and continues at the next start of Windows. Windows is restarting if
# the agent ends with its code for a stop, or with a code of Windows for a program that ends with the system
# (STATUS_CONTROL_C_EXIT, DBG_TERMINATE_PROCESS): that is not a failure.
function Invoke-Agent([string]$Text) {
    Write-File "$state\agent.ps1" $true @($Text)
    & cmd.exe /d /c ($runScript + "$state\agent.ps1" + $intoLog)
    if (@(143, -1073741510, 1073807364) -contains $LASTEXITCODE) {
        exit $LASTEXITCODE
    }
    if ($LASTEXITCODE -ne 0) {
        $script:code = $LASTEXITCODE
        throw "the agent ended with exit code $LASTEXITCODE"
    }
}
