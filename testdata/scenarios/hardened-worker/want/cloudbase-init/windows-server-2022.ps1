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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6/XeiyLbo7/kreP2yjsmb6IDGzJh5fdZRIghRjKCAdOfOgqIiaPFxoFDJmT5/+11VoGBMenrWPbd7GYTa33vX/ij8v8zEdiHj5ExgA88Poe0G90yShSkThQDeMCmO4pSxMYM9yLz4SYqZF9tHWQJbF5fDJImSPsB+FD4l8AUmMASQ+cw0NBzFjYvLpyRaJTBN3yz6CIYY5XwUYj/MYOPiMsU2pmv8/VeKZAcPNra/VkI1Li7jzEE+KKGSLPwKUJZimDTt2G9cXKJoxXxmPhW0vjpRhFOc2HELRatPF5dJFoYwIchxtINJ6kGEWnAPmaYSPSXRi4/o11AKMUxsgP0tZJrTDMcZFqIksDEzh3vMNId7CDKqcIR8kDODPLbTlGkKhMCH0hNxW3HKMY2Ly4gSJZIw/19ZjJm///1jtBMtmPbf/8YRO3h2So2VYjvB1HowJvc+kT3JYgzdxsUliFwCxV1cvGQh9RHDR+EWJlhIoqA5sFN4d0uUuvqS4sQPV8+X5O6a+dcFwzDMF3LTGoYgcsna/f1iLvzaEiHWKPDVl5LY8/09oVeQK9cKQtcX32q8jcTHsDmOVh+wk6YtYsPn+/t+HMPQ7SNEhSN+vWEoLPMT82UYbv0kCgMYEs4K3I39EJ5yUuCu+ZT4WxtDQrHi92Rj7x1+DxBBDK+KZbp4aQPEfKaEps4aAsxoEGSJj/NWHwCYpiR0kwhRCoelI2ZLg/jw8AGmIPFjHCWa6yISSVeNh/unq/5vvwn93377TVteH78P+teNG6ZRcGiUkiT+ysMp85n58j0R8hTDQKWgz/f31NQUvaZBqa+GE2gHhbI3RytMIpdYgk+gjaECdzcHxhWI5tkJgVGiEN4wt2zvrlqbxsTw6XGVWOHUJ09JhCHAzQc/gQBHSf6+V37Y8Ec6f9n60/tBv/DAVOKluheq+9IT010IkxvmxCFE5SPz5/t7DeITyQ6WPTcBDUtkgw8C8tI9UCXOlqYtsvh8fy9CfOSn2MFpnIYZQiV4XajCj5WtK9qVEiV5PgocP4Q1kBum8e+gFcJd41T+SbSFbxWgofLX91dtkVC9KuiUAHWecuSHzSc7wemB55dnwic5RGYRzs+XxfXA/CVKoA085uoythPM+CFT4BzWqe2cHEO6sb6XyAj+dYVTsGnRDXZVULhh2JuSWGsMw9VBx28XdQweRSm8ei8jnqeoG+aLE0Xo+VKDIIH4aOCj6seQCeGu3C3UL4UF6ZL/wlyV+HWlK3uWFmGu3mRLSrSuAUQp/D6FmjeLwLuiNOpEqtgphC4ErRuj77r/M1MUO+FPbME07dCth99w76c4LWPzJDwK5T4z/6hXunl0Eh41Qiq0SckakDg4kLtmfirp1EzxgWeqYCgkZy5xksE6OvmXQJwlYY3a990xjWF4SEiNoqw23pRl0qk1B4c24+qLH+LnSz5y4dGyCQRR4tZaq0P/t06j8NNRp2YY4fcsW6Cf2haTYv6ZOTffseJfnwEX12YCY+rexpf/+hoyzX8/k0Td+AgaVOB285Vt9p7/dffta+t4w919I/hfEujaAEP3uaJE/USolLuaaa4wLXt1Tc5YtrTMScvccYJcoB4Rv1USv/gQuelp1eMjhCB1UNrSYgh8G/mv0G1NExcm0H3w6Zqd5G/JtPque9WgHWLjhilaxev3gUjXSGDI9QMQuPcxiQUCRmPifTAUrQgE0beCqDmXxvbRu0VA3DBX5baaR005jUKmyUdBTKYFpimFcYZLU5ScTtJJPeNEcV7R/FQOCVXj3DyJ1ptiWxW0iHaFXic7Qgq30QY2NQzjWjIihnxT6sgtbS8cFIHN8+UgcvPjrilW7g+9ekHgZKns2qs8dVg4Nu5VXhhHK+aqoMH8xDTumUaRWg7FBid5LSr/xlBZmD8YIUqGNvAOYfWvGrlPl79/Ks1Z/AU2Bt5ZRjqAHh+fJowToUtip+nFTnBTozDv9z1/Y0Dg0knsZ5f5GTBXh1GtVJBci5Hpusqf4742H5rSnJ8+DJlmCBn2JL+cGvIE+giEvSTaMZ/IWFuAMzB0ocvsfOwVoUHRT5A/vaPhIVzeqFifbWq5/ZBDifPJQPipzPP/KGemi8LEldHOMT5or87grt8TkzjurahKFjikz/1R2cne+lpi/TUdzjBPRBQhbgo2qEtmB1Ud2tooo2Nvo4oDAsA04T+ZhhelOLQD2DgJhAPOFwXi1gOdUESIR1GKaSt93ZpH42gHEync2olvh/jq+m2prljERZckPW1vT7kkUUZPL4gCCsQqvW32XZdkM8EOfJQzBItpPsAU+6F9ODDx90yDbdH/P7MN5o+TuqJFCT5s3OZTEsUwwTlDiU8gTnzA/MFokJSJI5RAz2e4SjK7kKGSTXoqxXpfPnr68WIDKIUu3Jeatd48/XO2B7Mf+LeObN9YlzYNBXjdorW9WR6GNFKm8ISfMgRnE0a78FO9JHzcpH10kFH2agX367NQfIh2IYpstwrHRYLOS8C7/enzZR+tosTHXlB79uCvYIrPh5SQKhYy/7hqjObzp9+f1Km5JH0JudOqW2Vafj/ppt4ciWgQ1x7oJKwdBAsmN2+Bxe8CNyal8U+K71+fOt6fMY4zUY10VBwk0La70XxJtdWYKN5sptiFSUK/0z/UHtxd59dbepuTv3cs/R7Qpdtblm3cHEVoNJsJxAmF6xYk6X3ThcimT9v0aUQamZBOo4sEXR8qVJYUh4UHAX+0EpWBTPD/QnkpjzJwZpOR5ormRR/BkZ16THPsY5jYqJgRiCuax1Bjqqi7bhHoSsySGhHwTRh+MKwfp8A3+9GlyEz0wuw8GzM7O2VeIAYedMnWLPl8+kujnwZxU0yiLH4/8R/zBDXEOAI2otBMkyaEMkHXjqKZtwfMp8NHbVJ8n9g7RZ5w7gMQZWFROD4UtFYu+m7ghz7pknCUnBYMCvS5ptAihQnzB2N4MIFVs3b5e0uTHlo6zaZN5G8g09CaXLPbbHPN/9fssmyD+Xbdqsl8pH5m4Cc7TXdR4p6KfpLOCoCqg4UgS4iYVZ9Oz9VgkVeZZnk9YjLNfvqEbD8sTsqFKAHwaJhTVX/cdTWzaR+TOIpQSv3xwHzm/j8nxhxdD7cwGe5jP4FpBVZ/emZ21Q7dKHjf+PW4+Q+Y51zVwwlXbbAkj748M+3bcran4n1w4soneYyjVWLHXt5SFbG412Cy9QF8SqKt78KkTqdWVCnrshOsRV+p01XD7nP/h8wwH5ftksT12SnRBJL28cM4ptv5ZEuWG/xsT6anm7IA+3yeZjTp4bDvOu1m9/a2cbbnTucvImVFoJCXKVLcgU2pxUnCqYawLxMfJFEaveDWE2lPNfq2io+CwA7dtFXgFgcswz2AtCY9fzC6HbommwkKltFLKcR700w/TWGCm3+S5GC4veenk6fFfKgq/UlR+E7A3u/iiBzARgi6zBmN70jzEAW2H1byFPfHRAWiIM4wfblHXMf7gRSm2A4BZJo8stOUmsDww077d76ELd6YvOlDD4RaT3aCpy+nbCqNGm80Irh169qMSzF/Y1JI3wkafuhGu/SrC51s9VWBWIM4o6/0Gm+njYJncUxZyXN4Sqv3B1JdvRWrLhI9LnhD7roy+A+/R6Bj3PXF2dscplj5cULFMc31RRWph7eZxAznx4jVdGsnGLqfjiX9zXEEd/Ht4vw8+gz72HvWDnsOEpBBD8Z2AhvH85KT8bd8lVtNvQ0gCvnSYCOjo7AgQJnFsZuFKLA2v3mUh3oOgl4+MxTWNnrZYiQjK9Bzy+iuLa3fk3h37oq9nbyLNouRvLU6MgIdZQYCPbBMGTmBgqQHdiVzSuyIeuaK++6s3ctcEWWusQh5pCCX5yZOW/FcEW0dv4/nImItU/YcYeC54mols5M7kwePsuimTlv2nId4MtOVhap7sj5UntThYvWk9Xe8v1zJBc6jZXqxy/c386Ew14f6UtPVhzmrCvzq8+fGNfPt1HIvPoINppHGELTKEGyRZ+kX9vmNGRv8/dfN1zDCPoAtvMcN5vLFRik15MzUWVvs5bapIIsfcKC9WDntbgq1W+XPGYeRC99h9sGr9U3mkGsrtwPUqHwJc9kDIjIsU34l/pLWkW93dN8yhI2jdZPpaJLZxq9bdy34lql6Ci+lUoBjJ5j5U19+dNooI/6xAhS6plz6hMCoMWgrWzfQc6hJdzCXfafdY0FHzZfmYOG0MXJ8+pw9fJeCbmoHHLa0LoahHrnBfgcNLlFCbztp6zvJ3/lLcxAv2npO6KpGdwPEXuyEVJaNZXDbcaDfLg1u54iLO2U9Yyc5kUXxZgRn6Hmg7SGQS3dGLr/a4jBX5su7qaj71hy0FcNaLwN1PXn1NpO1srbW0n4iDrmpOMmV9YybzFevysPwdrJW15MHASnG8lVZD/zJw+x2OV92pvPlTllLt8rrLF/msvtisqkUdLeWqGuW4caF7mrstG/9aZj6y44cL9q9td3WWWJ3JxzEQFzcjfNft+P8dgtEtLO03tppd9mlgTLLlDdjQ9k6oerZRheBYOaPeZmuuaOJP0X4FynAiNi74LvIlu09BzoqAn73dmyktyDvxk7e45wAZbapxktjH8NA3xDbWoYVWIZCZZkHvfmy7SFrpKeWJvdMoktI9ooSWeaEym+JKCfwTkfuEpzZawxMYZA7bTdfGtxwaaqeKezx0lAiIu/SULEp7HdLU13bov4qhVzvPx3mMWkoYErDHUEMovDFX2UJPYJiWZb9KYDJCr63C1xTjSyjy9rGIbPQ6PScoJdBg9u6B62NrrcM9sjipTsrEFLQ1nsvGonMw2aO6/jYaauIWEdv674t9rZ2LvfGvIzcQM9cQUbLdi+3BGG2yKU7Rdv5INA9a9jLnBGaOR2ZeGM35uXc6aieK+oPlimztmHFy7bAFp5Qc9dYpFKoIBBaCCB1smDlrdNRX92R7AFeunNHMmcR2h01twwB20Y3JLvWCfQ1lXWDNo6oL2yDQ06niEbFYGl0OSPlwTYHkWXKc9dABU+U+vpwPzdZ/UEdegK9CsrA5FxZH3ovs4U+N1+H+VTojWYs97JgvcFkvWiTKDvB4+T5TO+Zmq5KJisIC+7X/WTtvaisopicIs3mEqeQbEJ04nrCjFUlVafXt3i5MrdqeJNbmqlO8bQFK7zoLFpoQm+g6soLkclk3Ye53ptrw+Hr9GHmm9rOd8X969xAmR7oOWgXvpSQhUCoxE67u5gLk/3Elz+I3iz08dvqQOIxCSGGKYnlk0N0pvHLL9nPi7bOjnXqwnjZXqzGi67nGItVkYz3yOX7eNFRPRCqHBDULhAXK1I/nDZHwm3d+BEponQRu3YpBBlUyummnMAau8zOUphsG2TatROcxfM8hsyDn9oOgu5vRfvxMRKdgf8TgmRplG7BXxLjiPKuEOvID99mlHe8IIty7Pi0TXmYon1C2pSlKYcu2Rih+kpakxm/Cu2gFzs+SCUeYJqSAyu2cnJP8WYg6IUgELAqCuxSf5MCRcwtySYX2QwaAnZ4EPO+2qFpkSe8uczpzFaPQ5e0OnPLlNu2oSCJ56ZLg0NSgZ9a5mw1Xpy2W5LwbttE6AeOKIQgP+rWXpoycETkm0d6KqhKP1fCd5ETLkPeVxPXkJEj6ixtz3IplPh0VdorkXgXVJHaRVBc+BLPYreNMkvsdUDOvVZ6sHhZtgxPi8mdObI8gPapbcgVDWFPyl5gG6C0UZ/YGYFwhknZ+Q7ezm5vVnLeT3i/v5L4fjjWuFrr0ccFbOmzV47YArmiUtAw5cwyVQS4/Ts4VDcqF9HhB+kc7TYOCGxlSxILxJbFrp5h0g4v2/oryPtYDVBq6UU7K/mqbxvdmm8O9uUGIHA5x9Azd7iPQWe2kkUhtzo6JoWM0JkHvalluqZtdDdOB6zG+sADHWVhj2SO99XMNfYp9WctJjVRyCxxj/jQjWxjjyR+hZ2gx0p8Jfd443mA1W9tU0UWv1nBXURsXenS3iPL7K9IRqO+Hk1Wk1kBYxvL1SN/jHe8NLobScDyPO+KhJ85j+5U0yPt0usjf4jbTSyN0keCX342rqjfumS/vMFd0AIqpI6gIjiaRbJopUvDfX3UugsQIPzIb2p0BrHl9yN5RGFXY4OjLY7Eu1DjdF5d7AVd6I31hSzMFqpisoKmcpOe5K+yR3/jyzx4Kxf9yGKXc8Td6kkbTC0T4KJlRWQEwvNAwJY2qPYTz81dUcjdkb7TR6TlGwxcU906hsDaxmQ1XqgIiHpmjZQnxx+ctIMSz/G20fVAiGZLU40K2v1IruWIx7wfSjwg183cEFjS1gEu3Zva5kzuyn8fy1vuq9qnnrvUYGnsX63S1/QzYh8P15dZXNi7Fm/E1+5QIe3qamx0kfTQr2wqkhibrT6AJ/QcbfFrVuwX9m66UamMlrYKSTtajpiesyDNkwAcQ1jbIsroPtL3VTyHyHOMXfh4oFdrbWk8ijQ/oscfye+jY5scjkmc0uZr83hWoeMoJYXxxQ/91Gt8/wV08avo0zn8f33W9tVXVxTYktafKk74gJHuOyJaU7pkDh/JnIP2a2ekv7qino8NYWdrZDbfby1ajKQNKDpbsAx6W3eksCAQduOArEuPMsEPuggURXnndFzShUWWsU/JrFcEaI/IFRTJips67a7shCoCgUC62zaF6egsGOmsGvRysrEkodzwC/3WMhSOdsFosCWyQ23AQ5MkSrL5rNghrdafB1PuGrcZGE32Ej176HHuaMDRBMWD1dOwq8/5/k9Pm8nd2Ywkct6y7cUODXDuHTv08yd/uSf2dUI9daqkN7RNGS076haEyJ2u4wcyPbiiXnu+ieTRgFsG+3iZbx4NFj2NN0QnncCbIECstaiSpeSrO9eQU9tQTuUwFW7ZVhDoTLJlu4eBSIrdwh/z/RB09HVRuEDMByiQeO/9TXRM6m98zkvxozb4pUgsg8DpkE1JkvBqA9pKbpsDVhJR9oHOI8tUafIH+cqXRwq7NFVkimQCmvmP2uBXSVC2JKnN2/I/iTwVrzJZk6RqzDLL9JDE9zYS31tT3qFOJqScNjojZQ0CtHN50uyoW9dUd645i+t0ysJ2dtZ0ltRqnw/PnWp0X8pk+jKLy4nj7Fdhp+d+bhTCT6cvnD/6edo7vyBLM/oD7xaIghhBDD/dMI3yGf2J9H8HAAD///tUIiVEMwAA')
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
