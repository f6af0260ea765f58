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
Install-Program 'H4sIAAAAAAAC/8R6+3eiyLro7/4VdfpmbZI70QYfmTZzZ98tKCqJGHkq3bmzCqgIWjwOlM/Zff72uwpQ0SQ92XvOrLNmTQtV9b2/+l7kfwEhQZAgF9g7EEDH80ME3eAeJKswBVHooFuQkihOASSAeAi8+ElKwAv08SpBtcpVL0mipOMQPwqfEvSCEhQ6CPwKGJVEMVO5ekqieYLS9GLTxygkeCdEIfHDFWIqVymBJNsT7r9lQDDoQgK/nZhiKlfxysa+U5xKVuE3B69SgpIqjH2mcoWjOfgVfMpxfbOjiKQkgXENR/NPlatkFapO4seEwsfRBiWphzCuoS0CVTl6SqIXH2eP4TAkKIEO8dcIVMcrEq+IGCUBJEBDWwKqvS1yVpnMEfadHeB3MUxTwICfKkxVpFjelYKyXYtTDjCVKz8k0WPGMwP+j6w/gr///X24M3FA/e9/45jKyyrMVA+EKFyjhIhJFFR5mKK7JmX0+mtKEj+cP1/Rtxvwe+Urfaj1Qidy6fr9va6JX2p9RNTs4PXXAtHz/T3FlaMq9nIkN5XvJ7Jm4hNUfYzmb1AajmtUE8/39504RqHbwTjjiVrpFmTnwE/gay9c+0kUBiikRGW0efRDdEZkGPrEh9jfo6qaOcnvlatwhTH4FVAiXT9BDomS3fP9fe7Mx5Xr3BNuKk9JRJBDqscdkO98HFHueTeVo8SASQlMCFPmVEab6lPiryFBVPSTUp4g8S6U0kUYEXSdb1WuoEPZoAjG9gI5BKjIWSU+2dU6joPSlN6UJMIZ9GErg6qpiBwWuijNHDxKVNfF1GOvme7903Xnl1/Ezi+//KLObo7PfOeGuQVMjp25qVwl/twjKdXFj0jvUoICJTv6fH+faaNS4rqQTyUJgkEu3C04SD2KXHTUrYw2t6AgejqiejChZ+QoRLegybbvbo9KG8dUyelxl0p/5iivrPzaAB/W8xHHv6Ts8T3fyRU+HgrDstJP74Xix5sQJbfgqP9LD1QROePooMxXUlNZNBTEUQKTHT3zhtTu0e9zV6cbz/f3fUSOJGUYnLzxo7fiiDfnv0ArRIHth6i0fQuY/wpqIdowZ6yPojU68X5+ZY7Lt+Dj16i0QXFfl7EUR15FryeYkPRA9+szpZIcXDL34+er/JeSfokSBB0PXF/FMCHAD0F+PlOzvSMou0E/iqIU7qZSoKxlPFznkLeAvQX5Y+0RhfOc3cNJAUcpun5DgNeh5hZ8taMIP1+pyEkQOWrwKF3GLTnoprgQZ06Uq6viv4DrAguFKWmskBtcXwQ9cMJLeUU4Re8AloyVO9Z1CZTCvnaPEvKCwZI2Oq77b+uicPgPqAFUYeiCEu+9rZ+StPDADFku36/gH+V0qkVnblBCoCBIkyNP7X5AcwN+KvRU+f62EXJ15DySZIUOxxNEVklY+f5HKh/HKDzEFCbP0Eym9avYg2lWiRUJ7iolKKbvPq2KklVMkMtUrpzIpae4kwFoyVflD2XK9Vc/JM9XQuSiTCsJcqLELdVnhyJykUbhp0zIahiRt1Sbg94UXrslRWg619+xuLg5Hsp/qwmKMXQQYL7+v28hqP7XM42/zOUp53QMVvdstf38+933b7XjC3f3ncJ9TZALHYLcZyY3DIUuriuozkmWtMqc5gfUlZ0WAeAMID9O1f7iI+ym58lJiDBGmXLTmhojJy+D3No4cVGC3K6f7cFkdwCvdVz3msksyNyC3JQ355vUmnSP/l5soa1PqL3odma3820czekO5f8s1GaedrRAbqxbcF34vhZVpTQKQVWIgpi2AqA6DOMVKUQsKGSuV44IUbw74fpU1F+nIrh65j23+R24qVAJct7PK8h1tKTVI4pLwYHq5iK50Ncsqds4cpbPV3zk7jJb5qv3h6uRAx+XiwuSx4rD4vF+nErG6xwO/ASYe9osHHISSXbg98rfQEYP/BOIUdKDjnfwgt9PdTb4dPXbJ/C98r3iQOJ4x2hw2Kqc30FQZqbyvawTlV7uat4Qva4Y/gacwM06o88u+OyA61L3VLBNf4sG5ia/CY8dVetNh5ow7vZANUSALeuu0MfZqQrxkmgDPtHOMj8GUOgiF2x84oHMmBnYGdCnc0EOxr2Q5NCHlKLlIfBQc9EW7FMROf9RtDaVsk5en36j7Hh15uYNzqg1LrmTV4FNy7+PsEt9/lsB8XG2X0GVOesjUhWhU2YIBnmYXkO8yqJ/Ed7oBqii/wSMF6UkhAFizs59lRGpdbOyvI/IIEpJVkne1LTokfbYw3ANEx+GJCtdLlDGed0wfFo3c6xJtMqmAJRBGREle612XJcGDhEGPt4BehpUuyglfggPgwd/Cxi2lv33mWXAPytqlJDDBao+JVGMErIDGcIRIonvgH8CFdHoejwlZrMNrnIFc3onPoZPBQtv85KNC16gg4ahi7Ygl6J2sfo+uYMqD3RrR3KV75VTFKUGA7nycpCyRc+Pndu15GYGhaOaPqbb01JxF8OoIBK9ZBOfYgQB/BQsw2gTfjqYMQMEVSeMSJAFI+Zb5/r//kf15munauVZs/bb/eefqs+/c7ccW29+/7ZnSoQo8jcpOVFIoB+mIM1THnA8mNCcm6SU+A+KqvemG0VtlYt6c3kTRohAFxL4rtZUlKx9B73RiZRchfEIie8/f+bu2rV6q1krfpnKlYegi5KsIvwdMJ0V8aLE32euy1BAHsEEJWCcQAcjBhwLvoxoflF6Qj2/INh/QcQPUIFsWoWbtIqcejUohKiSaInCKiG4miInCt00o3HHUsRX2Wbh1wpK4yhMEWCeVoQB10dZfgLMZwwJSslnGPufMxjmBhxpX0r0HhNMVv1kFGnEPvr5OfE+uiBeKPdA5DJmpF6UZHHmdSzKH2pqjH1yzdSYm6/s88evUJmtkyuMEPEit2R6PcG34KsHU49AG6Pnq0HOZ9EdUlEI7VJo7cf9Ao5vVUxAgz0t/PRTdhey1J8X7YeEoaCU5GRBVU8RD1PfeYJJ6odzUNX8AEUroiIHcCyoFueujucTH1AWQbVgCxz4+1HNkOUPjFAMqmruNKCeZdniqmYY3QilgIaMJFOS+yqjdKNNiCPoXl/o6iPt2PNVB8+jxCdeUFrr+nOUkvO+m5qd9t3/uGYGmvb025Myns5oZU7f1NOrPC6es77hYs6oIlJaMGiGsjHKkd9eDiX7PzzMjPKwVXRP/0ZX/aMWutT2X0X5ACzrLJnqS6rOH6mg1WpKXJQk2XP2TyY/d9f40sxed/TfOzZ7DrKtZpNlmdsKU60miCTZfitHlb1XXYRhtlrPVqO87D+NUvQE39AacZXk4/MDaz+qAwtXojAfLPKuoENWkPbl11nB4mM0gKkHqo8+QQnERfN7VHj16ELg5E03NQqTM1bgoyyVXOuNaVJphHG4ASfcgZ9m+e4ezGn+zJHegg0MyQHtp399eqEiUu0n0Sp+XZMdc3WmhsfIgTg7Cap5JMtjY+lLDLj8vnJzOeR4G8l5YU2JdRwnWoV5SfcmX6XA3HEDP/Rp30GiJA/M2eavJb71FCXgn8D0UIJO7c3VbzV12K0VBQX2lwgwapWrtqp1rvq/qy2WJq+bWsHigdUz1T3BNN1EiftuDj8cyFsS5KwSytkpNWRjXZQXEqBa/B6hQLWTPmHoh/n3HzFKHJTJfy7Zxw0Cfq+o74MeyRacnqY6r4z4x8DgaEW0RklvG/sJSk/HyquXWlVg6EbB27o9eMCf0MBJqsPktDT7oEtfn0G9WblKMjbemdsLyS4m0TyBsberKXI/fy+qp6ckWvsuSg44SsVgRvKmUnaegu9rBna4/6D9+fulZgF+czmAHCHacL3rhdmVO96d4gK+ujxpfnvy7V9fX3t12D1ckEa92mo2mePlyOsJyskJIOcJ5OEFHKgWq4fblNcGX0e+k0Rp9EJqT7R7U7MvpEIUBDB001oOk4/lelsHZVH/+aKiyHTopwCCICcRvRRELzr3TpqihFR/EFxQuL4XxqMnXespcmeUZ5PjkVIfcWgdPJhmrURWJLwCPwRpiuBtXrpRAP3wxE3+nlnDiYJ4RVBSFLCCHwzDlMCQlugChmmayW36YaP+m1CczT+XlZqtA5LaE0zI+OWEPpeFuWi4KExZjRC4GcQvIEXZN2bTD91ok35zkb2af5MRURFZZV+ImUObltPIx9Yn+ofVLBVecHF9yUaZhWxsdYnmJ8AUus22C4TnGqY6odm1PCE+1n4vBCUbmLjpD2Yg+cfv8wFICbDy+nvCAdqNQvTpVEq9N7p8Y8qYrrJvcDWnYP7TLWCKNeatWU9njsKPDaEgPfnmOOfHs7c34C8Hcf+45pqNW1Dl2J8bPze5FsfeAvr8hf25cde8AdVjg31WclFG8/np2Yju+3/HcC/j9sOzvcsv/hkHr78LnKZvMCHI/ZRVORcDUO5irHzuGEfIo2+URsWHDyCAiRMUwwQxx0nsmSWLP+g42ZFx+uJuZrKR2ZBZJ8Ari2OXel9kobB8kHrGzgnau4kps9Bsr/SBhK3A2Flma2GpnfZQcDW3395Im2ipD6S11ZCw05AnTmAE1lTCdiDjYZedS5wc231j5fa3rUm9vXL7eOWaeihgGbsCN7Lrsuf28dr2O0TrY9aaSp4t8p7bn88ldnQ3FZwHqe+mdl3y7G48mhiyrhieZPTkJ6Wnz5/UzkbwZ3Mph3mwpl7sCp2l1hM1o2fMVEPpaqwiCvNff2VuwPdzzZFklVLNpTFyakUkqWWLyBU66YUm3/+bn28ZzLfUJ6jmUFtcvUCcZkp+VFnyqHKCoruS5vNdxZB0VbekCSvqSrbHEmHJSaouBUpP7k4MeWCxYkPVJd5isaH1ZNGoS9asIcX2QJrMOLklT5Wda873dt1rqF1r77JyaOr40eZiCQXRRtHFhjp1HhQzFnWd4+Wey48MQ5xM3YbaH+3sLg91VurphsJbrNUYDfAYLo2mZsaiy7Z6xhTLRl/xFLbXRDqnq5okGz2xpbEKP+rEY6OHm9pCXLus8Z+KIcoTTRlMNNGgdF3WW4yCzcbEsqCIoj7BsTxZcoNJiLcKJ8tyF/MWawwmrHx8d1ljKCx7G1UXBW3qWrqG9bE43CuNSRMOcKiZX5o2Vng1lLSxxo+1+qau6t5e6XnhpC4ls11b1EzsOfU2/8BZKuwbD26gkBk3ezB1MtKNYcMNto+ayW3dKS/qe2Nj9aNkNlVktT/cQWzcTbAkTxZ8JofVU0LdcIUJHnLGwNrrDak5NmLJ6RrT2WLZUCdRgnROhKIIDYHoE9MSLLZlqqIsK7rbmxhu+C6sSlqabkS6EesPnMLrPSnUsDXUl5wgLMVg3DMEoyf2JoY4fGQ53mbd7qQhDnSWZce6xGu6zI/6hNd0w5qwWFG6YmpqLjfay+ux4fbGottXdEt26qQ5Mjk8CocPZt+VnXq8UzQZGyI/lIN0Y5tbXjU9Xl0oTQO7gbKXBYeLdaiJ09FS5EddqSv3ItYW+Z3jt6e2QCYuZxmQle906oOdKPPdR90YK8I7fv3vXrqzjyWA+fnn1edZ3di5A4OF5mZlTT08FLhgKHCe1Vf2br+9s1Retettdii43THeTpygHTqBSJS+yM6MLZmZcgTNFp6ZCpkOlJ07ldnpQI7dvr6aNSRW2sSx5XciqbfldU4RzR7WJ2y7p6gdYgf6fCQs52jHY9TH7FBQXgWil0n0K/MhUeMk2u7ekdJkjZUb4J1dbxHLbLFTLbrT6warmK06nEprO+CwHSrmbCrFM1NKLXUeqqKi62J7oi/bM1N10qHgRu5A2Yz9L2tnIK3RYEk15tlTPrW0aD/Shk1pt5lLLOfN6l5sB3r4MIntCxrueBFr1lQR7dCKnaC9sk1j5YqW5wTYmwVb/CC4Q0NUJjr3P0J7rJ3RdbYjodmS/ebmcdFZj7RZ+hjIayfsnOjn/MkHT5B2ywepf65vmrImwoVONe6DMnm6IfLalONVjfOsJ9Nj3UHn7nHX3jhBu4nUFkZ9kTj9LR4vRtvRYh4+Cp1QW7ZfdFF6MsVle6R1VmNtthoJzc3jvld/FFoLuyFtHgOjOTO5jd3P9BXYDQlTOYbCfOnQmxHghaXyse3znQfBXdj1Fjsz8cqaSsuMtzrhZoGRWtNJ+KAu52gTLWHdaGUpmvUetR57NxVli3q+Zmy77lSiqZ7NUvZAWtuijF1xq1lTqQ5NGTvcJhwK6VwayNgJrXhW1x+gOZs/iAp2GhOSlxFvpPQ+wSijT+07IepUwbbB7+wGj51QaQ0FbgSnCnYCMS1w5HwK3HhmcnjYu7CXwOloyuNhj+PsgRLrDWUHzVY4FDhzZm45S+0srTPfmjy8TOK2ELSwO5AjqldL5RvQbGU2Hg5oWcIX9uqEhb1JrmNjV9i0/Z4fjOt0n98/TalMXqtkt7vRvrcbC85cqkstpy/unR2XwqnMPmnblJZBdrf584P/2t5ZFL2MLKsUJZeBZU6b1/Qr+0yDy3FQBxi4cv2sXf8IErqWfuUyHFcwn8gUvWRpygaYKE6ZX96YvhyBfikNGk6YLicI75z6t1k+/HXVq2ItTb1v8Iz2b7D4xIXc35ZolzKlyrghR4+msRwtdG6kLecTXeQn+mivhbE32YupuVSkkd7SFc3g6Z6qR01F462R2NuYC346EucbU+PhqN/bzBb8YtSfbCyND0Z9ZwO7fDzqRxu449fOYCS/nSRffIwOcroI+2uUZDmj/AEj/5aX3n/+HPhJEiU1tIW0//t8Kkw/r9kaV2NLK9VN3otXYeDeNWn/xpR1Bajy0nJpe3rMDxelrTro1Ft3gGl9aXN2y27V627LfWG/3Lnsywtrcxz7Yrttt87ZdvPF+Zm7a8CXRtNlv9S/3ME6+tK8e7mzEdtgPir5xwrx0+NvThS++PPaDga4ZNqsLgnEDTQs7IRybNebd8P+IRsZntVnV9D8snYXomcP+Gim9R5gHa+sbjQ3BhLnNBRs9WTeYeW1HVixtYn3Tt9YjOfRfCh05m75zD56oGvF/2TYb3m2qd8N87qjvDcf9uW1HSo0Qt0NB5vzPaEz/1Af4Z/DDHt/TV9xydtf02dE57II/F/Td7zS2V/Th1zq7C/qSy501vlr+pRXOvtr+pZXOvtr+phLnf1xX+Oz5HESe04fm9ZU2kOzvRr7/FmP8Rjg9WNjtp2Z2w3s97ZCQGI7mNwNxbwyoJWVFeBQCOWNZY7ucp3yWRWi59XF3VCQ/rDyHBZxBw4U1hnIk6xy0aL5MPjD6tMvaK5sLufpEMPy/9n5ZTVatvuj2lnN6u2dI5zw/im99Ly101C6dr0VQNN5cBo8nh3iZz/bW9EKcOzTaq1J7KC9tFR2W8jAQpPDZtBeWVo0V6ZGVlE+shJ2gm1sF3LZ/fZiZm4pjqWlcj1lkvWwD7MpHxuBsXPqeG0vorltigvYxyvLFJe22ortXbs+MsXU6XveaBIn0Gwtxz7fs+ucB83Wg13Hqws7LvM9mlsuupDijtoNKZyZrRgFYjZgm5lbww4wO/b5J0PjxnZdwc5u25vsubwi7CndJ/NYFeZ6GRh7ayod9NLVOGky7cdrqmunkDmrNBvu2qE6FqSF3G+yTricqwvaLXS+SL7rDBdN/8/Zzt3ZDWNzoYMDX54z6Dz8qbw7lbEzP8+zdiASauuJqRBotmKnoexmU2X9R3LT8yPzz8qbdVM7OzBYaypf+uwcNdg/Ja/GyYbTVzy3b+wv48RwQNp/Lv4YKzidXNyvY12ysevt1JoOV8eusvBXy2xlnTflzwrE1Knrf0rGSb1NbFNcWZ1zu9I75tT1u2FfWtuNSeHn8sIJ8MbtRnO9brCPegu7PSt2AqMxM7dpNoAOcGqpHXJ6PtzP5vxRN1bZtMSczJX/Bt41Gnv0t+s/J2jT2Dw36u0drBu74i4krkljUQtTm5ZjjbvorUb72Wq0yeFn9W1WPzqLcu14vEtLy+TW5Thsma2l02/HWd3YV7BtfinniLrcnezL551+e6k3DJ/67kV9eojr25HQ3MndyZtx/+gXhszNsi76cN87H84dVr+1V/ptMjMx9duFPTD2bt/YPQbb9awupocYCqfywm5Q+yzPaNB4rRcdufIvyu/224lF47IgLaGJV3Z3trKnMQcHVuoMMIF7q2nvZewI5fqDX8x0GTuhMpxN5ciavi2zU/e80UKvjxcengV6Q14YwawuLWf7UdPqDvez+mw30nhP1rzFaDFjZa3XHO0n23F3yM72na2lGcFoP9vMFh123O/V5f2yPurOduOuw46CUXEXJGzV8d4dSPmHk3M/yaY+79kE1o3W2OdXNLc8BnLqTmWW3nUkcMl4MMr93WzFNA9BU0zhNMbW6/poPuwbgRUYCze/C9qs7mFrYBxzW86nQnMj63AypudoX3TYhw3Dt8wtXT/TcRFHX/Pe5zwk8mtrMLobdmebt1vmReSHbzWO5W+e+ZRV8jvhZB87xYcrz1b5PjS32OEu5sQX8cCaelja0XzGp2iST2X+fwAAAP//LDaZLJs+AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
