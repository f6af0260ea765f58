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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7e5eiSLbv//kpuHVzjZm3Swt8ZLfVt2YdRUFIxRTkIVV1Z0FEpKDBYyBQyZk+n/2uAFQ0M7ur55yzZtXKUmC/Y8eO395k/m9m5kDEuDkTOMDzQ+TA4DOTZGHKRCFAH5mURHHKOIQhHmKe/SQlzLPj4yxBrZvbcZJEyQAQPwqfEvSMEhQCxHxhGhqJ4sbN7VMSrROUplcPfYxCgnM+CokfZqhxc5sShxTP+M/fCiYnGDnE+XY2qnFzG2cu9kFFlWThN4CzlKCk6cR+4+YWR2vmC/OhlPXNjSKSksSJWzhaf7i5TbIwRAlljqM9SlIPYdxCB8Q0legpiZ59XHwNpZCgxAHE3yGmOc9InBEhSgKHMEt0IExzfEAgKxyOsA9yZpjHTpoyTYEKeNd6am4rTjmmcXMbFUKpJcz/VfQp89e/vs924QXT/utfOBoHz0mLYKXESUgRPRTTa5/anmQxQbBxcwsiSKm4m5vnLCzWiOGjcIcSIiRR0Bw6KXroUqfuvqYk8cP191t6dc/844ZhGOYrvWiNQxBB+uzzZ30p/NISEdEK4ruvlbDvnz9TeaW46lkp6P7mt5puM/EJak6j9TvqpHmLxvD758+DOEYhHGBcGEfX9SNT0DI/MV/H4c5PojBAIdWsoP3UD9GlpqckIgiQYknOyp4c4h2V3ToAM18YBe2bc3eDAGE0BLLEJ3lrAABKU5qaSYQLi46PTpwtDZHjzRFKQeLHJEo0CDHNlLvG6PPT3eDXX4XBr7/+qq3uT9+Hg/vGR6ZRamjcX7utIXKh/K4w+WOh8m0HR36CAImS/L/o5UnOv+jqXOKlurvn6/dcPmn8U35TT56wA95bVXiUynwptNCH3z9/FhE56VOcAJUKSmNuwwzjirxuFJ8gh6BzgM+yz05U4vkocP0Q1Ug+Mo3/DFoh2jcu7Z9FO3TtgIL2H5k33amlxghhRC7srj2kUu9KORVBXacc+WHzyUlIetT59TvVk5D0YyFFIwlygu+35edR+XOUIAd4zN1t7CSE8UOm5Dk+L2Ln5gSlNHi/Vwoo//2Zp1TTKqrBXSnhI8N+rIS1pihcH3387abOweMoRXdv1ZTX+/wj89WNIvz9VkMgQeQU4JPrp5QJ0b7aIsW6lBG8jnCZDHeU+P5kB6Xxn5m7Skc9MPUCVKiouXNejyqizF1N0zxGYaGHbpqiDDbuS1Xn3CmNLg2tB2MA4X8tFOVO+INYlBaWkk8m/vmgnET/eFSudF5mAgUczeHxtLz76ofk+y0fQXRyL0EgSmANIRxhzCaNwg8ny5thROr+jg9+StK7iv3+Iv8JPZO+1KlV5FwcXPeviMvPZoLiIsaNr//vW8g0//M7LZON96jBmdxpvrDN/vd/PPz2rXW64B5+o/xfEwQdQBD8fpZUrAaVUm0tprkmTJftP9Q9eaWypWVuWm3gC+aS9cT429niZx9hmF6eN3yEMSoWKG1pMQK+g/0XBFvzBKIEwZFfPHOS/FpMawDhXaMAOo2PTIl47t8mouCH0tDPd0jQwSc0FyhZkRNvk+FoTSmov2eK2uIW1ea0umVCfGTuquK3jJpyGoVMk4+CmIJepimFcUaqUFSa7uulrV5iojg/y/xQYd0z/mteZCu1MskqP6h3pV8XO0IKd9EWNTWC4lpFoIG8Om/oZXGwuzgC2++3wwjmp11TPvl8hJylgItHFfg87+jjgxP+pDdP6I+5K2UwPzGNz0yD+YmpnWokyWtZ+RemsIX5JyNEydgB3jGt/lET9+H2bx+qcJb/A4cAryblkvR0+7JgXBhdCbssL05CmlpB8zb4+AsDAlg0FJ8g8wkwd8eOo3KQfpbIv1YlpwNtObakJT8fjZlmiBj2or5cBvKC+kREvCTaMx9od1aSMyiECDJ7n3hlahTsF8wf3vDwmC5XLtYh+vm0PdVQuvi0r/lQJiTzHxX0vylDfA7aa453MM4ruvu3zKQLd22qkgUuSmrJ/Qe20731reL6cz684rwwUUSkKTigbpkTnM+hnYOzontrnPOAEjBN9Hem4UUpCZ0ANS4S4cjzVUGkNQrTEtROopQUePa+tYymtKuVwp2T+E5I7upl5kpFnPg7hyDpade91JJEWdGEUwcURNTisjmAkFYzwQl8nDOUi2mOUEr80Dn2/f6BabCt4t8ntsH8k9GihBw3a/MpiWKUkJwpBM4QSXxAaRA9Gk5UQjFa4M7WOKXesz3SU2XK2zYVjfuzA5AUQnSovGld3f1jtcdQH/W3TmqvIloAhZK8HsXafqz6+EbKlNH3U4bybMNoH36oHwNn+LyMLsDzuz34kILlu0r7/av0G0X7EEcOPKegnuA3yn51OcDrKPGJF9Tujfw1SsnrdiAsPAmZ/7hrTJbLp789qXNrRcEHvdLOl8q8+n4Bma7adw2R2g2D5q6LUank4zWx+LvEjVkV7YsT9nfw/W0UF8CE+UJ9aT6n2npKDW82UwJRkhTfyxsJIklOv/Zq102IsFPcbRd3I4odCuROg31/PBSypBwzHdX9aPGv8ojy/4mKXvXtJHMolL8rSpGP0cRJPaY59QlKHFycRkVgmqeFZ845cN+i1GczK2nUwKukeKdJpV3SW9sBFsxM9MzsPYcweydlnhEBHoJ0Z1R66o78ccujIdIUkyiL3661p21aBGIaAQcX1Eyz2I9VTawNMZnr0eQl3q91SG8Le+NcpZoHAERZWNbqdw2tVegBDPzQp8CERMlljS6IvtQc0lOUMP9kTA8l6IyPbv/W0qRRyyiKWRP7W8Q0tCbX7DXbXPP/NHss22B+u2/VbD5JfxXgJydN91ECL02/qCYlwRk0IpAl1MwzNC6GSKgsa0yz+jxxMs1B+oQdPyxnrEKUAHQKzKWrP750tbBp74s4mVBZfeJJEMmS8KKWXC3/HwtjTkuPdigZH2I/QemZrH73VdhVJ4RR8Hbw63nz3xCe164eJzu1Xo7e+vqdaXerdrow753xIp/kMYnWiRN7eUtVxPJaQ8nOB+gpiXY+REldTu1MK1RX4KuWfZVPdw1nwP0v2ja8f2pWIu5fTUdmiCK2d/O42M4XW7La4K/2ZHq5KUuyL6/LjCaNjvuu0272ut3Gqz132fJQK88CSnuZssQd1VReXBScc9/zdeaDJEqjZ9J6oohQK95z8FEQOCFMWyVvOdMYHwAqzqTv73RLR9DiMEGpMnqujHirgRikKUpI8w+KHAp3n/n57ElfjlVlMCsPvguyt0EUtQM4GCPIvJLxO9aMosDxw7M95fWpUIEoiDNSvBaiS8f7gRSmxAkBYpo8dtK0CIHph5323/iKVstTgoIrGHgU1HpyEjJ/vlRz9qhx5RHlrUfXYWDB+SuTouJtkumHMNqn3yBys/U3BRENkax4GdS4BvilTqbphLBmz/FucXq/Y9XdtVl1k4oO/Urc/TngPzw/Lzqn+5tXry6Y8smPCyonI/c350w9vgejYXg9uTs3lE5CEPxwOtKvJgDczW83r2e+r7hPo87afOVoAe2tUOwkqHEaUVx0nNVLwHOj2QCikK9MNjI7CgsCnNkcu9VFgXX47aM8NnIQ9POFqbCO2c/0iYztwMhts7extUFf4uESiv29vI+2+kTe2R0Zg46yAIER2JaM3UDB0ohdy5wSu6KRQfHQW7T7GRRxBk095LGCIc/N3LbiQRHvXH9AliJmbUv2XGHoQXG9ltnZg8WDR1mEqduWPXcUzxaGoquGJxtj5Ukd6+snbbDn/dVaLnkebcuLIT/YLsfC0hgbK81QR0tWFfj1ly+Ne+a3y8iRJEtp5NIYgVaVg63iJoL8IL2K5Pvvh78VPN9Sn6AWoGtx++zgtAjyVGPJVON4VYfy0h+OVEPWNd2WF6ygq8UzlvBbTtZ0OVDHymhhKBObFTqaLg9tFhvLsSIYbdledeTYnciLFaf0FEvNobl+cdteRxvZL5BVQlPHU5eLZRREe1UXOpoFHlUzFnSdGypjOJwZhrCwYEcTZ7k7Gjo6K491Qx3arN2ZTfDc2RrdpRkLkO2NDQsrhqh6KjvuIp3TtaWsGGOht2TV4WwQz40x7i43wg6yxt9VQ1AWS3WyWAoG1QtZbzML9nsTK7wqCPoCx8piy00WIT6onKIoIzy0WWOyYJXTNWQNid+O95ou8EsL2voS63NBelE7i64zweHS/KXrYnWohfJyvhzOl+19W9O9F3XshYu2nKzyvrA0sQfa/eEjZ2uOaDzCQCUrbvVo6mSmG1IHBofp0uQO0BoK+ouxt8UoWVmqoolS7mDjYYFlZbEZFn7YYzXUDcgvsMQZE/tF78jduRHLYGRYq822oy2iBOmc4AiCY/BEX5g2b7M9UxMURdXheGHA8F1ejfSWuhHpRqw/cupQH8vhEtuSvuV4fisE87HBG2NhvDAEacpyQ5eFo0VHmOgsy851ebjUleFMJMOlbtgLFqvqSEjNJeRmL8pubsDxXICiqtsKaJPuzOTwLJQeTREqoB3n6lLBhjCUlCDdu+ZhqJneUNuoXQPDQH1ReMDFurMUrNlWGM5G8kgZR6wrDHPg9y2XJwvI2YbDKg86zcFBVOTuVDfmKv9OXv+rm+5iHsg0fv45+7RqGzmcGKxj7jPb8rDEc4HEc54tqi9Q7Oe2NtTcdp+VeDia48MCBP0QBAJRRYFdGQeyMpXIMXt4ZarEmqg5tBTWmigxFPVs1ZFZeR/Htj+I5PFhqHOqYI6xvmD7Y1UbEDfQ1zN+u0b5ECMRsxKvvipEz4voS+OHXI2T6JC/46XJGhkMcO62e8Q2e6y1jB70tsGqZq/tWPLODTjshqq5suR4Zcqpra1DTVB1Xegv9G1/ZWoglXgYwYm6n/u/7MBE3qHJlkbMc61hai+jl9lS6sr5fi2znLdqe7Eb6OHjInavdMD5Jl7aliq4oR2DoJ+5ppFBwfZAgL1VcMCPPJQMQV3o3L9F93x5oRccZny3p/jd/XQz2M2Wq3QaKDsQDs76S/uUYybI+fbRDQwWtNdlRk1g7AYeCyeDNWgbrDQZ5m7H60k83IOg30Ua92Jbctu2pL4zUVkw4qr7PYxEgQDxgOeb2WG2Wf9cPJ/M+u/HYBCuQrxfWcrL1DzEoLPoP4mH3aotpE+b9O9v2P74Y9nlRfTeP+qImGns/bAZRhA1uR8TUgJBOfLDmqgKzTVAlMQtdHCCGKNX4rIUJdfS6L30K/udyrp1yp60Ar214cT15OHXqw7syNgA3bCb5MwABlz4Sv+zT4261L/NXJSEiKCittRHlEzDIyROP3/6FPi0XT269WnHtToPrc4n1w8/7UsY/MkJ4EP3ExWGEWmhA9XDf/62/XZxS5sM2r0HpsG57DPnOty/+t+/xzMHBteenW4dPWv/T3pGs/THYdfRvtwJcOMMbFEue0DEpm3JLxS8SpvIdzqGb5vC1tV6yXwyyxzzlx3cCL5tqZ7CS6kUkNgNFv7clx/dNs4oWLUDHEJLrgAqpVFj0FZ2MDBypEkPKJd9euaAjpqvrKHutgl2/eI+e/xOeRyzlyp+j6DQiGBw2COTS5TQ283axl7y9/7KGsY6Pd8CI1fN3haI/dgNC1u2tsntpoHRXZnc3hX1B2WzYGc5tUXxFpRn7Hmg7WGQSw9mLr844jhXlquHuWj49hK0FdPerAJ1M3vxtrONsrE30mEmjrm5OMuVzYKbLdcvymjcnW3UzWwkYMVcvSiboT8bLbqr5aozX672ykbqKi+LfJXL8NliUyno7WzR0GwTxqXvauy2u/48TH2KU/V2f+PQCrqJfDccxkDUH6b5L7tp3t0BEe9trb9x2z12ZeLMtuTt1FR2bqh6tCqDYOFPebl4Biczf47Jz1JAMI13qVfPVu0DBzoqBn6vOzXTLsh7sZv3OTfAmWOp8co8xCgwtjS2tmkHtqkUtiyD/nLV9rA9MVJbk/sW9SWkjYMS2dassN8WcU7p3Y7cozyLlxhYwjB32zBfmdx4ZameJVzhCeGwX1nqxhGNFynk+m/jnn89zWOHAA+lx0IDovDZX2dJ8QqMZVn2pwAla/TGLiAry1u4bfVF2kTt2YR9fG1VFvrk98vKGzBFFnucK+7XT9pwbluALAODVQOc2xb0XPGgQfNAAdp8ZXJYEgm3CozUthbrqa7GoDNMVxZ++1lgbMrNNpTdQN5Bs7eVeI6COdZtKzuXH+oLbrCe6uVRqYv9HPKDw2wkcTN+QI7dqjQWUlfsdxo/4m2U6jF0KmfpmVONCpnj4Zk59ATbNZhm8UI2i5d5jJiRnzouRvDXspd/n6kYKP93GJKlUboDf8qME8sPG3EJxFWUlu+gL8WCKCSOH6IEvifajaJXoum94zCwggOv3qgzDZZluUaZZhT5TvUehmOKAo3OyjykxbAhwKmtDcj5+3DstjnPMbvrqW5kBTI2F2s1EFLQ1l/j8k2BbC634ptpLseuXww7aE+RyPtou7LkEJoFSn2RRux6wa9DJ+jHrl+gUFLUssCO7bxAm3/ci5RbwLNFNkOmQFwexLyvdop6wlPdXOZ2FuvHMcSQ55YUgTqm8s72uhzaSMKbwxcqP3BFIQT5ybf2ypKBK2LfOslTwfnM5Cr6HnbDVcj7agJNGbuiwRZDnlwKJT5dV/FKJB5WvAcMeYqOdV/iWQLbOLPFfgfkJZIu/WDJqjprn/TZgzWxPYAPqWPKZxnCgZ4XgWOCKkYDGmcMwgWh9fp3+PZOe7uW80HC+4O1xA/CqcbVzuwBKWmrNXvhaCwwFJVShiVntqViwB3e4Cl8K+yiPvygnFPcKMJ3g3MsaS7QWOod1aN+0dxetY0XkA+ISnPcKIdikq/6jtmrrc0xvtwQBJArOqVx0VGsZVHI7Y5RdJJUzjLoz20LWo7Z27odsJ4aQw90FN2ZyBzvqxk0D2mxnrWc1EQhs8UD5kMYOUVZXxM3oH322e7p1vMAa3QdS8U27ZP3EY312Zf2AdvWYD01FFys9WS2ni1KGsdcrR/5U76TFS35ApGXeU+k+mgHrFoexRkvj/wxb7exNEkfKX/1s4Wi0YV0v1zx6tQPehwIKkaTRSSLdroy4cuj1tNBgMkjv63JGZYzgElBu56aXIENJB4ijTN4VT8IhtCfGrosLHRVsVhBU7lZX/LX2aO/9WUeXNtV/FwflyXWwxtaw5aBQGxteN5PPLeEopDDibE3JhQrDYfQUneuKbCOOaPHJAaikdkT5cn1hxc4SuI53jF7HgjxYmWpUSl7EMm1GvGYD0KJB/RzuzQFluIhwKUHS9u+svu8fu/bW+2r2k+9dqnByjy82NVaFz8T9vH4+byoZi61fKNrDccKxXnrqdnD0mhwjqlIc2yxfoeeynM1/Zes3C/sw3yrFjba2jqkOK4aVHuurnpQFIBrChtHxFmxj4zDOZ9D7LnmvphMFPJqmLDIR7Goj/jxh2ZNJ3wZTmmeTmTO1ravu/m4aNwbz7QF9hq//5tj5V/lXE7z/8cn9r76AkWBrWT9oeNUD5gYviviTSGXpUVa5lx82LgT4wWKRj41hb2jgUdZPOzs4jCStqBDF8cAq6C/gxOFBYGwnwb0ufQoU/6gh0F5KO/dDsQgVCLbPKS0SSoTtE/tCpwKg7rtnuyGKgaBQLFlu6DpGCyYUMzaz+nGkoRqw+tG1zYVrsCgeLijtiNtyCOLFkq6+ezYFfX1DyRTDs1uBiazg1S8wehzcDLkigLFg/XTuGcs+cFPT9vZw6vmQjyOxmiCc2/EYZA/+asDja8bGql7Lnpjx5LxqqPuQIjhfBOPQGDQWNbubyN5MuRWwSFe5dtHk8VP0y31yaD0Fggwa+vnYin56h6acuqYyqUdlsKt2goGnVm2aveL0RcUdX/KD0LQMTblwQViPsCBxHtvb6JTUb9ac16KH7Xhz2VhGQZuh25KWoTXW9BWcscaspKIs3d8ntiWWhR/kK99eaKwK0vFlijv3M7Cf9SGv0iCsqNFbdmW/07tOeuqijUtquaiGjL3txLf3xS6QyNzAyMvgM5E2YAA7yFPwY66g5a6h9YirsupDrZXg+JXRa328+7bq5rc56qYPi/iqtF85y9GjgUDRiH6cPlXEu/9Xvkbv/qdZsWfR7VAFMQYEfThI9Oo7hV/YPT/AwAA//+XIw3jxDkAAA==')
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
    Set-TimeZone -Id 'W. Europe Standard Time'
    Set-WinSystemLocale -SystemLocale 'de-DE'
    Set-Culture -CultureInfo 'de-DE'
    if ($env:COMPUTERNAME -ne 'win-node-1') { Rename-Computer -NewName 'win-node-1' -Force }
    $secure = ConvertTo-SecureString -AsPlainText -Force -String 'c4n4ry J0in <&''">'
    $credential = New-Object Management.Automation.PSCredential('CORP\joiner', $secure)
    Add-Computer -DomainName 'corp.example' -OUPath 'OU=Nodes,DC=corp,DC=example' -Credential $credential -Options @('JoinWithNewName', 'AccountCreate') -Force
    exit 1001
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
