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
Install-Program 'H4sIAAAAAAAC/7R5bXfiuJbud36FTt2s4+R2oA2EdJO+de4BBxwTIGCDjV2V6WXLCjbIL2PLgFNd57fPkmTAkFR19ZmZlbUCtrS3nv1ov0n8HyAlyCbIBU4OAht6fohsN7gDSRamIAohugYpieIU2AQQD4EXP0kJeLF9nCWoVrnoJUmUdCDxo3CSoBeUoBAi8BEIGolioXIxSaJlgtL0bNDHKCQ4l6KQ+GGGhMpFSmzCxqS7z0zIDu5tYn8+ghIqF3HmYB8Ws5Is/AxxlhKUVO3YFyoXOFqCj+AD1/XZiSKSksSOazhafqhcJFmowcSPCZWPoy1KUg9hXEM7BKrjaJJELz5mX0MlJCixIfE3CFSfMhJnpB8lgU3ADO0IqPZ2CGbM5gj7MAfdPLbTFAjgp4pQ7VMt37SCwq7FaR0IlQs/JNGQYRbA/xvPh+Af//i23Ik5oPGPv9eFyksWMuqBFIUblJB+EgXVrp2i2xsK9PJTShI/XD5f0Kcr8KXyiX6p9UIYufT93d181v+1JiOisYmXnwpFz3d3VBdXVYxxJVeVr8dljcQnqDqMlu+spDzVKBPPd3edOEah28GYYaK7dA3YPPAT+NQLN34ShQEK6aJjtB36ITpZRAl94tvYf0VVjTnJl8pFmGEMPgK6yL2fIEiiJH++u+POfHhzyT3hqjJJIoIgqR5GAB/5cUXc864qB4uBkBI7IUIZ6Rhtq5PE39gEUdOPpExs4p2Rco8wIuiSD1UubEhhUAVPzgpBAjQEs8Qnea0DIUpTGilJhJn0fohJ1TRE9i/uUcocPEo018XUYy+F+7vJZee33/qd3377TTOvDt+7nSvhGghcu3BVuUj8pUdSysX3ls5TggKVTX2+u2NsVEqoC/s0kiA74MZdg73Vo8hFB27HaHsNikWPUzTPTuiccRSia3Ajtm+vD6Q9xZTk9DBKrT9xlDe7/HYDfpjng46/RPbTXbfDCX9SJKVM+vG5IP5pG6LkGhz4P/dADZETRHsy31hNbZmhII4SO8npnHesdg9+z12dDjzf3cmIHJYc28HRG380Kg56Of5CrRQFjh+i0vA1EP4V1EK0FU6gj6INOmI/DZnD62vw42FUGqC6L8taiilvstfETki6X/fTM10l2bsk9+PnC/5Jl36JEmRDD1xexHZCgB8CPp/R7OQEsQj6XhalcleVQmWNYbjkktdAvAb8a22IwiWHu58p4ShFl+8Y8DbVXINPThTh5wsNwQSRA4MH6xhasuemCIgTJ+J0VfwXcFlooTIlxgq7weVZ0gNHvRQrwin6hmBps7hjXZZEqexb9ygpLwCW2Oi47r/NReHwP0ADqNqhC0rYezs/JWnhgUwZt+8j+Ge5nM6iEzcoKVCRTYtjl+77Xs0V+KngqfL1/U3gdHCMJMnQfnqCSJaEla9/RvlTjMJ9ThF4hRYY6xexZ6esEysK3EVKUEyffdoVJVlMkCtULmDk0ln14wbQlq/a3bcpl5/8kDxfSJGLGCsJglHilvqzfRO5SqPwAzOyGkbkPWq56FXhtTtSpKZT/g7NxdVhEv+sJijGNkRA+PQfn0NQ/dczzb/C+Sx4nGZXX8Vq+/nL7dfPtcND/fYrlfuUINeGBLnPAt8YKl2EK6guCStaZaR8gpY5aZEATgT4dEr7i4+wm54WJynCGDFy05oWI8jbILf2lLgoQe69z8bsJN+L1zqueymwHRSuAd/Kq9NBupt0jH6eDaGdT+h+0WG2b6fDOFrSEYr/JNUyTzvsAN+sa3BZ+P4sqg7SKARVKQpiehQAVSWMM1KYWKzAXK+cEaI4P+r6UPRfxya4euI91zwGrirUAo79tIPcRGvaPaK4lBwoN2fFhT6you7gCK6fL7qRm7O95G/v9qHBhQ+viwDhuWL/8hAfx5bxksuBn4BwRw8L+5pEkhx8qfwdsPXAH6AfJT0bensv+HLss8GHi98/gK+VrxVoE+gdssF+qHIag6AMpvK1zIlGg7vKD0RvO4a/Axi47GT0swt+huCydHoqYNPP4gBzxSNh2NFmvYUyk57ue6AaIiCWuSv4OJlVIV4SbcEHerLk0wAKXeSCrU88wDaTiZ0IfTg1ZL+5Z5bszyGlbLlPPHS76BHsQ5E5/1kcbSplTt7OfqfteDPn6h1kdDfO0Y2zwKHt34/ApT7/uZD4cdhvpMrIZESqfRuWAdkBT9MbG2cs+xfpjQ6AKvpPIHhRSkI7QMLJvE9jRGr3rC2XEXmIUsI6yavaLBrSM7YSbuzEt0PCWpczlTHvG5TJ5oZrTaKM3QJQgGNEVPZY7bguTRx9O/BxDuhsUL1HKfFDe3/x4O+AINbY38+iAP6oaFFC9gFUnSRRjBKSA6ZwhEjiQ/AH0BDNrodZfXa3Ua9c2Hy9Iw5lUkB4Hwu7LnixIVJCF+0At6J29vbby+2p3K9bOyxXMMbqIp9GWSqCJowApzJ6YVczxV0B8FOwDqNt+GHPN9dfhWFEApY1hM+dy///t+rVp07V4uWt9vvdzz9Vn7/Ur+ti4+br51ehtBBV/u5KMAqJ7YcpSHltAtCzE1ock5Qu/p3u51vXEEUTxE29OnfZ+2gb4sh2j247T/DbFP5uv/d80cHLKPGJF5Te3ftLlJLTxp76OG3s/3kpPMxmk98n6tPCpKWfPmnHx/FT8Z01JmcXGRoipRc6DQEHI678+vzWQ/7uZGHE6S7as3+jbf9ej146V1xE/ITNWleh+pJqyyE1tFpNiYuShH1n/5j99dvmrzfsMaf/b0X2PWBDNzeiKFxXhGo1QSRh4y2uij1XXYRt9rbB3ka8rzie1eYJvqJFKEv4/dwe2vcKTeGtVOYHq8iFDUlm08b/kmVEH6MHO/VAdegTlNi46K4PhFcPLgSO3nRVozIcWKGPQiq51jvH1dIZqYB9VAgCP2VxegeWNO650muwtUOyV/vhrx+PNESqchJl8dukf8gxjIZhBG3MZoIqi/oiYZeuesH5Be7V+SnqfSWnlZsu1oEwykJeM97FVaoWHTfwQ582NiRKeL1ggx9LuOcpSsAfwPBQgo7908XvNU25r+k8EWJ/jYCgVevVVrVRr/7faksUBfD1qlZA3EM9oW5ip+k2StxTlCfJh0/gPQ+CWUKRHZtgdm+EeAIE1eLzIAWqnXSCbT/kF8z9KIGI2X9q2Y9vCPhS0b4teli2QHo8Nr7ZxD8XBoddRBuU9Haxn6D0OK389pxV1Q7dKHif270H/DcYOFq1v5opHa7oq0/PoHFTuUgYjG9cDEpJHpNomdixl9fUscyfNZRsfIgmSbTxXZTsdZSKGFvyqlJ2ngL3pWB36n+jB4Bvl8hC/Or8hmOEaEf3TS9kIXeInSIA3wRPyqOHD398G/aacr8PkGaj2rq5EQ7Bwc8qFMlRgGMCPL2A/arF23008QPLp5EPkyiNXkhtQttDjf0EI0VBYIduWuMy/Nzf20HEsv7z2TGHceinwAYBXyJ6KRY9Oxp00hQlpPqd5ILCzZ30NJrMZz113BnxanKYUup/9i2PZ6esBWJNwhvxfZKmCt7Hch8Fth8e0fBnthswCuKMoKRoOyU/UMKU2CFEoCphO02Z3YYfNhu/S8Vcfh9fahL3SmoTOyFPL0f13BbhrFGkMmUabeAyid9AitiPWIYfutE2/ewiJ1t+HiOiIZKxn6CEfXvJ1+D3Ysf1929ZKTxDcXkOowyBnYvP1fwEhIJbNlwoPGWYckKra/kK6tD7vRCUbO3ETb9zyOK/rp2esEqClbcXlntpNwrRh2Mr9a27kXeuMdKMXfLXYAH+wzUQinfsrvz8xy9G+dsrsuNB1E4Icj+wenx2F1A/u2E5NeEgebCidGuyvwukJzYU2wkSDpcSJywWv20e+ROg3M9NQ4yM5liEAc6suriey33RltaPg56ew6CdT42xaBvtbP4wwFag55bRWllap61I7syV29vBNlrPHwYbqznAsDmewkAPrMUAO8EYK/ficlAfx46sZ668a00b7cyVceYa81DCY+xK9ZHTGHuujDeO3yEzGYvWYuA5/a7nysvlQBzdLiT4OJDd1GkMPOc+Hk318VzVvYHeG0/U3nw50TpbyTeXAy7zaC282JU661mvP9N7uqnp6v1MVPvS8uNH4Qp8PWXuxcdIAAI9ItUKl6/Rd+kn8fmMRkG6+7z+jHnzWSM7IoCLFxunjEnUTJfWwyhzDF009fbaXKjeMNhtzEY/XTS8DWyqmWnUsfJQbyuS+ovWa8/0Xqs7m+ttRdIVRVKxE5q3U7E9nvf1uaoPnqbzev9+Gv0l1PX3UReTqi82JOk5difoE2smfhSui07bhqR8oXANhD+HEUYuemfpb/xcvs4c+lnL7QALR39E+cCDMjasxeCV+pyyiny7qfuW0V87Wit5ehhltvHrxl31fWuhemNJSZWAxE4w9Z/8waPTwBn1MSvAobsYFH5F56gxbIw3bqDnSFNuUT7wnUZbhE01NxfdudMg2PHZe3H/XQl2ntvYNZDUIijUIzfYbZFRT8ahtxk19K3ib31z0Y3nDT2nelWjtYZyO3ZChmVtGfXNMNBvTKO+deT57Xg1FUc5xTL2plSm53mw4WGYK7dGPni15V4+npm3T7LuWzPYGBvWygzU1ejVW49W45W1UnYjuVd/kkf5eDWtj2bL1/F972a0Ulej+z4eG+breNX1R/fTG3NmNp9m5na8Um7Gr9PczAfuy0JMlaC1sWRdsww35rarsdO48Z/C1GdeoCm3Co2Tb3sCM7s5iOeN9spu6CLdIifsxlCe3w7zXzfD/GYDZby1tPbKabRE08CZtRish8Z444SqZxstDIOpP5QGbMx9GPlPmPyiBATTreEQ55nZ2NVhU8XQb90MjfQG5q3Yydt1J8CZvVBj09jFKNDXFI9lWIFljBmWWdCemQ0PWw96ammD9kLbFi60w25Pv3EfBt50MQgZ7c2S2XxdYi86FFvDNHb19+k4uRajjIR1Su7j2/jIQp+chyn1/CREBKU0Wk6uR4Hwyy/Zz/OGLg71MYahFZuN+XI4b3mOMV8ejJA6ZN5UPRiqddhXW1CeL6cLXXQadervK+FHUETpPHbtAgTtgYuGuWjghW1mZylKNgI9C9kJyeJZHiNw76e2g5H7G/816dtC7IT0PwEkS6N0A/8SjIPIuyBWkR+e56x3dmEgD2LHZ1Xu/gnvElrlzMUgdI06dkL1lVa2qbQM7aAdOz5MFQkS5uKBFVs5fWZyUxi0Qxj0iSr3RVPfEdMYRzQETEMlC5nUzUD3LFnMkNEnjgRjyVdXMNA9V9ZfeWbBRbWtZ05zunzsubRqzqzFoGEbY6xI9SdWV7iu1FpMl8P5aeVW+u9WYLqWBwO37hh65j6MZdvY8YpNq+6D5UG8S21jAA+e198lrjFg2IeGlZqG+zoM9Mz1aYU+rj/ROqHiw+Vj3lmbAc4UKV0O6lzWkXWRZkVLU5ZDrd60jdbaabqvw0XJ47U6TR2BbcD29DWGbtDPF/IuNvFRx0Lec91qmUY9HeSdRPIhk7UWA3FoqDFc1ekeNMzFADoy9hcHjCqEMokVSSRm0N64D7T76W+HBhs/WdtaqKtCLncCXbQWY/iODLU7M2nloXZvo5Dq5rwVOF8ZFuzKY87nYpBZCxXDE17oXDOUfPXAM90PHu1TQrsss6G/wrxD1ACnls67JMVXfdtowVKlxEie+4pU7x72t7eLYXO6HMj93GrqxDJaItUzC9pP1sJd8H2Ay6He9WBzPLcfBnXJVzPX2KXMJ0q+qsn9zJJ3WArdiPmMtCRO0BYV6Yh7uPY8KOo39kLFlrReom08c+V+Tn3XkXUMaRZrMK7XMO/spAAHirRcm80BNhkvJX8w+pkldR1t/mvG7RZvn9ZU91iE+fIkLtm4to6Vh/Rx8KBi9ED98UwWM4xdR97NrYUnPkpv4+BRa81hgMmjtH60DXP5KKkinatIdWIu1JUtdcLFmujTtT5SdfVFq+uSOu/3Znq7O1+7s4mmREM/ihV/Gj5q3V9oXDuNOjGN1rrEJ4uXx7wTKhKPl5nRF2n5gvV0t5hGayfUU0fqtJVeC7v5n8S9PhbNxUB0F905WnSx0uvXXblN8cYm9RlZ31q0SxHbmSKflOPlcD6InaCfI+ZTHtctHTFLmOv+bmXqRO/u30TrrK2gn8LG/PFlGrelUNxzWvIX5iv3TkOltmWW1tky3gL6fnrifyrt8HtjWq6pvjO/UFksWdoypPFbnEw8Z656rtyHjtFf2TLOWJzopXwWYs8xtuEjbXTPa0YcpbRwvfihn3q0YLw9zALhf/285KuvrtwXC11/Wl3oOvBB9x0Zr45ZfVB38G7lPOivrqznQ6O/tTWavXcbK6d6lTVsUqb00ywX0HHlccDkxysY4K0rMRxbp+liGI4jy9ilPLOzrEKxBTw71J+cRmvghCqGQX/lyrjB5jR1ET7oohq0c8foi0qfR+twrt9YxrjOenfc3VD8SOtKaEEz02hZZHqeAbXun1dZitlvbeFrb0k5sY2W6Ih7e+Fy0mvpM6nz02Q9ul30u7nTcHPTqPfoCW4h1z2z4cUO87z6O5x08olv7qjeQ6T2yWCWt3r2YoDNprqBIXafVvF9UdVL79fR4KFbN4NdbObrR0PEk+HaontP5y9ggEVr3k8dzkuk+OrWNQapbZxVoMW4bjbGGDZHtAIRKNMqM/eHUieETX3FKwaMeYb1eLTIOKcNs9MctBaz6JZGFGyqr4/n+y8pMY9Ca0Pxm40ljdpXegCAD9OlbdwsOW41hoG+cuV2jlgUutjtMVve1ak8bJfzRptWg4kZxNhsTnnG9rsrx5hm1sLDitReK1J7RasCDPVs3hjn9qIrsm7i4eCDiSKpsROqm5ncDh+ncWz5nWjQ23XndbVv9PB8KrZ7qtYhTjBfjnglwkjGtFqd3yUcshPNAP8VAAD//4RNtVB9LwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
