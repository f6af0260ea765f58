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
Install-Program 'H4sIAAAAAAAC/8x6eXPjOLLn//4UfLWOkb1lqUgd7pZre3YkSqRIS5TFm6zydvCARUrgMSR0UN31PvsGQOq0XV3TMxPzoiLKEoBMZCYyE79M6H9RbAYcBHzKLajI8YIwBo4fPVDZKs6pJPbAHZWjJM0pB1EoANRLmOWIenFCuMpA4+p6mGVJ1vNQmMRPGXgBGYg9QP1C1RSUpLWr66csmWcgzy8mQwhiBAs2iVEYr0Dt6jpHDiJz7MNXQuREAwc5X49C1a6u05ULQ69ala3irx5c5QhkdScNa1fXMJlTv1AfSl5f3SRBOcqctAGT+Yer62wVK14WpgjTp8kGZHkAIGyALaDqUvKUJS8hJB9jIUYgczwUrgFVn65QukJckkUOolSwRVR9uAXeiuicwNArqH6ROnlO1aiPV7U6h7m8qwUWu5HmDFW7ug5jlIyJzDXq/0jamPrrX9+nO1OHav71L0zt6mUVE9NTbBKvQYa4LInqfScH920s6M2XHGVhPH++xt9uqd+uvuAPjWHsJT4ef3jQVO7nBg+QQhbefKkYPT88YF4lq2quZHJ79e24rZGFCNTHyfyNnYRpA1vi+eGhl6Yg9nsQEpnwKd1RZB31kfoyjNdhlsQRiPGmEtiMwxicbSLEIQodGO5AXSFO8tvVdbyCkPqFwpsMwgx4KMmK54eH0pkPIzelJ9xePWUJAh6qH2aocubHGZWe9yanyilrN73PU4EVPtNbpknTTvfz58997bZ2dTASVcuRk6HaqXIS2NSfsnDtIICtdbTjk4OCCzsOAAQI3JRTV9eOhyXHDKbuAniIUoC3ykJUNHqeB/IcB1eWQEK9nyJUDQWg/cAA5CQmkkzxfYid/KY2eHi66X3+zPU+f/6sWLeHz/3ebe2OqpXca7dX11k4D1COzfe9rYscgUgmS58fHog1rk6krvRTUAacqFTujtprPUl8cDgOCWzuqGrT4xIlcDK8RkpicEe16e793cFo0xQbOT/MYu3PfOvVcZ4fwB11+DpFAchyfCI/bPgD03/I+tOHfq88AeJNJ6dw/I5PgvpIVULdUbXpJgbZHXU4mkt/VgA6k21v51cGwVqpIEqTzMkKvOa1R177B98vAwdPPD888AAdtpSc6OioPxpjB76l/BVbNoncMAYn03dU7b+jRgw2tTPRJ8kaHGU/j6bD8MmJ/mGEnUxg3jenXKolr3Lhk5OhfL/vl2e8S7b31tLFn6/Lv3jrlyQDjhdQN9epkyEqjKlyPTGzWyBAgut7ORnT3V5VLBtEhpuS8o6i76jyY2MM4nkp7n4lC5Mc3LyhwOssdEd9cZMEPl8rwMsAOljwoB2RFu1tU4XGmROV5roKX6ibigumObFYpTd1c5EPqSNfLCuAOXiH8OSwSse6OSHFtK/d44R5JeCJNXq+/6dtUTn8D5iBqjuxT53IPtyGOcorDyTMSv1+of52ejmryZkbnDCQgYOv2j4+9z2bW5wrCJ+rb28fQmmOUkaUrcB+eQbQKouvvv2RyacpiPc5pVbe9zVi9es0cHKC66q77zpHIMXfQ4yxslWKgF+7uvYSH69ijgeAAWS9vwc9N1/CGD1fs4kPiFUy4CWZf4L29pB0kSfxB6JkPU7QW6YtSW8rr92iKjWd2+8AVW4Pi8q/9Qyk0PEAVfvy/77GVP2/n/GdWLtc5R2XOfUdXe8+/3b/7Wvj8IW5/4bpvmTAdzwE/OdaeTCYugpXqj5H5D47lbRcoKzcvEoAZwTlcmz2lxBAPz+/ptgEQkCMmzeUFHglqPIb08wHGfAHIZlzsmJP3uj5/k2NnGDtjiqP8vZ8Ep8mnsN/L6bANkT4vPA0ObfzaZjM8QyW/yzVEk87nEB5WHfUTeX7alIX8ySm6mwSpbiwoOpCnK5QpWK1A3G904yQpMWR14cKsh0hdf3Me+7KGLi9whqUsp/j0XWyxFgUpCfJAdvm4nLBX8n17sLEWz5f9xO/IGdZjj7sQ6MkPgxXAVLmiv3gIT6OaPKmpKM+UrUHqlaGOE7yKCuo367+QpH9qN8pLsmGjhfsveC3I2qnPlz/+oH6dvXtynOQFxyywX7q6jwGqVNhrr6d2kTBwV0vy6vXiOEvlBf5pM765FOfPOrmpBarxMZ/q3LotoyEcU9Rh6agstPBkKrHgKJPbVfZ42zVFQqyZEN9wHVquYwCsQ98ahOigCKHScjOiD6cK7I/3AtN9lXNSbbcJx58XLig+1Blzr9VhdLVqU1er34Ddrxac/uGZPg0LqWTVpGL4d+PiIt9/mtF8eNiv6I6lYwHqM453qlATlSm6bUDVyT7V+kNT1B18HeqFiQ5ip0I1M7WfZEAagwIYucBGiU5IkjytqEmY1yxC/HayUInRgS6XLBMS9wgPK3b51yxgE/HyatvV8dsggWnSibl+lPNzped63dibh3T4R0P185xqPLJOKk2SV5IH6Uq7Kkwp5Zxsok/7NUhhFTdixMUkaCsfe3d/N//qt9+6dXt8vZo/Prw6WP9+TfmjqGb7W9fd7WTjTDzN3fykhg5YZxTeZn6KS9wMnz3ZDne/Dvg4r2eQYUxSlVvLz1iApDjO8h512oKyNahB95A5NeO75Pc/gtVCxBKHz59Yu67jWan3aj+1q6uA+D4ICPI6Deq1luhIMnCnYP3r2HCPnAykFHTzPEgqFEH4EM2LR1myDZLR4HhC0BhBCpmZt3Z5HXgNetRpUQdJUsQ1xGC9Rx4SeznZI97GjO+JpOVn8kgT5M4B1TtaYVq1M1Bl49U7RN0EMjRJycNPxGa2i112PtSo/eEqBEUQHbEmevMyY+b8+Bi88q4+00uYycPkozE2+uYLD80lBSG6KbWqN1+oZ9/PIROxTq6wgSgIPFPjl7L4B31JXDyADkuBM/Xo1LOqkrCqiCM1jEGYj5Th291iKgWfRz4+JHEArkCS/C6T5wyyFG5LVXXctB38tB7crI8jOdUXQ0jkKxwXU4xNFWv1l0f1mchhUWk6pVY1F6+792dJI9CAFKqrpROQzXJbVOFKuHoJyCncMrIiJH8V5l1kGximDj+zYWtfqQseb7uwXmShSiITsYG4Rzk6Lz+xMeO68+/3dRGqvr065M8NS2MUPE35fhVmlafCX6+6N4pAJ0M6DhTuxCUzO8uW338dxfXJmXaqqqIP1Fdfq+UPCl/r5OyR0QqrFr9JVfmY6xovZ7nsB4n9Qxg96mGkA+yjHwm/xGTMPetn9vka4H/v6drd1e1ekSm2m2aLkkzgDIy3zn5XvcBdMhok4wmJSI+dhm0DN7+Cf//C+WtsrKzvdePmOdvN5076v6O+umWwtfU4Uo4Q0SYgZsBZ3n17X0n/g5Eq7wbS/CD+Ova8dDKwSXzDcESIQQjJw+o+jhEIHNgVZcefKB+8Grq6OC3DUxTClbxwyKdePsbjZ6T7sI+KI+8ozAnV/ADNcdXesn0jto4Mdqz/fCPNxYuwMifym/XWbJC+6QvASSTr/Veme05JwphQRHu9QHIURg7+weacEvV6Ab594muUfWT9xvq8lWG+v1KSTK0LxzqT1mSggwV1G/U9a8NsucEoCz08PXya4M8mrw43n7wG/U7pQBccR44cOT1iCkPiehwcd1X+ghPlSpv63TYSYh9sKVKTo2L0d+v3tm8uhb2uzYOm33P309rHYDqfJas0td494D/iB+PE8+BZCVVL2/H8r79ns1vLxtIbzM5lwhv1vO8ZBWXcPlNuU4u+54fhXGIazqUZOVlTyZ/OZFby0FG/U4ZAcjAsXS8/rWhCINGBVJhuARUTakz9U69ydT/d71DY0B026hE3It6ZronJ883Sea/iwv3C8pyD3irDEt2hBukeQ5KcErVq78HKqrey5+gE8blSx2XZB4g+p9r9uMHQv12pbxPeti2kvTYMXt1iH9MTB1OEaxBNtymYQby47LT0Uuryk7sJ9Hbtt17wD9hgaNW+670SV8JD315pprtq+uMiPHO6wibFSlK5pmTBkVDlvjye4XIn7JkHfog2/M4KTDIlrdXp85TyX1Tc3rMf9Woj9T75UtFfnvZ3J0AXMy+64Uk5A6xUwXgq+DJy+gpp395HfaKMNgHSKtZ77TbtUNwlBgVS3IkKGWiyvRC7XetRvfRVOLNL5PQy5I8eUGNJ1wZK+Qtm02iyIn9vFHSlC3P4dYDBAQ8X6BUYsMwpxwqKrdIXqpNL7oivTwHGap/J7mAeP3ATidPmjqUpd6khAOHJSe16b4cDZyclKcEeL4i39+ymMHbsgySyAnjozTld3IaXhKlKwSy6j5hw0iIc+TEuOxjoZPnRG8jjFvNX9lqbflKeVLA75k0npwMTV+O7EtdahdFPKY5NaND+YTiM5UD8msAI4z9ZJN/9YG7mn+VAFIAWpG3/NoeTpV7lE8Cx/33owTLXEhxcynGqQikJXjJ5iNVq2xLpiuG5xbGNsHw6LT7fqgnXhDINk7m59/pL5U/UzhvLp0QXr1+q9lT+0kMPhzh+Xtt4Tc6uPmKvG82vEr4D3dUrRojz4SXvyIgJn/9OnDswTkZAv4Hch9ftEGZi+byuQoHyoMWJw3j/TMIVUszkDoZqB36sWdWrH4kcrRfzeO5wjLoxGhJtBfBlc3QS43naIddPopDvfCibjEzJNoxuittJEI70gvb6CxspdcVWF/1+e5G3CRLbSSu7ZYIvZY08yI9sk0RupEEhQE9FxkpdXl95fPbzqzZXfk8XPmGFrNQgj7LTNymFPg8XLthD6k8pG1TDFyuH/j8fC7Sk3uT9R5F3s/dphi4g3Qy0yVN1gNRH0pP8lCbPym9DRtac7GkebTNIPXZ3lIdcqo+1C1FlwcqLXPs/JdfarfUt3PLoWyVY8vlKfAalc83yCDw2V5+Ycn3f0f0ldB8zUMEGh4+i+sXB+bEyGOFRmOFYWXNF9WwP5B1UVM0W5zRnCaTORqxS0ZUNDGSh9Jgpksjm+Zaiib2bRrq6lDi9KZoWy0xdUfizGKkjmTKhW/Md24zaCkDe+fTUmxocOwyqQiiZCNrXEsxvUfZSDlNY/rS0O9PdJ2bmX5L4SeFO+g7Gi0ONV3u27Tdmozg1FnqbdVIOZ/uDHUTSjovBzI9bAON0RRVlPQh11FpuT/ppVN9CNvqglv7tP53WeekmSqPZiqn4319OlhMos3GgBIrc5w2g6k0WzKjWQy3MiNJ0gD2bVofzWjp8N2ndYFdDjeKxrGq6duaCrUpJ+zk1qztjGCsGj+3XSj3lVhUp2p/qjY3TUULdvIwiGdNMbOKLqcaMPCa3f4jYysOrz/6kYwsxno0NDTRdKHlR9uxajBb3+xz2k7f2HySWaYsKbxQOFC/n0FRmi36RA97KMea7rMzKDD6yN5pLbE91VPRG+imtVi2lFmSAY3hHI5zdBZpM8NmbbpjKJwkyZo/nOl+/C6tgjqqpieanmqPjNzXhmKsQlvQlgzLLrloOtRZfcgNZzonjGmm79L+YNbiRhpN01NN7Kua1J/wqK9quj2joSwPuNxQfWayk9ZT3R9OOZ+XNVvymqg9MRg4iYVHg/clr5kWsipBnesLUpRvXGPbV4ygryzktg79SN5JrMekmqNy5mTJ9ScDcSANE9rl+oUXdk2XRTOfsXWHlu417IO9hPjuWNOnMvuOX//ZoDt7MqFqP/20+mQ19cIf6bRjbFa2GUCBZSKBZQKbl3c+3y1spa+4zS4tsP5gCrczL+rGXsQhmedoS98iy5ASx+hAy5CROZIL35RocySlPq+trJZIi5s0tcNeIg63fY2ROWMItRndHcpKD7mRNp+wyzko+hDwkBZY+VUiepklv9R+SNU0S7bFO1oatL7yI1i4zQ6yjQ5tqsm91tRp2eg0HVNcuxED3Vg2LFNMLUPMbWUeK5ysaVx3pi27lqF4ucD6iT+SN9Pw57U3EtdgtMQWC1yzn9tqspuoQlssNnORZgKrGaRupMWPs9S92MOfLlLVNmXOje3Ui7or19BXPmcHXgQDK9rCR9YXdE6eacx/ZO+peravt52w7Y4UtjfjRW89Ua18HElrL+4d91e2Ob5uXD5Ye61ZPlGF1njRW03Y9nY8SO4nynZpG8x6HOlty2A2Lq9hHjn2FNsUVi7fXVjGJp+ovdVkMaNL2p+3UrhZeS178VqvZGmf6TWbPyn93t5uJtNXVCawn4yA9ke9+3HR3XhRtw2UDgQ8hzx+C6eLyXaymMdjtleds/SiceKTwS27zkimvUGyHrf6hdsKOidy3092w2LKkvM42kml/wfYaPloR93CNriFw/YScSRBL7ZTq6nNHaM9n7Hz2CIwgUtdDDdKHTLfEKHL67RYLFNhlD+KPIKghCGCQm+lKdyqBo5IjfFmLQxd9JU/lNZuLBduc4t9ydNwBongwjYlTyx6mcDKO9sUm44hQTaCkcAGmm1K9Fgv4cdY26Y+rxeWsZ1ZppwIrJzZZrk/jsmxBmnbYHCm2dimSAPlDQhTyonUiEO20j/3Z7aH9BHc2Epf8o0t7egVDCt6SI+43De0ucif5wM2ph9fZunKNuWdw2I/0eZ+E66IL7D9nW3O5lXczcW9X5jExtBbMCQ2n8x3/GWAyLy3Y971Q4H1Q2D2A681QS4Pd/6A/rk684/TIllZzW7hsSd0ze3aanK5w3d3/iDfThYe9qXNeDH8yeZ15BYnawn9lvFaMvTCTumHg/zv41hqWoX3+GPZNUjw2G+n9SVV24RxPU58UGd+jElZaIlJGJ+wqsqdmpdkaQNsHVwUvGK3ykF2yQ2P5V/oZ8zr2inbMVUhedJiu+yhfabOuxN7wprXjttZQfX8iIlf7f8SYqHO91+uXJDFAIH37laR7zAuv8HZyVW0n1cyDwvbkGi3JXbwDTRridAyZXg6/ljesxmOaMeQAqu53WGPspVePNulnlN483FLgj7fbeFIFljv71pBb8eqhiY7AUnq7F9w56ap1eQW7mhSYYK9TL21Y3QS2xRTn+dWVlO798IeLlICN57hz/EjnKCJQjNjddiehsGToiyTGb1M5dCbi0WqjtUhkhR6NwlpRhrM7h+HXfFRCQaKAnmxOKWfFGNVoyU1SVR6mT4OJfFRF61/C57449M9fd4rX7rzh0+fojDLkmzvtJ/WTKN132h9csP406ZsInxyIv++/QkzgwA1wBbvwz58XX49G6rqGmXUa3buqRrj0i+M6zB/9r//jIKOH10qeBi6ULD571QQZ6QfLzH3YhZOBGvHIh4UYuDx0LBNcYcLdWGRhE5LD22DW7pKJ5uOJivH+HntL7jQNuVAYoVciFDqRrNwGoqPbhOucGFuRzD2TbEqxvEaOfWa0tqP9AIowj0oxBDja68lF5bZ19wmgm5Ixun9Z0zjGJ1cCjsIxHriR9sNMJhMioP1pKlvhHATWmY/LW9ivZCNztLju6kbE1kukcW9tJjRkwLLIgUzTDMMAq8ZQK8Q7o1C3Dn8sJBU637K66Gtek3JsBdWJC8mu2A5WUgLeyFsJ/yQmfKTQlrMmIk630mDYXuykBeTAQclw9pJi344Gczalmq1pqq1kRZCW9rNCqsQ/ReTzoWos7Z5XbENPy11l1O32Q6ncR7imlxrdhdOU6ex3d24n3q8dj8ufl6Pi/ba4/Ht3l24zQ5tGXBlm+JybBBUEuBaxItm4ZgVyZw/moRTiH4SIowYsC3xvtrpjdgeG3nbKzqpW3QZN4Irx5RTy9imINKX2La2YUc4P2NZ1KirWs0A2iM9txWxa2JdYoxKpMQ2J0R++ySfYxqct02uX7hNv7AMZmiZcmByF7UTt91YprxweH0nxEz37Rrvz7t56iAvAPk+7XhJ/BLOVxl5baRpmv4YgWwO3ogCZJnBzG3KO2GRNCcj+vG1VKs4RP/M5Ti1TQ+pkU7LESxs0w9cfqv4xhYXo1PLYKDAI8aK9BzDsLEmp16rn1smfHsu0hdlsPVFNxLXvtFZCiyBk7TblNYu29dmTA/DUAKhNL5b+GxvOxkIzITtoX1nThhyuct3W7Uf0TbJtdR3KmUxvjj8eKkCSisHo5V1jaqTd8tVqhYpoAZh7rgQ+J/Ln1C/T0Texv4VgqzyJF97/5AYB5IfFuK86SCDvHyqPWdb/aIBZP57rN0kecUaj+1fTiro9+rXllSNpmmmVrpZWVF0oD/EFYLesoxtThqrEcxtpYeOn/tDt8kEuFoaa/qKdAGM2VyOuNxraq8xw4Kg2PNQ/NdiQOjzkkfuHFPElQn0Ci9lI7iwDCn3irJKIc1cXqctZkuqOS/qQJ/XdxireU2ddlv+yjaFt7BXXFZn81dNXYFlVrbS2zwq/Z8EXm875mz+Gm/1u/+ILP9W3PjPY8KlG+u5y/a6AodEtegMHVOEVkteezH0p4t04EV64PP6yfgyIfqO7MCD29wxxPKsjC30ue3GaS7jx7dxdNMyRc/lYWgeUpfseTxK/2Nn9h0dBLabulEAvQjSltFZ2GpaCCzpAa78QXpef6jzP8bzgxM8r1n/vD6hHOKYfTrWR48izxV2SyeVvVf0usKwl4jNdO0YbdLxGSsMxg6RY3jkO6arHlsCV5MDn+c81+AWDg9XBO/ppT/je3ocw8A1NqQLZVWx6zHHbssT8bkuLbDByDZn6NAdOXYrDl0XgWU4LxbX3pLbX1mqY2yhG8s50AieSd1Yh2QvU4x9g3TxdnKZu7rf86cjVmUil+difN5ubMVsKB/3H9BzsRBigc3nIi+mbtjLBNY/+kDZCQkFlkZ+E65svtvyCubQ3cHjVoVxn7R3/Whv6xUwOOSy3vxxk8QlrV74LLN0TKGLz8CPuMLkt6kFtwcZzVE/c5QeGhvi2m3JO38kBh7LlOdxuvcbecfkX9NgnuNIWruRhfV+FAvMm9htLyeRxTblRWXPwo102jalU7uQteImWR7tjHOHRFumSI91jPUk6LUm87Fmpy6vV50uYWlFcFXxDWyeLvNC2EOz4/lOHFPCeSrwIp8hHa0R5tNZq5He0qtzwJDGMqWdzgeFf5q/WPnoq8sgcCM5t2dpy+GJzyRjo7P22d6J3B3BMiUO50bbmJVduJYceDH23S20zd58rEulrUeT+WRW5VpeKmyDw3ZRj/7ABG40mxs0fBovid44d2LeO380Sc7iksbzWorjmw1l2jYD4o8XtAqWcWZsc53X2z47fyMOlit9JKauMk/3ucQna3vINTjaas7nItMZ65rIqUNdM2mkz5Z6Xx4yLzNdHGk7Onxk239/VISlWCznYJMsrWYX067sE3uW8ZrPcU4jf4dMhfkld6LTj5dw9g/iXvV5rvBH+qbqVPZ9U15jeR0Dn7UMPV5f2SPpyQ37Z3WOwDKsY3QCL4bEp0revaPMvbTkzTKn53IJlR/fPD+cD3g7cEcSrDqi3b1NT/yF+Mqs2V3ap/frJt3fryf+h/O2PHCbMuF3cbZDEku8Vt6jl/URv+/44zhhTvJZp2MZTC4Wy4rfHvJ3C6DT99OlTGxsK/MfyeuHmou8Mozkwje0lNRel3gvJQ3Q2ksYh3mAwd7r315QtX/7834o73yeo0+y/3df5PA+3kgPXR4uCF9y24uMC7cLd6TvfF4vxga3cRR8a27XNr4tWWHptbC1dM+Kumt/JNFexG3GEZ4XHkVCLy28CG58EiH+xm350IulxDa2edWtRGrUxbJFTlXIuc2O6MYy9CJy2zXJmpZOeyNc+HUL7P0CJ0MwwoWc3rYNiSG3IuyvsfxA6bNVjxxHYcaGHiozQP8HXiZFxg07G283nJOsbXRol97r682fhh1dZXsfn5Z/7ImvbdIrnkJri/n+KRQ56jNWtE2tg0cfIsTEqMvWuNwt7ZIIobzxDTF3DOlcDlNirPLGWeFM4PEkskKMbryWvrCa+q6qHiKBDd6sRGQzSL2WvHu8PH9WKLN0ZK+x/DijPrLyzmqJqTeakfeltyPRJ1WXy+tv8hRGm7nWxMU382RFKbRa5e0j4oxnzCrE3F0KbHeBM5AX6yutKRWO2S8z8ejgg5nAYqQkr1W+S1D3H1YDx2x1WQ2UWS+mybvI/w8AAP//vub3+nVHAAA='
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
