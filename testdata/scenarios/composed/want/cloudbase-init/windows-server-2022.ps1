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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6+3eiSv7g7/kr2N6cMdnbekFj7rV7e85XURCiGEEe0p29B6oqghaPgUIlM/392/cUoGISb/fdmT190gj1edfnWfA/makDEePmTOAAzw+RA4NPTJKFKROFAH1kUhLFKeMQhniIefaTlDDPjo+zBLWurkdJEiV9QPwofEzQM0pQCBDzhWloJIobV9ePSbRKUJq+WvQxCgnO+SgkfpihxtV1ShxSrPGfvhVITjB0iPPtJFTj6jrOXOyDCirJwm8AZylBSdOJ/cbVNY5WzBfmQ0nrmxtFJCWJE7dwtPpwdZ1kYYgSihxHO5SkHsK4hfaIaSrRYxI9+7j4GUohQYkDiL9FTHOWkTgjQpQEDmEWaE+Y5miPQFYoHGEf5Mwgj500ZZoCJXBReipuK045pnF1HRVEqSTM/1b0CfP3v19GO9OCaf/9bxy1g+ekhbFS4iSksB6K6b1PZU+ymCDYuLoGEaRQ3NXVcxYWe8TwUbhFCRGSKGgOnBTd31Glbr6mJPHD1dM1vbtl/nnFMAzzld60RiGIIF379ElfCL+3RES0Avjma0Xs6dMnSq8kV62VhG6vvtd4m4lPUHMSrS6wk2YtasOnT5/6cYxC2Me4EI7u60emgGV+Yb6Owq2fRGGAQspZQbuJH6JzTo9JRBAgxZacmD06xDswu3YAZr4wCto1Z+4aAcJoCGSJT/JWHwCUptQ1kwgXEh2WjpgtDZHDwyFKQeLHJEo0CDH1lJvG8NPjTf/zZ6H/+fNnbXl7/D3o3zY+Mo2SQ+P2tdoaImfMbwqRPxYs31dw6CcIkCjJ/00tj3T+H1WdSbxUV/d0f0nlI8e/pDfV5BE74NKuwgNV5kvBhS4+ffokInLkpzgBKhmUwlyHGcYVeF0oPkEOQScDn2iflKjI81Hg+iGqgXxkGv8dtEK0a5zLP4226LUCCtp9ZN5Vp+YaQ4QROZO7tkip3pR0KoA6Tznyw+ajk5D0wPPrE+WTkPRjQUUjCXKCp+vyemD+HCXIAR5zcx07CWH8kClxDuuF7dycoJQa789SAcW/PeGUbFpFNrgpKXxk2I8VsdYEhauDjt+v6hg8jlJ0815OeRvnH5mvbhThp2sNgQSRo4GPqh9dJkS7KkSKfSkt+NrCpTPcUODboxwUxn9mbioedcPUE1DBoqbOaT8qizI3NU6zGIUFHxo0RRps3JasTr5TCl0KWjdGH8J/zxRlJPzAFqWEJeWjiH/dKEfSP2+VVzzPPYE2HM3BoVrefPVD8nTNRxAd1UsQiBJY6xAObcw6jcIPR8mbYUTq+o72fkrSmwr99sz/Ca1JX+rQKnLOCtftG+Dy2kxQXNi48fX/fAuZ5n8/0TTZuAQNTuBO84Vt9p7+ef/9W+t4w91/p/hfEwQdQBB8OlEqdoNSqUKLaa4Ic8f27uuavGHZ0jI3rQL4DLlEPSJ+P0n87CMM0/N6w0cYo2KD0pYWI+A72H9BsDVLIEoQHPrFmpPkr8m0+hDeNIpGp/GRKTue2/eBaPNDYej1Agja+4T6AgUrfOJ9MBytKATV9wRR29wi2xx3t3SIj8xNlfwWUVNOo5Bp8lEQ06aXaUphnJHKFBWn23pqq6eYKM5PND9Uve6p/2ueeSuVMskqPah2pV5nESGF22iDmhpBcS0jUEO+qjf0tijsLo7A5ul6EMH8GDXlyqdDy1kSOFuqms9TRB8Wjv0nfXjs/pibkgbzC9P4xDSYX5haVSNJXvPKvzGFLMy/GCFKRg7wDm71zxq5D9d/fKjMWf4PHAK8GpVz0OPj84RxJnRF7Dy9OAlpagXM+83H3xgQwGKg+BUyvwLm5jBxVArSa9n517LkpK8tRpa04GfDEdMMEcOe5ZdzQ55BH4GIl0Q75gOdzkpwBoUQQWbnE690jQL9DPnDOxoe3OWVivUW/VRtjzmUbj6daz6UDsn8V9X6X5UmPhntLcaFHucN3O17YtKNey2qkgUuSmrO/QPZaWx9q7D+mg5vMM9EFBFpCg6oS+YEpzq0dXBWTG+Nkx9QAKaJ/sE0vCgloROgxpkjHHC+Koi0hmFaNrXjKCVFP3vbWkQTOtVK4dZJfCckN/U084pFnPhbhyDpcXt3ziWJsmIIpwooiKjFbbMPIc1mghP4OGcoFtMcopT4oXOY+/0902Bbxb9f2QbzL0aLEnII1uZjEsUoITlTEJwikviAwiBaGo5QQnG0wJ2kcUq+J3mkx0qU92UqBvdnByAphGhfadN69fTHbA+mPvBvHdm+smjRKJTgdSvW4rGa4xspU1rfTxmKswmjXfihXgZO7fMiOmueL87gA9os31Tcb9+43zDahThy4MkF9QS/k/ar2z5eRYlPvKD2bOivUErejgNhoUnI/NdNY7xYPP7xqM6sJW0+6J12ulVm1e+zlunV+K4hUntgUN91MSqZfHwNLP4pcGNaWfuswv5Jf38dxUVjwnyhujSfU201oYI3mymBKEmK3+WDBJEkpz+7tfsmRNgpnraLpxHtHYrOnRr79lAUsqQ8Zjqw+9nkX/kRxf8LGb2a20nm0Fb+pkhFPkZjJ/WY5sQnKHFwUY0KwzSPG8+cfOC2RaFPYlbUqICvnOLCkEqnpPfCARbITPTM7DyHMDsnZZ4RAR6CNDIqPnVFfjzyaIg0xSTK4vdz7TFMC0NMIuDgApppFvFY5cTaISbz+mjyvN+vTUjvE3unrlLOfQCiLCxz9UVBaxm6DwM/9GljQqLkPEcXQF9qCukpSph/MaaHEnTqj67/aGnSsGUUyayJ/Q1iGlqTa3abba75v5pdlm0w329bNZmP1N8Y+NFJ012UwHPRz7JJCXBqGhHIEirmqTUuDpFQmdaYZnU9YjLNfvqIHT8sz1iFKAHoaJhzVX9+62pm0y6TOIpQSX3ESRDJkvAsl7za/h8TY45bj7YoGe1jP0HpCaz+9I3ZVSeEUfC+8et+8x8wz1tVDyc7tVmOPvr6xLTvqnG6EO/C8SKf5DGJVokTe3lLVcTyXkPJ1gfoMYm2PkRJnU6tphWsq+ar5n2VTjcNp8/9Dzo2XK6aFYnbN6cjU0Q7tot+XITzWUhWAf4mJtPzoCzBvrxNM5o0PMRdp93s3t013sTc+chDpTwRKOVlyhR3YFNpcZZwTnPP16kPkiiNnknrkXaEWvGeg4+CwAlh2ipxyzON0R6goiY9XZiWDk2LwwQly+i5EuK9AaKfpighzR8kORRuP/Gz6aO+GKlKf1oWvjOw95soKgdwMEaQeUPjT6QZRoHjhyd5yvtjogJREGekeC1Et473AylMiRMCxDR57KRpYQLTDzvtP/gKVstTgoJXbeCBUOvRScjs+ZzNSaPGK40obt26DgMLzM9Mioq3SaYfwmiXfoPIzVbfFEQ0RLLiZVDjdYNf8mSaTghr8hyeFtX7glQ3r8Wqi1RM6K/I3Z4M/tPn58XkdHv15tUFU678PKHyZOT26uSph/dg1AxvT+5OA6WTEAQ/HEv6qxMA7ur71dsz3zfYx6PO2vnKQQI6W6HYSVDjeERxNnFWLwFPg2YDiEK+NNnI7CgsCHBmc+xGFwXW4TcP8sjIQdDL56bCOmYv08cytgMjt83u2tb6PYmHCyj2dvIu2uhjeWt3ZAw6yhwERmBbMnYDBUtDdiVzSuyKRgbFfXfe7mVQxBk09ZDHCoY8N3XbigdFvHX9PlmImLUt2XOFgQfF1Upmp/cWDx5kEaZuW/bcYTydG4quGp5sjJRHdaSvHrX+jveXK7nEebAtL4Z8f7MYCQtjZCw1Qx0uWFXgV1++NG6Z7+eWI0mWUsulMQKtGGcrP1TRc/qVe2rBCGS01U+/sk8tuv7KrJdfFn8rqH5LfYJagG7M9bOD08LiE40lE43jVR3KC38wVA1Z13RbnrOCrhZrLOE3nKzpcqCOlOHcUMY2K3Q0XR7YLDYWI0Uw2rK97MixO5bnS07pKpaaQ3P14ra9jja0XyCrhKaOJy4XyyiIdqoudDQLPKhmLOg6N1BGcDA1DGFuwY4mTnN3OHB0Vh7phjqwWbszHeOZszHuFmYsQLY7MiysGKLqqezoDumcri1kxRgJ3QWrDqb9eGaM8N1iLWwha/xDNQRlvlDH84VgUL6Q9dbTYLczscKrgqDPcazMN9x4HuK9yimKMsQDmzXGc1Y53kPWkPjNaKfpAr+woK0vsD4TpBe1M79zxjhcmL/fuVgdaKG8mC0Gs0V719Z070UdeeG8LSfLvCcsTOyBdm/wwNmaIxoPMFDJkls+mDqZ6obUgcF+sjC5PbQGgv5i7GwxSpaWqmiilDvYuJ9jWZmvB4Ue9kgNdQPycyxxxth+0Tvy3cyIZTA0rOV609HmUYJ0TnAEwTF4os9Nm7fZrqkJiqLqcDQ3YHgRVyPdhW5EuhHrD5w60EdyuMC2pG84nt8IwWxk8MZIGM0NQZqw3MBl4XDeEcY6y7IzXR4sdGUwFclgoRv2nMWqOhRScwG56YuynRlwNBOgqOq2AtrkbmpyeBpKD6YIFdCOc3WhYEMYSEqQ7lxzP9BMb6Ct1TsDw0B9UXjAxbqzEKzpRhhMh/JQGUWsKwxy4PcslydzyNmGwyr3OvXBflT47kQ3Zip/wa//IxF4dlLINH77Lft12TZyODZYx9xltuVhiecCiec8W1RfoNjLbW2gue0eK/FwOMP7OQh6IQgEoooCuzT2ZGkqkWN28dJUiTVWc2gprDVWYijq2bIjs/Iujm2/H8mj/UDnVMEcYX3O9kaq1iduoK+m/GaF8gFGImYlXn2Top7n0ZfGa72ffYwOaocRRD+fXTaZS6+t3Alw45TMUS57QMSmbckvNGFL68h3OoZvm8LG1brJbDzNHPP3LVwLvm2pnsJLqRSQ2A3m/syXH9w2zmiCtgMcQkuukjKFUWPQVrYwMHKkSfcol31qTdBR86U10N02wa5fPGcPv6XAvreD0QvyuwSFRgSD/Q6ZXKKE3nbaNnaSv/OX1iDW6c4FRq6a3Q0Qe7EbFrJsbJPbTgLjbmlyO1fU75X1nJ3mVBbFm1OckeeBtodBLt2bufziiKNcWSzvZ6Lh2wvQVkx7vQzU9fTF20zXytpeS/upOOJm4jRX1nNuuli9KMPR3XStrqdDASvm8kVZD/zpcH63XCw7s8Vyp6ylO+Vlni9zGT5bbCoF3a0tGpptwrjUXY3d9p0/C1OfpmO93Vs7bYOldnfDQQxE/X6S/76d5HdbIOKdrfXWbrvLLk2c2Za8mZjK1g1Vj3oeCOb+hJeLNTie+jNMfpMCgqm9S756tmzvOdBRMfC7dxMzvQN5N3bzHucGOHMsNV6a+xgFxoba1jbtwDaVQpZF0Fss2x62x0Zqa3LPsrje+6GYhf4xEit/a1FnS0JEUHoh+PS2wU4MBYPQjpdtfTXRu55r6qvS9fYY8n2id1QPhCoHBLULRH01twzWbXPUxdaNP5Oilg/YC/mATmnVaFeNn41dp038ADXopO8kJIsXeYyYfkaiwCE++Hw4Vr+A9e/J846J4Ms0hyJb5abCCwLHBCs575Gl2eWW5n5nm0buivgFDuMMjvv7SVjmH9vyPNcapLa226HhauWG6m7qd18cS8W1CEmn49WdnPe3oIOzZdvO3TYXuKIQgpe44rFbTTq00AmsPf/ypfEzmx+legydau/fM3TmZClKtq8sPfRTx8UIfi6b3MtIxUnLf0KQLI3SLfhLYhxRfijETxQlFaXvuRSIQuL4IUrgJT7ryA9fV4F3PEgW5dj1i6abVrCENt1LSw6hyWE3VF9ooz3nV6ET9GLXB6nEA1Lkl8CO7Zze/0TlEwm3DAzPFtkMmQJxeRDzvtpZWura4SlvLnM789XDCNLGfWFbctsxFVptZ0uTw1KJn9rWfDXRz4cHSXh3CKD0Sy/Nj7q1l5YMXBH71pGeCk51rPLqvIvdcBnyvppAU8auaLDFsJFLocSnq8peicRDcEpEXYxE3Zd4lsA2zmyx1wE593LSgyXLqv496tN7a2x7AO9Tx5RPNIT9IXorG/WpnTEI58QWcf4neDunvVnJeT/h/f5K4vvhRONqdbRPSthqz144agsMRaWkYcmZbakYcPt3cArdCrmoDj9J52i3SUBhT7akvkBtWSbtOaHD3bJtvIC8T9QAp7ZRDmeSr/qO2a3tzcG+3AAEkHNNI4OjfQw685UsCrndMYhtdllKZxH0ZrYFLcfsbtwOWE2MgQc6iu6MZY731Qya+7TYz5pPaqKQ2eIe8yGMHHOPJX5F3IB2dSe5JxvPA6xxR7OjTbuyXURtfdKlvce21V/RglXs9Xi6ms5LGMdcrh74o7/TrLmRBCIv8q5I+VmL6F61PFr7Xx74g99uYmmcPlD86m8DReMO0nh5hatTPUZC6goqRuN5JIt2ujThy4PW1UGAyQO/qdEZlB3nuIBdTUxaLJVI4iHSOINX9b1gCL2JocvCXFcVixU0lZv2JH+VPfgbX+bBa7mKP1nscq64Wz1qg5ltAVL2X5gO9GQRCMTWBqd44rkFFAXaWe+MMe1fBgNoqVvXFFjHnK4muoqBaGT2WHl0/cFZbyPxHO+YXQ+EeL601Kik3Y/kWo54yPuhxAN63SxMgaU9CuDSvaVt3sh92r/L8lZxVfur5y41WJr7F7va6+JvzD4crs/zqsOv+RvdazhSaO+1mphdLA37J5uK1MfmqwvwlJ6r6b9nZbyw97ONWshoa6tw/hKD6sDEc3XVg6IAXFNYOyLOijgy9id/DrHnmrvw4b0JIo6KwenZD/3Ua/z5lwblV9znpz//3094fDp+CWxF64cFiPIBY8N3Rbwu6LI0mcqci/drd2y8QNHIJ6awczTwIIv7rV0UDWkDOtSIBlgGvS0cKywIhN0koOvSg0zxgy4GZfHcuR2IQahEtrlPaftUOlKPyhWUSYWbue2u7IYqBoGwhiJuFzAdgwVjg1WDXk4DQBKqwNSNO9tUuGJYwoMtlR1pAx5ZNKHRILFjl3a8P970HJp3GRhP91Jx4tXj4HjAFYmEB6vHUddY8P1fHjfTe0sY5G4b5kuTGy0t1bNEzlu2vdgtHJF7xw79/NFf7ql93dBI3VNyGjmWjJcddQtCDGfreAgCg9qy9nwTyeMBtwz28TLfPJgsfpxsqE4GhbdAgFlbPyU1yVd30JRTx1TO5bAUbtlWMOhMs2W7R4BIi5LuT/h+CDrGuiwwIOYDHEi8VwaPiHM6xLgduXuefF/tOS/FD9rgtzIBDAK3Q4OHJsvVBrSV3LEGrCTi7ILOY9tSiyQN8pUvjxV2aanYEuWt25n7D9rgd0lQtjT5LNryP6g8J15VUqXJz5wf2vsNbfEL3qGRuYGRFw3JWFmDAO8gT5sSdQstdQeteVynUxWgN8cHb5JP7e/iaWeN7nOV9J7ncTX4XfjC+JAwYBSiD+df1V76DvGdTwXTrPicvgWiIMaIoA8fmUb1rPgg/f8GAAD//xva2Q70MwAA')
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
