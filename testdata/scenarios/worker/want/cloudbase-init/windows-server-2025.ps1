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
Install-Program 'H4sIAAAAAAAC/8R6fXOiyt7g/36KfmZTl2QnOqgx95jZuXuVKEKUKCoIM9lT0HQEbV4uNCqZM89n3+oGFU0yZ859nq2tqRqhu3/v703+BxBiZBHkADsDvgVdL0CW49+BOA0SEAYQXYOEhFECLAKIi8CzFycEPFseTmNUq1z04jiMO5B4YTCO0TOKUQAR+AK4KQkjrnIxjsNljJLkbNPDKCA4E8KAeEGKuMpFQizC9oS7bwzI8u8tYn07MsVVLqLUxh4sTsVp8A3iNCEorlqRx1UucLgEX8CHHNc3OwxJQmIrquFw+aFyEafBFMZeRCh8FG5RnLgI4xraIVBVwnEcPnuYPQZSQFBsQeJtEKg+piRKST+MfYuAGdoRUO3tEEyZzCH2YAa6WWQlCeDAxwpX7VMs70pB2a5FSR1wlQsvIOGQ8cyB/6XMh+Af/3gf7kQc0PjH3+pc5TkNmOqBEAYbFJN+HPrVrpWg2xvK6OXXhMResHy6oG9X4HvlK32o9QIYOnT97m4+6/9WExGZsoOXXwtET3d3FFeOqtjLkVxVfhzJ6rFHUHUYLt+gJD3WqCae7u46UYQCp4Mx44la6Rqwc+Aj+NoLNl4cBj4KKFEFbYdegE6ISIFHPAt7L6g6ZU7yvXIRpBiDL4ASufdiBEkYZ093d7kzH1Yuc0+4qozjkCBIqocdkO/8OqLc897EVDgld9n5/CgJ0md+V2/wvNX+/Plzd37FVQ5KAlxCrJhwZeEUtK2OY29jEUS1ddTj2CLumR7vEUYEXeZblQsLUs4pgkd7hSABUwTT2CNZrQMhShIaXHGIGfR+i0HVpojsF+5RwmIijKeOg6mTX3L3d+PLzufP/c7nz5+nxtXhudu54q4Bl2PnrioXsbd0SULV9zPSWUKQr7KjT3d3TBuVEteFfFMSI8vPhbsGe6lHoYMO5lDQ9hoURI9Hpq4V0zNKGKBrcMO3b68PSnuMqJKTwy6V/sS3Xpnz1ADX4PD6SFwUJ9Qiv6z4A9K/pP3Hu24ntwDzppIVju/UEuAjKJi6BtzjNkDxNTiY5tyfp4ic8LbX8yuFUKlmyI/C2Iozeua1R144B9/PA4duPN3diYgcSCqWf3TUX42xA96c/wKtEPq2F6DS9jXg/tOvBWjLnbA+CjfoyPtpNB2WSxb90wgrbVDcl2UsxZFXuXBsxSTZ0/36RKnEe2/NXfzpIv+lpJ/DGFnQBZcXkRUT4AUgP8/UbGcEseD6WU6mcFeVAmWN8XCZQ14D/hrkj7UhCpY5u/uTAg4TdPmGAK+z0DX4aochfrqYIhgjctDgQTrGLdnrpgiNEyfK1VXxnsFlgYXClDRWyA0uz/IhOOKlvCKcoHcAS8bKHeuyBEphX7tHCXnBYEkbHcf5t3VROPwvqAFUrcABJd57Oy8hSeGBDFku3xfwz3JxnoUnblBCoCKLltoutfsezRXNFQxP5cfbRsjVkfNI4hTtj8eIpHFQ+fFnKn+MULDPKVxe7zmm9YvItRLW1xW17yIhKKLvHu2x4jQiyOEqFzB06Kn60QC0gax2903P5VcvIE8XQuggppUYwTB2St3eviVdJWHwgQlZDULylmpz0KvCa3ekSE2n+ju0KleHQ/lvNUYRtiAC3Nf/8y0A1f98ojWROz8Fj8es6gtfbT99v/3xrXZ4qd/+oHBfY+RYkCDnicsNQ6GLcAXVJWH1rMxpfmCa2kmRAE4A8uNU7c8ewk5yWqaEEGPElJvUphGCeVPl1B5jB8XIuffYnhVne/Bax3EuOWZB7hrkprw63aTWpHv092wL7TxC7UW3md1Ot3G4pDuU/5NUyzztYIHcWNfgsvD9WViVkzAAVSH0IzpYgKoURCkpRCwoMNcrZ4Qwyo64PhQt27Glrp54z3UeA1cVKkHO+2k/ugnXtBdFUSk5UN2cFRf6ysq7jUO4frrohk7GbJmv3u1DIwc+LBcBkueK/eIhPo7d5GUOBz4C7g5weYjTJE/iDHyv/A0weuAP0A/jngXdvRd8P3bt4MPF7x/Aj8qPCrQIdA/ZYL9VOY1BUGam8qOskykN7mo+Xr3uGP4GoO+wOeuTAz5BcFmaxQq26W8xDl3lkTDsTGe9hTQTHu97oBogwJd1V+jj5FSFuHG4BR/onJofAyhwkAO2HnEBMyYDOwH6cCrI3rhnkuynmlK23Cceai460H0oMuc/i0GpUtbJ69NvtB2vzly9wRm1xjl3SurbtP37FXapz38rIH6d7VdQZc5ERKp9C5YZsvw8TW8snLLsX6Q3ugGq6F+Ac8OEBJaPuJNzXxVEavesYxcRGYQJYZ3kVW0WDunELgUbK/asgLDW5QxllPcN0nhzk2ONw5TdKVAGFURU9lrtOA5NHH3L93AG6GlQvUcJ8QJrf43h7QDH19i/TzwH/qhMw5jsA6g6jsMIxSQDDOEIkdiD4A8wRTS7Hk712U1JvXJh5fSOfEjjgoW3eWGXD88WRFLgoB3Ipaidrb5Pbq/KPd3agVzlR+WYRanBQK68HKRs0dNjp3YtuZlG4aimD+X2uFTEYhAWRMJndn9UXGgALwHrINwGH/ZmZICgCoOQ+CwZcd86l//7P6pXXztVM6+atd/vPn2sPn2vX9f5xs2Pby9ciRBF/iYlGAbE8oIEJHnJA9C1Ylpz44QS/0lT9d5dSdFb5aJenUfCCBHLsYj1rtamKN54EL0xiZRchXMJie4+farftmuN1k2t+OUqFy6yHBSzjvA74DopccPYe2Guy1HALrJiFIPH2IIYceDQ8DGieaD0hEYeINh7RsTzUYFsUbW2SRXBRtUvhKiScI2CKiG4miAYBk7CaNzyFPEF2yz8WkVJFAYJAtw4JRy4PMjyEXCfsEVQQj5ZkfeJwXBX4ED7XKL3mOBY98Mo0ox98PNT4iI6I14od0/kPGckbhizPPM6F+UPtWmEPXLJ1birr/zTr4dQma2jK4wQcUOnZPp5jK/BV9dKXGLZGD1dDHI+i+mQikLolEJ7v/pncHirYgKa/HHh40cWC6z05037vmCoKCE5WVCdJ6hrJR4cW3HiBUtQnXk+ClMyRRDUeVAtzl0czsceoCyCasEW2PP3s56B1Q+MUASq09xpQINV2SJUGUYnRAmgKSNmSnJeVZT7cBvg0HIuz3T1K+PY00UHL8PYI65fWrv3lighp3M3NTudu/95yQ1ms/HvY/VxYdDOnL5Nj6/KY/HM5oazW8spIqUFjVYoG6Mc+fX5Faf408PcKE9bxfT0b0zVPxuhS2P/RZjfjbHJkqs+J9PlkAparSbEQXHMntl/TP76bfO3G/aa0f9vefbss62bG57nritctRojErP9Vo6KvVcdhC222mCrYd72H69S5jG+oj1iGueX8XvWftYHFq5EYX6xybuwIEktOpdfsobFw2hgJS6oDj2CYgsXw+9B4dWDC4GjN13VKEzOWIGPslRyrTduk0pXGPsIOOL2vYTVuzuwpPUzR3oNtlZA9mg//PXbiykiVTEO0+h1T3ao1UwNwxBamJ0E1TyT5bmx9F0HnH+tuTq/5HgbyWljTYl1IAzTIG/p3uSrlJg7ju8FHp07SBjniZltfinxPU9QDP4AuotidBxvLn6vTaX7WtFQYG+NADet1qutaqNe/Z/VFk+L11WtYHHP6onqxlaSbMPYebeG7w/kIwmCaUw5O5YGdsGL8kYCVIvfAxSodpIxtrwg/5rUD2OImPynkv26QcD3yvR90APZgtPjrc4rI/45MDhYEW1Q3NtFXoyS47Hy6rlWVStwQv9t3e494L+ggaNU+5vT0t0HXfr6BBo3lYuYsfHODb4QZxEJl7EVuVlNVcT8veiexnG48RwU73GUmkFG8qpSdp6C70vO6tT/g87n77eaBfjV+QXkCNGB610vZCF3iJ0iAF8FT5JHT7795XXYT6X7fYA0G9XWzQ13CI68n6CcHAFynkCeXsCearG6j6a8N/g68mAcJuEzqY3p9DZl31uF0PetwElqOUx+LdfbQcSy/tNZR8F06CXAAn5OInwuiJ5N7p0kQTGp/iS5oGBzJzyOxvNZT1U6o7yaHI6U5oj96OBaCRslWJPwCnyfpCmCt3m5D33LC47c5O/MGjD0o5SguGhgBc+XgoRYAW3RBWwlCZNb94Jm43ehOJt/SSsNW3sktbEVk8fnI/pcFu5s4KIwZTVawGEQn0GC2Bdr3QuccJt8c5CdLr8piEwRSdn3Zm4/puU08mvrI/39KiuFZ1xcnrNRZoFdW52j+Qi4Qrdsu0B4qmGqE1pdyzfEh97vmaB4a8VO8pM7kPxT+ukFSAmw8vp7wh7aCQP04dhKvXd1+cYtY5Kyb3A1WDD/4RpwxRr7lHX+pZup/PUN9vGeyIoJcj6wenx2VVc/uwA9FeEAeZCidKm5v6oHXBSjyIoRd7gzPNFi8YcMR/1xUOxnhs6HelPhoY9Ts86v52Kft4T1g9zTMui3s4mu8JbeTucDGZu+lpl6a2VOO21JcGaO2N7K23A9H8gbsylj2FQm0Nd8cyFj21ewdM8v5boS2aKWOuKuNWm0U0fEqaPPAwEr2BHqI7uhuI6IN7bXITMR8+ZCdu1+13XE5VLmR7cLAT7IopPYDdm176PRRFPmqubKWk8Zq735cjztbAXPWMo5zIO5cCNH6Kxnvf5M62nGVFPvZ7zaF5ZfvnBX4Mep5p49OnNzSYRgLQidc9W9/8ct39apTX9rmeVj7qhSlMkuFLFuLuQXqjZpFXpWU/NMvb+2p634cTBKLf23jbPqe+ZCdRVBSiSfRLY/8R49+cFu4JSqyfRx4CzkQjX0jBrBhrJxfC1DU+kWZbJnN9o8bKqZsejO7QbBtsfW+f0zhbH0VqJ4LYICLXT83Rbp9VgJ3M2ooW0lb+sZi240b2gZxavqrTUU25EdMF7Wpl7fDH3txtDrW1uc3yqrCT/KKC+KO6EwPdeFDRfDTLrVM/nFEnuZMjNuH0XNM2ewoejmyvDV1ejFXY9WyspcSbuR2Ks/iqNMWU3qo9nyRbnv3YxW6mp038eKbrwoq643up/cGDOj+TgztspKulFeJpmRyc7zgk8kv7UxRW1q6k6Uy65GduPGewwSz2jK0bzRXlkNjad6t4NuBMX57TD7bTPMbjZQxFtz2l7ZjRZv6Dg1F/J6qCsbO1BdS29h6E+8oSCzPWcw8h4x+bvkE0z1LR31kNpNORg2VGyKeGUsVGxSGwamaw80TOkafp83GkuKC5u+iY0m0+ejXVdWlqitHX2HpYBPUCbH5mJN91K7oeKhryTOQuHNhZQioX70Fb0V2T7mLb2fWIsop0fDzNdWjiDdSuvWZt5QQlNX67Y49541qidSN3wtMRdqHw3UzJj3M7O5l6nl2vr8SFffufQszE7lsP322py2YkeXMfRb2BG1l6GPN8Nmd2M3tm2zoaUsXAW5vaC2CWgIKqG5GDF7mCLOTF3h7abcovgmLxFc9LuZ3XAyQ6/3jIXqLvo7YuhKSPVv6CpZ9HdbY6FSPb1IQb393x22EW10UMLCFyMCw+DZW6Yxu47jeZ7/6KN4id6IamIs3IndUF+kVdhQBvzDa67SwCN7rgqSNUonDhBBCeXx5GsF4P7+9/TTvKHxQ03BMDAjozFfDufMOMs8aeywI3TIvKm6MFDrsK+2oDhfThYabzfqNDmsuF/hgng+mmYBpDzQlvdwu8i6Fm7bbNATHJ18rJik0SyLEOikJPQt4sHP+89F70D9RQbeUILzMsockU/NhYslgUWob+lwKWdtYuituqHvtqauZbaIX5z7KHUGnV0pMyWjwfJGEls8vJcoDtdedBNzut2i+2UgCe0XRItWIG9s3UwM3Xl59OuuHWiuLXQ2zqK7plH8S3KEyTxyrMKab2kytdIExZszVd57iWVj5HzOv5K/D8RGy/8ORtIkTDbwL7FxAHmTiVXoBech94YlZbFVt8Xtcjzt2tP5b6laygGLWXg7acqYaru8/iA49494hx1RgcztF3JqLlQMMxgJPl4ZupLArIWROM9bAlHjjfruJC/JWWcDGxpvN53UXEhLOYtmw1mPKFP+ZeTxdeV+Egg+9iVh+ao1kIR6ak4724dp9++SqN1Yi8lS7u2687ra13t4PuHbPXXabf8VXiy9FZoLOXLEfmo05rfQ69AWybWDCX0OHvCIjKZ8fTjr3Tx67ng6XYcTfh2pHnyL99uHXlt+mLr30ykW5W0UmV4nfM1jh9j+fDkS1kuUdTESMS8J6quW6XkSru1AS2yh05b6RJ5lrZ61kLHRVDcwwM7jKrqHvuY6olZaX4dM3oHpQrxLLF2GhxTV322txjp4mESR0eiv7MGoiGRm14axkKEtYm8hHmoShCKJ/r/Z7CcySEI7sn0XQx/zBs0asyiThHYA/X7q3NNn+K95xu+GszkZzZandsnKdh1lw9mcV+7DcMavo4eeIj/Mjf+6PJ7qWfoNbXsDWk+tjLbHtLZrxNRbPMw6banXCeVGtLH0m2AodILhtL7PqOydwhUtu2vPVdcR+9DW+ytLxCnrU7Xcn2k9HgbYtfVt8DAJ10YRu7B+LFdj5nNtXhLcgbmYkLyXxHREIDO/T8xpl+GyRY2XhHofBvIGrvurvK/tzix9h+1ATdCc9WGRHWiY0VrIgaPX6d6L6uOkGDne9adjj133bbEfUHvbgREInnqkT8eRTAokIVnKohzZXieWBOfoAwLzEU8SeOI0cGqK7SbM6i/mQm5YuoLpulH05uP5u36013WK9D6xBbh82IZBDqtljlBfWwupTW3g+P1sIe4iA+8OPC4G3diadshQlzd2U31xBrILhXpujzLtN/LOQnwNQ3EOfWVj+waV+0HOKG6mtz2fjBdzoa4KfWa2r/HmQinrhZ2lo95RzzR3KLyxkPmhRns6BcPmaDmcm3TcmxgLNZQEaW34OC3wuua+wnsdMjnad2QtFJqnXOg7dVvXaO9N26DNzNeaWmEHSahPjIXyoolu5pTzl6AefXXturavJuYkaloi85lwqLc2dBwszWCSsVD6NDea+iSSBslD3l5R391hc9FZ0naM6XowWo4mRa4VlczU+1Qvs6M/1F3bnyx1Ho+HayY3zZ0U94szGIUnccnT/XlE41vwVN5cuMwfz2CnlMeJvks0UbtxhOUbcbBOtYEc2dNltM8lDjvbIbbO5o6lXG8Ntbncn/W0+YIn2mStddVe/XmiyYP5C+89CDf/ephKazlbL9E2XBuNNoVNzZI+83hNljSnsd9evejtFXuk8Q+lOv9oLuCfxf3MEfuZM9C22oDOYN2us1A3lF9Lp7ZWMRS11BwoY9vrnsxnklAXLL3lwgAzn8pxd448d6Ict1Av2+XR0OtYOuSHycOb9qP5QKTzjoKFgH94nkTtvU5L/sJ8ZdKgs1Cpvm6jfX0t+R/N2+o9nakovjPb9lgsifO8jp7PQWLdNRpuZLM4qZfyWatl6PVEztYFPjWCdO4T2xnS+NvHtcp0bE6Xv5LXD7OVnG2X8kDNHH0esRnrvN+LwoQ2nc9e4CUubfZe3+AB7v/5JZGnvjhiny9l/wn0WTUmqtjnDe10eqR04EDzbBGvGF5W7eW6jXcre6C9OKKWDfX+1prSqrnbmLRaCtIaNqm2NGj47Y0zUHjo97dDn+5LDzKDV1bQx1uHRYiztZsOhgGduHcJnUNyr29T3nxa0agH2o2WbAcqhj6rdg12pqnxcKDxqt/OqPdLfRWjwWQ5nGs3pq7UWVXE3Q3lH027Alp0XZpV5awTCx4keQbo/qkemMxeawtfekuWtfUWb/N7eeFy3GtpM6Hzcbz+c098rZNONvaMHcX7b3WRg27d8HeRcfDoQ4QsaNdlzvuJnesllDx16+hyYunKKR8LpW7kFSelmQCKLLI82t3AprYyGtpLMT34kuC+OYmoCzeCTfXl4dz+gpRnad/cUP5pRn0Q1BejKUdwMFnS7uvtSHSw02OyvIlTGmyX80abZqqx4UfYaObVR6YZT5/sZ981nX9pBoKBls4bSmYtunkmHhx8MJYE2impm5nYZl33n04Dx2x1Pg3kWS/gH2gG+L8BAAD//xIAcMtfOAAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
