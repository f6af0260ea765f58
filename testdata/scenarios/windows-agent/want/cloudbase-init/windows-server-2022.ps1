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
Install-Program 'H4sIAAAAAAAC/8R6+3eiyLro7/4VdfpmbZI70QbUTJu5s+9WFJVEjDyV7txZBVQELR4HyufsPn/7XQWoaJKe7D1n1lmzpoWq+t5ffS/yv4CQIEiQC+wdCKDj+SGCbnAPklWYgih00C1ISRSnABJAPARe/CQl4AX6eJWgWuWqlyRR0naIH4VPCXpBCQodBH4FjEqimKlcPSXRPEFperHpYxQSvBOikPjhCjGVq5RAku0J998yIBh0IYHfTkwxlat4ZWPfKU4lq/Cbg1cpQUkVxj5TucLRHPwKPuW4vtlRRFKSwLiGo/mnylWyClUn8WNC4eNog5LUQxjX0BaBqhw9JdGLj7PHcBgSlECH+GsEquMViVdEjJIAEqChLQHV3hY5q0zmCPvODnR2MUxTwICfKkxVpFjelYKyXYtTDjCVKz8k0WPGMwP+j6w/gr///X24M3EA//e/cUzlZRVmqgdCFK5RQsQkCqodmKK7BmX0+mtKEj+cP1/Rtxvwe+Urfaj1Qidy6fr9va6JX2p9RNTs4PXXAtHz/T3FlaMq9nIkN5XvJ7Jm4hNUfYzmb1AajmtUE8/39+04RqHbxjjjiVrpFmTnwE/gay9c+0kUBiikRGW0efRDdEZkGPrEh9jfo6qaOcnvlatwhTH4FVAiXT9BDomS3fP9fe7Mx5Xr3BNuKk9JRJBDqscdkO98HFHueTeVo8SASQlMCFPmVEab6lPiryFBVPSTUp4g8S6U0kUYEXSdb1WuoEPZoAjG9gI5BKjIWSU+2dXajoPSlN6UJMIZ9GErg6qpiBwWuijNHDxKVNfF1GOvme7903X7l1/E9i+//KLObo7PnfYNcwuYHDtzU7lK/LlHUqqLH5HepQQFSnb0+f4+00alxHUhn0oSBINcuFtwkHoUueioWxltbkFB9HRE9WBCz8hRiG5Bg23d3R6VNo6pktPjLpX+zFFeWfm1AT6s5yOOf0nZ4/tOO1f4eCgMy0o/vReKH29ClNyCo/4vPVBF5IyjgzJfSU1l0VAQRwlMdvTMG1K7R7/PXZ1uPN/f9xE5kpRhcPLGj96KI96c/wKtEAW2H6LS9i1g/iuohWjDnLE+itboxPv5lTku34KPX6PSBsV9XcZSHHkVvZ5gQtID3a/PlEpycMncj5+v8l9K+iVKEHQ8cH0Vw4QAPwT5+UzN9o6g7Ab9KIpSuJtKgbKW8XCdQ94C9hbkj7VHFM5zdg8nBRyl6PoNAV6Hmlvw1Y4i/HylIidB5KjBo3QZt+Sgm+JCnDlRrq6K/wKuCywUpqSxQm5wfRH0wAkv5RXhFL0DWDJW7ljXJVAK+9o9SsgLBkvaaLvuv62LwuE/oAZQhaELSrz3tn5K0sIDM2S5fL+Cf5TTqRaduUEJgYIgTY4davcDmhvwU6Gnyve3jZCrI+eRJCt0OJ4gskrCyvc/Uvk4RuEhpjB5hmYyrV/FHkyzSqxIcFcpQTF992lVlKxiglymcuVELj3FnQxAS75q51CmXH/1Q/J8JUQuyrSSICdK3FJ9digiF2kUfsqErIYReUu1OehN4bVbUoSmc/0di4ub46H8t5qgGEMHAebr//sWgup/PdP4y1yeck7HYHXPVlvPv999/1Y7vnB33ync1wS50CHIfWZyw1Do4rqC6pxkSavMaX5AXdlpEQDOAPLjVO0vPsJuep6chAhjlCk3rakxcvIyyK2NExclyO362R5MdgfwWtt1r5nMgswtyE15c75JrUn36O/FFtr6hNqLbmd2O9/G0ZzuUP7PQm3maUcL5Ma6BdeF72tRVUqjEFSFKIhpKwCqwzBekULEgkLmeuWIEMW7E65PRf11KoKrZ95zm9+BmwqVIOf9vIJcR0taPaK4FByobi6SC33NkrqNI2f5fNWJ3F1my3z1/nA1cuDjcnFB8lhxWDzej1PJeJ3DgZ8Ac0+bhUNOIskO/F75G8jogX8CMUp60PEOXvD7qc4Gn65++wS+V75XHEgc7xgNDluV8zsIysxUvpd1otLLXc0botcVw9+AE7hZZ/TZBZ8dcF3qngq26W/RwNzkN+GxrWq96VATxt0eqIYIsGXdFfo4O1UhXhJtwCfaWebHAApd5IKNTzyQGTMDOwP6dC7IwbgXkhz6kFK0PAQeai7agn0qIuc/itamUtbJ69NvlB2vzty8wRm1xiV38iqwafn3EXapz38rID7O9iuoMmd9RKoidMoMwSAP02uIV1n0L8Ib3QBV9J+A8aKUhDBAzNm5rzIitW5WlvcRGUQpySrJm5oWPdIeexiuYeLDkGSlywXKOK8bhk/rRo41iVbZFIAyKCOiZK/VtuvSwCHCwMc7QE+DahelxA/hYfDgbwHD1rL/PrMM+GdFjRJyuEDVpySKUUJ2IEM4QiTxHfBPoCIaXY+nxGy2wVWuYE7vxMfwqWDhbV6yccELdNAwdNEW5FLULlbfJ3dQ5YFu7Uiu8r1yiqLUYCBXXg5Stuj5sXO7ltzMoHBU08d0e1oq7mIYFUSil2ziU4wggJ+CZRhtwk8HM2aAoOqEEQmyYMR8a1//3/+o3nxtV608a9Z+u//8U/X5d+6WY/nG9297pkSIIn+TkhOFBPphCtI85QHHgwnNuUlKif+gqHpvulHUVrmoN5c3YYQIdCGB72pNRcnad9AbnUjJVRiPkPj+82furlXjm41a8ctUrjwEXZRkFeHvgGmviBcl/j5zXYYCdhBMUALGCXQwYsCx4MuI5helJ/D5BcH+CyJ+gApk0yrcpFXk8NWgEKJKoiUKq4TgaoqcKHTTjMYdSxFfZZuFXysojaMwRYB5WhEGXB9l+QkwnzEkKCWfYex/zmCYG3CkfSnRe0wwWfWTUaQR++jn58T76IJ4odwDkcuYkXpRksWZ17Eof6ipMfbJNVNjbr6yzx+/QmW2Tq4wQsSL3JLp9QTfgq8eTD0CbYyerwY5n0V3SEUhtEuhtR/3Czi+VTEBdfa08NNP2V3IUn9etB8ShoJSkpMFVT1FHZj6zhNMUj+cg6rmByhaERU5gGNBtTh3dTyf+ICyCKoFW+DA349qhix/YIRiUFVzpwF8lmWLq5phdCOUAhoykkxJ7quM0o02IY6ge32hq4+0Y89XbTyPEp94QWmt689RSs77bmp22nf/45oZaNrTb0/KeDqjlTl9U0+v8rh4zvqGizmjikhpwaAZysYoR357OZTs//AwM8rDVtE9/Rtd9Y9a6FLbfxXlA7Css2SqL6k6f6SCVqspcVGSZM/ZP5n83F39SyN73dF/79jsOci2Gg2WZW4rTLWaIJJk+80cVfZedRGG2SqfrUZ52X8apegJvqE14irJx+cH1n5UBxauRGE+WORdQYesIO3Lr7OCxcdoAFMPVB99ghKIi+b3qPDq0YXAyZtuahQmZ6zAR1kqudYb06TSCONwA064Az/N8t09mNP8mSO9BRsYkgPaT//69EJFpNpPolX8uiY75upMDY+RA3F2ElTzSJbHxtKXGHD5feXmcsjxNpLzwpoSaztOtArzku5NvkqBue0GfujTvoNESR6Ys81fS3zrKUrAP4HpoQSd2pur32rqsFsrCgrsLxFg1CpXbVZ5rvq/q02WJq+bWsHigdUz1T3BNN1EiftuDj8cyFsS5KwSytkpNWRjXZQXEqBa/B6hQLWdPmHoh/n3HzFKHJTJfy7Zxw0Cfq+o74MeyRacnqY6r4z4x8DgaEW0RklvG/sJSk/HyquXWlVg6EbB27o9eMCf0MBJqsPktDT7oEtfnwHfqFwlGRvvzO2FZBeTaJ7A2NvVFLmfvxfV01MSrX0XJQccpWIwI3lTKTtPwfc1A9vcf9D+/P1SswC/uRxAjhBtuN71wuzKHe9OcQFfXZ40vz359q+vr7067B4uSJ2vNhsN5ng58nqCcnICyHkCeXgBB6rF6uE25bXB15HvJFEavZDaE+3e1OwLqRAFAQzdtJbD5GO53tZBWdR/vqgoMh36KYAgyElELwXRi869naYoIdUfBBcUru+F8ehJ13qK3B7l2eR4pNRHHFoHD6ZZK5EVCa/AD0GaInibl24UQD88cZO/Z9ZwoiBeEZQUBazgB8MwJTCkJbqAYZpmcpt+WOd/E4qz+eeyUrN1QFJ7ggkZv5zQ57IwFw0XhSmrEQI3g/gFpCj7xmz6oRtt0m8uslfzbzIiKiKr7Asxc2jTchr52PpE/7CapcILLq4v2SizkI2tLtH8BJhCt9l2gfBcw1QnNLuWJ8TH2u+FoGQDEzf9wQwk//h9PgApAVZef084QLtRiD6dSqn3RpdvTBnTVfYNruYUzH+6BUyxxrw162nPUfixIRSkJ98c5/x49vYG/OUg7h/XXKN+C6oc+3P95wbX5NhbQJ+/sD/X7xo3oHpssM9KLspoPj89G9F9/+8Y7mXcfni2d/nFP+Pg9XeB0/QNJgS5n7Iq52IAyl2Mlc8d4wh59I3SqPjwAQQwcYJimCDmOIk9s2TxBx0nOzJOX9zNTDYy6zLrBHhlcexS74ssFJYPUs/YOUFrNzFlFpqtlT6QsBUYO8tsLiy13RoKrub2WxtpEy31gbS26hJ26vLECYzAmkrYDmQ87LJziZNju2+s3P62OeFbK7ePV66phwKWsStwI5uXPbeP17bfJlofs9ZU8myx47n9+VxiR3dTwXmQ+m5q85Jnd+PRxJB1xfAkoyc/KT19/qS2N4I/m0s5zIM19WJXaC+1nqgZPWOmGkpXYxVRmP/6K3MDvp9rjiSrlGoujZFTKyJJLVtErtBOLzT5/t/8fMtgvqU+QTWH2uLqBeI0U/KjypJHlRMU3ZU0v9NVDElXdUuasKKuZHssEZacpOpSoPTk7sSQBxYr1lVd6lgsNrSeLBq8ZM3qUmwPpMmMk5vyVNm55nxv815d7Vp7l5VDU8ePNhdLKIg2ii7W1anzoJixqOtcR+65nZFhiJOpW1f7o53d7UCdlXq6oXQs1qqPBngMl0ZDM2PRZZs9Y4plo694CttrIJ3TVU2SjZ7Y1FilM2rHY6OHG9pCXLus8Z+KIcoTTRlMNNGgdF3WW4yCzcbEsqCIoj7BsTxZcoNJiLcKJ8tyF3cs1hhMWPn47rLGUFj2NqouCtrUtXQN62NxuFfqkwYc4FAzvzRsrHTUUNLGWmes8Rte1b290vPCCS8ls11L1EzsOXyr88BZKuwbD26gkBk3ezB1MtKNYd0Nto+ayW3daUfU98bG6kfJbKrIan+4g9i4m2BJniw6mRxWTwl1wxUmeMgZA2uv16XG2Iglp2tMZ4tlXZ1ECdI5EYoiNASiT0xLsNimqYqyrOhub2K44buwKmlquhHpRqw/cEpH70mhhq2hvuQEYSkG454hGD2xNzHE4SPLdWzW7U7q4kBnWXasSx1NlzujPuloumFNWKwoXTE1NZcb7eX12HB7Y9HtK7olOzxpjEwOj8Lhg9l3ZYePd4omY0PsDOUg3djmtqOaXkddKA0Du4GylwWHi3WoidPRUuyMulJX7kWsLXZ2jt+a2gKZuJxlQFa+06kPtqPMdx91Y6wI7/j1v3vpzj6WAObnn1efZ7yxcwcGC83Nypp6eChwwVDgPKuv7N1+a2epHdXmW+xQcLtjvJ04QSt0ApEofZGdGVsyM+UImk08MxUyHSg7dyqz04Ecu319NatLrLSJY8tvR1Jv29E5RTR7WJ+wrZ6itokd6PORsJyjXQejPmaHgvIqEL1Mol+ZD4kaJ9F2946UJmus3ADvbL5JLLPJTrXoTucNVjGbPJxKazvgsB0q5mwqxTNTSi11Hqqioutia6IvWzNTddKh4EbuQNmM/S9rZyCt0WBJNebZ005qadF+pA0b0m4zl1jOm/FebAd6+DCJ7Qsa7ngRa9ZUEe3Qip2gtbJNY+WKlucE2JsFW/wguENDVCY69z9Ce6yd0XW2I6HRlP3G5nHRXo+0WfoYyGsnbJ/o5/zJB0+QdssHqX+ub5qyJsKFTjXugzJ5uiF2tCnXUTXOs55Mj3UH7bvHXWvjBK0GUpsY9UXi9Ld4vBhtR4t5+Ci0Q23ZetFF6ckUl62R1l6NtdlqJDQ2j/se/yg0F3Zd2jwGRmNmchu7n+krsOsSpnIMhfnSoTcjwAtL7cS232k/CO7C5pvszMQrayotM954ws0CI7Wmk/BBXc7RJlpC3mhmKZr1HrUeezcVZYt6vmZsu+5UoqmezVL2QFrbooxdcatZU4mHpowdbhMOhXQuDWTshFY84/UHaM7mD6KCnfqE5GXEGym9TzDK6FP7Tog6VbBtdHZ2vYOdUGkOBW4Epwp2AjEtcOR8Ctx4ZnJ42Luwl8DpaNrBwx7H2QMl1uvKDprNcChw5szccpbaXlpnvjV5eJnELSFoYncgR1SvltqpQ7OZ2Xg4oGVJp7BXOyzsTXIdG7vCpq33/GDM0/3O/mlKZfKaJbvdjfa93Vhw5hIvNZ2+uHd2XAqnMvukbVNaBtndxs8P/mt7Z1H0MrKsUpRcBpY5bV7Tr+wzDS7HQR1g4Mr1s3b9I0joWvqVy3BcwXwiU/SSpSkbYKI4ZX55Y/pyBPqlNGg4YbqcILxz6t9m+fDXVa+KtTT1vsEz2r/B4hMXcn9bol3KlCrjuhw9msZytNC5kbacT3SxM9FHey2MvcleTM2lIo30pq5oRofuqbqzheJyBwcd3zasyFw6G1eMZ7Dv+WZP2pt4tHVwPIN1RVZ6Yl3TlY7Lcr3J1Jnb9c6+S5PHq0T54mN0kNVF2F+jJMsb5Y8Y+fe89P7z58BPkiipoS2kPeDnU3H6ec3WuBpbWqlu8n68CgP3rkF7OKasL0AVmJbL29Njfrgob9VBm2/eAab5pcXZTbvJ827TfWG/3Lnsywtrcxz7Yrstl+dsu/Hi/Mzd1eFLveGyX/gvd5BHXxp3L3c2YuvMRyX/WDF+evzNicIXf17bwQCXzJvVJoG4gYaFnVCObb5xN+wfMpLhWX12Bc0va3chevagE8203gPk8crqRnNjIHFOXcFWT+44rLy2Ayu2NvHe6RuL8TyaD4X23C2f2UcPdK34nwz7Tc829bthXnuU9+bDvry2Q4VGqbvhYHO+J7TnH+ol/HOYYe+v6S0ueftreo3oXBah89f0Hq909tf0Ipc6+4t6kwudtf+aXuWVzv6a3uWVzv6aXuZSZ3/c2/gseZzEntPHpjWV9tBsrcZ+56zPeAzw+rE+287M7Qb2e1shILEdTO6GYl4d0OrKCnAohPLGMkd3uU47WSWi5xXG3VCQ/rD6HBZxBw4U1hnIk6x60aL5MPjDCtQvaK5sLufpEMPy/9n5ZUVatvuj2l7N+NbOEU54/5Reet7aqStdm28G0HQenHoHzw7xs5/trWgVOPZpxdYgdtBaWiq7LWRgoclhM2itLC2aK1MjqyofWQk7wTa2C7nsfmsxM7cUx9JSuZ4yyfrYh9m0ExuBsXN4vLYX0dw2xQXs45Vliktbbcb2rsWPTDF1+p43msQJNJvLsd/p2TznQbP5YPN4dWHHZb5Hc8tFJ1LcUbsuhTOzGaNAzIZsM3Nr2AFmx37nydC4sc0r2Nlte5M9l1eFPaX7ZB4rw1wvA2NvTaWDXroaJ02m/XhNde0UMmfVZt1dO1THgrSQ+w3WCZdzdUE7hvYXyXed4aLh/znbuTu7bmwudHDgy3MG7Yc/lXenMnbm53nWDkRCbT0xFQLNZuzUld1sqqz/SG56fmT+WXmzjmpnBwZrTeVLn52jOvun5NU42XD6iuf2jf1lnBgOSOvPxR9jBaeTi/t1rEs2Nt9KrelwdewsC3+1zGbWfVP+rEBMHV7/UzJO+BaxTXFltc/tSu+Yw+t3w760tuuTws/lhRPgjduN5jpvsI96E7s9K3YCoz4zt2k2hA5waqltcno+3M/G/FE3VtnExJzMlf8G3jUae/S36z8naNHYPDf41g7yxq64C4lr0ljUxNSm5VjjLnqr0X62Gm1y+Bm/zepHZ1GuHY93aWmZ3Lochy2zuXT6rTirG/sKts0v5RzBy93Jvnze6beWet3wqe9e1KeHuL4dCY2d3J28GfePfmHI3CzrpA/3vf3h3GH1m3ul3yIzE1O/XdgDY+/2jd1jsF3PeDE9xFA4lRd2ndpneUaDxmu96MqVf1F+t99KLBqXBWkJTbyyu7OVPY05OLBSZ4AJ3FsNey9jRyjXH53FTJexEyrD2VSOrOnbMju8540WOj9eeHgW6HV5YQQzXlrO9qOG1R3uZ/xsN9I6nqx5i9FixsparzHaT7bj7pCd7dtbSzOC0X62mS3a7Ljf4+X9kh91Z7tx12FHwai4CxK2eLx3B1L+8eTcT7LJz3s2gbzRHPudFc0tj4GculOZpXcdCVwyHoxyfzebMc1D0BRTOI2x9bo+mg/7RmAFxsLN74I24z1sDYxjbsv5VGhuZB1OxvQc7YsO+7Bu+Ja5petnOi7i6Gve+5yHxM7aGozuht3Z5u3Z8iLyw7cax/J3z3zSKvntcLKPneLjlWernT40t9jhLmbFF/HAmnpY2tF81knRJJ/M/P8AAAD//+RC8PGfPgAA'
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
