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
Install-Program 'H4sIAAAAAAAC/8R6eXPiSPbg/3yK/NU6Rva2oSUwnsa1NTsgkEAGYSR0oCrvhI40kkkdI6UA0VO/z76RKXHarq45NjYqopAy8x357vfk/wH4FNoYesApQGi7fhBB2wsfQJpHGYgjF96CDMdJBmwMsA/BS5BmGLzYAcpT2KhdDdI0TrsuDuLoKYUvMIWRC8EXwKg4Tpja1VMaL1OYZRebAYIRRgUfRziIcsjUrjJsY7rHP3yjQHbYt7H97cgUU7tKcgcFbnUqzaNvLsozDNO6nQRM7QrFS/AFfCpxfXPiGGc4tZMGipefaldpHqluGiSYwCfxBqaZDxFqwC0EdTl+SuOXANHHaBRhmNouDtYQ1Kc5TnIsxGloYzCHWwzqgy10c3rnGAVuAXpFYmcZYMAvNaYuECwf3oKw3UgyDjC1qyDC8ZjyzID/JWtj8Je/fAx3dh3Q/MufOKb2kkdU9ICPozVMsZDGYb1nZ/D+jjB6/TXDaRAtn6/I2w34vfaVPDQGkRt7ZP3hQZsLvzVEiFV68Pprhej54YHgKlFVeyWSm9r3I1kjDTCsj+PlO5RG0waRxPPDQzdJYOR1EaI8ES3dAnoO/AK+DqJ1kMZRCCNCVIabcRDBMyKjKMCBjYIdrKvUSH6vXUU5QuALIET6QQpdHKfF88NDacyHlevSEm5qT2mMoYvrhx1Q7vw8otLy3sVUGSVz3f08HfGjz+yWa7Ks3fn8+XNPu2FqByEBJsN2ipnTy8lwU39Kg7WNIZHWUY5PNvYv5NiHCGJ4XW7VrmyXcE4QTJ1X6GKgQjdPA1w0uq4Ls4w4VxojCr3folANFeL9Qh9m1CfiVPU8RIz8muk/PF13P38Wup8/f1YXN4fnXveGuQVMiZ25qV2lwdLHGRHfj0gXGYahQo8+PzxQadROuK7up+IU2mF5uVuwv/Uk9uBBHTLc3IKK6PGI6tspOSPHEbwFd2zn/vYgtGlChJwddsntz2zrjTrPFXALDq9T7MM0Ixr5acEfkP5T0p8+9LqlBqg1nWjh+E40AX4BFVO3gJluIpjegoNqLu1ZhfiMt72c3wiE3GoOwyRO7bQgZ95a5JV3sP3SccjG88ODCPGBpGyHR0P9WR874C35r9DycegEETzZvgXMf4eNCG6YM9Yn8RoeeT/3psPyiUb/0MNONgju61Ms1ZE3sfDJTnG2p/v1mVBJ99ZamvjzVflLSL/EKbRdH1xfJXaKQRCB8jwVs1NgSJ3rRzGZwN3UKpQNysN1CXkL2FtQPjbGMFqW7O5P8ijO4PU7F3gbhW7BVyeO0fOVCt0U4oMED7ej3OK9bCrXODOiUly14AVcV1gIzInEqnuD64t4CI54Ca8QZfADwBNllYZ1fQJKYN+axwnyisETaXQ971+WRWXwPyEGULcjD5zwPtgGGc4qC6TIyvt9AX89Tc7z+MwMThAo0Captkf0vkdzQ2IFxVP7/r4SSnGUPOI0h/vjKcR5GtW+/5HIpwmM9jGFKfM9Q6V+lfh2Ruu6KvddZRgm5D0gNVaaJxh6TO3KjT1yijsqgBSQ9d6+6Ln+GkT4+YqPPUilkkI3Tr2Tam9fkr5mcfSJXrIexfg90ZagN5XVbnEVms7ldyhVbg6Hyt96ChNkuxAwX//PtwjU//uZ5ETm8pR7PGbXd2y98/z7/fdvjcMLd/+dwH1NoWe7GHrPTKkYAl25K6gvMc1np5yWB9TcyaoAcAZQHidifwkg8rLzNMXHCEEq3KyhJtAtiyqvMU09mEKvH9A9Oy324I2u510zVIPMLShVeXO+SbRJ9sjvxRbcBpjoi2xTvZ1vo3hJdgj/Z6GWWtpBA6WybsF1ZfvzuC5lcQTqfBwmpLEA9VGU5Li6YkWBmt5pRIiT4ojrU1WyHUvq+pn13JY+cFMjNyh5P69H1/GK1KIwOQkORDYXyYW80vTuoNhdPV/1Yq+guixXH/auUQIflisHKWPFfvHgH8dq8rqEA78A5gEwpYuTII/TAvxe+xOg9MA/gBCnA9v191bw+7FqB5+u/vYJfK99r7k2dv1DNNhv1c59EJwyU/t+KhOVOHe9bK/eVgx/Am7o0T7rVw/86oLrk16sYpv8Vu3QTekJ4646H5ijOT/tD0A9goA9lV0lj7NTNeyn8QZ8In1qeQzAyIMe2ATYB1SZFOwM6NP5RfbKvbjJvqs5iZb7wEPURRq6T1Xk/GvVKNVOZfL29Dtlx5szN+9wRrRxyZ2chw4p/36GXWLz3yqIn2f7DdQpZyLEdcF2TxmywzJMr22U0+hfhTeyAerw74Dx4wxHdgiZs3NfZYgbfVqxixAP4wzTSvKmMY/HpGMfRWs7DewI09LlAmVS1g2jp/VdiTWNczpTIAzKECv0td71PBI4BDsMUAHIaVDvwwwHkb0fYwRbwLAN+u9XlgH/qKlxivcOVH9K4wSmuAAU4QTiNHDBP4AKSXQ9nBLopISrXdklvSMfo6eKhfd5ocOHF9uFo8iDW1DeonGx+jG5vSj3dBsHcrXvtWMUJQoDpfBKkFONnh871+uJmekEjkj6kG6PS5UvRnFFJH6h86NqoAGCDKyieBN92quRAoK6G8U4pMGI+da9/t//Vb/52q1bZdZs/O3h11/qz79ztxzbvPv+bcecECLI36XkxhG2gygDWZnygOvbKcm5aUaI/6Co+mhWUtVW5VVvLj1hArHt2dj+UGoqTNeBC9/pRE5MhfExTh5+/ZW77zSa7btG9cvUrnxoezClFeHvgOnm2I/TYEdNlyGAPWinMAXT1HYRZMCh4KNES0cZ8M3SQVDwAnEQwgqZWbc3WR26zXpYXaKO4xWM6hijegbdOPIySuOeJYiv6GZl1wrMkjjKIGCecsyA68NdfgHMr8jGMMO/2knwK4VhbsCB9uWNPmKCodUPpUgi9sHOz4mL8IJ4Jdw9kcuYkflxSuPM21hUPjTUBAX4mmkwN1/Z5593oVO2jqYwgdiPvRPVaym6BV99O/Ox7SD4fDUs+ay6Q3IVTLoUUvtxn8HhrY4waLHHhV9+ob5AU39ZtO8ThgIzXJIFdS2DPTsL3Cc7zYJoCerzIIRxjlXoAo4F9erc1eF8GgDCIqhXbIE9fz+qGWj+QBAmoK6WRgOaNMtWrkoxejHMAAkZKRWS9yaj9ONNhGLbu76Q1c+0Y89XXbSM0wD74claP1jCDJ/33UTtpO/+6zUznM+f/vakTM0FqczJm3p8lafVM+0bLqaWKsQnCzrJUA6CJfLbyxGn+MPDzKQMW1X39C901T9qoU/a/qu4nI3RzpKpv2TqckwuWq9n2INpSp/pf/T+3H3rtzv6WpD/71n6HNKtuzuWZW5rTL2eQpzS/XaJir7XPYhsutqkq3FZ9h9HKVqKbkiNmKflMH7P2o/qwMqUCMxPFnlXtotzm/Tl17RgCRAc2pkP6uMAw9RGVfN7EHj9YELgaE03DQJTMlbhIyydmNY706STEcbeA464wyCj+e4BLEn+LJHego0d4T3aT//89EKFuC6mcZ68rckOuZqKYRy7NqInQb2MZGVsPPmuAy6/1txcDjneR3JeWBNiXdeN86gs6d7l6yQwd70wiALSd+A4LQMz3fxywreWwRT8Axg+TOGxvbn6W0Md9RtVQYGCFQSMWufq7XqTq//PepslyeumUbG4Z/VMdE92lm3i1Pswh+8PlC0JdPOUcHZMDXTAC8tCAtSr3wMUqHezJ2QHUfk1SYhTF9L7n9/s5xUCfq+pH4MeyFacHqc6b5T4x8DgoEW4hulgmwQpzI7HTlcvparYkReH78t2bwH/hgSOt9pPTk9mH2Tp6zNo3tWuUsrGBxN8Pi0SHC9TO/GLhiKL5XtVPT2l8TrwYLrHcVIMUpI3tVPjqfi+Zuwu91+kP/+41KzAby4HkBNIGq4PrZC63MF3Kgd84zxZ6T3l9pe3bq+O+nsHaTXr7bs75uAcZT1BODkClDyBMryAPdVqde9NZW3wdRK4aZzFL7jxRLo3lX5v5eMwtCMva5Qw5VhusHUhjfrPFxUFlWGQARuEJYn4pSJ60bl3swymuP6D4AKj9QM/nTxp84EidydlNjkcOekj9q2Db2e0laBFwhvwfZAmCN7npR+HdhAduSnfqTbcOExyDNOqgOWDcBRl2I5Iic4jO8vovY0gajX/xldnyy9pJ83WHknjyU7x9OWIvrwLc9FwEZhTMdrAoxCfQQbpF2sjiLx4k33zoJMvv8kQqxDn9Hszs2/TShrl2PpIf79KU+EFF9eXbJyyQMdWl2h+AUwlW7pdITyXMJEJya6nE+JD7feCYbqxUy/7wQyk/JR+PgA5Aay9/Z6wh/biCH46llIfjS7fmTJmOf0G13Ar5j/dAqZao5+yLr90U5G/nWAf50R2iqH3iebji1EddzEAPb/CAfJwi5Oh5n5UD5gkhYmdQuYwMzyTYvWHDEf5Ma4oFAuDjY2WzLohyi2OXWmiwNr86lEa6IUbdoqZIbO20cm1oYSsUC8so/1qqd3OiPfmntjZSJt4pQ2ltdWSkNuSZ26oh5YpISeU0ajPLiVOThxRzz1x2541O7knotwztIhHMvJ4buI0Zd8T0doJunguItYyJd8Rer4nLpcSO7k3efdREr3MaUq+008mM13WFN2X9IH8pAy05ZPa3fDBYimVMI+W6Sce313NB8JcH+gLVVf6c1YR+OWXL8wN+H4uOZzmGZFclkC3kaB8GUQKfMm+cs8NL3ZzUvFnX9nnBtm/EOvHf/jyjWL9lgUYNlyimKsXG2VU4mOVxWOV4xXNk+ZBr6/okqZqljRjBU2heyzmV5ykalKoDOT+TJeHFiu0VE3qWSzS5wNZ0JuStWhJiTOUZgtObsumUnjGcuc0/Zbat3YeK0eGhsYOl0gwjDeKJrRU031UjETQNK4nD7zeRNeFmem1VHFSOP2erbHSQNOVnsVarckQTe2Vfjc3EsFj2wPdRLIuKr7CDu6gxmnqXJL1gdCes0pv0k2m+gDdzV+Ftcfqf1d0QZ7NleFsLuiErsf6r5NwszGQzCuCoM1QIs9W3HAWoa3CybLcRz2L1YczVj68e6w+4leDjaoJ/Nz0LG2OtKkw2imt2Z09RNHc+O3OQUpPjaT5dN6bzpubpqr5O2XgR7OmlC6KjjA3kO82O71HzlJtUX/0QgUvuMWjoeGJpo9aXrgdzw1u65k9QdvpG0uM04WpyKo4Kmyk38+QJM9ee/Qe1kCJNN3jZ2jE6UNrp7Wku6meSG5fNxevq5Y6i1OocYItCLbOY21mWLzFtg1VkGVF8wYz3Ys+hFVxe67psaYn2iOn9LSBFM2RNdJWHM+vhHA60Hl9IAxmujAas1zPYb3+rCUMNZZlp5rUm2tybyLi3lzTrRmLFKUvZMbc4yY7eT3VvcFU8ERFs2S3ie8mBocm0ejRED3ZbSaFMpeRLvRGcphtHGPbUw2/p74qdzryQmUn8y6XaPZcMCcroTfpS315ELOO0CvcoGM6PJ55nKXbrHyvERvsxtR2x5o+VfgP7Po/4oFnA3/A/PnP+a+Lpl54Q521jU1umT4a8Vw44jnfEpWdJ3YKS+2pTrPDjnivP0XbmRt2IjcUsCIK7ELf4oUhx7bRRgtDweZQKTxTZs2hnHiili9aEittksQKurE02PY0ThGMAdJmbGegqF3shNpywq+WsOghKCJ2xCtvQtTLLP7CXN77JUBwf+0o9uDPR5dV7pDfRmGHiDkGc1hIvisiwzKlHQnYo9c4sFt6YBnCylHb6XQ4yW3jt7X3KgSWqfgyP8pGIU6ccBZMA+nRaaKcBGgrRJFnSlVQJmeUxG3Kay/UC6iO7mEhBUSabkspFmZPc5oYOQFdZ/fPo9C6t8LBDgZtDCM99sLtBhpcKkf+etLUN6NgEyzMXqIRzYV6oRjtlSt2EieivKwsg1uPQ/1uYXAbR9Tu5dcZOykIL7I/IzAD33ebPnKL0b1RSDtbHBTyfHE/FfXAmrtN2bBeF6HyOtn5q8mr/Gq9jrYTccBNxUkhv864yXy5k/uDu8mr8jrpC0g2Fjv5tRdM+rO7xXzRms4XG/l1dCfvZsWikLwXk81GYXttibpqGV5S3l1JnOZdMI2ygIRjrdl5tZs6S+TuRL3EFbX7cfHbelzcrV0RbSy18+o02+zCQLllSquxIa+dSPGJ5bnhLBjzEt3zhpNgivCfRyFGRN4lXS1fNLec21KQG7TvxkZ25xbtxCk6nBOi3DaVZGFsExjqKyJby7BCy5ApL/OwM180fWQN9cxSpY5pcp33XTGPgoMnVvbWIMaWRhDD7APn05o6O9Zl5EZWsmhqy7HW9h1DW5amt0Ue38VaS/HdSOFcQWm7oracmTrrNDliYq/Mj7g4iQfsB/GAdHCHYTktwplNq4mDEDKkkbdTnCfzIoGgm+M4tHHgft5//fwA6t/j5x0RebtJ4YlsFZuoFYS24S6looMXRptbGNuNZeiFI6Kd109yb9jdjqMy/lim7ztmL7PUzQb2l0snUjaToL2zTQWdeEg2GS7vpKK7dlsoXzStwmlyoSMKkbtLKhqb5bhFEp3AWrMvX5ifUX6caYlnV7p/T9C5nWcwXV9Iuh9ktoOg97n8m5CPgegg5T/BSJ7F2dr9p9g4gPwhEz+RlBSYvWdS1acsmHof0XmNg+gyC7xjQZLY5hxxs3xSe46q/ZYrIiqIfzstqW3O4/tZS0ILU0Gn649ltkOeKLvUGU0pt0wFuYWb8CF6XRhy5hZtBEWtLLRFnV1w29QzJOSGbeSJ+o5aVFNnnZaXW+ZoKRXJfDwfYFlld5OA5eT+LOJDFI745ZuCe8RzuaV2N49q788jUb+zzdnybQbtdf4ZXmyjHVumlHiikC+a2r0bdEnj4TvRjDxHj2iCJyrLjeeDu2ngP6nqKp6xq0QJ3Pd4v38cdKRH1e+rKhL/A1l+5UR65vDdzkjA0rxoD2xTQouWsnYj5E1fk74b6r4n6ifrq5jed2j5LtpmtiG5h8ApbDd2cxU9zpJk0RReneGkiiBUr82FKbmOiAJTxNwi1DPLVFxXxMn/N5394A4jvpM4oY/cELEL0kDOk2LE0yos9/rk2f27VrDb8VzDk/nyXC/FqV4nxXiusXI/jufsKnkcyNKjtvj37xMogW3ckWYymu0S1y5I0ykUVkvHltFm3aLbGQ26sdRM1rZxF435bjRWuX0kp+8ErmqEfUdTfE8UXMcQXm0R5bQG00t7JlXmOEK+Y2yix1m8WlS+63LHJPpEbY5UrP7QMme4rJMQabzxPBSwpfYoLkfU2RHPCW4krd2V8FrWbL25bWyREykZ1GiNkTiRjigtU4o8gyN7OyVEWdXIf2hPx/qxyiZFGznRIuID5UifNPnFKBrx2VISpcQJuumI9442wFMbCUY8i70myi2x03ILbmeZUtM2ZETWF1Xd+aR9aEd7WefQELDDu8vHTRyVsHrh8dzKNkcdogMvFApT3CYLtD3waA57qa128diQ1k5L2XlDyXd5rtTHKe134o4pvoUhOMehvHbCBbn3o1QQ3FRuez4pL5apvFbyLJxQZy1TPpULPStt4tVRziR2yOzClNix3iucpozc1mQ51qzEEfXZwlTiET9aLUKUV3h9a19ZBF08O+p3YpsyiVO+G3qcY+ikriTF2Xoe6i290sOI52YLU97pol94p/GLV462uvJ9J1Qya5a0bJHaTDw22muP757w3R4tTFkgsdEyZslomD2WRR+x3S2yzO6SFIlU1sPJcjKrYq0oF5YhELnMj/bA+U44Wxosehqv6L1J7CS4d95wEp/5JUv2tYT4Nx8orGX61B4vYFXC48zYZrqo33n88h0/WOX6UEocdZnsY4lHz3axYwjsorlcSlx7rGuSMB/omslifbbSe8qAe5np0lDbscEjf/f3R3W0korVEm7i1aLZIbC5dSLP0l+zJYlp9HdAimA5tkzZmejs40men1qm+0d+P/dEgXS+G31I+otezzOVNeHXNoiuFeSKem4N5Scn6J31HiOe422j7bsRojZV4u4eee4mJW6eO9XLdGFwaHSID7PHd/VH4oFo+c5QRnzEPr7Mks5epif2Qm1l1uysrNP8ukn2+fXE/kjcVvpOU6H4LnQ7oL4kamUeFYjPeMXC4AYLU/FNkfMXTT9xqJ9wJ/Gs3V4YXCYVq8c3lXAS04HESxAFmU8Ksreza8D8Px+PBsrOI7X6MUL/cG5B6LhDPXBE9Erx0owscQ7avjpDfeeJejE2hI2tksy2XVsko/GjldsimUp3F2Fn7Q1l1g2FzTgk+6NHicLLr26INh61Ym/jtDzkRnJsGduM9B+lZXYIbyHJOsRKnGZbciIFuSHNSE16pqWz7lBnlbBTEAsdCQqCw9lyrOl3liFzNHOh3prwD9UeD82eTyKfVHRTPnBx6aW9n5jfSJwTtDfubrCkkdVosw67v6+7fBq09Tnf/eVp9cfW8lYm3eIpWGwJ3n+p0hv2uEW4TRbF6tKKTVIZWZqQOaVc4lGgbDxDymxDPufDlLlFmRVy4q2uSK0/IBWI29JfF019V1X44Yj33+0WFNNP3Jaye7zUPz8qI2lorQn/JOo98spu0ZISdzhbkgqp5FtJ3FB/9cROAXX2frrykDegd3kX52i4WWrNDokmT4swQYtWmSEkEpWM2b4vXpHemEQJN9JzrSkXttkro+XwYIPpiCfVjLKeix1aGf9hxX6MKJcVexmZIpZGgP8bAAD//5RCkVVZOwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
