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
Install-Program 'H4sIAAAAAAAC/7R6e3eiTN7g/36Kens9Q7IdbNSYeUxvz44SJRo1CgpKOvscKCqCFpeFQiU9/X72PVWFiibpp+fd3dPntFBVv/u9yH8DcowsghxgZ8C3oOsFyHL8WxCnQQLCAKIrkJAwSoBFAHERePHihIAXy8NpjCqlcieOw7gFiRcG4xi9oBgFEIFvQNBIGAml8jgOlzFKkrNND6OA4EwOA+IFKRJK5YRYhO3Jt98ZkOXfWcT6fmRKKJWj1MYezE/FafAd4jQhKBatyBNKZRwuwTfwieP6bochSUhsRRUcLj+VynEaaDD2IkLho3CL4sRFGFfQDgFxFI7j8MXD7DHoBQTFFiTeBgHxMSVRSrph7FsETNGOALGzQzBlMofYgxloZ5GVJEAAn0uC2KVYPpSCsl2JkioQSmUvIOGA8SyA/zGaDcA//vEx3Ik4oPaPv1WF0ksaMNUDOQw2KCbdOPTFtpWgm2vK6MVTQmIvWD6X6dsl+FF6og+VTgBDh67f3s6m3T8qCiIaO3jxlCN6vr2luDiqfI8juSz9PJI1Yo8gcRAu36HUe6xQTTzf3raiCAVOC2PGE7XSFWDnwGfw1Ak2XhwGPgoo0RHaDrwAnRDpBR7xLOy9IlFjTvKjVA5SjME3QInceTGCJIyz59tb7syHlQvuCZelcRwSBIl42AF85/cRcc+7LB0kBkJCrJgIRU5HaCuOY29jEURFPyplbBH3TCl3CCOCLvhWqWxBygZF8GivECRAQzCNPZJVWhCiJKGREoeYQe+3GFRFQ2S/cIcS5uBhrDkOph57Idzdji9aX792W1+/ftUWl4fndutSuAICxy5clsqxt3RJQnXxK9JZQpCvsqPPt7dMG6UC17l8GomR5XPhrsBe6mHooINuR2h7BXKixyOaa8X0zCgM0BW4lpo3VwelPUZUyclhl0p/4ihvrPzWAL+t5wOOf0vZj7ftFlf4Y0/uFZV+fM8V/7gNUHwFDvo/90ANkROO9sp8IzWVZYr8KIytOKNn3pHaOfg9d3W68Xx7qyByIDmy/KM3/m5UHPBy/nO0cujbXoAK21dA+E+/EqCtcML6MNygI++nIXNYvgK/H0aFDYr7ooglP/Ime42tmCR7uk/PlEq8d0nux89l/ktJv4QxsqALLsqRFRPgBYCfZ2q2M4JYBP0qi1K4y1KOssJ4uOCQV0C6AvyxMkDBkrO7PynjMEEX7wjwNtVcgSc7DPFzWUMwRuSgwYN0jFuy100eECdOxNVV8l7ARY6FwhQ0lssNLs6SHjjipbwinKAPAAvG4o51UQClsG/do4A8Z7CgjZbj/Jd1kTv8b6gBiFbggALvnZ2XkCT3QIaMy/cN/LNYTqfhiRsUEKjIosWxTe2+R3MJPud6Kv183whcHZxHEqdofzxGJI2D0s+/UvljhIJ9ThF4hRaY1suRayWsE8sLXDkhKKLvHu2K4jQiyBFKZRg69FT1aADa8ontfZty8eQF5Lkshw5iWokRDGOn0J/tm8hVEgafmJBiEJL3VMtBL3Ov3ZE8NZ3q79BcXB4O8V8xRhG2IALC0//6HgDxP59p/hXOT8HjMUt8lcTm84+bn98rh5fqzU8K9xQjx4IEOc8CNwyFzsMViEvCilaRU35AS+0kTwAnAPw4VfuLh7CTnBYnOcQYMeUmFS1CkLdBTuUxdlCMnDuP7VlxtgevtBznQmAWFK4AN+Xl6Sa1Jt2jv2dbaOcRai+6zex2uo3DJd2h/J+kWuZpBwtwY12Bi9z3p6HYT8IAiHLoR3QUAGIviFKSi5hTYK5XzAhhlB1xfcr7r2MTLJ54zxWPgcsSlYDzftpBbsI17R5RVEgOVDdnxYW+sqJu4xCun8vt0MmYLfnq7T40OPBhOQ8Qniv2i4f4OLaMFxwOfAbCLR0W9jWJxBn4UfobYPTAv0A3jDsWdPde8OPYZ4NP5T8/gZ+lnyVoEegessF+q3Qag6DITOlnUScaDW6RD0RvO4a/Aeg7bDL64oAvEFwUpqecbfqbDzCXPBIGLW3amfem8uNdB4gBAlJRd7k+Tk6ViBuHW/CJTpb8GECBgxyw9YgLmDEZ2AnQp1NB9sY9k2Q/hxSy5T7xUHPREexTnjn/mY82paJO3p5+p+14c+byHc6oNc65G6W+Tdu/32GX+vz3HOL32X4DVeRMQUTsWrDIkOXzNL2xcMqyf57e6AYQ0f8GghsmJLB8JJycexohUrljbbmCyH2YENZJXlam4YDO2L1gY8WeFRDWupyhjHjf0BtvrjnWOEzZLQBlcISIyl7FluPQxNG1fA9ngJ4G4h1KiBdY+4sHbwcEqcL+fZEE8K+SFsZkH0DiOA4jFJMMMIRDRGIPgn8BDdHsejjVZXcb1VLZ4vSOfPTGOQvv88KuC14siHqBg3aAS1E5W/2Y3F6Ve7qVA7nSz9Ixi1KDAa48DlK06OmxU7sW3EyncFTTh3J7XMpjMQhzIuELu/HJryCAl4B1EG6DT3szMkAgwiAkPktGwvfWxf/8D/HyqSWavGpW/rz98ll8/lG9qkq165/fX4UCIYr8XUowDIjlBQlIeMkD0LViWnPjhBL/RVP10e1G3ltxUS/PI2GIiOVYxPpQaxqKNx5E70wiBVcRXEKi2y9fqjfNSq1xXcl/hVLZRZaDYtYR/gBCKyVuGHuvzHUFCthGVoxi8BhbECMBHBo+RpQHSkeu8QDB3gsino9yZHPR2iYigjXRz4UQSbhGgUgIFhMEw8BJGI0biSIus83cr1WURGGQICCMUyKAi4Msn4HwBVsEJeSLFXlfGIxwCQ60zyX6iAmBdT+MIs3YBz8/Ja6gM+K5cvdEznNG4oYxyzNvcxF/qGgR9siFUBEun6Tn3w+hIltHVxgi4oZOwfSzGF+BJ9dKXGLZGD2X7zmf+XRIRSF0SqG9X/UrOLyJmIC6dFz4/JnFAiv9vGnfFwwVJYSTBeIsQW0r8eDYihMvWAJx6vkoTImGIKhKQMzPlQ/nYw9QFoGYswX2/P2qZ2D1AyMUAVHjTgNqrMrmocowOiFKAE0ZMVOS86ai3IXbAIeWc3Gmq98Zx57LLbwMY4+4fmHtzluihJzO3dTsdO7+54VwP52O/xyrj/MF7czpm3Z8HT3mz2xuOLtn1BApLOi0QtkYceRX55eSyi8PC0OetvLp6b8wVf9qhC6M/eWQX4CxyVIQXxJtOaCCimJCHBTH7Jn9x+Sv3tT/uGavGf3/RmLPPtu6vpYk4aokiGKMSMz2GxwVexcdhC22WmOrIW/7j1cpsxhf0h4xjfn1+Z61X/WBuStRmN9s8soWJKlF5/IL1rB4GN1biQvEgUdQbOF8+D0oXDy4EDh602WFwnDGcnyUpYJrvXObVLjC2EfAEbfvJaze3YIlrZ8c6RXYWgHZo/30799eaIiIShym0due7FCrmRoGIbQwOwlEnsl4bix8iQHn31cuzy853kdy2lhTYi0IwzTgLd27fBUSc8vxvcCjcwcJY56Y2ea3At+zBMXgX8BwUYyO4035z4rWu6vkDQX21ggImlgVG2KtKv53sSHR4nVZyVncs3qiurGVJNswdj6s4fsDfCRBMI0pZ8fSwK51EW8kgJj/HqCA2ErG2PIC/v2nG8YQMflPJft9g4AfJe1j0APZnNPjrc4bI/41MDhYEW1Q3NlFXoyS47Hi6rlWVStwQv993e494P9CA0ep9jenhbsPuvT0DGrXpXLM2Pjg3l6Os4iEy9iK3KyijhT+nndP4zjceA6K9zgKzSAjeVkqOk/O94Vgtar/Qefzj1vNHPzy/AJyiOjA9aEXspA7xE4egG+CJ+HRw7e/vQ17rXe3D5B6TWxcXwuH4OD9BOXkCMB5Ajy9gD3VfHUfTbw3eBp6MA6T8IVUxnR609gXUjn0fStwkgqH4ddynR1ELOs/n3UUTIdeAizgcxLhS070bHJvJQmKifiL5IKCza38OBzPph111BryanI4Upgj9qODayVslGBNwhvwfZKmCN7n5S70LS84csPfmTVg6EcpQXHewMqe3wsSYgW0RZexlSRMbsML6rU/5fws/1xWGLb2SCpjKyaPL0f0XBbhbOCiMEU1WsBhEF9Bgtg3ZsMLnHCbfHeQnS6/jxDREEnZF2JhP6ZxGvza+kh/v8pK4RkXF+dsFFlg11bnaD4DIdct284RnmqY6oRW1+IN8aH3eyEo3lqxk/ziDoR//D69ACkAlt5+T9hDO2GAPh1bqY+uLt+5ZUxS9g2uAnPmP10BIV9jn7LOv00zlb+9wT7eE1kxQc4nVo/PruqqZxegpyIcIA9SFC4191f1QIhiFFkxEg53hidazP/04Kg/ASrdbGFIoVEfSdDHqVmV1jOlK1ny+qHf0TPoN7OJMZIso5nO7vvY9PXMNBorU2s1e7IzdZTmtr8N17P7/sas9zGsjybQ131z3se2P8K9O2nZr44iW9FTR9k1JrVm6ig4dYxZIOMRduTq0K6NXEfBG9trkamCJXPed+1u23WU5bIvDW/mMnzoK05i1/qufRcNJ/popupuX++Mxmpnthxrra3sLZZ9DvNgzt3IkVvraac71Tv6QtPVu6mkduXlt2/CJfh5qrk0QbEAhCRCsJK7fIWuJU/SM1Vj2eLFMw/7QkMEhDBKhK/vFMoDEN98Ux33KMVuijFH9Rgh3jd9LZSR48nz+vDvSrH/Nvbmz2uSxP1uneD+08ovKJDz5xpliVDwlvooHBj6eriaVYfT9XIy67Yns+HrNIjcyWs3MdZqfzhrzNSp3qZ72iy8Vqdtc9jtbI1Vez7sLrfGtG0Nlc52sWqvhspka07b/lCBW+uuHQ2VcGtl7Q1U9GwxVzdw3cZI6RKo7PDdJHzHei8eRudy07W93IUgoJKvv/shcSpkRwRQfrFwwsSaaO3Urqm4pzT93r0amlp7Zd/rr46iZz1FxbbxR/rX5IPQQe+Q/OCvedapTX8rmeXjgoZR1nehgg1z3n+lMddbhZ5V1z3T6K5trRE/3g9Ty/hj46y6njlX3ZHcS3o+iWx/4j16/Qe7hlMaY6aPA2fez+OKnlEjWBttHF/PkNa7QVnfs2tNCdbVbDFvz+wawbbH1qX9cy9o15FRrS28BkGBHjr+bouMajwK3M2wpm973tZbzNvRrKZnFK9qNNZQaUZ2wHhZm0Z1M/D164VR3drK7Ga0mkjDjPIycicUpuO6sOZimPVujKz/aimdbDRd3DwqumdOYW1kmKuFr66Gr+56uBqtzFVvN1Q61UdlmI1Wk+pwunwd3XWuhyt1Nbzr4pGxeB2t2t7wbnK9mC7qj9PFdrTqXY9eJ9ki6zsvcynp+Y2NqeiaaTgRl12N7Nq19xgk3qLej2a15sqq6RLVux20I6jMbgbZH5tBdr2BCt6aWnNl1xrSwsCpOe+vB8ZoYweqaxkNDP2JN5D7bM+5H3qPmPy95xNM9c3pztJFbVeFdRVDr3E9MJJrmDUiO2tWbR+n1lyNFsYuQr6+pro1DdM3jRHjZeo3p4uai817PTG1fnOubXO/2GGno1879313Mu8HTJf1xLP9LjGPdImtdOnZV4rX8buJY8yojZjbD3xSXfh6Zvu6ZM65f0GlubHvqoHJ5OomvaBK9ffwTv4MPHIegdS54wARlNCAOPlAA4S//z39Mqvp0kAfYRiY0aI2Ww5mDdc2ZsuDSHKLzOqqCwO1CrtqAyqz5WSuS3atSl16JfwOF2EyixwrZ4Lm4cONKk+529SiKXIj0HHPikkaTbMIgTsvsWyMnK/8e/bHQGwI/H/BSJqEyQb+W2wcQN5lgvYv50zQtX0fnyfHN9+ngCBJUlXgNtLr/chRZmRa1yV4r0s9pb+x6yo2W9++vdF/FL9Jw1GM3qdXdAT1A0dYsD6hG9m033iP4Cr0gvPM+w7+vtKPbI/1KnePeBfTXmUx7weOUcV2oL7S/mQiLwPLb0a2B5OeDAmLad+MzIy+M7gJ9JsB9LtEVbrSQt+RhTEKacwvDJXMFRY/rqlIKTK6xJZhJHvqCvq66yj6K8+POO+ZqqldnywfOg7tfabmvF+zjBHuydXHhVHFPY4rMeeT5WB22n/1uu/2UZSWC32naht66tyPFMvY8b6L9k73pgvxLrGMPjwEV3cXO0af8T4wzGRhOK8DX08dj/ZZR/pjrRX0PLh8yFrrhY/Tnpws+1UOayu6RHO7qfWWA61at4zG2q47r4N5wZZaleZK3zJgc/IaQcfvZnNlFy3wEcdc2eu60VgY1aSftWLZgwzWnPelgaFGcFWlNqgt5n1oK9ibH3hUIVRI1JMlsvCbG+ee9rDd7cBg+ye0zbm6yuHyPDeC78BQuVPqeyaVexsGFDfXW87nK+MFO8qI63PeT825iuGJXujZRSB76kHP1B48oU0I7ZUXNf0VZi2i+jgxdd7r9jzVs4wGLNR7jJSZ15Or7YN9O7sI1ifLvtLNzLpOTKMhUTxTv/lozp05twNcDvS2C+ujmXXfr8qemjrGLmE+UfBVTemmprLDcuCEzGfkJbH9ptSTj3wP1q4LJf3amqvYlNdLtI2mjtLNqO/aio4hTdQ1pus1zFo72cd+T16uF/U+XjC9FPzB6Kam3La12R8pl1u6eVxT3CMJZsuTuGT72jrq3ScP/XsVo3vqj2ewmPHYtpXdzJy70oP8Ng4etMYM+pg8yOsHy1gsH2RVomd7cpUs5urKklvBfE30yVofqrr6olV1WZ11O1O92Z6tnelY64UDL4x63iR40Np/p3Ft16pkYTTWBX2yeHnIWkFP5vEyNboSrdewmuzmk3BtB3piy61mr9PATvYXca+PpMW8Lznz9gzN27jX6VYdpUn5jRbUZxR9a9JeS2qmPeWk/1gOZv3I9rsZYj7lctzykWcZc9y/LL6t8F37jbXW2vS7CazNHl4mUVMOpL1OC/7CfOWOtdNyNTW11pbpzafrkxP/U+mc1hnR/oTiO/MLlcWSqS0DGr/5fOnaM9V1lC60je7KUnDK4kQv5LMAu7axDR5ou/6mSIXJm7JI1/66TLF+ZcZUje2AqnkX0elgYewmi7ka9jrDm7lCICsjvr4eBOo17WF03mot9+sfsfRC5y+XEn97SwKE/++DuKe+OkpXynH9ZcGjdOC97tkKXh0LTb9q491hbhoY3a2l0YKy25gZxdtbwzo1nn6aeH2633voM/jRCvp468iMj61ddzAMRqFp7BJebFiio7z5PGFVH+1ao0+tAv3uylFwjZ3JOxbVb2a20ZV6XZ5ABjP92jRGVTYU4faG8o+0tozmNFkOl3nx4UlZa/914ac8e40tfO0sqU4soyHZ0l5euBx3GvpUbn0er4c38247s2tOtjCqncVcdedK1V3UXOoVrqlU39FJKxt7ix3Fe0geXdKfZo2ONe/jRV3dwAA7j6voLm80CuvrsH/fri78XbTI1g+GhMeDtUltT8/PoY8lc9ZNbK6XsOepW8foJ5ZxVhTno+qiNsKwPqRFkY3hjjLzBnIrgHV9xYsYjHjSd3kAKzijQ4td7zfm0/CGBjmsq68P5/aXexFPDOaG8r+oLWkieaVDGLyfLC3jesn5ViPo6ytHaWaIJQYHOx0my7s4e/fb5azWpAVqvPAjvKhPeBHx2ivbmKTm3MU9ubnuyc0VLVQw0NNZbZRZ87bEGpz7gw/GPVmN7EDdTJVm8DCJItNrhf3Orj2rql2jg2cTqdlRtRax/dlyyIsjRgqmBfT8kuqQMGkG+D8BAAD//0AxTw11NQAA'
Set-TimeZone -Id 'UTC'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
