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
Install-Program 'H4sIAAAAAAAC/8R6+XObSrro7/4ruHmuK/vFUkCL58h5Z95ISCCQhCx2SPKmWNoCqVkGWgs6k/u3v+oGrbZzMmdmaipVMXT39/W3b+h/UWwGHAR8yi2oyPGCMAaOHz1R2TrOqST2wAOVoyTNKQdRKADUS5jliHpxQrjOQOPmdphlSdbzUJjEzxl4ARmIPUD9StUUlKS1m9vnLFlkIM+vNkMIYgQLNolRGK9B7eY2Rw4ie+zTVwLkRAMHOV9PRNVubtO1C0OvOpWt468eXOcIZHUnDWs3tzBZUL9SH0pcX90kQTnKnLQBk8WHm9tsHSteFqYIw6fJFmR5ACBsgB2g6lLynCUvISSPsRAjkDkeCjeAqs/WKF0jLskiB1Eq2CGqPtwBb014TmDoFVS/SJ08p2rUx5tancNY3uUCk91Ic4aq3dyGMUomhOYa9X8kbUL9+c/vw12wQzX//N9M7eZlHRPRU2wSb0CGuCyJ6n0nB49tTOjdlxxlYbz4dovf7qnfbr7gh8Yw9hIfrz89aSr3S4MHSCEH775UiL49PWFcJapqr0Ryf/P9dK2RhQjUJ8nijZuEWQNL4tvTUy9NQez3ICQ0YS09UOQc9ZH6Mow3YZbEEYjxpRLYTsIYXFwixCEKHRjuQV0hRvLbzW28hpD6lcKXDMIMeCjJim9PT6UxH1fuSku4v3nOEgQ8VD/uUOXOzyMqLe9NTJVR1u56n2cCK3ymd0yTpp3u58+f+9p97eYoJKqWIydDtXPmJLCtP2fhxkEAS+skx2cHBVdyHAAIELgrt25uHQ9TjhHM3CXwEKUAb52FqGj0PA/kOXauLIEE+rBFoBoKQIeFAciJTySZ4vsQG/ldbfD0fNf7/Jnrff78WbHuj8/93n3tgaqV2Gv3N7dZuAhQjsX3o6uLHIFIJke/PT0RadycUV3xp6AMOFHJ3AN14Hqa+OCoDglsH6jq0tMRJXAyfEZKYvBAtenu48NRaLMUCzk/7mLuL2zrlTovFfBAHV9nKABZjjXy04I/Iv2HpD976vdKDRBrOtPC6R1rgvpIVUQ9ULXZNgbZA3VUzbU9KwBd0HaQ8yuBYK5UEKVJ5mQFPvPaIm/9o+2XjoM3vj098QAdr5Sc6GSoP+tjR7wl/RVaNoncMAZn2w9U7X+iRgy2tQvSp8kGnGi/9Kbj8plGf9fDzjYw7rtzLNWRV7Hw2clQfrj3yzd8S3aw1tLEv92Wf/HVL0kGHC+g7m5TJ0NUGFPleSJmt0CAONePYjKGu7+pUDYIDXcl5ANFP1DlY2MC4kVJ7uEkC5Mc3L3BwOso9EB9cZMEfrtVgJcBdJTgkTtCLTrIpnKNCyMqxXUTvlB3FRYMcyaxim/q7ioeUie8mFYAc/AO4JmySsO6OwPFsK/N4wx5ReCZNHq+/4dlURn8T4iBqjuxT53RPtyFOcorCyTISv5+pf5ynpzV5MIMzhDIwMGpto/1fkBzj2MFwXPz/W0llOIoaUTZGhyOZwCts/jm+++JfJaC+BBTamW+rxGp36aBk5O6rsp9tzkCKX4PcY2VrVME/NrNrZf4+BRzUgAuIOv9Q9Fz9yWM0bdbNvEBkUoGvCTzz6q9Q0m6zJP4A2GyHifoLdGWoPeV1e5QFZou5XcsVe6Ph8q/9Qyk0PEAVfvy/77GVP1/vuGcWLs+5Z2OOfU9Xe9+++3x+9fG8YV5/I7hvmTAdzwE/G+1UjEYunJXqr5AJJ+dU1oeUNZuXgWAC4DyOBb7Swign1+mKTaBEBDh5g0lBV5ZVPmNWeaDDPiDkOw5WXEAb/R8/65GNFh7oEpV3l9uYm3iPfz3agvsQoT1hbeJ3i63YbLAO5j+i1BLLO2ogVJZD9RdZftqUhfzJKbqbBKluLGg6kKcrlHFYnUDMb3ziJCkxQnXh6pkO5XU9QvreSh94P4Gc1DSflmPbpIVrkVBehYcsGyukgt+JendhYm3+nbbT/yC6LJcfTq4Rgl8XK4cpIwVh8Wjf5yqybsSjvpI1Z6oWuniOMijrKB+u/lvitxH/Z3ikmzoeMHBCn47Ve3Uh9u/fqC+33y/8RzkBcdocNi6ufRB6pyYm+/nMlGwc9fL9up1xfDflBf5pM/65FOfPOrurBeryMZ/q3bovvSESU9Rh6agsrPBkKrHgKLPZVfJ4+LUDQqyZEt9wH1qeYwCsQ98ahuigCLKJGAXQB8uGTko94qTQ1dzFi0PgQerCzd0H6rI+ZeqUbo5l8nr02+UHa/O3L9BGdbGNXXSOnJx+fcz5GKb/1pB/DzZr6DOKeMBqnOOd06QE5VheuPANYn+VXjDG1Qd/I2qBUmOYicCtYtzXySAGgNSsfMAjZIckUryvqEmE9yxC/HGyUInRqR0uUKZlnWD8Lxpl1izZE1mCphACSCZvNZ7vo8DB+dEISwofJqqD0COwtg5jDHCHVWjG+TfJ7pG/f1GSTJ0cKD6c5akIEMFRRBOAcpCj/o7pQAcXY+nODIpYW5unfK+Ex3Cc0XC27SQ4cOL4wEh9sGOKrloXK2+f91BlId7G8frbr7fnKIoVhhVCq8EOdfo5bFLvZ6ZmY7hsKSP6fa0VPlinFSXJC9kflQNNKgwp1Zxso0/HNRIAKm6FycoIsGo9rV393//q37/pVe3y6zZ+OvTp4/1b78xDwzdbH//uq+dXYSRv3mTl8TICeOcysuUR3mBk+Gcm+X48h8UVe/NSqraqmT1/toTpgA5voOcd6WmgGwTeuCNTuTMVGoBQunTp0/MY7fR7LQb1d/azW0AHB9kpCL8jar11ihIsnBPTLeGAfvAyUBGzTLHg6BGHQs+cmnpKEO2WToIDF8ACiNQITPrzjavA69Zjyom6ihZgbiOEKznwEtiPyd3PNIY8S3ZrOxaBnmaxDmgas9rVKPujrx8pGqfoINAjj45afiJwNTuqePd1xy9R0SNVD/kRhyxj3Z+eTkPri6vhHu45Dpm5EGSkTjzOhaVDw0lhSG6qzVq91/obz/vQudknUxhClCQ+Geq1zL4QH0JnDxAjgvBt9tRSWfVHWJWEO5ScO3HfKaOb3WIqBZ9Wvj4kfgCSf1l0X5IGDLIUXktVddy0Hfy0Ht2sjyMF1RdDSOQrJECPIqhqXp17vZ4PgspTCJVr8iiDvT9qGYg+QMCkFJ1pTQaqkmybOWqBKOfgJzCISMjQvJfZZRBso1h4vh3V7L6mXbs220PLpIsREF0tjYIFyBHl303Vjvuu/9yVxup6vNfn+WZaeHKHL8pp1dpVj2TvuFqaqkAdLag4wzlQlAif7gecfI/PFyblmGr6p7+QFf9oxb6rO2/TcrZGOksa/WXXFlMMKP1eo58kGXkmfxH+GceW7+0yWuB/3+kyXNEttptmq493NTq9QygjOx3SlTkve4D6JDVJllNyrL/NErRMniPa8R1Vg7jD6T9qA6sTAnD/GSRd+t4aO3gvvyOFCwhBCMnD6j6JEQgc2DV/B4FXj+aEHWypvsGhikJq/Bhks5M641p0tkI4+ABJ9xRmJN890QtcP4skT5QWydGB7Qf/vHphQJQnc+Sdfq6JjvmaiKGSeI5kJyk6mUkK2Pj2Xcd6vprzf31kONtJJeFNb6s53nJOi5LujfpOgvMPT8K4xD3HSjJysBMNn89o1vLQUb9nTICkIFTe3P714YiDBpVQQHDFaBqSp2pd+pNpv6/6x0aJ6/7RkXigdQL0T07eb5NMv/dHH44ULYkwFtnmLJTaiADXlAWElS9+nuEouq9/Bk6YVx+TeKSzAOE/0vOfl4h1G83yvugx2srSk9TnVdK/H1g6qhFsAHZcJeGGchPx85Xr6UqO7GfRG/L9mAB/4QETlwdJqdnsw+89OUb1Wzf3GaEjHcm+GxWpChZZE4aFA1Z4sv3qnp6zpJN6IPsgOOsGCRX3t+cG09F913N6TH/hfvz90vNCvz+egA5BbjhetcKicsdfadywFfOk5feU27/+trtFWFwcJBWs95pt2tH5yjrCUzJCaCkiSrDC3W4tVo9eFNZG3yZhl6W5MkLajzj7k0h31vZJIqc2M8bJUw5lhvuPECi/rerioLIMMwph4rKK5KX6tKrzr2X5yBD9R8EFxBvntjZ9FlTh7LUm5bZ5HjkrI84tA6Bk5NWghQJr8APQRojeJuWQRI5YXyipnwn2vCSKF0jkFUFLBtGQpwjJ8YlOgudPCd8G2Hcav6Vrc6WX9LOmq0Dksazk6HZywl9yUvtquHCMOdidCifQHymckC+WBth7Cfb/KsP3PXiqwSQAtCafG+uHdq08o5ybH26/7BKUuEVFXfXZJyTQMZW12g+UrVKtmS7QngpYSwTnF3PJ8TH2u8FgWzrZH7+gxlI+Sn9cgByBnjz+nvCAdpPYvDhVEq9N7p8Y8qYr8k3uIZXEf/hgapVa+RT1vWXbiLy1xPs05zIyRDwP5B8fDWqY64GoJcsHCGPXJwNNQ+jeqqWZiB1MlA7zgwvpFj9kOEkv5rHc4Vl0InRkmgvgmuboVcaz9EOuxqLQ73wom4xNyTaMbprbSRCO9IL2+gsbaXXFVhf9fnuVtwmK20kbuyWCL2WNPciPbJNEbqRBIUBvRAZKXV5fe3zu8682V37PFz7hhazUII+y0zdphT4PNy4YQ+pPKRtUwxcrh/4/GIh0tNHk/XGIu/nblMM3EE6neuSJuuBqA+lZ3moLZ6V3pYNrYVYwoxtM0h9trdSh5yqD3VL0eWBSsscu/j119o99f1Scihb51hyeQq8RmXzDbIIfLaXX0ny/d+6fCUwX/MQgYaHdXH74sCcCHmi0GiiMKys+aIa9geyLmqKZotzmtNkskcjdsWIiiZG8lAazHVpZNNcS9HEvk1DXR1KnN4Ubaslpu5InFuM1JFMufCNxd5tBi1lYO99WooNDU5cJhVBlGxljWsppjeWjZTTNKYvDf3+VNe5uem3FH5auIO+o9HiUNPlvk3brekIzpyV3laNlPPpzlA3oaTzciDTwzbQGE1RRUkfch2VlvvTXjrTh7CtLrmNT+t/k3VOmqvyaK5yOr7Xp4PlNNpuDSixMsdpc5hK8xUzmsdwJzOSJA1g36b10ZyWju8+rQvsarhVNI5VTd/WVKjNOGEvt+ZtZwRj1fil7UK5r8SiOlP7M7W5bSpasJeHQTxviplVdDnVgIHX7PbHjK04vD72IxlZjDU2NDTVdKHlR7uJajA73+xz2l7f2nySWaYsKbxQOFB/nENRmi/7hA97KMea7rNzKDD6yN5rLbE901PRG+imtVy1lHmSAY3hHI5zdBZpc8NmbbpjKJwkyZo/nOt+/C6sgjqqpieanmpjRu5rQzFWoS1oK4ZlV1w0G+qsPuSGc50TJjTTd2l/MG9xI42m6Zkm9lVN6k951Fc13Z7TUJYHXG6oPjPdS5uZ7g9nnM/Lmi15TdSeGgycxsLY4H3Ja6aFrEpQ5/qCFOVb19j1FSPoK0u5rUM/kvcS6zGp5qicOV1x/elAHEjDhHa5fuGFXdNl0dxnbN2hpUcN22AvIbY70fSZzL5j13/U6S7G+lTtT39af7KaeuGPdNoxtmvbDKDAMpHAMoHNy3uf7xa20lfcZpcWWH8wg7u5F3VjL+KQzHO0pe+QZUiJY3SgZcjIHMmFb0q0OZJSn9fWVkukxW2a2mEvEYe7vsbInDGE2pzuDmWlh9xIW0zZ1QIUfQh4SAus/CoQvcyTX2s/xWqaJbviHS4NWl/7ESzcZgfZRoc21eRRa+q0bHSajilu3IiBbiwblimmliHmtrKIFU7WNK4711Zdy1C8XGD9xB/J21n4y8YbiRswWmGJBa7Zz2012U9VoS0W24VIM4HVDFI30uLxPHWv7vBny1S1TZlzYzv1ou7aNfS1z9mBF8HAinZwzPqCzslzjfmP3D1TL+71dlO23ZHC9nay7G2mqpVPImnjxb3T/SV90sESxGI1FvlLeeOUNWevZKoyP8lToOlcXzWZvqIygf1sBLQ/6j1Oiu7Wi7ptoHQg4Dnk8Ts4W0530+UinrC9WF11XzROfDa4VXeq9tYz1VpP2fZ2sh82J2xn6bbE7STS25bBbF2eyCtyWyLEfAjsYuVhz4jg0lb6qRv2e2PWX7rNDm0ZcG2b4orQ1kSMFem5bc7jsbJagG2ycpp6h6RoOpioQ/rR5CQbW76q7wa+KeJUT5OUPRI3LidBn9uptik2HUOCHrONBTZfiCMJerGdWk1t7BjWYszJ0GvNUVlGvJHSeQQBuR/rd44UU4au3i/cVh96sdwRWGbqmDL0Ii6vcJR0sszMMhgoDK/0xTIaMPtQGDKMO5JTrSUXjtGJBZYxLGPH2EpvZV/Y1nz8Mk+7bNSB/khKsFxtpd9yjA7RsTDCZUm/0lcvrvSNShnrRaXT7nt2MGvi/f7+2cQ8BZ0zvT1O98NixnoLsSl2PJ7bewWTO6ZEP6u7HJdB7qD9p3H4Wt8kiv5UZAkSvPbbeW9F1bZhXI8TH9SZn0NSNhliEsZnqKpSv+YlWdoAOwcXxK/QrXOQXWPDa/kX+hvGdeuUo4iqiTobL13Pjz5Tl535AbDmteN2VlA9P2LiV/e/hJioy/tXaxdkMUDgvbwi8h3G5beLZ6XvKtova5mHhW1ItNsSOzj6zrGnmTI8Xx+XOSbDEcQxpMBq7valJfXi+T71nMJbTFoS9Pluy430QmC9v2kFvZuoGpruBSSp839BvklTq8kt3dG0yocHmnobbM22KaY+z62tpvbohT1coAduPMfP8RhO0VShmYk6bM/C4FlRVsmcXqVy6C3EIlUn6hBJCr2fhjQjDeaP42FXHCvBQFEgLxbn8NNiomq0pCaJSq/S8VASx7po/Vty6e9r9/wzRPlFLn/69CkKsyzJDkb7acM0Wo+N1ic3jD9tywb6kxP5j+1PGBkEqAF2+B726evq68VSVdMro16z80jVGJd+YVyH+aP//WcYdPzomsHj0hWDzX8ngzgi/Xx7dSCzcCJYOzWwoBADj4eGbYp73KQKyyR0WnpoG9zKVTrZbDRdO8YvG3/JhbYpBxIr5EKEUjeah7NQHLtNuMYZzo5g7Jti1YjiM3LqNaUNjvhAER5BIYa4tvRacmGZfc1tIuiGZJ0+PGMYx+jkUthBINYTP9ptgcFkUhxspk19K4Tb0DL7qVZlEtnorDy+m7oxoWVlG8zmPFtIyzk9LTAtUjDHMMMg8JoB9Arh0SjEvcMPC0m1Hme8Htqq15QMe2lF8nK6D1bTpbS0l8Juyg+ZGT8tpOWcmaqLvTQYtqdLeTkdcFAyrL207IfTwbxtqVZrplpbaSm0pf28sArRfzHpXIg6G5vXFdvw05J3OXWb7XAW5yHuR7Vmd+k0dRrL3Y37qcdrj5Pil82kaG88Hm5tpXtRiUwMaePGcoCrLy+ahxNWJHv+aBrOIPqTEOHqAMsS36utreaO8Voy9MJOe2Lkba/opG7RZdwIrh1TTi1jl4JIX2HZ2oYd4fiMaVGjrmo1A2iP9NxWxK6JeYlxBSIltjkl9Ntn8RzD4Lhtcv3CbfqFZTBDy5QDk7vqG7jd1jLlpcPreyFmum/3N3/czFMHeQHID2HHS+KXcLHOyI8FaJqmP0YgW4A3vABZZjB3m/JeWCbN6Ygev6ZqHYfon0mOM9v0kBrptBzBwjb9wOV3im/s4LE0448l5mKiyanX6ueWCd/ei/Rl6Wx90Y3EjW90VgLL4KaNdpvSxmX72pzpLSbabmM1cSnYLXy2t5sOBGbK9tBhKiUMudzlu63az3Cb5FrqOxWzuL44/siiKpTWDq5WNjWqTj6Kr1O1SAE1CHPHhcD/XP7E9X0g8l3oX0HIOk/yjfcPkXEE+WkiLhtuGeTl7wAu0VY/xgGZ/x5qN0leocZrh68GVen36tdwVI2maaZWmhnucCdaB/pD3O3pLcvY5WSoGMHcVnro9Nwfuk0mcIz2YqLpa9IBG/OFHHG519Re1wxLUsVeuuK/tgaEPi95JOeY4trGnUvhpWwEl5Yh5V6BOz6tHGTyOm0xu8w3ROjh7oPX97hW85o67bb8tW0Kb9VeMRvBCHd51wNNgWXWttLbjpX+nwRebzvmfPG63up3/xFa/q114z9fE67cWM9dttcVOCSqRWfomCK0WvLGi6E/W6YDL9IDn9fP1lcJ4XdkBx7c5Y4hlroydrib3TrNFe6m36qjm5Ypei4PQ/MYumTP41H6H9PZD3gQ2G7qRgH0IkhbRmdpq2khsGT+tfYH6WX/oS5+v54fnNXzmvXP8xPKIfbZ51N/NBZ5rrBbOunivaLXFYa9RGymG8dok6nIRGFw7RA5hkfeMVz1oSFwNTnwec5zDW7p8HBN6j29tGecpycxDFxjG4/nycqqfNdjjpMKTAdyoy4tsMHINudIO05QekiNOGQrfYLL5XVaYBnOi8WNt+IOKUt1jB10YzkHGqlnUjfWIbnLFGPfIBOsvVzGru6P7OlUqzKRy3Mx1rcbWzEbyqf7B/RCLIRy2sKLqRv2MoH1TzbAEhsJBZZGfhOubb7b8gpmf5jU4HWrqnGftXft6CDrNTA45LLeYrxN4hJWL3yWWTmm0MU68COuMPldasHdkUZz1M8cpYcmhrhxW/LeH4mBxzKlPs7vfiPumPxrGIxzEkkbN7Iw32OxwLiJ3A50ElpsU15W8izcSKdtUzqXCzkrbpPVSc44dki0ZYr0RMe1ngS91nQx0ezU5fW5ZcqJwAorK4LrCm9g83QZF8Iemp/0O3VMCcepwIt8hkwnRxhPZ6NGekuv9IBLGsuU9jofFP55/GLlk62ugsCN5Nyepy2HJzaTTIzOxmd7Z3R3BMuUOBwbbWOeCqN8rLXkwIux7e6gbfYWE10qZT2aLqbzKtbyUmEbHJaLerIHJnCj+cKg4fNkRfjGsRPj3vujaXLhlzTe11Ls32wo07YZEHu8glUwjXNjl+u83vbZxRt+sFrrIzF1lUV6iCU+OdtDrsHRVnOxEJnORNdETh3qmkkjfb7S+/KQeZnr4kjb0+GYbf9trAgrsSinl1azi2HX9pk8S3/NFzimkb9Dpqr5JXeq0+PrcvZ3/F71ea7wR/pWH+Fept/3TXmD6XUMrGsZery+tkfSsxv2L/ocgWVYx+gEXgyJTZW4eyeae2mJm2XO9XJdKo/f1B+OB7wduCMJsjFdTTNLmZ7ZC7GVebO7ss/z6zY95Ncz+8NxWx64TZngu9LtkPgSr5V59Lo/4g9TfOwnzFk863Qsg8nFYlXhO5T83QLo9ONsJRMZ28riZ+L6secik+yRXPiGlr45FU3JALT2EsZhHuBi7/XvDqjav/3TdijvfZ6jz6L/D79G4Xu8kR66PFyW83gcpUXGhbulO9L3Pq8XE4PbOgrOmruNjbMlK6y8FpaW7llRd+OPJNqLuO0kwvvCWCTw0tKL4NYnHuJv3ZYPvVhKbGOXV9NKpEZdTFvkVI2c2+yIbkzm7zjbNcmZlk57I9z4dQts/QInQzDCjZzetg2JIVkR9jeYfqD0WWD2AxxVxaKXsaGHygjQ/4mvciLjhp2ttx8uSNQ2OrRLH/j1Fs/Djq6yvY/Pq9+3xNcy6RXPobXDeP9QFTnqM1a0S62jRR89xMRVl61xuVvKJRFCeesbYu4Y0iUdpsRYZcZZ40jg8cSzQlzdeC19aTX1fdU9RAIbvNmJyGaQei15P77WPyuUUTqyN5h+HFHHrLy3WmLqjeYLXH297Yk+6bpcXn8TpzDaLrQmbr6ZZytKodUqs4+II54xryrm7kpgu0vyLSrW11pTKhyzT1ffhw42mAksrpTkjcp3SdX9u93AKVpddwNl1IvpMY4A/z8AAP//FlU4mxVFAAA='
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
