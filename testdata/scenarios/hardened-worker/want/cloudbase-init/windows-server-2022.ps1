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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiyN7g//kUbG/ONdmJDmjMjJnte66iIEQxggLSnZ0DRUXQ4uWBQiV3+vnse6pARU26e87enTkdBX7v77/C/8mMbRcyTs4ENvD8ENpu8MgkWZgyUQjgHZPiKE4ZGzPYg8yrn6SYebV9lCWwcXU9SJIo6QLsR+FzAl9hAkMAmc9MTcNRXLu6fk6iZQLT9Oyhj2CIUc5HIfbDDNaurlNsY/qMf/xKkeygb2P761Go2tV1nDnIByVUkoVfAcpSDJO6Hfu1q2sULZnPzKeC1lcninCKEztuoGj56eo6ycIQJgQ5jrYwST2IUAPuIFNXouckevUR/RpKIYaJDbC/gUx9kuE4w0KUBDZmZnCHmfpgB0FGFY6QD3Kml8d2mjJ1gRD4UHoibiNOOaZ2dR1RokQS5n8r8xHzz39+jHaiBdP85z84YgfPTqmxUmwnmFoPxuTaJ7InWYyhW7u6BpFLoLirq9cspD5i+CjcwAQLSRTUe3YKH+6JUjdfUpz44fLlmlzdMv++YhiG+UIuGoMQRC559vg4nwm/N0SINQp886Uk9vL4SOgV5MpnBaHbq28V3kbiY1gfRcsP2EmTBrHhy+NjN45h6HYRosIRv94xFJb5hfkyCDd+EoUBDAlnBW5HfghPOSlwW39O/I2NIaF45PdsY+8dfn2IIIY3xWP68NoGiPlMCU2cFQSY0SDIEh/njS4AME1J6CYRohT2jw6YDQ3i/c0+TEHixzhKNNdFJJJuav3H55vuH38I3T/++ENb3B6+97q3tTumVnColZIk/tLDKfOZ+fI9EfIUw0CloC+Pj9TUFL2iQamvhhNoB4WydwcrjCOXWIJPoI2hArd3e8ZHEM2zEwKjRCG8Y+7ZzsPx2SQmhk8PT4kVTn3ynEQYAlzv+wkEOEry973y04Y/0Pnb1p889rqFByYSL1W9cLwuPTHZhjC5Y04cQlQ+MH95fNQgPpFsb9lLE9CwRDb4ICCv3T1V4mxp0iAPXx4fRYgP/BQ7OI3TMEOoBK8KVfjxaOsj7aMSJXk+Chw/hBWQO6b230EjhNvaqfzjaAPPFaCh8vfzq/KQUL0p6JQAVZ5y5If1ZzvB6Z7nlxfCJ9lHZhHOL9fF5575a5RAG3jMzXVsJ5jxQ6bA2T+ntnNyDGlifa+QEfzbI07BpkET7KagcMewdyWxxgiGy72O366qGDyKUnjzXkW8LFF3zBcnitDLtQZBAvHBwAfVDyETwm2ZLdQvhQXpI/+VuSnxq0of7VlahLk5q5aUaFUDiFL4fQoVbxaBd0NpVIkcY6cQuhC0aoyu6/6/maLIhB/YgqnboVsNv8HOT3FaxuZJeBTKfWb+Ve10s+gkPCqEVGiTltUjcbAnd8v8UtKpmOIDzxyDoZCcucZJBqvo5L8E4iwJK9S+745JDMN9QaoVbbV21pbJpFbv7ceMmy9+iF+u+ciFB8smEESJWxmt9vPfKo3CTwed6mGE37NsgX5qW0ya+Wfm0nyHjn97AVx81hMYU/fWvvyfryFT/+8XUqhrH0GDI7hdf2PrnZd/P3z72jhccA/fCP6XBLo2wNB9OVKifiJUyqxm6ktM215VkwuWDS1z0rJ2nCAXqAfEb0eJX32I3PS06/ERQpA6KG1oMQS+jfw36DYmiQsT6PZ9+sxO8nMyja7r3tTohFi7Y4pR8fZ9IDI1Ehjy+QEI3PmYxAIBozHxPhiKlgSC6HuEqDiXxvbBu0VA3DE3ZVrNorqcRiFT56MgJtsCU5fCOMOlKUpOJ+WkWnGiOD/S/FQuCcfBuX4SrXdFWhW0iHaFXicZIYWbaA3rGoZxpRgRQ561OnJJxwsHRWD9ct2L3PyQNcWTx/2sXhA4eVRO7cc6tX9wGNyPdWEULZmbggbzC1N7ZGpFadk3G5zklaj8B0NlYf5ihCgZ2MDbh9W/K+Q+Xf/5qTRn8RfYGHgXFWkPerh9WjBOhC6JnZYXO8F1jcK8P/f8gwGBSzexX13mV8Dc7Fe1UkHyWaxMt8f6Oepqs4EpzfhJf8DUQ8iwJ/Xl1JAn0Acg7CXRlvlE1toCnIGhC11m62OvCA2KfoL86R0N9+FypmJ1t6nU9n0NJc4nC+Gnss7/q9yZrgoTH412ifHBeHUBd/uemMRx56IqWeCQOfdnZSe59bXE+ns6XGCeiChCXBdsUJXMDo59aGOjjK69tWMcEACmDv+LqXlRikM7gLWTQNjjfFEgbvTphiJCPIxSTEfp28YsGkVbmEjhxk58O8Q3t+et+sgiLqYk6Xlzf8oliTJ6ekEUUCBW6WW967qkmgl24KOcIVhMvQ9T7If2/sDE3zE1tkH//5WtMX+d9BUtSvA+cevPSRTDBOcMJT6GOPEB8xejQdImDlACPZ/hjpLZhQxH2aTnUqz35aOnH682gFLowl2pWePs7o/Z7s2+5984sD2zLh0aCvCqRSu5WR6G1FKm8ISfMgRnHUbb8FO1JXw8pH10kFHOagX324tQ7EfbEEW2ewzHeYIuW8C78+nLdRcto8THXlC51/eXMMWXS0pIFQuZf93UhrPZ85/P6sRckLmEXGnHS2VSfj+Zps6ORDSIKzd0EtYOggWTu3Ng8bvAtXFp/JPm+/e3jvd3jMNOVCEdFQcJdOyu1V9TbTkiitfrKXZhktDv9A+1B/fQ+v2eXubk7wNLvwf00f09y9buDiLU6vUE4oTCtQuS9LruQmTTu016NyKDTEi30XmCbvcdKkuKw8K9gD/bicpAJvh/o72URxk4s8lKc0Proo/g0E49pj7yMUxsVOwIxBX1Q6gxx6i7bRDoo5glNSLgWRh+sKwftsCzfHQpMhO9MlvPxszWTplXiIEHXZKaJZ9Pf2v10yCui0mUxe8X/kOdoIYYRcBGFJqp04JQFujKUTRzfsB8unxUNsX3ib3T5AnnLgBRFhaN40NBK+2i6wZ+6JMpCUfJacOgQJ8rCs1TmDB/MYYHE3gc1q7/bGhSv6HTalpH/hoyNa3O1dv1Jlf/X/U2y9aYb7eNiswH6hcGfrbTdBsl7qnoJ+WsADhOsBBkCRHzOKfTczVY1FWmXn4eMJl6N31Gth8WJ+VClAB4MMypqj/vuorZtI9JHEQopf54Yb5w/4+JMQfXww1MBrvYT2B6BKvevTC7aoduFLxv/Grc/AfMc6nq/oSrsliSW19emOZ9udtT8T44ceWTPMbRMrFjL2+oilhcazDZ+AA+J9HGd2FSpVNpqpR1OQlWoq/U6aZmd7n/QXaYj9t2SeL24pRoDMn4+GEc03Q+SckywS9yMj1NygLs82WZ0aT+Pu9azXr7/r52kXOn+xeR8kigkJcpStyeTanFScE5LmFfxj5IojR6xY1nMp5q9G0VHwWBHbppo8AtDlgGOwBpT3r5YHXbT002ExQso9dSiPe2mW6awgTXf1DkYLh55Cfj5/lsoCrdcdH4TsDen+KIHMBGCLrMBY3vSNOPAtsPj/IU14dCBaIgzjB9uUdcx/uBFKbYDgFk6jyy05SawPDDVvNPvoQt3piczaF7Qo1nO8GT11M2R41qZxoR3Kp1bcalmH8wKaTvBA0/dKNt+tWFTrb8qkCsQZzRV3q1822j4FkcUx7l2d+l3fsDqW7OxaqKRI8LzsjdHg3+0+8R6Bp3e3XxNocpnvw8oeKY5vbqGKn7t5nEDJfHiMft1k4wdD8dWvrZcQR39e3q8jz6Avswe1YOe/YSkEUPxnYCa4fzkpP1t3yVe9x6a0AU8oXBRkZLYUGAMotj13NRYG1+/SQP9BwEnXxqKKxtdLL5UEZWoOeW0V5ZWrcj8e7MFTtbeRut50N5Y7VkBFrKFAR6YJkycgIFSX12KXNK7Ih65oq79rTZyVwRZa4xD3mkIJfnxk5T8VwRbRy/i2ciYi1T9hyh57nicimz4weTB0+y6KZOU/acfjye6spc1T1ZHyjP6mC+fNa6W95fLOUC58kyvdjlu+vZQJjpA32h6Wp/xqoCv/z8uXbLfDu13KuPYI2ppTEEjTIEG+Re+oV9OTNjjX/8uv4aRtgHsIF3uMZcv9oopYacmjpri53cNhVk8T0ONOdLp9lOoXav/JhxGLnwHWYfvFpfZw75bOR2gGpHX8Jc9oCIDMuU34i/pFXk2y3dtwxh7WjtZDIcZ7bx+8ZdCb5lqp7CS6kU4NgJpv7El5+cJsqIf6wAha4plz4hMGoMmsrGDfQcatIDzGXfaXZY0FLzhdmbO02MHJ/eZ/ffpaCd2gGHLa2NYahHbrDbQoNLlNDbjJv6VvK3/sLsxfOmnhO6qtFeA7ETOyGVZW0Z3GYU6PcLg9s64vxBWU3ZcU5kUbwpwRl4Hmh6COTSg5HLb7Y4yJXZ4mEi6r41A03FsFaLQF2N37z1eKWsrJW0G4sDbiKOc2U15caz5ZvSH9yPV+pq3BeQYizelFXPH/en94vZojWZLbbKSrpX3qb5IpfdV5NNpaC9sURdsww3LnRXY6d570/C1F+05Hje7Kzsps4SuzthLwbi/GGU/74Z5fcbIKKtpXVWTrPNLgyUWaa8HhnKxglVzzbaCARTf8TL9Jk7HPsThH+TAoyIvQu+82zR3HGgpSLgt+9HRnoP8nbs5B3OCVBmm2q8MHYxDPQ1sa1lWIFlKFSWWdCZLZoesoZ6amlyxyS6hCRXlMgyx1R+S0Q5gXdacpvgTN9iYAq93Gm6+cLgBgtT9UxhhxeGEhF5F4aKTWG3XZjqyhb1NynkOv/pMI/JQAFTGu4IYhCFr/4yS+gRFMuy7C8BTJbwvSxwTTWyjDZrG/vKQqPTc4JOBg1u4+61NtreItghi5cerEBIQVPvvGokMvfJHFfxsdNUEbGO3tR9W+xs7FzujHgZuYGeuYKMFs1ObgnCdJ5LD4q29UGge9agkzlDNHVaMvHGdsTLudNSPVfU+5Yps7ZhxYumwBaeUHPXmKdSqCAQWgggdTxn5Y3TUt/coewBXnpwhzJnEdotNbcMAdtGOyRZ6wT6isq6RmtH1Oe2wSGnVUSjYrA0upyh0rfNXmSZ8sw1UMETpb4+2M1MVu+rA0+gn4LSMzlX1gfe63Suz8y3QT4ROsMpy73OWa83Xs2bJMpO8Dh5NtU7pqarkskKwpz7fTdeea8qqygmp0jTmcQppJoQnbiOMGVVSdXp5zlersysCt74nlaqUzxtzgqvOovmmtDpqbrySmQyWbc/0zszbTB4m/SnvqltfVfcvc0MlOmBnoNm4UsJWQiESuw02/OZMN6NffmD6M1CH593BxKPSQgxTEksnxyiM7Xffst+nTd1dqRTF8aL5nw5mrc9x5gvi2K8Qy7fxfOW6oFQ5YCgtoE4X5L+4TQ5Em6r2s9IEaXz2LVLIciiUm435QZW22Z2lsJkUyPbrp3gLJ7lMWT6fmo7CLp/FOPHx0h0B/5PCJKlUboBf0uMA8q7QqwiPzyvKO94QRbl2PHpmNKfoF1CxpSFKYcuSYxQfSOjyZRfhnbQiR0fpBIPMC3JgRVbObmmeFMQdEIQCFgVBXahn5VAEXMLkuQim0FDwA4PYt5XVyTxXVF/K9obKsclLnNa0+XTwCVjz8wy5aZtKEjiucnC4JBU0Eotc7oczU9HL0l4d4QivDwQuJxj6Jk7VETb2BUjFxmbhpYH0C61DRkcIk/YJa4hU9lHhpUuDPdtRIqXT0asI/9nrRtKPlg+5d31IkCZxKdLmStwHVFnSWu2NGk50riWbbTXTst9G5mViNc40uoC2wAd0krcQMhNcRcv0JGGKe5t3W4vDC6V827C+4DiksI4MtQYrDjig+bClIEjIt88yKgCIOJY4lm8CDobd0jGV2E7MujzE96Wqa5KvNwJdNYyFfAODtE7W5Dxh+i9jUJCu7BbKecblQW5olLY05Qzy1QROLELgV2EvK8e7Ez8UWT7FJMxedHU30DexWqAUksvxlzJV33baIPKuIagOPclnusd/DvYxaA1XcqikFstHZMGR+jMgs7EMl2z8ANYjvSeB1rK3B7KHO+rmWvsUhoTlVjVRCGzxB3iQzeiMcMvsRN0WIk/yj1aex5g9XvbVJHFr5dwG89cUchJ7DqijgCpYk1q6zXIuzs+QIHEL9eLlowW1C6VeDCEzOJ7jjb/PSv0Zh8ma0JbYUG+PMlL+lxbx9IwfZKHKoJDEo9nuIjK2HPE3dwyPfaJv8yDJ609BwHCT/z6yTYWyydeZQmsxHOYji18NzTXWJ+u9bGqq68ap/PqXBjM9E5vvnZnz5oUjfwolvxp+KT1fiN57TQ5vDDa64o9ab485d1Q4ot8mRkCS8YtwKU7cxqtnVBPHb7bkQZt5OY/yHtdYRemzLpmbw7NHpIGAueKHSJvvCAxI+pbi4zKbCeTxJPxcTmay7ETCDmkMeUVtPmjzDwqaH+3M3Wjd/33rHXXxYA0f3qdxh0+ZPc2rcQLjZU+HZJ4LrO07pbaLSD3pyfxp5IVbaCQsZbQO4sLleaSpS1Dkr/lauk5czI0CcAxhJUtoozmiV6pZyHyHGMbPu3pVUZacxY9qCKtG+jpZ+r68DAehyO+uy6GrvXTRWeOo5Q0xFc/9FOv9v0Xz8WvoU/37//vO7avvrmiwJa0fqg44QOGuu+IaHVsJDLnoN3KGepvrqjnI0PY2hppGLuNlRO60hoUE+1pYQ3Ic+lJJvhBG4GiGW+dlkumr8gydmnRSGgRI3IFRTHiJk6zLTuhikAgkKm2SWFaOguGOqsGndwxBFYSiuIwmuv3lqFwdPpFvQ2RHWo9HpqkEI6Xo7kVO2TE+nEw5a5xn4HheCfRM4cO5w57nEuSlwfL50Fbn/HdX57X44eL3UjkvEXTix0a4Nw7dujmz/5iR+x7KAgClmd5e2CbMlq01A0IkTtZxf1yeKjcX0fysMctgl28yNdPBoueR2uik07gTRAg1poLqVPYI5J8desacmobZ43OVLhFU0GgNSaNDgORNLO5P+K7IWjpq6Ixgbgo5N77SWR6ZPd9ezr3OS/FRZHsLiW+FzikiBhKRBoCaCq5bfZYSUTZBzoPLVOlRRvkS18ekkKlIlMkm8/Uf9J6v0uCsiENdNaU/4vIc+RV/JP93soxppllekjiO2uJ76wo71Anm1FOB5ihsgIB2rp8N5F4deOa6tY1p3GVTlnULs6YRkYbSf0ubUp72P2/D8+bKnRfp1H5GZebxsWvwU7P+9wohJ9OXzR/9LO0d345lmb0h90NEAUxghh+umNq5T360+j/GwAA//84hUDdPDMAAA==')
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
