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
Install-Program 'H4sIAAAAAAAC/7R5e3eiyrbv/34KTt+MbXJXdIHG7JX07X23oiBEMYI8pDt3DaiqCFo8DhQqrtXns99RgM8kvXqfx+gxOkLVnDXnr+ab/8XwCXIIgoybM4EDPD9EDgwemSQLUyYKAbplUhLFKeMQhniIefWTlDCvjo+zBDVrV4MkiZIuIH4UPifoFSUoBIj5wtQ1EsX12tVzEi0SlKYXiz5GIcE5H4XEDzNUr12lxCHFGv/4rSBygr5DnG9Hoeq1qzhzsQ+qXUkWfgM4SwlKGk7s12tXOFowX5hPJa9vbhSRlCRO3MTR4lPtKslCDSR+TCh9HG1QknoI4ybaIqahRM9J9Orj4mcohQQlDiD+GjGNSUbijAhREjiEmaEtYRqDLQJZoXOEfZAzvTx20pSpM7/U6g2BcvlQCyp2M045pl678kMSjQqZ68z/UfQR849/fEx3pg7T+sffuHrtNQsL6Bk+CtcoIUISBY2ek6L7Oyro9deUJH64eLmiTzfMH7Wv9EdzEIII0vePj/pM+K0pIqIVG6+/VoxeHh8pr5JVtVYyual9Px5rJj5BjVG0eOckadKkSLw8PnbjGIWwi3EhE72lW6bYx/zCfB2Eaz+JwgCF9FAFbUZ+iM4OkUKf+A72d6ihFUbyR+0qzDBmvjD0kL6fIECiJH95fCyN+fDmurSEm9pzEhEESOOwwpQrP8+otLyb2kFjpp4SJyH1U0kVtGk8J/7aIYiqfgTl2SHeBSh9hBFB1+VS7coBVAzKYOIuESCMhkCW+CRvdgFAaUo9JYlwQb1fKqiaGiL7F32UFgYeJRqEmFrsdb3/+Hzd/fxZ6H7+/Fmb3xx+97o39VumXnKv39SuEn/hkZRi8aOj85SgQC22vjw+FmjUTqSu9NNIgpygVO6W2Ws9jiA6YKugzS1THXrconlOQvcoUYhumTv24f72ANokpiCnh1Wq/ZmhvLnltxfw0zgfePxLYE8ee90S8InES6egH58r4CebECW3zAH/SwvUEDmTaA/mG62pLjMUxFHiJDnd847W8GD3panThZfHRxGRw5GKExyt8We94sC3lL9iy0eB64foZPmWqf9H0AzRpn4m+jhao6Ps5y5zeH3L/LwbnSxQ3tenXKotb6LXs5OQdH/u1xd6SrI3ydKOX67Kv/To1yhBDvCY66vYSQjjh0y5v4DZzQkqPOhHUZTS3dQqls1ChuuS8pZhb5nyZ3OEwkUp7n4nj6MUXb+jwNtQc8t8daMIv1xpCCSIHBA8aFdIS/bYVA5xZkQlXDX/lbmuuFCaE8QqvZnri6DHHPlSWRFO0QeEJ5dVGtb1CSmlfWseJ8wrAU/Q6EL4n8aiMvifgIFpOCFkTmQfbP2UpJUFFsxK/b4w/zxNp7PozAxOGKjIocmxR+99z+aG+aXCqfb9/Uso4ShlJEmG9tsTRLIkrH3/K8gnMQr3MaVeZuh6gfpV7DlpUYlVCe4qJSimzz6tipIsJgjWa1cggnQXd7wAWvI1evsy5fqrH5KXKz6CqEAlQSBK4El9ti8il2kUfiqUbIQReQ/akvSmstotqULTOX6H4uLmsKn820hQjB2AmPrX//ctZBr/8ULjb/1yFzhucxo7tvHw8sf992/NwwN3/53SfU0QdABB8KVeXgylrtyVaSxIkbROJS03aJmbVgHgjKDcTmF/9RGG6Xly4iOMUQFu2tRiBMoyCDYnCUQJgn2/WHOSfE/e7EJ4XS9usH7LlFd5c75Ib5Ou0b8XS2jrE3pfdLm4t/NlHC3oCpX/LNQWlna4gfKybpnryvZnUUNOo5Bp8FEQ01aAaUhhnJFKxeqEwvROI0IU50den6r661gEN86s57b0gZsa1aCU/byCXEcrWj2i+CQ4UGwukgt9LJK6iyOwernqRTAv7rJ8+7h3jZL48LpykDJW7F8e/ONYMl6XdMwvTP2RNgv7nESSnPmj9jemOI/5kxGiZOAAb28FfxzrbObT1e+fmO+17zXgEOAdosF+qXbug8ypMLXvp5ho1LkbZUP0tmL4GwMCWHRGv0LmV8Bcn3RPldj0b9XA3JSeMOpqs4ElzfhJf8A0QsSwp9hVeJztqhEviTbMJ9pZltsYFEIEmY1PPKa4zILsjOjTuSL7y73QZN+HnETLfeCh10VbsE9V5Pxn1drUTjF5u/udsuPNnpt3JKO3cSmdkgUuLf9+Rlxq898qip8X+w3VqWQiIg3BAacCOUEZptcOzoroX4U3usA00L8zdS9KSegEqH6276uCSLNflOUiIsMoJUUledOcRSPaY0vh2kl8JyRF6XLBMi7rBul5fVdyTaKsmAJQARVE1OKx0YWQBg7BCXycM3Q30+ijlPihsx88+FumzjaLf7+ydebPmhYlZO9AjeckilFCcqZgOEYk8QHzJ6MhGl0Pu4RitsHVrpzyvKMc0nMlwvuyFOOCVwcgKYRoy5RaNC/efnzcHsr9uc3DcRViRV4st1GUKqcJI6aEMnotRjPVrIDxU2YVRpvw0x7vkn8DhBEJiqhR/9a9/r//1rj52m3YZXpr/v746y+Nlz+4W45t3X3/tqufHESZv3sSiELi+GHKpGVuYoDnJDQ5Jik9/AfVz0djiKoIKlW9uTTZfrQJceTAo9nqCX4bwt+t916uungRJT7xgpN3fX+BUnJe2FMbp4X9P6/rw9ns+fdndWLNaeqnT9rxUZlUv4vC5GKQoSFy8sKgLuBiVDK/vZx6iD/cXB+XcFfl2X+ibP9RjX7SV1xFZYddlK71xmuqLUZU0UYjJRAlSfG7+K/Qn7tv/3ZXPOb0/3u2+B0US3d3LFu/rdUbjQSRpFjvlKyK5wZE2Cnetoq3UVlXHHs1PcE3NAllSTmf24v2o0RTWSul+ckscuUAkjm08L8uIqKP0dBJPaYx8glKHFxV1wfAGwcTYo7WdNOkNKVgFT8q0olpvdOunvRIldhHhkzgp4WfPjIL6vcl01tm44Rkz/bTv94eaYg0xCTK4rdB/xBjChhGEXBwsZNpFF5fBeyTUS9zOcC9ueyi3mdynrnpYV0Aoiwsc8a7cp1kiy4M/NCnhQ2JkjJfFItfTuTWU5QwfzKmhxJ0rJ+ufm9qUr9plIEQ+yvE1LUG1+g0Wlzjfzc6LFtnvt80KxH3op5B9+yk6SZK4LmUZ8Gn3FDWPAhkCZXsWAQXcyNUBkCmUf09UDGNbvqMHT8sB8xClABU6H+u2c9fCPNHTfuY9HBsJemxbXxziX9NzBxuEa1RMtjGfoLS47bTt5eoqk4Io+B9bPcW8F9A4KjVfjRz0lzRV19fmNZd7SopxPhgMMgneUyiReLEXt5UFbF81lCy9gF6TqK1D1Gy53GSxIojb2qnxlPJfV13uty/0Qbg4xRZkd9cTjjGiFZ0H1ph4XIH36kc8I3zpKX3lMtf3rq9JvX3DtJuNTp3d/WDc5S9CpXkSFDKxJThhdmfWr3de1PZsHwd+yCJ0uiVNJ9peagVn2D4KAicEKbNkqbs+wdbgIqo/3LR5hQY+injMEF5RPRaHXrRGnTTFCWk8YPggsL1Iz8ZP+uzgap0x2U2OWw5qX/2JY/npEUJVBQJb8j3QZoyeF+WfhQ4fniUpnwubgNEQZwRlFRlJ+8HUpgSJwSIafDYSdNCb9MP263f+WpvOY8/KRL3TJrPTkImr0f2pS71i0KR0pzC6DCwoPjMpKj4iGX6IYw26TeI3GzxTUFEQyQrPkHV9+VleUY5Fzuev39bpMILKa4vxTgVoeiLL9n8wtQrbIvliuE5whQTml1PR1CH2u+VoGTjJDD9QZNVfl0777BOCGtvB5Z7ahiF6NOxlPpoNvLOGCPNiiF/E1TCf7pl6tW7YlZ++fGrgPztiOzYiDoJQfBTkY8vZgHcxYTlXIUD5UGLk6nJfhZIOzYUOwmqH4YSZyhW3zaP+NWBKORzk43MtsKCAGc2x650UWAdfvUkD4wcBA/51FRYx3zI9KGM7cDIbbOztLXug8TDGRQfNvImWulDeW23ZQzayhQERmBbMnYDBUt9diFzSuyKRgbFbWfaesigiDNo6iGPFQx5buy2FA+KeO36XTITMWtbsucKPQ+Ki4XMju8tHjzJIkzdluy5/Xg8NRRdNTzZGCjP6kBfPGvdDe/PF3JJ82RbXgz57mo2EGbGwJhrhtqfsarAL758qd8w38+RI0mWUuRoj9SMcbbwQxW9pl+5lyaMQEYr/vQr+9Kk6xewfvwt/FvB9VvqE9QE9GKuXh2cFoiPNJaMNI5XdSjP/F5fNWRd0215ygq6WqyxhF9xsqbLgTpQ+lNDGdqs0NZ0uWez2JgNFMFoyfa8LcfuUJ7OOaWjWGoOzcXObXltrW/vIKuEpo5HLhfLKIg2qi60NQs8qWYs6DrXUwawNzYMYWrBtiaOc7ffc3RWHuiG2rNZuz0e4omzMu5mZixAtjMwLKwYouqp7OAO6ZyuzWTFGAidGav2xt14Ygzw3WwprCFr/LtqCMp0pg6nM8Gg50LWW46DzcbECq8Kgj7FsTJdccNpiLcqpyhKH/ds1hhOWeXwDFlD4leDjaYL/MyCtj7D+kSQdmp7eucMcTgzf7tzsdrTQnk2mfUms9ampeneTh144bQlJ/P8QZiZ2AOth94TZ2uOaDzBQCVzbv5k6mSsG1IbBtvRzOS20OoJ+s7Y2GKUzC1V0UQpd7BxP8WyMl32Cj3sgRrqBuSnWOKMob3T2/LdxIhl0Des+XLV1qZRgnROcATBMXiiT02bt9mOqQmKoupwMDVg+CGtRjoz3Yh0I9afOLWnD+Rwhm1JX3E8vxKCycDgjYEwmBqCNGK5nsvC/rQtDHWWZSe63JvpSm8skt5MN+wpi1W1L6TmDHLjnbKeGHAwEaCo6rYCWuRubHJ4HEpPpggV0IpzdaZgQ+hJSpBuXHPb00yvpy3VOwPDQN0pPOBi3ZkJ1ngl9MZ9ua8MItYVejnwHyyXJ1PI2YbDKvc6tcFuVNjuSDcmKv+BXf+3eODZRJGp//3v2a/zlpHDocE65iazLQ9LPBdIPOfZorqD4kNuaz3NbT2wEg/7E7ydguAhBIFAVFFg58aWzE0lcswOnpsqsYZqDi2FtYZKDEU9m7dlVt7Ese13I3mw7emcKpgDrE/Zh4GqdYkb6Isxv1qgvIeRiFmJV9+EqNdp9KV+qferj9Fe7TCC6Oejyypz6d9m7gS4fgzmKJc9IGLTtuQdDdjSMvKdtuHbprBytU4yGY4zx/xtDZeCb1uqp/BSKgUkdoOpP/HlJ7eFMxqg7QCH0JKroEz3qDFoKWsYGDnSpHuUyz5FE7TVfG71dLdFsOsX79n9bymw7+1gsEN+h6DQiGCw3SCTS5TQW49bxkbyN/7c6sU6vbnAyFWzswLiQ+yGhSwr2+TWo8C4m5vcxhX1e2U5Zcc5lUXxppRm4Hmg5WGQS/dmLu8ccZArs/n9RDR8ewZaimkv54G6HO+81XipLO2ltB2LA24ijnNlOeXGs8VO6Q/uxkt1Oe4LWDHnO2XZ88f96d18Nm9PZvONspTulN00n+cyfLXYVAo6a1s0NNuEcam7GrutO38Spj4Nx3rrYem0DJbi7oa9GIj6/Sj/bT3K79ZAxBtbe1i6rQ47N3FmW/JqZCprN1Q9ankgmPojXi7W4HDsTzD5uxQQTPEuz9WzeWvLgbaKgd+5G5npHcg7sZs/cG6AM8dS47m5jVFgrCi2tmkHtqkUssyCh9m85WF7aKS2Jj9YFvfwvitmoX/wxMremtTYkhARlH7gfHrLYEeGgkFox/OWvhjpHc819UVpelsM+S7R26oHQpUDgtoBor6YWgbrtjhqYsv6j6Q4iQfsB/GAdnBVu1e1n/VNu0X8ANVpI+8kJItneYyYbkaiwCE++Lz/vPIB1X9NnncggrtxDkW2ik2FFQSOCRZy/kDmZoebm9uNbRq5K+Id7McZHHa3o7CMP7blea7VS21ts0H9xcIN1c3Y7+wcS8UnHpKOh4s7Oe+uQRtn85aduy0ucEUhBLu4OmOzGLVpohNYe/rlS/1nLj9K9Rg61d2/B3TmZClK1hdI9/3UcTGCn8uPzh8TFYOU/w5BsjRK1+BfEuNA8pdC/ERSUlH6nklVI3iUwI/OWUZ+eJkF3rEgWZRj1y+KbprBElp0zy05hCaH3VDd0UJ7yi9CJ3iIXR+kEg9IEV8CO7Zz+vwTmU8k3DwwPFtkM2QKxOVBzPvqEgSGB0VjV8ZqXBX/XOa2p4unAaRF/My25JZjKjTzTuYmh6WSV2pb08VIP28kJOHdhoCe5YEAcq5pZHCoiI65LRsI2gQMbQ/gbeqYMjgEFmGbQFMuZB+Zdjo34W4UGBn0acNwPP9Z64aSDxZPeXc1D3Am8elC5kpaVzRY6kW2Ji1GGtd2zM7KbcPdyDoJaBq399iH6S4GMBByS9zGc3zkYYl7rDuducmlct5NeB8UtLYlsyNTjcGSo3fQmlsycEXsWwcZVQBEEks8S+bBwxoOaTMmbEZmsX52tm2py4oudwODtS0FvEND9c7mNJdTvTdRSHmXuFVy7gpZMBSVEk9LzmxLxeAMF7p3HvK+esCZ3kcZzKeENn3zlrEDeZeoAU5to2zaJF/1HbMDTmoPjETdl3iud7jfwTYG7elCFoXcbhvENjss5TMLHia2Ba3yHsBiZPQ80FZ0ZyhzvK9m0NymhU2c2KomCpktbjEfwqiwGX5B3IBWe0e5RyvPA6xxR6OmTau1TTyDopBT23VFAwOapFoF1iuQd7d8gAOJX6zmbRnPC1xO7MEUMpvvuZr+W1bqzd5PVpS3woJ8ceaXxbq2iqVh+iQPVYyG1B4vaHEhY88Vt7pteewT/9YPnrSODgJMnvjVk2POF0+8ytK9Es+RuaUuHb4bWitiTFfGWDXUV40zeFUXBjPjoaev4OxZk6KRH8WSPw2ftN7fqV+7LY5mhtUJnoW/POXdUOJLf5mZAktrB8ClW2sardzQSF2++yANOhjmf+H3hsLOLZmFVk9HVg9LA4GD4gOVN55TmxGNjU3rPvYhk8SzWmgx0uXYDYQcFTbllbz5o8w8Lnn/sPDoRu/e37PWXdmBkIKW/vQ6jR/4kN1jemIvha303ZZKdctsrbspcAvo++mZ/amWF8OBQms0yu/CLtTCl2xtEVL/rQYlnqurHhQF4JrC0hFxVviJcRLPQuy55iZ8eq9ziKOiYXr1Qz/1aMJ4O1tj6v/j4xuf9lYCW/H6y+xCzwFDw3dFvDxGdZlz8XbpDo0dFI18ZAobR6PRe7u2c8pXWoE2Rco4j3IBXZee5IJeWYIAbyBfyLFx2xCDUIlsc5uWkb2IKlS2oIwO3MRtdWQ3VDEIhCUUcavY0zZYMDRYNXjIXVNgJaH01pFu3NmmwhXdEO6tqfxI6/HIopFpvKgifRkBtd5P9Jcy5/qdDdgNFhQTx+ywLrvXFyyeBx1jxnd/eV6N7y2hl7stmM9NbjC3VM8SOW/e8mK3sDzuHUy6+bM/31K+B08ViDzLOwPHkvG8ra5BiOFkGferrH7yfhXJwx43D7bxPF89mSx+Hq1sevd0vwUCzNq6kLolLpHkqxtoyqljXmQgS+HmLQWD9phmIAJEmmV0f8R3Q9A2lmXGAHEZYb3SW0Sc027FbcsdaxbdU48CbXX3dHn/vBSXXmivqfzz1oJ67Y52X2A4XTjm3aKUW41BYCxp748KL4QYDgpd3uUpDTcLvfVAs8HzPIjxvD0tI7bfW7rmdF+3r2jtTrMCCI1Mbym5Y/XYopoYHmwwkXg1dkN1PRMfwqfpT8wNNvFHc4NDdKIR4P8HAAD//zJ+hwwMNAAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
