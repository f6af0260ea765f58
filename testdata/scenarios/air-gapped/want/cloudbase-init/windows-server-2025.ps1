#ps1_sysnative
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runner = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\run.ps1 '
$output = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'

function ConvertFrom-Base64Text([string]$Text) {
    [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}

function Write-Log([string]$Text) {
    [IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}

function Protect-File([string]$Path) {
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    [IO.File]::SetAccessControl($Path, $acl)
}

function Protect-Directory([string]$Path) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Access')
    [IO.Directory]::SetAccessControl($Path, $acl)
}

function New-Place([string]$Path) {
    $directory = [IO.Path]::GetDirectoryName($Path)
    $null = [IO.Directory]::CreateDirectory($directory)
    [IO.Path]::Combine($directory, '~m.new')
}

function Move-Place([string]$New, [string]$Path) {
    [IO.File]::Delete($Path)
    [IO.File]::Move($New, $Path)
}

function Join-Parts([string[]]$Parts, [IO.Stream]$Stream) {
    foreach ($part in $Parts) {
        $bytes = [Convert]::FromBase64String($part)
        $Stream.Write($bytes, 0, $bytes.Length)
    }
    $Stream.Close()
}

function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $new = New-Place $Path
    [IO.File]::Create($new).Close()
    if ($Secret) {
        Protect-File $new
    }
    Join-Parts $Parts ([IO.File]::Open($new, 'Append'))
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    [IO.File]::Open($Path, 'Append').Close()
    if ($Secret) {
        Protect-File $Path
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}

$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
try {
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7x7a5eiSNrg9/wVbG2eMXOndEDTnLJ6a86rKAipmIJcpKq2D0REChpcBgIVZ/r97XsCUDHTrK6emd3TJ1uB535/gvJ/MlMHIsbNmcABnh8iBwafmSQLUyYKAfrIpCSKU8YhDPEQ8+InKWFeHB9nCWrd3I6SJEr6gPhR+JygF5SgECDmC9PQSBQ3bm6fk2iVoDR99dDHKCQ456OQ+GGGGje3KXFI8Yz//K1AcoKhQ5xvZ6EaN7dx5mIfVFBJFn4DOEsJSppO7DdubnG0Yr4wH0pa39woIilJnLiFo9WHm9skC0OUUOQ42qEk9RDGLbRHTFOJnpPoxcfF11AKCUocQPwtYpqzjMQZEaIkcAizQHvCNEd7BLJC4Qj7IGcGeeykKdMUKIF3pafituKUYxo3t1FBlErC/G9FnzB/+9v7aBdaMO2//YmjdvCctDBWSpyEFNZDMb32qexJFhMEGze3IIIUiru5ecnCwkcMH4VblBAhiYLmwEnR4wNV6u5rShI/XH2/pVf3zD9uGIZhvtKL1igEEaTPPn/WF8KnloiIVgDffa2Iff/8mdIryVXPSkL3N7/VeJuJT1BzEq3eYSfNWtSG3z9/7scxCmEf40I46tePTAHL/Jn5Ogq3fhKFAQopZwXtJn6ILjk9JxFBgBQuOTN7doh3ZHbrAMx8YRS0a87cNQKE0RDIEp/krT4AKE1paCYRLiQ6PjphtjREjjeHKAWJH5Mo0SDENFLuGsPPz3f9X34R+r/88ou2vD99H/TvGx+ZRsmhcf9abQ2RC+Z3hcgfC5bXFRz6CQIkSvJ/U8sTnX9R1ZnES3V1z9fvqXzi+If0ppo8Ywe851V4pMp8KbjQh98/fxYROfFTnACVDEphbsMM4wq8LhSfIIegs4HPtM9KVOT5KHD9ENVAPjKN/w5aIdo1LuWfRlv0WgEF7T4yV9WphcYQYUQu5K49pFTvSjoVQJ2nHPlh89lJSHrk+fU75ZOQ9GNBRSMJcoLvt+XnkflLlCAHeMzdbewkhPFDpsQ5Pi9s5+YEpdR4PyoFFP/+jFOyaRXV4K6k8JFhP1bEWhMUro46/nZTx+BxlKK7azXlbZ5/ZL66UYS/32oIJIicDHxS/RQyIdpVKVL4pbTgawuXwXBHge9PclAY/4W5q3jUDVMvQAWLmjpnf1QWZe5qnGYxCgs+NGmKMti4L1mdY6cUuhS0bow+hP+eKcpM+B1blBKWlE8i/nGjnEj/vFVe8byMBDpwNAfHbnn31Q/J91s+guikXoJAlMDahHAcY9ZpFH44Sd4MI1LXd7T3U5LeVej3F/FPaE/6UodWkXPRuO7fAJefzQTFhY0bX//Pt5Bp/vd3WiYb70GDM7jTPLDN3vd/PP72rXW64B5/o/hfEwQdQBD8fqZUeINSqVKLaa4I88D2HuuavGHZ0jI3rRL4ArlEPSH+dpb4xUcYppf9ho8wRoWD0pYWI+A72D8g2JolECUIDv3imZPkr8m0+hDeNYpBp/GRKSee++tAdPihMPTzHRC09wmNBQpWxMR1MBytKATV9wxRc25RbU7eLQPiI3NXFb9F1JTTKGSafBTEdOhlmlIYZ6QyRcXpvl7a6iUmivMzzQ/VrHue/5oX0UqlTLJKD6pdqddFRkjhNtqgpkZQXKsI1JCv+g29LBq7iyOw+X47iGB+ypryyefjyFkSuHhUDZ/njD4+OM2f9OZp+mPuShrMn5nGZ6bB/JmpdTWS5LWo/BNTyML8kxGiZOQA7xhW/6iR+3D764fKnOX/gUOAV6NyCXq6fVkwLoSuiF2WFychTa2AuT58/IkBASwWir9A5i+AuTtuHJWC9LOc/GtVctLXFiNLWvCz4YhphohhL+rLpSEvoE9AxEuiHfOBbmclOINCiCCz84lXhkaBfoH84YqGx3B5pWJ9RD9321MNpc6ne82HMiCZ/6pG/5vSxGejvcV4Z8Z5A3d/TUzquNeiKlngoqQW3L8jO82tbxXWH9PhDeaFiCIiTcEBdcmc4NyHtg7Oiu2tcY4DCsA00d+ZhhelJHQC1LgIhCPOVwWR1jBMy6F2HKWkmGfvW4toQrdaKdw6ie+E5K5eZl6xiBN/6xAkPW8fLrkkUVYs4VQBBRG1uGz2IaTVTHACH+cMxWKaQ5QSP3SOe7+/Zxpsq/jvL2yD+SejRQk5JmvzOYlilJCcKQhOEUl8QGEQbQ0nKKE4WuDO0jgl37M80nMlynWZisX9xQFICiHaV9q0Xt39fbZHUx/5t05sX1m0GBRK8LoVa/lY7fGNlCmt76cMxdmE0S78UG8D5/F5EV0Mz+/u4AM6LN9V3O/fhN8w2oU4cuA5BPUEXyn71WUfr6LEJ15Quzf0Vyglb9eBsNAkZP7rrjFeLJ5/fVZn1pIOH/RKO18qs+r7xcj0an3XEKndMGjsuhiVTD6+BhZ/CNyYVta+6LA/mO9vo7gYTJgvVJfmS6qtJlTwZjMlECVJ8b28kSCS5PRrt3bdhAg7xd12cTeis0MxuVNj3x+bQpaUx0xHdj9b/Ks4ovh/oKJXezvJHDrK3xWlyMdo7KQe05z4BCUOLrpRYZjmyfHMOQbuWxT6LGZFjQr4KijeWVLplnQtHWCBzEQvzM5zCLNzUuYFEeAhSDOj4lNX5PdXHg2RpphEWXy91p7StDDEJAIOLqCZZpGPVU2sHWIyr48mL+f92oZ0ndiVvko59wGIsrCs1e8KWqvQfRj4oU8HExIllzW6APpSU0hPUcL8kzE9lKDzfHT7a0uThi2jKGZN7G8Q09CaXLPbbHPN/9XssmyD+e2+VZP5RP2NgZ+dNN1FCbwU/aKalADnoRGBLKFinkfj4hAJlWWNaVafJ0ym2U+fseOH5RmrECUAnQxzqerPu65mNu19EicRKqlPOAkiWRJe1JJX7v99YszJ9WiLktE+9hOUnsHqd9+YXXVCGAXXjV+Pm/+Aed6qejzZqe1y9NbX70z7oVqnC/HeOV7kkzwm0SpxYi9vqYpYXmso2foAPSfR1ocoqdOp9bSCdTV81aKv0umu4fS5/0HXhve7ZkXi/s3pyBTRie3dOC7S+SIlqwR/k5PpZVKWYF/elhlNGh7zrtNudh8eGm9y7nLloVKeCZTyMmWJO7KptLgoOOe95+vUB0mURi+k9UwnQq14z8FHQeCEMG2VuOWZxmgPUNGTvr+zLR2HFocJSpbRSyXEtQWin6YoIc3fKXIo3H7mZ9NnfTFSlf60bHwXYNeHKCoHcDBGkHlD4wfSDKPA8cOzPOX1qVCBKIgzUrwWoq7j/UAKU+KEADFNHjtpWpjA9MNO+1e+gtXylKDg1Rh4JNR6dhIye7lkc9ao8Uojilu3rsPAAvMXJkXF2yTTD2G0S79B5GarbwoiGiJZ8TKo8XrAL3kyTSeENXmOd4vu/Y5Ud6/FqotUbOivyN2fDf7T5+fF5nR/8+bVBVM++XlC5cnI/c05Uo/vwagZ3p7cnRdKJyEIfji19FcnANzNbzdvz3zfYJ+OOmvnK0cJ6G6FYidBjdMRxcXGWb0EPC+aDSAK+dJkI7OjsCDAmc2xG10UWIffPMkjIwdBL5+bCuuYvUwfy9gOjNw2u2tb6/ckHi6g2NvJu2ijj+Wt3ZEx6ChzEBiBbcnYDRQsDdmVzCmxKxoZFPfdebuXQRFn0NRDHisY8tzUbSseFPHW9ftkIWLWtmTPFQYeFFcrmZ0+Wjx4kkWYum3Zc4fxdG4oump4sjFSntWRvnrW+jveX67kEufJtrwY8v3NYiQsjJGx1Ax1uGBVgV99+dK4Z367tBxJspRaLo0RaFUx2CpuIsj301eWfP/98LcC51vqE9QC1Be3Lw5OCyNPNJZMNI5XdSgv/MFQNWRd0215zgq6WjxjCb/hZE2XA3WkDOeGMrZZoaPp8sBmsbEYKYLRlu1lR47dsTxfckpXsdQcmquD2/Y62tA+QFYJTR1PXC6WURDtVF3oaBZ4Us1Y0HVuoIzgYGoYwtyCHU2c5u5w4OisPNINdWCzdmc6xjNnYzwszFiAbHdkWFgxRNVT2dED0jldW8iKMRK6C1YdTPvxzBjhh8Va2ELW+LtqCMp8oY7nC8GgfCHrrafBbmdihVcFQZ/jWJlvuPE8xHuVUxRliAc2a4znrHK6hqwh8ZvRTtMFfmFBW19gfSZIB7Uzf3DGOFyYnx5crA60UF7MFoPZor1ra7p3UEdeOG/LyTLvCQsTe6DdGzxxtuaIxhMMVLLklk+mTqa6IXVgsJ8sTG4PrYGgH4ydLUbJ0lIVTZRyBxuPcywr8/Wg0MMeqaFuQH6OJc4Y2we9Iz/MjFgGQ8NarjcdbR4lSOcERxAcgyf63LR5m+2amqAoqg5HcwOG7+JqpLvQjUg3Yv2JUwf6SA4X2Jb0DcfzGyGYjQzeGAmjuSFIE5YbuCwczjvCWGdZdqbLg4WuDKYiGSx0w56zWFWHQmouIDc9KNuZAUczAYqqbiugTR6mJoenofRkilAB7ThXFwo2hIGkBOnONfcDzfQG2lp9MDAM1IPCAy7WnYVgTTfCYDqUh8ooYl1hkAO/Z7k8mUPONhxWedRpDPajInYnujFT+Xfi+l9NuovzQKbx179mf1m2jRyODdYxd5lteVjiuUDiOc8W1QMUe7mtDTS33WMlHg5neD8HQS8EgUBUUWCXxp4sTSVyzC5emiqxxmoOLYW1xkoMRT1bdmRW3sWx7fcjebQf6JwqmCOsz9neSNX6xA301ZTfrFA+wEjErMSrbwrRyzz60nit6ouP0WtNQRQSxw9RAt8vLwy9kX47g9KvL/6qRaIAN84VHAZGDtpF9exJQ+mJx2Tnjo3QMbsHax67QNxzdhtnIH8IHfNTtiwqsBC7tJLz3RCEg/UkXO4ngZI7GoR8qHhuoPpux3txTM6z20WFDUFghI6lsCDcZKCNWVvrYiQKBIh7POkMPGgpeLaeZtNFP5v64EKOiQ9jN++u3XaXXZo4sy15MwlgDsRpBtcjavxYzru5bcIYdNQcGewTldMOcGh1yk5AZZgfYlB1Gs/VVQ+KArjQR9ivbUtmQd7dyLvoyewMUmjC2A2nmdzG20mgbN1Q9WgQgGCe2R15t8y77anWXYNgE05CGdttfIBjuVvABnZsdxT4b+miFbCBY0KKW79/cCwVTwLjYWlyO1fUwz/uL5DV/XK0GcX9kb/kvOtBS42secyBtpG7gUCqjr6D5j61LSnkw4EHOkrH7ciboou3aVwIOVrA/cyKk2nodRRrGV5P8H816oumWo95lJC0Bb8laEV3n7y1+ZS2/OibF6UkPabCqdHymERuR2EnPozgWN2BQ7SddGo+Dctkty3Pc61Bamu99tTvJbPxlNp+vbQG3jLAqWOpsW1NV8/awJU7A84Vd+GEL3Lg4Lb3bZvmSdBr25acO6aKzzE6YEFo4P8/NoER2KDkfWtQz9LqUHrPY+F4cJj5n7Y/jIxd9DuShxFEPz8UbTKXfrZy56JooVz2gIhN25IPdLSU1pHvdAzfNoWNq3WpQzLH/LSFa8G3LdVTeCmVAhK7wdyf+fKT28bZvAp2aMnV+Ehh1Bi0lS1VG2nSI8pln3YEmnBLa6C7bYJdv7jPHr9LgRy4gfeo8F2CQiOCwX6HTC5RQm87bRs7yd/5S2sQ65U5VbO7AWIvdsNClo1tcttaEj8q6zk7zaksijenOCPPA20Pg1x6NHP54IijXFksH2ei4dsL0FZMe70M1PX04G2ma2Vtr6X9VBxxM3GaK+s5N12sDspw9DBdq+vpUMCKuTwo64E/Hc4flotlZ7ZY7pS19KAc5vkyl+GLxaZS0N3aoqEdi83SUmO3/eDPwtSnBUpv99ZO22Cp3d1wEANRf5zkn7aT/GELRLyztd5lgTMvCqc/4eXiGRxP/Rkmf5UCgqm9S756tmzvOdBRMfC7DxMzfQB5N3bzHucGOKPJtTT3MQqMDbWtbdqBbSqFLIugt1i2PWyPjdTW5J5lcb3ryZSF/psBggZbEiKC3hsg9LbBTgwFg9COl219NdG7nmvqqzL09hjyfaJ3VA+EKgcEtQtEfTW3DNZtczTE1o2fkYL4AdLyEFAZNESa1alTdTLW2HXaFKLBNItXe1m8yGPE9DMSBQ7xwS/HN37vYP1BAa4YAR6mORTZaoLqVc0JrOS8R5Zml1ua+51tGrkr4gMcxhkc9/dvC+duh4arlRuqu6n/ppGl0/HqQc77W9DB2bJt526bC1xRCMEhrnjsVpMOncAF1p5/+fJTel3WyiumrQNct+7PsIlSPYZOFUTXHJg5WYqS7SseQz91XIzgL+Ve/z5Scbj8nxAkS6N0C/6QGCeUnxbicihXUXotOi8Mf5X0OvLD1x3kSmzKohwXg2w5wSfyLtosLTmEJofdUD3QVjbnV6ET9GLXB6nEA1LUJjqo5fT6JyZ/kXDLwPBskc2QKRCXBzHvq52lpa4dnvLmMrczXz2NIIY8t7Atue2YCt02ZkuTw1KJn9rWfDXRL49IJOHqUQelX8Z/ftKtvbRk4IrYt070VHDugVW+5F3shsuQ99UEmjJ2RYMt2nkuhRKfrip7JRIPwbmI0Xau+xLPEtjGmS32OiDnDmc9WHIcFJ/16aM1tj2A96ljymcawv5YFyob9amdMQjnxBZx/gO8ndPerOS8n/B+fyXx/XCicbUe3CclbOWzA0dtgaGolDQsObMtFQNufwWn0K2Qi+rwk3ROdisH+rMtaSxQW5YFf07oYrFsGweQ94ka4NQ2yqFO8lXfMbs13xztyw1AADnXNDI42segM1/JopDbHYPYZpeldBZBb2Zb0HLM7sbtgNXEKIZq3RnLHO+rGR22C3/WYlIThcwW95gPYeSYeyzxK+IGdKs9yz3ZeB5gjQdad226le4iauuzLu09tq3+ija7wtfj6Wo6L2Ecc7l64k/xTuvxRhKIvMi7IuVnLaJH1fLo3HB44o9xu4mlcfpE8au/DRSNB0jz5RWuTvUYCakrqBiN55Es2unShIcnrauDAJMnflOjMyg37nEBu5qYtNEqkcRDpHEGr+p7wRB6E0OXhbmuKhYraCo37Un+KnvyN77Mg9dyFX+y2KVDOx3IZ7YFSDm74bWtUZ/QZWdwzieeW0BRyOHY2BljOvsMBtBSt64psI45XU10FQPRyOyx8uz6g4u5SOI53jG7HgjxfGmpUUm7H8m1GvGU90OJB/RzszAFls43gEv3lrZ5I/fZf+/LW+VV7a9eu9Rgae4PduXr4m/MPh0/X+bVCUct3qiv4Uihc9tqYnaxNOyfbSrSGJuv3oGn9FxN/5SV+cI+zjZqIaOtra4u664prB0RZ0UeGftzPIfYc81d+HTtBCWOirOiFz/0U6/x439PVf5W5fKM+//5ObavHiAdZLRTcf9hA6J8wNjwXRGvC7osLaYy5+L92h0bByga+cQUdo4GnmRxv7WLpiFtQIca0QDLoLeFY4UFgbCbBPS59CRT/KCLQdk8d24HYhAqkW3uUzqYlYHUo3IFZVHhZm67K7uhikEgrKGI2wVMx2DB2GDVoJfTBJCEKjF148E2Fa5YtPBgS2VH2oBHFi1oNEns2KXT8u87PYfmQwbG071UnOv3ODgecEUh4cHqedQ1Fnz/z8+b6aMlDHK3DfOlyY2WlupZIuct217sFoHIXbFDP3/2l3tqXzc0UvdcnEaOJeNlR92CEMPZOh6CwKC2rN3fRPJ4wC2DfbzMN08mi58nG6qTQeEtEGDW1s9FTfLVHTTl1DGVSzkshVu2FQw602zZ7hU7NRR1vzg96BjrssGAmA9wIPFemTwizukC5Hbk7mXxfeVzXoqftMFfywIwCNwOTR5aLFcb0FZyxxqwkoizd3Qe25ZaFGmQr3x5rLBLS8WWKG/dztx/0gafJEHZ0uKzaMt/p/KceVVFlRY/c35cHDZ0eSh4h0bmBkZeDCRjZQ0CvIM8HUrULbTUHbTmcZ1O1YDeHJ++KT61v3ff6dTovlRF72UeV0vjO7+jOBYMGIXow+VvB97719ZX/kF0mhU/GmqBKIgxIujDR6ZR3St+dvN/AwAA//9cd4C02jgAAA==')
    $packed = New-Object IO.MemoryStream
    $packed.Write($bytes, 0, $bytes.Length)
    $packed.Position = 0
    $plain = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $file = [IO.File]::Create("$state\bootstrap.ps1")
    $plain.CopyTo($file)
    $file.Close()
    Start-Service -Name Schedule
    $do = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
    $when = New-ScheduledTaskTrigger -AtStartup
    $who = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
    $how = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    $null = Register-ScheduledTask -TaskName 'machineadm' -Action $do -Trigger $when -Principal $who -Settings $how -Force
    & powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
    if ($LASTEXITCODE -ne 0) {
        exit 1
    }
    exit 0
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
