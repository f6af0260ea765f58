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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kU9fSTNSb3RA9ozDmmb88aJREhiooKSHfuWVBUBC1eBgqVzPR89ruqQEGTnNNnzdzVK63AfvntXXvv2rvw/4OR5SBgZ8C3oOsFyHL8exCnQQLCAKIbkJAwSoBFAHERePHihIAXy8NpjBoXl49xHMZdSLwwmMToBcUogAh8AbUZCaPaxeUkDlcxSpKzhx5GAcGZEAbEC1JUu7hMiEXYM+H+G2Oy/AeLWN9KULWLyyi1sQcLqjgNvkGcJgTFdSvyaheXOFyBL+BTLuubHYYkIbEVNXC4+nRxGadBgGLKHIU7FCcuwriB9gjUlXAShy8eZl8DKSAotiDxtgjUxymJUtIPY98iYI72BNQf9wimzOAQezADvSyykgTU+1TAh+gp3EaU8KB2cRkyoRQJ+G9lMQR//evHbCdWgOZf/8JTP7hWwpyVECsmzHsootcexR6nEUFO7eIShg6l4i8uXtKArREQwmCLYtKPQ7/esxJ0d0uNuvqakNgLVs+X9Ooa/OMCAAC+0ovGYwBDhz67v1/M+782RERmjPjqayHs+f6eysvFFc9yQdcX3yu69dgjqD4MVx+ok8YN6sPn+/tuFKHA6WLMwNF1vQGMFvwEvj4GWy8OAx8FVLOCdkMvQKeaJnFIECRsSUplE4u4B2WXFsTgC1DQrj621wgSMEMwjT2SNboQoiShoRmHmCE6PDpyNmaIHG4+oATGXkTCeOY4mEbKVe3hfnLV/fy53/38+fNseX383ute125ALddQuz43e4bIifIrBvmGqXzfwAcvRpCEcfZvWnmU86dNHd/3urm5Y0mQqiaX14XZ412A4hvwxvqj8j/lAmrUBFvwowV2DlLBF6aFPny+vxcROepTLB/lCnIwl0GKcUFeBSXEyCKo9HUpuzSiEC+Evu0FqEJyA2r/8hsB2tVO8Y/CLTo3QEG7G/CuOZUoeUAYkRPclYdU6lUupyCo6pRDL6hPrJgkB51fn6memCQ3TMqMxMjyny/zz4PylzBGFnTB1WVkxQR4Ach5Ds+Z7+yMoIQ67/eqAuW/LnlyNQ1WGK5yCTeAuymENYYoWB1s/H5R5RBwmKCr98rL25S/AV/tMMTPlzMEY0SODj6afgyZAO2KbGHrknvw3MN5MFxR4usjDkrjvYCrQkfVMdVaxFRUzCnXo/AouKpoGkcoYHpoyWAVsXadqypjJwedA606o+s4/54r8kz4A1/kCHPJR4h/3ilH0T/ulTOdp5FAe49677BxXn31AvJ8KYQOOpoXIxjGTqVZOHQ06yQMPh2R14OQVO193HsJSa4K9uuT+Cd0e/pSpVaRdbKHXb8hzj/rMYqYj2tf/+dbAOr/eqbVsvYRNSzJrforV+88/+Pu+7fG8YK/+075v8bIsSBBznMpia0GlVKkFqivCLjlOndVS96obMxSOykS+IQ5Zz0yfi8Rv3gIO8np1iOEGCO2QEljFiHoWdh7RU5jHDsoRs6Dx55ZcXYuptF1nKsa63lqNyBvfq7fJ6J9EKWhnx+QoL1HaCxQMhYT75PhcEUpqL0lRWVxWbU5rm4eEDfgqih+87AuJ2EA6kLoR7T/BXUpiFJSuKLQdF0tbdUSE0ZZKfNT0faWrWD9JFopyjgt7KDW5XadZIQUbMMNqs8IiioVgTrybL+hl2yPt3EIN8+XvdDJjlmTP7k/dJ+5gJNHRR9aZvThwbEVpTePjSC4ymWAn0DtHtTAT6Cyq5E4q0TlXwDDAv4J+mH8aEH3EFb/qIj7dPnbp8Kd+f/QItCtSDklPd4+LRgnoAthp+XFikl9xmjebz7+AqDvsNniZwf8DMHVYfgoDKSf+RBQqZLD7mz+aEhzYfzwCOoBAtxJfTl15An1kYi4cbgDn+iglpMDFDjIATuPuHloMPYT5k/vWHgIlzMTq916udseayhdfDrifMoDEvytmAIucheXTnvL8UGP84bu+j2YdOHOoSqpb9Nm80ex09z6VnD9ORvecJ5AFBGp9y1YRWb55T60tXDKBrlaGQeUANTR30HNDRMSWD6qnQTCgeergkjjIUjypnYQJoT1s9eNeTikA64UbK3YswJyVS0zZyqi2NtaBEmT7e2pljhM2TxODVAQUdllves4tJr1Ld/DGaBcoP6AEuIF1uEIwNuDGtdg/37mauCfYBbG5JCs9UkcRigmGWACR4jEHqQ0iG4NR6o+O2XgSzRWrrfEI00KKO9jYjP8iwWRFDhoX1jTOLv7x2oPrj7obxzVnnmUNQo5edWLlXwsRvpaAnLvewmgPJsg3AWfqttA2T7Pw5Pm+cNxvEeb5atC+/Wb8HsIdwEOLacMwUWM3yn7xWUXr8LYI65fuffgrVBC3o4DAbMkAH+7qg3m88lvE3VsLGnzQa9m5aUyLr6ftExnk/wMkcoNjcaujVGu5OacWPxd4tqo8PbJDvs7/f1lGLHGBHyhttRfktlqSIHX6wlxUByz7+w/Zg9/1/r1ll1m9P87jn332aPbWy6/rMeIxOx5u3JddxC22N0muxvSLoP1+HRZrg/bRxrnZ1MHYD+6TRQRR/n/RO0vhn2SWrTpv2JFy8NoYCUuqA89gmILs32LubB+DBFQRst1g1KXMAtpFOBZ+HwwztJ56r3EcRgzCF/AzrUI2FkJeEEEusihOVToqRryx8PRDJG6GIdp9H5VPiY0c8QwhBZm1KDOMreonpWTT3B+nnk6GVRmqfeFvbMDU81dCMM0yKv6h0Artbzr+F7g0RaGhPFpNWdEXyoGLRIUg38C3UUxKjupy98aM+mhobGyV8feBoHarM7X2/UmX/+vepvjauD7daOC+Sj9jYMnVpLswtg5hX5Sd3KCsr1EMI0pzLKJZidPKC+AoF58HjlBvZtMsOUF+cFsP4whOjrm1NQfX7qK22YfizhCKFAfeWJE0jg4qTpny//HwsBx6dEWxY/7yItRUpJV775xu2oFTui/7/xq3PwH3PPW1MMZUGXqo7e+PoPmbTF4M3gfnEkKcRaRcBVbkZs1VEXMr2co3noQTeJw6zkorsqp7H5MddGmVaKvsOmqZnX5/0cHjI/310LE9ZtzlBGivd2HcczS+SQliwR/k5PJaVLmZF/elpmZ9HDIu1az3r69rb3JudPhiKIsBeR4QV7iDmoKK04KTjkhfR15MA6T8IU0JrR3nLGXI0Lo+1bgJI2cNz/9eNxDxPak5w/mqkN7YwE/Vxm+FCDeGzW6SYJiUv+DIoeC7b0wHk0W80dV6Y7yje+E7P12i+KAFsbIAW9k/A6ah9C3vKDEk18fCxUM/Sgl7F0SXTrB86UgIVYAEagL2EoS5gLdC1rN34SCdpYlBPlnDeNBUGNixWT8cqqmtKh2ZhHlrXrXAg7j/AwSxF5B6V7ghLvkm4PsdPVNQWSGSMreINXOR4FcJ6hbgVPBc7jLdu8PUF2dw6pCYrP8mbjr0uE/fNLOZqzrizfvO0D+5McF5Wco1xdlpB5enlE3vD3jK0dPKybI+XTc0s/OCviL7xdvT4ffcB8PRSsnMQcEdApDkRWj2vEw42Q2Ld4cliNpDYr9bKlzod5SOOjj1OS5zULsc5aweZIftQz6nWyqK5yld9LFQMamr2Wm3l6bs25HEpy5I3Z28i7cLAby1mzJGLaUKfQ13zRkbPsKlh64lcwrkS1qqSPu29NmJ3VEnDr6IhCwgh2BH9lNxXVEvLW9LpmLmDMN2bX7PdcRVyuZG90ZAnySRSexm7JrP0SjqaYsVM2VtUdloj4uVpNZdyd4y5Wc8zyZhhs5Qnczf+zPtUdtOdPUhzmn9oXVly+1a/D91HMvHkY1UEsiBBtB6Jy77uO3yN82qU0/G5nl41rpUpTJLhSxbhryK3WbtA49q6V5pt7f2LN2PB6MUkv/deus+55pqK4iSInkk8j2p97Yk5/sJk6pm0wfB44hF66hNGoEm8rW8bUMzaQ7lMme3exwsKVmS6O3sJsE2x67zx2+Ux5LbyeK1yYo0ELH3++QzsdK4G5HTW0neTtvafSiRVPLqFxVb2+g2InsgGHZmDq/Hfra7VLnd7a4uFPWU26UUSyKO6U8j64Lmy6GmXSnZ/KrJT5mynx5NxY1z5zDpqKb66Wvrkev7ma0VtbmWtqPxEd+LI4yZT3lR/PVq/LweDtaq+vRQx8r+vJVWfe80cP0djlftsbz5U5ZS7fK6zRbZrLzYnCJ5Le3pqjNTN2JctvVyG7eeuMg8ZYtOVo0O2urqXHU73bQi6C4uBtmv26H2e0Winhnzjpru9nmljpOTUPeDHVlaweqa+ltDP2pNxRk9swZjLwxJr9IPsHU31Lph9RuycGwqWJTxOuloWKTrmFguvZAw1Tv0u9zy+aKysKmb+Jli/lzbPPK2hK1jaPvsRRwCcrk2DQ29FlqN1U89JXEMRTONKQUCXwZK3o7sn3MWXo/sYwo10fTzNfWjiDdSZv2dtFUQlNXeVtceC8a9RPhl76WmIbaRwM1Wy76mdk62NR2bX1R6tX3LqWF2akdtt/ZmLN27Ogyhn4bO6L2OvTxdtjqbe3mrmM2tZSlqyB3DLo2AU1BJTSNEVsPU8SZqSuc3ZLbVN70NYJGv5fZTSdb6vzj0lBdo78nS10Jqf+XukqM/n63NFTqp1cp4Dv/6bSNaJ+CEpa+GBEYBi/eKo3ZsRPHcdxPPopX6J2sJkvDndpN9VVah01lwD29RZUGHjmgKlQ2qJ44QAQlFOPJgSio/fJL+vOiqXFDTcEwMKNlc7EaLtjirPKisceO0CWLlurCQOVhX21DcbGaGhpnN3laHNa1H0FBPB/NsgBSDLStLXrhol+v7VpNSlGjo5EVkzSaZxEC3ZSEvkU8+PlwYvkB158E8I4TnNdR5ohcahoulgSWob6lw5WcdchSb/NLfb8zdS2zRfzqPESpM+juK5UpGQ1Wt5LY5uCDRGW4ttFLzNluhx5WgSR0XhHdtAJ5a+tmstSd17HPu3agubbQ3TpGb0Oz+IfsCJNF5FjFar7nydRKExRvz1z54CWWjZHzOd/2P2Zis+d/AkiahMkW/ikYR5Z3QaxDLzhPuXdWUhblyPZYe/AwxvuYtgdLQw4cncd2oL7SlmAqrALL70S2BxNJgITVYN+MzIxeM74p9DsB9PtEFfvcUjurESKrba4pcinS+8QWYCR4aovVDYHq5lO7NV09PTq0xZibhty0dAVLAj9e6jyWxENtnK6Gi9M2R+q/265Q+b4t9gOYHW1rLg0Z2iL2jKM8FZZ7PV/Qt7EdLAPBU1kdtUWNY21RJgWSkKwKf8WS4MAy5dsYiQtPEjjiNHFqip0WzPjX0g6OLIseYbIY3RkD04V4n1i6XMro7w9ZVPioS/2MYTAltC7/Dt/Oam5WctaNBa+7koRuMJzxlV6jS3LaYs1eeeoL7IhKLsOQU9NQMeT37/Aw2xguasMPyjn6behT2tKXNBaoL/PyOCW0DV02tVeYdYnq48TU8jZS8lTP0tuVtTn4l+9B3+FtXUudx30EW9OVLNJ9UiOm3uaonLnfGZuGY1h6e2O34Gqo9VzYUhbWQOYFT00dfZ+w9azE5Ezsp6a4x0LghBbd64UVsf0OJwkl7uHGdSGn3Vqsf9is0C6kvi5tae6xaXRXdGtgaz0YrUbTnMbSl6sn4RjvtEJupD6R51lbpPqMeXinGi7tj16fhEPcbiJpkDxR/uJv44jarUPz5Yx3Qe147Cd2X8VoMA1lMa+aT7P2AvqYPAmbipxeZHrdUB4w2tVQ51kPIAkOmvGaoC72fa3fGWoLuT9dqIrB9WcqP+pI3ip98jaeLMBzXOxPFtu8Le5Wk1lvbBqQ5D0qpqMHmft9Ys56ZT4J/NwR+5kz0HbagPZ4vZ5jqFtb73OWPloNFyqGopaaA2Vie72T/k8SeMHS2y4M8HRpqGEuuxvKlRrxlHUDSYD0czPXaW/nYsgne2O2eYO7XL+P8RZ5Vfmr1i7VX+r7V7NYa/Y34J4Ony/TKPd3Jd7oWjuPytYUF6uh3sbSQ7f0qUhjbLr6gJ7Ks2eLX9M8X7i78UZlGM3ZKqD9WjHaufZCdR2xD229v7ZEnLI80vZlPAfYtfVd8HSQV+n9WDyKrD7ipx+p74NjHxkMaZwOZN6cbZ7e7NBRmNCN8cULvMSt/f5b2fzHr6fz7//5jOupr47Y5wpZf2g41QMHmmeLeM3k0vl3IPM23q/tgfbqiFo21Ps7a0Zn4v3WZJuRtIEtujgaXPqdrTOgs3x/N/Tpc+lJpvx+G8N8U97ZLQfDgA4L+4S2UHmAdiguPy9W/NhutmU7UDH0+2tHxE1G09I4ONA41e9kNLGkfpHwC+3W1BWeDaq4t6XY0awnIIMWSpp8ZmTTnvWPgylz9NsUDkZ7ic38Hd4Z9HhWoAS4mjy2tbnQ/WmyGd29GSJE3l023chmAc6/44duNvGWe+pfO9ASuyx6j5Yh42VL3cIAO+N19AB9jfqycn8TyoMev/T30TLbPOkcngw31CaN0hvQx5y5KIul5Kk7R5cTS1dOcRgKv2wqGLZG6bLZIVCkm93CGwrdALa0db5xwUjwsS8J7vtJdCzqZ2suSNHTrPdLXlh6vt2iSUmL8GoDm0pmGT1OEnH6gc0D01BZ8YfZypMHCkfbYUOUt3Zr6j3Ner9KfWVLi9q8Kf+d4il1FcWaFlV9emjfN7SFZ7oDLbV9LWONzkBZQx/vHIE2O+rWMdSdY0yjqpxiY3tzxvOmqFX+Pjzvqch9KYrpyzQqBsoPfo15KBhOGKBPp79A/Og3W+/8rCpJ2U+PGzD0I4wI+nQDasU99uPd/w0AAP//MsisoisxAAA=')
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
