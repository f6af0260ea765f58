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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kUPP1kjck90QMac445t2eNoiBEMYIC0p17FhSloMXLQKGSmZ7PflcVqGiS033WzF290gjsl9/etfeuvUv/PzO2Xcg4ORPYwPNDaLvBI5NkYcpEIYB3TIqjOGVszGAPMks/STGztH2UJbBxdT1IkijpAuxH4XMClzCBIYDMZ6am4SiuXV0/J9EqgWl68dJHMMQo56MQ+2EGa1fXKbYxfcc/fqVMdtC3sf31BKp2dR1nDvJBSZVk4VeAshTDpG7Hfu3qGkUr5jPzqZD11YkinOLEjhsoWn26uk6yMIQJYY6jHUxSDyLUgHvI1JXoOYmWPqIfQynEMLEB9reQqU8yHGdYiJLAxswM7jFTH+whyKjBEfJBzvTy2E5Tpi4QAR+iJ3AbccoxtavriAolSJj/VuYj5q9//ZjtzAqm+de/cMQPnp1SZ6XYTjD1HozJvU+wJ1mMoVu7ugaRS6i4q6tlFtI1Yvgo3MIEC0kU1Ht2Ch/uiVE3X1Kc+OHq5Zrc3TL/uGIYhvlCbhqDEEQueff4OJ8JvzZEiDVKfPOlFPby+EjkFeLKd4Wg26tvFd1G4mNYH0WrD9RJkwbx4cvjYzeOYeh2EaLgyLreMZSW+Yn5Mgi3fhKFAQyJZgXuRn4IzzU9JxGGANMlOSl7trF3UHZtA8R8ZhS4q0+cNQSY0SDIEh/njS4AME1JaCYRoogOr46cDQ3iw8M+TEHixzhKNNdFJFJuav3H55vub78J3d9++01b3B4/97q3tTumVmio3V6arUF8pvyGQr6jKt83sO8nEOAoyf9NK49y/rSpk8detzB3IvFS1eTTfWn2ZBfC5I55Y/1R+Z9yATHqGdngowV2D1KZz1QLefny+ChCfNSn2AEsFBRgrsMMoZK8CopPoI3hydcn2ScjSvF8FDh+CCskd0ztX0EjhLvaOf5xtIWXBihwd8e8a04lSvoQQXyGu/KSSL0p5JQEVZ1y5If1ZzvB6UHnlxeiJ8HpHZWi4QTawct1cT0oX0YJtIHH3FzHdoIZP2QKnsN76jsnxzAlzvujqkD4b088hZoGLQw3hYQ7hr0rhTVGMFwdbPx2VeXgUZTCm/fKy9uUv2O+OFGEXq41CBKIjw4+mn4MmRDuymyh61J48NLDRTDcEOLbIw5C4y+Zm1JH1THVWkRVVMw5rUfpUeamomkSw5DqISWDVsTabaHqFDsF6AJo1Rld1/33XFFkwnd8USAsJB8h/nmnHEX/uFcudJ5HAuk96r3DxnnzxQ/xyzUfufBoXgJBlLiVZuHQ0azTKPx0RF4PI1y1d7D3U5zelOy3Z/GPyfb0uUqtQvtsD7t9Q1xc6wmMqY9rX/7na8jU//VCqmXtI2pwIrfrr2y98/KPh29fG8cb7uEb4f+SQNcGGLovJ0l0NYiUMrWY+goz92znoWrJG5UNLXPSMoHPmAvWI+O3E+KlD5Gbnm89fIQQpAuUNrQYAt9G/it0G5PEhQl0+z59Zyf5pZhG13VvarTnqd0xRfNz+z4R6YMIDbl+QAL3PiaxQMhoTLxPhqIVoSD2nigqi0urzXF1i4C4Y27K4jeL6nIahUydj4KY9L9MXQrjDJeuKDXdVktbtcREcX6S+alse0+tYP0sWgnKJCvtINYVdp1lhBRuow2saxjGlYpAHHmx35Bbusc7KAKbl+te5ObHrCnePB66z0LA2auyDz1l9OHFsRUlD4+NIHNTyGB+YmqPTI35iansajjJK1H5F4ZiYf7JCFEysIF3CKt/VMR9uv79U+nO4n9gY+BVpJyTHh+fF4wz0KWw8/JiJ7iuUZr3m4+/MCBw6Wzxs8v8DJibw/BRGkiuxRBQqZKjrjYbmNKMn/QHTD2EDHtWX84deUZ9JMJeEu2YT2RQK8gZGLrQZXY+9orQoOxnzJ/esfAQLhcmVrv10257rKFk8cmI86kISOZv5RRwVbj45LS3HB/0OG/obt+DSRbuEqqSBQ5pNn8UO8mtryXXn7PhDecZRBHiumCDKjI7OO1DWxtldJCrneKAEDB1+Hem5kUpDu0A1s4C4cDzRYG40Q/ToqkdRimm/extYxaNyIArhVs78e0Q31TLzIWKOPG3NobS8/b+XEsSZXQeJwYoEKv0tt51XVLNBDvwUc4QLqbehyn2Q/twBODvmRrboP9+ZmvMPxktSvAhWevPSRTDBOcMFTiGOPEBoYFkazhSCfSUgTuhsQu9JzzScwnlfUx0hl/aAEqhC/elNY2Lp99Xe3D1QX/jqPbCo7RRKMirXqzkYznS11Km8L6fMoRnE0a78FN1Gzi1z7PorHn+cBzvkWb5ptR++yb8+tEuRJHtnkJwnqB3yn5520WrKPGxF1Se9f0VTPHbcSCkloTM325qw9ns+fdndWIuSPNB7rTTrTIpP5+1TBeTvAZx5YFOYtdBsFByd0ks/iFxbVx6+2yH/YP+/jqKaWPCfCa21JepthoR4PV6il2YJPQz/Y/awz20fr2ntzn5/4GlnwP66v6eLW7rCcQJfd+u3NddiGz6tEmfRqTLoD0+WZbbw/aRJcXZ1AHYj24TZcQR/j9R+8thH2c2afpvaNHyERzaqcfURz6GiY3ovkVdWD+GCHOKltsGoT7BLKURgBfh88E4S+ap9xLHpcxMtGR2no2ZnZ0yS4iBB12SQ6WeqiHfH440iOtiEmXx+1X5mNDUEaMI2IhSM3WauWX1rJx8MpfnmeeTQWWWel/YOzsw0dwFIMrCoqp/CLRSy7tu4Ic+aWFwlJxXc0r0uWLQPIUJ80/G8GACT53U9e8NTeo3dFr26sjfQKam1bl6u97k6v9Vb7Nsjfl226hgPkp/4+BnO013UeKeQz+rOwXBqb2EIEsIzFMTTU+eYFEAmXp5PXIy9W76jGw/LA5mhSgB8OiYc1N/fOkqbtM+FnGEUKI+8iQQZ0l4VnUulv/7wpjj0sMtTAb72E9geiKrPn3jdtUO3Sh43/nVuPkPuOetqYczoMrURx59eWGa9+XgTeF9cCbJJ3mMo1Vix17eUBWxuNdgsvUBfE6ire/CpCqnsvtR1WWbVom+0qabmt3l/h8ZMD7eX0sRt2/OUcaQ9HYfxjFN57OULBP8TU6m50lZkH1+W2Y0qX/Iu1az3r6/r73JufPhiKA8CSjwMkWJO6gprTgrOKcJ6cvYB0mURkvceCa9o0a/HOGjILBDN20UvMXpx2APIN2TXj6Yqw7tjc0EhcpoWYJ4b9TopilMcP07RQ6G20d+Mn6ezwaq0h0XG98Z2fvtFsEBbISgy7yR8Qdo+lFg++EJT3F/LFQgCuIM0++SyNLxfiCFKbZDAJk6j+w0pS4w/LDV/J0vabU8xTC4aBgPghrPdoIny3M1J4tqFxYR3qp3bcalnL8xKaRfQRl+6Ea79KsLnWz1VYFYgzij3yDVLkeBQidTt0O3gufwlO7eH6C6uYRVhURn+QtxtyeH//BJO52xbq/efN/BFG9+XFBxhnJ7dYrUw5dnxA1vz/hOo6edYOh+Om7pF2cF3NW3q7enw2+4j4eilZOYAwIyhcHYTmDteJhxNpuW3xyeRtIaEIV8YbCR0VJYEKDM4tjNXBRYm988yQM9B0EnnxoKaxudbD6UkRXouWW015bW7Ui8O3PFzk7eRZv5UN5aLRmBljIFgR5YpoycQEFSn13JnBI7op654r49bXYyV0SZa8xDHinI5bmx01Q8V0Rbx+/imYhYy5Q9R+h5rrhayez4weTBkyy6qdOUPacfj6e6Mld1T9YHyrM6mK+ete6O9xcrueB5skwvdvnuZjYQZvpAX2i62p+xqsCvPn+u3TLfzj239BGsMbU0hqBRhmCDPEu/sC8Xbqzxj183X8MI+wA28B7XmOuljVLqyKmps7bYyW1TQRbf40BzvnKa7RRq98r3FYeRC99R9sE3uZvMIddGbgeodlpLmMseEJFhmfIrWS9pHfl2S/ctQ9g4WjuZDMeZbfy6ddeCb5mqp/BSKgU4doKpP/HlJ6eJMrI+VoBC15TLNSE0agyaytYN9Bxq0gPMZd9pdljQUvOF2Zs7TYwcnz5nD5+loJ3aAYctrY1hqEdusN9Bg0uU0NuOm/pO8nf+wuzF86aeE7mq0d4AsRM7IcWysQxuOwr0+4XB7Rxx/qCsp+w4J1gUb0p4Bp4Hmh4CufRg5PKrLQ5yZbZ4mIi6b81AUzGs9SJQ1+NXbzNeK2trLe3H4oCbiONcWU+58Wz1qvQH9+O1uh73BaQYi1dl3fPH/en9YrZoTWaLnbKW7pXXab7IZXdpsqkUtLeWqGuW4caF7WrsNO/9SZj6i5Ycz5udtd3UWeJ3J+zFQJw/jPJft6P8fgtEtLO0ztppttmFgTLLlDcjQ9k6oerZRhuBYOqPeJm+c4djf4LwL1KAEfF3oXeeLZp7DrRUBPz2/chI70Hejp28wzkBymxTjRfGPoaBviG+tQwrsAyFYpkFndmi6SFrqKeWJndMYktIckWJLHNM8Vsiygm905LbhGf6GgNT6OVO080XBjdYmKpnCnu8MJSI4F0YKjaF/W5hqmtb1F+lkOv8p8M8Jg0FTGm4I4hBFC79VZbQ8yGWZdmfApis4HtZ4JpqZBlt1jYOlYVGp+cEnQwa3NY9WG20vUWwRxYvPViBkIKm3llqJDIPyRxX+bHTVBHxjt7UfVvsbO1c7ox4GbmBnrmCjBbNTm4JwnSeSw+KtvNBoHvWoJM5QzR1WjJZjd2Il3OnpXquqPctU2Ztw4oXTYEtVkLNXWOeSqGCQGghgNTxnJW3Tkt9dYeyB3jpwR3KnEVkt9TcMgRsG+2QZK0T6GuKdYM2jqjPbYNDTquIRsVgaXQ5Q6Vvm73IMuWZa6BCJ0p9fbCfmazeVweeQK+C0jM5V9YH3nI612fm6yCfCJ3hlOWWc9brjdfzJomyMz5Onk31jqnpqmSygjDnft2P195SZRXF5BRpOpM4hVQTYhPXEaasKqk6vV7y5crMqvCN72mlOufT5qyw1Fk014ROT9WVJcFksm5/pndm2mDwOulPfVPb+a64f50ZKNMDPQfNYi0lZCEQKrHTbM9nwng/9uUPojcLfXy5O5B4TEKIYUpi+eyEm6n98kv287ypsyOdLmG8aM5Xo3nbc4z5qijGe+TyXTxvqR4IVQ4IahuI8xXZP5wmR8JtXfsRFFE6j127BEEGlXK6KSew2i6zsxQm2xqZdu0EZ/EsjyHT91PbQdD9rWg/PmaiM/B/AkiWRukW/CkYR5Z3QawjP7ysKO+sgizKsePTNqU/QfuEtCkLUw5dkhih+kpakym/Cu2gEzs+SCUeYFqSAyu2cnJP+aYg6IQgELAqCuxCvyiBIuYWJMlFNoOGgB0exLyvtmhZ5IluLnNa09XTwCWtzswy5aZtKEjiucnC4JBU8KeWOV2N5uftliS82zYR+YEjCiHIj7Y1F6YMHBH55lGeCk5bP1fSt5ETLkLeVxPXkJEj6ixtz3IplPh0VforkXgXnCK1jaA49yWexW4TZZbYaYGcez3ZweJF2TI8z8cP5tDyANqntiGfZAh7su0FtgFKH3WJnxEIp5hsO3/At7Obm5WcdxPe764kvhuONK7SenRxQVuu2StHfIFcUSlkmHJmmSoC3P4dHmobxUVs+EE5R7+NAkJ78iWJBeLLIqunmLTDi6b+CvIuVgOUWnrRzkq+6ttGu7I2B/9yPRC4nGPomTvYx6A1XcmikFstHZONjMiZBZ2JZbqmbbQ3TgusRnrPAy1lbg9ljvfVzDX2KV3PSkxqopBZ4h7xoRvZxh5J/Ao7QYeV+BPu0cbzAKvf26aKLH6zgruI+PpkS3OPLLO7IhWNrvVwvBpPCxrbWKye+GO844XR3kgClmd5WyT6zFn0oJoeaZden/hD3G5iaZg+Ef7yb+OK+r1L8uWCd043UCF1BBXB4TSSRStdGO7rk9aegwDhJ35TkdOLLb8byUNKuxoZHG1xJN6FGqfz6nwv6EJnpM9lYTpXFZMVNJUbdyR/lT35G1/mwSUu+ieLbc4Rd6tnrTexTICLlhWREQjPAgFbWu+UTzw3c0Uhd4f6Th+Slq/Xc0116xgCaxvj1WiuIiDqmTVUnh2/d9YOSjzH20bbAyGaLkw1KmR3I7lSI57ybijxgFw3M0NgSVsHuHRvaps3uE/r9zHeMq8qf9XapQYLY/9qlWtN/4bs0+G6nMaFvyvxRtbaHSikXV2NjDaS+t2TT0USY9PVB/REnqPNf82KfGEfJhuVYrS0VUja0XLE9Jw5aZ4E4BjC2hZRRvNI35/iOUSeY+zCp4O8SmtL41Gk9RE9/Uh9Hx7b5HBE4pQ2X5unNzt0HKVkY1z6oZ96tT/+drj4Ee75HP5/Pmv76qsrCmwp67uGEz1gqPuOiNZULpnDhzLnoP3aGeqvrqjnI0PY2RqZzfdbi25G0gYUnS1YBJ2tO1RYEAi7UUDeS08y4Q/aCBSb8s5puaQLiyxjn5JZrwjQDsEVFMWKmzjNtuyEKgKBQLrbJqVp6SwY6qwadHKSWJJQJvxcv7cMhaNdMOptCXao9XhokkJJks+KHdJqfT+Ycte4z8BwvJfo2UOHc4c9jhYoHqyeB219xnd/et6MH97MSCLnLZpe7NAA597xQzd/9hd74l8n1FPnVPQGtimjRUvdghC5k3XcJ9ODK+qV55tIHva4RbCPF/nmyWDR82hDbNIJvQkCxFrzU7GUfHXnGnJqG8o5DlPhFk0FgdY4WzQ7GIhks5v7I74bgpa+LjYuEPMBCiTeez+JjkX9Ys15KX7Ser8UhaUXOC2SlKQIrzagqeS22WMlEWUf2Dy0TJUWf5CvfHmosAtTRaZIJqCp/6T1fpUEZUuK2qwp/53gOekqizUpqsY0s0wPSXxnI/GdNdUd6mRCymmjM1TWIEA7lyfNjrp1TXXnmtO4Kqfc2N6cNb0papW/D8+dKnKXZTFdTuNy4vjgV6GHguFGIfx0/kvIj3479s7Pu9KM/gS6AaIgRhDDT3dMrXxGf0T8vwEAAP//xF9NZbMxAAA=')
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
