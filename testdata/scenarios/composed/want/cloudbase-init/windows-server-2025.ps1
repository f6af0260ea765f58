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
Install-Program 'H4sIAAAAAAAC/7R6e3eiSr7o/36KOn2zxuR2tEFjZpt9e+4oCkoUIwgo3bmzoKgIWjwOFFHc0+ez31UFPpP07jmP1Wu1UFW/Z/3e5H8BIUE2QS5wchDY0PNDZLvBA0iyMAVRCNEtSEkUp8AmgHgIvPhJSsCL7eMsQfXKVT9JoqQDiR+FTwl6QQkKIQJfQVUjUVytXD0l0TJBaXqx6WMUEpwLUUj8MEPVylVKbML2hIfvDMgOejaxvx+Zqlau4szBPixPJVn4HeIsJSip2bFfrVzhaAm+gk8Fru9OFJGUJHZcx9HyU+UqyUINJn5MKHwcbVCSegjjOtoiUFOipyR68TF7DIchQYkNif+KQG2SkTgjYpQENgEztCWg1t8imDGZI+zDHHTz2E5TUAWfK9WaSLF8KAVlux6nPKhWrvyQRCPGcxX8H0Ufgb/97WO4M3FA429/4auVlyxkqgdCFL6ihIhJFNS6doru7yij199Skvjh8vmKvt2APyrf6EO9H8LIpesPD/pM/K0uIaKxg9ffSkTPDw8UV4Gq3CuQ3FR+HMmaiU9QbRQt36E0nNSpJp4fHjpxjEK3gzHjid7SLWDnwGfwrR+++kkUBiikRBW0GfkhOiMyDH3i29jfoZrGjOSPylWYYQy+Akqk5ycIkijJnx8eCmM+rFwXlnBTeUoigiCpHXZAsfPriArLu6kcJAbVlNgJqZ5yqqBN7SnxX22CqOhHpTzZxLtQSg9hRNB1sVW5siFlgyKYOCsECdAQzBKf5PUOhChNqackEWbQ+y0GVdcQ2S/0UMoMPEo018XUYq+rvYen687vv4ud33//XVvcHJ67nZvqLagW2Ks3lavEX3okpbr4Gek8JShQ2dHnhwemjcoJ16V8GkmQHRTC3YK91OPIRQfdKmhzC0qixyOaZyf0jBKF6Bbcce3724PSJjFVcnrYpdKfGcqbW357Ab+s5wOOf0nZk4dup1D4ZCgMT5V+fC8VP9mEKLkFB/1fWqCGyBlHe2W+kZrKMkNBHCV2ktMz70jtHuy+MHW68fzwICFyIKnYwdEaf9UrDngL/ku0QhQ4fohOtm9B9T+Ceog21TPWx9ErOvJ+7jKH5Vvw6250skFxX59iKY+8iV5PdkLSPd1vz5RKsjfJwo6fr4pfSvolSpANPXB9FdsJAX4IivNMzU5OEPOgn0VRCndTKVHWGQ/XBeQt4G5B8VgfoXBZsLs/KeAoRdfvCPA21NyCb04U4ecrDcEEkYMGD9IxbsleN6VDnBlRoa6K/wKuSywU5kRjpdzg+iLogSNeyivCKfoA8OSyCsO6PgGlsG/N4wR5yeCJNjqu+5/WRWnwv6AGULNDF5zw3t/6KUlLC2TICvm+gr+fptNZdGYGJwhUZNPk2KX3vkdzAz6Xeqr8eP8SCnUUPJIkQ/vjCSJZElZ+/JnKJzEK9zGlWmToKtP6VezZKavEygR3lRIU03efVkVJFhPkVitXMHLpKf54AbTkq3X3Zcr1Nz8kz1dC5CKmlQTBKHFP6rN9EblKo/ATE7IWRuQ91RagN6XVbkkZms71dygubg6Hit9agmJsQwSq3/7f9xDU/uOZxt/q5Sl4PGbXdlyt/fzH/Y/v9cMLf/+Dwn1LkGtDgtznanExFLp0V1BbEpa0TjktDmiZk5YB4AygOE7V/uIj7KbnyUmIMEZMuWldixEsyiC3PklclCC357M9O8n34PWO615X2Q1Wb0FxlTfnm/Q26R79vdhCW5/Q+6Lb7N7Ot3G0pDuU/7NQyyztcAPFZd2C69L2Z1FNTqMQ1IQoiGkrAGrDMM5IKWJJgZneaUSI4vyI61NZfx2L4NqZ9dwWPnBToRIUvJ9XkK/RmlaPKD4JDlQ3F8mFvrKk7uAIrp+vupGbs7ssVh/2rlEAH5ZLBylixX7x4B/HkvG6gAOfQfWBNgv7nESSHPxR+Qtg9MA/gRglfRt6eyv441hng09X//gEflR+VKBNoHeIBvutyrkPglNmKj9OdaJR564VDdHbiuEvAAYu64y+uOALBNcn3VPJNv0tG5ibwhNGHW3Wnw9nwqTXB7UQAe5Ud6U+zk5ViJdEG/CJdpbFMYBCF7lg4xMPsMtkYGdAn84F2V/uhST7PuQkWu4DD70u2oJ9KiPn38vWpnKqk7en3yk73py5eYczehuX3ClZ4NDy71fYpTb/vYT4dbbfQJ1yJiFSE214ypAdFGH61cYZi/5leKMboIb+HVS9KCWhHaDq2blvCiL1HivLJUQGUUpYJXlTn0Uj2mMPw1c78e2QsNLlAmVc1A3Dp9e7AmsSZWwKQBlUEFHZa63jujRwiHbg4xzQ06DWQynxQ3s/ePC3oMrV2b8vXBX8s6JFCdk7UO0piWKUkBwwhGNEEh+CfwIN0eh6OCWy2QZfubILekc+hk8lC+/zwsYFLzZEw9BFW1BIUb9Y/ZjcXpV7uvUDucqPyjGK0gsDhfIKkNMbPT92fq8nZmZQOKrpQ7o9LpW+GEYlkeiFTXzKEQTwU7AOo034aX+NDBDUYBiRgAWj6vfO9f/9t9rNt07NKrJm/R8PXz7Xnv/gb3mucffj+656Qogif5cSjEJi+2EK0iLlAejZCc25SUqJ/6So+mi6UdZWhag3l54wRsR2bWJ/qDUNJa8+RO90IiemUvUIiR++fOHv2/VG665e/lYrVx6yXZSwivAPUO1kxIsSf8dMt0oBu8hOUAImiQ0xqoJDwceIFo7SFxqFg2D/BRE/QCWyec3epDUEG7WgFKJGojUKa4TgWopgFLopo3HPUcRXbLO0axWlcRSmCFSfMlIF1wdZPoPqF2wTlJIvdux/YTDVG3CgfSnRR0xUWfXDKNKIfbDzc+ISuiBeKndP5DJmpF6UsDjzNhYVD3Utxj65rtarN9+45193oVO2jqYwRsSL3JOr1xN8C755duoR28Ho+WpQ8Fl2h1QUQrsUWvvxv4PDWw0T0OSOC58/M19gqb8o2vcJQ0UpKciCmp6irp368MlOUj9cgtrMD1CUEQ1BwHOgVp67OpxPfEBZBLWSLbDn72c1A8sfGKEY1LTCaECDZdnSVRlGN0IpoCEjYUpy32SUXrQJcWS71xe6+pV27Pmqg5dR4hMvOFnr+UuUkvO+m1477bv/fl0dzGZP/3hSJ/MFrczpm3Z8VSblM+sbLuaMGiInCwbNUA5GBfLby6Gk9NPD1XERtsru6T/RVf+shT5p+6+iYgDGOstq7SXVliMqaK2WEhclCXtm/zH5+fvmb3fsNaf/33PsOWBbd3ccV72tVGu1BJGE7bcKVOy95iJss9UGW42Ksv84StETfENrxCwpxud71n5WB5amRGF+sci7siHJbNqXX7OCxcdoYKceqI18ghIbl83vQeG1gwmBozXd1ClMwViJj7J0YlrvTJNORhh7DzjiDvyU5bsHsKT5s0B6CzZ2SPZoP/3r0wsNkZqURFn8tiY75GqmhlEEbcxOgloRyYrYePIlBlx+X7m5HHK8j+S8sKbEOhBGWViUdO/ydRKYO27ghz7tO0iUFIGZbX494VtPUQL+CUwPJejY3lz9o64Ne/WyoMD+GoGqVuNrrVqDr/3vWoujyeumXrK4Z/VMdU92mm6ixP0wh+8PFC0JgllCOTumBjbWRUUhAWrl7wEK1DrpE7b9sPj+I0YJREz+c8l+/ULAHxXtY9AD2ZLT41TnzSX+OTA43CJ6RUl/G/sJSo/HTlcvtaraoRsF7+t2bwH/BQ0cpdpPTk9mH3Tp2zNo3FWuEsbGB3N7IcljEi0TO/byuqpIxXtZPT0l0avvomSP46QYZCRvKqfGU/J9XbU7/L/R/vzjUrMEv7kcQI4Rbbg+tELmcgffKR3wjfOkhfcU21/fur027O0dpNmote7uqgfnKOoJyskRoOAJFOEF7KmWq3tvKmqDb2MfJlEavZD6E+3eNPaFVIiCwA7dtF7AFGO5/hYiFvWfLyoKpkM/BTYIChLRS0n0onPvpClKSO0nwQWFrw/CZPykz/qq0hkX2eRw5KSP2LcOnp2yVoIVCW/A90GaInifl14U2H545KZ4Z7cBoyDOCErKAlbwg2GYEjukJbqA7TRlcpt+2Gz8QyjPFp/LTpqtPZL6k52QycsRfSFL9aLhojCnarSByyB+Byli35hNP3SjTfrdRU62/K4goiGSsS/E1X2bVtAoxtZH+vtVlgovuLi+ZOOUBTa2ukTzGVRL3bLtEuG5hqlOaHY9nRAfar8XgpKNnbjpT2Ygxcfv8wHICWDl7feEPbQbhejTsZT6aHT5zpQxzdg3uDosmf90C6rlGvuUdfltmqn87QT7OCeyE4LcTywfX4zq+IsB6LkIB8iDFCdDzf2oHlTjBMV2gqqHmeGZFss/PTjqrwolMV+YXGQ2FQ4GOLN4bq1LImcL60e5b+QwaOdTU+Fss53pAxlbgZFbZmtlaZ32UHBnrtTeyJtorQ/kV6spY9hUpjAwAmsuYydQ8LDHLWVeiR3JyFxp25o22pkr4cw19VDACnYFfuw0FM+V8Kvjd8hMwpw1lz1H7HqutFzK3Ph+LsBHWXJTpyF7Ti8eTw1FVw1PNvrKk9rXl09aZyP4i6VcwDxacy92hc561hdnRt9YaIbam3GqKCy/fq3egB/nmiNJllLNpTGC9RhnSz9U0Uv6jX+uuxHMaMWffuOe63T/Qq0f/6nKd4b1e+oTVIf0Yq5ebJwyjY80jow0XlB1V5753Z5qyLqmW/KUE3WV7XFEWPOypsuB2ld6U0MZWJzY1HS5a3HYmPUV0WjI1qIpx85Ani54paXM1dw1lzun4TW1nrVzOSU0dTxy+FhGQbRRdbGpzeGjasairvNdpe92x4YhTuduU5PGudPr2jon93VD7Vqc1RwP8MReG3czMxZdrtU35lgxJNVTuf4d0nldm8mK0RdbM07tjjvxxOjju9lKfHU5499VQ1SmM3UwnYkGpety3mocbDYmVgRVFPUpjpXpmh9MQ7xVeUVRerhrccZgyimHd5czhsK6v9F0UZjNXUufYX0iDndqc3pnD3A4M3+7c7Da1UJ5Npl1J7PGpqHp3k7te+G0ISeLvC3OTOzBRrv7yFuaLRmPbqCSBb94NHUy1o1h0w22o5nJb915V9R3xsaSomQxVxVNGuY2Nu6nWFamqy6Tw+qroW64whQPeWNg7fSmfDcxYhn2jPlitW5q0yhBOi/aomgbAtGnpiVYXMvUREVRdbc/NdzwQ1iNtGa6EelGrD/yalfvy+EMW0N9zQvCWgwmfUMw+mJ/aojDEcd3Hc7tTZviQOc4bqLL3ZmudMcS6c50w5pyWFV7YmrOXH68U14nhtufiK6k6pYCG+RubPJ4HA4fTclVYCPO1ZmCDbE7VIJ045jbrmZ6XW2l3hnYDdSdIkA+1u2ZOB+vxe64J/eUfsQ5YjeHfnvuCGTq8pZhc8q9Tm2wEzHbHenGRBU+sOv/Fg88G/iD6l//mn1ZNIzcHRicbW4ya+7hocAHQ4H3LEnduVI7t7Su5jTa3FBwexO8ncKgHcJAJKokcgtjSxamEtlmCy9MlcwHau7OFW4+UGJX0rNFU+bkTRxbfieS+9uuzqui2cf6lGv3Va1DnEBfjoX1EuVdjCTMDQX1TYh6mUZfq5dyv/gY7cUOIxf9enRZZw79red2gKvHYI5y2YMSNq25vKMBe7iKfLtp+JYprh2tlUwG48w2f3t1V6JvzVVPEYbpMCCxE0z9iS8/Og2c0QBtBTh053IZlOkZNYYN5dUNjBxpw3uUyz7VJmyq+WLe1Z0GwY7P1rn98zCw7q2gv0N+i6DQiNxgu0Emnyih9zpuGJuhv/EX826s05sLjFw1W2sotWMnZLysLZN/HQXG3cLkN46k3yurKTfOKS+KN6Uwfc+DDQ/DfHhv5vLOlvq5MlvcTyTDt2awoZjWahGoq/HOW49XyspaDbdjqc9PpHGurKb8eLbcKb3+3XilrsY9ESvmYqesuv64N71bzBbNyWyxUVbDO2U3zRe57L7MuXQYtF4tydAs040L2dXYadz5kzD1aTjWG+2V3TA4qncn7MZQ0u9H+W+vo/zuFUp4Y2ntldNocQsTZ9ZcXo9M5dUJVY9aHgym/kiQ2Z47GPsTTP46DAim+i7o6tmiseVhU8XQb92NzPQO5q3Yydu8E+DMnqvxwtzGKDDWVLeWaQWWqTBeZkF7tmh42BoYqaXJ7fmcb7/vilnoHzyxtLc6NbYkRASlHzif3jC4kaFgGFrxoqEvR3rLc0x9WZjeFrtCh+hN1YOhykNRbUFJX07nBuc0eGpiq+rPuDiJB9wH8YB2cIdhOSvCq5tmg/gBqtJG3k5IFs/yGIFORqLAJj78ff/18wOo/xo/76jI3Y1zV+LK2MSsILBNuJTzNlmYLX5hbjeWaeSOhHduL87cQWc7Cov4Y809z5l3U0vbbFBvuXRCdTP2Wzt7ruITD0nHg+WdnHdeYRNni4aVOw0+cCQxhLu4pLFZjpo00YmcNf36tforlx+leuza5d2/p+jMzlKUvF5ouuentoOR+3vxNyEfA7FByn8HI1kapa/wX2LjAPKnTPxCUlJR+p5JlZ+yUOJ+RGcV+eFlFnjHgmRJjh2fFd00gyW06F7M5dA1eeyE6o4W2lNhGdpBO3Z8mA4FSFh8CazYyun7L2Q+ifCLwPAsicuQKRJHgLHgqysYGJ4rGbsiVuOy+OczpzldPvZdWsTPrLncsE2FZt7JwuTxsMCVWvPpcqSfNxJD8d2GgNLyYODyjmlk7kCRbHNbNBC0CRhYHsTb1DZleAgs4jZxTZnxPjKtdGG6u1FgZK5PG4Yj/SetEw59uHzMO+tFgLOhkC5lvoB1JIOjXmRpw+VI45u22Vo7TXc3mp8ENI3fe2x7uouhG4j5XNrGC3zEMZf2um61FiafynknEXzIYK25zI1MNYYrnt5BYzGXoSNhf37gUYVQIvFQ4MgiaL+6A9qMiZuRyfbPaFtzdVXC5U5gcNZcge/AULmzBc3lVO5NFFLchd5KPneMF+xKSqHPuZxZcxXDM73Qs4tQ8NWDnul9FMF8SmjTt2gYO5h3iBrg1DKKpm3oq75ttuBJ7YGRpPtDge8e7re/jWFzupQlMbeaBrHMFkfxzIL2xJq78+Ie4HJkdD3YVHR7IPOCr2auuU2ZTZzYqiaJmSVtsRC6EbMZYUmcgFZ7R75Ha8+DnHFHo6ZFq7VNPHMlMae260gGhjRJNZiu1zDvbIUAB0NhuV40ZbxgejmxB1PMLKHraPpvWSE3dz9ZU9wKB/PlmV+yfW0dDwfpozxQMRpQe7yAxYzHriNtdWvucY/CWz941Fo6DDB5FNaPtrlYPgoqR88OBZ4s5urKFjrhfE2M6doYq4b6ovGGoOpif2a0u/ranT1pw2jkR/HQn4aPWvev1K+dBk8zw/pEn8xfHvNOOBQKf5mZIkdrB8in2/k0WjuhkTpCpz3st7Cb/4nfGwq3mMucO+/qaN7Fw77Iu1Kb8hsvqM1IxsaidR/XzobSWS20HOly7ARijphNeQVu4cizgAvcPy08OtG79/ekddZWIKawoT++TOO2EHJ7nZ7YC7OVntNQqWyZpXU2TG8BXZ+e2Z8692K3r9AajeK7sAuV+ZKlLUPqv+WgxHN01XMlETqmuLIlnDE/MU7iWYg9x9yEj+91DnHEGqYXP/RTjyaMt7M1UP0fH9/4tLcSuRLXn2YXSgcODN+R8OoY1WXewduVMzB2rmTkI1Pc2BqN3ttXK6d4h2vYpJoyzqNcQPeHjzKDV1YwwBtXYHxsnKaLYahElrlNi8jOogrlLSiiAz9xGi3ZCVUMA3HlSrjBzjQNDg4MTg3auWOK3FAsvHWkG3eWqfCsG8LdV8o/0roCmtPINF6Wkb6IgFr3F/pLmXf81gbu+kuqE9tscQ63lxcun/otYyZ0Pj+tx/dzsZs7DTdfmHx/MVe9ucR7i4YXO8zy+Hd00smf/MWW4j14qkjkWd7q23MZL5rqKwyxO1nFvTKrn6yvI3nQ5RfBNl7k60eTw0+jtUXvnp6fwwBzli6mTqGXaOirG9eUU9u8yEBzhV80FAybY5qBCJRoltH9kdAJYdNYFRkDxkWE9QpvkXBOuxWnKbfms+ieehRsqrvHy/sXhnHhhdYr5X/RWFKv3dHuCw6mS9u8WxZ8qzEMjBXt/RHzQhe7fSbLuziHg81Sb7RpNnhaBDFeNKdFxPa7K8ec7uv2Na3daVaAoZHpDSW3512OVRODgw0mQ0GNnVB9nUnt8HH6C3ODTfzR3OAQnWgE+P8BAAD//1fpuwGrNwAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
