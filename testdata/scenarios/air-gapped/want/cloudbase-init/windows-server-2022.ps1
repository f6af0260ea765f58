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
Install-Program 'H4sIAAAAAAAC/7x6fXeiSt7g/34Knt6cMdkbbdCYueZuz44SQYliBAGlO3sPVFUELV4GChXv9PPZ91SBr0l6+s7z7J4+p4Wq+r3W7538D05MkEMQ5NycCxzg+SFyYPDAJVmYclEI0C2XkihOOYdwxEPcq5+khHt1fJwlqF656iVJlHQA8aPwOUGvKEEhQNwXrqqTKK5Wrp6TaJGgNL3Y9DEKCc7FKCR+mKFq5SolDmF74sM3BuQEjw5xvh2Zqlau4szFPihPJVn4DeAsJSipObFfrVzhaMF94T4VuL65UURSkjhxHUeLT5WrJAt1kPgxofBxtEFJ6iGM62iLuJoaPSfRq4/ZYzgICUocQPw14mrjjMQZkaIkcAg3RVvC1XpbBDImc4R9kHPdPHbSlKtyv1SqNYli+VAKynY9TgWuWrnyQxINGc9V7n+pxpD7298+hjsTh2v87S9CtfKahUz1nBiFa5QQKYmCWtdJ0f0dZfT6a0oSP1y8XNG3G+6Pylf6UO+FIIJ0/eHBmEq/1mVEdHbw+muJ6OXhgeIqUJV7BZKbyvcjWSvxCaoNo8U7lAbjOtXEy8NDJ45RCDsYM57oLd1y7Bz3C/e1F679JAoDFFKiKtoM/RCdERmEPvEd7O9QTWdG8kflKsww5r5wlMijnyBAoiR/eXgojPmwcl1Ywk3lOYkIAqR22OGKnZ9HVFjeTeUgMVdNiZOQ6imnKtrUnhN/7RBERT8q5dkh3oVSHhFGBF0XW5UrB1A2KIKxu0SAcDoCWeKTvN4BAKUp9ZQkwgx6v8Wg6joi+4VHlDIDjxIdQkwt9rr6+PB83fntN6nz22+/6fObw3O3c1O95aoF9upN5SrxFx5JqS5+RDpPCQo0dvTl4YFpo3LCdSmfThLkBIVwt9xe6lEE0UG3KtrcciXR4xHdcxJ6Ro1CdMvd8e3724PSxjFVcnrYpdKfGcqbW357AT+t5wOOP6Xs8UO3Uyh8PBAHp0o/vpeKH29ClNxyB/1fWqCOyBlHe2W+kZrKMkVBHCVOktMz70gND3ZfmDrdeHl4kBE5kFSd4GiNP+sVB7wF/yVaMQpcP0Qn27dc9T+Deog21TPWR9EaHXk/d5nD8i338250skFxX59iKY+8iV7PTkLSPd2vL5RKsjfJwo5fropfSvo1SpADPO76KnYSwvkhV5xnanZzgpgH/SiKUribSomyzni4LiBvOf6WKx7rQxQuCnb3J0Ucpej6HQHehppb7qsbRfjlSkcgQeSgwYN0jFuy103pEGdGVKir4r9y1yUWCnOisVJu7voi6HFHvJRXhFP0AeDJZRWGdX0CSmHfmscJ8pLBE210IPy3dVEa/E+ogas5IeROeO9t/ZSkpQUyZIV8X7i/n6bTaXRmBicINOTQ5Nil975Hc8P9Uuqp8v39SyjUUfBIkgztjyeIZElY+f6vVD6OUbiPKdUiQ1eZ1q9iz0lZJVYmuKuUoJi++7QqSrKYIFitXIEI0lPC8QJoyVfr7suU669+SF6uxAgippUEgSiBJ/XZvohcplH4iQlZCyPynmoL0JvSarekDE3n+jsUFzeHQ8VvLUExdgDiql//z7eQq/3nC42/1ctT4HjMqe34Wvvlj/vv3+qHF+H+O4X7miDoAILgS7W4GApduitXWxCWtE45LQ7omZuWAeAMoDhO1f7qIwzT8+QkRhgjpty0rscIFGUQrI8TiBIEH3225yT5HrzegfC6ym6wessVV3lzvklvk+7R34sttPUJvS+6ze7tfBtHC7pD+T8LtczSDjdQXNYtd13a/jSqKWkUcjUxCmLaCnC1QRhnpBSxpMBM7zQiRHF+xPWprL+ORXDtzHpuCx+4qVAJCt7PK8h1tKLVI4pPggPVzUVyoa8sqbs4AquXq24Ec3aXxerD3jUK4MNy6SBFrNgvHvzjWDJeF3DcL1z1gTYL+5xEkpz7o/IXjtHj/slJUdJzgLe3gj+OdTb36er3T9z3yvcKcAjwDtFgv1U590HulJnK91Od6NS5a0VD9LZi+AsHAsg6o8+Q+wy465PuqWSb/pYNzE3hCcOOPu3NBlNx/NjjaiHi+FPdlfo4O1UhXhJtuE+0syyOcSiECHIbn3gcu0wGdgb06VyQ/eVeSLLvQ06i5T7w0OuiLdinMnL+vWxtKqc6eXv6nbLjzZmbdzijt3HJnZoFLi3/foZdavPfSoifZ/sN1ClnMiI1yQGnDDlBEabXDs5Y9C/DG93gaugfXNWLUhI6AaqenfuqIlJ/ZGW5jEg/SgmrJG/q02hIe+xBuHYS3wkJK10uUMZF3TB4Xt8VWJMoY1MAyqCKiMZeax0IaeCQnMDHOUdPc7VHlBI/dPaDB3/LVfk6+/eZr3L/rOhRQvYOVHtOohglJOcYwhEiiQ+4f3I6otH1cEpisw2hcuUU9I58DJ5LFt7nhY0LXh2ABiFEW66Qon6x+jG5vSr3dOsHcpXvlWMUpRfGFcorQE5v9PzY+b2emJlJ4aimD+n2uFT6YhiVRKJXNvEpRxCcn3KrMNqEn/bXyAC5GggjErBgVP3Wuf7f/1G7+dqp2UXWrP/+8PmX2ssfwq3AN+6+f9tVTwhR5O9SAlFIHD9MubRIeRzwnITm3CSlxH9QVH003Shrq0LUm0tPGCHiQIc4H2pNR8naB+idTuTEVKoeIfHD58/CfbveaN3Vy99q5cpDDkQJqwj/4KqdjHhR4u+Y6VYpYBc5CUq4ceIAjKrcoeBjRAtH6YmNwkGw/4qIH6AS2azmbNIaAo1aUApRI9EKhTVCcC1FIAphymjc8xTxFdss7VpDaRyFKeKqzxmpctcHWX7hqp+xQ1BKPjux/5nBVG+4A+1LiT5iosqqH0aRRuyDnZ8Tl9EF8VK5eyKXMSP1ooTFmbexqHio6zH2yXW1Xr35yr/8vAudsnU0hREiXgRPrt5I8C331XNSjzguRi9X/YLPsjukohDapdDaT/iNO7zVMOGa/HHhl1+YL7DUXxTt+4ShoZQUZLmakaKuk/rg2UlSP1xwtakfoCgjOgKcwHO18tzV4Xzic5RFrlayxe35+1HNwPIHRijmanphNFyDZdnSVRlGGKGUoyEjYUqCbzLKY7QJceTA6wtd/Uw79nLVwYso8YkXnKw9+guUkvO+m1477bv/fl3tT6fPvz9r49mcVub0TT++quPymfUNF3NGHZGTBZNmKBejAvnt5VBS/uHh6qgIW2X39G901T9qoU/a/quoGICxzrJae031xZAKWqulBKIkYc/sPya/cN/89Y695vT/e549B2zr7o7nq7eVaq2WIJKw/VaBir3XIMIOW22w1ago+4+jFCPBN7RGzJJifL5n7Ud1YGlKFOYni7wrB5DMoX35NStYfIz6TupxtaFPUOLgsvk9KLx2MCHuaE03dQpTMFbioyydmNY706STEcbeA464Az9l+e6BW9D8WSC95TZOSPZoP/356YWOSE1Ooix+W5MdcjVTwzACDmYnuVoRyYrYePIlhrv8vnJzOeR4H8l5YU2JdQCIsrAo6d7l6yQwd2Dghz7tO0iUFIGZbX454dtIUcL9k7M8lKBje3P1e10fPNbLggL7K8RV9ZpQa9UaQu1/1lo8TV439ZLFPatnqnt20nQTJfDDHL4/ULQkCGQJ5eyYGthYFxWFBFcrfw9QXK2TPmPHD4vvP1KUAMTkP5fs5y+E+6Oifwx6IFtyepzqvLnEfw3MHW4RrVHS28Z+gtLjsdPVS61qTgij4H3d7i3gv6CBo1T7yenJ7IMufX3hGneVq4Sx8cHcXkzymESLxIm9vK6pcvFeVk/PSbT2IUr2OE6KQUbypnJqPCXf11WnI/wH7c8/LjVL8JvLAeQI0YbrQytkLnfwndIB3zhPWnhPsf3lrdvrg8e9gzQbtdbdXfXgHEU9QTk5AhQ8cUV44fZUy9W9NxW1wdeRD5IojV5J/Zl2bzr7QipGQeCEMK0XMMVYrrcFiEX9l4uKgunQTzmHCwoS0WtJ9KJz76QpSkjtB8EFhesHcTx6NqY9Te2MimxyOHLSR+xbB89JWSvBioQ34PsgTRG8z8tjFDh+eOSmeGe3AaIgzghKygJW9INBmBInpCW6iJ00ZXJbfths/C6WZ4vPZSfN1h5J/dlJyPj1iL6QpXrRcFGYUzU6HGQQv3EpYt+YLT+E0Sb9BpGbLb6piOiIZOwLcXXfphU0irH1kf5+laXCCy6uL9k4ZYGNrS7R/MJVS92y7RLhuYapTmh2PZ0QH2q/V4KSjZPA9AczkOLj9/kA5ASw8vZ7wh4aRiH6dCylPhpdvjNlTDP2Da4OSuY/3XLVco19yrr8Ns1U/naCfZwTOQlB8BPLxxejOuFiAHouwgHyIMXJUHM/queqcYJiJ0HVw8zwTIvlnx4c9VcFspTPLT6ymioPApzZAr8yZIl3xNWT0jNzELTziaXyjtXOjL6C7cDMbau1tPVOeyDCKZTbG2UTrYy+srabCgZNdQICM7BnCnYDFQ8e+YUiqLErmxmUt61Jo51BGWfQMkIRqxiKwshtqB6U8dr1O2QqY96eKZ4rdT0oLxYKP7qfieBJkWHqNhTPfYxHE1M1NNNTzJ76rPWMxbPe2Yj+fKEUME/2zIuh2FlNe9LU7Jlz3dQep7wmiYsvX6o33PdzzZEkS6nm0hiBemnzdbaIoNhJLzT58V+nfGMw31KfoDqgd3H16uCUKXmo82SoC6JmQGXqdx81UzF0w1YmvGRobI8n4kpQdEMJtJ76ODHVvs1LTd1QujaPzWlPlcyGYs+bSuz2lclcUFvqTMuhtdi5Da+pP9o7yKuhZeChK8QKCqKNZkhNfQaeNCuWDEPoqj3YHZmmNJnBpi6Pcvex6xi80jNMrWvzdnPUx2NnZd5NrViCfKtnzrBqypqn8b07ZAiGPlVUsye1przWHXXisdnDd9OltIa8+Q/NlNTJVOtPppJJ6ULeW46CzcbCqqhJkjHBsTpZCf1JiLeaoKrqI+7avNmf8OrhHfLmQFz1NrohidMZtI0pNsbSYKc1J3dOH4dT69c7F2tdPVSm42l3PG1sGrrh7bSeF04aSjLP29LUwh5otLtPgq07svkEA43MhfmTZZCRYQ6aMNgOp5awhbOuZOzMjS1HyXymqbo8yB1s3k+wok6WXSaH3dNCw4TiBA8Es2/vjKZyNzZjBTyas/ly1dQnUYIMQXIkyTFFYkwsW7T5lqVLqqoZsDcxYfghrE5aU8OMDDM2ngSta/SUcIrtgbESRHElBeOeKZo9qTcxpcGQF7ouDx8nTalv8Dw/NpTu1FC7I5l0p4ZpT3isaY9Sak2hMNqp67EJe2MJypphq6BB7kaWgEfh4MmSoQoaca5NVWxK3YEapBvX2nZ1y+vqS+3OxDDQdqoIhNhwptJstJK6o0flUe1FvCt1c+C3Z65IJlCwTYdX7w1qg52I2e7QMMea+IFd/7tOdzbW56p//Wv2ed4wc9g3ecfaZPbMwwNRCAai4NmytoNyO7f1ru422vxAhI9jvJ2AoB2CQCKaLPFzc0vmlho5VgvPLY3M+loOZyo/66sxlI1s3lR4ZRPHtt+JlN62awiaZPWwMeHbPU3vEDcwFiNxtUB5FyMZ8wNRexOIXifRl+qlqK8+RpeSlgNOlMCPwwtHF9Jvx6P08dVf1EkU4OoxgsPAzEGDRc/24HHw5FjCxm0qPMg77YGUhpNdDMro7Ll6V3asLQbCduk2Wvzcwpk9U1YzWV27wTyzpc0/hqG2dq1NOJtET1azm0ILxm6oQhGTjds3Q8dq7YY+jN28dYZjGMAcyKMMLntUmbEi8E+gIWW2rKyR1I5dSwrLrJHbFoxBU8uR3to5Mw0PA/NuTvmWjTWQJQE0jPtRfrcdiXe5sjnlY5QpDbweBuraDTWPXiYIJpndVDbzvNUY6a0lCFbhMFSw3cA72Fdas0lM+QwcC74CltkYD+8ZyKVOMAi13TCYhOIidoG8FewGzkB+FzrWr9mcZTIpdmlGFFshCLvLYTjfDgM1d3SQgcAMnZnKg3DFztoBDoHA/5dkYWcDO7abo0xpnqyHhRHbM89zZ93U1uGfv6+8dXove51R2B/dVzgMJAHKHhRDc2fPlGxuCUXWb3YFV95i4IMnIEs70IRrEExotg7nDSmbz5SW2uy1UJDmqA8E6IOnt4Hi3/UelpxPfQclJK3Dbwla0CYrr69+Tet+9M2LUpLuXeqQsAENNIGZMzkaHg/73d3Y/3V9eqeggXlbb2EkSwTIW8zstOGtQXOS/SzMsDnPh430DuQQioHqAVnyHWsbQxnjvf+Cvpm6IkiZ38zUtdu3MfUtt2ljECqxLZtHu6ZBzTL+P+jxd4henQyT/14Ffvkx42EE0c/XY6vMpb/13DmLlyhXPCBjy54pO1rVDpaR7zRN37aklau3knF/lDnWr2u4lHx7pnmqOEgHAYndYOKPfeXJbeBsUvoznCll5UrPaDFoqGsqNtIH9yhXfJqMqN/MZ13DbRDs+myd3z8PAiVwA+9eFVsEhWYEg+0GWUKiht561DA3A3/jz2fd2CjVqVmtFZDbsRsyXla2JaxPfPFeXU74UU55Ub0Jhel5Hmh4GOSDeytXdo7cy9Xp/H4sm749BQ3VspfzQFuOdt5qtFSX9nKwHck9YSyPcnU5EUbTxU597N2Nltpy9Chh1Zrv1GXXHz1O7ubTeXM8nW/U5eBO3U3yea7A1xmfDoLW2pZNfR8z5jMtdht3/jhMfRpnjEZ76TRMnurdDbsxkI37Yf7repjfrYGMN7bePo9T1ll89IeiwvZgf+SPMfnrICCY6ruga2TzxlYATQ0Dv3U3tKhvtWI3bwtugDNnpsVzaxujwFxR3dqWHdiWyniZBu3pvOFhu2+mtq60ZzOh/X7xkoX+m9qFGlsSIoI+ql2MhskPTZpS7HjeMBZDo+W5lrEoTG+LodghRlPzQKgJQNJaQDYWk5nJuw2Bmtiy+jNcED9Aeh4CyoOOSO3wCZGNJqqbZoOeqHI19sUni6d5jLhORqLAIT74bf83IR9A/UkG3lEC3I1yKPNl8dYucwxYKHmbzK2WMLe2G9syc1fGO/gYZ7Df2b7NbZsNelws3FDbjPw3+Sgd9Rd3St5ZgybO5g07dxtC4MpSCHZxSWOzGDZp8S/x9uTLl5+S6zxUvqPa0wPva/dnyESpEUOnNKL3LjBzshQl6wsaj37quBjB34q/wPsYiI2t/zsYydIoXYM/xcYB5KeZOO8HNJS+Z51nin8X9TLyw8sM8o5tKrISsxq6qA0TZROt5jMlhJaA3VDb0VQ2ERehE7Rj16f5GBAWm2g9lrP8/K+bDpkI88D0bJnPkCURVwSx6GtLEJgelM1dEedxOV0RMrc5WTz1IIaiMLVnSsOxVNr0jFmNVeBK7dlkMTTOJzUD6d2JC6XlgQAKrmVmsK+yXoClaH50P+vbHsDb1LEUcAhK0jaBlsJ4H1p2Oqf1YGBmtFZTTujTmm7gg8VT3lnNA5wNxHShCAWsK5s89U9bHyyGutB0rNbKbcLdcHYSDHVhHwvatF+BgZTP5G08x0ccRY9Cdd1qzS0hVfJOIvqAwdozhR9aWgyWAr2DxnymAFfG/uzAowaATOKByJN50F7DvsqDQNoMLbZ/RtueacsSLncDk7dnKngHhspd1PVU7k0UUtyF3ko+d4wXDGW10OdMyeyZRnuvE72wvisUfe2gZ3ofRSKYENq3zRvmDuQdogU4tc1iKjbwNd+xWuCkbsFINvyBKHQP99vbxqA5WSiylNtNk9hWi/aEZBq0x/YMzop7AIuh2fVAUzWcviKIvpZBa5symzixVV2mfdwWiyGMmM2IC+IGtNE+8j1ceR7gzTsaj23aKG/iKZSlnNquK5sY0ATXYLpegbyzFQMcDMTFat5U8Jzp5cQeLCmzxa6rG79mhdz8/XhFcas8yBdnfsn29VU86KdPSl/DqE/t8QIWMx67rrw17JnHP4lv/eBJbxkgwORJXD051nzxJGo8PTsQBTKfaUtH7ISzFTEnK3OkmdqrLpiiZki9qdnuGis4fdYH0dCP4oE/CZ/07l+pX7sNgeac1Yk+mb885Z1wIBb+MrUkntYdQEi3s0m0ckNa73fag14Lw/xf+L2p8vOZwsNZ10CzLh70aC/WpvzGc2ozsrmxac3It7OBfFZHLYaGEruBlCNmU16BWzzyLOIC9w+Llk707v09652VHUgpaBhPr5O4LYb8Xqcn9sJs5dFtaFS2zNY7G6a3gK5PzuxPm3kx7Km0vqP4LuxCY75k64vzWYeheVCWgGtJS0fGGfMT8ySehdhzrU349N7QJo7YeOrVD/3Uownj7ccLrvr/fD7uaztIqxT9w4nFWXahdEDf9F0ZL49RXRFcvF26fXMHZTMfWtLG0Wn03q5t2mGKgxVoUk2Z51EuoPuDJ4XBq0sQ4A0sJicbtwkxCNXItrZpEdlZVKG8BUV0EMZuo6W4oYZBIC2hjBvsTNPkQd/ktaCdu5bED6TCW4eGeWdbqsA6KdxdU/6R3hXRjEam0aKM9EUE1Ls/MdpTBNdvbcCut6A6cawW7/J7ecHiudcyp2Lnl+fV6H4mdXO3AfO5JfTmM82byYI3b3ixyyxPeEcnnfzZn28p3oOnSkSZ5q2eM1PwvKmtQYjheBk/lln9ZH0VKf2uMA+28TxfPVk8fh6ubHr39PwMBJi3DSl1C71EA1/bQEtJHesiA81UYd5QMWiOaAZizTOUDX8odkLQNJdFxgBxEWG9wltknNNOx20qrdk0uqceBZra7uny/sVBXHihTZt1b95YUK/d0c4N9CcLx7pbFHxrMQjMJZTbOWJeCDHsMVnexTnobxZGo02zwfM8iPG8OSkitt9dutZk3xGsaFdAswIIzcxoqLkz6/KsmugfbDAZiFrshtp6KrfDp8lPjGw38Ucj20N0ohHg/wYAAP//dWFl2Qw9AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
