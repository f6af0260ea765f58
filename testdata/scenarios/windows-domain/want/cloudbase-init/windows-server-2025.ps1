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
Install-Program 'H4sIAAAAAAAC/8R6eXPiSL7g/3wKvVrHYG8ZSuJwN+7t2QEZCckgjIQOVOXtkJRpJEgdT0oOUVPvs29kSpy2qz29+2KiIgrIzN+Zvzv9Pxg+hQ6GgHFzJnQ8P4igA8J7Jl1FGRNHHrxlMhwnGeNgBvuQeQnSDDMvToBWKaxXrvppGqddDwdx9JTCF5jCyIPM70xVw3FSrVw9pfE8hVl2sRkgGGGU83GEg2gFq5WrDDuY7vH33yiQEz442Pl2ZKpauUpWLgq88lS6ir55aJVhmNacJKhWrlA8Z35nPhW4vrlxjDOcOkkdxfNPlat0FWleGiSYwCfxBqaZDxGqwy1kakr8lMYvAaJfIynCMHU8HKwhUxuvcLLCQpyGDmamcIuZWn8LvRWVOUaBlzO9PHGyjKkynyvVmkCwvCsFYbueZBxTrVwFEY6HlOcq878Ufcj8/e/vw52JwzT+/jeuWnlZRVT1DB9Ha5hiIY3DWs/J4F2LMHr9NcNpEM2fr8ivG+Z75Sv5Uu9HXgzI+v29PhV+rYsQa/Tg9dcS0fP9PcFVoCr3CiQ3lR9HsmYaYFgbxvM3KEnjOtHE8/19N0lgBLoIUZ7ILd0y9Bzzmfnaj9ZBGkchjAhRBW6GQQTPiEhRgAMHBTtY06iRfK9cRSuEmN8ZQuQhSKGH4zR/vr8vjPmwcl1Ywk3lKY0x9HDtsMMUOx9HVFjeTeUgMVPNsJPi6imnCtzUntJg7WBIRD8q5cnB/oVSHiCCGF4XW5UrxyNsEARjdwE9zGjQW6UBzutdz4NZRjwljRGF3m9RqLoG8X7hAWbUwONUAwARi72uPtw/XXd/+03o/vbbb9rs5vC9172p3jLVAnv1pnKVBnMfZ0QXPyOdZxiGKj36fH9PtVE54bqUT8MpdMJCuFtmL/UoBvCgWwVubpmS6PGI5jspOaPEEbxlWmzn7vagtHFClJwddon0Z4by6pZfX8CH9XzA8S8pe3zf6xYKH0u8dKr04+9S8eNNBNNb5qD/SwvUID7jaK/MV1ITWaYwTOLUSXNy5g2pwcHuC1MnG8/39yLEB5KKEx6t8aNeccBb8F+i5ePQDSJ4sn3LVP8rrEdwUz1jfRSv4ZH3c5c5LN8yH3ejkw2C+/oUS3nkVfR6clKc7el+fSZU0r1JFnb8fFV8EtIvcQodz2eurxInxUwQMcV5qmY3x5B60M+iKIG7qZQo65SH6wLylmFvmeJrfQijecHu/iSP4gxevyHA61Bzy3x14xg9X2nQSyE+aPAgHeUW73VTOsSZERXqqgQvzHWJhcCcaKyUm7m+CHrMES/hFaIMvgN4clmFYV2fgBLY1+Zxgrxk8EQbXQD+si5Kg/+AGpiaEwHmhPf+NshwVlogRVbI9zvzj9N0Oo3PzOAEgQodkhx75N73aG6Yz6WeKj/evoRCHQWPOF3B/fEU4lUaVX78mcrHCYz2MaVaZOgq1fpV4jsZrcTKBHeVYZiQ3wGpitJVgiGoVq68GJBT3PECSMlX6+3LlOuvQYSfr/gYQKqVFHpxCk7qs30Rucji6BMVshbF+C3VFqA3pdVucRmazvV3KC5uDoeKz1oKE+R4kKl+/T/fIqb2X88k/lYvT3nHY05tx9Y6z9/vfnyrH35wdz8I3NcUAsfDEDxXi4sh0KW7MrU5pknrlNPigLZyszIAnAEUx4naXwKIQHaenPgYIUiVm9W1BHpFGQTq4xTAFIKHgO45ab4Hr3cBuK7SG6zeMsVV3pxvktske+TzYgtuA0zui2zTezvfRvGc7BD+z0IttbTDDRSXdctcl7Y/jWtyFkdMjY/DhLQCTE2KkhUuRSwpUNM7jQhxkh9xfSrrr2MRXDuzntvCB24qRIKC9/MKch0vSfUIk5PgQHRzkVzIT5rUXRR7y+erXgxyepfF6v3eNQrgw3LpIEWs2C8e/ONYMl4XcMxnpnpPmoV9TsJpznyv/I2h9Jh/MkKc9h3P31vB92OdzXy6+uMT86Pyo+I52PMP0WC/VTn3QeaUmcqPU51oxLlrRUP0umL4G+OFgHZGXwDzxWOuT7qnkm3yWTYwN4UnDLvatG9JU3780GdqEWTYU92V+jg7VcF+Gm+YT6SzLI4xMAIQMJsA+wy9TAp2BvTpXJD95V5Isu9DTqLlPvCQ6yIt2Kcycv6jbG0qpzp5ffqNsuPVmZs3OCO3ccmdsgpdUv59hF1i899KiI+z/QrqlDMR4prgeKcMOWERptcOWtHoX4Y3ssHU4H8yVT/OcOSEsHp27qsCcf2BluUixIM4w7SSvKlP4yHpsaVo7aSBE2FaulygTIq6QXpatwqsabyiUwDCoAKxSn/WugCQwCE4YYByhpxmag8ww0Hk7AcPwZapsnX67wtbZf5Z0eIU7x2o9pTGCUxxzlCEI4jTwGP+yWiQRNfDKYHONrjKlVPQO/IhPZUsvM0LHRe8OB6UIgC3TCFF/WL1fXJ7Ve7p1g/kKj8qxyhKLowplFeAnN7o+bHzez0xM4PAEU0f0u1xqfTFKC6JxC904lOOIJggY5ZRvIk+7a+RAjI1L4pxSINR9Vv3+n//R+3ma7dmF1mz/sf9l8+15+/cLcc2Wj++7aonhAjyNyl5cYSdIMqYrEh5jOc7Kcm5aUaI/6Soem+6UdZWhag3l54wgtgBDnbe1ZoG03XgwTc6kRNTqfoYJ/dfvnB3nXqj3aqXn9XKlQ8dAFNaEX5nqt0V9uM02FHTrRLAHnRSmDLj1PEQrDKHgo8SLRylzzcKB0HBC8RBCEtkVs3ZZDXoNWphKUQNx0sY1TBGtQx6cQQySuOOJYiv6GZp1yrMkjjKIFN9WuEqc32Q5TNT/YIcDDP8xUmCLxSmesMcaF9K9B4TVVr9UIokYh/s/Jy4CC+Il8rdE7mMGZkfpzTOvI5FxZe6lqAAX1fr1Zuv7PPHXeiUraMpjCD2Y3By9XqKbpmvvpP52HERfL4aFHyW3SERBZMuhdR+3G/M4VcNYabJHhc+f6a+QFN/UbTvE4YKM1yQZWp6BntOFnhPTpoF0ZypTYMQxiusQY/hWKZWnrs6nE8DhrDI1Eq2mD1/P6sZaP5AECZMTSuMhmnQLFu6KsUIYpgxJGSkVEngVUZ5iDcRih1wfaGrj7Rjz1ddNI/TAPvhydpDMIcZPu+7ybWTvvsf19XBdPr0x5M6tmakMie/tONPZVx+p33DxZxRg/hkwSAZykWwQH57OZQUf3q4OirCVtk9/YWu+mct9EnbfxUXAzDaWVZrL5k2HxJBa7UMA5im9Dv9j8rP3TV/bdGfOfn/jqXfQ7rVarFs9bZSrdVSiFO63y5Q0d81AJFDVxt0NS7K/uMoRU/RDakRV2kxPt+z9rM6sDQlAvPBIu/K8fDKIX35NS1YAgQHTuYztWGAYeqgsvk9KLx2MCHmaE03dQJTMFbiIyydmNYb06STEcbeA464wyCj+e6emZP8WSC9ZTZOhPdoP/3r0wsN4pqYxqvkdU12yNVUDcPYcxA9ydSKSFbExpOXGObyfeXmcsjxNpLzwpoQ63pevIqKku5Nvk4CcxeEQRSQvgPHaRGY6ebvJ3zrGUyZfzKmD1N4bG+u/qhr0kO9LChQsIRMVatxtXatwdX+Z63NkuR1Uy9Z3LN6pronJ8s2cQrezeH7A0VLAr1VSjg7pgY61oVFIcHUys8DFFPrZk/ICaLi/UeIUw9S+c8l+/iFMN8r2vugB7Ilp8epzqtL/HNg5nCLcA3T/jYJUpgdj52uXmpVdSIQh2/rdm8B/w8aOEq1n5yezD7I0tdnptGqXKWUjXfm9nyaJziep07i53VVEYvfZfX0lMbrAMB0j+OkGKQkbyqnxlPyfV11utx/kP78/VKzBL+5HECOIGm43rVC6nIH3ykd8JXzZIX3FNu/v3Z7TXrYO0izUWu3WtWDcxT1BOHkCFDwxBThhdlTLVf33lTUBl9HgZfGWfyC60+ke9PoCykfh6ETgaxewBRjuf7WgzTqP19UFFSHQcY4TFiQiF9KohedezfLYIprPwkuMFrf8+PRkz7tq0p3VGSTw5GTPmLfOvhORlsJWiS8At8HaYLgbV4e4tAJoiM3xW96G14cJisM07KA5YNQijLsRKRE55GTZVRuM4iajT/48mzxXHbSbO2R1J+cFI9fjugLWaoXDReBOVWjwwAK8RuTQfrGbAYRiDfZNwDd1fybArEG8Yq+EFf3bVpBoxhbH+nvV2kqvODi+pKNUxbo2OoSzWemWuqWbpcIzzVMdEKy6+mE+FD7vWCYbpwUZD+ZgRSP3+cDkBPAyuv3hD00iCP46VhKvTe6fGPKmK3oG1zdK5n/dMtUyzX6lHX5Nk1V/nqCfZwTOSmG4BPNxxejOu5iAHouwgHyIMXJUHM/qmeqSQoTJ4XVw8zwTIvlnx4c9Vf1RCGfmWxsNhXWC9HK5tilLgqswy8f5b6Re2Enn5gK65idlT6QkR0auW22F7bW7Ug8mAKxs5E38VIfyGu7KSOvqUy80AhtS0ZuqCDpgZ3LnJK4orEC4rY9aXRWQEQrYOoRjxQEeG7kNhQfiGjtBl08FRFrW7LvCj0fiPO5zI7uLN57lEWQuQ3Zdx+S0cRQdNXwZaOvPKl9ff6kdTd8MJvLBcyjbfkJ4LvLaV+YGn1jphnqw5RVBX7+++/VG+bHueZwusqI5rIEevXS5ut0EQK+m11o8v2/TvlGYb5lAYZ1j9zF1YuDMqrkocbiocbxqg7kadB7UA1Z13RbnrCCrtI9FvNLTtZ0OVT7ysPEUAY2KzQ1Xe7ZLDKmfUUwGrI9a8qJO5AnM05pK5aaA3O+cxt+U3uwd4BVIlNHQ5dLZBjGG1UXmprlPapmIug611P6oDcyDGFigaYmjnL3oeforNzXDbVns3ZzNEBjZ2m0pmYiALbdNyykGKLqq2y/BXVO16ayYvSF9pRVe6NuMjb6qDVdCGvAGv+pGoIymaqDyVQwCF3A+otRuNmYSOFVQdAnKFEmS24widBW5RRFeUA9mzUGE1Y5/AasIfHL/kbTBX5qAVufIn0sSDu1OWk5AxRNzV9bLlJ7WiRPx9PeeNrYNDTd36l9P5o05HSWd4SpiXyv0ek9crbmiMYjCFU842aPpo5HuiE1QbgdTk1uC6yeoO+MjS3G6cxSFU2UcgcZdxMkK5NFj8ph99VINwA/QRJnDOyd3pRbYyORvQfDmi2WTW0Sp1DnBEcQHIPH+sS0eZttm5qgKKoO+hMDRO/Carg91Y1YNxL9kVN7el+OpsiW9CXH80shHPcN3ugL/YkhSEOW67kseJg0hYHOsuxYl3tTXemNRNyb6oY9YZGqPgiZOQXcaKesxwbojwUgqrqteA3cGpkcGkXSoykCxWskuTpVkCH0JCXMNq657Wmm39MWastAIFR3Cu9xie5MBWu0FHqjB/lB6cesK/RyL+hYLo8ngLMNh1XudGKD3Zja7lA3xir/jl3/Vac7G+sz1V9+WX2ZNYwcDAzWMTcr2/KRxHOhxHO+Lao7IHZyW+tpbqPDSjx4GKPtxAs7kRcKWBUFdmZs8cxUYsdso5mpYmug5sBSWGugJEDUV7OmzMqbJLGDbiz3tz2dUwWzj/QJ2+mrWhe7oT4f8cs5zHsIioiVePVVIHqZxL9XPyRqksbb/B0pTdZYgRDlbqONbbPNWtP4Tm8YrGq2G44lr92QQ26kmjNLTmamnNnaPNIEVdeFzkRfdmam5mUSD2IwUDfj4Ne1N5DXcLAkGvNdq5fZ03g3mkotOd/MZZbzZw0/cUM9epwk7gUNMF4kU9tSBTeyEy/srFzTWAHB9r0Q+bNwix55IBmCOtG5fwvt8fSMrrcd8a22ErQ2w0V3PZrOsmGorL2oe6Rf8KfsLUHOl4+yeK5vkrIm/IVOp9wHZfJ1Q+hNLa6nTTnffjJ9Fgy6d8O8s/HCTgtqbQRFAXviFo0Xo+1oMY+GfDeaLjsvuiA/mcKyM5p2V+PpbDXiW5vhrt8Y8u2F25Q3w9BozUxu44pUX6HblBGRQ+LnS494RogWttZL3KDXfeTBwm202ZmJVrYlLylvDczNQiOzrUn0qC3ncBMvnYbRpima9YfTPntnCYpNLH9qbB+AJZNUz9KUPZDXrqAgIGyntiU3HFNBHreJJD6bywMFeZGdzBr6o2PO5o+CirzmBBdlxBspXcQIUvrkfidYs1TkGr3cbfaQF6ltiedGjqUiLxSyEkfBJ8+NZyaHpP7FffGcDq0ekvoc5w7URG+quWO2I4nnzJm55Wytu7TPbGvy+DJJOnzYRmCgxESvttZrOmab3rE0IGVJr7yvblTeNy50bOTlnXbes4Nxg+z3dk8Wkclvn9zb3WjXz8e8N5cbctsThZ2Xc5ljKezTdJuRMsh9aP3yGLy+bxpFPxRZ/JisfT/trZjqJohqUQxgjfsYkqLJkOMgOkFVlvpVL06TOtw6pCB+hW6VwfQSG1nLvrLPBNeVU4wiyibqZLx0OT/6jTnvzPeAVa8VtdKc6YKQi17RfwkIU+f0lysXphHEkOaV00F18WaT3X/5EgZpGqd7sb6suXrzrt784gbRl03RYn1xQnDX+kKQIYjrcEvo8Pfflt/OlsqqTxt0G+07psq57AvnOtxf/e/fI6ADwksBD0sXAjb+OwUkNvvxAnzPZu6EqHpscWAu+56ITNuSd6SNkRZx4DSNwDaFpau10/FgtHLMX9dgIQS2pfoKL2VSiBM3nATjQH50G2hFYqAdoghYctmqkDNq4jWUNYkJUJPuYC4HpPrwmmo+s3q628DIDeg6u/9OYByznSlBG8PIiEG43UCTS5XIX48axkYKNsHM6iV6GWtUs730xE7iRpSXpW1y69N4oiwm7CgnvCj+hMD0fd9r+MjLpTszl3eO2M+V6exuLBqBPfUaimkvZqG6GO385WihLOyFtB2JfW4sjnJlMeFG0/lOeei3Rgt1MXoQkGLOdsqiF4weJq3ZdNYcT2cbZSG1lN0kn+UyeLHYTArba1s0NNsESSG7mriNVjCOsoB0LHqjs3AaBkv07ka9xBP1u2H+63qYt9aeiDa21jnLVUNTWbuR6pP87IWTYMjLdA8MRsEY4V+kkOQPoktCV1/NGlvOa6rIC9qtoZm1vLyduHmHc0O0ciw1mZnbBIbGkujWNu3QNhXKyzTsTGcNH9kDI7M1uWMRWSKSo5TYtkaUf1tEOTnvNuU2gZnsEs8SernbAPnM5PozS/Ut4aKyFLabmaUuHNHYSRHXebsC/utmnjjY82G2DzteHL0E81VKn5NZlmU/hzCdwze8AM8sf+I21J20iBujAfv4mqtVFOCfR5c3ClZZbHOuuJk/ab2xbXl4GhqsGqLctoDvilsNmFt0SN7ioQiZD3U18Zq9bGaht/dCY1E4W092Q3kNzPZS4jlS1rNuQ1m7fE+fcN35UN+uZw1SLHRywHe3oweJG/FdvJ9bSH0hc8VOs/oRaeNMT4BTCksy0OEZvkylK4fks3WVqdFn01UyzRPIPASZ4yIIfiv+CPJ9IPpy8P+DkVUWZ2vvX2LjAPJhJs5bMhVmxUvxOdryzzVgCt5D7cbxK9RkbT9XLouDV38vxVRZluWqhZmRHmiotxHok37AaM7MbUbHTiHKbK2Lj997fbfB+Y7Zmg91Y0V7JHMyV0Mh8xr66zpqQeucc1d808zlxA3o2It0l6m8iZczS46ASfuV3b5vcMJO4ga0H8E0loV2Yue07/jzrrRwAd8W2RU0BezyXsIH6sILDR+Ixk4/1PmED27lNifzxz5AgOcOdfnbrnY+ypOEN0dyhJbvhYCjvdZAER3iurQ/GN1ZA9v30DZzTNkr8ueW9AMpMGXK+9C0s5kJdsPQWIHAe5RP6D9p3UgKvPlj3l3OQrSifQNXwLqiwRY1uDQfahypw5duE+yG1qGvIOskR4SO6XVIDAahkFviNpmhIw5L3Ou63Z6ZXCbn3ZQPPAprWzI7NNXEW3DkDhozS/ZcEQXWgUfV80ScSDyLZ2FnDQYK64XCZmjS/TPatqUuSrjcDQ3WthTvDRgi92pG6gYi9yaOCO5CbyWfO8oLAqJS6NOSVzbpe870Qs7OIj5QD3om96E3Vd+LJtTmZw1j5+VdrBLbN4oeSwrUwDHb3kmdg6CoBxLP9Q73298mXnMyl0Uht5sG7aUInmnYGdsWsIp78OZDo+d7TUV3BjLHB+oKmNuM2sSJrWqisLLFLeIjEFOb4efYDTusxB/5Hi5932ONFuntbL7o/4Ao5MR2XdFAHt/FeoPqeunl3S0fopD0tjPS51K9nNiDKaxsvudq+q+rQm72brwkuBXWy+dnfkn3tWUiDbJHeaAiOCD2eAGLKI89V9zqtuWzj/xrP3jU2roXIvzIL4s+l1dZclbiOUzzPd+NrCU2JktjpBrqi8YZvKoL/anR6elLMH3SpHgYxIkUkP679wvxa7fB4RlJa0d9Un95zLuRxBf+MjUFltQpHpdtrUm8dCMjc/luR+q3Ecj/xO8NhZ1ZMgusXtkjCxwQO4TfZEZsRjQ2Nqkx2c5KEs/qrvlQlxM3FHJIbcovcPNHnnlU4B4aJ/eit33X1OeH+NCN37y/J9KTF/G46MUjdq/TE3uhtvLgNlQi28rWuhuqt5CsT87sT7X8BPQVUg8SfBd2oVJfsrV5RPy3fKrwXV31gSh4riksHBGtqJ8YJ/EsQr5rbuhsiuI7qQWtaXynijRuoMcPTRsPdWU05LtLMJA5W1s+vspFCW3fqy+kEfZJInr9asZU/9sfZgJ1B0SBLXH9qXSEjjcwAldEi2O2kDkXbRfuwNgB0ciHprBxNJIVtms7J3ilpdckN2CcR8+Q7EuPMoVXFl6INoCnfGzcJkBepMS2uc2KjEGjFeEtdMoi0220ZTei0yNSPDbomabBegNSlHZy1xRYSSiiwFA3WrapcLTIRL014R9qPR5aJOKN5mUGKSKr1vvALcucG7Q33q4/JzpxzDbrsnt5vflTv21M+e7np+Xo7lUXIe6nocSiuTd00s2fgtmW4D1EAAHL07zddywZzZrq2osQGC+Sh7JaOFlfxvKgx83CbTLLl48mi56GS5vcPTlveSFibV3I3EIvsRSoG2DKmWNeZDZL4WYNBXnNEclsdIoJRD0Y8t3IaxqLIhN5SRG5/be9xvJJl7h7vLx/XkoK77bXhP9ZY06iwY50kN5gMifVXMH3vjHo5JB6N6AVoSsab+KUBpu53iCNAfc0CxM0a06KTBD0Fq45Kd8ROkuJ7yzoJDUyVnpDyR2rx5bTzb0NphKvJm6krqdih0SFP38r2CTvvRUcoh6JAP83AAD//3OjJjmFPwAA'
Set-TimeZone -Id 'W. Europe Standard Time'
Set-WinSystemLocale -SystemLocale 'de-DE'
Set-Culture -CultureInfo 'de-DE'
if ($env:COMPUTERNAME -ne 'win-node-1') { Rename-Computer -NewName 'win-node-1' -Force }
function Join-DomainOffline([string]$Data) {
$blob = "$state\blob"
(New-PrivateFile $blob).Close()
[IO.File]::WriteAllText($blob, $Data, [Text.Encoding]::Unicode)
& djoin.exe /requestodj /loadfile $blob /windowspath C:\Windows /localos
$result = $LASTEXITCODE
[IO.File]::Delete($blob)
if ($result -ne 0) {
throw "djoin ended with exit code $result"
}
}
function Join-Domain([string]$Domain, [string]$Unit, [string]$User, [string]$Password) {
$secure = ConvertTo-SecureString -AsPlainText -Force -String $Password
$arguments = @{
DomainName = $Domain
Credential = New-Object Management.Automation.PSCredential($User, $secure)
Options = @('JoinWithNewName', 'AccountCreate')
}
if ($Unit) {
$arguments.OUPath = $Unit
}
Add-Computer @arguments -Force
}
Join-Domain 'corp.example' 'OU=Nodes,DC=corp,DC=example' 'CORP\joiner' (ConvertFrom-Base64Text 'YzRuNHJ5IEowaW4gPCYnIj4=')
exit 1001
}
catch {
Stop-Installation "$_"
}
