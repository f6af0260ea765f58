# Runs the commands for every boot in their order, and ends the program at the first failure.
if ([IO.Directory]::Exists("$state\boot")) {
    foreach ($script in [IO.Directory]::GetFiles("$state\boot") | Sort-Object) {
        & cmd.exe /d /c ($runScript + $script + $intoLog)
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
    }
}
