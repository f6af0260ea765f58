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
Install-Program 'H4sIAAAAAAAC/8R6+XPaSrro7/4rdPNcg/1iiMTic3DeuW9AICEZhNEuJX6ntLSRoLWM1Cwik/u3v+qWWG3nZM7M1FSqYujub//625r/RbEZcBDwKbegIscLwhg4fvRAZas4p5LYA3dUjpI0pxxEoQBQL2GWI+rFCeEqA42r62GWJVnPQ2ESP2XgBWQg9gD1G1VTUJLWrq6fsmSegTy/2AwhiBEs2CRGYbwCtavrHDmI7LEPXwmQEw0c5Hw9MlW7uk5XLgy96lS2ir96cJUjkNWdNKxdXcNkTv1GfShxfXWTBOUoc9IGTOYfrq6zVax4WZgiDJ8mG5DlAYCwAbaAqkvJU5a8hJB8jIUYgczxULgGVH26QukKcUkWOYhSwRZR9eEWeCsicwJDr6D6RerkOVWjPl7V6hzG8q4UmO1GmjNU7eo6jFEyJjzXqP8jaWPqv//7fbgzcajmf/+FqV29rGKieopN4jXIEJclUb3v5OC+jRm9+ZKjLIznz9f42y317eoL/tAYxl7i4/WHB03lfm3wACnk4M2XCtHzwwPGVaKq9kokt1ffj2SNLESgPk7mb1ASpg2sieeHh16agtjvQUh4wla6o8g56iP1ZRivwyyJIxBjohLYjMMYnBER4hCFDgx3oK4QJ/l2dR2vIKR+ozCRQZgBDyVZ8fzwUDrzYeWm9ITbq6csQcBD9cMOVe78PKLS897EVDll7ab3eSqwwmd6yzRp2ul+/vy5r93Wrg5Komo5cjJUOxVOApv6UxauHQSwto56fHJQcKHHAYAAgZty6+ra8TDnGMHUXQAPUQrwVlmIikbP80Ce48uVJZBA77cIVEMBaL8wADm5E0mm+D7ETn5TGzw83fQ+f+Z6nz9/Vqzbw+d+77Z2R9VK7LXbq+ssnAcox+r7EekiRyCSydHnhweijasTriv5FJQBJyqFu6P2Uk8SHxzMIYHNHVURPR5RAifDZ6QkBndUm+7e3x2UNk2xkvPDLpb+zLdemfPcAHfU4esUBSDLsUV+WvEHpP+Q9qcP/V5pAeJNJ1Y4fseWoD5SFVN3VG26iUF2Rx1Mc+nPCkBnvO31/EohWCoVRGmSOVmBz7z2yGv/4PvlxcEbzw8PPEAHkpITHR31Z+/YAW/Jf4WWTSI3jMHJ9h1V+5+oEYNN7Yz1SbIGR97Pb9Nh+cSif3jDTjYw7ptTLNWRV7HwyclQvqf75RlTyfbeWrr483X5F5N+STLgeAF1c506GaLCmCrPEzW7BQLkcv0oJmO426sKZYPwcFNC3lH0HVV+bIxBPC/Z3Z9kYZKDmzcEeB2F7qgvbpLA52sFeBlABw0epCPcor1uqqtx5kSluq7CF+qmwoJhTjRWyU3dXMRD6ogX8wpgDt4BPDFW6Vg3J6AY9rV7nCCvGDzRRs/3/7QuKof/CTVQdSf2qRPeh9swR3nlgQRZKd9v1F9Pk7OanLnBCQIZODjV9rHd92hucawgeK6+v22EUh0ljyhbgf3xDKBVFl99/yOVT1MQ72NKrcz3NaL16zRwclLXVbnvOkcgxd9DXGNlqxQBv3Z17SU+PsUcDYALyHp/X/TcfAlj9HzNJj4gWsmAl2T+SbW3L0kXeRJ/IELW4wS9pdoS9Lby2i2qQtO5/g6lyu3hUPm3noEUOh6gal/+39eYqv/PM86JtctT3vGYU9/R9e7zt/vvXxuHL8z9dwz3JQO+4yHgP9dKw2Do6rpS9Tki+eyU0/KAsnLzKgCcAZTHsdpfQgD9/DxNsQmEgCg3bygp8Mqiym9MMx9kwB+EZM/Jij14o+f7NzViwdodVZry9nwTWxPv4b8XW2AbImwvvE3sdr4NkznewfyfhVriaQcLlMa6o24q31eTupgnMVVnkyjFjQVVF+J0hSoRKwrE9U4jQpIWR1wfqpLtWFLXz7znrrwDt1dYgpL383p0nSxxLQrSk+CAdXORXPBXkt5dmHjL5+t+4hfEluXqw/5qlMCH5eqClLFiv3i4H8dq8qaEoz5StQeqVl5xHORRVlDfrv5CEXrU3ykuyYaOF+y94Nuxaqc+XP/+gfp+9f3Kc5AXHKLBfuvq/A5Sp8xcfT/ViYIvd71sr15XDH+hvMgnfdYnn/rkUTcnvVjFNv5btUO35U0Y9xR1aAoqOx0MqXoMKPpUd5U+zk5doSBLNtQH3KeWxygQ+8CnNiEKKGJMAnYG9OFckL1xLyTZdzUn0XIfeLC5cEP3oYqcf60apatTnbw+/UbZ8erM7RucYWtccietIheXfz/DLvb5rxXEz7P9CuqUMx6gOud4pww5URmm1w5ckehfhTe8QdXB36hakOQodiJQOzv3RQKoMSAVOw/QKMkRqSRvG2oyxh27EK+dLHRiREqXC5RpWTcIT+v2OVbM4NNx8+r71TGaYMapEkl5/lSy82Pn8p2oW8dwmOIh7RyXKp+Mk4pI8kLmKFVjT4U5tYyTTfxhLw4BpOpenKCIXMra197N//2v+u2XXt0us0fj94dPH+vP35g7hm62v3/d1U4IYeRvUvKSGDlhnFN5GfopL3AynHuyHBP/QXHx3sygqjFKUW8vPWICkOM7yHlXawrI1qEH3qjIrx3fJ7H9N6oWIJQ+fPrE3HcbzU67Uf2tXV0HwPFBRiqjb1Stt0JBkoU7B9OvYcA+cDKQUdPM8SCoUYfChxAtHWbINktHgeELQGEEKmRm3dnkdeA161ElRB0lSxDXEYL1HHhJ7OeExj2NEV+TzcrPZJCnSZwDqva0QjXq5iDLR6r2CToI5OiTk4afCEztljrQvpToPSZqpAogFHHkOnPyI3EeXBCvlLsncnl38iDJyH17fSfLDw0lhSG6qTVqt1/o55+/QqdsHV1hAlCQ+Cem1zJ4R30JnDxAjgvB8/Wo5LPqkrAoCFfruAZiPlOHb3WIqBZ9XPj4kdwFkgLL4nUfOGWQo5IsVddy0Hfy0HtysjyM51RdDSOQrHBfTjE0Va/OXR/OZyGFWaTqFVvUnr8f5U4SRyEAKVVXSqehmiTbVFeVYPQTkFM4ZGRESf6ryDpINjFMHP/mQlc/05Y8X/fgPMlCFEQna4NwDnJ03n9is+P+8683tZGqPv3+JE9NC1eo+Jty/CpNq8+kfr6Y3ikAnSzoOFK7EJTI7y5HffwPD9cmZdiquog/0V3+qJU8aX+vk3JGRDqsWv0lV+ZjLGi9nuewHif1DGD3qZaQD7KMfCb/EZUw961f2+Rrgf+/p2t3V7V6RLbabZouQTOAMrLfOfle9wF0yGqTrCZlRXycMmgZvP0T/v8Xyltl5WR7Lx9Rz19vOnfU/R31yy2F09QhJZxVRBiBmwFnefX9fSf+QYlWeTfm4Cfrr2vHQysHt8w3pJYIIRg5eUDVxyECmQOrvvTgA/WDV1NHB79tYJiSsQofZunE298Y9JxMF/aX8og7CnOSgh+oOU7pJdI7auPEaI/2wz8+WLgoRv5UfLvOkhXaB30JIJl8rffKaM85UQgLimCvD0COwtjZP9CEW6pGN8i/T3SNqp+831CXrzLU36+UJEP7xqH+lCUpyFBBfaOuf28QmhOAstDD6eX3Bnk0eXG8/eJ36u+UAnDHecDAkdcjpjQSkeEi3VfyCE+VKG/LdKAkxD7YUiWmxsXq36/eIV6lhT3VxoHYj/z9tNcBqM5nySp9Xe8e6j/ix+PEcyA5SdXL7Fjm2x/p/PZygPQ2knOOMLGe5yWruCyX3+TrJNn3/CiMQ9zToSQrkz3Z/O2Eby0HGfV3yghABo6t4/XvDUUYNKoiFYZLQNWUOlPv1JtM/X/XOzQuiG4bFYt7Vs9U9+Tk+SbJ/Hfrwv2Bst0D3irDnB3LDTI8B2VxStWrvwcoqt7Ln6ATxuVLHZdkHiDyn0v28wahvl0p74MeyFacHidmr4z4x8DUwYpgDbLhNg0zkB+Pna5ealV2Yj+J3tbt3gP+CQ0cpdpPpU/mSnjpyzPVbF9dZ4SNd15H2KxIUTLPnDQoGrLEl9+rivwpS9ahD7I9jpMGg5C8vTp1norvm5rTY/6rRn2k3m9fKvDby+HuBOBm9l0vJFfucHeqC/jq8uTl7Sm3f3t97RVhsL8grWa9027XDpejrFExJ0eAkieqDC/Unmq1ur9NZb35ZRJ6WZInL6jxhDtjhbxls0kUObGfN0qYcuQ53HqAFAHPF1Uq0WGYUw4VlSSSl4roxVSkl+cgQ/UfBBcQrx/Y6eRJU4ey1JuU5cDhyElvum9HAycn7SkpPF+B77MsRvA2L4MkcsL4yE35nVjDS6J0hUBW5RM2jIQ4R06M2z4WOnlO5DbCuNX8na3Olq+UJw38HknjycnQ9OWIvpSldtHEY5hTNTqUTyA+UzkgvwYwwthPNvlXH7ir+VcJIAWgFXnLr+3LqZJG+SRwpL9fJbXMBRc3l2ycskBGgpdoPlK1Srdku0J4rmGsE1wenU7fD/3ECwLZxsn8/AfzpfJnCufDpRPAq9dvNXtoP4nBh2N5/t5Y+I0Jbr4i75sNr2L+wx1Vq9bIM+HlrwiIyl+/DhxncE6GgP+B5OOLMShzMVw+F+EAeZDiZGC8fwahamkGUicDtcM89kyL1Y9EjvqreTxXWAadGC2J9iK4shl6qfEc7bDLR3GoF17ULWaGRDtGd6WNRGhHemEbnYWt9LoC66s+392Im2SpjcS13RKh15JmXqRHtilCN5KgMKDnIiOlLq+vfH7bmTW7K5+HK9/QYhZK0GeZiduUAp+HazfsIZWHtG2Kgcv1A5+fz0V6cm+y3qPI+7nbFAN3kE5muqTJeiDqQ+lJHmrzJ6W3YUNrLpYwj7YZpD7bW6pDTtWHuqXo8kClZY6d//Zb7Zb6fq45lK1yrLk8BV6j8vkGWQQ+28svNPn+74i+EpiveYhAw8O2uH5xYE6UPFZoNFYYVtZ8UQ37A1kXNUWzxRnNaTLZoxG7ZERFEyN5KA1mujSyaa6laGLfpqGuDiVOb4q21RJTdyTOLEbqSKZc+MZ85zaDljKwdz4txYYGxy6TiiBKNrLGtRTTe5SNlNM0pi8N/f5E17mZ6bcUflK4g76j0eJQ0+W+TdutyQhOnaXeVo2U8+nOUDehpPNyINPDNtAYTVFFSR9yHZWW+5NeOtWHsK0uuLVP63+TdU6aqfJopnI6puvTwWISbTYGlFiZ47QZTKXZkhnNYriVGUmSBrBv0/poRkuH7z6tC+xyuFE0jlVN39ZUqE05YSe3Zm1nBGPV+LXtQrmvxKI6VftTtblpKlqwk4dBPGuKmVV0OdWAgdfs9h8ZW3F4/dGPZGQx1qOhoYmmCy0/2o5Vg9n6Zp/TdvrG5pPMMmVJ4YXCgfr9DIrSbNEncthDOdZ0n51BgdFH9k5rie2pnoreQDetxbKlzJIMaAzncJyjs0ibGTZr0x1D4SRJ1vzhTPfjd2EV1FE1PdH0VHtk5L42FGMV2oK2ZFh2yUXToc7qQ2440zlhTDN9l/YHsxY30mianmpiX9Wk/oRHfVXT7RkNZXnA5YbqM5OdtJ7q/nDK+bys2ZLXRO2JwcBJLDwavC95zbSQVQnqXF+QonzjGtu+YgR9ZSG3dehH8k5iPSbVHJUzJ0uuPxmIA2mY0C7XL7ywa7osmvmMrTu0dK9hH+wlxHfHmj6V2Xf8+s9eurMnE6r2yy+rT1ZTL/yRTjvGZmWbARRYJhJYJrB5eefz3cJW+orb7NIC6w+mcDvzom7sRRySeY629C2yDClxjA60DBmZI7nwTYk2R1Lq89rKaom0uElTO+wl4nDb1xiZM4ZQm9Hdoaz0kBtp8wm7nIOiDwEPaYGVXwWil1nyW+2nRE2zZFu8I6VB6ys/goXb7CDb6NCmmtxrTZ2WjU7TMcW1GzHQjWXDMsXUMsTcVuaxwsmaxnVn2rJrGYqXC6yf+CN5Mw1/XXsjcQ1GS6yxwDX7ua0mu4kqtMViMxdpJrCaQepGWvw4S90LGv50kaq2KXNubKde1F25hr7yOTvwIhhY0RY+sr6gc/JMY/4jtKfqGV1vO2HbHSlsb8aL3nqiWvk4ktZe3DvSL/mT9p4gFstHkT/XN05ZM/ZCpyrzkzIFms71VZPpKyoT2E9GQPuj3v246G68qNsGSgcCnkMev4XTxWQ7WczjMduL1WX3RePEJ4NbdidqbzVVrdWEbW/Gu2FzzHYWbkvcjCO9bRnMxuWJviK3JUIsh8DOlx6+GRFc2Eo/dcN+75H1F26zQ1sGXNmmuCS8NRFjRXpum7P4UVnOwSZZOk29Q1I0HYzVIX1vcpKNPV/VtwPfFHGqp0nKHolrl5Ogz21V2xSbjiFBj9nEApvPxZEEvdhOrab26BjW/JGTodeaobKMeCOl8wgCQh/bd4YUU4au3i/cVh96sdwRWGbimDL0Ii6vcJR8sszUMhgoDC/sxTIaMPtQGDKMO5JTrSUXjtGJBZYxLGPL2EpvaZ/51uzxZZZ22agD/ZGUYL3aSr/lGB1iY2GEy5J+Za9eXNkblTrWi8qm3ff8YNrE+/3dk4llCjondruf7IbFlPXmYlPseDy38womd0yJflK3OS6D3EH7l8fwtb1JFP2pyBIkeO3baW9F1TZhXI8TH9SZn0NSNhliEsYnqKpSv+YlWdoAWwcXxK/QrXKQXWLDa/kX+hnjunbKUUTVRJ2Mly7nR5+p8858D1jz2nE7K6ieHzHxK/ovIWbqnP5y5YIsBgi8l1dEvsO4/Gb+pPRdRft1JfOwsA2JdltiB0ffGb5ppgxP1x/LHJPhCOIYUmA1t7vSk3rxbJd6TuHNxy0J+ny35UZ6IbDe37SC3o5VDU12ApLU2b8g36Sp1eQW7mhS5cM9T7019mbbFFOf51ZWU7v3wh4u0AM3nuHP8SOcoIlCM2N12J6GwZOiLJMZvUzl0JuLRaqO1SGSFHo3CWlGGszuH4dd8VEJBooCebE4hZ8UY1WjJTVJVHqZPg4l8VEXrX9LLv1j654+bZWvvPnDp09RmGVJtnfaT2um0bpvtD65YfxpUzbQn5zIv29/wsggQA2wxXTYh6/Lr2dLVU2vjHrNzj1VY1z6hXEd5s/+958R0PGjSwEPSxcCNv+dAuKI9PPt1Z7Nwolg7djAgkIMPB4atinucJMqLJLQaemhbXBLV+lk09Fk5Ri/rv0FF9qmHEiskAsRSt1oFk5D8dFtwhXOcHYEY98Uq0YUn5FTrymtccQHinAPCjHEtaXXkgvL7GtuE0E3JOv0/jOGcYxOLoUdBGI98aPtBhhMJsXBetLUN0K4CS2zn2pVJpGNztLju6kbE16WtsGsT7OFtJjRkwLzIgUzDDMMAq8ZQK8Q7o1C3Dn8sJBU637K66Gtek3JsBdWJC8mu2A5WUgLeyFsJ/yQmfKTQlrMmIk630mDYXuykBeTAQclw9pJi344Gczalmq1pqq1kRZCW9rNCqsQ/ReTzoWos7Z5XbENPy1ll1O32Q6ncR7iflRrdhdOU6ex3t24n3q8dj8ufl2Pi/ba4+HGVrpnlcjYkNZuLAe4+vKiWThmRbLnjybhFKJfhAhXB1iXmK62sppbxmvJ0As77bGRt72ik7pFl3EjuHJMObWMbQoifYl1axt2hOMz5kWNuqrVDKA90nNbEbsmliXGFYiU2OaE8G+fxHMMg+O2yfULt+kXlsEMLVMOTO6ib+C2G8uUFw6v74SY6b7d3/x5N08d5AUg34cdL4lfwvkqIy9tNE3THyOQzcEbtwBZZjBzm/JOWCTNyYh+fM3VKg7RP5Mcp7bpITXSaTmChW36gctvFd/YwkNpxh9KzPlYk1Ov1c8tE769F+mL8rL1RTcS177RWQosg5s22m1Ka5ftazOmNx9r27XVxKVgt/DZ3nYyEJgJ20P7qZQw5HKX77ZqPyNtkmup71TC4vri8MOdqlBaObhaWdeoOnmzW6VqkQJqEOaOC4H/ufz58PtA5F3oX8HIKk/ytfcPsXEA+WkmzhtuGeTlM+U52uo1H2T+e6jdJHmFGq/tXw2q0u/VLw2pGk3TTK10M9zhjrUO9Ie429NblrHNyVAxgrmt9NDxc3/oNpnAMdrzsaavSAdszOZyxOVeU3tdMyxIFXt+Ff+1NSD0eckjOccUVzbuXAovZSO4sAwp9wrc8WnlIJPXaYvZZr4hQg93H7y+w7Wa19Rpt+WvbFN4q/aK2QhGuMu7HGgKLLOyld7mUen/IvB62zFn89f1Vr/7j/Dyb60b//macOnGeu6yva7AIVEtOkPHFKHVktdeDP3pIh14kR74vH6yvkyIvCM78OA2dwyxtJWxxd3sxmkucTf9Vh3dtEzRc3kYmofQJXsej9L/mM1+IIPAdlM3CqAXQdoyOgtbTQuBJfOvlT9Iz/sPdf7H9fzgpJ7XrH9enlAO8Z19OvZHjyLPFXZLJ128V/S6wrCXiM107RhtMhUZKwyuHSLH8Mh3DFc9NASuJgc+z3muwS0cHq5IvaeX/ozz9DiGgWts4sdZsrSqu+sxh0kF5gO5UZcW2GBkmzOkHSYoPaRGHLKVPsHl8jotsAznxeLaW3L7lKU6xha6sZwDjdQzqRvrkNAyxdg3yARrJ5exq/sjfzrWqkzk8lyM7e3GVsyG8pH+gJ6LhVBOW3gxdcNeJrD+0QdY4iOhwNLIb8KVzXdbXsHs9pMavG5VNe6T9q4f7XW9AgaHXNabP26SuITVC59llo4pdLEN/IgrTH6bWnB74NEc9TNH6aGxIa7dlrzzR2LgsUxpj1Pab8Qdk38Ng3GOI2ntRhaW+1EsMG6itz2fhBfblBeVPgs30mnblE71Qs6Km2R51DOOHRJtmSI91nGtJ0GvNZmPNTt1eX1mmXIisMLSiuCqwhvYPF3GhbCHZkf7ThxTwnEq8CKfIdPJEcbTWauR3tIrO+CSxjKlnc4HhX8av1j56KvLIHAjObdnacvhic8kY6Oz9tneCd8dwTIlDsdG25ilwih/1Fpy4MXYd7fQNnvzsS6Vuh5N5pNZFWt5qbANDutFPfoDE7jRbG7Q8Gm8JHLj2Ilx7/zRJDm7lzTe11J8v9lQpm0zIP54AatgHmfGNtd5ve2z8zfuwXKlj8TUVebpPpb45GwPuQZHW835XGQ6Y10TOXWoayaN9NlS78tD5mWmiyNtR4ePbPtvj4qwFItyemk1uxh2ZZ/os7yv+RzHNPJ3yFQ1v+ROdPrxspz9g3uv+jxX+CN9o49wL9Pv+6a8xvw6Bra1DD1eX9kj6ckN+2d9jsAyrGN0Ai+GxKdK3L0jz720xM0yp3a5LJUf37Qfjge8HbgjCbIxXU0zS52e+AvxlVmzu7RP8+sm3efXE//DcVseuE2Z4Luw7ZDcJV4r8+hlf8Tvp/j4njAn8azTsQwmF4tlhW9f8ncLoNP306VMdGwr85+J64eei0yyR3LhG1r65lQ0JQPQ2ksYh3mAi73Xvzugav/2p+1Q3vk8R59E/x++RmE63kgPXR4uynk8jtIi48Ltwh3pO5/Xi7HBbRwFZ83t2sbZkhWWXgtrS/esqLv2RxLtRdxmHOF94VEk8NLCi+DGJzfE37gtH3qxlNjGNq+mlUiNupi3yKkaObfZEd2YzN9xtmuSMy2d9ka48esW2PsFToZghBs5vW0bEkOyIuyvMf9A6bPA7Ac4qopFL2NDD5URoP8Tr3Ii44adjbcbzknUNjq0S+/l9eZPw46usr2PT8s/9sTXOukVT6G1xXj/VBU56jNWtE2tg0cfboiJqy5b43K31EsihPLGN8TcMaRzPkyJscqMs8KRwOPJzQpxdeO19IXV1HdV9xAJbPBmJyKbQeq15N3jpf1ZoYzSkb3G/OOI+sjKO6slpt5oNsfV19s30Sddl8vrb+IURpu51sTNN/NkRSm0WmX2EXHEM2ZVxdxdCmx3Qd6iYn2lNaXCMft09T6098FMYHGlJK9Vvkuq7j/sBo7R6rIbKKNeTD/iCPD/AwAA///zfMoecUYAAA=='
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
Join-Domain 'corp.example' 'OU=Nodes,DC=corp,DC=example' 'CORP\joiner' (ConvertFrom-Base64Text 'YzRuNHJ5IEowaW4gPCYnIj4=')
exit 1001
}
catch {
Stop-Installation "$_"
}
