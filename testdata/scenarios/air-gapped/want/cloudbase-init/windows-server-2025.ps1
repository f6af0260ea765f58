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
Install-Program 'H4sIAAAAAAAC/7x6e5eiSrbn/34KpiZXmzkntUHT7DLPVK9WFJRUTEEeUlXTCyIiBQ0eF4JUPF33s8+KAF/5qK7uO3PXWatSiNg79v7FfnP+JyemyCUIcl7BhS7wgwi5MHzg0jzKuDgC6JbLSJxknEs44iPuOUgzwj27Ac5T1KxdDdM0TnuABHH0lKJnlKIIIO4LV9dJnNRrV09pvEpRlr1aDDCKCC7EOCJBlKN67SojLmFr4sM3RuSGA5e4305C1WtXSe7hAFS70jz6BnCeEZQ23CSo165wvOK+cJ9KXt+8OCYZSd2kiePVp9pVmkc6SIOEUPok3qI08xHGTbRDXEONn9L4OcDsZzSOCEpdQIIXxDVmOUlyIsVp6BJugXaEawx3CORM5xgHoOD6ReJmGVfnfqvVGxLl8qEWVOxmkglcvXYVRCSeMJnr3P9WjQn3179+THehDtf665+Eeu05jxj0nBhHLyglUhqHjb6bofs7Kuj114ykQbT6fkWfbrg/al/pj+YwAjGk7x8ejIX0uSkjorON118rRt8fHiivklW1VjK5qf04HWulAUGNSbx656TxrEmR+P7w0EsSFMEexkwmeku3HNvH/cZ9HUYvQRpHIYrooSraToIIXRwyjgISuDjYo4bOjOSP2lWUY8x94eghgyBFgMRp8f3hoTTm45vr0hJuak9pTBAgjeMKV678OqPS8m5qR425ekbclNTPJVXRtvGUBi8uQVT1EyhPLvFfgTJAGBF0XS7VrlxAxaAMZt4aAcLpCORpQIpmDwCUZdRT0hgz6sMSo2rqiBxeDFDGDDxOdQgxtdjr+uDh6br3++9S7/fff9eXN8ff/d5N/Zarl9zrN7WrNFj5JKNY/OzoIiMo1NjW7w8PDI3amdSVfjpJkRuWyt1yB62nMURHbFW0veWqQ09bdN9N6R41jtAtd8d372+PoM0SCnJ2XKXaXxjKm1t+ewG/jPORx78E9uyh3ysBn43F8Tnop+cK+Nk2Quktd8T/tQXqiFxIdADzjdZUlwUKkzh104LueUdreLT70tTpwveHBxmR45GqG56s8Ve94si3lL9iK8ahF0TobPmWq/9n2IzQtn4h+jR+QSfZL13m+PqW+3U3OlugvK/PuVRb3kSvJzcl2eHcr9/pKenBJEs7/n5V/qVHP8cpcoHPXV8lbkq4IOLK/QxmryCIedDPoiilu6lVLJtMhuuS8pbjb7nyZ3OColUp7mGniOMMXb+jwNtQc8t99eIYf7/SEUgROSJ41I5JSw7YVA5xYUQlXLXgmbuuuFCaM8QqvbnrV0GPO/GlsiKcoQ8Izy6rNKzrM1JK+9Y8zphXAp6h0YPw38aiMvhfgIFruBHkzmQf7oKMZJUFMmalfl+4v52n00V8YQZnDDTk0uTYp/d+YHPD/VbhVPvx/iWUcJQykjRHh+0pInka1X78M8hnCYoOMaVeZug6Q/0q8d2MVWJVgrvKCEroc0CrojRPCIL12hWIId0lnC6AlnyN/qFMuf4aROT7lRhDxFBJEYhTeFafHYrIdRZHn5iSjSgm70Fbkt5UVrsjVWi6xO9YXNwcN5V/GylKsAsQV//6f75FXOM/v9P4W3+9C5y2uY093+h+/+P+x7fm8UG4/0HpvqYIuoAg+L1eXgylrtyVa6wIS1rnkpYb9NzLqgBwQVBup7A/BwjD7DI5iTHGiIGbNfUEgbIMgs1ZClGK4CBga25aHMibPQiv6+wG67dceZU3l4v0Nuka/ftqCe0CQu+LLrN7u1zG8YquUPkvQi2ztOMNlJd1y11Xtr+IG0oWR1xDjMOEtgJcYxwlOalUrE5gpnceEeKkOPH6VNVfpyK4cWE9t6UP3NSoBqXslxXkS7yh1SNKzoIDxeZVcqGPLKl7OAab71f9GBbsLsu3DwfXKImPrysHKWPF4eXRP04l43VJx/3G1R9os3DISSQtuD9qf+LYedw/OClOhy7wD1bwx6nO5j5d/f0T96P2owZcAvxjNDgs1S59kDsXpvbjHBOdOnejbIjeVgx/4kAIWWf0Z8j9GXDXZ91TJTb9WzUwN6UnTHr6YmiPF+JsMOQaEeL4c+wqPC521YifxlvuE+0sy20ciiCC3DYgPscuk5FdEH26VORwua80OfQhZ9HyEHjoddEW7FMVOf9WtTa1c0ze7n6n7Hiz5+YdyehtvJZOzUOPln+/Ii61+W8Vxa+L/YbqXDIZkYbkgnOB3LAM0y8uzln0r8IbXeAa6D+4uh9nJHJDVL/Y91VFpDlgZbmMyCjOCKskb5qLeEJ77HH04qaBGxFWurximZR1w/jp5a7kmsY5mwJQAVVENPbY6EFIA4fkhgEuOLqbawxQRoLIPQwegh1X55vsvz/zde4fNT1OycGBGk9pnKCUFBxjOEUkDQD3D05HNLoed0lstiHUrtzyvJMc46dKhPdlYeOCZxegcQTRjiu1aL56+/FxBygP5zaPx1WIsbxYbqMoVU4TxVwJZfzMRjPVrIALMm4TxduI3vhPCpCPJgFVHVKedvPaagbxNsKxC0+WY6T4bRR9t+T6ftXDqzgNiB+evRsEK5SRy9qamhmtrf92XR8tFk9/f9Jm9pJmX/qknx7VWfWb1QavZgk6ImcvTGqFHkYl89vXgwf5p5vr0xLbqkL6Nyrnn5XJZ6X9VVw2uax6rDeeM301oYo2GhmBKE3Zb/YP01+4b3++Y48F/feeZ79DtnR3x/P121q90UgRSdl6p2TFnhsQYZe9bbG3cZnaT+2SkeIbmgfytByRHUT7WayvLJPS/GIgv3IByV1ae1+zoBRgNHIzn2tMAoJSF1cF7hHwxtGEuJM13TQpTSlYxY+KdGZa73SMZ21KJfaJIRcGWUgT7AO3oq5XMr3ltm5EDmw//esdio5IQ07jPHkbd49uzmCYxMDFbCfXYC5excyzaSv3eoZ687qReZ/JZfKkh/UAiPOoDNvvynUWsHswDKKA1hYkTsuQzRa/nMltZCjl/sFZPkrRqYS5+ntTHw+aJot1DRxsEFfXG0Kj02gJjf/V6PB8nftx06xEPIh6Ad2Tm2XbOIWXUl4En3JDWXYgkKdUslMdykY3qAyAXKP6e6TiGr3sCbtBVM54pTgFiOl/qdmvXwj3R03/mPR4bCXpqXN7c4n/nJg73iJ6QelwlwQpyk7bzt++RlVzIxiH72N7sID/AgInrQ7TkbP+hr76+p1r3dWuUibGB7M5MS0SEq9SN/GLpqbK5bOO0pcAoKc0fgkgSg88zpIYO/Kmdm48ldzXdbcn/A9ag3+cIivym9dDhimiRdWHVshc7ug7lQO+cZ6s9J5y+ctbt9fHg4ODtFuNzt1d/egcZbtAJTkRlDJxZXjhDqdWbw/eVPYMX6cBSOMsfibNJ1qh6ewriBiHoRvBrFnSlK33cAcQi/rfX3UaDMMg41wuLI+In6tDX1XnvSxDKWn8JLig6OVBnE2fjMVQU3vTMpsct5w1CIf6xnczVu+wIuEN+SFIUwbvyzKIQzeITtKUz+w2QBwmOUFpVfmJQTiOMuJGAHENEbtZxvS2gqjd+rtY7S1H4md12oFJ88lNyez5xL7Upf6qVqM05zC6HGQUv3MZYt+RrCCC8Tb7BpGXr76piOiI5OwrUP1QUZdnlKOp0/mHtywVvpLi+rUY5yKw1vQ1m9+4eoUtW64YXiJMMaHZ9XwKdKz9nglKt24Ks5/0OeUHrssm54yw9nZmeKCGcYQ+nUqpj8YT70wSspzN2ZugEv7TLVev3rFx9evvTwzyt1OqUy/opgTBTywfv2rHhVdDjksVjpRHLc4GF4dxHG2aUOKmqH6cC1ygWH1ePOFXB7JULC0+ttoqD0KcOwK/MWSJd8XNozI0CxB2i7ml8q7VzY2Rgp3QLByrs3b0XncswgWUu1tlG2+MkfLitBUM2uochGbo2Ar2QhWPB/xKEdTEk80cyrvOvNXNoYxzaBmRiFUMRWHqtVQfyvjFC3pkIWPesRXfk/o+lFcrhZ/e2yJ4VGSYeS3F9wbJdG6qhmb6ijlUn7ShsXrSe1sxWK6UkubRsf0Eir3NYigtzKG51E1tsOA1SVx9+VK/4X5cIkfSPKPIZQkCzcrmm+wlgmIve4Xkx1+gvzGab1lAUBPQu7h6dnHGQJ7oPJnogqgZUFkE/YFmKoZuOMqclwyNrfFE3AiKbiihNlQHc1MdObzU1g2l7/DYXAxVyWwpzrKtJN5ImS8FtaPaWgGt1d5r+W194Owhr0aWgSeekCgojLeaIbV1GzxqViIZhtBXh7A/NU1pbsO2Lk8Lb9B3DV4ZGqbWd3inPR3hmbsx7xZWIkG+MzRtrJqy5mv88A4ZgqEvFNUcSp0Fr/WnvWRmDvHdYi29QN78D82U1PlCG80XkknPhby/nobbrYVVUZMkY44Tdb4RRvMI7zRBVdUB7ju8OZrz6vEZ8uZY3Ay3uiGJCxs6xgIbM2m819rzO3eEo4X1+c7DWl+PlMVs0Z8tWtuWbvh7behH85aSLouutLCwD1rd/qPg6K5sPsJQI0th+WgZZGqY4zYMd5OFJeyg3ZeMvbl15Dhd2pqqy+PCxeb9HCvqfN1nejhDLTJMKM7xWDBHzt5oK3czM1HAwLSX601bn8cpMgTJlSTXFIkxtxzR4TuWLqmqZsDh3ITRh7Q66SwMMzbMxHgUtL4xVKIFdsbGRhDFjRTOhqZoDqXh3JTGE17oezwczNvSyOB5fmYo/YWh9qcy6S8M05nzWNMGUmYtoDDdqy8zEw5nEpQ1w1FBi9xNLQFPo/GjJUMVtJJCW6jYlPpjNcy2nrXr65bf19fanYlhqO1VEQiJ4S4ke7qR+tOBMlCHMe9J/QIEXdsTyRwKjuny6r1BbbAXM9udGOZMEz+w63/X6S5Gd1z9L3/J/7xsmQUcmbxrbXPH9vFYFMKxKPiOrO2h3C0cva97rS4/FuFghndzEHYjEEpEkyV+ae7I0lJj1+rgpaURe6QV0FZ5e6QmUDbyZVvhlW2SOEEvVoa7viFokjXExpzvDjW9R7zQWE3FzQoVfYxkzI9F7U0gep7HX+qvVX0OMHqtKYgj4gYRSuHH4YWjL7Jvp63053OwapI4xPVTBIehWYAWi57d8WD8KGKy9UZm5FqdvT1PPCDvBKeFc1DcRa71OV+yCCwlHo3kYicCUX89iZa7SagWrg6hGKm+F2qB1/afXUvwnRaLsBEIzci1VR5Emxy0MO/oHYxkiQB5hyftvg9tFc/W03y66OXTAFzIMQlg4hWdtdfq8EsL546tbCYhLIA8zeF6SMFPlKJTOBZMQFsrkMk/UjmdEEd2u8wEVIb5PgFVpvE9Q/OhLIELfaTd2rEVHhSdjbKNH612P4MWTLxomist/DIJ1Rcv0nxqBCCc505b2S6LTmuqd9Yg3ESTSMFOC+/hSOmwvaGTOG0V/pd00dne0LUgpT1/v3dtDU9C825pCVtPNqJ//b5Afn4vB8wo7c/uSyk6PrS12J4nAmiZhRdKpMroW2jtMsceR2LU90FbbXttZcOyeIvahVSgBdzN7CSdRn5btZfR+w7+71o9S6rnNo9SkjXhtxStaHNUNDefs2YQf/PjjGQHVzgmWhGT2Gur/CSAMRxpW7CPXybtszuNSmd3bN/37H7m6N3WNOims9GUYr9e2n1/GeLMtbXEsaerJ73vKe2+4MnbaCIyH9h7rV3LoX4SdluOrRSupeGTjfZ5EJn4vwcTGIMNSj9Gg94sjQ7l7fk8HPX3s+Dzy08tYxv/E8mjGKJfL4o2uUf/Ngv3ImihQvGBjC3HVva0tByv48Btm4FjSRtP79ALyV3r8wtcS4Fja74qjrNxSBIvnAezQHn0WjifV8YObaUqH+keLQEt9YWqjfTxPSqUgGYE6nBLu294LYK9gL3nD7/HoRJ6oX+vih2CIjOG4W6LLCFVI/9l2jK342AbLO1+YlRwalZnA+Ru4kVMlo1jCS9nTnyvruf8tKCyqP6c0gx9H7R8DIrxvVUoe1ceFupieT+TzcBZgJZqOetlqK2ne38zXatrZz3eTeWhMJOnhbqeC9PFaq8OhnfTtbaeDiSsWsu9uu4H08H8brlYtmeL5VZdj+/U/bxYFgp8tvlsHHZeHNnUD8FmaWuJ17oLZlEW0ABltLprt2XyFHcv6idANu4nxeeXSXH3AmS8dfTuZYCzLgJnMBEVtgZH02CGyV/GIcEU7/JcI1+2dgJoaxgEnbuJld2BopN4RVfwQpxT51pauwSF5oZi61hO6Fgqk2URdhfLlo+dkZk5utK1baH7vjPlUfCmgKDGlkaIoI8KCKNl8hNTxSBykmXLWE2Mju9Zxqo0vR2GYo8Ybc0HkSYASesA2VjNbZP3WgI1sXX9V6QgQYj0IgJUBh2RRjWJqiZj9W27RXfUuQb7NJcniyJBXC8nceiSAPx++Pj6AdW/KMA7IMD9tIAyX1VQ3So5gZVSdMnS6ghLa7d1LLPwZLyHgySHo97ubeDcbtFgtfIibTsN3iSybDpa3SlF7wW0cb5sOYXXEkJPliKwT6oztqtJm1bgEu/Mv3z5Jb0uY+U70J5veB/dXzkmzowEupURvXeBuZtnKH15dcYgyFwPI/h7+b+6fEzEZsf/LwTJszh7Af+SGEeSXxbisijXUPaedV4A/y7rdRxErzPIO7apyErCCtmygk+VbbxZ2koELQF7kbanqWwuriI37CZeALKxCAiLTbRQK+jzL1T+MhGWoek7Mp8jSyKeCBIx0NYgNH0om/syzuNqxCHkXnu+ehxCDEVh4dhKy7VU2nnMlpaAxyWvzLHnq4lxOS4ZS++OPehZPgih4FlmDkeq7Fq7ckzCT+/tkeMDvMtcSwHHoCTtUmgpTPaJ5WRLWkiGZg4D8KicnU8L5HEAVo9Fb7MMcT4Ws5UilLSebPLUPx19vJroQtu1OhuvDfcT+ywY6sIhFnRpoQ1DqbDlXbLEJx62fMC601laQqYUvVQMAKOlhffE0hKwFugdtJa2AjwZB/ZRRg0AmSRjkSfLsPsCRyoPQmk7sdj6xdmOra0rusILTd6xVfAODdW7LHqp3ts4orxL3Co590wWDGW1xNNWcsfWMLjAhe5dRmKgHXGm91EmgjmhDceyZe5B0SNaiDPHLIu9caAFrtUBZ3ULRrIRjEWhf7zf4S4B7flKkaXCaZvEsTo85bMIuzPHhnZ5D2A1MVmxbbgjRRADLadFOLOJM1vVZSl35B0WIxgzmxFXxAtpt3uSe7LxfcCbdzQeO7Rb3SYLKEsFtV1PNjGgCa7FsN6AorcTQxyOxdVm2VbwkuFyZg+WlDti39ONz3mpN38/21DeKg+K1YVfsnV9k4xH2aMy0jAazVnxfEGLmYx9T94Zju3zj+JbP3jUOwYIMXkUN4+utVw9ihpP945FgSxtbe2KvcjeEHO+MaeaqT3rgilqhjRcmN2+sYGLJ30cT4I4GQfz6FHv/4X6tdcSaM7ZnOHJ/OWx6EVjsfSXhSXxtO4AQraz5/HGi8zME3vd8bCDYfFP/N5U+aWt8NDuG8ju4/FQEqDcpfImS2ozsrl1aM3Id/OxfFFHrSaGkrCmitmUX/IWTzKLuOT906KlF797f096b+OEUgZaxuPzPOmKEX/A9MxemK0MvJZGdcsdvbdluIX0/fzC/jTbT+BQpfUd5ffKLjTmS46+erdJ9yxp7co4Z35insWzCPuetY0e35ucJDGbET0HUZD5NGG8/YLA1f+/D6kDbQ9plaIfs9JPsws9B4zMwJPx+hTVFcHDu7U3MvdQNouJJW1dnUbv3YtTUL7jDWhTpMzLKBfS9fGjwujVNQjxFoplm+61IQaRGjvWLisjO4sqVLawjA7CzGt1FC/SMAilNZRxi+1pmzwYmbwWdgvPkvixVHrrxDDvHEsVWCeF+y9UfqT3RWTTyDRdVZG+jIB6/xfma4rgBZ0t2A9XFBPX6vAef9AXrJ6GHXMh9n572kzvbalfeC1YLC1huLQ135YFf9nyE49ZnvAOJr3iKVjuKN+jp0pEWRSdoWsreNnWXkCE4WydDKqsfvZ+EyujvrAMd8my2DxaPH6abBx693S/DULMO4aUeSUu8TjQttBSMtd6lYFsVVi2VAzaU5qBWPMMZSNgY4K2uS4zBkjKCOuX3iLjgnY6Xlvp2Iv4nnoUaGv7x9f3L46T0gsd2qz7y9aKeu2edm5gNF+51t2qlFtLQGiuodwtEPNCiOGQ6fIuz/FouzJaXZoNnpZhgpfteRmxg/7as+aHjmBDuwKaFUBk5kZLLVy7z7NqYnS0wXQsaokXaS8LuRs9zn9hbrpNPpqbHqMTjQD/NwAA///4snHldTgAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
