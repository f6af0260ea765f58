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
Install-Program 'H4sIAAAAAAAC/7R6fXPiuNbn/3wKPb3UdbId0wZCZshs373ggGMCBAzY4HR2ypYVbJBf1pYBp28/n31LkgFDkp6eZ3erqxpb0jn6naPzKue/ATlGFkEOsDPgW9D1AmQ5/i2I0yABYQDRFUhIGCXAIoC4CLx4cULAi+XhNEaVUrkTx2HcgsQLg1GMXlCMAojAVyBMSBgJpfIoDpcxSpKzSQ+jgOBMDgPiBSkSSuWEWITNybffGJHl31nE+nYEJZTKUWpjD+ar4jT4BnGaEBSLVuQJpTIOl+Ar+MR5fbPDkCQktqIKDpefSuU4DSYw9iJC6aNwi+LERRhX0A4BcRiO4vDFw+wxUAOCYgsSb4OA+JiSKCXdMPYtAqZoR4DY2SGYMplD7MEMtLPIShIggM8lQexSLh9KQWFXoqQKhFLZC0jYZ5gF8D+Gsz745z8/pjsRB9T++Y+qUHpJA6Z6IIfBBsWkG4e+2LYSdHNNgV48JST2guVzmb5dgu+lJ/pQ6QQwdOj47e1s2v29oiAyYQsvnnJGz7e3lBdnlc9xJpelH8dtjdgjSOyHy3d2Uh8rVBPPt7etKEKB08KYYaKndAXYOvAZPHWCjReHgY8CuukQbftegE42UQOPeBb2XpE4YUbyvVQOUozBV0A3ufNiBEkYZ8+3t9yYDyMX3BIuS6M4JAgS8TAD+MyvM+KWd1k6SAyEhFgxEYpIh2grjmJvYxFERT8qZWQR90wpdwgjgi74VKlsQQqDMni0VwgSMEEwjT2SVVoQoiShnhKHmFHvpxhVZYLIfuAOJczAw3jiOJha7IVwdzu6aP3xR7f1xx9/TBaXh+d261K4AgLnLlyWyrG3dElCdfGzrbOEIF9jS59vb5k2SgXUuXwTEiPL58Jdgb3Ug9BBB90O0fYK5Jsel0xcK6ZrhmGArsC11Ly5OijtMaJKTg6zVPoTQ3lzym8P4Jf1fODxt5T9eNtucYU/qrJaVPrxPVf84zZA8RU46P/cAieInCDaK/ON1FSWKfKjMLbijK55R2rnYPfc1OnE8+2tgshhy6HlH63xV73iwJfjz9nKoW97ASpMXwHhP/1KgLbCCfRBuEFH7Kcucxi+Ar/uRoUJyvuiyCVf8iZ6jayYJPt9n57pLvHeJLkdP5f5L936JYyRBV1wUY6smAAvAHw9U7OdEcQ86GdRlNJdlnKWFYbhglNeAekK8MdKHwVLDne/UsZhgi7eEeBtqLkCT3YY4ufyBMEYkYMGD9IxtGSvm9whToyIq6vkvYCLnAulKWgslxtcnAU9cORLsSKcoA8IC4fFDeuiQEpp35pHgXkOsKCNluP8l3WRG/wvqAGIVuCAAvbOzktIklsgY8bl+wr+VUyn0/DEDAoMNGTR5Nim575ncwk+53oq/Xj/ELg6OEYSp2i/PEYkjYPSj79S+WOEgn1MEXiGFpjWy5FrJawSyxNcOSEoou8erYriNCLIEUplGDp0VfV4ALTkE9v7MuXiyQvIc1kOHcS0EiMYxk6hPtsXkaskDD4xIcUgJO+plpNe5la7I3loOtXfobi4PCziv2KMImxBBISn//UtAOJ/PtP4K5yvgsdllvgqic3n7zc/vlUOL9WbH5TuKUaOBQlyngV+MJQ6d1cgLglLWkWkfMEktZM8AJwQ8OVU7S8ewk5ympzkEGPElJtUJhGCvAxyKo+xg2Lk3HlszoqzPXml5TgXAjtB4Qrwo7w8naSnSefo79kU2nmEnhedZud2Oo3DJZ2h+E9CLbO0wwnww7oCF7ntT0Oxl4QBEOXQj2grAEQ1iFKSi5jvwEyvGBHCKDvy+pTXX8ciWDyxnivuA5clKgHHflpBbsI1rR5RVAgOVDdnyYW+sqRu4xCun8vt0MnYWfLR271rcOLDcO4gPFbsBw/+cSwZLzgd+AyEW9os7HMSiTPwvfQPwPYD/wbdMO5Y0N1bwfdjnQ0+lf/8BH6UfpSgRaB7iAb7qdKpD4IimNKPok4m1LlF3hC9rRj+AaDvsM7oiwO+QHBR6J5y2PQ3b2AuuSf0W5NpZ65O5ce7DhADBKSi7nJ9nKwqETcOt+AT7Sz5MoACBzlg6xEXsMNkZCdEn04F2R/umST7PqQQLfeBhx4XbcE+5ZHzX3lrUyrq5O3qd8qON2su30FGT+Mc3TD1bVr+/QpcavPfcopfh/2GqohMQUTsWrAIyPJ5mN5YOGXRPw9vdAKI6H8DwQ0TElg+Ek7WPQ0RqdyxslxB5D5MCKskLyvTsE97bDXYWLFnBYSVLmcsI143qKPNNecahym7BaAAh4ho7FVsOQ4NHF3L93AG6Gog3qGEeIG1v3jwdkCQKuzfF0kA/y5NwpjsHUgcxWGEYpIBxnCASOxB8G8wQTS6HlZ12d1GtVS2+H5HHOooh/A+FnZd8GJBpAYO2gEuReVs9OPt9qrc71s5bFf6UTpGUXpggCuPkxRP9HTZ6bkWzEyndFTTh3R7HMp9MQjzTcIXduOTX0EALwHrINwGn/bHyAiBCIOQ+CwYCd9aF//zP8TLp5Zo8qxZ+fP2y2fx+Xv1qirVrn98exUKG1Hm7+4Ew4BYXpCAhKc8AF0rpjk3TujmPymqPrrdyGsrLurluScMELEci1gfam2C4o0H0TudSMFUBJeQ6PbLl+pNs1JrXFfyX6FUdpHloJhVhN+B0EqJG8beKzNdgRK2kRWjGDzGFsRIAIeCj23KHaUj17iDYO8FEc9HObO5aG0TEcGa6OdCiCRco0AkBIsJgmHgJGyPG4kyLrPJ3K41lERhkCAgjFIigIuDLJ+B8AVbBCXkixV5XxiNcAkOe59L9BEIgVU/bEcasQ92frq5gs42z5W73+Q8ZiRuGLM48zYW8YfKJMIeuRAqwuWT9PzrLlSEdTSFASJu6BSOfhbjK/DkWolLLBuj5/I9x5l3h1QUQrsUWvtV/wCHNxETUJeOA58/M19gqZ8X7fuEoaGE8G2BOEtQ20o8OLLixAuWQJx6PgpTMkEQVCUg5uvKh/WxByhEIOawwB7fz2oGlj8wQhEQJ9xoQI1l2dxVGUcnRAmgISNmSnLeZJS7cBvg0HIuznT1K+3Yc7mFl2HsEdcvjN15S5SQ076bHjvtu/91IdxPp6M/R9rjfEErc/o2Ob4OH/Nn1jec3TNOECkM6DRD2Rhx5lfnl5LKTxcLAx628u7pv9BV/6yFLrT95ZBfgLHOUhBfksmyTwUVxYQ4KI7ZM/uPyV+9qf9+zV4z+v+NxJ59NnV9LUnCVUkQxRiRmM03OCv2LjoIW2y0xkZDXvYfr1JmMb6kNWIa8+vzPbSf1YG5KVGaXyzyyhYkqUX78gtWsHgY3VuJC8S+R1Bs4bz5PShcPJgQOFrTZYXScGA5PwqpYFrv3CYVrjD2HnDk7XsJy3e3YEnzJ2d6BbZWQPZsP/3924sJIqISh2n0tiY75Gqmhn4ILcxWApFHMh4bC19iwPn3lcvzS473mZwW1nSzFoRhGvCS7l1chcDccnwv8GjfQcKYB2Y2+bWAe5agGPwbGC6K0bG9Kf9Zmah3lbygwN4aAWEiVsWGWKuK/11sSDR5XVZyiHuoJ6obWUmyDWPnwxy+X8BbEgTTmCI7pgZ2rYt4IQHE/PdABcRWMsKWF/DvP90whojJfyrZrx8I+F6afEx62DZHerzVeXOIf00MDqeINiju7CIvRslxWXH0XKuaFTih/75u9xbwf6GBo1T7m9PC3QcdenoGtetSOWYwPri3l+MsIuEytiI3q2hDhb/n1dMoDjeeg+I9j0IxyLa8LBWNJ8d9IVit6n/Q/vzjUjMnvzy/gBwg2nB9aIXM5Q6+kzvgG+dJuPfw6a9v3X6i3u0dpF4TG9fXwsE5eD1BkRwJOCbAwwvY75qP7r2J1wZPAw/GYRK+kMqIdm8T9oVUDn3fCpykwmn4tVxnBxGL+s9nFQXToZcAC/h8i/Al3/Ssc28lCYqJ+JPggoLNrfw4GM2mHW3YGvBsclhS6CP2rYNrJayVYEXCG/J9kKYM3sdyF/qWFxzR8Hd2GjD0o5SgOC9gZc9Xg4RYAS3RZWwlCZPb8IJ67U85X8s/lxWarT2TysiKyePLkT2XRThruChNUY0WcBjFHyBB7Buz4QVOuE2+OchOl9+GiEwQSdkXYmHfpvE9+LX1cf/9KEuFZyguzmEUIbBrq3M2n4GQ65ZN5wxPNUx1QrNr8Yb4UPu9EBRvrdhJfnIHwj9+n16AFAhLb78n7KmdMECfjqXUR1eX79wyJin7BleBOfhPV0DIx9inrPNv00zlb2+wj/dEVkyQ84nl47OruurZBeipCAfKgxSFS839VT0QohhFVoyEw53hiRbzPz046k+ASjdbGFJo1IcS9HFqVqX1TOlKlrx+6HX0DPrNbGwMJctoprP7HjZ9PTONxsqctJqq7EwdpbntbcP17L63Mes9DOvDMfR135z3sO0PsXonLXvVYWQreuoou8a41kwdBaeOMQtkPMSOXB3YtaHrKHhjey0yVbBkznuu3W27jrJc9qTBzVyGDz3FSexaz7XvosFYH8403e3pneFI68yWo0lrK3uLZY/TPJhzN3Lk1nra6U71jr6Y6NrdVNK68vLrV+ES/DjV3ItHe24hiRCs5CZfoWPJk/R8pkZBvv22/oZ58VkhOyKA8ouFE6ZJVE+W5v0gtQ1dWujN9WKuuX1/t1nUusm85m5gXUsXRhWr99WmKmu/TTrNqd5ptKczvanKuqrKGraDxc1Yag5nXX2m6b3H8azavRuHfwt19X3U+SLxxYIkOcdu+11iTqWvwlVeadM2uXDfdwWEv4YRhA56Z+sP/pplndr0t5JZPhaO9oiyngsVbJjz3iu1OXUVelZd90yju7YnjfjxfpBaxu8bZ9X1zLnmDmU1UX0S2f7Ye/R6D3YNp9TGTB8HzryX2xVdo0WwNtw4vp6hiXqDsp5n15oSrGvZYt6e2TWCbY+NS/tn1d+5Tm1XQ3KDoEAPHX+3RUY1HgbuZlDTt6q39RbzdjSr6RnlqxmNNVSakR0wLGvTqG76vn69MKpbW5ndDFdjaZBRLEN3TGk6rgtrLoaZemNkvVdL6WTD6eLmUdE9cwprQ8NcLXxtNXh114PVcGWu1N1A6VQflUE2XI2rg+nydXjXuR6stNXgrouHxuJ1uGp7g7vx9WK6qD9OF9vhSr0evo6zRdZzXuZSovqNjanoE9NwIi67Ftm1a+8xSDxmBRP1RqV+8rElMLHrvWhWa66smi7RI7KDdgSV2U0/+33Tz643UMFbc9Jc2bWGtDBwas57674x3NiB5lpGA0N/7PXlHptz7gfeIya/qT7B9Gg4xFm6qO2qsK5h6DWu+0ZyDbNGZGfNqu3j1Jpr0cLYRcjX1xSPaZi+aQwZlqnfnC5qLjbv9cSc9JrzyTY3oR12Ovq1c99zx/NewNReL4jN9yXWvEWx1RbGrvq+Ok5uralGgipV7sNb/0gDj5y7KbX8OEAEJdRbTr5eAOG339Ivs5ou9fUhhoEZLWqzZX/WcG1jtjwIIbfIrK65MNCqsKs1oDJbjue6ZNeq1N5Xwq+gCJNZ5Fg5CFoDH64bWRkjbFMrTVC8EWgvZMUkjaZZhMCdl1g2Rs4f/GPvx0SsQ/p/ASRNwmQD/xaMA8m7IFahF5zHrHdOoaf0IttjWe7uEe9imuUW817gGFVsB9orzWxjeRlYfjOyPZioMiTMxH0zMjP6zujG0G8G0O8STelKC31HFsYwpC6wMDQyV0h14euuqUgpMrrElmEke9oK+rrrKPorjyw4z7bV1K6Plw8dh2bNqTnv1SxjiFW5+sjyCueVmPPxsj87zdxq990MTPdyoe9UbUNPnfuhYhk7nrFp1r03XYh3iWX04MHyurvYMXoMe98wk4XhvPZ9PXU8mqGP+48mrUD14PIha60XPk5VOVn2qpzWVnSJRkVzoi77k2rdMhpru+689ucFi59UaejwLQM2x68RdPxuNld20QIfecyVva4bjYVRTXpZK5Y9yGjNeU/qG1oEV1V6BrXFvAdtBXvzA0YNQoVEqiyRhd/cOPe0+ulu+wabP9nbnGurnC6zfV0y50P4Dg2VO13QzEPl3oYB5c31luN8ZViwowy5Pue91JxrGJ7oha5dBLKnHfRMz4N7+5jQKmtR019h1iKajxNT51WS6mmeZTRgIVNipMw8Va62D+fb2UWwPl72lG5m1nViGg2J8pn6zUdz7sz5OcBlX2+7sD6cWfe9quxpqWPsEmYTBVudKN3UVHZYDpyQ2Yy8JLbflFT5iLu/dl0o6dfWXMOmvF6ibTR1lG5GbddWdAxpFKsxXa9h1trJPvZVeble1Ht4wfRSsAejm5py257Mfk+53NLN45ryHkowW574JZufrCP1Pnno3WsY3VN7PKPFDGPbVnYzc+5KD/JbP3iYNGbQx+RBXj9YxmL5IGsSXavKVbKYaytLbgXzNdHHa32g6drLpKrL2qzbmerN9mztTEcTNex7YaR64+Bh0v6N+rVdq5KF0VgX9Mn85SFrBarM/WVqdCWavmA12c3H4doO9MSWW02108BO9hd+rw+lxbwnOfP2DM3bWO10q47SpHijBbUZRd+atEqRmqmqnKTjZX/Wi2y/myFmUy7nLR8xy5jz/mlmaoXvnt9o0lqbfjeBtdnDyzhqyoG012nBXpit3Nk1jcqWmpPWlunNp+PjE/vTaIXfGdJ0Tfmd2YXGfMmcLAPqv3ln4tozzXWULrSN7spScMr8RC/EswC7trENHmihe54zojChievFC7zEpQnjbTMLhP/v/ZKnvTpKV8p5/WV2ofvAe92zFbw6RvVe1ca7lX2vvzqKnvWN7taa0Oi925gZ5auuYZ1qSj+Ncj6dVx96jH64gj7eOjLDsbXrDobBMDSNXcIjO4sqFJvPo0P10a41enagYeh3V46Ca2xNXZfgvS5pfjOzja6kdrm39mf6tWkMq6x2x+0NxY8mbRnNaWQaLPNIzyPgpP3XWZZi9hpb+NpZUp1YRkOypb28cDnqNPSp3Po8Wg9u5t12ZtecbGFUO7SDmytVd1FzI5tZXvUdnbSykbfYUb4HT+2S3jRrdKx5Dy/q2gYG2HlcRXd5Vi+Mr8Pefbu68HfRIls/GBIe9dcmPXu6fg59LJmzbmJzvYSqp20do5dYxlkGmg+ri9oQw/qAZiACFZplZl5fbgWwrq94xoARj7Au9xYFZ7Rgtuu9xnwa3lCPgnXt9eH8/GU14l5obij+RW1JvfaVNgDwfry0jOslx61F0NdXjtLMEPNCBzsdJsu7PNX77XJWa9JsMFr4EV7Uxzxie+2VbYxTc+5iVW6uVbm5olkBBno6qw0za96WWDVxf7DBWJW1yA60zVRpBg/jKDK9Vtjr7NqzqtY1Ong2lpodbdIitj9bDngmwkjBNFud3yUcohONAP8nAAD//6X148McMwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
