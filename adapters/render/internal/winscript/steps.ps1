# Functions for the steps of the bootstrap, and what the failure record contains before the first step.
$phase = 'start'
$step = 'interrupted'
$code = 1
# Writes the failure record, unless there is an earlier one, and ends the program. Bootstrap tokens in the log are
# replaced before the log is cut, so that no half of a token remains.
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

# Runs one step of the bootstrap, whose first failure ends it.
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
    & cmd.exe /d /c ($runScript + $Path + $intoLog)
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

# Returns a fact of the machine in base64.
function Get-Fact([string]$Name) {
    $value = ''
    if ($Name -eq 'hostname') {
        $value = [Net.Dns]::GetHostName().ToLowerInvariant()
    }
    if ($Name -eq 'privateIPv4') {
        $value = Get-PrivateIPv4
    }
    ConvertTo-Fact $Name $value
}

# Returns a value in base64 if it is the value of a fact. It becomes part of a file, and other characters could break out
# of its place there.
function ConvertTo-Fact([string]$Name, [string]$Value) {
    if (-not $Value) {
        throw "no $Name of the machine is known"
    }
    if ($Value -cnotmatch '\A(?!-)[A-Za-z0-9._:/+-]{1,1024}\z') {
        throw "the $Name of the machine contains special characters"
    }
    [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($Value))
}

# Returns a fact from a metadata service in base64. EC2 requires a token, and Oracle Cloud a constant.
function Get-Metadata([string]$Name, [string]$Service, [string]$Path) {
    $address = 'http://169.254.169.254'
    $headers = @{ 'Authorization' = 'Bearer Oracle' }
    if ($Service -eq 'EC2') {
        $lifetime = @{ 'X-aws-ec2-metadata-token-ttl-seconds' = '60' }
        $token = Get-Response 'Put' ($address + '/latest/api/token') $lifetime
        $headers = @{ 'X-aws-ec2-metadata-token' = $token }
    }
    $value = Get-Response 'Get' ($address + $Path) $headers
    if ($Name -eq 'shortHostname') {
        $value = $value.Split('.')[0]
    }
    ConvertTo-Fact $Name $value
}

# Returns the body of a response. The service may not be reachable until Windows has configured its network.
function Get-Response([string]$Method, [string]$Url, [hashtable]$Headers) {
    for ($attempt = 1; $attempt -lt 30; $attempt++) {
        try {
            return Invoke-RestMethod -UseBasicParsing -TimeoutSec 10 -Method $Method -Uri $Url -Headers $Headers
        }
        catch {
            Write-Log "$_"
            Start-Sleep -Seconds 2
        }
    }
    throw "$Url does not respond"
}

# Downloads a file within four hours, if at least 16 KiB arrive per second, and checks its digest. It does not check
# revocation, which Windows cannot do for most private authorities, and in networks without a way to public ones. curl
# itself does not retry after the codes 5 and 6, for names without an address, and 7, for a server that it cannot reach:
# Windows may not have configured its network yet.
function Get-Download([string]$Url, [string]$Path, [bool]$Secret, [string]$Algorithm, [string]$Digest) {
    foreach ($name in @('HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY')) {
        [Environment]::SetEnvironmentVariable($name, [Environment]::GetEnvironmentVariable($name, 'Machine'))
    }
    $temporary = New-TemporaryPath $Path
    if ($Secret) {
        (New-PrivateFile $temporary).Close()
    }
    $options = @('-fsSgL', '--ssl-no-revoke', '--stderr', '-', '-Y', '16384', '-y', '60',
        '-m', '14400', '--retry', '5', '--retry-delay', '2', '-o', $temporary, $Url)
    for ($attempt = 1; $attempt -lt 30; $attempt++) {
        & curl.exe $options
        if (@(5, 6, 7) -notcontains $LASTEXITCODE) {
            break
        }
        Start-Sleep -Seconds 2
    }
    if ($LASTEXITCODE -ne 0) {
        throw "curl ended with exit code $LASTEXITCODE"
    }
    $actual = (Get-FileHash -LiteralPath $temporary -Algorithm $Algorithm).Hash
    if ($actual -ne $Digest) {
        [IO.File]::Delete($temporary)
        throw "$Algorithm mismatch: got $actual, want $Digest"
    }
    Move-TemporaryFile $temporary $Path
}
