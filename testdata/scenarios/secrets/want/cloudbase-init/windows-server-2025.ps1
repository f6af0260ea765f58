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
Install-Program 'H4sIAAAAAAAC/7R6bXfiOPbnez6FpjZnSLYDbSCkm9TW7BAHHBxwggHbuCrbx5YVbJBljy0DTnfNZ98jyYAhqeqah/+pcwpb0r2696f7KOd/ATlBDkUecHMQOtAPCHK88AYkGUlBRCC6BCmN4hQ4FFAfgZcgSSl4cQKcJaheOeslSZR0IQ0i8pSgF5QgAhH4BKoTGsXVytlTEi0SlKYnkwFGhOJcjggNSIaqlbOUOpTPyTdfOJET3jnU+XIQqlo5izMXB7BYlWTkC8RZSlFSc+KgWjnD0QJ8Ah8Ery9uFNGUJk5cx9HiQ+UsycgEJkFMGX0cbVCS+gjjOtoiUNOipyR6CTB/JANCUeJAGqwRqD1mNM5oP0pCh4Ip2lJQ620RzLjOEQ5gDm7z2ElTUAU/Vaq1PuPyTS2Y2PU4bYBq5SwgNBpymavg/2izIfjb375Nd6QOaP7tr41q5SUjHHogR2SNEtpPorB266To+ooJev45pUlAFs9n7O0C/F75zB7qPQIjj43f3Mym/V/rCqITvvD8c8Ho+eaG8RKsijnB5KLy9bCtmQQU1YbR4p2dBo91hsTzzU03jhHxuhhzmdgpXQK+DvwEPvfIOkgiEiLCNtXQZhgQdLTJgAQ0cHDwimoTbiS/V85IhjH4BNgmd0GCII2S/PnmRhjzfuRcWMJF5SmJKIK0tp8BYubHGQnLu6jsNQbVlDoJrZYl1dCm9pQEa4cipvoBlCeH+ieg3CGMKDoXU5UzBzIxGINHd4kgBRMEsySgeb0LIUpT5ilJhDn1bopT1SeI7gbuUMoNPEomnoeZxZ5X726ezrsfP/a7Hz9+nMwv9s+33YvqJagK7tWLylkSLHyaMiy+t3WeUhTqfOnzzQ1Ho1KSutBvQhPkhEK5S7DTehR5aI+thjaXoNj0sGTiOwlbo0UEXYIrqXN9uQftMWYgp/tZpv2Robw55bcH8MM473n8S2A/3tx2BeCPA3lQBv3wXgD/uCEouQR7/E8tcILokUQ7MN9ozXSZojCOEifJ2Zp3tPb2di9MnU0839woiO631JzwYI0/6hV7vkL+gq0chW5AUGn6ElT/GdYJ2lSPRB9Fa3SQ/dhl9sOX4MfdqDTBeJ+XuRRL3kSvJyeh6W7fz89sl2RnksKOn8/EL9v6JUqQA31wfhY7CQUBAWI9h9nNKeIe9L0oyuguKgXLOpfhXFBeAukSiMf6EJGFEHe3UsZRis7fUeBtqLkEn90ows9nEwQTRPcI7rXj0tIdNoVDHBmRgKsSvIDzggujKSFW6A3OT4IeOPBlsiKcom8Qlg5LGNZ5iZTRvjWPEvNCwBIaXc/7t7EoDP4HYAA1h3igJHtvG6Q0LSyQMxP6fQJ/L6fTaXRkBiUGOnJYcrxl575jcwF+KnCqfH3/EAQcQkaaZGi3PEE0S0jl659B/hgjsospVZGhqxz1s9h3Ul6JFQnuLKUoZu8Bq4qSLKbIq1bOYOSxVY3DAbCSr3a7K1POPweEPp/JkYc4KgmCUeKV6rNdEblMI/KBK1kjEX0PWkF6UVjtlhah6Ri/fXFxsV8kfmsJirEDEah+/n9fCKj985nF3+rpKnhY5tRepVrn+ffrr1/q+5fG9VdG9zlBngMp8p6r4mAYdeGuoLagPGmVJRULJpmbFgHgiEAsZ7C/BAh76XFykiOMEQc3rU9iBEUZ5NUfEw8lyLsL+JyT5Dvyetfzzqv8BKuXQBzlxfEkO002x35PptA2oOy82DQ/t+NpHC3YDJP/KNRyS9ufgDisS3Be2P40qqlpREBNjsKYtQKgNiBxRgsVix246ZUjQhTnB14fivrrUATXjqznUvjARYVpIGQ/riDX0YpVjyguBQeGzUlyYa88qbs4gqvns9vIy/lZitGbnWsI4v1w4SAiVuwG9/5xKBnPBR34CVRvWLOwy0k0ycHvlb8Cvh/4A/SjpOdAf2cFvx/qbPDh7LcP4GvlawU6FPr7aLCbqhz7ICgLU/laxmTCnLsmGqK3FcNfAQw93hn97IGfITgvdU+F2Oy3aGAuhCcMu5NpzxpM5ce7HqgRBKQydgUeR6sq1E+iDfjAOkuxDCDiIQ9sAuoDfpic7Ijow7Eiu8M90WTXh5Si5S7wsONiLdiHInL+vWhtKmVM3q5+p+x4s+biHcnYaZxKp2Why8q/HxGX2fyXguLHxX5DVZZMQbTWd2BZICcUYXrt4IxH/yK8sQlQQ/8AVT9KKXFCVD1a91lDtH7Hy3IF0fsopbySvKhPoyHrsQdk7SSBQygvXU5YxqJuGDytrwTXJMr4LQATUENU56+1ruexwNF3wgDngK0GtTuU0oA4u4uHYAuqUp3/+1mqgj8qkyihOweqPSVRjBKaA85whGgSQPAHmCAWXfer+vxuo1E5c8R+BzkGT4UI78vCrwteHIgGxENbILSon4x+e7sdlLt96/vtCsR4XhTLGEqF05AICCijF341U9wVgCAFKxJtyIcd3oJ/DZKIhjxqVL90z//vX2oXn7s1W6S3+m83P/9Ue/69cdmQmldfv7xWSxsx5u/uBCNCnYCkIBW5CUDfSVhyTFK2+Xeqn29dQxRFkFD14tRk76INwZHjHcx2luC3Ifzdeu/5rIsXURJQPyyN3QULlNLjwp7ZOCvs/35evZ9On3570h+tOUv97G1yeNUei2demJxcZEwQLQ0YzAVcjATzy9NbD+W7i6sjAXdRnv0bZfv3avRSX3EWiQ6bl67V2ks6WQyZorVaSj2UJPyZ/8f1b1y3fr3irzn7/1rizyGfurqSpOplpVqrJYgmfL4tWPH3moeww0ebfDQSdcWhV5sl+IIloSwR93M70b6XaAprZTQ/mEXOHEgzhxX+5zwiBhjdO6kPasOAosTBRXW9B7y2NyFwsKaLOqMRghX8mEgl03qnXS31SIXYB4YgDFLupzdgwfxeML0EG4fQHdsP/3p7NEG0piRRFr8N+vsYw2EYRtDBfCWoca8vAnbpqhecXuBenHZR7zM5ztxssy6EUUZEznhXrlK26HphQAJW2NAoEfmCT34qyT1LUQL+AKaPEnSon85+q08Gd3VDBEIcrBCoTmqNWrvWbNT+d60tSVXw9aJeiLgT9Qi6JydNN1HiHUt5FHzEAlHzIJglTLJDEczvjZAIgKBW/O6pQK2bPmEnIOKCuR8lEHH9jzX78QMBv1cm3ybdb1tIemgb3xzinxOD/SmiNUp62zhIUHpYVh49RVV3iBeF72O7s4D/AIGDVrurmVJzxYY+P4PmVeUs4WJ842JQTvKYRovEif28rmuKeJ+gZB1A9JRE68BDyY5HKYnxLS8qZeMp5D6vOt3GX1gD8O0UWZBfnN5wjBCr6L5phdzl9r5TOOAb50mF94jpT2/dfjK42zlIq1lrX11V984hehUmyYFAyAREeAG7XYvRnTeJhuXzKIBJlEYvtP7EysMJ/wQjR2HoEC+tCxrR9/e2EPGo/3zS5nAMgxQ4IBRbRC/FpietQTdNUUJr3wkuiKxv5MfR02za07XuSGST/ZJS/bMreXwn5SUQLxLekO+CNGPwvix3UegE5CCNeOenAaMwzihKirJTDsIBSalDIAI1GTtpyvU2A9Jq/iYXa8V9fKlI3DGpPzkJfXw5sBe6VE8KRUZThtEBHqf4CFLEP2KZAfGiTfrFQ262+KIhOkE045+gqrvyUuwh7sUO++9GeSo8keL8VIyyCLwvPmXzE6gW2PLpguExwgwTll3LV1D72u+FomTjJF76nSZLfF077rBKhJW3F5Y7ai8i6MOhlPrW3cg71xhpxi/567AQ/sMlqBZj/K789OMXh/ztFdmhEXUSirwPPB+f3AU0Tm5YjlXYU+61KN2a7O4CWceGYidB1f2lxBGKxbfNA35VqPTzuSlFZkuTYIgzuyGtZkpfcuTVg9ozchh28rGpSY7ZyWb3KrZDI7fN9tKedDsD2Zt6SmejbqLV7F5d2y0Vw5Y2hqER2paK3VDDgztpoTa02FWMzFO27XGzk3kKzjxzRmSsYU9ujNym5nsKXrtBl04VLNmW6rv9W99TFgtVGl1bMnxQFS91m6rv3sWjsaHNdMNXjZ72pPdmi6dJdyMH84UqaB5sy489ubua9vpTo2fMJ4Z+N5X0vrz49Kl6Ab4eI5elKKmCKmuR6oXJ19lY+ll6ZjCeOSJ5Fm5fKohAdYVQjJLqR3CcRHYUVegQJ8l/+UfnddXcbtpr0HUa1VMBXgKMTgUoOjeUeCcnWfr8DthA+uWwlD2+BIs6jUJcPRyxFxo5bHJ4O4O7wYNjNjZuS5Vg3u0M+ikZv8awOD7fndwqjrnFsLFdus22NDdxZlvqylK0tRvOM7u/+ceQ6GvX3BBrHD2YrdvUM73YJZonY7px7w3imO3XYeDFbt4+4jEMvRwqo8xb9rJ5S43VhlSiH2VqE6+HobZ2ie47ZhvDcJzZLXUzz9vN0aS9hOGKDImK7SZ+9e7VtjWOGf/QMb0XyE2Wm+TdI96OYdghMOxTXelLc+ONLhgS/XUYjom8iF2obBt2E2cwvyKO+Ws25ybaj11m6nKbQHK7HJL5dhhquTOBGQwN4liaBMmKr7VDTOB/qAtfG9qx3Rplaqs8blzN2XkpM2KN/0uy5lekPG5bvu9at6k9gdncMiSnLz14loZh2PZdk7sXgfdG6ipGrm7izdzSXr1mJ7cF3su52fYhWbXgFF87r+qV92o01U30jqv9u5bO/9SibOcooWnd+5KgBauY8jraOiw8f/GjlKY7+39xcMoc4IfEYGM7jz8RYvUFBxARiOorlJf8ylXwUoTCxtpeRgtbMai7iRPbWl0PFM13w36Opt720YqTEfFbmjV/+D4mJPLQn6BQ+oOTVeay33ruHLk7ylUfKti0LfWVRe3BMgqclhHYZn/lTtrJ4/0oc8xf196yH9iW7mvyIB2ENHbDcfAYqA9uE2fjwlQ8Sy0iM1ujx7CprVk4QZPBNcrVwG12JNjS87l1O3ObFLsBH5d2zwOykux7fetN2hQRI/LC7QaZjUQj/nrUNDaDYBPMrdt41jRyxlc32yuodGKXcFlWttlYl1zgWluOpVHOZNH8MaPp+T5s+hjmg2szV18dpZdr0/n1o2IE9hQ2NdNezkN9OXr1V6OltrSXg+1I6TUelVGuLceN0XTxqt31rkZLfTm662PNnL9qy9tgdDe+mk/nrcfpfKMtB1fa6zif56r3YknpIGyvbcWY2KYXC9312G1eBY8kDVhYmzU7S6dpSAx3l9zGUJldD/Nf18P8ag0VvLEnneOwaB6FiWAoq3zOux8Fj5j+MggpZniLfWfZvLltwJaOYdC+GprpFczbsZt3Gm6IM8fS47m5jVForBi2tmmHtqlxWaZhZzpv+ti+N1J7onYsq9H5RkYkAT31D2ZsCUEUpcxAj+70QfWXX7KfZ01DGhosstrxvDlbDGciegjT22JP7tJZS/ch0Ruwr7ehMluMLUNymw1mYsvqj0hxHCxY0i3avKLtrJYX1Pi9exZP8xiBbkaj0KEB/JFtonQWe06h6zu7bDKHVQjrkz3ugtRxMfI+ii+t3ybitwf/DUGyNErX8F8SY0/yw0Icg66jVHzO+A7w77JeRgE5DXTv2JGqqDGvVEQmT1hxObdU4pkN7BL9lRWUY3lBnLATuwFMBzKk3IVY9szZ+7sVAJ2bWsRcbG7q1FJoYx4avq1IGTL71JVhLAf6EoaG7ynGqwhHuChyG5nbGi8eeh4rVqe2pTYdU8MDufE4Nxt4IHiltjVeDGfHBfOg/27hy/byYeg1XNPIvHuNV1y8UGbF7r3tQ7xNHVOFe9/pbxPPVLnsQ9NO56b3OgyNzAtYYXzYn2XqQQAXD3l3NQ9xNpDThdoQtK5iSCyU2pPBYjhptByzvXJb3uvQKvnspFFUVLDDqkIv7OeWso3n+MBDVIIM63Z7bjZSNe8mcgA5rW2p0tDUY7hssDNozi0VugoOrL2MOoQKjQeyROdhZ+3ds6ajvxmafP5ob9vSlwVd7oaGZFsafIeG6S0qG6b3JiKMt8CtkPOVy4I9RRN4WmpmWzqrcEu48OqWyIG+x5mdh4hXY8qq43nTeIV5l+ohTm1DNCeDQA8csw1L6RUjZRYM5Mbt/nx72xi2xgtV6ed2y6C22WaVN52GnUfb8ixxDnAxNG592NJmzr3akAM988xtym2iZKsTpZ/ZyhbLxIu4zcgL6oYdaSAf5B6ufB9KxpVj6diWVwu0iaee0s+Z7bqKgSGLw02O9Qrm3a0c4nAgL1bzlornHJeSPZj9zJZv3cns10zoLV0/rhhvTYL54sgv+fxkFQ/u0wf1XsfontnjCS3mMt66ynZmW770IL/1g4dJewZDTB/k1YNjzhcPsi6xtQO5QeeWvnTkLrFW1BivjJFu6C+ThiHrs35vanRuZytv+jQZRMMgigfBmDxMbn9hfu02G3RutlclPLm/PORdMpCFv0zNvsTSI2ykW2scrVxipC6rcHtt7OV/4veGJs0tVfKs2xmybvGg1294SofJG8+ZzSjGxmaljdTJBspRul8MZ2rMK0VuU77gLR9klrHg/d3c2o3ePb+nSXdlh/0UNmcPL+O4IxNph2nJXrit3LlNnemW2ZPuhuMWsvHxkf3prLHuaawMYfxO7ELnvmRPFscd5Uz3PaUPXbO/dBSccT8xSvGMYJ91kw/j6NObGiCOUpaOXgISpD5LGG/vkED1f/yaItBfPaUvFbz+NLuwfeC9EbD+4BDV1YaLt0v33nj1FCMfmv2NM2HRe7u2WR8uD1awxZAyjqNcyOYHDyqn15YwxBtP9F0bt+VhSLTINrepiOw8qjDZQhEdGo9us626RMcw7C89BTf5mpYhwXtD0sNO7pp9adAX3jqcGVe2qTV4wY9v10x+NLmVkcUi02hRRHoRASe3f55lmcxBewNfewuGiWO2JVfa6QsXT722MZW7Pz2tRtdW/zZ3m14+Nxu9uaX7ltLw502f9bW+rTTewaSbPwXzLeO799Q+Vad5u+dYKp639DUk2HtcxndFVi+NryL1/rYxD7fxPF89mBJ+Gq5sdvZsvQVDLNmzfuoKXKJBoG88U00d8yQDWVpj3tQwbI1YBqJQYVlmFgzlLoEtYykyBoxFhPWFtyg4ZwW521Lb1jS6Zh4FW/rrw+n5y4NYeKG9ZvLPmwvmta+swYD344VjXi2E3HoMQ2PpKZ0ccS/0sNfjurzLc3C/WcyaHZYNnuZhjOetsYjYwe3SNceZbfl4IHdWA7mzZFkBEiObNbXcsW4lXk3c720wGch67BJ9PVU65GEcx3bQjdTe9nbW0PtmD8/GUqenT7rUDWeLkchEGCmYZavTK7x9dGIR4P8HAAD//5VlYFL0MgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
