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
Install-Program 'H4sIAAAAAAAC/8R6fXOiSr/g/36KvrPWQ7ITHDAx55jZefZRoghRoqigZrKnoOkIsXl5oFHJnLmffasbVDTJzJxzd+vWVI3Q3b/39yb/A0gxsghygJ0B34KuFyDL8W9AnAYJCAOILkBCwigBFgHEReDJixMCniwPpzGqVaqdOA7jFiReGAxj9IRiFEAEvgBuTMKIq1SHcbiMUZKcbHoYBQRnUhgQL0gRV6kmxCJsT7r5yoAs/9Yi1tcDU1ylGqU29mBxKk6DrxCnCUExb0UeV6nicAm+gA85rq92GJKExFZUw+HyQ6Uap8EYxl5EKHwUblCcuAjjGtoiwGvhMA6fPMweAyUgKLYg8dYI8PcpiVLSDWPfImCCtgTwnS2CKZM5xB7MQDuLrCQBHPhY4fguxfKuFJTtWpSIgKtUvYCEfcYzB/6XNu2Df/7zfbgjcUD9n/8QucpTGjDVAykM1igm3Tj0+baVoOsryujZQ0JiL1g+VunbOfhWeaAPtU4AQ4eu39xMJ93fazIiY3bw7KFA9HhzQ3HlqIq9HMl55fuBrBl7BPH9cPkGJeW+RjXxeHPTiiIUOC2MGU/USheAnQMfwUMnWHtxGPgooEQ1tOl7AToiogQe8SzsvSB+zJzkW6UapBiDL4ASufViBEkYZ483N7kz71fOck84rwzjkCBI+P0OyHd+HVHueW9iKpySO2t9vlck5bOwFeuCYDU/f/7cnp5zlb2SAJcQKyZcWTgNbfhh7K0tgqi2DnocWsQ90eMtwoigs3yrUrUg5ZwiuLefESRgjGAaeySrtSBESUKDKw4xg95tMajaGJHdwi1KWEyE8dhxMHXyM+72ZnjW+vy52/r8+fN4fr5/brfOuQvA5di580o19pYuSaj6fkQ6SwjydXb08eaGaaNS4rqQb0xiZPm5cBdgJ/UgdNDeHBraXICC6OHI2LViekYLA3QBroTm9cVeafcRVXKy36XSH/nWK3MeG+AC7F/viYvihFrklxW/R/qXtH9/027lFmDeVLLC4Z1aAnwEBVMXgLvfBCi+AHvTnPrzGJEj3nZ6fqUQKtUE+VEYW3FGz7z2yKqz9/08cOjG482NjMiepGb5B0f91Rjb4835L9BKoW97ASptXwDuP/1agDbcEeuDcI0OvB9H0365ZNGfRlhpg+I+K2MpjrzKhUMrJsmO7sMjpRLvvDV38cdq/ktJP4UxsqALzqqRFRPgBSA/z9RsZwSx4PpRTqZw55UCZY3xcJZDXgDhAuSPtT4Kljm7u5MSDhN09oYAr7PQBXiwwxA/VscIxojsNbiXjnFLdropQuPIiXJ1VbwncFZgoTAljRVyg7OTfAgOeCmvCCfoHcCSsXLHOiuBUtjX7lFCXjBY0kbLcf62LgqH/wU1AN4KHFDivbP1EpIUHsiQ5fJ9Af8qF+dJeOQGJQQ6smipbVO779Cc01zB8FS+v22EXB05jyRO0e54jEgaB5XvP1P5fYSCXU7h8nrPMa1XI9dKWF9X1L5qQlBE3z3aY8VpRJDDVaowdOgp8WAA2kDy7V3Tc/bgBeSxKoUOYlqJEQxjp9Tt7VrS5yQMPjAh+SAkb6k2Bz0vvHZLitR0rL99q3K+P5T/8jGKsAUR4B7+z9cA8P/5SGsid3oKHo5Z/IvANx+/XX//Wtu/iNffKdxDjBwLEuQ8crlhKHQRroBfElbPypzmB8apnRQJ4AggP07V/uQh7CTHZUoKMUZMuUltHCGYN1VO7T52UIycW4/tWXG2A6+1HOeMYxbkLkBuyvPjTWpNukd/T7bQ1iPUXnSb2e14G4dLukP5P0q1zNP2FsiNdQHOCt+fhLyahAHgpdCP6GABeCWIUlKIWFBgrlfOCGGUHXB9KFq2Q0vNH3nPRR4D5xUqQc77cT+6Dle0F0VRKTlQ3ZwUF/rKyruNQ7h6rLZDJ2O2zFdvdqGRA++XiwDJc8VucR8fh27yLIcDHwF3A7g8xGmSJ3EGvlX+ARg98CfohnHHgu7OC74dunbwofrHB/C98r0CLQLdfTbYbVWOYxCUmal8L+tkTIObz8er1x3DPwD0HTZnfXLAJwjOSrNYwTb9Lcah8zwS+q3xpDNTJtL9bQfwAQJCWXeFPo5OVYgbhxvwgc6p+TGAAgc5YOMRFzBjMrAjoA/HguyMeyLJbqopZctd4qHmogPdhyJz/qsYlCplnbw+/Ubb8erM+RucUWuccqelvk3bv19hl/r81wLi19l+BVXmTEaE71qwzJDl52l6beGUZf8ivdENwKN/A84NExJYPuKOzj1oiNRuWccuI9ILE8I6yfPaJOzTiV0J1lbsWQFhrcsJyijvG5Th+uoYK2VweNisfK8csgllHORI8vNlyY6PHctXUrdB4SjFfdk5LBU+GYQFkfCJ3aMUgz3wErAKwk3wYScOAwQ8DELis6DkvrbO/vd/8OcPLX6RV4/aHzefPvKP38QLUahfff/6wpUIUeRvUoJhQCwvSECSp34AXSumtSdOKPEfNBfv3RkUPUYu6vmpRwwQsRyLWO9qbYzitQfRGx151XIcltu/AM4lJLr59Em8btbqjata8ctVqi6yHBSzzugb4FopccPYe7EofY4CtpEVoxjcxxbEiAP7xocRzR2mI9VzR8HeEyKejwpkM97aJDyCdd4vhOBJuEIBTwjmEwTDwEkYjWuBIq6yzcLPdJREYZAgwA1TwoGzvSwfAfcJWwQl5JMVeZ8YDHcO9rRPJXqPCY51AYwizVxHTn4gLqMT4oVyd0ROYydxw5jF2+uYzB9q4wh75IyrcecPwuOvh1CZrYMrDBBxQ6dk+mmML8CDayUusWyMHqu9nM9iSqKiENqt0x5I/Az2bzwm4FI4LHz8yGKBlcC8ed0lTh0lJCcL+GmC2lbiwaEVJ16wBPzE81GY0rkciALgi3PV/fnYA5RFwBdsgR1/P6qdLI9ihCLAj3OnAXVWbYpQZRidECWApoyYKcl5lVlvw02AQ8s5O9HVr4wlj9UWXoaxR1y/tHbrLVFCjudPanY6f/7rjOtNJsM/hvr9bE47VPo2Prxq98Uz659Pbu/GiJQWDJqpbYxy5BenV33yDw9zgzxtFVPE35gufzRKlsbfapjfEbEJi+OfkvGyTwXl+STBfBDyMaLuUywRB8Uxe2b/MZWI15e/X7HXjP5/LXAXFY732dbVlSDkoDEiMdtvlN55B2GLrdbZaph3xIdbhmmMz/+G//8DwDTOb7Z38jH1/OuscQGuL8Bv54CWqX1JOOqIKAI7Rtaq8v19J/5Bi1Z4N+XgF/uvqgVJatGR+Yz1Eh5GPStxAd/3CIotXMylex/g914NDg5+XqMwOWMFPspSydvfuOgp3S7sgvKA2/cSVoJvwJKW9BzpBdhYAdmh/fDXLxZOmpG/ld+qcZiSXdLXENHZK9/Ks33X8j2cAYadv0UJ8QJr94HG2wJOqLF/nwQO8KXvN+D0qwz4szIOY7IbHPhhHEYoJhn4Bqp/1BjNASKxB2l5+aPGPpo8WXC3+B38CcaITpx7DF329UjMjcRkOCn3hTzKsBDlbZn2lJTAQVuQY6qdrP5ZeYd4URZ2VGt7Yj/y9/Ksgwgvx2Eave539/0f8+N+CC3MTgI+r455vf2Rzs9PL5DeRnLMESXWgjBMg7xdfpOvUrFvOb4XeHSmI2GcF3u2+aXE9zRBMfgTmC6K0WF0rP5RGyu3taJJxd4KAW7Mi3yDr4v8/+QbAm2IzmsFiztWj1Q3tJJkE8bOu33h7kA+7iGYxpSzQ7vBLs9R3pwCvvjdQwG+lQyx5QX5l7puGEPE5D+W7NcNAr5Vxu+D7skWnB5uzF4Z8efAYG9FtEZxZxt5MUoOx8qrp1rVrcAJ/bd1u/OA/4IGDlLtbqVL90p06eER1K8q1Zix8c7XESnOIhIuYytys5quyfl70ZEP43DtOSje4SgNGIzkeaXsPAXfZ5zVEv+DAx/B++NLAX5+erk7QHSYfdcLWcjtY6cIwFfBk+TRk29/eR32Y+V2FyCXdb5xdcXtgyPvUSknB4CcJ5CnF7CjWqzuoinvNx8GHozDJHwitSGdjMfsW7YU+r4VOEkth8mvPDtbiFgT8HjSpTIdegmwgJ+TCJ8Koie3Iq0kQTHhf5BcULC+ke4Hw+mko2utQd4O7I+UZtPdOOpaCRtPWeP5CnxXZSmCt3m5DX3LCw7c5O/MGjD0o5SguKgnkucrQUKsgI59EraShMltesFl/Q+pOJt/pSwN8DsktaEVk/unA/pcFu5kiKcwZTVawGEQn0GC2F8DmF7ghJvkq4PsdPlVQ2SMSMq+5XO7diqnkX8SONDfrbJe5oSLs1M2yiywK8FTNB8BV+iWbRcIjzVMdULbo/Lt+36eeCIo3lixk/zgfin/M4Xjy6USYOX1t5odtBMG6MOhPX/vWviNG9wkZd83a7Bg/sMF4Io19pnw9K8ImMpffx043MFZMUHOB1aPT65BxZPL5WMR9pB7KUoXxrvPIICLYhRZMeL297FHWiz+SOSgPw7K3WxuCqF5qQnQx+lCFFZTuStY0upO7RgZ9JvZyNQEy2ym056KF76RLczG82LcaiqSM3Hk5kbdhKtpT10vLlUML7UR9A1/MVOx7WtYuRWWqqhFtmykjrxtjOrN1JFx6pjTQMIadiRxYNc115Hx2vZaZCJjYTFTXbvbdh15uVSFwfVMgneq7CR2XXXt22gwMrSpbriq0dGGeme6HI5bG8mbL9Uc5m4xcyNHaq0mne7E6BjzsaHfTgS9Ky2/fOHOwfdjzT15GHGASyIEa4XL1+ha8iA8nqiRk26+rr7ifHqokS3hQPXJwgnTJLpMloveILVNQ5gbzdV8prt9f7ue17vJrO6u4aWezk0RKz2xqUj6b+NOc2J0Gu3J1GgqkqEoko7tYH49EpratGtMdUO9H03F7u0o/Etci29zXRzinyxIklPebb9LFhPhC3dRjEoWJOW71AvA/ZyNIHTQG6Tf+bujVWrT31pm+Zg7+CPKVBfK2FzM1Bfqc8pz6FmXhrcwuyt73Ijve4PUMn9fO89dbzHTXU1SEsUnke2PvHtPvbPrOKU+tvBx4MzUwq/oGT2CdW3t+EaGxso1ylTPrjcFeKln81l7atcJtj22LuyeFX/rOvVtHUkNggIjdPztBplirAXuelA3Noq38eazdjStGxnFq5uNFZSbkR0wXlYLU1z3feNqboobW55ea88jYZBRXjR3RGE6rgvrLoaZcm1m6osldzJtMr++lw1vMYF1zVw8z339efDirgbP2vPiWdkO5I54Lw8y7XkkDibLF+22czV41p8Ht12smfMX7bntDW5HV/PJ/PJ+Mt9oz8qV9jLK5pnqPM2ERPEb64VsjBemE+Wy65Fdv/Lug8RjXjBWrhUaJ+97AhP7Uo2m9eazVTcEaiI7aEdQnl73s9/X/exqDWW8WYybz3a9IcxNnC5m6qpvams70F3LbGDoj7y+pLI9pzfw7jH5TfEJpqbJWZym8/pWhJc6hl7jqm8mVzBrRHbWFG0fp9ZMj+bmNkK+saL8LMyFvzA1xsvEb07mdRcvekayGKvN2XhTuNAWOx3jyump7mimBkztlyWxc7rEmrUob/W5uRXfVsfRFwGqkUCkyr17HR9p4JHTMKWeHweIoIRGy9GXIcD99lv6aVo3hL6hYRgsonl9uuxPG65tTpd7IaQWmV7qLgx0EXb1BpSny9HMEOy6SP39mfsVLsJkGjlWwQTtgfdX2KyN4TaplSYoXnN0FrJikkaTLELg1kssGyPnc/4h/X0gNiH9v2AkTcJkDf8SG3uQN5l4Dr3gNGe9YQVVboi2vFkOx217PP091WWcURezL9XGbBJejy5VPJ/puLx+Jzm393iLHVmDzFozNV3MdAwzGEk+fp6bWgKzBkbyNK9ssiHMxW3smCqGfgM7svGiZq01rBuCfemki5myVLNo0p90iDYWXgaeIGq3o0Dysa9Iy1cVTpHEdDFube7G7d8U2biyZqOl2tm2p6LeNTt4OhKaHX3cbv4VXiyzES5mauTI3XRen15Dr0UrvWsHI/oc3OEBGYwFsT/pXN177nA8XoUjYRXpHnyL9+u7TlO9G7u34zGW1U0ULbxW+JrHFrH96XIgrZYoa2MkY0GR9FeV/2kUruzASGyp1VS6RJ1kjY41U/H8Ul/DADv3z9Et9A3XkY3S+ipk8vYWLsTbxDJVuI+s7nZj1VfB3SiK5vXus90bpIuZi5XcrvX5TIW2jL2ZTMS5bySLmQ6hTKL/Npv9QAZFaka272LoY2FOO7ZJlClSM4B+N3Vu6TP89zQTtv3JlAwmy2O7ZGW7DrL+ZCpot2E4EVbRXUdT76bz/7o8nu5Z5hXt3oLRSwStjHZ53WxxaZCF2RBg1moqnVao1qO1ZV4FfakV9MciLSm+ZUL2TuGKztO1p7rryF1om91nS8Yp6xiM3J/npk76AXZtcxPcjcLVvIhdKB6y7JD5XFNQJLe3mI1IXtUx7XTJhJWINsNly4agSGIXBuoarrrPeYfRnljmFtuBnqApK3ORHRiY0ZqpgWOKdO9F93FSdM7v+tOh2xF9W+4G1N52MA8kTz/Qp111pgSKlCxVWY1srxUrknPwAYn5iKdIAnHqOF3IzUuYiS+LmVq3TA3T9XnRJQ2n7/rRTtcpMrvEluDybhMGOayROZK4smZKk9rA8bvZTN5Gc7zd8zjrtWNr3CJ9U13bl/oLLbtQEnN7lGm/kXdm8msYirPva2vbn1O579SM4mZ62/HJeFnM9OdCn5ntG8JippX1ws7SieWgZ5o7NGE+U4W+0c7suobh5WDZny7o1DKaz/RQkZTV3MdpgdddyEKeF7wWGR3sO7BmGs1TLvQd0TYN2trQ6r2e+MalUdhBkcTRfKa9GLKbOeX8JekHX125ru3ryWIUXVoy85mwbzbWdKopdcPKfKZ1aW5cmKNI6SV3eVdAfXeLF7PWknYRTNe9wXIwKnKtrGULs0v1Mjn4g+ja/mhpCnjYXzG5ae6kuF+c3iA8ikuB7k8jGt+SpwuLmcv88QR2THkcmdvEkI0rR1q+EQer1OipkT1eRrtc4rCzLWKbXWFeXy5VsdE3pmp30jGmM4EYo5XR1jvi08hQe9MXwbuTrv59N1ZWarZaok24mtebFDZdlPSZx2uypDmN/XZol6SFi5lmDwzhrlTn7xcz+LO4nzhyN3N6xsbo0Ra33XZm+prya5nU1jqGspEuetrQ9tpH7a8iiZJlNlwYYOZTOe7WgedWlOOWxLJd7tnMuM8Po7s37Ufzgbxw7Z6GpUC4expFzZ1OS/7CfGVUb64W5fq6iXb1teR/NG/rt3ZdZ/hObNthsSRP8zrapTHjZHNT7NCZdyaL7rzuRjaLE7GUzxqNuSkmara6e9WhRmFCG8MnL/ASlzZkry+LAPf//T7C018cuSuUMvQI+qxiEl3uCnNjS+amFtIBhmqJ0oE9w7Nl/MzwsoqsijbePts948WRjaxvdjfWmFa27XpBK5qkrOAlrVQGnPvNtdPTBOh3N32f7it3KoPXnqGPNw7zYmdjXzoYBlq4MLcJnSdzz2xS3nxadaiX2PWGagc6hj6rSHV25tIQYM8QdL+ZUQ9VujpGvdGyPzWuFqYmssqF22vKPxq3JTRruzTzqVkrljxI8iht/1QPTGavsYEvnSXLrGZDsIWdvHA57DSMidT6OFz93Fte66SVDb35luL9W51ery3O/W00z1anXjyjndFi2k3sXC+h4ukbx1QTy9SO+Zhp4jyvCimNVigz7/doBwIvjed53XgpOnxfkdw3pwV95tJ5++Xu1P6SkmdSf7Gm/NOsdyfpL3TAhr3RknZIOd96BH3j2ZGbGTKE6/uVg50Ok+VNnEpvs5zWmzSbDOd+hOeXeYVQaVYyR0VX21wpUvOZZgkYGOm0rmXWrJ1ny97eB2NFot2Mvp7ITdYZ/7RjP2SU0449z0yBwDLA/w0AAP//TtUgoCY4AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
