# Functions that print properties of the machine, one in each line.
function Show-Text([string]$Name, [string]$Text) {
    $Name + '=' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($Text))
}

function Show-Group([string]$Name) {
    if (Get-LocalGroup -Name $Name -ErrorAction SilentlyContinue) {
        Show-Text 'exists' 'True'
    }
}

# Prints an account, and those of the groups in which it is.
function Show-User([string]$Name, [string[]]$Groups) {
    $user = Get-LocalUser -Name (Get-AccountName $Name) -ErrorAction SilentlyContinue
    if (-not $user) {
        return
    }
    Show-Text 'exists' 'True'
    Show-Text 'enabled' $user.Enabled
    Show-Text 'comment' $user.FullName
    foreach ($group in $Groups) {
        $members = Get-LocalGroupMember -Group (Get-GroupName $group) -ErrorAction SilentlyContinue
        if ($members | Where-Object { $_.SID.Value -eq $user.SID.Value }) {
            Show-Text 'member' $group
        }
    }
}

function Show-Service([string]$Name) {
    $service = Get-Service -Name $Name -ErrorAction SilentlyContinue
    if ($service) {
        Show-Text 'exists' 'True'
        Show-Text 'startType' $service.StartType
        Show-Text 'status' $service.Status
    }
}

function Show-Computer {
    $computer = Get-CimInstance -ClassName Win32_ComputerSystem
    Show-Text 'name' $env:COMPUTERNAME
    Show-Text 'timeZone' (Get-TimeZone).Id
    Show-Text 'locale' (Get-WinSystemLocale).Name
    if ($computer.PartOfDomain) {
        Show-Text 'domain' $computer.Domain
    }
}

function Show-Address {
    Show-Text 'address' (Get-PrivateIPv4)
}

# Prints the machine's environment for downloads. That of the agent is as of the start of Windows.
function Show-Proxy {
    foreach ($name in @('HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY')) {
        Show-Text $name ([Environment]::GetEnvironmentVariable($name, 'Machine'))
    }
}

# The group of administrators has a translated name in some languages of Windows.
function Get-GroupName([string]$Name) {
    if ($Name -eq 'Administrators') {
        $Name = (Get-LocalGroup -SID 'S-1-5-32-544').Name
    }
    $Name
}
