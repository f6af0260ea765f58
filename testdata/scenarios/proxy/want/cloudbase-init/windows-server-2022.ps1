#ps1_sysnative
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$state = 'C:\ProgramData\machineadm'
$public = 'C:\run\cluster-api'
$log = "$state\bootstrap.log"
$runner = 'powershell.exe -NoProfile -NonInteractive -OutputFormat Text -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\run.ps1 '
$output = ' <NUL >>C:\ProgramData\machineadm\bootstrap.log 2>&1'

function ConvertFrom-Base64Text([string]$Text) {
    [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($Text))
}

function Write-Log([string]$Text) {
    [IO.File]::AppendAllText($log, $Text + [Environment]::NewLine)
}

function Protect-File([string]$Path) {
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    [IO.File]::SetAccessControl($Path, $acl)
}

function Protect-Directory([string]$Path) {
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetSecurityDescriptorSddlForm('O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    [IO.Directory]::SetAccessControl($Path, $acl)
}

function New-Place([string]$Path) {
    $directory = [IO.Path]::GetDirectoryName($Path)
    $null = [IO.Directory]::CreateDirectory($directory)
    [IO.Path]::Combine($directory, '~m.new')
}

function Move-Place([string]$New, [string]$Path) {
    [IO.File]::Delete($Path)
    [IO.File]::Move($New, $Path)
}

function Join-Parts([string[]]$Parts, [IO.Stream]$Stream) {
    foreach ($part in $Parts) {
        $bytes = [Convert]::FromBase64String($part)
        $Stream.Write($bytes, 0, $bytes.Length)
    }
    $Stream.Close()
}

function Write-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $new = New-Place $Path
    [IO.File]::Create($new).Close()
    if ($Secret) {
        Protect-File $new
    }
    Join-Parts $Parts ([IO.File]::Open($new, 'Append'))
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    [IO.File]::Open($Path, 'Append').Close()
    if ($Secret) {
        Protect-File $Path
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}

$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
try {
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R6/3eiSNb37/kr6u03Z03eiY5ozIyZt/esoiBEUVEB6c4zB4qKoMWXhUIlu71/+3OqQEWTTPec3ec8p09agfu9bt37uYX/F4wsBwE7A74FXS9AluM/gjgNEhAGEN2BhIRRAiwCiIvAixcnBLxYHk5jVLu67sdxGHcg8cJgEqMXFKMAIvAZVGYkjCpX15M4XMUoSS4eehgFBGd8GBAvSFHl6johFmHP+MevjMnyexaxvp6MqlxdR6mNPVhQxWnwFeI0ISiuWpFXubrG4Qp8Bp9yWV/tMCQJia2ohsPVp6vrOA0CFFPmKNyhOHERxjW0R6CqhJM4fPEw+xpIAUGxBYm3RaA6TkmUEiGMfYuAOdoTUO3vEUyZwyH2YAa6WWQlCagKVMCH1lNza1HCgcrVdciEUkvA/1cWQ/DXv37MduYFaPz1LxyNg2slLFgJsWLCoocieu1R2+M0IsipXF3D0KFU3NXVSxqwNQJ8GGxRTIQ49KtdK0EP99Spmy8Jib1g9XxNr27BP64AAOALvaj1Axg69Nnj42Iu/FoTEZkx4psvhbDnx0cqLxdXPMsF3V59K+nWY4+g6jBcfaBOGtdoDJ8fHztRhAKngzEzjq7rHWC04CfwpR9svTgMfBRQzQraDb0AnWuaxCFBkLAlOSmbWMQ9KLu2IAafgYJ21bG9RpCAGYJp7JGs1oEQJQlNzTjEzKLDoyNnbYbI4WYPJTD2IhLGM8fBNFNuKr3HyU3nt9+Ezm+//TZb3h6/dzu3lTtQyTVUbi/dniFypvyGmXzHVL7vYM+LESRhnP2bXh7l/GlXx4/dTu7uWOKlssun68Lt8S5A8R144/1R+Z8KAXVqgi340QI7B6ngM9NCHz4/PoqIHPUplo9yBbkx10GKcUFeNoqPkUXQKdYn2ScnCvF86NtegEokd6DyL78WoF3l3P5RuEWXDihodwfedaeUJT2EETmzu/SQSr3J5RQEZZ1y6AXViRWT5KDzyzPVE5PkjkmZkRhZ/vN1/nlQ/hLGyIIuuLmOrJgALwA5z+E5i52dEZTQ4P1RVaD8tyeeXE2NFYabXMIdqN8VwmpDFKwOPn67KnPwOEzQzXvl5e2WvwNf7DDEz9czBGNEjgE+un5MmQDtit3C1iWP4GWE82S4ocS3RzsojfcCbgod5cCUaxFTUXLntB5FRMFNSdM4QgHTQ0sGq4iV21zVKXdyo3NDy8HoOM6/F4p8J3wnFrmFueSjiX8+KEfRPx6VC53nmUCxR7V7aJw3X7yAPF/zoYOO7sUIhrFTAgsHRLNOwuDT0fJqEJKyv/29l5DkpmC/Pct/QtvT5zK1iqyzHnb7hjj/rMYoYjGufPmvrwGo/uuZVsvKR9TwRG5VX+vV9vM/Hr59rR0vuIdvlP9LjBwLEuQ8nySx1aBSiq0FqisC7uvth7Inb1TWZqmdFBv4jDlnPTJ+O1n84iHsJOethw8xRmyBktosQtCzsPeKnNo4dlCMnJ7Hnllxdimm1nGcmwrDPJU7kIOf2/eJKA6iNPTzAxK09wjNBUrGcuJ9MhyuKAX190RRWlxWbY6rmyfEHbgpit88rMpJGIAqH/oRxb+gKgVRSopQFJpuy6WtXGLCKDvJ/FTA3hMUrJ5lK7UyTgs/qHe5X2c7Qgq24QZVZwRFpYpAA3nRb+gl6/E2DuHm+bobOtlx1+RPHg/oMxdw9qjAoacdfXhwhKL05hEIgptcBvgJVB5BBfwESl2NxFkpK/8CmC3gn0AI474F3UNa/aMk7tP175+KcOb/Q4tAtyTlnPR4+7xgnBldCDsvL1ZMqjNG8z74+AuAvsNmi58d8DMEN4fho3CQfuZDQKlKDjuzed+Q5vy41wfVAIH6WX05D+QZ9ZGIuHG4A5/ooJaTAxQ4yAE7j7h5ajD2M+ZP73h4SJcLF8to/dRtjzWULj4dcT7lCQn+VkwBV3mIT0F7y/EBxnlDd/uemXThLk1VUt+mYPNHbad762vB9ed8eMN5ZqKISFWwYNkyyz/1oa2FUzbIVU55QAlAFf0dVNwwIYHlo8pZIhx4viiI1HpBkoPaQZgQhmdva/NwSAdcKdhasWcF5KZcZi5URLG3tQiSJtv7cy1xmLJ5nDqgIKKyy2rHcWg1EyzfwxmgXKDaQwnxAutwBODtQaVeY/9+rlfAP8EsjMlhs1YncRihmGSACRwhEnuQ0iDaGo5UAjtl4E7WWLnekz3SpDDlfZvYDP9iQSQFDtoX3tQu7n5f7SHUB/21o9qLiDKgkJOXo1jaj8VIX0lAHn0vAZRnE4S74FO5DZzg8zw8A88fjuNdCpZvCu23b9KvF+4CHFrOKQUXMX6n7BeXHbwKY4+4fulez1uhhLwdBwLmSQD+dlMZzOeT3yfq2FhS8EGvZqdLZVx8P4NMF5P8DJHSDY3mro1RruTuklj8Q+LKqIj2WYf9A3x/HUYMmIDP1JfqSzJbDanh1WpCHBTH7Ht+I0YkzujXVum66iBssbsNdjek2IEhdxrs20NTSOP8xOmg7keLf5FHlP9PVPRihCepRaH8DStFHkYDK3FBdegRFFuYdSMWmOpx4cEpB25rlPpkZiGNGniRFB8MqXRKem87OIwZhC9g51oE7KwEvCACXeTQnVHoKTvy/ZFnhkhVjMM0er/WHrcpC8QwhBZm1KDK9mNRE0vnmeDylPIc75cmpPeFvdNXqeYOhGEa5LX6Q0NLFbrj+F7gUWBCwvi8RjOizyWHFgmKwT+B7qIYnfDR9e+1mdSraayYVbG3QaAyq3LVVrXBVf9ftVWvV8C321rJ5qP0NwGeWEmyC2Pn3PSzapITnEAjgmlMzTxBY3aehPKyBqrF55ETVDvJBFtekB+3CmEM0TEw567++NKVwjb7WMTRhMLqI0+MSBoHZ7XkYvm/Lwwclx5tUdzfR16MkhNZ+e6bsKtW4IT++8Ev581/IDxvXT2c7JRmOXrryzNo3BfjNDPvg5NGPs4iEq5iK3KzmqqI+fUMxVsPokkcbj0HxWU5pZ7GVBfgq5R9hU83FavD/R86NnzcNQsRt29OR0aIIrYP85ht57MtWWzwN3syOd+UOdnnt2VmJvUO+67ZqLbu7ytv9tz5yEOtPAnI7QV5iTuoKbw4KzinuefLyINxmIQvpDahiHDGXnnwoe9bgZPUct78TKO/h4j1pOcPpqUDaLGAn6sMXwoj3hsgOkmCYlL9TpFDwfaRH48mi3lfVTqjvPGdkb0Poqgd0MIYOeCNjD+wphf6lhec7Mmvj4UKhn6UEvaGiC4d7/lSkBArgAhUeWwlCQuB7gXNxu98QTvLEoL8Cxh4EFSbWDEZv5yrOXlUufCI8pajawGHcf4GEsReLOle4IS75KuD7HT1VUFkhkjK3gtVLgF+rhNUrcAp2XO4y7r3B1bdXJpVNolN6Bfibk8B/+HzczY53V69eYsB8ic/Lig/Gbm9OmXq4ZUYDcPbk7vTQGnFBDmfji394gSAu/p29fbM9w338aizdL5ysIDOViiyYlQ5HlGcTZzF+8DToFmBopAt9XqoN5U69HFqcvXNQhTqFr95kvtaBv12NtWVuqW308VAxqavZabeWpuzTlvinbkjtnfyLtwsBvLWbMoYNpUp9DXfNGRs+wqWevWVzCmRLWqpI+5b00Y7dUScOvoi4LGCHZ4b2Q3FdUS8tb0OmYu4bhqyawtd1xFXK7k+ejB4+CSLTmI3ZNfuRaOppixUzZW1vjJR+4vVZNbZ8d5yJec8T6bhRg7f2cz7wlzra8uZpvbmdVXgV58/V27Bt/PIkThNaOSSCMFakYO1KA73GQ3i2akEqPzyS/qzXtdSx8eZ3WgRU2/VjXn4sGhodVVvNSxD3to+h+1A1ZeGHC11OTFnq2AmqIuF0J4uNu2lPoOJxDuhM1B3Y+/XLRzIWzTYpKbhurbRTcx5+DqaS/dytlvJdc5dNtzI9hfB0zSyL3Q443U0Nw1VsAMzgn47tXUtdQTThT52l/4eP/GOpAnqdMH9r+gez8/1JnSpbdHdwuY0Gc2l5nDdSUf8/X7It9b2QHt1RC0b+vvtsiEkw15/VzzfDV9XwZDvBHNdWFsiTs0ZjHhPxWe6+U5b6ndCue4uNKH7shDkiS5s2tZArcNeuB02u5nddFtDX7tf6tzOFhcPo9d+NuaZbedxmnM/GKPWxOC6sznnmhM9t9sS268Ov9uP1jC3fd1Phr6SOIZSNw0ptcX2eqnvktG88G3d2Y55GPG+uYW+5i4bq9UTr6ZLncOSiFPmU0PZ2oHqWnoLQ3/KYmE1Nc/U99jhYfQ06/7Ce52VxHc2VkNrsW1Xd4fzfv3BEBRzwanCXNv3HEOm27fOtuFA3tqCgh1hPzcNuWHpCobcLpD4ZCWLLdfWF08S31lJIvYl3l2YhlIfavm2HC72EV2rpb6fLg01lHg1No1NJA2SnIf9deemMSUzQ8W2RmPfxTBQWxLPjSxDxdAXkrzUFDbz3Jj53D/fXxLPLZDRxVKf4+yBGi2aambprUDiOX2p7zlz1tmYZ7k5zW0Y1J9eplFqGuqrxbcwEhcrp4FTlg9899U0pqtibVfyITcMBcPAxHCdr//E+CBneoQ9h6/cDvrtezSj8gUCxT0er0f70XoVSLzjIaPrwuaI2CJ+dXr1X4u1/2ncKOVKLynnyi9P3tu9IO/Cz5XLyvXiYXQoXEHoXBb9j3/V8nWT2vSzllk+rpyaAcpkF4pYNw35lRZ8aR16eZYJG3vWiseDUWrpv26dteCZhuoqvJRIPolsf+qNPfnJbuCUZpbp48Ax5KKoUxo1gg1l6/hahmbSA8pkz26067CpZkuju7AbBNseu18/fJd8dWc3zAd71iIo0ELH3++QzsVK4G5HDW0neTtvaXSjRUPLqFxVb22g2I7sgNmyMXVuW141ZT2tjzJqi+JOKU/fdWHDxTCTHvRMfrXEfqbMlw9jUfPMOWwourle+up69OpuRmtlba6l/Ujsc2NxlCnrKTear16VXv9+tFbXo56AFX35qqy73qg3vV/Ol83xfLlT1tK98jrNlpnsvBj1RPJbW1PUZqbuRLnvamQ37r1xkHjLphwtGu211dDqNO520I2guHgYZr9uh9n9Fop4Z87aa7vRqi91nJqGvBnqZ1XBG/Iye+YMRt4Yk18kn2Aa71zvIl029hxsqhh6rfuhntzDrBXZWZuzfZxahhot9X2EfG1DY2vqpm/qCrNl7rfny4aLzYGWmDO5bRhc+/1mmgbem15Kky0OEEHJBw2VNs+hxjZetGwsVsMFKz6rU4HrkEVTdWGgclBQW1BcrKaGVrcbHE2xdeVHrAiTReRYhRF0riuGwWJgrexSK01QvK2AKjtyT6N5FiHQ8xLLxsj5LUdrHzOxI4P/hCFpEiZb+KfMOLL8sBFHfKOiJH/BcC4RhgGxvADFzkdS16EXXBafd9ZWFuXI9hhW7I3xPqZYcWnIgaMzEPFKG9WUXwWW345sjzZiSFha+2ZkZqwxU74p9NsB9AWiikJ9qe3JUldCmvZLXSWGSLilr7mmWE+RLhCbZ+CguTTUtUVBAc+ldnO6euo7FG8em92x4eT8CW0Iw8U55pWEd7Erle/bohDA7OhbY2nI0BaxZxzlqfBUPrmCvoXtYBnwnho7uoxtUauzZp1JReNl8Yol3oGn/GfNy5P4OqENzBTbTZhxryc/6mRZlN3JYvRgDEwX4n1i6fJJhrCnpcO3dFjEqEPjjGEwJaaIsz/g21mNzUrOOnEBMILhjCuV7w7JaYs1e+VoLLAjKrkMQ6YNGENu/w4P843ZRX34QTnHuA19SnuKJc0FGsu8VkwJnUmWDe0VZh2i+jgxC/Aieapn6a3S2hziy3Wh73AMTPb3EWxOV7IoZGZTY0CEypn77bFpOIaltzZ2E64oIIJNZWENZI731NTR9wlbz1JOzkQhNcU95gMntPQ9lvgVsf12nYKmg93DjevCunZPgZHJb1ZoFzIQdfSlscem0VnROsnWejBajaY5jaUvKWA85DtZ6q2NJBB5nrVEqo8OKKrh0pbz+sQf8vYSrHU2jqjdMxB9wbugfvSFxBZUjAbTUBbNZKk7r0+z1gL6mDzxmzLoi0yvE8oDRrsa6rRGK6HEO2jGaby62Aua0B5qC1mYLlTFqAszlRu1JW+VPnkbT+bhpV3sTxZbnC3uVpNZd2wakORtH9M5lMx9gZiz7mk/8dzcEYXMGWg7bUDbZrfrGOrW1oW6pY9Ww4WKoail5kCZ2F73rKVKPMdbesuFAWbANpfdCeVSjXjKOoHEQ/q5metCnbZGyCV7Y7Z5Y/dp/T62t9hXpb9y7VL9pb5/NYu1PgDbEsDN413KN7rWTl+hLX811FtY6nVOMRVpjk1XH9BTefZs8Wua75f6w3ijMhvpEDt9jWAx57v2QnUdUYD2YSCj+0jbn/I5wK6t74Kn6TvANQrZxP3iBV7iVv74BXn+O+TzQ4v/8YMJT311RKFeyPpuA6J64EDzbBGv88mLFlOZs/H+hOR1YWfN4JMs7rcmaxrSBjZpEDW49NtbZ6DUoS/sKOI3M+lJpvx+C8O8ee7spoNhoISmvk8ors0TqU3t8vOiwo3tRku2AzZZrR0RNxhNU6vDgVZX/XZGN4AkFBtzod2busIxjI67W2o7mnX5YmJZDRdmZFOg9f1Fzxz9PoWD0V5iBzVtzhl0OVZIeLia9FvanO/8NNmMHgyhm9kNJ1vqXH9pqK4hHk4YaCJy78Shk0285Z7G1w60xD4Vp75lyHjZVLcwwM54HfXo5OyIWun+JpQHXW7p76NltnnS63gy3FCfNEpvQB/XzcWpqEmeunN0ObF05dwOQ+GWDQXD5ihdNtpswnPEhUcncNjU1nmDodM7m5LzzSPijGJnuym3zovvxZrzUmly7/p2k24eWixXG9hQMsvo1tkJwPs+D0xDZUUaZitPHij1paFiQ5S3dnPqPc26v0qCsqXFZ96Q/07tKZ0S5EWVFj99mpqGiyW+vZH49prpDrTU9rWMAZKBsoY+3jk8BSXq1jHUnWNMo7KcogG9OZh7U3xKfx8e0pXkvhRF72UaFfPGBz+MPRQMJwzQp/Mfg37087l3fuGWpOxX4DUY+hFGBH26A5XiHvsd9X8HAAD//45R9CC2MgAA')
    $packed = New-Object IO.MemoryStream
    $packed.Write($bytes, 0, $bytes.Length)
    $packed.Position = 0
    $plain = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $file = [IO.File]::Create("$state\bootstrap.ps1")
    $plain.CopyTo($file)
    $file.Close()
    Start-Service -Name Schedule
    $do = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
    $when = New-ScheduledTaskTrigger -AtStartup
    $who = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -RunLevel Highest
    $how = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    $null = Register-ScheduledTask -TaskName 'machineadm' -Action $do -Trigger $when -Principal $who -Settings $how -Force
    & powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1
    if ($LASTEXITCODE -ne 0) {
        exit 1
    }
    exit 0
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
