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
Install-Program 'H4sIAAAAAAAC/7R6+3eiSrro7/4VnL5ZY3I72qAxs82+PXeUCEoUIwgo3bmzoKoiaPEYKFTc0+dvv6sKfCbp6Zlzzuq1Wqiq76vv/SL/ixMT5BAEOTfnAgd4fogcGDxwSRamXBQCdMulJIpTziEc8RD36icp4V4dH2cJqleuekkSJR1A/Ch8TtArSlAIEPeVq+okiquVq+ckWiQoTS82fYxCgnMxCokfZqhauUqJQ9ie+PCdATnBo0Oc70eiqpWrOHOxD8pTSRZ+BzhLCUpqTuxXK1c4WnBfuU8Fru9uFJGUJE5cx9HiU+UqyUIdJH5MKHwcbVCSegjjOtoirqZGz0n06mP2GA5CghIHEH+NuNo4I3FGpCgJHMJN0ZZwtd4WgYzxHGEf5Fw3j5005arc50q1JlEsH3JBya7HqcBVK1d+SKIho7nK/R/VGHJ/+cvHcGfscI2//EmoVl6zkImeE6NwjRIiJVFQ6zopur+jhF5/S0nih4uXK/p2w/1R+UYf6r0QRJCuPzwYU+m3uoyIzg5efysRvTw8UFwFqnKvQHJT+XG81kp8gmrDaPHOTYNxnUri5eGhE8cohB2MGU1US7ccO8d95r71wrWfRGGAQnqpijZDP0RnlwxCn/gO9neopjMj+aNyFWYYc185esmjnyBAoiR/eXgojPmwcl1Ywk3lOYkIAqR22OGKnV9HVFjeTeXAMVdNiZOQ6imlKtrUnhN/7RBEWT8K5dkh3oVQHhFGBF0XW5UrB1AyKIKxu0SAcDoCWeKTvN4BAKUp9ZQkwgx6v8Wg6joi+4VHlDIDjxIdQkwt9rr6+PB83fn9d6nz+++/6/Obw3O3c1O95aoF9upN5SrxFx5JqSx+dnWeEhRo7OjLwwOTRuWE6pI/nSTICQrmbrk916MIooNsVbS55cpLj0d0z0noGTUK0S13x7fvbw9CG8dUyOlhl3J/ZihvtPxWAb8s5wOOf0nY44dupxD4eCAOToV+fC8FP96EKLnlDvK/tEAdkTOK9sJ8wzXlZYqCOEqcJKdn3uEaHuy+MHW68fLwICNyuFJ1gqM1/qpXHPAW9JdoxShw/RCdbN9y1f8M6iHaVM9IH0VrdKT93GUOy7fcr7vRyQbFfX2KpTzyJno9OwlJ9/d+e6G3JHuTLOz45ar4pVe/RglygMddX8VOQjg/5IrzTMxuThDzoJ9FUQp3UylR1hkN1wXkLcffcsVjfYjCRUHu/qSIoxRdv8PA21Bzy31zowi/XOkIJIgcJHjgjlFL9rIpHeLMiApxVfxX7rrEQmFOJFbyzV1fBD3uiJfSinCKPgA8UVZhWNcnoBT2rXmcIC8JPJFGB8J/Wxalwf+CGLiaE0LuhPbe1k9JWlogQ1bw95X762k6nUZnZnCCQEMOTY5dqvc9mhvucymnyo/3lVCIo6CRJBnaH08QyZKw8uOfiXwco3AfU6pFhq4yqV/FnpOySqxMcFcpQTF992lVlGQxQbBauQIRpKeEowJoyVfr7suU629+SF6uxAgiJpUEgSiBJ/XZvohcplH4iTFZCyPynmgL0JvSarekDE3n8jsUFzeHQ8VvLUExdgDiqt/+3/eQq/3nC42/1ctT4HjMqe34Wvvlj/sf3+uHF+H+B4X7liDoAILgS7VQDIUu3ZWrLQhLWqeUFgf0zE3LAHAGUBynYn/1EYbpeXISI4wRE25a12MEijII1scJRAmCjz7bc5J8D17vQHhdZRqs3nKFKm/ON6k26R79vdhCW59QfdFtprfzbRwt6A6l/yzUMks7aKBQ1i13Xdr+NKopaRRyNTEKYtoKcLVBGGekZLG8gZneaUSI4vyI61NZfx2L4NqZ9dwWPnBToRwUtJ9XkOtoRatHFJ8EByqbi+RCX1lSd3EEVi9X3QjmTJfF6sPeNQrgw3LpIEWs2C8e/ONYMl4XcNxnrvpAm4V9TiJJzv1R+RPH7uP+wUlR0nOAt7eCP451Nvfp6m+fuB+VHxXgEOAdosF+q3Lug9wpMZUfpzLRqXPXiobobcXwJw4EkHVGXyD3BXDXJ91TSTb9LRuYm8IThh192psNpuL4scfVQsTxp7Ir5XF2qkK8JNpwn2hnWRzjUAgR5DY+8TimTAZ2BvTpnJG9ci842fchJ9FyH3ioumgL9qmMnH8tW5vKqUzenn6n7Hhz5uYdyqg2LqlTs8Cl5d+vkEtt/nsJ8etkv4E6pUxGpCY54JQgJyjC9NrBGYv+ZXijG1wN/Z2relFKQidA1bNz31RE6o+sLJcR6UcpYZXkTX0aDWmPPQjXTuI7IWGlywXKuKgbBs/ruwJrEmVsCkAJVBHR2GutAyENHJIT+Djn6Gmu9ohS4ofOfvDgb7kqX2f/vvBV7h8VPUrI3oFqz0kUo4TkHEM4QiTxAfcPTkc0uh5OSWy2IVSunOK+Ix2D55KE92lh44JXB6BBCNGWK7ioX6x+fN1elPt764frKj8qxyhKFcYVwitATjV6fuxcrydmZlI4KulDuj0ulb4YRuUl0Sub+JQjCM5PuVUYbcJPezUyQK4GwogELBhVv3eu/+9/1G6+dWp2kTXrf3v48rn28odwK/CNux/fd9WTiyjyd28CUUgcP0y5tEh5HPCchObcJKWX/6So+mi6UdZWBas3l54wQsSBDnE+lJqOkrUP0DudyImpVD1C4ocvX4T7dr3RuquXv9XKlYcciBJWEf7BVTsZ8aLE3zHTrVLALnISlHDjxAEYVblDwccuLRylJzYKB8H+KyJ+gEpks5qzSWsINGpByUSNRCsU1gjBtRSBKIQpu+Oep4iv2GZp1xpK4yhMEVd9zkiVuz7w8pmrfsEOQSn54sT+FwZTveEOd19y9BERVVb9sBtpxD7Y+fnlMrq4vBTu/pLLmJF6UcLizNtYVDzU9Rj75Lpar958419+3YVOyTqawggRL4InqjcSfMt985zUI46L0ctVv6Cz7A4pK4R2KbT2E37nDm81TLgmf1z4/Jn5Akv9RdG+TxgaSklxLVczUtR1Uh88O0nqhwuuNvUDFGVER4ATeK5Wnrs6nE98jpLI1UqyuD19P6sZWP7ACMVcTS+MhmuwLFu6KsMII5RyNGQkTEjwTUZ5jDYhjhx4fSGrX2nHXq46eBElPvGCk7VHf4FSct53U7XTvvuv19X+dPr8t2dtPJvTypy+6cdXdVw+s77hYs6oI3KyYNIM5WJUIL+9HErKPz1cHRVhq+ye/o2u+mct9EnbfxUVAzDWWVZrr6m+GFJGa7WUQJQk7Jn9x/gX7pu/3bHXnP5/z7PngG3d3fF89bZSrdUSRBK23ypQsfcaRNhhqw22GhVl/3GUYiT4htaIWVKMz/ek/awOLE2JwvxikXflAJI5tC+/ZgWLj1HfST2uNvQJShxcNr8HgdcOJsQdremmTmEKwkp8lKQT03pnmnQywth7wBF34Kcs3z1wC5o/C6S33MYJyR7tp399eqEjUpOTKIvf1mSHXM3EMIyAg9lJrlZEsiI2nnyJ4S6/r9xcDjneR3JeWNPLOgBEWViUdO/SdRKYOzDwQ5/2HSRKisDMNr+e0G2kKOH+wVkeStCxvbn6W10fPNbLggL7K8RV9ZpQa9UaQu1/11o8TV439ZLEPalnont20nQTJfDDHL4/ULQkCGQJpeyYGthYFxWFBFcrfw9QXK2TPmPHD4vvP1KUAMT4P+fs1xXC/VHRPwY9XFtSepzqvFHiPwfmDlpEa5T0trGfoPR47HT1UqqaE8IoeF+2ewv4L0jgyNV+cnoy+6BL3164xl3lKmFkfDC3F5M8JtEicWIvr2uqXLyX1dNzEq19iJI9jpNikF15Uzk1npLu66rTEf6D9ucfl5ol+M3lAHKEaMP1oRUylzv4TumAb5wnLbyn2P761u31wePeQZqNWuvurnpwjqKeoJQcAQqauCK8cPtby9W9NxW1wbeRD5IojV5J/Zl2bzr7QipGQeCEMK0XMMVYrrcFiEX9l4uKgsnQTzmHC4orotfy0ovOvZOmKCG1nwQXFK4fxPHo2Zj2NLUzKrLJ4chJH7FvHTwnZa0EKxLegO+DNEXwPi2PUeD44ZGa4p1pA0RBnBGUlAWs6AeDMCVOSEt0ETtpyvi2/LDZ+JtYni0+l500W3sk9WcnIePXI/qCl+pFw0VhTsXocJBB/M6liH1jtvwQRpv0O0RutviuIqIjkrEvxNV9m1bcUYytj/fvV1kqvKDi+pKMUxLY2OoSzWeuWsqWbZcIzyVMZUKz6+mE+FD7vRKUbJwEpj+ZgRQfv88HICeAlbffE/bQMArRp2Mp9dHo8p0pY5qxb3B1UBL/6ZarlmvsU9blt2km8rcT7OOcyEkIgp9YPr4Y1QkXA9BzFg6QBy5Ohpr7UT1XjRMUOwmqHmaGZ1Is//TgKL8qkKV8bvGR1VR5EODMFviVIUu8I66elJ6Zg6CdTyyVd6x2ZvQVbAdmblutpa132gMRTqHc3iibaGX0lbXdVDBoqhMQmIE9U7AbqHjwyC8UQY1d2cygvG1NGu0MyjiDlhGKWMVQFEZuQ/WgjNeu3yFTGfP2TPFcqetBebFQ+NH9TARPigxTt6F47mM8mpiqoZmeYvbUZ61nLJ71zkb05wulgHmyZ14Mxc5q2pOmZs+c66b2OOU1SVx8/Vq94X6cS44kWUoll8YI1Eubr7NFBMVOeiHJj/865TuD+Z76BNUB1cXVq4NTJuShzpOhLoiaAZWp333UTMXQDVuZ8JKhsT2eiCtB0Q0l0Hrq48RU+zYvNXVD6do8Nqc9VTIbij1vKrHbVyZzQW2pMy2H1mLnNrym/mjvIK+GloGHrhArKIg2miE19Rl40qxYMgyhq/Zgd2Sa0mQGm7o8yt3HrmPwSs8wta7N281RH4+dlXk3tWIJ8q2eOcOqKWuexvfukCEY+lRRzZ7UmvJad9SJx2YP302X0hry5t81U1InU60/mUomvRfy3nIUbDYWVkVNkowJjtXJSuhPQrzVBFVVH3HX5s3+hFcP75A3B+Kqt9ENSZzOoG1MsTGWBjutOblz+jicWr/duVjr6qEyHU+742lj09ANb6f1vHDSUJJ53pamFvZAo919Emzdkc0nGGhkLsyfLIOMDHPQhMF2OLWELZx1JWNnbmw5SuYzTdXlQe5g836CFXWy7DI+7J4WGiYUJ3ggmH17ZzSVu7EZK+DRnM2Xq6Y+iRJkCJIjSY4pEmNi2aLNtyxdUlXNgL2JCcMPYXXSmhpmZJix8SRoXaOnhFNsD4yVIIorKRj3TNHsSb2JKQ2GvNB1efg4aUp9g+f5saF0p4baHcmkOzVMe8JjTXuUUmsKhdFOXY9N2BtLUNYMWwUNcjeyBDwKB0+WDFXQiHNtqmJT6g7UIN241rarW15XX2p3JoaBtlNFIMSGM5Vmo5XUHT0qj2ov4l2pmwO/PXNFMoGCbTq8em9QG+xEzHaHhjnWxA/s+t91urOxPlf985+zL/OGmcO+yTvWJrNnHh6IQjAQBc+WtR2U27mtd3W30eYHInwc4+0EBO0QBBLRZImfm1syt9TIsVp4bmlk1tdyOFP5WV+NoWxk86bCK5s4tv1OpPS2XUPQJKuHjQnf7ml6h7iBsRiJqwXKuxjJmB+I2ptA9DqJvlYvWX31MbrktBxwogR+HF44upB+Px6lj6/+ok6iAFePERwGZg4aLHq2B4+DJ8cSNm5T4UHeaQ+kNJzsYlBGZ8/Vu7JjbTEQtku30eLnFs7smbKayeraDeaZLW3+Pgy1tWttwtkkerKa3RRaMHZDFYqYbNy+GTpWazf0YezmrTMcwwDmQB5lcNmjwowVgX8CDSmzZWWNpHbsWlJYZo3ctmAMmlqO9NbOmWl4GJh3c0q3bKyBLAmgYdyP8rvtSLzLlc0pHaNMaeD1MFDXbqh5VJkgmGR2U9nM81ZjpLeWIFiFw1DBdgPvYF9pzSYxpTNwLPgKWGZjNLxnIJcywSDUdsNgEoqL2AXyVrAbOAP5XehYv2Vzlsmk2KUZUWyFIOwuh+F8OwzU3NFBBgIzdGYqD8IVO2sHOAQC/1/ihZ0N7NhujjKlebIeFkZszzzPnXVTW4f/ur7y1qle9jKjsD/TVzgMJAHKHhRDc2fPlGxuCUXWb3YFV95i4IMnIEs70IRrEExotg7nDSmbz5SW2uy1UJDmqA8E6IOnt4Hi3/UelpxPfQclJK3D7wla0CYrr69+S+t+9N2LUpLuXeqQsEVMIrep8kMfRrCvbcAuWg9/Ku92Y+S3k3F/FFJ7m8+63jzAqTPTYns2WjzrXbeQxyYcip0QBObObWwbTE9Bu2HPlNyxNDxrFlXPs97lQWji94Pnf7dMYARWKPlYGoCG3cDMmVYbHg/73d3Y/219auGggXlbb2EkSwTIW6xson9CeRhB9OvF1Spz6W89d86CH8oVD8jYsmfKjpaog2XkO03Tty1p5eotqpDMsX5bw6Xk2zPNU8VBOghI7AYTf+wrT24DZ5PSOeFMKctQekaLQUNdU7aRPrhHueLTzEKdYD7rGm6DYNdn6/z+eRAogRt496rYIig0IxhsN8gSEjX01qOGuRn4G38+68ZGKU7Naq2A3I7dkNGysi1hfeJY9+pywo9ySovqTShMz/NAw8MgH9xbubJz5F6uTuf3Y9n07SloqJa9nAfacrTzVqOlurSXg+1I7gljeZSry4kwmi526mPvbrTUlqNHCavWfKcuu/7ocXI3n86b4+l8oy4Hd+puks9zBb7O+HQQtNa2bOr7ADCfabHbuPPHYerToGE02kunYfJU7m7YjYFs3A/z39bD/G4NZLyx9fZ50LHOgp0/FBW2B/sjf4zJnwcBwVTexb1GNm9sBdDUMPBbd0MrvQN5K3bztuAGOKPONbe2MQrMFZWtbdmBbamMlmnQns4bHrb7ZmrrSns2E9rvO1MW+m8KEWpsSYgI+qgQMRomPzRpfrDjecNYDI2W51rGojC9LYZihxhNzQOhJgBJawHZWExmJu82BGpiy+qvUEH8AOl5CCgNOiK1w/dANmeobpoNeqLK1djnmyye5jHiOhmJAof44Pf9H3h8APUvEvCOEOBulEOZLyuxdpkwwELJ22RutYS5td3Ylpm7Mt7BxziD/c72beDcbNDjYuGG2mbkv0ku6ai/uFPyzho0cTZv2LnbEAJXlkKwi8s7Nothk1byEm9Pvn79Jb7OY+U7oj098L50f+WaKDVi6JRG9J4CMydLUbK+uOPRTx0XI/h78ed0HwOxGfR/ByFZGqVr8C+RcQD5ZSLOi3sNpe9Z55ng30W9jPzwMoO8Y5uKrMSsIC4KvUTZRKv5TAmhJWA31HY0lU3ERegE7dj1QToQAWGxiRZXOX3/hQ5CJsI8MD1b5jNkScQVQSz62hIEpgdlc1fEeVyOSoTMbU4WTz2IoShM7ZnScCyVdjBjVjAVuFJ7NlkMjfOxy0B6d3xC7/JAAAXXMjPYV1lhz1I0P7qf9W0P4G3qWAo4BCVpm0BLYbQPLTud0+IuMDNaeCkn99MCbeCDxVPeWc0DnA3EdKEIBawrmzz1T1sfLIa60HSs1sptwt1wdhIMdWEfC9q0+YCBlM/kbTzHRxxFw0Fl3WrNLSFV8k4i+oDB2jOFH1paDJYC1UFjPlOAK2N/dqBRA0Am8UDkyTxor2Ff5UEgbYYW2z+7255pyxIudwOTt2cqeAeG8l0U6ZTvTRRS3IXcSjp3jBYMZbWQ50zJ7JlGG6kTubAmKhR97SBnqo8iEUwIbcLmDXMH8g7RApzaZlHsDXzNd6wWOKlbMJINfyAK3YN+e9sYNCcLRZZyu2kS22rRBo9Mg/bYnsFZoQewGJpdDzRVw+krguhrGbS2KbOJE1vVZdqUbbEYwojZjLggbkC75iPdw5XnAd68o/HYpl3vJp5CWcqp7bqyiQFNcA0m6xXIO1sxwMFAXKzmTQXPmVxO7MGSMlvsurrxW1bwzd+PVxS3yoN8ceaXbF9fxYN++qT0NYz6E1Y8n8FiRmPXlbeGPfP4J/GtHzzpLQMEmDyJqyfHmi+eRI2nZweiQOYzbemInXC2IuZkZY40U3vVBVPUDKk3NdtdYwWnz/ogGvpRPPAn4ZPe/TP1a7ch0JyzOpEn85envBMOxMJfppbE07oDCOl2NolWbmimLm04ey0M83/i96bKz2cKD2ddA826eNCjjVWb0hvPqc3I5samNSPfzgbyWR21GBpK7AZSjphNeQVu8UiziAvcPy1aOtG7+nvWOys7kFLQMJ5eJ3FbDPm9TE/shdnKo9vQKG+ZrXc2TG4BXZ+c2Z8282LYU2l9R/Fd2IXGfMnWF+eDC0PzoCwB15KWjowz5ifmSTwLsedam/DpvQlMHLFZ06sf+qlHE8bbLxFc9X982O1rO0irFP3D8cNZdqH3gL7puzJeHqO6Irh4u3T75g7KZj60pI2j0+i9Xds5xTtYgSaVlHke5QK6P3hSGLy6BAHewGIMsnGbEINQjWxrmxaRnUUVSltQRAdh7DZaihtqGATSEsq4wc40TR70TV4L2rlrSfxAKrx1aJh3tqUKrJPC3TWlH+ldEc1oZBotykhfREC9+wtzOkVw/dYG7HoLKhPHavEuv+cXLJ57LXMqdj4/r0b3M6mbuw2Yzy2hN59p3kwWvHnDi11mecI7Munkz/58S/EePFUiyjRv9ZyZgudNbQ1CDMfL+LHM6ifrq0jpd4V5sI3n+erJ4vHzcGVT3dPzMxBg3jak1C3kEg18bQMtJXWsiww0U4V5Q8WgOaIZiDXPUDZ8NiZomssiY4C4iLBe4S0yzmmn4zaV1mwa3VOPAk1t93Spf3EQF15o02bdmzcW1Gt3tHMD/cnCse4WBd1aDAJzCeV2jpgXQgx7jJd3cQ76m4XRaNNs8DwPYjxvToqI7XeXrjXZdwQr2hXQrABCMzMaau7MujyrJvoHG0wGoha7obaeyu3wafIL89dN/NH89RCdaAT4/wEAAP//KONnQdk8AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
