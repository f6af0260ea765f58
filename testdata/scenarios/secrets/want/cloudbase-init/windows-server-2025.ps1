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
function Protect-Directory([string]$Path) {
$acl = New-Object Security.AccessControl.DirectorySecurity
$acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
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
function Install-Program([string]$Packed) {
$bytes = [Convert]::FromBase64String($Packed)
$compressed = New-Object IO.MemoryStream
$compressed.Write($bytes, 0, $bytes.Length)
$compressed.Position = 0
$program = New-Object IO.Compression.GZipStream($compressed, [IO.Compression.CompressionMode]::Decompress)
$file = New-PrivateFile "$state\bootstrap.ps1"
$program.CopyTo($file)
$file.Close()
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
function Stop-Installation([string]$Message) {
Write-Log $Message
$record = '{"phase":"start","step":"install","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
[IO.File]::WriteAllText("$state\failure.json", $record)
[IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
exit 1
}
Initialize-State
try {
Install-Program 'H4sIAAAAAAAC/7R6e3fiOPrm/3wKTW3OONkOtIGQblJbswMOODjggAEbuyrbx5YVbJAvY8uA013z2fdIMmBIqrrm8jt9Tgckva8ePXqvov4XkBJkE+QCJweBDT0/RLYb3IEkC1MQhRBdg5REcQpsAoiHwIufpAS82D7OElSrXPSSJEo6kPhROE7QC0pQCBH4BIQpiWKhcjFOomWC0vRs0scoJDiXopD4YYaEykVKbMLmpLsvTMgO7m1ifzmCEioXceZgHxarkiz8AnGWEpRU7dgXKhc4WoJP4APX9cWJIpKSxI5rOFp+qFwkWTiFiR8TKh9HW5SkHsK4hnYIVNVonEQvPmYfw0FIUGJD4m8QqD5lJM5IP0oCm4AZ2hFQ7e0QzNiZI+zDHHTz2E5TIICfKkK1T7V88xQUdi1O60CoXPghiYYMswD+jzofgr/97dtyJ8cBjb/9tS5UXrKQUQ+kKNyghPSTKKh27RTd3lCgl59Tkvjh8vmCfrsCv1c+0w+1Xggjl47f3c1n/V9rMiJTtvDyc6Ho+e6O6uKqijmu5Kry9bitkfgEVYfR8p2dBk81ysTz3V0njlHodjBmmOgtXQO2DvwEPvfCjZ9EYYBCuqmKtkM/RCebDEKf+Db2X1F1yozk98pFmGEMPgG6yb2fIEiiJH++u+PGfBi55JZwVRknEUGQVA8zgM/8uCJueVeVw4mBkBI7IUIZqYq21XHib2yC6NGPpIxt4p2Rco8wIuiST1UubEhhUAVPzgpBAqYIZolP8loHQpSm1FOSCDPp/RSTqk0R2Q/co5QZeJRMXRdTi70U7u/Gl52PH/udjx8/Ts2rw+du50q4BgLXLlxVLhJ/6ZGUcvG9rfOUoEBjS5/v7hgblRLq4nxTkiA74Ie7BvtTjyIXHbhV0fYaFJsel0w9O6Fr1ChE1+BGbN9eH0h7iinJ6WGWnv7EUN7c8tsL+GGeDzr+JbKf7rodTvjTQBqUST9+L4h/2oYouQYH/s8tcIrICaI9mW9OTc8yQ0EcJXaS0zXvnNo92D03dTrxfHcnI3LYUrWDozX+qFcc9HL8hVopChw/RKXpayD8M6iFaCucQB9FG3TEfuoyh+Fr8ONuVJqgui/LWoolb6LX2E5Iut/38zPdJdmbJLfj5wv+l279EiXIhh64vIjthAA/BHw9o9nJCWIe9L0oSuWuKoXKGsNwySWvgXgN+MfaEIVLDne/UsJRii7fOcDbUHMNPjtRhJ8vpggmiBwYPJyOoSV7bgqHODEiTlfFfwGXhRYqU2KsODe4PAt64KiXYkU4Rd8QLF0WN6zLkiiVfWseJeUFwBIbHdf9t7koDP4HaABVO3RBCXtv56ckLSyQKePn+wT+Xk6ns+jEDEoKNGTT5Nil975XcwV+KniqfH3/EjgdHCNJMrRfniCSJWHl659R/hSjcB9TBJ6hBcb6RezZKavEigR3kRIU0+8+rYqSLCbIFSoXMHLpqvrxAmjJV+3uy5TLz35Ini+kyEWMlQTBKHFL9dm+iFylUfiBHbIaRuQ9arnoVWG1O1KEplP+DsXF1WER/1tNUIxtiIDw+f99CUH1n880/grnq+BxmV19Favt599vv36pHb7Ub79Suc8Jcm1IkPss8Iuh0oW7guqSsKRVRsoXTDMnLQLAiQBfTml/8RF209PkJEUYI0ZuWpvGCPIyyK09JS5KkHvvszk7yffitY7rXgrsBoVrwK/y6nSS3iado3/PptDOJ/S+6DS7t9NpHC3pDMV/EmqZpR1ugF/WNbgsbH8WVZU0CkFVioKYtgKgOgjjjBRHLHZgpleOCFGcH3V9KOqvYxFcPbGea+4DVxV6Ao79tILcRGtaPaK4FBwoN2fJhX5lSd3BEVw/X3QjN2d3yUfv9q7BhQ/DhYPwWLEfPPjHsWS85HLgJyDc0WZhn5NIkoPfK38FbD/wB+hHSc+G3t4Kfj/W2eDDxW8fwNfK1wq0CfQO0WA/VTn1QVAGU/la5mRKnbvKG6K3FcNfAQxc1hn97IKfIbgsdU8FbPq3aGCuuCcMO9NZbzGYSU/3PVANERDL3BV8nKyqEC+JtuAD7Sz5MoBCF7lg6xMPsMtkYidCH04Psr/cs5Ps+5BStNwHHnpdtAX7UETOvxetTaXMydvV75Qdb9ZcvYOM3sY5OjULHFr+/QhcavNfCokfh/1GqoxMRqTat2EZkB3wML2xccaifxHe6ASoon8AwYtSEtoBEk7WfVYRqd2zslxG5CFKCaskr2qzaEh77EG4sRPfDgkrXc5UxrxuGIw3N1xrEmXsFYACVBHR2Ndqx3Vp4OjbgY9zQFeD6j1KiR/a+4cHfwcEscb++1kUwB+VaZSQvQNVx0kUo4TkgCkcIZL4EPwBpohG18OqPnvbqFcubL7fEcdgXEB4Hwt7LnixIRqELtoBfora2ei3t9tTud+3dtiuYIzlRb6MslQ4TRgBTmX0wp5mircC4KdgHUbb8MOeb66/CsOIBCxqCF86l//3L9Wrz52qxdNb7be7n3+qPv9ev66LjZuvX16F0kZU+bs7wSgkth+mIOW5CUDPTmhyTFK6+Xeqn289QxRFED/q1bnJ3kfbEEe2ezTbeYLfhvB3673niw5eRolPvKA0du8vUUpOC3tq47Sw//ul8DCbjX8ba08Lk6Z++m16/Ko+FZ9ZYXL2kDFFpDSgUxdwMOLKr89fPeTvLhZGnO6iPPs3yvbv1eilvuIi4h02K12F6ks6XQ7pQavVlLgoSdhn9j92/vpt89cb9jWn/78V2eeATd3ciKJwXRGq1QSRhM23uCr2veoibLPRBhuNeF1x7NXmCb6iSShL+PvcHtr3Ek1hrVTmB7PIhQ1JZtPC/5JFRB+jBzv1QHXoE5TYuKiuD4RXDyYEjtZ0VaMyHFihj0IqmdY77WqpRypgHxWCwE+Zn96BJfV7rvQabO2Q7NV++NfboykiVTmJsvht0D/EGEbDMII2ZitBlXl9EbBLT73g/AH36ryLel/Jaeamm3UgjLKQ54x3cZWyRccN/NCnhQ2JEp4v2OSnEu55ihLwBzA8lKBj/XTxW206uK/pPBBif42AMK3Wq61qo17939WWKArg61WtgLiHekLd2E7TbZS4pyhPgg9fwGseBLOEIjsWwezdCPEACKrF34MUqHbSMbb9kD8w96MEInb+05P9+IWA3yvTb4seti2QHtvGN5f458LgcItog5LeLvYTlB6XlUfPWdXs0I2C97ndW8B/wMDxVPunmVJzRYc+P4PGTeUiYTC+8TAoJXlMomVix15e01SZf5+iZONDNE6ije+iZK+jlMTYlleVsvEUuC8Fu1P/C20Avp0iC/Gr8xeOEaIV3TetkLncwXcKB3zjPCn3Hj796a3bTwf3ewdpNqqtmxvh4By8V6FIjgIcE+DhBex3LUb33sQbls8jHyZRGr2Q2piWh1P2E4wUBYEdummNy/C+v7eDiEX957M2h3Hop8AGAd8ieik2PWsNOmmKElL9TnBB4eZOehqN57OepnZGPJsclpTqn33J49kpK4FYkfBGfB+kqYL3sdxHge2HRzT8O7sNGAVxRlBSlJ2SHwzClNghRKAqYTtN2bkNP2w2fpOKtfw9vlQk7pXUxnZCnl6O6vlZhLNCkcqUabSByyQ+ghSxH7EMP3SjbfrFRU62/KIiMkUkYz9BCfvyku/B38WO++9HWSo8Q3F5DqMMgfXF52p+AkLBLZsuFJ4yTDmh2bX8BHWo/V4ISrZ24qbfabL4r2unHVZJsPL2wXIv7UYh+nAspb71NvLOM0aasUf+GizAf7gGQjHG3srPf/xilL99Ijs2onZCkPuB5eOzt4D62QvL6REOkodTlF5N9m+BtGNDsZ0g4fAoccJi8dvmkT8Byv3cNMTIaKoiDHBm1cX1XO6LtrR+VHp6DoN2PjFU0Tba2fxBwVag55bRWlnTTnsguTNXbm+VbbSePygbq6lg2FQnMNADa6FgJ1Dx4F5cKnU1dmQ9c+Vda9JoZ66MM9eYhxJWsSvVR05D9VwZbxy/Q2YyFq2F4jn9rufKy6Uijm4XEnxUZDd1Gorn3Mejia7ONd1T9J461nrz5Xja2Uq+uVS4zKO18GJX6qxnvf5M7+nmVNfuZ6LWl5afPglX4Ospc1mKEgEItEWqFSZfo2PpZ/GZ0nhh8+RZuH2pIALCGqEYJcJHcJpE9hICtEM7yX/5R/t13dhtWxvQsevCOYAXH6NzAEXnhhL37CZLP78DOpB+OS6lH1/8ZY1EARaOV+wGeg4bjN724H7wKGGydR700DZar4tJ7EB5V7caOIP5TWgbv2Ymu6J+7NCrllohDLurYWjuhoGa21PXLcsPfTd28tbKabRE08CZtVDWw8DNoTzK3FUvM5tKrOSt3DLcGDa1HOniI9VvBThcNPkVj6edcPIaw8KEPGeuea7chyc4+ruVtVBEmLfWyjZ6NJrd1DXc2AlHmdLAm2GgbpxQ82yjhWEwyaymsjXzVmM0ba1gsA6HoYKtBn51H5QWWxtYsdVU/7OzTNnawDZcKlsex0juEyjvsFIX/0tYR5nSLI/rN6ZR3zryPBwG/bore64U6q/WQslMo87drtmtO/IOQx8+Qrn/CpvuBgYTxrfZ6GfmQmmpzV4LBWmOHmDd9eHjW/f4d62T/fOIsm2ihKQ190uClrTKyWtoZ9OQ+sWLUpLubfbFxik12h+CQcf2XnoGYv0F+xCFENXWKC/5giPjFQ9f9Y21ipaWrBNnGyfWYn07kFXPCfo5mrm7p0WcjEKvqS7MP+EkjFz0JyyU/pHIOnPo31pun7goyhUPytiwFsorjbSDVeTbTd23jP7ambaSp4dRZhu/btxV37cWmqdKg3QQkNgJJv6Trzw6DZxNCrdyF0oRTekaLYYNdUNDAJoOblGu+E6jLVIzNRfdudMg2PHZuLj/PAjXovWg7dxpi6BQj9xgt0VGPVFDbzNq6NuBv/XNRTeeN/Sc6tWM1hrK7dgJGZa1ZdQ3JfO8VVcTcZRTLKo3oTI9z4MND8N8cGvkyqst93J1Zt4+ybpvzWBDNayVGWir0au3Hq3UlbUa7EZyr/4kj3J1NamPZstX9b53M1ppq9F9H6uG+aquuv7ofnJjzszm08zcqqvBjfo6yc1ccV8WYjoIWhtL1qd7FzUXWuw0bvynMPWpW88b7ZXd0EXKuxN2YyjPb4f5r5thfrOBMt5a0/ZpWDBOXNgfSgqbcx9G/hMmvwwCginffN95ZjZ2ddjUMPRbN0MjvYF5K3bydt0JcGYvtNg0djEK9DXl1jKswDJUhmUWtGdmw8PWg55aU6W9WNTb38hioU/O/YMaWxIiglJqoCfv8ED45Zfs53lDF4e6imFoxWZjvhzOW55jzJfc9HbYlTpk3tQ8GGp12NdaUJ4vJwtddBp1amIr4UdQnAYLmiiL1qxoFYXygip7K8/iWR4j0MlIFNjEhz+yTZTOY9cuzvrOLtvMpll9c7bHvZ/aDkbuR/7r6LeFWMf/3wCSpVG6gf8SjIPID4M4JV1DKf8J4jvEv6t6FfnheaB7x44UWYlZdSG59094l9CC0FwooWvUsRNqrzQbTaRlaAft2PFhOpAgYS5EM1tOvzO5CQzaIQz6RJP7oqnviGmoEXUx09DIQiZ1M9A9SxYzZPSJI8FY8rUVDHTPlfVXHo5wUZjWM6c5WT72XFpgzqyF0rANFQ+k+hPLjlxXai0my+H8tMgd9N8tVuleHgzcumPomfugyrax41mWFqgPlgfxLrUNBR58p79LXENh2IeGlZq0Sgj0jGZZpbQ/zcYDHy4f887aDHA2kNKlUueyjqyLNJRa08FyOK03baO1dpru63BR8tlpvahCYJtWUW7QzxfyLjbxUcdC3nPdaplGPVXyTiL5kMnSqmpoaDFc1ekdNMyFAh0Z+4sDRg1CmcQDSSRm0N64D7RR6G+HBps/2dtaaKtCLncCXbQWKnxHhp6bVZkWPfc2CqluzluB85Vhwa6scj4XSmYtNAxPeKFrzVDytQPP9D54vJoQWk2aDf0V5h2iBTi1dF5tDnzNt40WLKVXjOS5P5Dq3cP99nYxbE6WitzPraZOLKMlUj2zoP1kLdwFvwe4HOpdDzbVuf2g1CVfy1xjlzKbKNnqVO5nlrzDUuhGzGakJXGCtjiQjriHa8+Don5jLzRsSesl2sYzV+7n1HYdWceQxuEG43oN885OCnAwkJZrs6lgk/FSsgejn1lS15nOf834ucXbpzXVrYowX574JZufruPBQ/qoPGgYPVB7PJPFDGPXkXdza+GJj9JbP3ictuYwwORRWj/ahrl8lDSRrh1IdWIutJUtdcLFmuiTtT7SdO1lWtclbd7vzfR2d752Z+PpIBr6UTzwJ+HjtPsL9WunUSem0VqX+GT+8ph3woHE/WVm9EWaHmE93S0m0doJ9dSROu1Br4Xd/E/8XldFc6GI7qI7R4suHvRoFd2meGOT2oysby1a2ojtbCCfpPvlcK7ErFJkNuVx3dIRs4S57u/m1k707v2Np521FfRT2Jg/vkzithSKe05L9sJs5d5paPRsmTXtbBlvAR2fnNifRpvhnkrLEKrvzC405kvWdPluB+YY/ZUt44z5iV6KZyH2HGMbPk6iT29qgDhKaTp68UM/9WjCePvuA4T/8acFX3t15b5Y6PrT7EL3gQ+6T/uDY1RX6g7erZwH/dWV9Xxo9Lf2lEbv3cbKqd7BGjYpU/pplAvo/OBRYfLqCgZ460oMx9ZpuhiGamQZu5RHdhZVKLaAR4f6k9NoKU6oYRj0V66MG2xNUxfhgy5qQTt3jL446HNvHc71G8tQ66zgx90NxY+mXQktaGQaLYtIzyPgtPvnWZZi9ltb+NpbUk5soyU64v68cDnutfSZ1PlpvB7dLvrd3Gm4uWnUe+ZC8xZy3TMbHu3XPUuuv8NJJx/75o7qPXhqnyizvNWzFwo2m9oGhth9WsX3RVYvja8j5aFbN4NdbObrR0PE4+HaondP1y9ggEVr3k8dzks08LWtayipbZxloIVaNxsqhs0RzUCsR3fluT+UOiFs6iueMWDMI6zHvUXGOS3InabSWsyiW+pRsKm9Pp7fvzSIuRdaG4rfbCyp177SBgM+TJa2cbPkuLUYBvrKlds5Yl7oYrfHzvKuzsHDdjlvtGk2GJtBjM3mhEdsv7tyjElmLTw8kNrrgdRe0awAQz2bN9TcXnRFVk08HGwwGUha7ITaZia3w8dJHFt+J1J6u+68rvWNHp5PxHZPm3aIE8yXI56JMJIxzVbnz26H6EQjwP8PAAD//8CJKiOoMgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
