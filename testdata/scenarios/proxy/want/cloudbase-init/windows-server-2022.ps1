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
Install-Program 'H4sIAAAAAAAC/8R6fXeiSt7g/36KenpzhmQ72qgx95reOzuKihJFRQWhO3sPFBVBi5eBQiV9+/nse6pARZP07bmze+b0OS1U1e/9vcj/AEKETIJsYKXAM6Hj+si0vQcQJX4MAh+iWxCTIIyBSQBxEHh2o5iAZ9PFSYQqpatuFAVRCxI38CcRekYR8iECvwFuRoKQK11NomAVoTi+2HQx8glOhcAnrp8grnQVE5OwPeHhKwMyvY5JzK8nprjSVZhY2IX5qSjxv0KcxARFZTN0udIVDlbgN/Ahw/XVCgISk8gMKzhYfShdRYk/g5EbEgofBjsUxQ7CuIL2CJTlYBIFzy5mj/7AJygyIXG3CJTHCQkT0gsizyRgjvYElLt7BBMmc4BdmIJ2GppxDDjwscSVexTLu1JQtithXAVc6cr1STBkPHPgf8mLIfj739+HOxMH1P7+typXek58pnogBP4WRaQXBV65bcbo/o4yev0lJpHrr56u6NsN+Fb6Qh8qXR8GNl1/eFjMe79WRERm7OD1lxzR08MDxZWhyvcyJDel7yeyWuQSVB4GqzcoDcYVqomnh4dWGCLfbmHMeKJWugXsHPgIvnT9rRsFvod8SlRGu6HrozMiA98lrondF1SeMSf5VrryE4zBb4AS6bgRgiSI0qeHh8yZjyvXmSfclCZRQBAk5eMOyHZ+HlHmeW9iyp2Su259Hg+EwWd+X63xvNn8/Plze3HDlY5KAlxMzIhwReFktCtPIndrEkS1ddLjxCTOhR47CCOCrrOt0pUJKecUwdhaI0jADMEkcklaaUGI4pgGVxRgBn3YYlCVGSKHhQ6KWUwE0cy2MXXya67zMLluff7ca33+/Hmm3xyf260b7hZwGXbupnQVuSuHxFR9PyKdxgR5Cjv69PDAtFEqcJ3LNyMRMr1MuFtwkHoU2OhoDhntbkFO9HRk5pgRPSMHProFd3zz/vaotHFIlRwfd6n0Z771ypznBrgFx9cxcVAUU4v8tOKPSP8l7Y8f2q3MAsybClY4vVNLgI8gZ+oWcOOdj6JbcDTNpT/PEDnj7aDnVwqhUs2RFwaRGaX0zGuPvLKPvp8FDt14engQETmSlE3v5Kg/G2NHvBn/OVoh8CzXR4XtW8D9t1fx0Y47Y30UbNGJ9/NoOi4XLPqnEVbYoLivi1jyI69y4cSMSHyg++WJUokO3pq5+NNV9ktJPwcRMqEDrq9CMyLA9UF2nqnZSgliwfWjnEzhbko5ygrj4TqDvAX8LcgeK0PkrzJ2DycFHMTo+g0BXmehW/DFCgL8dDVDMELkqMGjdIxbctBNHhpnTpSpq+Q+g+scC4UpaCyXG1xf5ENwwkt5RThG7wAWjJU51nUBlMK+do8C8pzBgjZatv2XdZE7/E+oAZRN3wYF3rt7NyZx7oEMWSbfb+AfxeI8D87coIBAQSYttW1q9wOaG5orGJ7S97eNkKkj45FECTocjxBJIr/0/c9UPg6Rf8gpXFbvOab1q9AxY9bX5bXvKiYopO8u7bGiJCTI5kpXMLDpqerJALSBLLcPTc/1F9cnT1dCYCOmlQjBILIL3d6hJV3Hgf+BCVn2A/KWajPQm9xr9yRPTef6O7YqN8dD2W85QiE2IQLcl//z1Qfl/36iNZG7PAVPx8zyC19uPn27//61cnyp3n+ncF8iZJuQIPuJywxDofNwBeUVYfWsyGl2YJZYcZ4AzgCy41Ttzy7CdnxepoQAY8SUG1dmIYJZU2VXxpGNImR3XLZnRukBvNKy7WuOWZC7BZkpb843qTXpHv292EJ7l1B70W1mt/NtHKzoDuX/LNUyTztaIDPWLbjOfX8elKU48EFZCLyQDhagPPDDhOQi5hSY6xUzQhCmJ1wf8pbt1FKXz7znNouBmxKVIOP9vB/dBhvai6KwkByobi6KC31l5d3CAdw8XbUDO2W2zFYfDqGRAR+X8wDJcsVh8Rgfp27yOoMDHwH3ALgsxGmSJ1EKvpX+Bhg98AfoBVHXhM7BC76dunbw4er3D+B76XsJmgQ6x2xw2CqdxyAoMlP6XtTJjAZ3ORuvXncMfwPQs9mc9ckGnyC4LsxiOdv0Nx+HbrJIGLZm8+5yMBfGnS4o+wjwRd3l+jg7VSJOFOzABzqnZscA8m1kg51LHMCMycDOgD6cC3Iw7oUkh6mmkC0PiYeaiw50H/LM+Y98UCoVdfL69Bttx6szN29wRq1xyZ2ceBZt/36GXerzX3OIn2f7FVSRMxGRcs+ERYZML0vTWxMnLPvn6Y1ugDL6J+CcICa+6SHu7NwXGZFKh3XsIiL9ICask7ypzIMhndgH/taMXNMnrHW5QBlmfcNgsr07x0oZnJw2S99Lp2xCGQcZkux8UbLzY+fyFdStUjhK8Vh2Tku5T/pBTiR4Zvco+WAP3Bhs/GDnfziIwwBBGfoB8VhQcl9b1//7v8o3X1plI6seld8fPn0sP32r3lb52t33ry9cgRBF/iYlGPjEdP0YxFnqB9AxI1p7opgS/0Fz8d6dQd5jZKLeXHrECBHTNon5rtZmKNq6EL3RkV+Zts1y+2+AcwgJHz59qt43K7XGXSX/5UpXDjJtFLHO6BvgWglxgsh9MSl9jgK2kRmhCIwjE2LEgWPjw4hmDtMVapmjYPcZEddDObJl2dzFZQRrZS8XokyCDfLLhOByjGDg2zGjcc9TxFdsM/czBcVh4McIcJOEcOD6KMtHwH3CJkEx+WSG7icGw92AI+1Lid5jgmNdAKNIM9eZk5+Ii+iCeK7cA5HL2ImdIGLx9joms4fKLMQuueYq3M0X/unnQ6jI1skVRog4gV0w/SLCt+CLY8YOMS2Mnq76GZ/5lERFIbRbpz1Q9TM4vpUxAXX+tPDxI4sFVgKz5vWQOBUUk4wsKC9i1DZjF07MKHb9FSjPXQ8FCZ3LQZUH5fzc1fF85ALKIijnbIEDfz+qnSyPYoRCUJ5lTgNqrNrkocow2gGKAU0ZEVOS/SqzdoKdjwPTvr7Q1c+MJU9XLbwKIpc4XmGt465QTM7nT2p2On/+45rrz+eT3yfKeKnTDpW+zU6v8jh/Zv3zxe3dDJHCgkoztYVRhvz28qpP/OFhbpSlrXyK+AvT5Y9GycL4exVkd0RswuLKz/FsNaSClstxjMt+UI4QdZ98idgoitgz+4+ppHpf//WOvab0/3ueuy1xZY9t3d3xfAYaIRKx/UbhvWwjbLLVGlsNso74dMuwiPDNX/D/vwGYRNnN9kE+pp5/XDduwf0t+OUG0DJ1LAlnHRFFYEXI3JS+v+/EP2jRcu+mHPxk/3VlQpKYdGS+Zr2Ei1HfjB1QHroERSbO59KjD5SPXg1ODn5ToTAZYzk+ylLB29+46CncLhyC8oTbc2NWgh/Aipb0DOkt2Jk+OaD98K9fLFw0I38pv11FQUIOSV9GRGGv5VaW7Xum5+IUMOzlDoqJ65uHDzTuHnB8hf37xHOgXPh+Ay6/yoA/SrMgIofBoTyJghBFJAXfwNXvFUZzhEjkQlpefq+wjybPJjwsfgd/gBmiE+cRQ499PapmRmIyXJT7XJ7BJBflbZmOlAa+jfYgw1S5WP2j9A7xvCwcqFaOxH7k78VZB5GyGAVJ+LrfPfZ/zI+HATQxOwnKWXXM6u2PdH5zeYH0NpJzjiixFoRB4mft8pt8FYp9y/Zc36UzHQmirNizzd8KfC9iFIE/gOagCJ1Gx6vfK7NBp5I3qdjdIMDNytVyo1yrlv9nucHThuimkrN4YPVMdRMzjndBZL/bFx4OZOMegklEOTu1G+zyHGXNKSjnv0coUG7FE2y6fvalrhdEEDH5zyX7eYOAb6XZ+6BHsjmnpxuzV0b8c2BwtCLaoqi7D90IxadjxdVLrSqmbwfe27o9eMC/oYGTVIdb6cK9El368gRqd6WriLHxztcRIUpDEqwiM3TSiiKL2XvekU+iYOvaKDrgKAwYjORNqeg8Od/XnNmq/hcHPoL3x5cc/ObycneE6DD7rheykDvGTh6Ar4InzqIn2/7tddjPBp1DgNRr5cbdHXcMjqxHpZycADKeQJZewIFqvnqIpqzf/DJyYRTEwTOpTOhkPGPfsoXA80zfjisZTHbl2d1DxJqAp4sulenQjYEJvIxE8JwTvbgVacUxikj5B8kF+dsHYTyaLOZdRW6NsnbgeKQwmx7GUceM2XjKGs9X4IcqSxG8zUsn8EzXP3GTvTNrwMALE4KivJ4IrjfwY2L6dOwTsBnHTG7N9eu134X8bPaVsjDAH5BUJmZExs8n9Jks3MUQT2GKajSBzSA+gxixvwbQXN8OdvFXG1nJ6quMyAyRhH3L5w7tVEYj+yRwon9YZb3MBRfXl2wUWWBXgpdoPgIu1y3bzhGea5jqhLZHxdv34zzxTFC0MyM7/sH9UvZnCueXSwXA0utvNQdoO/DRh1N7/t618Bs3uHHCvm9WYM78h1vA5WvsM+HlXxEwlb/+OnC6gzMjguwPrB5fXINWLy6Xz0U4Qh6lKFwYHz6DAC6MUGhGiDvex55pMf8jkZP+OCj2Ul3jA60u89DDiVHlNwuxx5vC5lHqqin0mulUk3lTayaLvoQNT00NrbE2Zq3mQLDnttjcSbtgs+hLW6MuYViXp9BTPWMpYcuT8aDDr6SqHFqimtjivjGtNRNbxImtLXwBy9gWqiOrJju2iLeW2yJzEfPGUnKsXtuxxdVK4kf3SwE+SqIdWzXJsTrhaKrKC0V1JLUrT5TuYjWZtXaCq6+kDObRWDqhLbQ2825vrnZVfaYqnTmv9ITVb79xN+D7ueZIlMRUc3GIYCX3+UoYBfuUKvHs4hZwv/ySfNJ4NbE9nFq1BjG0Br+cB/eLmsorWqNmLqWt5VWx5SuavpRCXZNiY7byZz1lseg1p4tNU9dmMB4IdmD3ld3Y/XUL+9IW9TeJsXQca9mOjXnwMpoP7qR0t5L4qqPXnNDyFv7jNLQuaNjjdTg3lkrP8o0Qes3E0tTE7hkO9LCje3v8KNgDtadMF9X/CO3x/JxuTE1tic4W1qfxaD6oD9etZCTc7YdCY2311RdbVNOht9/qtV487HR3+f5u+LKKx+tgPxQVbGm/nvid7fYj4S6VO9P8XLeWwW1qGeyve9ndJbBurF/LFGyMM5mmq8ms3TrobFltz+ZVx5hoDm/3W/fDtLmDXvMOzRoYiT0CxT0er0f70XrlD4VWbmP5edGTJlpv0zT7Cg87wXZYb6dW3WkMPfVO16o7S1zcj1666VhgOjnpaF79D+tn82h4zdTQemtTaAVSX8bQN0K9tliZ2t1qKqx8nYVvL7RoGsj4j2xNwpao8lK6CQf9+FESCUZZehjM+L08xvu5RkN2UYXTOk0pamJ35a3lK6lV21MfgouamtoeXhtLGUppKxoIyouxlGqmJmPBw95AcBbGUuaHapYWhot9SHWha/upvlSCgaBExjKjT2NxuMC8oVWn0GvujKXEo9kbqSXjk8y9HjFm7XM/FlpE7eOdMWvLtrbnTTVPj2mLqF4vtrXFShLP84Dg84/P0zAxlsqLKVAfWazsGk6YHwjtF2M5XeXxtpIOPrFkOsZwXWUxOVm+4ysdwvbhS/VdHxwItouWbQfWR8QS8Yvd4X+1xOZa13Yfx7XMZ0yx+WJ34v1oDTN/WHd/eXRf+9a4duFH8/ifQ1+u6Sl85C4z6LOL0SGB+oF9WXze/9PLr5vEor+V1PQwdypKKJUcKGLNWEovtPAM1oFr1lXX0Hoba9aIxv1RYmq/bu11zzWWiiMLg3jgkdDypu7YlR6tGk5ooTE87NtLKS8u9IwSwpq8tT01RbPBPUol16o1eVhXUn3ZXlg1gi2XrfOH54Gn7KyacW/NGgT5amB7+x3SqpHsO9tRTd0N3J2rL9th5sFqqmiNDRSboeUzXjaGVt0WrSmvp/wopbzIzpTCdB0H1hwM08G9lkovpthN5bl+PxZV15jDmqwZa91T1qMXZzNay2tjPdiPxG51LI5SeT2tjuarF7nTvRutlfWo08Oypr/I67Y76kzv9LleH8/1nbwe3Mkv01RPJft5yccDr7E1RHVmaHaYya6EVu3OHfuxq9elcFFrrs2aylO9W347hOLifpj+uh2md1so0qhorq1ag9c1nBhLaTPUWDQ7ptbA0Ju6Q0Fie3Z/5I4x+WXg0UijuqR0F4le21dhXcHQbdwNtfgOpo3QSptVy8OJuVRCXduHyFM3VLeGZniGJjNe5l5zrtccbPTV2JhJzeWy2ny7qCe++6qmU2eLfERQ/E5hZ4lDPSW94aLhWNpilbneHtOksKgrDvSVKuwpDSguVtOlylu1KnWxNfczXATxIrTNnAk6ex4/HbHxgdslZhKjaMuBMrs1SsJ5GiLQcWPTwsj+nP0By/tA7Gbi/wUjSRzEW/gvsXEE+Wkmjn2WguLsjuwcY36VjCL7PazrwPUvk88btpXERtUSd7TAW7PFr4ki4pS6lVWXGrSBm9YlrC8VXFx/FOzOGO+xLcqQ+cBSoskdwxSGgofXuibHMM0SPetTRZXXq3tWEKHXwLaovkhpawtrKm/V7cRYDlZSGs6H8y6RZ/zLyOWrcmfqZwVu9apfHQjVxJi1do+z9i8DUb0zl9OV1N23F1Wlp3XxYso3u8qs3fxXeDG1RmAspdAWe4leW9xDt0X7dsfyp/TZf8QjMprx1eG8ezd2nclstgmm/CZUXPgW7/eP3ab0OHM6sxkWpV0YGm4reM1ji1jeYjUSNiuUtjESMT8QlFd9/PM02Fi+GltCqznoEWmeNrrmUsJ6XdlCH9OGswM91bFFtbC+CZi8fcOBeB+bmgSP8drb78zahjavoV7rra3+iBY0PMjsWtOXErRE7C5FUtU9NaaNCBRJ+B+z2Q9kGAjN0PIcDD3M63T+mofpQGj60Osldoc+w38uUn4/nC/IaL46t0tatOsoHc4XvNwJgjm/CR+7svS40P99eVzFpU3iZNbypy8hNFM6s/VSo66y5gimreag2wqkWrg1tTvWMA9nVVpGPFOD7J3C5XOkYy0UxxZ70KLNqIgTVvrVzJ91TSFDHzuWtmNNvJ7HLqyecveE+VyTHwhO31hOybHBPDV8x8Z1IFR70Je2cNNbZ61Ce25qezrkxGjBSlto+SpmtJaSb2tsAHpRPBznc/C7/nRqW6qeJfZ8am/L133BVU706YycDvyBEK8kUQotlzbA9skHsmbSHQg8oQ2lITbrMK0eG2S6ruftzmTxrh8ddJ0grUcsAa4ed4GfwaqpLVQ35nLQpDawvV66FPehjvdHHpf9dmTOWmSoSVurrrzYfcmBQjWzR5H2G3lnKb6GoTiHnry1PJ3K/SilFDfT24FPxouxVNa5PlPLU3k6IBT0ws5Ku2Bz0jPNHTKvLyU6LKRWTcawPloNF0ZoiWo+LAw2uoeTHK9jiHyWF9wWmZ7sOzKXMs1TDvTsKhsK+hRPYzv31Lqa22EgVKf6Un5RRSe1i/lLUE6+unEcy1NiYxrWTZH5TDDUGltbaBX4bgz0pdyjudHQptkgw3oN6rt7bCxbK9qbMF33R6vRNM+1okwHNqqX+ckfqo7lTVcajyfDDZOb5k6K+8Xuj4KzuOTp/iKk8S24Cm8sHeaPF7AzyuNU28eqqN7ZwuqNONgkal8KrdkqPOQSm51tEUvr8XpttZKqjaG6kHrzrrpY8kSdbtS20q0+T1Wpv3jh3Ufh7p+Ps8FGSjcrtAs2eq1JYROjoM8sXuMVzWnst0t7LzkwlrI1UvnHQp0fG0v4Z3E/t8VeavfVXT7ste2lsqX8mhq1tYKhqCZGX55Ybvus5R0IVcHUGg70MfOpDHfrxHMrzHAL1aJdxrpWxYNjfpg+vmk/mg9Ew7H6Ms6HyuZBpwV/Yb4yrTU3RrG+7sJDfS34H83bSseqKQzfhW27LJbERVZHezRm7FTXql19qThL8XBhQuOkWshnjYauVWMp3bweCMOA3ag9u74bO7Qhe331C7j/77eLrvJiiz2+kKGn0GMVkyhij9fVPdE1OaBDC9USpQP7qmuJeM3wsoosVS28P43HWm9nzmhl228NWtGEwQbWaaVSoe41t3Zf5qHX29Ex2kgHjxKDl9fQwzubebG9s+o2hr4cGNo+poNh5plNyptHqw71EqvWkCxfwdBjFanGztRVHvZVXvGaKfXQQU/BqD9dDRfqnaHJVVa5cHtL+UeztpBfBdBIiQQXkixK23+qByaz29jBl+6KZVatwVv8QV64mnQb6lxofZxs/txbXuuklU5cfU/x/qVOr9+u6t4+1NPNpRcvaWdkLHqxleklGLjKztak2NTkcz6WclXPqkJCoxWKzPtd2oHAurrWa+pL3uF7A8F5c1pQlg4dnF8eL+0vDLJM6hlbyj/Neo+C8kKHatifsmu0jG8lhJ66tsVmilT+fryxsd1lsryJc9DfrRa1Js0mE90LsV7PKoREs5I2zbva5mYgNNc0S0BfTRY1OTWX7Sxb9o8+GA0E2s0o27nYZJ3xn3bsp4xy2bFnmcnnWQb4vwEAAP//7z3dqPQ7AAA='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
