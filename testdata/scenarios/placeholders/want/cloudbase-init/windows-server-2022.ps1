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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e3eqSL7o//kUdffNGpPb0UaN6TZ996xRogSiGEEByc7pBUVF0OIxUKhkes9nP6sKVHxkP9aZ0712lKrfu37Pwv8LhpaDgJ0B34KuFyDL8e9BnAYJCAOIbkBCwigBFgHEReDNixMC3iwPpzGqXVz24jiMO5B4YfAcozcUowAi8BlUVBJGlYvL5zicxyhJjjY9jAKCMz4MiBekqHJxmRCLsD3+/gtDsvwHi1hf9kJVLi6j1MYeLKDiNPgCcZoQFFetyKtcXOJwDj6DTzmtL3YYkoTEVlTD4fzTxWWcBgGKKXIUrlGcuAjjGtogUJXD5zh88zD7GogBQbEFibdCoDpKSZSSfhj7FgETtCGg2tsgmDKFQ+zBDHSzyEoSUO1TAh9KT8WtRUkdVC4uQ0aUSgL+vzwdgL///WO0Ay1A4+9/q1M7uFbCjJUQKybMeiiizx6VPU4jgpzKxSUMHQpVv7h4SwN2RoAPgxWKST8O/WrXStDdLVXq6iUhsRfMXy/p0zX41wUAALzQh1ovgKFD9+7vp5P+7zUBEZUBX70UxF7v7ym9nFyxlxO6vvha4q3HHkHVQTj/gJ04qlEbvt7fd6IIBU4HYyYcPdcbwGDBL+ClF6y8OAx8FFDOMloPvAAdcpLRuvoceyuLIEpxz+/ZIu4Zfg8II4Ku8m22eWlBDD4zQiN7gSABKoJp7JGs1oEQJQl13TjEjMJ2a4dZUxHZLj6gBMZeRMJYdRxMPemq8nD/fNX5449+548//lBn17vv3c515QZUcg6VQpLYm7skAZ/By7dEyBKCfIWBvt7fM1Mz9JIGhb4qiZHl58re7KwwDB1qCT5GFkEyWt9sGe9BVNeKKYwcBugG3HLtu/3eKKKGT3a71AqHZ/IchwRBUn3wYgRJGGfnT+WHDb+j89PWH913O/kJjEReLJ/C/rk4idE6QPENODgQqvKO+ev9vYrIgWRby56agLkltuAHDnnpbKnSwxZHNbr5en8vILLjJ1v+oZ8GKcYFeFmo/Bz3tt7T3itRkOdD3/YCVAK5AZV/+7UArSuH8g/DFTpWgLnKz8dXaZNSvcrpFABlnlLoBdVnKybJlufLK+UTbz0zd+fXy/xzy/wtjJEFXXB1GVkxAV4AcpztPrOdnRHEAutbiYziX+9xcjY1FmBXOYUbwN0UxGoDFMy3On69KGPwOEzQ1bmMeJqibsCLHYb49VJFMEZkZ+Cd6juXCdC6iBZ2LrkF2Zb3Bq4K/LLSe3sWFgFXR9mSES1rgHCCvk2hdJq5410xGmUie9/Jhc4FLRuj4zj/M1PkkfAdW4CqFThl9+ttvIQkhW8euEeu3Gfwj3Klm4QH7lEipCCLlqwu9YMtuWvwS0GnZIoPTmbvDLnk4JLEKSqj0/9iRNI4KFH79nGMIhRsE1IlL6uVo7JMO7Vqd9tmXL14AXm95EMH7SwbIxjGTqm12vZ/iyQMPu10qgYhOWfZHP3QtoQW88/g1Hy7in99Apx/VmMUseOtvPzXlwBU//1KE3XlI2i4B7eq71y1/fqvu69faruH+t1Xiv8SI8eCBDmve0rsnCiVIqpBdU5Y2StrcsKypqZ2UuSOA+QcdYf4dS/xm4ewkxxWPT7EGLEDSmpqhKBnYe8dObVR7KAYOQ8e27Pi7JhMreM4VxXWIVZuQN4qXp8Hol0jhaGfH4CgjUeoL1Aw5hPnwXA4pxBU3z1E6XCZb+9ON3eIG3BVhNUkrEpJGIAqH/oRnRZAVQyilBSmKDgdpJNyxgmjbE/zUzEk7Bvn6oG33uRhldOi2uV6HUSEGKzCJaqqBEWlZEQNeVTq6CNrL2wcwuXrZTd0sl3U5Dv32149J3CwVXTt+zy13dg17vu8MAjn4CqnAX4BlXtQyVPLttiQOCt55d8AkwX8Bfph3LOgu3Wrf5XIfbr881NhzvwvtAh0TzLSFnS3fJgwDoQuiB2mFysmVZXBnO97/gag77BJ7FcH/ArB1XZUKxSkn/nIdL3Pn4OOOukZ4oQfPfRANUCAO8gvh4Y8gN4BETcO1+ATHWtzcIACBzlg7RE3dw2GfoD86YyGW3c5UrE825Ry+zaH0sOnA+GnIs//o5iZLnIT7412ivFBe3UCd31OTHpwx6LKqW/TPvdHZaex9aXA+jkdTjAPRBQQqfYtWJbM8vd1aGXhlI29lb0fUABQRf8EFTdMSGD5qHLgCFucFxmR2gObUAREHsOEsFb6ujYJB+EaxWKwsmLPCsjV9XGp3rOI8i5JfF7dHnKJw5TdXlAFZEQU9ljtOA7NZn3L93AGKBaoPqCEeIG1vTDxNqDC1dj/v3IV8NdBXVHDmGwDt/ochxGKSQYY8SEisQfBX0BFtEzsoPrsfqa+l8zKZdjLJj4XYp2Xj91+vFkQiYGDNoVmtaPV77Pdmn3Lv7Zje2Rd1jTk4GWLlmKzuAypJCA/CS8BFGcZhOvgU7kkfNykfXSRUfRqOffrE1d8CNcBDi1n747TGJ+WgLP96etlB8/D2COuX1p78OYoIadDSsAUC8A/riqPk8nzn8/KyJjRvoQ+qftHeVR8P+imjq5EVERKCxp1axujnMnNMbDwTeDKsDD+QfH9+anj/Iyxm4lKpMP8IoG13ZXqW6LOB1TxajUhDopj9p39Yfao3zV/v2WPGf17x7HvPtu6veW4ys1OhEq1GiMSM7hWTpI9Vx2ELbbaYKshbWQCNo1OY3y9rVBpnF8WbgX80UpUODLF/4nyUlxlkNSiI80Vy4seRo9W4oLqwCMotnA+I9CjqO5cDey97rpGofdiFtSogEdu+MGwvpsCj+LRYcggfANr1yJgbSXgDRHoIoeGZsHn00+NfioiVSEO0+h84t/lCWaIQQgtzKBBlSWEIkGXrqLB8QXz4fBRmhTPEztT5CnnDoRhGuSF40NBS+Wi4/he4NEuiYTxYcFgQJ9LCk0TFIO/gO6iGO2btcs/a6r4UNNYNq1ib4lARa3Wq61qo179f9UWx1XA1+taSeYd9RMDP1tJsg5j51D0g3SWA+w7WATTmIq579PZvRrK8yqoFp87TFDtJM/Y8oL8prwfxhDtDHOo6o8fXcls6sckdiIUUn88MJ8c//eJgd3RoxWKe5vIi1GyByuvnphdsQIn9M8bv+w3/wHznKq6veEqDZZ06eUVNG6L2Z6J98GNKx9nEQnnsRW5WU2RhfxZRfHKg+g5Dleeg+IynVJRZayLTrDkfYVOVxWrU/8/dIb5uGwXJK5PbomGiLaPH/oxC+eDkCwC/CQmk8OgzME+n6YZVXzYxl2zUW3d3lZOYu5w/qJS7gnk8oI8xW3ZFFocJJz9EPYy9GAcJuEbqT3T9lRlb6v40PetwElqOW5+wdLbQMRq0usHo9u2a7KAn7MM3wohzk0znSRBMal+J8mhYHXPj4bP00lPkTvDvPAdgJ3v4qgc0MIYOeCExjekeQh9ywv28uTPu0QFQz9KCXu5R4+O93wxSIgVQASqPLaShJlA94Jm40++gM3fmBz1oVtCtWcrJqO3QzZ7jSpHGlHcsnUt4DDMP0CC2DtB3QuccJ18cZCdzr/IiKiIpOyVXuV42sh55teUe3m2q6x6fyDV1bFYZZHYdcERueu9wX/4PQIb464vTt7mgHznxwnl1zTXF3tP3b7NpGY4vUbcT7dWTJDzaVfSj64j6hdfL07vo0+wd71n6bJnKwEd9FBkxaiyuy85GH+LV7n7qbcChX4207lQb8oc9HFq1rnlVOhzFr98knpaBv12NtZlztLb6fRRwqavZabeWphqpy3yzsQR2mtpHS6nj9LKbEoYNuUx9DXfNCRs+zIWH7i5VJcjW9BSR9i0xo126gg4dfRpwGMZO3x9aDdk1xHwyvY6ZCJgzjQk1+53XUeYzyVueGfw8EkSnMRuSK79EA3HmjxVNFfSevKz0pvOn9XOmvdmcynHeTINN3L4znLS60+0njZTNeVhwil9fv75c+UafD203JuHUQVUkgjBWuGCNbqWvHCvR2as8Pdfll9w3sXWyIZUwOWbhRNmSdRM5ubjMLV1jZtp7eXMUNyBv1nNGv3EaLgr2FTSmV7H4mO9LfLKb2qvPdF6re5kqrVFXhNFXsF2MLsbc2152temiiaNxtN6/2Ec/pTU9fNSF0DVNwuS5Fh22+8Tc8J9rtwULbsFSfle4gZUvi9GEDroDOsPfh6wTG36WcssH1f2/ogyyYUC1k1Deqc+Jy5Cz2pqnqn3l7baikePw9TSf185i75nGoor82Ii+iSy/bE38qQnu4FT6mOmjwPHkAq/ojBKBBvyyvG1DKniHcokz260OdhUspnRndoNgm2PrXPb76K/cZ3GpoH4FkGBFjr+Zo30eiwH7mrY0Nait/ZmRjeaNrSM0lX01hIK7cgOmCxLU6+vBr52O9Pra1uY3smLMTfMqCyyO6Y4PdeFDRfDTLzTM+ndEnqZPJndjQTNMyewIevmYuYri+G7uxwu5IW5EDdDoVcfCcNMXozrw8n8XX7o3Q4XymL40MeyPnuXF11v+DC+nU1mzdFktpYX4q38Ps5mmeS8GVwi+q2VKWiqqTtRrrsS2Y1bbxQkHvMCVbwTaZx87AlM7aYUTRvthdXQOHpEdtCNoDC9G2S/rwbZ7QoKeG2q7YXdaHEzHaemIS0HuryyA8W19BaG/tgb8BLbcx6H3giT30SfYHo0uYjTdNbY1GFTwdBr3Q705BZmrcjO2nXbx6llKNFM30TI15ZUHlM3fVOXmSwTvz2ZNVxsPmqJqUptQ10XLrTBTk+7dR4ld2xIATN7s6R2zpdYRofK1pjpm/p5cxzcplGLBHVq3KfT+EgDjxyHKfX8OEAEJTRaDu5gQeW339Jfpw2NG2gyhoEZzRrT+WDacm19Ot8pwXfItKm4MFDqsK+0oDCdjw2Nsxt16u+Lyo9IESbTyLEKIWifWzTHRQNfWadWmqB4VaHDkhWTNJpkEQIPXmLZGDl/5NXrYyQ2Qv0nBEmTMFnBnxJjh3JWiEXoBcc568wpSIIU2R6rcg8jvIlplZsZUuDodWwHyjutbGN+Hlh+O7I9mIg8JMzFfTMyM/rM8MbQbwfQ7xNF6HMzbUNmuhzSEJjpCjEEUp/5mmsKXIr0PrF5GPGesoC+5jqC9p5nFlxU23pqN8fzp55Dq+bENKSGpctY5OsjVldyWolpjOeD6WHlFvtnKzDl5ULfqdu6ljqPsmDpm7xi06r7aLoQbxJLl+DO8/qb2NElJvtAN5OZ7rwPfC11PFqh9/yf1U4genD+lHWWMx+nIp/MpXqOawsaR7OiqYrzgVpvWnpraTed94FR8ni1TlOHb+mwPX6PoOP3M0PYRDO8p2EIW1u3WjO9nkhZJ+Y9yHBNQ+IGuhLBRZ2eQWNmSNAWsGfsZFQgFEgk8hyZ+e2V80i7n/56oLP9A96moSwKvMz2Nc40ZHgGh+qdzmjloXqvw4DSzu1WyPnOZMGOIOf2NKTUNBQMD+xCYWcB7yk7O9PzyKN9TGiXNWto7zDrEMXHianlXZLoKZ6lt2CpUmIkTD2Rr3d359vbRLA5nktCPzObGjH1FkfpTPz2yDQcIz8HOB9oXRc25an1KNV5T0kdfZMwnyj5qir0U1PYYD5wQuYz/JzYfpsT+b3cg6XrQk67tQwFm/xyjtbRxBH6GfVdW9AwpFmswWy9hFlnw/vYF/n5ctaU8IzZpeQPej81+a6tTn9Pc725u9GS0pY5mM0P4pLtq8tIfEyepEcFo0fqj0e4mMnYtYXN1DRc7ok/jYMntTWFPiZP/PLJ0mfzJ17hKKzI18nMUBYW3wmMJdHGS22oaMqbWtd4ZdrvTbR2d7p0Js+qGA68MBK9cfCkdn+jcW036mSmt5Yle7J4eco6gcjn8TLR+xwtX7CebIxxuLQDLbH5TlvstbCTfSfuNZmbGRLnGN0pMrpY7PXrjtCm8kYz6jOCtjZpl8K1U1E4KMfzwVSKbL+fIeZTbk6b38vM45z2NytTJzx7fs9qZ2n6/QQ2pk9v46jNB9zWpiV/Yb7yYDcUqltqqp01s5tP18cH/qfQDr8n03JN6R35hcJiyVTnAY3fYjJx7aniOkIf2np/YQk4ZXGilfJZgF1bXwdPtNE9rhlRmNDC9eYFXuJWvv1+Mf/R6+GY9b8+SnnKuyP0uYLWdwsP5QMfNc8W8GKf8KW6jTcL+1F7dwQtG+j9taXSxL5ZmRmlKy5hkxpRO0yAPt0XnySK77cwzIvm2m46GAZyaOqbJE/4LNlQufw8adRHdqMl2YGCod9fOAJuMJimxsFHjVP8dmbrfU7s50E8mGq3pi7XWUuPuysqO1K7PDJowhrOB1Mzsmkr9P1Dzxz9NoWPw43IRst23Xns1h0aZDycP/da2oTv/PK8HN4Z/W5mN5xsptd7dKAzhLo7a7iRzRyxfsYOnezZm22ofXeB2yfSJGv1LEPCs6ayggF2RovooSjypfVlKD126zN/E82y5ZPO4efBkuqkUXgD+pgzp/3Ezu0Rip6ydnQpsfSjgmTI9VlDxrA5pAWJQIEWnak34DsBbGqLvIDAKE+4bh48As5o/2w3pZYxCe9ogMGm8v50fOa8GOXJrDMX+a5v02DX5ZAmbtiQM8vocqKA0w90fjQNhSVXmM096ZEmFAUbgrSym2PvSe3+LvblFS10k4b0TyrPnlf+T/K6C1sfp6bhYpFvL0W+vWC8Ay21fS1jjcajvIA+Xjt8JxZ5ZeUYytoxxlGZTpF8Tq4SBnoLiw8dVjy2sNt/H14rlOi+jcPiM2rn1w0nP/o5vNZxwgB9Onyf+NGvj878QChJ2e93azD0I4wI+nQDKsUa+wXsfwcAAP//6muXeiMxAAA=')
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
