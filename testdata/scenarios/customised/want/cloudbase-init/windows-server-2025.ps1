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
Install-Program 'H4sIAAAAAAAC/8R6fXOiyt7g/36KfmatS7ITHdSYe8zs3L1KFCFKFBWUmewpaDqCNi8XGpWcM89n3+oGFTWZmXOf3Xpqqkbo7t/7e5P/AYQImQTZwEqBZ0LH9ZFpe/cgSvwYBD5ENyAmQRgDkwDiIPDiRjEBL6aLkwhVS+VuFAVRGxI38EcRekER8iECXwA3IUHIlcqjKFhGKI7PNl2MfIJTIfCJ6yeIK5VjYhK2J9x/Y0Cm92AS89uRKa5UDhMLuzA/FSX+N4iTmKCoYoYuVyrjYAm+gA8Zrm9WEJCYRGZYxcHyQ6kcJf4ERm5IKHwYbFEUOwjjKtohUFGCURS8uJg9+pJPUGRC4m4QqDwlJExIL4g8k4Ap2hFQ6e4QTJjMAXZhCjppaMYx4MDHElfpUSzvSkHZroZxDXClsuuTYMB45sD/UmYD8I9/vA93Ig6o/+NvNa70kvhM9UAI/A2KSC8KvErHjNHdLWX06mtMItdfPpfp2zX4o/SVPlS7Pgxsun5/P5v2fquKiEzYwauvOaLn+3uKK0OV72VIrkvfj2T1yCWoMgiWb1CSnqpUE8/39+0wRL7dxpjxRK10A9g58BF87fobNwp8D/mUqIK2A9dHJ0Qk3yWuid1XVJkwJ/mjVPYTjMEXQIk8uBGCJIjS5/v7zJkPK1eZJ1yXRlFAECSVww7Idn4dUeZ5b2LKnZK7an9+kgTpM7+r1XnebH3+/Lkzu+ZKByUBLiZmRLiicAraVkaRuzEJoto66nFkEudMjw8II4Kusq1S2YSUc4rgyVohSMAEwSRySVptQ4jimAZXFGAGvd9iUNUJIvuFBxSzmAiiiW1j6uRX3MP96Kr9+XOv/fnz58ni+vDcaV9zN4DLsHPXpXLkLh0SU/X9iHQaE+Sp7Ojz/T3TRqnAdS7fhETI9DLhbsBe6mFgo4M5FLS9ATnR45GJY0b0jBL46Abc8q27m4PSnkKq5PiwS6U/8a0Lc54a4AYcXp+Ig6KYWuSXFX9A+pe0/3TfaWcWYN5UsMLxnVoCfAQ5UzeAe9r6KLoBB9Oc+/MEkRPe9nq+UAiVaoq8MIjMKKVnLj2ybB98PwscuvF8fy8iciCpmN7RUX81xg54M/5ztELgWa6PCts3gPtPr+qjLXfC+jDYoCPvp9F0WC5Y9KcRVtiguK+KWPIjF7lwZEYk3tP9+kypRHtvzVz8uZz9UtIvQYRM6ICrcmhGBLg+yM4zNVspQSy4fpSTKdx1KUdZZTxcZZA3gL8B2WN1gPxlxu7+pICDGF29IcBlFroBX60gwM/lCYIRIgcNHqRj3JK9bvLQOHGiTF0l9wVc5VgoTEFjudzg6iwfgiNeyivCMXoHsGCszLGuCqAU9tI9CshzBgvaaNv2v62L3OF/QQ2gYvo2KPDe3bkxiXMPZMgy+b6AfxaL8zQ4cYMCAhWZtNR2qN33aK5prmB4St/fNkKmjoxHEiVofzxCJIn80vefqfwpRP4+p3BZveeY1suhY8asr8trXzkmKKTvLu2xoiQkyOZKZRjY9FTtaADaQFY6+6bn6qvrk+eyENiIaSVCMIjsQre3b0lXceB/YEJW/IC8pdoM9Dr32h3JU9Op/g6tyvXhUPZbiVCITYgA9/X/fPNB5T+faU3kzk/B4zGz8spXWs9/3H3/Vj281O6+U7ivEbJNSJD9zGWGodB5uILKkrB6VuQ0OzBJrDhPACcA2XGq9hcXYTs+LVNCgDFiyo2rkxDBrKmyq0+RjSJkP7hsz4zSPXi1bdtXHLMgdwMyU16fblJr0j36e7aFdi6h9qLbzG6n2zhY0h3K/0mqZZ52sEBmrBtwlfv+NKjIceCDihB4IR0sQEXyw4TkIuYUmOsVM0IQpkdcH/KW7dhSV0685yaLgesSlSDj/bQf3QRr2ouisJAcqG7Oigt9ZeXdwgFcP5c7gZ0yW2ar9/vQyIAPy3mAZLliv3iIj2M3eZXBgY+AuwdcFuI0yZMoBX+U/gYYPfAn6AVR14TO3gv+OHbt4EP59w/ge+l7CZoEOodssN8qncYgKDJT+l7UyYQGdyUbry47hr8B6Nlszvpkg08QXBVmsZxt+puPQ9dZJAzak2l3Lk2Fp4cuqPgI8EXd5fo4OVUiThRswQc6p2bHAPJtZIOtSxzAjMnAToA+nAqyN+6ZJPupppAt94mHmosOdB/yzPnPfFAqFXVyefqNtuPizPUbnFFrnHOnJJ5F279fYZf6/Lcc4tfZvoAqciYiUumZsMiQ6WVpemPihGX/PL3RDVBB/wKcE8TENz3EnZz7qiBSfWAdu4hIP4gJ6ySvq9NgQCd2yd+YkWv6hLUuZyjDrG+QRpvbDGsUJOxOgTKoIKKy10rbtmni6Jmei1NAT4PKA4qJ65v7awx3Bzi+yv594jnwZ2kSRGQfQJVRFIQoIilgCIeIRC4Ef4IJotn1cKrHbkpqpbKZ0TvyIY1yFt7mhV0+vJgQSb6NdiCTonq2+j65vSr3dKsHcqXvpWMWpQYDmfIykKJFT4+d2rXgZhqFo5o+lNvjUh6LfpATCV7Y/VF+oQHcGKz9YOt/2JuRAYIK9APisWTEfWtf/e//qFx/bVeMrGpWf7//9LHy/EftpsbXb79/e+UKhCjyNynBwCem68cgzkoegI4Z0ZobxZT4D5qq9+5K8t4qE/X6PBKGiJi2Scx3tTZB0caF6I1JpOAqnENIeP/pU+2uVa03b6v5L1cqO8i0UcQ6wj8A106IE0TuK3NdjgJ2kBmhCDxFJsSIA4eGjxHNAqUr1LMAwe4LIq6HcmTzirmNKwjWK14uRIUEa+RXCMGVGMHAt2NG446niMtsM/drFcVh4McIcKOEcODqIMtHwH3CJkEx+WSG7icGw12DA+1zid5jgmPdD6NIM/bBz0+Ji+iMeK7cPZHznBE7QcTyzGUuyh6qkxC75Iqrctdf+edfD6EiW0dXGCLiBHbB9LMI34Cvjhk7xLQwei73Mz7z6ZCKQuiUQnu/2mdweKtgAhr8ceHjRxYLrPRnTfu+YKgoJhlZUJnFqGPGLhyZUez6S1CZuh4KEjJBENR4UMnPlQ/nIxdQFkElZwvs+ftRz8DqB0YoBJVJ5jSgzqpsHqoMox2gGNCUETEl2RcV5SHY+jgw7aszXf3KOPZcbuNlELnE8QprD+4SxeR07qZmp3P3P6+4/nQ6+n2kPs0XtDOnb5Pjq/KUP7O54ezWcoJIYUGjFcrCKEN+c37FKf7wMDfM0lY+Pf0bU/WPRujC2F8OsrsxNllylZd4shxQQSuVmNgoitgz+4/JX7tr/HbLXlP6/x3Pnj22dXvL89xNiatUIkQitt/MULH3io2wyVbrbDXI2v7jVcoswte0R0yi7DJ+z9qP+sDclSjMLzZ5ZROSxKRz+RVrWFyM+mbsgMrAJSgycT78HhReObgQOHrTdZXCZIzl+ChLBdd64zapcIWxj4Ajbs+NWb27B0taPzOkN2Br+mSP9sNfv72YIFIRoyAJL3uyQ61mahgE0MTsJKhkmSzLjYXvOuD8a831+SXH20hOG2tKrA1hkPhZS/cmX4XE3LY913fp3EGCKEvMbPNLge9ZjCLwJ9AdFKHjeFP+vTqRHqp5Q4HdNQLcpFKrNCv1WuV/Vpo8LV7X1ZzFPasnqhuZcbwNIvvdGr4/kI0kCCYR5exYGtgFL8oaCVDJfw9QoNKOR9h0/exrUi+IIGLyn0r26wYBf5Qm74MeyOacHm91Loz4c2BwsCLaoKi7C90IxcdjxdVzraqmbwfe27rde8B/QQNHqfY3p4W7D7r09RnUb0vliLHxzg2+EKUhCZaRGTppVVXE7D3vnkZRsHFtFO1xFJpBRvK6VHSenO8rzmzX/oPO5++3mjn49fkF5BDRgetdL2Qhd4idPAAvgifOoifb/nIZ9hPpYR8gjXqleXvLHYIj6ycoJ0eAjCeQpRewp5qv7qMp6w2+Dl0YBXHwQqojOr1N2PdWIfA807fjagaTXct1dxCxrP981lEwHboxMIGXkQhecqJnk3s7jlFEKj9ILsjf3AtPw9Fs2lWV9jCrJocjhTliPzo4ZsxGCdYkXIDvkzRF8DYvD4Fnuv6Rm+ydWQMGXpgQFOUNrOB6kh8T06ctuoDNOGZy667fqP8u5GezL2mFYWuPpDoyI/L0ckSfycKdDVwUpqhGE9gM4jOIEftirbu+HWzjbzaykuU3BZEJIgn73sztx7SMRnZtfaS/X2Wl8IyLq3M2iiywa6tzNB8Bl+uWbecITzVMdUKra/GG+ND7vRAUbc3Ijn9wB5J9Sj+9ACkAli6/J+yh7cBHH46t1HtXl2/cMsYJ+wZXhTnzH24Al6+xT1nnX7qZyi9vsI/3RGZEkP2B1eOzq7ra2QXoqQgHyIMUhUvN/VU94MIIhWaEuMOd4YkW8z9kOOqPg2IvXeh8oDcUHno4MWr8eib2eFNYP8pdLYVeKx3rCm/qrWTWl7HhaamhN1fGpN2SBHtqi62tvA3Ws768MRoyhg1lDD3NM+YytjwFSw/8Uq4poSVqiS3umuN6K7FFnNj6zBewgm2hNrTqimOLeGO5bTIVMW/MZcfqdRxbXC5lfng3F+CjLNqxVZcd6yEcjjVlpmqOrHWVkdqdLUeT9lZwF0s5g3k05k5oC+31tNubal1tMdHUhymv9oTlly/cNfh+qrkkRhEHuDhEsJq7fJWuxV/5Z6rGspkVzzzsCw0R4IIw5j6/USgPQNnmRXXco6z0EowzVE8hyvqmz4Uycjx5Xh/+qhT7b2MXf6wTx8438wT372Z+QYHs39cojbmCtzSUYKBr6+FqVhtO18vxrNcZz4avUz90xq+9WF+r8nDWnKlTrUP3JjO4M3vr1Ox3XEszAn0Nt3YvXJii4+pd+VXHwx3E4cJsqIra7TWmM7Vj87XueA6XVqODodfjrYbcNuaOY807sTHmHy8t+OJidC47XdvLXggEKv36mxcQu0p2hAPlFxPHTLTxpJNYdRVLYsuT+mpgTDorq6+92qKWSqKKLf235GEcfPkxeT+w0Rsk3/n7oHVi0d9qanq4oGWUyg4UsW7M5Vcad9IqcM2G5hp6b21NmtFTf5iY+m8be9VzjbnqKIIUSx4JLW/sPrnyo1XHCY0zw8O+PZfz2KJn1BDWlY3taSmaSHcolV2r3uJhQ00X887MqhNsuWyd3z9LfqeB9Fp94TYJ8rXA9nZbpNcixXc2w7q2ldytu5h3wlldSyleVW+uodgKLZ/xsjb02mbgabcLvba1xNmdshrzw5TyojhjCtN1HFh3MEylOz2VX02xmyrTxd2TqLnGFNYV3VgtPHU1fHXWw5WyMlbSbih2a0/iMFVW49pwunxVHrq3w5W6Gj70sKIvXpVVxx0+jG8X00XjabrYKivpVnkdp4tUtl/mfCx5zY0hahNDt8NMdjW06rfukx+7i4YczuqtlVnXeKp3y++EUJzdDdLfNoP0dgNFvDUmrZVVb/ILHSfGXF4PdGVj+apj6k0MvbE7EGS2Z/eH7hMmf5c8gqm+M7qzZFHf1WBDxdBt3g70+BamzdBKWzXLw4k5V8OFvguRp62pbg3d8AxdYbxMvdZ0UXew0ddiYyK35pNt7hc7bHe1W7svO+O57DNdNmLX8nrEONIlltijZ18pXtvrxbY+ozZibj/wSG3haanlabwxz/wLiq2N9VDzDSZXL5b8GtXfGxGY+C45j0Dq3JGPCIppQJx8pAHc3/+efJrVNX6gKRj6Rrioz5aDWdOx9NnyIJLQJrOG6kBfrcGe2oTibDmea7xVr1GXXnG/wkUQz0LbzJmgufhwq5ql3W1i0jS54ejIZ0YkCadpiMCDG5sWRvbn7Jv2+0BsEPx/wUgSB/EG/iU2DiBvMkF7mHMm6Nq+l8+T48U3KsDxPF/jMhtpDTm0xRmZNjQe9jVeEuWN1VCx0f7y5UL/YXSRhsMIvU2v6AjqO46wYL1CL7Roz/EWwVXg+ueZ9w38stisWeJ2OZp0rMnst0QVcUpjymrIzfk0uBs3ZLyYq7i4/ijYD094h21Rgcwh53JizFUMUxgKHl4tdCWGaRMjcZb1KKLGL2q7yNZlDL0mtkXtVU7bG1jXeKthJ8ZcWsppOB1Mu0SZ8K9Dl68pD2Nf8LAnCcuLXkUSaokxaW8fJ52/S6J2a87HS7m768xqak/v4tmYb3XVSaf1V3gx9WZgzKlBe8miPruDbpv2bI7lj+mz/4iHZDjha4Np9/bJdUaTyToY8+tQdeFbvN89dlvy48R5mEywKG/D0HDbwSWPbWJ5s+VQWC9R2sFIxLwkqBc93Ms4WFu+FltCuyX1iDxNm11zLuNFQ91AH9tPq/ABeppji1phfR0wefuGA/EuNnUZHpJHb7c162v/cRyGi3pvZfWHiTF3sJTZtb6Yy9ASsTsXWd6LjbkKoUjC/zab/UAGSWiFludg6GF+QXvvaZhKQsuHXi+xH+gz/Ncs5XeD6YwMp8tTu6RFuw7TwXTGKw9BMOXX4WNXkR9ni/+6PK7qmvot7cP98WsIzZT2673UaGjE0Js8TNstqdsO5Hq4MfVbfyC0/cGkRmuoZ+qQvVO4fIZwrJnq2GIPWnpvZYo4YX2PlvnzQlfJwMeOpW/9x3GwXuSxC2vH/DFiPtfiJcHpG/MxyXoTTGcWMmU1scNwWaLGS0KtB315A9e9VdYndaamvsOWr8Zoxup6aPkaZrTmsm/rNbr3qno4zmegd/3p2LPVPEvs+dTelr/wBVc90qfzUSr5khAvZVEOLbcdSYJ99AGB+YgrCTyx6zgxxFYDprVXYy7XTV3BdH2R93qj2bt+tNd1gvQesQS4fNwGfgarpbZQW5tzqUVtYHu9dC7uwgXeHXic9zuROWmTgc6S/yvtM6BQy+xRpP1G3pmLlzAU58BTNpa3oHI/yinFzfS255PxYszVVa7PvC9RinphZ+nsedQzzR0Kv5jL/EDrpFZdwbAxXA5mBp0/x4u5GkiCtF54OMnxOobIZ3nBbZPx0b5Dc67QPOVAz65ZukZ7OVqXNlNPa2i5HSShNl7MlVdNdFK7mL8E9eira8exPDU2xmHDFJnPBAO9uaHzaaGnlxZzpUdzo6GPQ6kfP2aND/XdHTbm7SWtj0zX/eFyOM5zraikht6jepke/aHmWN54qfN4NFgzuWnupLhf7f4wOIlLnu7PQhrfgqvyxtxh/ngGO6E8jvVdrInarS0s34iDdaL15dCaLMN9LrHZ2Tax9B6/qC+Xcq050GZyb9rVZnOeaOO11lG7tZexJvdnr7z7KNz+63EireV0vUTbYL2otyhsYhT0mcVrvKQ5jf12aSOoBMZcsYYa/1io80/GHP4s7qe22EvtvrbV+rSn73Tsubqh/Jo6tbWKoaglRl8ZWW7npN+XhJpg6k0H+pj5VIa7feS5HWa4hVrRLk8LvYalQ34YP75pP5oPRMOx+goWfP7xZRy29jot+AvzlXG9tTaK9XUb7utrwf9o3lYfaI9P8Z3ZtstiSZxldbRHY8ZOF3qtu5irzlysOYu6Q/svxxBrhXzWbC70Wiyn68fLJjCIL9pOuvbzNpDNA1nKxZY/Xg5mu5BO3wt9l4Vul6YYAk2PlkNtPfBV5mJaNsos9+vvsfTi+m7sUOKXN5GA+/9+2eWqr7bY4wtFYww9VsSJKvb4hbYjC10J6BBJDUfpwL7mWiJeMbysSZBrFt4d7iUGem9rTmix3W0MWmQFaQ0btHhqcOG1NnZf4aHX2w48ui89ygxeWUEPb20WWPbWatgY+kpg6LuYDupZsLQobx4thNRxrXpTplaBHiuSdXYmnwhUr5XSoJF6KkZ9ajXt1tCVGiumuLOh/KNJR0DzjkOTsZy2I8GFJEscnZ/qgcnsNrfwtbtkyV5v8ha/lxcuR92mNhXaH0frnzvwpU7a6chd7Cjef6v57HdqC28XLtL1eWDNabNmzHqxleklkFx1a+tybOrKKR9zpbbIClVCEwgUWUC6tCmCDW21qGuv+dDhSYLz5gCjzp0QNtTXx3P7C1KW3D1jQ/mnifhRUF8XDTmE/fGSNm0Z32oIPW1li60Uafzd09rGdpfJ8iZOqb9dzuotmuBGCy/Ei0ZWtGSaKPVx3mi31pLQWtHEBX0tmdWV1Jx3sgTeP/hgJAm0wVI3U7HFmvWfDhHHJHc+RGTJ0udZUvq/AQAA//8/TbwGJzkAAA=='
Set-TimeZone -Id 'UTC'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
