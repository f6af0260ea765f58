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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e3eiSN7w//kU9fabsybvtI6XmBm7396zSgQhSiIqIN155kBREbSgWChUstv72Z9TBSpeMj3z7D6nT1qp+t3rdy38v2Bkuwg4GQhs6Pkhst3gE4jTMAEkhOgjSCiJEmBTQD0EXv04oeDV9nEao9rVdT+OSdyF1Cfhc4xeUYxCiMAXUJlQElWurp9jsohRkpxs+hiFFGcCCakfpqhydZ1Qm/I94dM3jmQHDza1vx2EqlxdR6mDfVhAxWn4DeI0oSiu2pFfubrGZAG+gA85rW8OITShsR3VMFl8uLqO0zBEMUOOyAbFiYcwrqEtAlWVPMfk1cf8ayiHFMU2pP4agepTSqOUiiQObAqmaEtBtb9FMOUKE+zDDPSyyE4SUBUZgXelZ+LWoqQBKlfXhBNlkoD/r86G4K9/fR/tSAvQ/OtfGswOnp1wYyXUjim3HorYs89kj9OIIrdydQ2Jy6AaV1evacjPCAgkXKOYijEJqj07Qfd3TKmbrwmN/XDxcs2ebsE/rgAA4Ct7qPVDSFy29+nTbCr+WpMQnXDgm68FsZdPnxi9nFyxlxO6vfpe4m3EPkXVIVm8w05+qjEbvnz61I0iFLpdjLlw7Fw/Ag4LfgJf++Haj0kYoJBxVtFm6IfomNNzTCiClB/JgdmzTb0ds2sbYvAFqGhTfXKWCFIwQTCNfZrVuhCiJGGuGRPMJdpt7TFrE0R3iw8ogbEfURJPXBczT7mpPHx6vul+/ix2P3/+PJnf7r/3ureVj6CSc6jcnqo9QfSI+Q0X+SNneVnBBz9GkJI4+ze13NP5H6r6JAtyWd3D83sq7zn+Kb2ZJs/Yhu+dqrujCr5wLmzz5dMnCdE9P9UOUM4gF+Y6TDEuwMtCCTGyKToY+ED7oERBXiCB44eoBPIRVP4V1EK0qRzLPyJrdKqAijYfwUV1Sq7xgDCiR3KXNhnVm5xOAVDmqRA/rD7bMU12PL++MD4xTT5yKhMaIzt4uc4/d8xfSYxs6IGb68iOKfBDkOPs9rntnIyihBnv91IBw7894ORsajwb3OQUPoL6x4JYbYjCxU7H71dlDAGTBN1cyinncf4RfHUIwS/XEwRjRPcG3qu+d5kQbYoQ4eeSW/DUwrkz3DDg270cDMZ/BTcFj7JhygmIsyipcziPwqLgpsTpKUIh58OChqfBym3O6uA7udC5oGVjdF333zNFHgk/sEUuYU55L+KfN8qe9B+3ygnPY09gDUe1t6uWN1/9kL5cC8RFe/ViBEnsljqEXRuzTEj4YS95NSS0rG9/6yc0uSnQb4/8n7Ka9KUMrSH7qHDdngHnn9UYRdzGla//9S0E1X+9sDRZeQ8aHsDt6lu92nn5x/33b7X9Q+P+O8P/GiPXhhS5LwdK/DQYlSK0QHVBwV29c1/W5IxlbZI6SRHAR8g56h7x+0HiVx9hNzmuNwLBGPEDSmqTCEHfxv4bcmtPsYti5D74fM+Os1Myta7r3lR4o1P5CPKO5/YyEGt+GAz7fAcEbX3KfIGBcZ+4DIbJgkEwfQ8QpcPl2WZ/urlDfAQ3RfKbkqqSkBBUBRJErOkFVTmMUlqYouB0W05t5RRDouxA80PR6x76v+qRtzIp47TQg2mX63UUEXK4JitUnVAUlTICM+RJvWGPvLA7mMDVy3WPuNk+avKdT7uWMydwtFU0n4eI3m3s+0+2uO/+wE1OA/wEKp9ABfwESlWNxlnJK/8CuCzgn0Akcd+G3s6t/lEi9+H6tw+FOfP/oU2hV6JyDLpfPk4YR0IXxI7Tix3T6oTDXG4+/gJg4PKB4mcX/AzBzW7iKBRkn3nnX8qSw+5k2jflqfD00AfVEIH6UX45NuQR9B6IejHZgA9sOsvBAQpd5IKNT73cNTj6EfKHCxru3OVExXKLfqi2+xzKDp/NNR9yhwR/K1r/q9zEB6OdY7zT45zB3V4Skx3cqahqGjgoLjn3D2RnsfWtwPpzOpxhHokoIVoVbViWzA4OdWht45RPb5WDHzAAUEV/BxWPJDS0A1Q5coQdzlcV0dpDmORN7YAklPezt7UpGbKpVg7XduzbIb0pp5kTFlHsr22K5Of13TGXmKR8CGcKqIhq/LHadV2WzUQ78HEGGBaoPqCE+qG9m/v9LajUa/zfz/UK+CeYkJjugrX6HJMIxTQDnOAI0diHDAax0rCHEvnVQuMgjZ3zPcgjPxeiXJaJD+6vNkRy6KJtoU3tZPXHbHem3vGv7dmeWJQ3Cjl42YqleCzm+EoCcuv7CWA4q5Bswg/lMnBon6fkqHl+dwbvsWb5puB+e+Z+D2QTYmK7BxecxfhC2i8eu3hBYp96QWntwV+ghJ6PAyHXJAR/u6kMptPn3561J3POmg/2NDk8qk/F96OW6WR8nyBaWtCZ7zoY5Uw+ngJLvwtcGRXWPqqwv9PfX5OINybgC9Ol+ppMFkMmeLWaUBfFMf+eL8SIxhn72i49V12Ebb7a5KuE9Q68c2fGvt0VhTTOr5l27P5o8i/8iOH/iYxezO00tVkrf8NTkY/RwE48UB36FMU25tWIG6a6P3hw8IHbGoM+iFlQYwKeOMU7Qyqbki6Fg8uRAXkFG8+mYGMn4BVR6CGXRUbBp6zIj0eeCaJVKSZpdDnX7sOUG2JIoI05NKjyeCxyYukSE5xeTR73+6UJ6TKxC3WVce5CSNIwz9XvClrK0F038EOfNSaUxMc5mgN9KSk0S1AM/gkMD8Xo0B9d/1abyA81nSezKvZXCFQm1Ua1XW02qv+v2q7XK+D7ba0k8576mYGf7STZkNg9Fv0om+QAh6YRwTRmYh5aY36JhPK0BqrF5x4TVLvJM7b9ML9jFUkM0d4wx6r+8aMrmW3yPom9CIXUe5wY0TQOj3LJyfH/mBjYHz1ao7i/jfwYJQew8uqZ2TU7dElw2fhlv/kPmOdc1d3NTmmWY0tfX0DzrhinuXjvXC8KcRZRsojtyMtqmirlzxMUr32InmOy9l0Ul+mUahpnXTRfJe8rdLqp2N3G/2Fjw/tVsyBxe3Y7MkKsY3vXj3k4H4VkEeBnMZkcB2UO9uU8zUzkh13ctZrV9t1d5SzmjkceJuWBQC4vyFPcjk2hxVHCOcw9X0c+jElCXmntmXWEE/6eQyBBYIduUstx8zuN/hYiXpNe3pmWdk2LDYKcJXkthLg0QHSTBMW0+oMkh8L1J+Fp9Dyb9jW1O8oL3xHY5SaKyQFtjJELzmj8jjQPJLD98CBP/rxPVJAEUUr5ayF2dIIfyGFC7RAiUBWwnSTcBIYftpq/CQXsJEsoCk7awB2h2rMd06fXYzYHjSonGjHcsnVt4HLMzyBB/G2S4Ycu2STfXOSki28qohNEU/4yqHLa4Oc8QdUO3ZI8u1Vevd+R6uZUrLJIfEI/IXd7MPgfvj/nk9Pt1dmrC5Dv/HFC+c3I7dXBU3fvwZgZzm/uDgOlHVPkftiX9JMbgMbV96vzO98z7P1VZ+l+ZScBm61QZMeosr+iOJo4i5eAh0GzAiUxmxt1YrTUOgxwajXqq5kk1m1h9aj09QwGnWxsqHXb6KSzgYKtQM8so720Jt2OLLhTV+pslA1ZzQbK2mopGLbUMQz0wDIV7AQqlh/qC6WhRo6kp660bY+bndSVcOoas1DAKnaFxshpqp4r4bXjd+lUwnXLVDxH7HmutFgo9dG9KcBHRXITp6l4zkM0GuvqTNM9Re+rz1p/tniedDeCP18oOc6jZXqRK3RX07441fv6fKJrD9O6JgqLL18qt+D7seXSBMUVUEkiBGuFC9bYWvK1/sLMeG3nFbQI0VIrBSokSiqfLxTLPdLny5V/R7IqphjnpJ4ilHdbn0uV4gB5mv7/rBa7u/mzF9xJ4n2zj2j/ZqfUI7H/htzfVihLKiVvaalkaOir0XLWGE1Xi/FM7I1no7dpGHnjNzExVpoymrVn2lTvsb3JjNxp0541EvsbY9kzR+JiY0x79kjqb+bL3nIkjTfWtBeMJLixH3rRSCIbO+utoaRnc1Nbw1UPI0mkUNrihzG5cHqvPkanerO1nd6lIGCar74FhLo1uqUVcP1q44SrNZ70UqepYVnqBPJAI9akt3QG+psr6Zksadgxfk1/zD4kLrrA8p0X66vUYZ+1zA5wycIoUzwoYcMylTcWc/KS+HZL9y1DXDmTdvw0GKW28evaXYq+ZWqeKsiJHNDICcb+k688Ok2cshizAhy6plLEFYPRIthU126gZ2gi36NM8Z1mpw5bWjY3ezOnSbHj8/X67rsc9lrIaDTnfpuiUCdusN0goxGrobceNfWN7G/8udmLZk09Y3Q1o72CUidyQi7LyjIa62Gg382NxsaRZvfqclwfZUwW1RsznL7nwaaHYSbfG5nyZkv9TJ3O758k3bemsKka1nIeaMvRm7caLdWltZS3I6nfeJJGmbocN0bTxZv60L8bLbXl6EHEqjF/U5c9f/QwvptP562n6XyjLuU79W2czTPFfTXriRy015akTyzDjXLdtchp3vlPYeLPW0o0a3aWdlOvM7s7YS+C0ux+mP26HmZ3ayjhjTXpLJ1muz43cGqZympoqGsn1DzbaGMYjP2hoPA9dzDynzD9RQ4oZvbO+c7SeXPbgC0NQ799NzSSO5i1IyfrNJwAp7apRXNjG6FAXzHbWoYVWIbKZZkGnem86WFroCfWROmYk03hF1vs9vU7d6B4Y1MJuS1bie8EIrUOfKkjiQz2jdF1AzFxjRk7I+72w4A25oGeOYFet8zcv6DUWTsPjdDieomJHDaY/R4v5M/Qp6cRyJw7DhFFCQuIo5tdUPnll/TnWVOvD3UVw9CK5s3ZYjhre44xW+xVErp01tI8GGoNKGptKM0WY1OvO80Gc+ll5Y9IQZJZ5NqFECwPF/1/kYUrm9RmKXJdYfOgHdM0mmYRAg9+YjsYuZ/zAv0+Ep8S/xOCpAlJ1vBPibFHuSiEQ8iZEGxt14YXyfHsLhtU6vV6o5Kfkd5SIlea0WlLr8OBXpclZe20NGx1v3w5s38Un6XhKEaX+ZUdQXvHEea8TxAjh/UblxguiR+eZt4L9BVJiRyf9yoPT3gbs15lbiqhazSwE2pvrD8ZC4vQDjqR48NEFiDlMR1YkZWxZ443hkEnhIFINUmsz/UtnRsqYTE/NzRqSjx+PEuqp8gQqSPASPC11tzUlrbAeDdSpzVePPZd1u9MLVNp2oaKZaHxNDcaWM7xE8scL4az455LFi/2Tox+4EhiCLO9bs25qUBHwr65p6fBQ+1oFPBt7ITzUPC12DUU7Eh6nfdomRzKQrIo7BXLggsPwdjGSJr5slCnbhOnltRpwazxdtCjTudFzXmeje7NgeVBvE1sQznQELcsbwa2AQsbdZmdMQzH1JJw9jt4G7u5WihZNxb87kIWuuFw0ijVri7NYYsze2swW2BXUnMappJapoZhY3sBh+vG5WI6/EE6e7sNAwZ7sCXzBWbLPHGNKeuJ5039DWZdqgU4sfS8p5V9zbeNdulsdvZt9GDgNhxDT93+NoKt8UKRxMxq6dQy2nVGZxp0nizTNW2jvXJacDHUex5sqTN7oDQEX0tdY5vw8yz55EQSU0vaYiF0iW1ssSwsqBN06rJwkHu48jxY1+9sU8OWsFqgDWG2PujS3GLL7C5YrPKzHowWo3EOYxvzxaOw93c6N9orWaTKNGtLjJ85Jfea6bF6+/Yo7Px2FcmD5JHhF38rV9LvXBYvJ7gzpkdfTBxRw2gwJopkJXPDfXuctGcwwPRRWJXo9CLL7xJlwGEXQ4MVDJXIgosmDV3QZltRFztDfaaI45mmmnVxojVGHdlfpI/+ylcEeCoX/1OkdsORNovnSe/JMiHNex7M5iA65bW2d4gnoTF1JTFzB/pGH7CeoddzTW3tGGLdNkaL4UzDUNJTa6A+O37vqJ+QhYZgG20Phng8NzWS0+4SpZQjHrNuKAuQfa6mhlhnfQFsJFtzsjqT+3B+78tbxFXpr5y7tGBubN+s4qz536D+uPt8HUe5vUv+xs7a7aus71gMjTaWH7oHm0rMx8aLd+AZPWcy+zXN46V+/7TSuIzWZBGO3yJYzJmeM9M8VxKhY4hLW8IpjyN9e/DnEHuOsQkfWdt+VqxIclYe2dqPyxXvW2a85cNOyNL1NmJTwtzY8uOS+6N7U6KQl5NAXw1Djbk01fOWa7Fbf0+kVzaHeZXff2ec/x73eI7/X5/Vfe3NlcR6QeuHNZHxgQPddyS85HTZHD9QGg7e7keroSFu7Amb7bdri9cxeQVb7Fx1OA86a3eg1mEgboYB25cfFYYftDHM6/nGabkYhiqxjG3C5ozctztMriDPc40np9lW2GHBQFy6Em5ymKKh0YJOxmJSFotcMdPvLENt8JkJ99ZMdjTpCchkOZbFrRU5rBH9sR9mrnGXwsFoK/O7i07DHfQaPLcJcPHcb+tTofvT82p0b4q9zGm62dxo9Oem5plSw5s3PeYkniU1Ltihmz378y2zrxPqiXPIl33bVPC8pa1hiN2nZfQAA53ZsrS+Isqg15gH22ierR6NOn4erphOOoM3YYDr1uyQZ2Vf27iGktiGeiyHqTbmTRXD1iidNzt8OnelmT8UuiFs6cu85sFICHAgC14ezxLO2CzjtJT2cT04OXNBjh4nvV/ynNQLnBaLZ5a/FyvYVDPb7NVlCafv6DywTI3XDZgtfGWg1uemhk3euI79x0nvV1lU1ywfTpvK35k8B15Fnmf52BinlulhWeisZKGz5LxDPWW9KO+RBuoSBnjjCqxP0tauqW1ccxyV6RQ18eyu6iwflv7evbcq0X0t8vDrOOrk91nv/FZ0lzBcEqIPx7+PfO8XZRd+9JWk/IfRNUiCCCOKPnwElWKN/7T4vwMAAP///E/snb4xAAA=')
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
