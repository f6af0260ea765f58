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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R7+3eqSNbo7/kruOdmjcmd6IDGTJu+Z9YoCkIUI8hDzsmdBVUVQYvHQKGSmf7+9rsKUDGJp0+vb77uZRBqv/eu/Sg8/5uZOhAxbs4EDvD8EDkweGSSLEyZKATojklJFKeMQxjiIebVT1LCvDo+zhLUuroeJUmU9AHxo/A5Qa8oQSFAzFemoZEoblxdPyfRKkFp+m7RxygkOOejkPhhhhpX1ylxSLHGP34vkJxg6BDn+0moxtV1nLnYBxVUkoXfAc5SgpKmE/uNq2scrZivzJeS1nc3ikhKEidu4Wj15eo6ycIQJRQ5jnYoST2EcQvtEdNUouckevVx8TWUQoISBxB/i5jmLCNxRoQoCRzCLNCeMM3RHoGsUDjCPsiZQR47aco0BUrgovRU3Facckzj6joqiFJJmP+r6BPmb3+7jHamBdP+2584agfPSQtjpcRJSGE9FNN7n8qeZDFBsHF1DSJIobirq9csLHzE8FG4RQkRkihoDpwUPdxTpW6+pSTxw9XLNb27Zf51xTAM843etEYhiCBde3zUF8IvLRERrQC++VYRe3l8pPRKctVaSej26rcabzPxCWpOotUFdtKsRW348vjYj2MUwj7GhXDUr3dMAcv8mfk2Crd+EoUBCilnBe0mfojOOSlo13xO/K1DEKV44vfsEO8TfkOEEUE35XKxeO0AzHwtCM3cNQKE0RDIEp/krT4AKE1p6CYRLigclo6YLQ2Rw8MhSkHixyRKNAgxjaSbxvDx+ab/669C/9dff9WWt8fvg/5t445plBwalSSJv/JIynxlvv1IhDwlKFAL0JfHx8LUBXpNg0pfjSTICUpl745WmEaQWoJPkEOQgnZ3B8YnEM1zEgqjRCG6Y+7Z3sNpbRZTw6fHVWqFc588JxFBgDSHfoIAiZL8c6/8tOGPdP6w9WePg37pgZnES3UvnO4rT8x2IUrumDOHUJWPzF8eHzVEziQ7WPajCYqwxA64EJDX8ECVOluatejiy+OjiMiRn+IE53EaZhhX4HWhSj+ebH2ifVKiIs9HgeuHqAZyxzT+K2iFaNc4l38abdF7BYpQ+eP7q7ZIqd6UdCqAOk858sPms5OQ9MDz2wvlkxwiswznl+vyemD+GiXIAR5zcx07CWH8kClxDuuF7dycoGJj/SiRUfzbE07JplVssJuSwh3D3lXEWhMUrg46/nZVx+BxlKKbzzLixxR1x3xzowi/XGsIJIgcDXxU/RgyIdpVu6XwS2nBYsl/ZW4q/LrSJ3tWFmFu3mXLgmhdA4RT9GMKNW+WgXdT0KgTOcVOKXQpaN0YfQj/e6Yod8Lv2IJpOiGsh99o76ckrWLzLDxK5b4yf69XukV0Fh41QipyaMka0Dg4kLtl/lzRqZnigmdOwVBKzlyTJEN1dPpfgkiWhDVqP3bHLEbhISE1yrLaeFeWaafWHBzajJtvfkhervkIoqNlEwSiBNZaq0P/t06j8MtRp2YYkc8sW6Kf25bQYv6V+Wi+Y8W//QBcXpsJigv3Nr79v+8h0/yvF5qoG5egwQncab6xzd7Lvx5++9463nAPv1H8bwmCDiAIvpwoFX6iVKpdzTRXpCh7dU0+sGxpmZtWueMMuUQ9Iv52kvjVRxim51WPjzBGhYPSlhYj4DvYf0OwNUsgShAc+sWak+TvybT6EN40ig6xcceUreLt50C0a6Qw9HoBBO19QmOBghUx8TkYjlYUgup7gqg5t4jto3fLgLhjbqpttYiachqFTJOPgphOC0xTCuOMVKaoOJ2lk3rGieL8RPNLNSScGufmWbTelduqpEW1K/U62xFSuI02qKkRFNeSETXku1JHb4v2wsUR2LxcDyKYH3dNufJ46NVLAmdLVdd+ylOHhWPjfsoLk2jF3JQ0mD8zjUemUaaWQ7EhSV6Lyj8xhSzMvxkhSkYO8A5h9a8auS/X//hSmbP8CxwCvA8Z6QB6fHyeMM6EroidpxcnIU2tgPm87/kTAwJYTGJ/gcxfAHNzGNUqBem1HJluT/lz0tcWI0ta8LPhiGmGiGHP8su5Ic+gj0DES6Id84WOtSU4g0KIILPziVeGRoF+hvzlEw0P4fJOxfpsU8vthxxKnU8Hwi9Vnv97NTNdlSY+Ge0jxoX26gPc7WdiUse9F1XJApf2uT8rO91b3yusP6bDB8wzEUVEmoID6pI5wakObR2cFWNv4xQHFIBpon8yDS9KSegEqHEWCAecbwoirWExoYiIjKOUFK30bWsRTaIdSqRw6yS+E5Kb2/el+sQiLrsk6Xl7f84libLi9IIqoCCiFrfNPoQ0mwlO4OOcoVhMc4hS4ofO4cDE3zMNtlX8/xe2wfz7rK5oUUIOG7f5nEQxSkjOFMSniCQ+YP7NaIiWiSOUUJzPcCfJnFKGk2zScyXW5/IVpx+vDkBSCNG+0qz17unvsz2Y/cC/dWT7zrpF01CC1y1a25vVYUgjZUpP+ClDcTZhtAu/1EvC5Sbt0kFG1auV3G8/hOIw2oU4cuApHPUEfywBn/anL9d9vIoSn3hB7dnQX6GUfBxSwkKxkPn7TWO8WDz/41mdWUval9A77XSrzKrvZ93UuyMRDZHaA4OGtYtRyeTuPbD4Q+DGtDL+WfH941PH5zPGcSaqkY7Kg4Si7W40X1NtNaGKN5spgShJiu/Fn8Ie3EPnl/viNqd/H9jie1As3d+zbOPuKEKj2UwQSQq4bkmyuG9ChJ3iabt4GtFGJiymUT3Bt4cKlSXlYeFBwJ+tRFUgU/w/UF6qowySOXSkuSnyoo/R2Ek9pjnxCUocXM4I1BXNY6gxp6i7bVHok5gVNSrguzC8MKwfp8B3+xEWyEz0yuw8hzA7J2VeEQEegnRrVny+/KHRT0OkKSZRFn+e+I95ojDEJAIOLqCZZpEQqgRdO4pm3h8wnw8ftUnxc2KfFHnKuQ9AlIVl4bgoaK1c9GHghz7tkkiUnBeMAuhrTSE9RQnzb8b0UIJOzdr1P1qaNGwZRTZtYn+DmIbW5JrdZptr/p9ml2UbzG+3rZrMR+ofDPzspOkuSuC56GfprAQ4dbAIZAkV89SnF+dqqMyrTLO6HjGZZj99xo4fliflQpQAdDTMuao/77qa2bTLJI4iVFJfHpg/uP/3iTFH16MtSkb72E9QegKrP/1gdtUJYRR8bvx63PwHzPNR1cMJV22wpI++vTDt+2q2L8S7cOLKJ3lMolXixF7eUhWxvNdQsvUBek6irQ9RUqdTK6oF66oTrEVfpdNNw+lz/4vOMJfLdkXi9sMp0RTR9vFiHBfb+WxLVhv8w55MzzdlCfb1Y5rRpOFh33Xaze79fePDnjufv6iUJwKlvEyZ4g5sKi3OEs5pCPs29UESpdEraT3T9lQr3lbxURA4IUxbJW55wDLaA1TUpJcLo9uha3KYoGQZvVZCfDbN9NMUJaT5O0kOhdtHfjZ91hcjVelPy8J3BvZ5F0flAA7GCDIfaPxAmmEUOH54kqe8PyYqEAVxRoqXe9R1vB9IYUqcECCmyWMnTQsTmH7Yaf+Dr2DLNybv+tADodazk5DZ6zmbk0aNdxpR3Lp1HQYWmL8yKSreCZp+CKNd+h0iN1t9VxDREMmKV3qN99NGybM8pjzJc3haVO8LUt28F6suUnFc8I7c7cngP/0eoRjjbq8+vM1hypWfJ1Qe09xenSL18DaTmuHjMeJpunUSguCXY0l/dxzBXf129fE8+gP2sfesHfYcJKCDHoqdBDWO5yVn42/1Kvc09TaAKORLk43MjsKCAGc2x250UWAdfvMkj4wcBL18biqsY/YyfSxjOzBy2+yuba3fk3i4gGJvJ++ijT6Wt3ZHxqCjzEFgBLYlYzdQsDRkVzKnxK5oZFDcd+ftXgZFnEFTD3msYMhzU7eteFDEW9fvk4WIWduSPVcYeFBcrWR2+mDx4EkWYeq2Zc8dxtO5oeiq4cnGSHlWR/rqWevveH+5kkucJ9vyYsj3N4uRsDBGxlIz1OGCVQV+9fVr45b57dxyJMlSark0RqAV42zlhyp6Tb9xLy0YgYwOF+k39qVF19+Z9fIr/+8F1e+pT1ALUMdcvzo4LSw+0Vgy0The1aG88AdD1ZB1TbflOSvoarHGEn7DyZouB+pIGc4NZWyzQkfT5YHNYmMxUgSjLdvLjhy7Y3m+5JSuYqk5NFdvbtvraEP7DbJKaOp44nKxjIJop+pCR7PAk2rGgq5zA2UEB1PDEOYW7GjiNHeHA0dn5ZFuqAObtTvTMZ45G+N+YcYCZLsjw8KKIaqeyo7ukc7p2kJWjJHQXbDqYNqPZ8YI3y/Wwhayxj9VQ1DmC3U8XwgG5QtZbz0NdjsTK7wqCPocx8p8w43nId6rnKIoQzywWWM8Z5XjPWQNid+Mdpou8AsL2voC6zNBelM783tnjMOF+cu9i9WBFsqL2WIwW7R3bU333tSRF87bcrLMe8LCxB5o9wZPnK05ovEEA5UsueWTqZOpbkgdGOwnC5PbQ2sg6G/GzhajZGmpiiZKuYONhzmWlfl6UOhhj9RQNyA/xxJnjO03vSPfz4xYBkPDWq43HW0eJUjnBEcQHIMn+ty0eZvtmpqgKKoOR3MDhhdxNdJd6EakG7H+xKkDfSSHC2xL+obj+Y0QzEYGb4yE0dwQpAnLDVwWDucdYayzLDvT5cFCVwZTkQwWumHPWayqQyE1F5CbvinbmQFHMwGKqm4roE3upyaHp6H0ZIpQAe04VxcKNoSBpATpzjX3A830BtpavTcwDNQ3hQdcrDsLwZpuhMF0KA+VUcS6wiAHfs9yeTKHnG04rPKg0xjsR0XsTnRjpvIX4vo/sgPPji2Zxl//mv1l2TZyODZYx9xltuVhiecCiec8W1TfoNjLbW2gue0eK/FwOMP7OQh6IQgEoooCuzT2ZGkqkWN28dJUiTVWc2gprDVWYijq2bIjs/Iujm2/H8mj/UDnVMEcYX3O9kaq1iduoK+m/GaF8gFGImYlXv2Qol7n0dfGe71ffYwOaocRRD+fXTaZS6+t3Alw45TMUS57QMSmbclvNGFL68h3OoZvm8LG1brJbDzNHPOXLVwLvm2pnsJLqRSQ2A3m/syXn9w2zmiCtgMcQkuukjKFUWPQVrYwMHKkSQ8ol31qTdBR86U10N02wa5fPGcP36XAfrCD0RvyuwSFRgSD/Q6ZXKKE3nbaNnaSv/OX1iDWqecCI1fN7gaIvdgNC1k2tsltJ4FxvzS5nSvqD8p6zk5zKovizSnOyPNA28Mglx7MXH5zxFGuLJYPM9Hw7QVoK6a9XgbqevrmbaZrZW2vpf1UHHEzcZor6zk3XazelOHofrpW19OhgBVz+aasB/50OL9fLpad2WK5U9bSvfI2z5e5DF8tNpWC7tYWDc02YVzqrsZu+96fhalP07He7q2dtsFSu7vhIAai/jDJf9lO8vstEPHO1nprt91llybObEveTExl64aqRyMPBHN/wsvFGhxP/Rkmf5UCgqm9S756tmzvOdBRMfC79xMzvQd5N3bzHucGOHMsNV6a+xgFxoba1jbtwDaVQpZF0Fss2x62x0Zqa3LPsrje51sxC/3jTqzirUWDLQkRQemFzae3DXZiKBiEdrxs66uJ3vVcU1+VobfHkO8TvaN6IFQ5IKhdIOqruWWwbpujIbZu/EiKWj5gL+QDOqVVo101fjZ2nTbxA9Sgk76TkCxe5DFi+hmJAof44NfDGf8FrP+ePJ+YCL5NcyiyVW4qoiBwTLCS8x5Zml1uae53tmnkrojf4DDO4Li/n4Rl/rEtz3OtQWprux0arlZuqO6mfvfNsVRc2yHpdLy6l/P+FnRwtmzbudvmAlcUQvAWVzx2q0mHFjqBtedfvzZ+xvlRqsfQqXz/maEzJ0tRsn1n6aGfOi5G8Neyyb2MVJy0/CcEydIo3YI/JMYR5XeF+ImipKL0s5ACUUgcP0QJvMRnHfnh+yrwSQTJohy7ftF00wqW0KZ7ackhNDnshuobbbTn/Cp0gl7s+iCVeECK/BLYsZ3T+5+ofCLhloHh2SKbIVMgLg9i3lc7S0tdOzzlzWVuZ756GkHauC9sS247pkKr7Wxpclgq8VPbmq8m+vnwIAmfDgGUfhml+VG39tKSgSti3zrSU8GpjlVRnXexGy5D3lcTaMrYFQ22GDZyKZT4dFXZK5F4CE6JqIuRqPsSzxLYxpkt9jog595OerBkWdW/Z336YI1tD+B96pjyiYawP+zeykZ9amcMwjmxRZz/AG/ntDcrOe8nvN9fSXw/nGhcrY72SQlb+eyNo7bAUFRKGpac2ZaKAbf/BKfQrZCL6vCTdI52mwQU9mRLGgvUlmXSnhM63C3bxhvI+0QNcGob5XAm+arvmN2abw725QYggJxrGhkc7WPQma9kUcjtjkFss8tSOougN7MtaDlmd+N2wGpiDDzQUXRnLHO8r2bQ3KeFP2sxqYlCZot7zIcwcsw9lvgVcQPa1Z3knmw8D7DGPc2ONu3KdhG19UmX9h7bVn9FC1bh6/F0NZ2XMI65XD3xx3inWXMjCURe5F2R8rMW0YNqebT2vz3xh7jdxNI4faL41WcDReMe0v3yDleneoyE1BVUjMbzSBbtdGnCtyetq4MAkyd+U6MzKDvOcQG7mpi0WCqRxEOkcQav6nvBEHoTQ5eFua4qFitoKjftSf4qe/I3vsyD93IVH1nscq64Wz1rg5ltAVL2X5gO9GQRCMTWBqf9xHMLKAq0s94ZY9q/DAbQUreuKbCOOV1NdBUD0cjssfLs+oOz3kbiOd4xux4I8XxpqVFJux/JtRzxlPdDiQf0ulmYAkt7FMCle0vbfJD75L/L8lb7qvap5y41WJr7N7vydfEZs0+H6+u86vBr8UZ9DUcK7b1WE7OLpWH/ZFORxth8dQGe0nM1/Zes3C/sw2yjFjLa2iqcv8WgOjDxXF31oCgA1xTWjoizYh8Z+1M8h9hzzV349NkEEUfF4PTqh37qNX78s4fyt/jnpz//4yc8Ph2/BLai9bsFiPIBY8N3Rbwu6LI0mcqci/drd2y8QdHIJ6awczTwJIv7rV0UDWkDOtSIBlgGvS0cKywIhN0koOvSk0zxgy4GZfHcuR2IQahEtrlPaftUBlKPyhWUSYWbue2u7IYqBoGwhiJuFzAdgwVjg1WDXk43gCRUG1M37m1T4YphCQ+2VHakDXhk0YRGN4kdu7Tj/X2n59C8z8B4upeKE68eB8cDrkgkPFg9j7rGgu//+XkzfbCEQe62Yb40udHSUj1L5Lxl24vdIhC5T+zQz5/95Z7a1w2N1D0lp5FjyXjZUbcgxHC2jocgMKgta883kTwecMtgHy/zzZPJ4ufJhupkUHgLBJi19VNSk3x1B005dUzlXA5L4ZZtBYPONFu2ewSItCjp/oTvh6BjrMsCA2I+wIHEe+XmEXFOhxi3I3fPk+87n/NS/KQN/lomgEHgdujmoclytQFtJXesASuJOLug89i21CJJg3zly2OFXVoqtkR563bm/pM2+EUSlC1NPou2/E8qz4lXlVRp8jPnh/Z+Q1v8gndoZG5g5EVDMlbWIMA7yNOmRN1CS91Bax7X6VQF6MPxwYfkU/tcPO2s0X2tkt7rPK4Gvw+/RTw/bYZRiL6c/8zh0o8iP/ndYpoV/6ygBaIgxoigL3dMo3pW/DD//wcAAP//VG75i7o1AAA=')
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
