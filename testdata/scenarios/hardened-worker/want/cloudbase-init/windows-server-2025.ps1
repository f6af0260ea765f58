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
Install-Program 'H4sIAAAAAAAC/7R5fXeiStbv/36Kun2zxuR29IDGnGP69qxRIgSiREEB6c49C4qKoMXLhUIl5/R89mdVga9J9+mZZ56VtaJQtXft9/3b5f8GQoocgjzgFiB0oB9EyPHCO5DmUQbiCKJrkJE4yYBDAPEReAnSjIAXJ8B5ipq1i0GaxmkPkiCOxil6QSmKIAKfQV0ncVKvXYzTeJGiLDtbDDCKCC6EOCJBlKN67SIjDmFrwt1XRuSE9w5xvh6EqtcuktzFAax2pXn0FeI8IyhtOElQr13geAE+gw8lr69uHJOMpE7SxPHiQ+0izSMdpkFCKH0Sb1Ca+QjjJtoi0FDjcRq/BJh9jeSIoNSBJFgj0HjKSZITMU5Dh4Ap2hLQGGwRzJnOMQ5gAfpF4mQZqIOPtXpDpFy+qwUVu5lkPKjXLoKIxEMmcx38X3U2BH//+/fpTtQBrb//ja/XXvKImR4IcbRGKRHTOGz0nQzd3lBBL79kJA2ixfMFfboCf9S+0C/NQQRjj76/u5tNxd+aEiI623j5pWL0fHdHeZWsqrWSyVXt2+FYMw0IagzjxTsnyU9Naonnu7tekqDI62HMZKJeugZsH/gIvgyidZDGUYgieqiKNsMgQieHyFFAAgcHr6ihsyD5o3YR5RiDz4Aech+kCJI4LZ7v7spg3r+5LCPhqjZOY4IgaexXQLny84zKyLuq7TUG9Yw4KakfS6qiTWOcBmuHIKr6wShjh/hnRrlHGBF0WS7VLhxIxaAMntwlggToCOZpQIpmD0KUZTRT0hgz6t0So2rqiOxe3KOMBXic6p6HacRe1u/vxpe9T5/E3qdPn/T51f57v3dVvwb1knv9qnaRBgufZNQWPzq6yAgKNbb1+e6OWaN2JHWln05S5ISlctdgp/Uo9tDetiraXIPq0MMW3XdSukeNI3QNbrju7fXeaE8JNXK2X6XanwTKGy+/dcBP23nP418y9tNdv1ca/EkW5GOjH54rwz9tIpReg739zyNQR+REop0x32hNdZmiMIlTJy3onne09vZxX4Y6XXi+u5MQ2R+pOuEhGn82K/Z8S/krtkIcukGEjpavQf2fYTNCm/qJ6KN4jQ6yn6bM/vU1+Pk0OlqgvC+PuVRb3lSvsZOSbHful2d6SroLyTKOny/KT3r0S5wiB/rg8iJxUgKCCJT7mZndgiCWQT+qopTuqlaxbDIZLkvKa8Bdg/Jrc4iiRSnubqeA4wxdvqPA21JzDb64cYyfL3QEU0T2Ftxrx6QlO9tUCXESRKW5asELuKy4UJoji1V6g8uzogcOfKmsCGfoO4RHzioD6/KIlNK+DY8j5pWAR9boed6/bYsq4H/CDKDhRB44kn2wDTKSVRHImJX6fQb/OG6n0/gkDI4YaMihzbFP/b5jcwU+VnaqfXvfCaU5ShlJmqPd9hSRPI1q3/7K5E8JinY1pV526Dqz+kXiOxlDYlWDu8gISuhzQFFRmicEefXaBYw9uos/OIBCvkZ/B1MuvwQReb4QYg8xq6QIxql3hM92IHKZxdEHpmQjisl7pi1Jr6qo3ZKqNJ3abw8urvabys9GihLsQATqX/7f1wg0/vlM62/9fBc8bHMar1yj+/zH7bevzf0Df/uN0n1JkedAgrzneukYSl2lK2gsCGtax5KWG/TczaoCcEJQbqdmfwkQ9rLT5iTEGCNm3KypJwiWMMhrPqUeSpF3H7A1Jy125M2e513WmQfr16B05dXpIvUmXaOfZ0toGxDqL7rM/Ha6jOMFXaHyn5RaFml7D5TOugaXVexP44aSxRFoCHGY0FEANOQoyUmlYnUCC73jihAnxYHXhwp/HUBw4yR6rsscuKpRDUrZTxHkOl5R9IiSo+JAbXPWXOgja+oujuHq+aIfewXzZfn2bpcaJfH+dZUgZa3YvdznxwEyXpZ04COo39FhYdeTSFqAP2p/A+w88CcQ43TgQH8XBX8ccDb4cPH7B/Ct9q0GHQL9fTXYLdVOcxAcC1P7dmwTnSZ3oxyI3iKGvwEYemwy+sUDv0BweTQ9VWLTz2qAuSozYdjTpwNLngpP9wPQiBDgjm1X2eNkV434abwBH+hkWW4DKPKQBzYB8QFzJiM7IfpwqsjOuWea7OaQo2q5KzzUXXQE+1BVzn9Uo03t2CZvd78DO97suXpHMuqNc+nUPHQp/PsZcWnMf60ofl7sN1THkkmINEQHHgvkhGWZXjs4Z9W/Km90ATTQ/wd1P85I5ISofrLvi4pI857BcgmRhzgjDEleNafxkM7YcrR20sCJCIMuZyyTEjfI4/VNyTWNc3YLQAVUEdHYY6PnebRwiE4Y4ALQ3aBxjzISRM7u4iHYgjrXZH+/cHXwZ02PU7JLoMY4jROUkgIwhiNE0gCCP4GOaHXd7xLZ3QZfu3DK8w5yyONKhPdlYdcFLw5EcuShLSi1aJ69/f5xO1Puzm3uj6ssxvpiuY1aqUqaKAalKeMXdjVT3RWAIAOrKN5E1OM/ACDfuwmocEh52tV51NzHmwjHjneInFmK31bRdyHX80UPL+I0IH549O4+WKCMnGJrGmYUW//jsv4wnY5/H2tP1px2X/qkHx7Vp+o7wwZndwk6IkcvDBqFLkYl8+vziwfph5vro9K2FUL6N5Dzj2DyEbS/iMshl6HHeuMl0xdDqmijkREPpSn7zv4x/fnb9m837LGg/2859j1kSzc3HFe/rtUbjRSRlK13SlbsueEh7LC3LfY2Llv7YVyapfiK9oE8La/IdqL9qNZXkUlpfrKQXziQ5A7F3pesKAUYPTiZDxrDgKDUwRXA3Ru8sQ8hcIimqyalKQWr+FGRjkLrnYnxaEypxD4wBGGQhbTB3oEFTb2S6TXYOBHZsf3wr08oOiINKY3z5G3d3ac5M8Mwhg5mO0GDpXhVM49uW8H5HerV+SDzPpPT5kkP60EY51FZtt+V66hg97wwiAKKLUicliWbLX4+knuWoRT8CUwfpegAYS5+b+ryfdNgta6BgxUCdb3BNzqNFt/4P40Ox9XBt6tmJeJO1BPTjZ0s28SpdyrlSfEpN5SwA8E8pZIdcCi7ukFlAQSN6nNPBRq9bIydICrveMU4hYjpf6rZzzsE/FHTv0+6P7aS9DC5vXHiXxODvRfRGqWDbRKkKDtsO357blXNibw4fN+2uwj4b1jgoNXuduRovqGvvjyD1k3tImVifOduTkiLhMSL1En8oqmpUvmso3QdQDRO43XgoXTH46iJsSOvasfBU8l9WXd6/P+iGPz7LbIivzq/ZBghCqq+G4Us5fa5UyXgm+TJyuwplz+/TXtdvt8lSLvV6Nzc1PfJUY4LVJIDQSkTKMsL2J1avd1lUzkzfBkFMI2z+IU0xxSh6exXECEOQyfysmZJU47egy1ErOo/n00azIZBBhwQlkfEL9WhZ+i8l2UoJY0fFBcUre+Ep9F4Nh1oam9UdpP9lqMBYYdvfCdjeIeBhDfkuyJNGbwvy30cOkF0kKZ8Zt6AcZjkBKUV8hOCUI4y4kQQgYaAnSxjeptB1G79LlR7yyvxI5y2Y9IcOyl5ejmwL3Wpn2E1SnNsRgd4jOITyBD7HckMIi/eZF895OaLryoiOiI5+xWovkPU5Rnl1dTh/N1b1grPpLg8F+NYBDaanrP5COqVbdlyxfDUwtQmtLse3wLtsd8LQenGSb3sB3NO+QPX6ZBzRFh7e2e4o/biCH04QKnvXU+8c5OQ5eyevQkr4T9cg3r1jl1Xn//+xEz+9pbqMAs6KUHeB9aPz8Zx/uyS41SFPeVei6OLi911HB2aUOKkqL6/FzixYvXz4sF+dSiJxdzkYrOtcjDEuc1zq5kkco6welQGRgHDbjExVc4xu/nsQcF2aBS22Vnaeq8rC97Uk7obZROvZg/K2m4rGLbVCQyN0LYU7IYqlu+5hcKriSsZuSdtO5NWN/cknHvmLBKwij2BH7kt1fckvHaDHplKmLMtxXfFvu9Ji4XCjW4tAT4qkpe5LcV375PRxFBnmuErxkAda4PZYqz3NkIwXyglzaNt+Ykn9FbTgTg1BsZcN7T7KaeJwuLz5/oV+HZquZcAozqoZwmCzSrkm/Rd9oV7PjNjXbj7uvoaxSSAqEm2pA4uXhycMUNOLINzpG7hWCq2hT4PW7OF2+pkSL9R//rgKPbQO4d959feVe7Sz2bhhLh+8CUqFB9K2LQt5ZX6S17GgdM2AtsUV67eSZ8eRrlj/rb2lmJgW5qvCnImhyRxw0nwFCiPbgvn1D92iCPPUiqf0D1aAlvq2guNAunyLSqUwG11OdjWirnVn7ktgt2Aved23+WwkzkhT2y9Q1BkxF643SCTT9XIX49axkYONsHc6iezllFQvprZWUGpm7gRk2Vlm/x6GBo3c5PfuNLsVl1OuFFBZVH9CaUZ+D5s+RgW8q1ZKK+ONCjU6fz2STICewpbqmkv56G2HL36q9FSXdpLeTuSBvyTNCrU5YQfTRev6v3gZrTUlqN7Eavm/FVd9oPR/eRmPp23n6bzjbqUb9TXSTEvFO/F4jI57KxtydBt00tK3bXEbd0ET1EWzNtKMmt1l07L4Kjd3aifQGl2Oyx+Ww+LmzWU8MbWu0u31eHmJs5tS1kNTXXtRprvmB0Mw0kwFBS25j2MgidMfpVDgqm9y3Nn+by15WFbwzDo3AzN7AYWncQturwb4tyxtGRubhMUGitqW9u0Q9tUmSzTsDudt3xsPxiZrStdi+oS0VxRY9saMfltCRd0v9tWOpRm8ppAS+wXbssr5iY/mFuab4lbMjfVmMo7NzViidvN3NKWjmS8yhHf/U+HeUIRCcpYuGNEYBy9BIs8Zdc6HMdxH0OULtB7WeBZWmybHc4xd5WFRafvht0cmfza22ltdvx5uMW2IN/aoZjBltF90Wlk7pI5OaYnbkvD1DpGywgcqbt2CqU7FBTshUbuiQqet7qFLYqTWSHfqvomgKHh24Nu7j7gidtWqDc2Q0Ep3Lbme5Jxb1sK55h2Mm+JXOkJrfDMWSZHKoaRjSHWRjNOWbtt7dV7UHwoyLfeg8LblHdbK2xTJI7ZiWjWuqGxZLKu8MqVjJlj8thtl9GomhyLLvdBvXesfmxbytQzcXkmzgJjsJ1anHGvDXyRfYpq3+I9xRj4L5OZMbVeB8WT2H2YcPzLjPP7o+WsRaPshI5XphOja+mGJlucKM7437ajpf+icapq8ao8mcq8SqsJ1YnvihNOkzWDfZ7TFerUPqIb3bBKdUqnzzjxxeDwTBe7fc1QX6hMFufdT43uVB8MXp/uJ4GlbwJP2r5OTZwboVHAVulLGdsYRmritjqzqTjajgLlO9GbRwE57w40HtMIEZTRWD65Ygb1X3/Nf5m1DG5oMBcm89ZsMZx1fNecLcpivMWe0COztubDSOOhqHWgNFvQ/uG2eBpuy/rPSBFns8RzKiHoEFNNPNUEVt/kTp6hdF2nw6yTkjyZFgkC90HmuBh5n8pf5L5PxEbc/4QgeRZna/gvibEneVeIZRxE5xXlHS8okpK4AYMp9094m1KYMreUyKOJEWmvFJpMhEXkhN3EDWAmC5CwkhzaiV3QZ0Y3gWE3gqFINEnk5sZZCZQIP6dJLnE5MkXiCjARAm1JE9+TjNeyveEKLvG5254sHgcehT1T21JajqliWeCf5iaP5ZJXZluTxXB2Cr1k8V0IRc/yYejxrmnk3oMqOea2hFwUNj3YPsTbzDEVuI88cZt6psJkH5p2Nje91yEtXgGFWIfzx3ovkgO4eCx6q3mIc1nIFgpf0rqSwdHWbOvyYqjzbcfsrNy29zq0jiJe52mrCx0Tdmkr8UKxsKRtMscHHpa0s3WnMzf5TCl6qRBARksL49DUErjkqQ9ac0uBroQDay+jBqFEElngyDzsrr0HCl/FzdBk6ydn25a2rOgKNzQ421LhOzRU73xO4Q/VexNHlHdpt0rOVyYL9iS1tKel5LalYXhiF7p3HgmBtrcz9UeZ7RNCYfK8ZbzCoke0EGe2UcJcOdACx+zAI7iGkTQLZIHv7/072CawPVkokljYbYPQBkf5TMPuk215VukHuBgafR+21ZnzoPBCoOWeuc1YTBzFqi6JuS1tsRB5MYsZYUHcsMvJwkHu4cr3IWfcOJaGbWG1QJtk6kliQWPXlQwMaRVrMVuvYNHbCiEOZWGxmrcVPGd2OYoHU8xtoe/qs9/yUm/u9mlFeascLBYnecnW9VUiP2SPyoOG0QONxzNazGTsu9J2Zls+9yi8zYNHvTODISaPwurRMeeLR0Hj6F5Z4AmDLUIvslbEmKyMkWZoLzpvCNpMHEyNbn+28qZjXY6HQZzIwSR61Pu/0rx2WzyZm53VkT1ZvjwWvUgWynyZmiJH4Rbks601iVduZGSu0OvKgw72ir/Ie0Pl5pbCeVZ/hqw+lgci70ldKm8ypzEjGRubQmWum8vSCXxcDGdK4oZigVhM+SVv4SCzgEveP+xMvfhd/4313qoESLPHl0nSFSJuZ9OjeGGxcs9AksDntt7bMLuF9P3kJP40OqINVAprKb+zuNBYLtn6IqL5W42WvjujoEmErikuHQnnLE+Mo3oWYd81N9Hjjt8RpLWm8a0msbqBH3+mrj/s4XE0FHqrEnStHt905iTOaEN8CaIg82kjenvLAer/44N0oL16kshVvP5SO3oOfDACV8LLQ7dQeBdvl+6D8epJRjE0xY2j066wXdsF5SuvYAlbT6tnSNflR4XRq0sY4o0nMDk2btujMCu2zW1WdgxWrahsYVl1+Ce31VHcSMMwFCl8bbE9bYODDwanhd3CNUVOFssqMJwZN7ap8gzm4v6ayo/0voAsWvFGi6qDlJVV7/+ElxXeDTob+DpYUJs4ZodzuZ2+cDEedIyp0Ps4Xo1u3wxDEu/PW37isojm37FJrxgH8y3lu68AIlGmRWfgWAqet7U1jLD3tEzuK7Rw9H4VKw99fh5uk3mxejQ5PB6ubOp7ut+CIebsmZi5pV1iOdA2nqlkjnnW2SyVn7dUDNsj2tkIlGj3mgVDoRfBtrEsOxFMysrtv581lk+H3dfHc/8LclJmt72m8s9bC1oNXukgDB8mC8e8WZRyawlko0m3QCy7PewNmC7v8pQfNotZq0u7zHgeJnjenpSdIOgvXXOS25aPZaG7koXuknYbGBn5rKUWjtXnGEp52MdgKgta4kbaeip1aVVI7KAXK4Ntf8ZrojnAswnXHWh6j7jhbDEqOxxGEqZd8PySaV/1aAX4rwAAAP//fuoRnBkxAAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
