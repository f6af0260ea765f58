#ps1_sysnative
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runScript = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass ' +
'-File C:\ProgramData\machineadm\run.ps1 '
$intoLog = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'
function ConvertFrom-Base64Text([string]$Text) {
[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}
function Write-Log([string]$Text) {
[IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}
function Initialize-State {
$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
Protect-Directory $public '(A;OICI;0x1200a9;;;BU)'
Write-Log 'start'
}
function New-PrivateFile([string]$Path) {
[IO.File]::Delete($Path)
$acl = New-Object Security.AccessControl.FileSecurity
$acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
$rights = [Security.AccessControl.FileSystemRights]::Write
New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096,
[IO.FileOptions]::None, $acl)
}
function Protect-Directory([string]$Path, [string]$Others) {
$acl = New-Object Security.AccessControl.DirectorySecurity
$acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)' + $Others, 'Owner, Access')
[IO.Directory]::SetAccessControl($Path, $acl)
}
function New-TemporaryPath([string]$Path) {
$directory = [IO.Path]::GetDirectoryName($Path)
$null = [IO.Directory]::CreateDirectory($directory)
[IO.Path]::Combine($directory, '~m.new')
}
function Move-TemporaryFile([string]$Temporary, [string]$Path) {
[IO.File]::Delete($Path)
[IO.File]::Move($Temporary, $Path)
}
function Write-Parts([string[]]$Parts, [IO.Stream]$Stream) {
foreach ($part in $Parts) {
$bytes = [Convert]::FromBase64String($part)
$Stream.Write($bytes, 0, $bytes.Length)
}
$Stream.Close()
}
function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
$temporary = New-TemporaryPath $Path
if ($Secret) {
Write-Parts $Parts (New-PrivateFile $temporary)
}
else {
Write-Parts $Parts ([IO.File]::Create($temporary))
}
Move-TemporaryFile $temporary $Path
}
function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
$null = New-TemporaryPath $Path
if ($Secret -and [IO.File]::Exists($Path)) {
$Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
}
if ($Secret) {
Write-File $Path $true $Parts
return
}
Write-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}
function Register-Program {
Start-Service -Name Schedule
$arguments = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
$action = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument $arguments
$trigger = New-ScheduledTaskTrigger -AtStartup
$principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
$settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries `
-DontStopIfGoingOnBatteries
$null = Register-ScheduledTask -TaskName 'machineadm' -Action $action -Trigger $trigger -Principal $principal `
-Settings $settings -Force
}
function Unregister-Program {
Get-ScheduledTask -TaskName 'machineadm' -ErrorAction SilentlyContinue | Unregister-ScheduledTask -Confirm:$false
}
function Install-Program([string]$Packed) {
$bytes = [Convert]::FromBase64String($Packed)
$compressed = New-Object IO.MemoryStream
$compressed.Write($bytes, 0, $bytes.Length)
$compressed.Position = 0
$program = New-Object IO.Compression.GZipStream($compressed, [IO.Compression.CompressionMode]::Decompress)
$file = New-PrivateFile "$state\bootstrap.ps1"
$program.CopyTo($file)
$file.Close()
Register-Program
}
function Stop-Installation([string]$Message) {
Write-Log $Message
$record = '{"phase":"start","step":"install","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
[IO.File]::WriteAllText("$state\failure.json", $record)
[IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
exit 1
}
Initialize-State
try {
Install-Program 'H4sIAAAAAAAC/8R6/3eiyrbn7/4V9Xpcl2Q62GBizjE9fecqUYQoUVRQuzNnQVERtPhyoVDJuf3+9llVoKJJuvvcN7Pe6rVaqKq961P7+y7yP4AUI4sgB9gZ8C3oegGyHP8OxGmQgDCA6AokJIwSYBFAXASevTgh4NnycBqjWqXaieMwbkHihcEwRs8oRgFE4AvgxiSMuEp1GIfLGCXJ2aSHUUBwJoUB8YIUcZVqQizC5qS7b4zI8u8tYn07guIq1Si1sQeLVXEafIM4TQiKeSvyuEoVh0vwBXzIeX2zw5AkJLaiGg6XHyrVOA3GMPYiQumjcIvixEUY19AOAV4Lh3H47GH2GCgBQbEFibdBgH9MSZSSbhj7FgETtCOA7+wQTNmZQ+zBDLSzyEoSwIGPFY7vUi7vnoLCrkWJCLhK1QtI2GeYOfC/tGkf/P3v79OdHAfU//43kas8pwETPZDCYINi0o1Dn29bCbq9oUAvviYk9oLlU5W+XYI/K1/pQ60TwNCh43d300n395qMyJgtvPhaMHq6u6O8clbFXM7ksvL9uK0ZewTx/XD5xk7KY41K4unurhVFKHBaGDNMVEtXgK0DH8HXTrDx4jDwUUA31dC27wXoZBMl8IhnYe8F8WNmJH9WqkGKMfgC6Cb3XowgCePs6e4uN+bDyEVuCZeVYRwSBAl/mAH5zK8zyi3vTU6FUXIXrc+PiqR8FnZiXRCs5ufPn9vTS65yEBLgEmLFhCsfTkNbfhh7G4sgKq2jHIcWcc/keI8wIugin6pULUiRUwaP9gpBAsYIprFHsloLQpQk1LniEDPq/RSjqo0R2Q/co4T5RBiPHQdTI7/g7u+GF63Pn7utz58/j+eXh+d265K7AlzOnbusVGNv6ZKEiu9HW2cJQb7Olj7d3TFpVEqoi/ONSYwsPz/cFdifehA66KAODW2vQLHpccnYtWK6RgsDdAVuhObt1UFojxEVcnKYpac/sa1X6jxVwBU4vD4SF8UJ1cgvC/7A9C9J//Gu3co1wKyppIXjO9UE+AgKUFeAe9wGKL4CB9Wc2/MYkRNsezm/Egg91QT5URhbcUbXvLbIqnOw/dxx6MTT3Z2MyGFLzfKPhvqrPnbgm+Mv2Eqhb3sBKk1fAe4//VqAttwJ9EG4QUfsp950GC5p9KceVpqgvC/KXIolr2Lh0IpJst/36xPdJd5ba27iT9X8l279HMbIgi64qEZWTIAXgHw9E7OdEcSc60cxmdJdVgqWNYbhIqe8AsIVyB9rfRQsc7j7lRIOE3TxxgFeR6Er8NUOQ/xUHSMYI3KQ4OF0DC3Zy6ZwjRMjysVV8Z7BRcGF0pQkVpwbXJzFQ3DkS7EinKB3CEvKyg3rokRKaV+bR4l5AbAkjZbj/NuyKAz+F8QAeCtwQAl7Z+clJCkskDHLz/cF/KOcnCfhiRmUGOjIoqm2TfW+Z3NJYwXjU/n+thJyceQYSZyi/fIYkTQOKt9/JvLHCAX7mMLl+Z5jUq9GrpWwuq7IfdWEoIi+e7TGitOIIIerVGHo0FXiUQG0gOTb+6Ln4qsXkKeqFDqISSVGMIydUrW3L0lXSRh8YIfkg5C8Jdqc9LKw2h0pQtOp/A6lyuVhUf7LxyjCFkSA+/p/vgWA/88nmhO581XwuMziXwS++fTn7fdvtcOLePud0n2NkWNBgpwnLlcMpS7cFfBLwvJZGWm+YJzaSREATgjy5VTszx7CTnKapqQQY8SEm9TGEYJ5UeXUHmMHxci599icFWd78lrLcS44pkHuCuSqvDydpNqkc/T3bArtPEL1RaeZ3k6ncbikMxT/SahllnbQQK6sK3BR2P4k5NUkDAAvhX5EGwvAK0GUkuKIxQ7M9MoRIYyyI68PRcl2LKn5E+u5yn3gskJPkGM/rUc34ZrWoigqBQcqm7PkQl9ZerdxCNdP1XboZEyX+ejd3jVy4sNw4SB5rNgPHvzjWE1e5HTgI+DuAJe7OA3yJM7An5W/AbYf+BfohnHHgu7eCv48Vu3gQ/WPD+B75XsFWgS6h2iwn6qc+iAog6l8L8tkTJ2bz9ur1xXD3wD0HdZnfXLAJwguSr1YAZv+Fu3QZe4J/dZ40pkpE+nxvgP4AAGhLLtCHierKsSNwy34QPvUfBlAgYMcsPWIC5gyGdkJ0YfTg+yVe3aSfVdTipb7wEPVRRu6D0Xk/EfRKFXKMnm9+o2y49WayzeQUW2co9NS36bl36/ApTb/raD4ddivqMrIZET4rgXLgCw/D9MbC6cs+hfhjU4AHv0TcG6YkMDyEXey7quGSO2eVewyIr0wIaySvKxNwj7t2JVgY8WeFRBWupyxjPK6QRlubnKucZiyOwUKUENEZ698y3Fo4OhavoczQFcD/h4lxAus/TWGtwOcUGP/Pgkc+FdlHMZk70D8MA4jFJMMMIYDRGIPgn+BMaLR9bCqy25KxErVyvc74lCGBYS3sbDLh2cLIiVw0A7kp6idjb6/3V6U+31rh+0q3yvHKEoVBnLh5SRljZ4uO9VrycwMSkclfUi3x6HCF4Ow2CR8ZvdHxYUG8BKwDsJt8GGvRkYIeBiExGfBiPvWuvjf/8Fffm3xizxr1v64+/SRf/pTvBKF+s33by9caSPK/M2dYBgQywsSkOQpD0DXimnOjRO6+Q+KqvfuSoraKj/q5bknDBCxHItY70ptjOKNB9EbnUjJVDiXkOju0yfxtlmrN25qxS9XqbrIclDMKsI/AddKiRvG3gszXY4StpEVoxg8xhbEiAOHgo9tmjtKR6rnDoK9Z0Q8HxXMZry1TXgE67xfHIIn4RoFPCGYTxAMAydhe9wKlHGVTRZ2raMkCoMEAW6YEg5cHM7yEXCfsEVQQj5ZkfeJ0XCX4LD3+YneA8Gx6oftSCP2wc5PN5fR2eaFcPebnMeMxA1jFmdex6L8oTaOsEcuuBp3+VV4+nUXKsM6msIAETd0SqqfxvgKfHWtxCWWjdFTtZfjLLpDehRCuxRa+4mfweGNxwRcC8eBjx+ZL7DUnxft+4Sho4Tk2wJ+mqC2lXhwaMWJFywBP/F8FKZkjCAQBcAX66qH9bEHKETAF7DAHt+PagaWPzBCEeDHudGAOsuyhasyjk6IEkBDRsyE5LzKKPfhNsCh5VycyepX2rGnagsvw9gjrl8au/eWKCGnfTdVO+27/3HB9SaT4R9D/XE2p5U5fRsfX7XH4pn1DWe3lmNESgMGzVA2Rjnzq/MrTvmHi7lBHraK7unf6Kp/1EKX2v5qmN+Nsc6S45+T8bJPD8rzCXFQHLNn9h87v3h7/fsNe83o/7cCe/bZ1M2NIHBXFY7nY0RiNt/IWbF33kHYYqN1NhrmZf/xKmUa40taI6Zxfhm/h/ajOrAwJUrzi0Ve1YIktWhffsEKFg+jnpW4gO97BMUWLprfg8D5gwmBozVd1ihNDqzgRyGVTOuN26TSFcbeA468fS9h+e4OLGn+zJlega0VkD3bD3/99mKMCC/HYRq9rskOuZqJoR9CC7OVgM8jWR4bS991wPnXmsvzS463mZwW1nSzFoRhGuQl3Zu4SoG55fhe4NG+g4RxHpjZ5JcS7mmCYvAvYLooRsf2pvpHbazc14qCAntrBLgxL/INvi7y/5NvCDR5XdYKiHuoJ6IbWkmyDWPn3Ry+X5C3JAimMUV2TA3sghflhQTgi98DFeBbyRBbXpB/TeqGMUTs/Kcn+3WFgD8r4/dJD9sWSI+3Oq+U+HNicNAi2qC4s4u8GCXHZeXRc6nqVuCE/tuy3VvAf0ECx1Ptb05Ldx906OsTqN9UqjGD8c4NvhRnEQmXsRW5WU3X5Py9qJ6GcbjxHBTveZSKQbblZaVsPAXuC85qif9B+/P3S82C/PL8AnKAaMP1rhUylzv4TuGAr5wnyb0nn/7y2u3Hyv3eQa7rfOPmhjs4R15PUCRHghwTyMML2O9ajO69Ka8Nvg48GIdJ+ExqQ9q9jdn3Vin0fStwklpOk1/LdXYQsaj/dFZRMBl6CbCAn28RPhebnnXurSRBMeF/EFxQsLmTHgfD6aSja61Bnk0OS0p9xL51cK2EtRKsSHhFvg/SlMHbWO5D3/KCI5r8nWkDhn6UEhQXBazk+UqQECugJbqErSRh5za94Lr+h1Sszb+klZqtPZPa0IrJ4/ORfX4W7qzhojRlMVrAYRSfQYLYF2vTC5xwm3xzkJ0uv2mIjBFJ2fdmbt+m5Xvk19bH/fejLBWeobg4h1GGwK6tztl8BFwhWzZdMDyVMJUJza7lG+JD7fdMULy1Yif5wR1I/in99AKkRFh5/T1hT+2EAfpwLKXeu7p845YxSdk3uBoswH+4Alwxxj5lnX/pZiJ/fYN9vCeyYoKcDywfn13ViWcXoKdHOFAeTlG61Nxf1QMuilFkxYg73BmeSLH4Q4aj/Dgod7O5KYTmtSZAH6cLUVhP5a5gSesHtWNk0G9mI1MTLLOZTnsqXvhGtjAbq8W41VQkZ+LIza26DdfTnrpZXKsYXmsj6Bv+YqZi29ewci8sVVGLbNlIHXnXGNWbqSPj1DGngYQ17EjiwK5rriPjje21yETGwmKmuna37TrycqkKg9uZBB9U2Unsuura99FgZGhT3XBVo6MN9c50ORy3tpI3X6o5zcNi5kaO1FpPOt2J0THmY0O/nwh6V1p++cJdgu+nknv2aM/NJRGCtcLka3Qs+So8nYmRk+6+rb/hvPiskR3hQPXZwgmTJLpOloveILVNQ5gbzfV8prt9f7eZ17vJrO5u4LWezk0RKz2xqUj6b+NOc2J0Gu3J1GgqkqEoko7tYH47EpratGtMdUN9HE3F7v0o/EuoxbdRF4v4ZwuS5By77XfJYiJ84a6KSpu2yaX7vivA/RxGEDroja3f+duYdWrT31pm+Zg72iPKVBfK2FzM1Bdqc8oq9Kxrw1uY3bU9bsSPvUFqmb9vnFXXW8x0V5OURPFJZPsj79FTH+w6TqmNLXwcODO1sCu6Ro9gXds4vpGhsXKLMtWz600BXuvZfNae2nWCbY+NC/tnxd+5Tn1XR1KDoMAIHX+3RaYYa4G7GdSNreJtvfmsHU3rRkb56mZjDeVmZAcMy3phipu+b9zMTXFry9NbbTUSBhnForkjStNxXVh3McyUWzNTXyy5k2mT+e2jbHiLCaxr5mI19/XV4MVdD1baarFSdgO5Iz7Kg0xbjcTBZPmi3XduBit9NbjvYs2cv2irtje4H93MJ/Prx8l8q62UG+1llM0z1XmeCYniNzYL2RgvTCfKz65Hdv3GewwSj1nBWLlVqJ+8bwns2NdqNK03V1bdEKiK7KAdQXl6289+3/Szmw2U8XYxbq7sekOYmzhdzNR139Q2dqC7ltnA0B95fUllc05v4D1i8pviE0xVk0OcpvP6ToTXOoZe46ZvJjcwa0R21hRtH6fWTI/m5i5CvrGmeBbmwl+YGsMy8ZuTed3Fi56RLMZqczbeFia0w07HuHF6qjuaqQET+3Xp2Pm+xJq1KLb63NyJb4vj5NaaSiQQqXAfXvtHGnjk3E2p5ccBIiih3nLy9QJwv/2WfprWDaFvaBgGi2heny7704Zrm9Pl4RBSi0yvdRcGugi7egPK0+VoZgh2XaT2vuJ+BUWYTCPHKkDQGvhw3cjKGG6bWmmC4g1HeyErJmk0ySIE7r3EsjFyPucfe98nYh3S/wsgaRImG/iXYBxI3gSxCr3gPGa9oQVVboi2vF0Ox217PP091WWcUROzr9XGbBLejq5VPJ/puDz+IDn3j3iHHVmDTFszNV3MdAwzGEk+Xs1NLYFZAyN5mmc22RDm4i52TBVDv4Ed2XhRs9YG1g3BvnbSxUxZqlk06U86RBsLLwNPELX7USD52Fek5asMp0hiuhi3tg/j9m+KbNxYs9FS7ezaU1Hvmh08HQnNjj5uN/8KFstshIuZGjlyN53Xp7fQa9FM79rBiD4HD3hABmNB7E86N4+eOxyP1+FIWEe6B9/CfvvQaaoPY/d+PMayuo2ihdcKX2NsEdufLgfSeomyNkYyFhRJf5X5n0fh2g6MxJZaTaVL1EnW6FgzFc+v9Q0MsPO4iu6hb7iObJTG1yE7b2/hQrxLLFOFB8/q7rZWfR08jKJoXu+u7N4gXcxcrOR6rc9nKrRl7M1kIs59I1nMdAhlEv236ewHZ1CkZmT7LoY+Fua0YptEmSI1A+h3U+eePsN/TjNh159MyWCyPNVLVtbrIOtPpoJ2H4YTYR09dDT1YTr/r5/H0z3LvKHVWzB6iaCV0Sqvmy2uDbIwGwLMWk2l0wrVerSxzJugL7WC/likKcW3TMjeKV1Rebr2VHcduQtts7uyZJyyisHI7Xlu6qQfYNc2t8HDKFzPC9+F4jHKDpnNNQVFcnuL2YjkWR3TSpdMWIpoM162bAiKJHZhoG7gurvKK4z2xDJ32A70BE1ZmovswMBsr5kaOKZI5150HydF5fyuPR2rHdG35W5A9W0H80Dy9OP+tKrOlECRkqUqq5HttWJFco42IDEb8RRJIE4dpwu5eQ0z8WUxU+uWqWE6Pi+qpOH0XTvayzpFZpfYElw+bMMgpzUyRxLX1kxpUh04fjebybtojncHjLNeO7bGLdI31Y19rb/QtAslMddHee834s5Mfk1DefZ9bWP7c3ruBzWjvJnc9jgZlsVMXxXyzGzfEBYzrSwXtpZ2LEc509ihCfOZKvSNdmbXNQyvB8v+dEG7ltF8poeKpKznPk4Lvu5CFvK44LXI6KjfgTXTaJxyoe+ItmnQ0oZm783EN66NQg+KJI7mM+3FkN3MKccvST/a6tp1bV9PFqPo2pKZzYR9s7GhXU2pGlbmM61LY+PCHEVKL3nIqwJquzu8mLWWtIpgsu4NloNREWtlLVuYXSqXydEeRNf2R0tTwMP+mp2bxk7K+8XpDcITvxTo/DSi/i15urCYucwez2jHFOPI3CWGbNw40vINP1inRk+N7PEy2scSh61tEdvsCvP6cqmKjb4xVbuTjjGdCcQYrY223hGfR4bam74I3oN088+HsbJWs/USbcP1vN6ktOmiJM/cX5MljWnst0OrJC1czDR7YAgPpTz/uJjBn/n9xJG7mdMztkaPlrjttjPTNxSvZVJd6xjKRrroaUPba5+Uv4okSpbZcGGAmU3lvFtHzK0o5y2JZb08sp7xEB9GD2/qj8YDeeHaPQ1LgfDwPIqae5mW7IXZyqjeXC/K+XUb7fNryf5o3Nbv7brO+J3ptsN8SZ7mebRLfcbJ5qbYoT3vTBbded2NbOYnYimeNRpzU0zUbP3wqkKNwoQWhs9e4CUuLcheXxYB7v/7fYSnvzhyVyhF6BH0WcYkutwV5saOzE0tpA0MlRLdB/YMz5bxivFlGVkVbbxb2T3jxZGNrG92t9aYZrbdZkEzmqSs4TXNVAac+82N09ME6He3fZ/OKw8qo9dW0Mdbh1mxs7WvHQwDLVyYu4T2k7llNik2n2YdaiV2vaHagY6hzzJSna25NgTYMwTdb2bUQpWujlFvtOxPjZuFqYksc+H2huJH47aEZm2XRj41a8WSB0nupe2fyoGd2Wts4UtnySKr2RBsYX9euBx2GsZEan0crn9uLa9l0sqG3nxH+f5blV6vLc79XTTP1udWPKOV0WLaTexcLqHi6VvHVBPL1E5xzDRxnmeFlHorlJn1e7QCgdfGal43XooK31ck981uQZ+5tN9+eTjXv6TkkdRfbCh+GvUeJP2FNtiwN1rSCinHrUfQN1aO3MyQIdw+rh3sdNhZ3uSp9LbLab1Jo8lw7kd4fp1nCJVGJXNUVLXNtSI1VzRKwMBIp3Uts2btPFr2DjYYKxKtZvTNRG6yyvinFfsxopxX7HlkCgQWAf5vAAAA//+eyUPoyjYAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
