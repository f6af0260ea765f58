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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7Q6e3eqSJ7/51PUZnPGZDvaojHd5u6dM0oUIYqKCkputg8UFUGLx0Chku47n31PFSioyX2cne0+uQr83u9f4X+CgWEhYCbANaDteMiw3AcQxl4EfA+iWxARP4iAQQCxEXh1woiAV8PBcYgqF1edMPTDFiSO741C9IpC5EEEPoPShPhB6eJqFPrLEEXRyUMHI4/ghPc94ngxKl1cRcQg7Bn/8IUhGe6jQYwvuVCli6sgNrEDM6gw9r5AHEcEhWUjcEoXV9hfgs/gMqX1xfR9EpHQCCrYX15eXIWx56GQIgf+FoWRjTCuoB0CZdkfhf6rg9lXT/QICg1InA0C5WFMgph0/dA1CJiiHQHlzg7BmCnsYwcmoJ0ERhSBcpcS+FB6Km4liDhQurjyGVEqCfhvedYHf//7x2hHWoDa3//GUTvYRsSMFREjJMx6KKDXDpU9jAOCrNLFFfQtCsVdXLzGHvMR4H1vg0LSDX233DYidH9Hlbp+jkjoeMuXK3p1A/68AACAZ3pR6XjQt+izh4fZtPt7RUBkwoCvnzNiLw8PlF5KLnuWErq5+FrgrYUOQeW+v/yAnTisUBu+PDy0ggB5VgtjJhz16y1gsOAX8NzxNk7oey7yKGcZbfuOh445yWhbHoXOxiCIUsz5jQxiv8PvEWFE0HX6mD28MiAGnxmhoblCkIAJgnHokKTSghBFEQ3d0MeMwv7RAbMyQWR/8xFFMHQC4ocTy8I0kq5Ljw+j69anT93Wp0+fJoubw/d266Z0C0oph1ImSegsbRKBz+D5WyIkEUGuwkBfHh6YqRl6QYNM3wkJkeGmyt4erDDwLWoJPkQGQTLa3u4Z5yAT2wgpjOx76BbcVZv3+bNhQA0fHZ5SKxz7ZBT6BEFSfnRCBIkfJu975YcNf6Dz09YfPrRbqQeGIi8WvZBfZ54Ybj0U3oIjh1CVD8xfHh4miBxJtrfsuQlYWGIDfhCQV9aeKnW2OKzQhy8PDwIiB36y4R7HqRdjnIEXhUr9mNs6p50rkZHnfdd0PFQAuQWlf7kVD21Lx/IP/A06VYCFys/nV+EhpXqd0skAijwl3/HKIyMk0Z7n8wvlE+4jMw3nl6v0c8/81Q+RAW1wfRUYIQGOB1Kc/XNmOzMhiCXWtwoZxb/JcVI2FZZg1ymFW1C9zYhV+shb7nX8elHE4LEfoev3KuJ5iboFz6bv45erCYIhIgcDH1Q/hIyHtlm2ML+kFmSPnFdwneEXlc7tmVkEXJ9US0a0qAHCEfo2hYI308C7ZjSKRPLYSYVOBS0ao2VZ/zdTpJnwHVuAsuFZxfDr7JyIRFlsHoVHqtxn8I9ip5v6R+FRIKQgg7asNo2DPbkb8EtGp2CKDzyTB0MqObgiYYyK6PS/EJE49ArUvu2OYYC8fUEqpW21dNKW6aRWbu/HjOtnxyMvV7xvoYNlQwT90CqMVvv5bxX53uVBp7Lnk/csm6If25bQZv4ZnJvv0PFvzoDTz3KIAube0vP/fPFA+V8vtFCXPoKGObhRfquWmy9/3n/9UjlccPdfKf5ziCwDEmS95JSYnyiVLKtBeUlY2ytqcsayMonNKKsdR8gp6gHxay7xq4OwFR13Pd7HGDEHRZVJgKBjYOcNWZVhaKEQWY8Oe2aEySmZSsuyrktsQizdgnRUvHkfiE6NFIZ+fgCCdg6hsUDBWEy8D4b9JYWg+uYQBeey2D54Nw2IW3CdpdXUL0uR74Ey77sB3RZAWfSCmGSmyDgdlZNixfGDJKd5mS0J+eBcPorW2zStUlpUu1Svo4wQvY2/RuUJQUGhGFFDnrQ6esnGCxP7cP1y1fat5JA16ZOH/ayeEjh6lE3teZ3aPzgM7nld6PtLcJ3SAL+A0gMopaVl32xImBSi8m+AyQL+Al0/7BjQ3ofVnwVyl1d/XGbmTP+FBoH2WUXagx5uHxeMI6EzYsflxQhJecJg3p97/gaga7FN7FcL/ArB9X5VyxSkn+nKdJPXz35rMu3MxSk/fOyAsodA9ai+HBvyCPoAROzQ34JLutam4AB5FrLA1iF2GhoM/Qj58h0N9+FyomJxtynU9n0Npc6nC+FlVuf/ke1MF6mJc6OdY3wwXp3B3bwnJnXcqahy7Jp0zv1R2Wlufcmwfk6HM8wjEQVEyl0DFiUz3LwPbQwcs7W3lMcBBQBl9E9Qsv2IeIaLSkeBsMd5lhGpPLINRUCk50eEjdI3lanf97coFL2NETqGR65vTlt1ziJIpyRxtLk75hL6MTu9oArIiCjsstyyLFrNuobr4ARQLFB+RBFxPGN/YOLsQKlaYf//Wi2Bv476ysQPyT5xy6PQD1BIEsCIDxAJHQj+AhNE28QBqsvOZ7hcMiOVIZdNHGVivS8fO/14NSASPQvtMs0qJ3e/z3Zv9j3/yoHtiXXZ0JCCFy1ayM3sMKQUgdQTTgQoztrzt95lsSV8PKR9dJCRzWop95uzUHz0tx72DSsPx1mIz1vAu/Ppy1ULL/3QIbZbuPfoLFFEzpcUjynmgX9cl3rT6eiPkTKcL+hcQq8m+aU8zL4fTVMnRyITRAo3VBrWJkYpk9tTYOGbwKVBZvyj5vvzW8f7O8ZhJyqQ9tODBDZ2l8qv0WTZp4qXyxGxUBiy7+wfZg/uvv77HbtM6L/3VfbdZY/u7qrV0u1BhFK5HCISMrhGSpJdly2EDXa3xu76dJDx2DY6C/HNvkPFYXpYuBfwRztRFsgU/yfaS3aUQWKDrjTXrC46GPWMyAblvkNQaOB0R6CuKB9CDeRRd1Oh0LmYGTUq4EkYfrCsH7bAk3y0GDLwX8HWNgjYGhF4RQTayKKpmfG5/KnVb4JIWQj9OHi/8B/qBDNE34cGZtCgzApCVqALR9Hg9ID5ePkobIrvE3unyVPOLQj92Esbx4eCFtpFy3Idz6FTEvHD44bBgD4XFJpFKAR/Ac1GIcqHtas/KhPxsaKyalrGzhqB0qTMlRvlGlf+r3KjWi2BrzeVgswH6mcGHhlRtPVD61j0o3KWAuQTLIJxSMXM53R2robSugrK2ecBE5Rb0QgbjpeelHf9EKKDYY5V/XHXFcw2+ZjEQYRM6o8X5jP3f58YOLgebVDY2QVOiKIcrHj3zOyK4Vm++77xi3HzbzDPuar7E67CYklvPb+A2l222zPxPjhx5cMkIP4yNAI7qSiykF5PULhxIBqF/saxUFikU2iqjHU2CRaiL9PpumS0uP+gO8zHbTsjcXN2SjRAdHz8MI5ZOh+lZJbgZzkZHSdlCvb5vMxMxMd93tVr5cbdXeks5473LyplTiCVF6Qlbs8m0+Ko4ORL2PPAgaEf+a+kMqLj6YS9reJ91zU8K6qkuOkBS2cHEetJLx+sbvupyQBuytJ/zYR4b5tpRREKSfk7RQ55mwd+OBjNph1Fbg3SxncE9v4UR+WABsbIAmc0viHNo+8ajpfLk14fChX03SAm7OUedR3vuKIXEcODCJR5bEQRM4HmePXaH3wGm74xOZlD94QqIyMkw9djNrlGpRONKG7RugawGOYnECH2TlBzPMvfRl8sZMbLLzIiE0Ri9kqvdLptpDzTY8pcnv1d1r0/kOr6VKyiSOy44ITcTW7wH36PwNa4m4uztzkgffLjhNJjmpuLPFL3bzOpGc6PEfPt1ggJsi4PLf3kOIK7+Hpxfh59hn2YPQuHPXsJ6KKHAiNEpcN5ydH6m73KzbfeEhS6yUKr+lpdrkIXxzpXXc+EbtXg109SR02g20zGmlw1tGY860lYd9VE1xorfdJqirw1tYTmVtr661lP2uh1CcO6PIau6upzCZuujMXH6lLi5MAU1NgSdo1xrRlbAo4tbebxWMYWzw3MmmxbAt6YTotMBVzV55Jtdtu2JSyXUnVwP+fhkyRYkVmTbPMxGIxVeaaotqR25JHSmS1Hk9aWdxZLKcV50ud2YPGt9bTTnaoddTFRlcdpVenyy8+fSzfg67HlXh2MSqAUBQhWshCs0HvRc/XlxIwl/uHL+gtOp9gK2ZESuHo1cMQsierRUu8NYlNTqwu1uV7MFbvv7jaLWjea1+wNrCvxQuOw2OOaIq/8Nuk0p2qn0Z7O1KbIq6LIK9j0FvfjalOeddWZokrD8YzrPo79n5Kae1/qDKj8akASncpuul2iT6ufS7fZyG5AUjyXuAWl74vh+RZ6h/UHPw9Yxyb9rCSGi0t5PKJEsqGANX0uvdGYE1e+Y9RVR9e6a3PSCIe9QWxov2+sVdfR54ot82IkuiQw3bEzdKQns4ZjGmO6iz1rLmVxRWGUANbkjeWqCZqI9yiRHLPWrMK6kizm7ZlZI9h02P3q/rvo7myrtqshvkGQp/qWu9sijQtlz94MaupWdLbOYt4OZjU1oXQVrbGGQjMwPSbLWte4Td9V7xYatzWF2b28GlcHCZVFtscUp2PbsGZjmIj3WiK9GUInkaeL+6GgOvoU1mRNXy1cZTV4s9eDlbzSV+JuIHS4oTBI5NWYG0yXb/Jj526wUlaDxy6WtcWbvGo7g8fx3WK6qA+ni628Eu/kt3GySCTrdV6NRLex0QV1omtWkOquBGbtzhl6kcOiYCLeizRPPo4EpnZdCma15sqoqVXqItNrB1CY3feT3zf95G4DBbzVJ82VWWtUFxqO9bm07mvyxvQU29AaGLpjp89L7JnVGzhDTH4TXYKpa1IRZ/GituNgXcHQadz1tegOJo3ATJqc6eLYmCvBQtsFyFXXVB5d011dk5ksU7c5XdRsrPfUSJ9Izflkm4XQDlsd9c7qSfZ4LnnM7PWC2ilfYsxbVLbaQttx75vj6DSNWsTjqHGfzvMj9hxymqY08kMPERTRbDk6gwWl336Lf53V1GpflTH09GBRmy37s4ZtarPlQQm+RWZ1xYaewsGu0oDCbDmeq1WzxtF4X5V+RAo/mgWWkQlB59xsOM4G+NI2NuIIhZsSXZaMkMTBNAkQeHQiw8TI+pR2r4+R2Ar17xAkjvxoA39KjAPKu0KsfMc7rVnveEESpMB0WJd7HOJdSLvcYi55lsZh01PeaGcb80vPcJuB6cBI5CFhIe7qgZ7Qa4Y3hm7Tg26XKEK3ulB3ZKHJPk2BhaaQuUC4havaulCNkdYlJg8D3lHqi7myMnjKm4vN+nj51LFop5zqc6lmaDIWeW7IekmKH+nz8bI/O+7WYvfdrkvpu6bQ9WBy0K22mEvQFLAzP9BTYF51uQy+QfuTxztKaGkSNgW1yrp7InoiHy0ze4Uib8E8UhsYCTNH5KvEquFYF5p1mHBvuR5Vssiq9Wg2uJ/3dBviXWRoUk6ju6NlxDU0mNmoRe2MoTcmuoCTb+Btjdp6KSWtkHdaS5Fvef0JV6j6LZLCZj5746gtsCXIKY25FOtzBUNu9w4O043JRXX4QToHu/VdCpvbksYCtWWa1WNCp6lFTX2DSYsoLo50NZ2GREdxDK1R8M3evlwbuhZnampsdXYBrI+XktBN9LpKdK1RpXSmbnOoz625oTXWZh0u+2rbhnV5ZvQkjneU2NJ2EfNnISYnQjfWhR3mPcs3tB0W+SUx3WZV5HO5+2vbhlX1zpgrWOfXS7T1qa1zXWo7rM9bS1rRmK97g+VgnMIY2mL5xB/inSy0xlrsEmmaNATKbz7175W5TTvV2xO/j9t1IPaiJ4qf/a0tQb2zaL6c4M6oHp1uZHYVjHpjXxL0aKFZb0+Txgy6mDzx6wKddqA7LV/qMdhlX6PVVPZF3kITTuWV2a6rdpt9dSZ1xzNFnle7E4UbNEVnGT85a0fi4alc7E8SGpwpbJejSXuozyFJpwVMJ2gyZa2nnecTz00toZtYPXWr9mgLbbetubIxtW7V0AbL/kzBUFBjvSePTKd91F5FnuMNrWFDD48Xc8VPabd8qVAjnpKWJ/KQfq6nWrdK2yTkot18sj6TO/ffx/JmeVX4K9YuxV1ouzc98zX761Wf9p+v4yC1dyHeqK+tjkzb8LKvNbD42MptKtAYGy8/gKf0zMns9zjNl+r9cK0wGfXJ0hu/BTDbUGxzptiW0IWm1l0ZAo5ZHqm7PJ49bJva1nuiA+9p7wj8iDawV8dzIrv07feM6Y9fj9et//eVylHeLKFbzWh9twFRPrCnOqaAV4wuXbd6Emfi3crsqW+WoCZ9rbs1JnQF22101jTENaxTI6pw4TY3Vo+ujt0tXXb0RHySKL7bwDBtnluzbmHoyb6u7SI6DqeB1KRyuWlR4YZmrSGZnoKh211ZAq4xmLpahT21qrjNhCaA2M0Sc6be6ZrMsdEetzdUdjRp82hOCxpNEj0w6Uj0facnlnYXw95gJ7IVs8lZvTbHCgkPl6NOQ53yrV9G68H9vNtOzJqVLDSuQxe7ucDZi5odmCwQuXfs0EpGzmJH7Wt6amTmxaljzCW8qCsb6GFruAoeoatSWxbur32p1+YW7i5YJOsnrYpH/TXVSaXwc+jiqj7Li5roKFtLkyJDk4/lmMvcoiZjWB/Ei1qTQIE2pZnT51serKurtMHAgHexK/J2mjwCTugcbdalxnHxPfE5LwZPk/ZvaQFou2adJg8tlss1rMmJMW9XRQHHH+jc0+cKK9IwWTpST64u5gqeC9LGrI+dp0n7d7Erb2jxmdakf1J5cl5ZUaXFTxvH+tzGIt9ci3xzxXh7amy6asIGkp68gi7eWjwdSpSNNVe21nwcFOlkDejsSOGs+BT+PjxeKNB9zYre6zhopscOZz/+OT7esXwPXR6/V/zoV0jv/FAoitnveCvQdwOMCLq8BaXsHvsl7P8GAAD//5C0uycrMQAA')
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
