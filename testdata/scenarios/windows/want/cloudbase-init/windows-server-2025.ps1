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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R7e3eiyL7o//kU3L5Z2+RO6/iImbH79l5HiSJESUTl1Z07C6oqghYFBwoV9+7z2e+qAhWNme45e581K6PA7/3+Ffb/FsYORIKbCYEDPJ8gBwafhDgliRASgD4KCQ2jRHCoQD0kvPpxQoVXx8dpjGpX1/04DuMuoH5InmP0imJEABK+CJUpDaPK1fVzHC5ilCRnD32MCMWZGBLqkxRVrq4T6lD+TPz0jSM5wYNDnW9HoSpX11HqYh8UUHFKvgGcJhTFVSfyK1fXOFwIX4QPOa1vbhjShMZOVMPh4sPVdZwSgmKGHIUbFCcewriGtkioquFzHL76mH8lMqEodgD110ioPqU0SukgjAOHCjO0pUK1v0Ug5QqH2AeZ0MsiJ0mE6oAReFd6Jm4tShpC5eo65ESZJML/Vecj4e9/fx/tRAuh+fe/NZgdPCfhxkqoE1NuPRSxa5/JHqcRRbBydQ1CyKAaV1evKeE+EsSQrFFMB3EYVHtOgu7vmFI3XxMa+2Txcs2uboV/XAmCIHxlF7U+ASFkzz59ms8Gv9ckRKcc+OZrQezl0ydGLydXPMsJ3V59L/E2Yp+i6ihcvMNOfqoxG758+tSNIkRgF2MuHPPrR4HDCr8IX/tk7cchCRBhnFW0GfkEnXJ6jkOKAOUuOTJ7dqi3Z3btACx8EVS0qT65SwSoMEUgjX2a1boAoCRhoRmHmEu0f3TArE0R3d98QAmI/YiG8RRCzCLlpvLw6fmm+/nzoPv58+epdXv43uveVj4KlZxD5fZc7SmiJ8xvuMgfOcvLCj74MQI0jLN/UcsDnf+mqk+yKJfVPV6/p/KB41/Sm2nyjB3wnlfhnqrwhXNhD18+fZIQPfBTnQDlDHJhrkmKcQFeFkqMkUPR0cBH2kclCvJiGLg+QSWQj0Llv4IaQZvKqfzjcI3OFVDR5qNwUZ1SaDwgjOiJ3KWHjOpNTqcAKPNUQp9Un52YJnueX18Yn5gmHzmVKY2RE7xc55975q9hjBzgCTfXkRNTwSdCjrN/zm3nZhQlzHh/VgoY/u0RJ2dT49XgJqfwUah/LIjVRogs9jp+vypjiDhM0M2lmvI2zz8KX90wxC/XUwRiRA8GPqh+CBmCNkWKcL/kFjy3cB4MNwz49iAHg/FfhZuCR9kw5QLEWZTUOfqjsKhwU+L0FCHC+bCk4WWwcpuzOsZOLnQuaNkYXQj/NVPkmfADW+QS5pQPIv51oxxI/7xVznieRgIbOKq9fbe8+eoT+nIthhAd1IsRCGNYmhD2Y8wyCcmHg+RVEtKyvv2tn9DkpkC/PYl/ynrSlzK0hpyTxnX7Bjj/rMYo4jaufP1/34hQ/a8XViYr70GDI7hT3dWrnZd/3H//VjtcNO6/M/yvMYIOoAi+HClxbzAqRWoJ1QUV7uqd+7Imb1jWpqmbFAl8gpyjHhC/HyV+9RGGyWm/EUOMEXdQUptGCPgO9ncI1p5iiGIEH3z+zImzczK1LoQ3FT7oVD4K+cRzexmIDT8Mhn2+A4K2PmWxwMB4TFwGw+GCQTB9jxAl5/Jqc/BuHhAfhZui+M3CqpKERKiKYRCxoVeoyiRKaWGKgtNtubSVS0wYZUeaH4pZ9zj/VU+ilUkZp4UeTLtcr5OMkMk6XKHqlKKoVBGYIc/6Dbvkjd3FIVi9XPdCmB2yJn/yaT9y5gROHhXD5zGj9w8O8ye7eZj+hJuchvCLUPkkVIRfhFJXo3FWisq/CVwW4Z/CIIz7DvD2YfWPErkP1398KMyZ/x84FHglKqegh9unBeNE6ILYaXlxYlqdcpjLw8ffBBBAvlD8CoVfgXCz3zgKBdlnPvmXquSoO531TXkmPj30hSpBQv2kvpwa8gT6AES9ONwIH9h2loMLiEAEhY1PvTw0OPoJ8ocLGu7D5UzF8oh+7LaHGsqcz/aaD3lACv9RjP5XuYmPRnuL8c6M8wbu9pKYzHHnoqpp4KK4FNw/kJ3l1rcC66/p8AbzREQJ0erAAWXJnODYh9YOTvn2VjnGAQMQqug/hYoXJpQ4AaqcBMIe56uKaO2BJPlQOwwTyufZ29osHLGtViZrJ/YdQm/KZeaMRRT7a4ci+Xl9d8olDlO+hDMFVEQ1flntQsiq2cAJfJwJDEuoPqCE+sTZ7/3+VqjUa/y/X+sV4Z/CNIzpPlmrz3EYoZhmAic4RjT2AYNBrDUcoAb8aKFxlMbJ+R7lkZ8LUS7LxBf3VwcgmUC0LbSpnd39Mdu9qff8awe2Zxblg0IOXrZiKR+LPb6SCLn1/URgOCsSbsiHchs4js+z8GR4fncH77Fh+abgfvsm/B7CDcGhA48hOI/xhbJfXHbxIox96gWlew/+AiX07TpAuCZE+I+bynA2e/7jWXsyLTZ8sKvp8VJ9Kr6fjExn6/sU0dINncWui1HO5OM5sPSnwJVxYe2TDvsn8/11GPHBRPjCdKm+JtPFiAlerSYUojjm3/MbMaJxxr62S9dViLDD7zb53ZDNDnxyZ8a+3TeFNM6Pmfbsfrb4F3HE8P9CRS/2dpo6bJS/4aXIx2joJJ5QHfkUxQ7m3YgbpnpwvHCMgdsagz6KWVBjAp4FxTtLKtuSLqUD5MhC+CpsPIcKGycRXhEFHoIsMwo+ZUV+vPJMEa1KcZhGl2vtIU25IUYhcDCHFqo8H4uaWDrEFM6PJk/n/dKGdJnYhb7KOHcBCFOS1+p3BS1V6C4MfOKzwYSG8WmN5kBfSgrNExQL/xQMD8XoOB9d/1Gbyg81nRezKvZXSKhMq41qu9psVP9PtV2vV4Tvt7WSzAfqbwz87CTJJozhqegn1SQHOA6NCKQxE/M4GvNDJJSXNaFafB4whWo3ecaOT/Iz1kEYA3QwzKmqP++6ktmm75M4iFBIfcCJEU1jclJLztz/Y2LCwfVojeL+NvJjlBzBynffmF1zCAyDy8Yvx82/wTxvVd2f7JR2OXbr64vQvCvWaS7eO8eLYpxFNFzETuRlNU2V8uspitc+QM9xuPYhist0Sj2Nsy6Gr1L0FTrdVJxu43+xteH9rlmQuH1zOjJGbGJ7N455Op+kZJHgb3IyOU3KHOzL2zIzlR/2eddqVtt3d5U3OXe68jApjwRyeYW8xO3ZFFqcFJzj3vN17IM4TMJXWntmE+GUv+cQwyBwCExqOW5+ptHfAsR70ss729J+aHGEIGcZvhZCXFogukmCYlr9QZFDZP1JfBo/z2d9Te2O88Z3AnZ5iGJyAAdjBIU3NP5EmocwcHxylCe/PhQqEAZRSvlrIeY60Q9kklCHACRURewkCTeB4ZNW8w+xgJ1mCUXB2Ri4J1R7dmL69HrK5qhR5Uwjhlu2riNAjvlZSBB/m2T4BIab5BtEbrr4piI6RTTlL4Mq5wN+zlOoOgSW5Nnf5d37HaluzsUqi8Q39DNyt0eD//T5Od+cbq/evLoQ8ic/Tyg/Gbm9Okbq/j0YM8Pbk7vjQunEFMEPh5Z+dgLQuPp+9fbM9w324aizdL6yl4DtVihyYlQ5HFGcbJzFS8DjolkB0iCzjHpotNQ6CHBqN+qruTSoO+LqUenrGQg62cRQ647RSedDBduBntlGe2lPux1ZhDModTbKJlzNh8rabikYtNQJCPTANhXsBiqWH+oLpaFGrqSnUNq2J81OCiWcQmNORKxiKDbGblP1oITXrt+lMwnXbVPx3EHPg9JiodTH96YIHhUJJm5T8dyHaDzR1bmme4reV5+1/nzxPO1uRN9aKDnOo216ERS7q1l/MNP7ujXVtYdZXRuIiy9fKrfC91PLpQmKK0IliRCoFSFYY/eSr/UXZsZrJ++gRYqWRimhEkZJ5fOFZnlA+ny58+9JVgcpxjmppwjl09bnUqc4Qp6X/7+qxf5s/s0L7iTxvjkntP9wUuqFsb9D8I8VypJKKVpaajgy9NV4OW+MZ6vFZD7oTebj3YxE3mQ3SIyVpozn7bk203vs2XQe3mmznj0e9DfGsmeOB4uNMes5Y6m/sZa95ViabOxZLxhLYOM89KKxFG6crLcGkp5ZprYGqx5G0oACaYsfJuEF7736GJ3rDUJCHZ+gGJ6lQUl3gd1Ivh1B2ddXf1GjYYArwvWrgxOuMgz0DDR5cHbkB/lRxHTjDnXiGO2dOYlcIG0bdhOnILsjjvF7avEAH0QuSxSxTQDpLUfE2o4CNXOmEIpE9dxA892W9+oYDc9u8gAmINCJY6p1QFapbXqea/YSe9rZWKa+s2fhbrTss0R7NFq9BBowcsk4VZp4PQrUtUs0zzHaGAST1G4pGytrN8fT9hIEKzIiCrabeAeHStucREu32Q4cA74CnuQ8iR+e8HYCgg4BwYBq0qBu6VsGV7cMnNqmsjIlFQOi7UbBhFxOov+uG3gIlp2AYprU4LcYLVg8ZjW0dYIIo3a9Xv/mhQlN3jhIxDR0W2p95MMQDrUN2IXrUbMRAaKsgd8+xI/SqD9azcHGMpTIlXDdMfQdq05GBjfQ2CZKtlkorII1OwkM5sT86Xhj9/Z5dqbm6lsQUlijW1oWeTLtpW5Tw7LUCeShFtrT3tId6jso6Zksadg1fk9/HO4khOgHli39kGOVuuyzljncfPuMRpniAQkbtqnsWI2Xl6HvtHTfNgYrd9qOn4bj1DF+X8PlwLdNzVNFOZEDGrnBxH/ylUe3iVNW0+0AE2gqRR1nMFoEmuqapQ+ayvcoU3y32amDlpZZZm/uNil2fX6/vv/OcByjnah+myKihzDYbpDRiFXircdNfSP7G98ye9G8qWeMrma0V0DqRC7hsqxso7EeBfqdZTQ2rjS/V5eT+jhjsqjehOH0PQ80PQwy+d7IlJ0j9TN1Zt0/Sbpvz0BTNeylFWjL8c5bjZfq0l7K27HUbzxJ40xdThrj2WKnPvTvxkttOX4YYNWwduqy548fJnfWzGo9zayNupTv1N0kszIFvpr1RA7aa1vSp7YBo1x3LXKbd/4TSXyrpUTzZmfpNPU6s7tLehGQ5vej7Pf1KLtbAwlv7GnnJBVHxkm6+yNR4c/gcOw/YfqbHFDM7C0HnR2zFwwGCTTmzD4tx2iv3Bbk923DDmxD5XxnQWdmNT1sD/XEniqd0TDxnabe5jIFnZU9bR/Cc0QW1Nl5u1GA16OWnjpGO4IS9lwJ39sGlwfbgY2tFvfJk9tQl46kr6CxxTJpwJGoxNBQsCvpdc306iAY9EAAd/IyclGmpJbRwEe+jcRisMMxo9u0jG3D5roxm85THqemktqmhkHWjtyss3GbneTZhJEbaGvYGvuveqPzejGVUuLT80ymfoCmGQEsrVjjLhbGom1XNq0mg6gIVX4qn0azLEJCN6Vh4FAffN4f1r+D9RcFOHkhIlR++y39Fe7GGZTqrEFgWewUxRwslKxDLaPdsIztxjb0zJXwDj5Edcdo4FJGJOPh4k7JumvQwqnVtDO32QhcaUDALirwN4tRS9/Y0qBuT758+SmZT+v8BbOVAS5b7mfYsAIWE0RR8o5x5k29PtJZp7IjqzlfjOZtzzXmi7ycbTEUu3Te0jxAtAYYaG0gzRcTU6+7zQYrW8ufUjZM5hF0CiEuhUjqsLFrfabpg584Lkbwcz70v4/ET57+HYKkSZiswV8S44Dy00Kcul5DyaX4P3H/RdJR/KanRjHanxkUnfWCx7V3PH4yg3UvhPEy9Ml5G71AX5GUiM99+YwUs0XHMhUCjQZ2icbHh4m4IE7QiVwfJLIIKC/QgR3ZGbu+OFtRy1BDVsAtQ6OmRBtWoHu2VE+RMaCuCCLR11qWqS3z+ayRuq3J4rEP2bI0s02l6RgqlsXGEy+WOX5im5PFaH66sMmDi4sXo5+nfXbQrWmZCnAl7JsHeho4DgJFmcja2CUWEX3tUMT5gpfJRBaTRWGvWBYhOGYdG8HmvizWKWzi1JY6LZA1dkc96tQqBojn+fjeHNoewNvEMZQjjcF2X+oKG3WZnTEgE2pLOPsTvI3TXC2UrBuLfnchi10ymjZKg0iX5rCFz3YNZgsMJRWcNJfG9gIO143LxXT4SToHu/G5PTjaksUCs2VeoSaULdRWU9+BrEu1ACe2ni/Esq/5jtEu+WZv3wZrpA3X0FPY30agNVko0iCzWzq1jXad0ZkFnSfbhGY+CIDFSO95oKXOnaHSEH0tZWMw92cpJqfSILWlLRYJDB3WxMUFdYNOXRaPco9Wngfq+p1jatgWVwu0CZmtj7o0t9g2uwuWq9zXw/FiPMlhHMNaPIqHeGdtaCUPqDLL2hLjZ87Ce8302PC0exT3cbuK5GHyyPCLvxWU9DvI8uUMd8706A8Sd6BhNJyEimQnlgF3j9P2HASYPoqrEp1eZPvdUBly2MXIYJ1BDWURomlDF7X5dqAPOiN9rgwmc00164Op1hh3ZH+RPvorXxHBuVz8T5HaDVfaLJ6nvSfbBDQfYPHSnjKfDKg97R3zSWzMoDTI4FDf6EM2APZ60NTWrjGoO8Z4MZprGEh6ag/VZ9fvnQyHstgQHaPtAYInlqmFOe1uqJRqxGPWJbII2OdqZgzqbPADjWRrTldv5D767315i7wq/ZVrlxZYxnZnF77mf8P64/7zdRLl9i7FG/M17KtswFuMjDaWH7pHm0osxiaLd+AZPXc6/z3N86V+/7TSuIz2dEEmuwgUh1SeO9c8KA2AawyWjoRTnkf69hjPBHuusSGPbHB806zC5E0fZPd+3K74gDLn8zt2CSvX24jN1Jax5e6S++N7U6KAt5NAX42IxkKa6vkMv9jff0+kV5/4iVf58x+c5D/mPz0E/B8/6PO1HWQj5fTd84aTnsj4gKHuuxJecrp1Vt+Vhou3x0XEGGycKXhUpO3a5n1MXoEW86sOrKCzhkOVLRebUcCey48Kww/aGOT9fOO2IAZEDW1jm7AROY/tDpMryOtc48ltthXmLBAMllDCTQ7T0utgqNe1oJOxnJQHRa2Y63e2oTb4Aox7ayY7mvZEZLIay/LWjlw2cf44DjNo3KVgON7K/OCz04DDXoPXNhEsnvttfSZ2f3leje/NQS9zmzCzjEbfMjXPlBqe1fRYkHi21Lhgh2727FtbZl+X6Il7rJd9x1Sw1dLWgGD4tIweQKAzW5bur0Jl2GtYwTaystWjUcfPoxXTSWfwJghw3Z4f66zsaxtoKIljqKdymGrDaqoYtMap1ezwoxkozf2R2CWgpS/zngciMcCBLHp5Pks4Y8uq21Lap/3gzOeiHD1Oe7/lNakXuC2Wz6x+L1agqWaO2avLEk7f0XlomxrvGyBb+MpQrVumhk1JWbutif847f0uD9Q1q4ezpvKfTJ4jr6LOs3psTPbr2YqtaJw30VM2i/IZaaguQYA3UGRzkraGpraB5iQq0yl64puD7jf1sPT37qF3ie5rUYdfJ1EnP8d754fm+4IBQ4I+nP64+r2fo174xWiS8n9VUQNhEGFE0YePQqW4x/9dwv8PAAD//+wK3lr7NQAA')
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
    Set-TimeZone -Id 'UTC'
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
