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
Install-Program 'H4sIAAAAAAAC/8R6e3PiuL7g/3wK3d7UcbIdaBtCZsjsnD3ggIHwtME27s5O2bKCDfJjbRlw5vT97FuSzDNJT5+zu3Wrqxpb0u+p39v5b0BOkE2QC5wcBDb0/BDZbvAAkixMQRRCdAtSEsUpsAkgHgIvfpIS8GL7OEtQpXTVTpIoaULiR+EkQS8oQSFE4HcgaCSKhdLVJImWCUrTi00fo5DgXI5C4ocZEkpXKbEJ25MfvjEgO3i0if3tyJRQuoozB/uwOJVk4TeIs5SgpGzHvlC6wtES/A4+cVzfnCgiKUnsuIKj5afSVZKFGkz8mFD4ONqiJPUQxhW0Q6A8iiZJ9OJj9hj2QoISGxJ/g0B5nJE4I50oCWwCZmhHQLm9QzBjMkfYhzlo5bGdpkAAn0tCuUOxfCgFZbsSpxIQSld+SKIB41kA/2M0H4C///1juDNxQPXvf5OE0ksWMtUDOQo3KCGdJArKLTtF93eU0euvKUn8cPl8Rd9uwJ+lr/Sh0g5h5NL1h4f5rPNrRUFEYwevvxaInh8eKC6OqtjjSG5K349kjcQnqDyIlu9Q6o0rVBPPDw/NOEah28SY8URv6Rawc+Az+NoON34ShQEKKdER2g78EJ0R6YU+8W3sv6Kyxozkz9JVmGEMfgeUyKOfIEiiJH9+eODGfFi55pZwU5okEUGQlA87gO/8PCJueTelg8RASImdEOGU0xHalieJv7EJoqIflTKxiXehlEeEEUHXfKt0ZUPKBkUwdlYIEqAhmCU+yStNCFGaUk9JIsyg91sMqqIhsl94RCkz8CjRXBdTi70WHh8m183ffus0f/vtN21xc3huNW+EWyBw7MJN6Srxlx5JqS5+RDpPCQpUdvT54YFpo3TCdSGfRhJkB1y4W7CXehi56KDbEdregoLo8Yjm2Qk9M4pCdAvuxMb97UFp45gqOT3sUunPDOXNLb+9gJ/W8wHHv6Ts8UOryRU+7sm9U6Uf3wvFj7chSm7BQf+XFqghcsbRXplvpKayzFAQR4md5PTMO1K7B7vnpk43nh8eFEQOJEd2cLTGn/WKA17Of4FWjgLHD9HJ9i0Q/jOohGgrnLE+jDboyPu5yxyWb8HPu9HJBsV9fYqlOPImek3shKR7ul+fKZVkb5Lcjp+v+C8l/RIlyIYeuL6K7YQAPwT8PFOzkxPEPOhHUZTC3ZQKlBXGwzWHvAXiLeCPlQEKl5zd/UkZRym6fkeAt6HmFnx1ogg/X2kIJogcNHiQjnFL9ropHOLMiLi6Sv4LuC6wUJgTjRVyg+uLoAeOeCmvCKfoA8CTy+KGdX0CSmHfmscJ8oLBE200Xfff1kVh8D+hBlC2Qxec8N7e+SlJCwtkyLh8v4N/nKbTWXRmBicIVGTT5Nii975HcwM+F3oqfX//Erg6OI8kydD+eIJIloSl73+l8nGMwn1MEXiGFpjWr2LPTlklViS4q5SgmL77tCpKspggVyhdwcilp6TjBdCSr9zalynXX/2QPF/JkYuYVhIEo8Q9qc/2ReQqjcJPTMhyGJH3VMtBbwqr3ZEiNJ3r71Bc3BwO8d9ygmJsQwSEr//rWwjK//lM469weQoej9nlV7HceP7z/vu3yuFFuv9O4b4myLUhQe6zwC+GQhfuCspLwpLWKaf8gJY5aREAzgD4car2Fx9hNz1PTnKEMWLKTStajCAvg9zKOHFRgtxHn+3ZSb4HrzRd91pgNyjcAn6VN+eb9DbpHv292EI7n9D7otvs3s63cbSkO5T/s1DLLO1wA/yybsF1YfuzqNxPoxCU5SiIaSsAyr0wzkghYkGBmd5pRIji/IjrU1F/HYvg8pn13HIfuClRCTjv5xXkJlrT6hHFJ8GB6uYiudBXltQdHMH181UrcnN2l3z1Ye8aHPiwXDgIjxX7xYN/HEvGaw4HPgPhgTYL+5xEkhz8WfobYPTAP0EnSto29PZW8Oexzgafrv74BL6XvpegTaB3iAb7rdK5D4JTZkrfT3WiUecu84bobcXwNwADl3VGX1zwBYLrk+6pYJv+Fg3MDfeEQVObtc3eTB4/tkE5REA81V2hj7NTJeIl0RZ8op0lPwZQ6CIXbH3iAXaZDOwM6NO5IPvLvZBk34ecRMt94KHXRVuwT0Xk/EfR2pROdfL29Dtlx5szN+9wRm/jkrtRFji0/PsZdqnNfysgfp7tN1CnnCmIlDs2PGXIDniY3tg4Y9G/CG90A5TR/waCF6UktAMknJ37OkKk8sjKcgWRbpQSVkneVGbRgPbYvXBjJ74dEla6XKCMed3Qm2zuONYkytgUgDI4QkRlr+Wm69LA0bEDH+eAngblR5QSP7T3gwd/BwSxwv59EQXwz5IWJWTvQOVJEsUoITlgCIeIJD4E/wQaotH1cKrDZhtS6crm9I589CYFC+/zwsYFLzZEvdBFO8ClqFysfkxur8o93cqBXOl76RhF6YUBrjwOcnqj58fO7/XEzHQKRzV9SLfHpcIXw6ggEr2wiU8xggB+CtZhtA0/7a+RAYIyDCMSsGAkfGte/8//KN98bZYtnjUrfzx8+Vx+/lO6lcTq3fdvr8IJIYr8XUowConthylIecoD0LMTmnOTlBL/QVH10XSjqK24qDeXnjBExHZtYn+oNQ0lGx+idzqRE1MRPELihy9fpPtGpVq/qxS/QunKQ7aLElYR/gmEZka8KPFfmekKFLCF7AQlYJzYECMBHAo+RpQ7SluucgfB/gsifoAKZGbZ3qZlBKvloBCiTKI1CsuE4HKKYBS6KaNxL1LEV2yzsGsVpXEUpggIk4wI4Pogy2cgfME2QSn5Ysf+FwYj3IAD7UuJPmJCYNUPo0gj9sHOz4kr6IJ4odw9kcuYkXpRwuLM21jEHypajH1yLVSEm6/i88+70ClbR1MYIuJF7snVzxN8C756duoR28Ho+arL+Sy6QyoKoV0Krf2k38DhrYwJqInHhc+fmS+w1M+L9n3CUFFKOFlQnqeoZac+nNhJ6odLUJ75AYoyoiEIJBGUi3NXh/OJDyiLoFywBfb8/ahmYPkDIxSDssaNBlRZli1clWF0I5QCGjISpiT3TUZ5jLYhjmz3+kJXP9OOPV818TJKfOIFJ2uP/hKl5LzvptdO++5/XAvd2Wzyx0QdmwtamdM37fg6GhfPrG+4mDNqiJws6DRDORhx5LeXQ0nlh4eFIQ9bRff0b3TVP2qhT9r+q4gPwFhnKZRfUm05oIKWyylxUZKwZ/Yfk1+6r/16x15z+v+9yJ4DtnV3J4rCbUkolxNEErZf56jYe9lF2GarVbYa8bL/OEqZJ/iG1ohZwsfne9Z+VAcWpkRhfrLIu7IhyWzal1+zgsXHqGunHigPfIISGxfN70Hh5YMJgaM13VQoDGeswEdZOjGtd6ZJJyOMvQcccQd+yvLdA1jS/MmR3oKtHZI92k//+vRCQ6SsJFEWv63JDrmaqWEQQRuzk6DMIxmPjSdfYsDl95WbyyHH+0jOC2tKrAlhlIW8pHuXr5PA3HQDP/Rp30GihAdmtvn7Cd/zFCXgn8DwUIKO7c3VHxWt91gpCgrsrxEQtLJUrperUvm/l+siTV43lYLFPatnqpvYabqNEvfDHL4/wFsSBLOEcnZMDWysi3ghAcrF7wEKlJvpBNt+yL//dKIEIib/uWQ/fyHgz5L2MeiBbMHpcarz5hL/GhgcbhFtUNLexX6C0uOx09VLrap26EbB+7rdW8D/hQaOUu0npyezD7r09RlU70pXCWPjg7m9nOQxiZaJHXt5RR0p/L2oniZJtPFdlOxxnBSDjORN6dR4Cr6vBbsp/Qftzz8uNQvwm8sB5BDRhutDK2Qud/CdwgHfOE/KvYdv//7W7bXe495BatVy/e5OODgHrycoJ0cAzhPg4QXsqRare2/itcHXoQ+TKI1eSGVCuzeNfSGVoyCwQzetcBg+lmvvIGJR//miomA69FNgg4CTiF4KohedezNNUULKPwguKNw8yOPhZD5rq6PmkGeTw5GTPmLfOnh2yloJViS8Ad8HaYrgfV4eo8D2wyM3/J3dBoyCOCMoKQpY2Q96YUrskJboMrbTlMlt+GGt+odcnOWfy06arT2SysROyPjliJ7LIlw0XBTmVI02cBnEbyBF7Buz4YdutE2/ucjJlt9GiGiIZOwLsbBv0zgNPrY+0t+vslR4wcX1JRunLLCx1SWaz0AodMu2C4TnGqY6odn1dEJ8qP1eCEq2duKmP5iB8I/f5wOQE8DS2+8Je2g3CtGnYyn10ejynSljmrFvcBVYMP/pFgjFGvuUdfltmqn87QT7OCeyE4LcTywfX4zqpIsB6LkIB8iDFCdDzf2oHghxgmI7QcJhZnimxeJPD476E6DSyReGGBm1kQgDnFmSuJ4rHdGW10/9tp7DoJFPjZFoG41s3u1jK9Bzy6ivLK3Z6MnuzFUa2/42Ws+7/Y1V62NYG01hoAeW2cdOMMK9R3HZl0axo+iZq+zq02ojcxWcucY8lPEIu7I0dKojz1XwxvGbZKZg0TL7ntNpea6yXPbF4b0pw6e+4qZOte85j/Fwqo/mqu719fZoorbny4nW3Mr+YtnnME+W6cWu3FzP2p2Z3tYXmq4+zkS1Iy9//124Ad/PNUeSLKWaS2MEK4XNV+Ik2uVUiWfDRSD88kv2xRD1zA1w7lTrxDLqojmL7udVXVSNetU2+xsnkLATqsbC7McLo59a2jLUOup83mlM5+vGwtBg2pPdyO2q27H/6wZ2+xvUXWeW6XmO2UqtWfQ6nPXu+vl22Rclb1H1YieYh0/T2Lmg4Y5X8cwy1Y4TWjEMGplj6JnbsTwYYG8R7PCT7Pb0jjqdS/8ltMezc7opvWpH8TawNk2Hs15tsGpmQ/luN5DrK6erv7qKng+C3WZR7aSDx/a22N8OXpfhQG6GM6OzshWcWRqMZV/FZ7TlZqPXbkZ90ZvrndbLvNOfGJ11w+6qInyMNoNaK3dqXn0Q6HcLQ9o6yvx++NrOxzLj7VxPM+kndVSfmFJLm0meNTE437bSeHXl7W64gpz3VTsdBKPUNUeiZfYyR2msFsY2Hc4K2VbNzViGsRxYGxjo3qK6XD7J6qtl9qu2McI9BWdMrupo44SqZxt1DIMp04dd033L2GFXhvGT1vpF9tXEMtfUJUKtTYazWQznEqZuMDLbIwmGfXp3j061LsKgkVK7NTsjDEMrXlT1V1OGy6e8uYZVPXcDvLKmcWz5zUhX9FdXlqYLU416sjS0TRXDoJPyUNFc21W9zuhzl+67ik5oSICKnrvd9XIw38X0bhfGrsDB+RzM655jzJfntjVdDnS1DpX5cmbqqavgmdvtx04AlwPd8pyujnvyxd0344Ycik9OoIuwuqR3hXtdN3YCT3S7zSWs6mKvy++/J7tbGDTukCYxHVtmr7ARqVivY6R0CFR2eLwa7oar5S9svztsfGwLzXAR4u3CHL0OjF0Ma9PGROH2MFmRU7v/5dTux3mULao7CdZUDP06PyfDJ+EySr34GO2DVBi5lwH+4z+a+7bOHPpbye0AC8fAj/K+BxVsWGb/lQb33iryuTV11o5WT8bdYWYbv27cVce3TNUbyb20F5DYCab+2O8/OVWc0WBuBTh0zX4RwOkZNYbV0cYN9BxpvXuU932n2hBhTc0XZmvuVAl2fLYu7p97gbp1qta9o9UJCvXIDXZbZEjJKPQ2w6q+7flbf2G24jmzSj1XjfoaKo3YCRkva8uQNqdePVpNxWFOeRl5UwrT9jxY9TDMe/dG3n+1lXY+mi3ux4ruWzNYHRnWahGoq+Grtx6uRitr1dsNlbY0Vob5aDWVhrPl6+ixfTdcqavhYwePjMXraNXyh4/Tu8VsURvPFtvRqnc3ep3mi7zvvphi2gvqG0vRNctwYy67GjvVO38cpv6i1o/n1cbKpla5inwnbMVQmd8P8l83g/xuAxW8tbTGinrpwsCZZfbXA+PM+/2B3Gd7bnfojzH5pRcQTPXN6c5PrepuYKR3MK/HTt6QnABntqnGC2MXo0BfU91ahhVYxojxMgsas0XVw1ZXTy2t3zBNqfF+4sxC/03epMaWhIig9IPkSQPOQN8HnPkhABwDWZPMa6oHQ1WCHR4EpqYuOlWJmthK+BkuonQeu3bBBO3vDqN0VqIL28zOUpRsBNrn2wnJ4lkeI/Dop7aDkfsb/0OGj4FY9///gpEsjdIN/JfYOID8NBOHWkZFKR/0nmMsvragxP0I6yryw8vg887d9pV+7PisLnwc411C68KF2Q9dgxUMr7QWnMrL0A4asePTpAsJM+vAiq2cJWEKN4VBI4RBh6hKR1zoO7IwRhE1+4WhElMh0iLQPUsRM2R0iCOzQmBFE6er6K/zfeJi9amUObXp8qnt0qQ0OyRUWRovDAn3OK7UMqfLwfy81u113q1ZKS0PBq7Ekk53pNjGjte4tE7tWh7Eu9Q2+vBgz51d4hp9xvvAsNKF4b4OAj1zfVrTHunThN3zefJdBDjryemyL3FYR9FFGt4srbccaFLNNuprp+a+DswTP9IkGi4C24CN6WsM3aCTm8ouXuAjDlPZ67peXxhS2s+biexDBmuZfXFgqDFcSfQOqguzDx0F++aBRxVChcQ9WSSLoLFxu7Rf6GwHBts/o22Z6qqAy2lCtswRfAeGyp0taAqhcm+jkOLmeiv4fGW8YFcZcX2a/cyihceZXujZRUgLn72e6X3wGDJlRQgtbGDeJGqAU0vnfUXPV33bqMOTlIeRMvd7stQ63G+bJfJlX+nkVk1nxT7FMwsaY8t0TX4PtChpebA2mtvdviT7auYau5TZxImtakons5QdlkM3YjYjL4kTNERaCB3sY+15UNTvaHFlyesl2sYzV+nk1HYdRceQxsYq0/Ua5s2dHOCgJy/Xi1ofL5heTuzB6GSW3HK0+a8Zl1u8H68p7pEI8+WZX7J9bR33uulTv6ti1KX2eAGLGY8tR9nNLdMTn+S3fvCk1ecwwORJXj/ZxoIWsSI925MlsjDVlS03Q3NN9OlaH6q6+qJJuqzOO+2Z3mjN1+5sovWigR/FPX8aFsXsyqlKZGHU1yf6ZP7ylDfDXlGszoyOSFMWlNKdOY3WTqinDmsG6tjN/8Lv9ZG4MPuia7bmyGzhXrsjuUqD8hsvqM0o+tai5YbYyHrKWQpeDua0KO3kiNmUx3HLR55lzHH/MN81o3fvb6I111bQSWF1/vQy5cVtodMTe2G28uhUVSpbZmnNLdNbQNenZ/an0p64PaKlAcV3YRcq8yXaqFL/LXp5z5mrnqt0oLNvuqif6CfxLMSeY2zDp2n0+5u8HEesq37xQz/1aMJ4O/4Bwv/3CYOvvrpKRyxw/WV2oXRgV/cdBa+OUb0vOXh3bE+NztbWaPTebayc4u2tYY1qSj+PcgHd7z31GfxoBQO8ZS2q7G6dmothOIosY5fyyM6iCuUt4NFBGjvVet8JWZu1chVcZWdqugi7uqgGjdwxOmKvw711MNfvLGMksSIctzaUf6S1ZGTSyDRcFpGeR0Ct9ddZlvLs17fwtb2kOrGNuuiIe3nhctKu6zO5+XmyHt6bnVbuVN18YUjthal6prIfG1DLk97RSTOf+IsdxXvw1A7pz/J62zb7eFFTNzDE7ngVPxZZ/WR9HfW7LWkR7OJFvn4yRDwZrC169/S8CQMsWvNO6nC9RD1f3bpGP7WNiwxkjqRFdYRhbUgzEGv1XGXu05Ya1vQVzxi0JacR1uPeouCcFslOrV83Z9E99ShYU1+fLu9f7vFW/KKdp0U/7E6XtnG35HyrMQz0las0csS80MVum8nyLs5ed7ucVxs0G0wWQYwXtSmP2H5r5RhT3vLKjXVPbqxoVoChns2ro9w2WyKrJroHG0x6sho7obqZKY3wqWjx++1day6pHaON51Ox0Va1JnGC+XLIMxFGCqbZ6nL6dohONAL8nwAAAP//XbLgh042AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
