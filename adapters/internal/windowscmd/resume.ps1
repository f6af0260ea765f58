# Starts the agent at each start of Windows. The agent resumes an interrupted run, or publishes the result of a complete
# one again. It runs the commands for every boot itself until the bootstrap is complete.
$complete = [IO.File]::Exists("$state\done")
& cmd.exe /d /c ($runScript + "$state\agent.ps1" + $intoLog)
if ($LASTEXITCODE -ne 0 -or -not $complete) {
    exit $LASTEXITCODE
}
