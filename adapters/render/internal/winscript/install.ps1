# Functions of the installer.

# Writes the program, which is base64 of gzip, and registers it to run as SYSTEM at each start of Windows.
function Install-Program([string]$Packed) {
    $bytes = [Convert]::FromBase64String($Packed)
    $compressed = New-Object IO.MemoryStream
    $compressed.Write($bytes, 0, $bytes.Length)
    $compressed.Position = 0
    $program = New-Object IO.Compression.GZipStream($compressed, [IO.Compression.CompressionMode]::Decompress)
    $file = New-PrivateFile "$state\bootstrap.ps1"
    $program.CopyTo($file)
    $file.Close()
    Register-Program
}

# Writes the failure record and ends the installer.
function Stop-Installation([string]$Message) {
    Write-Log $Message
    $record = '{"phase":"start","step":"install","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
