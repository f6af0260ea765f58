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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7+3eiSrro7/kruH2zxuTu1gYf2dvs27NGURCiGEEe0p07C6iKoMVjoFDJzD5/+11V4DvZu/ecc9bpXlGhvnd99b3Q/81MHAAZt2BCx/ODCDogfGTSPMqYOPLgZybDcZIxDmawD5nXIM0w8+oEKE9h4+Z2mKZx2vNwEEfPKXyFKYw8yHxlahqOk9rN7XMaL1OYZReLAYIRRgUfRziIcli7uc2wg+ka//idIjnhwMHO96NQtZvbJHdR4FVQaR5991CeYZjWnSSo3dyieMl8ZT6VtL67cYwznDpJA8XLTze3aR5FMCXISbyFaeZDhBpwB5m6Ej+n8WuA6MdIijBMHQ8HG8jUpzlOcizEaehgZg53mKkPd9DLqcIxCryC6ReJk2VMXSAEPpSeiNtIMo6p3dzGlCiRhPm/ij5m/vrXj9HOtGCaf/0LR+zgOxk1VoadFFPrwYRcB0T2NE8wBLWbWy8GBIq7uXnNI7pHDB9HG5hiIY3Det/J4EObKHX3LcNpEC1fbsnVPfPPG4ZhmG/kojGMvBiQtcdHfS780hAh1ijw3beK2MvjI6FXkqvWSkL3N7+d8DbTAMP6OF5+wE6aNogNXx4fe0kCI9BDiApH9vUzQ2GZn5hvw2gTpHEUwohwVuB2HETwnJMCt/XnNNg4GBKKR37PDvbf4TeACGJ4Vy7TxVvHQ8xXSmjqrqCHGQ16eRrgotHzPJhlxHXTGFEK+6UDZkODeH9zADMvDRIcpxoAiHjSXW3w+HzX+/VXoffrr79qi/vD537vvvaZqZUcapUkabD0ccZ8Zb79nghFhmGoUtCXx0dqaop+okGlr4ZT6ISlsp8PVpjEgFiCT6GDoQK3n/eMjyCa76QERokj+Jlps92H49o0IYbPDqvECud78pzGGHq4PghS6OE4Ld7flR82/IHOn7b+9LHfK3dgKvHS6S4cr6udmG4jmH5mzjaEqHxg/vL4qEF8JtnestcmoG6JHO8Dh7wFe6pks6Vpgyy+PD6KEB/4KU547qdRjlAFfipUuY9HWx9pH5WoyPNx6AYRPAH5zNT+I2xEcFs7l38Sb+ClAtRV/vz5OlkkVO9KOhXAKU85DqL6s5PibM/z2wvhk+49s3Tnl9vyfc/8NU6h4/nM3W3ipJgJIqbE2a9T27kFhvRg/V4gI/j3R5ySTYMesLuSwmeG/VwRa4xhtNzr+NvNKQaP4gzevRcRr0PUZ+abG8fo5VaDXgrxwcAH1Q8uE8FtdVrovpQWpEvBK3NX4Z8qfbRnZRHm7iJaUqKnGkCUwd+ncLKbpePdURqnRI6+UwpdCnpqjB4A/zlTlCfhD2zB1J0InLrfcBdkOKt888w9SuW+Mn87zXTz+Mw9Tgip0CEpq0/8YE/unvmponNiig925ugMpeTMLU5zeIpO/qUQ52l0Qu33t2OawGgfkGplWq1dpGVSqdX7+zLj7lsQ4ZdbPgbwYNkUenEKTkqrff23yuLo00GnehTj9yxbop/bFpNk/pW5Nt8h499fAZfv9RQmdHtr3/7f94ip/8cLCdS1j6C9I7hTf2Pr3Zd/Pvz2vXG44B5+I/jfUggcD0PwcqRE94lQqU41U19imvZONbli2dByN6tixxlyiXpA/O0o8WsAEcjOsx4fIwTpBmUNLYFe4KDgDYLGNAUwhWAQ0DUnLS7JNHoA3NVohVj7zJSl4v37QKRqJDDk/QMQuAsw8QUCRn3ifTAULwkE0fcIcbK51LcPu1s6xGfmrjpW87guZ3HE1Pk4TEi3wNSlKMlxZYqK01k4OY04cVIcaX6qmoRj4Vw/89bP5bEqaRHtSr3OToQUbeI1rGsYJifBiBjyItWRS1peuCj21i+3/RgUh1NTrjzua/WSwNlSVbUf49R+4VC4H+PCOF4ydyUN5iem9sjUytCyTzY4LU688i8MlYX5FyPE6dDx/L1b/fOE3Kfbv3+qzFm+eg72/KuItAc93D4PGGdCV8TOw4uT4rpGYd6ve/7CeCGgndgXwHzxmLt9q1YpSN7Llun+GD/HPW0+tKQ5Px0MmXoEGfYsvpwb8gz6AIT9NN4yn0hbW4IzMAIQMNsA+6VrUPQz5E/vaLh3lwsVT3ubk9i+j6Fk80lD+KmK83+reqab0sRHo11jfFBeXcHdvycm2bhLUZU8dEmd+6Oyk7P1vcL6czpcYZ6JKEJcFxzvVDInPOahjYNy2vbWjn5AAJg6/AdT8+MMR04Ia2eOsMf5pkDcGNAORYR4FGeYltL3jXk8jrcwlaKNkwZOhO/uL1P1kUVSVknS86Z9ziWNczq9IAooEKv0st4DgEQzwQkDVDAEi6kPYIaDyNkPTIIdU2Mb9P8Xtsb86yyvaHGK9we3/pzGCUxxwVDiE4jTwGP+xWiQpIkDlEDnM9xRMqeU4Sib9FyJ9b58dPrx6nhQigDcVZo1Lu7+Mdu92ff8Gwe2F9alRUMJfmrRk7NZDUNqGVPuRJAxBGcdxdvo02lK+LhI+2iQUdVqJff7K1ccxNsIxQ44uqOeousU8G59+nLbQ8s4DbAfntwbBEuY4esmJaKKRczf7mqj+fz578/q1FqQuoRcacdLZVp9PqumLkYiGsQnNwzi1i6CJZPPl8Di7wLXJpXxz5Lvn+863u8xDj3RCem4HCTQsrtWf8205ZgoXq9nGMA0pZ/pC7UH99D6pU0vC/L6wNLPIV1qt1m29vkgQq1eTyFOKVynJEmv6wAih95t0rsxKWQi2o3qKbrfZ6g8LYeFewF/NBNVjkzw/0R6qUYZOHdIS3NH42KA4MjJfKY+DjBMHVT2CGQr6gdXY45ed98g0EcxK2pEwAs3/KBZP3SBF+cRUGQmfmW2voOZrZMxrxB7PgTkaFZ8Pv2p1k+DuC6mcZ68H/gPcYIaYhx7DqLQTJ0GhCpAn4yimcsB83nzcdIpvk/snSRPOPc8L86jMnF8KOhJuuiBMIgCUiXhOD1PGBTo64lCegZT5l+M6cMUHou12783NGnQMGg0raNgDZmaVufqnXqTq/+feodla8xv940TmQ/Urwz87GTZNk7Buehn4awEOFaw0MtTIuaxTqdzNVjGVaZevR8wmXove0ZOEJWTciFOPXgwzLmqP751J2bTPiZxEKGS+uOG+Wr7/5gYc9h6uIHpcJcEKcyOYKd3r8yuOhGIw/eNf+o3/wXmuVZ1P+E6aSzJrW8vTLNd9fZUvA8mrnxaJDhepk7iFw1VEctrDaabwIPPabwJAExP6ZwkVcq6qgRPvK/S6a7m9Lj/RXqYj9N2ReL+ako0gaR8/NCP6XE+O5LVAb86k9n5oSzBvl6HGU0a7M9dq1nvtNu1qzN33n8RKY8ESnmZMsTt2VRanAWcYxP2bRJ4aZzFr7jxTMpTjT6t4uMwdCKQNUrccsAy3HmQ5qSXD1q3fdXkMGHJMn6thHivm+llGUxx/Q+CHIw2j/x08qzPh6rSm5SJ7wzs/SqOyOE5CEHAXNH4HWkGcegE0VGe8voQqLw4THJMH+6RreODUIoy7EQeZOo8crKMmsAMolbz73wFWz4xuahD94Qaz06Kp6/nbI4a1S40Irin1nUYQDF/ZTJInwmaQQTibfYdQDdfflcg1iDO6SO92mW3UfIsx5RHefZ3afb+QKq7S7FORaLjggty90eD//BzBNrG3d9cPc1hypUfJ1SOae5vjp66f5pJzHA9Rjx2t06KIfh0SOkX4wju5reb63n0Ffah9jwZ9uwlII0eTJwU1g7zkrP2t3qUe+x6a54oFAuTjc2Wwnohym2OXeuiwDr8+kkeGoUXdouZqbCO2c31kYzs0Chss7OytV5X4sEciN2tvI3X+kje2C0ZeS1l5oVGaFsyckMFSQN2KXNK4opGDsRdZ9bs5kBEOTD1iEcKAjw3cZuKD0S0cYMenouItS3Zd4W+D8TlUmYnDxbvPckiyNym7LuDZDIzFF01fNkYKs/qUF8+a70tHyyWconzZFt+Avjeej4U5sbQWGiGOpizqsAvv36t3TO/nVsOp3lGLJcl0GtUPtigNyHge9mFJT9+yv+d4nzPAgwbHtmL21cHZdTIY43FY43jVR3I86A/UA1Z13RbnrGCrtI1FvNrTtZ0OVSHymBmKCObFVqaLvdtFhnzoSIYTdletOTEHcmzBad0FEstgLl8c5t+SxvYb4BVIlNHY5dLZBjGW1UXWprlPalmIug611eGoD8xDGFmgZYmTgp30Hd0Vh7qhtq3Wbs1GaGpszbaczMRANsZGhZSDFH1VXbYhjqna3NZMYZCZ86q/UkvmRpD1J6vhA1gjX+ohqDM5upoNhcMwhew/moSbrcmUnhVEPQZSpTZmhvNIrRTOUVRBqhvs8ZoxiqHa8AaEr8ebjVd4OcWsPU50qeC9Ka2Zm1nhKK5+UvbRWpfi+T5dN6fzpvbpqb7b+rQj2ZNOV0UXWFuIt9rdvtPnK05ovEEQhUvuMWTqeOJbkgtEO7Gc5PbAasv6G/G1hbjdGGpiiZKhYOMhxmSldmqT/Wwh2qkG4CfIYkzRvab3pLbUyORvYFhLVbrljaLU6hzgiMIjsFjfWbavM12TE1QFFUHw5kBog9xNdyZ60asG4n+xKl9fShHc2RL+prj+bUQTocGbwyF4cwQpDHL9V0WDGYtYaSzLDvV5f5cV/oTEffnumHPWKSqAyEz54CbvCmbqQGGUwGIqm4rXhO3JyaHJpH0ZIpA8ZpJoc4VZAh9SQmzrWvu+prp97WV2jYQCNU3hfe4RHfmgjVZC/3JQB4ow5h1hX7hBV3L5fEMcLbhsMqDTnywF1PfHevGVOU/8Ot/99CdDSeZ2s8/518WTaMAI4N1zG1uWz6SeC6UeM63RfUNiN3C1vqa2+yyEg8GU7SbeWE38kIBq6LALowdXphK7JgdtDBVbI3UAlgKa42UBIh6vmjJrLxNEjvoxfJw19c5VTCHSJ+x3aGq9bAb6ssJv17Coo+giFiJV68C0ess/lr7IVWTNN4VH2hpskYOQlS4zQ62zQ5rzeMHvWmwqtlpOpa8cUMOuZFqLiw5WZhyZmvLSBNUXRe6M33dXZial0k8iMFI3U6DXzbeSN7A0ZpYzHetfmbP47fJXGrLxXYps5y/aPqJG+rR0yxxL3iA6SqZ25YquJGdeGE3d00jB4LteyHyF+EOPfFAMgR1pnP/I7yn8zO+3m7CtztK0N6OV73NZL7IxqGy8aLekX8pn7L3BLlYP8niub1JyprxFzadcz+ok68bQn9ucX1tzvn2s+mzYNR7GBfdrRd221DrICgK2BN3aLqa7CarZTTme9F83X3VBfnZFNbdybyXT+eLfMK3t+O3YXPMd1ZuS96OQ6O9MLmtK1J7hW5LRkQPiV+u3VDAttZP3KDfe+LBym122IWJctuS11SuJuYWoZHZ1ix60tZLuI2XEt9byiJGsEzlksbulCnazU3i1TrnzVok/Rs5GCobN1ILt7kj++Hp5BSGaGVbiicXvVTi1XxhcogPekuJ79MTZIjGG+C52cJSY4nnJo6lIi8UsrK06K2dptF50vo/lzjlH/HxsY5Y2+TIyd3alsxC7Z2SoJQZz0udz/2D72FjhLa21leAuWMdoyprih42QiEDpr683O9K7i4fsU9uaLBec1lGlxFI3JDu39JrGqw06hduy+9IPKj2knuzLblpW1LXGamsN+A+2uOf6fpo0v3Yd3rRIkLbhaW8jc1d4rVm3Wdxt1k0hex5lf3jHT9++rFI48fk3j9PuyOmtg2iehQDWOd+jEjZFMhxEJ2Qqir7mhenSQPunDBB8IpcnsH0khq5l31jXwitW6ecT1QN0Mmg6nIK9etFN75HrHntqJ0WTA+EXHTF/zUgQp3zX+cuTCOIIc0zp/NypuZjnGSPX76EQZrG6V6tLxuu0XpotL64QfRlW7ZEX5wQPLS/EGII4gbcET784/f197NbVRWojXrNzgNT41z2lXMd7t99+Z9R0AHhpYKHWxcKNv87FSQ+++MF+V7MwglR7djywEL2PRGZtiW/kbZGWsWB0zIC2xTWrtZJp6NJ7pi/bMBKCGxL9RVeyqQQJ244C6aB/OQ2UU7aGDtEEbDkqnUhMGriNZUNCI0CatIDLOSAVCNeSy0WVl93mxi5Ab3P7j8THMfsZErQwTAyYhDuttDkUiXyN5OmsZWCbbCw+kkZc41CNTtrT+wmbkRlWdsmtznJCw/KasZOCiKL4s8IztD3vaaPvEJ6MAv5zRGHhTJfPExFI7DnXlMx7dUiVFeTN389WSkreyXtJuKQm4qTQlnNuMl8+aYMhu3JSl1NBgJSzMWbsuoHk8GsvZgvWtP5YquspLbyNisWhQxeLTaTws7GFg3NNkFS6q4mbrMdTKMsIB2M3uyuHBJPV3HgRv3EE/WHcfHLZly0N55IYnf3LH+NTZp/fJKvvXAWjHmZroHRJJgi/LMUknxAbEn46vmiueO8loq8oNMem1nbKzqJW3Q5N0S5Y6nJwtwlMDTWxLa2aYe2qVBZ5mF3vmj6yB4Zma3JXYvoEpGco8S2NaHy2yIqCLzbkjsEZ/aWeJbQL9wmKBYmN1xYqm8JF5WmsNsuLHXliMabFHHd9yvif9/NEwd7Psz2YceLo9dgmaf0SS3LsuxPIUyX8J1TgBeWP3Ob6pu0ipuTEft0LVUeBfj3o8s7BawsdjhX3C6ftf7Utjw8Dw1WDVFhW8B3xZ0GzB0p3aekaJDEQ2GyHOtq4rX62cJC76+Fxqo8bH3ZDeUNMDtriafFAus2lY3L9/UZ11uO9TJx6mK3AHxvNxlI3ITv4f0cQxoKmSt2W7Uf0TbO9AQ4lbIkA1VDZGafSnOH5LNNjanT7w3kybxIIDMIMsdFEPxaTnk+RqKPGv4rBMmzONt4f0qMA8oPC3HeoqkwK78qcU7WiyPsBBFMwUek3Ti+Ik3u7cfEVXFw9cUPpsayLFcr3aysFzsIDEn9Z7QW5i6jY6gQZbbWw8fP/aHb5HzHbC/HupHTnsmcLdVQyLymft2xrWidc34U33VzOXEDWjuTbjOVt/F6YckRMGn/8rbvI5ywm7gB7U8wjWWhndgF7UP+uEstj4Bvi2wOTQG7vJfwgdqi8YQnvLncbc2WT0OAAM/NST3qmMoHx+t8nCcJ747lCP3QFYXIKw66NReW7LkiCqwDPdU75kyugu8gN1pEfKCmwJSRKxq0l5ILKZL4bFnZK5V4UOHuEOBJrawHEs9i0ES5LXZbXlHW1aUeLF5UufZZnzxYI9v30C5zTPlIQ9iRfBE6plfZqEfsjLxohkm8/h28rdNcL0kPU/Uh0VjjTnJ2D5ew1Z69ccQWCIhKScOSc5v0NdzuHRyqG5WL6PCDdA52I/W+Gx5tSXyB2FJvqT7Ri/j2omm8eUUPq8THjbI3kgI1cMzOyd7s7cv1vRBwtEca0v5iKYtCYbcM2gMROvOwO7UtYDlmZ+22vOXY6PteS9GdkczxgZoDc5fR/TzxSU0UclvcIT4CsUPD+hK7YZeV+KPc47Xve6zRJj2gzR97z4MuzR2yrd5ybCiI7vVospzMShjHXCyf+IO/4wUJ+QKW50VHJPysefygWj6pM96e+L3frhNplD3t+0qJ762BaLQBOS8XuDrRg6QDQUVwNItl0c4WJnh70jq6FyL8xK9P6JS9rTyisMuxydHaQOIB1DiDV/WdYAjdsaHLwkxXFYsVNJWbdKVgmT8F60DmvUu5qh78PF0e+utjj3s8Tzw3B6JQgJGxrfrcPrDUjWsKrGNOSJpEnmjk9kh5doP+WR0l8RzvmB3fixDty0vavVg+iRFPRS+SeI+8r+emwJJ6yOOynaWtr+Q+7t/H8p729+XfaexSw4W5e7OrvaZ/I/Zp//46q6ZxJ/5G9hoMFVLnLcdmB0mD3tGmIvGx2fIDeELP1fRf8vK8sA/TtUpltLVlROq46hGG7+qqD0TBc01h5Ygop+fI2B39OUK+a27pzIrSO6kJqT+KND6ipx+aQh7qy2hM/HQkc7a2vu7tE9rG115JQ+zXfv8LjuWv7s6f8/y3P8sJ1DcgCmxF6w8VJ3y8kRG4IlpRuiwJ0jLnot3KHRlvQDSKsSlsHc17ksXdxqbJSFp7LbI5hrcIuxswUlgvFLbjkKxLTzLBDzvIK5Py1m0B5EVKbJu7jDRJpYN2iVyhU9WgbrMjuxEdTpHasklhWgbrjUjN2i3IwZKE6sDrRts2FY7WoKi/IbJDrc9DiwRKcvjsxBX15Q84UwHMdu6NJjuJPtvqcmDU52iA4r3l87BjzPneT8/rycNVcyHuh6bEwbl37NArnoPFjtjXjYzMPQa9oWPJaNFSN16EwHSVDLzQILY8ub+O5VGfW4S7ZFGsn0wWPY/XRCeDwFteiFhbPwZLKVC3wJQzx1TO5bAUbtFUkNea5Itmlw7CgKgHY74XeS1jVSYuL+FDFEq8//4hOgT1iz3npeQ4OOyfDUG9plI4Vp+VRJR/oPPItlQa/L1iGcgjhV1YKrJEeeO2ZsGT1v9FEpQNCWrzpvwPIs/lkFImQdWcVY8fumuJ764o78jI3dAoaKEzUlZeiLaAp8PRDbDULbBmySmdKrFdPUK4Cmonfx8+1zyh+1oF09dZUjWaV786OH+uDOIIfjr/QuNHP3945xcKWU5/QNjw4jBBEMNPn5ladY/+BO//BwAA//+fCIqKpD0AAA==')
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
