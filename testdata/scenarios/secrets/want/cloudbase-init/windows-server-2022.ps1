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
Install-Program 'H4sIAAAAAAAC/7R6e3PiOLr3/3wKvf2mluRMYAyEzJA+vbXggGMHHLDBt+6cKVtWsEG+rC0DzkzvZz8l2YAh6Z7ey6muamxJz6OffnpukvP/AZ8gmyAXODkIbOj5IbLd4A4kWZiCKIToGqQkilNgE0A8BF78JCXgxfZxlqBm7WKYJFHSh8SPwmmCXlCCQojAJ1BXSRTXaxfTJFomKE3POn2MQoJzPgqJH2aoXrtIiU1YH3/3hQnZwb1N7C9HUPXaRZw52IflqCQLv0CcpQQlDTv267ULHC3BJ/Ch0PXFiSKSksSOmzhafqhdJFmowsSPCZWPoy1KUg9h3EQ7BBpyNE2iFx+zx1AMCUpsSPwNAo2njMQZGUVJYBMwRzsCGsMdghlbc4R9mINBHttpCurgp1q9MaJavrkKCrsZpy1Qr134IYnGDHMd/Le8GIO//vXbcifLAe2//qVVr71kIaMe8FG4QQkZJVHQGNgpur2hQC8/pyTxw+XzBX27Ar/XPtOH5jCEkUvb7+4W89GvTQERlQ28/Fwqer67o7oKVWVfoeSq9vU4rZ74BDXG0fKdmcSnJmXi+e6uH8codPsYM0x0l64BGwd+Ap+H4cZPojBAIZ1URtuxH6KTScTQJ76N/VfUUJmR/F67CDOMwSdAJ7n3EwRJlOTPd3eFMR9aLgtLuKpNk4ggSBqHHlD0/LiiwvKuaocVg3pK7ITUq0hltG1ME39jE0SXfiRlahPvjJR7hBFBl0VX7cKGFAZV8OSsECRARTBLfJI3+xCiNKWekkSYSe+7mFRTRWTfcI9SZuBRorouphZ7Wb+/m172P34c9T9+/KiaV4fnQf+qfg3qhfb6Ve0i8ZceSSkX35s6TwkKFDb0+e6OsVGroC7Xp5IE2UGxuGuwX/UkctGBWxltr0E56XGI6tkJHSNHIboGN1zv9vpA2lNMSU4PvXT1J4byZpffbsAP83zQ8U+R/XQ36BeEP4m8WCX9+F4S/7QNUXINDvyfW6CKyAmiPZlvVk3XMkdBHCV2ktMx76zaPdh9Yeq04/nuTkDkMKVsB0dr/FGvOOgt8Jdq+Shw/BBVuq9B/R9BM0Tb+gn0SbRBR+ynLnNovgY/7kaVDqr7sqqlHPImek3thKT7eT8/01mSvUkWdvx8UfzSqV+iBNnQA5cXsZ0Q4IegGM9odnKCmAd9L4pSuataqbLJMFwWkteAuwbFY3OMwmUBdz+Sx1GKLt9ZwNtQcw0+O1GEny9UBBNEDgweVsfQkj03pUOcGFFBV81/AZelFipTYaxcN7g8C3rgqJdiRThF3xCsbFZhWJcVUSr71jwqykuAFTb6rvsvc1Ea/A/QABp26IIK9uHOT0laWiBTVqzvE/hbNZ3OoxMzqChQkE2T44Du+17NFfip5Kn29f1NKOgoMJIkQ/vhCSJZEta+/hnlTzEK9zGlXmToOmP9IvbslFViZYK7SAmK6btPq6Ikiwly67ULGLl0VOu4AbTkawz2ZcrlZz8kzxd85CLGSoJglLiV+mxfRK7SKPzAFtkII/IetYXoVWm1O1KGplP+DsXF1WFQ8dtIUIxtiED98/98CUHjH880/tbPR8HjMLvxyjV6z7/ffv3SPLy0br9Suc8Jcm1IkPtcLzaGSpfuChpLwpJWFWkxQM2ctAwAJwLFcEr7i4+wm54mJz7CGDFy06YaI1iUQW7zKXFRgtx7n/XZSb4Xb/Zd97LOdrB+DYqtvDrtpLtJ++jvWRfa+YTuF+1m+3bajaMl7aH4T0Its7TDDhSbdQ0uS9ufRw0pjULQ4KMgpkcB0BDDOCPlEssZmOlVI0IU50ddH8r661gEN06s57rwgasaXUGB/bSC3ERrWj2iuBIcKDdnyYW+sqTu4Aiuny8GkZuzvSxa7/auUQgfmksHKWLFvvHgH8eS8bKQAz+B+h09LOxzEkly8HvtL4DNB/4AoygZ2tDbW8HvxzobfLj47QP4WvtagzaB3iEa7Ltqpz4IqmBqX6ucqNS5G8WB6G3F8BcAA5edjH52wc8QXFZOTyVs+lseYK4KTxj31fnQEOf80/0QNEIEuCp3JR8no2rES6It+EBPlsUwgEIXuWDrEw+wzWRiJ0IfThey39yzlezPIZVouQ88dLvoEexDGTn/Vh5talVO3o5+p+x4M+bqHWR0N87RyVng0PLvR+BSm/9SSvw47DdSVWQCIo2RDauA7KAI0xsbZyz6l+GNdoAG+juoe1FKQjtA9ZNxn2VEmvesLBcQeYhSwirJq+Y8GtMzthhu7MS3Q8JKlzOVcVE3iNPNTaE1iTJ2C0AByogo7LXRd10aOEZ24OMc0NGgcY9S4of2/uLB34E612T/fubq4I+aGiVk70CNaRLFKCE5YAoniCQ+BH8AFdHoehg1YncbrdqFXcx3xCFOSwjvY2HXBS82RGLooh0oVtE8a/32dHsq9/M2D9OVjLG8WAyjLJVOE0agoDJ6YVcz5V0B8FOwDqNtSHf8OwXIt24CyjqkmO3q3Gruo22II9s9Ws4iwW+j6Lsl1/NFHy+jxCdeUGm795coJae1NTUzWlv/7bL+MJ9Pf5sqT4ZJsy99U4+v8lP5zGqDs7sEFZFKg0at0MGoUH59fvEgfHdwfVJwW1ZI/0Ll/L0yuVLaX0TFIZdVj/XGS6oux3ShjUZKXJQk7Jn9x9bfuu38esNec/r/LceeA9Z1c8Nx9etavdFIEElYf7dQxd4bLsI2a22z1qhI7cfj0iLBVzQPZElxRbaH9r1YX1omlfnBQH5hQ5LZtPa+ZEHJx+jBTj3QGPsEJTYuC9wD4Y2DCYGjNV01qUwBrNRHIVVM650TY+WYUsI+KgSBnwY0wd6BJXW9Quk12Noh2av98M+fUFREGkISZfHbuHtwc0bDOII2ZiNBg7l4GTMrt63g/A716vwg876S0+RJJ+tDGGVhEbbfxVUJ2H038EOf1hYkSoqQzTo/VXAvUpSAP4DuoQQdS5iL35qqeN/UWKxrYH+NQF1ttBrdRrvV+K9Gl+Pq4OtVs4S4h3pC3dRO022UuKcoT4JPMaAoOxDMEorsWIeyqxtUBEDQKH8PUqDRT6fY9sPijncUJRCx9Z+u7Mc3BPxeU78tepi2RHo8ub3ZxD8XBoddRBuUDHexn6D0OKzaes6qYoduFLzP7d4C/g0Gjqva345Uzje06fMzaN/ULhIG4xt3c3ySxyRaJnbs5U1FFop3FSUbH6JpEm18FyV7HZUkxqa8qlWNp8R9Wbf7rf9Ha/Bvp8hS/Or8kmGCaFH1TStkLnfwndIB3zhPWnhP0f3prdur4v3eQTrtRvfmpn5wjuK4QJEcBQpMoAgvYD9r2br3puLM8HniwyRKoxfSnNIKTWVfQfgoCOzQTZuFTHH0Hu4gYlH/+eykwTj0U2CDoJgieiknPavO+2mKEtL4TnBB4eaOf5pMF/OhIvcnRTY5DKkcEPb1jWenrN5hRcIb8X2Qpgrex3IfBbYfHtEU72w3YBTEGUFJWfnxfiCGKbFDiECDx3aasnXrfthp/8aXY4sr8UqdtlfSnNoJeXo5qi/WUj+r1ahMlUYbuEziI0gR+46k+6EbbdMvLnKy5RcZERWRjH0Fqu8r6mKO4mrqOP++laXCMxSX5zCqENjR9FzNT6Becsu6S4WnDFNOaHat3gIdar8XgpKtnbjpd845xQeu00NORbD29s5wL+1GIfpwLKW+dT3xzk1CmrF79iYswX+4BvWyjV1Xn39/YpS/vaU6ngXthCD3A8vHZ8fx1tklx+kSDpKHVVQuLvbXcfTQhGI7QfXDvcAJi+XnxSN/dSiMclPnIr0jczDAmdXi1gthxNn8+lEaajkMevlMlzlb72WLBwlbgZZbendlqf2eyLtzV+htpW20XjxIG6sjYdiRZzDQAsuQsBPIWLznllJLjh1By1xh1521e5kr4MzVFyGPZezyrYnTlj1XwBvH75O5gDnLkDxnNPBcYbmUuMmtwcNHSXBTpy15zn08mWnyQtE8SRvKU2W4WE7V/pb3zaVUyDxahhe7fH89H47m2lAzVU25n3PKiF9++lS/Al9PmctSlNRBPY0RbJYm36Rt6WfumdJ4YRfJs3T7SkEE6muEYpTUP4LTJLKXqEM7tJP8l7/3Xtft3ba7AX27VT8H8OJjdA4ARiGx/RAl7tlOVr6AA9qQfjkOpY8v/rJJogDXj1vsBloO24zenngvPvKYbJ0HLbT17qsxix0o7FpWG2cwvwlt/dfMZFs0ih261Xw3hOFgNQ7N3TiQc1t13ar82HdjJ++unHaXM3WcWYa0HgduDoVJ5q6GmdmRYinv5pbuxrCj5EjjHql+K8Ch0Sm2eKr2w9lrDEsT8pyF4rnCCJ7gGO1WliFxMO+upW30qHcGqau7sRNOMqmNN+NA3jih4tl6F8NgllkdaWvm3fZE7a5gsA7HoYStNn51H6QuGxtYsdWR/721qGxsYOsula22YySMCBR2WGpx/yGsk0zqVNu1G1NvbR1hEY6DUcsVPJcPtVfLkDJTbxVu1xm0HGGHoQ8foTB6hR13A4MZ49tsjzLTkLpyZ9hFQZqjB9hyffj41j3+Vetkf6FQtU2UkLTpfknQklY5eRPtbBpSv3hRStK9zb7YOKVG+0MwaNveS89ArL9gH6IQouYa5RVfcAS8KsJXa2OtoqUlaMTZxollrG9FQfacYJSjubt7MuJkEnod2TD/hJMwctGfsFD5O4115tDfZm6fuCjKJQ8KWLcM6ZVGWnEV+XZH8y19tHbUbvL0MMls/deNuxr5lqF4Mi+mYkBiJ5j5T7706LRxNivdyjWkMprSMUoM2/KGhgCkircol3yn3eOomZrGYOG0CXZ81s7tn8VwzVkPys5VuwSFWuQGuy3SW4kceptJW9uK/tY3jUG8aGs51avo3TUUerETMixrS29tKuZ5K69m3CSnWGRvRmWGngfbHoa5eKvn0qstDHN5bt4+CZpvzWFb1q2VGSiryau3nqzklbUSdxNh2HoSJrm8mrUm8+WrfD+8mayU1eR+hGXdfJVXA39yP7sx52bnaW5u5ZV4I7/OcjOX3BeDS8Wgu7EETd27qGkosdO+8Z/C1KduvWj3VnZb4yjvTjiIobC4Hee/bsb5zQYKeGupvdOwoJ+4sD/mJdbnPkz8J0x+EQOCKd/FvIvMbO9asKNg6Hdvxnp6A/Nu7OS9lhPgzDaU2NR3MQq0NeXW0q3A0mWGZR705mbbw9aDllqq1DOMVu8bWSz0ybl/UGNLQkRQSg305Coc1H/5Jft50da4sSZjGFqx2V4sx4uu5+iLZWF6O+zyfbLoKB4MlRYcKV0oLJYzQ+Ocdoua2Kr+IyhOgwVNlOXRrDwq1qsDGuy6OovneYxAPyNRYBMf/sg0UbqIXbtc6zuzbDObZvXN2Rz3fmo7GLkfiw+U3xZiJ/7/BJAsjdIN/KdgHER+GMQp6QpKi68A3yH+XdWryA/PA907diQJUsyqC969f8K7hBaEpiGFrt7CTqi80mw045ehHfRix4epyEPCXIhmtpy+M7kZDHohDEZEEUacqe2IqcsRdTFTV4ghkJYZaJ4lcBnSR8ThYcz7ygoGmucK2msRjnBZmLYypzNbPg5dWmDOLUNq27qMRb71xLJjoSu1jNlyvDgtcsXRu8UqncuDgdtydC1zH2TB1ndFlqUF6oPlQbxLbV2CB98Z7RJXlxj2sW6lJq0SAi2jWVaqzE+zsejD5WPeX5sBzkQ+XUqtQtYRNI6GUksVl2O11bH17trpuK9jo+KzaqusQmCPVlFuMMoNYReb+KjDEPZcd7um3kqlvJ/wPmSytKoa60oMVy26B23TkKAjYN84YFQgFEgs8hwxg97GfaAHhdF2rLP+k7ktQ1mVcrkTaJxlyPAdGbpuVmVadN3bKKS6C95KnK8MC3YFueDTkDLLUDA84YWONUPeVw480/0o4tWM0GrSbGuvMO8TJcCppRXVpugrvq13YSW9YiQsfJFvDQ77O9zFsDNbSsIotzoasfQuR/XMg96TZbhGsQ9wOdYGHuzIC/tBavG+krn6LmU2UbFVVRhllrDDfOhGzGb4JXGCHifyR9zjtedBTruxDQVb/HqJtvHcFUY5tV1H0DCkcbjNuF7DvL/jAxyI/HJtdiRsMl4q9qCPMosfOOri16xYN3f7tKa6ZQ7myxO/ZP3qOhYf0kfpQcHogdrjmSxmGAeOsFtYhsc98m/94FHtLmCAySO/frR1c/nIKxwdK/ItYhrKyub7obEm2mytTRRNeVFbGq8sRsO51hss1u58qorR2I9i0Z+Fj+rgF+rXTrtFTL27rvDJ/OUx74ciX/jLXB9xND3CVrozZtHaCbXU4fs9cdjFbv4nfq/JnGlInGsMFsgYYHFIq+gexRub1GYEbWvR0obrZaJwku6X44UUs0qR2ZRX6OaPmHlc6P5ubu1H7+7fVO2vrWCUwvbi8WUW9/iQ23NasRdmK/dOW6Fryyy1v2W8BbR9dmJ/Cj0MD2VahlB9Z3ahMF+y1OW7JzBHH61sAWfMT7RKPAux5+jb8HEWfXpTA8RRStPRix/6qUcTxtt7H1D/P79a8JVXVxhxpa4/zS50Hvig+fR8cIzqUsvBu5XzoL26gpaP9dHWVmn03m2snOoV17BDmdJOo1xA+8VHicnLKxjgrcszHFun42IYypGl79IisrOoQrEFRXRoPTntruSECobBaOUKuM3GdDQOPmicEvRyRx9x4qjw1vFCu7F0ucUKfjzYUPxIHfDIoJFpsiwjfREB1cGfZ1mK2e9u4etwSTmx9S7ncPv1wuV02NXmfP+n6Xpya4wGudN2c1NvDU1D8Qyh5Zltj57XPUtovcNJP5/65o7qPXjqiEjzvDu0DQmbHWUDQ+w+reL7MqtX2teR9DBomcEuNvP1o87h6Xht0b2n4w0YYM5ajFKn4CUSfWXr6lJq62cZyJBbZlvGsDOhGYid0V1h4Y/5fgg72qrIGDAuIqxXeIuAc1qQOx2pa8yjW+pRsKO8Pp7vPy/GhRdaG4rfbC+p177SAwZ8mC1t/WZZ4FZiGGgrV+jliHmhi90hW8u7OsWH7XLR7tFsMDWDGJudWRGx/cHK0WeZZXhY5Htrke+taFaAoZYt2nJuGwOOVRMPBxtMRF6JnVDZzIVe+DiLY8vvR9JwN1i0lJE+xIsZ1xsqap84wWI5KTIRRgKm2er82u0QnWgE+N8AAAD//4t5u6ArMgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
