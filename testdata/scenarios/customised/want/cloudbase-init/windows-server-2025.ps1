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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e3eiyL7o//kUdftmbZM70fERM2P69l5biRKIYkQFJJ0zC4qKoAXFhkIle3p/9rOqQMVHuqfX2WdmdZSq37t+z8L/CwaWg4CdAt+Crhcgy/HvQZQEMSABRDcgpiSMgUUBdRF486KYgjfLw0mEKheX3SgiURtSjwTPEXpDEQogAl9AaUxJWLq4fI7IPEJxfLTpYRRQnAokoF6QoNLFZUwtyveE+68cyfIfLGp93QtVurgMExt7MIeKkuArxElMUVS2Qq90cYnJHHwBnzJaX21CaEwjK6xgMv90cRklQYAihhySNYpiF2FcQRsEygp5jsibh/nXQAooiixIvRUC5WFCw4T2SORbFEzQhoJyd4NgwhUm2IMp6KShFceg3GMEPpSeiVsJ4xooXVwSTpRJAv6/Mu2Dv//9Y7QDLUD973+rMTu4VsyNFVMrotx6KGTPHpM9SkKKnNLFJSQOg6pdXLwlAT8jIJBghSLai4hf7lgxurtlSl29xDTygvnrJXu6Bv+6AACAF/ZQ6QaQOGzv/n466f1eEREdc+Crl5zY6/09o5eRy/cyQtcX3wq89cijqNwn8w/YScMKs+Hr/X07DFHgtDHmwrFzvQEcFvwCXrrByotI4KOAcVbQuu8F6JCTgtbl58hbWRQxint+zxZ1z/B7QBhRdJVt881LC2LwhRMa2gsEKRgjmEQeTSttCFEcM9eNCOYUtls7zMoY0e3iA4ph5IWURGPHwcyTrkoP989X7c+fe+3Pnz+PZ9e77532dekGlDIOpVySyJu7NAZfwMv3REhjinyVg77e33NTc/SCBrm+Yxohy8+UvdlZYUAcZgkhQhZFClrfbBnvQcauFTEYhQToBtxWW3f7vWHIDB/vdpkVDs/kOSIUQVp+8CIEKYnS86fylw2/o/PT1h/ed9rZCQwlQSqewv45P4nhOkDRDTg4EKbyjvnr/f0Y0QPJtpY9NQF3S2zBDxzy0tlSZYctDSts8/X+XkR0x0+x/EM/DRKMc/CiUNk57m29p71XIicvEN/2AlQAuQGlf/uVAK1Lh/IPyAodK8Bd5efjq7DJqF5ldHKAIk+ZeEH52YpovOX58sr4RFvPzNz59TL73DJ/IxGyoAuuLkMrosALQIaz3ee2s1OKeGB9L5Ex/Os9TsamwgPsKqNwA6o3ObFKHwXzrY7fLooYAiYxujqXEU9T1A14sQnBr5djBCNEdwbeqb5zmQCt82jh55JZkG95b+Aqxy8qvbdnbhFwdZQtOdGiBgjH6PsUCqeZOd4Vp1EksvedTOhM0KIx2o7zPzNFFgk/sAUoW4FTdL/uxotpnPvmgXtkyn0B/yhWugk5cI8CIRVZrGR1mB9syV2DX3I6BVN8cDJ7Z8gkB5c0SlARnf0XIZpEQYHa949jGKJgm5BKWVktHZVl1qmVO9s24+rFC+jrpUActLNshCCJnEJrte3/FjEJPu10KgeEnrNshn5oW8qK+Rdwar5dxb8+Ac4+yxEK+fGWXv7rawDK/35libr0ETTcg1vl92q59fqvu29fK7uH2t03hv8SIceCFDmve0r8nBiVPKpBeU552StqcsKyMk7sOM8dB8gZ6g7x217iNw9hJz6segLBGPEDiivjEEHPwt47cirDyEERch48vmdF6TGZSttxrkq8QyzdgKxVvD4PxLpGBsM+PwBBG48yX2Bg3CfOg2EyZxBM3z1E4XC5b+9ON3OIG3CVh9WElOWYBKAsED9k0wIoS0GY0NwUOaeDdFLMOCRM9zQ/5UPCvnEuH3jrTRZWGS2mXabXQURIwYosUXlMUVhIRsyQR6WOPfL2wsYELl8vO8RJd1GT7dxve/WMwMFW3rXv89R2Y9e47/NCn8zBVUYD/AJK96CUpZZtsaFRWvDKvwEuC/gT9EjUtaC7dat/Fch9uvzjU27O7C+0KHRPMtIWdLd8mDAOhM6JHaYXK6LlMYc53/f8DUDf4ZPYrw74FYKr7aiWK8g+s5Hpep8/++3xpGtIE2H40AXlAIHqQX45NOQB9A6IuhFZg09srM3AAQoc5IC1R93MNTj6AfKnMxpu3eVIxeJsU8jt2xzKDp8NhJ/yPP+PfGa6yEy8N9opxgft1Qnc9Tkx2cEdi6okvs363L8qO4utrznWz+lwgnkgoohouWfBomSWv69DKwsnfOwt7f2AAYAy+icouSSmgeWj0oEjbHFeFEQrD3xCERF9JDHlrfR1ZUL6ZI0iKVhZkWcF9Or6uFTvWYRZlyQ9r24PuUQk4bcXTAEFUZU/ltuOw7JZz/I9nAKGBcoPKKZeYG0vTLwNKFUr/P9fqyXw50FdGZOIbgO3/ByREEU0BZz4ANHIg+BPMEasTOygevx+praXzMpk2MsmPedinZeP3368WRBJgYM2uWaVo9Ufs92afcu/smN7ZF3eNGTgRYsWYjO/DCnFIDsJLwYMZxmQdfCpWBI+btI+usjIe7WM+/WJKz6QdYCJ5ezdcRrh0xJwtj99vWzjOYk86vqFtQdvjmJ6OqQEXLEA/OOq9DiZPP/xrA6NGetL2NN4/6gM8+8H3dTRlcgY0cKCxtzaxihjcnMMLH4XuDTIjX9QfH9+6jg/Y+xmogJpkl0k8La7VH6Lx/M+U7xcjqmDooh/53+4PWp3jd9v+WPK/t5V+Xefb93eVqulm50IpXI5QjTicM2MJH8uOwhbfLXOVwlrZAI+jU4jfL2tUEmUXRZuBfyrlSh3ZIb/E+Ulv8qgicVGmiueFz2MHq3YBeW+R1Fk4WxGYEdR3rka2HvddYVB78XMqTEBj9zwg2F9NwUexaPDkQF5A2vXomBtxeANUegih4VmzufTT41+Y0TLYkSS8Hzi3+UJbog+gRbm0KDME0KeoAtX0eD4gvlw+ChMiueJnSnyjHMbQpIEWeH4UNBCuWg7vhd4rEuiJDosGBzoS0GhaYwi8CfQXRShfbN2+UdlLD1UNJ5Ny9hbIlAal2vlZrleK/+/crNaLYFv15WCzDvqJwZ+tuJ4TSLnUPSDdJYB7DtYBJOIibnv0/m9GsryKijnnztMUG7Hz9jyguymvEciiHaGOVT1rx9dwWzjj0nsRMil/nhgPjn+HxMDu6NHKxR1N6EXoXgPVlw9MbtqBQ7xzxu/6Df/AfOcqrq94SoMlmzp5RXUb/PZnov3wY2rEKUhJfPICt20oipi9jxG0cqD6DkiK89BUZFOoahy1nknWPC+XKerktWu/R82w3xctnMS1ye3RAPE2scP/ZiH80FI5gF+EpPxYVBmYF9O08xYetjGXaNebt7elk5i7nD+YlLuCWTygizFbdnkWhwknP0Q9jLwYERi8kYrz6w9HfO3VQLxfStw4kqGm12wdDcQ8Zr0+sHotu2aLOBnLMlbLsS5aaYdxyii5R8kORSs7oXh4Hk66apKe5AVvgOw810ckwNaGCMHnND4jjQPxLe8YC9P9rxLVJD4YUL5yz12dILnS0FMrQAiUBawFcfcBLoXNOp/CDls9sbkqA/dEqo8WxEdvh2y2WtUOtKI4RatawGHY34GMeLvBHUvcMg6/uogO5l/VRAdI5rwV3ql42kj45ldU+7l2a7y6v2BVFfHYhVF4tcFR+Su9wb/y+8R+Bh3fXHyNgdkO3+dUHZNc32x99Tt20xmhtNrxP10a0UUOZ92Jf3oOqJ28e3i9D76BHvXexYue7YSsEEPhVaESrv7koPxN3+Vu596S1DspTO9SvSGUoU+TsxadTkVe1VLWD7JXS2Ffisd6UrV0lvJ9FHGpq+lpt5cmON2SxKciSO21vKaLKeP8spsyBg2lBH0Nd80ZGz7CpYeqnO5poS2qCWOuGmO6q3EEXHi6NNAwAp2hNrAriuuI+KV7bXpRMRV05Bdu9dxHXE+l6uDO0OAT7LoxHZddu2HcDDSlKmqubLWVZ7V7nT+PG6vBW82lzOcJ9NwQ0doLyfd3kTrarOxpj5MqmpPmH/5UroG3w4tl8QoKoFSHCJYyV2wwtbil+orM+OllVXQPEQLrRQokTAufT5TLHdIn89X/i3Jci/BOCM1DFHWbX0uVIo95HH6/1kttu8oTn6mEMfuV+uA9h9WQl0See/I+WOJ0rhU8JaGQvq6thwsprXBZDkfTXud0XTwPglCd/Tei/WlKg+mzak60Tpsbzwlt+qkYw563bW+6BiD3nytTzrWQOyuZ4vOYiCO1uak4w9EuLYeOuFAJGsr7aygqKUzQ13BZQcjsUehuMEPI3Lm9N48jI71ZmtbvQtBwDRffvUJdSp0Q0vg8s3CMVdrNO4kdl3FktjypUeVmOPOwn7U3h1RSyVRxbb+e/Jj9gFx0BmWH/w8YpnY7LOSWj4uWBilsgtFrJuG/M5iTloQz2ponqn3lva4GQ0fB4ml/75yFj3PNFRXEaRY8mlo+yNv6MlPdh0nLMZMHweOIedxxWDUENaVleNrKRpLdyiVPbveqsKGms6MztSuU2x7fL26/S4FnQbSa/WZ16Qo0Ijjb9ZIr0VK4K4GdW0teWtvZnTCaV1LGV1Vby6h2ArtgMuyNPXaqu9rtzO9trbF6Z2yGFUHKZNFcUcMp+u6sO5imEp3eiq/W2I3VSazu6GoeeYE1hXdXMx8dTF4d5eDhbIwF9JmIHZrQ3GQKotRbTCZvysP3dvBQl0MHnpY0WfvyqLjDR5Gt7PJrDGczNbKQrpV3kfpLJWdN6MaS35zZYra2NSdMNNdDe36rTcMYm/WkMNpvbWw6lqV2d0OOiEUp3f99PdVP71dQRGvzXFrYdeb1ZmOE9OQl31dWdmB6lp6E0N/5PUFme85jwNviOlvkk8xs3fGd5rM6psabKgYes3bvh7fwrQZ2mmrZvs4sQw1nOmbEPnaktnW1E3f1BUuy8RvTWZ1F5uPWmyO5ZYxXud+scFOV7t1HmV3ZMgBt2Uj9my/R809X2qLPQb7zug6fi929Ck7I+72fZ/WZr6W2r5WNY3Mv6DYWtkPtcDkevViKagx+z2dyZ+BR48jkDl3FCCKYhYQB9fMoPTbb8mv07pW7WsKhoEZzurTeX/adG19Ot+pJLTptKG6MFBrsKc2oTidjwytatdrzKUXpb8iBYmnoWPlQrA8nPf/eRYurROLpchVic2DVkSTcJKGCDx4sWVj5HzOCvTHSHxK/E8IksQkXsGfEmOHclYIm5ATIdjatg3Pk+PJxTooVavVWik7I60hh444pZOGVoWPWlUS5ZXdULHZ/vLlxP5hdJKGwwid51d0BPUDR5jxPqEX2qzfOMdwQbzgOPOeoS+Lcmh7vFd5GOJNxHqVmSEHjl7DdqC+s/5kJMwDy2+FtgdjSYCUx7RvhmbKnjneCPqtAPo9qoq96kzb0JmuEBbzM12lhsjjxzXFaoL0HrUFGAqeuoC+5jqi9p7lR5z3TLXEbozmT12H9T4T05Drlq5gSagNZ3oNSxmt2DRG8/70sP+Semf7KMbLhb5Ts3UtcR4V0dI3Wd/FeqdH04V4E1u6DHfB1dtEji5z2fu6Gc90573va4njsT5rz/953A4kD86f0vZy5uNEEuK5XMtwbVGrstxujqV5f1xrWHpzaTec975ROMtxjeVK39Jha/QeQsfvpYa4CWd4T8MQt7ZuNmd6LZbTdiR4kOOahlzt62oIFzV2BvWZIUNbxJ6xk1GFUKShJFTpzG+tnEfWw/bWfZ3vH/A2DXWR4+V5ToFncJjeCfM9k+m9JgGjndktl/Ody4IdUcnsaciJaagYHtiFwc4CwVN3dmbnkSW0EWW98qyuvcO0TVUfx6aW9bqSp3qW3oSFeo+ROPUkodbZnW93E8LGaC6LvdRsaNTUm1VGZ+K3hqbhGNk5wHlf67iwoUytR7kmeGri6JuY+0TBV8diLzHFDRYCh3CfEebU9ltVSdjL3V+6Lqxqt5ahYlNYztE6nDhiL2W+a4sahixR17mtlzBtbwQf+5IwX84aMp5xuxT8Qe8lptCxx9Pfk0zv6t1wyWgrVZjOD+KS74+XofQYP8mPKkaPzB+PcDGXsWOLm6lpuNUn4TQOnsbNKfQxfRKWT5Y+mz8JapXBSkKNzgx1YQntwFhSbbTUBqqmvo1rmqBOe92J1upMl87keSyRvkdCyRsFT+PObyyu7XqNzvTmsmBPHi9PaTuQhCxeJnqvyuo1rMUbY0SWdqDFttBuSd0mdtIfxL2mVGeGXHWMzhQZHSx1ezVHbDF5wxnzGVFbm6zXqrYSSTzoP+b9qRzafi9F3KfcjLawl1nAGe3vFt82OXt+z+P20vR7MaxPn95GYUsIqlubFvyF+8oDb6eFWmKO22tuN5+tjw78T2VzWldh/Qmjd+QXKo8lczwPWPzm86VrT1XXEXvQ1nsLS8QJjxOtkM8C7Nr6Onhi7fpJkSLxSVlkaz8uU7xfmXJTYztgZt6EbDqY6ZvRzFCJ1B3cGSKFvIz42rIfqLesh9GyVmu+Xf9IpDc2f7ml77+4zn5NfTi//6/P6J767oi9ak7rh7WQ8YGPmmeLeLGvQXLNxpvdSNXXe2trzGrNZmWmjK60hA12rtphTvbZvvQkM3y/iWFWx9d2w8EwUIipb+KsBvH8x+TyszxWG9r1pswOC/q9hSPiOofJGxnVb6W23qtKvSyv9KfarakrNT4r4c6KyY7GHQEZLIcO5v2pGdqsAf2xH6aOfpvAx8FG4ncWrZrz2Kk5LO4FOH/uNrWJ0P7leTm4M3qd1K476UyvdWeG6hpizZ3VXeYkrinWztihnT57sw2z7y6X9Kg8SZtdy5DxrKGuYICd4SJ8yPuOwvqSyI+d2szfhLN0+aRX8XN/yXTSGLwBfVw1p73YzuxBJE9dO7ocW/pRjTSU2qyuYNgYsBrJp3JHnHp9oR3AhrbIahoMsxrgZvEs4pTNMHZDbhoTcsdiHjbU96fjMxekMMuv7bkkdHyb5R9dIayWwLqSWkanKok4+UDnR9NQeb6H6dyTH1mOU7HBG9aR9zTu/C71lBWrvZO6/E8mz55X9k/2OgtbHyWm4WJJaC0lobXgvAMtYT0o730elQX08doR2pEkqCvHUNeOMQqLdPJ8eHJH1debWHpo83q2hd3++/C+qkD3bUTyz7CV3WOd/Jrs8L7QIQH6dPii+qOftZ355Vmc8B+GVyDxQ4wo+nQDSvka/2n1fwcAAP//fr38K3wzAAA=')
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
