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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7Ra/3eiSpb/PX9FbW/OmOyLPtGY90xvzxklihAligpIOvsOFBVBiy8DhUrm9fzte6pAQRNf99uZPX3SCtwvn3vr1v1S+J9gZNoIWCnwTOi4PjJt7x5EiR+DwIfoBsQkCGNgEkAcBF7dKCbg1XRxEqHaxWUvioKoA4kb+OMIvaII+RCBL6AyJUFYubgcR8EyQnF88tDFyCc45QOfuH6CKheXMTEJe8bff2VMpvdgEvNrAapycRkmFnZhThUl/leIk5igqGqGbuXiEgdL8AV8ymR9tYKAxCQywxoOlp8uLqPE91FEmcNgi6LYQRjX0A6BqhyMo+DVxeyrL/oERSYk7gaB6lNCwoT0g8gzCZihHQHV3g7BhBkcYBemoJuGZhyDap8KOIuewq2FMQcqF5cBE0qRgP+W50Pw17+eZzuyAjT++heO+sExY+asmJgRYd5DIb12KfYoCQmyKxeXMLApFXdx8Zr4bI0AH/gbFJF+FHjVrhmju1tq1NVzTCLXX75c0qtr8I8LAAB4phe1ng8Dmz67v5/P+r/WBESmjPjqORf2cn9P5WXi8meZoOuLbyXdWuQSVB0GyzPqxKca9eHL/X0nDJFvdzBm4Oi63gBGC34Czz1/40aB7yGfapbRduj66FjTOAoIgoQtSaFsbBJnr+zShBh8ATLaVp+sFYIETBFMIpektQ6EKI5paEYBZoj2jw6ctSki+5sPKIaRG5Igmto2ppFyVXm4H191Pn/udz5//jxdXB++dzvXlRtQyTRUrk/NniJypPyKQb5hKj828MGNECRBlP6LVh7k/B9NfRJ5sWxucX3O5IPGP2U3tWSMTXhuVe29VPCFaaEPX+7vBUQO+mTTQ5mCDMyln2Cck5dB8REyCSocXMgujMjF84FnuT4qkdyAyj+9mo+2lWP8o2CDTg2Q0fYGfGhOKTQeEEbkCHfpIZV6lcnJCco6pcD1q2MzIvFe5/ML1ROR+IZJmZIImd7LZfa5V/4aRMiEDri6DM2IANcHGc/+OfOdlRIUU+f9USqg/NcFT6amxrLBVSbhBtRvcmG1IfKXexu/XZQ5eBzE6OqjnPJ+n9+AZysI8MvlFMEIkYODD6YfQsZH23yLsHXJPHjq4SwYrijx9QEHpXFfwVWuo+yYcgJiKkrmFOuRexRclTQ9hchneuimYWmwcp2pKmInA50BLTujY9v/miuynfAdX2QIM8kHiH/eKQfRP+6VE53HkUAbjmp3Xy2vnl2fvFzygY0O5kUIBpFd6hD2bcwqDvxPB+RVPyBle3s7NybxVc5+fRT/hNakL2VqBZlHhev6HXH2WY1QyHxcef6frz6o/vOFpsnKOWpYkJvVt3q1/fKPu29fa4cL7u4b5X+OkG1CguyXQhJbDSol31qguiTgtt6+K1vyTmVtmlhxvoGPmDPWA+O3AvGri7AdH9cbPsAYsQWKa9MQQdfE7huya0+RjSJkP7jsmRmlp2JqHdu+qrBGp3IDso7n+mMi2vxQGvp5hgTtXEJjgZKxmPiYDAdLSkHtLShKi8uyzWF1s4C4AVd58psFVSkOfFDlAy+kTS+oin6YkNwVuabrcmorp5ggTAuZn/Jet+j/qkfRSlFGSW4HtS6z62hHiP4mWKPqlKCwlBGoI0/qDb1khd3CAVy/XHYDOz3smuzJ/b7lzAQcPcqbz2JH7x8c+k9689D9gatMBvgJVO5BBfwESlWNRGkpKv8CGBbwO+gHUc+Ezj6s/lES9+nyt0+5O7P/oUmgU5JyTHq4fZwwjkDnwo7TixmR6pTRfNx8/AVAz2YDxc82+BmCq/3EkRtIP7POv5Qlh53prKeLM/7poQeqPgL1o/xy7Mgj6gMRcaJgCz7R6SwjB8i3kQ22LnGy0GDsR8yfPrBwHy4nJpZb9KLaHnIoXXw613zKAhL8LW/9LzIXF057z3Gmx3lHd/0RTLpwp1DlxLNQVAru72Cne+trzvXnbHjHeQRRQKTaN2EZmekVdWhj4oRNb5UiDigBqKK/g4oTxMQ3PVQ5CoQ9z7OMSO3Bj7OmdhDEhPWz17VZMKRTrehvzMg1fXJVTjMnKsLI3ZgEiePN7bGWKEjYEE4NkBFR2GW1Y9s0m/VNz8UpoFyg+oBi4vrmfu53d6BSr7F/P9cr4HcwDSKy36zVcRSEKCIpYAJHiEQupDSIloYDVZ8dLXAFGjPTW+ARxzmUjzGxwf3VhEj0bbTLramd3P2+2r2r9/prB7UnHmWNQkZe9mJpP+ZzfCUGmffdGFCetR9s/U/lMlC0z7PgqHk+O4N3abN8lWu/fhd+D8HWx4FpFyE4j/AHaT+/7OBlELnE8Ur3Htwlisn7ccBnlvjgb1eVwWw2/m2sPOkL2nzQq2lxKT/l349appPxfYpI6YZKY9fCKFNyc0os/CFxZZR7+6jC/kF/fxmErDEBX6gt1dd4uhxS4NVqTGwURex7diNCJErp11bpumojbLK7DXY3oL0D69yps6/3RSGJsmOmvbofTf55HFH+P5HR87mdJCZt5a9YKnIxGpixA6pDl6DIxKwaMcdUDwsPihi4rlHqAmYujQI8CYozQyqdkj7aDjZjBsEr2DomAVszBq+IQAfZdGfkesqGfH/kmSJSFaIgCT/OtYdtyhwxDKCJGTWosv2Y58TSISY4PZo87vdLE9LHwj6oq1RzB8Ig8bNcfRZoKUN3bM/1XdqYkCA6ztGM6EvJoHmMIvA70BwUoaI/uvytNhUfaipLZlXsrhGoTKtctVVtcNX/qrbq9Qr4dl0rYT5If+fgsRnH2yCyj6EfZZOMoGgaEUwiCrNojdkhEsrSGqjmnwdOUO3EY2y6fnbG2g8iiA6OOTb1x5eu5LbpeREHCDnqA0+ESBL5R7nkZPm/Lwwclh5tUNTbhW6E4oKsfPed2xXTtwPvY+eX4+bf4J73pu5PdkqzHL31/AIat/k4zeCdOV7kozQkwTIyQyetKbKQXU9RtHEhGkfBxrVRVJZTqmlMdd58laIvt+mqYna4/6Bjw/mqmYu4fnc6MkK0Yzsbx2w7H23JfIO/25Px8abMyL68TzNT8WG/75qNauv2tvJuzx2PPBRlISDDC7IUt1eTW3GUcIq553nkwiiIg1dSG9OOcMrec/CB55m+Hdcy3uxMo7eDiNWklzPT0r5pMYGXqQxecxAfDRCdOEYRqX4nySF/c88/jcbzWU+RO6Os8B2RfdxEURzQxBjZ4J2MP0DzEHim6xd4sutDooKBFyaEvRaiS8e7nujHxPQhAlUem3HMXKC5frPxG5/TTtOYIO+kDdwLqo3NiDy9HqspLKqcWER5y941gc04P4MYsbdJmuvbwTb+aiMrWX6VEZkikrCXQZXTBj/TCaqmb5fw7O+y6n0G1dUprDIkNqGfiLsuHP7D5+dscrq+ePfqAmRPflxQdjJyfVFE6v49GHXD+5O7YqA0I4LsT4eSfnICwF18u3h/5vuO+3DUWTpf2SOgsxUKzQhVDkcURxNn/hKwGDQrUOinC60eaE25Dj2cGFx9PRf6dZNfP0o9NYVeO51oct3U2sl8IGHDU1NDa62Maact8vbMFtpbaRus5wNpYzQlDJvyBHqqZ+gStjwZiw/1pcTJoSWoiS3sWpNGO7EFnNja3OexjG2eG1kN2bEFvLHcDpkJuG7okmP1u44tLJdSfXSn8/BREuzYakiO9RCOJqo8V1RHUnvyWOnNl+NpZ8u7i6WU8TwauhPafGc96/Vnak9dTFXlYVZX+vzyy5fKNfh27LlXF6MKqMQhgrU8BGv0XvxcfzlxY4W//7r+irMutkZ2pAIuX00cM0+iZrw0BqPE0tT6Qm2vF7riDL3dZtHox3rD2cCmkiw0DosDri3yyi/TXnum9lrd2Vxti7wqiryCLX9xN6m35XlfnSuq9DSZc/2HSfCnUHMfo86Jqq8mJPEpdsvrE2NW/1K5yVt2E5LyUcANqHwfhh/Y6APVZ14srxOLftZS08OVIh5RKjlQwJqhS2805sRV4JpN1TW0/tqatqKnwSgxtV839qrvGrriyLwYix4JLW/iPrnSo9XACY0xw8O+rUt5XFEaJYQNeWN7aoqm4h1KJddqtOuwqaQLvTu3GgRbLrtf338XvZ1jN3YNxLcI8tXA9nZbpHGR7DubUUPdiu7WXejdcN5QUypX0VprKLRDy2dY1obGbYaeervQuK0lzO/k1aQ+SikW2ZlQnp7jwIaDYSreaan0Zgq9VJ4t7p4E1TVmsCFrxmrhKavRm7MereSVsRJ3I6HHPQmjVF5NuNFs+SY/9G5HK2U1euhjWVu8yauuO3qY3C5mi+bTbLGVV+Kt/DZJF6lkv+r1WPRaG0NQp4Zmh5ntSmg1bt0nP3ZZFEzFO5Huk/ORwMxuSuG80V6ZDbVOl8jyuyEU5nfD9NfNML3dQAFvjWl7ZTVa9YWGE0OX1kNN3li+4phaC0Nv4g55iT2zByP3CZNfRI9gujQZxHmyaOw42FQwdFu3Qy2+hWkrtNI2Z3k4MXUlXGi7EHnqmuIxNMMzNJlhmXnt2aLhYGOgxsZUauvTbR5CO2z31Ft7IDkTXfKZ25slszO9xNQ7FFtjoe24j91xdIBFPeJz1LmP7/dH4rvkdJvSyI98RFBMd8vRsSeo/PJL8vO8odaHqoyhb4SLxnw5nLccS5svD0bwHTJvKg70FQ72lRYU5suJrtatBkfjfVX5ERRBPA9tMwdB+9y8Oc4b+Mo2MZMYRZsKHZbMiCThLA0ReHBj08LI/pxVr/NMbIT6dwBJ4iDewD8F48DyIYhV4PqnOeuDVZAEKbRcVuUenvAuolVuoUu+rXHY8pU3Wtkm/NI3vXZouTAWeUhYiHtGaKT0mvFNoNf2odcnitCvL9QdWWhyQLfAQlOILhBu4amOIdQTpPWJxcOQd5XmQldWJk91c4nVnCwfezatlDNDlxqmJmOR555YLcn4Y0OfLIfz42ot9j+sulS+Zwl9H6YH2xoLXYKWgF39IE+BRdblcvoWrU8+7yqRrUnYEtQ6q+6p6It8vMz9FYm8DYtIbWEkzF2RrxO7gRNDaDdhyr0VdtTJIs/W4/noTh8YDsS72NSkQkZ/R9OIZ2ow91GH+hlDf0IMAad/wLc1G+ullHYi3u0sRb7jD6dcKet3SEabr9kbR32BbUHOZOhSYugKhtzuAx5mG8NFbfhBOQe/DT1KW/iSxgL1ZbarJ4R2U4uG+gbTDlE8HBtq1g2JruKaWqu0Nnv/cl3o2ZylqYnd24WwOVlKQj81mioxtFadypl57SdDt3VTa62tJlwO1a4Dm/LcHEgc7yqJre1itp6lmJwK/cQQdpj37cDUdljkl8Ty2nWRL3AP144D6+qtqSvY4NdLtA2orwtbGjts6J0lzWhsrQej5WiS0ZjaYvnIH+KdLLTWWuwTaZa2BKpPnwV3iu7QSvX2yO/jdh2Kg/iR8ud/a1tQb226X05459SOXj+2+gpGg0kgCUa80Oy3x2lrDj1MHvl1SU43NNxOIA0Y7XKo0WwqByJvoymn8sp811f77aE6l/qTuSLr9f5U4UZt0V0mj+7alXh4iov9SUKLs4TtcjztPhk6JFm3gGkHTWas9HSL/cRzM1vop/ZA3aoDWkK7XVtXNpbWr5vaaDmcKxgKamIM5LHldo/Kq8hzvKm1HOjjyUJXgkx2J5BKOeIx7fgiD+nneqb167RMQi7e6dP1O9zF+p3Hm++r0l85dyneQtu9Gflas79B/XH/+ToJM3+X4o2utd2TaRleDrUWFh86hU8FGmOT5Rl6Ks+azn9Nsv1Sv3taKwyjMV36k7cQ5hOKY80Vxxb60NL6K1PACdtH6q6IZx87lrb1H2nDe1o7wiCmBezV9d3Yqfzxq73sZ5PH49b/+0jlKm+20K/nsr5bgKgeOFBdS8ArJpeOWwOJs/BuZQ3UN1tQ06HW35pTOoLtNgYrGuIaNqkTVbjw2ht7QEfH/pYOO0YqPkqU32thmBXPrdW0MfTlwNB2MW2Hs0BqU1xellS4J6vRkixfwdDrr2wBNxhNU63DgVpXvHZKN4DYzzfmXL01NJljrT3ubih2NO3ySKcJjW4SI7RoS/T9RU9t7TaBg9FOZCNmm7MHXY4lEh4ux72WOuM7P43Xozu9302thp0uNK5HBztd4JxFwwktFojcB37opGN3saP+tXw1tork1DN1CS+aygb62H5ahQ/QU6kvS/fXgTTocgtvFy7S9aNWx+PhmtqkUnoderhuzIukJrrK1tak2NTkYxy6zC0aMobNUbJotAkUaFGau0O+48OmusoKDAx5D3si72SbR8Ap7aOtptQ6Tr4na86L4eO0+0uWALqe1aSbhybL5Ro25NTUu3VRwMkZmweGrrAkDdOlKw3k+kJXsC5IG6s5cR+n3V/FvryhyWfWkP5O8RS68qRKk582SQzdwSLfXot8e8V0+2pieWrKGpKBvIIe3to8bUqUja0rW1ufhGU5eQF6d6TwLvmU/s4eL5TkvuZJ73UStrNjhzM/6dsnDDvw0afjn7Gd++HPB7/NiRP2+9UaDLwQI4I+3YBKfo/9AvR/AwAA//8N6t3VZS8AAA==')
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
