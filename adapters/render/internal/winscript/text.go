package winscript

import "encoding/base64"

// functions are what the steps call. Paths are given to methods of .NET, which take them as they are; cmdlets would
// look for wildcards in them. A secret file is created with its access control list: a user who opened a file before
// keeps it open, and the owner of a file may change the list. Only the .NET Framework, on which Windows PowerShell 5.1
// runs, has this constructor of FileStream.
const functions = `
function ConvertFrom-Base64Text([string]$Text) {
    [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}

function Write-Log([string]$Text) {
    [IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}

function New-PrivateFile([string]$Path) {
    [IO.File]::Delete($Path)
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    $rights = [Security.AccessControl.FileSystemRights]::Write
    New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096, [IO.FileOptions]::None, $acl)
}

function Protect-Directory([string]$Path) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    [IO.Directory]::SetAccessControl($Path, $acl)
}

function New-Place([string]$Path) {
    $directory = [IO.Path]::GetDirectoryName($Path)
    $null = [IO.Directory]::CreateDirectory($directory)
    [IO.Path]::Combine($directory, '~m.new')
}

function Move-Place([string]$New, [string]$Path) {
    [IO.File]::Delete($Path)
    [IO.File]::Move($New, $Path)
}

function Join-Parts([string[]]$Parts, [IO.Stream]$Stream) {
    foreach ($part in $Parts) {
        $bytes = [Convert]::FromBase64String($part)
        $Stream.Write($bytes, 0, $bytes.Length)
    }
    $Stream.Close()
}

function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $new = New-Place $Path
    if ($Secret) {
        Join-Parts $Parts (New-PrivateFile $new)
    }
    else {
        Join-Parts $Parts ([IO.File]::Create($new))
    }
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    if ($Secret -and [IO.File]::Exists($Path)) {
        $Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
    }
    if ($Secret) {
        Write-File $Path $true $Parts
        return
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}
`

// program are the functions of the program alone: its steps, and how it ends.
const program = `
function Stop-Bootstrap([int]$Code) {
    $record = "$state\failure.json"
    if (-not [IO.File]::Exists($record)) {
        $text = [IO.File]::ReadAllText($log)
        $text = $text -replace '[^\n -~]', ''
        $text = $text -creplace '[a-z0-9]{6}\.[a-z0-9]{16}', '[redacted]'
        if ($text.Length -gt 4096) {
            $text = $text.Substring($text.Length - 4096)
        }
        $fields = New-Object Collections.Specialized.OrderedDictionary
        $fields.Add('phase', $phase)
        $fields.Add('step', $step)
        $fields.Add('exitCode', $Code)
        $fields.Add('log', $text)
        [IO.File]::WriteAllText($record, (ConvertTo-Json -Compress -InputObject $fields))
    }
    [IO.File]::Copy($record, "$public\bootstrap-failure.json", $true)
    exit $Code
}

function Invoke-Step([string]$Phase, [string]$Path, [scriptblock]$Body) {
    $script:phase = $Phase
    $script:step = $Path
    $script:code = 1
    Write-Log ($Phase + ': ' + $Path)
    try {
        & $Body | ForEach-Object { Write-Log "$_" }
    }
    catch {
        Write-Log "$_"
        Stop-Bootstrap $script:code
    }
}

function Start-Script([string]$Path) {
    & cmd.exe /d /c ($runner + $Path + $output)
    if ($LASTEXITCODE -ne 0) {
        $script:code = $LASTEXITCODE
        throw "the script ended with exit code $LASTEXITCODE"
    }
}

function Invoke-Script([string]$Text) {
    Write-File "$state\step.ps1" $true @($Text)
    Start-Script "$state\step.ps1"
    [IO.File]::Delete("$state\step.ps1")
}

function Invoke-BootScript([string]$Number, [string]$Text) {
    Write-File "$state\boot\$Number.ps1" $true @($Text)
    Start-Script "$state\boot\$Number.ps1"
}

function Get-Fact([string]$Name) {
    $value = ''
    if ($Name -eq 'hostname') {
        $value = [Net.Dns]::GetHostName().ToLowerInvariant()
    }
    if ($Name -eq 'privateIPv4') {
        $route = Get-NetRoute -AddressFamily IPv4 -DestinationPrefix '0.0.0.0/0' |
            Sort-Object -Property RouteMetric | Select-Object -First 1
        $address = Get-NetIPAddress -AddressFamily IPv4 -InterfaceIndex $route.InterfaceIndex | Select-Object -First 1
        $value = $address.IPAddress
    }
    if (-not $value) {
        throw "the machine's $Name is not known"
    }
    [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($value))
}

function Get-Download([string]$Url, [string]$Path, [bool]$Secret, [string]$Algorithm, [string]$Digest) {
    foreach ($name in @('HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY')) {
        [Environment]::SetEnvironmentVariable($name, [Environment]::GetEnvironmentVariable($name, 'Machine'))
    }
    $new = New-Place $Path
    if ($Secret) {
        (New-PrivateFile $new).Close()
    }
    $options = @('-fsSgL', '--stderr', '-', '-Y', '16384', '-y', '60', '-m', '14400',
        '--retry', '5', '--retry-delay', '2', '-o', $new, $Url)
    & curl.exe $options
    if ($LASTEXITCODE -ne 0) {
        throw "curl ended with exit code $LASTEXITCODE"
    }
    $actual = (Get-FileHash -LiteralPath $new -Algorithm $Algorithm).Hash
    if ($actual -ne $Digest) {
        [IO.File]::Delete($new)
        throw "the digest of what was fetched is $actual"
    }
    Move-Place $new $Path
}

function Set-Group([string]$Name) {
    if (-not (Get-LocalGroup -Name $Name -ErrorAction SilentlyContinue)) {
        $null = New-LocalGroup -Name $Name
    }
}

function Get-AccountName([string]$Name) {
    if ($Name -eq 'Administrator') {
        $Name = (Get-LocalUser | Where-Object { $_.SID.Value -like 'S-1-5-21-*-500' }).Name
    }
    $Name
}

function Set-Password([string]$Name, [string]$Password) {
    $secure = ConvertTo-SecureString -String $Password -AsPlainText -Force
    if (Get-LocalUser -Name $Name -ErrorAction SilentlyContinue) {
        Set-LocalUser -Name $Name -Password $secure
        return
    }
    $null = New-LocalUser -Name $Name -Password $secure -AccountNeverExpires -PasswordNeverExpires
}

function Set-RandomPassword([string]$Name) {
    if (Get-LocalUser -Name $Name -ErrorAction SilentlyContinue) {
        return
    }
    $bytes = New-Object byte[] 24
    $random = New-Object Security.Cryptography.RNGCryptoServiceProvider
    $random.GetBytes($bytes)
    Set-Password $Name ('aA1!' + [Convert]::ToBase64String($bytes))
}

function Add-Member([string]$Name, [string]$Group) {
    if ($Group -eq 'Administrators') {
        $Group = (Get-LocalGroup -SID 'S-1-5-32-544').Name
    }
    try {
        Add-LocalGroupMember -Group $Group -Member $Name
    }
    catch [Microsoft.PowerShell.Commands.MemberExistsException] {
        Write-Log "$Name is a member of $Group"
    }
}

function Assert-Name([string]$Name) {
    if ($env:COMPUTERNAME -ne $Name) {
        throw "the machine is called $env:COMPUTERNAME"
    }
}

function Assert-Domain([string]$Domain) {
    $computer = Get-CimInstance -ClassName Win32_ComputerSystem
    if (-not $computer.PartOfDomain) {
        throw 'the machine is not a member of a domain; see C:\Windows\debug\NetSetup.log'
    }
    if ($Domain -and $computer.Domain -ne $Domain) {
        throw ('the machine is a member of ' + $computer.Domain)
    }
}
`

// settings are the names that all functions share. What a script prints goes to the log by way of cmd, since PowerShell
// makes an error of each line that a program writes to its standard error.
const settings = `$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runner = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\run.ps1 '
$output = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'
`

const prologue = "# Made by machineadm: runs once, stops at the first failure.\n" + settings + `$phase = 'start'
$step = 'interrupted'
$code = 1
` + functions + program + `
$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
Write-Log 'start'
`

// afterSetup waits for the state that Windows's set-up leaves at its end (learn.microsoft.com: Windows Setup States).
// Set-up caches the answer file in the first two places, and an image may bring it in the others.
const afterSetup = `$setup = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Setup\State'
while ((Get-ItemProperty -LiteralPath $setup).ImageState -ne 'IMAGE_STATE_COMPLETE') {
    Start-Sleep -Seconds 2
}
`

// scrub removes the answer files, whatever becomes of the bootstrap.
const scrub = `Invoke-Step 'start' 'answer files' {
    $places = @(
        'C:\Windows\Panther\unattend.xml',
        'C:\Windows\Panther\unattend-original.xml',
        'C:\Windows\Panther\Unattend\unattend.xml',
        'C:\Windows\Panther\Unattend\autounattend.xml',
        'C:\Windows\System32\Sysprep\unattend.xml',
        'C:\Windows\System32\Sysprep\Panther\unattend.xml',
        'C:\unattend.xml',
        'C:\autounattend.xml'
    )
    foreach ($place in $places) {
        if ([IO.File]::Exists($place)) {
            [IO.File]::Delete($place)
        }
    }
}
`

// runner starts a script: errors end it, and its exit code is the script's own or that of the last program it ran.
const runner = `param([string]$Path)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
Set-Location -LiteralPath 'C:\'
$global:LASTEXITCODE = 0
& $Path
exit $LASTEXITCODE
`

// begin marks the bootstrap as begun; one that was begun before has been interrupted.
func begin() string {
	return `if ([IO.File]::Exists("$state\started")) {
    Stop-Bootstrap 1
}
[IO.File]::Create("$state\started").Close()
Invoke-Step 'start' 'prepare' { Write-File "$state\run.ps1" $true @('` + encode(runner) + `') }
`
}

// afterwards is what the program becomes once all is done: at later boots it runs the boot commands.
const afterwards = settings + `$null = [IO.Directory]::CreateDirectory($public)
[IO.File]::WriteAllText("$public\bootstrap-success.complete", 'success')
if ([IO.Directory]::Exists("$state\boot")) {
    foreach ($script in [IO.Directory]::GetFiles("$state\boot") | Sort-Object) {
        & cmd.exe /d /c ($runner + $script + $output)
        if ($LASTEXITCODE -ne 0) {
            exit $LASTEXITCODE
        }
    }
}
`

// epilogue replaces the program, whose steps may hold join tokens and passwords, before it publishes success.
func epilogue() string {
	return `Invoke-Step 'post' 'finish' {
    Write-File "$state\bootstrap.ps1" $true @('` + encode(afterwards) + `')
    [IO.File]::Create("$state\done").Close()
    [IO.File]::WriteAllText("$public\bootstrap-success.complete", 'success')
}
`
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
