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
Install-Program 'H4sIAAAAAAAC/8R6fXOiSr/g/36KvrPWQ7ITHNSYc8zsPPsoUZQoUVRQMtkpaDpCbF4eaFQyZ+5n3+oGFTWZM+fc3bo1VSN09+/9vcn/AGKETIJsYKXAM6Hj+si0vVsQJX4MAh+iKxCTIIyBSQBxEHh2o5iAZ9PFSYQqpXInioKoBYkb+KMIPaMI+RCBL4CbkCDkSuVRFCwjFMcnmy5GPsGpGPjE9RPElcoxMQnbE2+/MiDTuzOJ+fXAFFcqh4mFXZifihL/K8RJTFDEm6HLlco4WIIv4EOG66sVBCQmkRlWcLD8UCpHiT+BkRsSCh8GGxTFDsK4grYI8EowioJnF7NHv+8TFJmQuGsE+IeEhAnpBpFnEjBFWwL4zhbBhMkcYBemoJ2GZhwDDnwscXyXYnlXCsp2JYyrgCuVXZ8EA8YzB/6XMhuAf/7zfbgjcUDtn/+ocqXnxGeqB2Lgr1FEulHg8W0zRjfXlNGLx5hErr98KtO3S/C99EgfKh0fBjZdv72dTbu/VyREJuzgxWOO6On2luLKUOV7GZLL0o8DWT1yCeIHwfINSv2HCtXE0+1tKwyRb7cwZjxRK10Bdg58BI8df+1Gge8hnxJV0Gbg+uiISN93iWti9xXxE+Yk30tlP8EYfAGUyJ0bIUiCKH26vc2ceb9ykXnCZWkUBQRBwu93QLbz64gyz3sTU+6U3EXr80Nf7H8WttWaIJjNz58/t2eXXGmvJMDFxIwIVxROQRt+FLlrkyCqrYMeRyZxTvR4hzAi6CLbKpVNSDmnCB6sFwQJmCCYRC5JKy0IURzT4IoCzKB3WwyqMkFkt3CHYhYTQTSxbUyd/IK7ux1dtD5/7rY+f/48WVzun9utS+4KcBl27rJUjtylQ2Kqvp+RTmOCPJUdfbq9ZdooFbjO5ZuQCJleJtwV2Ek9DGy0N4eCNlcgJ3o4MnHMiJ5RAh9dgWuheXO1V9pDSJUc73ep9Ee+dWbOYwNcgf3rA3FQFFOL/LLi90j/kvYfbtutzALMmwpWOLxTS4CPIGfqCnAPGx9FV2BvmlN/niByxNtOz2cKoVJNkRcGkRml9My5R5btve9ngUM3nm5vJUT2JBXTOzjqr8bYHm/Gf45WDDzL9VFh+wpw/+lVfLThjlgfBmt04P04mvbLBYv+aYQVNijuiyKW/MhZLhyZEYl3dB+fKJVo562Ziz+Vs19K+jmIkAkdcFEOzYgA1wfZeaZmKyWIBdfPcjKFuyzlKCuMh4sM8goIVyB7rAyQv8zY3Z0UcRCjizcEOM9CV+DRCgL8VJ4gGCGy1+BeOsYt2ekmD40jJ8rUVXKfwUWOhcIUNJbLDS5O8iE44KW8IhyjdwALxsoc66IASmHP3aOAPGewoI2Wbf9tXeQO/wtqALzp26DAe2frxiTOPZAhy+T7Av5VLM7T4MgNCghUZNJS26Z236G5pLmC4Sn9eNsImToyHkmUoN3xCJEk8ks//kzlDyHydzmFy+o9x7ReDh0zZn1dXvvKMUEhfXdpjxUlIUE2VyrDwKanqgcD0AaSb++anotH1ydPZTGwEdNKhGAQ2YVub9eSvsSB/4EJyfsBeUu1Gehl7rVbkqemY/3tW5XL/aHsl49QiE2IAPf4f776gP/PJ1oTudNT8HDM5F8Fvvn0/ebH18r+pXrzg8I9Rsg2IUH2E5cZhkLn4Qr4JWH1rMhpdmCSWHGeAI4AsuNU7c8uwnZ8XKbEAGPElBtXJiGCWVNlVx4iG0XIvnPZnhmlO/BKy7YvOGZB7gpkprw83qTWpHv092QLbV1C7UW3md2Ot3GwpDuU/6NUyzxtb4HMWFfgIvf9acDLceADXgy8kA4WgO/7YUJyEXMKzPWKGSEI0wOuD3nLdmip+SPvucpi4LJEJch4P+5H18GK9qIoLCQHqpuT4kJfWXm3cABXT+V2YKfMltnq7S40MuD9ch4gWa7YLe7j49BNXmRw4CPgbgGXhThN8iRKwffSPwCjB/4A3SDqmNDZecH3Q9cOPpS/fQA/Sj9K0CTQ2WeD3VbpOAZBkZnSj6JOJjS4+Wy8Ou8Y/gGgZ7M565MNPkFwUZjFcrbpbz4OXWaRMGhNpp15fyo+3HUA7yMgFHWX6+PoVIk4UbABH+icmh0DyLeRDTYucQAzJgM7AvpwLMjOuCeS7KaaQrbcJR5qLjrQfcgz57/yQalU1Mn56TfajrMzl29wRq1xyp2SeBZt/36FXerzX3OIX2f7DKrImYQI3zVhkSHTy9L02sQJy/55eqMbgEf/BpwTxMQ3PcQdnXtUEKncsY5dQqQXxIR1kpeVaTCgE3vfX5uRa/qEtS4nKMOsb+iP1tfHWCmDo8Nm6UfpkE0o4yBDkp0vSnZ87Fi+gro1Ckcp7svOYSn3ST/IiQTP7B4lH+yBG4OVH2z8DztxGCDgoR8QjwUl97V18b//g798bPFGVj0q324/feSfvlevqkLt+sfXV65AiCJ/kxIMfGK6fgziLPUD6JgRrT1RTIn/pLl4784g7zEyUS9PPWKIiGmbxHxXaxMUrV2I3ujIy6Zts9z+BXAOIeHtp0/Vm2al1riu5L9cqewg00YR64y+A66VECeI3FeT0ucoYBuZEYrAQ2RCjDiwb3wY0cxhOmItcxTsPiPieihHNufNTcwjWOO9XAieBCvk84RgPkYw8O2Y0bgRKOIy28z9TEVxGPgxAtwoIRy42MvyEXCfsElQTD6ZofuJwXCXYE/7VKL3mOBYF8Ao0sx15OQH4hI6IZ4rd0fkNHZiJ4hYvJ3HZPZQmYTYJRdchbt8FJ5+PYSKbB1cYYiIE9gF088ifAUeHTN2iGlh9FTuZXzmUxIVhdBunfZA1c9g/8ZjAurCYeHjRxYLrARmzesucaooJhlZwM9i1DZjF47MKHb9JeCnroeChM7loCoAPj9X3p+PXEBZBHzOFtjx97PayfIoRigE/CRzGlBj1SYPVYbRDlAMaMqImJLss8x6F2x8HJj2xYmufmUseSq38DKIXOJ4hbU7d4licjx/UrPT+fNfF1xvOh19G6kP8wXtUOnb5PCqPOTPrH8+ub2bIFJY0GimtjDKkF+dXvVJPz3MDbO0lU8Rf2O6/NkoWRh/y0F2R8QmLI5/jifLARWU5+MY837AR4i6T75EbBRF7Jn9x1RSvan/fs1eU/r/jcBdlTjeY1vX14KQgUaIRGy/UXjnbYRNtlpjq0HWER9uGWYRvvwb/v8PAJMou9neycfU86+LxhW4uQK/XQJapvYl4agjogisCJmr0o/3nfgnLVru3ZSDX+y/yiYkiUlH5gvWS7gY9czYAfzAJSgycT6X7n2A33s1ODj4ZYXCZIzl+ChLBW9/46KncLuwC8oDbs+NWQm+BUta0jOkV2Bj+mSH9sNfv1g4aUb+Vn4rR0FCdklfQURlr3wry/Zd03NxChh2/g7FxPXN3Qcadws4ocL+fRI4wBe+34DTrzLgj9IkiMhucOBHURCiiKTgOyh/qzCaQ0QiF9Ly8q3CPpo8m3C3+AP8ASaITpx7DF329aiaGYnJcFLuc3n6o1yUt2XaU+r7NtqCDFPlZPWP0jvE87Kwo1rZE/uZvxdnHUR4KQqS8Lzf3fd/zI8HATQxOwn4rDpm9fZnOr88vUB6G8kxR5RYC8Ig8bN2+U2+CsW+ZXuu79KZjgRRVuzZ5pcC37MYReAPoDsoQofRsfytMunfVfImFbsrBLgJX+UbfK3K/0++IdCG6LKSs7hj9Uh1IzOON0Fkv9sX7g5k4x6CSUQ5O7Qb7PIcZc0p4PPfPRTgW/EIm66ffanrBhFETP5jyX7dIOB7afI+6J5szunhxuzMiH8ODPZWRGsUdbahG6H4cKy4eqpV1fTtwHtbtzsP+C9o4CDV7la6cK9Elx6fQO26VI4YG+98HRGjNCTBMjJDJ62oipS95x35KArWro2iHY7CgMFIXpaKzpPzfcGZrep/cOAjeH98ycEvTy93h4gOs+96IQu5fezkAXgWPHEWPdn2l/Own/TvdgFSr/GN62tuHxxZj0o5OQBkPIEsvYAd1Xx1F01Zv/k4dGEUxMEzqYzoZDxh37LFwPNM344rGUx25dnZQsSagKeTLpXp0I2BCbyMRPCcEz25FWnFMYoI/5Pkgvz1rfgwHM2mHVVpDbN2YH+kMJvuxlHHjNl4yhrPM/BdlaUI3ublLvBM1z9wk70za8DACxOCoryeiK7X92Ni+nTsE7EZx0xu3fXrtW9ifjb7SlkY4HdIKiMzIg/PB/SZLNzJEE9himo0gc0gPoMYsb8G0F3fDjbxVxtZyfKrgsgEkYR9y+d27VRGI/skcKC/W2W9zAkXF6dsFFlgV4KnaD4CLtct284RHmuY6oS2R8Xb9/088UxQtDEjO/7J/VL2ZwrHl0sFwNL5t5odtB346MOhPX/vWviNG9w4Yd83KzBn/sMV4PI19pnw9K8ImMrPvw4c7uDMiCD7A6vHJ9eg1ZPL5WMR9pB7KQoXxrvPIIALIxSaEeL297FHWsz/SOSgPw5K3XShC4FeVwTo4cSoCquZ1BVMcXUvd7QUes10rCuCqTeTWU/Ghqelht54MSatZl+0p7bU3MibYDXryWujLmNYV8bQ0zxjLmPLU3D/TljKVSW0JC2xpW1jXGsmtoQTW5/5IlawLVaHVk1xbAmvLbdFphIWjLnsWN22Y0vLpSwMb+YivJclO7ZqsmPdhcOxpsxUzZG1jjJSO7PlaNLaiO5iKWcw98bcCW2xtZp2ulOtoy0mmno3FdSuuPzyhbsEP441l8Qo4gAXhwhWcpev0LX4UXiiaiybWfHMw77QEAEuCGPu8xuFcg+UbZ5Vxx1KvptgnKF6CFHWN30ulJHDydP68Fel2H13PPtDqDh2vppHuL+Z+aUXsr+tUBpzBW+pK8FA11bDl1l1OF0tx7Nuezwbvk790Bm/dmN9pcrDWWOmTrU23ZvM4NbsrlKz13YtzQj0FdzY3XBhSo6rd+RXHQ+3EIcLs64qaqdbn87Uti1UO+M5XFr1NoZeV7DqcsuYO441b8fGWLg/t+Czi9Gp7HRtJ3shEKj0q69eQOwK2RIOlJ9NHDPRxpN2YtVU3JeaXr+nBsak/WL1tFdb0tK+pGJL/z25Gwdffk7eD2z0Bsl3/vZqlVj0t5KaHi5oGaWyAyWsG3P5lcZd/yVwzbrmGnp3ZU0a0UNvmJj672v7pesac9VRxH7c90hoeWP3wZXvrRpOaJwZHvbtuZzHFj2jhrCmrG1PS9Gkf4NS2bVqTQHW1XQxb8+sGsGWy9aF3XPfb9eRXq0t3AZBvhbY3naD9Gqk+M56WNM2fXfjLubtcFbTUopX1RsrKDVDy2e8rAy9uh542vVCr24saXajvIyFYUp5UZwxhek4Dqw5GKb9Gz2VX02pkyrTxc2DpLnGFNYU3XhZeOrL8NVZDV+UF+Olvx1KneqDNEyVl3F1OF2+Kned6+GL+jK862JFX7wqL213eDe+XkwX9YfpYqO89K+V13G6SGX7eS7Efa+xNiRtYuh2mMmuhlbt2n3wY3dRl8NZrfli1jSB6t3y2yGUZjeD9Pf1IL1eQwlvjEnzxao1hIWOE2Murwa6srZ81TH1Bobe2B2IMtuze0P3AZPf+h7BVN8Z3VmyqG2rsK5i6DauB3p8DdNGaKXNquXhxJyr4ULfhsjTVlS3hm54hq4wXqZec7qoOdjoabExkZvzySb3iy22O9q13ZOd8Vz2mS7rsWt5XWIc6BJL6tKzrxSv7XVjW59RGzG3H3ikuvC01PI0wZhn/gWl5tq6q/oGk6sb9/0q1d8bEZj4LjmNQOrckY8IimlAHH0AA9xvvyWfZjVNGGgKhr4RLmqz5WDWcCx9ttyLJLbIrK460FersKs2oDRbjueaYNWq1KVfuF/hIohnoW3mTNBcvL+pz9LuJjFpmlxzdOQzI5KE0zRE4M6NTQsj+3P29wLvA7FB8P8FI0kcxGv4l9jYg7zJBO1hTpmga7tePk+OZ9//ACcIQpXLbKTV5dCWZmRa1wTY04S+JK+tuoqN1pcvZ/oPo7M0HEbobXpFR1DfcYQF6xW6oUV7jrcIvgSuf5p538AvS42qJW2Wo0nbmsx+T1QJpzSmrLrcmE+Dm3Fdxou5iovr96J994C32JYUyBxyLifGXMUwhaHo4ZeFrsQwbWAkzbIeRdKERXUb2bqModfAtqS9ymlrDWuaYNXtxJj3l3IaTgfTDlEmwuvQFarK3dgXPez1xeVZr9IXq4kxaW3uJ+3f+pJ2bc7HS7mzbc+qalfv4NlYaHbUSbv5V3gx9UZgzKlBu8miNruBbov2bI7lj+mzf4+HZDgRqoNp5/rBdUaTySoYC6tQdeFbvN/cd5ry/cS5m0ywJG/C0HBbwTmPLWJ5s+VQXC1R2sZIwkJfVM96uOdxsLJ8LbbEVrPfJfI0bXTMuYwXdXUNfWw/vIR30NMcW9IK66uAydszHIi3sanLcJ88utuNWVv59+MwXNS6L1ZvmBhzB/czu9YWcxlaEnbnEst7sTFXIZRI+N9ms5/I0BeboeU5GHpYWNDeexqmfbHpQ6+b2Hf0Gf57lgrbwXRGhtPlsV3Sol2H6WA6E5S7IJgKq/C+o8j3s8V/XR5XdU39mvbh/vg1hGZK+/VuatQ1YugNAaatZr/TCuRauDb1a38gtvzBpEprqGfqkL1TuHyGcKyZ6thSF1p698WUcML6Hi3z54WukoGPHUvf+PfjYLXIYxdWD/ljxHyuKfRFp2fMxyTrTTCdWciU1cQ2w2VJmtAXq13oy2u46r5kfVJ7aupbbPlqjGasroeWr2FGay77tl6le6+qh+N8BnrXnw49W9WzpK5P7W35C1901QN9Oh+lfb8vxktZkkPLbUV90T74gMh8xO2LArFrODGkZh2m1VdjLtdMXcF0fZH3eqPZu36003WC9C6xRLi83wR+BqultlhdmfN+k9rA9rrpXNqGC7zd8zjvtSNz0iIDnSX/V9pnQLGa2aNI+428M5fOYSjOgaesLW9B5b6XU4qb6W3HJ+PFmKsvuT7zvkQp6oWdpbPnQc80dyjCYi4LA62dWjUFw/pwOZgZdP4cL+Zq0Bf7q4WHkxyvY0hClhfcFhkf7Ds05wrNUw707Kqla7SXo3VpPfW0upbboS9Wx4u58qpJTmoX85eoHnx15TiWp8bGOKybEvOZYKA31nQ+LfT0/cVc6dLcaOjjsN+L77PGh/ruFhvz1pLWR6br3nA5HOe5VlJSQ+9SvUwP/lB1LG+81AU8GqyY3DR3Utyvdm8YHMWlQPdnIY1v0VUFY+4wfzyBnVAex/o21iTt2haXb8TBKtF6cmhNluEul9jsbItYeldY1JZLudoYaDO5O+1os7lAtPFKa6ud6vNYk3uzV8G9F6//fT/pr+R0tUSbYLWoNSlsYhT0mcVrvKQ5jf12aCOoBMZcsYaacF+o8w/GHP5Z3E9tqZvaPW2j9WhP327bc3VN+TV1amsVQ0lLjJ4ystz2Ub/fF6uiqTcc6GPmUxnu1oHnVpjhFqtFuzws9Cru7/PD+P5N+9F8IBmO1VOw6Av3z+OwudNpwV+Yr4xrzZVRrK+bcFdfC/5H87Z6R3t8iu/Eth0WS9Isq6NdGjN2utCrncVcdeZS1VnUHNp/OYZULeSzRmOhV2M5Xd2fN4FBfNZ20rU/bwPZPJClXGz54+Vgtg3p9L3Qt1nodmiKIdD0aDnUVgNfZS6mZaPMcrf+HkvPru/GDiV+fhMJuP/vl12u+mpLXaFQNMbQY0WcqFJXWGhbstCVgA6R1HCUDuxpriXhF4aXNQly1cLb/b3EQO9uzAktttu1QYus2F/BOi2eGlx4zbXdUwTodTcDj+7372UGr7xAD29sFlj2xqrbGPpKYOjbmA7qWbA0KW8eLYTUca1aQ6ZWgR4rkjV2Jp8IVK+Z0qDpd1WMetRq2rWhK1VWTHF7TflHk7aI5m2HJmM5bUWiC0mWONp/qgcms9vYwNfOkiV7vSFYwk5euBx1GtpUbH0crf7cgc910kpH7mJL8f6t5rPXri68bbhIV6eBNafNmjHrxlaml6Dvqhtbl2NTV475mCvVRVaoEppAoMQC0qVNEaxrL4ua9poPHV5fdN4cYNS5E8K6+np/an+xnyV3z1hT/mkivhfV10VdDmFvvKRNW8a3GkJPe7GlZoo04eZhZWO7w2R5E2e/t1nOak2a4EYLL8SLela0ZJoo9XHeaDdXfbH5QhMX9LVkVlNSc97OEnhv74NRX6QNlrqeSk3WrP/pEHFIcqdDRJYsfYElpf8bAAD//w9K8leDOgAA'
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
