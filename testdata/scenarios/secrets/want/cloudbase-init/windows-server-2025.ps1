#ps1_sysnative
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runScript = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass ' +
'-File C:\ProgramData\machineadm\run.ps1 '
$intoLog = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'
function ConvertFrom-Base64Text([string]$Text) {
[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}
function Write-Log([string]$Text) {
[IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}
function Initialize-State {
$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
Protect-Directory $public '(A;OICI;0x1200a9;;;BU)'
Write-Log 'start'
}
function New-PrivateFile([string]$Path) {
[IO.File]::Delete($Path)
$acl = New-Object Security.AccessControl.FileSecurity
$acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
$rights = [Security.AccessControl.FileSystemRights]::Write
New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096,
[IO.FileOptions]::None, $acl)
}
function Protect-Directory([string]$Path, [string]$Others) {
$acl = New-Object Security.AccessControl.DirectorySecurity
$acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)' + $Others, 'Owner, Access')
[IO.Directory]::SetAccessControl($Path, $acl)
}
function New-TemporaryPath([string]$Path) {
$directory = [IO.Path]::GetDirectoryName($Path)
$null = [IO.Directory]::CreateDirectory($directory)
[IO.Path]::Combine($directory, '~m.new')
}
function Move-TemporaryFile([string]$Temporary, [string]$Path) {
[IO.File]::Delete($Path)
[IO.File]::Move($Temporary, $Path)
}
function Write-Parts([string[]]$Parts, [IO.Stream]$Stream) {
foreach ($part in $Parts) {
$bytes = [Convert]::FromBase64String($part)
$Stream.Write($bytes, 0, $bytes.Length)
}
$Stream.Close()
}
function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
$temporary = New-TemporaryPath $Path
if ($Secret) {
Write-Parts $Parts (New-PrivateFile $temporary)
}
else {
Write-Parts $Parts ([IO.File]::Create($temporary))
}
Move-TemporaryFile $temporary $Path
}
function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
$null = New-TemporaryPath $Path
if ($Secret -and [IO.File]::Exists($Path)) {
$Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
}
if ($Secret) {
Write-File $Path $true $Parts
return
}
Write-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}
function Register-Program {
Start-Service -Name Schedule
$arguments = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
$action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument $arguments
$trigger = New-ScheduledTaskTrigger -AtStartup
$principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
$settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries `
-DontStopIfGoingOnBatteries
$null = Register-ScheduledTask -TaskName 'machineadm' -Action $action -Trigger $trigger -Principal $principal `
-Settings $settings -Force
}
function Unregister-Program {
Get-ScheduledTask -TaskName 'machineadm' -ErrorAction SilentlyContinue | Unregister-ScheduledTask -Confirm:$false
}
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
function Stop-Installation([string]$Message) {
Write-Log $Message
$record = '{"phase":"start","step":"install","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
[IO.File]::WriteAllText("$state\failure.json", $record)
[IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
exit 1
}
Initialize-State
try {
Install-Program 'H4sIAAAAAAAC/8R6fXfiONbn/3wKPbU542QrUIaEdJPanh1wwOCAEwzYxlXZPrKsYIP80rYMOD31fPY9kg0YklRVz8yePXVOYUu6V1f39Xfl/A8gxRhS7AA7Az5Erhdg6Pi3IE6DBIQBwpcgoWGUAEgBdTF49uKEgmfokTTGtcpZN47DuI2oFwaPMX7GMQ4QBr8BYULDSKicPcbhIsZJcjLpERxQkklhQL0gxULlLKGQ8jnp9isngv4dpPDrQSihchalNvFQsSpOg6+IpAnFcRVGnlA5I+EC/AY+5Ly+2mFIExrDqEbCxYfKWZwGExR7EWX0UbjBceJiQmp4i0FVDR/j8Nkj/DEYBBTHEFFvjUH1IaVRSnth7EMKpnhLQbW7xSjlZw6JhzLQySKYJEAAHytCtce4vHsKJnYtSupAqJx5AQ2HXGYB/C91NgR///v7dEfHAY2//60uVJ7TgKseSGGwxjHtxaFf7cAE31wzQc+/JDT2gsXTGXu7AH9WvrCHWjdAocPGb29n096vNRnTCV94/qVg9HR7y3jlrIq5nMlF5dthWyP2KK4Ow8UbOw0eakwTT7e37SjCgdMmhMvErHQJ+DrwEXzpBmsvDgMfB2xTFW+GXoCPNhkEHvUg8V5wdcKd5M/KWZASAn4DbJM7L8aIhnH2dHubO/N+5Dz3hIvKYxxSjGh1PwPymZ9nlHvem5wKpxTO258fBtLgs7itN0QRtj5//tyZXQiVvZKAkFAYU6F8OBVvqo+xt4YUM20d9PgIqXuixztMMMXn+VTlDCImOWPwYC8xomCCURp7NKu1EcJJwoIrDgmn3k1xqtoE093AHU54TITxxHEIc/Jz4e728bz9+XOv/fnz58n8Yv/caV8Il0DIuQsXlbPYW7g0Yer73tZZQrGv8aVPt7dcG5WS1MX5JjTG0M8Pdwl2px6FDt6bQ8WbS1BselgycWHM1qhhgC/Btdi6udwr7SFiSk72s+z0R771ypzHBrgE+9cH6uI4YRb5acXvmf4l7T/cdtq5Bbg3laxweGeWAB9BIdQlEB42AY4vwd40p/48wfRItp2eXymEnWqK/SiMYZyxNa898szZ+34eOGzi6fZWxnS/pQr9g6P+bIzt+ebyF2yl0Le9AJemL4Hw334twBvhSPRRuMYH2Y+jaT9csugPI6w0wXifl7kUS17lwkcY02S375cntku889bcxZ/O8l+29XMYY4hccH4WwZgCLwD5eq5mO6OYB9f3cjKju6gULGtchvOc8hKIlyB/rA1xsMjF3a2USJjg8zcO8DoLXYIvdhiSp7MJRjGmew3uT8elpTvdFKFx5ES5uireMzgvuDCaksaKc4Pzk3wIDnyZrJgk+B3CkrFyxzovkTLa1+5RYl4IWNJG23H+ZV0UDv8TagBVGDigJHt36yU0KTyQM8vP9xv4R7k4T8MjNygx0DBkpbbD7L5jc8FyBedT+fa2EXJ15DLSOMW75TGmaRxUvv1I5Q8RDnY5RcjrvcC1fha5MOG4rqh9ZwnFEXv3GMaK04hiR6icodBhq+oHAzAAWe3sQM/5Fy+gT2dS6GCulRijMHZKaG8HSZdJGHzgh6wGIX1LtTnpReG1W1qkpmP97aHKxX5R/luNcUQgwkD48n++BqD630+sJgqnq9BhGay+iNXW0583377W9i/1m2+M7kuMHYgodp6E3DCMughXUF1QXs/KkuYLJqmdFAngiCBfztT+7GHiJMdlSgoJwVy5SW0SYZSDKqf2EDs4xs6dx+dgnO3Ia23HORe4BYVLkJvy4niSWZPNsd+TKbz1KLMXm+Z2O54m4YLNMPmPUi33tL0FcmNdgvPC96dhVUnCAFSl0I9YYwGqgyBKaXHEYgfueuWMEEbZgdeHArIdIHX1yHsu8xi4qLAT5LIf49F1uGJYFEel5MB0c1Jc2Csv7zYJ0erprBM6GbdlPnq7C42ceD9cBEieK3aD+/g4oMnznA58BMItEPIQZ0mexhn4s/I3wPcD/wS9MO5C5O684M8Dagcfzn7/AL5VvlUQpMjdZ4PdVOU4BkFZmMq3sk4mLLireXv1GjH8DSDf4X3WJwd8QuC81IsVYrPfoh26yCNh2J5Mu+ZgKj3cdUE1wEAs667Qx9GqCnXjcAM+sD41XwZw4GAHbDzqAm5MTnZE9OH4IDvjnpxk19WUsuUu8TBzsYbuQ5E5/1E0SpWyTl6vfgN2vFpz8YZkzBqn0qmpbzP49zPiMp//WlD8vNivqMqSyZhWexCVBYJ+nqbXkKQ8+xfpjU2AKv4DCG6Y0AD6WDha90XFtHbHEbuMaT9MKEeSF7VpOGQd+yBYw9iDAeXQ5YRllOOGweP6Oucahym/U2ACqphq/LXadhyWOHrQ90gG2GpQvcMJ9QK4u8bwtkAQa/zfJ1EA/6xMwpjuAqj6GIcRjmkGOMMRprGHwD/BBLPsul/V4zcl9coZzPc7yDF4LER4WxZ++fAMER4EDt6C/BS1k9H3t9upcrdvbb9d5VvlkEWZwUCuvJykbNHjZcd2LbmZzuiYpvfl9jBUxGIQFpuEz/z+qLjQAF4CVkG4CT7szMgJQRUFIfV5MhK+ts//939VL760q1ZeNWu/3376WH36s35ZFxvX376+CKWNGPM3d0JhQKEXJCDJSx5ALoxZzY0Ttvl3QNV7dyUFtsqPenEaCSNMoQMpfFdrExyvPYTf6ERKriK4lEa3nz7Vb1q1RvO6VvwKlTMXQwfHHBH+CYR2St0w9l646wqMsINhjGPwEENEsAD2gI9vmgdKV2rkAUK8Z0w9HxfMzCrcJFWMGlW/OESVhiscVCkl1QSjMHASvseNyBif8cnCrzWcRGGQYCA8plQA5/uzfATCJwIpTugnGHmfOI1wAfZ7n57oPSEEjn74jixj7/38eHMZn2xeKHe3yWnOSNww5nnmdS7KH2qTiHj0XKgJF1/Ep58PobJYB1cYYeqGTsn0s5hcgi8uTFwKbYKfzvq5nEV3yI5CWZfCsF/9M9i/VQkFV+Jh4ONHHgu89OegfVcwNJzQfFtQnSW4AxMPPcI48YIFqE49H4cpnWAE6iKoFuvO9utjDzARQbUQC+zk+x5m4PWDYByB6iR3GtDgVbYIVc7RCXECWMqIuZKcVxXlLtwEJITO+YmufqYdezprk0UYe9T1S2N33gIn9LjvZmZnffc/zoX+dPr4+6P2YM4ZMmdvk8Or+lA8877h5NZygmlpQGcVyiY4Z355esUpf3exMMrTVtE9/Qtd9fda6FLbfxbmd2O8sxSqz8lkMWQHrVYT6uA45s/8P37++s3Vr9f8NWP/34j82edT19eiKFxWhGo1xjTm882cFX+vOphAPtrgo2EO+w9XKbOYXDCMmMb5ZfxOtO/hwMKVGM1PgrwziGgKWV9+zgGLR3AfJi6oDj2KY0iK5nev8OrehcDBmy5qjCYXrODHRCq51hu3SaUrjF0EHHj7XsLr3S1YsPqZM70EGxjQHdsPf/32YoJpVY7DNHqNyfa1mqthGCJI+EpQzTNZnhtL33XA6deai9NLjreZHANrtlkboTANckj3plylxNx2fC/wWN9BwzhPzHzyt5LcswTH4J/AcHGMD+3N2e+1yeCuVgAK4q0wECbVerVZbdSr/7PaFFnxuqgVIu5EPVLdI0ySTRg779bw3YK8JcEojZlkh9LAL3hxDiRAtfjdU4FqO3kk0Avyr0m9MEaYn//4ZD9vEPBnZfI+6X7bQtLDrc4rI/6YGOytiNc47m4jL8bJYVl59FSrGgyc0H9btzsP+Dc0cDjV7ua0dPfBhr48gcZ15SzmYrxzgy/FWUTDRQwjN6tpqpy/F+jpMQ7XnoPjHY8SGORbXlTKzlPIfS7Adv2/WH/+PtQsyC9OLyBHmDVc73ohD7l97BQB+Cp4kjx68unfXof9ZHC3C5CrRrV5fS3sgyPHE0ySA0EuE8jTC9jtWozuoinHBl9GHorDJHymtUfWvU3491Yp9H0YOEktp8mv5bpbhHnWfzpBFFyHXgIg8PMtwudi05POvZ0kOKbV7yQXHKxvpYfR42za1dT2KK8m+yWlPmLXOrgw4a0EBwmvyHdJmjF4W5a70IdecJAmf+fWQKEfpRTHBYCVPH8QJBQGDKJLBCYJP7fhBVeN36Vibf4lrdRs7ZjUHmFMH54P7POzCCcNF6MpqxECh1N8BgnmX6wNL3DCTfLVwXa6+KpiOsE05d+bhV2blu+RX1sf9t+N8lJ4IsX5qRhlEfi11Smbj0AodMunC4bHGmY6YdW1fEO8x37PFMcbGDvJd+5A8k/pxxcgJcLK6+8JO2onDPCHA5R67+ryjVvGJOXf4GqoEP7DJRCKMf4p6/RLN1f56xvswz0RjCl2PvB6fHJVVz+5AD0+wp5yf4rSpebuqh4IUYwjGGNhf2d4pMXiDxkO+hOQ3MvmhhgaV6qIfJJadXE1k3silFb3SlfPkN/KxoYqQqOVzvoKsXw9s4zm0pq0WwPJmTpya6NswtWsr6ytK4WgK3WMfN23TIXYvkoGd+JCqauRLeupI2+b40YrdWSSOsYskIhKHKk+shuq68hkbXttOpWJaJmKa/c6riMvFoo4ujEldK/ITmI3FNe+i0ZjXZ1puqvoXfVR684Wj5P2RvLmCyWnubdMN3Kk9mra7U31rj6f6NrdVNR60uK334QL8O1Yc2mCYwEISYRRrXD5GhtLvohPTI1nMC+eRdiXABEQVhhHOBY+g+MisqMQEAxgnP3yR+tl1dhummvQhnXhVIBnjzX9xwIUNyA4dk4sWfpbG8AGkq+Hpezx2VvUaOgT4WBix9cz1ODqbQ3uBvfQqG/sK0VEWbs16CXB+CVChflce9KRobElqL5d2o2mODdIapnKypTVte3PU6u3+WMYaGvb2ATmOLw3rjqJYziRHaiOROjG7usBNJovQ8+J7Kx5xGPoOxmSR6mz7KbzKyVS6mKJfpQqDbIe+uraDjQXGk2C/HFqXSmbedZsjCbNJfJXwTBQiNUgL05faZrjiPH3oeE8I+6y3CXvHsh2jPxWgPwe1eSeONdfnYWgQHsZ+uNAWkQ2krd1q0FSlF0H0Pg1nXMX7UU2c3WpGaCgsxwG8+3QVzM4QSny9QCaqoiCFV9r+SRA/+ZZ+FrfiqyrUapclcf16zmzlzwLzPF/SNbsOiiPW6br2mYnsSYonZu6CHvivWOqBPlN1zZ4eAWorye2rGfKJtrMTfXFabQyK9f3cm40XRSsrtCU3MAX5dp50RvKJvzr+vDVFOri/dwnqdnQIuQV9vRaa9Qfr+eNZjRsKJHtoXt+FtJaQXPA5Ru/hGvL1JbDhprCSSu1zHFqSej+dbj/q9HG/7arHGs4pknN+RrjBUNtWQ1vISsRX90wockuBp8hSVgQ/pQYbGyXdU6EWH0lHsIBwrUVzkqxbctkmafj+tpahgtL1qm9iWLLXN0MZNW1/V6Gp872wYziUeBeqeb8BzoJQgf/QAulv3BbpTb7rWXwKOXgTHGRTAzLVF5Y5RgsQw9e6Z5l9Fb2pBk/9EcpNH5dO8ueZ5maq0qDZODTyPbH3oOn3NsNko4Ld3VMpagObI0WoYa6ZikNTwY3OFM8u9ES0ZWWzc3OzG5QYnt8XNw9D4KVaPW1rTNpUhzooeNvN9iox2rgrkcNfTPwNt7c7ESzhp4xvprRXCG5FdkBl2VlGfV1KQxv1OVYHGVMFtUdM5qu66KGS1A2uDEy5QXK3Uydzm8eZN2zpqihGtZy7mvL0Yu7Gi3VpbUcbEdyt/4gjzJ1Oa6PposX9a57PVpqy9Fdj6jG/EVddrzR3fh6Pp1fPUznG3U5uFZfxtk8U5xnU0wGfnNtyfrEMpwoP7sW2Y1r7yFIPJZaZ43WEjZ0kendDjoRkmc3w+zX9TC7XiOZbKxJ6zg1G0eh6Q0lhc85/ZH3QOgvA58Spu9831k6b2zr6EojyGteD43kGmXNyM5addsnKTS1aG5sI+zrK6Zby7B8y1C5LFO/NZ03XGL19cSaKC3TrLfeqcqBR0/jgzlbHGCKE+agR5/9gPDLL+mnWUMXhzrL7lY0b8wWw1mewXLX2xJHatPZleaiQKujntZE8mwxNnXRbtSZiy2Fn5HiOFmwwr+/qM9BQXlBlV+tptE0izBopzT0IfXQz2wTJrPIgcVZ39hlk0KGUtYne9x5CbQJdj7nf4zxPhG/wfhPCJImYbJGf0mMPclPC3GsdA0n+Y31dxT/Jutl6AWnie4NP1LkZt2WN4vHSceezH5NNZlkzIXtK6VpTsOb8ZVC5qZGyuP3OfIgjqwi7m+mklqmRlCGIskny7mhJihrEizPclAr6+K8vo0dQ2GVljiy/qJk7TVq6KJ95aSWOVgoWTQdTrtUnYgvI0+sq3fjQPKJP5AWr8DtQKqn1qS9uZ90fhnI+jU0xwulu+3M6lrP6JLZWGx1tUmn9VdkgUYztEwlcuReOm/MbpDXzlFiMGbPwT0Z0dFErA+n3esHz32cTFbhWFxFmofekv3mvttS7ifu3WRCZGUTRZbXDl/L2Ka2P1uMpNUCZx2CZSIOJO0V6H8ehys70BOboZAeVaZZswtNhcyvtDUKiPOwjO6Qr7uOrJfGVyE/b99yEdkm0FDQPjf0thvYWAX34yiaN3pLuz9iyIgUiLIxNxVky8QzZVqf+3pimRpCMo3+v9nsO2cYSK3I9l2CfCLOGTqYRtlA4og4de7YM/pjlonb4XRGR9PFsV2ysl1H2XA6E9W7MJyKq+i+qyr3s/m/fx5P86BxXSC3CMGMNXi9zLrSqWU0886k2w6VRrSGxnUwlNrBcFIv0D7i70ddy0xzHbmHbKO3hDJJOczQc3+eGxodBsRlHcv9OFzNi9hF9UOdeOQ+1xIHktu3zDHNoQBhTS6d+j1qTTqcly3r4kCq91CgrNGqt8xhSWfKOiY70BI842U0sgOd8L1MJXCMOpt70XySFE3zu/50gEh135Z7AbO3HcwDydMO+7OGOhsEAylZKDJDw+14IDkHH5C4j3gDSaROg6SW3LpCWf3FMpUGNFTCxnedwOPsXT/a6TrFRo/aElrcb8Igp9UzR6oz5N1iNnD8XmbK22hOtnsZzX4nhpM2HRrK2r7SWCfjIqme26O89xt5x5Rf0zCeeYc0Z+e+VzLGm+ttJyeXhXUAhT4z29dFy1TLeuFrlU24OuiZ5Q5VnJuKONQ7md1QCboaLYYzK7JlfTw3tXAgDVa8I8n5upYs5nnBa9Pxwb4j1k0NJM1FvlO3DZ1BJ4Y/1lNfv9ILOwyk+ph1T7rsZk45f0nawVdXrmv7WmKNoysoc58Jh0Zz7UjtktzNwdxUeyw3WsY4GvST+xzXMN/dEstsLxgO4rrujxajcZFrZTWzjB7Ty/TgD3XX9scLQySPwxU/N8udjPeL0x+FR3EpsvlZxOJb8jTRMl3ujye0Eybj2NgmuqxfO9LijThYpXpfiezJItrlEoevbVPb6InzxmKh1JtDfab0pl19ZopUH6/0jtatP491pT97Eb176fqP+8lgpWSrBd6Eq3mjxWhTq6TPPF6TBctp/LfLcJ4aWqZqj3TxvlTnHywT/Sjup47cy5y+vtH7DEJ3Oo6prZm80GC21giS9dTqq4+21zmC1wOpLkHeJRPuUznv9kHmdpTzlupluzzMjToZ7PPD+P5N+7F8IFuu3VeJFIj3z+OotdNpyV+4r4wbrZVVrq+baFdfS/7H8rZ2Zzc0zu/Etl0eS/Isr6M9FjNONjfq3bmpuaZcd+cNN7J5nNRL+azZnBv1RMlW968wdhQmDO49e4GXuAyQvb4nBsL/86tIT3tx5J5YytCnd0h0bqgha5CYltg+qK97rP/mfHlFVuo22S7tvv7iyHo2NHobOGGVbbu2WEWTBit0xSqVjuZ+a+30VRH5vc3QZ/ODe4XTq0vkk42T361s7CuHoEANLWObsCY098wWk81nVYd5id1oKnagEeTzitTga650EfV1UfNbGfPQQU8juD9eDGf6tWWodV65SGfN5MeTjoTNjssyn5K1Y8lDNI/Szg/1wM/sNTfopbvgmdVoira4Oy9aPHab+lRqf3xc/dhbXuuknT168y3j+y8hvX6nPve30TxbnXqxyZCRNesldq6XcOBpG8dQEmiox3KYan2eV4WURSuSufd7DIGgK305b+gvBcL3B5L7ZregmS5r0l/uT+0vDfJM6ltrJj/LeveS9sIaeNQfLxhCyuXWIuTrS0duZVgXbx5WDnG6/Cxv8hz0N4tZo8WyyePcj8j8Kq8QCstKxrhAta3VQGotWZZAgZ7OGmoGzU6eLft7H4wHEkMz2noqtzgy/iFiP2SUU8SeZ6ZA5Bng/wYAAP//lq8uLsU6AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
