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

function New-PrivateFile([string]$Path) {
    [IO.File]::Delete($Path)
    $acl = New-Object Security.AccessControl.FileSecurity
    $acl.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', 'Access')
    $rights = [Security.AccessControl.FileSystemRights]::Write
    New-Object IO.FileStream($Path, [IO.FileMode]::CreateNew, $rights, [IO.FileShare]::None, 4096, [IO.FileOptions]::None, $acl)
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
    if ($Secret) {
        Join-Parts $Parts (New-PrivateFile $new)
    }
    else {
        Join-Parts $Parts ([IO.File]::Create($new))
    }
    Move-Place $new $Path
}

function Add-File([string]$Path, [bool]$Secret, [string[]]$Parts) {
    $null = New-Place $Path
    if ($Secret -and [IO.File]::Exists($Path)) {
        $Parts = @([Convert]::ToBase64String([IO.File]::ReadAllBytes($Path))) + $Parts
    }
    if ($Secret) {
        Write-File $Path $true $Parts
        return
    }
    Join-Parts $Parts ([IO.File]::Open($Path, 'Append'))
}

$null = [IO.Directory]::CreateDirectory($state)
Protect-Directory $state
$null = [IO.Directory]::CreateDirectory($public)
try {
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7+XPiSLrg7/4rtLWOwd4uKInD3bi3JgYEEpJBGAkdqMo7IWWmkSB1jA5Anun3t29kStx2d/W89+J1R9ko87vzy++S+d/MxIGIcQsmcIDnh8iBwSOT5GHKRCFAn5k0i+KUcTIm8xDz6idpxrw6Ps4T1Li5HSZJlPRA5kfhc4JeUYJCgJivTE3Lorh2c/ucRMsEpenFpo9RmOGCj8LMD3NUu7lNMyeje/zjd4rkBAMnc74fhard3Ma5i31QQSV5+B3gPM1QUndiv3Zzi6Ml85X5VNL67kZRlmaJEzdwtPx0c5vkYYgSghxHW5SkHsK4gXaIqSvRcxK9+ph+DKUwQ4kDMn+DmPo0z+I8E6IkcDJmjnYZUx/uEMipwhH2QcH0i9hJU6YuEAIfSk/EbcQpx9RubiNKlEjC/F9FHzN//evHaGdaMM2//oUjdvCclBorzZwko9ZDMXn2iexJHmcI1m5uQQQJFHdz85qH9IwYPgo3KMmEJArqfSdFD22i1N23NEv8cPlyS57umX/eMAzDfCMPjWEIIkj2Hh/1ufBLQ0SZRoHvvlXEXh4fCb2SXLVXErq/+e2Et5n4GaqPo+UH7KRpg9jw5fGxF8cohD2MqXDkXD8zFJb5ifk2DDd+EoUBCglnBW3HfojOOSloW39O/I2TIULxyO/Zybx3+A0QRhm6K7fp5q0DMPOVEpq6KwQyRkMgT/ysaPQAQGlKXDeJMKWw3zpgNjSU7RcHKAWJH2dRokGIiSfd1QaPz3e9X38Ver/++qu2uD987vfua5+ZWsmhVkmS+EsvS5mvzLffE6FIMxSoFPTl8ZGamqKfaFDpq2UJcoJS2c8HK0wiSCzBJ8jJkIK2n/eMjyCa5yQERolC9Jlps92H4940JoZPD7vECudn8pxEGQJZfeAnCGRRUrx/Kj9s+AOdP2396WO/V57AVOKl01M4PlcnMd2GKPnMnB0IUfnA/OXxUUPZmWR7y16bgLoldsAHDnkL91TJYUvTBtl8eXwUUXbgpzjBuZ+GOcYV+KlQ5TkebX2kfVSiIs9HgeuH6ATkM1P7j6ARom3tXP5JtEGXClBX+fP362STUL0r6VQApzzlyA/rz06SpXue314In2TvmaU7v9yWv/fMX6MEOcBj7m5jJ8kYP2RKnP0+tZ1bZIherN8LZAT//ohTsmnQC3ZXUvjMsJ8rYo0xCpd7HX+7OcXgcZSiu/ci4nWI+sx8c6MIv9xqCCQoOxj4oPrBZUK0rW4LPZfSgnTLf2XuKvxTpY/2rCzC3F1ES0r0VAOEU/T7FE5Os3S8O0rjlMjRd0qhS0FPjdGD8D9nivIm/IEtmLoTwlP3G+78NEsr3zxzj1K5r8zfTjPdPDpzjxNCKnJIyuoTP9iTu2d+quicmOKDkzk6Qyk5c5slOTpFJ/8lKMuT8ITa7x/HNEbhPiDVyrRau0jLpFKr9/dlxt03P8xebvkIooNlEwSiBJ6UVvv6b5VG4aeDTvUwyt6zbIl+btuMJPOvzLX5Dhn//gq4/F1PUEyPt/bt/30Pmfp/vJBAXfsIGhzBnfobW+++/PPht++NwwP38BvB/5Yg6IAMwZcjJXpOhEp1q5n6MqNp71STK5YNLXfTKnacIZeoB8TfjhK/+gjD9Dzr8RHGiB5Q2tBiBHwH+28INqYJRAmCA5/uOUlxSabRg/CuRivE2memLBXv3wciVSOBIb8/AEE7PyO+QMCoT7wPhqMlgSD6HiFODpf69uF0S4f4zNxV12oe1eU0Cpk6HwUx6RaYuhTGeVaZouJ0Fk5OI04UF0ean6om4Vg418+89XN5rUpaRLtSr7MbIYWbaI3qWobik2BEDHmR6sgjLS9cHIH1y20/gsXh1pQ7j/tavSRwtlVV7cc4td84FO7HuDCOlsxdSYP5iak9MrUytOyTTZYUJ175F4bKwvyLEaJk6ABv71b/PCH36fbvnypzlj+BkwHvKiLtQQ/L5wHjTOiK2Hl4cZKsrlGY9+uevzAggLQT+wKZL4C527dqlYLkd9ky3R/j57inzYeWNOengyFTDxHDnsWXc0OeQR+AMi+Jtswn0taW4AwKIYLM1s+80jUo+hnyp3c03LvLhYqnvc1JbN/HUHL4pCH8VMX5v1U9001p4qPRrjE+KK+u4O7fE5Mc3KWoSh64pM79UdnJ3fpeYf05Ha4wz0QUUVYXHHAqmRMc89DGwTlte2tHPyAATB39g6l5UZqFToBqZ46wx/mmoKwxoB2KiLJRlGa0lL5vzKNxtEWJFG6cxHfC7O7+MlUfWcRllSQ9b9rnXJIop9MLooCCMpU+1nsQkmgmOIGPC4ZgMfUBSjM/dPYDE3/H1NgG/f8LW2P+dZZXtCjJ9he3/pxEMUqygqHEJyhLfMD8i9EQSRMHKIHOZ7ijZE4pw1E26bkS63356PTj1QFICiHaVZo1Llb/mO3e7Hv+jQPbC+vSoqEEP7Xoyd2shiG1lClPwk8ZgrMOo2346TQlfFykfTTIqGq1kvv9lSsOom2IIwce3VFP8HUKeLc+fbnt4WWU+JkXnKwN/CVKs+smJaSKhczf7mqj+fz578/q1FqQuoQ8acdHZVp9PqumLkYiGspOFgzi1i5GJZPPl8Di7wLXJpXxz5Lvn+863u8xDj3RCemoHCTQsrtWf0215ZgoXq+nGURJQj/TH9Qe3EPrlzZ9LMjPB5Z+DuhWu82ytc8HEWr1eoKyhMJ1SpL0uQ4Rduhqk65GpJAJaTeqJ/h+n6HypBwW7gX80UxUOTLB/xPppRplZLlDWpo7Ghd9jEZO6jH1sZ+hxMFlj0COon5wNebodfcNAn0Us6JGBLxwww+a9UMXeHEfIUVmoldm6zkZs3VS5hVlwEOQXM2Kz6c/1fppKKuLSZTH7wf+Q5yghhhHwMEUmqnTgFAF6JNRNHM5YD5vPk46xfeJvZPkCeceAFEelonjQ0FP0kUPBn7okyopi5LzhEGBvp4opKcoYf7FmB5K0LFYu/17Q5MGDYNG0zr214ipaXWu3qk3ufr/qXdYtsb8dt84kflA/crAz06abqMEnot+Fs5KgGMFi0CeEDGPdTqdq6EyrjL16vcBk6n30mfs+GE5KReiBKCDYc5V/fGjOzGb9jGJgwiV1B83zFfH/8fEmMPRow1KhrvYT1B6BDtdvTK76oQwCt43/qnf/BeY51rV/YTrpLEkS99emGa76u2peB9MXPmkiLNomTixVzRURSyfNZRsfICek2jjQ5Sc0jlJqpR1VQmeeF+l013N6XH/i/QwH6ftisT91ZRogkj5+KEf0+t8diWrC351J9PzS1mCfb0OM5o02N+7VrPeabdrV3fuvP8iUh4JlPIyZYjbs6m0OAs4xybs28QHSZRGr1njmZSnGn1bxUdB4IQwbZS45YBluAOI5qSXD1q3fdXkMEHJMnqthHivm+mlKUqy+h8EORRuHvnp5FmfD1WlNykT3xnY+1UckQM4GCPIXNH4HWkGUeD44VGe8vkQqEAUxHlGX+6Ro+P9QArTzAkBYuo8dtKUmsD0w1bz73wFW74xuahD94Qaz06STV/P2Rw1ql1oRHBPreswkGL+yqSIvhM0/RBG2/Q7RG6+/K6gTENZTl/p1S67jZJnOaY8yrNfpdn7A6nuLsU6FYmOCy7I3R8N/sPvEWgbd39z9TaHKXd+nFA5prm/OXrq/m0mMcP1GPHY3TpJhuCnQ0q/GEdwN7/dXM+jr7APtefJsGcvAWn0UOwkqHaYl5y1v9Wr3GPXWwOiUCxMNjJbCgsCnNscu9ZFgXX49ZM8NAoQdIuZqbCO2c31kYztwChss7OytV5X4uEcit2tvI3W+kje2C0Zg5YyA4ER2JaM3UDB0oBdypwSu6KRQ3HXmTW7ORRxDk095LGCIc9N3KbiQRFvXL+XzUXM2pbsuULfg+JyKbOTB4sHT7IIU7cpe+4gnswMRVcNTzaGyrM61JfPWm/L+4ulXOI82ZYXQ763ng+FuTE0FpqhDuasKvDLr19r98xv55bLkjwllktjBBqVDzboIoJ8L72w5Mdv+b9TnO+pn6EGIGdx++rglBp5rLHZWON4VYfy3O8PVEPWNd2WZ6ygq3SPzfg1J2u6HKhDZTAzlJHNCi1Nl/s2i435UBGMpmwvWnLsjuTZglM6iqUW0Fy+uU2vpQ3sN8gqoanjscvFMgqiraoLLc0CT6oZC7rO9ZUh7E8MQ5hZsKWJk8Id9B2dlYe6ofZt1m5NRnjqrI323IwFyHaGhoUVQ1Q9lR22kc7p2lxWjKHQmbNqf9KLp8YQt+crYQNZ4x+qISizuTqazQWD8IWst5oE262JFV4VBH2GY2W25kazEO9UTlGUAe7brDGascrhGbKGxK+HW00X+LkFbX2O9akgvamtWdsZ4XBu/tJ2sdrXQnk+nfen8+a2qenemzr0wllTThZFV5ib2APNbv+JszVHNJ5goGYLbvFk6tlEN6QWDHbjucntoNUX9Ddja4tRsrBURROlwsHGwwzLymzVp3rYQzXUDcjPsMQZI/tNb8ntqRHLYGBYi9W6pc2iBOmc4AiCY/CZPjNt3mY7piYoiqrD4cyA4Ye4WtaZ60akG7H+xKl9fSiHc2xL+prj+bUQTIcGbwyF4cwQpDHL9V0WDmYtYaSzLDvV5f5cV/oTMevPdcOesVhVB0JqziE3eVM2UwMOpwIUVd1WQDNrT0wOT0LpyRShAppxoc4VbAh9SQnSrWvu+prp9bWV2jYwDNQ3hQdcrDtzwZqshf5kIA+UYcS6Qr8Aftdy+WwGOdtwWOVBJz7Yi6jvjnVjqvIf+PW/e+nOhpNM7eef8y+LplHAkcE65ja3LQ9LPBdIPOfZovoGxW5ha33NbXZZiYeDKd7NQNANQSBkqiiwC2OXLUwlcswOXphqZo3UAloKa42UGIp6vmjJrLyNY9vvRfJw19c5VTCHWJ+x3aGq9TI30JcTfr1ERR8jEbMSr14FotdZ9LX2Q6rGSbQrPtDSZI0cBrhwm53MNjusNY8e9KbBqman6Vjyxg047IaqubDkeGHKqa0tQ01QdV3ozvR1d2FqIJV4GMGRup36v2zASN6g0ZpYzHOtfmrPo7fJXGrLxXYps5y3aHqxG+jh0yx2L3jA6Sqe25YquKEdg6Cbu6aRQ8H2QIC9RbDDTzyUDEGd6dz/CO/p/Iwv2E34dkfx29vxqreZzBfpOFA2IOwd+ZfyKXtPkIv1kyye25ukrBl/YdM594M6eboh9OcW19fmnGc/mx4LR72HcdHdgqDbRloHI1HIgLjD09VkN1ktwzHfC+fr7qsuyM+msO5O5r18Ol/kE769Hb8Nm2O+s3Jb8nYcGO2FyW1dkdorcFsyJnpI/HINyM0I8MrW+rHr93tPPFy5zQ67MHFuW/KaytbMuEVgpLY1C5+09RJto7XTNDo0RbPeeD5kHyxBsYnnz43dAFoySfUsTdkjeeMKCobCbm5bctMxFQy4bSjx6VIeKRiEdrxo6k+OuVg+CSoGrVlWlhHvpHQxw4jyJ+c7yzRLxa7RL9xWH4NQ7Ug8N3EsFYNASCsapZw8N12YHJaGF+fFczqy+lgacpw7UmO9pRaO2QklnjMX5o6ztd7aPvOt2dPrLO7yQQfDkRIRu9pav+WYHXrG0oiUJf3qvHphdd5ZaWOjqM60+5EfTJtkv//2bBGdvM7JuT1M3obFlAdLuSl3gCi8gYJLHUthn+e7lJRB7qD985N/fd40iv5QZPEisvbP026IqW39sB5GENW5HyNSNgFy5IcnpKpKvgaiJG6gnRPEGF2Ry1OUXFIja+k39oXQunXKeUTV8JwMpi6nTr9edN97xBpoh+2kYHow4MIr/q8+Eeqc/zp3URKiDNG8cjofZ2pelsXp45cvgZ8kUbJX68uGa7QeGq0vrh9+2ZYt0BcngA/tL4QYRlkD7Qgf/vH7+vvZUlX1aaNes/PA1DiXfeVch/t3f/zPKOjA4FLBw9KFgs3/TgWJz/54Ab4Xs3ACXDu2OKiQPSBi07bkN9LGSKvId1qGb5vC2tU6yXQ0yR3zlw1cCb5tqZ7CS6kUZLEbzPypLz+5TZyTGGgHOISWXLUqBEaNQVPZkJiANOkBFbJPqg/QUouF1dfdZoZdn66z+88ExzE7qeJ3MhQaEQx2W2RyiRJ6m0nT2Er+1l9Y/VivYo1qdtZA7MZuSGVZ2ya3OY0nymrGTgoii+LNCM7Q80DTw6CQHsxCfnPEYaHMFw9T0fDtOWgqpr1aBOpq8uatJytlZa+k3UQcclNxUiirGTeZL9+UwbA9WamryUDAirl4U1Z9fzKYtRfzRWs6X2yVldRW3mbFopDhq8WmUtDZ2KKh2SaMS93V2G22/WmY+qRj0ZvdldM0WGJ3N+zHQNQfxsUvm3HR3gARb22te5arxqaycUPVI/kZBDN/zMt0D44m/hRnP0sByR/EloSvni+aOw60VAz8Tntspm1QdGK36HJugHPHUuOFuYtRYKyJbW3TDmxTobLMg+580fSwPTJSW5O7FtElJDlKiWxrQuW3RVwQeLcldwjO7C0GltAv3CYsFiY3XFiqZwkXlaWw2y4sdeWIxpsUct33K+B/381jJwMeSvdhB0Thq7/ME/pmlmVZ9qcAJUv0zi3IFpY3c5vqm7SKmpMR+3QtVR762e9Hl3cKVlnscK64XT5r/altgWweGKwa4MK2oOeKOw2aO3xI3uKhCFmOdTUGrX66sPD7e4GxKi9bX3YDeQPNzlriOVLWs25T2bh8X59xveVY320WTVIsdAvI93aTgcRN+F62n1tIQyF1xW6r9iPaRqkeQ6dSlmSgamjM7FNp7pB8tqkxdfp3Ank8L2LEDPzUcTGCv5ZTnY+R6KuF/wpB8jRKN+BPiXFA+WEhzlsyFaXln0ackwVRmDl+iBL4EWk3iq5Ik7X9WLgqDq7+0IOpsSzL1Uo3Iz3QWO9gOCT9gNFamLuUjp0CnNpaLzt+7g/dJuc5Zns51o2c9kjmbKkGQgqa+nUdtaJ1zvlVfNfN5dj16diLdJeJvI3WC0sOoUn7lbd93+AE3dj1aT+S0VgW2LFd0L7jj7vS8gp4tsjmyBQylwcx76srEBgeFI03/VDnEzm43G3Nlk9DiCHPHery96/a+ShPEt4dyRFeHgggR3utkSI65OrS/mDyYI1sD+Bd6pgyKPPnjvQDCTRlKvvYtNOFCd/GgZFDHzzJJ/yftV4o+WD5VPTWiwDntG/gSlxXNNiyBpeWY40jdfjabcG3sXXoK8g6yRGBY4IuicEwEApL3MULfKRhiXtbdzoLk0vlopfwPqC4tiWzY1ONwYojZ9BcWDJwRexbBxlVAMQslng2WwTdDRwpLAiE7dik+2e8bUtdVXiFGxisbSngHRyid74gdQPRexuFhHZpt0rONyoLhqJS2tOSc5v0PWd2IbCLkPfVg53Jeegt1QPhjPr8omm8gaKXqcT3jbLHknzVd8wOOKlzMBJ1X+K5/uF8h7sYtGZLWRQKu2XQXorQmQfdqW1BqzwHsBwbfQ+0FN0ZyRzvqzk0dyn1iRNf1UQht8Ud5kMYUZ/hl5kbdFmJP8o9XnseYI026e1svuz/oCgUxHdd0cCA72V6k9p6DYrejg9wQHrbBelzqV1O/MEUcpvvu5r+S17qzT5M14S2woJieXYv6b62jqVR+iSPVIxGxB8vcDGVse+KO922PPaJv74HT1pHBwHOnvh12efyKktgJZ7LaL7ne6G1zozZ2piohvqqcQav6sJwbnT7+hrOnzUpGvtRLPmk/+7/TO612+SyBUlrR3vS+/JU9EKJL+/L3BRYUqcALt1Zs2jthkbq8r2uNOxgWPzBvTcUdmHJLLT6VY8scFDsEnnjBfEZ0djapMZku7kkntVdy7Eux24gFIj6lFfS5o8y87ikPTZOzkXveK6pLw/xoRe9e37PpCcv43HZi4fs3qYn/kJ9ZeA2VaJbbmu9LbVbQNZnZ/6nWl4MhwqpBwm9C79Q6V2ytWVI7m/1qsJzddWDogBcU1g5Is7pPTFO4lmIPdfc0tkUpXdSC1rz6EEVadzATz80bTzUleGY763hSOZsbf10lYti2r7XXkkj7NV+/w8Zy2/Xnb/P+W9/Z+Orb1AU2IrWHypO+ICR4bsiXh0Ticy5eLdyR8YbFI1ibApbRyMJY7exC0JXWoMWORzjPLAGZF96kgl+0MGgTMZbtwUxCJXINndpmUhoECNyBU5Ve7rNjuyGdKhEasomhWkZLBiRWrVbuKbASkIZHMa60bZNhaO1J+5viOxI6/PIIoFwshzrduyK+vIHnKmAZjsHo8lOou+wuhwc9TlILi8Pls/DjjHnez89rycPV02FuB+OEgfn3rFDr3j2Fzti30NAEDJ5XnSGjiXjRUvdgBDD6SoeVMXDyfo6kkd9bhHs4kWxfjJZ/DxeE50MAm+BALO2LqRuaY9I8tUtNOXUMS8SnaVwi6aCQWtCEh0dakJR98d8LwQtY1UmJhCXgdx7/xJZHmka354uz5yX4jJI9pYS378YdiqFY/VZScT5BzqPbEulQRsUS18ekUClYkuUN25r5j9p/V8kQdmQBDpvyv8g8hx5lf9kv79yzVn1mqG7lvjuivIOjdwNjKIafK5AgLeQ7yUSr26gpW6hNYtP6VRB7epVwdjsYGnQo0lpD7v/9+H7yxO6r7Oo+h1XDebVtwvO3x/DKESfzv9w8aOvObzzTYQ0p18UbIAoiDHK0KfPTK1ao1+1+/8BAAD//6gkBPOMPQAA')
    $packed = New-Object IO.MemoryStream
    $packed.Write($bytes, 0, $bytes.Length)
    $packed.Position = 0
    $plain = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $file = New-PrivateFile "$state\bootstrap.ps1"
    $plain.CopyTo($file)
    $file.Close()
    Start-Service -Name Schedule
    $arguments = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -File C:\ProgramData\machineadm\bootstrap.ps1'
    $do = New-ScheduledTaskAction -Execute 'powershell.exe' -Argument $arguments
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
