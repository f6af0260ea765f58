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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSt7g//kUtb05Y7I3ekVj7jW9PedRoghRoqiAdGfvgaqKoEXBQKGSmX4++54CVDTJ7b47s6dPGil+7/V7LfifYGQjDJwU+DZ0PYpt5N+DKKExCCjENyBmQRgDmwHmYvDiRTEDL7ZHkgjXLi57URREHci8gI4j/IIjTCEGX0BlyoKwcnE5joJlhOP47KFHMGUkFQPKPJrgysVlzGyWPRPvv2VItv9gM/vbUajKxWWYOMSDBVSU0G+QJDHDUdUOvcrFJQmW4Av4lNP65gQBi1lkhzUSLD9dXEYJpTjiyGGwxVHsYkJqeIdBVQ3GUfDikewnlSnDkQ2Zt8Gg+pSwMGH9IPJtBmZ4x0C1t8MwyRQOiAdT0E1DO45Btc8JfCg9F7cWxgKoXFwGGVEuCfjf6nwI/v73j9FOtACNv/9N4HZw7TgzVszsiGXWwyG/97jsURIyjCoXlzBAHEq4uHhJaLZHQAzoBkesHwV+tWvH+O6WK3X1NWaRR5fPl/zuGvzzAgAAvvKbWo/CAPFn9/fzWf/3moTZNAO++loQe76/5/RycsWznND1xfcSbyPyGK4Og+UH7OSnGrfh8/19JwwxRR1CMuH4vt6ADBb8Ar726MaLAupjyjmreDv0KD7lNI4ChiHLtuTIbGwzd8/s0oYEfAEq3lafnBWGDEwxTCKPpbUOhDiOuWtGAckk2j86YNammO0XH3AMIy9kQTRFiHBPuao83I+vOp8/9zufP3+eLq4Pv7ud68oNqOQcKtfnak8xO2F+lYl8k7F8X8EHL8KQBVH6b2p5oPOXVX2673ZydZ9kUS6rfLwv1H7aUhzdgDfaH5j/JRNwpcbEhh9tMNpTBV8yLvzh8/29hNmBn2r7OGeQC3NJE0IK8LJQYoRtho+2PtI+KlGQFwPf8SgugdyAyn/7NYq3lVP5R8EGnyug4u0NeFedkpc8YILZidylh5zqVU6nACjzVAKPVsd2xOI9z6/PnE/E4puMypRF2PafL/PrnvlLEGEbuuDqMrQjBjwKcpz988x2TspwzI33Z1mB418fcXI2tSwxXOUUbkD9piBWG2K63Ov4/aKMIZIgxlfvpZe3IX8DvjpBQJ4vpxhGmB0MfFD94DIUb4toyfYlt+C5hXNnuOLA1wc5OIz3Aq4KHmXDlHNRxqKkznE/CouCqxKnpxDTjA9PGVlGrFznrI6+kwudC1o2Rgehf88UeST8wBa5hDnlg4h/3SgH0j9vlTOep57Ae49qd184r756lD1figHCB/UiDIMIlZqFfUezigP66SB5lQasrG9v58UsvirQr0/8n/Hy9KUMrWH7pIZdvwHOr9UIh5mNK1//zzcKqv/9zLNl5SNoeAS3q6/1avv5n3ffv9UON8Ldd47/NcLIhgyj5yOlbDc4lSK0QHXJwG29fVfW5A3L2jRx4iKAT5Bz1APi96PELx4mKD4tPWJACM42KK5NQww9m3ivGNWeIoQjjB687Jkdpedkah2EripZz1O5AXnzc/0+EO+DOAy/fgCCdx7jvsDBMp94H4wESw7B9T1ClDY3yzaH3c0d4gZcFclvFlSVOKCgKgZ+yPtfUJVpmLDCFAWn63JqK6eYIEyPND8Vbe+xFayeeCuXMkoKPbh2uV4nESHTTbDG1SnDYSkjcEOe1Rt+m9V4hwRw/XzZDVB6iJr8yf2++8wJnDwq+tBjRO8fHFpRvnhoBMFVTgP8Air3oAJ+AaWqxqK05JV/A5ks4F+gH0Q9G7p7t/pnidynyz8+FebM/4c2g26JyinoYfk0YZwIXRA7TS92xKrTDOb95uNvAPoomy1+ReBXCK72w0ehIL/mQ0ApSw4701nPlGfi00MPVCkG9ZP8cmrIE+gDEHOjYAs+8UEtBweYIozA1mNu7hoZ+gnyp3c03LvLmYrlbv1YbQ85lG8+H3E+5Q4J/quYAi5yEx+N9hbjgx7nDdz1e2LyjTsXVU18hzebPys7j61vBdZf0+EN5omIEmbVvg3Lktn+sQ5tbJJkg1zl6AccAFTxP0DFDWJGbR9XThxhj/NVxaz2QOO8qR0EMcv62evaLBjyAVemGzvybMquymnmjEUYeRubYXm8uT3lEgVJNo9zBVTMtOy22kGIZ7O+7XskBRwLVB9wzDxq748AvB2o1GvZv1/rFfAvMA0itg/W6jgKQhyxFGQER5hFHuQwmJeGA1Q/O2UQjtLYOd+jPPK4EOV9mbIZ/sWGWKYI7wptamerP2a7N/Wef+3A9syiWaOQg5etWIrHYqSvxCC3vhcDjrOmwZZ+KpeBY/s8C06a5w/H8S5vlq8K7tdv3O8h2FIS2OjogvOIvJP2i9sOWQaRx1y/tPbgLXHM3o4DNNOEgv+6qgxms/EfY+3JXPDmg99Nj7fqU/H7pGU6m+SnmJUWdO67DsE5k5tzYOlPgSujwtonFfZP+vvLIMwaE/CF61J9iafLIRe8Wo0ZwlGU/c4XIsyilP9sle6rCBM7W21kqwHvHbLOnRv7el8Ukig/cdqz+9nkX/gRx/8LGb0Y4Vli81b+KktFHsEDO3ZBdegxHNkkq0aZYaqHjQdHH7iuceijmAU1LuCZU3wwpPIp6b1wQBkyCF7A1rUZ2NoxeMEMuhjxyCj4lBX58cgzxawqRUESvp9rD2GaGWIYQJtk0KCaxWORE0vnmeD8lPK03y9NSO8Te6eucs4dCIOE5rn6Q0FLGbqDfI96vDFhQXSaozOgLyWF5jGOwL+A4eIIH/ujyz9qU/mhpmfJrEq8NQaVaVWotqoNofq/qq16vQK+X9dKMh+ovzHw2I7jbRChU9FPskkOcGwaMUwiLuaxNc7Ok3Ce1kC1uB4wQbUTj4nt0fy4tR9EEB8Mc6rqz29dyWzTj0kcRCikPuBEmCURPcklZ9v/Y2LgsPV4g6PeLvQiHB/ByqtvzK7ZFAX++8Yv+81/wDxvVd2f7JRmOb709Rk0botxOhPvg5NGMUpDFiwjO3TTmqZK+f0URxsP4nEUbDyEozKdUk3LWBfNV8n7Cp2uKnZH+B98bPi4ahYkrt+cjoww79g+9OMsnE9CsgjwNzEZnwZlDvblbZqZyg/7uGs2qq3b28qbmDsdebiURwK5vCBPcXs2hRYnCec493wdeTAK4uCF1ca8I5xmrzzEwPdtiuJajpufafR2EGc16fmDaWnftNjAz1kGL4UQ7w0QnTjGEav+IMlhurkXn0bj+aynqZ1RXvhOwN5vorgc0CYEI/CGxp9I8xD4tkeP8uT3h0QFAz9MWPaGiG+d6PkyjZlNIQZVkdhxnJnA8Giz8YdYwE7TmGH/rA3cE6qN7Yg9vZyyOWpUOdOI45atawOUYX4GMc5eLBkeRcE2/oawkyy/qZhNMUuy90KV8wY/5wmqNkUlefarWfX+QKqrc7HKImUT+hm566PBf/r8PJucri/evMUA+ZOfJ5SfjFxfHD11/0qMm+Htyd1xoLQjhtGnQ0k/OwEQLr5fvD3zfYN9OOosna/sJeCzFQ7tCFcORxQnE2fxPvA4aFag1E8XRj0wmmod+iSxhPp6LvXrtrh+VHp6Cv12OjHUum20k/lAIZavp5bRWlnTTlsW0QxJ7a2yDdbzgbKxmgqBTXUCfd23TIU4vkrkh/pSEdTQkfQESbvWpNFOkEQSZMypSFSCRGHkNFQXSWTjeB02k0jdMhXX6XddJC2XSn10Z4rwUZFQ7DQU13kIRxNdnWu6q+g9daz15svxtLMVvcVSyXEeLdMNkdhZz3r9md7TF1Nde5jVtb64/PKlcg2+n1ouiXFUAZU4xLBWuGCNr8Vf68/cjJd2XkGLEC21UqCyxjjEUeXzWaHYY1SgTe0o/e0f7dd1Y7dtbUDHFirnArx4BJ8LAAPKbI/iCJ3tZOlVNeAL8bcjKP/54i1rLPBJ5bjFyNdT2MjM25Yf5EeRsK0z0KlttF7NSehAaSdYDZLA9Jbaxu/JItuifujwrRZbFNLuakgXu6GvpvYUoTL+0EOhk7ZWTqNVXxgksUxlPfRRCqVRgla9ZNFUQiVtpZaBQtjUUqzXHzl9yyfUbOZbPJ526OQ1hIULuc5cc5HUhydy9Hcry1TqMG2tlW3waDS7MTJQ6NBRojTIZuirG4dqrm20CPQnidVUtou01RhNWyvor+mQKsRqkFc0UFoZrG+FVlP993SZZrC+bSCOW14nWOozKO2IItT/Q7KOEqVZXtdvF4awdaQ5Hfp9AUkuEqn+aplKsjCEPOyaXcGRdgR68BFK/VfYRBvoTzJ7Lxr9ZGEqLbXZa2E/TvEACsiDj2/D4//VO7NvCsq+iSMW19C3CC95E5PW8M72Q4K/uUHM4r3Pvtgk5k77U2LwtX2Ungmx/kY8iCnEtTVOS7HgSGSVpy9hY62CpSXpzNmGkWWu72RJdR2/n+IZ2j2ZYTSiblM1Fz+wCQ0Q/oEVSl9WrBOHX2upfRKiOFVcKBHDMpVXnmnlVeDZTd2zjP7ambaip8EosY3fN2jV9yxTc1VRjmWfhY4/8Z485dFpkGRShBUylSKbchgthA11w1MAnsp3OFU8p9GuczddmN2502DE8bL1+v63TNd1a6Dt0LTFMNUD5O+22BAilbqbUUPfyt7WW5jdcN7QU05XM1prKLVDh2ayrC1D2JTc805dTeqjlMuiuhOO03Nd2HAJTOU7I1VebamXqrPF3ZOke9YMNlTDWi18bTV6ddejlbqyVvJuJPWEJ2mUqquJMJotX9WH3u1opa1GD32iGotXddX1Rg+T28Vs0XyaLbbqSr5VXyfpIlXQi1mPZb+1sSR9ug/RhamFTuPWe6Kxx8N63miv7IZe53Z3aDeE0vxumP6+Gaa3GyiRrTVtn6YF4ySEvaGoZM/QYOQ9Efab7DPC7Z3znSeLxk6ATY1Ar3U7NOJbmLZCJ20Ljk8S29TChbELsa+vuW0tw/ItQ81kmfnt2aLhEmugx9ZUaZum0P6gilGPnccHd7aIYoZj7qAn5+ug8ttvya/zhl4f6iqB1AoXjflyOG+5jjFf5q63I0jssHlTcyHVBNjXWlCaLyemXncaAnexVeVnpDhNFrxQFmNYMSpWygDV7Lg7CWdpiEEnYYFvMw/+DJsgnofILnR9h8s2sXlV35zxePBi2yEYfc67sY+RsiOB/4QgSRzEG/iXxDig/LQQp0bXcJy/RfgTw79LehV49DzRveNHiqSEWXchoocnsot4Q7gwFYoMgThUe+XVaCIuqe23Q8eDsSxCloUQr2wpv8/wJtBvU+j3mSb16wt9xxaGGvAQWxgaMyUmLHzdtaR6go0+c0QYip7WXJjayhY5byFxmpPlYw/xpnJmmUrDNlQii8JTVhFz/NgyJ8vh/LSxlfvvNqicvu9IfQrTg26NhalARyKeeaCnwWOqFgr4FnHogoqeFiFDIY6k17OKnMpUFuNlYa9IFhE8xhrvGuaeLNYZapDEktpNmAqvRz3qbN85jeejO3NguZDsYttQjjT6u6IjgYWNOtzOBNIJsySS/gne1m6sl0raiUSvs5TFDh1OhVKp6LActtizV4HbgiBJzWmYSmKZGoHC7h2cTLdMLq7DT9I52C3vgI625L7AbZnnpQnjXeOiob/CtMM0n8SWnneVsqd5ttEq7c3evkIX+khwDD1BvV0Im5OlIvVTq6kzy2jVOZ2Z336yTGTaRmvtNOFyqHdd2FTn9kARRE9LkLGLs/0s+eRU6ieWtCMiRYFt7IgsLpnjt+uyeJR7uHZdWNdvbVMjlrhe4m3AbX3UpbEjltlZ8pyc7fVgtBxNchjbWCwfxYO/s4XRWst9pszSlsT5mbPgTjNdXt5eH8W9365DeRA/cvzib40k/RbxeDnDnXM9ev3Y6WsEDyaBIlnxwkCvj9PWHPqEPYrrEp1uaHmdQBlksMuhweuBGsgiwlNBF7X5rq/320N9rvQnc0016/2pJozasrdMHr21p4jwXK7sT5FagiNtl+Np98kyIctbDMKHTTbz+8yado/xJAozJPVTNNC3+oCX6G4XmdrGMfp12xgth3ONQElPrIE6drzuSfmWRUG0jZYLKZksTC3IaXcCpZQjHtMOlUXIr+uZ0a/zMgyFeGdO12/kPu7fx/IWcVX6K+cuzV8Yu1er2Ovsb1B/3F9fJmFu75K/8b1GPZW3F8uh0SLyQ+doU4n72GT5ATyn50znvyd5vNTvntZaJqM1Xb47iTlGf2VLJMniSN8d/ZkS1zG29HESfHnTC4RBzMvSi0e92K38+Vvw/GPj05OJ/++nD572iqR+vaD1wwLE+cCB7vERIqNb58lUERyyWzkD/RVJejo0+lt7Ch8VabexsqIhr2GTG1GHC7+9QQO1Dv3+dujz5/KjwvH9FoF58dw6TUQgVQPL2MW8h84dqc3l8vOkIjw5jZbiUI1Av79CEmlkME29Dgd6XfPbKQ8AuV8E5ly/tQxVyOYB0t1w2fG0K2KTJzQeJFbo8Kbux5ueIuM2gYPRTs5OY9oCGnSFLJGIcDnutfSZ2PllvB7dmf1u6jRQujCE3sLUXFMS3EXD5WO8a0nCO3bopGNvseP2dageO8fk1LNNhSya2gZSgp5W4QP0dW7L0vo6UAZdYeHvwkW6fjTqZDxcc510Dm9Cn9St+TGpyZ62RYYS24Z6KoepCouGSmBzlCwa7Wx0R9LcG4odCpv6Ki8wMBR94suimwePRFLepztNpXWafM/2XJTDx2n3tzwBdH2nyYOHJ8vlGjbU1Da7dVkiyQc6DyxTy5I0TJeeMlDrC1MjpqRsnObEe5x2f5f76oYnn1lD+QeX58irSKo8+RmTxDJdIovttSy2VxlvqieOr6dZQzJQV9AnWyTypkTbIFPbInMSlukUBejN6dub5FP6+/AkrkT3pUh6L5OwmG0++Pp1nzBQQPGn0y8+P/pG7p3P2OIk+9S7BgM/JJjhTzegUqxlH0v/3wAAAP//QuIhwZsyAAA=')
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
