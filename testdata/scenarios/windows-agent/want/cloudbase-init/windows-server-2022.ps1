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
Install-Program 'H4sIAAAAAAAC/8R6+3eiyLro7/4VdfpmbZI70QbUTJu+s+9WFJVEjDyV7txZBVQELR4HyufsPn/7XQWoaJKZ7D1n1lmzpoWq+r763i/yv4CQIEiQC+wdCKDj+SGCbnAPklWYgih00C1ISRSnABJAPARe/CQl4AX6eJWgWuWqlyRR0naIH4VPCXpBCQodBH4BjEqimKlcPSXRPEFperHpYxQSvBOikPjhCjGVq5RAku0J998zIBh0IYHfT0Qxlat4ZWPfKU4lq/C7g1cpQUkVxj5TucLRHPwCPuW4vttRRFKSwLiGo/mnylWyClUn8WNC4eNog5LUQxjX0BaBqhw9JdGLj7PHcBgSlECH+GsEquMViVdEjJIAEqChLQHV3hY5q4znCPvODnR2MUxTwICfKkxVpFje5YKSXYtTDjCVKz8k0WNGMwP+j6w/gr///X24M3YA//e/cUzlZRVmogdCFK5RQsQkCqodmKK7BiX0+ltKEj+cP1/RtxvwW+Ubfaj1Qidy6fr9va6JX2p9RNTs4PW3AtHz/T3FlaMq9nIkN5Ufp2vNxCeo+hjN37hpOK5RSTzf37fjGIVuG+OMJqqlW5CdAz+Bb71w7SdRGKCQXiqjzaMforNLhqFPfIj9PaqqmZH8VrkKVxiDXwC9pOsnyCFRsnu+v8+N+bhynVvCTeUpiQhySPW4A/KdjyPKLe9NTIVRMtftr+OhMPzKbjmeZWHr69evHf2GqRyFBJiUwIQwZeZktKk+Jf4aEkSldZLjEyTehRy7CCOCrvOtyhV0KOUUwdheIIcAFTmrxCe7WttxUJpS50oinEEftjKomorIYaGL0swnokR1XUyN/Jrp3j9dt79+Fdtfv35VZzfH5077hrkFTI6dualcJf7cIykV3+9dvUsJCpTs6PP9fSaNSonqgj+VJAgGOXO34MD1KHLRUR0y2tyC4tLTEdWDCT0jRyG6BQ22dXd7FNo4pkJOj7uU+zPbeqXOcwXcguPrmHgoSalGPiz4I9J/Sfrj+04710BmTSUtnN6pJsBPoCDqFjDjTYiSW3BUzaU9q4ic0XaQ8yuBUK40FMRRApMdPfPaIq/co+3njkM3nu/v+4gcr5RhcDLUj/rYEW9Of4FWiALbD1Fp+xYw/xXUQrRhzkgfRWt0ov3cm47LJY3+oYeVNiju6zKW4sirWPgEE5Ie7v32TG9JDtaam/jzVf5Lr36JEgQdD1xfxTAhwA9Bfj4Ts70jKHOu34vJFO6mUqCsZTRc55C3gL0F+WPtEYXznNzDSQFHKbp+g4HXUegWfLOjCD9fqchJEDlK8MhdRi05yKZwjTMjysVV8V/AdYGFwpQkVvANri/iITjhpbQinKJ3AEvKyg3rugRKYV+bRwl5QWBJGm3X/bdlURj8B8QAqjB0QYn23tZPSVpYYIYs5+8X8I9yctaiMzMoIVAQpKm2Q/V+QHNDY0WGp/LjbSXk4shpJMkKHY4niKySsPLjj0Q+jlF4iClMnu+ZTOpXsQfTrK4rct9VSlBM331aYyWrmCCXqVw5kUtPcScF0AKy2jkUPdff/JA8XwmRizKpJMiJErdU7R1K0kUahZ8yJqthRN4SbQ56U1jtlhSh6Vx+x1Ll5ngo/60mKMbQQYD59v++h6D6X880JzKXp5zTMVjds9XW8293P77Xji/c3Q8K9y1BLnQIcp+ZXDEUunBXUJ2TLJ+VKc0PqCs7LQLAGUB+nIr9xUfYTc/TlBBhjDLhpjU1Rk5eVLm1ceKiBLldP9uDye4AXmu77jWTaZC5Bbkqb843qTbpHv292EJbn1B90e1Mb+fbOJrTHUr/WajNLO2ogVxZt+C6sH0tqkppFIKqEAUxbSxAdRjGK1KwWNyQmV45IkTx7oTrU1GynUrq6pn13OY+cFOhHOS0n9ej62hJa1EUl4IDlc1FcqGvWXq3ceQsn686kbvLdJmv3h9cIwc+LhcOkseKw+LRP07V5HUOB34CzD1gchenQZ4kO/Bb5W8guw/8E4hR0oOOd7CC305VO/h09esn8KPyo+JA4njHaHDYqpz7ICgTU/lRlolKnbuat1evK4a/ASdwsz7rsws+O+C61IsVZNPfoh26yT3hsa1qvelQE8bdHqiGCLBl2RXyODtVIV4SbcAn2qfmxwAKXeSCjU88kCkzAzsD+nTOyEG5F5wcuppStDwEHqou2tB9KiLnP4pGqVKWyevTb5Qdr87cvEEZ1cYldfIqsGn59xFyqc1/LyA+TvYrqDJlfUSqInTKBMEgD9NriFdZ9C/CG90AVfSfgPGilIQwQMzZuW8yIrVuVrH3ERlEKckqyZuaFj3Sjn0YrmHiw5BkpcsFyjivG4ZP60aONYlW2UyBEigjomSv1bbr0sAhwsDHO0BPg2oXpcQP4WGM4W8Bw9ay/z6zDPhnRY0ScnCg6lMSxSghO5AhHCGS+A74J1ARja7HU2I2KeEqVzC/70TH8Kkg4W1asuHDC3TQMHTRFuRc1C5W37/uIMrDvbXjdZUflVMUpQoDufBykLJGz4+d67VkZgaFo5I+ptvTUuGLYVRcEr1k86NioAH8FCzDaBN+OqgxAwRVJ4xIkAUj5nv7+v/+R/XmW7tq5Vmz9uv955+qz79xtxzLN3583zOliyjyN29yopBAP0xBmqc84HgwoTk3Senlv1NUvTcrKWqrnNWbS08YIQJdSOC7UlNRsvYd9EYnUjIVxiMkvv/8mbtr1fhmo1b8MpUrD0EXJVlF+Btg2iviRYm/z0yXoYAdBBOUgHECHYwYcCz4sktzR+kJfO4g2H9BxA9QgWxahZu0ihy+GhRMVEm0RGGVEFxNkROFbprdccdSxFfZZmHXCkrjKEwRYJ5WhAHXR15+AsxnDAlKyWcY+58zGOYGHO++5Og9Ipis+slupBH7aOfnl/fRxeWFcA+XXMaM1IuSLM68jkX5Q02NsU+umRpz8419/rgLlck6mcIIES9yS6rXE3wLvnkw9Qi0MXq+GuR0Ft0hZYXQLoXWftxXcHyrYgLq7Gnhp58yX8hSf160HxKGglKSXwuqeoo6MPWdJ5ikfjgHVc0PULQiKnIAx4Jqce7qeD7xASURVAuywIG+36sZsvyBEYpBVc2NBvBZli1cNcPoRigFNGQkmZDcVxmlG21CHEH3+kJWH2nHnq/aeB4lPvGC0lrXn6OUnPfdVO207/7HNTPQtKdfn5TxdEYrc/qmnl7lcfGc9Q0XU0sVkdKCQTOUjVGO/PZyxNn/3cPMKA9bRff0b3TVv9dCl9r+qyifjWWdJVN9SdX5I2W0Wk2Ji5Ike87+yfjn7upfGtnrjv57x2bPQbbVaLAsc1thqtUEkSTbb+aosveqizDMVvlsNcrL/tMoRU/wDa0RV0k+jD+Q9nt1YGFKFOaDRd4VdMgK0r78OitYfIwGMPVA9dEnKIG4aH6PAq8eTQicrOmmRmFywgp8lKSSab0xTSqNMA4ecMId+GmW7+7BnObPHOkt2MCQHNB++tenFyoi1X4SreLXNdkxV2dieIwciLOToJpHsjw2lr7rgMuvNTeXQ463kZwX1vSytuNEqzAv6d6kqxSY227ghz7tO0iU5IE52/ylRLeeogT8E5geStCpvbn6taYOu7WioMD+EgFGrXLVZpXnqv+72mRp8rqpFSQeSD0T3RNM002UuO/m8MOBvCVBziqhlJ1SQzbgRXkhAarF7xEKVNvpE4Z+mH9NEqPEQRn/55x9XCHgt4r6Pujx2oLS01TnlRL/GBgctYjWKOltYz9B6elYefVSqgoM3Sh4W7YHC/gTEjhxdZiclmYfdOnbM+AblaskI+OdCb6Q7GISzRMYe7uaIvfz96J6ekqite+i5ICjVAxmV95UysZT0H3NwDb3H7Q/f7/ULMBvLgeQI0QbrnetMHO5o+8UDvjKedLce/LtX167vTrsHhykzlebjQZzdI68nqCUnABymkAeXsDh1mL14E15bfBt5DtJlEYvpPZEuzc1+94qREEAQzet5TD5WK63dVAW9Z8vKopMhn4KIAjyK6KX4tKLzr2dpigh1d8JLihc3wvj0ZOu9RS5PcqzyfFIqY84tA4eTLNWIisSXoEfgjRF8DYt3SiAfniiJn/PtOFEQbwiKCkKWMEPhmFKYEhLdAHDNM34Nv2wzv8qFGfzL2mlZuuApPYEEzJ+OaHPeWEuGi4KUxYjBG4G8RWkKPtibfqhG23S7y6yV/PvMiIqIqvsezNzaNPyO/Kx9en+w2qWCi+ouL4ko0xCNra6RPMTYArZZtsFwnMJU5nQ7FqeEB9rvxeCkg1M3PR3ZiD5p/TzAUgJsPL6e8IB2o1C9OlUSr03unxjypiusm9wNacg/tMtYIo15q1ZT3uOwo8NoSA9+eY45/dnb2/AXw7i/nHNNeq3oMqxP9d/bnBNjr0F9PkL+3P9rnEDqscG+6zkooTm89OzEd2P/47hXkbth2d7l38/kFHw+rvAafoGE4LcT1mVczEA5S7GyueGcYQ82kZpVHz4AAKYOEExTBBznMSeabL485CTHhmnL+5mJhuZdZl1AryyOHap90UWCssHqWfsnKC1m5gyC83WSh9I2AqMnWU2F5babg0FV3P7rY20iZb6QFpbdQk7dXniBEZgTSVsBzIedtm5xMmx3TdWbn/bnPCtldvHK9fUQwHL2BW4kc3LntvHa9tvE62PWWsqebbY8dz+fC6xo7up4DxIfTe1ecmzu/FoYsi6YniS0ZOflJ4+f1LbG8GfzaUc5sGaerErtJdaT9SMnjFTDaWrsYoozH/5hbkBP84lR5JVSiWXxsipFZGkli0iV2inF5J8/y+Ivmcw31OfoJpDdXH1AnGaCflRZcmjygmK7kqa3+kqhqSruiVNWFFXsj2WCEtOUnUpUHpyd2LIA4sV66oudSwWG1pPFg1esmZ1KbYH0mTGyU15quxcc763ea+udq29y8qhqeNHm4slFEQbRRfr6tR5UMxY1HWuI/fczsgwxMnUrav90c7udqDOSj3dUDoWa9VHAzyGS6OhmbHoss2eMcWy0Vc8he01kM7pqibJRk9saqzSGbXjsdHDDW0hrl3W+E/FEOWJpgwmmmjQe13WW4yCzcbEsqCIoj7BsTxZcoNJiLcKJ8tyF3cs1hhMWPn47rLGUFj2NqouCtrUtXQN62NxuFfqkwYc4FAzvzRsrHTUUNLGWmes8Rte1b290vPCCS8ls11L1EzsOXyr88BZKuwbD26gkBk3ezB1MtKNYd0Nto+ayW3daUfU98bG6kfJbKrIan+4g9i4m2BJniw6GR9WTwl1wxUmeMgZA2uv16XG2Iglp2tMZ4tlXZ1ECdI5EYoiNASiT0xLsNimqYqyrOhub2K44buwKmlquhHpRqw/cEpH70mhhq2hvuQEYSkG454hGD2xNzHE4SPLdWzW7U7q4kBnWXasSx1NlzujPuloumFNWKwoXTE1NZcb7eX12HB7Y9HtK7olOzxpjEwOj8Lhg9l3ZYePd4omY0PsDOUg3djmtqOaXkddKA0Du4GylwWHi3WoidPRUuyMulJX7kWsLXZ2jt+a2gKZuJxlQFa+06kNtqPMdh91Y6wI79j1v+t0Zx9LAPPzz6vPM97YuQODheZmZU09PBS4YChwntVX9m6/tbPUjmrzLXYouN0x3k6coBU6gUiUvsjOjC2ZmXIEzSaemQqZDpSdO5XZ6UCO3b6+mtUlVtrEseW3I6m37eicIpo9rE/YVk9R28QO9PlIWM7RroNRH7NDQXkViF4m0S/Mh1iNk2i7e4dLkzVWboB3Nt8kltlkp1p0p/MGq5hNHk6ltR1w2A4VczaV4pkppZY6D1VR0XWxNdGXrZmpOulQcCN3oGzG/pe1M5DWaLCkEvPsaSe1tGg/0oYNabeZSyznzXgvtgM9fJjE9sUd7ngRa9ZUEe3Qip2gtbJNY+WKlucE2JsFW/wguENDVCY69z9y91g7u9fZjoRGU/Ybm8dFez3SZuljIK+dsH26P6dPPliCtFs+SP1zedOUNREuZKpxH+TJ0w2xo025jqpxnvVkeqw7aN897lobJ2g1kNrEqC8Sp7/F48VoO1rMw0ehHWrL1osuSk+muGyNtPZqrM1WI6Gxedz3+EehubDr0uYxMBozk9vY/UxegV2XMOVjKMyXDvWMAC8stRPbfqf9ILgLm2+yMxOvrKm0zGjjCTcLjNSaTsIHdTlHm2gJeaOZpWjWe9R67N1UlC1q+Zqx7bpTiaZ6NkvZA2ltizJ2xa1mTSUemjJ2uE04FNK5NJCxE1rxjNcfoDmbP4gKduoTkpcRb6T0PsEou5/qd0LUqYJto7Oz6x3shEpzKHAjOFWwE4hpgSOnU+DGM5PDw96FvgROR9MOHvY4zh4osV5XdtBshkOBM2fmlrPU9tI6s63Jw8skbglBE7sDOaJytdROHZrNTMfDAS1LOoW+2mGhb5LL2NgVOm29Zwdjnu539k9TypPXLOntbrTv7caCM5d4qen0xb2z41I4ldknbZvSMsjuNn5+8F/rO4uil5FllaLkMrDMafOafmOfaXA5DuoAA1eun7XrH0FC19JvXIbjCuYTmaKXLE3ZABPFKfP1jenLEehradBwwnQ5QXjn1L9N8uGvq14Va2nqfYdnd/8Ki09cyP11iXYpU6qM63L0aBrL0ULnRtpyPtHFzkQf7bUw9iZ7MTWXijTSm7qiGR26p+rOForLHRx0fNuwInPpbFwxnsG+55s9aW/i0dbB8QzWFVnpiXVNVzouy/UmU2du1zv7Lk0erxLli4/RgVcXYX+NkixvlD9i5N/z0vvPnwM/SaKkhraQ9oCfT8Xp5zVb42psaaW6yfvxKgzcuwbt4ZiyvAAVYFoub0+P+eGivFUHbb55B5jmlxZnN+0mz7tN94X9cueyLy+szXHsi+22XJ6z7caL8zN3V4cv9YbLfuG/3EEefWncvdzZiK0zH+X8Y8X46fFXJwpf/HltBwNcUm9WmwTiBhoWdkI5tvnG3bB/yEiGZ/XZFTS/rN2F6NmDTjTTeg+QxyurG82NgcQ5dQVbPbnjsPLaDqzY2sR7p28sxvNoPhTac7d8Zh890LXifzLsNz3b1O+Gee1R3psP+/LaDhUape6Gg835ntCef6iX8M9hhr2/pre4pO2v6TWic16Ezl/Te7yS2V/Ti1zK7C/qTS5k1v5repVXMvtrepdXMvtreplLmf1xb+Oz5HESe04fm9ZU2kOztRr7nbM+4zHA68f6bDsztxvY722FgMR2MLkbinl1QKsrK8ChEMobyxzd5TLtZJWInlcYd0NB+sPqc1jEHThQWGcgT7LqRYvmw+APK1C/uHNlczlNhxiW/8/OLyvSst4f1fZqxrd2jnDC+6fk0vPWTl3p2nwzgKbz4NQ7eHaIn/1sb0WrwLFPK7YGsYPW0lLZbcEDC00Om0FrZWnRXJkaWVX5yErYCbaxXfBl91uLmbmlOJaWyvWUSdbHPsymndgIjJ3D47W9iOa2KS5gH68sU1zaajO2dy1+ZIqp0/e80SROoNlcjv1Oz+Y5D5rNB5vHqws9LvM9mlsuOpHCR+26FM7MZowCMRuyzcytYQeYHfudJ0PjxjavYGe37U32XF4V9pTuk3msDHO5DIy9NZUOculqnDSZ9uM1lbVT8JxVm3V37VAZC9JC7jdYJ1zO1QXtGNpfJN91houG/+d05+7surG5kMGBLs8ZtB/+VN6dytiZn+dZOxAJ1fXEVAg0m7FTV3azqbL+I77p+ZH5Z/nNOqqdHRisNZUvbXaO6uyf4lfjZMPpK57bN/aXcWI4IK0/F3+MFZxOLvzrWJdsbL6VWtPh6thZFvZqmc2s+6b0WYGYOrz+p3ic8C1im+LKap/rlfqYw+t3w760tuuTws7lhRPgjduN5jpvsI96E7s9K3YCoz4zt2k2hA5waqltcno++Gdj/qgbq2xiYk7myn8D7RqNPfrb9Z8TtGhsnht8awd5Y1f4QuKaNBY1MdVpOda4i95qtJ+tRpscfsZvs/rRWZRrx6MvLS2TW5fjsGU2l06/FWd1Y1/BtvmlnCN4uTvZl887/dZSrxs+td2L+vQQ17cjobGTu5M34/7RLgyZm2Wd9MHf2x/OHVa/uVf6LTIzMbXbhT0w9m7f2D0G2/WMF9NDDIVTeWHXqX6WZ3fQeK0XXbnyL/Lv9luJReOyIC2hiVd2d7aypzEHB1bqDDCBe6th72XsCOX6o7OY6TJ2QmU4m8qRNX2bZ4f3vNFC58cLD88CvS4vjGDGS8vZftSwusP9jJ/tRlrHkzVvMVrMWFnrNUb7yXbcHbKzfXtraUYw2s82s0WbHfd7vLxf8qPubDfuOuwoGBW+IGGLx3t3IOUfT87tJJv8vKcTyBvNsd9Z0dzyGMipO5VZ6utI4JLxYJTbu9mMaR6CppjCaYyt1/XRfNg3AiswFm7uC9qM97A1MI65LadTobmRdTgZ03O0Lzrsw7rhW+aWrp/JuIijr2nvcx4SO2trMLobdmebt2fLi8gP32ocy98980mr5LfDyT52io9Xnq12+tDcYoe7mBVfxANr6mFpR/NZJ0WTfDLz/wMAAP//pZLUde0+AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
