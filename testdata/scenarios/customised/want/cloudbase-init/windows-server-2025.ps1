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
function Protect-Directory([string]$Path) {
$acl = New-Object Security.AccessControl.DirectorySecurity
$acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
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
function Install-Program([string]$Packed) {
$bytes = [Convert]::FromBase64String($Packed)
$compressed = New-Object IO.MemoryStream
$compressed.Write($bytes, 0, $bytes.Length)
$compressed.Position = 0
$program = New-Object IO.Compression.GZipStream($compressed, [IO.Compression.CompressionMode]::Decompress)
$file = New-PrivateFile "$state\bootstrap.ps1"
$program.CopyTo($file)
$file.Close()
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
function Stop-Installation([string]$Message) {
Write-Log $Message
$record = '{"phase":"start","step":"install","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
[IO.File]::WriteAllText("$state\failure.json", $record)
[IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
exit 1
}
Initialize-State
try {
Install-Program 'H4sIAAAAAAAC/7R6fXfiOJrv/3wKTd2ccXI70AZCukndmjvggGMCJNhgY1dl+9iygg3yy9oy4HTXfPY9kgwYQlVXz+6ePqcCkp63n55X0f8HSAmyCXKBk4PAhp4fItsN7kCShSmIQoiuQUqiOAU2AcRD4NVPUgJebR9nCapVLnpJEiUdSPwofE7QK0pQCBH4BASNRLFQuXhOokWC0vRk08coJDiXopD4YYaEykVKbML2pLsvjMgO7m1ifzkoJVQu4szBPixOJVn4BeIsJSip2rEvVC5wtACfwAfO64sTRSQliR3XcLT4ULlIslCDiR8TSh9HG5SkHsK4hrYIVMfRcxK9+ph9DJWQoMSGxF8jUH3KSJyRfpQENgFTtCWg2tsimDGbI+zDHHTz2E5TIICfKkK1T7l80wqqdi1O60CoXPghiYZMZwH8v/FsCP7xj2/THZkDGv/4e12ovGYhgx5IUbhGCeknUVDt2im6vaGKXn5OSeKHi5cL+u0K/F75TD/UeiGMXLp+dzeb9n+tyYho7ODl54LRy90d5cVZFXucyVXl60GskfgEVYfR4owk5alGkXi5u+vEMQrdDsZMJ3pL14CdAz+Bz71w7SdRGKCQCh2jzdAP0ZEQJfSJb2P/DVU15iS/Vy7CDGPwCVAh936CIImS/OXujjvzfuWSe8JV5TmJCIKkut8BfOfHGXHPu6rsLQZCSuyECGVNx2hTfU78tU0QNf0AyrNNvBNQ7hFGBF3yrcqFDakalMGTs0SQAA3BLPFJXutAiNKURkoSYUa922JUNQ2R3cI9SpmDR4nmuph67KVwf/d82fn4sd/5+PGjZl7tP3c7V8I1EDh34apykfgLj6QUi++JzlOCApUdfbm7Y2hUSloX9mkkQXbAjbsGO6tHkYv22I7R5hoUQg9HNM9O6JlxFKJrcCO2b6/3oD3FFOR0v0utP3KUd7f8/gJ+GOc9j78E9tNdt8MBf1IkpQz64XsB/NMmRMk12ON/6oEaIkca7cB8ZzW1ZYqCOErsJKdnzljt7v2euzrdeLm7kxHZixzbwcEbfzQq9ny5/gVbKQocP0Sl7Wsg/CuohWgjHKk+itbooPtxyOyXr8GPh1Fpg/K+LHMpjrzLXs92QtKd3M8vVEqyc0nuxy8X/C8V/RolyIYeuLyI7YQAPwT8PIPZyQliEfS9LErprioFyxrT4ZJTXgPxGvCPtSEKF1zd3UkJRym6PGPA+1RzDT47UYRfLjQEE0T2CO6tY9qSHTZFQBw5EYer4r+Cy4ILpSkhVtgNLk+SHjjwpboinKJvEJYuizvWZYmU0r53jxLzQsESGh3X/bexKBz+B2AAVTt0QUn33tZPSVp4IGPG7fsE/lkup9PoyA1KDFRk0+LYpfe+Y3MFfipwqnw9fwkcDq4jSTK0O54gkiVh5eufQf4Uo3CXUwReoQWG+kXs2SnrxIoCd5ESFNPvPu2KkiwmyBUqFzBy6an64QJoy1ft7tqUy89+SF4upMhFDJUEwShxS/3ZrolcplH4gRlZDSNyDlpOelV47ZYUqekYv31zcbU/xP9WExRjGyIgfP6PLyGo/uuF5l/h9BQ8HLOrb2K1/fL77dcvtf2X+u1XSvc5Qa4NCXJfBH4xlLoIV1BdEFa0ypryA1rmpEUCOCLgxynsrz7CbnpcnKQIY8TATWtajCBvg9zaU+KiBLn3Ptuzk3xHXuu47qXAblC4Bvwqr4436W3SPfr3ZAttfULvi26zezvextGC7lD9j1It87T9DfDLugaXhe9Po+ogjUJQlaIgpqMAqCphnJHCxEICc71yRoji/MDrQ9F/HZrg6pH3XPMYuKpQC7juxx3kOlrR7hHFpeRAsTkpLvQrK+oOjuDq5aIbuTm7S756twsNTrxfLgKE54rd4j4+Di3jJacDPwHhjg4Lu5pEkhz8Xvk7YPLAH6AfJT0bejsv+P3QZ4MPF799AF8rXyvQJtDbZ4PdVuU4BkFZmcrXMiYaDe4qH4jedwx/BzBw2WT0swt+huCyND0VatO/xQBzxSNh2NGmvbkylZ7ue6AaIiCWsSvwODpVIV4SbcAHOlnyYwCFLnLBxiceYJfJyI6IPhwbsrvcE0t2c0gpW+4SD70uOoJ9KDLnP4vRplLG5P3pM23HuzNXZzSjt3Gq3TgLHNr+/Yi61Oe/FBQ/rvY7qrJmMiLVvg3LCtkBT9NrG2cs+xfpjW6AKvpPIHhRSkI7QMLRuc9jRGr3rC2XEXmIUsI6yavaNBrSGVsJ13bi2yFhrcsJy5j3Dcrz+oZzTaKMvQJQBceIqOxrteO6NHH07cDHOaCnQfUepcQP7d3Dg78Fglhj//0sCuCPihYlZBdA1eckilFCcsAYjhBJfAj+ABqi2XV/qs/eNuqVC5vLO+ihPBcqnNeFPRe82hApoYu2gFtRO1n9trgdlDu5tb24AjFWF/kxilIRNGEEOJTRK3uaKd4KgJ+CVRhtwg87vDn/KgwjErCsIXzpXP7/v1WvPneqFi9vtd/ufv6p+vJ7/bouNm6+fnkTSoIo87OSYBQS2w9TkPLaBKBnJ7Q4JikV/p3u51vPEEUTxE29OnXZ+2gT4sh2D247S/D7FH6233u56OBFlPjEC0pr9/4CpeS4sac+Thv7f14KD9Pp82/P6tPcpKWfftMOX8dPxWfWmJw8ZGiIlBZ0GgIORpz59emrh/zdw8KIw120Z/9G2/69Hr00V1xEfMJmratQfU21xZAaWq2mxEVJwj6zf5j99dvmrzfsa07/vRXZ54Bt3dyIonBdEarVBJGE7bc4K/a96iJss9UGW414X3GY1WYJvqJFKEv4+9xOte8VmsJbKc0PVpELG5LMpo3/JcuIPkYPduqB6tAnKLFx0V3vAa/uXQgcvOmqRmm4YgU/qlLJtc6Mq6UZqVD7wBAEfsri9A4saNxzptdgY4dkx/bDXx+PNESqchJl8fukv88xDIZhBG3MToIqi/oiYZeeesHpA+7V6RR1nslx5abCOhBGWchrxlm9StWi4wZ+6NPGhkQJrxds81NJ71mKEvAHMDyUoEP/dPFbTVPuazpPhNhfISBo1Xq1VW3Uq/+32hJFAXy9qhUq7lQ9gu7ZTtNNlLjHWh4lH36A9zwIZgnV7NAEs3cjxBMgqBZ/91Sg2kmfse2H/IG5HyUQMfuPLfvxCwG/V7Rvk+7FFpoexsZ3l/jnxGB/i2iNkt429hOUHo6VV09RVe3QjYLz2O484L+BwMGq3dNMabiiS59fQOOmcpEwNb7xMCgleUyiRWLHXl5TxzL/rqFk7UP0nERr30XJjkepiDGRV5Wy8xR6Xwp2p/43OgB8u0QW5FenLxwjRDu6b3ohC7l97BQB+C54Uh49fPvT+7DXlPtdgDQb1dbNjbAPDj6rUE0OBFwnwNML2EktVnfRxAeWzyMfJlEavZLaM20PNfYTjBQFgR26aY3T8Lm/t4WIZf2XkzGHYeinwAYBFxG9FkJPRoNOmqKEVL+TXFC4vpOeRs+zaU8dd0a8muyPlPqfXcvj2SlrgViT8I58l6Qpg/O63EeB7YcHbfh3dhswCuKMoKRoOyU/UMKU2CFEoCphO02Z3YYfNhu/ScVZ/h5fahJ3TGrPdkKeXg/suS3CSaNIacow2sBlFB9BitiPWIYfutEm/eIiJ1t8GSOiIZKxn6CEXXvJZfB3sYP83SorhSdaXJ6qUVaBzcWnbH4CQoEt2y4YHiNMMaHVtfwEte/9XglKNnbipt8Zsviva8cTVomw8v7BckftRiH6cGilvvU2cuYZI83YI38NFsp/uAZCscbeyk9//GKQv38iOwyidkKQ+4HV45O3gPrJC8uxCXvKvRWlV5PdWyCd2FBsJ0jYP0ocoVj8tnnAT4ByPzcNMTKaYxEGOLPq4mom90VbWj0OenoOg3Y+McaibbSz2cMAW4GeW0ZraWmdtiK5U1dubwabaDV7GKyt5gDD5ngCAz2w5gPsBGOs3IuLQX0cO7KeufK2NWm0M1fGmWvMQgmPsSvVR05j7LkyXjt+h0xlLFrzgef0u54rLxYDcXQ7l+DjQHZTpzHwnPt4NNHHM1X3Bnpv/Kz2ZotnrbORfHMx4DSP1tyLXamzmvb6U72nm5qu3k9FtS8tPn0SrsDXY+SyFCUCEOiIVCtcvkbX0s/iC4XxwubFswj7UkMEhChOhY9nCuWeiG++q447ltV+hjFn9RQj3jd9LJWRw8nT+vBXrdg9vr/7/T5NvS/2Ee/f7Ix4UeK/Ife3FcpToeQtzXE0NPTVaDmrj6arxWTW705mo7dpGHuTt35qrNTBaNaaqVO9S/e0WXSjTrvWqN/bGMvufNRfbIxp1x7JvY257C5H8mRjTbvBSIYb+74bj+RoY+fdNZT13Jyra7jqYiT3CZS3+H4Snbm9Vx+jU7vp2s7uUhBQy1dfgoi4NbIlArh4tXHKzJpo3cxpqFiR24HyoEaW1l06D/qbK+u5IqvYMX7N/lx8GLnojMhv/O8Cq8yhf2u5HeASwigfeFDGhjUfvNGYU5aRbzd13zL6K0drJU8Po8w2fl27y75vzVVvLCmpEpDYCSb+kz94dBo4ozFmBTh054MirugZNYaN8doN9Bxpyi3KB77TaIuwqebmvDtzGgQ7PlsXd5+VsNtERr1h+i2CQj1yg+0GGfVkHHrrUUPfKP7GN+fdeNbQc8pXNVorKLdjJ2S6rCyjvh4G+o1p1DeOPLsdLyfiKKe6jL0Jpel5Hmx4GObKrZEP3my5l4+n5u2TrPvWFDbGhrU0A3U5evNWo+V4aS2V7Uju1Z/kUT5eTuqj6eJtfN+7GS3V5ei+j8eG+TZedv3R/eTGnJrNp6m5GS+Vm/HbJDfzgfs6F1MlaK0tWdcsw4257WrsNG78pzD1zeYgnjXaS7uhixR3J+zGUJ7dDvNf18P8Zg1lvLG09tJptETTwJk1H6yGxnjthKpnGy0Mg4k/lAZsz30Y+U+Y/KIEBFO8udxZZja2ddhUMfRbN0MjvYF5K3bydt0JcGbP1dg0tjEK9BXF1jKswDLGTJdp0J6aDQ9bD3pqaYP2XNsUfrHFbk+/cR8G3mQ+CBmWzdR3gj6xDnKJI/fp2TfK1w36qWvM6B0xtx8GpG4Geu4EumjNuX9Bub127uuhxezqp0pYp/g9nsmfoU9OI5A6dxIiglIaEEcvwED45Zfs51lDF4f6GMPQis3GbDGctTzHmC32JkkdMmuqHgzVOuyrLSjPFpO5LjqNOnXppfAjWkTpLHbtQgmah4uZoMjCwiazaYpcC3TcsxOSxdM8RuDeT20HI/cj/8Hs20RsCPyfUCRLo3QN/5Iae5KzStD+5VQJurbr44vk+O4BHAiiKNYFfkd6cxC78oxMm7oIH3RRkQdrp6liq/Pp0zv84+RdGo4TdF5e2RHUbziCyfqEfuzQfuOcwGXkh6eZ9wz/gTyIHZ/1KvdPeJvQXsWcD0LXqGMnVN9ofzKRFqEdtGPHh6kiQcJiOrBiK6ffGd0EBu0QBn2iyn3R1LfENMYRjXnTUMlcZvHjWbKYIaNPHAnGkq8uYaB7rqy/8fyIi56pnjnNyeKx59LeZ2rNBw3bGGNFqj+ZRh0rnFdqzSeL4ey4/1L6Z/soKsuDgVt3DD1zH8aybWx530V7pwfLg3ib2sYA7oOrv01cY8B0HxpWahru2zDQM9enfdZB/rPWCRUfLh7zzsoMcKZI6WJQ57SOrIs0t1uashhq9aZttFZO030bzkt3qdVprgxsA7YnbzF0g34+l7exiQ885vIO61bLNOrpIO8kkg8ZrTUfiENDjeGyTu+gYc4H0JGxP9/rqEIok1iRRGIG7bX7QHvY/mZosP0j2dZcXRZ0RZ4bwzM01O6M+p5F7d5EIeXNcSv0fGO6YFceczzng8yaqxge4ULPmqHkq3uc6X3whDYhtFc2G/obzDtEDXBq6bzXVXzVt40WLNV7jOSZr0j17v5+e9sYNieLgdzPraZOLKMlUj7ToP1kzd05vwe4GOpdDzbHM/thUJd8NXONbcp8ouSrmtzPLHmLpdCNmM9IC+IEbVGRDnoPV54HRf3GnqvYklYLtImnrtzPqe86so4hTdQNhvUK5p2tFOBAkRYrsznAJsOl5A9GP7OkrqPNfs243eLt04ryHoswXxzFJdvXVrHykD4OHlSMHqg/ntBipmPXkbcza+6Jj9L7OHjUWjMYYPIorR5tw1w8SqpIzypSnZhzdWlLnXC+IvpkpY9UXX3V6rqkzvq9qd7uzlbu9FlToqEfxYo/CR+17i80rp1GnZhGa1XCk8XLY94JFYnHy9Toi7Rew3q6nU+ilRPqqSN12kqvhd38T+JeH4vmfCC68+4MzbtY6fXrrtym+sYm9RlZ31i01xLbmSIf9R+L4WwQO0E/R8ynPM5bOugsYc77u8W3E529v2ets7KCfgobs8fXSdyWQnGHaclfmK/cs3ZaqmeW1tkw3AK6PjnyP5XOab0x7U8ovxO/UFksWdoipPFbzJeeM1M9V+5Dx+gvbRlnLE70Uj4LsecYm/CRtuvvilSUviuLdO3PyxTrV2YMauyEFOZtTKcD09hOzLkaKb3R7VwmkJWRQF8NQ/WG9jA6b7UWu/VvqfRK5y+PCn//SgKE//VB3FffXLkvFrz+tOBROfBB9x0ZLw+FZlB38HY/Nw2N/sbWaEHZrq2c8lVWsEkvTz9OvAHdVx4HjH68hAHeuBLTY+M0XQzDcWQZ25QXG5boqG4BT1j1J6fRGtBbgUF/6cq4wc4UHYsatHPH6ItKnyeQ4Uy/sYxxnQ1FuLum+iOtK6E5TZajRVF8eFLWun9e+KnOfmsD33oLiolttERH3NkLF8+9lj6VOj89r0a38343dxpubhr1njlXvblc98yGR73Cs+T6GUw6+bNvbinfffLok8E0b/Xs+QCbTXUNQ+w+LeP7otEora+iwUO3bgbb2MxXj4aIn4cri949PT+HARatWT91OC6R4qsb1xiktnFSFOfjutkYY9gc0aLIxnBXnvlDqRPCpr7kRQzGPOl7PIBlnNOhxWkOWvNpdEuDHDbVt8fT+5eUmCcGa031NxsLmkje6BAGHyYL27hZcL3VGAb60pXbOWKJwcVuj9lylqfysFnMGm1aoJ7NIMZmc8KLiN9dOsYks+YeVqT2SpHaS1qoYKhns8Y4t+ddkTU4D3sfTBRJjZ1QXU/ldvg4iWPL70SD3rY7q6t9o4dnE7HdU7UOcYLZYsSLI0YypgX09JFqnzBpBvivAAAA///qB5wu1jEAAA=='
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
