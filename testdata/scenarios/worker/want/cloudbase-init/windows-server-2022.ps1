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

function New-PrivateFile([string]$Path) {
    [IO.File]::Delete($Path)
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    $rights = [Security.AccessControl.FileSystemRights]::Write
    New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096, [IO.FileOptions]::None, $acl)
}

function Protect-Directory([string]$Path) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
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
    if ($Secret) {
        Join-Parts $Parts (New-PrivateFile $new)
    }
    else {
        Join-Parts $Parts ([IO.File]::Create($new))
    }
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    if ($Secret -and [IO.File]::Exists($Path)) {
        $Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
    }
    if ($Secret) {
        Write-File $Path $true $Parts
        return
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}

$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
try {
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e3eiyL7o//kUdXOztsmd6KDGzJi+vddWoghRVFRAunNmQVERtHhsKFSyp/dnP6sKVHykp3udfWZWx0D93u9fmf8LBqaNgJUCz4SO6yPT9p5AlPgxCHyI7kFMgjAGJgHEQeDNjWIC3kwXJxGqXN10oiiIWpC4gT+K0BuKkA8R+AxKExKEpaubURQsIhTHJ4cuRj7BKR/4xPUTVLq6iYlJ2Bn/9JUhmd6zScyvB6FKVzdhYmEX5lBR4n+FOIkJispm6JaubnCwAJ/BdUbrqxUEJCaRGVZwsLi+uokS30cRRQ6DDYpiB2FcQVsEynIwioI3F7NffdEnKDIhcdcIlIcJCRPSDSLPJGCKtgSUO1sEE6ZwgF2YgnYamnEMyl1K4EPpqbiVMK6C0tVNwIhSScD/l2d98Pe/f4x2pAWo/f1vVWoHx4yZsWJiRoRZD4X02aWyR0lIkF26uoGBTaGqV1dvic98BPjAX6OIdKPAK7fNGD0+UKVuv8Qkcv3F6w19ugP/ugIAgC/0odLxYWDTs6en2bT7e0VAZMKAb7/kxF6fnii9jFx+lhG6u/pW4K1FLkHlfrD4gJ04rFAbvj49tcIQ+XYLYyYc9es9YLDgF/Cl46/dKPA95FPOMtr0XR8dc5LRpjyK3LVJEKV44DcyiXOB3zPCiKDb7Jgd3pgQg8+M0NBaIkjABMEkcklaaUGI4piGbhRgRmF3tMesTBDZvXxGMYzckATRxLYxjaTb0vPT6Lb16VO39enTp8n8bv97u3VXugeljEMplyRyFw6JwWfw5XsipDFBnsJAX5+emKkZekGDXN8JiZDpZcre760wCGxqCT5CJkEy2tzvGB9AJo4ZURg58NE9eOCaj4ezYUgNH+9PqRWOfTKKAoIgKT+7EYIkiNLLXvlhw+/p/LT1h0/tVuaBociLRS8cnnNPDDc+iu7BkUOoynvmr09PE0SOJNtZ9twELCyxCT8IyBt7R5U6WxxW6OHr05OAyJ6fbHrHceonGOfgRaEyPx5sfaB9UCInzwee5fqoAHIPSv/2Kj7alI7lHwRrdKoAC5Wfz6/CIaV6m9HJAYo8pcD1yyMzIvGO55dXyifaRWYWzq832eeO+VsQIRM64PYmNCMCXB9kOLtzZjsrJYgl1vcKGcW/O+BkbCoswW4zCveAu8+JVfrIX+x0/HZVxOBxEKPbSxXxvETdgy9WEODXmwmCESJ7A+9V34eMjzZ5tjC/ZBZkR+4buM3xi0of7JlbBNyeVEtGtKgBwjH6PoWCN7PAu2U0ikQOsZMJnQlaNEbLtv9npsgy4S9sAcqmbxfDr7N1YxLnsXkUHplyn8E/ip1uGhyFR4GQgkzasto0Dnbk7sAvOZ2CKT7wzCEYMsnBDYkSVESn/0WIJJFfoPZ9dwxD5O8KUilrq6WTtkwntXJ7N2bcfnF98nrDBzbaWzZCMIjswmi1m/+WceBf73Uq+wG5ZNkM/di2hDbzz+DcfPuOf3cGnH2WIxQy95a+/NdXH5T//UoLdekjaHgAN8vvXLn5+q/Hb18r+4fq4zeK/yVCtgkJsl8PlJifKJU8q0F5QVjbK2pyxrIySaw4rx1HyBnqHvHbQeI3F2E7Pu56fIAxYg6KK5MQQdfE7juyK8PIRhGyn112ZkbpKZlKy7ZvS2xCLN2DbFS8uwxEp0YKQz8/AEFbl9BYoGAsJi6D4WBBIai+B4iCc1ls772bBcQ9uM3TahqUpTjwQZkPvJBuC6As+mFCclPknI7KSbHiBGF6oHmdLwmHwbl8FK33WVpltKh2mV5HGSH662CFyhOCwkIxooY8aXX0kY0XFg7g6vWmHdjpPmuyk6fdrJ4RODrKp/ZDndod7Af3Q13oBwtwm9EAv4DSEyhlpWXXbEiUFqLyb4DJAv4E3SDqmNDZhdW/CuSub/64zs2Z/YQmgc5ZRdqB7l8fF4wjoXNix+XFjEh5wmAuzz1/A9Cz2Sb2qw1+heB2t6rlCtLPbGW6O9TPfmsy7ejilB8+d0DZR4A7qi/HhjyC3gMRJwo24JqutRk4QL6NbLBxiZOFBkM/Qr6+oOEuXE5ULO42hdq+q6HU+XQhvM7r/D/ynekqM/HBaOcYH4xXZ3B3l8SkjjsVVU48i865Pyo7za2vOdbP6XCGeSSigEi5a8KiZKZ36ENrEyds7S0d4oACgDL6Jyg5QUx800Olo0DY4XyREak8sw1FQKQXxISN0neVadAPNigS/bUZuaZPbu9OW/WBRZhNSeJo/XDMJQoSdntBFZARUdhjuWXbtJp1Tc/FKaBYoPyMYuL65u7CxN2CEldh///KlcCfR31lEkRkl7jlURSEKCIpYMQHiEQuBH+CCaJtYg/VZfcz1YNkZibDQTZxlIt1WT52+/FmQiT6NtrmmlVO3v41253Zd/wre7Yn1mVDQwZetGghN/PLkFIMMk+4MaA4Kz/Y+NfFlvDxkPbRRUY+q2Xc785C8TnY+Dgw7UM4ziJ83gIuzqevNy28CCKXOF7h3bO7QDE5X1J8ppgP/nFb6k2noz9GylCf07mEPk0Oj/Iw//1omjq5EpkgUnih0rC2MMqY3J8CC98FLg1y4x8135/fOi7vGPudqEA6yC4S2NhdKr/Fk0WfKl4ux8RGUcR+Zz+YPaqP9d8f2GNKfz5y7HePHT08cFzpfi9CqVyOEIkYXCMjyZ7LNsIme1tjbwM6yPhsG51F+G7XoZIouyzcCfijnSgPZIr/E+0lv8ogiUlXmltWF12MembsgHLfJSgycbYjUFeU96EGDlF3V6HQBzFzalTAkzD8YFnfb4En+WgzZBC8gY1jErAxY/CGCHSQTVMz53P9U6vfBJGyEAVJeLnw7+sEM0Q/gCZm0KDMCkJeoAtX0eD0gvl4+ShsipeJXWjylHMLwiDxs8bxoaCFdtGyPdd36ZREgui4YTCgzwWFZjGKwJ9Ac1CEDsPazR+VifhcUVk1LWN3hUBpUq6WG+Vatfz/yg2OK4Fvd5WCzHvqZwYemXG8CSL7WPSjcpYBHCZYBJOIinmY09m9GsrqKijnn3tMUG7FI2y6fnZT3g0iiPaGOVb1x11XMNvkYxJ7EXKpP16Yz9z/18TA3vVojaLONnQjFB/Aim/PzK6Yvh14l41fjJv/gHnOVd3dcBUWS/rqyyuoPeS7PRPvgxtXPkpDEiwiM3TSiiIL2fMERWsXolEUrF0bRUU6habKWOeTYCH6cp1uS2ar+n/oDvNx285J3J3dEg0QHR8/jGOWzkcpmSf4WU7Gx0mZgX0+LzMT8XmXd/VaufHwUDrLueP9i0p5IJDJC7ISt2OTa3FUcA5L2JeBC6MgDt5IZUTH0wn7tooPPM/07biS4WYXLJ0tRKwnvX6wuu2mJhN4GcvgLRfi0jbTimMUkfJfFDnkr5/44WA0m3YUuTXIGt8R2OUpjsoBTYyRDc5ofEea58AzXf8gT/a8L1Qw8MKEsC/3qOt41xP9mJg+RKDMYzOOmQk016/X/uBz2Owbk5M5dEeoMjIjMnw7ZnPQqHSiEcUtWtcENsP8BGLEvhPUXN8ONvFXG1nJ4quMyASRhH2lVzrdNjKe2TXlQZ7dW9a9P5Dq9lSsokjsuuCE3N3B4D/8PQJb4+6uzr7NAdnJjxPKrmnurg6Ruvs2k5rh/BrxsN2aEUH29b6ln1xHVK++XZ3fR59h72fPwmXPTgK66KHQjFBpf19ytP7mX+Uett4SFLrpXOMCrS5z0MOJUeVWM6HLmfzqReqoKfSa6ViTOVNrJrOehA1PTQ2tsTQmrabI21NbaG6kTbCa9aS1UZcwrMtj6KmeoUvY8mQsPnMLqSqHlqAmtrBtjGvNxBZwYmszn8cytvnqwKrJji3gteW2yFTAnKFLjtVtO7awWEjc4FHn4Ysk2LFVkxzrORyMVXmmqI6kduSR0pktRpPWhnfnCynDeTF0J7T51mra6U7VjjqfqMrzlFO6/OLz59Id+HZsuTcXoxIoxSGCFT+wT0338df6X1eJRT8rqenh0sGkKJUcKGDN0KV3ajZxGbhmXXUNrbuyJo1o2Bskpvb72l52XUNXHJkXY9EjoeWN3aErvVg1nFAzGR72bV3KTUNhlBDW5LXtqSmaiI8olVyr1uRgXUnnentm1Qi2XPae2/1OcUytEctugyBfDWxvu0FaNZJ9Zz2oqRvR3bhzvR3OampK6SpaYwWFZmj5TJaVoVXXfU99mGvVjSXMHuXlmBukVBbZGVOcjuPAmoNhKj5qqfRuCp1Uns4fh4LqGlNYkzVjOfeU5eDdWQ2W8tJYituB0KkOhUEqL8fVwXTxLj93HgZLZTl47mJZm7/Ly7Y7eB4/zKfz+nA638hL8UF+H6fzVLLfdC4WvcbaENSJodlhprsSWrUHd+jH7rwuhbNac2nWVI7a3fLbIRRmj/3093U/fVhDAW+MSXNp1RrcXMOJoUurviavLV9xTK2BoTd2+7zEzuzewB1i8pvoEUztLR7skFh1ye/XFGwIeDnXFWxQH/qGY/VUTPnOvS43ry0oLWx4Bp7XmT2HVlVemoK6srUtFn0uRqkUGfqKniVWTcF9T45tXeYMXUwQXz3EitYILQ9zptaNTT3M+NE089SlzYuP4qqxntXkwNCUqiXM3DeV2olU554aG7rSRT0lnc+6qVHf6dRwLG124KttHQoL02M9LK+5MiaNyNYkDL0GtgX1ve/hdb/eXlu1TdOoqQlLV15q6tQ3Pk1BOTD0AfOHIeDU0GTOqksNSm/8HkK9206tmp3OtWpnriuO3t2SuSYH1P5zTSF6d7uZ6wq107voV5v/6bQN6ZyCYpa+GBEY+G/uIonYzRbHcdwvHooW6EJWk7nujK2a8i4ug5rc417OpUp8l+ykyllWKJ/IRwTFVMajO1dQ+u235NdZTeX6qoyhb4Tz2mzRnzHnLLKiscU23yKzuuJAX6nCrtKAwmwx1lXOqlVpcViWfkQK4npokvqQykDH2nwWzuf10qZeoxAluhqZEUnCaRoi0EpI4JnEhZ92l6IfYP2kABeMYL8PUlvgEkN3sMizDPVMDS6ktEnmWqM617YbQ1NTS8Dv9nOY2L3WtlCZ4kFv8SAKDQ4+i5SGY+nt2JhsNuh54Yt88x3RpuVLa0sz4rlmvw+9qmP5qmPxrbWtt1c0i39IjyCehbaZe/OSJRMziVG0PjHlsxubFkb2p6ztf4zEds//hCBJHMRr+FNi7FEuCrEMXP805S54UhKk0HLZePA8xNuIjgdzXfJtrYotX3mnI8GYX/im1wwtF8YiDwmrwZ4RGil9Znhj6DV96HWJInS5uXpSIwRW2xxD4BKkdYnFw5B3lSX0VIfWqKyf4XxMqSZWfbx46dh03JgaulQzNRmLfHU416pYFHZ1crzoz45HHrF7cXShvBzo2VVLUxO7Jwsmred01KHjSs9wIN7GpibBfQp3t6yGUtn7eQT2PTWxXTraHPiPJi1fdOHiJW2t5h5ORD5eSNUM1xJUjka8MREX/Um1bmqNlVW33/t6oXRMqrvMadJaa3vdVBe24RwfaOjCztaNxlyrxlLaingXMlxDl7i+poRwWaU+qM11CVoCdvW9jAqEAglFniNzr7m2e3Rs7G76Gjs/4m3oyjLHSy1P5QxdhhdwqN7JnM47VO9N4FPamd1yOd+ZLNgW5MyeupQYuoLhkV0o7NznXWVvZ+qPrGyOCR1P5zX1HaYtong4NtRsvBRdxTW1BizMZxgJM1fkq+29fzvbENbHC0mg/VMlhtbgKJ2p1xwauq1nfoCLvtp2YF2emT2pyrtKYmvbmMVEIVYnQjcxhC3mfTtgMcMviOU1OZE/yN1fOQ7k1AeTzRWrBdqEU1vopjR2LUHFkLaDGrP1CqatLe9hT+QXq3ldwnNml0I8aN3E4NvWZPZ7kunNPQ5XlLbMwXRxlJfsfLIKxV78IvUUjHo0Hk9wMZOxbQnbmaE73At/ngcvk8YMepi88KsXU5svXniFo7AiXyWsr/MtX18RdbxSB4qqvE2qKq/Mup2p2mzPVvZ0NBGDvhuEojv2Xybt32heW7Uq7QKrgj1ZvrykLV/ks3yZanTmcjCsxlt9HKwsX40tvtUUOw1sp3+R96rMzXWJs/X2DOltLHa6VVtoUnnDOY0ZQd0YdDbmmokoHM2Li/5MCi2vmyIWU05Gmz/IzOOM9ndbfCu46L/RpLUyvG4Ma7OXt3HY5H1uZ9NCvLBYeaZzHK11xqS1YXbz6PvxUfwpdDXqyGtDYPRO4kJhuWRMFj7N33ylc6yZ4thCF1pad2kKOGF5ohbqmY8dS9v4Lzt6hZlPnwaPisDqBn75kbre28+Pfp9vreyeVDUmq5ezzhwGMW2Ib67vxk7p+1/4Zn+FfLz3/q/vtq7ybgtdLqf1l4pTPrCnupaAl4dGIlUtvF1aPfXdFtS0r3U35oQ2jO3aSCldcQXr1DnqcWH16Ln4IlF8r4Fh1ow3Vt3G0KdLwjbOGgkrYlQuLytG1aFVa0iWr2DodZe2gGsMpq5ysKdyitdMLa3Lid2sOPRn6oOhyVW2oOL2msqOJm0e6bQQDhb9mRFadFb962BKbe0hgb3BVmS7frNq99pVmyYvDxejTkOd8q1fRqvB49nyIFSdec0JLRbg1Qt2aKUjd76l9t0XhC6RpmmjY+oSnteVNfSxPVyGz/nwUHi/CqReuzr3tuE8Xb1oHB71V1QnlcLr0MOcMevGVmaPQHSVja1JsamdNDpdrs5rMob1AW10BAq0mc3cPt/yYV1dZo0Jhlkhdy4nke7QZff95dTnvBhmRbK1EPm2Z9EioskBbQiwJqem3uZEAScf6NwzdIUVbZguXKlHC5WCdUFaW/Wx+zJp/y525TVtoNOa9E8qz4FX9k9y20tLG+/G9hUd3RlvX00sT03ZANOTl9DDG5tvRSKvrG1d2dj6OCzSyYva2d1OX2tg8bnFmtIOdvfvw3ueAt23cZB/hvkiefZXWMf3bHbgo+vjL3g/+nOwC3+xFSfsD6orMPBCjAi6vgel/B37k+T/DgAA//9g0IPqtDIAAA==')
    $packed = New-Object IO.MemoryStream
    $packed.Write($bytes, 0, $bytes.Length)
    $packed.Position = 0
    $plain = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $file = New-PrivateFile "$state\bootstrap.ps1"
    $plain.CopyTo($file)
    $file.Close()
    Start-Service -Name Schedule
    $arguments = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
    $do = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument $arguments
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
