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
Install-Program 'H4sIAAAAAAAC/7RZe3PiuJb/n0+h7U1dJzuBMRAyQ3r71gUHHBNwwAYbuzs7ZcsKNsiPtWXAmen72bckmWfSPT13dytVAVs6R7/z03lJ/DuQUuQQ5AG3AKED/SBCjhfegTSPMhBHEF2DjMRJBhwCiI/AS5BmBLw4Ac5TVKtc9NI0TjuQBHE0TtELSlEEEfgEBJ3EiVC5GKfxIkVZdjYYYBQRXEhxRIIoR0LlIiMOYWPS3Rcm5IT3DnG+HEAJlYskd3EAy1lpHn2BOM8ISqtOEgiVCxwvwCfwgev64sYxyUjqJDUcLz5ULtI80mEaJITKJ/EGpZmPMK6hLQJVNR6n8UuA2ddIiQhKHUiCNQLVp5wkOenHaegQMEVbAqq9LYI5sznGASxAt0icLAMC+KkiVPtUyzetoLBrSVYHQuUiiEg8ZJgF8J/qbAj+/vdvy52YAxp//1tdqLzkEaMeSHG0Rinpp3FY7ToZur2hQC8/ZyQNosXzBX26Ar9XPtMvtV4EY4++v7ubTfu/1mREdDbx8nOp6PnujuriqsoxruSq8vWwrJkGBFWH8eKdlZSnGmXi+e6ukyQo8joYM0x0l64Bmwd+Ap970TpI4yhEEV1URZthEKGTRZQoIIGDg1dU1ZmT/F65iHKMwSdAF7kPUgRJnBbPd3fcmfdvLrknXFXGaUwQJNX9COAjP66Ie95VZW8xEDLipEQ4RqqiTXWcBmuHIGr6gZSxQ/wzUu4RRgRd8qHKhQMpDKrgyV0iSICOYJ4GpKh1IERZRiMljTGT3g0xqZqOyO7FPcqYg8ep7nmYeuylcH83vux8/NjvfPz4Ubeu9t+7nSvhGghcu3BVuUiDhU8yysX3li4ygkKNTX2+u2NsVI5Ql/bpJEVOyI27BjurR7GH9tyqaHMNykUPU3TfSekcNY7QNbgR27fXe9KeEkpyth+l1p84yptdfrsBP8zzXsdfIvvprtvhhD8pknJM+uG5JP5pE6H0Guz5P/dAHZETRDsy31hNbZmiMIlTJy3onHes9vZ+z12dDjzf3cmI7JdUnfDgjT8aFXu9HH+pVopDN4jQ0fA1EP4Z1iK0EU6gj+I1OmA/DZn962vw42F0NEB1Xx5rKae8yV5jJyXZbt3Pz3SVdOeS3I+fL/gnXfolTpEDfXB5kTgpAUEE+HxGs1sQxCLoe1mUyl1VSpU1huGSS14D8Rrwr7UhihYc7m6mhOMMXb5jwNtUcw0+u3GMny90BFNE9gzurWNoyY6bMiBOnIjTVQlewGWphcocMVbaDS7Pkh446KVYEc7QNwSPNos71uWRKJV96x5HykuAR2x0PO9f5qJ0+B+gAVSdyANH2HvbICNZ6YFMGbfvE/jHcTmdxiducKRAQw4tjl267zs1V+CnkqfK1/c3gdPBMZI0R7vpKSJ5GlW+/hnlTwmKdjlF4BVaYKxfJL6TsU6sLHAXGUEJfQ5oV5TmCUGeULmAsUdn1Q8bQFu+anfXplx+DiLyfCHFHmKspAjGqXfUn+2ayGUWRx+YkdUoJu9Ry0WvSq/dkjI1nfK3by6u9pP4ZzVFCXYgAsLn//oSgeo/n2n+Fc5nwcM0p/oqVtvPv99+/VLbP9Rvv1K5zynyHEiQ9yzwjaHSZbiC6oKwonWMlE/QczcrE8CJAJ9OaX8JEPay0+IkxRgjRm5W0xMEeRvk1Z5SD6XIuw/YmJMWO/Fax/MuBbaDwjXgW3l1Okh3k47Rz7MhtA0I3S86zPbtdBjHCzpC8Z+kWuZp+x3gm3UNLkvfn8bVQRZHoCrFYUKPAqCqRElOShPLFZjrHWeEOCkOuj6U/dehCa6eeM81j4GrCrWAYz/tINfxinaPKDlKDpSbs+JCH1lRd3EMV88X3dgr2F7yt3e70ODC+9dlgPBcsXu5j49Dy3jJ5cBPQLijh4VdTSJpAX6v/A2w9cAfoB+nPQf6Oy/4/dBngw8Xv30AXytfK9Ah0N9ng91Q5TQGwTGYytdjTnQa3FV+IHrbMfwNwNBjJ6OfPfAzBJdHp6cSNv0sDzBXPBKGHX3amytT6em+B6oRAuIxdyUfJ7MqxE/jDfhAT5Z8GkCRhzywCYgP2GYysROhD6eG7Db3zJLdOeQoW+4SD90uegT7UGbOf5RHm8oxJ29nv9N2vJlz9Q4yuhvn6NQ8dGn79yNwqc9/KSV+HPYbqWNkMiLVvgOPATkhT9NrB+cs+5fpjQ6AKvpvIPhxRiInRMLJvM8qIrV71pbLiDzEGWGd5FVtGg/pGVuJ1k4aOBFhrcuZyoT3Dcp4fcO1pnHObgEoQBURjT1WO55HE0ffCQNcADobVO9RRoLI2V08BFsgiDX297MogD8qepySXQBVx2mcoJQUgCkcIZIGEPwBdESz635Wn91t1CsXDl/vgEMZlxDex8KuC14ciJTIQ1vAraidvf32cjsqd+vW9suVjLG6yKdRlsqgiWLAqYxf2NVMeVcAggysongT0R3/TgPyrZuAsg/hq12de819vIlw7HgHz5ml+G0Wfbfler7o4EWcBsQPj97dBwuUkdPemroZ7a3/cSk8TKfj38ba09yi1Zc+6YdH9an8znqDs7sEHZGjFwb1Qhcjrvz6/OJB/u5kYcS5LTukf6Fz/l6bfNTaX8T8kMu6R6H6kumLITW0Ws2Ih9KUfWf/mP312+avN+yxoP9vRfY9ZEM3N6IoXFeEajVFJGXjLa6KPVc9hB32tsHexry0H45LsxRf0TqQp/yKbAfte7m+9Ewq84OJ/MKBJHdo733JklKA0YOT+aA6DAhKHVw2uHvCq3sXAgdvuqpRGQ6s1EchHbnWOyfGo2NKCfugEIRBFtICewcWNPS40muwcSKyU/vhr59QdESqchrnydu8uw9zRsMwhg5mM0GVhXiZM49uW8H5HerV+UHmfSWnxZMu1oEwziOett/FdZSwO14YRAHtLUic8pTNBj8d4Z5lKAV/ANNHKTq0MBe/1XTlvmawXFfFwQoBQa/Wq61qo179j2pLFAXw9apWQtxBPaFu7GTZJk69U5QnyYdP4G0HgnlKkR36UHZ1g3gCBNXycy8Fqp1sjJ0g4ne8/TiFiNl/atmPbwj4vaJ/W3S/bIn0cHJ7s4l/Lgz2u4jWKO1tkyBF2WHa8dtzVjUn8uLwfW53HvC/YOBg1e525Oh8Q199fgaNm8pFymB8425OSouExIvUSfyipqkyf9ZRug4gGqfxOvBQutNxVMTYkleVY+cpcV8KTqf+b7QH/3aJLMWvzi8ZRog2Vd/0QhZy+9gpA/BN8GQ8evjwp7dhryv3uwBpNqqtmxthHxz8uECRHAQ4JsDTC9itWr7dRRM/M3weBTCNs/iF1Ma0Q9PZryBSHIZO5GU1LsOP3r0tRCzrP5+dNBiHQQYcEPIl4pdy0bPuvJNlKCXV7yQXFK3vpKfReDbtaWpnxKvJfsrRAWHX3/hOxvod1iS8Ed8laargfSz3cegE0QENf2a7AeMwyQlKy85PCkIlyogTQQSqEnayjNltBlGz8ZtUzuVX4kd92k5Jbeyk5OnloJ7bIpz1alTmmEYHeEziI8gQ+x3JDCIv3mRfPOTmiy8qIjoiOfsVSNh11HwNfjV1WH/3lpXCMxSX5zCOIbCj6bman4BQcsuGS4WnDFNOaHU9vgXa934vBKUbJ/Wy75xz+A9cp4ecI8HK2zvDnbQXR+jDoZX61vXEOzcJWc7u2WuwBP/hGgjlO3Zdff77E6P87S3V4SzopAR5H1g9PjuO188uOU5N2EvurTi6uNhdx9FDE0qcFAn7e4ETFsufFw/8CVDuF5YpxmZTFWGIc7surmZyX3Sk1eOgZxQwbBcTUxUds53PHgbYDo3CNltLW++0FcmbenJ7M9jEq9nDYG03Bxg21QkMjdCeD7Abqli5FxeDupq4spF78rY1abRzT8a5Z84iCavYk+ojt6H6nozXbtAhUxmL9nzgu/2u78mLxUAc3c4l+DiQvcxtDHz3PhlNDHWmGf7A6KljrTdbjPXORgqsxYDLPNpzP/Gkzmra60+NnmHphnY/FbW+tPj0SbgCX0+ZewkwEoCQJQjWSpev0XfZZ/H5jEZBuvuy+oJ581kjWyKAixcHZ4xJ1MwW9sMod01DtIz2yppr/jDcrq1GP5s3/DVsarll1rHyUG8rkvaL3mtPjV6rO50ZbUUyFEXSsBtZtxOxrc76xkwzBk+TWb1/P4n/Eur6+6jLSdUXB5LsHLsb9ok9FT8J12Wn7UByfKa/BsKfw4hiD72z9Dd+sV7lLv2sFU6IhYM/omLgQxmb9nzwSn1OWcaB0zQC2+yvXL2VPj2Mcsf8de0t+4E913xVUjIlJIkbToKnYPDoNnBOfcwOceTNB6Vf0TlaAhvq2guNAunKLSoGgdtoi7CpFda8O3MbBLsBey/uvivh1vca2waSWgRFRuyF2w0y66ka+etRw9gowSaw5t1k1jAKqlczWysotxM3YlhWtllfD0PjxjLrG1ee3arLiTgqKBbVn1CZnu/Dho9hodyaxeDVkXuFOrVun2QjsKewoZr20gq15ejVX42W6tJeKtuR3Ks/yaNCXU7qo+niVb3v3YyW2nJ038eqab2qy24wup/cWFOr+TS1NupSuVFfJ4VVDLyXuZgpYWtty4Zum17CbdcSt3ETPEVZwLxAV24VGiff9gRmdnOQzBrtpdMwRLpFbtRNoDy7HRa/rofFzRrKeGPr7aXbaImWiXN7PlgNTXXtRprvmC0Mw0kwlAZszHsYBU+Y/KKEBNOt4RBnudXY1mFTwzBo3QzN7AYWrcQt2nU3xLkz1xLL3CYoNFYUj23aoW2qDMs0bE+tho/tByOz9UF7rm9KF9pir2fceA8DfzIfRIz25pHZfF3izDsUW8Myt/X36Ti5maKMRHVK7uPb+MijgJyHKfX8NEIEZTRaTm4ogfDLL/nPs4YhDg0Vw8hOrMZsMZy1fNecLfZGSB0ya2o+jLQ67GstKM8Wk7khuo069fel8CMo4myWeE4JgvbAZcNcNvDCJnfyDKVrgZ6FnJTkybRIELgPMsfFyPvIf9D5thA7If1fAMmzOFvDvwRjL/IuiGUcROc5651dGMiDxA1Ylbt/wtuUVjlrPog8s47dSHullW0iLSInbCduADNFgoS5eGgndkGfmdwEhu0Ihn2iyX3RMrbEMtWYhoBlamQuk7oVGr4tizky+8SVYCIF2hKGhu/JxivPLListvXcbU4Wjz2PVs2pPR80HFPFilR/YnWF68rs+WQxnJ1WbqX/bgWma/kw9OquaeTegyo75pZXbFp1H2wf4m3mmAO497z+NvXMAcM+NO3MMr3XYWjkXkAr9GH9sd6JlAAuHovOygpxrkjZYlDnsq5siDQr2rqyGOr1pmO2Vm7Tex3Ojzxer9PUETombE9eE+iF/WIubxMLH3TM5R3XrZZl1rNB0UmlADJZez4Qh6aWwGWd7kHDmg+gK+NgvseoQSiTRJFEYoXttfdAu5/+Zmiy8ZO17bm2LOUKNzREe67Cd2So3blFKw+1exNHVDfnrcT5yrBgT1Y5n/NBbs81DE94oXOtSAq0Pc90P3i0TwjtsqyG8QqLDtFCnNkG75KUQAscswWPKiVG8ixQpHp3v7+9bQKbk8VA7hd20yC22RKpnmnYfrLn3pzvA1wMja4Pm+rMeRjUpUDLPXObMZ848lVd7ue2vMVS5MXMZ6QFccO2qEgH3MOV70PRuHHmGral1QJtkqkn9wvqu65sYEizWINxvYJFZyuFOFSkxcpqDrDFeDnyB7Of21LX1We/5txu8fZpRXWrIiwWJ3HJxvVVojxkj4MHDaMH6o9nsphh7LrydmbPffFRehsHj3prBkNMHqXVo2Nai0dJE+lcRaoTa64tHakTzVfEmKyMkWZoL3rdkLRZvzc12t3ZypuOdSUeBnGiBJPoUe/+QuPabdSJZbZWR3yyeHksOpEi8XiZmn2Rli9Yz7bzSbxyIyNzpU5b6bWwV/xJ3BuqaM0HojfvztC8i5Vev+7JbYo3sajPyMbGpl2K2M4V+aQcL4azQeKG/QIxn/K5bumAWcJc93crUyd+d//Gemdlh/0MNmaPL5OkLUXijtMjf2G+cu82NGpbbuudDeMtpO8nJ/6n0Q6/p9JyTfWd+YXGYsnWFxGN3/Jk4rszzffkPnTN/tKRcc7ixDjKZxH2XXMTPdJG97xmJHFGC9dLEAWZTwvG28MsEP7fz0uB9urJfbHU9afVha4DH4zAlfHykNUHdRdvl+6D8erJRjE0+xtHp9l7u7YLqldZwSZlyjjNciEdVx4HTF5dwhBvPInh2LhND8NIjW1zm/HMzrIKxRby7FB/chutgRtpGIb9pSfjBpvTNET4YIha2C5csy8qfR6tw5lxY5tqnfXuuLum+JHeldCcZqbRosz0PAPq3T+vshRz0NrA196CcuKYLdEVd/bCxbjXMqZS56fxanQ773cLt+EVllnv0RPcXK77VsNPXOZ59Xc46RTjwNpSvftI7ZPBtGj1nPkAW01tDSPsPS2T+7KqH71fxYOHbt0Kt4lVrB5NEY+HK5vuPZ0/hyEW7Vk/czkvsRJoG88cZI55VoHmat1qqBg2R7QCESjTKjMLhlIngk1jySsGTHiG9Xm0yLigDbPbHLTm0/iWRhRsaq+P5/svKQmPQntN8VuNBY3aV3oAgA+ThWPeLDhuLYGhsfTkdoFYFHrY6zFb3tWpPGwWs0abVoOxFSbYak54xg66S9ec5Pbcx4rUXilSe0mrAoyMfNZQC2feFVk38bD3wVSRtMSNtPVUbkePkySxg0486G27s7rWN3t4NhHbPU3vEDecLUa8EmEkY1qtzu8S9tmJZoD/CQAA//9wUVuuAC8AAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
