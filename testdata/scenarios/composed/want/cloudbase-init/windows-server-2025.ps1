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
Install-Program 'H4sIAAAAAAAC/7R5e3OjyLLn//oUbK/jyN6xdECyPCP39okjIYHAErJAPES3dwKqygKpeFwoJOGZvp99owA9bff0uffc6Ii2oCqzfvmrzKzM4n8zfIIcgiDj5kzgAM8PkQODBybJwpSJQoBumZREcco4hCEeYl78JCXMi+PjLEHN2tUwSaKkB4gfhU8JekEJCgFivjB1jURxvXb1lETLBKXpxaCPUUhwzkch8cMM1WtXKXFIMcY/fCuEnGDgEOfbEVS9dhVnLvZBNSvJwm8AZylBScOJ/XrtCkdL5gvzqdT1zY0ikpLEiZs4Wn6qXSVZqIHEjwmVj6MtSlIPYdxEO8Q0lOgpiV58XPwMpZCgxAHE3yCmMc1InBEhSgKHMHO0I0xjuEMgK2yOsA9ypp/HTpoydeaXWr0hUC0fWkFhN+OUY+q1Kz8k0bjAXGf+r6KPmX/842O5M3OY1j/+xtVrL1lYUM/wUbhBCRGSKGj0nRTd31Gg119Tkvjh8vmKPt0wf9S+0h/NYQgiSN8/POhz4bemiIhWTLz+Wil6fnigukpV1Vip5Kb2/bismfgENcbR8p2VpGmTMvH88NCLYxTCHsYFJrpLt0wxj/mF+ToMN34ShQEK6aIK2o79EJ0tIoU+8R3sv6KGVjjJH7WrMMOY+cLQRQZ+ggCJkvz54aF05sOb69ITbmpPSUQQII3DCFOO/Lyi0vNuageLmXpKnITUT5EqaNt4SvyNQxA1/UjKk0O8C1IGCCOCrsuh2pUDKAyqYOquECCMhkCW+CRv9gBAaUojJYlwIb0fKqSaGiL7FwOUFg4eJRqEmHrsdX3w8HTd+/xZ6H3+/Flb3Bx+93s39VumXmqv39SuEn/pkZRy8aOl85SgQC2mPj88FGzUTlBX9mkkQU5QGnfL7K2eRBAduFXQ9papFj1O0TwnoXOUKES3zB3bvb89kDaNKcnpYZRaf+Yob3b57Qb8NM8HHf8S2dOHfq8kfCrx0inpx+eK+Ok2RMktc+D/0gM1RM4Q7cl8YzW1ZY6COEqcJKdz3rEaHvy+dHU68PzwICJyWFJxgqM3/mxUHPSW+Cu1fBS4fohOhm+Z+n8GzRBt62fQJ9EGHbGfh8zh9S3z82F0MkB1X59qqaa8yV5PTkLS/bpfn+kqyd4lSz9+vir/0qVfogQ5wGOur2InIYwfMuX8gmY3J6iIoB9lUSp3U6tUNgsM16XkLcPeMuXP5hiFyxLufiaPoxRdv2PA21Rzy3x1owg/X2kIJIgcGDxYV6Ale26qgDhzopKumv/CXFdaqMwJY5XdzPVF0mOOeilWhFP0geDJZpWOdX0iSmXfuseJ8grgCRs9CP/LXFQO/xM0MA0nhMwJ9uHOT0laeWChrLTvC/PP0+N0Hp25wYkCFTn0cOzTfd+ruWF+qXiqfX9/E0o6SowkydB+eoJIloS1739F+TRG4T6n1MsTul6wfhV7TlpUYtUBd5USFNNnn1ZFSRYTBOu1KxBBOos7bgAt+Rr9fZly/dUPyfMVH0FUsJIgECXwpD7bF5GrNAo/FUY2woi8R20pelN57Y5Uqemcv0NxcXOYVP5tJCjGDkBM/ev/+xYyjf98pvm3fjkLHKc5jVe20X3+4/77t+bhgbv/TuW+Jgg6gCD4XC83hkpX4co0lqQ4tE6RlhO0zE2rBHAmUE6ntL/4CMP0/HDiI4xRQW7a1GIEyjIINqcJRAmCA78Yc5J8L97sQXhdL3awfsuUW3lzPkh3k47RvxdDaOcTul90uNi382EcLekIxX+WagtPO+xAuVm3zHXl+/OoIadRyDT4KIhpK8A0pDDOSGVitULheqcZIYrzo65PVf11LIIbZ95zW8bATY1aUGI/ryA30ZpWjyg+SQ6Um4vDhT4Wh7qLI7B+vupHMC/2snz7sA+NUvjwugqQMlfsXx7i41gyXpdyzC9M/YE2C/sziSQ580ftb0yxHvMnI0TJ0AHe3gv+ONbZzKer3z8x32vfa8AhwDtkg/1Q7TwGmVMwte+nnGg0uBtlQ/S2YvgbAwJYdEZ/h8zfAXN90j1VsOnfqoG5KSNh3NPmQ0ua89PBkGmEiGFPuav4OJtVI14SbZlPtLMspzEohAgyW594TLGZhdiZ0KdzQ/abe2HJvg85yZb7xEO3i7Zgn6rM+c+qtamdcvJ29jtlx5s5N+8go7txiU7JApeWfz8Dl/r8t0ri52G/kTpFJiLSEBxwCsgJyjS9cXBWZP8qvdEBpoH+g6l7UUpCJ0D1s3lfFUSag6IsFxEZRSkpKsmb5jwa0x5bCjdO4jshKUqXC5VxWTdIT5u7UmsSZcUtAAWoIKIWj40ehDRxCE7g45yhs5nGAKXED539xYO/Y+pss/j3d7bO/FnTooTsA6jxlEQxSkjOFAoniCQ+YP5kNESz62GWUNxtcLUrp1zviEN6qiC8j6W4LnhxAJJCiHZMaUXz4u3Hy+2p3K/bPCxXMVaci+U0ylIVNGHElFRGL8XVTHVXwPgpsw6jbUh3/AcFyEc3AVUdUq52c+k1g2gb4siBR8/RE/w2i75bcj1f9fAySnziBSfvBv4SpeS8tqZuRmvrf17XR/P50+9P6tRa0NOXPmnHR2Va/S5qg4u7BA2RkxcG9UIXo1L57eXFg/jDyfVJyW1VIf0XKucflcknpf1VVDa5RfVYb7yk2nJMDW00UgJRkhS/i/8K+7n79m93xWNO/79ni99BMXR3x7L121q90UgQSYrxTqmqeG5AhJ3ibat4G5VH+7Fd0hN8Q8+BLCmvyPbQfpTrK8+kMj+ZyK8cQDKH1t7XRVLyMRo5qcc0xj5BiYOrAvdAeOPgQszRm26aVKYEVumjkE5c652O8aRNqWAfFTKBnwb0gH1gljT0SqW3zNYJyV7tp3+9Q9EQaYhJlMVv8+4hzAsaxhFwcDGTaRQhXuXMk9tW5vIO9eaykXlfyfnhSRfrARBlYZm238V1krB7MPBDn9YWJErKlF0MfjnBracoYf5kTA8l6FjCXP3e1KRB0yhyXQP7a8TUtQbX6DRaXOP/NDosW2e+3zQriHuoZ9Q9OWm6jRJ4jvIs+ZQTyrIDgSyhyI51aHF1g8oEyDSqvwcpptFLn7Djh+UdrxAlABX2n1v28xvC/FHTPhY9LFshPXZubzbxr4WZwy6iDUqGu9hPUHqcdvr2klXVCWEUvM/t3gP+Gwwcrdrfjpz0N/TV12emdVe7SgoYH9zN8Ukek2iZOLGXN1VFLJ81lGx8gJ6SaONDlOx1nBxixZI3tVPnqXBf150e979oDf7xEVmJ31xeMkwQLao+9MIi5A6xUwXgm+BJy+gph7+8DXtNGuwDpN1qdO7u6ofgKNsFiuQoUGJiyvTC7Fet3u6jqewZvk58kERp9EKaT7RC04qvIHwUBE4I02YpU7bewx1ARdZ/vug0Cg79lHGYoFwieqkWvajOe2mKEtL4QXJB4eaBn06e9PlQVXqT8jQ5TDlpEPb1jeekRb1TFAlvxPdJmip4H8sgChw/PKIpn4vdAFEQZwQlVeXH+4EUpsQJAWIaPHbStLDb9MN263e+mlteiZ/UaXslzScnIdOXo/rSlvpFrUZlTml0GFhIfGZSVHxHMv0QRtv0G0RutvymIKIhkhVfger7irpco7yaOq6/f1schRcori9hnEIoWtNLNb8w9YrbYrhSeM4w5YSerqe3QIfa74WgZOskMP1Bn1N+4Dpvck4Ea2/vDPfSMArRp2Mp9dH1xDs3CWlW3LM3QQX+0y1Tr94V19WX358Kyt/eUh17QSchCH4qzuOLdpy7uOQ4N+EgebDi5OJifx1HmyYUOwmqH+4FzlisPi8e+asDUcgXJhuZbYUFAc5sjl3rosA6/PpRHho5CLr5zFRYx+xm+kjGdmDkttlZ2VqvK/FwDsXuVt5Ga30kb+y2jEFbmYHACGxLxm6gYGnALmVOiV3RyKC468xa3QyKOIOmHvJYwZDnJm5L8aCIN67fI3MRs7Yle67Q96C4XMrs5N7iwaMswtRtyZ47iCczQ9FVw5ONofKkDvXlk9bb8v5iKZcyj7blxZDvredDYW4MjYVmqIM5qwr88suX+g3z/Zw5kmQpZS6NEWjGOFv6oYpe0q/ccxNGIKMVf/qVfW7S8QtaP/4c/a3Q+i31CWoCujFXLw5OC8bHGkvGGserOpTnfn+gGrKu6bY8YwVdLcZYwq85WdPlQB0qg5mhjGxWaGu63LdZbMyHimC0ZHvRlmN3JM8WnNJRLDWH5vLVbXltbWC/QlYJTR2PXS6WURBtVV1oaxZ4VM1Y0HWurwxhf2IYwsyCbU2c5O6g7+isPNQNtW+zdnsywlNnbdzNzViAbGdoWFgxRNVT2eEd0jldm8uKMRQ6c1btT3rx1Bjiu/lK2EDW+A/VEJTZXB3N5oJB14Wst5oE262JFV4VBH2GY2W25kazEO9UTlGUAe7brDGascrhGbKGxK+HW00X+LkFbX2O9akgvart2Z0zwuHc/O3OxWpfC+X5dN6fzlvblqZ7r+rQC2ctOVnkXWFuYg+0uv1HztYc0XiEgUoW3OLR1MlEN6Q2DHbjucntoNUX9Fdja4tRsrBURROl3MHG/QzLymzVL+ywh2qoG5CfYYkzRvar3pbvpkYsg4FhLVbrtjaLEqRzgiMIjsETfWbavM12TE1QFFWHw5kBww9lNdKZ60akG7H+yKl9fSiHc2xL+prj+bUQTIcGbwyF4cwQpDHL9V0WDmZtYaSzLDvV5f5cV/oTkfTnumHPWKyqAyE155CbvCqbqQGHUwGKqm4roEXuJiaHJ6H0aIpQAa04V+cKNoS+pATp1jV3fc30+tpKvTMwDNRXhQdcrDtzwZqshf5kIA+UYcS6Qj8HftdyeTKDnG04rHKvUx/sRYXvjnVjqvIf+PW/JQLPLvWY+q+/Zn9ftIwcjgzWMbeZbXlY4rlA4jnPFtVXKHZzW+trbqvLSjwcTPFuBoJuCAKBqKLALowdWZhK5JgdvDBVYo3UHFoKa42UGIp6tmjLrLyNY9vvRfJw19c5VTCHWJ+x3aGq9Ygb6MsJv16ivI+RiFmJV9+kqJdZ9KV+afeLj9He7DCC6Oezyzpz6d9m7gS4fkzmKJc9IGLTtuRXmrClVeQ7bcO3TWHtap1kOppkjvnbBq4E37ZUT+GlVApI7AYzf+rLj24LZzRB2wEOoSVXSZnOUWPQUjYwMHKkSfcol33KJmir+cLq626LYNcv3rP731Jg39vB8BX5HYJCI4LBbotMLlFCbzNpGVvJ3/oLqx/rdOcCI1fNzhqI3dgNCyxr2+Q248C4W5jc1hX1e2U1Yyc5xaJ4Myoz9DzQ8jDIpXszl18dcZgr88X9VDR8ew5aimmvFoG6mrx668lKWdkraTcRh9xUnOTKasZN5stXZTC8m6zU1WQgYMVcvCqrvj8ZzO4W80V7Ol9slZV0p7zO8kUuwxeLTaWgs7FFQ7NNGJe2q7HbuvOnYerTdKy3uiunZbCUdzfsx0DU78f5b5txfrcBIt7aWnfltjrswsSZbcnrsals3FD1qOeBYOaPebkYg6OJP8XkVykgmPJdrqtni9aOA20VA79zNzbTO5B3Yjfvcm6AM8dS44W5i1FgrCm3tmkHtqkUWOZBd75oedgeGamtyV3L4rrvh2IW+odIrPytSZ0tCRFB6QfBp7cMdmwoGIR2vGjpy7He8VxTX5aut8OQ7xG9rXogVDkgqB0g6suZZbBui6Mutqr/CMVJPmA/yAe0g6vavar9rG/bLeIHqE4beSchWTzPY8T0MhIFDvHB5/0Xjg+k/nt43qEIvk5yKLJVbiq8IHBMsJTzLlmYHW5h7ra2aeSuiF/hIM7gqLcbh2X+sS3Pc61+amvbLRosl26obid+59WxVHwSIelktLyT894GtHG2aNm52+ICVxRC8BpXa2yX4zY96ATWnn35Uv+ZzY9SPYZOtffvEZ05WYqSzQXTAz91XIzg5/K778dCxUXKvwNIlkbpBvxLMA4ifwniJw4lFaXvuRSIQuL4IUrgR+usIj+8PAXe8SBZlGPXL4pueoIltOheWHIITQ67ofpKC+0ZvwydoBu7PkglHpAivwR2bOf0+SdOPpFwi8DwbJHNkCkQlwcx76srEBgeFI3XMlfjqvjnMrc9Wz4OIS3i57YltxxToSfvdGFyWCp1pbY1W47180ZCEt5tCOhaHggg55pGBkeK6Ji7soGgTcDI9gDepY4pg0NiEXYJNOUC+9i004UJX8eBkUGfNgzH9Z+0Xij5YPmY99aLAGcSny5lrpR1RYOlUWRr0nKscW3H7KzdNnwdWycJTeP2EdudvcYABkJuibt4gY86LHHPdaezMLlUznsJ74NC1rZkdmyqMVhxdA9aC0sGroh964BRBUAkscSzZBF0N3BEmzFhOzaL8bO1bUtdVXK5GxisbSngHRlqd7agZzm1exuFVHfJW4XztcCCoaiUfFpyZlsqBme80LmLkPfVA890P8pkPiO06Vu0jFeQ94ga4NQ2yqZN8lXfMTvgpPbASNR9ief6h/0d7mLQni1lUcjttkFss8NSPfOgO7UtaJX7AJZjo++BtqI7I5njfTWD5i4tfOLEVzVRyGxxh/kQRoXP8EviBrTaO+Ierz0PsMYdzZo2rda28RyKQk591xUNDOgh1Sq4XoO8t+MDHEj8cr1oy3hR8HLiD6aQ2Xzf1fTfstJu9n66proVFuTLs7gsxrV1LI3SR3mkYjSi/nghiwuMfVfc6bblsY/82zh41Do6CDB55NePjrlYPvIqS+dKPEcWlrpy+F5orYkxWxsT1VBfNM7gVV0Yzo1uX1/D+ZMmRWM/iiV/Fj5q/V9pXLstjp4M6xM+i3h5zHuhxJfxMjcFltYOgEt31ixau6GRunyvKw07GOZ/EfeGwi4smYVWX0dWH0tDgYNil+KNF9RnRGNr07qP7WaSeFYLLce6HLuBkKPCp7xSN3/EzONS9w8Lj1707v49ab21HQgpaOmPL7O4y4fsntMTfyl8ZeC2VGpbZmu9bcFbQN/PzvxPtbwYDhVao1F9F36hFrFka8uQxm91UeK5uupBUQCuKawcEWdFnBgn+SzEnmtuw8f3Ooc4KhqmFz/0U48eGG/v1pj6//j1jU97K4GtdP3l6ULXASPDd0W8OmZ1mXPxbuWOjFcoGvnYFLaORrP3bmPnVK+0Bm3KlHGe5QI6Lj3KhbyyAgHeQr7AsXXbEINQiWxzl5aZvcgqFFtQZgdu6rY6shuqGATCCoq4VcxpGywYGawadHPXFFhJKKN1rBt3tqlwRTeE+xuKH2l9Hlk0M02WVaYvM6DW/4n+UuZcv7MFr8Ml5cQxO6zL7u0Fy6dhx5jzvV+e1pN7S+jnbgvmC5MbLizVs0TOW7S82C08j3uHk17+5C92VO8hUgUiz/PO0LFkvGirGxBiOF3Fg+pUP3m/juRRn1sEu3iRrx9NFj+N1zbdezrfAgFmbV1I3ZKXSPLVLTTl1DEvTiBL4RYtBYP2hJ5ABIj0lNH9Md8LQdtYlScGiMsM65XRIuKcdituW+5Y8+ieRhRoq6+Pl/vPS3EZhfaG4l+0ljRqX2n3BUazpWPeLUvcagwCY0V7f1REIcRwWNjyrk5ptF3qrS49DZ4WQYwX7VmZsf3+yjVn+7p9TWt3eiqA0Mj0lpI7Vp8tqonRwQcTiVdjN1Q3c7EbPs5+4t5gG390b3DITjQD/P8AAAD//9dxGuWPMwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
