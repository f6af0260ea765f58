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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6/3eiSL7o7/kr6uXlrMmb6KDGzCT9es8qiQhRjKigdOfOgaIiaFGwUKhkp/dvv6cKFNSkp/vcvTMnrcDn+/dP4f8FA8tBwE6Bb0HXI8hy/HsQJSQGAYHoGsQ0CGNgUUBdBF69KKbg1fJwEqHa2cVjFAVRG1IvIM8RekURIhCBz6AypkFYObt4joJFhOL46KGHEaE4FQNCPZKgytlFTC3Kn4n3XzmS5T9Y1PpaCFU5uwgTG3swh4oS8hXiJKYoqlqhVzm7wMECfAbnGa2vdhDQmEZWWMPB4vzsIkoIQRFDDoMNimIXYVxDWwSqavAcBa8e5l+JTCiKLEi9NQLVYULDhHaDyLcomKAtBdXHLYIJVzjAHkxBJw2tOAbVLiPwofRM3FoY10Hl7CLgRJkk4P+r0z74+98/RjvQAjT+/rc6s4NrxdxYMbUiyq2HQnbtMdmjJKTIqZxdwMBhUPWzs9eEcB8BMSBrFNFuFPjVjhWj2xum1OWXmEYeWbxcsKsr8K8zAAD4wi5qjwQGDnt2fz+ddH+vSYiOOfDll5zYy/09o5eRy59lhK7OvpV4G5FHUbUfLD5gJw9rzIYv9/ftMETEaWPMhWN+vQYcFvwCvjyStRcFxEeEcVbRpu8RdMhJRZvqc+StLYoYxYLfs0Xdd/g9IIwouswe84cXFsTgMyc0tJcIUjBGMIk8mtbaEKI4ZqEbBZhT2D3aY9bGiO5uPqAYRl5Ig2jsOJhF0mXl4f75sv3pU7f96dOn8fxq/73Tvqpcg0rGoZJLEnkLl8bgM/jyPRHSmCJf46Av9/fc1By9pEGu75hGyPIzZa/3VhgEDrOEGCGLIhVtrneMC5Cxa0UMRg0IugY3wt1t8WwYMsPH+6fMCoc+eY4CiiCtPngRgjSI0ve98sOG39P5aesP7zvtzANDWZTLXiiuc08MNwRF1+DAIUzlPfOX+/sxogeS7Sx7agIeltiCHwTkhbOjypwtD2vs4cv9vYTonp9q+YdxShKMc/CyUJkfC1sXtAslcvJi4NseQSWQa1D5t18jaFM5lH8QrNGxAjxUfj6/Sg8Z1cuMTg5Q5qkEHqk+WxGNdzy/vDA+0S4ys3B+ucg+d8xfgwhZ0AWXF6EVUeARkOHsnnPb2SlFPLG+V8gY/lWBk7Gp8QS7zChcA+E6J1brI7LY6fjtrIwh4iBGl+9VxNMSdQ2+2EGAXy7GCEaI7g28V30fMgRt8mzhfsksyB95r+Ayxy8rXdgztwi4PKqWnGhZA4Rj9H0KJW9mgXfJaZSJFLGTCZ0JWjZG23H+Z6bIMuEvbAGqFnHK4fe49WIa57F5EB6Zcp/BP8qdbhIchEeJkIYs1rI6LA525K7ALzmdkik+8EwRDJnk4IJGCSqjs/8iRJOIlKh93x3DEJFdQapkbbVy1JbZpFbt7MaMyy8eoS8XYuCgvWUjBIPIKY1Wu/lvGQfkfK9TlQT0Pctm6Ie2payZfwan5tt3/KsT4OyzGqGQu7fy5b++ElD99wsr1JWPoGEBblXfhOrdy79uv32t7S/qt98Y/pcIORakyHkpKHE/MSp5VoPqgvK2V9bkhGVtnNhxXjsOkDPUPeK3QuJXD2EnPux6YoAx4g6Ka+MQQc/C3htyasPIQRFyHjz+zIrSYzK1tuNcVviEWLkG2ah49T4QmxoZDPv8AARtPcpigYHxmHgfDAcLBsH0LSBKzuWxvfduFhDX4DJPq0lQVeKAgKoY+CHbFkBVJmFCc1PknA7KSbniBGFa0DzPl4RicK4eROt1llYZLaZdptdBRshkHaxQdUxRWCpGzJBHrY5d8vHCxgFcvVx0AifdZ0325H43q2cEDh7lU3tRp3YP9oN7URf6wQJcZjTAL6ByDypZadk1Gxqlpaj8G+CygD9BN4geLejuwupfJXLnF3+c5+bM/oUWhe5JRdqB7m8fFowDoXNih+XFimh1zGHen3v+BqDv8E3sVwf8CsHlblXLFWSf2cp0VdTPfns8eZzJE3H48AiqBAHhoL4cGvIAeg9E3SjYgHO21mbgABEHOWDjUTcLDY5+gHz+joa7cDlSsbzblGr7roYy57OF8Dyv8//Id6azzMSF0U4xPhivTuCu3hOTOe5YVDXxbTbn/qjsLLe+5lg/p8MJ5oGIEqLVrgXLkll+0YfWFk742lsp4oABgCr6J6i4QUyJ5aPKQSDscL6oiNYe+IYiIdoLYspH6avaJOgHGxTJZG1FnkXo5dVxqy5YhNmUJD+vbw65REHCTy+YAiqiGr+sth2HVbOu5Xs4BQwLVB9QTD1i7Q5MvC2oCDX+/69CBfx50FfGQUR3iVt9joIQRTQFnPgA0ciD4E8wRqxN7KG6/HymXkhmZTIUssnPuVjvy8dPP14tiGTioG2uWe3o7l+z3Zl9x7+2Z3tkXT40ZOBli5ZyMz8MqcQg84QXA4azIsGGnJdbwsdD2kcHGfmslnG/OgnFh2BDcGA5RThOI3zaAt6dT18u2ngRRB51/dK9B2+BYnq6pBCuGAH/uKz0JpPnP5614WzO5hJ2NS4u1WH+/WCaOjoSGSNauqGzsLYxyphcHwNL3wWuDHLjHzTfn9863t8x9jtRiXSQHSTwsbtSfY3Hiz5TvFqNqYOiiH/n/3B71G+bv9/wy5T9eyvw7z5/dHMjCJXrvQiVajVCNOJwrYwkv646CFv8boPfDdggQ/g2Oo3w1a5DJVF2WLgT8Ec7UR7IDP8n2kt+lEETi600l7wuehj1rNgF1b5HUWThbEdgrqjuQw0UUXdVY9CFmDk1JuBRGH6wrO+3wKN8dDgyCF7BxrUo2FgxeEUUushhqZnzOf+p1W+MaFWKgiR8v/Dv6wQ3RD+AFubQoMoLQl6gS0fR4PiA+XD5KG2K7xN7p8kzzm0Ig4RkjeNDQUvtou34HvHYlESD6LBhcKDPJYWmMYrAn8BwUYSKYe3ij9pYfqjpvJpWsbdCoDKu1qutaqNe/X/VliBUwLerWknmPfUTAz9bcbwJIudQ9INylgEUEyyCScTELOZ0fq6GsroKqvnnHhNU2/EztjySnZR3gwiivWEOVf1x15XMNv6YxF6EXOqPF+YT9/81MbB3PVqj6HEbehGKC7Dy3ROzaxZxAv9945fj5j9gnlNVdydcpcWS3fryAho3+W7PxfvgxFWM0pAGi8gK3bSmqVJ2PUbR2oPoOQrWnoOiMp1SU+Ws80mwFH25TpcVq13/P2yH+bht5ySuTk6JBoiNjx/GMU/ng5TME/wkJ+PDpMzAPp+WmbH8sMu7ZqPaurmpnOTc4f7FpCwIZPKCrMTt2ORaHBScYgn7MvBgFMTBK609s/F0zN9WiYHvW8SJaxludsDyuIWI96SXD1a33dRkAT9jGbzmQry3zbTjGEW0+hdFDpH1vTgcPE8nj5raHmSN7wDs/SmOyQEtjJEDTmh8R5qHwLc8UsiTXe8LFQz8MKH85R5znej5MompRSACVRFbccxNYHik2fhDzGGzNyZHc+iOUO3Ziujw9ZBNoVHlSCOGW7auBRyO+QnEiL8TNDziBJv4q4PsZPFVRXSMaMJf6VWOt42MZ3ZMWcizu8u79wdSXR6LVRaJHxcckbsqDP7D7xH4Gnd1dvI2B2RPfpxQdkxzdVZE6u5tJjPD6TFisd1aEUXO+b6lHx1H1M++nZ2eR59g72fP0mHPTgK26KHQilBlf15ysP7mr3KLrbcCpW46N4TAaKoC9HFi1oXVVOoKlrh6Uh71FPp36chQBcu4S6Y9BZu+nppGa2mO23ey6Ewc6W6jbILVtKeszaaCYVMdQV/3zZmCbV/F8oOwUOpqaEt64kjb1qhxlzgSThxjSkSsYkesD+yG6joSXttem04kLJgzxbW7HdeRFgtFGNzORPikSE5sNxTXfggHI12darqr6I/qs/Y4XTyP2xvRmy+UDOfJnLmhI7ZXk8fuRH/U52Nde5gIWldcfP5cuQLfDi336mFUAZU4RLBGAufYdB+/1v+6Smz2WUstH1cKk6JUcaGEDXOmvDGzycvAs5q6ZxrdlT1uRcPeILGM39fOsuuZM81VRTmWfRra/sgbesqT3cAJM5PpY+LMlNw0DEYLYUNdO76eorF8i1LFsxt3Amxq6XzWmdoNim2P3xd23xmOZbRi1WtRRPTA8bcbZNQjlbjrQUPfyN7Gm8864bShp4yuZrRWULoLbcJlWZlGfd339Zu5Ud/Y0vRWXY6EQcpkUd0Rw3l0XdhwMUzlWyNV3izpMVUn89uhpHvmBDZUw1zOfW05eHNXg6W6NJfydiA91ofSIFWXo/pgsnhTHx5vBkttOXjoYtWYv6nLjjd4GN3MJ/PmcDLfqEv5Rn0bpfNUcV5nQiz7rbUp6WPTcMJMdy20GzfekMTevKmE08bd0mroArO7TTohlKa3/fT3dT+9WUMJb8zx3dJutIS5gRNzpqz6hrq2ieZaRgtDf+T1RYU/c3oDb4jpb7JPMbO3XNghsZsK6Tc0bEp4OZ9p2GQ+JKZr93TM+M79rjBvLBgtbPomnje5PYd2XV1akr5yjC2WiRCjVInM2Yo9S+yGhvu+GjszVTBncoLEehErRiu0fSxYRje2ZmHGj6WZry8dUb6VV631tKEGpqHVbWnqverMTrQ+9/XYnGld1NPS+bSbms2dTi3XNqYFX2PrMliYHuph+3crc9yKHEPB0G9hR9Lf+j5e95udtd3Y3JkNPeHpKip3M+YbwlJQDczZgPvDlHBqGqpgN5UWozd6C+Gs20nthpPOjfrjfKa5s+6Wzg01YPafGxqddbeb+UxjdnqTSf3uP522IZtTUMzTFyMKA/LqLZKIn2wJgiD84qNogd7JajqfuSO7ob3Jy6Ch9oSnU6kS4tGdVDnLGuMTEURRzGQ8OHMFld9+S36dNnShr6sYEjOcN6aL/pQ7Z5EVjS12xDadNjUXEq0Ou1oLStPFaKYLdqPOisOy8iNSUM9H45RAJgMba/NZOJ/XK5tmg0FU2GpkRTQJJ2mIQDuhgW9RD37aHYp+gPWTArxjBOdtkDqSkJgzF8siz1DfMuBCSe/o3GjV58Z2Yxp6akv4zXkIE6fX3pYqUzzoLW5kqSXAB5nRcO1ZJzbHmw16WBBZvHtDrGkRZW0bZjw3nLehX3dtoru22F47s86KZfEP6RHE09Cxcm++Z8nESmIUrY9M+eDFlo2R8ylr+x8j8d3zPyFIEgfxGv6UGHuUd4VYBh45Trl3PKlISmh7fDx4GOJtxMaD+UwhjlHHNtHe2EgwEhfE8u9C24OxLELKa7BvhmbKrjneCPp3BPpdqkldYa4f1QiJ1zbXlIQEGV1qizAUPa3J64bIeNcTuzlaPD06bMSYmDOlYRkqlsX6cG7UsSztauNo0Z8ejjly991xhdH3balLYLrXrTGfKdCWsDfb09Ng0evrOXwL22RORE/jddSWdIGPRalMZDFe5PaKZNGBRcq3MJKmniwK1GngxJTumjCtvxV6CHSezwjP08HtrGe6EG9jy1AKGt3tLotyG7WZnTEkI8rq8nfwNlZjtVDSdiR67YUstkl/XC/NGm2aweY+e6szW2BHUjMaMyUxZxqG9e07OFw3LhfT4Qfp7O3W9xlsYUsWC8yWWXkcUTaGzhv6G0zbVPNxbOrZGCl7mmcZrZJvdvatd6Dv1G1DT5zHbQibo4UisT6pU9NoCYzOxL8bmjNnZhmtld2Ei77ecWFTnVo9pS56WuIY25j7sxSTY6mbmNIWi8QJLNbrxQW1/TtBFgu5+yvXhYJ+Y/H5YbVAm4DZutClscXmrL1grYH7ujdYDEYZjGXMF0/iPt5ZhVzJXapM0pbE+M0mwa02c9l89PYk7uJ2Fcq9+Inh538rR9JvHJYvR7hTpsdjN7a7Gka9UaBIWdV8Grem0Mf0SVyV6HRC02sHSo/DLvpGnc8AsuigcV0Xtem2q3fv+vpU6Y6mmjoTumOtPriTvUXy5K08RYTHcvE/RWrVbWmzeB53huYM0mxGxWz1oBO/S81xp8gnsT5xpG7q9PSN3mMzXqfjzLS1bXQFyxgs+lMNQ0lPzJ76bHudg/lPFuuiZbRcSPBoPtOCjHY7UEo14iltE1mE7HM1Mdhs52JYj7ez8epE7sJ/H8ub51Xpr1y7NH9ubN/M3Nf8ryc87T5fR2Fm71K8MV87j+ralKaLvtHC8kO7sKnEYmy0+ACe0bPH09+TLF+E2+FK4zKa4wVh81q+2rn2VHMdqQtto7u0JJzwPNK3RTwT7NrGhjzt6JVmPx6PEq+P+OlH6ntvP0eSPovTnlI3x6unkw4dBjFrjK8e8WK38v0Xv9mvkQ/33//1HdfT3hypK+S0/lJxxgf2dM+W8JLTZftvT6nbeLu0e/qbI+lp3+hurDHbibdrkzcjeQWbzDk6nPt3a6fHdvnupu+z5/KTwvD9FoZZU97YTQdDwpaFbcxGqCxA75hcflas6kO70VJsomHod5eOhBscpqkLsKcLmn+XssSSu3nCT/Ub01DrfFHFnTWTHY07IpqxQsmSzwxtNrP+dTCljnGTwN5gK/Od/67u9Dp1XqBEuHh+bOkTsf3L82pwe7JESHV33nBDmwd4/R07tNNnb75l9rWJHttF0Xu0ZgqeN7U1JNgZLsMH6OvMlqX7q0DpdepzfxvO09WTIeDn/orppDP4GfSxYE6LYil72sYxlNgy1EM5Zmp93lAxbA6SeeOOQok1u6nXF9sENvVl1rhgKPrYl0X3/STaF/Ujn4ty+DTu/JYVlo5vN1lSsiK8WMGGmlqzjiBLOPlA554503jxh+nCU3qqwMbhmaSs7ebIexp3fpe76poVtUlD+SeTp+CVF2tWVI3RbnxfsRGe8yZ6Yvt6ygednrqEPt44Iht2tLUz0zbObBSW6eSN7eSM56Solf4+PO8p0X3Ni+nrKMwXypNfYx2etzkBQeeHL3o/+lnYO7/cihP+w+oaDPwQI4rOr0Elv8d/mvzfAQAA//8UcnFWvDIAAA==')
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
