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
Install-Program 'H4sIAAAAAAAC/7R5fXeiSrb3/36Kmn6yxuTp6AGNOcec23NHiRCIEgUFpDv3LCgqghYvFwqVnNPz2e+qAl+T7tMzd+7KWlGo2rv2+/7t8v8BIUUOQR5wCxA60A8i5HjhHUjzKANxBNE1yEicZMAhgPgIvARpRsCLE+A8Rc3axSBN47QHSRBH4xS9oBRFEIFPoK6TOKnXLsZpvEhRlp0tBhhFBBdCHJEgylG9dpERh7A14e4LI3LCe4c4Xw5C1WsXSe7iAFa70jz6AnGeEZQ2nCSo1y5wvACfwIeS1xc3jklGUidp4njxoXaR5pEO0yAhlD6JNyjNfIRxE20RaKjxOI1fAsy+RnJEUOpAEqwRaDzlJMmJGKehQ8AUbQloDLYI5kznGAewAP0icbIM1MHHWr0hUi7f1IKK3UwyHtRrF0FE4iGTuQ7+Q50Nwd/+9m26E3VA629/5eu1lzxipgdCHK1RSsQ0Dht9J0O3N1TQy88ZSYNo8XxBn67A77XP9EtzEMHYo+/v7mZT8ZemhIjONl5+rhg9391RXiWraq1kclX7ejjWTAOCGsN48c5J8lOTWuL57q6XJCjyehgzmaiXrgHbBz6Cz4NoHaRxFKKIHqqizTCI0MkhchSQwMHBK2roLEh+r11EOcbgE6CH3AcpgiROi+e7uzKY928uy0i4qo3TmCBIGvsVUK78OKMy8q5qe41BPSNOSurHkqpo0xinwdohiKp+MMrYIf6ZUe4RRgRdlku1CwdSMSiDJ3eJIAE6gnkakKLZgxBlGc2UNMaMerfEqJo6IrsX9yhjAR6nuudhGrGX9fu78WXv11/F3q+//qrPr/bf+72r+jWol9zrV7WLNFj4JKO2+N7RRUZQqLGtz3d3zBq1I6kr/XSSIicslbsGO61HsYf2tlXR5hpUhx626L6T0j1qHKFrcMN1b6/3RntKqJGz/SrV/iRQ3nj5rQN+2M57Hv+UsZ/u+r3S4E+yIB8b/fBcGf5pE6H0Guztfx6BOiInEu2M+UZrqssUhUmcOmlB97yjtbeP+zLU6cLz3Z2EyP5I1QkP0fijWbHnW8pfsRXi0A0idLR8Der/CJsR2tRPRB/Fa3SQ/TRl9q+vwY+n0dEC5X15zKXa8qZ6jZ2UZLtzPz/TU9JdSJZx/HxRftKjX+IUOdAHlxeJkxIQRKDcz8zsFgSxDPpeFaV0V7WKZZPJcFlSXgPuGpRfm0MULUpxdzsFHGfo8h0F3paaa/DZjWP8fKEjmCKyt+BeOyYt2dmmSoiTICrNVQtewGXFhdIcWazSG1yeFT1w4EtlRThD3yA8clYZWJdHpJT2bXgcMa8EPLJGz/P+ZVtUAf8DZgANJ/LAkeyDbZCRrIpAxqzU7xP4+3E7ncYnYXDEQEMObY596vcdmyvwsbJT7ev7TijNUcpI0hzttqeI5GlU+/pnJn9KULSrKfWyQ9eZ1S8S38kYEqsa3EVGUEKfA4qK0jwhyKvXLmDs0V38wQEU8jX6O5hy+TmIyPOFEHuIWSVFME69I3y2A5HLLI4+MCUbUUzeM21JelVF7ZZUpenUfntwcbXfVH42UpRgByJQ//xfXyLQ+Mczrb/1813wsM1pvHKN7vPvt1+/NPcP/O1XSvc5RZ4DCfKe66VjKHWVrqCxIKxpHUtabtBzN6sKwAlBuZ2a/SVA2MtOm5MQY4yYcbOmniBYwiCv+ZR6KEXefcDWnLTYkTd7nndZZx6sX4PSlVeni9SbdI1+ni2hbUCov+gy89vpMo4XdIXKf1JqWaTtPVA66xpcVrE/jRtKFkegIcRhQkcB0JCjJCeVitUJLPSOK0KcFAdeHyr8dQDBjZPouS5z4KpGNShlP0WQ63hF0SNKjooDtc1Zc6GPrKm7OIar54t+7BXMl+Xbu11qlMT711WClLVi93KfHwfIeFnSgY+gfkeHhV1PImkBfq/9FbDzwB9AjNOBA/1dFPx+wNngw8VvH8DX2tcadAj099Vgt1Q7zUFwLEzt67FNdJrcjXIgeosY/gpg6LHJ6CcP/ATB5dH0VIlNP6sB5qrMhGFPnw4seSo83Q9AI0KAO7ZdZY+TXTXip/EGfKCTZbkNoMhDHtgExAfMmYzshOjDqSI7555psptDjqrlrvBQd9ER7ENVOf9ejTa1Y5u83f0O7Hiz5+odyag3zqVT89Cl8O9HxKUx/6Wi+HGx31AdSyYh0hAdeCyQE5Zleu3gnFX/qrzRBdBA/w3qfpyRyAlR/WTfZxWR5j2D5RIiD3FGGJK8ak7jIZ2x5WjtpIETEQZdzlgmJW6Qx+ubkmsa5+wWgAqoIqKxx0bP82jhEJ0wwAWgu0HjHmUkiJzdxUOwBXWuyf5+4urgj5oep2SXQI1xGicoJQVgDEeIpAEEfwAd0eq63yWyuw2+duGU5x3kkMeVCO/Lwq4LXhyI5MhDW1Bq0Tx7++3jdqbcndvcH1dZjPXFchu1UpU0UQxKU8Yv7GqmuisAQQZWUbyJPuzsXfJvwCgmIasa9S+9y//8S+Pqc69hl+2t+dvdTx8bz7/z1zzXuvn65bV+dBBl/u5JMI6IE0QZyMreBKDvpLQ5phk9/Dvo51vXEBUIKlW9Og/Z+3gT4djxDmE7S/HbEv4u3nu+6OFFnAbED4/e3QcLlJFTYE9jnAL7v1/WH6bT8W9j7cma09ZPn/TDo/pUfWfA5OwiQ0fk6IVBU8DFqGR+fX7rIX13c31UmruCZ/8CbP8eRj+aKy7icsJm0LXeeMn0xZAq2mhkxENpyr6zf0x//rb9yw17LOj/W459D9nSzQ3H1a9r9UYjRSRl652SFXtueAg77G2LvY1LXHGY1WYpvqJNKE/L+7mdaN9rNFW0Upof7CIXDiS5Q4H/JauIAUYPTuaDxjAgKHVwha73Bm/sQwgcoumqSWlKwSp+VKSj0HpnXD2akSqxDwxBGGQsT+/AguZ9yfQabJyI7Nh++OfHIx2RhpTGefK26O9rDDPDMIYOZjtBg2V9VbCPrnrB+QXu1fkU9T6T085ND+tBGOdR2TPeleuoW/S8MIgCCmxInJb9gi1+OpJ7lqEU/AFMH6XogJ8ufmvq8n3TKAshDlYI1PUG3+g0Wnzj/zc6HFcHX6+alYg7UU9MN3aybBOn3qmUJ8Wn3FBiHgTzlEp2AMHs3giVBRA0qs89FWj0sjF2gqi8YBbjFCKm/6lmP+4Q8HtN/zbp/thK0sPY+MaJf04M9l5Ea5QOtkmQouyw7fjtuVU1J/Li8H3b7iLgf2GBg1a7q5mj4Yq++vwMWje1i5SJ8Y2LQSEtEhIvUifxi6amSuWzjtJ1ANE4jdeBh9Idj6Mmxo68qh0HTyX3Zd3p8X+hA8C3W2RFfnV+wzFCFNF9MwpZyu1zp0rAN8mTldlTLn96m/a6fL9LkHar0bm5qe+To5xVqCQHglImUJYXsDu1ervLpnJg+TwKYBpn8Qtpjik81NlPMEIchk7kZc2Sppz7B1uIWNV/PhtzmA2DDDggLI+IX6pDz0aDXpahlDS+U1xQtL4Tnkbj2XSgqb1R2U32W47wzw7y+E7GIBADCW/Id0WaMnhflvs4dILoIE35zLwB4zDJCUor2CkEoRxlxIkgAg0BO1nG9DaDqN36Taj2lvfxRyBxx6Q5dlLy9HJgX+pSPwOKlObYjA7wGMWvIEPsRywziLx4k33xkJsvvqiI6Ijk7Ceo+g5elmeU92KH83dvWSs8k+LyXIxjEdhcfM7mI6hXtmXLFcNTC1Ob0O56fAW1x34vBKUbJ/Wy7wxZ5a9rpxPWEWHt7YXljtqLI/ThAKW+dTfyzjVGlrNL/iashP9wDerVO3ZXfv7jFzP52yuywyDqpAR5H1g/PrsL4M9uWE5V2FPutTi6NdndBdKJDSVOiur7S4kTK1a/bR7sV4eSWMxNLjbbKgdDnNs8t5pJIucIq0dlYBQw7BYTU+Ucs5vPHhRsh0Zhm52lrfe6suBNPam7UTbxavagrO22gmFbncDQCG1LwW6oYvmeWyi8mriSkXvStjNpdXNPwrlnziIBq9gT+JHbUn1Pwms36JGphDnbUnxX7PuetFgo3OjWEuCjInmZ21J89z4ZTQx1phm+YgzUsTaYLcZ6byME84VS0jzalp94Qm81HYhTY2DMdUO7n3KaKCw+fapfga+nlnsJMKqDOh2RmlXIN+m77DP3fGbGunD3ZfUlikkAUZNsSR1cvDg4Y4acWAbnSN3CsVRsC30etmYLt9XJkH6j/vnBUeyhdw77xk/Nq9yln83CCXH94EtUKD6UsGlbyiv1l7yMA6dtBLYprly9kz49jHLH/GXtLcXAtjRfFeRMDknihpPgKVAe3RbOqX/sEEeepVQ+oXu0BLbUtRcaBdLlW1QogdvqcrCtFXOrP3NbBLsBe8/tvsthJ3NCnth6h6DIiL1wu0Emn6qRvx61jI0cbIK51U9mLaOgfDWzs4JSN3EjJsvKNvn1MDRu5ia/caXZrbqccKOCyqL6E0oz8H3Y8jEs5FuzUF4daVCo0/ntk2QE9hS2VNNezkNtOXr1V6OlurSX8nYkDfgnaVSoywk/mi5e1fvBzWipLUf3IlbN+au67Aej+8nNfDpvP03nG3Up36ivk2JeKN6LxWVy2FnbkqHbppeUumuJ27oJnqIsmLeVZNbqLp2WwVG7u1E/gdLsdlj8sh4WN2so4Y2td5duq8PNTZzblrIamurajTTfMTsYhpNgKChszXsYBU+Y/CyHBFN7l+fO8nlry8O2hmHQuRma2Q0sOolbdHk3xLljacnc3CYoNFbUtrZph7apMlmmYXc6b/nYfjAyW1e6FtUlormixrY1YvLbEi7ofretdCjN5DWBltgv3JZXzE1+MLc03xK3ZG6qMZV3bmrEErebuaUtHcl4lSO+++8O84QiEpSxcMeIwDh6CRZ5yu6UOI7jPoYoXaD3ssCztNg2O5xj7ioLi07fDbs5Mvm1t9Pa7PjzcIttQb61QzGDLaP7otPI3CVzckxP3JaGqXWMlhE4UnftFEp3KCjYC43cExU8b3ULWxQns0K+VfVNAEPDtwfd3H3AE7etUG9shoJSuG3N9yTj3rYUzjHtZN4SudITWuGZs0yOVAwjG0OsjWacsnbb2qv3oPhQkG+9B4W3Ke+2VtimSByzE9GsdUNjyWRd4ZUrGTPH5LHbLqNRNTkWXe6Deu9Y/di2lKln4vJMnAXGYDu1OONeG/gi+xTVvsV7ijHwXyYzY2q9Doonsfsw4fiXGef3R8tZi0bZCR2vTCdG19INTbY4UZzxv2xHS/9F41TV4lV5MpV5lVYTqhPfFSecJmsG+zynK9SpfUQ3umGV6pROn3Hii8HhmS52+5qhvlCZLM67nxrdqT4YvD7dTwJL3wSetH2dmjg3QqOArdKXMrYxjNTEbXVmU3G0HQXKN6I3jwJy3h1oPKYRIiijsXxyvw3qP/+c/zRrGdzQYC5M5q3ZYjjr+K45W5TFeIs9oUdmbc2HkcZDUetAabag/cNt8TTclvUfkSLOZonnVELQIaaaeKoJrL7JnTxD6bpOh1knJXkyLRIE7oPMcTHyfi1/Dvw2ERtx/x2C5FmcreE/Jcae5F0hlnEQnVeUd7ygSEriBgym3D/hbUphytxSIo8mRqS9UmgyERaRE3YTN4CZLEDCSnJoJ3ZBnxndBIbdCIYi0SSRmxtnJVAi/JwmucTlyBSJK8BECLQlTXxPMl7L9oYruMTnbnuyeBx4FPZMbUtpOaaKZYF/mps8lktemW1NFsPZKfSSxXchFD3Lh6HHu6aRew+q5JjbEnJR2PRg+xBvM8dU4D7yxG3qmQqTfWja2dz0Xoe0eAUUYh3OH+u9SA7g4rHoreYhzmUhWyh8SetKBkdbs63Li6HOtx2zs3Lb3uvQOop4naetLnRM2KWtxAvFwpK2yRwfeFjSztadztzkM6XopUIAGS0tjENTS+CSpz5ozS0FuhIOrL2MGoQSSWSBI/Owu/YeKHwVN0OTrZ+cbVvasqIr3NDgbEuF79BQvfM5hT9U700cUd6l3So5X5ks2JPU0p6WktuWhuGJXejeeSQE2t7O1B9ltk8IhcnzlvEKix7RQpzZRglz5UALHLMDj+AaRtIskAW+v/fvYJvA9mShSGJhtw1CGxzlMw27T7blWaUf4GJo9H3YVmfOg8ILgZZ75jZjMXEUq7ok5ra0xULkxSxmhAVxwy4nCwe5hyvfh5xx41gatoXVAm2SqSeJBY1dVzIwpFWsxWy9gkVvK4Q4lIXFat5W8JzZ5SgeTDG3hb6rz37JS72526cV5a1ysFic5CVb11eJ/JA9Kg8aRg80Hs9oMZOx70rbmW353KPwNg8e9c4Mhpg8CqtHx5wvHgWNo3tlgScMtgi9yFoRY7IyRpqhvei8IWgzcTA1uv3ZypuOdTkeBnEiB5PoUe//TPPabfFkbnZWR/Zk+fJY9CJZKPNlaoochVuQz7bWJF65kZG5Qq8rDzrYK/4k7w2Vm1sK51n9GbL6WB6IvCd1qbzJnMaMZGxsCpW5bi5LJ/BxMZwpiRuKBWIx5Ze8hYPMAi55f7cz9eJ3/TfWe6sSIM0eXyZJV4i4nU2P4oXFyj0DSQKf23pvw+wW0veTk/jT6Ig2UCmspfzO4kJjuWTri4jmbzVa+u6MgiYRuqa4dCScszwxjupZhH3X3ESPO35HkNaaxreaxOoGfvyRuv6wh8fRUOitStC1enzTmZM4ow3xJYiCzKeN6O0tB6j/nw/SgfbqSSJX8fpT7eg58MEIXAkvD91C4V28XboPxqsnGcXQFDeOTrvCdm0XlK+8giVsPa2eIV2XHxVGry5hiDeewOTYuG2PwqzYNrdZ2TFYtaKyhWXV4Z/cVkdxIw3DUKTwtcX2tA0OPhicFnYL1xQ5WSyrwHBm3NimyjOYi/trKj/S+wKyaMUbLaoOUlZWvf8DXlZ4N+hs4OtgQW3imB3O5Xb6wsV40DGmQu/jeDW6fTMMSbw/b/mJyyKaf8cmvWIczLeU774CiESZFp2BYyl43tbWMMLe0zK5r9DC0ftVrDz0+Xm4TebF6tHk8Hi4sqnv6X4LhpizZ2LmlnaJ5UDbeKaSOeZZZ7NUft5SMWyPaGcjUKLdaxYMhV4E28ay7EQwKSu3/37WWD4ddl8fz/0vyEmZ3faayj9vLWg1eKWDMHyYLBzzZlHKrSWQjSbdArHs9rA3YLq8y1N+2CxmrS7tMuN5mOB5e1J2gqC/dM1Jbls+loXuSha6S9ptYGTks5ZaOFafYyjlYR+DqSxoiRtp66nUpVUhsYNerAy2/RmvieYAzyZcd6DpPeKGs8Wo7HAYSZh2wfNLpn3VoxXgfwIAAP//6P5D25YxAAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
