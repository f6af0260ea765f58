# Functions for the end of the bootstrap.
# The answer file or the installer changes the name and the domain; both need a reboot before this program runs.
function Assert-Name([string]$Name) {
    if ($env:COMPUTERNAME -ne $Name) {
        throw "the machine has the name $env:COMPUTERNAME, want $Name"
    }
}

function Assert-Domain([string]$Domain) {
    $computer = Get-CimInstance -ClassName Win32_ComputerSystem
    if (-not $computer.PartOfDomain) {
        throw 'the machine is not a member of a domain; see C:\Windows\debug\NetSetup.log'
    }
    if ($Domain -and $computer.Domain -ne $Domain) {
        throw ('the machine is a member of ' + $computer.Domain + ', want ' + $Domain)
    }
}

# Replaces the program, whose steps may contain join tokens and passwords, and then writes the sentinel.
function Complete-Bootstrap([string]$Afterwards) {
    Write-File "$state\bootstrap.ps1" $true @($Afterwards)
    [IO.File]::Create("$state\done").Close()
    [IO.File]::WriteAllText("$public\bootstrap-success.complete", 'success')
}
