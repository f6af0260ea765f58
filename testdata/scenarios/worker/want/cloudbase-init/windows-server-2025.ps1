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
Install-Program 'H4sIAAAAAAAC/7R5e3fiuLbn/3wK3ZqsQzIVaAMh3aSmzhxwwDEBQ2zwqyrTy5YVbJBljy0DTnfdzz5LsnkmVV1959yVtQK2tLf2/u23+B9ATJBDkQfcHIQO9AOCHC+8A0lGUhARiK5BSqM4BQ4F1EfgJUhSCl6cAGcJqlcu+kkSJV1Ig4hME/SCEkQgAp9BVaNRXK1cTJNokaA0PVsMMCIU52JEaEAyVK1cpNShfE28+8qJnPDeoc7Xg1DVykWcuTiA5a4kI18hzlKKkpoTB9XKBY4W4DP4UPD66kYRTWnixHUcLT5ULpKMaDAJYsro42iDktRHGNfRFoGaEk2T6CXA/CuRCUWJA2mwRqA2yWic0UGUhA4FM7SloNbfIphxnSMcwBz08thJU1AFHyvV2oBx+a4WTOx6nDZAtXIREBqNuMxV8L+U+Qj885/fpztRBzT/+Y9GtfKSEQ49ECOyRgkdJFFY6zkpur1hgl5+SWkSkMXzBXu6An9UvrAv9T6Bkcfe393NZ4Pf6hKiGt94+aVk9Hx3x3gVrMq1gslV5dvhWCMJKKqNosU7J8mTOkPi+e6uG8eIeF2MuUzMSteA7wMfwZc+WQdJREJE2KEK2owCgk4OkUlAAwcHr6imcSf5o3JBMozBZ8AOuQ8SBGmU5M93d4Uz799cFp5wVZkmEUWQ1vYroFj5eUaF511V9hqDakqdhFaPJVXQpjZNgrVDEVP9AMrUof4ZKPcII4oui6XKhQOZGIzBxF0iSIGGYJYENK93IURpyiIliTCn3i1xqrqG6O7FPUq5g0eJ5nmYeexl9f5uetn99GnQ/fTpk2Zd7b/3ulfVa1AtuFevKhdJsPBpyrD40dF5SlGo8q3Pd3ccjcqR1KV+Gk2QExbKXYOd1uPIQ3tsFbS5BuWhhy2a7yRsjxIRdA1uhM7t9R60ScxATverTPsTR3lj5bcG+Gmc9zz+FtiTu163AHwii/Ix6IfnEvjJhqDkGuzxP/dADdETiXZgvtGa6TJDYRwlTpKzPe9o7e39vnB1tvB8dychuj9SccKDN/5sVOz5FvKXbMUodAOCjpavQfU/wzpBm+qJ6ONojQ6yn4bM/vU1+PkwOlpgvC+PuZRb3mSvqZPQdHful2d2SrJzycKPny+KT3b0S5QgB/rg8iJ2EgoCAor9HGY3p4hH0I+yKKO7qpQs61yGy4LyGgjXoPhaHyGyKMTd7RRxlKLLdxR4m2quwRc3ivDzhYZggugewb12XFq6w6YMiBMnKuCqBC/gsuTCaI4QK/UGl2dJDxz4MlkRTtF3CI+MVTjW5REpo33rHkfMSwGP0Oh63n8Zi9LhfwIGUHOIB45k72+DlKalB3JmhX6fwb+Oy+ksOnGDIwYqclhx7DG779hcgY8lTpVv7xuhgKOQkSYZ2m1PEM0SUvn2V5BPYkR2OaVaVOgqR/0i9p2Ud2JlgbtIKYrZc8C6oiSLKfKqlQsYeWxX42AA1vLVers25fJLQOjzhRh5iKOSIBgl3lF/tmsil2lEPnAlaySi70FbkF6VXrulZWo6xW/fXFztNxWftQTF2IEIVL/8n68E1P7zmeXf6vkueNjm1F6FWuf5j9tvX+v7h8btN0b3JUGeAynynquFYRh1Ga6gtqC8aB1LWmzQMjctE8AJQbGdwf4SIOylp8VJjDBGHNy0rsUIFm2QV58kHkqQdx/wNSfJd+T1ruddVrkFq9egMOXV6SKzJltjn2dLaBtQZi+2zO12uoyjBVth8p+kWu5pewsUxroGl6Xvz6LaMI0IqIlRGLNRANRkEme0VLE8gbvecUaI4vzA60PZfx2a4NqJ91wXMXBVYRoUsp92kOtoxbpHFB8lB4bNWXFhj7youziCq+eLXuTl3JbF27tdaBTE+9dlgBS5YvdyHx+HlvGyoAMfQfWODQu7mkSTHPxR+Qfg54E/wSBK+g70d17wx6HPBh8ufv8AvlW+VaBDob/PBrulymkMgmNhKt+OMdFYcNeKgehtx/APAEOPT0a/eOAXCC6PpqdSbPZZDjBXRSSMutqsb8ozcXLfBzWCgHCMXYnHya4K9ZNoAz6wybLYBhDxkAc2AfUBNyYnOyH6cKrIzrhnmuzmkKNsuUs8zFxsBPtQZs5/laNN5RiTt7vfaTve7Ll6RzJmjXPplCx0Wfv3M+Iyn/9aUvy82G+ojiWTEK0NHHgskBMWaXrt4Ixn/zK9sQVQQ/8XVP0opcQJUfVk3xcF0fo9b8slRB+ilPJO8qo+i0ZsxpbJ2kkCh1DeupyxjIu+QZ6ubwquSZTxWwAmoIKoyh9rXc9jiWPghAHOAdsNavcopQFxdhcPwRZUhTr/+0Wogj8rWpTQXQDVpkkUo4TmgDMcI5oEEPwJNMSy637XgN9tNCoXTnHeQQ55Worwviz8uuDFgUgmHtqCQov62dvvH7eDcndufX9ciRivi8U2hlIZNCQCBZTRC7+aKe8KQJCCFYk25MMO74J/DZKIhjxrVL92L//3f9SuvnRrdlHe6r/f/fKx9vxH47ohNG++fX2tHh3EmL97EowIdQKSgrSoTQD6TsKKY5Kyw3/Q/XzvGqJsggpVr85d9j7aEBw53sFt5wl+m8Lf7feeL7p4ESUB9cOjd/fBAqX0tLFnPs4a+39dVh9ms+nvU3ViWqz0syft8KhMyu+8MTm7yNAQPXqhsxBwMSqYX5/fekg/3FwdF3CX7dl/oW3/UY9+NFdcRMWEzVvXau0l1RYjpmitllIPJQn/zv9x/Ru3rd9u+GPO/t8K/HvIl25uBKF6XanWagmiCV9vF6z4c81D2OFvm/xtVPQVh1ltnuArVoSypLif24n2o0JTeiuj+ckqcuFAmjms8b/kGTHA6MFJfVAbBRQlDi676z3gtb0LgYM3XdUZTSFYyY+JdORa74yrRzNSKfaBIQiDlMfpHViwuC+YXoONQ+iO7Ye/Px5piNakJMrit0l/n2M4DKMIOpjvBDUe9WXCPrrqBecXuFfnU9T7TE4rNzusC2GUkaJmvCvXUbXoemFAAtbY0Cgp6gVf/Hwk9zxFCfgTGD5K0KF/uvi9rsn3db1IhDhYIVDVao1au9Zs1P5nrS0IVfDtql6KuBP1BLqpk6abKPFOpTxJPsWGoudBMEuYZIcmmN8boSIBglr5uacCtW46xU5AigvmQZRAxPU/1eznDQL+qGjfJ90fW0p6GBvfGPGvicHeimiNkv42DhKUHrYdvz1HVXWIF4XvY7vzgP8PBA5a7a5mjoYr9urLM2jeVC4SLsZ3LgbFJI9ptEic2M/rqiIVzxpK1gFE0yRaBx5KdjyOihg/8qpy7Dyl3JdVp9v4DzYAfL9EluRX5zccY8Q6uu96IQ+5feyUAfgmeNIieorlz2/DXpPvdwHSatbaNzfVfXAUswqT5EBQyASK9AJ2p5Zvd9FUDCxfxgFMojR6ofUpaw81/hOMGIWhQ7y0XtAUc39/CxHP+s9nYw7HMEiBA8LiiOilPPRsNOimKUpo7QfJBZH1nTgZT+ezvqp0x0U12W856n92LY/vpLwF4k3CG/JdkmYM3pflPgqdgBykKZ65NWAUxhlFSdl2ikEok5Q6BCJQE7GTplxvIyCt5u9iube4jz9qEndM6lMnoZOXA/tCl+pZo8hojmF0gMcpPoEU8R+xjIB40Sb96iE3W3xVENUQzfhPUNVde1mcUdyLHc7fveWl8EyKy3MxjkXgc/E5m4+gWmLLl0uGpwgzTFh1Pb6C2vd+LxQlGyfx0h8MWcWva6cT1hFh5e2F5Y7aiwj6cGilvnc38s41RprxS/46LIX/cA2q5Tt+V37+4xeH/O0V2WEQdRKKvA+8Hp/dBTTOblhOVdhT7rU4ujXZ3QWyiQ3FToKq+0uJExTL3zYP+FWhNMgtQ4iMliLAEGd2Q1jNpYHgiKvHYV/PYdjJnwxFcIxONn8YYjvUc9toL22t25FFb+ZJnc1wE63mD8O13Rpi2FKeYKiHtjnEbqhg+V5YDBtK7Ep65knb9lOzk3kSzjxjTkSsYE9sjN2m4nsSXrtBl84kLNjm0HcHPd+TFouhML41Rfg4lLzUbQ599z4eP+nKXNX9od5Xpmp/vphq3Y0YWIthQfNom37sid3VrD+Y6X3d0nT1fiaoA3Hx+XP1Cnw7Re4lwKgKqmxEqpPIO4fu+793f11lLvus506IqwdIUT70oYQN2xy+MtjkZRQ4LT2wjcHK1drJ5GGcOcZva285CGxT9RVRTuWQxm74FEyC4aPbxBmDyQ4x8cxhCQ3bo8awqay9UM+RJt+ifBi4zY4AW2pumb2526TYDfh7Yfed0ThGO1WCNkVEj7xwu0FGI1GIvx439Y0cbALL7MXzpp4zvqrRXkGpE7uEy7KyjcZ6FOo3ltHYuNL8Vlk+CeOcyaL4T4ym7/uw6WOYy7dGPnx1pH6uzKzbiaQH9gw2FcNeWqG6HL/6q/FSWdpLeTuW+o2JNM6V5VNjPFu8Kvf9m/FSXY7vB1gxrFdl2QvG90831sxqTWbWRlnKN8rrU27lQ+/FFFI5bK9tSddsw4sL3dXYbd4EE5IGVmsYz5udpdPUBYa7S3oxlOa3o/y39Si/WUMJb2yts3SbbcEycGabw9XIUNYuUX3HaGMYPgUjccjXvIdxMMH0VzmkmOEtH3DI3NaQjJoqtiW8tEwV28yGxPbdBx2zc61wIFjNBeOF7dDGVovjOXEbytKR9JVnbLFMhBTlw8Q2V2wtc5sqHoVK6pmKYJtyhsTGwVeMduyGWHCMQeqYcXEeC7NQX3qifCuv2ut5U4lsQ2240jx40RlOtGGFemqb6gA9qLk1H+R2a6dT23eN+eFcY+uzvTA/1cMNOytbayeeMcQwbGNP0l9HIV6PWr2129x07Kae8XAVhx2T2YawEFQi2xxze9gSzm1DEdzWsM34Pb3G0Bz0crfp5ZbR6Fum6puDLbUMJWL4W4ZKzcF2Y5kqw+lVJo3OvztsY9booJSHL0YURuQlWGQJv6oSBEH4GKJkgd6JamqZ/pPbVF/lZdRUHoTHt1JlJKA7qcoj6+ychCCKUibjyXUoqP76a/bLvKkLI13BkNix1ZwvRnNunEWRNLbYE7t03lJ9SNQGHKhtKM0XT6YuuM0GSw7L6s9IQYMQaTmBTAbW8pb9cdmvVzetJttRZZOPk9AsnuUxAt2MRqFDA/hpdx/9Haq/KcA7IHiv49yThMw2fSyLPEJDx4CLYd6hltFuWMZ2Yxt67kr41buPM++huz3KTOn4YXEjS20B3suMh++avdTWNht0vyCy2HlFrGiR4do17NQyvNdJ2PBdovuu2F17Zm/Fovin9IjSeew5pTXfQzJzshQl6zMo74PUcTHyPhU/w32fiI+W/w5BsjRK1/BvibEneVeIZRSQ85B7x5JDaRi7AW8P7id4m7D2wDKHxDMa2CXqK2sJnsQFccJO7AYwlUVIeQ4O7djO2TOne4Jhh8BwQFVpIFj6WY6QeG7zbUnIkDGgrghjMVCXMNR9lqOKeobLNqWRua2nxWPfY+3GzDaHTcdQsCw2JpbRwLK0y5NPi9H8tOWRB++2LuwsH4ZewzX0zHtQJIflc9bqsHblwfYh3qaOMYT7EB5seQ5lso9KDxyFeuYFrLU5nD/VukQO4OIx766sEGeymC6GjYLWlXSBebytyYuR1mg5RnvltrzXkXmUOrTGLnI6LNd64SA3pW1s4QMPU9ph3W5bRiMd5t1EDCCntc2hMDLUGC4bzAZNyxxCV8KBuZdRhVCisSwK1Ao7a++BtY2Dzcjg6ydn26a6LOlyN9QF21TgOzRM78xi/Q7TexMRxrvArZTzlcuCPUkp8DSHmW2qGJ7gwvZaRAzUPc7MHkXafKKsPbWa+ivMu1QNcWrrRXspB2rgGG141J9hJM0DWWz09vbtb2PYeloMJVY/dWobbYHxmYWdiW16ZmEHuBjpPR+2lLnzMGyIgZp5xjblPnHkq5o0yGxpi0XiRdxnxAV1w44giwe5Ryvfh4J+4/C+YrVAm3jmSYOc+a4r6RiyctDkWK9g3t2KIQ5lcbGyWkNscVyO/MEYZLbYc7X5b1mht3A7WTHeigDzxUlc8nVtFcsP6ePwQcXogfnjGS3mMvZcaTu3TV94FN/GwaPWnsMQ00dx9egY1uJRVAW2VxYblNd1sUvMFdWfVvpY1dUXraGL6nzQn+md3nzlzaaaHI2CKJaDJ/Ko9X5lce02G6wKrI7w5PHymHeJLBbxMjNYz+Vj2Ei35lO0comeumK3I/fb2Mv/Iu51RbDMoeCZvTkye1juDxqe1GHyxhbzGUnf2Kw3FjqZLJ30i4vRfBi74SBH3Kf8grd4kFnEBe8flvhu9K79plp3ZYeDFDbnjy9PcUckwg7TI3/hvnLP+jiW62ytu+G4hez904n/qWw06itrW+L8zvxC5bFkawvC4rcc6Xx3rvqeNICuMVg6Es54nOhH+Yxg3zU25HHH76jnM2fRrSrxvIEffyavP+z7RzISuyvvYdiwtdXjm8ocRykriC8BCVKfFaK3twug+t8+wAbqqycNhJLXX2rHzoEPeuBKeHmoFsOGi7dL90F/9SQ9HxmDjaOxqrBd2znjK69gi1lAP82eIVuXH4ecXlnCEG88kcuxcVsehoRNA9u0qBg8WzHZwiLrNCZusz10iYphOFh6Em7yPS1dgA+6oIad3DUGgjwossBort/YhtLgkyjurZn8SOuJyGQZb7woK0iRWbXeT1h52HCD9ga+9hcME8doC66w0xcupv22PhO7H6er8e2baUFq+FbTj13u0Y13MOnm08DaMr77DDCgw1ne7jvmEFstdQ0J9ibL+L7sFo7er6LhQ69hhdvYylePhoCno5XNbM/2mzDEgj0fpG6BSyQH6sYzhqljnFU2U2lYTQXD1phVNgolVr3mwUjsEtjSl0UlgnGRuf33o8b02XT7+nhuf1GOi+i210x+q7lg2eCVTb7w4WnhGDeLQm41hmw6lDo54tHtYa/PdXmXp/ywWcybHVZlplYYs4m1qARBb+kaT7u+fMV6c1ZtINGzeVPJHbMn8C7lYe+DiSyqsUvU9UzqsKwQ20E3Gva3vXlDHRh9PH8SOn1V61I3nC/GRYXDSMKsCp5f7uyzHssA/y8AAP//MXXVhA4xAAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
