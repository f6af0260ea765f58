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
Install-Program 'H4sIAAAAAAAC/8R6+XOjSLrg7/oreLWOkb1tqUCHu+Xenh0JCQSWkAXiEFXeDkjSAik5HqQO1FPvb9/IBJ12VXt698VERZQgM78vv/vC/4PhU+hg6DFuzoQO8IMIOl74yKTrKGPiCMB7JsNxkjEOZrAPmdcgzTDz6gRoncJ65WaQpnHaBTiIo+cUvsIURgAyvzFVDcdJtXLznMaLFGbZ1WaAYIRRzscRDqI1rFZuMuxgusc/fqVATth3sPP1RFS1cpOsXRSA8lS6jr4CtM4wTGtOElQrNyheML8xnwpcX904xhlOnaSO4sWnyk26jjSQBgkm8Em8hWnmQ4TqcAeZmhI/p/FrgOhjJEUYpg7AwQYytckaJ2ssxGnoYGYGd5ipDXYQrCnPMQpAzvTyxMkypsr8VKnWBILlu1wQsutJxjHVyk0Q4XhEaa4y/0vRR8zf//59uAt2mMbf/8ZVK6/riIqe4eNoA1MspHFY6zkZfGgRQm+/ZDgNosXLDXm7Y/6ofCEP9UEEYo+sPz7qM+GXugixRg/efikRvTw+ElwFqnKvQHJX+Xa61kwDDGujePHOTdKkTiTx8vjYTRIYeV2EKE1ES/cMPcf8xHwZRJsgjaMQRuRSBW5HQQQvLpGiAAcOCvawplEj+aNyE60RYn5jyCX9IIUAx2n+8vhYGPNx5bawhLvKcxpjCHDtuMMUOx9HVFjeXeXIMVPNsJPi6jmlCtzWntNg42BIWD8J5dnB/pVQ+hBBDG+LrcqNAwgZBMHEXUKAGQ2CdRrgvN4FAGYZ8ZQ0RhT6sEWh6hrEh4U+zKiBx6nmeYhY7G21//h82/31V6H766+/avO743Ove1e9Z6oF9upd5SYNFj7OiCx+dHWeYRiq9OjL4yOVRuWM6pI/DafQCQvm7pkD1+PYg0fZKnB7z5SXno5ovpOSM0ocwXumxXYe7o9CmyREyNlxl3B/YShvtPxWAR+W8xHHvyTsyWOvWwh8IvHSudBP76XgJ9sIpvfMUf7XFqhBfEHRQZhvuCa8zGCYxKmT5uTMO1x7R7svTJ1svDw+ihAfr1Sc8GSNH/WKI96C/hItH4duEMGz7Xum+l9hPYLb6gXp43gDT7Rfusxx+Z75uBudbRDct+dYyiNvotezk+LscO+XF3JLejDJwo5fbopfcvVrnEIH+MztTeKkmAkipjhPxezmGFIP+lEUJXB3lRJlndJwW0DeM+w9UzzWRzBaFOQeTvIozuDtOwy8DTX3zBc3jtHLjQZBCvFRgkfuKLX4IJvSIS6MqBBXJXhlbkssBOZMYiXfzO1V0GNOeAmtEGXwO4BnyioM6/YMlMC+NY8z5CWBZ9Loet5flkVp8B8QA1NzIo85o32wCzKclRZIkRX8/cb84zydzuILMzhDoEKHJMce0fsBzR3zUymnyrf3lVCIo6ARp2t4OJ5CvE6jyrc/E/kkgdEhplSLDF2lUr9JfCejlViZ4G4yDBPyHpCqKF0nGHrVyg2IPXKKOymAlHy13qFMuf0SRPjlho89SKWSQhCn3ll9digil1kcfaJM1qIYvyfaAvSutNodLkPTpfyOxcXd8VDxW0thghwAmeqX//M1Ymr/9ULib/X6FDgdc2p7ttZ5+ePh29f68YV7+EbgvqTQcwCG3ku1UAyBLt2VqS0wTVrnlBYHtLWblQHgAqA4TsT+GkDkZZfJiY8RglS4WV1LICjKIK8+ST2YQq8f0D0nzQ/g9a7n3VapBqv3TKHKu8tNok2yR36vtuAuwERfZJvq7XIbxQuyQ+i/CLXU0o4aKJR1z9yWtj+La3IWR0yNj8OEtAJMTYqSNS5ZLG+gpnceEeIkP+H6VNZfpyK4dmE994UP3FUIBwXtlxXkJl6R6hEmZ8GByOYquZBXmtRdFIPVy00v9nKqy2L18eAaBfBxuXSQIlYcFo/+cSoZbws45iem+kiahUNOwmnO/FH5G0PvY/7JCHE6cIB/sII/TnU28+nm90/Mt8q3CnAw8I/R4LBVufRB5pyYyrdzmWjEuWtFQ/S2YvgbA0KPdkafPeYzYG7PuqeSbPJbNjB3hSeMutpsYEkzftIfMLUIMuy57Ep5XJyqYD+Nt8wn0lkWxxgYedBjtgH2GapMCnYB9OmSkYNyrzg59CFn0fIQeIi6SAv2qYyc/yhbm8q5TN6efqfseHPm7h3KiDauqVPWoUvKv4+QS2z+awnxcbLfQJ1TJkJcExxwTpATFmF646A1jf5leCMbTA3+J1P14wxHTgirF+e+KBDX+7QsFyEexhmmleRdfRaPSI8tRRsnDZwI09LlCmVS1A3S86ZVYE3jNZ0CEAIViFX6Wut6HgkcghMGKGfIaabWhxkOIucweAh2TJWt03+f2Srzz4oWp/jgQLXnNE5ginOGIhxDnAaA+SejQRJdj6cEOtvgKjdOcd+JDum5JOF9Wui44NUBUIo8uGMKLupXq9+/7iDKw73143WlxGheLI4RKZVOE8VMIcr4lY5mylkBE2TMKoq30aeDvAv8NRDFOKRRo/q1e/u//6N296Vbs4v0Vv/98fNPtZc/uHuObbS+fd1Xzy4iyN+9CcQRdoIoY7IiNzHAd1KSHNOMXP6D6ud7Y4iyCCpYvbs22X68jVDseCez1VP0NoS/W++93HTRIk4D7Idna/1gATN8WdgTGyeF/T9uq8PZ7Pn3Z3VizUnqJ2/a6VWZlM+0MLkaZGgQny0YxAVcBAvk99dTD/GHh6vjQtxlefYXyvYf1ehnfcVNXHTYtHSt1l4zbTEijNZqGfZgmtJn+h/ln3to/tKirzn5/4GlzyHdarVYtnpfqdZqKcQp3W8XqOh7zYPIoasNuhoXdcWpV9NTdEeS0Dot5nMH0n6UaEprJTAfzCI3DsBrhxT+tzQiBggOncxnaqMAw9RBZXV9FHjtaELMyZru6gSmIKzER0g6M6132tWzHqkk+4SQCYOM+ukjsyB+XyC9Z7ZOhA9oP/3r7ZEGcU1M43XyNugfYwwVwygGDqInmRr1+jJgn416mesB7t11F/U+ksvMTS7rAhCvoyJnvEvXWbboemEQBaSwwXFa5Au6+dsZ3XoGU+afjOnDFJ7qp5vf65rUrxtFIETBCjJVrcbV2rUGV/uftTbLVplvd/WSxAOpF6J7drJsG6feJZUXwac4UNQ8EKxTQtmpCKZzI1gEQKZW/h6hmFo3e0ZOEBUDZiFOAaT8X3L2cYUwf1S074Mery0pPbWNb5T458DMUYtwA9PBLglSmJ2Ona9eS1V1Ii8O35ftwQL+HyRw4uowmjlrrsjSlxem0arcpJSM7wwG+TRPcLxIncTP66oiFu8aTDcBgM9pvAk8mB5wnCUxeuVd5dx4Srpvq06X+w/SAHw/RZbgd9cTjjEkFd13rZC63NF3Sgd84zxZ4T3F9m9v3V6T+gcHaTZq7VarenSOolchlJwACpqYIrwwh1vL1YM3FQ3Ll3EA0jiLX3H9mZSHGv0Ew8dh6EReVi9gir5/sAOQRv2XqzaHyjDIGIcJiyvi1/LSq9agm2UwxbUfBBcYbR75yfhZnw1UpTsussnxyFn9cyh5fCejJRAtEt6AH4I0QfA+Lf04dILoRE3xTrUB4jBZY5iWZScfhFKUYScCkKnxyMkyyrcZRM3G73x5tpjHnxWJByT1ZyfFk9cT+oKX6lWhSGDOxegwHoX4lckg/YhlBpEXb7OvHnTXi68KxBrEa/oJqnooL4s7irnY6f7DKk2FV1TcXpNxTgLti6/R/MRUS9nS7RLhpYSJTEh2PR9BHWu/VwzTrZN62Q+arOLr2mWHdQZYeTuwPEB7cQQ/nUqp781G3hljZGs65K+DkvhP90y1XKOz8uuPX1Tkb0dkp0bUSTH0PtF8fDUL4K4mLJcsHCGPXJxNTQ6zQNKxwcRJYfU4lLiQYvlt8yS/KhCFfG6ysdlUWBCitc2xK10UWIdfPckDIwdhJ5+aCuuYnbU+lJEdGrlttpe21u1IvDfzxM5W3sYrfShv7KaMQFOZgtAIbUtGbqggqc8uZE5JXNFYe+KuPW101p6I1p6pRzxSkMdzY7eh+J6INm7QxTMRsbYl+67Q8z1xsZDZ8YPFgydZ9DK3IftuPxlPDUVXDV82BsqzOtAXz1p3ywfzhVzAPNmWn3h8dzUbCDNjYMw1Q+3PWFXgF7/9Vr1jvl1KDqfrjEiO9Ej10ubrdBF6fDe7kuT3P39/pTBfswDDOiC6uHl1UEaFPNJYPNI4XtU9eRb0+qoh65puy1NW0FW6x2J+xcmaLofqQOlPDWVos0JT0+WezSJjNlAEoyHb86acuEN5OueUtmKpuWcu9m7Db2p9e++xSmTqaORyiQzDeKvqQlOzwJNqJoKucz1l4PXGhiFMLa+piePc7fccnZUHuqH2bNZujodo4qyM1sxMBI9tDwwLKYao+io7aEGd07WZrBgDoT1j1d64m0yMAWrNlsLGY43/VA1Bmc7U4XQmGORej/WX43C7NZHCq4KgT1GiTFfccBqhncopitJHPZs1hlNWOb57rCHxq8FW0wV+Znm2PkP6RJD2anPacoYompm/tFyk9rRInk1mvcmssW1our9XB340bcjpPO8IMxP5oNHpPXG25ojGkxeqeM7Nn0wdj3VDanrhbjQzuZ1n9QR9b2xtMU7nlqpoopQ7yHiYIlmZLnuUD3ugRrrh8VMkccbQ3utNuTUxEhn0DWu+XDW1aZxCnRMcQXAMHutT0+Zttm1qgqKoujeYGl70XVgNt2e6EetGoj9xak8fyNEM2ZK+4nh+JYSTgcEbA2EwNQRpxHI9l/X606Yw1FmWnehyb6YrvbGIezPdsKcsUtW+kJkzjxvvlc3E8AYTwRNV3VZAA7fGJofGkfRkip4CGkmuzhRkCD1JCbOta+56mun3tKXaMpAXqnuFB1yiOzPBGq+E3rgv95VBzLpCLwdBx3J5PPU423BY5UEnNtiNqe2OdGOi8t+x67/qdBdzQ6b688/rz/OGkXtDg3XM7dq2fCTxXCjxnG+L6t4TO7mt9TS30WEl3utP0G4Kwk4EQgGrosDOjR2em0rsmG00N1VsDdXcsxTWGiqJJ+rreVNm5W2S2EE3lge7ns6pgjlA+pTtDFSti91QX4z51QLmPQRFxEq8+iYQvU7j36ofYjVJ413+HS5N1lh7IcrdRhvbZpu1ZvGD3jBY1Ww3HEveuCGH3Eg155aczE05s7VFpAmqrgudqb7qzE0NZBLvxd5Q3U6CXzZgKG/gcEUk5rtWL7Nn8X48k1pyvl3ILOfPG37ihnr0NE3cqzu8yTKZ2ZYquJGdgLCzdk1j7Qm2D0Lkz8MdeuI9yRDUqc79W+6ezC7uBbsx32orQWs7WnY349k8G4XKBkTd0/0FfcrBEuR89SSLl/ImKWvKX8l0xn2QJ183hN7M4nrajPPtZ9NnvWH3YZR3tiDstKDWRlAUMBB3aLIc78bLRTTiu9Fs1XnVBfnZFFad8ay7nszm6zHf2o72g8aIby/dprwdhUZrbnJbV6TyCt2mjAgfEr9YAeIZIVraWi9xg173ifeWbqPNzk20ti15RWlrYG4eGpltTaMnbbWA23jlNIw2TdGsP5oN2AdLUGxi+TNj1/csmaR6lqbsobxxBQV5wm5mW3LDMRUEuG0k8dlCHioIRHYyb+hPjjlfPAkqAs0pLsqId1K6iBGk9xP9TrFmqcg1ernb7CEQqW2J58aOpSIQClmJo6CT5yZzk0PS4EpfPKdDq4ekAce5QzXRm2rumO1I4jlzbu44W+uu7Avbmj69TpMOH7aRN1RiIldb6zUds011LA1JWdIr9dWNSn3jQsZGXuq08z07mDTIfm//bBGe/PaZ3h7G+0E+4cFCbshtIAp7kHOZYyns82yXkTLI7bd+fgre6ptG0Q9FFj8ma3+c91ZMdRtEtSj2YI37GJKiyZDjIDpDVZb6VRCnSR3uHFIQv0G3zmB6jY2sZV/YF4LrxilGEWUTdTZeup4f/cpcduYHwCpoRa00Z7peyEVv7n8NCFGX96/WLkwjiCHNK+eDaqbqY5xkj58/h0GaxumBrc8brt58qDc/u0H0eVu0WJ+d0HtofSbIEMR1uCP38I9fV18vlsqqTxt2G+0Hpsq57CvnOtxf/e/fw6DjhdcMHpeuGGz8dzJIbPbjBfiBzNwJUfXU4sBc9oGITNuS96SNkZZx4DSNwDaFlau108lwvHbMXzbeUghsS/UVXsqkECduOA0mgfzkNtCaxEA7RJFnyWWrQs6oCWgoGxIToCY9wFwOSPUBmmo+t3q628DIDeg6e3gmMI7ZzpSgjWFkxF6420KTS5XI34wbxlYKtsHc6iV6GWtUs70CYidxI0rLyja5zXk8UZZTdpwTWhR/SmAGvg8aPgK59GDm8t4RB7kymz9MRCOwZ6ChmPZyHqrL8d5fjZfK0l5Ku7E44CbiOFeWU248W+yV/qA1XqrLcV9AijnfK8teMO5PW/PZvDmZzbfKUmop+2k+z2Xv1WIzKWxvbNHQbNNLCt7VxG20gkmUBaRj0RudpdMwWCJ3N+olQNQfRvkvm1He2gARbW2tc5GrRqaycSPVJ/kZhNNgxMt0zxuOgwnCP0shyR9EluRefT1v7DjQVBEI2q2RmbVA3k7cvMO5IVo7lprMzV0CQ2NFZGubdmibCqVlFnZm84aP7KGR2ZrcsQgvEclRSmxbY0q/LaKcnHebcpvATPcJsIRe7ja8fG5yg7ml+pZwVVkKu+3cUpeOaOyliOu8XwH/dTNPHAx8mB3CDoij12CxTumnVpZl2Z9CmC7gO16A55Y/dRvqXlrGjfGQfXpL1ToK8I+jyzsFqyy2OVfcLp613sS2AJ6FBquGKLctz3fFneaZO3RM3uKxCFmMdDUBzV42t9D7e6GxLJytJ7uhvPHM9kriOVLWs25D2bh8T59y3cVI323mDVIsdHKP7+7GfYkb8118mFtIAyFzxU6z+hFu40xPPKdklmSgcpDMHFLp2iH5bFNlavS7/jqZ5Qlk+kHmuAh6vxZ/ZfV9IPrl4P8HIesszjbgXyLjCPJhIi5bMhVmxZ8yXKItPzPD1PseajeO36Ama4e5clkcvPmDDKbKsixXLcyM9EAjvY28AekHjObc3GV07BSizNa6+PTcG7gNznfM1mKkG2vaI5nThRoKGWjob+uoJa1zLl3xXTOXEzegYy/SXabyNl7NLTnyTNqv7A99gxN2Ejeg/QimsSy0Ezunfcefd6WFC/i2yK6hKWCXBwkfqEsQGr4nGnv9WOcTOri125wungYe8njuWJe/72qXozxJeHckR+7yQehxtNcaKqJDXJf2B+MHa2j7AO0yx5RBkT93pB9IPVOmtI9MO5ub3n4UGmsvAE/y2f3PWjeSArB4yrureYjWtG/gClhXNNiiBpcWI40jdfjKbXr7kXXsK8g6yRGhY4IOicFeKOSWuEvm6ITDEg+ybrfnJpfJeTflA0BhbUtmR6aagCVHdNCYWzJwRRRYRxpVAEScSDyL52Fn4w0VFoTCdmTS/Yu7bUtdlnC5GxqsbSngHRjC93pO6gbC9zaOCO5CbiWde0oL8kSlkKclr23S91zIhZydR3ygHuVM9KE3VR9EU2rz84axB3kXq8T2jaLHkgI1cMw2OKtzEBT1QOK53lG/g10CmtOFLAq53TRoL0XwzMLOxLY8q9ADWIyMng+aiu4MZY4P1LVn7jJqE2e2qonC2hZ3iI+8mNoMv8Bu2GEl/kT3aOX7gDVapLez+aL/80QhJ7brigYCfBfrDSrrFci7Oz5EIelt56TPpXI5swdTWNt8z9X0X9YF3+zDZEVwKyzIFxd+Sfe1VSINsyd5qCI4JPZ4BYsojT1X3Om25bNP/Fs/eNLaOggRfuJXRZ/Lqyw5K/Ecpvme70bWChvTlTFWDfVV4wxe1YXBzOj09JU3e9akeBTEiRSQ/rv3M/Frt8HhOUlrJ3lSf3nKu5HEF/4yMwWW1CmAy3bWNF65kZG5fLcjDdrIy//E7w2FnVsy61m9skcWOE/sEHqTObEZ0djapMZkO2tJvKi7FiNdTtxQyCG1Kb/AzZ9o5lGBe2Sc6UVv+66pL47xoRu/q79n0pMX8bjoxSP2INMze6G20ncbKuFtbWvdLZVbSNanF/anWn7iDRRSDxJ8V3ahUl+ytUVE/Lf8VOG7uup7ogBcU1g6IlpTPzHO4lmEfNfc0tkUxXdWC1qz+EEVadxATx+aNh7rymjEd1feUOZsbfX0JhcltH2vvpJG2CeJ6O1XM6b63/5hJlD3niiwJa4/5Y7cA4ZG4IpoecoWMuei3dIdGntPNPKRKWwdjWSF3cbOCV5pBZpEA8Zl9AzJvvQkU3hlCUK09XhKx9ZteghESmybu6zIGDRaEdpCpywy3UZbdiM6PSLFY4OeaRosGJKitJO7psBKQhEFRrrRsk2Fo0Um6m0I/VDr8dAiEW+8KDNIEVm13ge0LHNu0N6C/WBBZOKYbdZlD/yCxfOgbcz47k/Pq/HDmy5CPExDiUVz78ikmz8H8x3Be4wAApZneXvgWDKaN9UNiJA3WSb9slo4W1/F8rDHzcNdMs9XTyaLnkcrm+ienLdAiFhbFzK3kEssBerWM+XMMa8ym6Vw84aCQHNMMhudYnqiHoz4bgSaxrLIRCApIrf/vtdYPukS90/X+uelpPBue0PonzcWJBrsSQcJhtMFqeYKug+NQSeH1Ls9WhG6ovEuTmm4XegN0hhwz/MwQfPmtMgEQW/pmtPyO0JnJfGdJZ2kRsZabyi5Y/XYcrp5sMFU4tXEjdTNTOyQqPDn3wq2yfe+FRyjHokA/zcAAP//RrIHGeY7AAA='
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
