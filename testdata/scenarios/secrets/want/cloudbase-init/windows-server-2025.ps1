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
Install-Program 'H4sIAAAAAAAC/8R6/3PiuLbn7/wVer2p52Q70AZCZkjv3L3ggMEBJxiwjbuzU7KsYIP8ZWwZcOb2+9u3JBswJN3T9963tdVVjS3pHB2dr58j538AKcaQYgfYGfAhcr0AQ8e/A3EaJCAMEL4GCQ2jBEAKqIvBixcnFLxAj6QxrlUuenEcxh1EvTB4ivELjnGAMPgNCFMaRkLl4ikOlzFOkrNJj+CAkkwKA+oFKRYqFwmFlM9Jd185EfTvIYVfj0IJlYsotYmHilVxGnxFJE0ojqsw8oTKBQmX4DfwIef11Q5DmtAYRjUSLj9ULuI0mKLYiyijj8ItjhMXE1LDOwyqavgUhy8e4Y/BMKA4hoh6GwyqjymNUtoPYx9SMMM7Cqq9HUYpP3NIPJSBbhbBJAEC+FgRqn3G5bunYGLXoqQOhMqFF9BwxGUWwP9S5yPwt799n+7kOKDxt/+sC5WXNOCqB1IYbHBM+3HoV7swwbc3TNDLLwmNvWD5fMHersCflS/sodYLUOiw8bu7+az/a03GdMoXXn4pGD3f3TFeOatiLmdyVfl23NaIPYqro3D5zk7DxxrTxPPdXSeKcOB0COEyMStdA74OfARfesHGi8PAxwHbVMXbkRfgk02GgUc9SLxXXJ1yJ/mzchGkhIDfANvk3osxomGcPd/d5c58GLnMPeGq8hSHFCNaPcyAfObnGeWe9y6nwimFy87nx6E0/Czu6g1RhO3Pnz9351dC5aAkICQUxlQoH07F2+pT7G0gxUxbRz0+Qeqe6fEeE0zxZT5VuYCISc4YPNorjCiYYpTGHs1qHYRwkrDgikPCqfdTnKo2xXQ/cI8THhNhPHUcwpz8Uri/e7rsfP7c73z+/Hm6uDo8dztXwjUQcu7CVeUi9pYuTZj6frR1llDsa3zp890d10alJHVxvimNMfTzw12D/anHoYMP5lDx9hoUmx6XTF0YszVqGOBrcCO2b68PSnuMmJKTwyw7/YlvvTHnqQGuweH1kbo4TphFflrxB6b/lPYf77qd3ALcm0pWOL4zS4CPoBDqGgiP2wDH1+BgmnN/nmJ6Ittez28Uwk41w34UxjDO2Jq3HnnhHHw/Dxw28Xx3J2N62FKF/tFRfzbGDnxz+Qu2UujbXoBL09dA+C+/FuCtcCL6ONzgo+yn0XQYLln0LyOsNMF4X5a5FEve5MInGNNkv++XZ7ZLvPfW3MWfL/JftvVLGGOIXHB5EcGYAi8A+XquZjujmAfXj3Iyo7uqFCxrXIbLnPIaiNcgf6yNcLDMxd2vlEiY4Mt3DvA2C12DL3YYkueLKUYxpgcNHk7HpaV73RShceJEuboq3gu4LLgwmpLGinODy7N8CI58mayYJPg7hCVj5Y51WSJltG/do8S8ELCkjY7j/Mu6KBz+J9QAqjBwQEn23s5LaFJ4IGeWn+838PdycZ6FJ25QYqBhyEptl9l9z+aK5QrOp/LtfSPk6shlpHGK98tjTNM4qHz7K5U/RjjY5xQhr/cC1/pF5MKE47qi9l0kFEfs3WMYK04jih2hcoFCh62qHw3AAGS1uwc9l1+8gD5fSKGDuVZijMLYKaG9PSRdJWHwgR+yGoT0PdXmpFeF1+5okZpO9XeAKleHRflvNcYRgQgD4cv/+RqA6n89s5oonK9Cx2Ww+ipW289/3n77Wju81G+/MbovMXYgoth5FnLDMOoiXEF1SXk9K0uaL5imdlIkgBOCfDlT+4uHiZOclikpJARz5Sa1aYRRDqqc2mPs4Bg79x6fg3G2J691HOdS4BYUrkFuyqvTSWZNNsd+z6bwzqPMXmya2+10moRLNsPkP0m13NMOFsiNdQ0uC9+fhVUlCQNQlUI/Yo0FqA6DKKXFEYsduOuVM0IYZUdeHwrIdoTU1RPvuc5j4KrCTpDLfopHN+GaYVEclZID081ZcWGvvLzbJETr54tu6GTclvno3T40cuLDcBEgea7YDx7i44gmL3M68BEId0DIQ5wleRpn4M/KfwK+H/gH6IdxDyJ37wV/HlE7+HDx+wfwrfKtgiBF7iEb7KcqpzEIysJUvpV1MmXBXc3bq7eI4T8B8h3eZ31ywCcELku9WCE2+y3aoas8Ekad6axnDmfS430PVAMMxLLuCn2crKpQNw634APrU/NlAAcOdsDWoy7gxuRkJ0QfTg+yN+7ZSfZdTSlb7hMPMxdr6D4UmfPvRaNUKevk7ep3YMebNVfvSMascS6dmvo2g38/Iy7z+a8Fxc+L/YaqLJmMabUPUVkg6OdpegNJyrN/kd7YBKjiP4DghgkNoI+Fk3VfVExr9xyxy5gOwoRyJHlVm4Uj1rEPgw2MPRhQDl3OWEY5bhg+bW5yrnGY8jsFJqCKqcZfqx3HYYmjD32PZICtBtV7nFAvgPtrDG8HBLHG/30SBfCPyjSM6T6Aqk9xGOGYZoAzHGMaewj8A0wxy66HVX1+U1KvXMB8v6Mcw6dChPdl4ZcPLxDhYeDgHchPUTsb/f52e1Xu960dtqt8qxyzKDMYyJWXk5Qterrs1K4lN9MZHdP0odweh4pYDMJik/CF3x8VFxrAS8A6CLfBh70ZOSGooiCkPk9GwtfO5f/+j+rVl07Vyqtm7fe7Tx+rz3/Wr+ti4+bb11ehtBFj/u5OKAwo9IIEJHnJA8iFMau5ccI2/wGo+t5dSYGt8qNenUfCGFPoQAq/q7Upjjcewu90IiVXEVxKo7tPn+q37VqjdVMrfoXKhYuhg2OOCP8EQielbhh7r9x1BUbYxTDGMXiMISJYAAfAxzfNA6UnNfIAId4Lpp6PC2ZmFW6TKkaNql8cokrDNQ6qlJJqglEYOAnf41ZkjC/4ZOHXGk6iMEgwEJ5SKoDLw1k+AuETgRQn9BOMvE+cRrgCh73PT/Q9IQSOfviOLGMf/Px0cxmfbV4od7/Jec5I3DDmeeZtLsofatOIePRSqAlXX8Tnnw+hslhHVxhj6oZOyfTzmFyDLy5MXAptgp8vBrmcRXfIjkJZl8KwX/0zOLxVCQVN8Tjw8SOPBV76c9C+LxgaTmi+LajOE9yFiYeeYJx4wRJUZ56Pw5ROMQJ1EVSLdReH9bEHmIigWogF9vL9CDPw+kEwjkB1mjsNaPAqW4Qq5+iEOAEsZcRcSc6binIfbgMSQufyTFc/0449X3TIMow96vqlsXtviRN62nczs7O++++XwmA2e/r9SXs0FwyZs7fp8VV9LJ5533B2aznFtDSgswplE5wzvz6/4pR/uFgY52mr6J7+ha76Ry10qe2/CPO7Md5ZCtWXZLocsYNWqwl1cBzzZ/4fP3/9tvnrDX/N2P+3In/2+dTNjSgK1xWhWo0xjfl8K2fF36sOJpCPNvhomMP+41XKPCZXDCOmcX4ZvxftRziwcCVG85Mg7wIimkLWl19ywOIRPICJC6ojj+IYkqL5PSi8enAhcPSmqxqjyQUr+DGRSq71zm1S6QpjHwFH3r6X8Hp3B5asfuZMr8EWBnTP9sM/f3sxxbQqx2EavcVkh1rN1TAKESR8JajmmSzPjaXvOuD8a83V+SXH+0xOgTXbrINQmAY5pHtXrlJi7ji+F3is76BhnCdmPvlbSe55gmPwD2C4OMbH9ubi99p0eF8rAAXx1hgI02q92qo26tX/WW2JrHhd1QoR96KeqO4JJsk2jJ3v1vD9grwlwSiNmWTH0sAveHEOJEC1+D1QgWoneSLQC/KvSf0wRpif//RkP28Q8Gdl+n3Sw7aFpMdbnTdG/GticLAi3uC4t4u8GCfHZeXRc61qMHBC/33d7j3g39DA8VT7m9PS3Qcb+vIMGjeVi5iL8Z0bfCnOIhouYxi5WU1T5fy9QE9PcbjxHBzveZTAIN/yqlJ2nkLuSwF26v/B+vPvQ82C/Or8AnKMWcP1XS/kIXeInSIA3wRPkkdPPv3b27CfDu/3AdJsVFs3N8IhOHI8wSQ5EuQygTy9gP2uxeg+mnJs8GXsoThMwhdae2Ld25R/b5VC34eBk9RymvxarrdDmGf95zNEwXXoJQACP98ifCk2PevcO0mCY1r9QXLBweZOehw/zWc9Te2M82pyWFLqI/atgwsT3kpwkPCGfJ+kGYP3ZbkPfegFR2nyd24NFPpRSnFcAFjJ84dBQmHAILpEYJLwcxte0Gz8LhVr8y9ppWZrz6T2BGP6+HJkn59FOGu4GE1ZjRA4nOIzSDD/Ym14gRNuk68OttPlVxXTKaYp/94s7Nu0fI/82vq4/36Ul8IzKS7PxSiLwK+tztl8BEKhWz5dMDzVMNMJq67lG+ID9nuhON7C2El+cAeSf0o/vQApEVbefk/YUzthgD8codT3ri7fuWVMUv4NroYK4T9cA6EY45+yzr90c5W/vcE+3hPBmGLnA6/HZ1d19bML0NMjHCgPpyhdau6v6oEQxTiCMRYOd4YnWiz+kOGoPwHJ/WxhiKHRVEXkk9Sqi+u53BehtH5QenqG/HY2MVQRGu10PlCI5euZZbRW1rTTHkrOzJHbW2UbrucDZWM1FYKa6gT5um+ZCrF9lQzvxaVSVyNb1lNH3rUmjXbqyCR1jHkgEZU4Un1sN1TXkcnG9jp0JhPRMhXX7nddR14uFXF8a0roQZGdxG4orn0fjSe6Otd0V9F76pPWmy+fpp2t5C2WSk7zYJlu5Eid9azXn+k9fTHVtfuZqPWl5W+/CVfg26nm0gTHAhCSCKNa4fI1NpZ8EZ+ZGi9gXjyLsC8BIiCsMY5wLHwGp0VkTyEgGMA4++WP9uu6sdu2NqAD68K5AC8ea/pPBShuQHDsnFmy9Lc2gA0kX49L2eOLt6zR0CfC0cSOr2eowdXbHt4PH6BR39pNRURZpz3sJ8HkNUKF+Vx72pWhsSOovlvZjZa4MEhqmcralNWN7S9Sq7/9YxRoG9vYBuYkfDCa3cQxnMgOVEcidGsP9AAardeR50R21jrhMfKdDMnj1Fn10kVTiZS6WKIfp0qDbEa+urEDzYVGiyB/klpNZbvIWo3xtLVC/joYBQqxGuTVGSgtcxIx/j40nBfEXZa75P0j2U2Q3w6Q36ea3BcX+puzEBRoryN/EkjLyEbyrm41SIqymwAav6YL7qL9yGauLrUCFHRXo2CxG/lqBqcoRb4eQFMVUbDmay2fBOjfPAtf61uR1RynSrM8rt8smL3keWBO/ptkzW6C8rhluq5tdhNritKFqYuwLz44pkqQ33Jtg4dXgAZ6Yst6pmyj7cJUX51GO7Nyfa8WRstFwbqJZuQWvio3zqveULbhO6H2r3o6/7uqsp/jmCY152uMlwwxZTW8gyw9f3XDhCZ7/3+BJGEB8FNisLF9xJ8Jsf5KPIQDhGtrnJXiypbJKk+F9Y21CpeWrFN7G8WWub4dyqpr+/0Mz5zdoxnF48Btqubi4cc6CUIH/4UWSn9dtk5t9lvL4Em440xxkUwMy1ReWdYerkIPNnXPMvpre9qKHwfjFBq/bpxV37NMzVWlYTL0aWT7E+/RUx7sBkknhas4plJkZrZGi1BD3bB0gqfDW5wpnt1oi6ipZQuzO7cblNgeHxf3z8NgLVoDbedMWxQHeuj4uy026rEauJtxQ98Ova23MLvRvKFnjK9mtNZIbkd2wGVZW0Z9UwqBW3U1EccZk0V1J4ym57qo4RKUDW+NTHmFci9TZ4vbR1n3rBlqqIa1WvjaavzqrscrdWWthrux3Ks/yuNMXU3q49nyVb3v3YxX2mp83yeqsXhVV11vfD+5WcwWzcfZYquuhjfq6yRbZIrzYorJ0G9tLFmfWoYT5WfXIrtx4z0GicfS2rzRXsGGLjK920E3QvL8dpT9uhllNxskk601bZ+mReMkTXgjSeFzzmDsPRL6y9CnhOk733eeLhq7OmpqBHmtm5GR3KCsFdlZu277JIWmFi2MXYR9fc10axmWbxkql2Xmt2eLhkusgZ5YU6VtmvX2dypi4NHz+GDOFgeY4oQ56MknNyD88kv6ad7QxZHOMqsVLRrz5WieZ4/c9XbEkTp03tRcFGh11NdaSJ4vJ6Yu2o06c7GV8DNSnCYLVnQPl+R5QS4vqPJrzTSaZREGnZSGPqQe+pltwmQeObA46zu7bFPIEMLmbI97L4E2wc7n/A8hvk/Ebw/+OwRJkzDZoH9KjAPJTwtxqnQNJ/lt8Q8U/y7rVegF54nuHT9S5FbdlrfLp2nXns5/TTWZZMyF7abSMmfh7aSpkIWpkfL4Q171iSOriPubqaSWqRGUoUjyyWphqAnKWgTL8xxQyrq4qO9ix1BYlSOOrL8qWWeDGrpoN53UModLJYtmo1mPqlPxdeyJdfV+Ekg+8YfS8g2wHEr11Jp2tg/T7i9DWb+B5mSp9HbdeV3rGz0yn4jtnjbttv8ZWaDRCi1TiRy5ny4a81vkdXKEFkzYc/BAxnQ8FeujWe/m0XOfptN1OBHXkeah92S/fei1lYepez+dElnZRpHldcK3Mnao7c+XY2m9xFmXYJmIQ0l7A7hfJuHaDvTEZgigT5VZ1upBUyGLprZBAXEeV9E98nXXkfXS+Drk5x1YLiK7BBoKOuSG/m4LG+vgYRJFi0Z/ZQ/GDJWQAs01FqaCbJl4pkzrC19PLFNDSKbR/zeb/eAMQ6kd2b5LkE/EBUMHsygbShyNps49e0Z/zDNxN5rN6Xi2PLVLVrbrOBvN5qJ6H4YzcR099FTlYb7498/jaR40bjiqY8gfZqy56mdWU6eW0cq7gl4nVBrRBho3wUjqBKNpvUDaiL+fdAxzzXXkPrKN/grKJOUwQ8/9eWFodBQQl3ULD5NwvShiF9WPdeKJ+1xbHEruwDInNIcChDWYdOb3qTXtcl62rItDqd5HgbJB6/4qhyXdGetW7EBL8JyX0cgOdML3MpXAMeps7lXzSVI0rN/1pyNEqvu23A+Yve1gEUiedtyfNbPZMBhKyVKRlcj2OvFQco4+IHEf8YaSSJ0GSS253URZ/dUylQY0VMLG9yj8af5dP9rrOsVGn9oSWj5swyCn1TNHqq+hOWwzGzh+PzPlXbQgu4OM5qAbw2mHjgxlYzc11kW4SKrn9ijv/U7eMeW3NIxn3p0s2LkflIzx5nrby8llsUxtVegzs31dtEy1rBe+VtmG66OeWe5QxYWpiCO9m9kNlaDmeDmaW5Et65OFqYVDabhe+CQt+LqWLOZ5wevQydG+Y9bJDCXNRb5Ttw2dQSeGPzYzX2/qhR2GUn3COhdddjOnnL8k7eira9e1fS2xJlETytxnwpHR2jhSpyR3a7gw1T7LjZYxiYaD5CHHNcx3d8QyO0uGg7iuB+PleFLkWlnNLKPP9DI7+kPdtf3J0hDJ02jNz81yJ+P96gzG4Ulcimx+HrH4ljxNtEyX++MZ7ZTJODF2iS7rN460fCcO1qk+UCJ7uoz2ucThazvUNvriorFcKvXWSJ8r/VlPn5si1Sdrvav16i8TXRnMX0XvQbr542E6XCvZeom34XrRaDPa1CrpM4/XZMlyGv/tMZynhpap2mNdfCjV+UfLRH8V9zNH7mfOQN/qAwahu13H1DZMXmgwW2sEyXpqDdQn2+uewOuhVJcg71AJ96mcd+cocyfKeUv1sl0eF0adDA/5YfLwrv1YPpAt1x6oRArEh5dJ1N7rtOQv3FcmjfbaKtfXbbSvryX/Y3lbu7cbGud3ZtsejyV5ntfRPosZJ1sY9d7C1FxTrruLhhvZPE7qpXzWai2MeqJk64c3GDsKEwb3XrzAS1wGyN7e0QLh//k1oKe9OnJfLGXo8/sbujDUkDVITEtsHzTQPdZ/c768Iit1m+xW9kB/dWQ9Gxn9LZyyyrbbWKyiScM1arJKpaOF3944A1VEfn878tn88EHh9OoK+WTr5PcaW7vpEBSooWXsEtaE5p7ZZrL5rOowL7EbLcUONIJ8XpEafE1TF9FAFzW/nTEPHfY1ggeT5Wiu31iGWueVi3Q3TH487UrY7Los8ylZJ5Y8RPMo7f6lHviZvdYWvfaWPLMaLdEW9+dFy6deS59JnY9P67/2lrc66WRP3mLH+P5LSG/QrS/8XbTI1udebDJkZM37iZ3rJRx62tYxlAQa6qkcplpf5FUhZdGKZO79HkMgqKmvFg39tUD4/lBy3+0WNNNlTfrrw7n9pWGeSX1rw+RnWe9B0l5ZA48GkyVDSLncWoR8feXI7Qzr4u3j2iFOj5/lXZ7DwXY5b7RZNnla+BFZNPMKobCsZEwKVNteD6X2imUJFOjpvKFm0Ozm2XJw8MF4KDE0o21mcpsj479E7MeMco7Y88wUiDwD/N8AAAD//xV7o7NBOgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
