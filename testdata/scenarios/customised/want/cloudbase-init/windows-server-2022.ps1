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
Install-Program 'H4sIAAAAAAAC/7RZ/3PiuJL/nb9CN5d6Tm4DayBkl8zNqwcOOCZAwAYbeya3ZcsKNshfzpYBZ3fe334lyYAhmdnZd3eVqmBL6lZ3q798Wv53ICXIJsgFTg4CG3p+iGw3uANJFqYgCiG6BimJ4hTYBBAPgRc/SQl4sX2cJahWueglSZR0IPGjcJKgF5SgECLwCQgaiWKhcjFJomWC0vRs0scoJDiXopD4YYaEykVKbMLmpLsvjMgO7m1ifzkKJVQu4szBPixWJVn4BeIsJSip2rEvVC5wtASfwAfO64sTRSQliR3XcLT8ULlIslCDiR8TSh9HW5SkHsK4hnYIVMfRJIlefMweQyUkKLEh8TcIVJ8yEmekHyWBTcAM7Qio9nYIZkznCPswB908ttMUCOCnilDtUy7f1IKKXYvTOhAqF35IoiGTWQD/OZ4Pwd///m26E3VA4+9/qwuVlyxkpgdSFG5QQvpJFFS7dopub6igl59Tkvjh8vmCvl2B3yuf6UOtF8LIpeN3d/NZ/9eajIjGFl5+Lhg9391RXpxVMceZXFW+Hrc1Ep+g6jBavrOT8lSjlni+u+vEMQrdDsZMJnpK14CtAz+Bz71w4ydRGKCQbjpG26EfopNNlNAnvo39V1TVmJP8XrkIM4zBJ0A3ufcTBEmU5M93d9yZDyOX3BOuKpMkIgiS6mEG8JkfZ8Q976py0BgIKbETIpQlHaNtdZL4G5sgqvrRKBObeGdGuUcYEXTJpyoXNqRiUAZPzgpBAjQEs8Qnea0DIUpTGilJhBn1fopR1TRE9gP3KGUOHiWa62LqsZfC/d3ksvPxY7/z8eNHzbw6PHc7V8I1EDh34apykfhLj6TUFt/bOk8JClS29PnujlmjUpK60E8jCbIDrtw12Gs9ilx0sO0Yba9BselxiebZCV0zjkJ0DW7E9u31wWhPMTVyepil2p84yptTfnsAP2znA4+/ZOynu26HG/xJkZSy0Y/vheGftiFKrsHB/uceqCFyItHemG+0prrMUBBHiZ3kdM07WrsHv+euTiee7+5kRA5bju3g6I0/GhUHvlz+gq0UBY4fotL0NRD+GdRCtBVORB9FG3SU/TRkDsPX4MfDqDRBeV+WuRRL3mSviZ2QdL/v52e6S7J3Se7Hzxf8l279EiXIhh64vIjthAA/BHw9M7OTE8Qi6HtZlNJdVQqWNSbDJae8BuI14I+1IQqXXNz9SglHKbp8R4G3qeYafHaiCD9faAgmiBwseNCOSUv2tikC4sSJuLkq/gu4LLhQmpLFCr3B5VnSA0e+VFaEU/QNwtJhcce6LJFS2rfuUWJeCFiyRsd1/2VbFA7/A2YAVTt0QUn23s5PSVp4IGPG9fsE/lEup7PoxA1KDFRk0+LYpee+Z3MFfirsVPn6/iFwc3AZSZKh/fIEkSwJK1//zORPMQr3OUXgFVpgVr+IPTtlSKwocBcpQTF99ykqSrKYIFeoXMDIpavqxwOgkK/a3cOUy89+SJ4vpMhFzCoJglHilvDZHkSu0ij8wJSshhF5z7Sc9Krw2h0pUtOp/Q7g4uqwiP9WExRjGyIgfP6vLyGo/vOZ5l/hfBU8LrOrr2K1/fz77dcvtcNL/fYrpfucINeGBLnPAj8YSl2EK6guCStaZUn5Ai1z0iIBnBDw5dTsLz7CbnpanKQIY8SMm9a0GEEOg9zaU+KiBLn3Ppuzk3xPXuu47qXATlC4Bvwor04n6WnSOfp7NoV2PqHnRafZuZ1O42hJZ6j8J6mWedrhBPhhXYPLwvdnUXWQRiGoSlEQ01YAVJUwzkihYrEDc71yRoji/MjrQ4G/jiC4euI91zwGripUAy77KYLcRGuKHlFcSg7UNmfFhb6you7gCK6fL7qRm7Oz5KN3+9DgxIfhIkB4rtgPHuLjCBkvOR34CQh3tFnY1ySS5OD3yt8A2w/8AfpR0rOht/eC3484G3y4+O0D+Fr5WoE2gd4hG+ynKqcxCMrCVL6WbaLR4K7yhugtYvgbgIHLOqOfXfAzBJel7qkQm/4WDcwVj4RhR5v1FspMerrvgWqIgFi2XWGPk1UV4iXRFnygnSVfBlDoIhdsfeIBdpiM7ITow6ki+8M902Tfh5Sy5T7x0OOiLdiHInP+o2htKmWbvF39Dux4s+bqHcnoaZxLN84Ch8K/HxGX+vyXguLHxX5DVZZMRqTat2FZIDvgaXpj44xl/yK90QlQRf8NBC9KSWgHSDhZ93mMSO2ewXIZkYcoJQxJXtVm0ZD22Eq4sRPfDgmDLmcsY44blMnmhnNNoozdAlABx4io7LXacV2aOPp24OMc0NWgeo9S4of2/uLB3wFBrLG/n0UB/FHRooTsA6g6SaIYJSQHjOEIkcSH4A+gIZpdD6v67G6jXrmw+X5HOZRJIcL7srDrghcbIiV00Q5wLWpno9/ebm/K/b61w3aFxVhd5MuolYqgCSPATRm9sKuZ4q4A+ClYh9E2pCf+HQDyrZuAAofw3a7OveY+2oY4st2j58wT/DaLvgu5ni86eBklPvGC0ti9v0QpOcXW1M0otv7HpfAwm01+m6hPC5NWX/qmHV/HT8UzwwZndwkaIqUBnXqhgxFnfn1+8SB/d7Ew4rYtENK/gJy/B5NL0P4i4k0uQ49C9SXVlkOqaLWaEhclCXtm/5j+9dvmrzfsNaf/b0X2HLCpmxtRFK4rQrWaIJKw+RZnxd6rLsI2G22w0YiX9mO7NE/wFa0DWcKvyPaifS/XF55JaX4wkV/YkGQ2xd6XLCn5GD3YqQeqQ5+gxMYFwD0YvHpwIXD0pqsapeGCFfyoSCXXeqdjLLUphdhHhiDw04AW2DuwpKHHmV6DrR2SPdsPf71D0RCpykmUxW/z7iHMmRmGEbQxWwmqLMSLnFm6bQXnd6hX543M+0xOiyfdrANhlIU8bb8rVylhd9zAD32KLUiU8JTNJj+V5J6nKAF/AMNDCTpCmIvfappyX9NZrqtif42AoFXr1Va1Ua/+R7UligL4elUrRNyLemK6iZ2m2yhxT6U8ST58AYcdCGYJleyIQ9nVDeIJEFSL3wMVqHbSCbb9kN/x9qMEIqb/qWY/fiDg94r2bdLDtoWkx87tzSH+OTE4nCLaoKS3i/0Epcdl5dFzq6p26EbB+7bde8D/wgJHrfa3I6X+hg59fgaNm8pFwsT4xt2clOQxiZaJHXt5TR3L/F1DycaHaJJEG99FyZ5HqYixLa8qZecp5L4U7E793ygG/3aJLMivzi8ZRoiCqm96IQu5Q+wUAfgmeFIePXz609uw15T7fYA0G9XWzY1wCA7eLlBJjgRcJsDTC9jvWozuo4n3DJ9HPkyiNHohtQlFaBr7CiJFQWCHblrjNLz17u0gYln/+azTYDb0U2CDgG8RvRSbnqHzTpqihFS/k1xQuLmTnkaT+aynjjsjXk0OS0oNwh7feHbK8A4DCW/I90maMnhflvsosP3wKA1/Z6cBoyDOCEoK5Cf5gRKmxA4hAlUJ22nK9Db8sNn4TSrW8ivxEk7bM6lN7IQ8vRzZc12EM6xGacpmtIHLKD6CFLHvSIYfutE2/eIiJ1t+GSOiIZKxr0DCHlHzPfjV1HH//SgrhWdSXJ6LURaBtabnbH4CQmFbNl0wPLUwtQmtruVboAP2eyEo2dqJm36nz+EfuE6bnBJh5e2d4Z7ajUL04QilvnU98c5NQpqxe/YaLIT/cA2EYoxdV59/f2Imf3tLdewF7YQg9wOrx2fteP3skuNUhQPlQYvSxcX+Oo42TSi2EyQc7gVOrFh8XjzaT4ByPzcNMTKaYxEGOLPq4nou90VbWj8OenoOg3Y+NcaibbSz+cMAW4GeW0ZrZWmdtiK5M1dubwfbaD1/GGys5gDD5ngKAz2wFgPsBGOs3IvLQX0cO7KeufKuNW20M1fGmWvMQwmPsSvVR05j7Lky3jh+h8xkLFqLgef0u54rL5cDcXS7kODjQHZTpzHwnPt4NNXHc1X3BnpvPFF78+VE62wl31wOOM2jtfBiV+qsZ73+TO/ppqar9zNR7UvLT5+EK/D11HJZihIBCGmMYK1w+RodSz+Lz9SMFzYvnkXYlwAREKI4FT6+UygPRHzyTXXcs6z2M4w5q6cYcdz0sVRGjivP68Nf1WJ///3mE3qael/sE96/2RnxosR/Re5va5SnQslbmuNoaOjr0WpeH83Wy+m8353OR6+zMPamr/3UWKuD0bw1V2d6l85p8+hGnXWtUb+3NVbdxai/3Bqzrj2Se1tz1V2N5OnWmnWDkQy39n03HsnR1s67GyjrublQN3DdxUjuEyjv8P00euf0XnyMzvWmY3u9S0FANV9/CSLi1siOCODixcYpU2uqdTOnoWJFbgfKgxpZWnflPOivrqzniqxix/g1+/Ptw8hF72z5jS/268yhv7XcDnDJwigfeFDGhrUYvNKYU1aRbzd13zL6a0drJU8Po8w2ft24q75vLVRvLCmpEpDYCab+kz94dBo4ozFmBTh0F4MirugaNYaN8cYN9Bxpyi3KB77TaIuwqebmojt3GgQ7PhsX989K2G0io94w/RZBoR65wW6LjHoyDr3NqKFvFX/rm4tuPG/oOeWrGq01lNuxEzJZ1pZR3wwD/cY06ltHnt+OV1NxlFNZxt6U0vQ8DzY8DHPl1sgHr7bcy8cz8/ZJ1n1rBhtjw1qZgboavXrr0Wq8slbKbiT36k/yKB+vpvXRbPk6vu/djFbqanTfx2PDfB2vuv7ofnpjzszm08zcjlfKzfh1mpv5wH1ZiKkStDaWrGuW4cZcdzV2Gjf+U5j6ZnMQzxvtld3QRWp3J+zGUJ7fDvNfN8P8ZgNlvLW09spptETTwJm1GKyHxnjjhKpnGy0Mg6k/lAZszn0Y+U+Y/KIEBFN7833nmdnY1WFTxdBv3QyN9AbmrdjJ23UnwJm9UGPT2MUo0NfUtpZhBZYxZrLMgvbMbHjYetBTSxu0F9q28Isddnv6jfsw8KaLQchs2Ux9J+gT67gvceQ+XftK+bpBP3WNOT0j5vbDgNTNQM+dQBetBfcvKLc3zn09tJhe/VQJ69R+j+/kz9An5xFInTsJEUEpDYiTS1gg/PJL9vO8oYtDfYxhaMVmY74czlueY8yXB5WkDpk3VQ+Gah321RaU58vpQhedRp269Er4ESmidB67diEEzcNFT1BkYWGb2TRFbgTa7tkJyeJZHiNw76e2g5H7kX+z+jYRawL/LwTJ0ijdwL8kxoHkXSEofjkXgo7tcXyRHN/cQQNBFMW6wM9Ibw5iV56TWVMX4YMuKvJg4zRVbHU+fXpj/zh5k4bjBL2/X9kR1G84gslwQj92KN54b8NV5Ifnmfcd/gN5EDs+wyr3T3iXUKxiLgaha9SxE6qvFJ9MpWVoB+3Y8WGqSJCwmA6s2MrpO6ObwqAdwqBPVLkvmvqOmMY4ojFvGipZyCx+PEsWM2T0iSPBWPLVFQx0z5X1V54fcYGZ6pnTnC4fey7FPjNrMWjYxhgrUv3JNOpY4bxSazFdDuen+Evpv4uj6F4eDNy6Y+iZ+zCWbWPHcRfFTg+WB/EutY0BPARXf5e4xoDJPjSs1DTc12GgZ65PcdZx/4nWCRUfLh/zztoMcKZI6XJQ57SOrIs0t1uashxq9aZttNZO030dLkpnqdVprgxsA7anrzF0g36+kHexiY88FvLe1q2WadTTQd5JJB8yWmsxEIeGGsNVnZ5Bw1wMoCNjf3GQUYVQJrEiicQM2hv3gWLY/nZosPmTva2Fuiroijw3hu/QUL0z6nsW1XsbhZQ3t1sh5yuTBbvymNtzMcishYrhiV3oWjOUfPVgZ3oePKFNCcXKZkN/hXmHqAFOLZ1jXcVXfdtowVK9x0ie+4pU7x7Ot7eLYXO6HMj93GrqxDJaIuUzC9pP1sJd8HOAy6He9WBzPLcfBnXJVzPX2KXMJ0q+qsn9zJJ3WArdiPmMtCRO0BYV6Sj3cO15UNRv7IWKLWm9RNt45sr9nPquI+sY0kTdYLZew7yzkwIcKNJybTYH2GR2KfmD0c8sqeto818zrrd4+7SmvMcizJcnccnmtXWsPKSPgwcVowfqj2e0mMnYdeTd3Fp44qP0Ng4etdYcBpg8SutH2zCXj5Iq0rWKVCfmQl3ZUidcrIk+XesjVVdftLouqfN+b6a3u/O1O5toSjT0o1jxp+Gj1v2FxrXTqBPTaK1L9mTx8ph3QkXi8TIz+iKt17Ce7hbTaO2EeupInbbSa2E3/5O418eiuRiI7qI7R4suVnr9uiu3qbyxSX1G1rcWxVpiO1PkE/yxHM4HsRP0c8R8yuO8paPMEua8v1t8O9G75zfROmsr6KewMX98mcZtKRT3Ni35C/OVewanpXpmaZ0ts1tAx6cn/qfSPq03pviE8jvzC5XFkqUtQxq/RX/pOXPVc+U+dIz+ypZxxuJEL+WzEHuOsQ0fKVx/U6Si9E1ZpGN/XqYYXpkzU2MnpGbexbQ7MI3d1FyokdIb3S5kAlkZCfT1MFRvKIbROdRa7se/JdIL7b88uvnbWxIg/L834r766sp9seD1pwWP7gMfdN+R8epYaAZ1B+8OfdPQ6G9tjRaU3cbKKV9lDZv08PTTxBvQeeVxwOjHKxjgrSsxObZO08UwHEeWsUt5sWGJjsoW8IRVf3IarQE9FRj0V66MG2xNgVjUoJ07Rl9U+jyBDOf6jWWM66wpwt0NlR9pXQktaLIcLYviw5Oy1v3zwk9l9ltb+NpbUpvYRkt0xL2+cDnptfSZ1Plpsh7dLvrd3Gm4uWnUe+ZC9RZy3TMbHvUKz5Lr79ikk098c0f5HpJHnwxmeatnLwbYbKobGGL3aRXfF0CjNL6OBg/duhnsYjNfPxoingzXFj17un4BAyxa837qcLtEiq9uXWOQ2sZZUVyM62ZjjGFzRIsia8Ndee4PpU4Im/qKFzEY86Tv8QCWcU6bFqc5aC1m0S0NcthUXx/Pz19SYp4YrA2V32wsaSJ5pU0YfJgubeNmyeVWYxjoK1du54glBhe7PabLuzyVh+1y3mjTAjUxgxibzSkvIn535RjTzFp4WJHaa0Vqr2ihgqGezRvj3F50RQZwHg4+mCiSGjuhupnJ7fBxGseW34kGvV13Xlf7Rg/Pp2K7p2od4gTz5YgXR4xkTAvo+SXVIWHSDPA/AQAA//8tAdgUWTEAAA=='
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
