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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kU9fSTNSb3RI9ozDmmb88aJYoQRUUFJJ17FhQVQYuXgUIlMz2f/a4qUNAkp7vXzF290grsl9/etWu/FP5/MDJtBKwUeCZ0XB+ZtncPosSPQeBDdANiEoQxMAkgDgIvbhQT8GK6OIlQ7eKyF0VB1IHEDfxJhF5QhHyIwBdQmZEgrFxcTqJgFaE4PnvoYuQTnPKBT1w/QZWLy5iYhD3j778yJtN7MIn5tQBVubgMEwu7MKeKEv8rxElMUFQ1Q7dycYmDFfgCPmWyvlpBQGISmWENB6tPF5dR4vsoosxhsENR7CCMa2iPQFUOJlHw4mL21Rd9giITEneLQHWckDAh/SDyTALmaE9AtbdHMGEGB9iFKeimoRnHoNqnAj5ET+HWwpgDlYvLgAmlSMB/y4sh+OtfP2Y7sQI0/voXjvrBMWPmrJiYEWHeQyG9din2KAkJsisXlzCwKRV3cfGS+GyNAB/4WxSRfhR41a4Zo7tbatTVU0wi1189X9Kra/CPCwAAeKIXtZ4PA5s+u79fzPu/1wREZoz46ikX9nx/T+Vl4vJnmaDri28l3VrkElQdBqsP1InjGvXh8/19JwyRb3cwZuDout4ARgt+AU89f+tGge8hn2qW0W7o+uhU0yQKCIKELUmhbGIS56Ds0oQYfAEy2lXH1hpBAmYIJpFL0loHQhTHNDSjADNEh0dHztoMkcPNBxTDyA1JEM1sG9NIuao83E+uOp8/9zufP3+eLa+P37ud68oNqGQaKtfnZs8QOVF+xSDfMJXvG/jgRgiSIEr/TSuPcn7a1PF9t5OZOxZ5sWxycZ2bPd75KLoBb6w/Kv8pF1CjJtiEHy2wfZAKvjAt9OHz/b2AyFGfbHooU5CBufQTjHPyMig+QiZBha8L2YURuXg+8CzXRyWSG1D5l1fz0a5yin8UbNG5ATLa3YB3zSlFyQPCiJzgLj2kUq8yOTlBWacUuH51YkYkPuh8eqZ6IhLfMCkzEiHTe77MPg/KX4IImdABV5ehGRHg+iDjOTxnvrNSgmLqvD/LCpT/uuDJ1NRYYrjKJNyA+k0urDZE/upg47eLMgePgxhdvZde3m75G/BkBQF+vpwhGCFydPDR9GPI+GiX7xa2LpkHzz2cBcMVJb4+4qA07gu4ynWUHVPORUxFyZxiPXKPgquSpnGIfKaHpgyWESvXmaoidjLQGdCyMzq2/e+5ItsJ3/FFhjCTfIT48045iv5xr5zpPI0E2ntUu4fCefXk+uT5kg9sdDQvQjCI7FKzcOho1nHgfzoir/oBKdvb27sxia9y9uuT+Ce0PH0pUyvIPKlh12+Is89qhELm48rT/3z1QfVfzzRbVj6ihgW5WX2tV9vP/7j79rV2vODuvlH+pwjZJiTIfi4ksdWgUvKtBaorAm7r7buyJW9U1maJFecb+IQ5Yz0yfisQv7gI2/Fp6eEDjBFboLg2CxF0Tey+Irs2jmwUIfvBZc/MKD0XU+vY9lWF9TyVG5A1P9fvE9E+iNLQzw9I0N4lNBYoGYuJ98lwsKIU1N6CorS4LNscVzcLiBtwlSe/eVCV4sAHVT7wQtr/gqrohwnJXZFrui6ntnKKCcK0kPkpb3uLVrB6Eq0UZZTkdlDrMrtOdoTob4MNqs4ICksZgTryrN7QS1bjLRzAzfNlN7DT467Jntwfus9MwMmjvA8tdvThwbEVpTePjSC4ymSAX0DlHlTAL6BU1UiUlqLyL4BhAf8E/SDqmdA5hNU/SuI+Xf7xKXdn9j80CXRKUk5Jj7dPE8YJ6FzYaXoxI1KdMZr3m4+/AOjZbLb41Qa/QnB1GD5yA+lnNgSUsuSwM5v3dHHOjx96oOojUD/JL6eOPKE+EhEnCnbgEx3UMnKAfBvZYOcSJwsNxn7C/OkdCw/hcmZiuVsvqu0xh9LFpyPOpywgwd/yKeAic3HhtLccH/Q4b+iu34NJF+4cqpx4Fm02fxQ73Vtfc66fs+EN5wlEAZFq34RlZKZX1KGtiRM2yFWKOKAEoIr+DipOEBPf9FDlJBAOPE8yIrUHP86a2kEQE9bPXtfmwZAOuKK/NSPX9MlVOc2cqQgjd2sSJE62t6daoiBh8zg1QEZEYZfVjm3TbNY3PRengHKB6gOKieubhyMAdw8q9Rr792u9Av4JZkFEDpu1OomCEEUkBUzgCJHIhZQG0dJwpOqzUwauQGNmegs84iSH8j4mNsO/mBCJvo32uTW1s7vfV3tw9UF/7aj2zKOsUcjIy14s7cd8pK/EIPO+GwPKs/GDnf+pXAaK9nkenDTPH47jXdosX+Xar9+E30Ow83Fg2kUILiL8TtrPLzt4FUQucbzSvQd3hWLydhzwmSU++NtVZTCfT/6YKGN9SZsPejUrLuVx/v2kZTqb5GeIlG6oNHYtjDIlN+fEwp8SV0a5t08q7J/095dByBoT8IXaUn2JZ6shBV6txsRGUcS+ZzciRKKUfm2Vrqs2wia722B3A9o7sM6dOvv6UBSSKDtxOqj70eSfxxHl/4mMno/wJDFpK3/FUpGL0cCMHVAdugRFJmbViDmmelx4UMTAdY1SFzBzaRTgWVB8MKTSKem97WAzZhC8gJ1jErAzY/CCCHSQTXdGrqdsyPdHnhkiVSEKkvD9XHvcpswRwwCamFGDKtuPeU4snWeC81PK036/NCG9L+yduko1dyAMEj/L1R8CLWXoju25vksbExJEpzmaEX0pGbSIUQT+CTQHRajojy7/qM3Eh5rKklkVuxsEKrMqV21VG1z1v6qter0Cvl3XSpiP0t84eGLG8S6I7FPoJ9kkIyiaRgSTiMIsWmN2noSytAaq+eeRE1Q78QSbrp8dt/aDCKKjY05N/fGlK7lt9rGII4Qc9ZEnQiSJ/JNccrb83xcGjkuPtijq7UM3QnFBVr77xu2K6duB977zy3HzH3DPW1MPJzulWY7eenoGjdt8nGbwPjhp5KM0JMEqMkMnrSmykF3PULR1IZpEwda1UVSWU6ppTHXefJWiL7fpqmJ2uP9Hx4aPq2Yu4vrN6cgI0Y7twzhm2/lkS+Yb/M2ejE83ZUb25W2amYkPh33XbFRbt7eVN3vudOShKAsBGV6QpbiDmtyKk4RTzD1PIxdGQRy8kNqEdoQz9sqDDzzP9O24lvFmZxq9PUSsJj1/MC0dmhYTeJnK4CUH8d4A0YljFJHqd5Ic8rf3/Hg0Wcx7itwZZYXvhOz9JorigCbGyAZvZPwJmofAM12/wJNdHxMVDLwwIewNEV063vVEPyamDxGo8tiMY+YCzfWbjT/4nHaWxgR5Z23gQVBtYkZk/HKqprCocmYR5S171wQ24/wMYsReLGmubwe7+KuNrGT1VUZkhkjC3gtVzhv8TCeomr5dwnO4y6r3B6iuzmGVIbEJ/UzcdeHwHz4/Z5PT9cWbtxgge/LjgrKTkeuLIlIPr8SoG96e3BUDpRkRZH86lvSzEwDu4tvF2zPfN9zHo87S+coBAZ2tUGhGqHI8ojiZOPP3gcWgWYFCP11q9UBrynXo4cTg6puF0K+b/OZR6qkp9NrpVJPrptZOFgMJG56aGlprbcw6bZG357bQ3km7YLMYSFujKWHYlKfQUz1Dl7DlyVh8qK8kTg4tQU1sYd+aNtqJLeDE1hY+j2Vs89zIasiOLeCt5XbIXMB1Q5ccq991bGG1kuqjO52Hj5Jgx1ZDcqyHcDRV5YWiOpLakydKb7GazDo73l2upIzn0dCd0OY7m3mvP1d76nKmKg/zutLnV1++VK7Bt1PPvbgYVUAlDhGs5SFYo/fip/rzmRsr/P3XzVecdbE1sicVcPli4ph5EjXjlTEYJZam1pdqe7PUFWfo7bfLRj/WG84WNpVkqXFYHHBtkVd+m/Xac7XX6s4XalvkVVHkFWz5y7tpvS0v+upCUaXxdMH1H6bBT6Hm3kedE1VfTEjic+yW1yfGvP6lcpO37CYk5aOAG1D5Pgw/sNE7qj94x7xJLPpZS00PV4p4RKnkQAFrhi690pgT14FrNlXX0Poba9aKxoNRYmq/b+113zV0xZF5MRY9Elre1B270qPVwAmNMcPDvq1LeVxRGiWEDXlre2qKZuIdSiXXarTrsKmkS727sBoEWy67Xz98F729Yzf2DcS3CPLVwPb2O6Rxkew721FD3Ynuzl3q3XDRUFMqV9FaGyi0Q8tnWDaGxm2Hnnq71LidJSzu5PW0PkopFtmZUp6e48CGg2Eq3mmp9GoKvVSeL+/Gguoac9iQNWO99JT16NXZjNby2liL+5HQ48bCKJXXU240X73KD73b0VpZjx76WNaWr/K6644eprfL+bI5ni938lq8lV+n6TKV7Be9Hotea2sI6szQ7DCzXQmtxq079mOXRcFMvBPpPvk4EpjZTSlcNNprs6HW6RJZfjeEwuJumP6+Haa3WyjgnTFrr61Gq77UcGLo0maoyVvLVxxTa2HoTd0hL7Fn9mDkjjH5TfQIpkuTQVwky8aeg00FQ7d1O9TiW5i2Qittc5aHE1NXwqW2D5GnbigeQzM8Q5MZlrnXni8bDjYGamzMpLY+2+UhtMd2T721B5Iz1SWfub1ZMjvTS0y9Q7E1ltqee98dJwdY1CM+R537+HZ/JL5LzrcpjfzIRwTFdLecHHuCym+/Jb8uGmp9qMoY+ka4bCxWw0XLsbTF6mgE3yGLpuJAX+FgX2lBYbGa6mrdanA03teVH0ERxIvQNnMQtM/Nm+O8ga/sEjOJUbSt0GHJjEgSztMQgQc3Ni2M7M9Z9fqYiY1Q/wkgSRzEW/hTMI4s74JYB65/nrPeWQVJkELLZVXuYYz3Ea1yS13ybY3Dlq+80so25Ve+6bVDy4WxyEPCQtwzQiOl14xvCr22D70+UYR+fanuyVKTA7oFlppCdIFwS091DKGeIK1PLB6GvKs0l7qyNnmqm0us5nT12LNppZwbutQwNRmLPDdmtSTjjw19uhouTqu12H+36lL5niX0fZgebWssdQlaAnb1ozwFFlmXy+lbtD75vKtEtiZhS1DrrLqnoi/y8Sr3VyTyNiwitYWRsHBFvk7sBk4Mod2EKfda2FEnyzxbTxajO31gOBDvY1OTChn9PU0jnqnB3Ecd6mcM/SkxBJz+Cd/ObGxWUtqJeLezEvmOP5xxpazfIRltvmavHPUFtgU5k6FLiaErGHL7d3iYbQwXteEH5Rz9NvQobeFLGgvUl9munhLaTS0b6itMO0TxcGyoWTckuopraq3S2hz8y3WhZ3OWpiZ2bx/C5nQlCf3UaKrE0Fp1KmfutceGbuum1tpYTbgaql0HNuWFOZA43lUSW9vHbD1LMTkT+okh7DHv24Gp7bHIr4jltesiX+AebhwH1tVbU1ewwW9WaBdQXxe2NPbY0DsrmtHYWg9Gq9E0ozG15eqRP8Y7WWqtjdgn0jxtCVSfPg/uFN2hler1kT/E7SYUB/Ej5c//Nrag3tp0v5zxLqgdvX5s9RWMBtNAEox4qdmvj7PWAnqYPPKbkpxuaLidQBow2tVQo9lUDkTeRjNO5ZXFvq/220N1IfWnC0XW6/2Zwo3aortKHt2NK/HwHBf7k4QWZwm71WTWHRs6JFm3gGkHTeas9HSL/cRzc1vop/ZA3akDWkK7XVtXtpbWr5vaaDVcKBgKamIM5Inldk/Kq8hzvKm1HOjj6VJXgkx2J5BKOeIx7fgiD+nnZq7167RMQi7e67PNG9zF+n2MN99Xpb9y7lK8pbZ/NfK1Zn+D+uPh82UaZv4uxRtda7sn0zK8GmotLD50Cp8KNMamqw/oqTxrtvg9yfZL/W68URhGY7byp68hzCcUx1ooji30oaX116aAE7aP1H0Rzz52LG3nP9KG97x2hEFMC9iL67uxU/nzV3vZLyhPx63/85HKVV5toV/PZX23AFE9cKC6loDXTC4dtwYSZ+H92hqor7agpkOtvzNndATbbw1WNMQNbFInqnDptbf2gI6O/R0ddoxUfJQov9fCMCueO6tpY+jLgaHtY9oOZ4HUpri8LKlwY6vRkixfwdDrr20BNxhNU63DgVpXvHZKN4DYzzfmQr01NJljrT3ubil2NOvySKcJjW4SI7RoS/T9RU9t7TaBg9FeZCNmm7MHXY4lEh6uJr2WOuc7v0w2ozu9302thp0uNa5HBztd4JxlwwktFojcO37opBN3uaf+tXw1tork1DN1CS+byhb62B6vwwfoqdSXpfubQBp0uaW3D5fp5lGr48lwQ21SKb0OPVw3FkVSE11lZ2tSbGryKQ5d5pYNGcPmKFk22gQKtCgt3CHf8WFTXWcFBoa8hz2Rd7LNI+CU9tFWU2qdJt+zNefF8HHW/S1LAF3PatLNQ5PlagMbcmrq3boo4OQDmweGrrAkDdOVKw3k+lJXsC5IW6s5dR9n3d/FvrylyWfekP5O8RS68qRKk582TQzdwSLf3oh8e810+2pieWrKGpKBvIYe3tk8bUqUra0rO1ufhmU5eQF6c6TwJvmU/j48XijJfcmT3ss0bGfHDh/8pO+QMOzAR59Of8b20Q9/3vltTpyw36/WYOCFGBH06QZU8nvsF6D/GwAA///+OeJfcC8AAA==')
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
