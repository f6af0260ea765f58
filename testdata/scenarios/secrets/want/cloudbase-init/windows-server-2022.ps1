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
Install-Program 'H4sIAAAAAAAC/8R6e3PaSNfn/3yKfrPUyN4YIsB4Bmfz7IAMAhlkECAJJd4pqdVGgtZlpBYgZ/J+9q1uCRDYTjLzPFtbqYqlvpw+9/M7Lf4HECJkEmQDKwWeCR3XR6bt3YIo8WMQ+BBdgZgEYQxMAoiDwJMbxQQ8mS5OIlQtlbtRFERtSNzAH0foCUXIhwh8AtyUBCFXKo+jYBmhOD6bdDHyCU6FwCeunyCuVI6JSdiccPuFbTK9O5OYX45McaVymFjYhfmqKPG/QJzEBEUVM3S5UhkHS/AJvMtofbGCgMQkMsMqDpbvSuUo8acwckNC94fBFkWxgzCuoh0CFTkYR8GTi9mjP/AJikxI3A0ClYeEhAnpBZFnEjBDOwIq3R2CCZM5wC5MQScNzTgGHHhf4io9SuVNKSjb1TCuAa5Udn0SDBnPHPhf8nwI/vWvt/ediAPq//qlxpWeEp+pHgiBv0ER6UWBV+mYMbq5poxefI5J5PrLxzJ9uwRfS5/pQ7Xrw8Cm47e381nvt6qIyJQtvPicE3q8vaW0MlL5XEbksvTteKwWuQRVhsHylZMGD1Wqicfb23YYIt9uY8x4ola6AmwdeA8+d/2NGwW+h3x6qIy2Q9dHJ4cMfJe4JnafUWXKnORrqewnGINPgB5y50YIkiBKH29vM2c+jFxknnBZGkcBQZBUDjMgm/l5QpnnvUopd0ruov3xYSAMPvK7Wp3nzdbHjx8780uudFAS4GJiRoQrCiejbWUcuRuTIKqtox7HJnHO9HiHMCLoIpsqlU1IOacEHqwVggRMEUwil6TVNoQojmlwRQFmu/dTbFd1ish+4A7FLCaCaGrbmDr5BXd3O75of/zYa3/8+HG6uDw8d9qX3BXgMurcZakcuUuHxFR93zs6jQnyFLb08faWaaNU4DqXb0oiZHqZcFdgL/UosNHBHDLaXoH80OOSqWNGdI0c+OgKXPOtm6uD0h5CquT4MEulP/GtF+Y8NcAVOLw+EAdFMbXITyv+QPRvaf/httPOLMC8qWCF4zu1BHgPcqauAPew9VF0BQ6mOffnKSInvO31/EIhVKoZ8sIgMqOUrnnpkWX74PtZ4NCJx9tbEZHDkbLpHR31Z2PsQDfjPycrBJ7l+qgwfQW4//aqPtpyJ6yPgg068n4aTYfhgkV/GGGFCUr7okglX/IiF47NiMT7cz8/0lOivbdmLv5Yzv7So5+CCJnQARfl0IwIcH2QrWdqtlKCWHB9LyfTfZelnGSV8XCR7bwC/BXIHqtD5C8zdvcrBRzE6OIVAV5moSvw2QoC/FieIhghctDgQTrGLdnrJg+NEyfK1FVyn8BFToXuKWgslxtcnOVDcKRLeUU4Rm9sLBgrc6yLwla696V7FIjnDBa00bbtf6yL3OF/Qg2gYvo2KPDe3bkxiXMPZMQy+T6B34vFeRacuEGBgIJMWmo71O57Mpc0VzA6pW+vGyFTR8YjiRK0Xx4hkkR+6duPVP4QIn+fU7is3nNM6+XQMWOG6/LaV44JCum7SzFWlIQE2VypDAObrqodDUABZKWzBz0Xn12fPJaFwEZMKxGCQWQX0N4ekq7iwH/HhKz4AXlNtdnWy9xrdyRPTaf6O0CVy8Oi7G8lQiE2IQLc5//zxQeV/36kNZE7XwWPy8zKM19pPX69+falenip3Xyj+z5HyDYhQfYjlxmG7s7DFVSWhNWzIqfZgmlixXkCONmQLadqf3IRtuPTMiUEGCOm3Lg6DRHMQJVdfYhsFCH7zmVzZpTut1fbtn3BMQtyVyAz5eXpJLUmnaN/z6bQziXUXnSa2e10GgdLOkP5P0m1zNMOFsiMdQUuct+fBRUpDnxQEQIvpI0FqAz8MCG5iPkJzPWKGSEI0yOtdzlkO0Lqyon3XGUxcFmiEmS8n+LRTbCmWBSFheRAdXNWXOgrK+8WDuD6sdwJ7JTZMhu93YdGtvkwnAdIliv2g4f4OKLJi2wfeA+4W8BlIU6TPIlS8LX0C2Dngb9AL4i6JnT2XvD1iNrBu/If78C30rcSNAl0DtlgP1U6jUFQZKb0raiTKQ3uStZevUQMvwDo2azP+mCDDxBcFHqxnG36N2+HLrNIGLans64+mAkPd11Q8RHgi7rL9XGyqkScKNiCd7RPzZYB5NvIBluXOIAZk2072fTuVJC9cc8k2Xc1hWy5TzzUXLShe5dnzt/zRqlU1MnL1a/AjhdrLl/hjFrjnDs58SwK/36GXerzX/IdP8/2i11FzkREKj0TFhkyvSxNb0ycsOyfpzc6ASroT8A5QUx800PcybrPMiLVO4bYRUT6QUwYkryszoIh7dgH/saMXNMnDLqckQwz3DAYb65PqVIGx8fJ0rfSMZtQxkFGJFtflOx02al8BXWrdB898VB2jkO5T/pBfkjwxO5R8sYeuDFY+8HWf7cXh20EFegHxGNByX1pX/zv/6pcfm5XjKx6VP+4/fC+8vi1dlXj69ffvjxzhYMo8VdPgoFPTNePQZylfgAdM6K1J4rp4d8BF2/dGeQYIxP18twjRoiYtknMN7U2RdHGhegVRF42bZvl9k+AcwgJbz98qN20qvXmdTX/y5XKDjJtFDFk9BVw7YQ4QeQ+m/R8jm7sIDNCEXiITIgRBw7Ahx2aOUxXqGeOgt0nRFwP5cT0irmNKwjWK14uRIUEa+RXCMGVGMHAt2N2xg1PCZfZZO5nCorDwI8R4MYJ4cDFQZb3gPuATYJi8sEM3Q9sD3cJDmefS/QWExxDAexEmrlOnPx4uIjODs+Vuz/kPHZiJ4hYvL2MyeyhOg2xSy64Knf5mX/8+RAqsnV0hREiTmAXTD+P8BX47JixQ0wLo8dyP+Mz75KoKISidYqBah/B4a2CCWjwx4H371kssBKYgdd94lRQTLJjQWUeo44Zu3BsRrHrL0Fl5nooSGhfDmo8qOTryof1kQsoi6CSswX2/H2vdrI8ihEKQWWaOQ2os2qThyqjaAcoBjRlRExJ9ovMehdsfRyY9sWZrn6mLXkst/EyiFzieIWxO3eJYnLaf1Kz0/7z9wuuP5uN/xgrD/qCIlT6Nj2+yg/5M8PPZ7d3U0QKAyrN1BZGGfGr86s+8buLuVGWtvIu4h90l99rJQvtbznI7ohYh8VVnuLpckgFrVTiGFf8oBIh6j75ELFRFLFn9h9TSe2m8ds1e03p/zc8d1XiKh6bur7m+WxrhEjE5puF94qNsMlG62w0yBDx8ZZhHuHLf+D/vwCYRNnN9l4+pp7fL5pX4OYK/HoJaJk6lIQTREQJWBEy16VvbzvxdyBa7t2Ug5/EX2UTksSkLfMFwxIuRn0zdkBl6BIUmTjvSw8+UDl4NTg6+GWV7skYy+lRlgre/spFT+F2YR+UR9qeG7MSfAuWtKRnRK/A1vTJnuy7v3+xcAZG/lF+K0dBQvZJX0ZEYa+Vdpbte6bn4hQw6pU7FBPXN/cfaNwd4Pgq+/eB50Cl8P0GnH+VAX+VpkFE9o1DZRwFIYpICr6C8h9VduYIkciFtLz8UWUfTZ5MuB/8Bv4CU0Q7zgOFHvt6VMuMxGQ4K/e5PINxLsrrMh1OGvg22oGMUvVs9K/SG4fnZWF/avVw2Pf8vdjrIFIRoyAJX+LdA/5jfjwMoInZSlDJqmNWb7+n88vzC6TXiZxyRA9rQxgkfgaXX+WrUOzbtuf6Lu3pSBBlxZ5NfirwPY9RBP4CmoMidGwdy39Up4O7ag5SsbtGgJtWapVmpV6r/M9Kk6eA6LKas7hn9UR1YzOOt0Fkv4kL9wuydg/BJKKcHeEGuzxHGTgFlfzvYReotOMxNl0/+1LXCyKImPynkv28QcDX0vTtrYdjc06PN2YvjPjjzeBgRbRBUXcXuhGKj8uKo+daVUzfDrzXdbv3gH9DA0ep9rfShXslOvT5EdSvS+WIsfHG1xEhSkMSLCMzdNKqIovZe47Ix1GwcW0U7WkUGgx25GWp6Dw53xec2a79Fwfeg7fbl3z75fnl7gjRZvZNL2Qhd4idPABfBE+cRU82/ell2E8Hd/sAadQrzetr7hAcGUalnBw3ZDyBLL2A/an56D6aMrz5eeTCKIiDJ1Id0854yr5lC4Hnmb4dV7M92ZVndwcRAwGPZyiV6dCNgQm87IjgKT/07FakHccoIpXvJBfkb26Fh9F4PusqcnuUwYHDkkJvum9HHTNm7SkDni+276ssJfA6L3eBZ7r+kZvsnVkDBl6YEBTl9URwvYEfE9OnbZ+AzThmcmuu36j/IeRrs6+UhQZ+T6Q6NiPy8HQkn8nCnTXxdE9RjSaw2Y6PIEbs1wCa69vBNv5iIytZfpERmSKSsG/53B5OZWdknwSO5+9HGZY54+LinI0iC+xK8JzMe8DlumXTOcFTDVOdUHhUvH0/9BNPBEVbM7Lj79wvZT9TOL1cKmwsvfxWs99tBz56d4Tnb10Lv3KDGyfs+2YV5sy/uwJcPsY+E57/ioCp/OXXgeMdnBkRZL9j9fjsGrR2drl8KsJh50GKwoXx/jMI4MIIhWaEuMN97IkW8x+JHPXHQbGXLjQ+0BoyDz2cGDV+PRd7vCms76WumkKvlU40mTe1VjLvS9jw1NTQmitj2m4NBHtmi62ttA3W8760MRoShg15Aj3VM3QJW56MB3f8UqrJoSWqiS3umpN6K7FFnNja3BewjG2hNrLqsmOLeGO5bTITMW/okmP1Oo4tLpcSP7rRBXgviXZs1SXHugtHE1WeK6ojqV15rHTny/G0vRXcxVLK9twbuhPaQns96/ZmalddTFXlbsYrPWH56RN3Cb6dai6JUcQBLg4RrOYuX6Vj8Wf+kaqxbGbFMw/7AiAC3BqhEEXcR3BaRPY7OGj6ZpT++mfreV3fbZsb0DZr3DkDTy5G5wzkLRSK7DNLFn7HBOhA/OW4lD4+ucsqCTzMHU1se2oK60y9rcHd4N7UalurIfEwbbcGvdifPIcwN59jTTuiqe0wrO1WVr3JLzScGLq01kV5Y3mLxOht/xz6ysbStr4+Ce61Rie2NTu0fNkWMNlafdU3tebz0LVDK22e0Bh6dgrFUWKvusmiIYVSjS/sHyVSHW+GnryxfMUxtSaG3iQxGtJ2kTbro2lzBb21P/QlbNTxs92XmvokpPQ9U7OfIHNZ5pJ3D3g3gV7Lh16PKGKPX6gvZMHQV56H3sQXlqEFxV3NqOMEpte+qf2WLJiL9kKLurrQ9KHfWQ39xW7oyak5hQn0VN/UZR76a7bW8LAP/01Z2FrPCI3GKJEaxXH1ekHtJc59ffIf4jW99ovjhu44lt6JjSlMFrrKmz3+3tZlDL2mY2ksvHzYV2NLVFNpG24Xuvxs11upkel7tdCaDvTXDTjDN+azdG0/q3VpG/x9fXhyYqr8/cLDiV5XQujm9nRbG9ifbBb1ZjisS6HlwnsmC26tTX3A+Js8BxtDV1bDupyY01Zi6JPEEOD9y3D/p9HGfjdXjDUUkbhqf4nQkqK2tIp2Ji0RX5wgJvE+Bp9MHNMg/Ck26Ng+65wxsf6CXYh8iKprlBZi2xLxKkvHtY2xCpaGqBJrG0aGvr4ZiLJjeb0Uzezdgx5GI99pyPriBzrxAxv9QAuFXw+uE4v+rabmScpBqeRAEWuGLj3TyjFYBa7ZUF1D662taTN66I8SU/ttY696rqErjiwM4oFHQsubuA+udG/VcTLJ3dXWpbw60DVKCOvyhqY0NB3coFRyrXqLhw0lXeiduVUn2HLZOL9/Hvhr3ugrO3vaJMhXA9vbbZFWi2Tf2Yzq6nbgbt2F3gnndTWldBWtuYZiK7R8xsva0GqbQhjeyKsJP0opL7IzoXu6jgPrDobp4EZLpWdT7KbybHHzIKquMYN1WTNWC09ZjZ6d9Wglr4zVYDcSu7UHcZTKq0ltNFs+y3fd69FKWY3ueljWFs/yquOO7ibXi9mi8TBbbOXV4Fp+nqSLVLKfdD4eeM2NIapTQ7PDTHYltOrX7oMfuzS1zuutlVlXeap3y++EUJzfDNPfNsP0egNFvDWmrdPUrJ2EpjsUJDZn90fuAya/DjyCqb6zc+fJor6rwYaCodu8HmrxNUyboZW2apaHE1NXwoW2C5GnrqluDc3wDE1mvMy81mxRd7DRV2NjKrV0vdZ6oyr7LjmPD+pskY8IiqmDnnxSBdyvvyYf5nWVH6o0uxvhoj5fDudZBstcb4dtoU3mDcWBvlKDPaUJxflyoqu8Va9RF1txP8PFabKghf/w8ScDBcUFFXbzk4SzNESgnZDAM4kLf+aYIJ6HtpnL+sop28SkKGVzdsadG5sWRvbH7Icub29iNxj/CUaSOIg38G+xcdjy00ycKl1BcXah9h3Fv0p6Fbj+eaJ7xY8ksVmzxO1yPO1Y0/lviSLilLqw1ZCa+iy4mTQkvNAVXBy/z5AHtkUZMn/TpcTQFQxTGAoeXi00OYZpEyNxnoFaUeUXtV1kaxKttNgW1WcpbW9gXeWthp0Y+mAppeFsOOsSeco/j1y+Jt9NfMHD3kBYvgC3A6GWGNP29n7a+XUgqtemPllK3V1nXlN6WhfPJ3yrq0w7rb/Di6k1A0OXQlvsJYv6/Aa67Qwl+hP67N/jERlN+dpw1r1+cJ3xdLoOJvw6VFz4Gu83992WdD917qZTLErbMDTcdvCSxzaxvPlyJKyXKO1gJGJ+ICgvQP/TJFhbvhpbFIX0iDRLm11Tl/CioWygj+2HVXgHPdWxRbUwvg6YvH3DgXgXm5oED7mht9ua9bV/PwnDRb23svojioxwjijrC12ClohdXSS1hafGhq5AKJLw/5vNviPDQGiFludg6GF+QdHBLEwHAkPEiX1Hn+Gf85TfDWdzMpotT+2SFu06SoezOS/fBcGMX4f3XVm6ny/+fXlcxTW16xy5hdBMaYPXS42GSgytmXUm3XYg1cONqV37Q6HtD6e1HO1D9n7StcwVxxZ70NJ6K1PECYMZaubPC00hQx87tGO5nwTrRR67sHasE2Pmcy1+IDh9Q5+QDApg2uSSmdcjxrTDaFmiyg+EWg/60gaue6sMlnRmtGOyfCVGc1ZGQ8tXMTtLl3xbq9G5Z8XDcd40v+lPR4hU8yyx51N7W/7CF1zleD5tqNOBPxDipSRSNNyOBoJ99AGB+Yg7EHhi13FiiK0GTGvPhi7VTU3GdHzfCYznb/rRXtcJ0nrEEuDyfhv42V41tYUaRd4tagPb66W6uAsXeHfgUe93InPaJkNN2lgNhXYyDhRqmT2KZ7+Sd3Tx5R5KM+uQFlTueymltJne9nwyXmgHkOsztTyVN3S5qBe2VtoG66Oeae6Q+YUu8UO1k1p1GcPGaDmcG6ElqpOFrgQDYbBmHUlG1zFEPssLbptMjvYd0W5qICgO9OyapakUOlH8sZl5akPN7TAQahPaPamik9rF/CUoR19dO47lKbExCRumyHwmGGrNjS20C3w3Bwtd7tHcaGiTcNCP7zNcQ313hw29vaQ4iOm6P1qOJnmuFeXU0HpUL7OjP9Qcy5ssNR6Ph2smN82dlPaz3R8FJ3HJ0/l5SONbcBXe0B3mj2d7p5THibaLVVG9toXlK3GwTtS+FFrTZbjPJTZb2yaW1uMX9eVSqjWH6lzqzbrqXOeJOlmrHaVbe5qoUn/+zLv3wvWf99PBWkrXS7QN1ot6i+5NjII+s3iNlzSnsb9divPkwNBla6Ty94U6/2Do8EdxP7PFXmr31a3apxC607F1ZUP5NTVqawVDUU2Mvjy23M4JvB4INcFkXTJmPpXRbh95bocZbaFWtMvDQqvhwSE/TO5ftR/NB6LhWH0ZCz5//zQJW3udFvyF+cqk3lobxfq6Dff1teB/NG8rd1ZdYfTObNtlsSTOszraozFjpwut1l3oiqOLNWdRd0KLxUmtkM+azYVWi6V0ff8CY4dBTOHek+u7sUMB2ct7YsD9P7+KdJVnW+zxhQx9fodEFpoc0AaJaomeA/uqS/tvRpdVZKlm4d3K6qvPtqimQ623Nae0su02Bq1owmANG7RSqXDhtTZ2X+ah19sOPTo/uJfYfnkFPby1s7uVrdWwMfTlwNB2MW1CM89sUd48WnWol1j1pmT5CoYeq0h1tqah8rCv8orXSqmHDnoKRv3JcjhXrw1NrrHKhTsbyj+adgSkdxya+aS0HQkuJFmUdn6oByaz29zC5+6SZVatyVv8Xl64HHeb6kxovx+vf+wtL3XSTsfuYkfp/iOk1+/UFt4uXKTrcy/WKTIy5r3YyvQSDFxla2tSbGryKR+6XFtkVSGh0QpF5v0uRSCwoa4WdfU5R/jeQHBe7RYU3aFN+vP9uf2FQZZJPWND+adZ715QnmkDD/uTJUVIGd9KCD11ZYutFKn8zcPaxnaXyfIqzUF/u5zXWzSbjBdeiBeNrEJINCtpkxzVttYDobWiWQL6ajKvy6mpd7Js2T/4YDQQKJpRNjOxxZDxDxH7MaOcI/YsM/k8ywD/NwAA//9XgZYLITwAAA=='
& powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
if ($LASTEXITCODE -ne 0) {
exit 1
}
exit 0
}
catch {
Stop-Installation "$_"
}
