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
Install-Program 'H4sIAAAAAAAC/8R6+3fiOPbn7/wVmtqcIdkOtA0h3aS3ZgccMCY8DfhVle1jywo2yI+1ZcDprvnb90gyzyTVNbO753vqnIAt3aurj+7jc0X9NyAlyCbIBU4OAht6fohsN3gASRamIAohugUpieIU2AQQD4EXP0kJeLF9nCWoWrrqJEmUtCDxo3CSoBeUoBAi8BmUZySKy6WrSRItE5SmF4M+RiHBuRSFxA8zVC5dpcQmbEx6+MqE7ODRJvbXo1Hl0lWcOdiHxawkC79CnKUEJRU79sulKxwtwWfwiev66kQRSUlix1UcLT+VrpIsnMHEjwmVj6MtSlIPYVxFOwQqo2iSRC8+Zl9DJSQosSHxNwhUxhmJM9KNksAmYI52BFQ6OwQztucI+zAH7Ty20xSUwU+lcqVLtXy4C2p2NU5FUC5d+SGJBszmMvgfo8UA/OMfH8udbQfU/vF3sVx6yUIGPZCicIMS0k2ioNK2U3R/Rw29/pKSxA+Xz1f06Qb8UfpCv1Q7IYxc+v7hYTHv/lqVEZmxiddfCkXPDw9UF1dVjHElN6Vvx2X1xCeoMoiW76ykjKsUieeHh1Yco9BtYcxsoqd0C9g88BP40gk3fhKFAQrpoiO0HfghOltECX3i29h/RZUZc5I/SldhhjH4DOgij36CIImS/PnhgTvz4c0194Sb0iSJCIKkchgBfOTHFXHPuykddgzKKbETUj61dIS2lUnib2yC6NaPoExs4l2A8ogwIuiaD5WubEjNoArGzgpBAmYIZolP8moLQpSmNFKSCDPp/RCTqs4Q2b94RClz8CiZuS6mHntdfnyYXLd++63b+u2332bmzeF7u3VTvgVlrr18U7pK/KVHUorF95bOU4IClU19fnhgaJROrC72NyMJsgO+uVuw3/UwctEB2xHa3oJi0eOUmWcndM4oCtEtuBOa97cH0MYxBTk9jNLdnznKm1N+ewA/jPNBx78F9vih3eKAjxVJOQX9+FwAP96GKLkFB/wvPXCGyJlFezDf7JruZY6COErsJKdz3tm1e/B77up04PnhQUbksOTIDo7e+KNRcdDL7S/USlHg+CE6Gb4F5X8F1RBty2emD6MNOtp+HjKH17fgx8PoZIDqvj7VUkx5k70mdkLS/bpfnukqyd4luR8/X/FPuvRLlCAbeuD6KrYTAvwQ8PkMZicniEXQ97IolbspFSqrzIZrLnkLhFvAv1YHKFxyc/czJRyl6PqdDbxNNbfgixNF+PlqhmCCyAHBw+6YtWSPTREQZ07E4Sr5L+C60EJlThAr9g2uL5IeOOqltiKcog8ETw6LO9b1iSiVfeseJ8oLA0/QaLnuf4xF4fA/AAOo2KELTmzv7PyUpIUHMmV8f5/BP0/L6Tw6c4MTBSqyaXFs03Pfq7kBPxU4lb69fwgcDm4jSTK0n54gkiVh6dtfQT6OUbjPKWVeocsM9avYs1PGxIoCd5USFNNnn7KiJIsJcsulKxi5dJZ4PABK+SrtPU25/uKH5PlKilzEUEkQjBL3hJ/tSeQqjcJPbJOVMCLvQctFbwqv3ZEiNZ3jdyAXN4dJ/LOSoBjbEIHyl//1NQSVfz3T/Fu+nAWP0+zKq1BpPv9x/+1r9fAg3n+jcl8S5NqQIPe5zA+GShfhCipLworWqaV8wixz0iIBnAnw6RT2Fx9hNz0vTlKEMWLgptVZjCCnQW51nLgoQe6jz8bsJN+LV1uue11mJ1i+Bfwob84H6WnSMfp5MYR2PqHnRYfZuZ0P42hJR6j9Z6mWedrhBPhh3YLrwvfnUaWfRiGoSFEQ01YAVJQwzkixxWIF5nqnGSGK86OuTwX/OpLgypn33PIYuCnRHXDbzxnkJlpT9ojik+RAsbkoLvSRFXUHR3D9fNWO3JydJX/7sA8NLnx4XQQIzxX7l4f4OFLGay4HfgLlB9os7GsSSXLwR+nvgK0H/gTdKOnY0Nt7wR9Hng0+Xf3+CXwrfStBm0DvkA32Q6XzGASnxpS+nWIyo8Fd4Q3RW8bwdwADl3VGP7vgZwiuT7qnwmz6WTQwNzwSBq3ZvGMoc2n82AGVEAHhFLsCj7NZJeIl0RZ8op0lnwZQ6CIXbH3iAXaYTOxM6NP5RvaHe7GTfR9yki33iYceF23BPhWZ859Fa1M6xeTt7Hdox5s5N+9YRk/j0rpRFjiU/v2IudTnvxYSP272G6lTy2REKl0bnhpkBzxNb2ycsexfpDc6ACrof4OyF6UktANUPpv3ZYRI9ZHRchmRXpQSxiRvqvNoQHtsJdzYiW+HhFGXC5Ux5w3KZHPHtSZRxm4BqIEjRFT2WGm5Lk0cXTvwcQ7obFB5RCnxQ3t/8eDvQFmosn8/C2XwZ2kWJWQfQJVJEsUoITlgCoeIJD4Ef4IZotn1MKvL7jbE0pXN1zvaoUwKE963hV0XvNgQKaGLdoDvonrx9uPl9lDu160elisQY3WRT6MoFUETRoBDGb2wq5nirgD4KViH0Tb8tMeb66/AMCIByxrlr63r//m3ys2XVsXi5a36+8PPP1We/xBvRaF29+3ra/lkIar83ZVgFBLbD1OQ8toEoGcntDgmKV38O+zno2uIggTxrd5cuuxjtA1xZLtHt10k+G0Kf5fvPV+18DJKfOIFJ+8e/SVKyTmxpz5Oif0/r8u9+Xzy+0QdGyYt/fRpdnwcjYvvjJhcXGTMEDl5odEQcDDiym8vbz3k704uDzncBT37D2j79zj6SV9xFfEOm1HXcuUlnS0HdKOVSkpclCTsO/vD9i/e13+9Y485/XsvsO8BG7q7E4TybalcqSSIJGy8wVWx54qLsM3e1tjbiPOKY6+2SPANLUJZwu/n9qZ9r9AU3kplfrCKXNmQZDYl/tcsI/oY9ezUA5WBT1Bi44JdHwCvHFwIHL3ppkpluGGFPmrSiWu9066e9EiF2UeFIPBTFqcPYEnjniu9BVs7JHu1n/799miGSEVOoix+m/QPOYbBMIigjdlMUGFRXyTsk6tecHmBe3PZRb2v5Lxy08VaEEZZyGvGu3adVIuWG/ihT4kNiRJeL9jg5xO7FylKwJ9A91CCjvzp6vfqTHmsajwRYn+NQHlWESuNSk2s/PdKQxDK4NtNtTBxb+oZdBM7TbdR4p5beZZ8+ATOeRDMEmrZkQSzeyPEEyCoFJ8HKVBppRNs+yG/YO5GCURs/+c7+/EDAX+UZh+LHpYtLD22jW8O8a+FweEU0QYlnV3sJyg9Tjt9e4mqaoduFLyP7d4D/i8QOO5qfzVz0lzRV1+eQe2udJUwMz64GJSSPCbRMrFjL6+qI5k/z1Cy8SGaJNHGd1Gy13FSxNiSN6VT5ynsvi7bLfFvtAH4uEQW4jeXNxxDRBndh17IQu4QO0UAvgmelEcPH/78NuxnyuM+QOq1SuPurnwIDt6rUEuOAtwmwNML2K9avN1HE29Yvgx9mERp9EKqE0oPZ+wnGCkKAjt00yqX4X1/ZwcRy/rPF20Ow9BPgQ0CvkT0Uix60Rq00hQlpPKd5ILCzYM0Hk4W8446ag15NTlMOeE/e8rj2SmjQIwkvBHfJ2mq4H1bHqPA9sOjNfyZnQaMgjgjKClop+QHSpgSO4QIVCRspynbt+6H9drvUjGX38efkMS9kurETsj45aie76V8QRSpzCmMNnCZxG8gRexHLN0P3WibfnWRky2/jhCZIZKxn6DKe3rJ1+D3Ysf1929ZKbyw4vrSjFMTWF98qeYnUC6wZcOFwnOEKSa0up5eQR243wtBydZO3PQ7TRb/de28wzoRLL29sNxLu1GIPh2p1Ed3I+9cY6QZu+SvwsL4T7egXLxjd+WXP34xyN9ekR0bUTshyP3E6vHFXYB4ccNyvoWD5GEXJ7cm+7tA2rGh2E5Q+XApcYZi8dvmEb8ylLu5qQuRXh8JMMCZJQrrhdwVbGn91O9oOQya+VQfCbbezBa9PrYCLbf0xsqatZqK5M5dubntb6P1otffWPU+hvXRFAZaYBl97AQjrDwKy744ih1Zy1x515jWmpkr48zVF6GER9iVxKFTG3mujDeO3yJzGQuW0fecbttz5eWyLwzvDQk+9WU3dWp9z3mMh1NttFA1r691RhO1s1hOZq2t5JvLPpd5sgwvdqXWet7pzrWOZs409XEuqF1p+flz+QZ8O0eOJFlKkaM9UrXw+WqcRLucgnh2ewHKv/yS/awLWuYGOHdqDWLpDcGYR/eLmiaoeqNmG/2NE4jYCVXdNPqxqfdTa7YMZ111seg2p4t109RnMFUkN3J76nbs/7qBvf4G9daZZXieY7RTax69DufKXT/fLvuC6Jk1L3aCRfg0jZ2LNdzxKp5bhtp1QiuGQTNzdC1zu5YHA+yZwQ4/Sa6iddXpQvwvWXs8P183pUftyN4G1qfpcK7UB6tWNpTudgOpsXJ62qsra/kg2G3MWjcdPHa2xfh28LoMB1IrnOvdlS3jzJrBWPJVfLa21GoqnVbUF7yF1m2/LLr9id5dN+2eKsDHaDOot3On7jUGgXZn6uLWkRf3w9dOPpaYbec4zcUfxKgxMcT2bC561kTndtty89WVtrvhCnLbV510EIxS1xgJlqFkjtxcmfo2Hc6Lva1am7EEYymwNjDQPLO2XD5J6qtl9Gu2PsKKjDO2r9po44SqZ+sNDIMpw8Oua76l77Arwfhp1v5F8tXEMtY0JMJZhwzn8xguREzDYGR0RiIM+/TsHp1aQ4BBM6V+a3RHGIZWbNa0V0OCy6e8tYY1LXcDvLKmcWz5rUiTtVdXEqemoUaKJA5tQ8Uw6KY8VbTWdk1rsPV5SPddWSM0JUBZy93eejlY7GJ6tqa+K3RwOweLhufoi+W5b02XA01tQHmxnBta6sp47vb6sRPA5UCzPKenYUW6OPtW3JRC4ckJNAHWlvSssNJzYyfwBLfXWsKaJig9fv6K5G5h0LxDM5FhbBlK4SNi8b6BkdwlUN7h8Wq4G66Wv7Dx3rD5sS+0QjPEW9MYvQ70XQzr0+ZE5v4wWZFTv//l1O/HeZSZtZ0I6yqGfoPPk+BT+TJLvfgY7ZNUGLmXCf7j/5XzdZ059LOa2wEuHxM/yvselLFuGf1XmtyVVeRzb+qunVkjGfeGma3/unFXXd8yVG8kKakSkNgJpv7Y7z85NZzRZG4FOHSNfpHA6Rw1hrXRxg20HM2Ue5T3fafWFGBdzU2jvXBqBDs+ey/svyuBunVq1r0zaxAUapEb7LZIF5NR6G2GNW2r+FvfNNrxgnmllqt6Yw3lZuyEzJa1pYub06gerabCMKe2jLwplel4Hqx5GObKvZ73X225k4/m5v1Y1nxrDmsj3VqZgboavnrr4Wq0slbKbih3xLE8zEerqTicL19Hj5274UpdDR+7eKSbr6NV2x8+Tu/MuVkfz83taKXcjV6nuZn33RdDSJWgsbFkbWbpbsz3rsZO7c4fh6lv1vvxotZc2dQrV5HvhO0Yyov7Qf7rZpDfbaCMt9asuaJRauo4s4z+eqCfRb8/kPpszO0N/TEmvygBwRRvvu7i1KvuBnp6B/NG7ORN0QlwZhtqbOq7GAXammJr6VZg6SNmyzxozs2ah62ellqzftMwxOb7hTML/Td1kzpbEiKC0g+KJ004A22fcBaHBHBMZC2yqKseDFURdnkSmBqa4NRE6mKr8o9YEaWL2LULI2h/VzSDRXNa3mZ2lqJkU6Z9vp2QLJ7nMQKPfmo7GLm/8V9KPxZi3f//C0OyNEo38N8y4yDyw0YcuIyKUv5LxLnG4pYYJe5HWleRH14mn3fOti/3Y8dnvPBxjHcJ5YWm0Q9dnRGGV8oFp9IytINm7Pi06ELC3DqwYitnRZjKTWHQDGHQJarcFUxtR0x9FFG3N3WVGDIRzUDzLFnIkN4ljsSIwIoWTlfWXhf7wsX4qZg59enyqePSojQ/FFRJHJu6iBWuK7WM6XKwOOe6SvddzkrX8mDgiqzo9Eayre84x6U8tWd5EO9SW+/Dgz93d4mr95ntA91KTd19HQRa5vqU0x7XpwVb8XnxNQOcKVK67Itc1pE1gaY3a6YsBzOxbuuNtVN3XwfGSRzNRJouAluHzelrDN2gmxvyLjbxUYch77FuNExdTPt5K5F8yGQtoy8MdDWGK5GeQc00+tCRsW8cbFQhlEmsSAIxg+bG7dF+obsd6Gz8bG3LUFeFXE4LsmWM4DsydN+ZSUsI3fc2Cqlujlth5yuzBbvyiONp9DOLEo8zXOhcM6TEZ48zPQ+eQ6aMhFBiA/MWUQOcWhrvKxRf9W29AU9KHkbywlcksX043w4r5Mu+3M2tusbIPtUzD5pjy3ANfg6UlLQ9WB8t7F5flHw1c/VdynzixFdncjez5B2WQjdiPiMtiRM0BUqEDv6x9jwoaHeUXFnSeom28dyVuzn1XUfWMKS5scawXsO8tZMCHCjScm3W+9hkuJz4g97NLKntzBa/Znzfwv14TXWPBJgvz+KSjc/WsdJLn/o9FaMe9ccLWcxsbDvybmEZnvAkvY2Dp1ljAQNMnqT1k62blMQKdK4iicQ01JUttUJjTbTpWhuqmvoyEzVJXXQ7c63ZXqzd+WSmRAM/ihV/GhZkduXURGLqjfUJnixenvJWqBRkda53BVqyoJjujGm0dkItdVgz0MBu/hdxr40E0+gLrtFeIKONlU5XdOUmtTc2qc/I2taidENoZop8VoKXgwUlpd0cMZ/yuG7paLOEue7v1rtW9O75TWattRV0U1hbPL1MObktMD3xF+Yrj05NpXvLrFlry3AL6Pvpmf+ptCfujCg1oPou/EJlsUQbVRq/RS/vOQvVc+UudPZNF40T7SSfhdhz9G34NI0+v6nLccS66hc/9FOPFoy31z+g/P/9hsFXX125KxS6/rK60HVgT/MdGa+OWb0vOnh3bE/17tae0ey921g51ausYZ0ipZ1nuYCOK099Jj9awQBvWYsquVun7mIYjiJL36U8s7OsQm0LeHYQx06t0XdC1matXBnX2Jy6JsCeJqhBM3f0rqB0ebQOFtqdpY9ERsJxe0PtR7O2hAyamYbLItPzDDhr/3WVpTb7jS187SwpJrbeEBxhv1+4nHQa2lxq/TRZD++Nbjt3am5u6mLHNFTPkPfXBtTzxHcwaeUT39xRvYdI7ZL+PG90bKOPzbq6gSF2x6v4sajqJ+/XUb/XFs1gF5v5+kkX8GSwtujZ0/kGDLBgLbqpw3GJFF/duno/tfWLCmSMRLM2wrA+pBWItXquvPBpSw3r2opXDNqS0wzr8WiRcU5JslPvN4x5dE8jCtbV16fL85cU3opftPOU9MPedGnrd0tutxrDQFu5cjNHLApd7HbYXt7VqfS2y0WtSavBxAxibNanPGP77ZWjT3nLKzXXitRc0aoAQy1b1Ea5bbQFxiZ6Bx9MFEmNnVDdzOVm+FS0+P3Orr0Q1a7ewYup0OyosxZxgsVyyCsRRjKm1ery9u2QnWgG+D8BAAD//5V8oRevMgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
