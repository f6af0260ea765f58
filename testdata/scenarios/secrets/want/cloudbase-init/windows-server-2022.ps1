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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSvrg//kUtb05Y7K39YrG3Gt6e84oUYQoUVRAurP3QFVF0KJgoFDJTM9n31OAiibp7jszv9MnjRTPez2vBf8bjGyEgZMC34auR7GN/DsQJTQGAYX4I4hZEMbAZoC5GDx7UczAs+2RJMK1i8teFAVRBzIvoOMIP+MIU4jBZ1CZsiCsXFyOo2AZ4Tg+e+gRTBlJxYAyjya4cnEZM5tlz8S7rxmS7d/bzP56FKpycRkmDvFgARUl9CskScxwVLVDr3JxSYIl+Aw+5LS+OkHAYhbZYY0Eyw8Xl1FCKY44chhscRS7mJAa3mFQVYNxFDx7JPtJZcpwZEPmbTCoPiYsTFg/iHybgRneMVDt7TBMMoUD4sEUdNPQjmNQ7XMC70rPxa2FsQAqF5dBRpRLAv6vOh+Cv/71fbQTLUDjr38RuB1cO86MFTM7Ypn1cMjvPS57lIQMo8rFJQwQhxIuLp4Tmu0REAO6wRHrR4Ff7doxvr3hSl19iVnk0eXTJb+7Bv+4AACAL/ym1qMwQPzZ3d181v+9JmE2zYCvvhTEnu7uOL2cXPEsJ3R98a3E24g8hqvDYPkOO/mxxm34dHfXCUNMUYeQTDi+rx9BBgt+AV96dONFAfUx5ZxVvB16FJ9yGkcBw5BlW3JkNraZu2d2aUMCPgMVb6uPzgpDBqYYJpHH0loHQhzH3DWjgGQS7R8dMGtTzPaL9ziGkReyIJoiRLinXFXu78ZXnU+f+p1Pnz5NF9eH393OdeUjqOQcKtfnak8xO2F+lYn8MWP5toL3XoQhC6L0P9TyQOffVPVRFuWyusf791Q+cPxTenNNxsSG7+0q2lMFnzMu/OHT3Z2E2YGfavs4Z5ALc0kTQgrwslBihG2GjwY+0j4qUZAXA9/xKC6BfASVf/k1ireVU/lHwQafK6Di7Ufwpjol17jHBLMTuUsPOdWrnE4BUOapBB6tju2IxXueX544n4jFHzMqUxZh23+6zK975s9BhG3ogqvL0I4Y8CjIcfbPM9s5KcMxN973UgHHvz7i5GxqWTa4yil8BPWPBbHaENPlXsdvF2UMkQQxvnorp7yO84/gixME5OlyimGE2cHAB9UPLkPxtgiRbF9yC55bOHeGKw58fZCDw3jP4KrgUTZMOQFlLErqHPejsCi4KnF6DDHN+PCgydJg5TpndfSdXOhc0LIxOgj9Z6bII+EHtsglzCkfRPzzRjmQ/nmrnPE89QTecFS7+2p59cWj7OlSDBA+qBdhGESo1CHs25hVHNAPB8mrNGBlfXs7L2bxVYF+feL/jNekz2VoDdsnhev6FXB+rUY4zGxc+fL/vlJQ/dcTT5OV96DhEdyuvtSr7ad/3H77WjvcCLffOP6XCCMbMoyejpSy3eBUitAC1SUDN/X2bVmTVyxr08SJiwA+Qc5RD4jfjhI/e5ig+LTeiAEhONuguDYNMfRs4r1gVHuMEI4wuveyZ3aUnpOpdRC6qmSNTuUjyDue67eBePPDYfj1HRC88xj3BQ6W+cTbYCRYcgiu7xGitLlZtjnsbu4QH8FVkfxmQVWJAwqqYuCHvOkFVZmGCStMUXC6Lqe2cooJwvRI80PR6x77v+qJt3Ipo6TQg2uX63USETLdBGtcnTIcljICN+RZveG3WWF3SADXT5fdAKWHqMmf3O1bzpzAyaOi+TxG9P7Bof/ki4fuD1zlNMAvoHIHKuAXUKpqLEpLXvkXkMkC/gn6QdSzobt3q3+UyH24/ONDYc78f2gz6JaonIIelk8TxonQBbHT9GJHrDrNYN5uPv4CoI+ygeJXBH6F4Go/cRQK8mve+Zey5LAznfVMeSY+3vdAlWJQP8kvp4Y8gT4AMTcKtuADn85ycIApwghsPebmrpGhnyB/eEPDvbucqVhu0Y/V9pBD+ebzueZD7pDgb0Xrf5Gb+Gi01xjv9Div4K7fEpNv3LmoauI7OCo59w9k57H1tcD6czq8wjwRUcKs2rdhWTLbP9ahjU2SbHqrHP2AA4Aq/juouEHMqO3jyokj7HG+qJjV7mmcN7WDIGZZP3tdmwVDPtXKdGNHnk3ZVTnNnLEII29jMyyPNzenXKIgyYZwroCKmZbdVjsI8WzWt32PpIBjgeo9jplH7f3c7+1ApV7L/v1ar4B/gmkQsX2wVsdREOKIpSAjOMIs8iCHwbw0HKD62dGCcJTGzvke5ZHHhShvy5QN7s82xDJFeFdoUztb/THbvan3/GsHtmcWzRqFHLxsxVI8FnN8JQa59b0YcJw1Dbb0Q7kMHNvnWXDSPL87g3d5s3xVcL9+5X73wZaSwEZHF5xH5I20X9x2yDKIPOb6pbV7b4lj9nocoJkmFPztqjKYzcZ/jLVHc8GbD343Pd6qj8Xvk5bpbHyfYlZa0LnvOgTnTD6eA0vfBa6MCmufVNjv9PeXQZg1JuAz16X6HE+XQy54tRozhKMo+50vRJhFKf/ZKt1XESZ2ttrIVgPeO2SdOzf29b4oJFF+zLRn97PJv/Ajjv8nMnoxt7PE5q38VZaKPIIHduyC6tBjOLJJVo0yw1QPGw+OPnBd49BHMQtqXMAzp3hnSOVT0lvhgDJkEDyDrWszsLVj8IwZdDHikVHwKSvy45FnillVioIkfDvXHsI0M8QwgDbJoEE1i8ciJ5YOMcH50eRpv1+akN4m9kZd5Zw7EAYJzXP1u4KWMnQH+R71eGPCgug0R2dAn0sKzWMcgX8Cw8URPvZHl3/UpvJ9Tc+SWZV4awwq06pQbVUbQvX/VFv1egV8u66VZD5Qf2XgsR3H2yBCp6KfZJMc4Ng0YphEXMxja5wdIuE8rYFqcT1ggmonHhPbo/kZaz+IID4Y5lTVn9+6ktmm75M4iFBIfcCJMEsiepJLzrb/x8TAYevxBke9XehFOD6ClVdfmV2zKQr8t41f9pv/gnleq7o/2SnNcnzpyxNo3BTjdCbeO8eLYpSGLFhGduimNU2V8vspjjYexOMo2HgIR2U6pZqWsS6ar5L3FTpdVeyO8L/42PB+1SxIXL86HRlh3rG968dZOJ+EZBHgr2IyPg3KHOzz6zQzle/3cddsVFs3N5VXMXc68nApjwRyeUGe4vZsCi1OEs5x7vky8mAUxMEzq415RzjN3nOIge/bFMW1HDc/0+jtIM5q0tM709K+abGBn7MMngsh3hogOnGMI1b9QZLDdHMnPo7G81lPUzujvPCdgL3dRHE5oE0IRuAVje9Icx/4tkeP8uT3h0QFAz9MWPZaiG+d6PkyjZlNIQZVkdhxnJnA8Giz8YdYwE7TmGH/rA3cE6qN7Yg9Pp+yOWpUOdOI45atawOUYX4CMc7eJhkeRcE2/oqwkyy/qphNMUuyl0GV8wY/5wmqNkUlefarWfV+R6qrc7HKImUT+hm566PBf/r8PJucri9evboA+ZOfJ5SfjFxfHD11/x6Mm+H1yd1xoLQjhtGHQ0k/OwEQLr5dvD7zfYV9OOosna/sJeCzFQ7tCFcORxQnE2fxEvA4aFag1E8XRj0wmmod+iSxhPp6LvXrtrh+UHp6Cv12OjHUum20k/lAIZavp5bRWlnTTlsW0QxJ7a2yDdbzgbKxmgqBTXUCfd23TIU4vkrk+/pSEdTQkfQESbvWpNFOkEQSZMypSFSCRGHkNFQXSWTjeB02k0jdMhXX6XddJC2XSn10a4rwQZFQ7DQU17kPRxNdnWu6q+g9daz15svxtLMVvcVSyXEeLNMNkdhZz3r9md7TF1Ndu5/Vtb64/Py5cg2+nVouiXFUAZU4xLBWuGCNr8Vf6k/cjJd2XkGLEC21UqCyxjjEUeXTWaHYY1SgTe0o/e3v7Zd1Y7dtbUDHFirnAjx7BJ8LAAPKbI/iCJ3tZOn9NOAL8dcjKP/57C1rLPBJ5bjFyNdT2MjM25bv5QeRsK0z0KlttF7MSehAaSdYDZLA9Ibaxu/JItuifujwrRZbFNLuakgXu6GvpvYUoTL+0EOhk7ZWTqNVXxgksUxlPfRRCqVRgla9ZNFUQiVtpZaBQtjUUqzXHzh9yyfUbOZbPJ526OQlhIULuc5cc5HUhydy9Hcry1TqMG2tlW3wYDS7MTJQ6NBRojTIZuirG4dqrm20CPQnidVUtou01RhNWyvor+mQKsRqkBc0UFoZrG+FVlP9z3SZZrC+bSCOW14nWOozKO2IItT/S7KOEqVZXtdvFoawdaQ5Hfp9AUkuEqn+YplKsjCEPOyaXcGRdgR68AFK/RfYRBvoTzJ7Lxr9ZGEqLbXZa2E/TvEACsiDD6/D49/1zuxDgrJv4ojFNfQ1wkvexKQ1vLP9kOCvbhCzeO+zzzaJudP+lBh8bR+lZ0KsvxIPYgpxbY3TUiw4Elnl6UvYWKtgaUk6c7ZhZJnrW1lSXcfvp3iGdo9mGI2o21TNxQ9sQgOEf2CF0ucU68Th11pqn4QoThUXSsSwTOWFZ1p5FXh2U/cso792pq3ocTBKbOP3DVr1PcvUXFWUY9lnoeNPvEdPeXAaJJkUYYVMpcimHEYLYUPd8BSAp/ItThXPabTr3E0XZnfuNBhxvGy9vv8t03XdGmg7NG0xTPUA+bstNoRIpe5m1NC3srf1FmY3nDf0lNPVjNYaSu3QoZksa8sQNiX3vFVXk/oo5bKo7oTj9FwXNlwCU/nWSJUXW+ql6mxx+yjpnjWDDdWwVgtfW41e3PVopa6slbwbST3hURql6moijGbLF/W+dzNaaavRfZ+oxuJFXXW90f3kZjFbNB9ni626km/Ul0m6SBX0bNZj2W9tLEmf7kN0YWqh07jxHmns8bCeN9oru6HXud0d2g2hNL8dpr9vhunNBkpka03bp2nBOAlhbygq2TM0GHmPhP0m+4xwe+d858misRNgUyPQa90MjfgGpq3QSduC45PENrVwYexC7OtrblvLsHzLUDNZZn57tmi4xBrosTVV2qYptN+pYtRj5/HBnS2imOGYO+jJ+Tqo/PZb8uu8odeHukogtcJFY74czluuY8yXuevtCBI7bN7UXEg1Afa1FpTmy4mp152GwF1sVfkZKU6TBS+UxRhWjIqVMkA1O+5OwlkaYtBJWODbzIM/wyaI5yGyC13f4LJNbF7VN2c87r3YdghGn/Ju7H2k7EjgvyFIEgfxBv4pMQ4oPy3EqdE1HOdvEb5j+DdJrwKPnie6N/xIkZQw6y5EdP9IdhFvCBemQpEhEIdqL7waTcQltf126HgwlkXIshDilS3l9xneBPptCv0+06R+faHv2MJQAx5iC0NjpsSEha+7llRPsNFnjghD0dOaC1Nb2SLnLSROc7J86CHeVM4sU2nYhkpkUXjMKmKOH1vmZDmcnza2cv/NBpXT9x2pT2F60K2xMBXoSMQzD/Q0eEzVQgHfIg5dUNHTImQoxJH0elaRU5nKYrws7BXJIoLHWONdw9yTxTpDDZJYUrsJU+HlqEed7Tun8Xx0aw4sF5JdbBvKkUZ/V3QksLBRh9uZQDphlkTS7+Bt7cZ6qaSdSPQ6S1ns0OFUKJWKDsthiz17EbgtCJLUnIapJJapESjs3sDJdMvk4jr8JJ2D3fIO6GhL7gvclnlemjDeNS4a+gtMO0zzSWzpeVcpe5pnG63S3uztK3ShjwTH0BPU24WwOVkqUj+1mjqzjFad05n57UfLRKZttNZOEy6HeteFTXVuDxRB9LQEGbs428+ST06lfmJJOyJSFNjGjsjikjl+uy6LR7mHa9eFdf3GNjViiesl3gbc1kddGjtimZ0lz8nZXg9Gy9Ekh7GNxfJBPPg7WxittdxnyixtSZyfOQtuNdPl5e3lQdz77TqUB/EDxy/+1kjSbxCPlzPcOdej14+dvkbwYBIokhUvDPTyMG3NoU/Yg7gu0emGltcJlEEGuxwavB6ogSwiPBV0UZvv+nq/PdTnSn8y11Sz3p9qwqgte8vkwVt7igjP5cr+FKklONJ2OZ52Hy0TsrzFIHzYZDO/z6xp9xhPojBDUj9FA32rD3iJ7naRqW0co1+3jdFyONcIlPTEGqhjx+uelG9ZFETbaLmQksnC1IKcdidQSjniIe1QWYT8up4Z/Tovw1CId+Z0/Uru4/69L28RV6W/cu7S/IWxe7GKvc7+BvWH/fV5Eub2Lvkb32vUU3l7sRwaLSLfd442lbiPTZbvwHN6znT+e5LHS/32ca1lMlrT5ZuTmGP0V7ZEkiyO9N3RnylxHWNLHybB51e9QBjEvCw9e9SL3cr334LnXxifnkz8j58+eNoLkvr1gtYPCxDnAwe6x0eIjG6dJ1NFcMhu5Qz0FyTp6dDob+0pfFCk3cbKioa8hk1uRB0u/PYGDdQ69Pvboc+fyw8Kx/dbBObFc+s0EYFUDSxjF/MeOnekNpfLz5OK8Og0WopDNQL9/gpJpJHBNPU6HOh1zW+nPADkfhGYc/3GMlQhmwdId8Nlx9OuiE2e0HiQWKHDm7ofb3qKjJsEDkY7OTuNaQto0BWyRCLC5bjX0mdi55fxenRr9rup00DpwhB6C1NzTUlwFw2Xj/GuJQlv2KGTjr3FjtvXoXrsHJNTzzYVsmhqG0gJelyF99DXuS1L6+tAGXSFhb8LF+n6waiT8XDNddI5vAl9Urfmx6Qme9oWGUpsG+qpHKYqLBoqgc1Rsmi0s9EdSXNvKHYobOqrvMDAUPSJL4tuHjwSSXmf7jSV1mnyPdtzUQ4fpt3f8gTQ9Z0mDx6eLJdr2FBT2+zWZYkk7+g8sEwtS9IwXXrKQK0vTI2YkrJxmhPvYdr9Xe6rG558Zg3l71yeI68iqfLkZ0wSy3SJLLbXstheZbypnji+nmYNyUBdQZ9skcibEm2DTG2LzElYplMUoFenb6+ST+nv3ZO4Et3nIuk9T8Jitnnn69d9wkABxR9Ov/h87xu5Nz5ji5PsU+8aDPyQYIY/fASVYi37WPr/BwAA///+7zx8kDIAAA==')
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
