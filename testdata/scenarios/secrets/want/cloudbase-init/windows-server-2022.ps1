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
Install-Program 'H4sIAAAAAAAC/7R6e3faur7g/3wK3U7WcTKNqYGQvUmnZw444ECABAM2OM3sJcsKNsiPY8uA09372WdJMmBI2t1z7r2raxVb0u+p39v5X0CNMaTYAXYGfIhcL8DQ8W9AnAYJCAOEL0FCwygBkALqYvDixQkFL9AjaYzLpbN2HIdxE1EvDB5j/IJjHCAMvgBpTMNIKp09xuEixklysukRHFCSqWFAvSDFUuksoZDyPfXmKweC/i2k8OuBKal0FqU28VB+Kk6Dr4ikCcWxDCNPKp2RcAG+gA8C11c7DGlCYxiVSbj4UDqL02CMYi+iDD4KNzhOXExIGW8xkIfhYxy+eIQ/Bt2A4hgi6q0xkB9SGqW0E8Y+pGCCtxTI7S1GKZc5JB7KQCuLYJIACXwsSXKHYfmhFIztcpRUgFQ68wIa9jnPEvg/w2kf/P3vP4Y7EgdU//63ilR6SQOueqCGwRrHtBOHvtyCCb6+YoyePyU09oLF8xl7uwDfSk/sodwOUOiw9Zub6aTze1nDdMwPnj/liJ5vbhgugSrfE0guSt8PZM3Yo1juh4t3KHUfykwTzzc3zSjCgdMkhPPEbukS8HPgI3hqB2svDgMfB4zoEG/6XoCPiHQDj3qQeK9YHnMj+VY6C1JCwBfAiNx6MUY0jLPnmxthzPuVc2EJF6XHOKQYUXm/A8TOryMSlndR2ksMpITCmEpFTod4Iz/G3hpSzEQ/KOURUvdEKbeYYIrPxVbpDCLGBkPwYC8xomCMURp7NCs3EcJJwjwlDgmH3m1xqPIY093CLU64gYfx2HEIs9hz6fbm8bz5+XOn+fnz5/H8Yv/cal5Il0AS2KWL0lnsLVyaMF38jHSWUOzr/OjzzQ3XRqnAdS7fmMYY+kK4S7CTehA6eK/bId5cgpzo4cjYhTE7MwwDfAmulMb15V5pDxFTcrLfZdIfGcqbW357Ab+s5z2Of0nZDzetplD4Q1ftFpV+eM8V/7AJcHwJ9vo/tcAxpkcc7ZT5RmomywT7URjDOGNn3pHa2du9MHW28Xxzo2G6JzmE/sEaf9Ur9ngF/zlaNfRtL8CF7Usg/adfDvBGOmJ9EK7xgfdjl9kvX4Jfd6PCBsN9XsSSH3kTvR5hTJMd3adnRiXemaSw4+cz8ctIv4QxhsgF52cRjCnwAiDOczXbGcXcg34WRRncRSlHWeY8nAvIS6BcAvFY7uNgIdjdnVRJmODzdwR4G2ouwZMdhuT5bIxRjOleg3vpOLd0p5vcIY6MSKir5L2A8xwLgyloLJcbnJ8EPXDAy3jFJME/ACxcljCs8wIog31rHgXkOYMFbTQd59/WRW7wv6AGIMPAAQXe21svoUlugRyZkO8L+EcxnU7CIzMoINAxZMmxxe59h+YCfMz1VPr+/iUIdQgeaZzi3fEY0zQOSt//SuUPEQ52MUUSGVriWj+LXJjwSixPcGcJxRF791hVFKcRxY5UOkOhw05VDhfASj65tStTzp+8gD6fqaGDuVZijMLYKdRnuyJymYTBBy6kHIT0PdUK0Ivcarc0D03H+tsXFxf7Q+JXjnFEIMJAevp/XwMg/+czi7/S6Sl0OAblV0VuPH+7/v61vH+pXH9ncE8xdiCi2HmWxMUw6NxdgbygPGkVORUHxqmd5AHgCEAcZ2p/8TBxkuPkpIaEYK7cpDyOMBJlkFN+iB0cY+fW43swznbg5abjnEv8BqVLIK7y4niT3SbbY78nW3jrUXZfbJvf2/E2CRdsh/F/FGq5pe1vQFzWJTjPbX8Syr0kDICshn7EWgEgd4MopbmIOQVuesWIEEbZAdeHvP46FMHykfVcCh+4KDEJBO/HFeQ6XLHqEUeF4MB0c5Jc2CtP6jYJ0er5rBU6Gb9LsXqzcw0BvF/OHUTEit3i3j8OJeO5gAMfgXTDmoVdTqJxBr6V/gY4PfAn6IRxGyJ3ZwXfDnU2+HD2xwfwvfS9hCBF7j4a7LZKxz4IisyUvhd1MmbOLYuG6G3F8DeAfId3Rp8c8AmB80L3lLPNfvMG5kJ4Qr85nrRn3Yn6cNsGcoCBUtRdro+jUyXqxuEGfGCdpTgGcOBgB2w86gJ+mRzsCOjDsSC7yz2RZNeHFKLlLvCw62It2Ic8cv4jb21KRZ28Pf1O2fHmzMU7nLHbOOVumPo2K/9+hV1m819ziF9n+w1UkTMNU7kDUZEh6IswvYYk5dE/D29sA8j4n0Byw4QG0MfS0bmnIablW16Wa5jehQnlleRFeRL2WY/dDdYw9mBAeelygjISdUP3cX0lsMZhyqcAjMEhpjp/lZuOwwJHB/oeyQA7DeRbnFAvgLvBg7cFklLm/z4pEvizNA5junMg+TEOIxzTDHCEA0xjD4E/wRiz6Lo/1eGzjUrpDAp6Bz66jzkL7/PCxwUvEOFu4OAtEFKUT1Z/TG6nyh3d8p5c6XvpEEXZhQGhPAFSvNHjY8f3WjAzg8ExTe/T7WEp98UgzImEL3zik48ggJeAVRBugg+7a+SAQEZBSH0ejKSvzfP/+x/yxVNTtkTWLP9x8+mj/PytcllRqlffv75KBUIM+buUUBhQ6AUJSETKA8iFMcu5ccKI/6So+tF0I6+thKgXp54wwBQ6kMIfam2M47WH8DudSMFUJJfS6ObTp8p1o1ytX5XzX6l05mLo4JhXhN+A1EypG8beKzddiQG2MIxxDB5iiAiWwL7g40SFo7TVqnAQ4r1g6vk4RzaT4SaRMarKfi6ETMMVDmRKiZxgFAZOwmlcKwzxGd/M7VrHSRQGCQbSY0olcL6X5SOQPhFIcUI/wcj7xGGkC7CnfSrRj5iQePXDKbKIvbfzY+IaPiGeK3dH5DRmJG4Y8zjzNhaJh/I4Ih49l8rSxZPy/OsuVGTrYAoDTN3QKVz9NCaX4MmFiUuhTfDz2Z3gM+8OmSiUdSms9qt8Bvs3mVBQUw4LHz9yX+CpXxTtu4Sh44QKskCeJrgFEw89wjjxggWQJ56Pw5SOMQIVBcj5ubP9+dgDjEUg52yBHX8/qxl4/iAYR0AeC6MBVZ5lc1flGJ0QJ4CFjJgryXmTUW7DTUBC6Jyf6OpX2rHnsyZZhLFHXb+wdustcEKP+2527azv/se5dDeZPP7xqD/M5qwyZ2/jw+vwIX/mfcPJnHGMaWHBYBnKJlggvzwdSmo/PSwNRNjKu6d/o6v+WQtdaPvPQjEA452lJL8k40WfCSrLCXVwHPNn/h+Xv3Jd+/2Kv2bs/2uFP/t86+pKUaTLkiTLMaYx368LVPxddjCBfLXKV0NR9h9GKdOYXLAaMY3F+HzH2s/qwNyUGMwvFnlnENEUsr78nBcsHsF3MHGB3PcojiHJm9+9wuW9CYGDNV2UGYxgLMfHWCqY1jvTpMIIY+cBB9y+l/B8dwMWLH8KpJdgAwO6Q/vhX59ejDGVtThMo7c12T5XczX0QwQJPwlkEclEbCx8iQGn31cuTocc7yM5LqwZsSZCYRqIku5dvgqBuen4XuCxvoOGsQjMfPNLge9pgmPwJzBdHONDe3P2R3ncvS3nBQXxVhhIY7ki1+VqRf7fcl1hyeuinLO4Y/VIdY8wSTZh7Pwwh+8OiJYEozRmnB1SAx/rYlFIADn/3UMBuZk8EugF4vtPJ4wR5vIfS/brFwK+lcY/Bt2TzTk9THXeXOJfA4P9LeI1jtvbyItxcjhWXD3Vqg4DJ/Tf1+3OAv4LGjhItZucFmYfbOnpGVSvSmcxZ+MHc3s1ziIaLmIYuVlZH2riPa+eHuNw7Tk43uEoFIOc5EWpaDw53+cSbFb+g/XnPy41c/CL0wHkALOG64dWyF1u7zu5A75xnkR4j9j+8tbtx93bnYPUqnL96kraO4eoJxgnBwDBExDhBeyo5qs7bxK1wdPAQ3GYhC+0/Mi6tzH/QqqGvg8DJykLGDGWa28R5lH/+aSi4Dr0EgCBL0iELznRk869mSQ4pvJPggsO1jfqw+BxOmnrw+ZAZJP9kUIfsWsdXJjwVoIXCW/Ad0GaIXifl9vQh15w4Ea889tAoR+lFMd5Aat6fjdIKAxYia4SmCRcbtMLatU/1Pys+FxWaLZ2SMqPMKYPLwf0QhbppOFiMEU1QuBwiM8gwfwbs+kFTrhJvjrYThdfh5iOMU35F2Jp16YJGmJsfaC/W+Wp8ISL81M2iizwsdUpmo9AynXLt3OExxpmOmHZtTgh3td+LxTHGxg7yU9mIOLj9/EApABYevs9YQfthAH+cCilfjS6fGfKmKT8G1wZ5cx/uARSvsY/ZZ1+m+YqfzvBPsyJYEyx84Hn45NRXeVkAHoswh5yL0VhqLkb1QMpinEEYyztZ4ZHWsz/9OCgPwlpnWxuKqFZGyrIJ6lVUVZTraNAdXXfaxsZ8hvZyBwq0Gyk07sesXwjs8z60ho3G13VmThaY9PbhKvpXW9t1XoE1YYj5Bu+NesR2x+S7q2y6FWGka0ZqaNt66NqI3U0kjrmNFDJkDhqZWBXh66jkbXtNelEI4o167l2p+U62mLRUwbXMxXd9zQnsas9176NBiNjONUNt2e0h496e7p4HDc3qjdf9ATMvTVzI0dtribtzsRoG/Oxod9OFL2jLr58kS7A92PNpQmOJSAlEUbl3OTLbC15Up6ZGs+gSJ652xcKIiCtMI5wLH0Gx0lkByEhGMA4++2fjddVdbupr0ETVqRTBl481vQfM5BPQHDsnNxk4a9jAFtIvh6OsscXb1GmoU+kwxU7vpGhKldvo3vbvYdmZWPXegrKmo1uJwlGrxHKr8+1xy0NmluCKtulXa0rc5Ok1qy3mmnDte3PU6uz+Wc/0Ne2uQlmo/DerLUSx3QiOxg6KqEb+84IoFl/7XtOZGf1Ixx938mQNkidZTud13pRr6IU4Adpr0rWfX+4tgPdhWadIH+UWrXeZp7Vq4NxfYn8VdAPesSqklfnrlefjSKG34em84K4yXKTvH0g2xHyGwHyO1TXOsrceCMLQYH+2vdHgbqIbKRtK1aVpCi7CqD5ezrnJtqJbGbqaj1AQWvZD+bbvj/M4BilyDcCOBsqKFjxs5ZPAvRflIWf9a3Iqg3SXq24blzN2X1p02A2+m/iNbsKiuvWzHXtWSuxxiidzwwFdpR7ZzYkyK+7tsndK0B3RmJrRtbbRJv5bPjqVBuZJfS9nJt1FwWrGpqQa/jau3JejWpvE77jav+upfO/hCraOY5pUna+xnjBKqasjLeQheevbpjQZGf/L5AkzAF+iQ22tvP4EyZWX4mHcIBweYWzgl/ZGlmKUFhZW8twYWkGtTdRbM1W111t6Np+J8MTZ/swi+JB4NaGs/n9z3UShA7+Cy0U/h5sldrst5zBI3fHWc9FGjGtWe+VRe3uMvRgzfAss7Oyx/X44W6QQvP3tbPseNZMd4dqN+n6NLL9kffg9e7tKklHuak4s14emdkZPULV4ZqFEzzuXuOs59nVhoJqejaftaZ2lRLb4+vK7rkbrBTrTt864zrFgRE6/naDzUo8DNz1oGpsut7Gm89a0bRqZAyvbtZXSGtEdsB5WVlmZV1wgevhcqQMMsbL0B0xmLbroqpLUNa9NrPeK9Ta2XAyv37QDM+aoOrQtJZzX18OXt3VYDlcWsvudqC1Kw/aIBsuR5XBZPE6vG1fDZb6cnDbIUNz/jpctrzB7ehqPpnXHibzzXDZvRq+jrJ51nNeZkrS9etrSzPGlulEQnY9sqtX3kOQeCysTauNJawaCtO7HbQipE2v+9nv6352tUYa2VjjxnFYNI/ChNdXe3zPuRt4D4T+1vUpYfoWdKfpvLqtoJpOkFe/6pvJFcrqkZ01KrZPUjjTo7m5jbBvrJhuLdPyLXPIeZn4jcm86hLrzkisca8xm1UaP8iIgUdP/YMZWxxgihNmoEef3ID022/pp2nVUPoGi6xWNK9OF/2piB7C9LbEUZt0WtNdFOgV1NHrSJsuRjNDsasVZmJL6Ve4OA4WLOnuh+QiIRcPyHysmUaTLMKgmdLQh9RDv0ImTKaRA3NZ36GySSGrENYnNG69BNoEO5/FH0L8GIhPD/47GEmTMFmjf4mNPcgvM3GsdB0nYlr8E8W/i3oZesFpoHvHjnpaL+KVisjkMSsu57Ne4JgVYgf6KysoR+oigH4jsj2UdFVEuQux7Jmx93crADo3hyFzsbmp05lGK3PfcC1NSbHZobaKItXTl8g3XEczXkU4InmRW0nt2mhx33ZYsTqxZr0qNIekq1Ye5maFdAWuxJqNFv3pccHc7bxb+DJaLvKdim0aqXM35BUXL5RZsXtnuYhsE2j20N53OtvYMXuc975pJXPTee37Rup4rDA+0GeZuuuhxX3WXM19knbVZNGrCFhbMxQWSq1xd9EfV2rQrK/smvPanxV8dlzJKyrUYFWh43eymbaN5uSAQ1SCTNf1+tysJL2sGase4rDWrKf0TT1Cywq7g+p81kO2RrzZnkcdIY1GXVWhc7+xdu5Y09HZ9E2+f0TbmunLHC6zfUOxZkP0DgyTW1Q2TO5NGDDcQm85n6+cF+JoQ6HPWS+1ZjqrcAt64dVtoHr6Xs/sPkS8GlFWHc+rxivKmlT3SWIZojnperoHzToqpFeCtanXVSut/f22txGqjRY9rZNZNYNaZp1V3nTiNx6smTMT94AWfaPlotpwCu96FdXTU8fcJtwmCrY61jqppW2JGjghtxl1QW2/oXTVA9/9lesixbiCM51Y6mqBN9HE0ToZs11bMwhicbjKdb1CWXOr+sTvqovVvNYjc66Xgj2YndRSW/Z4+nsq5FauH1YM91BB2eLIL/n+eBV175L73p1O8B2zxxNYwnls2dp2as1c5V596wf34/oU+YTeq6t7aM4X96qusLNdtULnM30J1WYwW1FjtDIGuqG/jCuGqk877YnRaE1XzuRx3A37Xhh1vVFwP279xvzarlbo3KyvCvrk/nKfNYOuKvxlYnYUlh5RJdnORuHKDozEZhVuu06c7C/83hgq81lPcWatKZ61SLfdqThag/EbzZnNaMbGYqWN0ki72lG6X/SnvYhXitymXIFbPfCsEoH7p7m1Gb57f4/j5sryOwmqTu9fRlFDDZSdTgv2wm3l1q7qTLbUGjc3XG8+Wx8d2Z/OGuv2kJUhDN+JXejcl6zx4rijnOquo3WQbXaWUCMp9xOjEM8C4rJu8n4UfnlTA0RhwtLRixd4icsSxtsZEpD+x8cUnv7qaB0lx/WX2YXRQXeGx/qDQ1TvVWyyXdp3xqujGVnf7GzgmEXv7dpifbjaXaEa05RxHOV8tt+973H44RL5ZOOIvmtj1xyCgmFomdtERHYeVRhvvogOlQe7Wu/ZgU6Q31k6GqnyMzVDQXeGovuNzDY7SrcjvLU/Na4sc1jhBT9prRn/eNxS8YxFpsEij/QiAo5bf51lGc9efYNe2wumE2jWFVvZyYsWj+26MVGbHx9Xg+tZp5XZVSebm5X2fKa7M63izqsu62tdS6u8o5Nm9ujNtwzv3lM7tDfJ6m0465F5TV+jgDgPy+g2z+qF9VXYu2tV5v42mmere1Mhj/2Vxe6enZ8hnyjWtJPYQi9h19M3jtlLoHmSgWbDyrw6JKg2YBmIIo1lmanXV5sBqhlLkTFQJCKsK7xFIxkryO1arz6bhNfMo1BNf70/vX+1GwkvtNaM/3l1wbz2lTUY6G60gObVQvCtR8g3lo7WyDD3Qoc4bS7Luzi7d5vFtNpg2eBx7kdkXhuJiO21lrY5Sq2ZS7pqY9VVG0uWFVBgpNPqMIOzlsKribu9DcZdVY/sQF9PtEZwP4oiy2uGvfa2Na3oHbNNpiOl0dbHTWr708VAZCKCNcKy1ekIbx+dWAT4/wEAAP//hgAD9JM2AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
