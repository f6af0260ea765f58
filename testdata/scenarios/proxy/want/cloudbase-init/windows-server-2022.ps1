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
    $acl.SetSecurityDescriptorSddlForm('D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Access')
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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R6fXeiStbv//kU3L5ZY3JP9IjGnGPO7VmjKAhRVFDeunPPgqIiaPEyUKhkpuez31UFKprkdJ9n5lnP6pVWYL/Xrr1/u/B/MxPbhYyTM4ENPD+Eths8MkkWpkwUAnjHpDiKU8bGDPYg8+InKWZebB9lCWxcXQ+TJEp6APtROEvgC0xgCCDzmampOIprV9ezJFolME0vHvoIhhjlXBRiP8xg7eo6xTamz7jHr5TJDgY2tr+ejKpdXceZg3xQUiVZ+BWgLMUwqduxX7u6RtGK+cx8KmR9daIIpzix4waKVp+urpMsDGFCmONoB5PUgwg14B4ydTmaJdGLj+jXUAwxTGyA/S1k6tMMxxnmoySwMbOAe8zUh3sIMupwhHyQM/08ttOUqfNEwIfWE3MbccoytavriAolljD/V16Omb/+9WO2My+Y1l//wpI4eHZKg5ViO8E0ejAm1z6xPcliDN3a1TWIXELFXl29ZCFdI4aLwi1MMJ9EQb1vp/Dhnjh18yXFiR+unq/J1S3zjyuGYZgv5KIxDEHkkmePj8sF/2tDgFilxDdfSmHPj49EXiGufFYIur36VtGtJz6G9XG0+kCdOG2QGD4/PvbiGIZuDyFqHFnXO4bSMj8xX4bh1k+iMIAh0SzD3dgP4bmmWRJhCDBdkpOymY29g7JrGyDmMyPDXX3qrCHAjApBlvg4b/QAgGlKUjOJELXo8OjI2VAhPtwcwBQkfoyjRHVdRDLlpjZ4nN30fvuN7/3222+qeXv83u/d1u6YWqGhdnvptgrxmfIbavIdVfm+gwM/gQBHSf5venmU8190dSpyYtXd0/VHLh81/im/iSczZIOPVtU9SGU+Uy3k4fPjowDxUZ9sB7BQUBhzHWYIleRVo7gE2hieAnySfXKiFM9FgeOHsEJyx9T+FTRCuKud2z+JtvDSARnu7ph33amkxgAiiM/srjwkUm8KOSVBVacU+WF9Zic4Pej88kz0JDi9o1JUnEA7eL4uPg/KX6IE2sBjbq5jO8GMHzIFz+E5jZ2TY5iS4P1RKSD8tyeeQk2DVoObQsId07wrhTXGMFwdfPx2VeXgUJTCm/dqytt9fsd8caIIPV+rECQQHwN8dP2YMiHclVuErksRwcsIF8lwQ4hvj3YQGv+FuSl1VANTLUBURcWd03qUEWVuKpqmMQypHrJpaBms3RaqTrlTGF0YWg1Gz3X/vVAUO+E7sSgsLCQfTfzzQTmK/vGoXOg8zwQCOOr9Q7e8+eKH+Pmai1x4dC+BIErcCkI4wJh1GoWfjpbXwwhX/R3u/RSnNyX77Vn+Y9KTPlepFWifNa7bN8TFZz2BMY1x7cv/+xoy9X89kzJZ+4ganMjt+muz3n3+x8O3r43jBfvwjfB/SaBrAwzd55MkuhpESrm1mPoKM/fN7kPVkzcqG2rmpOUGPmMuWI+M304Wv/gQuel5v+EihCBdoLShxhD4NvJfoduYJi5MoDvw6TM7yS/FNHque1OjQKd2xxSI5/Z9IgJ+CA35/IAE7n1McoGQ0Zx4nwxFK0JB/D1RVBaXVpvj6hYJccfclMVvEdWlNAqZOhcFMQG9TF0M4wyXoSg13VZLW7XERHF+kvmpxLon/Fc/y1ZiZZKVfhDvCr/OdoQYbqMNrKsYxpWKQAJ50W/IJW3sDorA5vm6H7n5cdcUTx4PkLMQcPaoBJ+nHX14cMSf5OYR/TE3hQzmJ6b2yNSYn5hKV8NJXsnKvzDUFuafDB8lQxt4h7T6R0Xcp+vfP5XhLP4HNgZeRco56fH2ecE4M7oUdl5e7ATXVUrzPvj4CwMClw4UP7vMz4C5OUwcpYPks0D+lSo57qmLoSEuuOlgyNRDyDTP6st5IM+oj0TYS6Id84lMZwU5A0MXuszOx16RGpT9jPnTOx4e0uXCxSpEP3XbYw0li0/mmk9FQjJ/K6H/VRHiU9DecnyAcd7Q3b5nJlm4S1PlLHBgUknu79hO9tbXkuvP+fCG88xEAeI6b4OqZXZw6kNbG2V0equd8oAQMHX4d6bmRSkO7QDWzhLhwPNFhrgxCNMC1I6iFFM8e9tYRGMy1Yrh1k58O8Q31TJzoSJO/K2NoTjb3p9rSaKMDuHEARlihV7We65LqhlvBz7KGcLF1AcwxX5oH+Z+f8/Umg367+dmjfkno0YJPmzW+iyJYpjgnKECJxAnPiA0kLSGIxVPjxbYkzV2ofdkjzgrTXnfJjq4v9gAiqEL96U3jYu731d7CPVBf+Oo9iKiFCgU5NUoVvZjOcfXUqaIvp8yhGcTRrvwU7UNnODzIjoDzx/O4H0Clm9K7bdv0m8Q7UIU2e4pBZcJeqfsl5c9tIoSH3tB5d7AX8EUvx0HQupJyPztpjZaLGa/z5SpYRLwQa7U06U8Lb+fQaaL8V2FuHJDI7nrIFgoubskFv6QuDYpo33WYf8A319HMQUmzGfiS/0lVVdjYni9nmIXJgn9XtxIIE5y8rVTua67ENn0bovejQh2oMidBPv20BSypDhmOqj70eJf5hHh/xMVvZzbcWYTKH9DS5GP4MhOPaY+9jFMbES7EQ1M/bjwzCkHbhuE+mRmKY0YeJEUHwypZEp6bzu4lJmJXpidZ2NmZ6fMC8TAgy7ZGaWeqiPfH3lUiOtCEmXx+7X2uE1pIMYRsBGlZup0P5Y1sXKIyVweTZ7j/cqE9L6wd/oq0dwDIMrColZ/aGilQvfcwA99AkxwlJzXaEr0ueLQMoUJ809G92ACT/jo+veGKg4aGi1mdeRvIFNT62y9U2+x9f9T7zSbNebbbaNi81H6mwDP7DTdRYl7bvpZNSkITqARgiwhZp6gMT1EgkVZY+rl55GTqffSGbL9sDhj5aMEwGNgzl398aWrhE39WMTRhNLqI08CcZaEZ7XkYvm/L4w5Lj3cwmS4j/0Epiey6t03YVfs0I2C94NfzZv/QHjeuno42anMcuTWl2emdV+O09S8D44XuSSPcbRK7NjLG4osFNcqTLY+gLMk2vouTKpyKj2Nqi7BVyX7Sp9uanaP/V9kbPi4a5Yibt+cjkwgQWwf5jHdzmdbstzgb/Zker4pC7LPb8uMKg4O+67dqnfu72tv9tz5yEOsPAko7GWKEndQU3pxVnBOc8+XiQ+SKI1ecGNGEKFK33NwURDYoZs2Ct7iTGO4B5D2pOcPpqUDaLGZoFAZvZRGvDdA9NIUJrj+nSIHw+0jN53MlouhIvcmReM7I3sfRBE7gI0QdJk3Mv7AmkEU2H54sqe4PhYqEAVxhulrIbJ0nB+IYYrtEECmziE7TWkIdD9st37nSlo1TzEMLmDgQVBjZid4+nKu5uRR7cIjwluNrs24lPM3JoX0bZLuh260S7+60MlWX2WIVYgz+jKodgnwC51M3Q7dij2Hu7R7f2DVzaVZVZPohH4h7vYU8B8+P6eT0+3Vm1cXTPHkxwUVJyO3V6dMPbwHI2F4e3J3GijtBEP307GlX5wAsFffrt6e+b7hPh51Vs5XDhaQ2QrGdgJrxyOKs4mzfAl4GjRrQOBzU29GeltuggBlFtvcLAW+aXObJ2mo5SDo5nNdbtp6N1uOJGQFWm7pnbWl9roi5y5cobuTdtFmOZK2VltCoC3PQaAFliEhJ5CROGiuJFaOHUHLXGHfmbe6mSugzNWXIYdk5HLsxGnJniugreP38EJATcuQPIfve66wWknNyYPBgSdJcFOnJXnOIJ7MNXmpaJ6kDeWZMlyuZmpvx/nmSip4nizDi12ut1kM+YU21ExVUwaLpsJzq8+fa7fMt/PI4SRLSeTSGIJGmYONOIn2OQni2akEU/vll+xnvallboByp9XBlt5pGovoYdnSmoreadmGtHUCFjmhopuGFJu6lFrqKlR5Zbnku/PlpmvqKkhFzo3ckbKb+r9uwUjawtEmswzPc4x+ai2i18lCvJfy3Upqsp7Z8mInWIZP89i50OFO1/HCMhTeCa0YBN3M0bXM5S0PBMgzgz164lxR45X5kv0f0T1dnOtNyVI7grcF7Xk6WYjt8bqXTbj7/ZjrrJ2R9uoKWj4O9luzxafjwXBXPt+NX1fhmOuFC51f2wLKLBXEnK+gM91crysOe5HU9JYa339Z8tJM5zdde6Q0wSDajtv93Gl7nXGg3Zs6u3OE5cPkdZhPOWrbeZwW7A/GqDMz2L66YD1rphd220L31eV2+8kaFLavh+k4kFPXkJuWIWaO0F2b+i6dLErf1r3tlAMxF1hbEGie2VqtnjglM3UWiQLKqE8teeuEimfrHQSCOY2F3dZ8S98jlwPxk9r/hfN7K5HrbeyW1qHbrumNF8Pmg8HL1pJV+IW2H7iGRLZvk27DkbR1eBm5/H5hGVLL1mUE2F0oculKEjqeoy+fRK63EgUUiJy3tAy5OdaKbTle7mOyVqa+n5uGEomckljGJhZHacFD//oLy5hj1VCQo5HY9xEIlY7IsRPbUBAI+LQoNaXNHDulPg/P95fIsUto9JE4ZFlnpMTLtpLbeicUOVY39T1rqb2NdZab88KGUfPpZR5nlqG82lwHQWG5clsoo/nA9V8tY74q13YlHXLDkBEILQTWxfrPjA9yZoDpc/DK7kDQvYcqkc9jIOzRdD3ZT9arUORcHxp9D7Qn2BHQqzto/lqu/U/TViVXBmk1V3558t/uBWkXfa5dVq4XH8FD4Qoj97Lof/xTlq+bzCGfjdwOUO3UDGAueUBAumVIr6Tgi+vIL7KM3zhqJ5mOJpmt/7p117xvGYonc2IqBjh2grk/9aUnp4UykllWgELXkMqiTmiUGLTkrRtoOVTFB5hLvtPqNkFbyU2jv3RaGDk+vd88fBcDZee0rAdH7WAYapEb7HdQZxM59LaTlrYT/Z1vGv142dJyIlfROxsgdGMnpLZsLJ3dVldNXs+bk5zYIntzwjP0PNDyEMjFBz2XXm1hmMsL82EqaL61AC1Zt9ZmoKwnr95mspbX1lrcT4QhOxUmubyes5PF6lUeDO8na2U9GfBI1s1Xed33J4P5vbkw29OFuZPX4r38Os/NXHJfjGYqBp2tJWiqpbtx4bsSO617fxqmvtmW4mWru7ZbWpPE3Qn7MRCWD+P81+04v98CAe0stbt2Wp2mqaPMMqTNWD+rCv6Yk+gzdzTxpwj/IgYYkXgXepeZ2dqzoK0g4Hfux3p6D/JO7ORd1glQZhtKbOr7GAbahsTW0q3A0mVqyyLoLsyWh6yRllqq1DUMtvt+M81C/00vJcmWhBDD9IOGSprnWKMbLzZby9V4SYvP6lTgenjZVjwQKizglQ4Qlqu5oTWdFktSbF37ESuidBm7dmkEmevKYbAcWGu7zM5SmGxrTJ0euWfxIo8hM/BT20HQ/a1Aax8z0SOD/4QhWRqlW/CnzDiy/LARR3yjwLR4wXAuEUQhtv0QJu5HUteRH14Wn3fWVhKk2PEpVhxM0T4hWNE0pNDVKYh4JY1qzq1CO+jGjk8aMcA0rQMrtnLamAnfHATdEAQ8VgS+aWp7bOpyRNLe1BVsCJg1A82zhGYGdR47HAUHbdNQ1jYBBRybOe356mnoErx5bHbHhlPwp6QhjJfnmFfk38WuRH7gCHwI8qNvLdOQgCMg3zjKU8CpfLIlfQc5oRlyvpK4uoQcQWvSZp2LZeOl8UpEzgWn/KfNyxe5JiYNzBK6bZCzryc/mtgsy+5sOXkwRpYH0D61dekkg9+T0hHYOihj1CNxRiCcY0tA+R/w7ezWZiXlvaQEGOFYZSvlu4cL2nLNXlkSC+QKciHDkEgDRoDdv8NDfaN2ER9+UM4xbuOA0J5iSXKBxLKoFXNMZhKzpb2CvIeVAKVWCV5EX/FtvVNZm0N82T4IXJaCyeE+Bu35ShL43GprFIgQOYugO7UM17D1zsZpgxUBRKAtL+2RxHK+krn6PqXrWclJVeAzS9gjLnQjW98jkVthJ+g2CWg62D3eeB5oavcEGFncZgV3EQVRR19ae2QZvRWpk3StR5PVZF7Q2LpJAOMh37GpdzYij6VF3hGIPjKgKIZHWs7rE3fI20uw1tu4gnZPQfQF75L4MeRTh1cQHM0jSbBSU3dfn9TOEgQIP3GbKuiLLb8XSSNKuxrrpEbLkci5UGU1TlnueY3vjrWlxM+Ximw0eVVhJ13RX2VP/saXOHBpF/2ThA7rCLvVTO1PLQPgou0jMofiRcBjS+2f9hPHLlyBz92RttNGpG32+66hbB2db9r6ZDVeKggIWmaN5Jnj989aqsixnK13PBAiCmwL2b1IqtSIp7wXihwgn5uFzjdJawRsujfUzRu7T+v3sb3lvqr8VWuXEpj6/tUq1/oAbCsAt4h3Jd/IWrtDmbT81VjvIHHQO8VUIDk2X31AT+Q56vLXrNgvzYfpRqE2kiF2/hqDcs73nKXiuQIPnMNARvaRtj/lc4g8R9+FT/N3gGsc0Yn7xQ/91Kv98Qvy4sfH54cW/+0HE77y6gp8s5T13QZE9ICR5jsCWheTFymmEuug/QnJ6/zOVsGTJOy3Fm0a4ga0SRA1YAbdrTuSmyDgdwTxW7n4JBH+oINA0Tx3TttFIJQjS9+nBNcWidQldgVFUWGnTqsjOSGdrNaugFqUpq01wUhrKkE3JxtA5MuNudTuLV1mKUZH/S2xHap9rpxYVuOlFTsEaH1/0XNXv8/AaLIX6UFNl3VHfZYWEg6sZsOOtuB6P802kweD7+dOy81NnR2ahuIZwuGEgSQi+04cevnMN/ckvk6opc6pOA1tQ0JmW9mCELnTdTwgk7MraJX7m0ga9Vkz2MdmvnnSm2g23hCfNEJvgAA1reWpqIm+snN1KbV1+dwOQ2bNloxAe5KZrS6d8Fxh6ZMJHLS1ddFgyPROp+Ri8wgoJ9jZaUud8+J7seacWJnc+4HTJpuHFMvVBrTk3Db6TXoC8L7PI8tQaJEG+cqXRnLTNBRkCNLWac/9J7X/q8jLW1J8Fi3p78SeyilBUVRJ8dPnmWV4SOS6G5HrrqnuUMucQMspIBnJaxCgncsRUKJsXUPZucY8rsopG9Cbg7k3xafy9+EhXUXuS1n0XuZxOW988MPYQ8FwoxB+Ov8x6Ec/n3vnF25pRn8F3gBRECOI4ac7plbeo7+j/v8BAAD//+eBPLurMgAA')
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
