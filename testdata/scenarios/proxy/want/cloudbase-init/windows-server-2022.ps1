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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R6e3PiSLLv//4Uun0di33HMBIYT+O5vbEgkJAMAgTo1e0zIZXKSFB6rFQC5N3ez36iSgIEtmd6YvfEiQ43SMrHL7Oy8lHi/zJj24WMkzOBDTw/hLYbPDJJFqZMFAJ4x6Q4ilPGxgz2IPPiJylmXmwfZQlsXF0PkiRKugD7UThN4AtMYAgg84WpzXEU166up0m0SmCaXjz0EQwxyvkoxH6YwdrVdYptTJ/xj98okx30bWx/O4GqXV3HmYN8UFIlWfgNoCzFMKnbsV+7ukbRivnCfCpkfXOiCKc4seMGilafrq6TLAxhQpjjaAeT1IMINeAeMnUlmibRi4/o11AKMUxsgP0tZOqTDMcZFqIksDGzgHvM1Ad7CDJqcIR8kDO9PLbTlKkLRMCH6AncRpxyTO3qOqJCCRLm/yvLEfPXv37MdmYF0/zrXzjiB89OqbNSbCeYeg/G5Non2JMsxtCtXV2DyCVU3NXVSxbSNWL4KNzCBAtJFNR7dgof7olRN19TnPjh6vmaXN0y/7hiGIb5Si4agxBELnn2+LhcCJ8bIsRzSnzztRT2/PhI5BXiymeFoNur7xXdeuJjWB9Fqw/USZMG8eHz42M3jmHodhGi4Mi63jGUlvmJ+ToIt34ShQEMiWYF7kZ+CM81TZMIQ4DpkpyUTW3sHZRd2wAxXxgF7uoTZw0BZuYQZImP80YXAJimJDSTCFFEh0dHzsYc4sPNPkxB4sc4Suaui0ik3NT6j9Ob7q+/Ct1ff/11bt4ev/e6t7U7plZoqN1emj2H+Ez5DYV8R1W+b2DfTyDAUZL/m1Ye5fxpUyePvW5h7kTiparJp+vS7MkuhMkd88b6o/I/5QJi1BTZ4KMFdg9SmS9UC3n4/PgoQnzUp9gBLBQUYK7DDKGSvAqKT6CN4cnXJ9knI0rxfBQ4fggrJHdM7V9BI4S72jn+cbSFlwYocHfHvGtOJUr6EEF8hrvykEi9KeSUBFWdcuSH9amd4PSg8+sz0ZPg9I5KmeME2sHzdfF5UP4SJdAGHnNzHdsJZvyQKXgOz6nvnBzDlDjv97IC4b898RRqGjQx3BQS7hj2rhTWGMFwdbDx+1WVg0dRCm/eSy9vt/wd89WJIvR8PYcggfjo4KPpx5AJ4a7cLXRdCg9eergIhhtCfHvEQWj8F+am1FF1TDUXURUVc07rUXqUualomsQwpHpIyqAZsXZbqDrFTgG6AFp1Rtd1/z1XFDvhD3xRICwkHyH+eaccRf+4Vy50nkcC6T3qvUPhvPnqh/j5mo9ceDQvgSBK3EqzcOho1mkUfjoir4cRrto72PspTm9K9tuz+MekPH2pUqvQPqtht2+Ii896AmPq49rX//oWMvV/PZNsWfuIGpzI7forW+88/+Ph+7fG8YJ7+E74vybQtQGG7vNJEl0NIqXcWkx9hZl7tvNQteSNysY8c9JyA58xF6xHxu8nxC8+RG56Xnr4CCFIFyhtzGMIfBv5r9BtTBIXJtDt+/SZneSXYhpd172p0Z6ndscUzc/t+0SkDyI05PMDErj3MYkFQkZj4n0yFK0IBbH3RFFZXJptjqtbBMQdc1Mmv0VUl9MoZOp8FMSk/2XqUhhnuHRFqem2mtqqKSaK85PMT2Xbe2oF62fRSlAmWWkHsa6w62xHSOE22sD6HMO4khGIIy/qDbmkNd5BEdg8X/ciNz/umuLJ46H7LAScPSr70NOOPjw4tqLk5rERZG4KGcxPTO2RqTE/MZWqhpO8EpV/YSgW5p+MECUDG3iHsPpHRdyn698+le4s/gc2Bl5Fyjnp8fZ5wjgDXQo7Ty92gutzSvN+8/EXBgQunS1+dpmfAXNzGD5KA8lnMQRUsuSoO18MDGnBT/oDph5Chj3LL+eOPKM+EmEviXbMJzKoFeQMDF3oMjsfe0VoUPYz5k/vWHgIlwsTq936qdoecyhZfDLifCoCkvlbOQVcFS4+Oe0txwc9zhu62/dgkoW7hKpkgUOazR/FTvbWt5Lrz9nwhvMMoghxXbBBFZkdnOrQ1kYZHeRqpzggBEwd/p2peVGKQzuAtbNAOPB8VSBu9MO0aGqHUYppP3vbWEQjMuBK4dZOfDvEN9U0c6EiTvytjaE03d6fa0mijM7jxAAFYpVe1ruuS7KZYAc+yhnCxdT7MMV+aB+OAPw9U2Mb9N/PbI35JzOPEnzYrPVpEsUwwTlDBY4hTnxAaCApDUcqgZ4ycCc0dqH3hEeallDex0Rn+BcbQCl04b60pnFx94/VHlx90N84qr3wKG0UCvKqFyv7sRzpaylTeN9PGcKzCaNd+KlaBk7t8yI6a54/HMd7pFm+KbXfvgm/frQLUWS7pxBcJuidtF9edtEqSnzsBZV7fX8FU/x2HAipJSHzt5vacLGY/jZVJ4ZJmg9yNT9dKpPy+1nLdDHJzyGu3NBI7DoIFkruLonF3yWujUtvn1XY3+nvr6OYNibMF2JL/SWdr0YEeL2eYhcmCf1O/6P2cA+tz/f0Mif/P7D0e0Af3d+zxWU9gTihz9uV67oLkU3vNundiHQZtMcny3J7KB9ZUpxNHYD9aJkoI47w/4ncXw77OLNJ039Dk5aP4NBOPaY+8jFMbETrFnVh/RgizClabhuE+gSzlEYAXoTPB+Msmafe2zguZWaiF2bn2ZjZ2SnzAjHwoEv2UKmnasgfD0dziOtiEmXx+1n5uKGpI0YRsBGlZup055bZs3LyyVyeZ55PBpVZ6n1h71RgorkLQJSFRVb/EGgll3fdwA990sLgKDnP5pToS8WgZQoT5p+M7sEEnjqp698ac6nf0GjaqyN/A5navM7V2/UmV/9/9TbL1pjvt40K5qP0Nw6e2mm6ixL3HPpZ3ikITu0lBFlCYJ6aaHryBIsEyNTLzyMnU++mU2T7YXEwK0QJgEfHnJv640tXcdv8YxFHCCXqI08CcZaEZ1nnYvn/WBhzXHq4hclgH/sJTE9k1btv3K7aoRsF7zu/Gjf/Afe8NfVwBlSZ+sitr89M874cvCm8D84k+SSPcbRK7NjLG6oiFtdzmGx9AKdJtPVdmFTlVKofVV22aZXoK226qdld7v+QAePj+lqKuH1zjjKGpLf7MI7pdj7bkuUGf7Mn0/NNWZB9eZtm5lL/sO9azXr7/r72Zs+dD0cE5UlAgZcpUtxBTWnFWcI5TUhfxz5IojR6wY0p6R3n9OUIHwWBHbppo+AtTj8GewBpTXr+YK46tDc2ExQqo5cSxHujRjdNYYLrf5DkYLh95Cfj6XIxUJXuuCh8Z2Tvt1sEB7ARgi7zRsbvoOlHge2HJzzF9TFRgSiIM0zfJZGl4/1AClNshwAydR7ZaUpdoPthq/kbX9LO8xTD4KJhPAhqTO0ET17O1Zwsql1YRHir3rUZl3L+yqSQvoLS/dCNduk3FzrZ6psC8RzijL5Bql2OAoVOpm6HbgXP4S6t3h+gurmEVYVEZ/kLcbcnh//wSTudsW6v3rzvYIonPy6oOEO5vTpF6uHlGXHD2zO+0+hpJxi6n44l/eKsgLv6fvX2dPgN9/FQtHISc0BApjAY2wmsHQ8zzmbT8s3haSStAVHITZ2N9JbCggBlFsdulqLA2vzmSR5oOQg6+UxXWFvvZMuhjKxAyy29vbbm3Y7EuwtX7OzkXbRZDuWt1ZIRaCkzEGiBZcjICRQk9dmVzCmxI2qZK+7bs2Ync0WUufoy5JGCXJ4bO03Fc0W0dfwuXoiItQzZc4Se54qrlcyOHwwePMmimzpN2XP68XimKUtV82RtoEzVwXI1nXd3vG+u5ILnyTK82OW7m8VAWGgDzZxran/BqgK/+vKldst8P/ccTrKUeC6NIWiUMdiIk2ifEyeenV8wtV9+yX7WWS1zA5Q7zTa29DZrLKKHZVNjVb3dtA156wQcckJVNw05NnU5tearcC6oy6XQmS03HVOfg1Ti3cgdqruJ/3kLhvIWDjeZZXieY/RSaxG9jhfSvZzvVjLLeWbTi51gGT7NYudChztZxwvLUAUntGIQdDJH1zJXsDwQIM8M9uiJdyVNUGdL7n9F92RxrjclS+2I3ha0Zul4IbVG62425u/3I769dobaqytq+SjYb82mkI76g135fDd6XYUjvhsudGFtiyiz5iDmfRWd6ea7HWnQjWTWW2pC72UpyFNd2HTsocqCfrQdtXq50/Lao0C7N3Vu54jLh/HrIJ/wFNu5nxbcD/qoPTW43nzBedZUL3DbYufV5Xf78RoU2NeDdBQoqWsorGVImSN21qa+S8eL0rZ1dzvhQcwH1hYEmmc2V6snXs1MnUOSiDJqU1PZOqHq2XobgWBGfWG3NN/S98jlQfw07/3C+92VxHc3dlNr023HeqPFgH0wBMVacqqw0PZ915DJ9mXpNhzKW0dQkCvsF5YhN21dQYDbhRKfrmSx7Tn68kniuytJRIHEe0vLUNiRVmzL0XIfk7Uy9f3MNNRI4tXEMjaxNEwLHvrXW1jGDM8NFTka8X0PgVBtSzw3tg0VgUBIi1RTYua5CbV5cL6/JJ5bQqOHpAHHOUM1XrbU3NbbocRzuqnvOWve3VhnsTkrMAzZp5dZnFmG+mrzbQTF5cptoozGA997tYzZqlzblXyIDUNBILQQWBfrPzU+iJk+ps/BK7cDQecezol8AQNxjybr8X68XoUS7/rQ6HmgNcaOiF7dPvu5XPufJs1KrPTTaqz88uS/3QvyLvpSu8xcLz6Ch8QVRu5l0v/49y/fNplDPhu5HaDaqRjAXPaAiHTLkF9JwpfWkV9EmbBx5u1kMhxntv55664F3zJUT+GlVApw7AQzf+LLT04TZSSyrACFriGXSZ3QqDFoKls30HI4lx5gLvtOs8OClpqbRm/pNDFyfHqfPXyXAnXnNK0HZ97GMNQiN9jvoM4lSuhtx01tJ/k73zR68bKp5USuqrc3QOzETkixbCyd21ZXTVnP2HFOsCjejPAMPA80PQRy6UHP5VdbHOTKwnyYiJpvLUBT0a21Gajr8au3Ga+VtbWW9mNxwE3Eca6sZ9x4sXpV+oP78Vpdj/sCUnTzVVn3/HF/dm8uzNZkYe6UtXSvvM5yM5fdF4NNpaC9tURtbuluXNiuxk7z3p+EqW+25HjZ7KztpsYSvzthLwbi8mGUf96O8vstENHOmnfWTrPNmjrKLEPejPSzrOCPeJk+c4djf4LwL1KAEfF3oXeZmc09B1oqAn77fqSn9yBvx07e4ZwAZbahxqa+j2GgbYhvLd0KLF2hWBZBZ2E2PWQNtdSayx3D4DrvF9Ms9N/UUhJsSQgxTD8oqKR4jjS68WKzuVyNljT5rE4JrouXLdUDocoBQW0DcbmaGRrrNDkSYuvaj6CI0mXs2iUIMteVw2A5sNZ2mZ2lMNnWmDo9nM/iRR5Dpu+ntoOg+2vRrX3MRI8M/hNAsjRKt+BPwTiy/DCIY3+jwrR4FXEuEUQhtv0QJu5HUteRH14mn3fWVhbl2PFpr9ifoH1CekXTkENXp03EKylUM34V2kEndnxSiAGmYR1YsZXTwkz4ZiDohCAQsCoKrKntsakrEQl7U1exIWLODDTPEtkM6gJ2eNoctExDXdukKeC5zGnNVk8Dl/Sbx2J3LDgFf0oKwmh53vNKwru9K5EfOKIQgvxoW9M0ZOCIyDeO8lRwSp9cSd9GTmiGvK8mri4jR9RYWqxzqSy81F+JxLvgFP+0ePkSz2JSwCyx0wI593qyg8VmmXany/GDMbQ8gPaprcsnGcKepI7A1kHpoy7xMwLhDFsiyn+Hb2c3Nys57yZlgxGO5lwlfXdxQVuu2StHfIFcUSlkGDIpwAhw+3d4qG0UF7HhB+Uc/TYKCO3JlyQWiC+LXDHDZCYxm9oryLtYDVBqlc2L5Ku+rbcra3PwL9cDgcvRZnKwj0FrtpJFIbdaGm1EiJxF0JlYhmvYenvjtMCKNESgpSztoczxvpq5+j6l61mJybkoZJa4R3zoRra+RxK/wk7QYUnTdMA92ngeYLV70hhZ/GYFdxFtoo62NPfIMrorkifpWg/Hq/GsoLF1kzSMh3jHpt7eSAKWF3lbJPrIgKIaHik5r0/8IW4vm7XuxhW1e9pEX/AuiR0DIXUEFcHhLJJFKzV19/Vp3l6CAOEnflNt+mLL70bykNKuRjrJ0Uok8S6ccxqvLveCJnRG2lIWZktVMVhhrnLjjuSvsid/48s8uMRF/2SxzTnibjWd9yaWAXBR9hGZQ/EiELA17532E88tXFHI3aG204akbPZ6rqFuHV1gbX28Gi1VBEQts4bK1PF7ZyVV4jne1tseCBFtbAvZ3Uiu5IinvBtKPCCfm4UusKQ0Ai7dG/PNG9yn9fsYb7mvKn/V3KUGpr5/tcq1PjS2lQa38Hcl3shauwOFlPzVSG8jqd89+VQkMTZbfUBP5Dnz5ees2C/sw2SjUoxkiJ29xqCc8z1nqXquKADnMJCRfaTtT/EcIs/Rd+HT7J3GNY7oxP3ih37q1X7/VXrxi+XzQ4v/8YMJX311RYEtZf1hASJ6wFDzHRGti8mLJFOZc9D+1Mnrws6egydZ3G8tWjSkDWgRJ2rADDpbd6iwIBB2pOO3culJJvxBG4GieO6clotAqESWvk9JX1sEUofgCoqkwk2cZlt2QjpZrV0RNSlNS2PBUGPVoJOTDSAJ5cZcaveWrnC0R0e9LcEO5z2+nFhWo6UVO6TR+uNFz139PgPD8V6iBzUdzh32OJpIeLCaDtragu/+NN2MHwyhlztNNzd1bmAaqmeIhxMGEojcO37o5lPf3BP/OqGWOqfkNLANGZktdQtC5E7WcZ9Mzq6oVe5vInnY48xgH5v55kln0XS0ITZphN4AAWKt5SmpSb66c3U5tXXlHIehcGZTQaA1zsxmh054rrj0yQQOWtq6KDBkeqdTcrF5RJST3tlpye3z5Hux5rxUmdx7gdMim4cky9UGNJXcNnosPQF43+ahZag0SYN85ctDhTUNFRmivHVaM/9p3vssCcqWJJ9FU/47wVM5JSiSKkl++iyzDA9JfGcj8Z011R1qmRNoOW1IhsoaBGjn8qQpUbeuoe5cYxZX5ZQF6M3B3JvkU/n78JCuIvelTHovs7icNz74Ce0hYbhRCD+d/2z0ox/avfNbuDSjvxdvgCiIEcTw0x1TK+/RX1z/dwAAAP//IeZy3+AyAAA=')
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
