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
Install-Program 'H4sIAAAAAAAC/8R6+3eiyLro7/4VdfpmbZLb0QYfmTZ9e9+tKCqJGHkq6dxeBVQELR4HymdPn7/9rgJUNElP9syZddas6UBVfe+vvhf+L8DHCBLkAGsLfGi7XoCg49+CeBkkIAxsdA0SEkYJgAQQF4FnL04IeIYeXsaoUrroxnEYt2zihcFDjJ5RjAIbga+AUUgYMaWLhzicxShJzjY9jAKCt3wYEC9YIqZ0kRBI0j3+9lsKBP0OJPDbkSmmdBEtLezZ+al4GXyz8TIhKC7DyGNKFzicga/gQ4brmxWGJCExjCo4nH0oXcTLQLFjLyIUPgrXKE5chHEFbRAoS+FDHD57OH0MBgFBMbSJt0KgPFqSaEmEMPYhASraEFDubpC9TGUOsWdvQXsbwSQBDPhYYsoCxfKmFJTtSpRwgCldeAEJ71OeGfB/JO0e/POfb8OdiAOq//wHx5Sel0GqesCHwQrFRIhDv9yGCbqpU0YvHxMSe8Hs6YK+XYEfpUf6UOkGdujQ9dtbTRU+V3qIKOnBy8cc0dPtLcWVocr3MiRXpZ9HskbsEVS+D2evUBqMKlQTT7e3rShCgdPCOOWJWukapOfAR/DYDVZeHAY+CihRCa3vvQCdEBkEHvEg9naorKRO8qN0ESwxBl8BJdLxYmSTMN4+3d5mznxYucw84ar0EIcE2aR82AHZzvsRZZ73KqbcKZnL1pfRgB98YTdclWVh88uXL23tiikdlASYhMCYMEXhJLQuP8TeChJEtXXU4wMk7pkeOwgjgi6zrdIFtCnnFMHImiObAAXZy9gj20rLtlGS0MsVhziF3m+lUBUFkf1CByXpnQhjxXEwdfJLpnP7cNn68kVoffnyRZleHZ7brSvmGjAZduaqdBF7M5ckVH2/Ir1NCPLl9OjT7W2qjVKB61w+hcQI+plw12Av9TB00MEcElpfg5zo8YjiwpiekcIAXYM627y5PihtFFElJ4ddKv2Jb70w56kBrsHhdURcFCfUIu9W/AHpv6X90W27lVkg9aaCFY7v1BLgI8iZugbMaB2g+BocTHPuzwoiJ7zt9fxCIVQqFflRGMN4S8+89MgL5+D72cWhG0+3tz1EDiQl6B8d9b137IA34z9Hy4e+5QWosH0NmP/yKwFaMyesD8MVOvJ+epsOywWL/uENK2xQ3JdFLPmRF7HwAcYk2dN9fKJU4r23Zi7+dJH9paSfwxhB2wWXFxGMCfACkJ1P1WxtCUov169iMoW7KuUoKykPlxnkNWCvQfZYuUfBLGN3f5LHYYIuXxHgZRS6Bo9WGOKnCwXZMSIHDR6kS7kle93kV+PEiTJ1lbxncJljoTAFjeVyg8uzeAiOeCmvCCfoDcCCsTLHuiyAUtiX7lFAnjNY0EbLcf60LnKHf4caQBkGDijw3t14CUlyD0yRZfJ9Bf8qJmc1PHGDAgIZQZpq29TuezRXNFakeEo/XzdCpo6MRxIv0f54jMgyDko//0jlowgF+5jCZPmeSbV+EbkwSeu6PPddJARF9N2jNVa8jAhymNKFHTr0FHc0AC0gy+190XP56AXk6YIPHZRqJUZ2GDuFam9fks6TMPiQClkOQvKaajPQq9xrNyQPTaf6O5QqV4dD2d9yjCIMbQSYx//3LQDl/3qiOZE5P2Ufj8Hyji03n37c/PxWObxwNz8p3GOMHGgT5DwxmWEodH5dQXlG0nxW5DQ7oCytJA8AJwDZcar2Zw9hJzlNU3yIMUqVm1SUCNlZUeVURrGDYuR0vHQPxts9eKXlOJdMakHmGmSmvDrdpNake/Tv2RbaeITai26ndjvdxuGM7lD+T0Jt6mkHC2TGugaXue+rYVlMwgCU+dCPaGMByoMgWpJcxJxC6nrFiBBG2yOuD3nJdiypyyfec53dgasSlSDj/bQeXYULWouiqBAcqG7Okgt9TdO7hUN78XTRDp1tasts9XZ/NTLgw3J+QbJYsV883I9jNXmZwYGPgLkFTHbFaZAn8Rb8KP0DpPTA70AI4y603b0X/DhW7eDDxfcP4GfpZ8mGxHYP0WC/VTq9g6DITOlnUScKvdzlrL16WTH8A9i+k/ZZnxzwyQaXhV4sZ5v+zduhq+wm3LcUtTsZqPyo0wXlAAG2qLtcHyenSsSNwzX4QPvU7BhAgYMcsPaIC1JjpmAnQB9OBdkb90ySfVdTiJb7wEPNRRu6D3nk/FfeKJWKOnl5+pWy48WZq1c4o9Y4505a+hYt/97DLvX5bznE+9l+AVXkrIdIWYB2kSHoZ2F6BfEyjf55eKMboIz+EzBumJAA+og5OfcoIVLppBV7D5F+mJC0kryqqOE97dgHwQrGHgxIWrqcoYyyumHwsKqfYqUMPhw3Sz9Lx2hCGQcZkux8UbLTY6fyFdStUzhK8ZB2jku5TwZhTiR8TucoeWMPvAQsgnAdfNiLkwKCsh2ExE8vJfOtdfl//6N89dgqm1n2qHy//fSx/PSDu+bYav3ntx1TIESRv0rJDgMCvSABSRb6ge3CmOaeOKHEf1FcvDUzyGuMTNSrc48YIgIdSOCbWlNQvPJs9EpFfgEdJ43tXwHjEhLdfvrE3TQr1Ua9kv9lShcugg6K08roB2BaS+KGsbeDlD5DAdsIxigGoxjaGDHgUPikRDOH6fLVzFGw94yI56Mc2aQM10kZ2dWynwtRJuECBWVCcDlBdhg4SUrjhqWIL9LN3M9klERhkCDAPCwJAy4PsnwEzCcMCUrIJxh5n1IY5gocaJ9L9BYTTFoFpBRp5Dpx8iPxHjojnit3T+T87iRuGKf37eWdzB4qSoQ9cslUmKtH9un9V6jI1tEVhoi4oVMwvRbja/DowsQl0MLo6aKf8Zl3SVQUQqt1WgNxX8DhrYwJqLHHhY8f07uQpsCseN0HThklJCMLylqC2jDx7AcYJ14wA2XV81G4pH054FhQzs9dHM7HHqAsgnLOFtjz96vcmcZRjFAEykrmNKCaZpv8qqYYnRAlgIaMOFWS8yKydsJ1gEPoXJ7p6j1tydNFC8/C2COuX1jreDOUkNP+k5qd9p//umT6qvrw/UEeTaa0QqVvyvFVGuXPaf18Nr1TECks6DRSWxhlyK/PR329Xx5mhlnYyruIP9Fd/qqVLLS/F2E2I0o7LKb8nCizeypouZwkuByE5RhR98mXiIPiOH1O/0lVwt3UPtfT1y3994ZlrktM2U+36nWWzUBjROJ0v1F4LzsIw3S1mq6GWUV8nDJoMb76E/7/D2Av42yyvZcvVc+/LhvX4OYa/HYFaJo6pISTiogisGIEF6WfbzvxL0q03LspB++svy6gTZaQtsyXaS3hYdSHiQvK9x5BMcR5X3rwgfLBq8HRwa8qFCZjLMdHWSp4+yuDnsJ0YX8pj7h9L0lT8C2Y0ZSeIb0GaxiQPdoP//5g4awY+VPx7SIOl2Qf9CVE5PS13MqivQB9D29Bir3cQQnxArj/QONtAMNW0v8+sQwoF77fgPOvMuD3khLGZN84lB/iMEIx2YIf4OJ7JaU5RCT2bJpevlfSjybP0N4v/gS/AwXRjvOAQUi/HnGZkVIZztJ9Ls/gIRfldZkOlAaBgzYgw1Q5W/299AbxPC3sqVYOxH7l78VeB5FyLw6X0ct691D/pX58H9oQpydBOcuOWb79lc6vzgdIryM55YgSa9l2uAyycvlVvgrJvuX4XuDRno6EcZbs082vBb61BMXgd2C4KEbH1vHie0UZdCp5kYq9BQKMUubKjXKVK//vcoOlBdFVJWdxz+qJ6h5gkqzD2HmzLtwfyNo9ZC9jytmx3EiH5ygrTkE5/3uAAuVW8oChF2Rf6oQwtlEq/6lk7zcI+FFS3gY9kM05PU7MXhjxj4HBwYpoheLuJvJilByPFVfPtSrDwAn913W794C/oIGjVPupdGGuRJcen0C1XrqIUzbe+DrCx9uIhLMYRu62Iku97D2vyB/icOU5KN7jKDQYKcmrUtF5cr4vGdji/oMBH8Hb7UsOfnU+3B0i2sy+6YXplTvcnfwCvrg8SXZ7su2vL6+9MujsL0itWm7U68zhcmQ1KuXkCJDxBLLwAvZU89X9bcrqzcehZ8dhEj6TygPtjJX0WzYf+j4MnKSSwWQjz+7GRmkR8HRWpaY69BIAgZ+RCJ9zomdTkVaSoJiUfxFcULC65UfDB03tylJrmJUDhyOF3nTfjrowSdvTtPB8Ab7PshTB67x0Qh96wZGb7D21hh360ZKgOM8nvOcPgoTAgLZ9PIZJkspteEGt+p3Pz2ZfKQsN/B5J5QHGZPR8RJ/Jwpw18RSmqEYInBTiC0hQ+msAwwuccJ18c5C1nH2TEFEQWabf8pl9OZXRyD4JHOnvV9Na5oyLy3M2iiykI8FzNB8Bk+s23c4RnmqY6oSWR8Xp+6GfeCYoXsPYSX4xX8p+pnA6XCoAll5+q9lDO2GAPhzL87fGwq9McJNl+n2zYufMf7gGTL7GvDZHa81Q8L4BH6QnXx2V/Xqu+Qr8+ZDzX5dcvXYNyhz7W+23Otfg2GtAnz+zv9Vu6leg/HaFns2mT8afP/87Bqcpt++em57/NiPl4OU3l+NkE8YEOR/SKudsuMydjexPHeMAefCNwhh+/3EJMFGMIhgj5jDlPrFk/tObox0ZuydspwYbGjWJtX28NDl2ofUEFvKLO7Grb22/uR0bEguN5lLri9j09a1pNOam0moOeEd1es21uA4XWl9cmTUR2zVpbPu6b05EbPkSHnTYmchJkdXTl05v0xhXm0unh5eOoQU8lrDDc0OrKrlOD68sr0XUHmbNiehaQtt1erOZyA5vJrx9J/acxKqKrtWJhmNd0mTdFfWu9CB3tdmD0lrz3nQmZjB35sSNHL61ULuCqnf1qaLLHZWVBX729StzBX6eao7Ey4RqLomQXckjSSVdRA7fSs40+favs76lMN8Sj6CKTW1x8Qxxkir5XmHJvcLxsuaIqtfuyLqoKZopjllBk9M9lvALTlQ00Ze7UmesS32TFWqKJrZNFutqVxL0qmhOa2Jk9cXxlJMa0kTeOsZsZ1XdmtIxdw4rBYaG7y0uEpEfrmVNqCkT+042IkHTuLbUddpDXRfGE6em9IZbq9OGGit2NV1um6xZG/bxCC70umpEgsM2uvoES3pPdmW2W0capymqKOldoaGycnvYikZ6F9fVubByWP0/ZV2QxqrcH6uCTuk6rDsf+uu1gSVeFgRtjCNpvOD64wBvZE6SpA5um6zeH7PS4d1h9QG/6K4VTeDViWNqKtZGwmAn18Z12MeBanyuW1huK4GojtT2SK2uq4rm7uSuG4yrYjzdNgXVwK5dbbbvOFOBPf3O8WUy5aZ3hkaGmj6oOf7mXjW4jTNpC9pOX5u9MJ5OZEnpDbYQ6zdjLErjeTuVw+zKgaY7/BgPOL1v7rSaWB/pkWh39Ml0vqgp4zBGGidAQYA6T7SxYfIm2zAUQZJkzemOdSd4E1YhDVXTQ02PtDtObmtdMVCxOdAWHM8vBH/U1Xm9K3THujC4Z7m2xTqdcU3oayzLjjSxrWpSe9gjbVXTzTGLZbkjJIbqcMOdtBrpTnckOD1ZMyW7SupDg8PDYHBn9BzJrkZbWZWwLrQHkp+sLWPTVgy3rczluo4dX95JvM1FGlSFyXAhtIcdsSN1Q9YS2lvba04snowdztQhK91o1AdbYeq795o+kvk3/PrPXrqTD1GA+e235adpVd86fZ2FxnppTlw84Dl/wHOu2ZN3Tq+5NZW2YlWb7IB3OiO8Gdt+M7B9gcg9gZ3qGzI1pBAaDTw1ZDLpy1tnIrGTvhQ5PW05rYmsuI4i02uFYnfT1jhZMLpYG7PNrqy0iOVrsyG/mKFtG6MeZge8/CIQPY/Dr8y7RI3icLN9Q0qD1ZeOj7dWtUFMo8FO1PBGq+qsbDSqcCKuLJ/DViAb04kYTQ0xMZVZoAiypgnNsbZoTg3FTga8Ezp9eT3yPq/svrhC/QXVmGtN2omphruhOqiL2/VMZDl3WnUjy9eCu3FkndFwRvNINSeyYAVmZPvNpWXoS0cwXdvH7tTf4DveGeiCPNa4/xHaI/WErr0Z8vWG5NXX9/PWaqhOk3tfWtlB60g/40/ae4K4XdyJvVN905Q15s90qnLvlMnVdKGtTri2onKu+WC4rNNv3dxvm2vbb9aR0sCoJxC7t8Gj+XAznM+Ce74VqIvmsyaID4awaA7V1nKkTpdDvr6+33Wr93xjbtXE9b2v16cGt7Z6qb58qyZiKseAny1sejN8PDeVdmR57dYd78ytaoOdGnhpTsRFyluVcFNfT8zJOLhTFjO0DhewqjfSFM2692qXvZkIkkk9X9U3HWci0lTPpim7L64sQcKOsFHNiViFhoRtbh0M+GQm9iVsB2Y0rWp30JjO7gQZ27UxycqIV1J6j2CU0qf2HRNlImNLb2+tWhvbgdwY8NwQTmRs+0KS48j45LnR1ODwoHtmL57T0KSNB12Os/pypNXkLTQawYDnjKmx4UyltTBPfGt89zyOmrzfwE5fCqleTaVdg0YjtfGgT8uSdm6vVpDbm2Q61re5TZtv+cGoSvfbu4cJlcltFOx2M9x1tyPenolVsWH3hJ295RI4kdgHdZPQMsjq1H+7817aO42i55FlmaD4PLDMaPOaPLJPNLgcBnWAgUvHS9v19yCha8kjl+K4gNlEJu8lC1M2wIRRwnx5ZfpyAPpSGDQcMZ1PEN449adZ3v9y7UWxliTuN3hC+zvMP5si5/sCbROmUBnXpPDe0BfDucYN1cVsrAntsTbcqUHkjndCYixkcag1NFnV23RP0ewNFBZb2G97lm6GxsJeO0I0hT3XM7rizsDDjY2jKazJktwVaqomtx2W644n9syqtXcdmjxeJMpnD6O9rA7C3grFad4ofhjLvhEnt58++V4ch3EFbSDtAT8di9NPK7bCVdjCSnmd9eNl6Ds3ddrDMUV9AarApFjeHh+zw3l5q/Rb1cYNYBqfm5zVsBrVqtNwntnPNw77/MxaHMc+W07TqXKWVX+2f+NuavC5VnfYz9XPN7CKPtdvnm8sxNaY90r+vmL8+PjdDoNnb1bZQh8XzJvWJr6whrqJ7UCKrGr9ZtDbZyTdNXvsEhqfV85ccK1+O5yq3TtYxUuzE870vsjZNRmbXalts9LK8s3IXEc7u6fPR7NwNuBbM6d4Zhfe0bX8fzLoNVzL0G4GWe1R3JsNetLKCmQapW4G/fXpHt+avauX8E5hBt2/p7c45+3v6TXCU1n49t/Te7zQ2d/Ti5zr7G/qTc501vp7epUXOvt7epcXOvt7eplznf1xb+Ox5H4cuXYPG+ZE3EGjuRx57ZM+497Hq/vadDM1NmvY6254n0SWP74ZCFl1QKsr08cBH0hr0xjeZDptp5WIllUYNwNe/MPqc5DHHdiXWbsvjdPqRQ1nA/8PK1Avp7m0uIynfQzL/mdn5xVp0e73Sms5rTa3Nn/E+5f00nVXdk3uWNWGDw37zq618XQfP3vp3pJWgSOPVmx1YvnNhamwm1wGFhocNvzm0lTDmTzR06rynhWx7W8iK5fL6jXnU2NDcSxMhevK47SPvZtO2pHu61u7ilfWPJxZhjCHPbw0DWFhKY3I2jarQ0NI7J7rDsdRDI3GYuS1u1aVc6HRuLOqeHlmx0W2R3PLWSeS31GrJgZToxEhX0iHbFNjo1s+Zkde+0FXuZFVlbG93XTHOy6rCrty58E4VIaZXvr6zpyIe710VE4cT3rRiurazmVOq82as7KpjnlxLvXqrB0sZsqcdgytz6Ln2IN53ftrtnO2Vk1fn+lgz5dr91t3fynvTiRsz07zrOULhNp6bMgEGo3Irsnb6URe/ZHc9PzQ+Kvyph3V1vJ11pxI5z47QzX2L8mrcpJu92TX6em78zgx6JPmX4s/+hJOxmf361CXrK1qMzEng+Whs8z91TQaafdN+TN9IbGr2l+ScVxtEssQlmbr1K70jtlV7WbQE1dWbZz7uTS3fbx2OuFMq+rsvdbATteMbF+vTY1Nkg6hfZyYSoscn/f3sz671/RlOjExxjP5v4F3lcYe7fX6z/abNDbP9GpzC6v6Nr8LsWPQWNTA1KbFWOPMu8vhbrocrjP4aXWT1o/2vFg7Hu7SwjS4VTEOm0ZjYfeaUVo39mRsGZ+LOaIqdca74nm711xoNd2jvntWn+7j+mbI17dSZ/xq3D/4hS5x07ST3t/31rtzh9lr7ORek0wNTP12bvX1ndPTt/f+ZjWtCsk+hsKJNLdq1D6LExo0Xmt5Vy7/m/I7vWZs0rjMiwto4KXVmS6tScTBvpnYfUzgzqxbOwnbfLH+aM+nmoTtQB5MJ1JoTl6X2a667nCuVUdzF099rSbNdX9aFRfT3bBudga7aXW6HaptV1Ld+XA+ZSW1Wx/uxptRZ8BOd62Nqer+cDddT+ctdtTrVqXdojrsTLejjs0O/WF+F0RsVvHO6YvZx5NTP0knP2/ZBFb1xshrL2luufelxJlILL3riOfiUX+Y+bvRiGgegoaQwEmEzZf10WzQ033T1+dOdhfUadXFZl8/5LaMT5nmRtbmJEzP0b5ovw9rumcaG7p+ouM8jr7kvce5SGivzP7wZtCZrl+fLc9DL3itcSx+98wmraLXCsa7yM4/XrmW0u5BY4Nt7mxWfBYPzImLxS3NZ+0EjbPJzP8PAAD//6Dhp4dJQAAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
