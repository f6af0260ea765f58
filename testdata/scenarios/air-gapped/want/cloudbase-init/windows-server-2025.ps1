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
Install-Program 'H4sIAAAAAAAC/8S6e3eiSt4o/L+fgqffrDF5O9qgMbNNn54zioISxQgCQnfOXlBUBC0uA4WKe/fz2c+qAq9JevfeM886q9dqoap+93uR/4/hE2hj6DJOzgQ28PwQ2m7wwCRZmDJRCOAtk+IoThkbM9iDzIufpJh5sX2UJbBeueonSZR0APaj8CmBLzCBIYDMF6aq4iiuVq6ekmiRwDS92PQRDDHK+SjEfpjBauUqxTame/zDNwpkBz0b29+OTFUrV3HmIB+Up5Is/AZQlmKY1OzYr1auULRgvjAfClzfnCjCKU7suI6ixYfKVZKFKkj8GBP4ONrAJPUgQnW4hUxNjp6S6MVH9DEchhgmNsD+GjK1SYbjDAtREtiYmcEtZmr9LQQZlTlCPsiZbh7bacpUmY+Vak0gWN6VgrBdj1OOqVau/BBHI8pzlflfsjZi/vGP9+HOxGEa//gbV628ZCFVPcNH4RomWEiioNa1U3h/Rxi9/prixA8Xz1fk7Yb5rfKVPNT7IYhcsv7woM2EX+oixCo9eP21RPT88EBwFajKvQLJTeX7kayR+BjWRtHiDUrDSZ1o4vnhoRPHMHQ7CFGeiJVuGXqO+ch87YdrP4nCAIaEqAw3Iz+EZ0SGoY99G/k7WFOpk/xWuQozhJgvDCHS8xMIcJTkzw8PhTMfVq4LT7ipPCURhgDXDjtMsfPziArPexNT6ZTV687nyZAffma3XINl7fbnz5+72k21clASU02xneDqqXAy3NSeEn9tY0i0ddTjk429Cz32IIIYXhdblSsbEM4JgomzhAAzKgRZ4uO83gEApikJriRCFHq/RaHqKsT7hR5MaUxEieq6iDj5dbX38HTd+fxZ6Hz+/Fk1bw7P3c5N9ZapFtirN5WrxF94OCXq+xHpPMUwUOjR54cHqo3KCdelfCpOoB0Uwt0ye6nHkQsP5pDh5pYpiR6PqJ6dkDNyFMJb5o5t398elDaJiZLTwy6R/sy3Xpnz3AC3zOF1gj2YpMQiP634A9I/pf3JQ7dTWIB604kVju/EEsxHpmTqlqlONiFMbpmDaS79WYX4jLe9nl8phEg1g0EcJXaSkzOvPfLKPfh+EThk4/nhQYT4QFK2g6Oj/myMHfAW/Jdo+Shw/BCebN8y1f8O6iHcVM9YH0dreOT9PJoOyycW/cMIO9kguK9PsZRHXuXCJzvB6Z7u12dCJdl7a+Hiz1fFLyH9EiXQBh5zfRXbCWb8kCnOUzU7OYY0uH6UkwncTaVEWac8XBeQtwx7yxSP9REMFwW7+5M8ilJ4/YYAr7PQLfPViSL0fKVCkEB80OBBOsot3uumDI0zJyrUVfFfmOsSC4E50VgpN3N9kQ+ZI17CK0QpfAfwxFiFY12fgBLY1+5xgrxk8EQbHdf9y7ooHf4n1MDU7NBlTnjvb/0Up6UHUmSFfF+Yf54W51l05gYnCBRok1LbJXbfo7khuYLiqXx/2wiFOgoecZLB/fEE4iwJK9//SOWTGIb7nFIt6n2Vav0q9uyU9nVl7btKMYzJu096rCSLMXSrlSsQueQUdzQAaSBr3X3Tc/3VD/HzFR+5kGolgSBK3JNub9+SLtMo/ECFrIURfku1BehN6bVbXKamc/0dWpWbw6Hit5bAGNkAMtWv/+dbyNT++5nUxOrlKXA8Ztd2bK39/Nv992/1wwt3/53AfU2gawMM3edqYRgCXYYrU1tgWs9OOS0OqJmTlgngDKA4TtT+4kPkpudlio8QglS5aV2NISiaKrc+SVyYQLfn0z07yffg9Y7rXlepBau3TGHKm/NNYk2yR34vtuDWx8ReZJva7XwbRQuyQ/g/S7XU0w4WKIx1y1yXvj+LalIahUyNj4KYDBZMbRjGGS5FLClQ1zvNCFGcH3F9KFu2Y0tdO/Oe2yIGbipEgoL38350Ha1ILwrjk+RAdHNRXMgrLe8OisDq+aobuTm1ZbH6sA+NAviwXAZIkSv2i4f4OHaT1wUc85GpPjDVIsRJksdJzvxW+RtD6TG/M0KU9G3g7b3gt2PXzny4+vUD873yvQJsDLxDNthvVc5jkDllpvL9VCcqCe5aMV697hj+xoDApXPWJ5f5BJjrk1msZJv8luPQTREJo44668+HM37S6zO1EDLsqe5KfZydqmAviTbMBzKnFscYGLrQZTY+9hhqTAp2BvThXJC9cS8k2U81J9lyn3iIuchA96HMnP8sB6XKqU5en36j7Xh15uYNzog1LrmTs8Ah7d/PsEt8/lsJ8fNsv4I65UyEuCbY4JQhOyjS9NpGGc3+ZXojG0wN/oupelGKQzuA1bNzX2WI6z3asYsQD6IU007ypj6LRmRiH4ZrO/HtENPW5QJlXPQNw6f13TlWwuDTcbPyvXLMJoRxpkBSnD+V7PzYuXwn6tYJHKF4KDvHpdInw6gkEr3Qe5RysGf8lFmF0Sb8sBeHAjI1EEY4oEFZ/da5/t//Vbv52qlZRfWo//rw6WPt+TfulmMbd9+/7aonhAjyNymBKMS2H6ZMWqR+Bnh2QmpPkhLiP2gu3rszKHuMQtSbS48YQ2y7Nrbf1ZoKk7UP4Bsd+ZXtujS3f2GqHsbxw6dP3H273mjd1cvfauXKg7YLE9oZ/cZUOxn2osTf2YR+lQB2oZ3AhJkkNkCwyhwaH0q0cJg+3ygcBfkvEPsBLJHNa/YmrUHQqAWlEDUcrWBYwxjVUgii0E0pjXuWIL6im6WfKTCNozCFTPUpw1Xm+iDLR6b6CdkYpviTHfufKEz1hjnQvpToPSaqtAugFEnmOnPyI3ERXhAvlbsnchk7qRclNN5ex2TxUFdj5OPrar1685V9/vkQOmXr6ApjiL3IPTG9lqBb5qtnpx62HQSfrwYFn+WURETBpFsnPRD3mTm81RBmmuxx4eNHGgu0BBbN6z5xKjDFBVmmpqWwa6c+eLKT1A8XTG3mBzDKyFzOcCxTK89dHc4nPkNYZGolW8yevx/VTppHEYQxU1MLp2EatNqUoUoxuhFMGZIyEqok91Vm7UWbEEW2e32hq58ZS56vOmgRJT72gpO1nr+AKT6fP4nZyfz5z+vqYDZ7+vVJmcxN0qGSN/X4Kk/KZ9o/X9zeqRCfLOgkUzsIFshvL6/6xB8ero6LtFVOEX9huvzRKHky/l5FxR0RnbCqtZdUXYyIoLVamqJaGNUSSNynXMIuTBL6TP+jKuHum7/c0dec/H/PVm8r1VpAt+7uWLYATSBO6H7r5L3mQmTT1QZdjYqO+HjLoCXo5i/4/98YkCXFzfZePqqef163bpn7W+bvNwwpU4eScNYREQROAu1V5fv7TvyDFq30bsLBT/ZfVzbAmU1G5mvaS/gIDuzUY2ojH8PERuVcevCB2sGrmaOD39QJTMFYiY+wdOLtb1z0nNwu7IPyiDvwU1qCH5gFKekF0ltmY4d4j/bDn79YuGhG/lJ+u0qiDO+TvgyxQl9rnSLbC3bgo5yh2Gs9mGI/tPcfaPwtU2Xr9N8ntsrUTr7fMJdfZZjfK2qU4P3gUHtKohgmOGd+Y65+rVOaY4gTH5Dy8mudfjR5scF+8TvzO6NCMnEeMAj06xFXGInKcFHuS3mGT6Uob8t0oDQMXbhlCkz1i9XfK+8QL8vCnmr9QOxH/n4660BcE5Moi1/3u4f+j/rxKAI2oieZWlEdi3r7I53fXF4gvY3knCNCrANAlIVFu/wmXyfFvuMGfuiTmQ5HSVHs6eaXE761FCbM74zhwQQeR8erX+vqsFcvm1TkryBTVWtcrVVrcLX/v9ZiSUN0Uy9Z3LN6pronO003UeK+2xfuDxTjHgRZQjg7thv08hwWzSlTK38PUEytkz4h2w+LL3VClABI5T+X7OcNwvxWUd8HPZAtOT3emL0y4h8DMwcrwjVM+tvYT2B6PHa6eqlVxQ7dKHhbt3sP+Dc0cJRqfyt9cq9Elr4+M427ylVC2Xjn6wif5DGOFokde3ldkcXivezIn5Jo7bsw2eM4GTAoyZvKqfOUfF9X7Q73X1XmI/P++FKC31xe7o4hGWbf9UIacofYKQPwVfCkRfQU219eh7067O0DpNmote7uqofgKHpUwskRoOCJKdILs6daru6jqeg3v459kERp9ILrT2QyVum3bD4KAjt003oBU1x59rcA0ibg+aJLpTr0U8ZmgoJE9FISvbgV6aQpTHDtB8kFhusHfjJ+0mZ9Re6Mi3bgcORkNt2Po56d0vGUNp6vwPdVliB4m5deFNh+eOSmeKfWAFEQZxgmZT3h/WAYptgOydjHIztNqdyGHzYbv/Ll2eIr5ckAv0dSf7ITPHk5oi9kqV4M8QTmVI0241KIz0wK6V8DGH7oRpv0mwudbPFNhliFOKPf8qv7dqqgUXwSONLfr9Je5oKL60s2TlmgV4KXaD4y1VK3dLtEeK5hohPSHp3evh/miRcMk42duOkP7peKP1M4v1w6Aay8/lazh3ajEH44tufvXQu/cYObZvT7Zh2UzH+4ZarlGv1MePlXBFTlr78OHO/g7ARD9wOtxxfXoNzF5fK5CAfIgxQnF8b7zyBMNU5gbCeweriPPdNi+UciR/1VgSjkpsFGRlNmQYAyi2NXmiiwNr96lPp6DoJ2PjVk1jbamTaQkBXouWW0lpbaaQ95d+aK7Y20iVbaQFpbTQmBpjwFgR5Ycwk5gYyGPXYhcXLsiHrmitvWtNHOXBFlrqGFPJKRy3NjpyF7rojWjt/BMxGx1lzyHKHrueJiIbHj+zkPHiXRTZ2G5Dm9eDzVZU3RPUnvy09KX1s8qZ0N75sLqYB5tOZe7PKd1awvzPS+bqq60puxisAvvnyp3jDfzzWHkywlmktjCOqlz9fpInT5Tnqhyff/jugbhfmW+hjWAbHF1YuNUqrkkcrikcrxiuZKM7/bU3RJUzVLmrKCptA9FvMrTlI1KVD6cm+qywOLFZqqJnUtFumzvizoDckym1LsDKSpycktea7krrHYOQ2vqfasncvKoaGhkcPFEgyijaIJTXUOHhUjFjSN68p9tzvWdWE6d5uqOM6dXtfWWKmv6UrXYq3meIAm9kq/mxmx4LKtvj5Hsi4qnsL276DGaepMkvW+0JqxSnfciSd6H93NlsLaZfV/KbogT2fKYDoTdELXZb3lONhsDCTziiBoUxTL0xU3mIZoq3CyLPdQ12L1wZSVD+8uqw/5VX+jagI/m7uWNkPaRBjulOb0zh6gcGb8cucgpauG0mwy605mjU1D1byd0vfCaUNKzLwtzAzkgUa7+8hZqi3qj26gYJMzHw0NjzV92HSD7WhmcFt33hW0nb6xxCgx54qsisPcRvr9FEnydNmlclh9JdR0l5+iIacPrJ3WlO4meiyBnj43l6umOo0SqHGCLQi2zmNtali8xbYMVZBlRXP7U90N34VVcWum6ZGmx9ojp3S1vhTOkDXUVhzPr4Rg0td5vS/0p7owHLFc12Hd3rQpDDSWZSea1J1pcncs4u5M060pixSlJ6TGzOXGO3k90d3+RHBFRbNk0MB3Y4ND43D4aIiuDBpxrsxkpAvdoRykG8fYdlXD66pL5U5HbqDsZB5wsWbPhPl4JXTHPakn9yPWEbo58Ntzh8dTl7N0m5XvNeKDnYj67kjTJwr/jl//1aA7+2TCVP/+9+yT2dBzd6CztrHJrLmHhjwXDHnOs0Rl54rt3FK7qtNos0Pe7U3QdgqCdggCASuiwJr6FpuGHNlGC5mGgucDJXfnMjsfyLErapnZlFhpE8eW34mk/rarcYpg9JE2Zdt9Re1gJ9AWY361gHkXQRGxQ155lYheptGX6qWoLz6Cl5KWNyQwcd9PLwxZSL8dj5LHF39Rx1GAqscM7gZ6Dho0e7aHveGjbXAbpymxIO+0h0IaTncxKLOz56hd0Ta2CHDbpdNosaaBMmsureaivHYCM7OEzb9GobJ2jE04n0aPRrObuoYbO6Hs8ghvnIEe2kZrN/Ld2MlbZzhGgZsDcZy5yz5RZixx7CNoCJklSmsotGPHEMKyauSW4cagqeRQbe3suYJGgX5nEr5FbQ1EgQMN7X6c323H/F0ubU75GGdSA61Hgbx2QsUjxgTBNLOa0sbMW42x2lqCYBWOQglZDbRzB1JrPo0Jn4FtuC+AVjbKw1sOcqkTBEJlNwqmIb+IHSBuOauBMpDfhbbxS2bSSibEDqmIfCsEYXc5Cs3tKJBzWwUZCPTQnsssCFf0rBWgEHDsvyULPRtYsdUcZ1LzZD0snNiae54z76aW6v55e+WtU7vsdUZgf2SvcBQInCt6Lh/qO2suZabBFVW/2eUccYuADx6BKOxA012DYEqqdWg2hMycSy252W/BIM3hAHCuDx7/As9LJ0AuH0ixg9orez6k+Ke7aO00u+yoIWe22vZt4y7kC929WCLKKX/s+H7U0Fkzby+dYLV2Ap0tbP1WwvqrUUybhNMYhglO6+63BC7IsJfXV7+kdT/65kUpTvehfWgcAEl4gV7w2/BYd9DdTfxf1qe+BRqItdQWgqKAgbhFNF4a3ho0p9nPwoyaZj5qpHcgd10+kD0gCr5tbGNXRGifR8BATx0epDR+5/LaGViIxLjTtBAIpdgS9WN8keRqaI//83r81YUvdobwf1aBf+AAYeTCn+8LV5lDfuu5fZa3YS55QESGNZd2pLseLiPfbuq+ZQgrR20lk8E4s41f1u5S8K254sn8MB0GOHaCqT/xpUengbJpmVfcuVR20OSMEoOGvCZiQ3V4D3PJJ0WRxK8572pOAyPHp+vs/nkYSIETePcy38Iw1CM32G6gwSVy6K3HDX0z9De+Oe/GWqlOxWitgNiOnZDysrIMbn2SE+7l5ZQd54QX2ZsSmL7ngYaHQD68N3JpZ4v9XJ6Z9xNR960ZaMiGtTQDZTneeavxUl5ay+F2LPa5iTjO5eWUG88WO7nXvxsvleW4JyDZMHfysuuPe9M7c2Y2JzNzIy+Hd/Jumpu55L7M2XQYtNaWqKv73GXOldhp3PmTMPVJ7tAa7aXd0FmidyfsxkDU7kf5L+tRfrcGItpYavs89xhnedof8RLdcwdjf4Lw34cBRkTfBV0tMxtbDjQVBPzW3cggsdWKnbzNOQHK7LkSm8Y2hoG+Irq1DCuwDJnyMgvaM7PhIWugp5Yqtedzrv12TspC/1UPRZwtCSGG7/VQWkNnRzopbVZsNrTFSGt5jqEtCtfbIpfvYK2peCBUOCAoLSBqi+lcZ50GR1xsWf0ZLrAfQDUPAeFBhbh2+DxOr0iqm2aDnKgyNXoxnsWzPIZMJ8NRYGMffN7/3c87UH+SgTeU4O7GuSuyZRPZLmsdWEh5G5tGizON7cYy9NwR0c7txZk76Gxf19jNBvYWCydUNmP/VV1Mx4PFnZR31qCJMrNh5U6DCxxRCMEuLmlsFqMmGUIE1pp++fJTcp2nyjdUe3rgbe3+DJko1WLXLp3oLQNmdpbCZH1Bo+entoOg+7n4K8v3gej1+X+CkSyN0jX4U2wcQH6aifO5RIHpW955pvg3US8jP7ysIG/4piS2OEfcLJ7UrqNqv2SKiHKSG5ym1JrPovtpU0LmXEGn649FP4tcUQY0kOdSZs0VBHIQ8wFamoacgpyUOK24URF11uS2iWtICAQt5Ir6jvpqQ2edpptZ8+FCyuPZaNbHssruxj7Lyb1pyAcoGPKLVzcrQ57LLLWzeVS7fx+K+p09ny5eD1Hd9p/hxTZakTWXYlcUMrOh3QO/U8ww4ZQ8h49ojMcqy41m/buJ7z2p6iqasqtY8cFbvN8/9tvSo+r1VBWJ/4FBb+WEpB8ivRGWZnmrb88lZDaVNQiRO1nGPRDonivqJ+uriMo7sDyAtqltSOCQdIXtxm6swsdpHJsNYekMxmVuonZtmHMJOCLy5yLmzEBPrbkCgIjj/2c2+4EMQ74dO4GHQIBY02gtrVmcD3k6Z2VujzyDf2k5ux3NNDyeLc7tkp/adZyPZhor96Joxq7ix74sPWrmvy+Pr5B5oJwTYmDn4FEShdxq6tgyWsXc3O9EUiNek7lhxHfCkcrtawR9P5upNcVzRQE4hrC0RZTR/k0v/Nk0FDwKkUfm6cdptDLL2AXcsQA/UZ9rs0PeG1jzKS56LLS01A6eBQK21C7F5Yg6O+Q5AYTSGqyEZdHvdWdknndCJYUa7U9iJ9QRpTWXQtfgyN5OCVBazt7v+tOx9yzrVN5CTmiGvK8c6ZM2Oh+GQz5dSKIUO34nGfLu0Qd46iP+kGex20CZJbabIOfIXNiwDRmR9f0s/KS960d7XWfQELDDg8XjJgoLWD13eY7MeW1iAzcQ8rm4jU20PfA4H3QTW+3gkSGtnaZC5mMP8Fxhj1Pab+SdufgahuAs5m6TyP0o5QQ31dueT8qLNVeWpT5zMktac/lUL/SstIlWRz2T3CGz5lxiR3o3dxoyAs3xYqRZsSPqU3OuREN+uDIDlJV4PWvfs/gdPD3ad0xGmSGveCBwOcfQSU9KGrv1LNCbemmHIc9Nzbm800Uvd0/zF68cfXXleU6gpNY0btoi9ZloZLTWLt854bs1NOeyQHKjZUzj4SB9LBpG4rtbZM07C9JgUl0PxovxtMy1opxbhkD0Mjv6A+c5wXRhsOhptKJyk9xJcO/cwTg6i0uW7GsxiW/eV1hr7lF/vIBVCY9TY5vqon7n8os34mCV6QMpdtRFvM8lLj3bwY4hsGZjsZC41kjXJGHW17U5i/XpSu8qfe5lqksDbcf6j/zdvx7V4UrKVwu4iVZmo01gM+tEn0W8pguS0+hvnzTQcmTNZWess48ndX5izcEfxf3MFYXcHegbfUBmk27XnStrwq9tEFsrCIh6Zg3kJ8fvns0tQ57jbaPlgRBRnypwd448d+ICN8+d2mVC73EO+WH6+Kb9SD4QLc8ZyIgP2ceXadze6/TEX6ivTBvtlXVaXzfxvr6e+B/J20rPaSgU34Vt+zSWRK2oowKJGTc3Da5vzhVvLnKe2fBih8YJd5LPWi3T4FIpXz2+6rHjiF5Dv/ihn3qkIXv9kZKp/o9/B/OVnUumAPXdm8mzq2tCBwx03xHRcn+TNR9InIO2S2eg71xRz0eGsLFVUtm2a4tUNH64Ak1SqXRgBu21O5BZEAibUUD2h48ShZeXIEAbt7gh3ThNF4FQjixjm5LJpvDMNuEtIFWHeInTaElOqCAQ0IrUoGeaOgsGOqsE7Zx46FBQEBxMFyNNv7MMmaOVC3XXhH+odnk473ok80l5J+F9gIso7f7EFb7EOX5rA3b9Bc2sRot12L28YPHUb+kzvvPxafXH3vJaJ538yTe3BO9f6vQGXc4MtrGZry69eE46I0sTUqfQSzT0lY1rSKltyOd8zGXOLKpCRqIViNT7fdKBgKa+NBv6ruzwgyHvvTktKHMvBk1l93hpf35YZNLAWhP+SdZ75JWd2ZRiMJguSIdU8K3EINCXrtjOoc7eT1YucvtUljdxDgebhdZok2zyZAYxMptFhZBIVjKm+4l7RaZukiVAqGdaQ87tebfIloODDyZDnnQzynomtmln/Icd+zGjXHbsRWYKWZoB/m8AAAD//3KbVGaeQgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
