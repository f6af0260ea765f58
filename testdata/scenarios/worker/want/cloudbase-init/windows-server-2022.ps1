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
Install-Program 'H4sIAAAAAAAC/7R6/XeiSL/n7/4VdXtzHpLtYIOJmTG9/eyjRAlG0YCC0p2dA0VF0OJloVBJT9+/fU8VqGiSnp67zz1zzkSo+r596vta9P8AUoJsglzg5CCwoeeHyHaDW5BkYQqiEKJLkJIoToFNAPEQePaTlIBn28dZguq1s26SREkbEj8Kxwl6RgkKIQJfAKeTKOZqZ+MkWiQoTU8WfYxCgnMpCokfZoirnaXEJmxNuv3GiOzgzib2t4NSXO0szhzsw3JXkoXfIM5SghLejn2udoajBfgCPhS8vjlRRFKS2HEdR4sPtbMkC3WY+DGh9HG0QUnqIYzraIsAr0bjJHr2MfsZKiFBiQ2Jv0aAH2UkzkgvSgKbgAnaEsB3twhmzOYI+zAHnTy20xRw4GON43uUy7tWULXrcSoCrnbmhyQaMJ058L/U6QD885/v0x2ZAxr//IfI1Z6zkEEPpChco4T0kijgO3aKbq6poudfU5L44eLpjD5dgO+1r/RHvRvCyKXvb2+nk97vdRkRnW08/1oyerq9pbwKVuVaweSi9uMg1kx8gvhBtHhDkjKqUySebm/bcYxCt40x04me0iVg+8BH8LUbrv0kCgMUUqEq2gz8EB0JUUKf+Db2XxCvMyf5XjsLM4zBF0CF3PkJgiRK8qfb28KZ92/OC0+4qI2TiCBI+P0KKFZ+nVHheRe1vcWAS4mdEK6qqYo2/Djx1zZB1PQDKGObeCeg3CGMCDovlmpnNqRqUAYjZ4kgATqCWeKTvN6GEKUpjZQkwox6t8So6joiuxd3KGUOHiW662Lqsefc3e34vP35c6/9+fNnfX6x/91pX3CXgCu4cxe1s8RfeCSlWPxMdJ4SFGhs69PtLUOjVtG6tE8nCbKDwrhLsLN6GLloj62KNpegFHrYont2QveoUYguwbXQurncgzaKKcjpfpVaf+Qor0759QH8Ms57Hn8L7NFtp10APlIkpQr64bkEfrQJUXIJ9vifeqCOyJFGOzBfWU1tmaAgjhI7yemeN6x2935fuDpdeLq9lRHZi1Tt4OCNvxoVe76F/iVbKQocP0SV5UvA/WdQD9GGO1J9GK3RQffjkNm/vgS/HkaVBcr7vMql3PIqe43thKQ7uV+fqJRk55KFHz+dFX+p6OcoQTb0wPlZbCcE+CEo9jOYnZwgFkE/y6KU7qJWsqwzHc4LyksgXILiZ32AwkWh7m6nhKMUnb9hwOtUcwm+OlGEn850BBNE9gjurWPakh02ZUAcOVEBV81/BuclF0pTQay0G5yfJD1w4Et1RThF7xBWDqtwrPMKKaV97R4V5qWCFTTarvtfxqJ0+F+AAfB26IKK7t2tn5K09EDGrLDvC/hXtZxOoiM3qDDQkE2LY4ee+47NBfhY4lT78fYhFHAUOpIkQ7vtCSJZEtZ+/BXkoxiFu5zCFRWaY6ifxZ6dsk6sLHBnKUExffZpV5RkMUEuVzuDkUt3iYcDoC0f39m1Kedf/ZA8nUmRixgqCYJR4lb6s10TuUyj8AMzkg8j8ha0BelF6bVbUqamY/z2zcXFflPxl09QjG2IAPf1/3wLAf+fTzT/cqe74GGbzb8IfOvp+82Pb/X9g3jzg9J9TZBrQ4LcJ644GEpdhivgF4QVraqmxQY9c9IyARwRFNsp7M8+wm56XJykCGPEwE3reoxg0Qa59VHiogS5dz5bs5N8R15vu+45x06QuwTFUV4cL9LTpGv078kS2vqEnhddZud2vIyjBV2h+h+lWuZp+xMoDusSnJe+P4n4fhqFgJeiIKajAOCVMM5IaWIpgbleNSNEcX7g9aHsvw5NMH/kPZdFDFzUqAWF7scd5Dpa0e4RxZXkQLE5KS70kRV1B0dw9XTWidycnWXx9nYXGgXx/nUZIEWu2L3cx8ehZTwv6MBHwN3SYWFXk0iSg++1fwAmD/wJelHStaG384Lvhz4bfDj74wP4UftRgzaB3j4b7JZqxzEIqsrUflQx0Wlw88VA9Lpj+AeAgcsmo08u+ATBeWV6KtWmf8sB5qKIhEFbn3RnykQa3XUBHyIgVLEr8TjaVSNeEm3ABzpZFtsACl3kgo1PPMAOk5EdEX04NmR3uCeW7OaQSrbcJR56XHQE+1Bmzn+Vo02tisnr3W+0Ha/2XLyhGT2NU+3ULHBo+/cr6lKf/1ZS/Lrar6iqmsmI8D0bVhWygyJNr22csexfpje6AHj0fwHnRSkJ7QBxR/u+qojU71hbLiNyH6WEdZIX9Uk0oDO2Eq7txLdDwlqXE5Zx0Tco4/V1wTWJMnYLQBVUEdHYI992XZo4enbg4xzQ3YC/QynxQ3t38eBvASfU2X+fBA78WdOjhOwCiB8nUYwSkgPGcIhI4kPwJ9ARza77XT12tyHWzuxC3kEPZVyq8LYu7Lrg2YZICV20BYUV9ZO374vbQbmTW9+Lq/2oHbIoPTBQgFeQVE/0eNvxuVbczKB0FOl9uT28KmMxjEoh0TO78SmvIICfglUYbcIPu2NkhICHYUQCloy4b+3z//0f/MXXNm8VVbP+x+2nj/zTd/FSFBrXP769cBVBlPmbkmAUEtsPU5AWJQ9Az05ozU1SKvwnTdV7txtlb1WYenEaCUNEbNcm9ruo6ShZ+xC9MYlUXIXzCIlvP30Sb1r1RvO6Xv7lamcesl2UsI7wO+DaGfGixH9hrstRwg6yE5SAUWJDjDiwb/iY0CJQulKjCBDsPyPiB6hkNuPtTcoj2OCD0gieRCsU8oRgPkUwCt2UybgRKOMztlj6tYbSOApTBLhxRjhwvrflI+A+YZuglHyyY/8To+EuwF72qUXvKcGx7odJpBl77+fHwmV0IrwEdyfkNGekXpSwPPM6FxU/6nqMfXLO1bmLr8LTr4dQVa2DKwwR8SK3cvTTBF+Cr56desR2MHo6uy/0LKdDagqhUwrt/cTPYP/EYwKuhMOLjx9ZLLDSXzTtu4KhoZQUYgE/TVHHTn04tpPUDxeAn/gBijKiIwhEAfDlvrP9/sQHVEXAl2qBnX4/6xlY/cAIxYDXC6cBDVZly1BlHN0IpYCmjISB5L6qKHfRJsSR7Z6fYPUr49jTWRsvosQnXlB5d+cvUEqO52567HTu/tc5dz+ZjP8Ya6PZnHbm9Ek/PKqj8jebG07uGXVEKi8MWqEcjArml6eXkvJPN3PDIm2V09N/Yar+2QhdGfvPouICjE2WHP+c6osBNZTnU+KiJGG/2f+Y/eLN1e/X7DGn/78R2O+ALV1fCwJ3WeN4PkEkYevNghV75l2Ebfa2wd5GRdt/uEqZJviC9ohZUlyf71T7WR9YuhKl+cUm78yGJLPpXH7OGhYfo3s79QA/8AlKbFwOv3vA+b0LgYM3XdQpTaFYyY+qVHGtN26TKlcYuwg48A78lNW7W7Cg9bNgegk2dkh2bD/8/dsLHRFeTqIsft2T7Ws1g2EQQRuznYAvMlmRGytfYsDp95WL00uOt5kcN9ZUWBvCKAuLlu5NvSqJue0GfujTuYNESZGY2eKXit7TFCXgT2B6KEGH8ebsj7qu3NXLhgL7KwQ4nRf5Jt8Q+f/JNwVavC7qpYo7VY+gG9tpuokS990avttQjCQIZgnV7FAa2LUuKhoJwJd/91SAb6djbPth8f2nFyUQMfuPLfv1AwHfa/r7pHuxpaaHW51Xh/jXxGB/imiNku429hOUHrZV356iqtmhGwVvY7vzgP8PBA5W7W5OK3cf9NXXJ9C4rp0lTI137u2lJI9JtEjs2MvrmioXz2X3NE6ite+iZMej0gwykRe1qvOUep9zdlv8Dzqfv99qluQXpxeQQ0QHrne9kIXcPnbKAHwVPGkRPcXyl9dhryt3uwC5avDN62tuHxxFP0E1ORAUOoEivYCd1PLtLpqK3uDr0IdJlEbPpD6m05vOvpBKURDYoZvWC5riWq67hYhl/aeTjoJh6KfABkEhInouhZ5M7u00RQnhf5JcULi+lUbD8XTS1dT2sKgm+y2VOWI3Onh2ykYJ1iS8It8lacrgbV3uosD2w4M2xTM7DRgFcUZQUjawkh8oYUrskLboErbTlNlt+uFV4w+p3Ft8LqsMWzsm9bGdkNHzgX1hC3cycFGaKow2cBnFZ5Ai9o3Z9EM32qTfXORki28qIjoiGftCzO3GtEJGcW19kL97y0rhiRbnp2pUVWDXVqdsPgKuxJYtlwyPEaaY0OpavSHe937PBCUbO3HTn9yBFB+/jy9AKoS1198TdtRuFKIPh1bqvavLN24Z04x9g6vDUvkPl4Ar37FPWaffphnkr2+wD/dEdkKQ+4HV45OrOvHkAvTYhD3l3orKpebuqh5wcYJiO0Hc/s7wCMXynx4c8OOg3MvnphCZV6oAA5xZorCayj3BllYP/a6Rw6CVP5qqYJutbHrfx1Zg5JbZXFp6u6VI7sSVW5v+JlpN7/tr66qP4ZX6CAMjsGZ97AQqVu6ERV9UY0c2MlfeNh8brcyVceaa01DCKnYlceg0VM+V8drx22QiY8Ga9T2n1/FcebHoC8ObmQQf+rKbOo2+59zFw0dDnWqG1ze66ljrThdjvb2R/PmiX9A8WDMvdqX2atLtTYyuMdcN7W4iaD1p8eULdwF+HCP37NOZm0tjBOth5J5C9/4/R/m2yhz6t57bAeYOkKK870EZm9as/0JhU5aRb18ZvmX2Vo7eTEb3w8w2f1+7y55vzTRPlZRUCUjsBI/+yO8/OA2cUZisAIfurF9CQ/doMWyoazcwcqQrNyjv+06jJcArLZ/POlOnQbDjs/fC7jelsc1mqvpNgkIjcoPtBplioobeetgwNoq/8eezTjxtGDnlq5nNFZRbsRMyXVaWKa4HgXE9N8WNI09v1OWjMMypLqr3SGm6ngcbHoa5cmPm/Rdb7ubqZH4zkg3fmsCGalrLeaAthy/earhUl9ZS2Q7lrjiSh7m6fBSHk8WLete9Hi615fCuh1Vz/qIuO/7w7vF6PplfjSbzjbpUrtWXx3ye993nmZAqQXNtyYZumW5c2K7FTuPaH4WpP7/qx9NGa2k3DIHi7oSdGMrTm0H++3qQX6+hjDeW3lo6jaYwN3FmzfqrgamunVDzbLOJYfDoD6Q+W3Pvh/4Ik9+UgGCKt3LAIXOu+uGgoWFLxsv5TMMWPcPQ8px7A1O586AnzBsLygtbgYXnVwzPkSOqS1s2Vq65xUoopCjvJ9ZsRdcyp6HhQaCm7kwVrJmSIUk8+IrZjJ0AC7bZS+1ZXMijYRYYS1dSbpRVcz1tqJFlaqIjT/1ng+JExHlgpNZM66F7LZ9Pe7l1tbOp6Tnm9CDX3Hp0L8yP7XCC1srSm4lr9jEMmtiVjZdBgNeDq87aaWxaVsPIWLhK/daMnk1IQ1CNrNmQnYcl49wyVcG56jcpv8eXGM56ndxpuPncFLvzmebNelsyN9WI4j83NTLrbTfzmUZxelFCsfXvDtuYNjooZeGLEYFR+OwvsoRdxwmCIHwMULJAb0Q1mc+8R6ehvSjLqKHeCw+vtcpCn+y0KkXWqZwkRASlVMejrxWA++237NO0YQgDQ8UwtOJ5Y7oYTNnhLIqkscWu1CbTK82DoSbCntaE8nTxODMEpyHS5LDkfkUL4gdIz0NIdaAt7/52kXUt3OaqQXdwdPKxE5LFkzxGoJ2RKLCJDz/vPhe9Q/U3FXgDBPdlmLuykFkzDysSi9DANuGin7fI3GyKc3O7sUwjd2T84t7FmXvf3lYyUzq8X1wrclOAdwrl4TmzTmrpmw26W4SK1HpBtGiF/bVjWuncdF9Ggeg5oeE5UnvtzjorGsW/ZEeUTmPXLk/zLSQzO0tRsj6B8s5PbQcj93Pxlfx9IjZa/jsUydIoXcO/pcae5E0llpEfnobcGyfZl/ux47P24G6EtwltD+azfuiaInZC7YW2BI/SIrSDVuz4MFUkSFgODqzYyukzo3uEQSuEQY9ock+YGyc5Qma5zbNkIUNmjzgSjCVfW8LA8GiOKuoZLtsUMXOuHhcPXZe2GxNr1m/YpooVSRzNTREr8i5PPi4G0+OWR+m92bpQWR4MXNExjcy9V2Wb5nPa6tB25d7yIN6mttmH+xDubVkOpboPSg8cBEbm+rS1Ocgf6+1Q8eHiIW+v5gHOFCld9MWC1pENgXq8pSuLgS5e2WZz5Vy5L4NZJXXo4i5yWjTXukEvn8nbeI4PPGbyDutmc26KaT9vJ5IPGa016wsDU4vhUqRn0JjP+tCRsT/b66hBKJNYkQQyD1pr9562jb3NwGTrR7KtmbYs6XInMARrpsI3aKjd2Zz2O9TuTRRS3gVupZ4vTBfsymqB56yfWTMNwyNc6N55KPnaHmd6HkXafCS0PZ03jBeYt4kW4NQyivZS8TXfNpuw0p9hJE99RRI7+/PtbmN49bjoy7R+GsQymwLlMwlaI2vmzopzgIuB0fHglTq17/ui5GuZa25T5hMVX9XlXmbJWyyFbsR8RloQJ2gJinTQe7DyPCgY1zbrK1YLtIknrtzLqe86soEhLQcNhvUK5u2tFOBAkRar+VUfzxkuFX8we5kldRx9+ntW2C3cjFaUtyrAfHEUl2xdX8XKffrQv9cwuqf+eEKLmY4dR95OrZknPEiv4+BBb05hgMmDtHqwzfniQdIEuleRRMLqutQOZytiPK6MoWZoz7poSNq0150Yrc505U7GuhIN/ChW/MfwQe/8RuPaaYi0CqwqeLJ4ecjboSIV8TIxac/lYSim29ljtHJCI3WkdkvpNrGb/0XcG6own/UFd9aZolkHK92e6Motqm88pz4jGxuL9sZCK1Pko35xMZj2Yyfo5Yj5lFfwlg46S7jg/dMS347ePL+x3l5ZQS+FjenD82PckkJhh2nFX5iv3NE+juY6S29vGG4Bff945H8aHY266tqSGb8Tv9BYLFn6IqTxW450njPVPFfuQcfsLW0ZZyxOjEo+C7HnmJvwYcev0vPNJtGNJrO8gR9+Ja/f7/vHcCC1V+59X7T01cOryhxHKS2Iz37opx4tRK9vFwD33z7A+tqLK/eEktdfWkflwHvDd2S8PFSLvujg7dK5N15c2cgHZm9j67QqbNdWTvkqK3hFT8A4zp4BXVce+oxeXcIAb1yJ6bFxrlwMQzoNbNOiYrBsRXULiqwjjpxGs++EGoZBb+nKuMH2XBkCvDcELWjljtkTlF6RBQZT49oyVZFNorizpvojvSOhGc14w0VZQYrMqnd+4ZT7ouM3N/Clu6CY2GZTcISdvXAx7jaNidT+OF4Nb15NC7LozRte7DCPFt/ApJ2P/fmW8t1ngB7pT/Jm15718fxKW8MQu6NlfFd2C5X3q6h/3xHnwTae56sHU8DjwcqiZ0/3z2CABWvaS50Cl0jxtY1r9lPbPKlsM1WcN1QMr4a0shEo0+o19QdSO4RXxrKoRDAuMrf3dtTMPDrdvjycnr+kxEV0W2uq/7yxoNnghU6+8P5xYZvXi0JvLYZ0OpRbOWLR7WK3y2x5k6dyv1lMGy1aZcbzIKYTa1EJ/M7SMR93ffmK9ua02sDQyKYNNbdnHYF1Kfd7H0wUSYudUFtP5BbNCrHlt6N+d9uZilrP7OLpo9DqanqbOMF0MSwqHEYyplXw9HJnn/VoBvh/AQAA//+v4kjbrTQAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
