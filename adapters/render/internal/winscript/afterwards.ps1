# Replaces the program after the bootstrap: at later boots it writes the sentinel and runs the commands for every boot.
$null = [IO.Directory]::CreateDirectory($public)
[IO.File]::WriteAllText("$public\bootstrap-success.complete", 'success')
if ([IO.Directory]::Exists("$state\boot")) {
    foreach ($script in [IO.Directory]::GetFiles("$state\boot") | Sort-Object) {
        & cmd.exe /d /c ($runScript + $script + $intoLog)
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
    }
}
