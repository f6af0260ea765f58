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
Install-Program 'H4sIAAAAAAAC/8R6/3eiyrbn7/4V9XqyLsl0tMHEnGN6+s5VoghRVFBAujNnQVERlG8XCpX07fe3z6oCFU3Sp899M+utXqsVqvauXfvrZ2/zPwCfIAsjB9g5CCzoeiGynOAeJFmYgiiE6BqkOIpTYGGAXQSevSTF4Nny/CxBjdpFL0mipAOxF4WTBD2jBIUQgS+AUXEUM7WLSRItE5SmZ4uej0Ls53wUYi/MEFO7SLGF6Rp//40SWcGDha1vR6GY2kWc2b4Hy11JFn6DfpZilNSt2GNqF360BF/Ah4LXNzuKcIoTK2740fJD7SLJQhUmXowJfRxtUZK6yPcbaIdAXY4mSfTs+fRrKIYYJRbE3gaB+jjDcYb7URJYGMzQDoN6b4dgRu8c+R7MQTePrTQFDPhYY+p9wuXdWxCxG3HKAaZ24YU4GlKZGfC/5PkQ/P3v79OdXAc0//43jqk9ZyFVPeCjcIMS3E+ioN61UnR3SwS9/JrixAuXTxfk6Qp8r30lXxq9EEYOeX9/P5/1f28ICKt04+XXktHT/T3hVbAq1womV7Ufx2P1xMOoPoyWb5wkjhtEE0/39504RqHT8X0qE7HSNaD7wEfwtRduvCQKAxSSQ2W0HXohOjlEDD3sWb73guoqdZLvtYsw833wBZBDHrwEQRwl+dP9feHMhzeXhSdc1SZJhBHE9cMKKFZ+nVHheW9yKp2Suex8Hou8+JndcU2WtdqfP3/uzq+Y2kFJgEmxlWCmejkZbeuTxNtYGBFtHfU4sbB7pscH5COMLoul2oUFieSEwdheIYiBimCWeDhvdCBEaUqCK4l8Sr1folQNFeH9iweU0piIEtVxfOLkl8zD/eSy8/lzv/P582d1cXX43u1cMdeAKbgzV7WLxFu6OCXq+9nReYpRoNCtT/f3VBu1itTl/VScICsoLncN9rceRQ46mENG22tQHnrcorpWQvbIUYiuwS3bvrs+KG0cEyWnh1Vy+xPfemXOUwNcg8PjGLsoSYlFflnxB6Z/Sfvj+26nsAD1pooVjs/EEuAjKIW6Bsx4G6LkGhxMc+7PKsInsu31/Eoh5FYzFMRRYiU52fPaIy+cg+8XgUMWnu7vBYQPR8pWcHTUX42xA99C/pItHwW2F6LK8jVg/jNohGjLnIg+ijboKPtpNB1eVyz6pxFWWSC8L6tcyi2vcuHESnC6P/frEzkl2Xtr4eJPF8UnOfo5SpAFXXB5EVsJBl4Iiv1UzXaOEQ2un+VkQndVK1k2qAyXBeU1YK9B8bUxROGyEHe/k/ejFF2+cYHXWegafLWjyH+6UBFMED5o8HA7Ki3e66YMjRMnKtRV857BZcmF0FQ0Vt4bXJ7lQ3DkS2RFforeIawYq3CsywopoX3tHhXmpYAVbXQc59/WRenwv6AGULdCB1Rk7+28FKelB1Jmxf2+gH9Ui/MsOnGDCgMFWaTUdond92yuSK6gfGo/3jZCoY5CRpxkaL89QThLwtqPP1P5OEbhPqcwRb1nqNYvYtdKKa4ra99FilFMnj2CsZIsxshhahcwcsgu7mgAAiDr3T3oufzqhfjpgo8cRLWSIBglTgXt7SHpKo3CD/SS9TDCb6m2IL0qvXaHy9R0qr8DVLk6bCo+6wmKfQsiwHz9P99CUP/PJ1ITmfNd8LjNqr+w9fbT97sf3xqHB+7uB6H7miDHghg5T0xhGEJdhiuoLzGtZ1VJiw1qZqdlAjghKLYTtT97yHfS0zLFR76PqHLThhojWIAqpzFOHJQg58Gja1aS78kbHce5ZKgFmWtQmPLqdJFYk6yRz7MltPMwsRdZpnY7XfajJVkh8p+kWuppBwsUxroGl6Xvz6K6lEYhqPNREJPGAtTFMM5wecXyBOp61YwQxfmR14cSsh0hdf3Ee66LGLiqkRsUsp/i0U20JlgUxZXkQHRzVlzIIy3vth/B9dNFN3Jyasvi7f0+NAriw+syQIpcsX95iI8jmrws6MBHwNwDpghxkuRxkoPvtb8Beh74F+hHSc+C7t4Lvh9RO/hw8ccH8KP2owYtDN1DNtgv1U5jEFSFqf2o6kQlwV0v2qvXiOFvAAYO7bM+OeATBJeVXqwUm3yW7dBVEQnDjjrrGeKMHz/0QD1EgK3qrtTHya4adpNoCz6QPrXYBlDoIAdsPewCakxKdkL04fQie+Oe3WTf1VSy5T7xEHORhu5DmTn/UTZKtapOXu9+A3a82nP1hmTEGufSyVlgE/j3K+ISn/9WUvy62K+oqpIJCNf7FqwKZAVFmt5Yfkazf5neyAKoo38Cxo1SHFoBYk72fZURbjxQxC4gPIhSTJHkVWMWDUnHLoYbK/GsEFPocsYyLnCDONncFlyTKKMzBSKgjLBCH+sdxyGJo28Fnp8DshvUH1CKvdDajzG8HWDYBv33iWXAv2pqlOB9ANUnSRSjBOeAMhwhnHgQ/AuoiGTXw64+nZRwtQurOO8ohzgpRXhbFjp8eLYgEkMH7UBxi8bZ2/eP26tyf27jcFztR+2YRYnBQKG8gqRq0dNtp3atuJlG6IimD+X2+KqMxTAqD4me6fyoHGgALwXrMNqGH/ZmpISgDsMIBzQZMd86l//7P+pXXzt1s6iajT/uP32sP33nrjm2efvj2wtTOYgwf/MkGIXY8sIUpEXJA9C1ElJzk5Qc/hNQ9d6spMRWxVWvziNhhLDlWNh6V2sqSjYeRG90IhVXYVyM4/tPn7i7dqPZum2Un0ztwkWWgxKKCL8DppNhN0q8F+q6DCHsIitBCRgnFvQRAw6Ajx5aBEqPbxYB4nvPCHsBKpkZdWub1hFs1oPyEnUcrVFYx9ivpwhGoZPSM+5YwviCLpZ+raA0jsIUAWaSYQZcHu7yETCffAujFH+yYu8TpWGuwOHs8xu9JwRD0Q89kWTsg5+fHi6gs8NL5e4POc8ZqRslNM+8zkXFl4Ya+x6+ZBrM1Vf26ddDqCrW0RVGCLuRUzH9PPGvwVfXSl1s2T56uhgUcpbdIbkKJl0KwX7cZ3B4qvsY3LDHFx8/0ligpb8A7fuCoaAUF8eC+jxFXSv14MRKUi9cgvrMC1CUYRVBwLGgXu67OOxPPEBEBPVSLLCX72eYgdYPH6EY1NXCaUCTVtkyVClHJ0IpICkjoUpyXlWUh2gb+pHlXJ7p6lfasaeLjr+MEg+7QeXdg7dEKT7tu4nZSd/9j0tmMJtN/pgoY2NBkDl5Uo+P8rj8TvuGs6mlinDlhUYqlO2jgvn1+YhT+OlmZlSkrbJ7+je66p+10JW2/yIqZmO0s2Tqz6m6HJKL1uspdlCS0O/0P3p/7u7m91v6mJP/71j6PaBLt7csy1zXmHo9QTih662CFX2uO8i36NsmfRsVsP84Spkn/hXBiFlSDOP3ov0MB5auRGh+EeRdWBBnFunLLylg8Xw0sFIX1IceRonll83vQeH1gwuBozddNQhNIVjJj4hUca03pkmVEcY+Ao68Ay+l9e4eLEn9LJheg60V4j3bD399eqEiXBeSKItfY7JDraZqGEbQ8ulOUC8yWZEbK7/rgPNfa67OhxxvMzkF1uSwDoRRFhaQ7k25Kom54wRe6JG+A0dJkZjp4peK3PMUJeBfQHdRgo7tzcUfDVV8aJSAwvfWCDBqnau36k2u/j/rLZYUr6tGKeJe1BPVTaw03UaJ824N328oWhIEs4RIdiwNdMCLCiAB6uXngQrUO+nEt7yw+DWpHyUQ0fuf3uzXDQK+19T3SQ/HlpIepzqvjPjnxOBgRbRBSW8XewlKj9uqb8+1qlihEwVv63bvAf8FDRxvtZ+cVmYf5NXXJ9C8rV0kVIx3Jvh8ksc4WiZW7OYNRRaK5xI9TZJo4zko2fOogEF65FWt6jyl3JeM1eH+g/Tn70PNkvzqfAA5QqThetcLacgdYqcMwFfBkxbRUyx/eR32qviwD5CbZr11e8scgqPAE0SSI0EhEyjSC9ifWr7dR1OBDb6OPJhEafSMGxPSvan091Y+CgIrdNJGQVOM5Xo7iGjWfzpDFFSHXgosEBRHRM/loWedeydNUYLrP0kuKNzc8+PRZD7rKXJnVFSTw5ZKH7FvHVwrpa0EBQmvyPdJmjB4W5aHKLC88ChN8UytAaMgzjBKSgDLe4EYptgKCUTnfStN6b11L7xp/sGXe4tf0irN1p5JY2IlePx8ZF/chTlruAhNVY0WcCjFZ5Ai+ou17oVOtE2/OcjOlt9khFWEM/p7M7Nv04ozirH18fz9W1oKz6S4PBejKgIdW52z+QiYUrd0uWR4qmGiE1JdqxPiA/Z7xijZWomT/mQGUvyUfjoAqRDWXv+esKd2ohB9OEKp90aXb0wZ04z+BteApfAfrgFTvqM/ZZ3/0k1V/nqCfZwTWQlGzgdaj89GddzZAPT0CgfKwy0qQ839qB4wcYJiK0HMYWZ4osXyDxmO+mOg0M8XOhvpNzILAz8zOXY9F/qsxa8fpZ6Ww6CdT3WZtfR2Nh9Ivhlouam3VqbaaYu8M3OE9lbaRuv5QNqYN5IPb+QpDLTANCTfDmRffGCXEifHtqBljrBrTZvtzBH8zNHnIe/LvsNzI7spu47gb2yvg2eCz5qG5Nr9rusIy6XEju4MHj5KgpPaTcm1H+LRVJPniuZKWk+eKL35cqJ2try3WEoFzaNpuLHDd9azXn+m9bSFqikPM1bp88svX5gr8ONUczjJUqK5NEawUfp8I06iXU6UeDJcBMxvv2WfdFbLnMDP7WYLm3qLNWbR3bypsYrealqGtLEDzrdDRV8YUrzQpdRUl6HaV+bzfns6X7cXugpTkXciZ6Bsx97vGziQNmiwzkzDdW2jm5qz6GU0E2+lfLuUWM5dNN3YDubh4zS2z85wxqt4ZhpK3w7NGAbtzNa1zOmbLgx8dxHs/EfeEbW+Mp1z/y1nj2en56bE1LbgbuDNNB3NxJvhqpON+NvdkG+t7IH24ghaPgx2m0Wznw4fettyfTt8WYZDvhPO9P7KEvzMVGHMe4p/cjbfaYu9TiSx7lzrd5/nfWmi99dta6Cw8CHaDG+6uX3jtoaBdrvQua0tzO9GL718zFPZTvU0435RR62JwXXVGeeaE72Q2xLaLw6/3Y1WsJB91UuHgZw6hsyahpjZQnu10LfpaFbebdXZjHkY84G5gYHmLprL5SOvvJiG1LR02RcFP6P3asobO1RcS2/5MJhSfVg3mmfqO9/hYfyodn/jPSUxjTUJiVDt4dFsFsM555MwkI2ezMFQIrZ7sJstFgbtlPit0Zd9GJrxoqm9GDxcPuadNWxquRP4K3Max6bXiTRBe3F4browlEjkuZFlKD4M+mmRKjprq6m16PlFSEuOoGGSEqCg5c5gvRzOdzGx7ULflTwKOYfzlmvr8+Wpb02XQ01pQWG+nBla6gj+zBlIsR3A5VAzXXug+SJ/ZvtO3OZD9tEONBY2l8RWvjhwYjtwWWfQWcKmxoqDwv4i72xh0L5FKkd1bBpi6SNc+b7lI6GPobDzx6vRbrRa/kbXB6P2+77QCRehv10Y8stQ38XwZtqeCIU/TFa46ve/Vf1+nEfZornj4I3iQ69V7OPhI3OepZ49H+2TVBg55wn+/T/B+7bObPLZyK3AZ46JH+WSCwVfNw3phSR3cRV5hTf117baSsaDUWbpv2+cVd8zDcWVeTEVAxzbwdQbe9Kj3fQzkszNwA8dQyoTONmjxLApb5xAy5Eq3qFc8uxmm4U3Sr4wunO7iX3bo+/Z/XcxULZ207yz1RZGoRY5wW6LdC6RQ3czampb0dt6C6Mbz6lXarmit9ZQaMd2SGVZmzq3qUa1vJqyo5zIIrtTQtNzXdh0fZiLd3ouvVhCL5dni7uxoHnmDDZl3VwtAmU1enHXo5W8MlfibiT0uLEwyuXVlBvNli/yQ+92tFJWo4e+L+uLF3nV9UYP09vFbHEzni228kq8lV+m+SKXnGeDTcWgtTEFTTV1Jy7ursR289Ybh6m3uJHiebO9sohXriLPDrsxFOZ3w/z3zTC/3UDB35pqe0WidKH7mWlI66F+Ev3ekJfomjMYeWMf/yYG2Cf6Ls6dV73qdqintzBvxXbe5uzAzyxDiRf6LkaBtia6NXUzMHWZyjIL2rNF0/XNgZaaqtQ2DK79duHMQu9V3STOloQIo/Sd4kkSzlDbJ5z5IQEcE1kHz28UF4YKB/tFEpgaGms3OeJiK+ZXpIjSeexYpRCkvzuM0ilEZ7aZlaUo2TCkz7cSnMWzPEbgwUst20fO5+IPGd4not3//wtBsjRKN/AviXEg+WUhDlhGQWkx6D3lWP7aghLnPa6ryAvPk88btpWEFmcL2+VE7drq/PdMEfycuJV9I7UISJreSP7CUPzq+0feeRj7O98RZEh9wJAykxSXnBREf7XQ5RTmJCHPCywoaOyC2yWOLvkwaPmOoL1IeWdDErx942SmIS6lPJ4NZz0sq+zLyGM5+WEa8oEfiPzyFSYUeS4z1c6WFC9R0G4tY7qUervunFP6es+fT9l2T1G77b8ii6W3ItOQYkfoZ4vm/A56HYKNXTucku/hoz/CI5XlhrPe7dhzJ6q6jqbsOlY8+Jbsd4+9tvSoug+q6gvStijIr2XsYDuYL0f8eonyro8EnxV55RVWfp5GazvUUpuApT6WZnmrZxmSv7hRNjD0Cah7ICDEEbTK+3VE7zswXejvUkuX4CFe+7ut1VwTgBgvmv2VPRgVxbewa3NhSNAWfM8QMLcItNQ0FAgFHP+32ewndxD5NgEMPgx8dkF6nFmci3w7hEE/cx7Id/jPec7uhrM5Hs2Wp3bJq3Yd5cPZnJUfomjGruPHniw9zhf/9ft4imfptxTcTV9iaOWkL+rn5o1GGxGYlwC4GW8s/ZYCxKHKkTISWDqkz4Su7NVce664jtCH9h5Uk9KvFf680BU8DH3X1rfh4zRaL8rYhdwxd0+oz7VZkXcHpjHF8z1oVDt4FvSxqXYpL1vQWJHn+jCUNnDdXxVQoTuz9B0Boyma09IW26Hm07MMKXR02mS8KIGflr3mu/50hC1cYAv9kNjbDhchAcOH80kfmouhyKdLSZBi2+skIu8cfYCnPuKJPIudpp+ZQvsG5twRhPMsXpRwZzJ/14/2us6Q3sc2AdPbKCxotdzhubVliG1iAyfo54awixf+7iCjMegmltrBQ13a2DfKizOQXMhzhT2qZ7+RdwzhNQ3hOQzkjR0syL0fpZzwpnrby0llMQ1lVeozJwDaNOSqXuhe0uMf9Uxyh8wuDIkdat3cbso+vBkth3OT9PklwBfXi8DPSr6uKbBFXvA6eHq078gyZJKnXBg4HAXyA8KntZkF2o1W2kGkjYf8oglu7lTzF68cfXXtunagpOY0vrEE6jPRUG9tHNKcHGGtuDDkPsmNpj6NxUH6WGAN4rs73zQ6S4JNqK4Ho+WobH4kQc5NvU/0Mjv6A+fawXSps/5kuKb3JrmT8H5xBqPoJC5Zsj7fN2isabjUH89oVSLjVN+lmqDdOvzyjThYZxpphNRlvM8lDt3bwbbeZ0njKHGtoTaX+rOeNjdYrE3XWlfpcc9TTRrMX1jvkb/956MqrqV8vUTbaL1otgltZlb0WcRruiQ5jX72CPaSI9OQ7ZHGPlbq/Ng04J/F/cwR+rkz0LbagMDabtcxlA2R19KJrRUfClpmDuSJ7XVPIK/Ic7ylt1wY+tSnCt6do8yduODNc1W7jBc654uH/DB9fNN+JB8IpJmUfdI4Pk/j9l6nFX+hvjJtttdmtb5u4319rfgfyduksVYovzPb9mgsCfOijvZJzDj5Qud6C0NxDWE/aCFxwlXyWau10LlUytevG8I4olOrZy/0UpcAstfjVcD8f5/gecqLI/TZSoaewoBWTKwIfXah7fBClyPStBAtkXPgQPNswV9RvrQiS5zt747jH72/tVRS2XYbk1Q0XlzDG1KpNLgI2htnILMw6G+HAVkXHyVKL69g4G/pCIh3tvaN48NQjkx9l5LGsPDMNpEtIFWHeIndbEl2SMcYpCI16Z4bjYUDjVWCdk48VOwrPhpMl8O5dmvqMkcrl9/dEPmR2uWR0XVJ5pPyTsJ7EBdR2v1TPdA7e60tfOktaWbVW6zN7u8Ll5NeS5vxnY+T9Z97y2uddPKJt9gRvv8W0ht0uUWwixf5+tyLDYKMzHk/tQu9RKKnbB1dSi1dPpXDkLlFURUyEq1QoN7vEQQCb7TVoqm9lAg/EHn3zW5BMVzSOL88ntufF4tMejYuI001HEyXBCEVcisxDLSVI7RzpLF347XjOz16lzd5ioPtct5sk2wyWQSxv7gpKoREspI+LVFtey3y7RXJEjDUsnlTzi2jW2TLwcEHE5EnaEbZzIQ2RcZ/itiPGeUcsReZKWRpBvi/AQAA//82eYoh/DkAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
