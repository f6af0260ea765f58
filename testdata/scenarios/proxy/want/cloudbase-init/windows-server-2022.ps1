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
Install-Program 'H4sIAAAAAAAC/8R6fXeiyrrn/36Kuj1Zh2Q62mhi9jY9feYoUYQoKiog3Zm9oKgIWrwcKFTSp+9nn1UFKpqkd599Z9ZdvVarVNXz/vJ7ivwPIMTIIsgBdgZ8C7pegCzHvwdxGiQgDCC6BgkJowRYBBAXgWcvTgh4tjycxqhWuejGcRi3IfHCYByjZxSjACLwBXBTEkZc5WIch8sYJcnZoodRQHAmhAHxghRxlYuEWIStCfff2CHLf7CI9e0oFFe5iFIbe7DYFafBN4jThKC4akUeV7nA4RJ8AR9yWt/sMCQJia2ohsPlh8pFnAZTGHsRoeejcIvixEUY19AOgaoSjuPw2cPsayAFBMUWJN4GgeooJVFKemHsWwTM0I6AaneHYMp0DrEHM9DJIitJAAc+Vrhqj1J5Vwsqdi1K6oCrXHgBCQdMZg78L2U+AH//+/vnTtQBjb//rc5VntOAmR4IYbBBMenFoV/tWAm6u6WCXn5NSOwFy6cL+usKfK98pV9q3QCGDn1+fz+f9X6viYhM2cbLrwWhp/t7SisnVazlRK4qP45s9dgjqDoIl29wkkY1aomn+/t2FKHAaWPMZKJeugZsH/gIvnaDjReHgY8CylRB24EXoBMmUuARz8LeC6pOWZB8r1wEKcbgC6BMHrwYQRLG2dP9fR7MhyeXeSRcVcZxSBAk1cMKyFd+nVAeeW9SKoKSu2x/HkmC9Jnf1Rs8b7U+f/7cmV9xlYORAJcQKyZcWTkFbavj2NtYBFFrHe04toh7ZscHhBFBl/lS5cKCVHJKYGSvECRgimAaeySrtSFESUKTKw4xO71fYqdqU0T2Dx5QwnIijKeOg2mQX3IP9+PL9ufPvfbnz5+ni6vD9077irsGXE6du6pcxN7SJQk1389YZwlBvsq2Pt3fM2tUSlIX+k1JjCw/V+4a7LUehg46uENB22tQMD1umbpWTPcoYYCuwS3furs+GG0UUSMnh1Wq/UlsvXLnqQOuweHniLgoTqhHftnwB6L/lvVH95127gEWTSUvHH9TT4CPoBDqGnCjbYDia3BwzXk8TxE5kW1v51cGoVrNkB+FsRVndM/riLxwDrGfJw5deLq/FxE5sFQs/xiov5pjB7q5/AVZIfRtL0Cl5WvA/adfC9CWOxF9GG7QUfbTbDo8Lnn0TzOstEBpX5apFFte1cKxFZNkz/frE+US76M1D/Gni/yTsn4OY2RBF1xeRFZMgBeAfD8zs50RxJLrZzWZnruqFCRrTIbL/OQ14K9B/rU2QMEyF3e/U8Bhgi7fUOB1FboGX+0wxE8XUwRjRA4WPGjHpCV72xSpcRJEubkq3jO4LKjQMyWLFXqDy7N6CI50qawIJ+idgyVn5YF1WTpKz74OjxLxQsCSNdqO85dtUQT8L5gBVK3AASXZuzsvIUkRgYxYrt8X8I9yc56FJ2FQIqAii7baDvX7nswVrRWMTuXH207IzZHLSOIU7bfHiKRxUPnxZyYfRSjY1xQu7/ccs/pF5FoJw3VF77tICIrob49irDiNCHK4ygUMHbqrfnQABZDVzh70XH71AvJ0IYQOYlaJEQxjp4T29pB0lYTBB6ZkNQjJW6bNj14VUbsjRWk6td8BqlwdNuWf1RhF2IIIcF//z7cAVP/zifZE7nwXPG6zqi98tfX0/e7Ht9rhR/3uBz33NUaOBQlynrjcMfR0ka6guiSsn5UlzTdMUzspCsDJgXw7Nfuzh7CTnLYpIcQYMeMmtWmEYA6qnNoodlCMnAePrVlxtj9eazvOJcc8yF2D3JVXp4vUm3SNfp4toZ1HqL/oMvPb6TIOl3SFyn9SalmkHTyQO+saXBaxPwurchIGoCqEfkQHC1CVgiglhYoFBxZ65YoQRtmR1ocCsh0hdfUkeq7zHLiqUA1y2U/x6CZcUyyKolJxoLY5ay70J2vvNg7h+umiEzoZ82X+9H6fGvnhw+MiQfJasX94yI8jmrzMz4GPgLsHXJ7itMiTOAPfK38DjB/4F+iFcdeC7j4Kvh9RO/hw8ccH8KPyowItAt1DNdgvVU5zEJSFqfwo22RKk7uaj1evEcPfAPQdNmd9csAnCC5Ls1ghNv0sxqGrPBMG7emsa0gzYfTQBdUAAb5su8IeJ7sqxI3DLfhA59R8G0CBgxyw9YgLmDPZsZNDH04V2Tv3TJP9VFOqlvvCQ91FB7oPReX8RzEoVco2eb37Ddjxas/VG5JRb5xLp6S+TeHfr4hLY/5bceLXxX51qiyZiEi1Z8GyQJafl+mNhVNW/YvyRhdAFf0TcG6YkMDyEXey76uCSO2BIXYRkX6YEIYkr2qzcEAndinYWLFnBYRBlzOSUY4bpPHm9pQqFXB8XKz8qByrCRUc5ETy/WXNTred6lcyt0bPUY6HtnN8VMRkEBZMwmd2j1IM9sBLwDoIt8GHvTrsIKjCICQ+S0ruW/vyf/9H9epru2rm3aP2x/2nj9Wn7/XrOt+4/fHthSsxosTf5ATDgFhekIAkL/0AulZMe0+cUOY/ARfv3RkUGCNX9eo8IoaIWI5FrHetNkXxxoPoDUR+YTkOq+1fAOcSEt1/+lS/a9Uazdta8clVLlxkOShmyOg74NopccPYe7Eof44e7CArRjEYxRbEiAMH4MOY5gHTFRp5oGDvGRHPRwUxo2ptkyqCjapfKFEl4RoFVUJwNUEwDJyE8bjjKeELtljEmYqSKAwSBLhxSjhwedDlI+A+YYughHyyIu8TO8NdgQPvc43eE4JjKIBxpJXrJMiPzEV0xrww7p7Jee4kbhizfHudk/mX2jTCHrnkatzVV/7p11OoLNYxFIaIuKFTcv08xtfgq2slLrFsjJ4u+rmcxZREVSEUrVMMVP8MDr+qmIAb/vjg40eWC6wF5uB1XzhVlJCcLajOE9SxEg+OrTjxgiWozjwfhSmdy0GdB9Vi38Vhf+wBKiKoFmKBvXw/652sjmKEIlCd5kEDGqzbFKnKKDohSgAtGTEzkvOqsj6E2wCHlnN5ZqtfGUueLtp4GcYecf3SswdviRJyOn9St9P58x+XXH82G/8xVkfGgiJU+mt6/KmMiu8MP5/d3k0RKT3QaKW2McqJX59f9Yk/3cwN87JVTBF/Ybr82ShZGn8vwvyOiE1YXPU5mS4HVNFqNUlwNQirMaLhUzwiDopj9p39x0xSv7v5/Zb9zOj/dzx3XeGqPlu6veX5/GiMSMzWm6XfVQdhiz1tsKdhjoiPtwzzGF/9hfj/G4BpnN9s7/Vj5vnHZfMa3F2D364AbVOHlnCCiCgBO0bWuvLj/SD+CUQroptK8Iv468KCJLXoyHzJsISHUd9KXFAdeATFFi7m0kMMVA9RDY4BflWjZ3LBCnpUpFK0v3HRU7pd2CflkbbvJawF34Mlbek50WuwtQKyJ/vh379YOAMjf6m+XcRhSvZFX0FEZT+r7bza9yzfwxlg1KsPKCFeYO1f0Hg7wPE19u8Tz4Fq6f0NOH8rA/5VmYYx2Q8O1XEcRigmGfgOLv6oMZ5DRGIP0vbyR429NHm24P7hD/AvMEV04jxQ6LG3R/XcSUyHs3Zf6CONC1Xe1unASQoctAM5pdrZ039V3mFetIU919qB2c/ivTzrIFIV4zCNXuPdA/5jcTwIoYXZTlDNu2Peb39m86vzC6S3iZxKRJm1IQzTIIfLb8pVavZtx/cCj850JIzzZs8Wv5TknicoBv8CuotidBwdL/6oTaWHWgFSsbdGgJtW69VmtVGv/s9qk6eA6KpWiLgX9cR0YytJtmHsvIsL9xvycQ/BNKaSHeEGuzxHOTgF1eLzcApU28kYW16Qv6nrhTFETP9TzX7dIeB7Zfr+0QPbQtLjjdkrJ/75YXDwItqguLuLvBglx23lp+dWVa3ACf23bbuPgP+CBY5a7W+lS/dK9NHXJ9C4rVzETIx33o4IcRaRcBlbkZvVVEXMfxeIfByHG89B8Z5GacBgLK8q5eAp5L7krHb9PzjwEbw/vhTHr84vd4eIDrPvRiFLuUPuFAn4KnmSPHvy5S+v034qPewT5KZRbd7ecofkyDEqleR4IJcJ5OUF7LkWT/fZlOPNr0MPxmESPpPamE7GU/YuWwh93wqcpJafya88uzuIGAh4OkOpzIZeAizg5yzC54Lp2a1IO0lQTKo/KS4o2NwLo+F4PuuqSnuYw4HDltJsuh9HXSth4ykDnq+O77ssJfC2LA+hb3nBUZr8N/MGDP0oJSgu+ong+VKQECugY5+ArSRheutecNP4Qyj25m8pSwP8nkhtbMVk9Hwkn+vCnQ3x9EzZjBZw2InPIEHsrwF0L3DCbfLNQXa6/KYgMkUkZe/yuT2cynnkrwSO/PdPGZY5k+LyXIyyCOxK8JzMR8AVtmXLBcFTC1ObUHhUvn0/zBPPBMVbK3aSn9wv5X+mcHq5VDpYef2uZn/aCQP04QjP37sWfuMGN0nZ+80aLIT/cA244hl7TXj+VwTM5K/fDhzv4KyYIOcD68dn16D1s8vlUxUOJw9alC6M969BABfFKLJixB3uY0+sWPyRyNF+HBR72ULnQ/1G4aGPU7POr+dij7eE9aPc1TLot7KJrvCW3krnfRmbvpaZenNlTtstSXBmjtjayttwPe/LG/NGxvBGmUBf801DxravYOmBX8p1JbJFLXXEXXPSaKWOiFNHnwcCVrAj1Id2Q3EdEW9sr01mIuZNQ3btXsd1xOVS5od3hgAfZdFJ7Ibs2g/RcKIpc1VzZa2rjNXufDmetreCt1jK+ZlH03AjR2ivZ93eTOtqi6mmPsx4tScsv3zhrsCPU8uROE2o5ZIIwVoR87UoDncZNeLJxS3gfvst/aTzWur4OLMbTWLqTd6YhXfzhsarerNhGfLG9uvYDlR9YcjRQpcTc7oMpj11Pu+1JvN1a6FPYSIJTuj01e3I+30D+/IG9depabiubXQScxa+DGfSrZxtlzJfdxcNN7L9efA4iewzHs5oFc1MQ+3ZgRlBv5XaupY6PdOFPnYX/g4/Co6k9dTJvP7fwns0O+WbUFfboruBN5NkOJNuBqt2OhRudwOhubL72osjatnA320WjV4yeOhui/Xt4GUZDIR2MNN7K0vEqTmFkeCp+IS30G5J3XYo8+5c63We5z15rPfWLauv8vAh3AxuOpl94zYHvna70OtbW5zfDV+62Uhgsp3aaVb/RRs1x0a9M53VXXOs53JbYuvFEba74Qrmsq+6ycBXEsdQeNOQUltsrRb6NhnOCt1W7c1IgJHgmxvoa+6isVw+CuqLacgNS1ewJOKU6dVQNnagupbexNCfMHtYN5pn6jvsCDB6nHZ+Ezw1No01TYlg2iXD2SyC8zqmaaAYXaUOA5n67sFuNHnotxIat0ZPwTAwo0VDezEEuHzM2mvY0DLHxytzEkWm1w41UXtxhPpkYaihJNSHlqFi6PeSvFS011ZDazL+eUrLjqgRWhKgqGVOf70czHcR9e1C3xU0cjkH86Zr6/PlaWxNlgNNbUJxvpwZWuKIeOb05cj24XKgma7d17AknPm+HbWEgH+0fY2HjSX1FZb6TmT7Lu/020vY0Hipn/tfEpwt9Fu3aFpnNjYNqYiRevG8iZHYI1Dc4dFquBuulr+x9f6w9X4stINFgLcLQ3kZ6LsI3kxaYzGPh/GKlOP+t3Lcj7IwXTR2dXijYug1830CfOTOq9Szh9G+SAWhc17g3//zxm/r1KaftczyMXcs/CiTXShi3TTkF1rcpVXo5dHUW9vTZjzqD1NL/33jrHqeaaiuIkiJ5JPI9ifeyJMf7QZOaTE3fRw4hlwUcLpHjWBD2Ti+lqGpdIcy2bMbLR7eqNnC6MztBsG2x57z+++Sr27thnlnT5sEBVro+Lst0uuxEribYUPbSt7WWxidaM6iUstUvbmGYiuyAybL2tTrm3JWK6sJP8yoLIo7oWe6rgsbLoaZdKdn8osldjNltrgbiZpnzmBD0c3VwldXwxd3PVwpK3Ml7YZitz4Sh5mymtSHs+WL8tC9Ha7U1fChhxV98aKsOt7wYXK7mC1uRrPFVllJt8rLJFtksvNs8InkNzemqE1N3Yly3dXIbtx6oyDxFjdyNG+0VhaNylXo2UEnguL8bpD9vhlktxso4q05ba1oli50nJqGvB7oJ9nvDQSZrTn9oTfC5DfJJ5jaO+c7L0fV7UBPbmHWjOysVbd9nFqGGi30XYR8bU1ta+qmb+oKk2Xmt2aLhovNvpaYU7llGPXW240zDbxXfZMGWxwggpJ3mictOANtX3DmhwJwLGRtMr9RXRioddjLi8DE0Hi7UachtuJ+RYowmUeOVQhB57vD6xkG0bltaqUJijccnfOtmKTRLIsQePASy8bI+Zz/kcj7h9j0//9CkDQJkw38t8Q4HPllIQ5YRkVJfg91SrG4rkWx8x7VVegF58XnDd/KYrNui9vleNqxp/PfU1XEGQ0r+0ZuUpA0uZHxwlBx+fmj4DyM8A47ogJZDBhyatLmktGGiFcLXUlgRgvyPMeCosYv6rvY0WUM/SZ2RO1FztobWuDtGyc1DWkpZ9FsMOsSZcq/DD2+rjxMAsHHviQsX2FCSain5rS9pc1LErVby5gs5e6uM6+rPb2L5xO+1VWnnda/I4ulN0PTkCNH7KWLxvwOem2KjV07mNDvwSMekuGUrw9m3duR546n03U44deR6sG3ZL977Lbkx6n7MJ1iUd7mDfm1jG1i+/PlUFgvUdbBSMS8JKivsPLzJFzbgZbYFCz1iDzLml3LkPHiRt3AAFNQ90BBiCNqpefrkOnbN12Id4mly/CQr73d1mqsKUCMFo3eyu4P8+ab+7WxMGRoi9gzRFJf+FpiGiqEIon+23z2Ex0koUUBA4Y+5hd0xplFmSS0Auj3UueBfof/nGf8bjCbk+FseeqXrOzXYTaYzXnlIQxn/Dp67Cry43zxX9fHUz1Lv2XgbvISQSujc1EvM280NojArADAjWhj6bcMIA6mddpGfEuH7Dc9V8xqrj1XXUfsQXsPqmnr1/J4XugqGQTYtfVt8DgJ14sid2H9WLvHLOZavCS4fdOYkPkeNE7bZOb3iDntMFq2qPGSUO/BQN7AdW+VQ4XOzNJ3FIwmaM5aW2QHGma8DDlwdDZkvKg+TopZ8914OsKWum+LvYD62w4WAQXDB/50Ds2kQBKSpSzKke21Y0lwjjEgsBjxJIEnTgOnpti6gVn9CMIFniwKuDOevxtHe1unSO8Rm4LpbRjkZ7XMEepry5Ba1AeO38sMcRct8O4go9HvxNa0TQa6vLFv1BenL7tQqOf+KPN+o+4Y4uszlObAVza2v6B6P8oZpc3stpeTyWIa6qqwZ0YBtGkoZbuwvXTGP9qZ1g6FXxgyP9A6md1QMLwZLgdzk875BcCX1gsfpwVd1xT5vC54bTI5+ndoGQqtUy70nToD8n1Kp7mZ+dqNVvhBYoOH8qKJbuaU65egHmN17bq2rybmJLqxRBYz4UBvbhw6nBxhrbQwlB6tjaY+iaR+8phjDRq7O2wa7SXFJszW/eFyWAw/sqhkpt6jdpkd46Hu2v5kqfN4PFgzvWntpLRfnP4wPMlLnq7P9wMabxoui8ezs1Mq40TfJZqo3TrC8o08WKcaHYSmy2hfSxy2t01svcfTwVGuNwfaXO7Nutrc4Ik2WWsdtVt/nmhyf/7Ce4/C7T8fp9JaztZLtA3Xi0aLnk3Nkj3zfE2WtKaxzy7FXkpoGoo91PjHUp8fmQb8s7yfOWIvc/raVutTWNvpOIa6ofJaOvW1iqGopWZfGdte5wTySkJdsPSmCwPMYiqn3T7K3I5y2kK97JfRQq9j6VAfJo9v+o/WA5EOkwqmg+PzJGrtbVqKFxYrk0ZrbZb76zba99dS/NG6TQdrldE7822X5ZI4z/toj+aMky30endhqK4h7i9aaJ7US/Ws2Vzo9UTO1q8Hwihkt1bPXuAlLgVkr69XAff//QbPU18csceXKvQE+qxjElXs8QttRxa6EtKhhVqJ8oF9zbNFvGJ0WUeW6zbeHa9/9N7WmtLOttuYtKMJ0hre0E6lwYXf2jh9hYd+bzvw6br0KLPzygr6eMuugARna984GAZKaOq7hA6GeWS2qGw+7To0SuxGU7YDdo1BO1KD7bnReNjXeNVvZTRCpZ6KUX+yHMy1W1NX6qxz4c6Gyo+mHQEZHZdWPjlrx4IHSZ6lnT+1A9PZa27hS3fJKqve5G1+ry9cjrtNbSa0P47Xfx4tr23SzsbeYkfp/iWk1+/UF/4uWmTr8yg2KDIy573Ezu0SSp66dXQ5sXTlVA5DqS/yrpDSbIUii36PIhB4o60WDe2lQPi+JLhvTguq4dLB+eXx3P+ClFfSs+syOlTD/mRJEVIutxpBX1s5YitDGn83WjvY6TJd3qQp9bfLeaNFq8l44Ud4cZN3CJlWJX1SoNrWWhJaK1olYKCl84aSWUYnr5b9QwzGkkDRjLqZiS2GjP8UsR8ryjlizytTwLMK8H8DAAD//073fntYOwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
