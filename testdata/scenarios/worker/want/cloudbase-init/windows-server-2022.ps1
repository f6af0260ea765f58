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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kU9fSTNSb3RI8vMeeYvj1rlESEKCoqIN25Z0FREbQoGChUMtPz2e+qAgVNck6fNXNXr7QC+7323vXbhf8fjCwHATsFvgVdjyDL8e9BlJAYBASiGxDTIIyBRQF1EXjxopiCF8vDSYRqF5ePURREXUi9gEwi9IIiRCACX0BlRoOwcnE5iYJVhOL47KGHEaE4FQJCPZKgysVlTC3Knwn33ziT5T9Y1PpWGFW5uAwTG3swp4oS8g3iJKYoqlqhV7m4xMEKfAGfMlnf7CCgMY2ssIaD1aeLyyghBEWMOQx2KIpdhHEN7RGoKsEkCl48zL8SiVAUWZB6WwSq44SGCe0HkW9RMEd7CqqPewQT7nCAPZiCXhpacQyqfSbgQ+uZubUwboDKxWXAhTJLwH8riyH4618/ZjvxAjT/+pcGi4NrxTxYMbUiyqOHQnbtMdujJKTIqVxcwsBhVI2Li5eE8DUCQkC2KKL9KPCrPStGd7fMqauvMY08snq+ZFfX4B8XAADwlV3UHgkMHPbs/n4x7/9aExGdceKrr7mw5/t7Ji8Tlz/LBF1ffC/p1iOPouowWH2gThrXWAyf7++7YYiI08WYG8fW9QZwWvAT+PpItl4UEB8RpllBu6FH0KmmSRRQBClfkkLZxKLuQdmlBTH4AhS0q47tNYIUzBBMIo+mtS6EKI5ZakYB5hYdHh05azNEDzcfUAwjL6RBNHMczDLlqvJwP7nqfv7c737+/Hm2vD5+73WvKzegkmmoXJ+7PUP0RPkVN/mGq3zfwQcvQpAGUfpvenmU86ddHd/3upm7Y0mQyi4X17nb4x1B0Q144/1R+Z8KAXNqgi340QI7B6ngC9fCHj7f34uIHvUplo8yBZkxlyTBOCcvGyVEyKKoiHUhu3AiFy8Evu0RVCK5AZV/+TWCdpVT+0fBFp07oKDdDXjXnVKWPCCM6IndpYdM6lUmJyco65QDj1QnVkTjg86vz0xPROMbLmVGI2T5z5fZ50H5SxAhC7rg6jK0Igo8AjKew3MeOzulKGbB+72uwPivC55MTY03hqtMwg2o3+TCakNEVgcfv1+UOQQcxOjqvfbytuRvwFc7CPDz5QzBCNFjgI+uH1OGoF1eLXxdsgieRzhLhitGfH20g9F4L+Aq11EOTLkXcRUld4r1yCMKrkqaxiEiXA9rGbwjVq4zVUXuZEZnhpaD0XWcfy8UWSX8QSwyCzPJRxP/fFCOon88Kmc6TzOBYY9q77BxXn31CH2+FAIHHd2LEAwipwQWDohmHQfk09HyKglo2d/HvRfT+Cpnvz7Jf8q2py9lahVZJ3vY9Rvi7LMaoZDHuPL1f74RUP3XM+uWlY+oYUFuVV/r1c7zP+6+f6sdLxp33xn/1wg5FqTIeS4k8dVgUvLSAtUVBbf1zl3Zkzcqa7PEjvMCPmHOWI+M3wuLXzyEnfh06xECjBFfoLg2CxH0LOy9Iqc2jhwUIefB48+sKD0XU+s6zlWFY57KDcjAz/X7RAwHMRr2+QEJ2nuU5QIj4znxPhkOVoyC+VtQlBaXd5vj6mYJcQOu8uY3D6pyHBBQFQI/ZPgXVCUSJjQPRa7putzayi0mCNNC5qcc9hZQsHqSrczKKMn9YN5lfp1UhES2wQZVZxSFpY7AAnm237BLvsfbOICb58te4KTHqsme3B/QZybg5FGOQ4uKPjw4QlF28wgEwVUmA/wEKvegAn4CpV2NRmkpK/8CuC3gn6AfRI8WdA9p9Y+SuE+Xv33Kw5n9Dy0K3ZKUU9Lj7dOGcWJ0Luy0vVgRrc44zfvg4y8A+g6fLX52wM8QXB2Gj9xB9pkNAaUuOezO5o+GNBfGD4+gShCon/SX00CeUB+JqBsFO/CJDWoZOUDEQQ7YedTNUoOznzB/esfDQ7qcuVhG68Vue+yhbPHZiPMpS0jwt3wKuMhCXATtLccHGOcN3fV7ZrKFOzdVSXybgc0ftZ3V1rec68/58IbzxEQR0WrfgmXLLL/Yh7YWTvggVynygBGAKvo7qLhBTInlo8pJIhx4viqI1h5InIHaQRBTjmeva/NgyAZciWytyLMIvSq3mTMVYeRtLYqkyfb2VEsUJHweZw4oiKr8stp1HNbN+pbv4RQwLlB9QDH1iHU4AvD2oFKv8X8/1yvgn2AWRPRQrNVJFIQooingAkeIRh5kNIhtDUeqPj9laBTWWJnewh5pkpvyvk18hn+xIJKIg/a5N7Wzu3+s9hDqg/7aUe1ZRDlQyMjLUSzVYz7SV2KQRd+LAePZkGBHPpW3gQI+z4MT8PzhON5jYPkq1379Jv0egh3BgeUUKbiI8DttP7/s4lUQedT1S/cevBWK6dtxgHBPCPjbVWUwn09+m6hjY8nAB7uaFZfKOP9+ApnOJvkZoqUbGstdG6NMyc05sfi7xJVRHu2THfZ38P1lEHJgAr4wX6ov8Ww1ZIZXqzF1UBTx79mNCNEoZV/bpeuqg7DF7zb53YBhB47cWbCvD5tCEmUnTgd1P9r88zxi/H+io+cjPE0sBuWveCvyMBpYsQuqQ4+iyMJ8N+KBqR4XHhQ5cF1j1IWZuTRm4FlSfDCksinpvXJwODMIXsDOtSjYWTF4QRS6yGGVkespO/LHI88M0aoYBUn4fq89likPxDCAFubUoMrrMe+JpfNMcH5KeYr3SxPS+8Le2VeZ5i6EQUKyXv2hoaUO3XV8j3gMmNAgOu3RnOhLyaFFjCLwT6C7KEIFPrr8rTaTHmoab2ZV7G0QqMyqjWq72mxU/6vartcr4Pt1rWTzUfqbAE+sON4FkXNq+kk3yQgK0IhgEjEzC2jMz5NQ1tZANf88coJqN55gyyPZcWs/iCA6BubU1R9fulLYZh+LOJqQW33kiRBNInLSS86W/4+FgePSoy2KHvehF6G4ICvffRN21SJO4L8f/HLe/AfC89bVw8lOaZZjt74+g+ZtPk5z8z44aRSiNKTBKrJCN62piphdz1C09SCaRMHWc1BUllPa07jqHHyVsi/36apidRv/j40NH++auYjrN6cjI8QQ24d5zMv5pCTzAn9Tk/FpUWZkX962mZn0cKi7VrPavr2tvKm505GHWVkIyOwFWYs7qMm9OGk4xdzzdeTBKIiDF1qbMEQ44688hMD3LeLEtYw3O9N43EPE96TnD6alA2ixgJ+pDF5yI94bILpxjCJa/YMmh8j2XhiPJov5o6p0R9nGd0L2PohidkALY+SANzJ+x5qHwLc8UtiTXR8bFQz8MKH8DRFbOsHzJRJTi0AEqgK24piHQPdIq/mbkNPO0pgi/wwGHgTVJlZExy+nagqPKmceMd5ydC3gcM7PIEb8xZLuESfYxd8cZCerbwqiM0QT/l6ocg7wM52gahGnZM/hLt+9P7Dq6tysskl8Qj8Td10E/IfPz/nkdH3x5i0GyJ78uKDsZOT6osjUwysxFoa3J3fFQGlFFDmfjlv62QlA4+L7xdsz3zfcx6PO0vnKwQI2W6HQilDleERxMnHm7wOLQbMCxX661OuB3lLq0MeJ2ahvFmK/bgmbJ/lRS6HfSae6Urf0TrIYyNj0tdTU22tz1u1IgjN3xM5O3gWbxUDemi0Zw5Yyhb7mm4aMbV/B0kN9JTeU0Ba1xBH37WmzkzgiThx9QQSsYEdojOym4joi3tpel85FXDcN2bX7PdcRVyu5ProzBPgki05sN2XXfghHU01ZqJora4/KRH1crCaz7k7wlis543kyDTd0hO5m/tifa4/acqapD/O62hdWX75UrsH308i9eBhVQCUOEayRwDkP3cfvhr9tEpt91lLLx5UipCiVXShi3TTkVxY2aR14VkvzTL2/sWftaDwYJZb+69ZZ9z3TUF1FkGLJp6HtT72xJz/ZTZywMJk+Jo4h56FhNGoIm8rW8bUUzaQ7lMqe3ezUYUtNl0ZvYTcptj1+v374zngsvR0rXpsiogWOv98hvREpxN2OmtpO8nbe0uiFi6aWMrmq3t5AsRPahNuyMfXGduhrt0u9sbPFxZ2yntZHKbNFcaeM59F1YdPFMJXu9FR+tcTHVJkv78ai5plz2FR0c7301fXo1d2M1sraXEv7kfjYGIujVFlPG6P56lV5eLwdrdX16KGPFX35qqx73uhherucL1vj+XKnrKVb5XWaLlPZeTHqseS3t6aozUzdCTPf1dBu3npjEnvLlhwump211dTqLO426YVQXNwN01+3w/R2C0W8M2edtd1s15c6TkxD3gx1ZWsT1bX0Nob+1BsKMn/mDEbeGNNfJJ9iFm+piENit2QybKrYFPF6aajYZGtITNceaJjpXfr9+rK5YrKw6Zt42eLxHNsNZW2J2sbR91gi9RilcmQaG/YssZsqHvpK7BhK3TSkBAmNIlf0dmj7uG7p/dgywkwfKzNfWzuCdCdt2ttFUwlMXW3Y4sJ70VicaGPpa7FpqH00UNPlop+arYNPbdfWF4Vefe8yWpie+mH7nY05a0eOLmPot7Ejaq9DH2+Hrd7Wbu46ZlNLeLkKcsdga0NYCSqBaYz4epgiTk1dqdstuc3kTV9DaPR7qd100qXeeFwaqmv093SpKwGL/1JXqdHf75aGyuL0KpFG5z9dtiHDKSjm5YsRhQF58VZJxA+T6vV6/ScfRSv0TlXTpeFO7ab6Kq2DpjKoP721KiEePViVq6wxPRFBFMXMxpNjTlD55Zfk50VTqw81BUNihsvmYjVc8MVZZU1jjx2hSxct1YVEbcC+2obiYjU1tLrdbLDmsK78iBXU89EsJZDZwGBtjoVzvF7ZtZqMosJGIyuiSThPQwS6CQ18i3rw8+Ec8gOuP2nAO0FwXkepI9YT03CxJPAK9S0druS0Q5d6u7HU9ztT11JbxK/OQ5g4g+6+1Jni0WB1K4ntOnyQmAzXNnqxOdvt0MOKSELnFbFNi8hbWzfjpe68jv2GaxPNtYXu1jF6G1bFP+RHEC9Cx8pX871IJlYSo2h7FsoHL7ZsjJzP2bb/MROfPf8ThiRxEG/hnzLjyPKuEevAI+cl985KyqIc2h6HBw9jvI8YPFgaMnH0BraJ+sogwVRYEcvvhLYHY0mAlPdg3wzNlF1zvin0OwT6faqK/fpSO+sRIu9trinWE6T3qS3AUPDUFu8bAtPdSOzWdPX06DCIMTcNuWnpCpaExnipN7AkHnrjdDVcnMIcqf8uXGHyfVvsE5gefWsuDRnaIvaMozwVFnt9I6dvY5ssieCpvI/aolbnsCiViCTEqzxekSQ4sCj5NkbiwpOEOnWaODHFTgumjdfCjzpd5hhhshjdGQPThXgfW7pcyOjvD1WUx6jL4owhmVLWl3+Hb2c1Nys57UaC111JQpcMZ40S1ujSjDZfs9cGiwV2RCWTYciJaagYNvbv8HDfuF3Mhx+Uc4zb0Ge0RSxZLrBYZu1xShkMXTa1V5h2qerj2NQyGCl5qmfp7dLaHOLb6EHfadi6ljiP+xC2pitZZPukRk29XWdy5n5nbBqOYentjd2Cq6HWc2FLWVgDuSF4auLo+5ivZyknZ2I/McU9FogTWGyvF1bU9jt1SSjsHm5cF9a1W4vjh80K7QIW68KX5h6bRnfFtga+1oPRajTNaCx9uXoSjvnOOuRG6lN5nrZFps+YB3eq4TJ89PokHPJ2E0qD+Inx538bR9RuHVYvZ7wL5sdjP7b7KkaDaSCLWdd8mrUX0Mf0SdiU5PRC0+sG8oDTroZ6g2MASXDQrKEJ6mLf1/qdobaQ+9OFqhj1/kxtjDqSt0qevI0nC/DcLv4ni+2GLe5Wk1lvbBqQZhgVs9GDzv0+NWe9op6ExtwR+6kz0HbagGG8Xs8x1K2t9+uWPloNFyqGopaYA2Vie70T/CcJDcHS2y4keLo01CCT3Q3kUo94SrtEEiD73Mx1hu1cDBvx3pht3thdrN/H9uZ1Vfor9y7VX+r7VzNfa/43qD8dPl+mYRbvUr6xtXYela0pLlZDvY2lh24RU5Hl2HT1AT2TZ88WvyZZvdTvxhuV22jOVoThtXy0c+2F6jpiH9p6f22JOOF1pO2LfCbYtfUdeTrIK2E/no8i74/46Uf6++CII8mQ5elAbpizzdObHToMYrYxvnjEi93K779rzX7Sejr//p/PuJ766oj9ei7rDx1neuBA82wRr7lcNv8O5IaN92t7oL06opYO9f7OmrGZeL81+WYkbWCLLY4Gl35n6wzYLN/fDX32XHqSGb/fxjDblHd2y8GQsGFhHzMIlSVoh9nlZ82qMbabbdkmKoZ+f+2IuMlpWlodDrS66ndSVlhSPy/4hXZr6kqDD6q4t2W2o1lPQAZrlKz4zNBmmPWPkyl19NsEDkZ7ic/8nYYz6DV4gxLgavLY1uZC96fJZnT3ZogQG+6y6YY2T/DGO3HophNvuWfxtYkW20XTe7QMGS9b6hYS7IzX4QP0NRbL0v1NIA96jaW/D5fp5kmv48lww3zSGL0BfVw3F0WzlDx15+hybOnKqR2G0lg2FQxbo2TZ7FAoss1u4Q2FLoEtbZ1tXDAUfOxLgvt+ER2b+tmaC1L4NOv9kjWWnm+3WFGyJrzawKaSWkavLok4+cDngWmovPnDdOXJA6XO4LAhylu7NfWeZr1fpb6yZU1t3pT/zuwpdOXNmjVVfXqA7xsG4bluoiW2r6Uc6AyUNfTxzhEY2FG3jqHuHGMaluXkG9ubM543Ta309+F5T0nuS95MX6ZhPlB+8BvLQ8NwAoI+nf6u8KNfYr3zY6k44T8orsHADzGi6NMNqOT3+E9y/zcAAP//TiuZ1wExAAA=')
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
