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
Install-Program 'H4sIAAAAAAAC/7R5+3PiuJb/7/wV+vY3dUl2AmMgZIb09q0LDhg7YMAGv7qzU7asYIP8WFsGnJm+f/uWZPNMuqfn7t1KVcCWztHRR+fxOeL/Az5BNkEucHIQ2NDzQ2S7wQNIsjAFUQjRLUhJFKfAJoB4CLz4SUrAi+3jLEH1ylU/SaKkC4kfhdMEvaAEhRCBT6CqkiiuVq6mSbRMUJpeDPoYhQTnfBQSP8xQtXKVEpuwMf7hCxOyg0eb2F+ORlUrV3HmYB+Ws5Is/AJxlhKU1OzYr1aucLQEn8CHQtcXJ4pIShI7ruNo+aFylWShChM/JlQ+jrYoST2EcR3tEKjJ0TSJXnzMvoZiSFBiQ+JvEKhNMhJnZBAlgU3AHO0IqPV3CGZszxH2YQ56eWynKaiCnyrV2oBq+eYuqNn1OG2AauXKD0k0YjZXwX/KixH4+9+/LXe2HdD8+98a1cpLFjLoAR+FG5SQQRIFtZ6dovs7auj155Qkfrh8vqJPN+D3ymf6pd4PYeTS9w8Pi/ng17qAiMomXn8uFT0/PFBdhapyrFByU/l6XFZPfIJqo2j5zkripE6ReH546MYxCt0uxswmekq3gM0DP4HP/XDjJ1EYoJAuKqPtyA/R2SJi6BPfxv4rqqnMSX6vXIUZxuAToIs8+gmCJEry54eHwpkPb64LT7ipTJOIIEhqhxFQjPy4osLzbiqHHYNqSuyEVE8tldG2Nk38jU0Q3foRlKlNvAtQHhFGBF0XQ5UrG1IzqIKJs0KQABXBLPFJXu9CiNKURkoSYSa9H2JSdRWR/YtHlDIHjxLVdTH12Ovq48P0uvvx46D78eNH1bw5fO91b6q3oFpor95UrhJ/6ZGUYvG9pfOUoEBhU58fHhgalROry/2pJEF2UGzuFux3PY5cdMBWRttbUC56nKJ6dkLnyFGIbsEd17m/PYA2iSnI6WGU7v7MUd6c8tsD+GGcDzr+EtiTh163AHwi8uIp6MfnEvjJNkTJLTjgf+mBKiJnFu3BfLNrupc5CuIosZOcznln1+7B7wtXpwPPDw8CIoclZTs4euOPRsVBb2F/qZaPAscP0cnwLaj+M6iHaFs9M30cbdDR9vOQOby+BT8eRicDVPf1qZZyypvsNbUTku7X/fxMV0n2Lln48fNV8UmXfokSZEMPXF/FdkKAH4JiPoPZyQliEfS9LErlbiqlyjqz4bqQvAXcLSi+1kcoXBbm7mfyOErR9TsbeJtqbsFnJ4rw85WKYILIAcHD7pi1ZI9NGRBnTlTAVfFfwHWphcqcIFbuG1xfJD1w1EttRThF3xA8OazCsa5PRKnsW/c4UV4aeIJG13X/ZSxKh/8BGEDNDl1wYnt/56ckLT2QKSv29wn847SczqMzNzhRoCCbFscePfe9mhvwU4lT5ev7h1DAUdhIkgztpyeIZElY+fpnkE9iFO5zSrWo0FWG+lXs2SljYmWBu0oJiumzT1lRksUEudXKFYxcOqtxPABK+Wq9PU25/uyH5PmKj1zEUEkQjBL3hJ/tSeQqjcIPbJO1MCLvQVuI3pReuyNlajrH70Aubg6Tis9agmJsQwSqn//rSwhq/3ym+bd6OQsep9m1V67Wef79/uuX+uGhcf+Vyn1OkGtDgtznanEwVLoMV1BbEla0Ti0tJqiZk5YJ4EygmE5hf/ERdtPz4sRHGCMGblpXYwQLGuTWJ4mLEuQ++mzMTvK9eL3rutdVdoLVW1Ac5c35ID1NOkY/L4bQzif0vOgwO7fzYRwt6Qi1/yzVMk87nEBxWLfguvT9eVST0igENT4KYtoKgJoYxhkpt1iuwFzvNCNEcX7U9aHkX0cSXDvzntsiBm4qdAeF7ecMchOtKXtE8UlyoNhcFBf6yIq6gyO4fr7qRW7OzrJ4+7APjUL48LoMkCJX7F8e4uNIGa8LOfATqD7QZmFfk0iSg98rfwNsPfAHGERJ34be3gt+P/Js8OHqtw/ga+VrBdoEeodssB+qnMcgODWm8vUUE5UGd61oiN4yhr8BGLisM/rZBT9DcH3SPZVm08+ygbkpImHUVed9Q5zzk8c+qIUIcKfYlXiczaoQL4m24APtLItpAIUucsHWJx5gh8nEzoQ+nG9kf7gXO9n3ISfZcp946HHRFuxDmTn/UbY2lVNM3s5+h3a8mXPzjmX0NC6tk7PAofTvR8ylPv+llPhxs99InVomIFIb2PDUIDso0vTGxhnL/mV6owOghv4bVL0oJaEdoOrZvM8yIvVHRssFRIZRShiTvKnPoxHtscVwYye+HRJGXS5UxgVvEKebu0JrEmXsFoAaKCOisMda13Vp4hjYgY9zQGeD2iNKiR/a+4sHfweqXJ39/cxVwR8VNUrIPoBq0ySKUUJywBSOEUl8CP4AKqLZ9TBrwO42GpUru1jvaIc4LU143xZ2XfBiQySGLtqBYhf1i7ffXm4P5X7d+mG5EjFWF4tpFKUyaMIIFFBGL+xqprwrAH4K1mG0DemJf4eAfOsmoOQhxWo3l17zGG1DHNnu0XMWCX6bRd+lXM9XXbyMEp94wcm7R3+JUnLOrambUW79j+vqcD6f/jZVJoZJqy99Uo+P8qT8zrjBxV2CisjJC416oYNRofz28uJB+O7k6rjAtmRI/wJz/h5NPqH2V1HR5DL2WK29pOpyRDdaq6XERUnCvrN/bP+N+9avd+wxp//vOfY9YEN3dxxXva1Ua7UEkYSNtwtV7LnmImyzt032NipK+7FdWiT4htaBLCmuyPamfS/Xl55JZX4wkV/ZkGQ25d7XLCn5GA3t1AO1kU9QYuOS4B4Arx1cCBy96aZOZQrDSn3UpBPXeqdjPGlTSrOPCkHgpwEtsA9gSUOvUHoLtnZI9mo//PUORUWkJiRRFr/Nu4cwZzCMImhjNhPUWIiXOfPkthVc3qHeXDYy7ys5L550sS6EURYWaftdu04SdtcN/NCn3IJESZGy2eCnE7sXKUrAH0D3UIKOFObqt7oqPtY1lutq2F8jUFVrjVq71mzU/qPW5rgq+HpTL03cm3oG3dRO022UuOdWniWfYkJBOxDMEmrZkYeyqxtUJEBQKz8PUqDWTafY9sPijncQJRCx/Z/v7McPBPxeUb8teli2tPTYub05xD8XBodTRBuU9Hexn6D0OO307SWqih26UfA+tnsP+F8gcNzV/nbkpL+hrz4/g+Zd5SphZnzjbo5P8phEy8SOvbyuyELxrKJk40M0TaKN76Jkr+OkiLElbyqnzlPafV21u43/Rzn4t0tkKX5zeckwRpRUfdMLWcgdYqcMwDfBkxbRUwx/ehv2qvi4D5BWs9a+u6segqNoF6glR4HCJlCkF7BftXy7j6aiZ/g89mESpdELqU8pQ1PZryB8FAR26Kb1QqZovfs7iFjWf77oNBiGfgpsEBRLRC/lohfsvJumKCG17yQXFG4e+Ml4upj3Fbk7LqrJYcpJg7DnN56dMr7DSMIb8X2Spgret+UxCmw/PFpTPLPTgFEQZwQlJfPj/UAMU2KHEIEaj+00ZfvW/bDV/I0v5xZX4ic8ba+kPrUTMnk5qi/2Ur3galTmFEYbuEziI0gR+x1J90M32qZfXORkyy8yIioiGfsVqLpn1MUaxdXUcf39W1YKL6y4vjTj1ATWml6q+QlUS2zZcKnwHGGKCa2up7dAB+73QlCytRM3/U6fU/zAdd7knAhW3t4Z7qXdKEQfjlTqW9cT79wkpBm7Z6/D0vgPt6BavmPX1Ze/PzHI395SHXtBOyHI/cDq8UU73ri45DjfwkHysIuTi4v9dRxtmlBsJ6h6uBc4Q7H8efGIXxUKg9zUuUhvyRwMcGY1uPVCGHA2v36S+loOg04+02XO1jvZYihhK9ByS2+vLLXbEXl37gqdrbSN1ouhtLFaEoYteQYDLbAMCTuBjMVHbik15NgRtMwVdu1Zs5O5As5cfRHyWMYu3xg7TdlzBbxx/C6ZC5izDMlzBj3PFZZLiRvfGzx8kgQ3dZqS5zzG45kmLxTNk7S+PFX6i+VU7W5531xKhcyTZXixy3fX8/5grvU1U9WUxzmnDPjlp0/VG/D1HLkXH6MqqKYxgvUwci+h+/ZPzl/WmUM/67kd4OoRUpRLHhSwbhnSK4VNXEW+3dJ8Sx+sHbWdTIbjzNZ/3birgW8ZiifzYioGJHaCmT/xpSeniTMKkxXg0DWkEho6R4lhU964gZYjVbxHueQ7zQ4HW0puGr2F0yTY8dl7bv+dyth6O5X9NkGhFrnBbov0RiKH3mbc1Laiv/VNoxcvmlpO9Sp6ew2FTuyEzJa1pTc2o0C7M/XG1hEW9/Jqxo1zaovszahM3/Ng08MwF+/1XHq1hX4uz837iaD51hw2Zd1amYGyGr966/FKXlkrcTcW+o2JMM7l1awxni9f5cf+3XilrMaPAyzr5qu86vnjx9mdOTdbk7m5lVfinfw6y81ccl8MLhWD9sYSNNXS3bjYuxI7zTt/Eqa+2ZLiRbOzspsaR3F3wl4MhcX9KP91M8rvNlDAW0vtrJxmmzN1nFmGtB7p8sYJFc/W2xgGM3/ES2zMHY79CSa/iAHBFG/xiEPmtKRw1FSwJeCVaSjYomcYWp4z1DBd1wwGnNlcUl3YCixsthieE6chr2xBW7v6Doshl6JcSixjTccyp6ngUSCnriFzliFmiG8cfUVvx06AOVsfpLYRF+vRMAu0lcuL9+K6vVk05cjSlYYjLPwXjeJEGmagpZahDNBQyc3FILda+z21PUdfHNfVdx6dC/PzfThBZ22p7cTVJQyDNnYF7XUU4M2o1ds4zW3HamoZC1de6hj0bEIagnJkGWN2HpaAc0uXOacltam+2WsMjUEvd5pubuqNvmkonjHYEVOXI4q/qSvEGOy2pqFQnF7FsNH5d4dtTIkOSln4YkRgFL74yyxht0Ucx3E/BShZoneimpiGN3Oayqu4iprykHt6a1UW+mRvVblkna6ThIiglNp4diMJqr/8kv28aGrcSJMxDK3YbC6WowU7nGWRNHbY5btk0VI8GCoNOFDaUFgsZ4bGOc0GTQ6r6o9YQfwAqXkIqQ2U8pb8uOTr1W2rSWdUaedjJySL53mMQDcjUWATH37cXwl/Q+ovGvAOCO7rOHcFLrMMD4s8i9DA1uFSyjvE1NsNU99tLV3LHQG/uo9x5g67u5PMlI6HyztRaHPwUaQ6PMfopZa63aLHZSjynVdEi1YobRzdSk3dfZ0EDc8JNc/huxvX6K1pFP/QPqJ0Ebt2eZrvIZnZWYqSzQWUj35qOxi5H4tfwr4txFrLf4chWRqlG/iXzDiIvGvEKvLDy5B75yQlQYodn9GDxwneJZQemIYUunoDO6HySinBjF+GdtCJHR+mIg8Jy8GBFVs5fWZyMxh0QhgMiCIMOFO7yBECy22eJXAZ0gfE4WHM+8oKBppHc1RRz3BJUxqZ05otn/oupRtzy5Cati5jkW9MTL2BRWGfJ2fL0eKc8oiDd6kLXcuDgdtwdC1zh7Jg03xOqQ6lK0PLg3iX2roEDyE82LEcSm0flR44CrTM9Sm1Oa4/Vbuh6MPlU95dmwHORD5dSo1C1hE0jnq8pYrLkdpo2Xp77bTc15FxkjrUxj5yOjTXusEgN4RdbOKjDkPYY91um3ojlfJuwvuQyVqGxI10JYarBj2DpmlI0BGwbxxsVCAUSCzyHDGDzsYdUto42I50Nn62tmUoq1IudwKNswwZviND952ZlO/QfW+jkOoucCvtfGW2YFeQCzwNKbMMBcMzXOhcM+R95YAzPY8ibc4IpadmU3uFeZcoAU4traCXoq/4tt6GJ/wMI2Hhi3yjdzjf/i6GrdlSEmj91IiltzmqZx50JpbhGsU5wOVI63mwJS/sodTgfSVz9V3KfOLEV1VhkFnCDvOhGzGf4ZfECTqcyB/tHq09D3Lanc14xXqJtvHcFQY59V1H0DCk5aDJsF7DvLvjAxyI/HJttiRsMlxO/EEfZBbfc9TFr1mxb+5+sqa6ZQ7my7O4ZOPqOhaH6ZM0VDAaUn+8kMXMxp4j7BaW4XFP/Ns4eFLbCxhg8sSvn2zdXD7xCkfninyDsLrOd0NjTbTZWhsrmvKiNjReWQz6c63TW6zd+VQVo5EfxaI/C5/U3i80rp1mg1aB9QmeLF6e8m4o8kW8zHXKuTwMG+nOmEVrJ9RSh+92xH4bu/mfxL0mc6Yhca7RWyCjh8X+oOEKHWpvbFKfEbStRbkx18lE4YwvLkcLKXaCQY6YT3mFbv5oM48L3d8t8d3o3fObqt21FQxS2Fw8vcziDh9ye0xP/IX5yiPlcTTXWWp3y3AL6PvZmf8ptDXqyxtLYPou/EJhsWSpy5DGb9nSec5C8VxhAB19sLIFnLE40U7yWYg9R9+GT3t9J5zPmEf3isDyBn76kbw+PPDHcMR31+5Qaljq+ulNZY6jlBbEFz/0U48Wore3C6D6f97A+sqrKwy4Utef7o6uA4ea7wh4dawWUsPBu5Uz1F5dQctH+mBrq7Qq7DZWTvWKa9iiJ6CdZ8+AjotPEpOXVzDAW5dndmydlothSLuBXVpUDJatqG1BkXUaE6fZlpxQwTAYrFwBN9mclsbBocYpQSd39AEnDoosMFpod5YuN1gninsbaj9SezwyaMYbL8sKUmRWtfcDpyw1HL+9ha/9JcXE1tucw+33C5fTflub892fpuvx/ZtuQWh4ZtOLHebRjXcw6eZT39xRvYcMMCDSPG/3bUPCZkvZwBC7k1X8WLKFk/frSBr2Gmawi818/aRzeDpaW/Ts6XwDBpizFoPUKXCJRF/ZurqU2vpFZTPkhtmUMWyNaWUjUKDVa+GP+G4IW9qqqEQwLjK3937UGB7tbl+fLs+fF+Miuq0Ntd9sLmk2eKWdLxzOlrZ+tyzsVmJIu0OhkyMW3S52+2wv7+oUh9vlotmhVWZqBjHtWItK4PdWjj7b8/I15ea02sBQyxZNObeNHsdYyvDgg4nIK7ETKpu50KFZIbb8biT1d71FQxnofbyYcZ2+onaJEyyW46LCYSRgWgUvL3cOWY9mgP8JAAD//70IRt+RMAAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
