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
Install-Program 'H4sIAAAAAAAC/7R6e3ejOL7g//4UurU5Q7IVXODEmXZ6e3ZsYhOITWKwAVOV7QNCMdjisSBsk+66n32PBH4mqa65O/fUOWWQ9Hu/Rf4HkDLkEuQDrwSRC4MwRq4f3YKsiHOQxBBdgpwkaQ5cAkiAwEuY5QS8uCEuMtRsnPWzLMm6kIRJ/JShF5ShGCLwG+AMkqRc4+wpS+YZyvOTzRCjmOBSSmISxgXiGmc5cQnbk26/MSA3unOJ+23PFNc4SwsPh7A+lRXxN4iLnKCMd9OQa5zhZA5+A58qXN+8JCE5ydy0iZP5p8ZZVsQGzMKUUPg0WaMsDxDGTbRBgNeSpyx5CTF7jJWYoMyFJFwhwD8WJC3IIMkil4AJ2hDA9zcIFkzmBIewBL0ydfMccOBzg+MHFMuHUlC2m2kuAq5xFsYkGTKeOfC/tOkQ/OMfH8MdiQNa//ibyDVeipipHkhJvEIZGWRJxPfcHN1cU0bPv+YkC+P58xl9uwB/NL7Sh2Y/holP129vp5PBL00ZEYMdPP9aI3q+vaW4KlT1XoXkovF9T9bKQoL4YTJ/h5Ly2KSaeL697aYpiv0uxownaqVLwM6Bz+BrP16FWRJHKKZENbQehjE6IqLEIQldHL4i3mBO8kfjLC4wBr8BSuQuzBAkSVY+395WzrxbOa884aLxlCUEQcLvdkC18/OIKs+7aOwkBlxO3Ixwh5xqaM0/ZeHKJYiKvlfKk0uCE6XcIYwIOq+2GmcupGxQBI/eAkECDASLLCRlswshynMaKVmCGfR2i0E1DUS2C3coZw6eZIbvY+qx59zd7dN599dfB91ff/3VmF3snnvdC+4ScBV27qJxloXzgORUFz8iXeYERTo7+nx7y7TROOC6ls8gGXKjSrhLsJV6lPhop1sNrS9BTXR/xAjcjJ7Rkhhdgmuhc3O5U9pjSpWc73ap9EeO8sbKbw3w03re4fiXlP142+tWCn9UJOVQ6fv3WvGP6xhll2Cn/1MPNBA54mirzDdSU1kmKEqTzM1KeuYdqf2d31euTjeeb29lRHYkNTfae+PPRsUOb8V/jVZKIi+M0cH2JeD+M2rGaM0dsT5KVmjP+3HI7JYvwc+H0cEGxX1+iKU+8iZ7PbkZybd0vz5TKtnWJSs/fj6rfinplyRDLgzA+VnqZgSEMajOMzV7JUEsgn6URSncRaNG2WQ8nFeQl0C4BNVjc4jiecXu9qSEkxydvyPA21RzCb56SYKfzwwEM0R2GtxJx7glW93UAXHkRJW6GuELOK+xUJgDjdVyg/OTpAf2eCmvCOfoA8ADY1WOdX4ASmHfuscB8prBA210ff+/rIva4X9CDYB3Yx8c8N7fhDnJaw9kyCr5fgP/PCynk+TIDQ4Q6MilxbFH7b5FcwE+13pqfH/fCJU6Kh5JVqDt8QyRIosb3/9K5Y8pirc5hasqNMe0fpYGbs46sbrAneUEpfQ9pF1RVqQE+VzjDCY+PSXuDUBbPr63bVPOv4YxeT6TEh8xrWQIJpl/0J9tm8hFnsSfmJB8nJD3VFuBXtReuyF1ajrW3665uNgdqn75DKXYhQhwX//Ptxjw//lM8y93egruj7n8q8B3nv+4+f6tuXsRb75TuK8Z8l1IkP/MVYah0HW4An5OWNE65LQ6YBReXieAI4DqOFX7S4iwnx8XJynBGDHl5k0jRbBqg/zmY+ajDPl3Idtzs3IL3uz6/jnHLMhdgsqUF8eb1Jp0j/6ebKFNSKi96Daz2/E2TuZ0h/J/lGqZp+0sUBnrEpzXvj9JeDVPYsBLSZTSUQDwSpwWpBaxpsBc7zAjJGm5x/Wp7r/2TTB/5D2XVQxcNKgEFe/HHeQqWdLuEaUHyYHq5qS40FdW1D2cwOXzWS/xS2bLavV2GxoV8G65DpAqV2wXd/GxbxnPKzjwGXC3dFjY1iSSleCPxt8Aowf+BIMk67sw2HrBH/s+G3w6+/0T+N743oAugcEuG2y3GscxCA6ZaXw/1IlBg5uvBqK3HcPfAIx8Nhl98cEXCM4PpqeabfpbDzAXVSQMu8akbysT6fGuD/gYAeFQd7U+jk41SJAla/CJTpbVMYBiH/lgHZIAMGMysCOgT8eCbI17Isl2DjnIltvEQ81FR7BPdeb8Zz3aNA518vb0O23HmzMX73BGrXHKnVZEHm3/foZd6vPfaoifZ/sN1CFnMiL8wIWHDLlRlaZXLi5Y9q/TG90APPq/gAuSnMRuhLijc181RJp3rC2XEblPcsI6yYvmJBnSGVuJV24WujFhrcsJyrTqG5Sn1XWFNUsKdgtAGdQQ0dkr3/V9mjgGbhTiEtDTgL9DOQljd3vxEG4AJzTZvy8CB/5sGElGtgHEP2VJijJSAoZwhEgWQvAnMBDNrrtTA3a3ITbO3Ireng/lqWbhfV7YdcGLC5ES+2gDKimaJ6sfk9uqcku3uSPX+N7YZ1FqMFAprwI5tOjxsWO7HriZSeGopnfldr9Ux2Kc1ESSF3bjU19BgDAHyzhZx5+2ZmSAgIdxQiKWjLhv3fP//R/8xdcu71RVs/n77ZfP/PMf4qUotK6/f3vlDghR5O9SgklM3DDOQV6VPAADN6M1N8sp8R80VR/dbtS9VSXqxWkkjBBxfZe4H2rNQNkqhOidSeTAVbiAkPT2yxfxptNsta+b9S/XOAuQ66OMdYR/AK5bkCDJwlfmuhwF7CE3Qxl4zFyIEQd2DR8jWgVKX2pVAYLDF0TCCNXIbN5d5zyCLT6qheBJskQxTwjmcwST2M8ZjRuBIj5jm7Vf6yhPkzhHgHsqCAfOd7J8BtwX7BKUky9uGn5hMNwF2NE+legjJjjW/TCKNGPv/PyYuIxOiNfK3RI5zRl5kGQsz7zNRdVD00hxSM65JnfxVXj++RA6ZGvvCiNEgsQ/MP00w5fga+DmAXE9jJ7P7is+6+mQikLolEJ7P/FXsHvjMQFXwn7h82cWC6z0V037tmDoKCcVWcBPc9Rz8xA+uVkexnPAT8IIJQUxEASiAPj63NnufBYCyiLga7bAlr8f9QysfmCEUsAbldOAFquydagyjH6CckBTRsaU5L+pKHfJOsaJ65+f6OpnxrHnsy6eJ1lIguhg7S6co5wcz93U7HTu/uc5dz+ZPP3+pD/aM9qZ0zdj/6o91s9sbji5ZzQQOVgwaYXyMKqQX55eSso/PMyNqrRVT0//han6RyP0wdh/llQXYGyy5PiX3JgPqaA8nxMfZRl7Zv8x+cWbq1+u2WtJ/78R2HPEtq6vBYG7bHA8nyGSsf12hYq98z7CLlttsdWkavv3VynTDF/QHrHIquvzLWs/6gNrV6IwP9nknbmQFC6dy89ZwxJidO/mAeCHIUGZi+vhd6dwfudCYO9NF00KUzFW46MsHbjWO7dJB1cY2wjY447CnNW7WzCn9bNCegnWbky2aD/967cXBiK8nCVF+rYn29VqpoZhAl3MTgK+ymRVbjz4EgNOv69cnF5yvI/kuLGmxLoQJkVctXTv8nWQmLt+FMYhnTtIklWJmW3+dsD3NEcZ+BNYAcrQfrw5+71pKHfNuqHA4RIBzuBFvs23RP5/8m2BFq+LZs3iltUj1T25eb5OMv/DGr49UI0kCBYZ5WxfGti1LqoaCcDXvzsowHfzJ+yGcfX9Z5BkEDH5jyX7eYOAPxrGx6A7sjWn+1udN0b8a2CwsyJaoay/ScMM5ftjh6unWtXd2E+i93W79YD/Dw3spdrenB7cfdClr8+gdd04yxgbH9zbS1mZkmSeuWlQNnVNrt7r7ukpS1ahj7ItjoNmkJG8aBw6T833Oed2xf+g8/nHrWYNfnF6ATlCdOD60AtZyO1ipw7AN8GTV9FTbf/2NuwN5W4bIFctvn19ze2Co+onKCd7gIonUKUXsKVar26jqeoNvo5CmCV58kKaT3R6M9gXUimJIjf282YFU13L9TcQsaz/fNJRMB2GOXBBVJFIXmqiJ5N7N89RRvgfJBcUr26lx9HTdNLXte6oqia7IwdzxHZ0CNycjRKsSXgDvk3SFMH7vNwlkRvGe26qd2YNmERpQVBWN7BSGClxTtyYtugSdvOcyW2F8VXrd6k+W30uOxi2tkiaT25GHl/26CtZuJOBi8IcqtEFPoP4FeSIfWO2wthP1vk3H3nF/JuGiIFIwb4Qc9sxraJRXVvv6W9XWSk84eL8lI1DFti11Smaz4Crdcu2a4THGqY6odX18IZ41/u9EJSt3czPf3AHUn38Pr4AOQBsvP2esIX2kxh92rdSH11dvnPLmBfsG1wT1sx/ugRcvcY+ZZ1+m2Yqf3uDvb8ncjOC/E+sHp9c1YknF6DHIuwgd1IcXGpur+oBl2YodTPE7e4Mj7RY/+nBXn8clAflzBIS60oTYIQLRxSWU3kguNLyQe2bJYw65djSBNfqFNN7FTuRWTpWe+EY3Y4i+RNf7qzVdbKc3qsr50rF8Eobw8iMHFvFXqRh5U6Yq6KWerJZ+PKmPW51Cl/GhW9NYwlr2JfEkdfSAl/GKy/skomMBcdWA2/QC3x5PleF0Y0twQdV9nOvpQbeXToam9pUNwPV7GtPen86fzK6aymczdUK5sGxg9SXustJfzAx++bMMPW7iaAPpPlvv3EX4Pux5l5COnNzeYpgs3b5Jl3LvwrPJ2rkpNtvy29xQkKImmRDOHD24uKcKXJsm4Ird0rX1rAj9UTYms69VjtHxrX214TjxEfvEPvgL0GWhUd/m6UbYW5vS1SqAZSx5djqK7WXskhC98oMHWuw9Ix29ng/Klzrl5W/GISOrQeapORKRFIvGoePofrgtXBB7eNEOPZttbYJPaOnsKWt/MgskaHcoFINvVZHgFd6ObN7U69FsBeydWH7rETt3I1E4hhtgmIz8aPNGllipsXBatQy10q4Dmd2L522zJLi1a32Esqd1IsZL0vHElfDyLyeWeLak6c32mIsjErKixaMKUw/CGArwLBUbqxSfXXlfqlNZjePshk6E9jSLGcxi/TF6DVYjhbawlkom5HcFx/lUaktxuJoMn/V7vrXo4W+GN0NsGbNXrVFLxzdja9nk9nV42S21hbKtfY6Lmel6r/YQq5E7ZUjm4Zj+Wklu556revwMc7D2ZWaTludhdsyBap3L+6lUJ7eDMtfVsPyegVlvHaMzsJrtYWZhQvHVpdDS1t5sR64VhvDaBwOJZXt+fej8BGTvysRwVTfFd1pMWttRHilYxi2r4dWfg3LduqVHdGLcOHaejqzNimKzCXVrWM5kWNpjJdJ1JnMWgF27s3cMdSOTWWJaaxoiWOPGP+OjEt63rtS2xRm/JpCe9ArvZZfziyxP7P1wB5syMzSEsrvzNKJPdisZ7a+cGXzVYnFzr/bzVPakaCcuTtGBCbxSzgvMnZvJgiC8DlC2Ry9FwW+rSeO1RZca5tZmHcGXtQpkCWu/K3UVjuYRRvsSMqNEw1y2DI7Lwb1zG0wp4fwxGvpmGrHbJmhK3dWbql2hpKK/cgs/IGKZ61O6QwG42mp3GjGOoSRGTj9TuHd47F3pVJrrIeSWnpXeuDL5p1jq4JrOemsNRAqS+ilb01zJdYwjB0MsT6aCurKu9Jf/Xs1gJJy49+rokNxX+mlYw2Ia7VjGrVeZC4Yr0u89GRz6loi9q4qb9QsgXmXd6/duXYvcWx14lu4oonz0OxvJrZg3un9YMB+B1rPFn3V7Acv46k5sV/75eOgcz8WxJepEPRGi2mLetkRnKhOxmbHNkxdsYXBYCr+shktghdd0DRb1JTxRBE1mk2oTGJnMBZ0RTfZ7ylcqU2cA7jRNctUx3DGVBi8mAKeGoNOTze1F8qTLfh3E7MzMfr918e7cWgb69CXN68TCxdmZJawVdlSwQ6GsZZ6rfZ0MhhtRqH6gfcWcUhOqwP1xyxGBOXUl48+PwHu738vvkxbpjA0mQnTWWs6H07bgWdN51Uy3mBf6pLplR7AWBfhQG9DeTqn9cNridTdFtzPcJHk09R3ayboELO7L2Z9KLcu3CJH2Yqjw6ybkSKdlCkCd2Huehj5v1Zf6z8GYiPuv4ORIk/yFfyX2NiBvMvEIgnj04zyjhVUWU29kLUpd494k9E2ZWarsU8DI9ZfaWsyluaxG3VSL4S5IkHCUnLkpE5J3xncGEadGEYDossDYWaepECZiDMa5LJQIGtAPAmmUqgvaOD7svlalTdct0ti4V2N5w99n7Y9E8dWW66lYUUSH2eWiJUKV+7Y4/lwetx6KYN3WyhKK4CRL3qWWfj3muxam6rlom3TvRNAvMldS4U7zxtsMt9SGe9Dy8lnlv86pMkrpC3Wnv6T0Y2VEM4fyu5yFuFCkfK5KlawnmwKtDQ7hjIfGuKVa7WX3pX/OrQPPN4QaamLXAt2aCnxo0Fpy5t0hvc4bHmr63Z7Zom5WnYzKYQMlibGoaWncCFSG7Rmtgo9GYf2jkcdQpmkiiSQWdRZ+fe0fR2shxbbP6Lt2Pqihiu9yBQcW4PvwFC5ixltf6jc6ySmuCu91Xy+Ml6wL2uVPm21cGwdwyO90LOzWAr1nZ6pPapoHxPaJs9a5issu0SPcO6YVZurhHroWm140K5hJE9DRRJ7O/v2Nym8Gs9VeVA6VyahBY7imUSdR8f27coOcD40ewG80qbuvSpKoV741iZnPnHgq4Y8KBx5g6XYT5jPSHPiRR1BkfZ8D5dBAAXz2rV17EjLOVqnE18elNR3PdnEkGaxFtP1EpbdjRThSJHmy9mVimdMLwf+YA0KR+p5xvSXopJbuHlcUtyaAMv5UVyyfWOZKvf5g3qvY3RP/fEEFjMee568mTp2IDxIb+PgwWhPYYTJg7R8cK3Z/EHSBXpWkUTC2hapG9tLYo6X5kg39RdDNCV9OuhPzE5vuvQnT4aSDMMkVcJx/GD0/k7j2muJZGa1lwf6ZPHyUHZjRariZWINBNpuQTHf2ONk6cVm7kndjtJvY7/8i7g3NWFmq4Jv96bI7mGlPxB9uUP5TWfUZ2Rz7dBWWegUinzUPs6HUzX1okGJmE8FFW5pz7OEK9w/rEzd5F37PRndZdUgTR9exmlHioWtTg/8hfnKHWuSJLFwjO6a6S2i6+Mj/9PpiNbXaFtL8Z34hc5iyTHmMY3ferQMvCltmgbQswYLV8YFixPzIJ/FOPCsdfywxXfQ0tqT5EaXWd7ADz+T1+937XE8lLrLqulaPrypzGmS04L4EsZhHtBC9PaWA3D/7YN0qL/68kCocf2ldJQOvDdDT8aLfbVQRQ9vFt69+erLZjm0BmvXoFVhs3JKildZwqptPc6eEd1XHlQGry1ghNe+xPhYe1c+bbMSx9rkVcVg2YryFlVZR3z0Wm3Vi3UMowFtX1vszJUpwHtT0KNO6VkDQRlUWWA4Na8dSxNZm4t7K8o/MnoSsmnGG83rClJlVqP3E1ZWRS9sr+Frf0514lptwRO28sL5U79tTqTu56fl6ObNMCSLwawVpB7zaPEdnXTLp3C2oXh3GWBA1EnZ7ru2imdX+grG2H9cpHd1t3CwvkzU+544izbprFw+WAJ+Gi4dant63oYRFpzpIPcqvSRKqK99S81d66Sy2Zo4a2kYXo1oZSNQptVrGg6lbgyvzEVViWBaZe7g/aixAzrsvj6c2l9S0iq6nRXlf9aa02zwSgdheD+eu9b1vOJbTyEbTTolYtHtY7/PZHkXp3K/nk9bHVplnmZRimdX46oShL2FZ40Lxw6wInWWitRZ0GoDY7OYtrTStXsC61Ludz6YKZKeerG+msgdmhVSJ+wman/Tm4r6wOrj6Vjo9HWjS7xoOh9VFQ4jGdMqeHrJtMt6NAP8vwAAAP//1shqzjU1AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
