# A bootstrap that was started before has been interrupted.
if ([IO.File]::Exists("$state\started")) {
    Stop-Bootstrap 1
}
[IO.File]::Create("$state\started").Close()
