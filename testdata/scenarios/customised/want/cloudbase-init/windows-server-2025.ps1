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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6+3OiSr747/kr+jvf1JrcEz0+Ys4xc2drlQhCFBUVkEzuKWg6gjaPhUYlu7N/+61uUPGRMzO1e2sqo3R/3v15Nv5/MDBtBKwUeCZ0XB+ZtvcIosSPQeBDdAdiEoQxMAkgDgJvbhQT8Ga6OIlQ5eq6G0VB1IbEDfxRhN5QhHyIwBdQmpAgLF1dj6JgEaE4Ptl0MfIJTrnAJ66foNLVdUxMwva4x68MyfSeTGJ+PQhVuroOEwu7MIeKEv8rxElMUFQ2Q7d0dY2DBfgCPmW0vlpBQGISmWEFB4tPV9dR4vsooshhsEFR7CCMK2iLQFkORlHw5mL21Rd9giITEneNQHmYkDAhfBB5JgFTtCWg3N0imDCFA+zCFHTS0IxjUOYpgQ+lp+JWwrgGSlfXASNKJQH/Lc/64K9//RjtSAtQ/+tfatQOjhkzY8XEjAizHgrps0tlj5KQILt0dQ0Dm0LVrq7eEp+dEeACf40iwkeBV+6YMXq4p0rdvMQkcv3F6zV9ugX/uAIAgBf6UOn6MLDp3uPjbMr/XhEQmTDgm5ec2OvjI6WXkcv3MkK3V98KvLXIJajcDxYfsBOHFWrD18fHdhgi325jzISj53oHGCz4Bbx0/bUbBb6HfMpZRpu+66NjTqMoIAgSdiQHZiOTODtm1ybE4AuQ0aY8tJYIEjBBMIlcklbaEKI4pq4ZBZhJtNvaY1YmiOwWn1AMIzckQTSxbUw95ab09Di6aX/+zLc/f/48md/uv3fat6U7UMo4lG5P1Z4gcsT8hol8x1heVvDJjRAkQZT+m1ru6fy0qsPHTjtTdyhyYlHlw3Ou9nDjo+gOnGm/Z/5TJqBKjbAJPzpge0cVfGFc6Obr46OAyJ6fbHooY5AJc+0nGOfgRaG4CJkEHWx9oH1QIifPBZ7l+qgAcgdK//IqPtqUjuUfBGt0qoCMNnfgojoFL3lCGJEjuQublOpNRicHKPKUAtcvj8yIxDueL6+UT0TiO0ZlQiJkeq/X2eeO+VsQIRM64OY6NCMCXB9kOLt9ZjsrJSimxvuzrEDxbw84GZsKSww3GYU7UL3LiVX6yF/sdPx2VcTgcBCjm0vp5Tzk78CLFQT49XqCYITI3sB71fcu46NNHi3sXDILnlo4c4YbCny7l4PCuG/gJudRNEwxFzEWBXUO55FbFNwUOA1D5DM+NGWwjFi6zVgdfCcTOhO0aIy2bf97psgi4Tu2yCTMKO9F/Hmj7En/uFVOeB57Au09yp1d4bx5cX3yes0FNtqrFyEYRHahWdh1NMs48D/tJS/7ASnq2926MYlvcvTbI/8ntDx9KUIryDyqYbdnwNlnOUIhs3Hp5X+++qD8r1eaLUsfQcMDuFl+r5Zbr/94+Pa1sn+oPXyj+C8Rsk1IkP16oMROg1LJQwuUFwTcV1sPRU3OWFYmiRXnAXyEnKHuEb8dJH5zEbbj49LDBRgjdkBxZRIi6JrYfUd2ZRjZKEL2k8v2zCg9JVNp2/ZNifU8pTuQNT+3l4FoH0Rh6OcHIGjrEuoLFIz5xGUwHCwoBNX3AFE4XJZt9qebOcQduMmT3zQoS3HggzIXeCHtf0FZ9MOE5KbIOd0WU1sxxQRheqD5KW97D61g+chbqZRRkutBtcv0OooI0V8HK1SeEBQWMgI15Em9oY+sxls4gKvX605gp/uoyXYed91nRuBoK+9DDxG929i3onRx3wiCm4wG+AWUHkEJ/AIKVY1EacEr/wKYLOCfgA+irgmdnVv9o0Du0/Ufn3JzZv9Dk0CnQOUYdL98nDCOhM6JHacXMyLlCYO53Hz8BUDPZrPFrzb4FYKb3fCRK0g/syGgkCX77cm0q4tTbvjUBWUfgepRfjk25BH0Hog4UbABn+igloED5NvIBhuXOJlrMPQj5E8XNNy5y4mKxW79UG33OZQePh1xPmUOCf6WTwFXmYkPRjvH+KDHOYO7vSQmPbhTUeXEs2iz+aOy09j6mmP9nA5nmEciCoiUeRMWJTO9Qx1amzhhg1zp4AcUAJTR30HJCWLimx4qHTnCDudFRqTy5MdZU9sLYsL62dvKNOjTAVf012bkmj65KaaZExZh5K5NgsTR+v6YSxQkbB6nCsiIKOyx3LZtms1403NxCigWKD+hmLi+ubsCcLegVK2wf79WS+CfYBJEZBes5VEUhCgiKWAEB4hELqQwiJaGPRTPbhlqB2nMjO9BHnGUi3JZJjbDv5kQib6Ntrk2lZPV77PdmXrHv7Jne2JR1ihk4EUrFuIxH+lLMcis78aA4qz8YON/KpaBQ/s8DY6a5w/H8Q5tlm9y7rdn7vcUbHwcmPbBBWcRvpD288c2XgSRSxyvsPbkLlBMzscBn2nig7/dlHrT6eiPkTLU57T5oE+Tw6M8zL8ftUwnk/wEkcKCSn3XwihjcncKLPwpcGmQW/uowv5Jf38dhKwxAV+oLuW3eLLoU8HL5ZjYKIrY92whQiRK6ddm4blsI2yy1TpbDWjvwDp3auzbXVFIouzGacfuR5N/7kcU/ycyej7Ck8SkrfwNS0UuRj0zdkC57xIUmZhVI2aY8v7gwcEHbisU+iBmTo0KeOIUHwypdEq6FA42QwbBG9g4JgEbMwZviEAH2TQycj5FRb4/8kwQKQtRkISXc+0+TJkh+gE0MYMGZRaPeU4s3GeC01vK436/MCFdJnahrlLObQiDxM9y9YeCFjJ02/Zc36WNCQmi4xzNgL4UFJrFKAL/BJqDInToj67/qEzEp4rKklkZuysESpNyrdws12vl/yo3q9US+HZbKci8p35m4JEZx5sgso9FP8omGcChaUQwiaiYh9aY3SehLK2Bcv65xwTldjzCputn1618EEG0N8yxqj9+dAWzTT4msRchl3qPEyGSRP5RLjk5/u8TA/ujR2sUdbehG6H4AFZcPTO7Yvp24F02ftFv/gPmOVd1d7NTmOXo0ssrqN/n4zQT74ObRi5KQxIsIjN00ooiC9nzBEVrF6JRFKxdG0VFOoWaxljnzVfB+3Kdbkpmu/b/6NjwcdXMSdye3Y4MEO3YPvRjFs5HIZkH+FlMxsdBmYF9OU8zE/FpF3eNerl5f186i7njkYdKeSCQyQuyFLdjk2txlHAOc8/LwIVREAdvpDKiHeGEvfLgAs8zfTuuZLjZnUZ3CxGrSa8fTEu7psUEXsYyeMuFuDRAtOMYRaT8nSSH/PUjNxyMZtOuIrcHWeE7ArvcRFE5oIkxssEZjT+R5inwTNc/yJM97xMVDLwwIewNET06zvVEPyamDxEoc9iMY2YCzfUb9T+4HHaSxgR5J23gjlBlZEZk+HbM5qBR6UQjilu0rglshvkZxIi9WNJc3w428VcbWcniq4zIBJGEvRcqnTb4GU9QNn27IM9ulVXvD6S6ORWrKBKb0E/I3R4M/sP352xyur06e4sBsp0fJ5TdjNxeHTx190qMmuH85u4wUJoRQfanfUk/uQGoXX27Or/zPcPeX3UW7ld2EtDZCoVmhEr7K4qjiTN/H3gYNEtQ4NO5Vg20hlyFHk6MWnU1E/iqya2epa6aQq+VjjW5amqtZNaTsOGpqaE1l8ak3RI5e2oLrY20CVaznrQ2GhKGDXkMPdUzdAlbnozFp+pCqsmhJaiJLWyb43orsQWc2NrM57CMba42sOqyYwt4bbltMhVw1dAlx+I7ji0sFlJ18KBz8FkS7NiqS471FA7GqjxTVEdSu/JI6c4Wo0l7w7nzhZThPBu6E9pcezXt8lO1q84nqvI0rSo8t/jypXQLvh1bLolRVAKlOESwkrtgha7FL9VXasZrM6ugeYgWWilQCsK49PlCsdwjfb5c+Xcky3yCcUZqGKKs2/pcqBQHyNP0/7Na7O7mz951x7Hz1Tyi/YeZECeI3Hdk/7FCaVwqeEtDDvqauhosZ7XBdLUYz/jOeDZ4n/qhM37nY22lSINZc6ZM1Q7dm8yCe2XaMQZ8d6MtO/qAX2y0acccCN3NfNlZDoTxxph2vIEAN+ZTJxwIwcZMO2soqOlcV9Zw1cFI4AkUtvhpHFw4vTcXo1O96dpO70IQUM1XX72A2BWyJSVw/WbimKk1nnQSq65gUWh5Yk8JjElnafXUd1tQU1FQsKX9nnyfvR/Y6ALLD96xrxKLflZS08MFC6NUcqCANUOX3mnMicvANRuqa2j8ypo0o2FvkJja72t7ybuGrjgyJ8aiR0LLG7tDV3q26jihMWZ42Ld1KY8rCqOEsC6vbU9N0UR8QKnkWvVWFTaUdK53ZladYMtl69Xdd9HvNJBWq8/dJkG+GtjedoO0WiT7znpQVzeiu3Hneiec1dWU0lW05goKrdDymSwrQ6ut+556P9dqG0uYPcjLcXWQUllkZ0xxuo4D6w6GqfigpdK7KXRTeTp/GAqqa0xhXdaM5dxTloN3ZzVYyktjKW4HQrc2FAapvBzXBtPFu/zUvR8sleXgiceyNn+Xlx138DS+n0/njeF0vpGX4r38Pk7nqWS/6dVY9JprQ1AnhmaHme5KaNXv3aEfu/OGFM7qraVZV6vU7pbfCaEwe+inv6/76f0aCnhjTFpLq96szjWcGLq06mvy2vIVx9SaGHpjt89JbM/uDdwhJr+JHsHU3hnfWTKvb2uwoWDoNu/7WnwP02Zopa2a5eHE1JVwrm1D5KkraltDMzxDk5ksU681ndcdbPTU2JhILX2yyf1ii+2uem/3JGesSz6zZSN2LY8nxoEvsQSewr5TurbHx7Y2o2fE3L7vkdrcU1PLU6uGnvkXFFpr66nmG0wvPhb9GrXf84X86bvkNAKpc0c+IiimAXF0swtKv/2W/Dqrq9W+KmPoG+G8Plv0Z03H0maLvUpcm8waigN9pQZ5pQmF2WKsq1WrXqMuvSz9iBRBPAttMxeC5uG8/8+zcGmTmDRFrkt0HjQjkoTTNETgyY1NCyP7c1agP0ZiU+J/QpAkDuI1/Ckx9igXhbCC4EwIurZrw/PkeHaXDUrVarVWys5IbUihLczItKFWYU+tioK0thoKNtpfvpzZP4zO0nAYocv8io6gfOAIc9Yn8KFF+41LDJeB659m3gv0JUEKLZf1Kk9DvI1orzLXJd/WatjylXfan4y5hW96rdByYSxykLCY9ozQSOkzwxtDr+VDjyeKwFfn6pbMNTmgMT/XFKILLH4cQ6gmSOOJxcGQc5XGXFeWJkd51xKrMV48d23a70wNXaqbmoxFrjacazUsZvixoY8X/dlxzyXyF3snSt+zBN6H6V63+lyXoCVgV9/TU+ChdtRy+Ca2/LnPuUpkaxK2BLXKerRU9EUuXuT2ikTOhodgbGIkzFyRqxK7jhNDaDVgWns/6FEl87zmjGaDB71nOBBvY1OTDjT4Lc2bnqnB3EZtamcM/TExBJz+Cd7GrK8WUtqOOLe9ELm235/UCrWrTTLY/Mzea9QW2BbkjIYuJYauYFjbXsBhujG5qA4/SGdvt75HYQ+2pL5AbZklrjGhPfG8rr7DtE0UD8eGmvW0oqu4ptYsnM3OvrUO9OyapamJ3d2GsDFeSAKfGg2VGFqzSulMvdbQ0G3d1JorqwEXfbXjwIY8M3tSjXOVxNa2MTvPgk9OBD4xhC3mfDswtS0WuQWxvFZV5A5y91eOA6vqvakr2OBWC7QJqK0PutS32NDbCxqr7Kx7g8VgnMGY2nzxzO39ncy15krkiTRNmwLlp0+DB0V3aL19f+Z2frsKxV78TPHzv5UtqPc2jZcT3BnVo8vHFq9g1BsHkmDEc81+f540Z9DD5JlbFeh0QsNtB1KPwS76Gi0YciByNprUVE6ZbXmVb/XVmcSPZ4qsV/mJUhu0RHeRPLsrV+LgqVzsTxKaNUvYLEaTztDQIcl6HkznIDJltbZziCeuNrUFPrV76kbt0Z6h07F1ZW1pfNXUBov+TMFQUBOjJ48st3PUT4hcjTO1pgN9PJ7rSpDRbgdSIUc8p21f5CD9XE01vkr7AliLt/pkdSb34fw+ljePq8JfMXcp3lzbvhv5WbO/XvV59/k2DjN7F/yNnrXdlWnfsehrTSw+tQ82FaiPjRcfwFN61mT2e5LFS/VhuFKYjMZk4Y/fQ5jPmY41Uxxb4KGl8UtTwAmLI3V78GcfO5a28Z9p235WrIL4rDzSte+XK9a3zFjLhy2fputtSKeEubZlxyV2Bw+6QCArJ5666vsKdWmiZi3XYrf+kUhvdA5zSn/+zjj7ae7xHP9/Pqu7yrst8NWc1ndrIuUDe6prCXjJ6NI5vifVLLzdj1Z9jd+YEzrbb9cGq2PiCjbouapw7rXWdk+uQo/f9D26Lz5LFN9rYpjV843VsDH05cDQtjGdMzLfblG5vCzP1YZWvSnRw4Iev7QFXGcweUOjeK2UxqTI57lipt4bmlxjMxPurKnsaNLhkE5zLI1bI7RoI/p9P0xt7T6BvcFWZHcXrZrd69RYbuPgYtRtqlOu/ctoNXjQ+U5q1e10rtW6c11xdKHmzOsOdRLHEGoX7NBOR+58S+1r+WpsHfJl19QlPG8oa+hje7gMn6CnUlsW1leB1OvU5t42nKerZ62KR/0V1Uml8Dr0cNWYHfKs6CobW5NiU5OP5dDl2rwuY9gYJPN6i03ntjBz+1zbhw11mdU8GHIe9kTOyeJZwCmdZayG1DyuBydnzonh86TzW5aTOp7VoPFM8/diBetyauqdqijg5AOde4ausLoB04Ur9eTqXFewzhrXsfs86fwu8vKa5sNpXfo7lefAK8/zNB9r48TQHSxyrZXItZaMt68mtBdlPVJPXkIPb2yO9knK2taVja2PwyKdvCae3VWd5cPC34f3VgW6b3kefhuHrew+64Pfiu4Shh346NPx7yM/+kXZhR99xQn7YXQFBl6IEUGf7kApX2M/Lf7fAAAA///XNTt0yTEAAA==')
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
    Set-TimeZone -Id 'UTC'
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
