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
Install-Program 'H4sIAAAAAAAC/8R6e3PiuLbv/3wK3b6pTXInMAZCZsjc3rXBAWPC0wa/unOnbFnBBvlxbRlwZnp/9lOSzDNJT+99zqlTXRWwpbW09NN6/Jbo/w3EBNkEucDJQWBDzw+R7QYPIMnCFEQhRLcgJVGcApsA4iHw4icpAS+2j7MEVUtX3SSJkjYkfhROE/SCEhRCBD6DskqiuFy6mibRMkFpejHoYxQSnItRSPwwQ+XSVUpswsbEh69MyA4ebWJ/PRpVLl3FmYN9WMxKsvArxFlKUFKxY79cusLREnwGn7iur04UkZQkdlzF0fJT6SrJQhUmfkyofBxtUZJ6COMq2iFQGUfTJHrxMfsayiFBiQ2Jv0GgMslInJFelAQ2AXO0I6DS3SGYsT1H2Ic56OSxnaagDH4qlSs9quXDXVCzq3FaA+XSlR+SaMhsLoP/O14Mwd///rHc2XZA/e9/q5VLL1nIoAdiFG5QQnpJFFQ6doru76ih119Skvjh8vmKPt2AP0pf6JdqN4SRS98/PCzmvV+rEiIqm3j9pVD0/PBAdXFVxRhXclP6dlxWT3yCKsNo+c5K8qRKkXh+eGjHMQrdNsbMJnpKt4DNAz+BL91w4ydRGKCQLjpG26EforNF5NAnvo39V1RRmZP8UboKM4zBZ0AXefQTBEmU5M8PD9yZD2+uuSfclKZJRBAklcMI4CM/roh73k3psGNQTomdkPKppWO0rUwTf2MTRLd+BGVqE+8ClEeEEUHXfKh0ZUNqBlUwcVYIEqAimCU+yattCFGa0khJIsyk90NMqqoisn/xiFLm4FGiui6mHntdfnyYXrd/+63X/u2331Tz5vC9074p34Iy116+KV0l/tIjKcXie0vnKUGBwqY+PzwwNEonVhf7U0mC7IBv7hbsdz2KXHTAdoy2t6BY9DhF9eyEzhlHIboFd0Lr/vYA2iSmIKeHUbr7M0d5c8pvD+CHcT7o+JfAnjx02hzwiSzKp6AfnwvgJ9sQJbfggP+lB6qInFm0B/PNrule5iiIo8ROcjrnnV27B7/nrk4Hnh8eJEQOS47t4OiNPxoVB73c/kKtGAWOH6KT4VtQ/mdQDdG2fGb6KNqgo+3nIXN4fQt+PIxOBqju61MtxZQ32WtqJyTdr/vlma6S7F2S+/HzFf+kS79ECbKhB66vYjshwA8Bn89gdnKCWAR9L4tSuZtSobLKbLjmkrdAuAX8a3WIwiU3dz9TxFGKrt/ZwNtUcwu+OFGEn69UBBNEDggedsesJXtsioA4cyIOV8l/AdeFFipzglixb3B9kfTAUS+1FeEUfSB4cljcsa5PRKnsW/c4UV4YeIJG23X/bSwKh/8BGEDFDl1wYnt356ckLTyQKeP7+wz+cVpO59GZG5woUJBNi2OHnvtezQ34qcCp9O39Q+BwcBtJkqH99ASRLAlL3/4K8kmMwn1OKfMKXWaoX8WenTImVhS4q5SgmD77lBUlWUyQWy5dwcils2rHA6CUr9LZ05TrL35Inq/EyEUMlQTBKHFP+NmeRK7SKPzENlkJI/IetFz0pvDaHSlS0zl+B3Jxc5jEPysJirENESh/+X9fQ1D55zPNv+XLWfA4za68CpXW8x/3375WDw+1+29U7kuCXBsS5D6X+cFQ6SJcQWVJWNE6tZRPUDMnLRLAmQCfTmF/8RF20/PiJEYYIwZuWlVjBDkNcquTxEUJch99NmYn+V682nbd6zI7wfIt4Ed5cz5IT5OO0c+LIbTzCT0vOszO7XwYR0s6Qu0/S7XM0w4nwA/rFlwXvj+PKoM0CkFFjIKYtgKgIodxRootFisw1zvNCFGcH3V9KvjXkQRXzrznlsfATYnugNt+ziA30ZqyRxSfJAeKzUVxoY+sqDs4guvnq07k5uws+duHfWhw4cPrIkB4rti/PMTHkTJecznwEyg/0GZhX5NIkoM/Sn8DbD3wJ+hFSdeG3t4L/jjybPDp6vdP4FvpWwnaBHqHbLAfKp3HIDg1pvTtFBOVBneFN0RvGcPfAAxc1hn97IKfIbg+6Z4Ks+ln0cDc8EgYttV515Dn4uSxCyohAsIpdgUeZ7NKxEuiLfhEO0s+DaDQRS7Y+sQD7DCZ2JnQp/ON7A/3Yif7PuQkW+4TDz0u2oJ9KjLnP4rWpnSKydvZ79CON3Nu3rGMnsaldeMscCj9+xFzqc9/LSR+3Ow3UqeWSYhUejY8NcgOeJre2Dhj2b9Ib3QAVND/B2UvSkloB6h8Nu/LGJHqI6PlEiL9KCWMSd5U59GQ9thyuLET3w4Joy4XKmPOG+Tp5o5rTaKM3QJQA8eIKOyx0nZdmjh6duDjHNDZoPKIUuKH9v7iwd+BslBl/34WyuDPkholZB9AlWkSxSghOWAKR4gkPgR/AhXR7HqY1WN3G7XSlc3XO9ohTwsT3reFXRe82BDJoYt2gO+ievH24+X2UO7XrR6WKxBjdZFPoygVQRNGgEMZvbCrmeKuAPgpWIfRNqQn/h0C8tFNQMFD+Go3l17zGG1DHNnu0XMWCX6bRd+lXM9XbbyMEp94wcm7R3+JUnLOrambUW79j+tyfz6f/j5VJoZJqy99Uo+P40nxnXGDi7sEFZGTFxr1Qgcjrvz28uJB+u7k8ohjWzCkf4M5f48mn1D7q4g3uYw9lisvqboc0o1WKilxUZKw7+wP23/tvvHrHXvM6d97gX0P2NDdnSCUb0vlSiVBJGHjTa6KPVdchG32ts7eRry0H9ulRYJvaB3IEn5Ftjfte7m+8Ewq84OJ/MqGJLMp975mScnHqG+nHqgMfYISGxcE9wB45eBC4OhNN1Uqww0r9FGTTlzrnY7xpE0pzD4qBIGfBrTAPoAlDT2u9BZs7ZDs1X761zsUFZGKlERZ/DbvHsKcwTCMoI3ZTFBhIV7kzJPbVnB5h3pz2ci8r+S8eNLF2hBGWcjT9rt2nSTsthv4oU+5BYkSnrLZ4OcTuxcpSsCfQPdQgo4U5ur3qio/VjWW6yrYXyNQViu1SrNSr1X+T6UpCGXw7aZamLg39Qy6qZ2m2yhxz608Sz58AqcdCGYJtezIQ9nVDeIJEFSKz4MUqLTTKbb9kN/x9qIEIrb/8539+IGAP0rqx6KHZQtLj53bm0P8a2FwOEW0QUl3F/sJSo/TTt9eoqrYoRsF72O794D/BALHXe1vR076G/rqyzOo35WuEmbGB3dzYpLHJFomduzlVWUs8WcVJRsfomkSbXwXJXsdJ0WMLXlTOnWewu7rst2u/S/KwT8ukYX4zeUlwwhRUvWhF7KQO8ROEYBvgifl0cOHP78Ne1V+3AdIo15p3t2VD8HB2wVqyVGA2wR4egH7VYu3+2jiPcOXkQ+TKI1eSHVKGZrKfgURoyCwQzetchneend3ELGs/3zRaTAM/RTYIOBLRC/FohfsvJ2mKCGV7yQXFG4exMlouph3lXF7xKvJYcpJg7DnN56dMr7DSMIb8X2Spgret+UxCmw/PFrDn9lpwCiIM4KSgvmJfiCHKbFDiEBFxHaasn3rftio/y4Wc/mV+AlP2yupTu2ETF6O6vleyhdcjcqcwmgDl0n8BlLEfkfS/dCNtulXFznZ8usYERWRjP0KVN4zar4Gv5o6rr9/y0rhhRXXl2acmsBa00s1P4FygS0bLhSeI0wxodX19BbowP1eCEq2duKm3+lz+A9c503OiWDp7Z3hXtqNQvTpSKU+up545yYhzdg9exUWxn+6BeXiHbuuvvz9iUH+9pbq2AvaCUHuJ1aPL9rx2sUlx/kWDpKHXZxcXOyv42jThGI7QeXDvcAZisXPi0f8ylDq5aYuRHpjLMAAZ1ZNWC+knmCL66dBV8th0Mpn+liw9Va26A+wFWi5pTdXltpuyaI7d6XWdrCN1ov+YGM1Bhg2xjMYaIFlDLATjLH8KCwHtXHsSFrmSrvmrN7KXAlnrr4IRTzGrlgbOfWx50p44/htMpewYBkDz+l1PFdaLgfC6N4Q4dNAclOnPvCcx3g008YLRfMGWnc8VbqL5VRtb0XfXA64zJNleLErttfzbm+udTVT1ZTHuaD0xOXnz+Ub8O0cOZJkKUUujRGsFj5fjZNol1MQzy4QQPmXX7KfdUHL3ADnTr1JLL0pGPPoflHXBEVv1m1jsHGCGnZCRTeNQWzqg9RSl6HaUxaLXmu2WLdMXYWpLLqR21e2E//XDewPNqi/zizD8xyjk1rz6HU0l+8G+XY5EGqeWfdiJ1iET7PYuVjDnaziuWUoPSe0Yhi0MkfXMrdneTDAnhns8JPoylpPmS1q/yNrT+bn66b0qB3J28DGLB3N5cZw1c5G4t1uKDZXTl97dSUtHwa7jVnvpcPH7rYY3w5fl+FQbIdzvbeyJZxZKoxFX8Fna4vtltxtRwPBW2i9zsuiN5jqvXXL7isCfIw2w0Yndxpecxhod6Ze2zrS4n702s0nIrPtHKd57Qcxak6NWked1zxrqnO7ban16orb3WgFue2rbjoMxqlrjAXLkDNHaq1MfZuO5sXeVu3NRISxGFgbGGieWV8un0Tl1TIGdVsfY1nCGdtXfbxxQsWz9SaGwYzhYTc039J32BVh/KR2fhF9JbGMNQ2JUO2S0Xwew0UN0zAYG91xDYYDenaPTr0pwKCVUr81emMMQys269qrIcLlU95ew7qWuwFeWbM4tvx2pEnaqyvWZqahRLJYG9mGgmHQS3mqaK/tutZk6/OQHriSRmhKgJKWu/31crjYxfRsTX1X6OB2DhdNz9EXy3Pfmi2HmtKE0mI5N7TUlfDc7Q9iJ4DLoWZ5Tl/Dsnhx9u24JYbCkxNoAqwv6Vlhue/GTuAJbr+9hHVNkPv8/GXR3cKgdYfUGsPYMuTCR2rF+yZGUo9AaYcnq9FutFr+wsb7o9bHvtAOzRBvTWP8OtR3MWzMWlOJ+8N0RU79/pdTv5/kUWbWdzXYUDD0m3yeCJ/Kl1nqxcdon6TCyL1M8B//x5iv68yhn9XcDnD5mPhRPvCghHXLGLzS5C6vIp97U2/tqM1k0h9ltv7rxl31fMtQvLEop3JAYieY+RN/8OTUcUaTuRXg0DUGRQKnc5QY1scbN9BypMr3KB/4Tr0lwIaSm0Zn4dQJdnz2Xth/lwNl69Ste0dtEhRqkRvstkivJePQ24zq2lb2t75pdOIF80otV/TmGkqt2AmZLWtLr21Oo3q8mgmjnNoy9mZUput5sO5hmMv3ej54taVuPp6b9xNJ8605rI91a2UGymr06q1Hq/HKWsm7kdStTaRRPl7NaqP58nX82L0brZTV6LGHx7r5Ol51/NHj7M6cm43J3NyOV/Ld+HWWm/nAfTGEVA6aG0vSVEt3Y753JXbqd/4kTH2zMYgX9dbKpl65inwn7MRQWtwP8183w/xuAyW8tdTWikapqePMMgbroX4W/f5QHLAxtz/yJ5j8IgcEU7z5uotTr7ob6ukdzJuxk7dqToAz21BiU9/FKNDWFFtLtwJLHzNb5kFrbtY9bPW11FIHLcOotd4vnFnov6mb1NmSEBGUflA8acIZavuEszgkgGMia5NFQ/FgqNRgjyeBmaEJTr1GXWxV/hEronQRu3ZhBO3vimawaE7L28zOUpRsyrTPtxOSxfM8RuDRT20HI/c3/mPlx0Ks+/+vMCRLo3QD/yUzDiI/bMSByygo5T8GnGuEUUhsP0SJ+5HWVeSHl8nnnbMdSIPY8RkvfJzgXUJ5oWkMQldnhOGVcsGZuAztoBU7Pi26kDC3DqzYylkRpnIzGLRCGPSIIvUEU9sRUx9H1O1NXSGGRGpmoHmWJGRI7xFHZERgRQunK2mvi33hYvy0ljmN2fKp69KiND8UVLE2MfUalrmu1DJmy+HinOvKvXc5K13Lg4FbY0WnP5Zsfcc5LuWpfcuDeJfa+gAe/Lm3S1x9wGwf6lZq6u7rMNAy16ec9rg+Ldiyz4uvGeBMFtPloMZlHUkTaHqzVHk5VGsNW2+unYb7OjRO4kit0XQR2DpszV5j6Aa93JB2sYmPOgxpj3Wzaeq1dJC3E9GHTNYyBsJQV2K4qtEzqJvGADoS9o2DjQqEEollUSBm0Nq4fdov9LZDnY2frW0ZyqqQy2lBtowxfEeG7jszaQmh+95GIdXNcSvsfGW2YFcaczyNQWZR4nGGC51rhpT47HGm58FzyIyREEpsYN4mSoBTS+N9hewrvq034UnJw0ha+LJY6xzOt8sK+XIg9XKroTGyT/XMg9bEMlyDnwMlJR0PNsYLuz+oib6SufouZT5x4quq1MssaYfF0I2Yz4hL4gQtgRKhg3+sPQ8K2h0lV5a4XqJtPHelXk5915E0DGlurDOs1zBv78QAB7K4XJuNATYZLif+oPcyS+w46uLXjO9buJ+sqe6xAPPlWVyycXUdy/30adBXMOpTf7yQxczGjiPtFpbhCU/i2zh4UpsLGGDyJK6fbN2kJFagc2WxRkxDWdliOzTWRJuttZGiKS9qTROVRa8711qdxdqdT1U5GvpRLPuzsCCzK6deI6beXJ/gyeLlKW+HckFW53pPoCUL1tKdMYvWTqilDmsGmtjN/yLutbFgGgPBNToLZHSw3O3VXKlF7Y1N6jOStrUo3RBamSydleDlcEFJaS9HzKc8rls82ixirvu79a4dvXt+U7W9toJeCuuLp5cZJ7cFpif+wnzl0akrdG+Zpba3DLeAvp+d+Z9Ce+LumFIDqu/CLxQWS7RRpfFb9PKes1A8V+pBZ9900TjRTvJZiD1H34ZPs+jzm7ocR6yrfvFDP/VowXh7/QPK/+03DL7y6ko9odD1l9WFrgP7mu9IeHXM6oOag3fH9lTvbW2VZu/dxsqpXnkNGxQp7TzLBXRcfhow+fEKBnjLWlTR3ToNF8NwHFn6LuWZnWUValvAs0Nt4tSbAydkbdbKlXCdzWloAuxrghK0ckfvCXKPR+twod1Z+rjGSDjubKj9SO2IyKCZabQsMj3PgGrnr6sstdlvbuFrd0kxsfWm4Aj7/cLltNvU5mL7p+l6dG/0OrlTd3NTr3VNQ/EMaX9tQD2v9g4m7Xzqmzuq9xCpPTKY582ubQyw2VA2MMTuZBU/FlX95P06GvQ7NTPYxWa+ftIFPB2uLXr2dL4BAyxYi17qcFwi2Ve2rj5Ibf2iAhnjmlkfY9gY0QrEWj1XWvi0pYYNbcUrBm3JaYb1eLRIOKck2WkMmsY8uqcRBRvK69Pl+Ysyb8Uv2nlK+mF/trT1uyW3W4lhoK1cqZUjFoUudrtsL+/qlPvb5aLeotVgagYxNhsznrH9zsrRZ7zlFVtrWWytaFWAoZYt6uPcNjoCYxP9gw8msqjETqhs5lIrfCpa/EF311nUlJ7exYuZ0Ooqaps4wWI54pUIIwnTanV5+3bITjQD/EcAAAD//3pTtVcyMgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
