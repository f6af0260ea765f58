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
Install-Program 'H4sIAAAAAAAC/8R6fXeiSL/g/36Kur05D8l2sFFjZkzvPPsoUYQoUVRQurNzoKgIWrw8UKikp+9n31MFKpqkp2fu3bOnz2mhqn7v70X+BxBjZBHkADsDvgVdL0CW49+BOA0SEAYQXYOEhFECLAKIi8CzFycEPFseTmNUrVx04ziM25B4YTCK0TOKUQAR+A1wExJGXOViFIfLGCXJ2aaHUUBwJoYB8YIUcZWLhFiE7Yl3XxmQ5d9bxPp6ZIqrXESpjT1YnIrT4CvEaUJQzFuRx1UucLgEv4EPOa6vdhiShMRWVMXh8kPlIk6DCYy9iFD4KNyiOHERxlW0Q4BXw1EcPnuYPQZyQFBsQeJtEOAfUxKlpBfGvkXAFO0I4Ls7BFMmc4g9mIFOFllJAjjwscLxPYrlXSko29UoqQGucuEFJBwwnjnwv9TZAPzzn+/DnYgD6v/8R42rPKcBUz0Qw2CDYtKLQ5/vWAm6vaGMXn5JSOwFy6cL+nYFvlW+0IdqN4ChQ9fv7mbT3q9VCZEJO3j5pUD0dHdHceWoir0cyVXl+5GsEXsE8YNw+QYl+bFKNfF0d9eOIhQ4bYwZT9RK14CdAx/Bl26w8eIw8FFAiapoO/ACdEJEDjziWdh7QfyEOcm3ykWQYgx+A5TIvRcjSMI4e7q7y535sHKZe8JVZRSHBEHCH3ZAvvPziHLPexNT4ZTcZfvzoyzKn4VdrS4IVuvz58+d2RVXOSgJcAmxYsKVhVPRlh/F3sYiiGrrqMeRRdwzPd4jjAi6zLcqFxaknFMEj/YKQQImCKaxR7JqG0KUJDS44hAz6P0Wg6pOENkv3KOExUQYTxwHUye/5O7vRpftz5977c+fP08WV4fnTvuKuwZcjp27qlzE3tIlCVXfj0hnCUG+xo4+3d0xbVRKXBfyTUiMLD8X7hrspR6GDjqYQ0Xba1AQPR6ZuFZMz6hhgK7BjdC6vT4o7TGiSk4Ou1T6E996Zc5TA1yDw+sjcVGcUIv8tOIPSP+S9h/vOu3cAsybSlY4vlNLgI+gYOoacI/bAMXX4GCac3+eIHLC217PrxRCpZoiPwpjK87omdceeeEcfD8PHLrxdHcnIXIgqVr+0VF/NsYOeHP+C7Ri6NtegErb14D7T78aoC13wvow3KAj76fRdFguWfRPI6y0QXFflrEUR17lwpEVk2RP98sTpRLvvTV38aeL/JeSfg5jZEEXXF5EVkyAF4D8PFOznRHEgutHOZnCXVUKlFXGw2UOeQ2Ea5A/VgcoWObs7k+KOEzQ5RsCvM5C1+CLHYb46WKCYIzIQYMH6Ri3ZK+bIjROnChXV8V7BpcFFgpT0lghN7g8y4fgiJfyinCC3gEsGSt3rMsSKIV97R4l5AWDJW20Hedv66Jw+J9QA+CtwAEl3rs7LyFJ4YEMWS7fb+Bf5eI8DU/coIRAQxYttR1q9z2aK5orGJ7K97eNkKsj55HEKdofjxFJ46Dy/c9U/hihYJ9TuLzec0zrF5FrJayvK2rfRUJQRN892mPFaUSQw1UuYOjQU7WjAWgDyXf2Tc/lFy8gTxdi6CCmlRjBMHZK3d6+JV0lYfCBCckHIXlLtTnoVeG1O1KkplP9HVqVq8Oh/JePUYQtiAD35f98DQD/n0+0JnLnp+DxmMW/CHzr6dvt96/Vw0vt9juF+xIjx4IEOU9cbhgKXYQr4JeE1bMyp/mBSWonRQI4AciPU7U/ewg7yWmZEkOMEVNuUp1ECOZNlVN9jB0UI+feY3tWnO3Bq23HueSYBblrkJvy6nSTWpPu0d+zLbTzCLUX3WZ2O93G4ZLuUP5PUi3ztIMFcmNdg8vC96chryRhAHgx9CM6WABeDqKUFCIWFJjrlTNCGGVHXB+Klu3YUvMn3nOdx8BVhUqQ837aj27CNe1FUVRKDlQ3Z8WFvrLybuMQrp8uOqGTMVvmq3f70MiBD8tFgOS5Yr94iI9jN3mZw4GPgLsDXB7iNMmTOAPfKv8AjB74A/TCuGtBd+8F345dO/hw8fsH8L3yvQItAt1DNthvVU5jEJSZqXwv62RCg5vPx6vXHcM/APQdNmd9csAnCC5Ls1jBNv0txqGrPBIG7cm0O5en4uN9F/ABAkJZd4U+Tk5ViBuHW/CBzqn5MYACBzlg6xEXMGMysBOgD6eC7I17Jsl+qilly33ioeaiA92HInP+qxiUKmWdvD79Rtvx6szVG5xRa5xzp6a+Tdu/n2GX+vzXAuLn2X4FVeZMQoTvWbDMkOXnaXpj4ZRl/yK90Q3Ao38Dzg0TElg+4k7OfVERqd6zjl1CpB8mhHWSV9VpOKATuxxsrNizAsJalzOUUd43yKPNzSlWyuDouFn5XjlmE8o4yJHk58uSnR47la+kbp3CUYqHsnNcKnwyCAsi4TO7RykGe+AlYB2E2+DDXhwGCHgYhMRnQcl9bV/+7//gr760eTOvHtXf7z595J++1a5rQv3m+9cXrkSIIn+TEgwDYnlBApI89QPoWjGtPXFCif+guXjvzqDoMXJRr849YoiI5VjEeldrExRvPIje6MgvLMdhuf03wLmERHefPtVuW9V686Za/HKVCxdZDopZZ/QNcO2UuGHsvViUPkcBO8iKUQweYwtixIFD48OI5g7TFeu5o2DvGRHPRwWyOW9tEx7BOu8XQvAkXKOAJwTzCYJh4CSMxq1AEV+wzcLPNJREYZAgwI1SwoHLgywfAfcJWwQl5JMVeZ8YDHcFDrTPJXqPCY51AYwizVwnTn4kLqEz4oVy90TOYydxw5jF2+uYzB+qkwh75JKrcldfhKefD6EyW0dXGCLihk7J9LMYX4MvrpW4xLIxerro53wWUxIVhdBunfZAtc/g8MZjAhrCceHjRxYLrATmzes+cWooITlZwM8S1LESD46sOPGCJeCnno/ClM7loCYAvjh3cTgfe4CyCPiCLbDn70e1k+VRjFAE+EnuNKDOqk0RqgyjE6IE0JQRMyU5rzLrfbgNcGg5l2e6+pmx5OmijZdh7BHXL63de0uUkNP5k5qdzp//uuT60+no95H2OF/QDpW+TY6v6mPxzPrns9u7CSKlBZ1mahujHPn1+VWf9MPD3DBPW8UU8Temyx+NkqXx9yLM74jYhMXxz8lkOaCC8nySYD4I+RhR9ymWiIPimD2z/5hKareNX2/Ya0b/vxW46wrH+2zr5kYQctAYkZjtN0vvvIOwxVbrbDXMO+LjLcMsxld/w///AWAa5zfbe/mYev512bwGt9fglytAy9ShJJx0RBSBHSNrXfn+vhP/oEUrvJty8JP914UFSWrRkfmS9RIeRn0rcQE/8AiKLVzMpQcf4A9eDY4OflWlMDljBT7KUsnb37joKd0u7IPyiNv3ElaC78CSlvQc6TXYWgHZo/3w1y8WzpqRv5XfLuIwJfukryKisVe+nWf7nuV7OAMMO3+PEuIF1v4DjbcDnFBl/z4JHOBL32/A+VcZ8EdlEsZkPzjwoziMUEwy8A1c/F5lNIeIxB6k5eX3Kvto8mzB/eJ38AeYIDpxHjD02NejWm4kJsNZuS/kkUeFKG/LdKAkBw7agRxT9Wz1j8o7xIuysKdaPRD7kb+XZx1EeCkO0+h1v3vo/5gfD0JoYXYS8Hl1zOvtj3R+dX6B9DaSU44osTaEYRrk7fKbfJWKfdvxvcCjMx0J47zYs83fSnzPEhSDP4DhohgdR8eL36sT+b5aNKnYWyPATfga3+TrNf5/8k2BNkRX1YLFPasnqhtZSbINY+fdvnB/IB/3EExjytmx3WCX5yhvTgFf/B6gAN9ORtjygvxLXS+MIWLyn0r28wYB3yqT90EPZAtOjzdmr4z458DgYEW0QXF3F3kxSo7HyqvnWtWswAn9t3W794D/ggaOUu1vpUv3SnTpyxOo31QuYsbGO19HxDiLSLiMrcjNqpoq5e9FRz6Kw43noHiPozRgMJJXlbLzFHxfcla79h8c+AjeH18K8Kvzy90hosPsu17IQu4QO0UAvgqeJI+efPu312E/ke/3AdKo882bG+4QHHmPSjk5AuQ8gTy9gD3VYnUfTXm/+WXowThMwmdSHdHJeMK+ZYuh71uBk1RzmPzKs7uDiDUBT2ddKtOhlwAL+DmJ8LkgenYr0k4SFBP+B8kFBZs78XE4mk27mtoe5u3A4UhpNt2Po66VsPGUNZ6vwPdVliJ4m5f70Le84MhN/s6sAUM/SgmKi3oier4cJMQK6NgnYitJmNyGFzTqv4vF2fwrZWmA3yOpjqyYPD4f0eeycGdDPIUpq9ECDoP4DBLE/hrA8AIn3CZfHWSny68qIhNEUvYtn9u3UzmN/JPAkf5+lfUyZ1xcnrNRZoFdCZ6j+Qi4Qrdsu0B4qmGqE9oelW/fD/PEM0Hx1oqd5Af3S/mfKZxeLpUAK6+/1eyhnTBAH47t+XvXwm/c4CYp+75ZhQXzH64BV6yxz4Tnf0XAVP7668DxDs6KCXI+sHp8dg1aO7tcPhXhAHmQonRhvP8MArgoRpEVI+5wH3uixeKPRI7646DUyxaGEBoNVYA+Ts2asJ5JPcES1w9KV8+g38rGhipYRiud9RVs+npmGs2VOWm3ZNGZOlJrq2zD9ayvbMyGgmFDHUNf9825gm1fxfK9sFRqamRLeupIu+a43kodCaeOMQtErGJHrA3tuuo6Et7YXptMJSyYc8W1ex3XkZZLRRjezkX4oEhOYtcV176PhmNdnWm6q+hddaR1Z8vRpL0VvcVSyWEezLkbOWJ7Pe32pnpXX0x07X4qaD1x+dtv3BX4fqq5Zw8jDnBJhGA1CJ1z1b3/h0Nf16lNf6uZ5WPuqFKUKS6UsGHOlReqNnkVelZD90yjt7YnzfixP0wt49eNs+p55lxzVVFOZJ9Etj/2Hj3lwa7jlKrJ9HHgzJVCNfSMFsG6unF8PUMT+RZlimfXWwJsaNli3pnZdYJtj60L+2cKYxnNRPWaBAV66Pi7LTJqsRq4m2Fd38re1lvMO9GsrmcUr2Y011BqRXbAeFmbRm0z8PWbhVHb2tLsVl2NhWFGeVHdMYXpui6suxhm8q2RKS+W1M3U6eL2UdI9cwrrqmGuFr62Gr646+FKXZkreTeUurVHaZipq3FtOF2+qPfdm+FKWw3ve1g1Fi/qquMN78c3i+mi8ThdbNWVfKO+jLNFpjjPcyGR/ebGlPSJaThRLrsW2fUb7zFIvEVDiWb11sqq6wLVux10IijNbgfZr5tBdrOBEt6ak9bKrjeFhYFTc66sB4a6sQPNtYwmhv7YG4gK23P6Q+8Rk19kn2Cqb/moh9RuKMGgrmFTwqvFXMMmtWFgunZfx5Tuwu8Ji/qS4sKmb+JFg+nz0a6pK0vS146xw3IgJChTYnO+pnupXdfwwFcTZ64K5lxOkVg7+orRjGwfC5bRS6x5lNOjYebrK0eUb+V1czOrq6FpaDVbmnnPOtUTqS18PTHnWg/1tWwx62VmYy9T07WN2ZGusXPpWZidymH7rbU5acaOoWDoN7Ej6S8DH28Gjc7Grm9bZl1PWbiKSmtObRPQEFRDcz5k9jAlnJmGKtgNpUnxjV8iOO91MrvuZAuj1l3MNXfe25GFoYZU/wtDI/PebruYa1RPL3JQa/13h21EGx2UsPDFiMAwePaWacxmWUEQhI8+ipfojagmi7k7tuvai7wK62pfeHjNVRp4ZM9VQbJK6cQBIiihPJ58CQLcL7+kn2Z1XRjoKoaBGS3qs+VgxoyzzJPGDjtim8wamgsDrQZ7WhNKs+V4rgt2vUaTw4r7GS6I56NJFkDKA215DzfWrGvhto06PcHRyceKSRpNswiBdkpC3yIe/Lz/FPcO1F9k4A0lOC/DzJGE1Jy7WBZZhPqWAZdK1iILo1lbGLutaeiZLeEX5z5KnX57V8pMybC/vJGlpgDvZYrDteedxJxst+h+Gchi6wXRohUoG9swk4XhvDz6NdcOdNcW2xtn3lnTKP4pOcJkFjlWYc23NJlaaYLizZkq773EsjFyPud/gfA+EBst/zsYSZMw2cC/xMYB5E0mVqEXnIfcG5ZUpGbNlrbL0aRjT2a/plopB8yn4e24oWCq7fL6g+jcP+IddiQVMrefK6k51zDMYCT6eLUw1ARmTYykWd4SSLqwqO1O8pKStTewrgt2w0nNubxUsmg6mHaJOhFehp5QU+/HgehjXxaXr1oDWayl5qS9fZh0fpEl/caaj5dKd9eZ1bSe0cWzsdDqapNO66/wYhnN0JwrkSP10kV9dgu9Nm2RXDsY0+fgAQ/JcCLUBtPuzaPnjiaTdTgW1pHmwbd4v33otpSHiXs/mWBJ2UaR6bXD1zy2ie3PlkNxvURZByMJC7KovWqZnsfh2g70xBbbLblHlGnW7FpzBS8a2gYG2HlcRffQ111H0kvr65DJ2zddiHeJZSjwkKJ6u61VXwcP4yha1Hsruz8sIpnZtb6YK9CWsDeXDjUJQolE/99s9gMZZLEV2b6LoY+FBc0a0yiTxVYA/V7q3NNn+O9ZJuwG0xkZTpendsnKdh1mg+lMUO/DcCqso4euqjzMFv91eTzNs4wb2vYGtJ5aGW2PaW3XiWk0BZi1W3K3HSr1aGMZN8FAbAeDSW2fUdk7hStadteeaa4j9aBt9FaWhFPWp+q5P9N6PAiwaxvb4GEcrhdF7MLasVyNmM+1BFl0++Z8TPJeEtMRgUz9HjEnHYbLlnRBFms9GCgbuO6t8r62M7WMHbYDLUEz1odFdqBjRmuuBI5Ro3svmo+TYuR415+OPXbNt6VeQO1tB4tA9LQjfTqOZHIgi8lSkZTI9tqxLDpHHxCZj3iyKBCnjlNTajVgVnsx50rdMlRM1xdFbz6avetHe12nyOgRW4TLh20Y5LB65oi1tTWXW9QGjt/L5tIuWuDdgcd5vxNbkzYZGMrGbmgvTl9xoVjL7VGm/UbemUuvYSjOga9ubH9B5X5QMoqb6W3PJ+PFnGurQp+Z7euCOVfLemFn6ah31DPNHaqwmCvCQKc9nYphY7gczEw67o0Xcy2URXm98HFa4HXNfYX32mR8tO/Qmqs0T7nQd2q2odPem7ZBm6mvN/TCDrJYGy/m6osuuZlTzl+idvTVtevavpaY46hhScxnwoHR3NBxsDSDyYu52qO50TTGkdxPHvL2ivruDpvz9pK2Y0zX/eFyOC5yraRmptGjepke/aHm2v54aQh4NFgzuWnupLhfnP4wPIlLge7PIhrfoqcJ5txl/ngGO6E8jo1dokv6jSMu34iDdar3lcieLKN9LnHY2TaxDTZ3LJVac6DPlN60q8/mAtHHa72jdWvPY13pz14E70G8+ffDRF4r2XqJtuF6UW9R2NQs6TOP12RJcxr77daK3l61h7rwUKrzj+Yc/lncTx2plzl9fav36QzW6ThzbUP5tQxqaw1DSU/Nvjqyvc7JfCaLNdEymi4MMPOpHHf7yHM7ynGLtbJdHhdGDcuH/DB+eNN+NB9IdN5RsRgID8/jqLXXaclfmK+M63QWKtXXbbSvryX/o3lbu6czFcV3ZtsuiyVpltfR8zlIqrmLuhvZLE5qpXzWbC6MWqJk6wKfFkE690mtDOnC7eNaYzo2J8ufyeuH2UrJtkulr2WOMYvYjHXe70VhQpvOZy/wEpc2e69v8AD3//ySyNNeHKknlLL/GPqsGhNN6gkL/XR6pHRgX/dsCa8YXlbtlZqNdyu7r784kp4NjN7WmtCquduYtFqK8ho2qLZ0uPBbG6evCtDvbQc+3ZcfFAavrqCPtw6LEGdrNxwMAzpx7xI6h+Re36K8+bSiUQ+0603FDjQMfVbt6uxMQxdgXxc0v5VR75d7Gkb98XIw029MQ62xqog7G8o/mnRENO+4NKsqWTsWPUjyDND5Uz0wmb3mFr50lyxrG03BFvbywuWo29SnYvvjaP3nnvhaJ+1s5C12FO/f6iL7ndrC30WLg0cfImROuy5z1kvsXC+h7Glbx1ASy1BP+ZirtUVecVKaCaDEIsuj3Q1s6KtFXX8ppgdfFt03JxFt7kawob08nNtflPMs7Zsbyj/NqA+i9rJoKBHsj5e0+3o7Eh3sdJksb+KU+9vlrN6imWq08CO8aOTVR6EZzxjvZ981nX9pBoKBns7qambNO3km7h98MJZF2ilpm6nUYl33n04Dx2x1Pg3kWS8QHmgG+L8BAAD//9lNIgq7OQAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
