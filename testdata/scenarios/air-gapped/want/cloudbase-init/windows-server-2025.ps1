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
Install-Program 'H4sIAAAAAAAC/7x6e3PiSLbn/3wK3VrHYG8bWgLjKdxbswMCCWQQRkLPKm+HlJlGgtTjSilA9NT97BspiZcfNdUzuzc6ooyUeU6e88vzVv8Phk+QQxBk3JwJHOD5IXJg8MAkWZgyUQjQLZOSKE4ZhzDEQ8yLn6SEeXF8nCWoWbsaJkmU9ADxo/ApQS8oQSFAzBemrpIorteunpJomaA0fbXoYxQSnPNRSPwwQ/XaVUocUqzxD98KIicYOMT5dhKqXruKMxf7oNqVZOE3gLOUoKThxH69doWjJfOF+VTy+uZGEUlJ4sRNHC0/1a6SLFRB4seE0sfRFiWphzBuoh1iGnL0lEQvPi5+huOQoMQBxN8gpjHLSJwRIUoChzALtCNMY7hDICt0jrAPcqafx06aMnXml1q9IVAuH2pBxW7GKcfUa1d+SKJJIXOd+V+yNmH+9reP6S7UYVp/+wtXr71kYQE9w0fhBiVESKKg0XdSdH9HBb3+mpLED5fPV/Tphvmj9pX+aA5DEEH6/uFBWwifmyIiarHx+mvF6PnhgfIqWVVrJZOb2vfTsUbiE9SYRMt3ThrPmhSJ54eHXhyjEPYwLmSit3TLFPuYX5ivw3DjJ1EYoJAeKqPtxA/RxSHj0Ce+g/09aqiFkfxRuwozjJkvDD1k4CcIkCjJnx8eSmM+vrkuLeGm9pREBAHSOK4w5crPMyot76Z21Jipp8RJSP1cUhltG0+Jv3EIoqqfQHlyiPcKlAHCiKDrcql25QAqBmUwc1cIEEZFIEt8kjd7AKA0pZ6SRLigPiwVVE0VkcOLAUoLA48SFUJMLfa6Pnh4uu799pvQ++2331Tr5vi737up3zL1knv9pnaV+EuPpBSLHx2dpwQFSrH1+eGhQKN2JnWln0oS5ASlcrfMQetpBNERWxltb5nq0NMW1XMSukeOQnTL3LHd+9sjaLOYgpweV6n2F4by5pbfXsBP43zk8afAnj30eyXgszE/Pgf99FwBP9uGKLlljvi/tkAVkQuJDmC+0ZrqskBBHCVOktM972gNj3ZfmjpdeH54EBE5Hik7wckaf9YrjnxL+Su2fBS4fojOlm+Z+n8FzRBt6xeiT6MNOsl+6TLH17fMz7vR2QLlfX3OpdryJno9OQlJD+d+faanJAeTLO34+ar8S49+iRLkAI+5voqdhDB+yJT7C5jdnKDCg34URSndTa1i2SxkuC4pbxn2lil/NicoXJbiHnbyOErR9TsKvA01t8xXN4rw85WKQILIEcGjdoW05IBN5RAXRlTCVfNfmOuKC6U5Q6zSm7l+FfSYE18qK8Ip+oDw7LJKw7o+I6W0b83jjHkl4BkaPQj/ZSwqg/8JGJiGE0LmTPbhzk9JWllgwazU7wvz9/N0uoguzOCMgYIcmhz79N4PbG6YXyqcat/fv4QSjlJGkmTosD1BJEvC2vd/BvksRuEhptTLDF0vUL+KPSctKrEqwV2lBMX02adVUZLFBMF67QpEkO7iThdAS75G/1CmXH/1Q/J8xUcQFagkCEQJPKvPDkXkKo3CT4WSjTAi70Fbkt5UVrsjVWi6xO9YXNwcN5V/GwmKsQMQU//6f76FTOO/nmn8rb/eBU7bnMaebXSf/7j//q15fODuv1O6rwmCDiAIPtfLi6HUlbsyjSUpkta5pOUGNXPTKgBcEJTbKewvPsIwvUxOfIQxKsBNm2qMQFkGweYsgShBcOAXa06SH8ibPQiv68UN1m+Z8ipvLhfpbdI1+vfVEtr5hN4XXS7u7XIZR0u6QuW/CLWFpR1voLysW+a6sv1F1JDSKGQafBTEtBVgGuMwzkilYnVCYXrnESGK8xOvT1X9dSqCGxfWc1v6wE2NalDKfllBbqI1rR5RfBYcKDavkgt9LJK6iyOwfr7qRzAv7rJ8+3BwjZL4+LpykDJWHF4e/eNUMl6XdMwvTP2BNguHnESSnPmj9hemOI/5ByNEydAB3sEK/jjV2cynq98/Md9r32vAIcA7RoPDUu3SB5lzYWrfzzFRqXM3yobobcXwFwYEsOiMfoXMr4C5PuueKrHp36qBuSk9YdJTF0NzvOBngyHTCBHDnmNX4XGxq0a8JNoyn2hnWW5jUAgRZLY+8ZjiMguyC6JPl4ocLveVJoc+5CxaHgIPvS7agn2qIuffq9amdo7J293vlB1v9ty8Ixm9jdfSyVng0vLvZ8SlNv+tovh5sd9QnUsmItIQHHAukBOUYXrj4KyI/lV4owtMA/0nU/eilIROgOoX+77KiDQHRVkuIjKKUlJUkjfNRTShPfY43DiJ74SkKF1esYzLumH8tLkruSZRVkwBqIAyIkrx2OhBSAOH4AQ+zhm6m2kMUEr80DkMHvwdU2ebxX+/snXmHzU1SsjBgRpPSRSjhORMwXCKSOID5h+Mimh0Pe4SitkGV7tyyvNOcoyfKhHel6UYF7w4AI1DiHZMqUXz1duPjztAeTi3eTyuQqzIi+U2ilLlNGHElFBGL8VoppoVMH7KrMNoG3464F3yb4AwIkERNerfetf/+z8aN197DbtMb83fH379pfH8B3fLsa2779/29bODKPN3TwJRSBw/TJm0zE0M8JyEJsckpYf/oPr5aAxRFUGlqjevTXYQbUMcOfBktlqC34bwd+u956seXkaJT7zg7N3AX6KUXBb21MZpYf/36/posXj6/UmZmRZN/fRJPT3Ks+p3UZi8GmSoiJy90KkLuBiVzG9fTz3EH26uT0u4q/LsXyjbf1Sjn/UVV1HZYRela73xkqrLCVW00UgJRElS/C7+KfTn7tuf74rHnP57zxa/g2Lp7o5l67e1eqORIJIU652SVfHcgAg7xdtW8TYq64pTr6Yl+IYmoSwp53MH0X6UaCprpTQ/mUWuHEAyhxb+10VE9DEaOanHNCY+QYmDq+r6CHjjaELMyZpumpSmFKziR0U6M6132tWzHqkS+8SQCfy08NMHZkn9vmR6y2ydkBzYfvrz7ZGKSENMoix+G/SPMaaAYRIBBxc7mUbh9VXAPhv1Mq8HuDevu6j3mVxmbnpYD4AoC8uc8a5cZ9miBwM/9GlhQ6KkzBfF4pczubUUJcw/GMNDCTrVT1e/N9XxoKmXgRD7a8TU1QbX6DRaXON/NjosW2e+3zQrEQ+iXkD35KTpNkrgpZQXwafcUNY8CGQJlexUBBdzI1QGQKZR/T1SMY1e+oQdPywHzEKUAFTof6nZz18I80dN/Zj0eGwl6altfHOJ/5yYOd4i2qBkuIv9BKWnbedvX6OqOCGMgvexPVjAv4HASavDaOasuaKvvj4zrbvaVVKI8cFgkE/ymETLxIm9vKnIYvmsomTjA/SURBsfouTA4yyJFUfe1M6Np5L7uu70uP+gDcDHKbIiv3k94ZgiWtF9aIWFyx19p3LAN86Tlt5TLn956/bqeHBwkHar0bm7qx+do+xVqCQnglImpgwvzOHU6u3Bm8qG5evUB0mURi+k+UTLQ7X4BMNHQeCEMG2WNGXfP9wBVET951dtToGhnzIOE5RHRC/Voa9ag16aooQ0fhBcULh54GfTJ20xVOTetMwmxy1n9c+h5PGctCiBiiLhDfkhSFMG78syiALHD0/SlM/FbYAoiDOCkqrs5P1gHKbECQFiGjx20rTQ2/DDdut3vtpbzuPPisQDk+aTk5DZy4l9qUv9VaFIac5hdBhYUPzGpKj4iGX4IYy26TeI3Gz5TUZERSQrPkHVD+VleUY5Fzudf3hbpMJXUly/FuNchKIvfs3mF6ZeYVssVwwvEaaY0Ox6PoI61n4vBCVbJ4HpD5qs8uvaZYd1Rlh7O7A8UMMoRJ9OpdRHs5F3xhhpVgz5m6AS/tMtU6/eFbPy1x+/CsjfjshOjaiTEAQ/Ffn41SyAezVhuVThSHnU4mxqcpgF0o4NxU6C6sehxAWK1bfNE351IAq5ZbCR0ZZZEODM5ti1Jgqsw68fpaGeg6Cbzw2ZdYxupo0kbAd6bhudla32umMeLqDY3UrbaK2NpI3dljBoy3MQ6IFtStgNZDwesEuJk2NX1DMo7jrzVjeDIs6goYU8ljHkuanbkj0o4o3r98hCxKxtSp4r9D0oLpcSO703efAoiTB1W5LnDuLpXJc1RfckfSg/KUNt+aT2trxvLaWS5tE2vRjyvfViKCz0oW6pujJYsIrAL798qd8w3y+RI0mWUuRoj9SsbL5ZvESQ76WvkPz48/e3guZb6hPUBPQurl4cnBYgT1SWTFSOVzQoLfz+QNElTdVsac4KmlKssYRfc5KqSYEylAdzXR7ZrNBWNalvs1hfDGVBb0m21ZZidyTNLU7uyKaSQ2O5d1teWx3Ye8jKoaHhicvFEgqiraIJbdUEj4oRC5rG9eUh7E91XZibsK2K09wd9B2NlYaarvRt1m5PR3jmrPW7hRELkO0MdRPLuqh4Cju8QxqnqQtJ1odCZ8Eq/WkvnulDfLdYCRvI6v+p6II8Xyij+ULQ6bmQ9VbTYLs1sMwrgqDNcSzP19xoHuKdwsmyPMB9m9VHc1Y+PkNWH/Pr4VbVBH5hQltbYG0mjPdKe37njHC4MD7fuVjpq6G0mC36s0Vr21I1b68MvXDekhIr7woLA3ug1e0/crbqiPojDBRicdajoZGppo/bMNhNFga3g2Zf0Pb61hajxDIVWRXHuYP1+zmW5PmqX+hhD5VQ0yE/x2NOH9l7rS3dzfRYAgPdtFbrtjqPEqRxgiMIjs4TbW7YvM12DFWQZUWDw7kOww9pVdJZaHqk6bH2yCl9bSiFC2yPtTXH82shmA11Xh8Kw7kujCcs13dZOJi3hZHGsuxMk/oLTe5PRdJfaLo9Z7GiDITUWEBuupc3Mx0OZwIUFc2WQYvcTQ0OT8PxoyFCGbTiXFnIWBf6YzlIt66x66uG11dXyp2OYaDsZR5wseYsBHO6FvrTgTSQhxHrCv0c+F3T5ckccrbusPK9Rm2wFxW2O9H0mcJ/YNf/qtNdzA2Z+l//mv1qtfQcjnTWMbaZbXp4zHPBmOc8W1T2UOzmttpX3VaXHfNwMMO7OQi6IQgEoogCa+k7Yhly5BgdbBkKMUdKDk2ZNUdyDEUts9oSK23j2PZ7kTTc9TVOEYwh1uZsd6ioPeIG2nLKr5co72MkYnbMK28C0cs8+lJ/reqLj9FrTavBDErgx+GFoS/Sb6et9OeLv2ySKMD1UwSHgZ6DVhE9u+PB+JHHZOuO9NAxOntzHrtA3HF2C2cgvwsd43NmFRFYiF0ayflOCML+ahJau0kg544KIR/Knhsovtv2XhyD8+xWEWFDEOihY8osCNcZaGHWVjsYiQIB4g5P2n0PmjKerabZdNHLpj64kGPiw9jNOyu31WEtA2e2Ka0nAcyBOM3gakjBj6W8k9sGjEFbyZHOPlI57QCHZrvMBFSG+T4GVabxXE3xoCiAC32E3co2JRbknbW0jR6Ndj+FBozdcJpJLbyZBPLGDRWPGgEI5pndlrZW3mlN1c4KBOtwEkrYbuE9HEmdYm9gx3Zbhv+WLmqxN3AMSGnP3+8dU8GTQL+zDG7rilr45+8LZOf3csCM0v7ovqS840FTicx5zIGWnruBQKqMvoXGLrXNcciHfQ+05bbbltZFFm9RuxBytIC7mRkn09Bry6YVvu/g/6rVF0n13OZRQtIm/JagJW2O8ub6c9r0o29elJL04ArHRMtjErltmZ34MIIjZQv20WbSPrvTsHR22/Q81+ynttptTf1uMhtNKfYry+x7VoBTx1Ri25wun9S+K7X7nCtuwwlf+MDebe1aNvWToNuyTSl3DAWfbLTPglDH/z2YwAisUfIxGvRmaXQob89j4ai/n/mfNz+0jG30TyQPI4h+vihaZy7928ydi6CFcskDIjZsU9rT0nK8inynrfu2IaxdtUMvJHOMzxu4EnzbVDyZH6fjgMRuMPdnvvTotnA2r4wdmlJVPtI9Sgxa8oaqjdTxPcoln2YE6nCW2dfcFsGuX7xnD7/HgRS4gXcv8x2CQj2CwW6LDC6RQ28zbenbsb/1LbMfaxWcitFZA7Ebu2Ehy9o2uM2ZE9/Lqzk7zakssjenNEPPAy0Pg3x8b+TS3hGHubyw7mei7tsL0JINe2UFymq699bTlbyyV+PdVBxyM3Gay6s5N10s9/JgeDddKavpQMCyYe3lVd+fDuZ31sJqzxbWVl6N7+T9PLdyCb6YbDoOOhtb1NVDsLFMJXZbd/4sTH0aoLRWd+W0dJbi7ob9GIja/ST/vJnkdxsg4q2tdi8DnHEROP0JLxVrcDT1Z5j8dRwQTPEuz9Uyq7XjQFvBwO/cTYz0DuSd2M27nBvgjDqXZexiFOhriq1t2IFtyIUsi6C7sFoetkd6aqtS1zS57vvOlIX+mwKCGlsSIoI+KiC0ls5OdBmD0I6tlracaB3PNbRlaXo7DPke0dqKB0KFA4LSAaK2nJs667Y4amKr+s9IQfwAqXkIqAwqIo1qElVNxurbdovuqDON4rtgFi/yGDG9jESBQ3zw2+HL7wdUf1KAd0CA+2kORbaqoLpVcgJLKe8Sy+hwlrHb2oaeuyLew0GcwVFv9zZwbrdosFy6obKd+m8SWTodLe+kvLcBbZxZLTt3W1zgikII9nF1xnY5adMKXGDt+ZcvP6XXZax8B9rzDe+j+zPHRKkWQ6cyovcuMHOyFCWbV2cM/NRxMYK/lf+fzcdExez4/4UgWRqlG/CnxDiS/LQQl0W5gtL3rPMC+HdZryI/fJ1B3rFNSZTiopAtK/hE2kZry5RCaHDYDZU9TWVzfhk6QTd2fZCOeUCK2EQLtZw+/0TlLxLOCnTPFtkMGQJxeRDzvrICge5BUd+XcR5XIw4uc9vz5eMQYshzC9uUWo4h085jZhkcHpe8UtucLyfa5bhkLLw79qBneSCAnGvoGRzJomPsyjEJO703R7YH8C51DAkcg5KwS6AhFbJPDDu1aCEZ6Bn0waN0dj4tkMc+WD7mvbUV4GzMp0uJK2ldUWepf9rqeDlRubZjdNZuG+4n5lkwVLlDLOjSQhsGQm6Ku9jCJx6meMC607EMLpXyXsL7oKClhffEUGKw4ugdtCxTAq6IffMoowKASOIxzxIr6G7gSGZBIGwnRrF+cbZtKquKLncDnbVNGbxDQ/Uui16q9zYKKe8St0rOfSELhqJc4mlKmW0qGFzgQvdaIe8rR5zpfZSJYE5ow2G19D3Ie0QJcGrrZbE39hXfMTrgrG7BSNT8Mc/1j/c73MWgPV9KopDbbZ3YRoelfBZBd2ab0CzvASwnelFsa85I4nhfyWgRXtjEma2qopDZ4g7zIYwKm+GXxA1ot3uSe7L2PMDqdzQe27Rb3cYLKAo5tV1X1DGgCa5VYL0GeW/HBzgY88u11ZawVeByZg+GkNl831W1z1mpN3s/W1PeMgvy5YVfFuvqOh6P0kdppGA0mhfF8wUtLmTsu+JOs02PfeTf+sGj2tFAgMkjv350DGv5yCss3TvmOWKZysrhe6G5Jvp8rU8VXXlROZ1XNGG40Lt9bQ0XT+o4mvhRPPbn4aPa/yv1a7fF0ZyzPsOz8JfHvBeO+dJfFobA0roDcOnOnEdrN9RTl+91x8MOhvk/8XtdZi1TYqHZ15DZx+OhwEGxS+WNLWozor61ac3IdrOxeFFHLSeaFBdNVWFTXsmbP8nM45L3D4uWXvTu/T2pvbUdCCloaY8v87jLh+wB0zN7KWxl4LYUqltmq71tgVtA388v7E8xvRgOZVrfUX6v7EIpfMlWl+826a4hrBwRZ4Wf6GfxLMSea2zDx/cmJ3FUzIhe/NBPPZow3n5BYOr/34fUvrKHtEpRj1nph9mFngNGuu+KeHWK6hLn4t3KHel7KOr5xBC2jkqj925j55TveA3aFCn9MsoFdH38KBX08goEeAv5sk132xCDUI5sY5eWkb2IKlS2oIwO3MxtdSQ3VDAIhBUUcavY09ZZMNJZJejmriGwY6H01omm39mGzBWdFO5vqPxI7fPIpJFpuqwifRkB1f5PzNckzvU7W7AfLikmjtFhXfagL1g+DTv6gu/98rSe3ptCP3dbMLcMbmiZimeKnGe1vNgtLI97B5Ne/uRbO8r36KkCkRZ5Z+iYErbaygaEGM5W8aDK6mfv15E06nNWsIutfP1osPhpsrbp3dP9Jggwa2tC6pa4RGNf2UJDSh3jVQYyZc5qyRi0pzQDFc0zFDW/GBO09VWZMUBcRliv9BYR57TTcdtSx1xE99SjQFvZP76+f34cl15o02bds1pL6rV72rmB0XzpGHfLUm4lBoG+gmI3R4UXQgyHhS7v8hyPtkut1aXZ4MkKYmy152XE9vsr15gfOoI17QpoVgChnmktOXfMPltUE6OjDSZjXondUNksxG74OP+Juek2/mhueoxONAL83wAAAP//r/EftfI4AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
