# Replaces the program after the bootstrap: at later boots it writes the sentinel. The commands for every boot follow.
$null = [IO.Directory]::CreateDirectory($public)
[IO.File]::WriteAllText("$public\bootstrap-success.complete", 'success')
