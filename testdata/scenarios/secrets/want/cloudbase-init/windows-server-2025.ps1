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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSt7g//kUtb05Y7I3ekVj7jW9PedREhGiJKIC0p29B6oqihYFA4VKZvr57HuqQEWT3O67M3tyjFL83uv3WvA/wdBFGHgZCFy48Cl2UXAL4pQmIKQQX4GEhVECXAbYAoMXP04YeHF9ksa4dnZ+H8dh3IHMD+lTjF9wjCnE4AuojFkYVc7On+JwHuMkObnpE0wZyeSQMp+muHJ2njCXiXvy7TeB5AZ3LnO/HYSqnJ1HqUd8WEDFKf0GSZowHFfdyK+cnZNwDr6ATzmtb14YsoTFblQj4fzT2XmcUopjjhyFGxwnC0xIDW8xqOrhUxy++ET8pCplOHYh89cYVB9TFqWsF8aBy8AEbxmo3m8xTIXCIfFhBrpZ5CYJqPY4gQ+l5+LWokQClbPzUBDlkoD/rU8H4O9//xjtSAvQ+PvfJG6HhZsIYyXMjZmwHo74tc9lj9OIYVQ5O4ch4lDS2dlLSsUeATmkaxyzXhwG1a6b4JtrrtTF14TFPp0/n/OrS/DPMwAA+MovavcUhojfu72dTnq/1xTMxgL44mtB7Pn2ltPLyRX3ckKXZ99LvK3YZ7g6COcfsFMfa9yGz7e3nSjCFHUIEcLxfb0CAhb8Ar7e07UfhzTAlHPW8WbgU3zM6SkOGYZMbMmB2ZPLFjtm5y4k4AvQ8ab66C0xZGCMYRr7LKt1IMRJwl0zDomQaHdrj1kbY7ZbvMMJjP2IhfEYIcI95aJyd/t00fn8udf5/PnzeHa5/93tXFauQCXnULk8VXuM2RHzCyHylWD5voJ3fowhC+Ps39RyT+cvq/p42+3k6j6qslpW+XBdqP24oTi+Am+03zP/SybgSj0RF360wWhHFXwRXPjN59tbBbM9P90NcM4gF+acpoQU4GWh5Bi7DB9sfaB9UKIgL4eB51NcArkClf8OahRvKsfyD8M1PlVAx5sr8K46JS+5wwSzI7lLNznVi5xOAVDmqYU+rT65MUt2PL8+cz4xS64ElTGLsRs8n+ffO+YvYYxduAAX55EbM+BTkOPs7gvbeRnDCTfen2UFjn95wMnZ1ERiuMgpXIH6VUGsNsB0vtPx+1kZQyZhgi/eSy9vQ/4KfPXCkDyfjzGMMdsbeK/63mUo3hTRIvYlt+CphXNnuODAl3s5OIz/Ai4KHmXDlHORYFFS57AfhUXBRYnTY4Sp4MNThsiIlcuc1cF3cqFzQcvG6CD075kij4Qf2CKXMKe8F/GvG2VP+uetcsLz2BN471Ht7grnxVefsudzOUR4r16MYRijUrOw62iWSUg/7SWv0pCV9b3f+glLLgr0yyP/Z7w8fSlDG9g9qmGXb4Dz72qMI2Hjytf/842C6n8/82xZ+QgaHsDd6mu92n7+5833b7X9hXTzneN/jTFyIcPo+UBJ7AanUoQWqM4ZuK63b8qavGFZG6deUgTwEXKOukf8fpD4xccEJcelRw4JwWKDkto4wtB3if+KUe0xRjjG6M4X99w4OyVT6yB0URE9T+UK5M3P5ftAvA/iMPz7AxC89Rn3BQ4mfOJ9MBLOOQTX9wBR2lyRbfa7mzvEFbgokt8krGpJSEFVDoOI97+gqtIoZYUpCk6X5dRWTjFhlB1ofira3kMrWD3yVi5lnBZ6cO1yvY4iQqXrcIWrY4ajUkbghjypN/xS1HiPhHD1fN4NUbaPmvzO7a77zAkc3Sr60ENE727sW1G+uG8EwUVOA/wCKregAn4BparG4qzklX8DQhbwL9AL43sXLnZu9c8SuU/nf3wqzJn/hy6DixKVY9D98nHCOBK6IHacXtyYVccC5v3m428ABkjMFr8i8CsEF7vho1CQf+dDQClLDjrjyb2tTuTHu3tQpRjUj/LLsSGPoPdAbBGHG/CJD2o5OMAUYQQ2PlvkriHQj5A/vaPhzl1OVCx364dqu8+hfPP5iPMpd0jwX8UUcJab+GC0txgf9Dhv4C7fE5Nv3Kmoehp4vNn8Wdl5bH0rsP6aDm8wj0RUMKv2XFiWzA0OdWjtklQMcpWDH3AAUMX/AJVFmDDqBrhy5Ag7nK86ZrU7muRNbT9MmOhnL2uTcMAHXJWu3dh3Kbsop5kTFlHsr12G1af19TGXOEzFPM4V0DEzxGW1gxDPZj038EkGOBao3uGE+dTdHQH4W1Cp18Tfr/UK+BcYhzHbBWv1KQ4jHLMMCIJDzGIfchjMS8MeqidOGaSDNG7O9yCP+lSI8r5MYoZ/cSFWKcLbQpvayeqP2e5MveNf27M9sahoFHLwshVL8ViM9JUE5Nb3E8BxVjTc0E/lMnBonyfhUfP84Tje5c3yRcH98o373YUbSkIXHVxwGpN30n5x2SHzMPbZIiit3flznLC34wAVmlDwXxeV/mTy9MeT8WjPePPBr8aHS/2x+H3UMp1M8mPMSgsm912P4JzJ1Smw8qfAlWFh7aMK+yf9/XkYicYEfOG6VF+S8XzABa9WE4ZwHIvf4p/QR7pp/n4tLjP+/6Yufgfi1vV1Pb+sxpjF4n6rdF1FmLhitSFWQ95liB6fb8vlrnykcX42tRPsZ8tE4XEc/y/k/mLYZ6nLm/4LkbR8gvtusgDVgc9w7BJRt4QJq3sXAQdvuaxx6IOYBTUu4In7fDDO8nnqvcBBAhmEL2CzcBnYuAl4wQwuMOIxVPApK/Lj4WiMWVWJwzR6PyvvA1oYYhBClwhoUBWRW2TP0sknOD3PPJ4MSrPU+8TeqcCccwfCMKV5Vv9Q0FIu76DApz5vYVgYH2dzAfSlpNA0wTH4F7AWOMaHTur8j9pYvauZIu1Vib/CoDKuStVWtSFV/1e1Va9XwPfLWknmPfU3Bn5yk2QTxuhY9KO8kwMc2ksM05iLeWiixckTzhMgqBbfe0xQ7SRPxPVpfjDbC2OI94Y5VvXnt65ktvHHJPYiFFLvcWLM0pgeZZ2T7f8xMbDferzG8f028mOcHMDKq2/MbrgUhcH7xi/7zX/APG9V3Z0BlaY+vvT1GTSui8FbiPfBmaQcZxEL57EbLbKaoSv59RjHax/ipzhc+wjHZTql6idYF21ayfsKnS4qbkf6H3zA+Li+FiQu35yjDDHv7T70YxHORyFZBPibmEyOgzIH+/I2zYzVu13cNRvV1vV15U3MHQ9HXMoDgVxekKe4HZtCi6OEc5iQvg59GIdJ+MJqT7x3HIuHI3IYBC5FSS3HzU8/7rcQi5r0/MFctWtvXBDkLMOXQoj3Ro1OkuCYVX+Q5DBd38qPw6fp5N7QO8O88B2Bvd9ucTmgSwhG4A2NP5HmLgxcnx7kya/3iQqGQZQy8SyJb53sBypNmEshBlWZuEkiTGD5tNn4Qy5gx1nCcHDSMO4I1Z7cmD2+HLM5aFQ50Yjjlq3rAiQwP4MEi0dQlk9RuEm+Ieyl8286ZmPMUvEEqXI6CuQ8QdWlqCTPblVU7w+kujgVqyySmOVPyF0eDP7TJ+1ixro8e/O8A+R3fp5QfoZyeXbw1N3DM26Gt2d8h9HTjRlGn/Yl/eSsQDr7fvb2dPgN9v5QtHQSs5OAT2E4cmNc2R9mHM2mxZPDw0hagUovm1n10GrqdRiQ1JHqq6nSq7vy6kG7NzMYtLORpdddq51O+xpxAjNzrNbSGXfaqowmSGlvtE24mva1tdPUCGzqIxiYgWNrxAt0ot7V55qkR55ipkjZtkaNdooUkiJrSmWiEyRLQ6+hL5BC1p7fYROF1B1bW3i97gIp87lWH97YMnzQFJR4DW3h3UXDkalPDXOhmff6k3E/nT+NOxvZn821HOfBsRcRkjuryX1vYt6bs7Fp3E3qRk+ef/lSuQTfjy2XJjiugEoSYVgrXLDG15Kv9WduxnM3r6BFiJZaKVBZYRzhuPL5pFDsMCrQpW6c/faP9uuqsd201qDjSpVTAV58gk8FgCFlrk9xjE52svRQG/CF5NsBlP988ec1FgakcthiFJgZbAjzttU79UEmbOP1TeparVd7FHlQ2UpOg6Qwu6au9Xs6E1vUizy+1XKLQtpdDuhsOwj0zB0jVMYf+CjystbSa7TqM4ukjq2tBgHKoDJM0fI+nTW1SMtamWOhCDaNDJv1B07fCQi1m/kWP407dPQawcKFFt7UWCClB4/k6G2Xjq3VYdZaaZvwwWp2E2ShyKPDVGuQ9SDQ1x41Fq7VIjAYpU5T28yyVmM4bi1hsKIDqhGnQV5RX2sJ2MCJnKb+7+kyFrCBayGOW14nWOkxqGyJJtX/Q7IOU61ZXjevZ5a08ZQpHQQ9CSkLJFPz1bG1dGZJedg1u5KnbAn04QNUeq+widYwGAl7zxq9dGZrLb1538JBkuE+lJAPH96Gx/+rd4q3D8q+iWOW1NC3GM95E5PV8NYNIoK/LcKEJTuffXFJwp32p8Tga7soPRFi9Y34EFOIayuclWLBU8gyT1/S2lmGc0cxmbeJYsde3aiKvvCCXoYnaPtoR/GQLpq6PfuBTWiI8A+sUHoHY5V6/LuWuUchijNtARViObb2yjOtugx9t2n6jtVbeeNW/Ngfpq71+xote75jGwtdVhM1YJEXjPxHX3vwGiQdFWGFbK3IphzGiGBDX/MUgMfqDc4032u069xNZ3Z36jUY8XyxXt/9Vumq7vSNLRq3GKZmiILtBltSrNPFetgwN6q/8Wd2N5o2zIzTNazWCirtyKNClpVjSeuSe97oy1F9mHFZ9MWI49wvFrCxIDBTb6xMe3WV+0yfzG4eFdN3JrChW85yFhjL4etiNVzqS2epbofKvfSoDDN9OZKGk/mrfnd/PVway+Fdj+jW7FVfdv3h3eh6Npk1Hyezjb5Ur/XXUTbLNPRi1xM1aK0dxRzvQnRmG5HXuPYfaeLzsJ422ku3Yda53T3ajaAyvRlkv68H2fUaKmTjjNvHacE6CmF/IGviHuoP/UfCflMDRri9c77TdNbYSrBpEOi3rgdWcg2zVuRlbckLSOraRjSzthEOzBW3rWM5gWPpQpZJ0J7MGgvi9M3EGWtt25baH1Qx6rPT+ODOFlPMcMId9OgkHlR++y39ddow6wNTJ5A60awxnQ+mrYVnTee5620Jkjts2jQWkBoS7BktqEznI9usew2Ju9iy8jNSHCcLXiiLMawYFStlgKo4GE+jSRZh0ElZGLjMhz/DJkymEXILXd/hskldXtXXJzzu/MT1CEaf827sYyRxJPCfECRNwmQN/5IYe5SfFuLY6AZO8ucNf2L4d0kvQ5+eJrp3/EhTtEh0FzK6eyTbmDeEM1ujyJKIR41XXo1G8py6QTvyfJioMmQihHhly/i1wBvBoE1h0GOG0qvPzC2bWXrIQ2xmGcxWmDQLzIWj1FNs9Zgnw0j2jebMNpauzHlLqdcczR/uEW8qJ46tNVxLJ6osPYqKmOMnjj2aD6bHja3ae7dB5fQDT+lRmO11a8xsDXoK8e09PQMeUrVUwLeIR2dU9o0YWRrxFLMuKnKmUlVO5oW9YlVG8BBrvGuY+qpcZ6hBUkdpN2EmvR70qLNd5/Q0Hd7YfWcByTZxLe1Ao7ctOhJY2KjD7UwgHTFHIdmf4G3cxmquZZ1Y9jtzVe7QwVgqlYoOy2GLPXuVuC0IUvSchq2ljm0QKG3fwRG6Cbm4Dj9JZ2+3vAM62JL7ArdlnpdGjHeNs4b5CrMOMwKSOGbeVaq+4btWq7Q3O/tKXRggybPMFN1vI9gczTWllzlNkzlWq87pTIL2o2Mj27VaK68J5wOzu4BNfer2NUn2jRRZ20TsZ8knx0ovdZQtkSkKXWtLVHnOvKBdV+WD3IPVYgHr5rVrG8SRV3O8CbmtD7o0tsSxO3Oek8Ve94fz4SiHca3Z/EHe+zubWa2V2mPaJGspnJ89CW8Me8HL2+uDvPPbVaT2kweOX3xWSDGvEY+XE9wp1+O+l3g9g+D+KNQUJ5lZ6PVh3JrCgLAHeVWi040cvxNqfQE7H1i8HuihKiM8lkzZmG57Zq89MKdabzQ1dLveGxvSsK368/TBX/maDE/lEh9NaUmespk/jbuPjg1Z3mIQPmyySdBjzrh7iCdZmiCll6G+uTH7vER3u8g21p7Vq7vWcD6YGgQqZur09SfP7x6Vb1WWZNdqLSAlo5lthDntTqiVcsRD1qGqDPn3amL16rwMQynZ2uPVG7kP+/exvEVclT7l3GUEM2v76hR7LT79+sPu+2UU5fYu+Rvfa3Sv8/ZiPrBaRL3rHGyqcB8bzT+A5/S88fT3NI+X+s3jyhAyOuP5u5OYZ/WWrkJSEUfm9uDPlCw8a0MfRuGXN71AFCa8LL341E8WlT9/Xp6/lnx8MvH//fTBN16R0qsXtH5YgDgf2Dd9PkIIunWeTDXJI9ul1zdfkWJmA6u3ccfwQVO2a0cUDXUFm9yIJpwF7TXq63UY9DaDgN9XHzSOH7QIzIvnxmsiAqkeOtY24T107khtLleQJxXp0Wu0NI8aBAa9JVJIQ8A0zTrsm3UjaGc8ANReEZhT89qxdEnMA6S75rLjcVfGNk9oPEicyONN3Y83PUPWdQr7w60qTmPaEup3JZFIZDh/um+ZE7nzy9NqeGP3upnXQNnMku5ntrGwFWkxayz4GL9wFOkdO3SyJ3+25fb1qJl4h+R079oamTWNNaQEPS6jOxiY3Jal9VWo9bvSLNhGs2z1YNXJ02DFdTI5vA0DUnemh6Sm+sYGWVriWvqxHLYuzRo6gc1hOmu0xeiOlKk/kDsUNs1lXmBgJAckUOVFHjwKyXif7jW11nHyPdlzWY0ext3f8gTQDbwmDx6eLOcr2NAz1+7WVYWkH+jcd2xDJGmYzX2tr9dntkFsRVt7zZH/MO7+rvb0NU8+k4b2Dy7PgVeRVHnys0apYy+IKrdXqtxeCt7UTL3AzERD0teXMCAbJPOmxFgj29ggexSV6RQF6M3p25vkU/p8eBJXovtSJL2XUVTMNh+8J7tLGCik+NPxu6EfvU33zgtvSSpeCq/BMIgIZvjTFagUa+K16v8bAAD//3AC4ebFMgAA')
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
