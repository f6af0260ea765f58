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
Install-Program 'H4sIAAAAAAAC/8R6fXOiyt7g/36KfmZTl2QnOmBi7jGzc/cqUYQoiaiAzGRPQdMRtHm50KhkzjyffasbVDTJnLnneba2pmqE7v69vzf5H0BMkE2QC5wcBDb0/BDZbnALkixMQRRCdAlSEsUpsAkgHgLPfpIS8Gz7OEtQo3bWS5Io6UDiR+Fjgp5RgkKIwBfATUgUc7WzxyRaJChNTzZ9jEKCczEKiR9miKudpcQmbE+8/caA7ODOJva3A1Nc7SzOHOzD8lSShd8gzlKCkrod+1ztDEcL8AV8KHB9c6KIpCSx4waOFh9qZ0kWTmDix4TCx9EGJamHMG6gLQJ1NXpMomcfs8dQDglKbEj8NQL1h4zEGelHSWATMEVbAuq9LYIZkznCPsxBN4/tNAUc+Fjj6n2K5V0pKNuNOBUAVzvzQxINGc8c+F/qbAj+8Y/34Y7EAc1//E3gas9ZyFQPxChco4T0kyiod+0U3VxTRs+/piTxw8XTGX27AN9rX+lDoxfCyKXrt7ezaf+3hoTIhB08/1oierq9pbgKVOVegeSi9uNA1kh8gurDaPEGJfmhQTXxdHvbiWMUuh2MGU/USpeAnQMfwddeuPaTKAxQSImqaDP0Q3RERA594tvYf0H1CXOS77WzMMMYfAGUyJ2fIEiiJH+6vS2ceb9yXnjCRe0xiQiCpL7fAcXOryMqPO9NTKVTcuedzw+yKH/mt0KT5+3258+fu7MLrrZXEuBSYieEqwqnok39MfHXNkFUWwc9PtrEO9HjHcKIoPNiq3ZmQ8o5RfDgLBEkYIJglvgkb3QgRGlKgyuJMIPebTGoxgSR3cIdSllMRMnEdTF18nPu7vbxvPP5c7/z+fPnyfxi/9ztXHCXgCuwcxe1s8RfeCSl6vsZ6TwlKNDY0afbW6aNWoXrUr4JSZAdFMJdgp3Uo8hFe3OoaHMJSqKHIxPPTugZNQrRJbjm2zeXe6U9xFTJ6X6XSn/kW6/MeWyAS7B/fSAeSlJqkV9W/B7pv6X9h9tup7AA86aKFQ7v1BLgIyiZugTcwyZEySXYm+bUnyeIHPG20/MrhVCppiiIo8ROcnrmtUeeuXvfLwKHbjzd3kqI7EmqdnBw1F+NsT3egv8SrRgFjh+iyvYl4P4zaIRowx2xPorW6MD7cTTtlysW/dMIq2xQ3OdVLOWRV7nw0U5IuqP79YlSSXbeWrj401nxS0k/RwmyoQfOz2I7IcAPQXGeqdnJCWLB9bOcTOEuaiXKBuPhvIC8BPwlKB4bQxQuCnZ3J0Ucpej8DQFeZ6FL8NWJIvx0NkEwQWSvwb10jFuy000ZGkdOVKir5j+D8xILhalorJQbnJ/kQ3DAS3lFOEXvAFaMVTjWeQWUwr52jwryksGKNjqu+5d1UTr8L6gB1O3QBRXee1s/JWnpgQxZId8X8M9qcZ5GR25QQaAhm5baLrX7Ds0FzRUMT+3H20Yo1FHwSJIM7Y4niGRJWPvxZyp/iFG4yylcUe85pvWz2LNT1teVte8sJSim7z7tsZIsJsjlamcwcukp4WAA2kDWu7um5/yrH5KnMzFyEdNKgmCUuJVub9eSLtMo/MCErIcReUu1BehF6bVbUqamY/3tW5WL/aHit56gGNsQAe7r//kWgvp/PtGayJ2egodjdv2Fr7efvt/8+NbYvwg3Pyjc1wS5NiTIfeIKw1DoMlxBfUFYPatyWhyYZE5aJoAjgOI4Vfuzj7CbHpcpMcIYMeWmjUmMYNFUuY2HxEUJcu98tmcn+Q680XHdc45ZkLsEhSkvjjepNeke/T3ZQlufUHvRbWa3420cLegO5f8o1TJP21ugMNYlOC99fxrVlTQKQV2MgpgOFqAuh3FGShFLCsz1qhkhivMDrg9ly3ZoqetH3nNZxMBFjUpQ8H7cj66jFe1FUVxJDlQ3J8WFvrLy7uAIrp7OupGbM1sWq7e70CiA98tlgBS5Yre4j49DN3lewIGPgLsFXBHiNMmTJAffa38DjB74A/SjpGdDb+cF3w9dO/hw9vsH8KP2owZtAr19Ntht1Y5jEFSZqf2o6mRCg7tejFevO4a/ARi4bM765IJPEJxXZrGSbfpbjkMXRSQMO5Npz5Sn4sNdD9RDBPiq7kp9HJ2qES+JNuADnVOLYwCFLnLBxiceYMZkYEdAH44F2Rn3RJLdVFPJlrvEQ81FB7oPZeb8Zzko1ao6eX36jbbj1ZmLNzij1jjlTs0Ch7Z/v8Iu9flvJcSvs/0KqsqZhEi9b8MqQ3ZQpOm1jTOW/cv0RjdAHf0LcF6UktAOEHd07quKSOOOdewSIoMoJayTvGhMoyGd2OVwbSe+HRLWupygjIu+QX5cXx9jpQw+HjZrP2qHbEIZBwWS4nxVsuNjx/JV1K1TOEpxX3YOS6VPhlFJJHpm9yjlYA/8FKzCaBN+2InDAEEdhhEJWFBy3zrn//s/6hdfO3WrqB6N328/faw/fRcuBb55/ePbC1chRJG/SQlGIbH9MAVpkfoB9OyE1p4kpcR/0ly8d2dQ9hiFqBenHjFCxHZtYr+rtQlK1j5Eb3TkZ7brstz+BXAeIfHtp0/CTbvRbF03yl+uduYh20UJ64y+A66TES9K/Beb0ucoYBfZCUrAQ2JDjDiwb3wY0cJhemKzcBTsPyPiB6hEZtbtTVpHsFkPSiHqJFqhsE4IrqcIRqGbMho3PEV8xjZLP9NQGkdhigD3mBEOnO9l+Qi4T9gmKCWf7Nj/xGC4C7CnfSrRe0xwrAtgFGnmOnLyA3EJnRAvlbsjcho7qRclLN5ex2Tx0JjE2CfnXIO7+Mo//XoIVdk6uMIIES9yK6afJfgSfPXs1CO2g9HT2aDgs5ySqCiEduu0BxI+g/1bHRNwxR8WPn5kscBKYNG87hKnhlJSkAX1WYq6durDRztJ/XAB6lM/QFFG53Ig8KBenjvbn098QFkE9ZItsOPvZ7WT5VGMUAzqk8JpQJNVmzJUGUY3QimgKSNhSnJfZda7aBPiyHbPT3T1K2PJ01kHL6LEJ15QWbvzFyglx/MnNTudP/95zg2m08ffH7UHc047VPo2ObyqD+Uz659Pbu8miFQWdJqpHYwK5JenV33STw9zoyJtlVPEX5gufzZKVsbfs6i4I2ITFld/TieLIRW0Xk9TXA+jeoKo+5RLxEVJwp7Zf0wlws3Vb9fsNaf/3/DcZY2rB2zr+prnC9AEkYTttyrvdRdhm6022WpUdMSHW4ZZgi/+gv//DcAsKW62d/Ix9fzzvHUJbi7B3y8ALVP7knDUEVEEToLsVe3H+078kxat9G7KwS/2X2c2JJlNR+Zz1kv4GA3s1AP1oU9QYuNyLt37QH3v1eDg4BcNClMwVuKjLFW8/Y2Lnsrtwi4oD7gDP2Ul+BYsaEkvkF6CjR2SHdoP//7Fwkkz8pfy21kSZWSX9FVENPZa7xTZvm8HPs4Bw16/QynxQ3v3gcbfAo5vsH+feA7UK99vwOlXGfBHbRIlZDc41B+TKEYJycF3cPZ7g9EcIZL4kJaX3xvso8mzDXeLP8AfYILoxLnH0Gdfj4TCSEyGk3JfyiM/lqK8LdOekhy6aAsKTI2T1T9q7xAvy8KOamNP7Gf+Xp11EKlLSZTFr/vdff/H/HgYQRuzk6BeVMei3v5M5xenF0hvIznmiBLrQBhlYdEuv8lXpdh33MAPfTrTkSgpij3b/FLhe5aiBPwBDA8l6DA6nv3emMh3jbJJxf4KAW5SF+qtelOo/896i6cN0UWjZHHH6pHqHu003USJ+25fuDtQjHsIZgnl7NBusMtzVDSnoF7+7qFAvZM+YtsPiy91/SiBiMl/LNmvGwR8r03eB92TLTk93Ji9MuKfA4O9FdEaJb1t7CcoPRyrrp5qVbNDNwre1u3OA/4LGjhItbuVrtwr0aWvT6B5XTtLGBvvfB0Rkzwm0SKxYy9vaKpUvJcd+WMSrX0XJTsclQGDkbyoVZ2n5PucszvCf3DgI3h/fCnBL04vd0eIDrPveiELuX3slAH4KnjSInqK7S+vw34i3+0C5KpZb11fc/vgKHpUyskBoOAJFOkF7KiWq7toKvrNryMfJlEaPZPGI52MJ+xbthgFgR26aaOAKa48e1uIWBPwdNKlMh36KbBBUJCInkuiJ7cinTRFCan/JLmgcH0rPoweZ9OepnZGRTuwP1KZTXfjqGenbDxljecr8F2VpQje5uUuCmw/PHBTvDNrwCiIM4KSsp6IfiCHKbFDOvaJ2E5TJrfhh1fN38XybPGVsjLA75A0Hu2EPDwf0BeycCdDPIWpqtEGLoP4DFLE/hrA8EM32qTfXORki28qIhNEMvYtn9u1UwWN4pPAgf5ulfUyJ1ycn7JRZYFdCZ6i+Qi4Urdsu0R4rGGqE9oeVW/f9/PEM0HJxk7c9Cf3S8WfKRxfLlUAa6+/1eyg3ShEHw7t+XvXwm/c4KYZ+77ZgCXzHy4BV66xz4Snf0XAVP7668DhDs5OCHI/sHp8cg0qnFwuH4uwh9xLUbkw3n0GAVycoNhOELe/jz3SYvlHIgf9cVDq53ODj4wrlYcBziyBX82kPm+Lq3ulp+cwaOdjQ+Vto53NBgq2Aj23jNbSmnTasuhOXam9UTbRajZQ1taVguGVOoaBHlimgp1AxfIdv1AENXYkPXOlbWvcbGeuhDPXmIUiVrErCiOnqXquhNeO3yFTCfOWqXhOv+u50mKh8KMbU4T3iuSmTlPxnLt4NNbVmaZ7it5TH7XebPE46WxEf75QCph7y/RiV+yspr3+VO/p84mu3U15rS8uvnzhLsCPY809+xhxgEtjBBulyzfoWvqVfzpRIyfeflt9CyPiQ9QgW8KBs2cbp0yRY1Pnbamd26aKLbErwOZs4TRbKZpcq39OOIxc9Aaxd/5mZ5U59LeR2wHmDrZEueJBCRuWqbxQe8nLyLevdN8y+itn0koeBqPMNn5bu8u+b5map4pyKgckdoKx/+Ar904TZ9Q+VoBD11RKm9AzWgyb6toN9BxN5BuUK77TbPPwSsvnZnfmNAl2fLbO757loJXagUCsSYugUI/cYLtBhpCoobceNfWN7G/8udmNZ009p3g1o7WCUjt2QsbLyjKE9TDQr+eGsHGk2Y26HPOjnPKiemMK0/M82PQwzOUbI1debKmXq9P5zYOk+9YUNlXDWs4DbTl68Vajpbq0lvJ2JPWEB2mUq8uxMJouXtS73vVoqS1Hd32sGvMXddn1R3fj6/l0fvUwnW/UpXytvozzea64zyafykFrbUn6xDLcuJBdi53mtf8Qpv78SolnzfbSbuo81bsTdmMozW6G+W/rYX69hhLeWJP20mm2+LmBM8tUVkNDXTuh5tlGC8Ng7A9Fhe25g5H/gMnf5YBgqu+C7iybN7cCvNIw9FvXQyO9hnkrdvK24AQ4s00tnhvbGAX6iurWMqzAMlTGyzRoT+dND1sDPbUmStuksoQ0VtTIMkeMf0vCOT3vXCktCjN+iaHZ7+ZO083nhtCbm5pn9rdkbqgR5XduaMTsbzdzU1vakv4ih0L7v9vNY9qRoJS5O0YERuGzv8gSNnTyPM9/DFCyQG9FgWtqkWW0eNvYZRbmnZ4TtDNkCGt3J7XR8ubBFluifGMF/RQ29fbzhHrmLpjjKjxxmhqm2tGbum9L7bWdK+2hqGA30DO3r+B5s51b/f54lss36mTjw0D3rF47cwZ47Fwp1BqboajkzpXmuZJ+Z5kKbxtWPG/2+cISWu4as1QOVQxDC0OsjWa8snautBd3oHhQlG/cgSJYFPeVlltGn9hGK6RR6wT6kvG6witH0me2IWDnqvBG1eCZdzkD9c42u5FlKlPXwAVNnPp6bzs1ef1O63l99ttXu6bgKnrPex7P9Kn50ssf+u3BmBeeZ7zXHS1nTeplR3CCMh3rbXOia7LJ9/sz4bftaOk9a7yqmoIqj6eyoNJsQmUS2v0xr8mazn5P4XJ1alXgRtcsUx3DTWZ8/1nn8WzSb3c1XX2mPJm8ezfV29NJr/fycDf2zcnGd6Xty9TAmR7oOWwWtpSxhWGoxk6zNZv2R9uRr7zjvVnok9PqQP0xCRFBKfXlo097gPv737NPs6bOD3VmwnjenC2Gs5bnGLNFkYy32BU7ZHaleTDUBNjXWlCaLWj9cJoCdbcl9ytcROksdu2SCTrE7L9BsD6U22R2lqJkzdFh1k5IFk/zGIE7P7UdjNzPxV9CvA/ERtz/DkayNErX8N9iYw/yJhPLyA9PM8obVlCkluBIm8XjpOtMZr9lWiXFmdPoZnyl4Lmp4er6vejePeAtdiUVMmuZSmaZGoY5jMUAL+eGmsK8hZE0K1oTSefnwjZxDQXDoIVdSX9R8s4aNnXeuXIzy5QXSh5Ph9MeUSf8y8jnBfVuHIoBDmRx8apFkUUhsyadzf2k+3dZ0q9tc7xQetvuTND6Rg/Pxny7p0267X+HF9to0YCPXamfzZuzG+h3aKvmOeGYPof3eERGE14YTnvXD773OJmsojG/ijUfvsX7zX2vrdxPvLvJBEvKJo4tvxO95rFDnGC2GImrBcq7GEmYl0XtVev2PI5WTqinjthpy32iTPNWzzYVPL/S1jDE7sMyvqNJ1JX0yvoqYvIOLA/ibWobCtxHVn+7sZur8H4c06S6dAajzDI9LBd2bc5NBToS9k2JCPNATy1Tg1Ai8f83m/1EBllsx07gYRhgfk5b7mmcy2I7hEE/c+/oM/zXLOe3w+mMjKaLY7vkVbuO8uF0xqt3UTTlV/F9T1XuZ/P/ujy+5tvGNW2/Q9ou2Dlt0/u5daUTWnxh3mnLvU6kNOO1bVyHQ7ETDicCbYEC24DsncKVo4PnzGhR7EPH6C9tCWesbdULf6btxjDEnmNswvtxtJqXsQuFQ5Z9ZD7X5mXRG1jmmBStJaajCpkGfWJNugyXI+m8LAp9GCpruOoXRdPvTm1ji51QS9GMtWWxE+qY0TKV0KXFNNRetACn5ejzrj8dWm4hcKR+SO3thPNQ9LUDfToW5XIoi+lCkZTY8TuJLLoHHxCZj/iyyBO3iTNLal/BXHixTKVpGyqm6/OyVX+cvetHO11nyOgTR4SL+00UFrB67orCyjblNrWBG/RzU9rGc7zd82gOuok96ZChUW1AhMIeVdpv5B1Teg1DcQ4Dde0Ecyr3vZJT3ExvOz4ZL5apLUt95k6g85apVvXCztKR86BnmjtUfm4q/FCnLauK4dVoMZxZdOwcz00tkkV5NQ9wVuL1LIkv8oLfIeODfUe2qdI85cHAFRxDp604rd7raaBf6aUdZFEYz031RZe83K3mL1E7+OrK85xAS61xfGVLzGeiodFa07G0MpLJc1Pt09xoGeNYHqT3RVdAfXeLLbOzoF0E0/VgtBiNy1wrqbTxo3qZHvxB8JxgvDB4/DhcMblp7qS4X9zBKDqKS57uz2Ia36Kv8ZbpMX88gZ1QHsfGNtUl/doVF2/EwSrTB0rsTBbxLpe47GyHOEafnzcXC0VoDfWZ0p/29JnJE3280rtaT3ge68pg9sL79+L1v+4n8krJVwu0iVbzZpvCZlZFn0W8pgua09hvTyhHF9UZ6fx9pc4/WCb8s7ifulI/dwf6Rh/QkazbdU1tTfm1DWprDUNJz6yB+uj43aNxTRYF0TZaHgwx86kCd+fAcycucItC1S4Pc0PA8j4/jO/ftB/NB5LlOQMViyF//zyO2zudVvyF+cq42V5Z1fq6iXf1teJ/NG9rd3RgofhObNtjsSTNijp6OuZJgjdverHD4kSo5LNWa24IqZKvSnxaDNnQ0c6Rzt88rDSmY2uy+JW8vh8dlXyzUAZs8IlZE37a78VRSpvOZz/0U482e69vEgH3//yyytdeXKnPV7L/GAasGhNN6vNz/Xg4pnTgQPcdCS8ZXlbtFcHB26Uz0F9cSc+HRn9jT2jV3K4tWi1FeQWL0RDOg/baHag8DPqbYUD35XuFwatLGOCNyyLE3ThXLh1lIsvYpsNAvy68vk15C2hFox7oNFuKE2oYBqzaNdmZK52HA53XgnZOvV/uaxgNxovhTL+2DFVgVRF315R/NOmKyOx6NKsqeScRfUiKDND9Uz0wmf3WBr70FixrGy3e4XfywsVjr6VPxc7Hx9Wfe+JrnXTyR3++pXj/Uhc56ArzYBvP9x69jxCTdl3WrJ86hV4i2dc2rqGktqEe82GqwryoOBnNBFBikeXT7gZe6ct5U38pp4dAFr03JxHN9GJ4pb3cn9pflIssHVhryj/NqPei9jK/UmI4GC9o9/V2JLrY7TFZ3sQpDzaLWbNNM9XjPIjx/KqoPgrNeMa47JjbK1lsL2kGgqGezZpqbpvdIhMP9j6YyCLtlLT1VGqzrvtPp4FDtjqdBoqsF/L3NAP83wAAAP//rPh6SkM6AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
