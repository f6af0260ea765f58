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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kU9fSTNSb3RI9ozDmmb88aJYoQRUUFJJ17FhQVQYuXgUIlMz2f/a4qUNAkp7vXzF290grsl9/etWu/FP5/MDJtBKwUeCZ0XB+ZtncPosSPQeBDdANiEoQxMAkgDgIvbhQT8GK6OIlQ7eKyF0VB1IHEDfxJhF5QhHyIwBdQmZEgrFxcTqJgFaE4PnvoYuQTnPKBT1w/QZWLy5iYhD3j778yJtN7MIn5tQBVubgMEwu7MKeKEv8rxElMUFQ1Q7dycYmDFfgCPmWyvlpBQGISmWENB6tPF5dR4vsoosxhsENR7CCMa2iPQFUOJlHw4mL21Rd9giITEneLQHWckDAh/SDyTALmaE9AtbdHMGEGB9iFKeimoRnHoNqnAj5ET+HWwpgDlYvLgAmlSMB/y4sh+OtfP2Y7sQI0/voXjvrBMWPmrJiYEWHeQyG9din2KAkJsisXlzCwKRV3cfGS+GyNAB/4WxSRfhR41a4Zo7tbatTVU0wi1189X9Kra/CPCwAAeKIXtZ4PA5s+u79fzPu/1wREZoz46ikX9nx/T+Vl4vJnmaDri28l3VrkElQdBqsP1InjGvXh8/19JwyRb3cwZuDout4ARgt+AU89f+tGge8hn2qW0W7o+uhU0yQKCIKELUmhbGIS56Ds0oQYfAEy2lXH1hpBAmYIJpFL0loHQhTHNDSjADNEh0dHztoMkcPNBxTDyA1JEM1sG9NIuao83E+uOp8/9zufP3+eLa+P37ud68oNqGQaKtfnZs8QOVF+xSDfMJXvG/jgRgiSIEr/TSuPcn7a1PF9t5OZOxZ5sWxycZ2bPd75KLoBb6w/Kv8pF1CjJtiEHy2wfZAKvjAt9OHz/b2AyFGfbHooU5CBufQTjHPyMig+QiZBha8L2YURuXg+8CzXRyWSG1D5l1fz0a5yin8UbNG5ATLa3YB3zSlFyQPCiJzgLj2kUq8yOTlBWacUuH51YkYkPuh8eqZ6IhLfMCkzEiHTe77MPg/KX4IImdABV5ehGRHg+iDjOTxnvrNSgmLqvD/LCpT/uuDJ1NRYYrjKJNyA+k0urDZE/upg47eLMgePgxhdvZde3m75G/BkBQF+vpwhGCFydPDR9GPI+GiX7xa2LpkHzz2cBcMVJb4+4qA07gu4ynWUHVPORUxFyZxiPXKPgquSpnGIfKaHpgyWESvXmaoidjLQGdCyMzq2/e+5ItsJ3/FFhjCTfIT48045iv5xr5zpPI0E2ntUu4fCefXk+uT5kg9sdDQvQjCI7FKzcOho1nHgfzoir/oBKdvb27sxia9y9uuT+Ce0PH0pUyvIPKlh12+Is89qhELm48rT/3z1QfVfzzRbVj6ihgW5WX2tV9vP/7j79rV2vODuvlH+pwjZJiTIfi4ksdWgUvKtBaorAm7r7buyJW9U1maJFecb+IQ5Yz0yfisQv7gI2/Fp6eEDjBFboLg2CxF0Tey+Irs2jmwUIfvBZc/MKD0XU+vY9lWF9TyVG5A1P9fvE9E+iNLQzw9I0N4lNBYoGYuJ98lwsKIU1N6CorS4LNscVzcLiBtwlSe/eVCV4sAHVT7wQtr/gqrohwnJXZFrui6ntnKKCcK0kPkpb3uLVrB6Eq0UZZTkdlDrMrtOdoTob4MNqs4ICksZgTryrN7QS1bjLRzAzfNlN7DT467Jntwfus9MwMmjvA8tdvThwbEVpTePjSC4ymSAX0DlHlTAL6BU1UiUlqLyL4BhAf8E/SDqmdA5hNU/SuI+Xf7xKXdn9j80CXRKUk5Jj7dPE8YJ6FzYaXoxI1KdMZr3m4+/AOjZbLb41Qa/QnB1GD5yA+lnNgSUsuSwM5v3dHHOjx96oOojUD/JL6eOPKE+EhEnCnbgEx3UMnKAfBvZYOcSJwsNxn7C/OkdCw/hcmZiuVsvqu0xh9LFpyPOpywgwd/yKeAic3HhtLccH/Q4b+iu34NJF+4cqpx4Fm02fxQ73Vtfc66fs+EN5wlEAZFq34RlZKZX1KGtiRM2yFWKOKAEoIr+DipOEBPf9FDlJBAOPE8yIrUHP86a2kEQE9bPXtfmwZAOuKK/NSPX9MlVOc2cqQgjd2sSJE62t6daoiBh8zg1QEZEYZfVjm3TbNY3PRengHKB6gOKieubhyMAdw8q9Rr792u9Av4JZkFEDpu1OomCEEUkBUzgCJHIhZQG0dJwpOqzUwauQGNmegs84iSH8j4mNsO/mBCJvo32uTW1s7vfV3tw9UF/7aj2zKOsUcjIy14s7cd8pK/EIPO+GwPKs/GDnf+pXAaK9nkenDTPH47jXdosX+Xar9+E30Ow83Fg2kUILiL8TtrPLzt4FUQucbzSvQd3hWLydhzwmSU++NtVZTCfT/6YKGN9SZsPejUrLuVx/v2kZTqb5GeIlG6oNHYtjDIlN+fEwp8SV0a5t08q7J/095dByBoT8IXaUn2JZ6shBV6txsRGUcS+s/+YPdxd8/dbdpnS/+/q7LvHHt3e1rPLaoRIxJ63StdVG2GT3W2wuwHtMliPT5fl+lA+kig7mzoA+9EykUcc5f+J3J8P+yQxadN/xZKWi9HAjB1QHboERSZmdYu5sHoMEVBEy3WNUhcwc2kU4Fn4fDDO0nnqvY1jM2YQvICdYxKwM2Pwggh0kE33UK6nbMj3h6MZIlUhCpLw/ax83NDMEcMAmphRgyrbuXn2LJ18gvPzzNPJoDRLvS/snQpMNXcgDBI/y+ofAi3l8o7tub5LWxgSRKfZnBF9KRm0iFEE/gk0B0Wo6KQu/6jNxIeaytJeFbsbBCqzKldtVRtc9b+qrXq9Ar5d10qYj9LfOHhixvEuiOxT6Cd5JyMo2ksEk4jCLJpodvKEsgQIqvnnkRNUO/EEm66fHcz2gwiio2NOTf3xpSu5bfaxiCOEHPWRJ0IkifyTrHO2/N8XBo5Lj7Yo6u1DN0JxQVa++8btiunbgfe+88tx8x9wz1tTD2dApamP3np6Bo3bfPBm8D44k+SjNCTBKjJDJ60pspBdz1C0dSGaRMHWtVFUllOqfkx13qaVoi+36apidrj/RweMj+trLuL6zTnKCNHe7sM4Ztv5ZEvmG/zNnoxPN2VG9uVtmpmJD4d912xUW7e3lTd77nQ4oigLARlekKW4g5rcipOEU0xITyMXRkEcvJDahPaOM/ZyhA88z/TtuJbxZqcfvT1ErCY9fzBXHdobE3iZyuAlB/HeqNGJYxSR6neSHPK39/x4NFnMe4rcGWWF74Ts/XaL4oAmxsgGb2T8CZqHwDNdv8CTXR8TFQy8MCHsXRJdOt71RD8mpg8RqPLYjGPmAs31m40/+Jx2lsYEeWcN40FQbWJGZPxyqqawqHJmEeUte9cENuP8DGLEXkFprm8Hu/irjaxk9VVGZIZIwt4gVc5HgUwnqJq+XcJzuMuq9weors5hlSGxWf5M3HXh8B8+aWcz1vXFm/cdIHvy44KyM5TriyJSDy/PqBvenvEVo6cZEWR/Opb0s7MC7uLbxdvT4Tfcx0PR0knMAQGdwlBoRqhyPMw4mU3zN4fFSFqBQj9davVAa8p16OHE4OqbhdCvm/zmUeqpKfTa6VST66bWThYDCRuemhpaa23MOm2Rt+e20N5Ju2CzGEhboylh2JSn0FM9Q5ew5clYfKivJE4OLUFNbGHfmjbaiS3gxNYWPo9lbPPcyGrIji3greV2yFzAdUOXHKvfdWxhtZLqozudh4+SYMdWQ3Ksh3A0VeWFojqS2pMnSm+xmsw6O95drqSM59HQndDmO5t5rz9Xe+pypioP87rS51dfvlSuwbdTz724GFVAJQ4RrOUhWKP34qf685kbK/z9181XnHWxNbInFXD5YuKYeRI145UxGCWWptaXanuz1BVn6O23y0Y/1hvOFjaVZKlxWBxwbZFXfpv12nO11+rOF2pb5FVR5BVs+cu7ab0tL/rqQlGl8XTB9R+mwU+h5t5HnRNVX0xI4nPsltcnxrz+pXKTt+wmJOVDgxtQ+T4MP7DRO6o/eBu9SSz6WUtND1eKeESp5EABa4YuvdKYE9eBazZV19D6G2vWisaDUWJqv2/tdd81dMWReTEWPRJa3tQdu9Kj1cAJjTHDw76tS3lcURolhA15a3tqimbiHUol12q067CppEu9u7AaBFsuu18/fBe9vWM39g3Etwjy1cD29jukcZHsO9tRQ92J7s5d6t1w0VBTKlfRWhsotEPLZ1g2hsZth556u9S4nSUs7uT1tD5KKRbZmVKenuPAhoNhKt5pqfRqCr1Uni/vxoLqGnPYkDVjvfSU9ejV2YzW8tpYi/uR0OPGwiiV11NuNF+9yg+929FaWY8e+ljWlq/yuuuOHqa3y/myOZ4vd/JavJVfp+kylewXvR6LXmtrCOrM0Owws10JrcatO/Zjl0XBTLwT6T75OBKY2U0pXDTaa7Oh1ukSWX43hMLibpj+vh2mt1so4J0xa6+tRqu+1HBi6NJmqMlby1ccU2th6E3dIS+xZ/Zg5I4x+U30CKZLk0FcJMvGnoNNBUO3dTvU4luYtkIrbXOWhxNTV8Kltg+Rp24oHkMzPEOTGZa5154vGw42BmpszKS2PtvlIbTHdk+9tQeSM9Uln7m9WTI700tMvUOxNZbannvfHSdHXdQjPked+/h2fyS+S863KY38yEcExXS3nByQgspvvyW/LhpqfajKGPpGuGwsVsNFy7G0xepoBN8hi6biQF/hYF9pQWGxmupq3WpwNN7XlR9BEcSL0DZzELTPzZvjvIGv7BIziVG0rdBhyYxIEs7TEIEHNzYtjOzPWfX6mImNUP8JIEkcxFv4UzCOLO+CWAeuf56z3lkFSZBCy2VV7mGM9xGtcktd8m2Nw5avvNLKNuVXvum1Q8uFschDwkLcM0IjpdeMbwq9tg+9PlGEfn2p7slSkwO6BZaaQnSBcEtPdQyhniCtTywehryrNJe6sjZ5qptLrOZ09dizaaWcG7rUMDUZizw3ZrUk448NfboaLk6rtdh/t+pS+Z4l9H2YHm1rLHUJWgJ29aM8BRZZl8vpW7Q++byrRLYmYUtQ66y6p6Iv8vEq91ck8jYsIrWFkbBwRb5O7AZODKHdhCn3WthRJ8s8W08Wozt9YDgQ72NTkwoZ/T1NI56pwdxHHepnDP0pMQSc/gnfzmxsVlLaiXi3sxL5jj+ccaWs3yEZbb5mrxz1BbYFOZOhS4mhKxhy+3d4mG0MF7XhB+Uc/Tb0KG3hSxoL1JfZrp4S2k0tG+orTDtE8XBsqFk3JLqKa2qt0toc/Mt1oWdzlqYmdm8fwuZ0JQn91GiqxNBadSpn7rXHhm7rptbaWE24GqpdBzblhTmQON5VElvbx2w9SzE5E/qJIewx79uBqe2xyK+I5bXrIl/gHm4cB9bVW1NXsMFvVmgXUF8XtjT22NA7K5rR2FoPRqvRNKMxteXqkT/GO1lqrY3YJ9I8bQlUnz4P7hTdoZXq9ZE/xO0mFAfxI+XP/za2oN7adL+c8S6oHb1+bPUVjAbTQBKMeKnZr4+z1gJ6mDzym5Kcbmi4nUAaMNrVUKPZVA5E3kYzTuWVxb6v9ttDdSH1pwtF1uv9mcKN2qK7Sh7djSvx8BwX+5OEFmcJu9Vk1h0bOiRZt4BpB03mrPR0i/3Ec3Nb6Kf2QN2pA1pCu11bV7aW1q+b2mg1XCgYCmpiDOSJ5XZPyqvIc7yptRzo4+lSV4JMdieQSjniMe34Ig/p52au9eu0TEIu3uuzzRvcxfp9jDffV6W/cu5SvKW2fzXytWZ/g/rj4fNlGmb+LsUbXWu7J9MyvBpqLSw+dAqfCjTGpqsP6Kk8a7b4Pcn2S/1uvFEYRmO28qevIcwnFMdaKI4t9KGl9demgBO2j9R9Ec8+dixt5z/Shve8doRBTAvYi+u7sVP585eA2W8tT8et//ORylVebaFfz2V9twBRPXCgupaA10wuHbcGEmfh/doaqK+2oKZDrb8zZ3QE228NVjTEDWxSJ6pw6bW39oCOjv0dHXaMVHyUKL/XwjArnjuraWPoy4Gh7WPaDmeB1Ka4vCypcGOr0ZIsX8HQ669tATcYTVOtw4FaV7x2SjeA2M835kK9NTSZY6097m4pdjTr8kinCY1uEiO0aEv0/UVPbe02gYPRXmQjZpuzB12OJRIeria9ljrnO79MNqM7vd9NrYadLjWuRwc7XeCcZcMJLRaI3Dt+6KQTd7mn/rV8NbaK5NQzdQkvm8oW+tger8MH6KnUl6X7m0AadLmltw+X6eZRq+PJcENtUim9Dj1cNxZFUhNdZWdrUmxq8ikOXeaWDRnD5ihZNtoECrQoLdwh3/FhU11nBQaGvIc9kXeyzSPglPbRVlNqnSbfszXnxfBx1v0tSwBdz2rSzUOT5WoDG3Jq6t26KODkA5sHhq6wJA3TlSsN5PpSV7AuSFurOXUfZ93fxb68pcln3pD+TvEUuvKkSpOfNk0M3cEi396IfHvNdPtqYnlqyhqSgbyGHt7ZPG1KlK2tKztbn4ZlOXkBenOk8Cb5lP4+PF4oyX3Jk97LNGxnxw4f/PjvkDDswEefTn/w9tFPhN75FU+csF+61mDghRgR9OkGVPJ77Lei/xsAAP//N6ohEJovAAA=')
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
