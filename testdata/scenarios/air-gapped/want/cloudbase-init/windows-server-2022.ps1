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
Install-Program 'H4sIAAAAAAAC/8S6e3eiyvog/L+fgl+/Wcfk7WiDxpxtevrMURSUKEaQi3Rn9oKiImhx2VCouE//PvusKvCapHfvfc7MrF6rhap6nnruN/L/MXwCbQxdxsmZwAaeH0LbDR6YJAtTJgoBvGVSHMUpY2MGe5B58ZMUMy+2j7IE1itX/SSJkg7AfhQ+JfAFJjAEkPnCVFUcxdXK1VMSLRKYphebPoIhRjkfhdgPM1itXKXYxnSPf/hGgeygZ2P725GoauUqzhzkg/JUkoXfAMpSDJOaHfvVyhWKFswX5kOB65sTRTjFiR3XUbT4ULlKslAFiR9jAh9HG5ikHkSoDreQqcnRUxK9+Ig+hsMQw8QG2F9DpjbJcJxhIUoCGzMzuMVMrb+FIKM8R8gHOdPNYztNmSrzsVKtCQTLu1wQsutxyjHVypUf4mhEaa4y/0PWRsw//vE+3Bk7TOMff+OqlZcspKJn+ChcwwQLSRTUunYK7+8IoddfU5z44eL5irzdML9XvpKHej8EkUvWHx60mfBLXYRYpQevv5aInh8eCK4CVblXILmpfD9eayQ+hrVRtHjjpuGkTiTx/PDQiWMYuh2EKE1ES7cMPcd8ZL72w7WfRGEAQ3KpDDcjP4RnlwxDH/s28newplIj+b1yFWYIMV8YcknPTyDAUZI/PzwUxnxYuS4s4abylEQYAlw77DDFzs8jKizvTUylUVavO58nQ374md1yDZa1258/f+5qN9XKQUhMNcV2gqunzMlwU3tK/LWNIZHWUY5PNvYu5NiDCGJ4XWxVrmxAKCcIJs4SAsyoEGSJj/N6BwCYpsS5kghR6P0WhaqrEO8XejClPhElqusiYuTX1d7D03Xn82eh8/nzZ3V+c3judm6qt0y1wF69qVwl/sLDKRHfj67OUwwDhR59fnig0qicUF3yp+IE2kHB3C2z53ocufCgDhlubpny0uMR1bMTckaOQnjL3LHt+9uD0CYxEXJ62CXcn9nWK3WeK+CWObxOsAeTlGjkpwV/QPqnpD956HYKDVBrOtHC8Z1ogvnIlETdMtXJJoTJLXNQzaU9qxCf0baX8yuBEK5mMIijxE5ycua1RV65B9svHIdsPD88iBAfrpTt4GioP+tjB7wF/SVaPgocP4Qn27dM9b+Degg31TPSx9EaHmk/96bD8olG/9DDTjYI7utTLOWRV7HwyU5wur/36zO5Jdlba2Hiz1fFL7n6JUqgDTzm+iq2E8z4IVOcp2J2cgypc/0oJhO4m0qJsk5puC4gbxn2like6yMYLgpy9yd5FKXw+g0GXkehW+arE0Xo+UqFIIH4IMEDd5RavJdN6RpnRlSIq+K/MNclFgJzIrGSb+b6Ih4yR7yEVohS+A7gibIKw7o+ASWwr83jBHlJ4Ik0Oq77l2VRGvxPiIGp2aHLnNDe3/opTksLpMgK/r4w/zxNzrPozAxOECjQJqm2S/S+R3NDYgXFU/n+thIKcRQ04iSD++MJxFkSVr7/kcgnMQz3MaVa5PsqlfpV7NkprevK3HeVYhiTd5/UWEkWY+hWK1cgcskp7qgAUkDWuvui5/qrH+LnKz5yIZVKAkGUuCfV3r4kXaZR+IEyWQsj/JZoC9Cb0mq3uAxN5/I7lCo3h0PFby2BMbIBZKpf/9e3kKn99zPJidXLU+B4zK7t2Fr7+ff779/qhxfu/juB+5pA1wYYus/VQjEEunRXprbANJ+dUlocUDMnLQPAGUBxnIj9xYfITc/TFB8hBKlw07oaQ1AUVW59krgwgW7Pp3t2ku/B6x3Xva5SDVZvmUKVN+ebRJtkj/xebMGtj4m+yDbV2/k2ihZkh9B/FmqppR00UCjrlrkubX8W1aQ0CpkaHwUxaSyY2jCMM1yyWN5ATe80IkRxfsT1oSzZjiV17cx6bgsfuKkQDgraz+vRdbQitSiMT4IDkc1FciGvNL07KAKr56tu5OZUl8Xqw941CuDDcukgRazYLx7841hNXhdwzEem+sBUCxcnQR4nOfN75W8MvY/5FyNESd8G3t4Kfj9W7cyHq18/MN8r3yvAxsA7RIP9VuXcB5lTYirfT2WiEueuFe3V64rhbwwIXNpnfXKZT4C5PunFSrLJb9kO3RSeMOqos745nPGTXp+phZBhT2VXyuPsVAV7SbRhPpA+tTjGwNCFLrPxscdQZVKwM6AP54zslXvByb6rOYmW+8BD1EUaug9l5Pxn2ShVTmXy+vQbZcerMzdvUEa0cUmdnAUOKf9+hlxi899KiJ8n+xXUKWUixDXBBqcE2UERptc2ymj0L8Mb2WBq8Dem6kUpDu0AVs/OfZUhrvdoxS5CPIhSTCvJm/osGpGOfRiu7cS3Q0xLlwuUcVE3DJ/WdwXWJMroTIEQKEOs0Ndax3VJ4BDswEc5Q04ztR5MsR/a+zGGv2WqbJ3++8RWmX9V1CjBeweqPSVRDBOcMxThGOLEB8y/GBWS6Ho4JdBJCVe5sov7jnQMn0oS3qaFDh9ebACHoQu3TMFF/WL1/ev2otzfWz9cV/leOUZRojCmEF4BcqrR82Pnej0xM53AEUkf0u1xqfTFMCoviV7o/KgcaDB+yqzCaBN+2KuRAjI1EEY4oMGo+q1z/T//q3bztVOziqxZ//Xh08fa8+/cLcc27r5/21VPLiLI37wJRCG2/TBl0iLlMcCzE5Jzk5Rc/oOi6r1ZSVlbFazeXHrCGGLbtbH9rtRUmKx9AN/oRE5MpephHD98+sTdt+uN1l29/K1WrjxouzChFeHvTLWTYS9K/B013SoB7EI7gQkzSWyAYJU5FHz00sJR+nyjcBDkv0DsB7BEZtbsTVqDoFELSiZqOFrBsIYxqqUQRKGb0jvuWYL4im6Wdq3ANI7CFDLVpwxXmesDLx+Z6idkY5jiT3bsf6Iw1RvmcPclR+8RUaXVD72RROyDnZ9fLsKLy0vh7i+5jBmpFyU0zryORcVDXY2Rj6+r9erNV/b5513olKyjKYwh9iL3RPVagm6Zr56deth2EHy+GhR0lt0hYQWTLoXUftxn5vBWQ5hpsseFjx+pL9DUXxTt+4ShwBQX1zI1LYVdO/XBk52kfrhgajM/gFGGVQgYjmVq5bmrw/nEZwiJTK0ki9nT96OageYPBGHM1NTCaJgGzbKlq1KMbgRThoSMhArJfZVRetEmRJHtXl/I6mfaseerDlpEiY+94GSt5y9gis/7bqJ20nf/87o6mM2efn1SJuacVObkTT2+ypPymfYNF1NLFeKTBZ1kKAfBAvnt5YhT/OHh6rgIW2X39Be66h+10Cdt/1VUzMZoZ1mtvaTqYkQYrdVS7MIkoc/0P8o/d9/85Y6+5uT/e5Y+B3Tr7o5lq7eVaq2WQJzQ/VaBir7XXIhsutqgq1FR9h9HKVqCbkiNmCXFMH5P2o/qwNKUCMxPFnlXNsCZTfrya1qw+AgO7NRjaiMfw8RGZfN7EHjtYELM0Zpu6gSmIKzER0g6Ma03pkknI4y9BxxxB35K890DsyD5s0B6y2zsEO/Rfvjz0wsV4pqYRFn8uiY75GoqhlEEbERPMrUikhWx8eS7DnP5tebmcsjxNpLzwppc1gEgysKipHuTrpPA3HEDP/RJ34GjpAjMdPPLCd1aChPmX4zhwQQe25urX+vqsFcvCwrkryBTVWtcrVVrcLX/v9ZiSfK6qZck7kk9E92TnaabKHHfzeH7A0VLAkGWEMqOqYEOeGFRSDC18vcAxdQ66ROy/bD4miRECYCU/3POfl4hzO8V9X3Qw7Ulpcepzisl/jEwc9AiXMOkv439BKbHY6erl1JV7NCNgrdlu7eAf0MCR672k9OT2QdZ+vrMNO4qVwkl450JPp/kMY4WiR17eV2RxeK9rJ6ekmjtuzDZ4zgpBumVN5VT4ynpvq7aHe6/SH/+fqlZgt9cDiDHkDRc71ohdbmD75QO+Mp50sJ7iu0vr91eHfb2DtJs1Fp3d9WDcxT1BKHkCFDQxBThhdnfWq7uvamoDb6OfZBEafSC60+ke1Pp91Y+CgI7dNN6AVOM5fpbAGnUf76oKKgM/ZSxmaC4InopL73o3DtpChNc+0FwgeH6gZ+Mn7RZX5E74yKbHI6c9BH71sGzU9pK0CLhFfg+SBMEb9PSiwLbD4/UFO9UGyAK4gzDpCxgeT8Yhim2Q1Ki88hOU8q34YfNxq98ebb4knbSbO2R1J/sBE9ejugLXqoXDReBORWjzbgU4jOTQvrF2vBDN9qk31zoZItvMsQqxBn93lzdt2nFHcXY+nj/fpWmwgsqri/JOCWBjq0u0XxkqqVs6XaJ8FzCRCYku55OiA+13wuGycZO3PQHM5DiU/r5AOQEsPL6e8Ie2o1C+OFYSr03unxjyphm9BtcHZTEf7hlquUa/ZR1+aWbivz1BPs4J7ITDN0PNB9fjOq4iwHoOQsHyAMXJ0PN/aieqcYJjO0EVg8zwzMpln/IcJRfFYhCPjfYyGjKLAhQZnHsShMF1uZXj1Jfz0HQzqeGzNpGO9MGErICPbeM1tJSO+0h785csb2RNtFKG0hrqykh0JSnINADy5SQE8ho2GMXEifHjqhnrrhtTRvtzBVR5hpayCMZuTw3dhqy54po7fgdPBMRa5mS5whdzxUXC4kd35s8eJREN3Uakuf04vFUlzVF9yS9Lz8pfW3xpHY2vD9fSAXMo2V6sct3VrO+MNP7+lzVld6MVQR+8eVL9Yb5fi45nGQpkVwaQ1Avbb5OF6HLd9ILSb7/ty7fKMy31MewDogurl5slFIhj1QWj1SOVzRXmvndnqJLmqpZ0pQVNIXusZhfcZKqSYHSl3tTXR5YrNBUNalrsUif9WVBb0jWvCnFzkCazjm5JZtK7hqLndPwmmrP2rmsHBoaGjlcLMEg2iia0FRN8KgYsaBpXFfuu92xrgtT022q4jh3el1bY6W+pitdi7Wa4wGa2Cv9bmbEgsu2+rqJZF1UPIXt30GN09SZJOt9oTVjle64E0/0PrqbLYW1y+q/KbogT2fKYDoTdHKvy3rLcbDZGEjmFUHQpiiWpytuMA3RVuFkWe6hrsXqgykrH95dVh/yq/5G1QR+ZrqWNkPaRBjulOb0zh6gcGb8cucgpauG0mwy605mjU1D1byd0vfCaUNK5nlbmBnIA41295GzVFvUH91AwXNu/mhoeKzpw6YbbEczg9u6ZlfQdvrGEqNkbiqyKg5zG+n3UyTJ02WX8mH1lVDTXX6Khpw+sHZaU7qb6LEEero5X66a6jRKoMYJtiDYOo+1qWHxFtsyVEGWFc3tT3U3fBdWxa2ZpkeaHmuPnNLV+lI4Q9ZQW3E8vxKCSV/n9b7Qn+rCcMRyXYd1e9OmMNBYlp1oUnemyd2xiLszTbemLFKUnpAaM5cb7+T1RHf7E8EVFc2SQQPfjQ0OjcPhoyG6MmjEuTKTkS50h3KQbhxj21UNr6sulTsduYGyk3nAxZo9E8zxSuiOe1JP7kesI3Rz4LdNh8dTl7N0m5XvNWKDnYja7kjTJwr/jl3/Vac7G+sz1b//Pfs0b+i5O9BZ29hklumhIc8FQ57zLFHZuWI7t9Su6jTa7JB3exO0nYKgHYJAwIoosHN9i+eGHNlGC80NBZsDJXdNmTUHcuyKWjZvSqy0iWPL70RSf9vVOEUw+kibsu2+onawE2iLMb9awLyLoIjYIa+8CkQv0+hL9ZLVFx/BS07LASdM3PfDC0MW0m/Ho+TxxV/UcRSg6jGCu4GegwaNnu1hb/hoG9zGaUosyDvtoZCG010MyujsOWpXtI0tAtx26TRa7NxAmWVKK1OU104wzyxh89soVNaOsQnNafRoNLupa7ixE8ouj/DGGeihbbR2I9+Nnbx1hmMUuDkQx5m77BNhxhLHPoKGkFmitIZCO3YMISyzRm4ZbgyaSg7V1s42FTQK9Ls5oVvU1kAUONDQ7sf53XbM3+XS5pSOcSY10HoUyGsnVDyiTBBMM6spbeZ5qzFWW0sQrMJRKCGrgXbuQGqZ05jQGdiG+wJoZqM0vGUglzJBIFR2o2Aa8ovYAeKWsxooA/ldaBu/ZHOayYTYIRmRb4Ug7C5H4Xw7CuTcVkEGAj20TZkF4YqetQIUAo79t3ihZwMrtprjTGqerIeFEVum5zlmN7VU98/rK2+d6mUvMwL7I32Fo0DgXNFz+VDfWaaUzQ2uyPrNLueIWwR88AhEYQea7hoEU5Ktw3lDyOam1JKb/RYM0hwOAOf64PF1oPir3kOT86nvwASndfdbAhekycrrq1/Suh9986IUp3uXOiRsQAJNoOeUj4bHuoPubuL/sj7VKWgg1lJbCIoCBuIWUTtteGvQnGY/CzNqzvNRI70DuevygewBUfBtYxu7IkJ7/wUDPXV4kFK/MeW1M7AQ8S2naSEQSrEl6ke7JkHN0P4vyPFXF77YGcL/WQF++THhYeTCn6/HVplDfuu5fRYvYS55QESGZUo7UtUOl5FvN3XfMoSVo7aSyWCc2cYva3cp+JapeDI/TIcBjp1g6k986dFpoGxa+rNrSmXlSs4oMWjIa8I2VIf3MJd8koyI38zNruY0MHJ8us7un4eBFDiBdy/zLQxDPXKD7QYaXCKH3nrc0DdDf+PPzW6sleJUjNYKiO3YCSktK8vg1ie+eC8vp+w4J7TI3pTA9D0PNDwE8uG9kUs7W+zn8mx+PxF135qBhmxYy3mgLMc7bzVeyktrOdyOxT43Ece5vJxy49liJ/f6d+Olshz3BCQb85287Prj3vRuPps3J7P5Rl4O7+TdNJ/nkvtisukwaK0tUVf3MWNuKrHTuPMnYeqTOKM12ku7obNE7k7YjYGo3Y/yX9aj/G4NRLSx1PZ5nDLO4qM/4iW65w7G/gThvw8DjIi8i3u1bN7YcqCpIOC37kYG8a1W7ORtzglQZptKPDe2MQz0FZGtZViBZciUllnQns0bHrIGemqpUts0ufbbxUsW+q9qF2JsSQgxfK920Ro6O9JJSrHieUNbjLSW5xjaojC9LXL5DtaaigdChQOC0gKitpiaOus0OGJiy+rPUIH9AKp5CAgNKsS1wydEOpqobpoNcqLK1OgXnyye5TFkOhmOAhv74PP+b0LegfqTBLwhBHc3zl2RLYu3dpljwELK23hutLi5sd1Yhp47Itq5vThzB53t69y22cDeYuGEymbsv8pH6XiwuJPyzho0UTZvWLnT4AJHFEKwi8s7NotRkxT/AmtNv3z5Kb7OQ+Uboj098LZ0f+aaKNVi1y6N6C0FZnaWwmR9cUfPT20HQfdz8Rd47wPRsfV/gpAsjdI1+FNkHEB+mojzfkCB6VvWeSb4N1EvIz+8zCBv2KYktjhH3Cye1K6jar9kiohyEhucptQyZ9H9tCmhuamg0/XHoo5ErigD6simlFmmgkAOYj5Ay7khpyAnKU4rJhmizs65beIaEgJBC7mivqO22tBZp+lmljlcSHk8G836WFbZ3dhnObk3DfkABUN+8WqiMeS5zFI7m0e1+/ehqN/Z5nTxunnptv8MLbbRiixTil1RyOYN7R74naJ3CKfkOXxEYzxWWW40699NfO9JVVfRlF3Fig/eov3+sd+WHlWvp6pI/A80WCsnJPUQqY2wNMtbfduU0LyprEGI3Mky7oFA91xRP1lfRZTfgeUBtE1tQwKHoCtsN3ZjFT5O43jeEJbOYFzGJqrXxtyUgCMi3xQxNw/01DIVAEQc/z/T2Q94GPLt2Ak8BALEzo3W0prF+ZCn/U3m9sgz+E3L2e1opuHxbHGul/xUr+N8NNNYuRdFM3YVP/Zl6VGb//v8+IpvG3e0/ic9qZ2DR0kUcqupY8toFf1qvxNJjXhtG3fhiO+EI5Xb5wj6ftbLaornigJwDGFpiyij9Zte2DNp8Ech8kgf+ziNVvPSdwF3TMBP1Oba7JD3BpY5xUWNhZaW2sGzQMCW2qW4HFFnhzwngFBag5WwLOq97oz00U6opFCj9UnshDqid5lS6Boc2dspAUrLnvddezrWnmWeylvICech7yvH+0kZnQ/DIZ8uJFGKHb+TDHn3aAM8tRF/yLPYbaDMEttNkHOkH2vYhozI+r4HfdLetaO9rDNoCNjhweJxE4UFrJ67PLeyzWGb6MANhNwUt/EcbQ80moNuYqsdPDKktdNUSF/qAZ4r9HF69xtxxxRfwxCcRb87J3w/SjnBTeW2p5PSYpnKspRn7gQ6a5nyqVzoWWkTrY5yJrFDZuemxI70bu40ZASa48VIs2JH1KdzU4mG/HA1D1BW4vWsfc3id/D0qN8xaWWGvOKBwOUcQyc1KSns1rNAb+qlHoY8N52b8k4Xvdw9jV+8crTVlec5gZJa07hpi9RmopHRWrt854Tu1nBuygKJjZYxjYeD9LEoGIntbpFldhakwKSyHowX42kZa0U5twyByGV2tAfOc4LpwmDR02hF+Saxk+DeuYNxdOaXLNnXYuLfvK+wlulRe7yAVQmNU2Ob6qJ+5/KLN/xglekDKXbURbyPJS4928GOIbDzxmIhca2RrknCrK9rJov16UrvKn3uZapLA23H+o/83W+P6nAl5asF3ESreaNNYDPrRJ6Fv6YLEtPob58U0HJkmbIz1tnHkzw/sUzwR34/c0Uhdwf6Rh+Q3qTbdU1lTei1DaJrBQFRz6yB/OT43bO+ZchzvG20PBAialMF7s6R5k5c4Oa5U71M6PzkEB+mj2/qj8QD0fKcgYz4kH18mcbtvUxP7IXayrTRXlmn+XUT7/Prif2RuK30nIZC8V3otk99SdSKPCoQn3HzucH156bimSLnzRte7FA/4U7iWas1N7hUylePr2rsOKLj3xc/9FOPFGSvPw4y1f/j3598ZeeSLkB9dyJ4NjIm94CB7jsiWlK8NCNLnIO2S2eg71xRz0eGsLFVktm2a4tkNH64Ak2SqXQwD9prdyCzIBA2o4DsDx8lCi8vQYA2bjGZ3DhNF4FQjixjm5LOprDMNqEtIFmHWInTaElOqCAQ0IzUoGeaOgsGOqsE7ZxY6FBQEBxMFyNNv7MMmaOZC3XXhH6odnlodj0S+aS8k/A+wIWXdn9idC5xjt/agF1/QSOr0WIdds8vWDz1W/qM73x8Wv2xtbyWSSd/8udbgvcvVXqDLjcPtvE8X11asUkqI0sTUqeQSzT0lY1rSKltyOd0mDI3L7JCRrwViNT6fVKBgKa+nDf0XVnhB0Pee7NbUEwvBk1l93ipf35YRNLAWhP6SdR75JXdvCnFYDBdkAqpoFuJQaAvXbGdQ529n6xc5PYpL2/iHA42C63RJtHkaR7EaN4sMoREopIx3XfcK9J1kygBQj3TGnJum90iWg4ONpgMeVLNKOuZ2KaV8R9W7MeIclmxF5EpZGkE+N8BAAD//18ehHW6QAAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
