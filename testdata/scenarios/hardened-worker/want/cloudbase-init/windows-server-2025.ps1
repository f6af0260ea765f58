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
Install-Program 'H4sIAAAAAAAC/8R6fXeiSt7g/36KenpzhmQ7esHEzDW9d3aUKEKURFBAurP3QFERYvEyUKjkTj+ffU8VqGiSvj3zPHv29DktVNXv/b3I/wBiihyCPOAWIHSgH0TI8cJbkOZRBuIIokuQkTjJgEMA8RF4DtKMgGcnwHmKWo2zQZrGaQ+SII4eU/SMUhRBBH4DnE7ihGucPabxMkVZdrIZYBQRXIhxRIIoR1zjLCMOYXvi7TcG5IR3DnG+HZjiGmdJ7uIAVqfSPPoGcZ4RlDadJOAaZzhegt/ApxLXNzeOSUZSJ2nhePmpcZbmkQ7TICEUPok3KM18hHELbRFoqvFjGj8HmD1GckRQ6kASrBFoPuQkyckwTkOHgBnaEtAcbBHMmcwxDmAB+kXiZBngwOcG1xxSLB9KQdluJZkAuMZZEJF4zHjmwP9S52Pwt799DHckDmj/7S8C13jOI6Z6IMbRGqVkmMZhs+9k6OaaMnr+NSNpEC2fzujbBfij8ZU+tAYRjD26fns7nw1/bUmI6Ozg+dcK0dPtLcVVoqr2SiQXje8HsmYaENQcx8t3KMkPLaqJp9vbXpKgyOthzHiiVroE7Bz4DL4OonWQxlGIIkpURZtxEKEjInIUkMDBwStq6sxJ/micRTnG4DdAidwFKYIkToun29vSmfcr56UnXDQe05ggSJr7HVDu/Dyi0vPexVQ5JXfe+/Igi/IXfiu0ed7pfvnypT+/4Bp7JQEuI05KuLpwKto0H9Ng7RBEtXXQ46ND/BM93iGMCDovtxpnDqScUwQP7guCBOgI5mlAilYPQpRlNLjSGDPo3RaDaumI7BbuUMZiIk51z8PUyc+5u9vH896XL8Pely9f9MXF/rnfu+AuAVdi5y4aZ2mw9ElG1fcj0kVGUKixo0+3t0wbjRrXlXw6SZETlsJdgp3Uk9hDe3OoaHMJKqKHI7rvpPSMGkfoElzz3ZvLvdIeEqrkbL9LpT/yrTfmPDbAJdi/PhAfpRm1yE8rfo/0X9L+w22/V1qAeVPNCod3agnwGVRMXQLuYROh9BLsTXPqzzoiR7zt9PxGIVSqGQqTOHXSgp5565Fn3t73y8ChG0+3txIie5KqEx4c9WdjbI+35L9CK8ahG0Sotn0JuP8MWxHacEesT+I1OvB+HE375ZpF/zTCahsU93kdS3XkTS58dFKS7eh+faJU0p23li7+dFb+UtLPcYoc6IPzs8RJCQgiUJ5nanYLglhw/SgnU7iLRoWyxXg4LyEvAX8JysfWGEXLkt3dSRHHGTp/R4C3WegSfHXjGD+d6QimiOw1uJeOcUt2uqlC48iJSnU1gmdwXmGhMDWNVXKD85N8CA54Ka8IZ+gDwJqxSsc6r4FS2LfuUUNeMVjTRs/z/m1dVA7/E2oATSfyQI33wTbISFZ5IENWyvcb+Hu9OM/iIzeoIdCQQ0ttn9p9h+aC5gqGp/H9fSOU6ih5JGmOdsdTRPI0anz/M5U/JCja5RSurPcc0/pZ4jsZ6+uq2neWEZTQ94D2WGmeEORxjTMYe/SUcDAAbSCb/V3Tc/41iMjTmRh7iGklRTBOvVq3t2tJX7I4+sSEbEYxeU+1JehF5bVbUqWmY/3tW5WL/aHyt5miBDsQAe7r//kWgeZ/PtGayJ2egodjTvOVb3af/rj5/q21fxFuvlO4rynyHEiQ98SVhqHQVbiC5pKwelbntDyg525WJYAjgPI4VftzgLCXHZcpMcYYMeVmLT1BsGyqvNZD6qEUeXcB23PSYgfe6nneOccsyF2C0pQXx5vUmnSP/p5soW1AqL3oNrPb8TaOl3SH8n+Uapmn7S1QGusSnFe+P4ubShZHoCnGYUIHC9CUoyQnlYgVBeZ69YwQJ8UB16eqZTu01M0j77ksY+CiQSUoeT/uR9fxivaiKKklB6qbk+JCX1l5d3EMV09n/dgrmC3L1dtdaJTA++UqQMpcsVvcx8ehmzwv4cBnwN0CrgxxmuRJWoA/Gn8BjB74JxjG6cCB/s4L/jh07eDT2e+fwPfG9wZ0CPT32WC31TiOQVBnpvG9rhOdBnezHK/edgx/ATD02Jz1iwd+geC8NotVbNPfahy6KCNh3NNnA0ueiQ93A9CMEODruqv0cXSqQfw03oBPdE4tjwEUecgDm4D4gBmTgR0BfToWZGfcE0l2U00tW+4SDzUXHeg+VZnz79Wg1Kjr5O3pd9qON2cu3uGMWuOUOzUPXdr+/Qy71Oe/VRA/z/YbqDpnEiLNoQPrDDlhmabXDs5Z9q/SG90ATfQPwPlxRiInRNzRua8qIq071rFLiIzijLBO8qI1i8d0YpejtZMGTkRY63KCMin7BvlxfV1iTeOc3SlQBlVENPba7HkeTRxDJwxwAehp0LxDGQkiZ3eNEWwBx7fYv194Dvyzoccp2QVQ8zGNE5SSAjCEE0TSAIJ/Ah3R7Lo/NWQ3JULjzCnpHfiQHysW3ueFXT48OxDJkYe2oJSidbL6MbmdKnd0W3tyje+NQxalBgOl8kqQukWPjx3bteZmBoWjmt6X28NSFYtRXBGJn9n9UXWhAYIMrKJ4E33amZEBgiaMYhKyZMR9653/7/9oXnztNe2yarZ+v/3lc/PpD+FS4NvX37+9cjVCFPm7lGAcESeIMpCVJQ9A30lpzU0zSvwHTdVHdyVVb1WKenEaCRNEHM8hzoda01G6DiB6ZxKpuQrnE5Lc/vKLcNNttTvXreqXa5z5yPFQyjrCPwDXy4kfp8Erc12OAvaRk6IUPKQOxIgD+4aPES0DZSC2ywDBwTMiQYgqZFbT2WRNBNvNsBKiSeIVipqE4GaGYBx5GaNxw1PEZ2yz8msNZUkcZQhwjznhwPlels+A+wU7BGXkFycJfmEw3AXY0z6V6CMmONb9MIo0Y+/9/Ji4hE6IV8rdETnNGZkfpyzPvM1F5UNLT3BAzrkWd/GVf/r5EKqzdXCFCSJ+7NVMP0/xJfjqO5lPHBejp7NRyWc1HVJRCJ1SaO8nfAH7tyYm4Io/LHz+zGKBlf6yad8VDA1lpCQLmvMM9Z0sgI9OmgXREjRnQYjinOgIAoEHzerc2f58GgDKImhWbIEdfz/qGVj9wAgloKmXTgParMpWocowejHKAE0ZKVOS96ai3MWbCMeOd36iq58Zx57OengZpwHxw9raXbBEGTmeu6nZ6dz993NuNJs9/v6oPVgL2pnTN/3wqj5Uz2xuOLm11BGpLRi0QrkYlcgvT684pR8e5iZl2qqmp39jqv7RCF0b+8/i8m6MTZZc8znTl2MqaLOZEQ+lKXtm/zH5hZurX6/Za0H/v+HZc8i2rq95nrtscM1mikjK9jslKvbe9BB22GqbrcZl23+4Spmn+IL2iHlaXsbvWPtRH1i5EoX5ySbvzIEkd+hcfs4algCjkZP5oDkOCEodXA2/e4U39y4EDt500aIwJWMVPspSzbXeuU2qXWHsIuCAOwwyVu9uwZLWzxLpJdg4Edmh/fSv317oiDSlNM6Ttz3ZvlYzNYxj6GB2EjTLTFbmxtp3HXD6tebi9JLjfSTHjTUl1oMwzqOypXuXr1pi7nlhEAV07iBxWiZmtvlbje95hlLwT2D6KEWH8ebs95Yu37WqhgIHKwQ4vSk0O8220PyfzQ5Pi9dFq2Jxx+qR6h6dLNvEqfdhDd8dKEcSBPOUcnYoDeyCF5WNBGhWv3so0Oxlj9gJovJr0jBOIWLyH0v28wYBfzT0j0H3ZCtOD7c6b4z458Bgb0W0RulgmwQpyg7H6qunWtWcyIvD93W784D/ggYOUu1uTmt3H3Tp6xNoXzfOUsbGBzf4YlokJF6mTuIXLU2Vyveqe3pM43XgoXSHo9YMMpIXjbrzVHyfc05P+A86n3/calbgF6cXkBNEB64PvZCF3D52qgB8EzxZGT3l9m9vw16X73YBctVudq6vuX1wlP0E5eQAUPIEyvQCdlSr1V00lb3B10kA0ziLn0nrkU5vOvveKsZh6ERe1iphymu5wRYilvWfTjoKpsMgAw4ISxLxc0X0ZHLvZRlKSfMHyQVF61vxYfI4nw00tTcpq8n+SG2O2I0OvpOxUYI1CW/Ad0maInifl7s4dILowE35zqwB4zDJCUqrBlYMQjnKiBPRFl3ETpYxuc0gumr/LlZnyy9ptWFrh6T16KTk4fmAvpSFOxm4KExdjQ7wGMQXkCH2xdoMIi/eZN885ObLbyoiOiI5+97M7ca0kkZ5bX2gv1tlpfCEi/NTNuossGurUzSfAVfplm1XCI81THVCq2v9hnjf+z0TlG6c1Mt+cAdSfko/vgCpATbefk/YQXtxhD4dWqmPri7fuWXMcvYNrgUr5j9dAq5aY5+yTr90M5W/vcE+3BM5KUHeJ1aPT67qhJML0GMR9pB7KWqXmruresAlKUqcFHH7O8MjLVZ/yHDQHwelYbEw+di8UnkY4twW+NVcGvKOuLpXBkYBw24xNVXeMbv5fKRgOzQK2+y82HqvK4vezJO6G2UTr+YjZW1fKRheqVMYGqFtKdgNVSzf8UtFUBNXMnJP2nam7W7uSTj3zHkkYhV7ojBx26rvSXjtBj0ykzBvW4rvDvu+Jy2XCj+5sUR4r0he5rYV371LJlNDnWuGrxgD9VEbzJePem8jBoulUsLc25afeGJvNRsMZ8bAWOiGdjfjtaG4/O037gJ8P9bcc0Bnbi5LEGxVLt+ia9lX/ulEjZx4+231LYpJAFGLbAkHzp4dnDFFTi2Dd6Ru4VgqtsW+ANvzpdvuZEi/Vv+ccBR76B1iH/xdySp36W+rcELMHWyJCsWHEjZtS3ml9pJf4sC5MgLbHK5cvZM+jCa5Y/669l6GgW1pvirKmRySxA2nwUOg3LttnFP72CGOPEupbELPaAlsq2svNAqkyzeoUAK33eXhlVYsrP7cbRPsBmyd3z3LYSdzQoHYeoegyIi9cLtBppCqkb+etI2NHGyChdVP5m2joHg1s7OCUjdxI8bLyjaF9Tg0rhemsHGl+Y36MuUnBeVF9acUZuD7sO1jWMg3ZqG8OtKgUGeLmwfJCOwZbKum/bIItZfJq7+avKgv9ou8nUgD4UGaFOrLVJjMlq/q3eB68qK9TO6GWDUXr+pLP5jcTa8Xs8XVw2yxUV/ka/V1WiwKxXu2+EwOO2tbMnTb9JJSdi1x29fBQ5QFiyslmbe7L07b4Kne3aifQGl+My5+XY+L6zWU8MbWuy9uu8MvTJzblrIam+rajTTfMTsYhtNgLCpszxtNggdM/iqHBFN9l3Tn+aK9FeCVhmHQuR6b2TUsOolbdAU3xLljacnC3CYoNFZUt7Zph7apMl5mYXe2aPvYHhmZrStdi8oS0VhRY9uaMP5tCRf0vHuldCjM9DWB1rBfuG2vWJjCYGFpvjXckoWpxpTfhakRa7jdLCztxZGMVzkSuv/dbp7QjgRlzN0xIjCOnoNlnrJ7M57n+c8hSpfovSjwLC22zQ7vmLvMwrzTd8Nujkxh7e2kNjv+ItxiW5Rv7HCYwbbRfdapZ+6COanDE7etYaodo20EjtRdO4XSHYsK9kIj94YKXrS7hT0cTueFfKPqmwCGhm8Purk7wlP3SqHW2IxFpXCvNN+TjDvbUnjHtJNFe8iXltAKz5xncqRiGNkYYm0y55W1e6W9eiPFh6J8440Uwaa4r7TCNofEMTsRjVo3NF4Yryu8ciVj7pgCdq9Kb1RNnnmXO1LvHKsf25Yy80xc0sRZYAy2M4s37rSBP2S/Q7VvCZ5iDPzn6dyYWa+D4mHYHU154XnO+/3Jy7xNvewITlBmU6Nr6YYmW/xwOBd+3U5e/GeNV1VLUOXpTBZUmk2oTEJ3OOU1WTPY7ylcoc7sGtzkmmWqYzh9zg+fDR7P9WG3rxnqM+XJ4r27mdGd6YPB68PdNLD0TeBJ29eZiXMjNArYLm0pYxvDSE3cdmc+G062k0D5wHvzKCCn1YH6YxohgjLqy0efnwD317/mv8zbBj82mAmTRXu+HM87vmvOl2Uy3mJP7JH5lebDSBPgUOtAab6k9cNtC9TdXrif4SLO5onnVEzQIWZ/X8z6UG6TO3mG0jVHh1knJXkyKxIE7oLMcTHyvpRf6z8GYiPufwcjeRZna/gvsbEHeZeJlziITjPKO1ZQpI7gSpvlo9539fmvuVZLcdYsvpleKXhhabi+fi96dw94iz1JhcxalpLbloZhARMxxC8LU81g0cFImpetiWTwC2GbeqaCYdjBnmS8KkVvDdsG7155uW3JS6VIZuPZgKg6/zoJeEG9m0ZiiENZXL5pUWRRyG29t7nX+3+VJePasaZLZbDtzwVtaA7wfMp3B5re7/4rvDhmhwZ84knDfNGe38CgR1s1342m9Dm6xxMy0XlhPBtcPwT+o66v4im/SrQAvsf7zf2gq9zr/p2uY0nZJIkd9OK3PPaIG86XE3G1REUfIwnzsqi9ad2ep/HKjYzMFXtdeUiUWdEZOJaCF1faGkbYe3hJ7mgS9SSjtr6Kmbwj24d4mzmmAveRNdxunPYqup8mNKm+uKNJbls+lku7theWAl0JB5ZEhEVoZLalQSiR5P+bzX4ggyx2Ezf0MQwxv6At9ywpZLEbwXCYe3f0Gf5jXvDb8WxOJrPlsV2Kul0nxXg259W7OJ7xq+R+oCr388V/XZ5ACxzzmrbfEW0XnIK26cPCvjIILb6w6HXlQS9W2snaMa+jsdiLxrpAW6DQMSF7p3DV6OC7c1oUh9A1hy+OhHPWthqlP9N2Yxxh3zU30f00Xi2q2IXCIcs+Mp/r8rLoj2xrSsrWEtNRhczCIbH1PsPlSgYvi8IQRsoaroZl0Qz6M8fcYjfSMjRnbVniRgZmtCwl8mgxjbRXLcRZNfp86E+HllsIXWkYUXu70SISA+1An45FhRzJYrZUJCVxg14qi97BB0TmI4Es8sRr49yWulewEF5tS2k7porp+qJq1R/nH/rRTtc5MofEFeHyfhNHJaxReKKwciy5S23ghcPCkrbJAm/3PFqjfuroPTI26w2IUNqjTvudvGNJb2EoznGort1wQeW+VwqKm+ltxyfjxba0l0qfhRsavG2pdb2ws3TkPOiZ5g6VX1gKPzZoy6pieDVZjuc2HTunC0uLZVFeLUKcV3h9W+LLvBD0yPRg34ljqTRP+TD0BNc0aCtOq/d6FhpXRmUHWRSmC0t9NSS/8Or5S9QOvrryfTfUMnuaXDkS85l4bHbWdCytjWTywlKHNDfa5jSRR9l92RVQ391i2+otaRfBdD2aLCfTKtdKKm38qF5mB38QfDecLk0eP45XTG6aOynuV280iY/ikqf784TGtxhovG35zB9PYHXK49TcZoZkXHvi8p04WOXGSElcfZnsconHzvaIaw75RXu5VITO2Jgrw9nAmFs8MaYro68NhOepoYzmr3xwL17/416XV0qxWqJNvFq0uxQ2t2v6LOM1W9Kcxn4HQjW6qO7E4O9rdf7BtuCfxf3Mk4aFNzI2xoiOZP2+Z2lryq9jUltrGEpGbo/URzfoH41rsiiIjtnxYYSZT5W4eweee0mJWxTqdnlYmAKW9/lhev+u/Wg+kGzfHalYjPj752nS3em05i/MV6bt7squ19dNsquvNf+jeVu7owMLxXdi2wGLJWle1tHTMU8S/EXbT1wWJ0Itn3U6C1PIlGJV4dMSyIaOboEM/uZhpTEd2/ryZ/L6fnRUis1SGbHBJ2FN+Gm/l8QZbTqfgyjIfNrsvb1JBNz/88uqQHv1pCFfy/5TGLJqTDRpyC+M4+GY0oEjI3Al/MLwsmqvCC7evrgj49WTjGJsDjeOTqvmdm3TainKK1iOhnARdtfeSOVhONyMQ7ov3ysMXn2BId54LEK8jXvl0VEmts1tNg6N69Lru5S3kFY06oFuu6O4kYZhyKpdm525Mng4Mngt7BbU++WhhtFouhzPjWvbVAVWFXF/TflHel9EVt+nWVUpeqkYQFJmgP6f6oHJHHQ28HWwZFnb7PAuv5MXLh8HHWMm9j4/rv7cE9/qpFc8BostxftvdZGjvrAIt8li79H7CLFo12XPh5lb6iWWA23jmUrmmOoxH5YqLMqKk9NMACUWWQHtbuCV8bJoG6/V9BDKov/uJKJZfgKvtNf7U/uLcpmlQ3tN+acZ9V7UXhdXSgJH0yXtvt6PRA97AybLuzjl0WY5b3dppnpchAleXJXVR6EZz5xWHXN3JYvdF5qBYGTk87ZaOFa/zMSjvQ+mskg7JW09k7qs6/7TaeCQrU6ngTLrRfw9zQD/NwAA//91tvdV5zgAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
