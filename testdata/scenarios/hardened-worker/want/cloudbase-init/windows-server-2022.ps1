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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6/3eiSNb37/krePvNWZN3ogMaM2Pm7T2rKAhREkEB6c4zB4pS0OLLQqGS3d6//TlVoKIx0z3P7nP6pBG43+veW59b+n+Zse1CxsmZwAaeH0LbDR6ZJAtTJgoBvGNSHMUpY2MGe5BZ+EmKmYXtoyyBjavrQZJESRdgPwpfEriACQwBZD4zNQ1Hce3q+iWJlglM07OXPoIhRjkfhdgPM1i7uk6xjek7/vErZbKDvo3tr0ejalfXceYgH5RUSRZ+BShLMUzqduzXrq5RtGQ+M58KWV+dKMIpTuy4gaLlp6vrJAtDmBDmONrCJPUgQg24g0xdiV6SaOEj+jGUQgwTG2B/A5n6c4bjDAtREtiYmcIdZuqDHQQZdThCPsiZXh7bacrUBSLgQ+uJuY045Zja1XVEhRJLmP+vzEbMX//6MduJF0zzr3/hSBw8O6XBSrGdYBo9GJN7n9ieZDGGbu3qGkQuoeKurhZZSNeI4aNwAxMsJFFQ79kpfLgnTt18SXHih8vXa3J3y/zjimEY5gu5aQxCELnk3ePjbCr82hAh1ijxzZdS2OvjI5FXiCvfFYJur75VdBuJj2F9FC0/UCc9N0gMXx8fu3EMQ7eLEDWOrOsdQ2mZn5gvg3DjJ1EYwJBoVuB25IfwVNNLEmEIMF2So7IXG3t7Zdc2QMxnRoHb+rOzggAzGgRZ4uO80QUApilJzSRC1KL9qwNnQ4N4/7APU5D4MY4SzXURyZSbWv/x5ab7229C97ffftPmt4fPve5t7Y6pFRpqt+duaxCfKL+hJt9RlZcd7PsJBDhK8n/Ty4Oc/6GrzxIvVd093n/k8kHjn/KbePKCbPDRqrp7qcxnqoW8fH18FCE+6FPsABYKCmOuwwyhkrxqFJ9AG8NjgI+yj06U4vkocPwQVkjumNq/gkYIt7VT+8fRBp47oMDtHXPRnUpq9CGC+MTuyksi9aaQUxJUdcqRH9Zf7ASne51fXomeBKd3VIqGE2gHr9fFda98ESXQBh5zcx3bCWb8kCl49u9p7Jwcw5QE749aAeG/PfIUahq0G9wUEu4Y9q4U1hjBcLn38dtVlYNHUQpvLvWU93V+x3xxogi9XmsQJBAfAnxw/ZAyIdyWJULXpYjgeYSLZLghxLcHOwiNv2BuSh3VwFQbEFVRcee4HmVEmZuKpucYhlQPKRraBmu3hapj7hRGF4ZWg9F13X8vFEUlfCcWhYWF5IOJfz4oB9E/HpUznaeZQABHvbffLW+++CF+veYjFx7cSyCIEreCEPYwZpVG4aeD5fUwwlV/Bzs/xelNyX57kv+Y7Emfq9QqtE82rtt3xMW1nsCYxrj25b++hkz9X6+kTdY+ogZHcrv+xtY7r/94+Pa1cbjhHr4R/i8JdG2Aoft6lERXg0gpS4upLzFzz3Yeqp68U9nQMictC/iEuWA9MH47WrzwIXLT0/2GjxCCdIHShhZD4NvIf4Nu4zlxYQLdvk/f2Ul+LqbRdd2bGgU6tTumQDy3l4kI+CE05PoBCdz5mOQCIaM5cZkMRUtCQfw9UlQWl3abw+oWCXHH3JTNbxrV5TQKmTofBTEBvUxdCuMMl6EoNd1WW1u1xURxfpT5qcS6R/xXP8lWYmWSlX4Q7wq/TipCCjfRGtY1DONKRyCBPNtvyC3d2B0UgfXrdS9y80PVFG8e95CzEHDyqgSfx4revzjgT/LwgP6Ym0IG8xNTe2RqzE9MZVfDSV7Jyr8w1Bbmn4wQJQMbePu0+kdF3Kfr3z+V4Sz+BzYGXkXKKenh8WnDODG6FHbaXuwE1zVKcxl8/IUBgUsHip9d5mfA3OwnjtJBci2Qf6VLjrradGBKU/65P2DqIWTYk/5yGsgT6gMR9pJoy3wi01lBzsDQhS6z9bFXpAZlP2H+dMHDfbqcuViF6Mfd9tBDyeKTueZTkZDM30rof1WE+Bi09xwfYJx3dLeXzCQLd26qkgUOTCrJ/R3bSW19Lbn+nA/vOE9MFCGuCzaoWmYHx31oY6OMTm+1Yx4QAqYO/87UvCjFoR3A2kki7Hm+KBA3+mFagNphlGKKZ28b02hEplop3NiJb4f4ptpmzlTEib+xMZReNvenWpIoo0M4cUCBWKW39a7rkm4m2IGPcoZwMfU+TLEf2vu5398xNbZB//3M1ph/MlqU4H2x1l+SKIYJzhkqcAxx4gNCA8nWcKAS6NECd7TGLvQe7ZFeSlMu20QH94UNoBS6cFd60zh7+n21+1Dv9TcOas8iSoFCQV6NYqUeyzm+ljJF9P2UITzrMNqGn6rbwBE+T6MT8PzhDN4jYPmm1H77Lv360TZEke0eU3CWoAttv7ztomWU+NgLKs/6/hKm+P04EFJPQuZvN7XhdPry+4v6bM4J+CB32vFWeS4/n0Cms/Fdg7jyQCe56yBYKLk7Jxb/kLg2LqN9ssP+Ab6/jmIKTJjPxJf6ItWWI2J4vZ5iFyYJ/Vw8SCBOcvKxXbmvuxDZ9GmTPo0IdqDInQT7dr8pZElxzLRX96PNv8wjwv8nOno5t+PMJlD+hrYiH8GhnXpMfeRjmNiI7kY0MPXDwjPHHLhtEOqjmaU0YuBZUnwwpJIp6VI5uJSZiRbM1rMxs7VTZgEx8KBLKqPUU3Xk+yOPBnFdTKIsvtxrD2VKAzGKgI0oNVOn9Vj2xMohJnN+NHmK9ysT0mVhF/ZVorkLQJSFRa/+0NBKh+66gR/6BJjgKDnt0ZToc8WhWQoT5p+M4cEEHvHR9e8NTeo3dNrM6shfQ6am1bl6u97k6v+v3mbZGvPttlGx+SD9XYBf7DTdRol7avpJNykIjqARgiwhZh6hMT1EgkVbY+rl9cDJ1LvpC7L9sDhjFaIEwENgTl398aWrhE37WMTBhNLqA08CcZaEJ73kbPm/L4w5LD3cwGSwi/0Epkey6tN3YVft0I2Cy8Gv5s1/IDzvXd2f7FRmOfLoyyvTvC/HaWreB8eLfJLHOFomduzlDVURi3sNJhsfwJck2vguTKpyKnsaVV2Cr0r2lT7d1Owu93/I2PDxrlmKuH13OjKGBLF9mMe0nE9KsizwdzWZnhZlQfb5fZvRpP6+7lrNevv+vvau5k5HHmLlUUBhL1O0uL2a0ouThnOce76MfZBEabTAjReCCDX6PQcfBYEdummj4C3ONAY7AOme9PrBtLQHLTYTFCqjRWnEpQGim6YwwfXvNDkYbh755/HLbDpQle642PhOyC6DKGIHsBGCLvNOxh9Y048C2w+P9hT3h0YFoiDOMP1aiCwd7wdSmGI7BJCp88hOUxoCww9bzd/5klbLUwyDMxi4F9R4sRP8vDhVc/SoduYR4a1G12Zcyvkbk0L6bZLhh260Tb+60MmWXxWINYgz+mVQ7RzgFzqZuh26FXv2T+nu/YFVN+dmVU2iE/qZuNtjwH/4/JxOTrdX7766YIo3Py6oOBm5vTpm6v57MBKG9yd3x4HSTjB0Px229LMTAO7q29X7M9933Iejzsr5yt4CMlvB2E5g7XBEcTJxll8CHgfNGhCFfG6wkdFSWBCgzOLY9UwUWJtfP8kDPQdBJ58YCmsbnWw2lJEV6LlltFeW1u1IvDt1xc5W3kbr2VDeWC0ZgZYyAYEeWKaMnEBBUp9dypwSO6KeueKuPWl2MldEmWvMQh4pyOW5sdNUPFdEG8fv4qmIWMuUPUfoea64XMrs+MHkwZMsuqnTlD2nH48nujJTdU/WB8qLOpgtX7TulvfnS7ngebJML3b57no6EKb6QJ9rutqfsqrALz9/rt0y304jt/ARrDG1NIagUaZggzxLv7CvZ2Gs8Y9f11/DCPsANvAO15jrhY1SGsiJqbO22MltU0EW3+NAc7Z0mu0UavfK9xWHkQsvKPvgS9l15pBrI7cDVDuuJcxlD4jIsEz5jayXtIp8u6X7liGsHa2dPA/HmW38unFXgm+ZqqfwUioFOHaCif/sy09OE2VkfawAha4pl2tCaNQYNJWNG+g51KQHmMu+0+ywoKXmc7M3c5oYOT59zu4/S0E7tQMOW1obw1CP3GC3hQaXKKG3GTf1reRv/bnZi2dNPSdyVaO9BmIndkJqy9oyuM0o0O/nBrd1xNmDspqw45zYongTwjPwPND0EMilByOX32xxkCvT+cOzqPvWFDQVw1rNA3U1fvPW45WyslbSbiwOuGdxnCurCTeeLt+U/uB+vFJX476AFGP+pqx6/rg/uZ9P563n6XyrrKR75W2Sz3PZXZhsKgXtjSXqmmW4ceG7GjvNe/85TP15S45nzc7KbuosibsT9mIgzh5G+a+bUX6/ASLaWlpn5TTb7NxAmWXK65GhbJxQ9WyjjUAw8Ue8TN+5w7H/jPAvUoARiXehd5bNmzsOtFQE/Pb9yEjvQd6OnbzDOQHKbFON58YuhoG+JrG1DCuwDIXaMg0603nTQ9ZQTy1N7pjEl5DUihJZ5pjab4koJ/ROS24TnslbDEyhlztNN58b3GBuqp4p7PDcUCJi79xQsSnstnNTXdmi/iaFXOc/neYxARQwpemOIAZRuPCXWUJPfViWZX8KYLKEl6rANdXIMtqsbew7C81Ozwk6GTS4jbv32mh782CHLF56sAIhBU29s9BIZu6LOa7yY6epIhIdvan7ttjZ2LncGfEycgM9cwUZzZud3BKEySyXHhRt64NA96xBJ3OGaOK0ZLIa2xEv505L9VxR71umzNqGFc+bAlushJq7xiyVQgWB0EIAqeMZK2+clvrmDmUP8NKDO5Q5i8huqbllCNg22iGpWifQV9TWNVo7oj6zDQ45rSIbFYOl2eUMlb5t9iLLlKeugQqdKPX1wW5qsnpfHXgCvQpKz+RcWR94i8lMn5pvg/xZ6AwnLLeYsV5vvJo1SZad8HHydKJ3TE1XJZMVhBn362688hYqqygmp0iTqcQppJsQn7iOMGFVSdXp9ZwvV6ZWhW98TzvVKZ82Y4WFzqKZJnR6qq4siE0m6/anemeqDQZvz/2Jb2pb3xV3b1MDZXqg56BZrKWELARCJXaa7dlUGO/GvvxB9mahj893B5KPSQgxTEkun5xbM7Vffsl+njV1dqTTJYznzdlyNGt7jjFbFs14h1y+i2ct1QOhygFBbQNxtiT7h9PkSLqtaj9iBXm236PInFION+UAVktTz62RQddOcBZP8xgyfT+1HQTd3wrkcZmBjr4/oj9KZ7Frl0G4YMA2s7MUJps/ZUSF6T9mSJZG6Qb8KTMOLBeNWEV+eN7RLmSBLMqx41OY1H9Gu4TApLkphy4pzFB9I9Bowi9DO+jEjg9SiQeYbgmBFVs5uad8ExB0QhAIWBUFdq6ftWARc3PSZEQ2g4aAHR7EvK+2aFvmiW4uc1qT5dPAJVBraply0zYUJPHc89zgkFTwp5Y5WY5mp3BPEi7CNiI/cEQhBPnBt+bclIEjIt88yFPBEXpwJX0bOeE85H01cQ0ZOaLOUniYS6HEp8syXonEu+BYKW0ExZkv8Sx2myizxE4L5Nzb0Q8Wz0vI8jIbP5hDywNol9qGfJQh7Mi2G9gGKGPUJXFGIJxgsu39Ad/Wbq6Xct5NeL+7lPhuONK4CvTp4oK2XLM3jsQCuaJSyDDlzDJVBLjdBR7qG7WL+PCDcg5xGwWE9hhLkgsklkVXmWACx+dN/Q3kXawGKLX0Ak5LvurbRruyNvv4cj0QuJxj6Jk72MWgNVnKopBbLR2TjZTImQadZ8t0Tdtor50WWI70ngdaysweyhzvq5lr7FK6npWc1EQhs8Qd4kM3so0dkvgldoIOK/FHu0drzwOsfm+bKrL49RJuIxLroy/NHbLM7pJ0VLrWw/FyPClobGO+fOIP+Y7nRnstCVie5m2R6DOn0YNqegSuvT3x+7xdx9IwfSL85d/aFfV7l9TLGe+MbuBC6ggqgsNJJItWOjfctyetPQMBwk/8uiKnF1t+N5KHlHY5MjgKsSTehRqn8+psJ+hCZ6TPZGEyUxWTFTSVG3ckf5k9+Wtf5sG5XfRPFtucI26XL1rv2TIBLiAzIiMYngYCtrTesZ54buqKQu4O9a0+JJCz13NNdeMYAmsb4+VopiIg6pk1VF4cv3cCRyWe422j7YEQTeamGhWyu5Fc6RFPeTeUeECu66khsARWAi7dmdr6nd3H9fvY3rKuKn/V3qUGc2P3ZpVrTf+G7NP+upjERbwr+UbW2h0oBC4vR0YbSf3uMaYiybHJ8gN6Is/RZr9mRb2wD89rldpoacuQwOFyxPWcGQFvAnAMYWWLKKN1pO+O+RwizzG24dNeXgVa03wUaX9ETz/S34cHmB6OSJ5S8Ld+eocQ4iglG+PCD/3Uq/3xd87F73lPzwH+12d9X31zRYEtZX3XcaIHDHXfEdGKymVJk5Y5B+1WzlB/c0U9HxnC1tbAkyzuNhbdjKQ1KJA1mAedjTtUWBAI21FA3ktPMuEP2ggUm/LWabkEBUaWsUvJrFkkaIfYFRTNint2mm3ZCVUEAoGg6yalaeksGOqsGnRyUliSUBb8TL+3DIWjKBz1NsR2qPV4aJJGSYrPih0C9b6fTLlr3GdgON5J9Oyjw7nDHkcbFA+WL4O2PuW7P72sxw/vZjSR8+ZNL3ZognMX4tDNX/z5jsTXCfXUOTa9gW3KaN5SNyBE7vMq7pPpxRX1yvN1JA973DzYxfN8/WSw6GW0Jj7phN4EAWKt2bFZSr66dQ05tQ3l1A5T4eZNBYHWOJs3OxiIZLOb+SO+G4KWvio2LhDzAQok3rtcRIemfrbmvBQ/ab1fisbSC5wWKUrShJdr0FRy2+yxkoiyD3weWqZKmz/Il748VNi5qSJTJBPYxH/Ser9KgrIhTW3alP9O7DnqKps1aarGJLNMD0l8Zy3xnRXVHepkQssp0BkqKxCgrcsTsKNuXFPduuYkrsopN7Z3Z13vmlrl78Nzr4rcRdlMF5O4nHg++K3pvmG4UQg/nf6+8qNfpF340Via0R9WN0AUxAhi+OmOqZXP6E+T/zsAAP//FmLodv4xAAA=')
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
