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
Install-Program 'H4sIAAAAAAAC/8S6e3eiyNoo/n8+BW//srbJb6IDGrPH9Ol9tqKgRDGCXLv7zIKiImhxGShUnN3vZz+rCrwm6emZvd91Vq/VQlU9Tz33G/n/GD6FDoYe4xZM6AA/iKDjhY9MmkcZE0cA3jEZjpOMcTCDfci8BGmGmRcnQHkKG1fXgzSN0y7AQRw9p/AFpjACkPnE1FQcJ7Wr6+c0XqQwyy42AwQjjAo+jnAQ5bB2dZ1hB9M9/vELBXLCvoOdL0eialfXSe6iAFSn0jz6AlCeYZjWnSSoXV2jeMF8Yj6UuL64cYwznDpJA8WLD1fXaR6pIA0STOCTeAPTzIcINeAWMnU5fk7jlwDRx2gUYZg6AAdryNSnOU5yLMRp6GBmDreYqQ+2EOSU5xgFoGB6ReJkGVNjfrqq1QWC5V0uCNmNJOOY2tV1EOF4TGmuMf9L1sbMP/7xPtwZO0zzH3/jalcveURFz/BxtIYpFtI4rPecDD7cE0JvPmc4DaLF12vydsv8fvWZPDQGEYg9sv74qM2FXxoixCo9ePO5QvT18ZHgKlFVeyWS26tvx2uNNMCwPo4Xb9w0mjaIJL4+PnaTBEZeFyFKE9HSHUPPMT8xnwfROkjjKIQRuVSGm3EQwbNLRlGAAwcFO1hXqZH8fnUd5QgxnxhyST9IIcBxWnx9fCyN+bByU1rC7dVzGmMIcP2ww5Q7P46otLw3MVVGWbvpfpyO+NFHdss1WdbpfPz4safd1q4OQmJqGXZSXDtlToab+nMarB0MibSOcnx2sH8hxz5EEMObcuvq2gGEcoJg6i4hwIwKQZ4GuGh0AYBZRpwrjRGF3m9RqIYK8X6hDzPqE3Gqeh4iRn5T6z8+33Q/fhS6Hz9+VK3bw3Ove1u7Y2ol9trt1XUaLHycEfF97+oiwzBU6NGvj49UGlcnVFf8qTiFTlgyd8fsuZ7EHjyoQ4abO6a69HhE9Z2UnJHjCN4x92zn4e4gtGlChJwddgn3Z7b1Sp3nCrhjDq9T7MM0Ixr5YcEfkP4p6U8fe91SA9SaTrRwfCeaYH5iKqLumNp0E8H0jjmo5tKeVYjPaNvL+ZVACFdzGCZx6qQFOfPaIq+9g+2XjkM2vj4+ihAfrpSd8GioP+pjB7wl/RVaPg7dIIIn23dM7b/DRgQ3tTPSJ/EaHmk/96bD8olG/9DDTjYI7ptTLNWRV7Hw2Ulxtr/381dyS7q31tLEv16Xv+TqlziFDvCZm+vESTETREx5norZLTCkzvW9mEzgbq8qlA1Kw00Jecewd0z52BjDaFGSuz/JoziDN28w8DoK3TGf3ThGX69VCFKIDxI8cEepxXvZVK5xZkSluK6CF+amwkJgTiRW8c3cXMRD5oiX0ApRBt8BPFFWaVg3J6AE9rV5nCCvCDyRRtfz/rIsKoP/ATEwdSfymBPaB9sgw1llgRRZyd8n5p+nyXken5nBCQIFOiTV9oje92huSaygeK6+va2EUhwljTjN4f54CnGeRlff/kjk0wRG+5hSK/N9jUr9OvGdjNZ1Ve67zjBMyHtAaqw0TzD0alfXIPbIKe6oAFJA1nv7oufmcxDhr9d87EEqlRSCOPVOqr19SbrM4ugDZbIexfgt0Zagt5XVbnEVms7ldyhVbg+Hyt96ChPkAMjUPv+fLxFT/++vJCfWLk+B4zGnvmPrna+/P3z70ji8cA/fCNznFHoOwND7WisVQ6Ard2XqC0zz2Sml5QE1d7MqAJwBlMeJ2F8CiLzsPE3xMUKQCjdrqAkEZVHlNaapB1Po9QO656TFHrzR9bybGtVg7Y4pVXl7vkm0SfbI78UW3AaY6ItsU72db6N4QXYI/WehllraQQOlsu6Ym8r253FdyuKIqfNxmJDGgqmPoiTHFYvVDdT0TiNCnBRHXB+qku1YUtfPrOeu9IHbK8JBSft5PbqOV6QWhclJcCCyuUgu5JWmdxfFYPX1uhd7BdVlufq4d40S+LBcOUgZK/aLB/84VpM3JRzzE1N7ZGqli5Mgj9OC+f3qbwy9j/kXI8TpwAH+3gp+P1btzIfrXz8w366+XQEHA/8QDfZbV+c+yJwSc/XtVCYqce562V69rhj+xoDQo33Wzx7zM2BuTnqximzyW7VDt6UnjLvqfGCO5vy0P2DqEWTYU9lV8jg7dYX9NN4wH0ifWh5jYORBj9kE2GeoMinYGdCHc0b2yr3gZN/VnETLfeAh6iIN3Ycqcv6zapSuTmXy+vQbZcerM7dvUEa0cUmdnIcuKf9+hFxi818qiB8n+xXUKWUixHXBAacEOWEZptcOymn0r8Ib2WDq8Dem5scZjpwQ1s7OfZYhbvRpxS5CPIwzTCvJ28Y8HpOOfRStnTRwIkxLlwuUSVk3jJ7X9yXWNM7pTIEQKEOs0Nd61/NI4BCcMEAFQ04z9T7McBA5+zFGsGVqbIP++5mtMf+6UuMU7x2o/pzGCUxxwVCEE4jTADD/YlRIouvhlEAnJdzVtVPed6Rj9FyR8DYtdPjw4gA4ijy4ZUouGher71+3F+X+3sbhuqtvV8coShTGlMIrQU41en7sXK8nZqYTOCLpQ7o9LlW+GMXVJfELnR9VAw0myJhVFG+iD3s1UkCmDqIYhzQY1b50b/73f9VvP3frdpk1G78+/vxT/evv3B3HNu+/fdnVTi4iyN+8CcQRdoIoY7Iy5THAd1KSc9OMXP6douq9WUlVW5Ws3l56wgRix3Ow867UVJiuAwDf6EROTKXmY5w8/vwz99BpNNv3jeq3dnXtQ8eDKa0If2dq3Rz7cRrsqOnWCGAPOilMmWnqAARrzKHgo5eWjjLgm6WDoOAF4iCEFTKz7myyOgTNelgxUcfxCkZ1jFE9gyCOvIze8cASxNd0s7JrBWZJHGWQqT3nuMbcHHj5ian9jBwMM/yzkwQ/U5jaLXO4+5Kj94io0eqH3kgi9sHOzy8X4cXllXD3l1zGjMyPUxpnXsei8qGhJijAN7VG7fYz+/XHXeiUrKMpTCD2Y+9E9VqK7pjPvpP52HER/Ho9LOmsukPCCiZdCqn9uI/M4a2OMNNijws//UR9gab+smjfJwwFZri8lqlrGew5WQCenTQLogVTnwchjHOsQsBwLFOvzl0fzqcBQ0hk6hVZzJ6+79UMNH8gCBOmrpZGwzRplq1clWL0YpgxJGSkVEjeq4zSjzcRih3v5kJWP9KOfb3uokWcBtgPT9b6wQJm+LzvJmonffc/b2rD+fz512dlalqkMidv6vFVnlbPtG+4mFqqEJ8s6CRDuQiWyO8uR5zidw/XJmXYqrqnv9BVf6+FPmn7r+NyNkY7y1r9JVMXY8JovZ5hD6Ypfab/Uf65h9Yv9/S1IP8/sPQ5pFv39yxbu7uq1espxCndb5eo6Hvdg8ihq026Gpdl/3GUoqXoltSIeVoO4/ekfa8OrEyJwPxgkXftAJw7pC+/oQVLgODQyXymPg4wTB1UNb8HgdcPJsQcrem2QWBKwip8hKQT03pjmnQywth7wBF3GGQ03z0yC5I/S6R3zMaJ8B7thz8/vVAhrotpnCeva7JDrqZiGMfAQfQkUy8jWRkbT77rMJdfa24vhxxvIzkvrMllXQDiPCpLujfpOgnMXS8MooD0HThOy8BMNz+d0K1lMGX+xRg+TOGxvbn+taGO+o2qoEDBCjI1tc7V2/UmV///622WJK/bRkXintQz0T07WbaJU+/dHL4/ULYkEOQpoeyYGuiAF5aFBFOvfg9QTL2bPSMniMqvSUKcAkj5P+fsxxXC/H6lvg96uLai9DjVeaXEPwZmDlqEa5gOtkmQwux47HT1UqqKE3lx+LZs9xbwb0jgyNV+cnoy+yBLn78yzfur65SS8c4En0+LBMeL1En8oqHIYvleVU/PabwOPJjucZwUg/TK26tT46novqk5Xe6/SH/+fqlZgd9eDiAnkDRc71ohdbmD71QO+Mp5stJ7yu1Pr91eHfX3DtJq1tv397WDc5T1BKHkCFDSxJThhdnfWq3uvamsDT5PApDGWfyCG8+ke1Pp91Y+DkMn8rJGCVOO5QZbAGnU/3pRUVAZBhnjMGF5RfxSXXrRuXezDKa4/p3gAqP1Iz+dPGvzgSJ3J2U2ORw56SP2rYPvZLSVoEXCK/B9kCYI3qalH4dOEB2pKd+pNkAcJjmGaVXA8kE4ijLsRKRE55GTZZRvI4hazV/56mz5Je2k2dojaTw7KZ6+HNGXvNQuGi4CcypGh/EoxEcmg/SLtRFEXrzJvnjQzRdfZIhViHP6vbm2b9PKO8qx9fH+/SpNhRdU3FyScUoCHVtdovmJqVWypdsVwnMJE5mQ7Ho6IT7Ufi8Yphsn9bLvzEDKT+nnA5ATwKvX3xP20F4cwQ/HUuq90eUbU8Ysp9/gGqAi/sMdU6vW6Kesyy/dVOSvJ9jHOZGTYuh9oPn4YlTHXQxAz1k4QB64OBlq7kf1TC1JYeKksHaYGZ5JsfpDhqP8akAUCstgY6MlsyBEuc2xK00UWIdfPUkDvQBhp5gZMusYnVwbSsgO9cI22ktb7XZGvDf3xM5G2sQrbSit7ZaEQEuegVAPbVNCbiijUZ9dSJycuKKee+K2PWt2ck9EuWdoEY9k5PHcxG3KvieitRt08VxErG1Kviv0fE9cLCR28mDy4EkSvcxtSr7bTyYzXdYU3Zf0gfysDLTFs9rd8IG1kEqYJ9v0E4/vruYDYa4PdEvVlf6cVQR+8elT7Zb5di45nOYZkVyWQNCobL5BF6HHd7MLSb7/ty5fKMyXLMCwAYgurl8clFEhj1UWj1WOVzRPmge9vqJLmqrZ0owVNIXusZhfcZKqSaEykPszXR7arNBSNalns0ifD2RBb0q21ZISdyjNLE5uy6ZSeMZi5zb9ltq3dx4rR4aGxi6XSDCMN4omtFQTPClGImga15MHXm+i68LM9FqqOCncfs/RWGmg6UrPZu3WZIimzkq/nxuJ4LHtgW4iWRcVX2EH91DjNHUuyfpAaM9ZpTfpJlN9gO7nS2Htsfpvii7Is7kynM0Fndzrsf5yEm42BpJ5RRC0GUrk2YobziK0VThZlvuoZ7P6cMbKh3eP1Uf8arBRNYGfm56tzZE2FUY7pTW7d4Yomhu/3LtI6amRNJ/Oe9N5c9NUNX+nDPxo1pRSq+gIcwP5oNnpPXG26oj6kxcq2OKsJ0PDE00ftbxwO54b3NYze4K20ze2GKeWqciqOCocpD/MkCTPlj3Khz1QIk33+BkacfrQ3mkt6X6qJxLo66a1XLXUWZxCjRMcQXB0Hmszw+Zttm2ogiwrmjeY6V70LqyK23NNjzU90Z44pacNpGiO7JG24nh+JYTTgc7rA2Ew04XRmOV6Luv1Zy1hqLEsO9Wk3lyTexMR9+aabs9YpCh9ITPmHjfZyeup7g2mgicqmi2DJr6fGByaRKMnQ/Rk0EwKZS4jXeiN5DDbuMa2pxp+T10q9zryQmUn84BLNGcumJOV0Jv0pb48iFlX6BUg6Jguj2ceZ+sOKz9oxAa7MbXdsaZPFf4du/6rTnc21mdqf/97/rPV1AtvqLOOsclt00cjngtHPOfborLzxE5hqz3VbXbYEe/1p2g7A2EnAqGAFVFgLX2LLUOOHaONLEPB5lApPFNmzaGceKKWWy2JlTZJYgfdWBpsexqnCMYAaTO2M1DULnZDbTHhVwtY9BAUETvilVeB6GUWf6pdsvoSIHjJaTXghKn3fnhhyEL25XiUPL4EiwaOQ1Q7RnAv1AvQpNGzM+qPnhyD27gtiQVFtzMSsmi2S0AVnX1X7YmOsUWA2y7dZpu1DJTbprQyRXnthlZuC5vfxpGydo1NZM7iJ6PVyzzDS9xI9niEN+5QjxyjvRsHXuIW7TMc49ArgDjJveWACDOROPYJNIXcFqU1FDqJawhRlTUK2/AS0FIKqLZ3jqmgcajfW4RuUVsDUeBAU3uYFPfbCX9fSJtTOia51ETrcSiv3UjxiTJBOMvtlrSxinZzoraXIFxF40hCdhPtvKHUNmcJoTN0DO8F0MxGaXjLQC5lgkCk7MbhLOIXiQvELWc3UQ6K+8gxfsktmsmExCUZkW9HIOotx5G1HYdy4aggB6EeOabMgmhFz9ohigDH/lu80LOhnditSS61Ttaj0oht0/dds5fZqvfn9VW0T/WylxmB/Z6+onEocJ7oe3yk72xTyi2DK7N+q8e54haBADwBUdiBlrcG4Yxk68hqCrllSm25NWjDMCvgEHBeAJ7+As1LN0QeH0qJizorxxxR/LNdvHZbPXbclHNH7QSOcR/xpexebBEVlD528jBu6qxVdJZuuFq7oc6Wun4rYP1VL6ZFwqkPwxRnDe9LChek2Ssaq1+yRhB/8eMMZ3vXPhQOgAS8UC/pbfqsN+ztpsEv61PbAk3E2mobQVHAQNwi6i9Nfw1as/xHYcYtqxg3s3tQeB4fyj4QhcAxtoknIrSPI2CoZy4PMuq/prx2hzYiPu62bAQiKbFF/ehfJLga2tP/vBx/9eCLkyP8nxXgHxhAFHvwx+vCVe6S30bhnMVtWEg+EJFhm9KOVNejZRw4LT2wDWHlqu10OpzkjvHL2lsKgW0qvsyPslGIEzecBdNAenKbKJ9VccUzpaqCJmeUBDTlNWEbqqMHWEgBSYrEfy2zp7lNjNyArrP751EohW7oP8h8G8NIj71wu4EGl8qRv5409c0o2ASW2Uu0SpyK0V4BsZO4EaVlZRvc+iQmPMjLGTspCC2yPyMwA98HTR+BYvRgFNLOEQeFPLcepqIe2HPQlA17aYXKcrLzV5OlvLSXo+1EHHBTcVLIyxk3mS92cn9wP1kqy0lfQLJh7eRlL5j0Z/fW3GpN59ZGXo7u5d2ssArJezHZbBS217aoq/vYZZlK4jbvg2mUBSR2aM3O0mnqLJG7G/USIGoP4+KX9bi4XwMRbWy1cx57jLM4HYx5ie55w0kwRfjvoxAjIu/yXi23mlsOtBQEgvb92CC+1U7cosO5IcodU0ksY5vAUF8R2dqGHdqGTGmZh5251fSRPdQzW5U6psl13o5JeRS8qqGIsaURxPC9Gkpr6uxYJ6nNTqymthhrbd81tEVpelvk8V2stRQfRAoHBKUNRG0xM3XWbXLExJa1H6ECByFUiwgQGlSI64dPmXREUtu0muREjanTL095Mi8SyHRzHIcODsDH/d+mvAP1Jwl4QwjeblJ4IlsVkZ0q14GFVHSwZbQ5y9hubEMvXBHtvH6Se8Pu9nWO3Wxgf7FwI2UzCV7lxWwyXNxLRXcNWii3mnbhNrnQFYUI7JLqjs1i3CJNiMDas0+ffoiv81D5hmhPD7wt3R+5Js60xHMqI3pLgbmTZzBdX9zRDzLHRdD7WP4l4PtAdHz+nyAkz+JsDf4UGQeQHybivC9RYPaWdZ4J/k3UyziILjPIG7YpiW3OFTeLZ7XnqtovuSKigsQGtyW1zXn8MGtJyDIVdLr+VNazyBNlQB3ZlHLbVBAoQMKHaGkZcgYKkuK0cqIi6qzFbVPPkBAI28gT9R211abOui0vt83RQiqS+Xg+wLLK7iYBy8n9WcSHKBzxi1eTlRHP5bba3Typvb+PRP3eMWeL101Ur/NnaHGMdmybUuKJQm41tQcQdMseJpqR5+gJTfBEZbnxfHA/DfxnVV3FM3aVKAF4i/aHp0FHelL9vqoi8T/Q6K3ciNRDpDbC0rxoDxxTQlZLWYMIedNl0geh7nuifrK+iim/Q9sHaJs5hgQOQVfYbpzmKnqaJYnVFJbucFLFJqrXpmVKwBVRYIqYs0I9s00FABEn/8909h0eRnwncUMfgRCxltFe2vOkGPG0z8q9PnkGv2kFux3PNTyZL871UpzqdVKM5xor9+N4zq6Sp4EsPWnWv89PoJB+oOoTEuAU4EkShcJu6dg22mXfPOjGUjNZk75hzHejscrtcwR9P+upNcX3RAG4hrB0RJTT+k0v7dkyFDyOkE/66adZvLIq3wXcMQE/U5vrsCPeH9rmDJc1FlraahfPQwHbao/ickWdHfGcACJpDVbCsqz3enPSz7uRkkGN1ieJG+mI3mVKkWdwZG+nhCireu937elYe1Z5qmgjN7IiPlCO95MyuhhFIz5bSKKUuEE3HfHe0QZ4aiPBiGex10S5LXZaoOBIX9h0DBmR9X0v/Ky9a0d7WefQELDLg8XTJo5KWL3weI70eR2iAy8UClPcJhbaHmg0h73UUbt4bEhrt6WQ/tgHPFfq4/TuN+KOKb6GITjLvtsifD9JBcFN5bank9Jim8qykmdBeknblE/lQs9Km3h1lDOJHTJrmRI71nuF25QRaE0WY81OXFGfWaYSj/jRygpRXuH17X3NEnTx7KjfCWllRrzig9DjXEMnNSkp7NbzUG/plR5GPDezTHmni37hncYvXjna6sr33VDJ7FnSckRqM/HYaK89vntCd3tkmbJAYqNtzJLRMHsqC0Ziu1tkm90FKTCprIeTxWRWxVpRLmxDIHKZH+2B891wtjBY9DxeUb5J7CS4d95wEp/5JUv2tYT4Nx8orG361B4vYFVC48zYZrqo33v84g0/WOX6UEpcdZHsY4lHz3axawis1VwsJK491jVJmA90zWSxPlvpPWXAvcx0aajt2OCJv//tSR2tpGK1gJt4ZTU7BDa3T+RZ+mu2IDGN/g5IAS3Htim7E519OsnzU9sEf+T3c08UCm+ob/Qh6U16Pc9U1oRexyC6VhAQ9dweys9u0DvrW0Y8xztG2wcRojZV4u4eae4mJW6eO9XLlM5xDvFh9vSm/kg8EG3fHcqIj9inl1nS2cv0xF6orcyanZV9ml83yT6/ntgfidtK320qFN+FbgfUl0StzKMC8RmvsAxuYJmKb4qcbzX9xKV+wp3Es3bbMrhMKlZPr2rsJKZj6JcgCjKfFGSvP1Iytf/x72CBsvNIF6C+O5k8G12Te8BQD1wRLfeTLHMocS7aLt2hvvNEvRgbwsZRSWbbrm2S0fjRCrRIptKBFXbW3lBmQShsxiHZHz1JFF5eghBtvHJCunFbHgKRHNvGNiOdTWmZHUJbSLIOsRK32ZbcSEEgpBmpSc+0dBYMdVYJOwWx0JGgIDicLcaafm8bMkczF+qtCf1Q7fHQ7Pkk8klFN+UDgEsv7f3ACF/i3KC9AbvBgkZWo8267J5fsHgetPU53/3pefXH1vJaJt3iObC2BO9fqvSGPc4Kt4lVrC6t2CSVka0JmVvKJR4FysYzpMwx5HM6TJmzyqyQE28FIrX+gFQgoKUvraa+qyr8cMT7b3YLiuknoKXsni71z4/KSBraa0I/iXpPvLKzWlIChrMFqZBKupUEhPrSEzsF1NmH6cpD3oDy8ibO0XCz0JodEk2erTBBVqvMEBKJSsZs33GvSNdNogSI9FxryoVj9spoOTzYYDriSTWjrOdih1bGf1ixHyPKZcVeRqaIpRHg/wYAAP//oDN3zUJBAAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
