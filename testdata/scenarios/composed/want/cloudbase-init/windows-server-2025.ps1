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
Install-Program 'H4sIAAAAAAAC/8R6+3eiSv7g7/4V9e3NGZLtaIPG3Gt6e3YUBSWKEQSU7uw9PCqCFo+BQsV7+/u376kCn0n69tyZPXv6nBaq6vN+F/kfgE+ghaEL7BwEluP5IbTc4AEkWZiCKHTgLUhxFKfAwgB7ELz4SYrBi+WjLIG1ylUvSaKk7WA/Cp8S+AITGDoQfAGMiqOYqVw9JdEigWl6sekjGGKU81GI/TCDTOUqxRame/zDNwpkBV0LW9+OTDGVqzizke+Up5Is/OagLMUwqVqxz1SuULQAX8CHAtc3O4pwihMrrqFo8aFylWSh6iR+jAl8HG1gknoQoRrcQlCVo6ckevERfQwHIYaJ5WB/DUF1nOE4w0KUBBYGU7jFoNrbQiejMkfId3LQyWMrTQEDPlaYqkCwvCsFYbsWpxxgKld+iKMh5ZkB/0vWhuDvf38f7kwcUP/73zim8pKFVPWAj8I1TLCQREG1Y6Xw/o4wev01xYkfLp6vyNsN+L3ylTzUeqETuWT94UGbCr/WRIhVevD6a4no+eGB4CpQlXsFkpvK9yNZI/ExrA6jxRuUBuMa0cTzw0M7jmHothGiPBEr3QJ6DnwEX3vh2k+iMIAhISrDzdAP4RmRQehj30L+DlZV6iS/V67CDCHwBRAiXT+BDo6S/PnhoXDmw8p14Qk3lackwtDB1cMOKHZ+HlHheW9iKp2SuW5/Hg/4wWd2y9VZ1mp9/vy5o90wlYOSAJNiK8HMqXAy3FSfEn9tYUi0ddTjk4W9Cz12IYIYXhdblSvLIZwTBGN7CR0MVOhkiY/zWttxYJqS4EoiRKH3WxSqpkK8X+jClMZElKiui4iTXzPdh6fr9ufPQvvz58/q/Obw3GnfMLeAKbAzN5WrxF94OCXq+xHpPMUwUOjR54cHqo3KCdelfCpOoBUUwt2CvdSjyIUHc8hwcwtKoscjqmcl5IwchfAW3LGt+9uD0sYxUXJ62CXSn/nWK3OeG+AWHF7H2INJSizy04o/IP2XtD9+6LQLC1BvOrHC8Z1YAnwEJVO3gBlvQpjcgoNpLv1ZhfiMt72eXymESDWFQRwlVpKTM6898so9+H4ROGTj+eFBhPhAUraCo6P+bIwd8Bb8l2j5KLD9EJ5s3wLmv4NaCDfMGeujaA2PvJ9H02H5xKJ/GmEnGwT39SmW8sirXPhkJTjd0/36TKgke28tXPz5qvglpF+iBFqOB66vYivBwA9BcZ6q2c4xpMH1o5xM4G4qJcoa5eG6gLwF7C0oHmtDGC4KdvcneRSl8PoNAV5noVvw1Y4i9HylQieB+KDBg3SUW7zXTRkaZ05UqKviv4DrEguBOdFYKTe4vsiH4IiX8ApRCt8BPDFW4VjXJ6AE9rV7nCAvGTzRRtt1/7IuSof/CTWAqhW64IT33tZPcVp6IEVWyPcF/OO0OE+jMzc4QaBAi5TaDrH7Hs0NyRUUT+X720Yo1FHwiJMM7o8nEGdJWPn+ZyofxzDc5xSmqPcM1fpV7Fkp7evK2neVYhiTd5/0WEkWY+gylSsncskp7mgA0kBWO/um5/qrH+LnKz5yIdVKAp0ocU+6vX1Lukyj8AMVshpG+C3VFqA3pdducZmazvV3aFVuDoeK32oCY2Q5EDBf/8+3EFT/+5nURObylHM8ZlV3bLX1/Pv992+1wwt3/53AfU2gazkYus9MYRgCXYYrqC4wrWennBYH1MxOywRwBlAcJ2p/8SFy0/MyxUcIQarctKbG0CmaKrc2TlyYQLfr0z0ryffgtbbrXjPUgswtKEx5c75JrEn2yO/FFtz6mNiLbFO7nW+jaEF2CP9nqZZ62sEChbFuwXXp+9OoKqVRCKp8FMRksADVQRhnuBSxpEBd7zQjRHF+xPWhbNmOLXX1zHtuixi4qRAJCt7P+9F1tCK9KIxPkgPRzUVxIa+0vNsoclbPV53Izakti9WHfWgUwIflMkCKXLFfPMTHsZu8LuDAR8A8AKYIcZLkcZKD3yt/A5Qe+AMIUdKzHG/vBb8fu3bw4eq3D+B75XvFsbDjHbLBfqtyHoPglJnK91OdqCS4q8V49bpj+BtwApfOWZ9c8MkB1yezWMk2+S3HoZsiEoZtddqbDab8uNsD1RAC9lR3pT7OTlWwl0Qb8IHMqcUxAEMXumDjYw9QY1KwM6AP54LsjXshyX6qOcmW+8RDzEUGug9l5vxHOShVTnXy+vQbbcerMzdvcEasccmdnAU2af9+hl3i899KiJ9n+xXUKWcixFXBck4ZsoIiTa8tlNHsX6Y3sgGq8J+A8aIUh1YAmbNzX2WIa13asYsQ96MU007ypjaNhmRiH4RrK/GtENPW5QJlXPQNg6f13TlWwuDTcbPyvXLMJoRxUCApzp9Kdn7sXL4TdesEjlA8lJ3jUumTYVQSiV7oPUo52AM/Basw2oQf9uJQQFB1wggHNCiZb+3r//1f1Zuv7apZVI/abw+fPlaff+duObZ+9/3bjjkhRJC/ScmJQmz5YQrSIvUDx7MSUnuSlBD/QXPx3p1B2WMUot5cesQIYsu1sPWu1lSYrH0HvtGRX1muS3P7F8B4GMcPnz5x961avXlXK3+ZypUHLRcmtDP6HTDtDHtR4u8sQp8hgB1oJTAB48RyEGTAofGhRAuH6fH1wlGQ/wKxH8AS2axqbdIqdOrVoBSiiqMVDKsYo2oKnSh0U0rjniWIr+hm6WcKTOMoTCFgnjLMgOuDLB8B8wlZGKb4kxX7nygMcwMOtC8leo8JhnYBlCLJXGdOfiQuwgvipXL3RC5jJ/WihMbb65gsHmpqjHx8zdSYm6/s88+H0ClbR1cYQexF7onptQTdgq+elXrYshF8vuoXfJZTEhEFk26d9EDcZ3B4qyIMGuxx4eNHGgu0BBbN6z5xKjDFBVlQ1VLYsVLfebKS1A8XoDr1AxhlZC4HHAuq5bmrw/nEB4RFUC3ZAnv+flQ7aR5FEMagqhZOA+q02pShSjG6EUwBSRkJVZL7KrN2o02IIsu9vtDVz4wlz1dttIgSH3vByVrXX8AUn8+fxOxk/vzHNdOfTp9+e1LGsznpUMmbenyVx+Uz7Z8vbu9UiE8WdJKpbQQL5LeXV33iDw8zoyJtlVPEX5gufzRKnoy/V1FxR0QnLKb6kqqLIRG0Wk1TVA2jagKJ+5RL2IVJQp/pf1Ql3H3j1zv6mpP/71nmtsJUA7p1d8eyBWgCcUL3myfvVRcii67W6WpUdMTHWwYtQTd/wf//BpwsKW629/JR9fzjunkL7m/BLzeAlKlDSTjriAgCO4HWqvL9fSf+QYtWejfh4Cf7ryvLwZlFRuZr2kv4CPat1APVoY9hYqFyLj34QPXg1eDo4Dc1AlMwVuIjLJ14+xsXPSe3C/ugPOIO/JSW4AewICW9QHoLNlaI92g//OsXCxfNyF/Kb1dJlOF90pchVuhrtV1ke8EKfJQDir3ahSn2Q2v/gcbfAoat0X+fWAZUT77fgMuvMuCPiholeD84VJ+SKIYJzsHv4Oq3GqU5gjjxHVJefqvRjyYvlrNf/A7+ACokE+cBg0C/HnGFkagMF+W+lGfwVIrytkwHSoPQhVtQYKpdrP5ReYd4WRb2VGsHYj/y99NZB+KqmERZ/LrfPfR/1I+HkWMhehJUi+pY1Nsf6fzm8gLpbSTnHBFibceJsrBol9/k66TYt93AD30y0+EoKYo93fxywreWwgT8AQwPJvA4Ol79VlMH3VrZpCJ/BQGjVrlqs1rnqv+z2mRJQ3RTK1ncs3qmuicrTTdR4r7bF+4PFOMedLKEcHZsN+jlOSyaU1Atfw9QoNpOn5Dlh8WXOiFKHEjlP5fs5w0Cfq+o74MeyJacHm/MXhnxz4HBwYpwDZPeNvYTmB6Pna5ealWxQjcK3tbt3gP+DQ0cpdrfSp/cK5Glr8+gfle5Sigb73wd4ZM8xtEisWIvrymyWLyXHflTEq19FyZ7HCcDBiV5Uzl1npLva8Zqc//FgI/g/fGlBL+5vNwdQTLMvuuFNOQOsVMG4KvgSYvoKba/vA57ddDdB0ijXm3e3TGH4Ch6VMLJEaDgCRTpBeyplqv7aCr6za8j30miNHrBtScyGav0WzYfBYEVummtgCmuPHtbB9Im4PmiS6U69FNggaAgEb2URC9uRdppChNc/UFygeH6gR+PnrRpT5Hbo6IdOBw5mU3346hnpXQ8pY3nK/B9lSUI3ualGwWWHx65Kd6pNZwoiDMMk7Ke8H4wCFNshWTs45GVplRuww8b9d/48mzxlfJkgN8jqT1ZCR6/HNEXsjAXQzyBOVWjBVwK8RmkkP41gOGHbrRJv7nQzhbfZIhViDP6LZ/Zt1MFjeKTwJH+fpX2MhdcXF+yccoCvRK8RPMRMKVu6XaJ8FzDRCekPTq9fT/MEy8YJhsrcdMf3C8Vf6Zwfrl0Alh5/a1mD+1GIfxwbM/fuxZ+4wY3zej3zZpTMv/hFjDlGv1MePlXBFTlr78OHO/grARD9wOtxxfXoNzF5fK5CAfIgxQnF8b7zyCAiRMYWwlkDvexZ1os/0jkqD/GEYV8brCR0ZBZJ0CZybErTRRYi189Sj09d4JWPjFk1jJamdaXkBnouWk0l6babg14d+qKrY20iVZaX1qbDQk5DXniBHpgziRkBzIadNmFxMmxLeqZK26bk3orc0WUuYYW8khGLs+N7LrsuSJa234bT0XEmjPJs4WO54qLhcSO7me88yiJbmrXJc/uxqOJLmuK7kl6T35SetriSW1veH++kAqYR3PmxS7fXk17wlTv6XNVV7pTVhH4xZcvzA34fq45nGQp0VwaQ6cWo2zhhwp8Sb9yzzU3cjIyRaZf2eca2b9Q6/t/VPSNYv2W+hjWHGKYqxcLpVTjQ5XFQ5XjFc2Vpn6nq+iSpmqmNGEFTaF7LOZXnKRqUqD05O5El/smKzRUTeqYLNKnPVnQ65I5b0ix3Zcmc05uyjMld43Fzq57DbVr7lxWDg0NDW0ulmAQbRRNaKgz51ExYkHTuI7cczsjXRcmM7ehiqPc7nYsjZV6mq50TNZsjPpobK30u6kRCy7b7OkzJOui4ils7w5qnKZOJVnvCc0pq3RG7Xis99DddCmsXVb/p6IL8mSq9CdTQSd0XdZbjoLNxkAyrwiCNkGxPFlx/UmItgony3IXdUxW709Y+fDusvqAX/U2qibw05lralOkjYXBTmlM7qw+CqfGr3c2UjpqKE3H0854Wt/UVc3bKT0vnNSlZJ63hKmBPKfe6jxypmqJ+qMbKHjOzR8NDY80fdBwg+1wanBbd9YRtJ2+McUomc8UWRUHuYX0+wmS5MmyQ+Uwe0qo6S4/QQNO75s7rSHdjfVYcrr6bL5cNdRJlECNEyxBsHQeaxPD5E22aaiCLCua25vobvgurIqbU02PND3WHjmlo/WkcIrMgbbieH4lBOOezus9oTfRhcGQ5To263YnDaGvsSw71qTOVJM7IxF3pppuTlikKF0hNaYuN9rJ67Hu9saCKyqaKTt1fDcyODQKB4+G6MpOPc6VqYx0oTOQg3RjG9uOangddanc6cgNlJ3MO1ysWVNhNloJnVFX6sq9iLWFTu74rZnN44nLmbrFyvca8cF2RH13qOljhX/Hr/8jEXj2MQUwv/ySfZrX9dzt66xlbDJz5qEBzwUDnvNMUdm5Yis31Y5q11vsgHe7Y7SdOEErdAIBK6LAzvUtnhtyZBlNNDcUPOsruTuT2Vlfjl1Ry+YNiZU2cWz67UjqbTsapwhGD2kTttVT1Da2A20x4lcLmHcQFBE74JVXKeplEn1hLuV+8RHcix1GLvz57LLKbPJby60AMcdkDnPJc0RkmDNpRxL2YBn5VkP3TUNY2WozGfdHmWX8unaXgm/OFE/mB+kgwLEdTPyxLz3adZSRBG0GKHRnUpmUyRkldury2g30HKqDe5hLPtGm01Dy+ayj2XWMbJ+us/vnQWDem0FvB/0mhqEeucF2Aw0ukUNvParrm4G/8eezTqwRywV6rhjNlSO2YjukvKxMg1sPA/1ubnAbW9Tu5eWEHeWEF9mbEJie5zl1Dzn54N7IpZ0l9nJ5Or8fi7pvTp26bJjLeaAsRztvNVrKS3M52I7EHjcWR7m8nHCj6WInd3t3o6WyHHUFJBvznbzs+KPu5G4+nTfG0/lGXg7u5N0kn+eS+zJj00HQXJuirpqGGxeyK7Fdv/PHYeqTdKzVW0urrrNE73bYiR1Rux/mv66H+d3aEdHGVFtLu95k5wbKzJm0Ghry2g4Vj3ieE0z8IS/RPbc/8scI/zIIMCL6Luhq2by+5ZyGghy/eTc00jsnb8Z23uLsAGXWTInnxjaGgb4iujUNMzANmfIyDVrTed1DZl9PTVVqzWZc6+1QzEL/EImlv9WIsyUhxDB9J/i0us4OdRk5oRnP69piqDU929AWhettkcu3sdZQPCdUOEdQmo6oLSYznbXrHHGxJfMjLk7yAftOPiAT3OEDDG3CmU2jjv0AMmSQtxKcxdM8hqCd4SiwsO983n9Zfgfq3+PnDRW5u1HuimyZm6gXBJbhLKS8hedGk5sb241p6Lktop3bjTO3394OwyL/mDPPs2ed1FQ3G9hdLOxQ2Yz85s6aKegkQtJRf3En5e2100DZvG7mdp0LbFEInV1c0tgshg1S6ATWnHz5wvyM8aNUi12rtP1bis6sLIXJ+kLTXT+1bATdz8Xf27wPRC9S/hOMZGmUrp1/iY0DyJ8y8RNFSYHpWy5V3oXDxH2PzjLyw8sq8IYHSWKTs8XN4knt2Kr2a6aIKCfxbTek5mwa3U8aEprPFHS6/lhUO+SKskODcSZl5kxBTu7EfICWc0NOnbyJoKgVjbaos3Num7iGhJygiVxR31GPquus3XAzczZYSHk8HU57WFbZ3chnObk7CfkABQN+8arhHvBcZqrtzaPa+WUg6nfWbLJ4XUE7rX+FF8toRuZMil1RyOZ17d7x22Tw8OxwQp7DRzTCI5XlhtPe3dj3nlR1FU3YVaz4zlu83z/2WtKj6nVVFYn/gSq/skM9tfl2ayBgaZo3e9ZMQvOGsnZC5I6XcdcJdM8V9ZP1VUTl7Zueg7apZUjOIXEK241VX4WPkzie14Wl3R+VGYTatT6fSY4tIn8mYm4e6Kk5UxxHxPH/N5v9QIYB34rtwENOgNg5GSCncT7gaReWuV3y7PxTy9ntcKrh0XRxbpf81K6jfDjVWLkbRVN2FT/2ZOlRm//78viKbxl3ZJgMJ7vYsXIydAq52dCxaTRZJ2+3Br12JNXjtWXchUO+HQ5Vbp/J6TuBKwdhz9YUzxUFxzaEpSWijPZgeuHPpMschsizjU34OIlW8zJ2He5YRJ+oz5GO1eubswku+iREBm88DQRsqh2KyxZ1dsBzghNKa2clLIuerTO1jC2yQyWFGu0xYjvUEaU1k0LX4MjeTglQWg7y7/rTsX8sq0neRHY4D3lfOdInQ34+CAd8upBEKbb9djLg3aMP8NRH/AHPYreOMlNsNZyc25kzqW4ZMiLr87LvfNLe9aO9rjNoCNjmncXjJgoLWD13eW5lzQYtYgM3EPKZuI3naHvgcdbvJJbaxkNDWtsNZef2Jc/hucIep7TfyDsz8TUMwTkM5LUdzIncj1JOcFO97fmkvJgzZVnqM7cDnTVn8qle6FlpE62Oeia5Q2bnM4kd6p3crsvIaYwWQ82MbVGfzGdKNOAHq3mAshKvZ+47C7+NJ0f7jqyZTPKU5wQuZxs66StJc7aeBnpDL+0w4LnJfCbvdNHL3dP8xStHX115nh0oqTmJG5ZIfSYaGs21y7dP+G4O5jNZILnRNCbxoJ8+Fk0f8d0tMmftBWkSqa77o8VoUuZaUc5NQyB6mR79gfPsYLIwWPQ0XFG5Se4kuHdufxSdxSVL9rWYxDfvK6w586g/XsCqhMeJsU11Ub9z+cUbcbDK9L4U2+oi3ucSl55tY9sQ2Hl9sZC45lDXJGHa07UZi/XJSu8oPe5lokt9bcf6j/zdPx/VwUrKVwu4iVbzeovAZuaJPot4TRckp9HfHmmC5cicyfZIZx9P6vzYnDl/FvdTVxTI5LvR+2S+6HTcmbIm/FoGsbWCHFHPzL78ZPuds9ljwHO8ZTQ9J0TUpwrc7SPP7bjAzXOndhnPDQ4NDvlh8vim/Ug+EE3P7suID9nHl0nc2uv0xF+or0zqrZV5Wl838b6+nvgfydtK164rFN+FbXs0lkStqKMCiRk3nxtcbz5TvJnIefO6F9s0TriTfNZszg0ulfLV46tOOI7ohcSLH/qpRxqy13fXgPl/fj3qKzuX9OrHDP3DewtCx+nrvi2iJcVLK7LE2Wi7tPv6zhX1fGgIG0sllW27NklF4wcrp0Eqle7Mg9ba7cusEwibYUD2B48ShZeXToA2LvVid2M3XOSEcmQa25TMH4VntghvAak6xEvselOyQwU5Aa1IdXqmobNOX2eVoJUTDx0ICoL9yWKo6XemIXO0cqHOmvAP1Q4PZx2PZD4pbye87+AiSjs/cX8jcbbf3Di73oJmVqPJ2uxeXmfx1GvqU7798Wn1597yWift/Mmfbwnev9Tp9TvcPNjG83x16cUz0hmZmpDahV6iga9sXENKLUM+52Mmc/OiKmQkWh2Rer9POhCnoS/ndX1XdvjBgPfenBaUmRc7DWX3eGl/flBk0sBcE/5J1nvkld28IcVOf7IgHVLBtxI7gb50xVYOdfZ+vHKR26OyvIlz0N8stHqLZJOneRCjeaOoEBLJSsZkPxevyGxMsoQT6plWl3Nr1imyZf/gg8mAJ92Msp6KLdoZ/2nHfswolx17kZlClmaA/xsAAP//XzK5YbU8AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
