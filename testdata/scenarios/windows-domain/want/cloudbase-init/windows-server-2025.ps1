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
Install-Program 'H4sIAAAAAAAC/8R6+XOjSLrg7/or2FrHyN62VKDD3XJvT4yEBAJLyAJxVtVOAJkWSMnxIHXgnnp/+0Ym6LSr29O7L15URAky8/vyuy/8Pxk+gy6GgPEKJnL9IIyhC6JHJtvEOZPEPrxncpykOeNiBgeQeQmzHDMvbog2GWzWbkZZlmR9H4dJ/JzBF5jB2IfMb0xdw0lar908Z8kyg3l+tRkiGGNU8EmMw3gD67WbHLuY7vGPXymQGw1d7H49EVWv3aQbD4V+dSrbxF99tMkxzBpuGtZrNyhZMr8xn0pcX70kwTnO3LSJkuWn2k22iTU/C1NM4NNkB7M8gAg14R4yDSV5zpKXENHHWIoxzFwfh1vINGYbnG6wkGSRi5kF3GOmMdpDf0N5TlDoF8ygSN08Z+rMT7V6QyBYfsgFIbuZ5hxTr92EMU4mlOY6878VfcL8/e8/hrtgh2n9/W9cvfayianoGT6JtzDDQpZEjYGbw4cOIfT2S46zMF5+uyFvd8zvtS/koTmK/QSQ9cdHfSH80hQh1ujB2y8Vom+PjwRXiaraK5Hc1b6frjWzEMPGJFm+c5M0axJJfHt87KcpjEEfIUoT0dI9Q88xPzFfRvE2zJI4gjG5VIG7SRjDi0ukOMShi8JX2NCokfxeu4k3CDG/MeSSYZhBHydZ8e3xsTTm48ptaQl3tecswdDHjeMOU+58HFFpeXe1I8dMPcduhuvnlCpw13jOwq2LIWH9JJRnFwdXQhlCBDG8LbdqN65PyCAIZt4K+pjRoL/JQlw0+74P85x4SpYgCn3YolBNDeLDwhDm1MCTTAMAEYu9rQ8fn2/7v/4q9H/99VfNvjs+D/p39XumXmKv39VusnAZ4JzI4o+uLnIMI5Ue/fb4SKVRO6O64k/DGXSjkrl75sD1NAHwKFsF7u6Z6tLTES1wM3JGSWJ4z3TY3sP9UWizlAg5P+4S7i8M5Y2W3yrgw3I+4vi3hD17HPRLgc8kXjoX+um9EvxsF8PsnjnK/9oCNYgvKDoI8w3XhJcFjNIkc7OCnHmHa3C0+9LUyca3x0cR4uOVihudrPGjXnHEW9JfoeWTyAtjeLZ9z9T/M2rGcFe/IH2abOGJ9kuXOS7fMx93o7MNgvv2HEt15E30enYznB/u/fKN3JIdTLK042835S+5+iXJoOsHzO1N6maYCWOmPE/F7BUYUg/6oyhK4O5qFcompeG2hLxn2HumfGxOYLwsyT2c5FGSw9t3GHgbau6ZL16SoG83GvQziI8SPHJHqcUH2VQOcWFEpbhq4QtzW2EhMGcSq/hmbq+CHnPCS2iFKIc/ADxTVmlYt2egBPateZwhrwg8k0YfgL8si8rgPyAGpuHGgDmjfbQPc5xXFkiRlfz9xvzjPJ0ukgszOEOgQpckxwHR+wHNHfNTJafa9/eVUIqjpBFnG3g4nkG8yeLa9z8T+SyF8SGm1MsMXadSv0kDN6eVWJXgbnIMU/Iekqoo26QYgnrtxk8AOcWdFEBKvsbgUKbcfglj/O2GTwCkUsmgn2TgrD47FJGrPIk/USYbcYLfE20JeldZ7R5XoelSfsfi4u54qPxtZDBFrg+Z+pf/8zVmGv/5jcTf+vUp/3TMbbyyjd633x++f20eX7iH7wTuSwaB62MIvtVLxRDoyl2ZxhLTpHVOaXlA23h5FQAuAMrjROwvIUQgv0xOfIIQpMLNm1oK/bIMAs1ZBmAGwTCke25WHMCbfQBu61SD9XumVOXd5SbRJtkjv1dbcB9ioi+yTfV2uY2SJdkh9F+EWmppRw2UyrpnbivbXyQNOU9ipsEnUUpaAaYhxekGVyxWN1DTO48ISVqccH2q6q9TEdy4sJ770gfuaoSDkvbLCnKbrEn1CNOz4EBkc5VcyCtN6h5K/PW3m0ECCqrLcvXx4Bol8HG5cpAyVhwWj/5xKhlvSzjmJ6b+SJqFQ07CWcH8XvsbQ+9j/sUISTZy/eBgBb+f6mzm080/PzHfa99rvov94BgNDlu1Sx9kzompfT+XiUacu1E2RG8rhr8xfgRoZ/QZMJ995vase6rIJr9VA3NXesKkry1GlrTgZ8MR04ghw57LrpLHxakaDrJkx3winWV5jIExgIDZhThgqDIp2AXQp0tGDsq94uTQh5xFy0PgIeoiLdinKnL+o2ptaucyeXv6nbLjzZm7dygj2rimTtlEHin/PkIusfmvFcTHyX4DdU6ZCHFDcP1zgtyoDNNbF21o9K/CG9lgGvA/mHqQ5Dh2I1i/OPdFgbg5pGW5CPE4yTGtJO+ai2RCemwp3rpZ6MaYli5XKNOybpCet50Sa5Zs6BSAEKhArNLXRh8AEjgENwpRwZDTTGMIcxzG7mHwEO6ZOtuk/z6zdeZfNS3J8MGBGs9ZksIMFwxFOIU4C33mX4wGSXQ9nhLobIOr3bjlfSc6pOeKhPdpoeOCF9eHUgzgnim5aF6t/vi6gygP9zaP11USo3mxPEakVDlNnDClKJMXOpqpZgVMmDPrONnFRON/UID8aBJQ1SHlbXfXVjNMdjFKXHCyHD1Db6PouyXXt5s+WiZZiIPobG0YLmGOL2trYmaktv7HbX28WDz/81mdWTbJvuRNO70qs+qZ1gZXswQN4rMFg1ihh2CJ/P568CD+4eH6tJRtVSH9hcr5j8rks9L+JimbXFo91hsvubacEEYbjRwDmGX0mf5H+ece2r906GtB/n9g6XNEtzodlq3f1+qNRgZxRve7JSr63gAQuXS1RVeTMrWf2iU9Q3ckD2yyckR2IO2PYn1lmQTmg4H8xvXxxiW19y0NSiGCYzcPmMYkxDBzUVXgHgXeOJoQc7KmuyaBKQmr8BGSzkzrnY7xrE2pyD4hZKIwj0iCfWSWxPVKpPfMzo3xAe2nf79D0SBuiFmySd/G3aObUzFMEt9F9CTToC5excyzaStzPUO9u25k3kdymTzJZX3fTzZxGbbfpessYPdBFMYhqS1wkpUhm27+dka3nsOM+RdjBjCDpxLm5p9NTRo2DRrrGihcQ6auNbhGt9HiGv+r0WXZOvP9rlmReCD1QnTPbp7vkgxcUnkRfMoDZdkB/U1GKDvVoXR0A8sAyDSq3yMU0+jnz8gN43LGKySZDyn/l5x9XCHM7zXtx6DHaytKT53bGyX+OTBz1CLcwmy0T8MM5qdj56vXUlXdGCTR+7I9WMD/gwROXB2mI2f9DVn68o1pdWo3GSXjB7M5PitSnCwzNw2KpqqI5bsGs23ow+cs2YYAZgccZ0mMXnlXOzeeiu7butvn/gepwX+cIivwu+shwxSSouqHVkhd7ug7lQO+cZ689J5y+7e3bq9Jw4ODtFuNbqdTPzpH2S4QSk4AJU1MGV6Yw63V6sGbyp7hyzT0syRPXnDzmVRoGv0KwidR5MYgb5YwZes92vuQRv1vV50GlWGYMy4TlVckL9WlV9V5P89hhht/EFxgvH3kZ9NnfTFSlf60zCbHI2cNwqG+Cdyc1ju0SHgDfgjSBMH7tAyTyA3jEzXlO9WGn0TpBsOsqvz4MJLiHLuxD5kGj9w8p3ybYdxu/ZOvzpYj8bM67YCk+exmePZyQl/yUr+q1QjMuRhdBlCIX5kc0u9IZhiDZJd/BdDbLL8qEGsQb+hXoPqhoi7vKEdTp/sPqzQVXlFxe03GOQm0Nb1G8xNTr2RLtyuElxImMiHZ9XwKdKz9XjDMdm4G8j/oc8oPXJdNzhlg7e3M8AANkhh+OpVSPxpPvDNJyDd0zt70K+I/3TP1ao2Oq6+/P1GRv51SnXpBN8MQfKL5+Kod566GHJcsHCGPXJwNLg7jONI0wdTNYP04F7iQYvV58SS/ui8KhW2yidlWWD9CG4dj17oosC6/fpJHRuFHvWJuKqxr9jb6WEZOZBSO2V05Wr8n8WABxN5O3iVrfSxvnbaM/LYy9yMjciwZeZGCpCG7lDkl9URjA8R9d97qbYCINsDUYx4pCPDc1GspARDR1gv7eCEi1rHkwBMGARCXS5mdPli8/ySLIPdacuAN0+ncUHTVCGRjpDyrI335rPV3fGgv5RLmybGCFPD99WIkLIyRYWuGOlywqsAvf/utfsd8v5QczjY5kVyeQr9Z2XyTLkLA9/MrSf74C/RXCvM1DzFs+kQXNy8uyqmQJxqLJxrHqzqQF+FgqBqyrumOPGcFXaV7LObXnKzpcqSOlOHcUMYOK7Q1XR44LDIWI0UwWrJjt+XUG8tzm1O6iqUWwFy+eq2grQ2dV8AqsamjicelMoySnaoLbc3yn1QzFXSdGygjMJgahjC3QFsTp4U3HLg6K490Qx04rNOejtHMXRudhZkKgO2ODAsphqgGKjvqQJ3TtYWsGCOhu2DVwbSfzowR6ixWwhawxn+ohqDMF+p4vhAMci9gg9U02u1MpPCqIOhzlCrzNTeex2ivcoqiDNHAYY3xnFWO74A1JH492mm6wC8s4OgLpM8E6VVtzzvuGMUL85eOh9SBFsuL2WIwW7R2LU0PXtVREM9bcmYXPWFhosBv9QZPnKO5ovEEIhXbnP1k6niqG1IbRPvJwuT2wBoI+quxc8Qksy1V0USpcJHxMEeyMl8NKB/OSI11A/BzJHHG2HnV23JnZqSyPzQse7Vua/MkgzonuILgGjzW56bDO2zX1ARFUXUwmhsg/iGshrsL3Uh0I9WfOHWgj+R4gRxJX3M8vxai2cjgjZEwmhuCNGG5gceC4bwtjHWWZWe6PFjoymAq4sFCN5w5i1R1KOTmAnDTV2U7M8BoJgBR1R3Fb+HO1OTQNJaeTBEofist1IWCDGEgKVG+88z9QDODgbZSOwYCkfqq8D6X6u5CsKZrYTAdykNllLCeMCj8sGd5PJ4DzjFcVnnQiQ32E2q7E92YqfwP7PqvOt3F6I6p//zz5rPdMgowNljX3G0cK0ASz0USzwWOqL4CsVc42kDzWj1W4sFwhvZzP+rFfiRgVRRY29hj21QS1+wi21SxNVYLYCmsNVZSIOobuy2z8i5NnbCfyKP9QOdUwRwhfc72RqrWx16kL6f8egmLAYIiYiVefROIXubJb/UPsZpmyb74AZcma2xAhAqv1cWO2WWtRfKgtwxWNbst15K3XsQhL1ZN25JT25RzR1vGmqDqutCb6+uebWp+LvEgAWN1Nwt/2fpjeQvHayKxwLMGubNIXqcLqSMXu6XMcoHdClIv0uOneepd3QFmq3ThWKrgxU7qR72NZxobIDiBH6HAjvboiQeSIahznftvuXu2uLjX30/5TlcJO7vJqr+dLux8EilbP+6f7i/pUw6WIBfrJ1m8lDdJWXP+SqYL7oM8BbohDBYWN9AWXOA8mwELxv2HSdHb+VGvA7UugqKAfXGPZqvpfrpaxhO+Hy/WvRddkJ9NYd2bLvqb2cLeTPnObvI6ak347spry7tJZHRsk9t5IpVX5LVlRPiQ+OXaJ54RoZWjDVIvHPSfeLDyWl3WNtHGseQ1pa2FOTsycseax0/aegl3ydptGV2aotlgshixD5agOMTyF8Z+CCyZpHqWpuyxvPUEBQFhv3AsueWaCvK5XSzx+VIeK8iPndRu6U+uaS+fBBX57Tkuy4h3UrqIEaT3E/3OsWapyDMGhdceID9WuxLPTV1LRX4k5BWOkk6em9kmh6TRlb54TofWAEkjjvPGaqq31cI1u7HEc6Zt7jlH66+dC9uaP73M0x4fdREYKwmRq6MN2q7ZpTqWxqQsGVT66seVvnEpY6OodNr7kR3MWmR/8PpsEZ6C7pneHqavo2LG+0u5JXd9UXj1Cy53LYV9XuxzUgZ5w87PT+FbfdMo+qHIEiRk7ffz3oqp78K4EScANriPISmbDDkJ4zNUValf95MsbcK9SwriN+g2OcyusZG1/Av7jeC6cctRRNVEnY2XrudHvzKXnfkBsO534k5WMH0QcfGb+19CQtTl/euNB7MYYkjzyvmgmqkHGKf54+fPUZhlSXZg6/OWa7Yfmu3PXhh/3pUt1mc3Ag+dzwQZgrgJ9+Qe/vHr+uvFUlX1aeN+q/vA1DmPfeE8l/ur//33MOiC6JrB49IVg63/SgaJzX68AD+QWbgRqp9aHFjIgS8i07HkV9LGSKskdNtG6JjC2tO62Ww83bjmL1uwEkLHUgOFl3IpwqkXzcNZKD95LbQhMdCJUAwsuWpVyBk19VvKlsQEqEkPsJBDUn34bbWwrYHutTDyQrrOHp4JjGt2cyXsYhgbCYj2O2hymRIH22nL2EnhLrStQapXsUY1u2tf7KVeTGlZOya3PY8nymrOTgtCixLMCcwoCPxWgPxCejAL+dUVR4WysB9mohE6C7+lmM7KjtTV9DVYT1fKyllJ+6k44mbitFBWc266WL4qw1FnulJX06GAFNN+VVaDcDqcd+yF3Z4t7J2ykjrK67ywCxm8WGwuRd2tIxqaY4K05F1NvVYnnMV5SDoWvdVbuS2DJXL34kHqi/rDpPhlOyk6W19EO0frXeSqialsvVgNSH72o3k44WW6B8bTcIbwz1JE8geRJblX39itPee3VeSH3c7EzDt+0U29osd5Edq4lpra5j6FkbEmsnVMJ3JMhdKyiHoLuxUgZ2zkjib3LMJLTHKUkjjWlNLviKgg57223CUw89fUt4RB4bVAYZvcyLbUwBKuKkthv7MtdeWKxqsUc733K+C/buapi/0A5oew4yfxS7jcZPRrJ8uy7E8RzJbwHS/AthXMvZb6Kq2S1nTMPr2lahOH+I+jyzsFqyx2OU/cLZ+1wcyxfLyIDFaNUOFYIPDEvQbMPTomb/FYhCwnupr67UFuW+j9vchYlc42kL1I3gKzu5Z4jpT1rNdSth4/0OdcfznR91u7RYqFXgH4/n46lLgp38eHuYU0EnJP7LXrH+E2yfUUuBWzJANVg2TmkEo3Lsln2zrToJ/WN+miSCEzDHPXQxD8Wv6h04+B6JeD/x+EbPIk3/r/FhlHkA8TcdmSqTAv/5rgEq2fxNgNY5iBH6H2kuQNarJ2mCtXxcGbv4lg6izLcvXSzEgPNNG7CIxIP2C0bXOf07FThHJH6+PT82DktbjANTvLiW5saI9kzpdqJOR+S39bR61onXPpiu+auZx6IR17ke4yk3fJ2rbkGJi0X3k99A1u1Eu9kPYjmMayyEmdgvYdf96Vli4QOCK7gaaAPd5P+VBd+ZERANF41Y91PqGD23jt+fJpBBDguWNd/r6rXY7yJOHdkRy5K/AjwNFea6yILnFd2h9MH6yxE/hon7um7Jf5c0/6gQyYMqV9Yjq5bYLXSWRsQOg/yWf3P2v9WAr95VPRX9sR2tC+gSthPdFgyxpcWk40jtTha68NXifWsa8g6yRHRK7p90gMBpFQWOI+tdEJhyUeZN3t2iaXy0U/40OfwjqWzE5MNfVXHNFBy7Zk3xNRaB1pVH1fxKnEs9iOelswVlg/EnYTk+5f3O1Y6qqCK7zIYB1L8d+BIXxvbFI3EL53SUxwl3Kr6HyltCAgKqU8LXnjkL7nQi7krB3zoXqUM9GH3lYDP55Tm7dbxqtf9LFKbN8oeywpVEPX7PpndQ6Coh5KPDc46ne0T/32fCmLQuG0DdpLETyLqDdzLGCVevCXE2MQ+G1Fd8cyx4fqBpj7nNrEma1qorBxxD3iY5BQm+GX2It6rMSf6J6sg8BnjQ7p7Ry+7P+AKBTEdj3RQD7fx3qLynrtF/09H6GI9LY26XOpXM7swRQ2Dj/wNP2XTck3+zBbE9wK6xfLC7+k+9o6lcb5kzxWERwTe7yCRZTGgSfudccK2Cf+rR88aV3djxB+4tdln8urLDkr8Rym+Z7vx9YaG/O1MVUN9UXjDF7VhdHC6A30NVg8a1IyCZNUCkn/PfiZ+LXX4rBN0tpJntRfnop+LPGlvyxMgSV1is/le2uerL3YyD2+35NGXQSKP/F7Q2FtS2aBNah6ZIEDYo/Qm9rEZkRj55Aak+1tJPGi7lpOdDn1IqGA1KaCEjd/oplHJe6JcaYXvRt4pr48xod+8q7+nklPXsbjsheP2YNMz+yF2srQa6mEt42j9XdUbhFZn1/Yn2oFKRgppB4k+K7sQqW+5GjLmPhv9aki8HQ1AKLge6awckW0oX5inMWzGAWeuaOzKYrvrBa0FsmDKtK4gZ4+NG081pXxhO+vwVjmHG399CYXpbR9r7+QRjggiejtVzOm/l/+YSZUX4EosBWuP+WO3OOPjdAT0eqULWTOQ/uVNzZegWgUE1PYuRrJCvutUxC80tpvEw0Yl9EzIvvSk0zhlZUfoR3gKR07rw2QHyuJY+7zMmPQaEVoi9yqyPRaXdmL6fSIFI8teqZtsP6YFKW9wjMFVhLKKDDRjY5jKhwtMtFgS+iH2oCHFol402WVQcrIqg0+oGWZ88Luzn8dLYlMXLPLeuyBX3/5POoaC77/0/N6+vCmixAP01Bi0dw7MukXz6G9J3iPEUDA8qLojlxLRnZb3foxArNVOqyqhbP1dSKPB5wd7VO7WD+ZLHqerB2ie3Le8iPEOrqQe6VcEilUd8CUc9e8ymyWwtktBfntKclsdIoJRD2c8P3YbxurMhP5aRm5g/e9xgpIl/j6dK1/XkpL73a2hH67tSTR4JV0kP54viTVXEn3oTHoFZB6N6AVoSca7+KUxrul3iKNAfdsRymy2/MyE4SDlWfOq+8IvbXE91Z0khobG72lFK41YKvp5sEGM4lXUy9WtwuxR6LCn38r2KU/+lZwjHokAvzfAAAA//9cX/5/aTsAAA=='
Set-TimeZone -Id 'W. Europe Standard Time'
Set-WinSystemLocale -SystemLocale 'de-DE'
Set-Culture -CultureInfo 'de-DE'
if ($env:COMPUTERNAME -ne 'win-node-1') { Rename-Computer -NewName 'win-node-1' -Force }
function Join-DomainOffline([string]$Data) {
$blob = "$state\blob"
(New-PrivateFile $blob).Close()
[IO.File]::WriteAllText($blob, $Data, [Text.Encoding]::Unicode)
& djoin.exe /requestodj /loadfile $blob /windowspath C:\Windows /localos
$result = $LASTEXITCODE
[IO.File]::Delete($blob)
if ($result -ne 0) {
throw "djoin ended with exit code $result"
}
}
function Join-Domain([string]$Domain, [string]$Unit, [string]$User, [string]$Password) {
$secure = ConvertTo-SecureString -AsPlainText -Force -String $Password
$arguments = @{
DomainName = $Domain
Credential = New-Object Management.Automation.PSCredential($User, $secure)
Options = @('JoinWithNewName', 'AccountCreate')
}
if ($Unit) {
$arguments.OUPath = $Unit
}
Add-Computer @arguments -Force
}
Join-Domain 'corp.example' 'OU=Nodes,DC=corp,DC=example' 'CORP\joiner' 'c4n4ry J0in <&''">'
exit 1001
}
catch {
Stop-Installation "$_"
}
