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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSrb3//kUPP1kjck90QMac445t2eNoiBEMYIC0p17FhSloMXLQKGSmZ7PflcVqGiS033WzF290gjs99p712+X/n9mbLuQcXImsIHnh9B2g0cmycKUiUIA75gUR3HK2JjBHmSWfpJiZmn7KEtg4+p6kCRR0gXYj8LnBC5hAkMAmc9MTcNRXLu6fk6iVQLT9OKlj2CIUc5HIfbDDNaurlNsY/qOf/xKmeygb2P768mo2tV1nDnIByVVkoVfAcpSDJO6Hfu1q2sUrZjPzKdC1lcninCKEztuoGj16eo6ycIQJoQ5jnYwST2IUAPuIVNXouckWvqIfgylEMPEBtjfQqY+yXCcYSFKAhszM7jHTH2whyCjDkfIBznTy2M7TZm6QAR8aD0xtxGnHFO7uo6oUGIJ89/KfMT89a8fs515wTT/+heOxMGzUxqsFNsJptGDMbn3ie1JFmPo1q6uQeQSKu7qapmFdI0YPgq3MMFCEgX1np3Ch3vi1M2XFCd+uHq5Jne3zD+uGIZhvpCbxiAEkUvePT7OZ8KvDRFijRLffCmFvTw+EnmFuPJdIej26ltFt5H4GNZH0eoDddKkQWL48vjYjWMYul2EqHFkXe8YSsv8xHwZhFs/icIAhkSzAncjP4Tnmp6TCEOA6ZKclD3b2Dsou7YBYj4zCtzVJ84aAsxoEGSJj/NGFwCYpiQ1kwhRiw6vjpwNDeLDwz5MQeLHOEo010UkU25q/cfnm+5vvwnd3377TVvcHj/3ure1O6ZWaKjdXrqtQXym/IaafEdVvu9g308gwFGS/5teHuX8aVcnj71u4e5E4qWqy6f70u3JLoTJHfPG+6PyPxUC4tQzssFHC+wepDKfqRby8uXxUYT4qE+xA1goKIy5DjOESvKqUXwCbQxPsT7JPjlRiuejwPFDWCG5Y2r/Choh3NXO7R9HW3jpgAJ3d8y77lSypA8RxGd2V14SqTeFnJKgqlOO/LD+bCc4Pej88kL0JDi9o1I0nEA7eLkurgflyyiBNvCYm+vYTjDjh0zBc3hPY+fkGKYkeH/UFQj/7YmnUNOgjeGmkHDHsHelsMYIhquDj9+uqhw8ilJ48157eVvyd8wXJ4rQy7UGQQLxMcBH148pE8JdWS10XYoIXka4SIYbQnx7tIPQ+EvmptRRDUy1F1EVFXdO61FGlLmpaJrEMKR6SMugHbF2W6g65U5hdGFoNRhd1/33QlFUwndiUVhYSD6a+OeDchT941G50HmeCQR71HuHjfPmix/il2s+cuHRvQSCKHErYOGAaNZpFH46Wl4PI1z1d7D3U5zelOy3Z/mPyfb0uUqtQvtsD7t9Q1xc6wmMaYxrX/7na8jU//VCumXtI2pwIrfrr2y98/KPh29fG8cb7uEb4f+SQNcGGLovJ0l0NYiUsrSY+goz92znoerJG5UNLXPSsoDPmAvWI+O3k8VLHyI3Pd96+AghSBcobWgxBL6N/FfoNiaJCxPo9n36zk7ySzGNruve1Cjmqd0xBfi5fZ+I4CBCQ64fkMC9j0kuEDKaE++ToWhFKIi/J4rK4tJuc1zdIiHumJuy+c2iupxGIVPnoyAm+JepS2Gc4TIUpabbamurtpgozk8yP5Ww9wQF62fZSqxMstIP4l3h11lFSOE22sC6hmFc6QgkkBf7Dbmle7yDIrB5ue5Fbn6smuLN4wF9FgLOXpU49FTRhxdHKEoeHoEgc1PIYH5iao9MjfmJqexqOMkrWfkXhtrC/JMRomRgA++QVv+oiPt0/funMpzF/8DGwKtIOSc9Pj5vGGdGl8LO24ud4LpGad4HH39hQODS2eJnl/kZMDeH4aN0kFyLIaDSJUddbTYwpRk/6Q+YeggZ9qy/nAfyjPpIhL0k2jGfyKBWkDMwdKHL7HzsFalB2c+YP73j4SFdLlysovXTbnvsoWTxyYjzqUhI5m/lFHBVhPgUtLccH2CcN3S375lJFu7SVCULHAI2f9R2UltfS64/58MbzjMTRYjrgg2qltnBaR/a2iijg1ztlAeEgKnDvzM1L0pxaAewdpYIB54vCsSNfpgWoHYYpZji2dvGLBqRAVcKt3bi2yG+qbaZCxVx4m9tDKXn7f25liTK6DxOHFAgVultveu6pJsJduCjnCFcTL0PU+yH9uEIwN8zNbZB//3M1ph/MlqU4EOx1p+TKIYJzhkqcAxx4gNCA8nWcKQS6CkDd7LGLvSe7JGeS1Pet4nO8EsbQCl04b70pnHx9PtqD6E+6G8c1V5ElAKFgrwaxUo9liN9LWWK6PspQ3g2YbQLP1W3gRN8nkVn4PnDcbxHwPJNqf32Tfr1o12IIts9peA8Qe+0/fK2i1ZR4mMvqDzr+yuY4rfjQEg9CZm/3dSGs9nz78/qxFwQ8EHutNOtMik/n0Gmi0leg7jyQCe56yBYKLm7JBb/kLg2LqN9tsP+Ab6/jmIKTJjPxJf6MtVWI2J4vZ5iFyYJ/Vw8SCBOcvKxXbmvuxDZ9GmTPo0IdqDInQT79rApZElx4nRQ96PNv8wjwv8nOno5wuPMJlD+hrYiH8GhnXpMfeRjmNiI7kY0MPXjwjOnHLhtEOqTmaU0YuBFUnwwpJIp6b1ycCkzEy2ZnWdjZmenzBJi4EGXVEapp+rI90ceDeK6mERZ/H6vPZYpDcQoAjai1Eyd1mPZEyvnmczlKeU53q9MSO8Le2dfJZq7AERZWPTqDw2tdOiuG/ihT4AJjpLzHk2JPlccmqcwYf7JGB5M4AkfXf/e0KR+Q6fNrI78DWRqWp2rt+tNrv5f9TbL1phvt42KzUfpbwL8bKfpLkrcc9PPuklBcAKNEGQJMfMEjel5EizaGlMvr0dOpt5Nn5Hth8VxqxAlAB4Dc+7qjy9dJWzaxyKOJpRWH3kSiLMkPOslF8v/fWHMcenhFiaDfewnMD2RVZ++Cbtqh24UvB/8at78B8Lz1tXDyU5lliOPvrwwzftynKbmfXDSyCd5jKNVYsde3lAVsbjXYLL1AXxOoq3vwqQqp7KnUdUl+KpkX+nTTc3ucv+PjA0f75qliNs3pyNjSBDbh3lMy/msJMsCf1OT6XlRFmSf37YZTeof6q7VrLfv72tvau585CFWngQU9jJFizuoKb04azinuefL2AdJlEZL3HgmiFCjX3nwURDYoZs2Ct7iTGOwB5DuSS8fTEsH0GIzQaEyWpZGvDdAdNMUJrj+nSYHw+0jPxk/z2cDVemOi43vjOx9EEXsADZC0GXeyPgDa/pRYPvhyZ7i/tioQBTEGabfEJGl4/1AClNshwAydR7ZaUpDYPhhq/k7X9JqeYphcAEDD4Iaz3aCJ8tzNSePahceEd5qdG3GpZy/MSmkXywZfuhGu/SrC51s9VWBWIM4o98L1S4BfqGTqduhW7Hn8JTu3h9YdXNpVtUkOqFfiLs9BfyHz8/p5HR79eZbDKZ48+OCipOR26tTph6+EiNheHtydxoo7QRD99NxS784AeCuvl29PfN9w3086qycrxwsILMVjO0E1o5HFGcTZ/l94GnQrAFRyBcGGxkthQUByiyO3cxFgbX5zZM80HMQdPKpobC20cnmQxlZgZ5bRnttad2OxLszV+zs5F20mQ/lrdWSEWgpUxDogWXKyAkUJPXZlcwpsSPqmSvu29NmJ3NFlLnGPOSRglyeGztNxXNFtHX8Lp6JiLVM2XOEnueKq5XMjh9MHjzJops6Tdlz+vF4qitzVfdkfaA8q4P56lnr7nh/sZILnifL9GKX725mA2GmD/SFpqv9GasK/Orz59ot8+08cksfwRpTS2MIGmUKNsiz9Av7chHGGv/4dfM1jLAPYAPvcY25XtoopYGcmjpri53cNhVk8T0ONOcrp9lOoXavfF9xGLnwHWUffD+7yRxybeR2gGqntYS57AERGZYpv5L1ktaRb7d03zKEjaO1k8lwnNnGr1t3LfiWqXoKL6VSgGMnmPoTX35ymigj62MFKHRNuVwTQqPGoKls3UDPoSY9wFz2nWaHBS01X5i9udPEyPHpc/bwWQraqR1w2NLaGIZ65Ab7HTS4RAm97bip7yR/5y/MXjxv6jmRqxrtDRA7sRNSWzaWwW1HgX6/MLidI84flPWUHefEFsWbEp6B54Gmh0AuPRi5/GqLg1yZLR4mou5bM9BUDGu9CNT1+NXbjNfK2lpL+7E44CbiOFfWU248W70q/cH9eK2ux30BKcbiVVn3/HF/er+YLVqT2WKnrKV75XWaL3LZXZpsKgXtrSXqmmW4ceG7GjvNe38Spv6iJcfzZmdtN3WWxN0JezEQ5w+j/NftKL/fAhHtLK2zdpptdmGgzDLlzchQtk6oerbRRiCY+iNepu/c4difIPyLFGBE4l3onWeL5p4DLRUBv30/MtJ7kLdjJ+9wToAy21TjhbGPYaBvSGwtwwosQ6G2zILObNH0kDXUU0uTOybxJSS1okSWOab2WyLKCb3TktuEZ/oaA1Po5U7TzRcGN1iYqmcKe7wwlIjYuzBUbAr73cJU17aov0oh1/lPp3lMAAVMabojiEEULv1VltBTH5Zl2Z8CmKzge1XgmmpkGW3WNg6dhWan5wSdDBrc1j14bbS9RbBHFi89WIGQgqbeWWokMw/FHFf5sdNUEYmO3tR9W+xs7VzujHgZuYGeuYKMFs1ObgnCdJ5LD4q280Gge9agkzlDNHVaMlmN3YiXc6eleq6o9y1TZm3DihdNgS1WQs1dY55KoYJAaCGA1PGclbdOS311h7IHeOnBHcqcRWS31NwyBGwb7ZBUrRPoa2rrBm0cUZ/bBoecVpGNisHS7HKGSt82e5FlyjPXQIVOlPr6YD8zWb2vDjyBXgWlZ3KurA+85XSuz8zXQT4ROsMpyy3nrNcbr+dNkmVnfJw8m+odU9NVyWQFYc79uh+vvaXKKorJKdJ0JnEK6SbEJ64jTFlVUnV6veTLlZlV4Rvf0051zqfNWWGps2iuCZ2eqitLYpPJuv2Z3plpg8HrpD/1TW3nu+L+dWagTA/0HDSLtZSQhUCoxE6zPZ8J4/3Ylz/I3iz08eXuQPIxCSGGKcnls3NrpvbLL9nP86bOjnS6hPGiOV+N5m3PMearohnvkct38byleiBUOSCobSDOV2T/cJocSbd17UesiNJ57NqlEWRQKaebcgKr7TI7S2GyrZFp105wFs/yGDJ9P7UdBN3fCvjxMROdgf8ThmRplG7BnzLjyPKuEevIDy87yjurIIty7PgUpvQnaJ8QmLIw5dAlhRGqrwSaTPlVaAed2PFBKvEA05YcWLGVk3vKNwVBJwSBgFVRYBf6RQsUMbcgRS6yGTQE7PAg5n21RdsiT3RzmdOarp4GLoE6M8uUm7ahIInnJguDQ1LBn1rmdDWan8MtSXgXNhH5gSMKIciPvjUXpgwcEfnmUZ4KTls/V9K3kRMuQt5XE9eQkSPqLIVnuRRKfLoq45VIvAtOmdpGUJz7Es9it4kyS+y0QM69nvxg8aKEDM/z8YM5tDyA9qltyCcZwp5se4FtgDJGXRJnBMIpJtvOH/Dt7OZmJefdhPe7K4nvhiONq0CPLi5oyzV75UgskCsqhQxTzixTRYDbv8NDfaN2ER9+UM4xbqOA0J5iSXKBxLKo6ikmcHjR1F9B3sVqgFJLL+Cs5Ku+bbQra3OIL9cDgcs5hp65g30MWtOVLAq51dIx2ciInFnQmVima9pGe+O0wGqk9zzQUub2UOZ4X81cY5/S9azkpCYKmSXuER+6kW3skcSvsBN0WIk/2T3aeB5g9XvbVJHFb1ZwF5FYn3xp7pFldleko9G1Ho5X42lBYxuL1RN/zHe8MNobScDyLG+LRJ85ix5U0yNw6fWJP+TtJpaG6RPhL/82rqjfu6ReLnjndAMVUkdQERxOI1m00oXhvj5p7TkIEH7iNxU5vdjyu5E8pLSrkcFRiCPxLtQ4nVfne0EXOiN9LgvTuaqYrKCp3Lgj+avsyd/4Mg8u7aJ/stjmHHG3etZ6E8sEuICsiIxAeBYI2NJ6p3riuZkrCrk71Hf6kEC+Xs811a1jCKxtjFejuYqAqGfWUHl2/N4ZHJR4jreNtgdCNF2YalTI7kZypUc85d1Q4gG5bmaGwBJYB7h0b2qbN3af1u9je8u6qvxVe5caLIz9q1WuNf0bsk+H63IaF/Gu5BtZa3egELi6GhltJPW7p5iKJMemqw/oiTxHm/+aFfXCPkw2KrXR0lYhgaPliOk5cwKeBOAYwtoWUUbrSN+f8jlEnmPswqeDvAq0pfko0v6Inn6kvw+PMDkckTyl4Gvz9GaHjqOUbIxLP/RTr/bH3/kWP609n8P/z2dtX311RYEtZX3XcaIHDHXfEdGayiVz+FDmHLRfO0P91RX1fGQIO1sjs/l+a9HNSNqAAtmCRdDZukOFBYGwGwXkvfQkE/6gjUCxKe+clktQWGQZ+5TMekWCdohdQdGsuInTbMtOqCIQCATdNilNS2fBUGfVoJOTwpKEsuDn+r1lKBxFwai3JbZDrcdDkzRKUnxW7BCo9f1kyl3jPgPD8V6iZw8dzh32ONqgeLB6HrT1Gd/96XkzfngzI4mct2h6sUMTnHsnDt382V/sSXydUE+dU9Mb2KaMFi11C0LkTtZxn0wPrqhXnm8iedjjFsE+XuSbJ4NFz6MN8Ukn9CYIEGvNT81S8tWda8ipbSjndpgKt2gqCLTG2aLZwUAkm93cH/HdELT0dbFxgZgPUCDx3vtFdGzqF2vOS/GT1vulaCy9wGmRoiRNeLUBTSW3zR4riSj7wOehZaq0+YN85ctDhV2YKjJFMgFN/Set96skKFvS1GZN+e/EnpOuslmTpmpMM8v0kMR3NhLfWVPdoU4mpJwCnaGyBgHauTwBO+rWNdWda07jqpxyY3tz1vSmqVX+Pjx3qshdls10OY3LieOD33oeGoYbhfDT+e8bP/pF2Ds/2koz+sPmBoiCGEEMP90xtfIZ/Wnw/wYAAP//ctLyo4kxAAA=')
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
