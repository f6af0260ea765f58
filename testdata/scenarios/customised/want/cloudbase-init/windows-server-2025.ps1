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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e3eiSr7o//kUdftmjcnd0e0jZrfp27NGiSJEMaKC0p2zFxQVQQuKgUIls3s++1lVoGA0/Vhnzt4rrcDv/f4V/l8wNG0ErAR4JnRcH5m2dw/C2I8A8SG6ARElQQRMCqiDwIsbRhS8mC6OQ1S5uOyGIQnbkLrEfwrRCwqRDxH4DEoTSoLSxeVTSJYhiqI3D12MfIoTgfjU9WNUuriMqEn5M+H+K0cyvQeTml9zoUoXl0FsYRdmUGHsf4U4jigKy2bgli4uMVmCz+BDSuurRQiNaGgGFUyWHy4uw9j3UciQA7JFYeQgjCtoh0BZIU8heXEx/+pLPkWhCam7QaA8imkQ0x4JPZOCKdpRUO7uEIy5wgS7MAGdJDCjCJR7jMC70jNxK0FUA6WLS8KJMknA/1dmA/D3v7+PdqQFqP/9bzVmB8eMuLEiaoaUWw8F7NplsodxQJFduriExGZQtYuLl9jnPgIC8TcopL2QeOWOGaG7W6bU1ZeIhq6/fL5kV9fgXxcAAPCFXVS6PiQ2e3Z/P5v2PlZERCcc+OpLRuz5/p7RS8llz1JC1xffCrz10KWoPCDLd9hJowqz4fP9fTsIkG+3MebCMb/eAA4LfgNfuv7GDYnvIZ9xVtB24PromJOCtuWn0N2YFDGKOb8nkzpn+D0gjCi6Sh/zh5cmxOAzJzSyVghSMEEwDl2aVNoQoihioRsSzCnsHx0wKxNE9zcfUARDN6AknNg2ZpF0VXq4f7pqf/rUa3/69GmyuD5877SvSzeglHIoZZKE7tKhEfgMvnxPhCSiyFM56PP9PTc1Ry9okOk7oSEyvVTZm4MVhsRmlhBCZFKkoO3NnnEOMnHMkMEoxEc34LbausufjQJm+OjwlFnh2CdPIaEI0vKDGyJISZic98pPG/5A55etP7rvtFMPjCRBKnohv848Mdr6KLwBRw5hKh+YP9/fTxA9kmxv2VMT8LDEJnwnIC/tPVXmbGlUYQ+f7+9FRA/8FNM7jlM/xjgDLwqV+jG3dU47VyIjLxDPcn1UALkBpX97FR9tS8fyD8kGvVWAh8qv51fhIaN6ldLJAIo8ZeL65SczpNGe55dnxifcR2Yazs+X6eee+QsJkQkdcHUZmCEFrg9SnP1zbjsroYgn1vcKGcO/znFSNhWeYFcphRtQvcmIVQbIX+51/HZRxBAwidDVuYp4WqJuwBeLEPx8OUEwRPRg4IPqh5Dx0TbLFu6X1IL8kfsCrjL8otK5PTOLgKs31ZITLWqAcIS+T6HgzTTwrjiNIpE8dlKhU0GLxmjb9v/MFGkm/MAWoGz6djH8ujs3olEWm0fhkSr3Gfyj2Omm5Cg8CoRUZLKW1WFxsCd3DX7L6BRM8Y5n8mBIJQeXNIxREZ39FyIah36B2vfdMQqQvy9IpbStlt60ZTaplTv7MePqi+vT50uB2Ohg2RBBEtqF0Wo//60i4n846FT2CT1n2RT92LaUNfPP4NR8h45/fQKcfpZDFHD3lr7811cflP/9zAp16T1omIOb5ddqufX8r7tvXyuHi9rdN4b/JUS2CSmyn3NK3E+MSpbVoLykvO0VNTlhWZnEVpTVjiPkFPWA+C2X+MVF2I6Ou55AMEbcQVFlEiDomth9RXZlFNooRPaDy5+ZYfKWTKVt21clPiGWbkA6Kl6fB2JTI4Nhn++AoJ1LWSwwMB4T58EwWTIIpm8OUXAuj+2Dd9OAuAFXWVpNSVmOiA/KAvECti2AsuQHMc1MkXE6KifFikOCJKf5IVsS8sG5fBStN2lapbSYdqleRxkh+RuyRuUJRUGhGDFDvml17JKPFxYmcP182SF2csia9Mn9flZPCRw9yqb2vE7tHxwG97wuDMgSXKU0wG+gdA9KaWnZNxsaJoWo/BvgsoC/QI+EXRM6+7D6V4Hch8s/P2TmTP+FJoXOSUXagx5uHxeMI6EzYsflxQxpecJhzs89fwPQs/km9rsNfofgar+qZQqyz3Rlus7r56A9mXbn0lQYPXRB2UegelRfjg15BH0Aok5ItuADW2tTcIB8G9lg61InDQ2OfoT84YyG+3B5o2JxtynU9n0NZc5nC+GHrM7/I9uZLlIT50Y7xXhnvDqBuz4nJnPcW1GV2LPYnPuzsrPc+pph/ZoOJ5hHIoqIlnsmLEpmenkf2pg45mtvKY8DBgDK6J+g5JCI+qaHSkeBsMf5oiBaeeAbiohon0SUj9LXlSkZkC0KJX9jhq7p06vrt606ZxGkU5L0tLk95hKSmJ9eMAUURFV+WW7bNqtmPdNzcQIYFig/oIi6vrk/MHF3oFSt8P9/r5bAX0d9ZUJCuk/c8lNIAhTSBHDiQ0RDF4K/wASxNnGA6vHzmVoumZnKkMsmPWVinZePn368mBBJvo12mWaVN3d/zHZv9j3/yoHtG+vyoSEFL1q0kJvZYUgpAqkn3AgwnLVPtv6HYkt4f0h77yAjm9VS7tcnofhAtj4mpp2H4yzEpy3g7Hz6fNnGSxK61PEK9x7cJYro6ZLic8V88I+rUn86ffrzSR3NF2wuYVeT/FIZZd+Ppqk3RyITRAs3NBbWFkYpk5u3wOJ3gUvDzPhHzffXt47zO8ZhJyqQJulBAh+7S+WXaLIcMMXL5YjaKAz5d/4Pt0ftrvHxll8m7N+7Kv/u8Ue3t9Vq6eYgQqlcDhENOVwzJcmvyzbCJr9b53cJG2R8vo3OQny971BxmB4W7gX82U6UBTLD/4X2kh1l0NhkK80Vr4suRn0zckB54FIUmjjdEZgryodQA3nUXVcYdC5mRo0J+CYM31nWD1vgm3y0OTIgL2DrmBRszQi8IAodZLPUzPh8+KXVb4JoWQxJHJwv/Ic6wQ0xINDEHBqUeUHICnThKBq8PWA+Xj4Km+J5YmeaPOPchpDEfto43hW00C7atuf6LpuSKAmPGwYH+lxQaBahEPwFdAeFKB/WLv+sTKSHisaraRm7awRKk3Kt3CzXa+X/V25WqyXw7bpSkPlA/cTAT2YUbUloH4t+VM5SgHyCRTAOmZj5nM7P1VBaV0E5+zxggnI7esKm66cn5T0SQnQwzLGqP++6gtkm75M4iJBJ/f7CfOL+HxMDB9ejDQq7u8ANUZSDFe+emF01fZt4541fjJv/gHlOVd2fcBUWS3bryzOo32a7PRfvnRNXIUwCSpahGThJRVXE9HqCwo0L0VNINq6NwiKdQlPlrLNJsBB9mU5XJbNd+z9sh3m/bWckrk9OiYaIjY/vxjFP56OUzBL8JCej46RMwT6flpmJ9LDPu0a93Ly9LZ3k3PH+xaTMCaTygrTE7dlkWhwVnHwJ+zJ0YUgi8kIrT2w8nfC3VQLxPNO3o0qKmx6wdHcQ8Z70/M7qtp+aTOClLMlLJsS5baYdRSik5R8UOeRv7oXR8Gk27apKe5g2viOw81MckwOaGCMbnND4jjQPxDNdP5cnvT4UKki8IKb85R5zneB6kh9R04cIlAVsRhE3ge76jfqfQgabvjF5M4fuCVWezJCOXo7Z5BqV3mjEcIvWNYHNMT+BCPF3grrr22QbfbWRFS+/KohOEI35K73S220j5ZkeU+by7O/y7v2OVFdvxSqKxI8L3pC7zg3+0+8R+Bp3fXHyNgekT36eUHpMc32RR+r+bSYzw+kxYr7dmiFF9odDS39zHFG7+HZxeh59gn2YPQuHPXsJ2KKHAjNEpcN5ydH6m73KzbfeEhR7yUKvEr2hVKGHY6NWXc/EXtUU1o9yV0ug10rGulI19VY868vY8LTE0JsrY9JuSYI9tcXWVt6S9awvb4yGjGFDGUNP84y5jC1PwdJDdSnXlMAStdgWd81xvRXbIo5tfeYLWMG2UBtadcWxRbyx3DadirhqzGXH6nUcW1wu5erwbi7AR1m0I6suO9ZDMBxrykzVHFnrKk9qd7Z8mrS3grtYyinOozF3Altor6fd3lTraouJpj5Mq2pPWH7+XLoG344tF0coLIFSFCBYyUKwwu5FX6rPzIyXZtpBsxQtjFKgRIKo9OlMszwgfTrf+fcky70Y45TUKEDptPWp0ClyyLfl/1e12L+jOPmZQhQ5X80j2n+aMXVI6L4i+881SqJSIVoaChno2nq4mtWG0/VyPOt1xrPh69QPnPFrL9LXqjycNWfqVOuwZ5MZuVWnHWPY6271VWc+7C23+rRjDsXudrHqrIbieGtMO95QhFvzoRMMRbI1k84GilqymKsbuO5gJPYoFHf4YUzOeO/Fxeit3uzeXu9CEjDN1189Qu0K3dESuHwxccTVGk86sVVXsSS2PKmvEmPSWVl97dUWtUQSVWzpH+Mfs/eJjc6wfOfnEevYYp+VxPRwwcIokR0oYt2Yy68s56QVcc2G5hp6b21NmuGoP4xN/ePGXvVcY646iiBFkkcDyxu7I1d+tOo4ZjlmeNi353KWVwxGDWBd2dielqCJdIcS2bXqrSpsqMli3plZdYotl9+v7r9LfqeB9Fp94TYp8jVie7st0muh4jubYV3bSu7WXcw7wayuJYyuqjfXUGwFls9lWRt6bTPwtNuFXtta4uxOWY2rw4TJojhjhtN1HFh3MEykOz2RX02xmyjTxd1I1FxjCuuKbqwWnroavjrr4UpZGStpNxS7tZE4TJTVuDacLl+Vh+7tcKWuhg89rOiLV2XVcYcP49vFdNEYTRdbZSXdKq/jZJHI9su8Gklec2OI2sTQ7SDVXQ2s+q078iN30ZCDWb21Mutaldnd8jsBFGd3g+TjZpDcbqCIt8aktbLqzepCx7Exl9cDXdlYvuqYehNDb+wOBJk/s/tDd4TpH5JHMbN3yncWL+q7GmyoGLrN24Ee3cKkGVhJq2Z5ODbnarDQdwHytDWzraEbnqErXJap15ou6g42+lpkTOTWfLLN4mKH7a52a/dlZzyXfW7LRuRaXo8aOV9qiT0G+8ro2l4vsvUZ8xEP+4FHawtPSyxPqxrzNL6g2NpYDzXf4Hr1IsmvMfs9nqmfvkvfZiAL7tBHFEUsIY6OmUHpjz/i32d1rTrQFAx9I1jUZ8vBrOlY+mx5UElo01lDdaCv1mBPbUJxthzPtapVr7GQXpV+RgoSzQLbzIRgdTib/7MqXNrGJiuRmxLbB82QxsE0CRB4cCPTwsj+lDbo95H4lvifECSOSLSBvyTGAeWsEBYhJ0Kwe/sxPCuOJwfroFStVmul1EdaQw5scUanDa0K+1pVEuWN1VCx0f78+cT+QXhShoMQnedXDAT1nUBY8DmhF1hs3jjHcEVc/23lPUNfFuXAcvms8jDCu5DNKou57Nt6DVu++srmk7Gw9E2vFVgujCQBUp7TnhEYCbvmeGPotXzo9agq9qoLbUcXukJYzi90lc5Fnj+OIVZjpPeoJcBAcNXGYq6uTIHxrsVWY7x87Nps3pkac7lu6gqWhNpoodewlOJHxny8HMyOZy6pd3Z2YvQ9S+z5MDnoVl/MZWiJ2J0f6Kkw7x21DL6JLX/hC64a2rqMLVGr8hktkXxJiJaZvUJJsGGejE2MxJkrCVVq13FsiK0GTGqvuR5Vush6ztNseDfvGw7Eu8jU5ZxGb8fqpmfqMLNRm9kZQ39MDREn38HbmvX1Uk7aoeC2l5LQ9geTWqF3tWkKm/nstcZsgW1RSWnM5diYqxjWdmdwuG5cLqbDT9I52G3gMdjcliwWmC3TwjWmbCZe1LVXmLSp6uHI0NKZVnJV19SbBd/s7VvrQM+uWboW291dABvjpSz2EqOhUUNvVhmdqdcaGXN7burNtdWAy4HWcWBDmZl9uSa4amzru4j7sxCTE7EXG+IOC75NTH2HJWFJLa9VlYRc7sHacWBVuzXnKjaE9RJtCbN1rkt9h415e8lylfu6P1wOxymMqS+Wj8Ih3ulCb66lHpWnSVNk/OZTcqfOHdZvXx+FfdyuA6kfPTL87G9ti9qtzfLlDe6M6dHtRVZPxag/JrJoRAvdfn2cNGfQw/RRWBfodALDbRO5z2GXA501DIVIgo0mNU1QZ7ue1msNtJncG89UZV7tTdTasCW5y/jRXbuyAN/Kxf9ksVmzxO3yadIZGXNI05kHsz2ITnmv7eT5JNSmtthL7L621fpsZuh07Lm6sfRe1dSHy8FMxVDUYqOvPFlu52iekISaYOpNB/p4vJirJKXdJnKhRjwmbV8SIPtcT/Velc0FsBbt5pP1idy5/96XN8urwl+xdqneQt+9Gpmv+V+/+rj/fBkHqb0L8cZ8bXcVNncsB3oTSw/t3KYii7Hx8h14Rs+azD7Gab5U70ZrlctoTJb++DWA2Z7pWDPVscUetPTeyhRxzPNI2+Xx7GPH0rf+IxvbT5oViU7aI7v343bF55YZH/mw5bNyvQvYlrDQd9xdUnd4Nxcp5O3E09YDX2UhTbV05Fru778n0gvbw5zS919gp7+qPt7j/9d3dVd9tcVeNaP1w57I+MC+5loiXnG6bI/vyzUL7w6r1UDvbc0J2+13G4P3MWkNG8yvGlx4rY3dV6rQ620HHnsuPcoM32timPbzrdWwMfQVYui7iO0ZaWy3mFxeWudqI6velJmzoNdb2SKuc5hsoFG9VsJyUupltWKm3Rq6UuM7E+5smOxo0hHQnNVYlrdGYLFB9MdxmNj6bQz7w53Ezy5aNbvfqfHaJsDlU7epTYX2b0/r4d2810msup0s9Fp3MVeduVhzFnWHBYljiLUzdmgnT+5ix+xr+Vpk5fWya85lvGioG+hje7QKHqCnMVsW7q+J3O/UFt4uWCTrR72KnwZrppPG4OfQw1VjltdZyVW3ti5Hpq4cyzFXaou6gmFjGC/qLb6d2+LMHQhtHza0VdrzYCB42JMEJ81nESdsl7EacvO4H7zxuSAFj5POH2lN6nhWg+Uzq9/LNawriTnvVCURx+/o3DfmKu8bMFm6cl+pLuYqnvPBdew+TjofpZ6yYfVwWpf/yeTJeWV1ntVjfRwbcwdLQmstCa0V5+1rMZtF+YzUV1bQw1tbYHOSurHn6taej4MinawnnpxVndTDwt+751YFui9ZHX4ZB630POvkV2XH54Y28dGH4xfW7/287cwv0KKY/0C8AokXYETRhxtQyu7xn1j/dwAAAP//mCIooIQzAAA=')
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
