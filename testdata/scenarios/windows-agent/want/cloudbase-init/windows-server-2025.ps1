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
Install-Program 'H4sIAAAAAAAC/8x6+3eiyPbv7/4V9e2bdUhuRxt8ZNr07XNHUVSiGEFA6c7tVUBF0OJxoPA109+//a4CVDRJT5+ZM+veNWs6UI/9rl2fvfF/AD5CkCAbmDvgQctxfQRt7x5EiR+DwLfQLYhJEMYAEkAcBJ7dKCbgGbo4iVCldNWNoiBqWcQN/McIPaMI+RYCnwGjkCBkSlePUbCIUBxfTLoY+QTv+MAnrp8gpnQVE0jSOf7+a7oJeh1I4NeTUEzpKkxM7Fr5qijxv1o4iQmKyjB0mdIVDhbgM3iX0fpqBgGJSQTDCg4W70pXUeIrVuSGhO4Pgw2KYgdhXEFbBMpS8BgFzy5OH/2BT1AELeKuESiPExImRAgiDxIwRVsCyt0tspJU5wC71g60dyGMY8CA9yWmLFAqb2pBxa6EMQeY0pXrk2CYysyA/yWpQ/DPf76970wdUP3nPzim9Jz4qekBH/hrFBEhCrxyG8bork4Fvf4Sk8j1F09X9O0G/Fb6Qh8qXd8KbDp+f69OhY+VHiJKuvD6S07o6f6e0spI5XMZkZvS9xNbPXIJKg+DxSucBuMKtcTT/X0rDJFvtzBOZaJeugXpOvAefOn6azcKfA/5lKmENkPXR2dMBr5LXIjdPSoraZD8VrryE4zBZ0CZdNwIWSSIdk/391kwH0eus0i4KT1GAUEWKR9nQDbz84SyyHuVUh6UzHXr03jADz6xW67KsrD56dOntnrDlI5GAkxMYESYonIS2pQfI3cNCaLWOtnxERLnwo4dhBFB19lU6QpaVHJKYGwukUWAgqwkcsmu0rIsFMf0cEUBTncfptJdFQWRw0AHxemZCCLFtjEN8mumc/943fr0SWh9+vRJmd8cn9utG+YWMBl15qZ0FbkLh8TUfD9ivYsJ8uR06dP9fWqNUkHqXD+FRAh6mXK34KD1KLDR0R0S2tyCnOlpieLAiK6RAh/dgjrbvLs9Gm0cUiPHx1mq/VlsvXDnuQNuwfF1TBwUxdQjP234I9F/y/rj+3Yr80AaTQUvnN6pJ8B7kAt1C5jxxkfRLTi65jKeFUTOZDvY+YVBqFZT5IVBBKMdXfMyIq/sY+xnB4dOPN3f9xA5spSgdwrUnz1jR7qZ/DlZPvBM10eF6VvA/LdX8dGGORN9FKzRSfbz03QcLnj0D09YYYLSvi5SyZe8yIWPMCLxge+XJ8olOkRrFuJPV9lfyvo5iBC0HHB9FcKIANcH2frUzOaOoPRw/Sgn0303pZxkJZXhOtt5C9hbkD1WhshfZOIeVvI4iNH1Kwq8zEK34IsZBPjpSkFWhMjRgkftUmnJwTb50TgLosxcJfcZXOdU6J6CxXK9wfVFPgQnulRWhGP0xsaCs7LAui5spXtfhkeBeC5gwRot2/7TtsgD/ifMAMrQt0FB9u7WjUmcR2BKLNPvM/i1eDlPg7MwKBCQEaRXbZv6/UDmhuaKlE7p++tOyMyRyUiiBB2WR4gkkV/6/kcmH4fIP+QUJrvvmdTqV6ED4xTX5XffVUxQSN9dirGiJCTIZkpXVmDTVdzJARRAltsH0HP9xfXJ0xUf2Ci1SoSsILILaO8ASZdx4L9LlSz7AXnNtNnWmzxqtyRPTef2O0KVm+Oi7G85QiGGFgLMl//z1Qfl/36idyJzuco6LYPlPVtuPv129/1r5fjC3X2n+75EyIYWQfYTkzmG7s6PKygvSHqfFSXNFiiJGecJ4GxDtpya/dlF2I7Pryk+wBilxo0rSoisDFTZlXFkowjZHTedg9HusL3Ssu1rJvUgcwsyV96cT1Jv0jn692IKbV1C/UWnU7+dT+NgQWeo/GepNo20owcyZ92C6zz2p0FZjAMflPnAC2lhAcoDP0xIrmLOIQ29YkYIwt2J1rscsp0gdfksem6zM3BTohpksp/j0XWwolgUhYXkQG1zcbnQ1/R6N3FgrZ6u2oG9S32Zjd4fjka2+TicH5AsVxwGj+fjhCavs33gPWDuAZMdcZrkSbQDv5X+AVJ+4HcgBFEXWs4hCn47oXbw7urbO/C99L1kQWI5x2xwmCqdn0FQFKb0vWgThR7uclZevUQM/wCWZ6d11gcbfLDAdaEWy8Wmf/Ny6CY7CcOWMu3OBlN+3OmCso8AW7Rdbo+zVSXiRMEGvKN1arYMIN9GNti4xAGpM9NtZ5venStycO6FJoeqppAtD4mHuosWdO/yzPlrXiiVijZ5ufoV2PFizc0rklFvXEonJZ5J4d/PiEtj/mu+4+fFfrGrKFkPkbIAraJA0MvS9BriJM3+eXqjE6CM/gUYJ4iJDz3EnK37IiFS6aSIvYdIP4hJiiRvKtNgSCv2gb+GkQt9kkKXC5JhhhsGj+v6OVUq4ONpsvS9dMomVHCQEcnWFzU7X3auX8HcGt1HOR6vndNQHpN+kDMJntM+Sl7YAzcGKz/Y+O8O6qQbQdnyA+Klh5L52rr+3/9VvvnSKhvZ7VH5dv/hffnpN+6WY6v171/3TIERJf4qJyvwCXT9GMRZ6geWAyN690QxZf4DcPFWzyDHGJmqN5cRMUIE2pDAN62moGjtWugVRH4FbTvN7Z8B4xAS3n/4wN01K9VGvZL/ZUpXDoI2ilJk9BtgWglxgsjdQ8qfoRvbCEYoAuMIWhgx4Ah8UqZZwHT5ahYo2H1GxPVQTmxWhpu4jKxq2cuVKJNghfwyIbgcIyvw7TjlccdSwlfpZB5nMorDwI8RYB4TwoDroy7vAfMBQ4Ji8gGG7od0D3MDjrwvNXpLCCZFASlHmrnOgvzEvIcumOfGPTC5PDuxE0TpeXt5JrOHihJil1wzFebmC/v080eoKNYpFEaIOIFdcL0a4VvwxYGxQ6CJ0dNVP5Mzr5KoKoSidYqBuE/g+FbGBNTY08D79+lZSK/ADLweEqeMYpKxBWU1Rm0Yu9YjjGLXX4Dy1PVQkNC6HHAsKOfrro7rIxdQEUE5Fwsc5PvR3ZnmUYxQCMpKFjSgmt42+VFNKdoBigFNGVFqJPtFZu0EGx8H0L6+sNXPlCVPVy28CCKXOF5hrOMuUEzO60/qdlp//nrN9KfTx2+P8ng2pwiVvimnV2mcP6f4+aJ7pyBSGNBopjYxyojfXrb6ej9czIyytJVXEX+iuvxRKVkof6+CrEeUVlhM+TlWFkOqaLkcx7jsB+UI0fDJh4iNoih9Tv9JTcLd1T7W09cd/feOZW5LTNlLp+p1ls22RohE6Xyj8F62EYbpaDUdDTJEfOoyqBG++RPx/w9gJVHW2T7ol5rn1+vGLbi7Bb/cAHpNHa+EM0RECZgRgqvS97eD+AcQLY9uKsFP4q8raJEE0pL5OsUSLkZ9GDugPHQJiiDO69JjDJSPUQ1OAX5ToXsywXJ6VKRCtL/S6Cl0Fw6H8kTbc+P0Cr4HC3qlZ0RvwQb65ED23b/fWLgAI38qv11FQUIOSV9CRE5fy60s2wvQc/EOpNTLHRQT14eHDzTuFjBsJf3vA8uAcuH7Dbj8KgN+LylBRA6FQ/kxCkIUkR34DVx9q6Q8R4hErkWvl2+V9KPJM7QOg9/B70BBtOI8UhDSr0dc5qRUh4vrPtdn8Jir8rpOR04D30ZbkFGqXIz+XnqDeX4tHLhWjsx+FO/FWgeRci8KkvAl3j3ivzSOh4EFcboSlLPbMbtvf2Tzm8sG0utEziWizFqWFSR+Bpdflatw2bdsz/VdWtORIMou+3Tyc0FuNUYR+B3oDorQqXS8+lZRBp1KDlKxu0KAUcpcuVGucuX/WW6wFBDdVHIRD6Keme4RxvEmiOw3ceFhQVbuISuJqGQnuJE2z1EGTkE5/3vcBcqt+BFD18++1AlBZKFU/3PNft4h4LeS8vbWI9tc0lPH7IUT/3gzOHoRrVHU3YZuhOLTsuLopVVl6NuB97ptDxHwFyxw0urQlS70lejQlydQrZeuolSMN76O8NEuJMEigqGzq8hSL3vPEfljFKxdG0UHGoUCI2V5UyoGTy73NQNb3H8x4D14u3zJt99cNndHiBazb0ZheuSOZyc/gC8OT5ydnmz688tjrww6hwNSq5Yb9TpzPBwZRqWSnDZkMoEsvYAD13z0cJoyvPll5FpREAfPpPJIK2Ml/ZbNB54HfTuuZHuylmd3a6EUBDxdoNTUhm4MIPAyFsFzzvSiK9KKYxSR8g+SC/LX9/x49KhOu7LUGmVw4LikUJseylEHxml5mgLPF9sPtywl8LosncCDrn+SJntPvWEFXpgQFOX3Ce96Az8m0KdlH49hHKd6665fq37j87XZV8pCAX8gUnmEERk/n8hnujAXRTzdUzQjBHa64xOIUfprAN317WATf7WRmSy+SogoiCTpt3zmAKcyHtkngRP/w2iKZS6kuL4UoyhC2hK8JPMeMLlt0+mc4LmFqU0oPCp234/1xDNB0QZGdvyD/lL2M4Xz5lJhY+nlt5rDbjvw0bsTPH+rLfxKBzdO0u+bFSsX/t0tYPIx5rU+WmuB/J9r8EG68tVW2Y/7mq/sv2xy/nrN1Wu3oMyxv9R+qXMNjr0F9Pkj+0vtrn4Dym8j9Kw3fdb+/P6faJym0v503/TytxmpBC+/uZw6mzAiyH6XopyL5jJ30bI/D4zjzmNsFNrwh49LgAkjFMIIMccu95kn85/enPzIWD1hN9fZQK9JrOXhxODYldoTWMivHsSutrO85m6iSyzUm4naF7HhaTtDbywNpdUc8PbU7jU34iZYqX1xbdREbNWkieVpnjETselJeNBhFyInhWZPS+zetjGpNhO7hxNbV30eS9jmuZFZlRy7h9em2yLTHmaNmeiYQtuxe4uFyI7uZrz1IPbs2KyKjtkJRxNNUmXNEbWu9Ch31cWj0trw7nwhZnsejJkT2nxrNe0KU62rzRVN7kxZWeAXnz8zN+D7ueVIlMTUcnGIrEqeSSrpILL5Vnxhybd/nfU13fM1dgmqWNQXV88Qx6mRhwpLhgrHy6otTt12R9ZEVVENccIKqpzOsYRfcaKiip7clToTTeobrFBTVLFtsFibdiVBq4rGvCaGZl+czDmpIc3kna0v9mbVqSkdY2+zkq+reGhyoYi8YCOrQk2ZWQ+yHgqqyrWlrt0eaZowmdk1pTfamZ02VFmxq2py22CN2qiPx3Cl1ad6KNhso6vNsKT1ZEdmu3WkcqoyFSWtKzSmrNwetcKx1sX16VJY26z2L1kTpMlU7k+mgkb52qyzHHmbjY4lXhYEdYJDabLi+hMfb2VOkqQObhus1p+w0vHdZrUBv+puFFXgpzPbUKdYHQuDvVyb1GEf+1P9Y93Eclvxxel42h5Pq5uqojp7uev4k6oYzXdNYapjx6o22w+cocCe9mB7Mplz8wddJSNVG9Rsbzuc6tzWnrUFda9tjF4QzWeypPQGO4i1uwkWpcmynephdGVf1Wx+ggec1jf2ak2sj7VQtDrabL5c1ZRJECGVE6AgQI0n6kQ3eINt6IogSbJqdyea7b+5VyGNqaoFqhaqD5zcVruiP8XGQF1xPL8SvHFX47Wu0J1owmDIcm2TtTuTmtBXWZYdq2J7qkrtUY+0p6pmTFgsyx0h1qc2N9pL67Fmd8eC3ZNVQ7KqpD7SOTzyBw96z5asariTpxLWhPZA8uKNqW/biu60laVc17DtyXuJt7hQhVNhNloJ7VFH7EjdgDWF9s5ymzOTJxObMzTISncqjcFWkMbuUNXGMv9GXP/ZQ3f2IQowv/ySfJhXtZ3d11iobxJj5uABz3kDnnOMnry3e82dobQVs9pkB7zdGePtxPKavuUJRO4J7FzbkrkuBVBv4Lkuk1lf3tkziZ31pdDuqcm8JrLiJgwNtxWI3W1b5WRB72J1wja7stIipqcuRvxqgXZtjHqYHfDyi0T0PAk+Mz+lahgF290bWuqsltge3pnVBjH0BjubBndqVWNlvVGFM3Ftehw2fVmfz8RwrouxoSx8RZBVVWhO1FVzritWPODtwO7Lm7H7cW31xTXqr6jFHHPWjo1psB9NB3Vxt1mILOfMq05oeqr/MAnNCx72eBlOjZksmL4RWl4zMXUtsQXDsTzszL0tfuDtgSbIE5X7f8J7PD3ja21HfL0hufXNcNlaj6bzeOhJa8tvnfgr25heN2bPWVu1STyaDmrDZSsZ8fXtsBPcjZTtytC59dDT6nOd25g9ldKIaaQYs0Fi9prLub6JR9NWMlpO2Gzvx63kbhKrZixf6hWsjDO9JotHpd062G3GtZUp5xiPusPa/dbdcNfcWF6zjpQGRj2BWL0tHi9H29Fy4Q/5Vu5n6VkVxEddWDVhX2atTrAe1to7s+Y0CnLfjfbd3ZhP/XGy05T9/8BGqwfDa+4MXVhCvhWIfQlbvhHOq+oC6vXFhF/48xQmCKFJ4UamQ2TrIjZ7GivuVuGgHz+IPYJRBkMGCruVxng71emJVDlrUqPQRUvsrrQ2fXlnVrc0liyVZhAPL42ZZIm7VjTg5b0xE6tQlzDvYW/AO6oxk9ihlsGPoboN7Z62m+vbyXwmBwNejoxZxp+eyaGKWUPnaKbZGDORRcorECaTk0w9gRhK+zye+RbR+nhjKG3J1rcs1HIYtmsRzRNiW1cXYu88H/A++/A8CRNjJu8hT+NEXdhVnKSxwLf3xmyyyM/dQjzExSy1MbaWXHo2H2dvxEuHpPPWnnszDge87aJZ27FqI2L28N7usB9zn78f74JkXm3uLL6wr7pdz6tCDHvNvd2Jt6OlRWNpM1x2fzF6GjF3hbXp/i1n1WRsuY0sDjvxv4a+VJ3vrIcX2TWJUXSZXBe0gI+/sE80wR6blYCBie2mLYufIULH4i9cSuMKZl2pvJ4udBoBE4Qx8+mVDtRx06dCs+VE6bKL8saqPy3y4dd7LwBrHDtf4RnvbzD/dIzsbyu0i5lCdVCTgqGurUZLlRtNV4uJKrQn6mg/9UNnshdifSWLI7WhylOtTecU1dpCYbWD/bZrakagr6yNLYRz2HNcvSvudTzaWjicw5osyV2hNlXlts1y3cnMWpi19r5DL9AXYOHZxeigq42wu0ZRencWPw5m38nj+w8fPDeKgqiCtpDWwR9OAP3Dmq1wFbYwUt5kPYky9Oy7Oq1jmaK9ADVgXIT4p8dscQ7xlX6r2rgDTONjkzMbZqNatRv2M/vxzmafn1mT49hn027aVc4068/WL9xdDT7X6jb7sfrxDlbRx/rd852J2Brzs5r/XEFyevxmBf6zu6jsoIcL7k3xmSdsoGZgy5dCs1q/G/QOt5fmGD02gfrHtb0UHLPfDubT7gOs4sToBAutL6an1OhKbYuV1qZnhMYm3Fs9bTleBIsB31rYxTX74IGO5f+TQa/hmLp6N8jwV3FuMeilWZvelneD/uZ8jm8tfqqecs/3DLp/T311KdvfU28F57rw7b+n/nphs7+nHru02d9Un13YrPX31GsvbPb31G8vbPb31HOXNvvj+s5lyXASOlYP68ZM3EO9mYzd9lmtNfTwelibb+f6dgN73S3vkdD0JncDIUMhk2ozMTzs8760MfTRXWbTdopE1AzJ3A148Q+rikGed1Ik1JcmKYKZBouB94fo2s15JiaXyXTIYdn/7IKi2fF0niGXfbda9PtQab1APefz7SKiPs+Dne5O2qVoPBlNznmOl8H2gs4l8j6nxTeWZl/bU8Q69DLUdSEnRf87qTN5Uw+K0P+ST7tUR7ljVhse1K0Hq9bG80PuT/WXk7nO4bHbrkG9TkyvuTIUNtezzUKdw7rXTIxpsJBn2s6stfGQFbHlbUMz90mGNreUxspQuK48SfsQD/NZO9Q8bWdV8dpcBguTVhg9nBi6sDKVRmjumtWRLsRWz3FGkzCCemM1dttds8o5UG88mFWcXMTgKpuj9+JFlZT7yqyJ/lxvhMgT0ibpXN9qpofZsdt+1Kbc2KzK2Nptu5M9tzRr4mbYlTuP+oX/+hqtQg526Uw5cTLrhWtqayvX2eoJe6tmry1qY15cSr06a/mrhbJsh6bb+ii6tjVY1t2/5jt7Z9a0zYUNDnI5Vr/18JcwA61CFucYwaRV0TRYTHSZQL0RWjV5N5/J6z/Sm64f6X9VX8LNPW1nehprzKTLmF2gGvuX9J1ykmb1ZMfuafvLHDfok+Zfy51aAmeTi/N1xFQbs9qMaTVuHSrePF4NvZF2T6h8hifEVlX9SzpOqk1i6kJitM79Ss+YVVXvBj1xbR5yXl9aWh7e2J1gkVXPDWx3aTWs1eb6Nk4/Ing4NpQWOT0fzmd9MVS1JO146ZOF/B+QfUpzj/o6drW8Jr1XFlq1uYNVbZefhbQLYXkNTH1azDX2spuM9vNktMn2H6vYZRH3Hs9SmseLudfQGyur1wxTzNuTsal/LN5vVakz2RfXW73mSq1pLo3dC2z9U7n+GBeaxM2pPv3DeW/99L1n9Bp7udckcx3TuH3j7mmv4ExamjXqn9UZD5qvs46MtpP/Tf3tXjMyaF7mxRXUcWJ25ok5CznYN2KrjwncG3VzL2GLL2Kn9nKuStjy5cF8JgXG7HWdrarjjJZqdbx08NxTa9JS8+ZVcTXfj+pGZ7CfV+e70bTtSFNnOVrOWWnarY/2k+24M2Dn+9bWmGreaD/fzJctdtzrVqX9qjrqzHfjjsWOvFF+FkRsVPHe7ovZx6/zOGGpTd/yCaxqjbHbTujdUuy8IZ6Lxv1RFu96I6T3ENSFGM5CbLzEdotBT/MMT1va2VmYzqsONvra8W7L5JTp3chanITpOlrTHeZhTXMNfUvHz2yc59GXsvc4BwnttdEf3Q06883r3waWgeu/VvQWv1tnnXLRbfmTfWjlHx8dU2n3oL7FFnfR67/IB8bMweKO3mftGE0+pz37/xsAAP//MDiuZQlCAAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
