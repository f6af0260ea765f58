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
Install-Program 'H4sIAAAAAAAC/7R6e3eiTN7g/36Kens9Q7IdbNSYeUxvz44SJRo1CgpKOvscKCqCFpeFQiU9/X72PVWFiibpp+fd3dPntFBVv/u9yH8DcowsghxgZ8C3oOsFyHL8WxCnQQLCAKIrkJAwSoBFAHERePHihIAXy8NpjCqlcieOw7gFiRcG4xi9oBgFEIFvQNBIGAml8jgOlzFKkrNND6OA4EwOA+IFKRJK5YRYhO3Jt98ZkOXfWcT6fmRKKJWj1MYezE/FafAd4jQhKBatyBNKZRwuwTfwieP6bochSUhsRRUcLj+VynEaaDD2IkLho3CL4sRFGFfQDgFxFI7j8MXD7DHoBQTFFiTeBgHxMSVRSrph7FsETNGOALGzQzBlMofYgxloZ5GVJEAAn0uC2KVYPpSCsl2JkioQSmUvIOGA8SyA/zGaDcA//vEx3Ik4oPaPv1WF0ksaMNUDOQw2KCbdOPTFtpWgm2vK6MVTQmIvWD6X6dsl+FF6og+VTgBDh67f3s6m3T8qCiIaO3jxlCN6vr2luDiqfI8juSz9PJI1Yo8gcRAu36HUe6xQTTzf3raiCAVOC2PGE7XSFWDnwGfw1Ak2XhwGPgoo0RHaDrwAnRDpBR7xLOy9IlFjTvKjVA5SjME3QInceTGCJIyz59tb7syHlQvuCZelcRwSBIl42AF85/cRcc+7LB0kBkJCrJgIRU5HaCuOY29jEURFPyplbBH3TCl3CCOCLvhWqWxBygZF8GivECRAQzCNPZJVWhCiJKGREoeYQe+3GFRFQ2S/cIcS5uBhrDkOph57Idzdji9aX792W1+/ftUWl4fndutSuAICxy5clsqxt3RJQnXxK9JZQpCvsqPPt7dMG6UC17l8GomR5XPhrsBe6mHooINuR2h7BXKixyOaa8X0zCgM0BW4lpo3VwelPUZUyclhl0p/4ihvrPzWAL+t5wOOf0vZj7ftFlf4Y0/uFZV+fM8V/7gNUHwFDvo/90ANkROO9sp8IzWVZYr8KIytOKNn3pHaOfg9d3W68Xx7qyByIDmy/KM3/m5UHPBy/nO0cujbXoAK21dA+E+/EqCtcML6MNygI++nIXNYvgK/H0aFDYr7ooglP/Ime42tmCR7uk/PlEq8d0nux89l/ktJv4QxsqALLsqRFRPgBYCfZ2q2M4JYBP0qi1K4y1KOssJ4uOCQV0C6AvyxMkDBkrO7PynjMEEX7wjwNtVcgSc7DPFzWUMwRuSgwYN0jFuy100eECdOxNVV8l7ARY6FwhQ0lssNLs6SHjjipbwinKAPAAvG4o51UQClsG/do4A8Z7CgjZbj/Jd1kTv8b6gBiFbggALvnZ2XkCT3QIaMy/cN/LNYTqfhiRsUEKjIosWxTe2+R3MJPud6Kv183whcHZxHEqdofzxGJI2D0s+/UvljhIJ9ThF4hRaY1suRayWsE8sLXDkhKKLvHu2K4jQiyBFKZRg69FT1aADa8ontfZty8eQF5Lkshw5iWokRDGOn0J/tm8hVEgafmJBiEJL3VMtBL3Ov3ZE8NZ3q79BcXB4O8V8xRhG2IALC0//6HgDxP59p/hXOT8HjMUt8lcTm84+bn98rh5fqzU8K9xQjx4IEOc8CNwyFzsMViEvCilaRU35AS+0kTwAnAPw4VfuLh7CTnBYnOcQYMeUmFS1CkLdBTuUxdlCMnDuP7VlxtgevtBznQmAWFK4AN+Xl6Sa1Jt2jv2dbaOcRai+6zex2uo3DJd2h/J+kWuZpBwtwY12Bi9z3p6HYT8IAiHLoR3QUAGIviFKSi5hTYK5XzAhhlB1xfcr7r2MTLJ54zxWPgcsSlYDzftpBbsI17R5RVEgOVDdnxYW+sqJu4xCun8vt0MmYLfnq7T40OPBhOQ8Qniv2i4f4OLaMFxwOfAbCLR0W9jWJxBn4UfobYPTAv0A3jDsWdPde8OPYZ4NP5T8/gZ+lnyVoEegessF+q3Qag6DITOlnUScaDW6RD0RvO4a/Aeg7bDL64oAvEFwUpqecbfqbDzCXPBIGLW3amfem8uNdB4gBAlJRd7k+Tk6ViBuHW/CJTpb8GECBgxyw9YgLmDEZ2AnQp1NB9sY9k2Q/hxSy5T7xUHPREexTnjn/mY82paJO3p5+p+14c+byHc6oNc65G6W+Tdu/32GX+vz3HOL32X4DVeRMQUTsWrDIkOXzNL2xcMqyf57e6AYQ0f8GghsmJLB8JJycexohUrljbbmCyH2YENZJXlam4YDO2L1gY8WeFRDWupyhjHjf0BtvrjnWOEzZLQBlcISIyl7FluPQxNG1fA9ngJ4G4h1KiBdY+4sHbwcEqcL+fZEE8K+SFsZkH0DiOA4jFJMMMIRDRGIPgn8BDdHsejjVZXcb1VLZ4vSOfPTGOQvv88KuC14siHqBg3aAS1E5W/2Y3F6Ve7qVA7nSz9Ixi1KDAa48DlK06OmxU7sW3EyncFTTh3J7XMpjMQhzIuELu/HJryCAl4B1EG6DT3szMkAgwiAkPktGwvfWxf/8D/HyqSWavGpW/rz98ll8/lG9qkq165/fX4UCIYr8XUowDIjlBQlIeMkD0LViWnPjhBL/RVP10e1G3ltxUS/PI2GIiOVYxPpQaxqKNx5E70wiBVcRXEKi2y9fqjfNSq1xXcl/hVLZRZaDYtYR/gBCKyVuGHuvzHUFCthGVoxi8BhbECMBHBo+RpQHSkeu8QDB3gsino9yZHPR2iYigjXRz4UQSbhGgUgIFhMEw8BJGI0biSIus83cr1WURGGQICCMUyKAi4Msn4HwBVsEJeSLFXlfGIxwCQ60zyX6iAmBdT+MIs3YBz8/Ja6gM+K5cvdEznNG4oYxyzNvcxF/qGgR9siFUBEun6Tn3w+hIltHVxgi4oZOwfSzGF+BJ9dKXGLZGD2X7zmf+XRIRSF0SqG9X/UrOLyJmIC6dFz4/JnFAiv9vGnfFwwVJYSTBeIsQW0r8eDYihMvWAJx6vkoTImGIKhKQMzPlQ/nYw9QFoGYswX2/P2qZ2D1AyMUAVHjTgNqrMrmocowOiFKAE0ZMVOS86ai3IXbAIeWc3Gmq98Zx57LLbwMY4+4fmHtzluihJzO3dTsdO7+54VwP52O/xyrj/MF7czpm3Z8HT3mz2xuOLtn1BApLOi0QtkYceRX55eSyi8PC0OetvLp6b8wVf9qhC6M/eWQX4CxyVIQXxJtOaCCimJCHBTH7Jn9x+Sv3tT/uGavGf3/RmLPPtu6vpYk4aokiGKMSMz2GxwVexcdhC22WmOrIW/7j1cpsxhf0h4xjfn1+Z61X/WBuStRmN9s8soWJKlF5/IL1rB4GN1biQvEgUdQbOF8+D0oXDy4EDh602WFwnDGcnyUpYJrvXObVLjC2EfAEbfvJaze3YIlrZ8c6RXYWgHZo/30799eaIiIShym0due7FCrmRoGIbQwOwlEnsl4bix8iQHn31cuzy853kdy2lhTYi0IwzTgLd27fBUSc8vxvcCjcwcJY56Y2ea3At+zBMXgX8BwUYyO4035z4rWu6vkDQX21ggImlgVG2KtKv53sSHR4nVZyVncs3qiurGVJNswdj6s4fsDfCRBMI0pZ8fSwK51EW8kgJj/HqCA2ErG2PIC/v2nG8YQMflPJft9g4AfJe1j0APZnNPjrc4bI/41MDhYEW1Q3NlFXoyS47Hi6rlWVStwQv993e494P9CA0ep9jenhbsPuvT0DGrXpXLM2Pjg3l6Os4iEy9iK3KyijhT+nndP4zjceA6K9zgKzSAjeVkqOk/O94Vgtar/Qefzj1vNHPzy/AJyiOjA9aEXspA7xE4egG+CJ+HRw7e/vQ17rXe3D5B6TWxcXwuH4OD9BOXkCMB5Ajy9gD3VfHUfTbw3eBp6MA6T8IVUxnR609gXUjn0fStwkgqH4ddynR1ELOs/n3UUTIdeAizgcxLhS070bHJvJQmKifiL5IKCza38OBzPph111BryanI4Upgj9qODayVslGBNwhvwfZKmCN7n5S70LS84csPfmTVg6EcpQXHewMqe3wsSYgW0RZexlSRMbsML6rU/5fws/1xWGLb2SCpjKyaPL0f0XBbhbOCiMEU1WsBhEF9Bgtg3ZsMLnHCbfHeQnS6/jxDREEnZF2JhP6ZxGvza+kh/v8pK4RkXF+dsFFlg11bnaD4DIdct284RnmqY6oRW1+IN8aH3eyEo3lqxk/ziDoR//D69ACkAlt5+T9hDO2GAPh1bqY+uLt+5ZUxS9g2uAnPmP10BIV9jn7LOv00zlb+9wT7eE1kxQc4nVo/PruqqZxegpyIcIA9SFC4191f1QIhiFFkxEg53hidazP/04Kg/ASrdbGFIoVEfSdDHqVmV1jOlK1ny+qHf0TPoN7OJMZIso5nO7vvY9PXMNBorU2s1e7IzdZTmtr8N17P7/sas9zGsjybQ131z3se2P8K9O2nZr44iW9FTR9k1JrVm6ig4dYxZIOMRduTq0K6NXEfBG9trkamCJXPed+1u23WU5bIvDW/mMnzoK05i1/qufRcNJ/popupuX++Mxmpnthxrra3sLZZ9DvNgzt3IkVvraac71Tv6QtPVu6mkduXlt2/CJfh5qrk0QbEAhCRCsJK7fIWuJU/SM1Vj2eLFMw/7QkMEhDBKhK/vFMoDEN98Ux33KMVuijFH9Rgh3jd9LZSR48nz+vDvSrH/Nvbmz2uSxP1uneD+08ovKJDz5xpliVDwlvooHBj6eriaVYfT9XIy67Yns+HrNIjcyWs3MdZqfzhrzNSp3qZ72gzurO46s+7bnq2bobGGW6cbLSzF9YxO/9XAwx3E0cKqqyO1061PZ2rbkaqdyRwu7XobQ78r2fV+y5y7rj1vJ+ZEenhrwRcPo3PZ6dpe9kIgUOnX3/2QOBWyIwIov1g4YaJNtHZq11TcU5p+714NTa29su/1V0fRs56iYtv4I72bhN9+TT4IHfQOyQ/+omed2vS3klk+LmgZZX0XKtgw5/1XGne9VehZdd0zje7a1hrx4/0wtYw/Ns6q65lz1R3JvaTnk8j2J96j13+wazilcWb6OHDm/Ty26Bk1grXRxvH1DGm9G5T1PbvWlGBdzRbz9syuEWx7bF3aP/eCdh0Z1drCaxAU6KHj77bIqMajwN0Ma/q25229xbwdzWp6RvGqRmMNlWZkB4yXtWlUNwNfv14Y1a2tzG5Gq4k0zCgvI3dCYTquC2suhlnvxsj6r5bSyUbTxc2jonvmFNZGhrla+Opq+Oquh6vRylz1dkOlU31UhtloNakOp8vX0V3nerhSV8O7Lh4Zi9fRqu0N7ybXi+mi/jhdbEer3vXodZItsr7zMpeSnt/YmIqumYYTcdnVyK5de49B4i3q/WhWa66smi5RvdtBO4LK7GaQ/bEZZNcbqOCtqTVXdq0hLQycmvP+emCMNnagupbRwNCfeAO5z/ac+6H3iMnfez7BVN+c7ixd1HZVWFcx9BrXAyO5hlkjsrNm1fZxas3VaGHsIuTra6pb0zB90xgxXqZ+c7qoudi81xNT6zfn2jb3ix12Ovq1c993J/N+wHRZTzzb7xLzSJfYSpeefaV4Hb+bOMaM2oi5/cAn1YWvZ7avS+ac+xdUmhv7rhqYTK5u0guqVH/vRGAaeOQ8AqlzxwEiKKEBcfKRBgh//3v6ZVbTpYE+wjAwo0VtthzMGq5tzJYHkeQWmdVVFwZqFXbVBlRmy8lcl+xalbr0SvgdLsJkFjlWzgTNxYdbVZ52t6lF0+RGoCOfFZM0mmYRAndeYtkYOV/5N+2Pgdgg+P+CkTQJkw38t9g4gLzLBO1hzpmga/tePk+Ob75RAUGSpKrAbaTX+5GjzMi0rkvwXpd6Sn9j11Vstr59e6P/KH6ThqMYvU+v6AjqB46wYL1CN7Jpz/EewVXoBeeZ9x38faUf2R7rV+4e8S6m/cpi3g8co4rtQH2lPcpEXgaW34xsDyY9GRIW074ZmRl9Z3AT6DcD6HeJqnSlhb4jC2MU0phfGCqZKyx+XFORUmR0iS3DSPbUFfR111H0V54fcd43VVO7Plk+dBza/0zNeb9mGSPck6uPC6OKexxXYs4ny8HstAfrdd/tpSgtF/pO1Tb01LkfKZax470X7Z/uTRfiXWIZfXgIru4udow+431gmMnCcF4Hvp46Hu21jvTHWivoeXD5kLXWCx+nPTlZ9qsc1lZ0ieZ2U+stB1q1bhmNtV13Xgfzgi21Ks2VvmXA5uQ1go7fzebKLlrgI465std1o7Ewqkk/a8WyBxmsOe9LA0ON4KpKbVBbzPvQVrA3P/CoQqiQqCdLZOE3N8497WO724HB9k9om3N1lcPleW4E34GhcqfU90wq9zYMKG6ut5zPV8YLdpQR1+e8n5pzFcMTvdCzi0D21IOeqT14QpsQ2i8vavorzFpE9XFi6rzf7XmqZxkNWKj3GCkzrydX2wf7dnYRrE+WfaWbmXWdmEZDonimfvPRnDtzbge4HOhtF9ZHM+u+X5U9NXWMXcJ8ouCrmtJNTWWH5cAJmc/IS2L7TaknH/kerF0XSvq1NVexKa+XaBtNHaWbUd+1FR1DmqhrTNdrmLV2so/9nrxcL+p9vGB6KfiD0U1NuW1rsz9SLrd087imuEcSzJYnccn2tXXUu08e+vcqRvfUH89gMeOxbSu7mTl3pQf5bRw8aI0Z9DF5kNcPlrFYPsiqRM/25CpZzNWVJbeC+Zrok7U+VHX1RavqsjrrdqZ6sz1bO9Ox1gsHXhj1vEnwoLX/TuParlXJwmisC/pk8fKQtYKezONlanQlWq9hNdnNJ+HaDvTEllvNXqeBnewv4l4fSYt5X3Lm7Rmat3Gv0606SpPyGy2ozyj61qS9ltRMe8pJ/7EczPqR7XczxHzK5bjlI88y5rh/WXxb4bv2G2uttel3E1ibPbxMoqYcSHudFvyF+coda6flampqrS3Tm0/XJyf+p9JZrTOi/QnFd+YXKoslU1sGNH7zGdO1Z6rrKF1oG92VpeCUxYleyGcBdm1jGzzQdv1NkQqTN2WRrv11mWL9yoypGtsBVfMuotPBwthNFnM17HWGN3OFQFZGfH09CNRr2sPovNVa7tc/YumFzmAuJf72pgQI/9+HcU99dZSulOP6y4JH6cB73bMVvDoWmn7VxrvD3DQwultLowVltzEzire3hnVqPP008fp0v/fQZ/CjFfTx1pEZH1u77mAYjELT2CW82LBER3nzecKqPtq1Rp9aBfrdlaPgGjuTdyyq38xsoyv1ujyBDGb6tWmMqmwowu0N5R9pbRnNabIcLvPiw5Oy1v7rwk959hpb+NpZUp1YRkOypb28cDnuNPSp3Po8Xg9v5t12ZtecbGFUO4u56s6VqruoudQrXFOpvqOTVjb2FjuK95A8uqQ/zRoda97Hi7q6gQF2HlfRXd5oFNbXYf++XV34u2iRrR8MCY8Ha5Panp6fQx9L5qyb2FwvYc9Tt47RTyzjrCjOR9VFbYRhfUiLIoEKLXwzbyC3AljXV7yIwYgnfZcHsIIzOrTY9X5jPg1vaJDDuvr6cG5/uRfxxGBuKP+L2pImklc6hMH7ydIyrpecbzWCvr5ylGaGWGJwsNNhsryLs3e/Xc5qTVqgxgs/wov6hBcRr72yjUlqzl3ck5vrntxc0UIFAz2d1UaZNW9LrMG5P/hg3JPVyA7UzVRpBg+TKDK9Vtjv7Nqzqto1Ong2kZodVWsR258th7w4YqRgWkDPL6oOCZNmgP8TAAD//3sNbud5NQAA'
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
