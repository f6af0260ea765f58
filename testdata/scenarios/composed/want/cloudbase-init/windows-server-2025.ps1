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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6e5OiSL7o//UpuH0r1qo7rQNa1ozdtzeOoiCUYgnykO66E5CZJWjyWEhU3O3z2W8koGI9pnti90SFpUn+3vl7pv5vZupAxLg5EzjA80PkwOATk2RhykQhQB+ZlERxyjiEIR5inv0kJcyz4+MsQa2r61GSREkfED8KHxP0jBIUAsR8YRoaieLG1fVjEq0SlKYvNn2MQoJzPgqJH2aocXWdEocUe/ynbwWSEwwd4nw7C9W4uo4zF/uggkqy8BvAWUpQ0nRiv3F1jaMV84X5UNL65kYRSUnixC0crT5cXSdZGKKEIsfRDiWphzBuoT1imkr0mETPPi4+hlJIUOIA4m8R05xlJM6IECWBQ5gF2hOmOdojkBUKR9gHOTPIYydNmaZACbwrPRW3Facc07i6jgqiVBLm/yr6hPn7399Hu9CCaf/9bxy1g+ekhbFS4iSksB6K6dqnsidZTBBsXF2DCFIo7urqOQuLM2L4KNyihAhJFDQHToru76hSN19Tkvjh6umarm6Zf14xDMN8pYvWKAQRpHufPukL4feWiIhWAN98rYg9ffpE6ZXkqr2S0O3V9xpvM/EJak6i1TvspFmL2vDp06d+HKMQ9jEuhKPn+pEpYJlfmK+jcOsnURigkHJW0G7ih+iS02MSEQRIcSRnZo8O8Y7Mrh2AmS+MgnbNmbtGgDAaAlnik7zVBwClKXXNJMKFRMetE2ZLQ+T4cIhSkPgxiRINQkw95aYx/PR40//8Weh//vxZW96ePg/6t42PTKPk0Lh9qbaGyAXzm0LkjwXLtxUc+gkCJEryf1PLE52/rOrs06BfqjuTeKmu8nldqT3bhSj5yLzS/sT8L5mAKvWIHfDeAcMjVeZLwYVuPn36JCJy4qc4ASoZlMJchxnGFXhdKD5BDkFnW59pn5WoyPNR4PohqoF8ZBr/HbRCtGtcyj+NtuilAgrafWTeVKfmJUOEEbmQu7ZJqd6UdCqAOk858sPmo5OQ9Mjz6xPlk5D0Y0FFIwlygqfr8v3I/DlKkAM85uY6dhLC+CFT4hz3C9u5OUEpNd6fZQWKf3vGKdm0isRwU1L4yLAfK2KtCQpXRx2/X9UxeByl6Oat9PI65D8yX90owk/XGgIJIicDn1Q/uUyIdlW0FOdSWvClhUtnuKHAtyc5KIz/zNxUPOqGqeeigkVNnfN5VBZlbmqcZjEKCz40ZRQZsXFbsjr7Til0KWjdGH0I/z1TlJHwA1uUEpaUTyL+daOcSP+8VV7wvPQE2ns0B8fCefPVD8nTNR9BdFIvQSBKYK1ZOHY06zQKP5wkb4YRqes72vspSW8q9NsL/ye0PH2pQ6vIuahht6+Ay/dmguLCxo2v/+9byDT/+4lmy8Z70OAM7jQPbLP39M/7799apwV3/53if00QdABB8OlMqTgNSqUKLaa5Iswd27uva/KKZUvL3LQK4AvkEvWE+P0s8bOPMEwvSw8fYYyKA0pbWoyA72D/gGBrlkCUIDj0iz0nyV+SafUhvGkUPU/jI1M2P7dvA9E+iMLQ93dA0N4n1BcoWOETb4PhaEUhqL5niNrhFtnmdLqlQ3xkbqrkt4iachqFTJOPgpj2v0xTCuOMVKaoON3WU1s9xURxfqb5oWp7z61g88JbqZRJVulBtSv1uogIKdxGG9TUCIprGYEa8kW9ocuixrs4Apun60EE81PUlDufjt1nSeBiq+pDzxF93Di1ovThqRFkbkoazC9M4xPTYH5halWNJHnNK//GFLIw/2KEKBk5wDu61T9r5D5c//GhMmf5HzgEeDUql6Cnx5cJ40LoithlenES0tQKmLebj78xIIDFbPErZH4FzM1x+KgUpO/lEFDLkpO+thhZ0oKfDUdMM0QMe5FfLg15AX0CIl4S7ZgPdFArwRkUQgSZnU+80jUK9AvkD29oeHSXFyrWu/VztT3lUHr4dMT5UDok81/VFHBVmvhstNcY7/Q4r+Bu3xKTHtxLUZUscGmz+bOy09j6VmH9NR1eYV6IKCLSFBxQl8wJznVo6+CsGOQaZz+gAEwT/YNpeFFKQidAjQtHOOJ8VRBpDcO0bGrHUUqKfva2tYgmdMCVwq2T+E5Ibupp5gWLOPG3DkHS4/bukksSZcU8ThVQEFGLZbMPIc1mghP4OGcoFtMcopT4oXO8AvD3TINtFX+/sg3mX4wWJeQYrM3HJIpRQnKmIDhFJPEBhUG0NJyghOKWgTtL45R8z/JIj5Uob8tUzPDPDkBSCNG+0qb14umP2R5NfeTfOrF9YdGiUSjB61asxWM10jdSprS+nzIUZxNGu/BDvQyc2+dFdNE8vzuOD2izfFNxv33lfsNoF+LIgWcX1BP8Rtqvln28ihKfeEHt2dBfoZS8HgfCQpOQ+a+bxnixePzjUZ1ZS9p80JV2Xiqz6vNFy/RiktcQqT0wqO+6GJVMPr4EFv8UuDGtrH1RYf+kv7+O4qIxYb5QXZrPqbaaUMGbzZRAlCTF5+JfoQ933/n9rljm9P89W3wOiq27O7ZcNhNEkmK/W1s3IcJO8bRdPI1ol1H0+PRYbo/lI0vKu6mjYD9bJiqPo/h/IfdXwz7JHNr03xRJy8do7KQe05z4BCUOLupWYcLmyUWYs7fctij0WcyKGhXwhfu8M87SeeqtwIEFMhM9MzvPIczOSZlnRICHII2hik9dkR8PRxoiTTGJsvjtrHwK6MIQkwg4uIBmmkXkVtmzdvPJvLzPvJwMarPU28TeqMCUcx+AKAvLrP6uoLVc3oeBH/q0hSFRcpnNC6AvNYX0FCXMvxjTQwk6d1LXf7Q0adgyirTXxP4GMQ2tyTW7zTbX/D/NLss2mO+3rZrMJ+qvDPzopOkuSuCl6Bd5pwQ4t5cIZAkV89xEFzdPqEyATLN6P2EyzX76iB0/LC9mhSgB6GSYS1V//uhqZtPeJ3ESoZL6hJMgkiXhRdZ5cfw/Jsacjh5tUTLax36C0jNY/ekrs6tOCKPgbePX/eY/YJ7Xqh7vgGpTH3309Ylp31WDdyHeO3eSfJLHJFolTuzlLVURy7WGkq0P0GMSbX2IkjqdWvUrWFdtWs37Kp1uGk6f+190wHi/vlYkbl/do0wR7e3e9eMinC9CsgrwVzGZXgZlCfbldZrRpOEx7jrtZvfurvEq5i6HIyrlmUApL1OmuCObSouLhHOekL5OfZBEafRMWo+0d9SKL0f4KAicEKatEre8/RjtASpq0tM7c9WxvXGYoGQZPVdCvDVq9NMUJaT5gySHwu0nfjZ91BcjVelPy8J3AfZ2u0XlAA7GCDKvaPyJNMMocPzwLE+5PiUqEAVxRorvkujR8X4ghSlxQoCYJo+dNC1MYPphp/0HX8FqeUpQ8KJhPBJqPToJmT1fsjlr1HihEcWtW9dhYIH5mUlR8RWU6Ycw2qXfIHKz1TcFEQ2RrPgGqfFyFCh5Mk0nhDV5jk+L6v2OVDcvxaqLVMzyL8jdng3+0zftxYx1e/Xq+w6m3Pl5QuUdyu3V2VOPX55RM7y+4zuPnk5CEPxwKukv7gq4q+9Xr2+HX2GfLkVrNzFHCegUhmInQY3TZcbFbFp9c3geSRtAFPKlyUZmR2FBgDObYze6KLAOv3mQR0YOgl4+NxXWMXuZPpaxHRi5bXbXttbvSTxcQLG3k3fRRh/LW7sjY9BR5iAwAtuSsRsoWBqyK5lTYlc0Mijuu/N2L4MizqCphzxWMOS5qdtWPCjirev3yULErG3JnisMPCiuVjI7vbd48CCLMHXbsucO4+ncUHTV8GRjpDyqI331qPV3vL9cySXOg215MeT7m8VIWBgjY6kZ6nDBqgK/+vKlcct8v7QcSbKUWi6NEWjFOFv5oYqe06/cUwtGIKNDQfqVfWrR/Rdmff8b5m8F1W+pT1AL0IO5fnZwWlh8orFkonG8qkN54Q+GqiHrmm7Lc1bQ1WKPJfyGkzVdDtSRMpwbythmhY6mywObxcZipAhGW7aXHTl2x/J8ySldxVJzaK4ObtvraEP7AFklNHU8cblYRkG0U3Who1ngQTVjQde5gTKCg6lhCHMLdjRxmrvDgaOz8kg31IHN2p3pGM+cjXG3MGMBst2RYWHFEFVPZUd3SOd0bSErxkjoLlh1MO3HM2OE7xZrYQtZ4x+qISjzhTqeLwSD8oWst54Gu52JFV4VBH2OY2W+4cbzEO9VTlGUIR7YrDGes8ppDVlD4jejnaYL/MKCtr7A+kyQDmpnfueMcbgwf79zsTrQQnkxWwxmi/aureneQR154bwtJ8u8JyxM7IF2b/DA2ZojGg8wUMmSWz6YOpnqhtSBwX6yMLk9tAaCfjB2thglS0tVNFHKHWzcz7GszNeDQg97pIa6Afk5ljhjbB/0jnw3M2IZDA1rud50tHmUIJ0THEFwDJ7oc9PmbbZraoKiqDoczQ0Yvourke5CNyLdiPUHTh3oIzlcYFvSNxzPb4RgNjJ4YySM5oYgTVhu4LJwOO8IY51l2ZkuDxa6MpiKZLDQDXvOYlUdCqm5gNz0oGxnBhzNBCiquq2ANrmbmhyehtKDKUIFtONcXSjYEAaSEqQ719wPNNMbaGv1zsAwUA8KD7hYdxaCNd0Ig+lQHiqjiHWFQQ78nuXyZA4523BY5V6nPtiPCt+d6MZM5d/x6/9IBF7cKTKN337Lfl22jRyODdYxd5lteVjiuUDiOc8W1QMUe7mtDTS33WMlHg5neD8HQS8EgUBUUWCXxp4sTSVyzC5emiqxxmoOLYW1xkoMRT1bdmRW3sWx7fcjebQf6JwqmCOsz9neSNX6xA301ZTfrFA+wEjErMSrr1LU8zz60nip97OP0VHtMILo57PLJnPpeyt3Atw4J3OUyx4QsWlb8oEmbGkd+U7H8G1T2LhaN5mNp5lj/r6Fa8G3LdVTeCmVAhK7wdyf+fKD28YZTdB2gENoyVVSpjBqDNrKFgZGjjTpHuWyT60JOmq+tAa62ybY9Yvn7PGzFNj3djA6IL9LUGhEMNjvkMklSuhtp21jJ/k7f2kNYp2eXGDkqtndALEXu2Ehy8Y2ue0kMO6WJrdzRf1eWc/ZaU5lUbw5xRl5Hmh7GOTSvZnLB0cc5cpieT8TDd9egLZi2utloK6nB28zXStrey3tp+KIm4nTXFnPuelidVCGo7vpWl1PhwJWzOVBWQ/86XB+t1wsO7PFcqespTvlMM+XuQyfLTaVgu7WFg3NNmFc6q7GbvvOn4WpT9Ox3u6tnbbBUru74SAGon4/yX/fTvK7LRDxztZ6a7fdZZcmzmxL3kxMZeuGqkc9DwRzf8LLxR4cT/0ZJr9JAcHU3iVfPVu29xzoqBj43buJmd6BvBu7eY9zA5w5lhovzX2MAmNDbWubdmCbSiHLIugtlm0P22MjtTW5Z1lc7+1QzEL/FImVv7WosyUhIih9J/j0tsFODAWD0I6XbX010buea+qr0vX2GPJ9ondUD4QqBwS1C0R9NbcM1m1z1MXWjT+TopYP2HfyAZ3SqtGuGj8bu06b+AFq0EnfSUgWL/IYMf2MRIFDfPD5eAH/Dta/J88bJoKHaQ5FtspNhRcEjglWct4jS7PLLc39zjaN3BXxAQ7jDI77+0lY5h/b8jzXGqS2ttuh4Wrlhupu6ncPjqXiWoSk0/HqTs77W9DB2bJt526bC1xRCMEhrnjsVpMOLXQCa8+/fGn8zOFHqR5Dpzr7twydOVmKku0LSw/91HExgp/LJvd9pOKm5T8hSJZG6Rb8JTFOKD8U4ieKkorSt1wKRCFx/BAl8D0+68gPX1aBNzxIFuXY9Yumm1awhDbdS0sOoclhN1QPtNGe86vQCXqx64NU4gEp8ktgx3ZO1z9R+UTCLQPDs0U2Q6ZAXB7EvK92lpa6dnjKm8vcznz1MIK0cV/Yltx2TIVW29nS5LBU4qe2NV9N9MvhQRLeHAIo/dJL85Nu7aUlA1fEvnWip4JzHau8Ou9iN1yGvK8m0JSxKxpsMWzkUijx6aqyVyLxEJwTURcjUfclniWwjTNb7HVAzh3OerBkWdW/R316b41tD+B96pjymYawP0ZvZaM+tTMG4ZzYIs7/BG/ntDcrOe8nvN9fSXw/nGhcrY72SQlbndmBo7bAUFRKGpac2ZaKAbd/A6fQrZCL6vCTdE52mwQU9mxL6gvUlmXSnhM63C3bxgHkfaIGOLWNcjiTfNV3zG7tbI725QYggJxrGhkc7WPQma9kUcjtjkFss8tSOougN7MtaDlmd+N2wGpiDDzQUXRnLHO8r2bQ3KfFedZ8UhOFzBb3mA9h5Jh7LPEr4ga0qzvLPdl4HmCNO5odbdqV7SJq67Mu7T22rf6KFqzirMfT1XRewjjmcvXAn/ydZs2NJBB5kXdFys9aRPeq5dHaf3jgj367iaVx+kDxq9cGisYdpPHyAleneoyE1BVUjMbzSBbtdGnCw4PW1UGAyQO/qdEZlB3nuIBdTUxaLJVI4iHSOINX9b1gCL2JocvCXFcVixU0lZv2JH+VPfgbX+bBS7mKlyx2OVfcrR61wcy2ACn7L0wHerIIBGJrg3M88dwCigLtrHfGmPYvgwG01K1rCqxjTlcTXcVANDJ7rDy6/uCit5F4jnfMrgdCPF9aalTS7kdyLUc85P1Q4gF93yxMgaU9CuDSvaVtXsl9Pr/35a3iqvaq5y41WJr7g12ddfEasw/H9+d51eHX/I2eNRwptPdaTcwulob9s01F6mPz1TvwlJ6r6b9nZbyw97ONWshoa6twfohBdWHiubrqQVEArimsHRFnRRwZ+7M/h9hzzV348NYEEUfF4PTsh37qNf78NwnlT78vb3/+x294fDp+CWxF64cFiPIBY8N3Rbwu6LI0mcqci/drd2wcoGjkE1PYORp4kMX91i6KhrQBHWpEAyyD3haOFRYEwm4S0H3pQab4QReDsnju3A7EIFQi29yntH0qHalH5QrKpMLN3HZXdkMVg0BYQxG3C5iOwYKxwapBL6cBIAlVYOrGnW0qXDEs4cGWyo60AY8smtBokNixSzveHx96Ds27DIyne6m48epxcDzgikTCg9XjqGss+P4vj5vpvSUMcrcN86XJjZaW6lki5y3bXuwWjsi9YYd+/ugv99S+bmik7jk5jRxLxsuOugUhhrN1PASBQW1Ze76J5PGAWwb7eJlvHkwWP042VCeDwlsgwKytn5Oa5Ks7aMqpYyqXclgKt2wrGHSm2bLdI0CkRUn3J3w/BB1jXRYYEPMBDiTeK4NHxDkdYtyO3L1Mvi/OnJfiB23wW5kABoHbocFDk+VqA9pK7lgDVhJx9o7OY9tSiyQN8pUvjxV2aanYEuWt25n7D9rgd0lQtjT5LNryP6g8Z15VUqXJz5wf2/sNbfEL3qGRuYGRFw3JWFmDAO8gT5sSdQstdQeteVynUxWgV9cHr5JP7fXubWeN7nOV9J7ncTX4vfNb5GPCgFGIPlz+/va9Xyy+8aPCNCt+eN8CURBjRNCHj0yjelb8dP3/BwAA////GfgEKTQAAA==')
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
