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
Install-Program 'H4sIAAAAAAAC/7R6e5eiSLbv/34KTt1cY+bt1AZNc8rsW3NHUVBSMQV5SFXeXhARqWjwGAhU7Knz2e+KAF/5qKmec87qtSqFiL1j71/sN/2/ODFBLkGQ83IucMHSD5ELgwcuycKUi0KAbrmURHHKuYQjS8S9+ElKuBfXx1mC6pWrfpJESQcQPwqfEvSCEhQCxH3hqjqJ4mrl6imJFglK01eLPkYhwbkYhcQPM1StXKXEJWxNfPjGiNyg5xL320moauUqzjzsg3JXkoXfAM5SgpKaG/vVyhWOFtwX7lPB65sXRSQliRvXcbT4VLlKslAHiR8TSh9HW5SkS4RxHe0QV1OjpyR68TH7GQ5DghIXEH+DuNokI3FGpCgJXMLN0I5wtf4OgYzpHGEf5Fw3j9005arcL5VqTaJcPtSCil2PU4GrVq78kEQjJnOV+z+qMeL+9reP6S7U4Rp/+4tQrbxkIYOeE6NwgxIiJVFQ67opur+jgl5/TUnih4vnK/p0w/1R+Up/1PshiCB9//BgzKTPdRkRnW28/loyen54oLwKVuVaweSm8v10rJX4BNVG0eKdk4aTOkXi+eGhE8cohB2MmUz0lm45to/7hfvaDzd+EoUBCumhKtqO/BBdHDIMfeK72N+jms6M5I/KVZhhzH3h6CE9P0GAREn+/PBQGPPxzXVhCTeVpyQiCJDacYUrVn6eUWF5N5Wjxlw1JW5CqueSqmhbe0r8jUsQVf0EypNLlq9A6SGMCLoulipXLqBiUAYTb4UA4XQEssQneb0DAEpT6ilJhBn1YYlR1XVEDi96KGUGHiU6hJha7HW19/B03fntN6nz22+/6fOb4+9u56Z6y1UL7tWbylXiL5YkpVj86Og8JSjQ2NbnhweGRuVM6lI/nSTIDQrlbrmD1uMIoiO2KtrecuWhpy360k3oHjUK0S13x7fvb4+gTWIKcnpcpdpfGMqbW357AT+N85HHnwJ78tDtFIBPhuLwHPTTcwn8ZBui5JY74v/aAnVELiQ6gPlGa6rLDAVxlLhJTve8ozU82n1h6nTh+eFBRuR4pOoGJ2v8Wa848i3kL9mKUeD5ITpbvuWq/xnUQ7StXog+jjboJPulyxxf33I/70ZnC5T39TmXcsub6PXkJiQ9nPv1mZ6SHEyysOPnq+IvPfolSpALltz1VewmhPNDrtjPYPZygpgH/SiKUrqbSsmyzmS4LihvOf6WK37WRyhcFOIedoo4StH1Owq8DTW33FcvivDzlY5AgsgRwaN2TFpywKZ0iAsjKuCq+C/cdcmF0pwhVurNXb8KetyJL5UV4RR9QHh2WYVhXZ+RUtq35nHGvBTwDI0OhP82FqXB/wQMXM0NIXcme3/npyQtLZAxK/T7wv39PJ3OogszOGOgIZcmxy699wObG+6XEqfK9/cvoYCjkJEkGTpsTxDJkrDy/V9BPolReIgp1SJDVxnqV/HSTVklVia4q5SgmD77tCpKspggWK1cgQjSXcLpAmjJV+seypTrr35Inq/ECCKGSoJAlMCz+uxQRK7SKPzElKyFEXkP2oL0prTaHSlD0yV+x+Li5rip+FtLUIxdgLjq1//3LeRq//lM42/19S5w2ubW9nyt/fzH/fdv9eODcP+d0n1NEHQBQfC5WlwMpS7dlastCEta55IWG/TMS8sAcEFQbKewv/gIw/QyOYkRxoiBm9b1GIGiDIL1SQJRgmDPZ2tukh/I6x0Ir6vsBqu3XHGVN5eL9DbpGv37agntfELviy6ze7tcxtGCrlD5L0Its7TjDRSXdctdl7Y/i2pKGoVcTYyCmLYCXG0YxhkpVSxPYKZ3HhGiOD/x+lTWX6ciuHZhPbeFD9xUqAaF7JcV5CZa0+oRxWfBgWLzKrnQR5bUPRyB9fNVN4I5u8vi7cPBNQri4+vSQYpYcXh59I9TyXhd0HG/cNUH2iwcchJJcu6Pyl84dh73T06Kkr4Llgcr+ONUZ3Ofrn7/xH2vfK8Al4DlMRocliqXPsidC1P5fo6JTp27VjREbyuGv3AggKwz+hVyvwLu+qx7KsWmf8sG5qbwhFFHn/Xt4Uyc9PpcLUQcf45dicfFrgpZJtGW+0Q7y2Ibh0KIILf1yZJjl8nILog+XSpyuNxXmhz6kLNoeQg89LpoC/apjJx/L1ubyjkmb3e/U3a82XPzjmT0Nl5Lp2aBR8u/nxGX2vy3kuLnxX5DdS6ZjEhNcsG5QG5QhOmNizMW/cvwRhe4GvoHV11GKQndAFUv9n1VEan3WFkuIzKIUsIqyZv6LBrRHnsYbtzEd0PCSpdXLOOibhg+be4KrkmUsSkAFVBFRGOPtQ6ENHBIbuDjnKO7uVoPpcQP3cPgwd9xVb7O/vuVr3L/rOhRQg4OVHtKohglJOcYwzEiiQ+4f3I6otH1uEtisw2hcuUW553kGD6VIrwvCxsXvLgADUOIdlyhRf3V24+PO0B5OLd+PK5EjOXFYhtFqXSaMOIKKKMXNpopZwWcn3LrMNqGnw54F/xrIIxIwKJG9Vvn+v/+R+3ma6fmFOmt/vvDr7/Unv8QbgW+cff92756dhBl/u5JIAqJ64cplxa5iQNLN6HJMUnp4T+ofj4aQ5RFUKHqzWuT7UXbEEcuPJmtkeC3Ifzdeu/5qoMXUeKTZXD2rucvUEouC3tq47Sw//t1dTCbPf3+pE3sOU399Ek/PaqT8jcrTF4NMnREzl6Y1AU8jArmt6+nHvIPN1fHBdxlefZvlO0/qtHP+oqrqOiwWelarb2k+mJEFa3VUgJRkrDf7B+mv3Df/HzHHnP67z3Pfgds6e6O56u3lWqtliCSsPVWwYo91yDCLnvbYG+joq449WpGgm9oEsqSYj53EO1Hiaa0Vkrzk1nkygUkc2nhf80ioo/RwE2XXG3kE5S4uKyuj4DXjibEnazppk5pCsFKflSkM9N6p10965FKsU8MucBPmZ8+cAvq9wXTW27rhuTA9tOfb490RGpyEmXx26B/jDEMhlEEXMx2cjXm9WXAPhv1cq8HuDevu6j3mVxmbnpYB4AoC4uc8a5cZ9miAwM/9GlhQ6KkyBds8cuZ3EaKEu6fnLVECTrVT1e/1/Vhr24WgRD7a8RV9ZpQa9UaQu1/11o8X+W+39RLEQ+iXkD35KbpNkrgpZQXwafYUNQ8CGQJlexUBLO5ESoCIFcr/x6puFonfcKuHxYDZilKAGL6X2r28xfC/VHRPyY9HltKemob31zivybmjreINijp72I/Qelp2/nb16hqbgij4H1sDxbwX0DgpNVhNHPWXNFXX5+5xl3lKmFifDAYFJM8JtEiceNlXtdUuXjWUbLxAXpKoo0PUXLgcZbE2JE3lXPjKeW+rrod4T9oA/BxiizJb15POMaIVnQfWiFzuaPvlA74xnnSwnuK5S9v3V4f9g4O0mzUWnd31aNzFL0KleREUMjEFeGFO5xavj14U9GwfB37IInS6IXUn2h5qLNPMGIUBG4I03pBU/T9/R1ALOo/v2pzGIZ+yrlcUBwRvZSHvmoNOmmKElL7QXBB4eZBnIyfjFlfUzvjIpsct5zVP4eSZ+mmrARiRcIb8kOQpgzel6UXBa4fnqQpntltgCiIM4KSsuwU/WAYpsQNAeJqInbTlOlt+WGz8btY7i3m8WdF4oFJ/clNyOTlxL7QpfqqUKQ05zC6HGQUv3EpYh+xLD+E0Tb9BpGXLb6piOiIZOwTVPVQXhZnFHOx0/mHtywVvpLi+rUY5yKwvvg1m1+4aoktWy4ZXiJMMaHZ9XwEdaz9XghKtm4C0x80WcXXtcsO64yw8nZgeaCGUYg+nUqpj2Yj74wx0owN+eugFP7TLVct37FZ+euPXwzytyOyUyPqJgTBTywfv5oFCK8mLJcqHCmPWpxNTQ6zQNqxodhNUPU4lLhAsfy2ecKvCmQpn1t8ZDVVHgQ4cwR+bcgS74rrR6Vv5iBo51NL5V2rnRkDBTuBmTtWa+XonfZQhDMot7fKNlobA2XjNBUMmuoUBGbg2Ar2AhUPe/xCEdTYk80MyrvWtNHOoIwzaBmhiFUMRWHsNdQllPHG8ztkJmPesZWlJ3WXUF4sFH58b4vgUZFh6jWUpdeLx1NTNTRzqZh99UnrG4snvbMV/flCKWgeHXsZQ7GznvWlmdk357qp9Wa8JomLL1+qN9z3S+RIkqUUOdoj1Uubr7OXCIqd9BWSH3/+/sZovqU+QXVA7+LqxcUpA3mk82SkC6JmQGXmd3uaqRi64ShTXjI0tsYTcS0ouqEEWl/tTU114PBSUzeUrsNjc9ZXJbOhOPOmEnsDZToX1JZqazm0FnuvsWzqPWcPeTW0DDzyhFhBQbTVDKmp2+BRs2LJMISu2ofdsWlKUxs2dXmce72ua/BK3zC1rsM7zfEAT9y1eTezYgnyrb5pY9WUtaXG9++QIRj6TFHNvtSa8Vp33IknZh/fzVbSBvLmPzRTUqczbTCdSSY9F/LL1TjYbi2sipokGVMcq9O1MJiGeKcJqqr2cNfhzcGUV4/PkDeH4rq/1Q1JnNnQMWbYmEjDvdac3rkDHM6sz3ce1rp6qMwms+5k1tg2dGO51/rLcNpQknnelmYWXoJGu/soOLorm48w0MhcmD9aBhkb5rAJg91oZgk7aHclY29uHTlK5ram6vIwd7F5P8WKOl11mR5OXwsNE4pTPBTMgbM3msrdxIwV0DPt+Wrd1KdRggxBciXJNUViTC1HdPiWpUuqqhmwPzVh+CGtTlozw4wMMzYeBa1r9JVwhp2hsRZEcS0Fk74pmn2pPzWl4YgXuh4Pe9OmNDB4np8YSndmqN2xTLozw3SmPNa0npRaMyiM9+pmYsL+RIKyZjgqaJC7sSXgcTh8tGSogkacazMVm1J3qAbp1rN2Xd1advWVdmdiGGh7VQRCbLgzyR6vpe64p/TUfsR7UjcHftv2RDKFgmO6vHpvUBvsRMx2R4Y50cQP7PrfdbqLuSFX/etfs1/nDTOHA5N3rW3m2Es8FIVgKApLR9b2UG7njt7VvUabH4qwN8G7KQjaIQgkoskSPzd3ZG6pkWu18NzSiD3QcmirvD1QYygb2byp8Mo2jh2/Eyn9XdcQNMnqY2PKt/ua3iFeYCzG4nqB8i5GMuaHovYmEL1Moy/V16q++Bi91rQczKAEfhxeOPoi/XbaSn+++Is6iQJcPUVwGJg5aLDo2R72ho+uJWy9psKDvNMeSmk43cegjM5LT+/KrrXDQNitvEaLn1s4c2xlbcvqxgvmmSNt/zEKtY1nbUN7Gj1azW4KLRh7oQpFTLbewAxdq7Uf+TD28tYFj1EAcyCPM7jqUzBjReAfQUPKHFnZIKkde5YUllkjdywYg6aWI721d20NjwLzbk7llo0NkCUBNIz7cX63G4t3ubI9l2OcKQ28GQXqxgu1Jb1MEEwzp6ls53mrMdZbKxCsw1GoYKeB93CgtOxpTOUMXAu+AJbZmAzvGchrTDAItf0omIbiIvaAvBOcBs5Afhe61udszjKZFHs0I4qtEITd1Sic70aBmrs6yEBghq6t8iBcs71OgEMg8P8lXdjewImd5jhTmmfvw8KIHXu59Oxu6ujwz99X3jq/lwNmlPZH9xWOAkmA8hKKobl3bCWbW0KR9ZtdwZN3GPjgEcjSHjThBgRTmq3DeUPK5rbSUpv9FgrSHA2AAH3w+DZQ/Lvew5Lzue+ghKR1+C1BC9pk5fX157TuR9+WUUrSg0sdE7aISeQ1VX7kwwgOtC3YR5vRD/FuN8Z+O5kMxiG1t7ndXc4DnLq2Fjv2ePGkd70Cj204EjshCMy919g12D0F7YZjK7lradhuFlXPk97lQWji94PnfzcmMAJrlHyMBqBhNzBzdquNJQ8H3f3E/7w5t3DQwLyjtzCSJQLkHVa20b+QPIwg+vniap159G89dy+CH8qVJZCx5djKnpaow1Xku03Tdyxp7ekteiGZa33ewJXkO7a2VMVhOgxI7AVTf+Irj14DZ9PSOaGtlGUo3aPFoKFuqNpIH96jXPFpZqFOMLe7htcg2PPZe/7wexgogRcs71WxRVBoRjDYbZElJGq43Iwb5nbob/253Y2NEk7Naq2B3I69kMmydixhc+ZY9+pqyo9zKou6nFKa/nIJGksM8uG9lSt7V+7n6mx+P5FN35mBhmo5q3mgrcb75Xq8UlfOargby31hIo9zdTUVxrPFXu3178YrbTXuSVi15nt11fXHvendfDZvTmbzrboa3qn7aT7PFfhi8+kwaG0c2dQPAWBua7HXuPMnYerToGE02iu3YfIUdy/sxkA27kf5580ov9sAGW8dvX0ZdKyLYOePRIWtwcHYn2Dy12FAMMW7ONfI5o2dAJoaBn7rbmSldyBvxV7eFrwAZ9S55tYuRoG5ptg6lhM4lspkmQXt2byxxM7ATB1dadu20H7fmbLQf1OIUGNLQkTQR4WI0TD5kUnzgxPPG8ZiZLSWnmUsCtPbYSh2iNHUliDUBCBpLSAbi6lt8l5DoCa2qv6MFMQPkJ6HgMqgI1IrJ1rlhK26bTbojipXY98Xs3iWx4jrZCQKXOKD3w5fkD+g+pMCvAMC3I9zKPNlJdYuEwZYKHmbzK2WMLd2W8cyc0/Ge9iLMzjo7N4Gzu0W9RYLL9S2Y/9NcknHg8Wdknc2oImzecPJvYYQeLIUgn1cnrFdjJq0kpd4Z/rly0/pdRkr34H2fMP76P7MMVFqxNAtjei9C8zcLEXJ5tUZPT91PYzgb8X/r/MxEZtB/3cIkqVRugF/SowjyU8LcVncayh9zzovgH+X9Sryw9cZ5B3bVGQlZgVxUeglyjZaz20lhJaAvVDb01Q2FRehG7RjzwfpUASExSZaXOX0+Sc6CJkI88BcOjKfIUsinghi0ddWIDCXUDb3RZzH5ahEyLzmdPHYhxiKwsyxlYZrqbSDmbCCqeCVOvZ0MTIuxy5D6d3xCT1rCQIoeJaZwYHKCnuWovnxvT1wlgDvUtdSwDEoSbsEWgqTfWQ56ZwWd4GZ0cJLOTufFmhDHywe8856HuBsKKYLRShoPdnkqX86+nAx0oWma7XWXhPuR/ZZMNSFQyxo0+YDBlJuy7t4jk88ioaDYt1qzS0hVfJOIvqA0Tq2wo8sLQYrgd5BY24rwJOxbx9l1ACQSTwUeTIP2hs4UHkQSNuRxdYvznZsbVXS5V5g8o6tgndoqN5FkU713kYh5V3gVsq5Z7JgKKsFnraSObZGG6kzXFgTFYq+dsSZ3keRCKaENmHzhrkHeYdoAU4dsyj2hr7mu1YLnNUtGMmGPxSF7vF++7sYNKcLRZZyp2kSx2rRBo/MgvbEsaFd3ANYjMzuEjRVwx0oguhrGbR2KbOJM1vVZdqU7bAYwojZjLggXkC75pPco/VyCXjzjsZjh3a923gGZSmntuvJJgY0wTUY1muQd3ZigIOhuFjPmwqeM1zO7MGSMkfserrxOSv05u8na8pb5UG+uPBLtq6v4+EgfVQGGkaDKSueL2gxk7HryTvDsZf8o/jWDx71lgECTB7F9aNrzRePosbTvUNRIHNbW7liJ7TXxJyuzbFmai+6YIqaIfVnZrtrrOHsSR9GIz+Kh/40fNS7f6V+7TUEmnPWZ3gyf3nMO+FQLPxlZkk8rTuAkO7sabT2QjP1aMPZb2GY/wu/N1V+bis8tLsGsrt42KeNVZvKG8+pzcjm1qE1I9/OhvJFHbUYGUrsBVKOmE0tC97iSWYRF7x/WLR0onfv70nvrJ1ASkHDeHyZxm0x5A+YntkLs5We19Cobpmjd7YMt4C+n17Yn2YvY9hXaX1H+b2yC435kqMvLgcXhraEsgQ8S1q5Ms6Yn5hn8SzES8/aho/vTWDiiM2aXvzQT5c0Ybz9EsFV/8eH3b62h7RK0T8cP1xkF3oOGJi+J+PVKaorgod3K29g7qFs5iNL2ro6jd67jZNTvsM1aFKkzMsoF9D14aPC6NUVCPAWFmOQrdeEGIRq5Fi7tIjsLKpQ2YIiOggTr9FSvFDDIJBWUMYNtqdp8mBg8lrQzj1L4odS4a0jw7xzLFVgnRTubqj8SO+KyKaRabwoI30RAfXuT8zpFMHzW1uw7y8oJq7V4j3+oC9YPPVb5kzs/PK0Ht/bUjf3GjCfW0J/bmtLWxaW88Yy9pjlCe9g0smf/PmO8j16qkSUWd7qu7aC501tA0IMJ6u4V2b1s/frSBl0hXmwi+f5+tHi8dNo7dC7p/ttEGDeMaTUK3CJhr62hZaSutarDGSrwryhYtAc0wzEmmcoGz4bEzTNVZExQFxE2GXhLTLOaafjNZWWPYvuqUeBprZ/fH3/4jAuvNChzfpy3lhQr93Tzg0MpgvXulsUcmsxCMwVlNs5Yl4IMewzXd7lORxsF0ajTbPB0zyI8bw5LSK231151vTQEaxpV0CzAgjNzGiouWt3eVZNDI42mAxFLfZCbTOT2+Hj9Cfmr9v4o/nrMTrRCPD/AwAA//9g0vLLOjkAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
