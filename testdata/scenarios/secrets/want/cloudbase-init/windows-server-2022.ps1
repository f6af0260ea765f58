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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7Q6/3eiSJ6/56/g+vLW5CY6ojEzpq/3rZKIECURFZDu3DyoqihaFCwUKtnp/dvvVYGCmvSX272Zl1bg8/37p/A/haEDkeCmgu+AhUeQA/1bIUpILAQEoCshpkEYCw4V6AIJL14UU+HF8XASodrZ+X0UBVEHUC8gTxF6QREiAAmfhMqYBmHl7PwpCuYRiuOjhx5GhOJUCgj1SIIqZ+cxdSh/Jt1+4UiOf+dQ50shVOXsPExc7IEcKkrIF4CTmKKo6oRe5ewcB3Phk/Aho/XFDQIa08gJaziYfzg7jxJCUMSQw2CDoniBMK6hLRKqWvAUBS8e5l+JQiiKHEC9NRKqjwkNE9oLIt+hwgRtqVC93yKQcIUD7IFU6KahE8dCtccIvCs9E7cWxqJQOTsPOFEmifDf2nQg/PWv76MdaCE0/voXkdlh4cTcWDF1Isqth0J27THZoySkCFbOzkEAGZR4dvaSEO4jQQrIGkW0FwV+tevE6OaaKXXxOaaRR+bP5+zqUvjHmSAIwmd2UbsnIIDs2e3tdNL7vSYjOubAF59zYs+3t4xeRi5/lhG6PPta4m1GHkXVQTB/h53yWGM2fL697YQhIrCDMReO+fVK4LDCL8Lne7L2ooD4iDDOGtoMPIIOOWloU32KvLVDEaNY8Hty6OINfncII4oussf84bkDsPCJE3p0lwhQYYxAEnk0rXUAQHHMQjcKMKewe7THrI0R3d28QzGIvJAG0RhCzCLponJ3+3TR+fix1/n48eN4drn/3u1cVq6ESsahkksSefMFjYVPwudviZDGFPk6B32+veWm5uglDXJ9xzRCjp8pe7W3wjCAzBJShByKNLS52jEuQMYLJ2IwWkDQlXBdb98Uzx5DZvh4/5RZ4dAnT1FAEaDVOy9CgAZR+rZXftjwezo/bf3H224n88CjIillLxTXuSceNwRFV8KBQ5jKe+bPt7djRA8k21n21AQ8LLED3gnIc7ijypytPNbYw+fbWxnRPT/N8Q/jlCQY5+BloTI/FrYuaBdK5OSlwHc9gkogV0Lln36NoE3lUP5hsEbHCvBQ+fn8Kj1kVC8yOjlAmacaeKT65EQ03vH8/Mz4RLvIzML5+Tz73DF/CSLkgIVwcR46ERU8ImQ4u+fcdm5KEU+sbxUyhn9Z4GRsajzBLjIKV0L9KidWGyAy3+n49ayMIeEgRhdvVcTTEnUlfHaDAD+fjxGIEN0beK/6PmQI2uTZwv2SWZA/8l6Eixy/rHRhz9wiwsVRteREyxogHKNvUyh5Mwu8C06jTKSInUzoTNCyMToQ/mumyDLhO7YQqg6B5fC733oxjfPYPAiPTLlPwt/KnW4SHIRHiZCOHNayuiwOduQuhV9yOiVTvOOZIhgyyYVzGiWojM7+ixBNIlKi9m13PIaI7ApSJWurlaO2zCa1anc3Zlx89gh9PpcCiPaWjRAIIlgarXbz3zIOyIe9TlUS0Lcsm6Ef2payZv5JODXfvuNfngBnn9UIhdy9lc//84UI1X8+s0JdeQ8aFOBO9bVebT//4+brl9r+Qrz5yvA/Rwg6gCL4XFDifmJU8qwWqnPK215ZkxOWtXHixnntOEDOUPeIXwuJXzyEYXzY9aQAY8QdFNfGIQKeg71XBGuPEUQRgncef+ZE6TGZWgfCiwqfECtXQjYqXr4NxKZGBsM+3wFBW4+yWGBgPCbeBsPBnEEwfQuIknN5bO+9mwXElXCRp9UkqKpxQISqFPgh2xaEqkLChOamyDkdlJNyxQnCtKD5IV8SisG5ehCtV1laZbSYdpleBxmhkHWwQtUxRWGpGDFDHrU6dsnHCxcHYPV83g1gus+a7MntblbPCBw8yqf2ok7tHuwH96IuDIK5cJHREH4RKrdCJSstu2ZDo7QUlX8RuCzCn0IviO4dsNiF1T9K5D6c//EhN2f2L3AoWJxUpB3o/vZhwTgQOid2WF6ciFbHHObtuecvAvAh38R+hcKvQLjYrWq5guwzW5kui/o56Iwn95YykR7v7oUqQUL9oL4cGvIAeg9EF1GwET6wtTYDFxCBCAobjy6y0ODoB8gf3tBwFy5HKpZ3m1Jt39VQ5ny2EH7I6/zf8p3pLDNxYbRTjHfGqxO4y7fEZI47FlVLfJfNuT8qO8utLznWz+lwgnkgooxoteeAsmSOX/ShtYMTvvZWijhgAEIV/V2oLIKYEsdHlYNA2OF81hCt3fENRUa0H8SUj9KXtUkwCDYoUsjaiTyH0IvL41ZdsAizKUl5Wl8fcomChJ9eMAU0RHV+We1AyKpZz/E9nAoMS6jeoZh6xNkdmHhboVKv8f9/rVeEPw/6yjiI6C5xq09REKKIpgInPkQ08oDwpzBGrE3soXr8fEYsJHMyGQrZlKdcrLfl46cfLw5ACoFom2tWO7r7fbY7s+/41/Zsj6zLh4YMvGzRUm7mhyGVWMg84cUCw1mRYEM+lFvC+0PaewcZ+ayWcb88CcW7YENw4MAiHKcRPm0Bb86nz+cdPA8ijy780r07b45ierqkEK4YEf52UelPJk9/POmP1ozNJexqXFxqj/n3g2nq6EhkjGjphsHC2sUoY3J1DCx/E7gyzI1/0Hx/fut4e8fY70Ql0kF2kMDH7kr1JR7PB0zxajWmEEUR/87/4fYQb5q/X/PLlP17U+ffff7o+rper1ztRahUqxGiEYdrZST5dRUi7PC7DX43YIMM4dvoNMKXuw6VRNlh4U7AH+1EeSAz/J9oL/lRBk0cttJc8LroYdR34oVQHXgURQ7OdgTmiuo+1IQi6i5rDLoQM6fGBDwKw3eW9f0WeJSPkCMLwYuwWThU2Dix8IIoWCDIUjPn8+GnVr8xolU5CpLw7cK/rxPcEIMAOJhDC1VeEPICXTqKFo4PmA+Xj9Km+DaxN5o849wBIEhI1jjeFbTULjrQ94jHpiQaRIcNgwN9Kik0jVEk/CmYCxShYlg7/6M2Vu5qBq+mVeytkFAZV8Vqq9oQq/9VbdXrFeHrZa0k8576iYGfnDjeBBE8FP2gnGUAxQSLQBIxMYs5nZ+roayuCtX8c48pVDvxE3Y8kp2U94IIoL1hDlX9cdeVzDZ+n8RehFzq9xfmE/d/n5iwdz1ao+h+G3oRiguw8t0Ts+sOgYH/tvHLcfNvMM+pqrsTrtJiyW59fhYa1/luz8V758RVitKQBvPICRdpTdfk7HqMorUH0FMUrD2IojKdUlPlrPNJsBR9uU4XFacj/gfbYd5v2zmJy5NToiFi4+O7cczT+SAl8wQ/ycn4MCkzsE+nZWas3O3yrtmotq6vKyc5d7h/MSkLApm8QlbidmxyLQ4KTrGEfR56IAri4IXWnth4OuZvq6TA9x0C41qGmx2w3G8B4j3p+Z3VbTc1OYKfsQxeciHe2mY6cYwiWv1OkUNkfSs9Dp+mk3td6wyzxncA9vYUx+QADsYICic0viHNXeA7Hinkya73hQoEfphQ/nKPuU7yfIXE1CEACVUJO3HMTWB6pNn4Q8phszcmR3PojlDtyYno48shm0KjypFGDLdsXUeAHPOjECP+TtD0CAw28ReI3GT+RUN0jGjCX+lVjreNjGd2TFnIs7vLu/c7Ul0ci1UWiR8XHJG7LAz+w+8R+Bp3eXbyNkfInvw4oeyY5vKsiNTd20xmhtNjxGK7dSKK4Id9Sz86jhDPvp6dnkefYO9nz9Jhz04Ctuih0IlQZX9ecrD+5q9yi623AuReOjPrgdnU6sDHiS3WV1O5V3ek1YN6b6TAb6cjU6s7ZjuZ9lVs+0Zqm62lPe60FQlOoNzeqJtgNe2ra7upYtDURsA3fNtSsetrWLmrz1VRC13ZSKC8bY0a7QTKOIHmlEhYw1ASh25DW0AZr12vQycyrtuWunB73QWU53O1PryxJPCgyjB2G+rCvQuHI0Ob6sZCNe61J/1+On8adzaSN5urGc6DbS1CKHVWk/vexLg3ZmNDv5vU9Z40//Spcil8PbRcEqOoIlTiEIFaHoI1di/+XH9mZjx3sg6ap2hplBIqK4RCFFU+HjWKHUYFOMSJ0t/+3n5dNbab1lroOGLlWIAXD6NjAUBAqOMRFMEjT5Z+ZSCwG/GXApR9ffHmNRr4uFK4GPpGChrcvG3lTnmQMN24fYM4ZuvVGoUukLei3cAJSK+JY/6ezLiLeqHLXC21CCDd5YDMtgNfS50xhGX8gQdDN20t3UarPjNxYlvqauDDFMjDBC7vk1lTDdW0ldomDEFTT5FRf2D0bR8Tq5m5+GncIaPXEOQhtHCn+gLKPXAgR2+7tC21DtLWSt0ED2azG0MThi4ZJmoDrwe+tnaJvnDMFgb+KLGb6maWthrDcWsJ/BUZEBXbDfwK+2qLw/p2aDe1f02XMYf1HRMy3PJ9jOQeBfIWq2L93yTrMFGb5fvG9cwUN648JQO/J0J5ASVivNqWmsxMMUu7Zld05S0GHngAcu8VNOEa+CNu71mjl8wstaU171vIj1PUByL0wMNpevxfo5P/HKQcmyiicQ1+idCcDTFpDW0dP8ToyyKIabyL2RcHxyxof0gMdm+XpUdCrL5gDyACUG2F0lIuuDJeZuVLXNvLYG7LBnU3YWRbqxtF1hau30vRBG4frTAakkVTs2bfsQkJIPqOFUo/ilklLvuspc5BiqJUXQAZm7alvrJKqywDz2kanm32Vu64FT32h4lj/r6Gy55nW/pCk5RY8Wno+iPv0VMf3AZORnlaQUvNqymD0UPQ0NasBKCxcoNS1XMb7ToL05nVnboNil2P36/vvitkVbf7+haOWxQRI4D+doNMMdLIYj1sGBvF23gzqxtOG0bK6OpmawXkdugSLsvKNsV1KTxvtOWoPkyZLNpixHDuFwvQWGCQKjdmqr468n2qTWY3j7Lh2RPQ0Ex7OfP15fB1sRoutaW9VLZD+V58lIepthyJw8n8Vbu7vx4u9eXwroc1c/aqLbve8G50PZvMmo+T2UZbKtfa6yidpSp8seqx4rfWtmyMdyk6s/TQbVx7jyT2WFpPG+2l0zDqzO4u6YZAnt4M0t/Xg/R6DWS8scftw7JgHqSwN5BU/gz2h94jpr8pPsXM3hnfaTJrbEXQ1DHwWtcDM74GaSt007bo+jhxLD2cmdsQ+caK2dY2bd82NS7LxG9PZo0FtvtGbI/VtmWJ7Xe6GPHocX6wYIsIoihmAXpw2C9Ufvst+XXaMOoDQ8OA2OGsMZ0Ppq2Fa07nWehtMZQ6dNrUF4DoIujpLSBP5yPLqLsNkYXYsvIjUhwWC9Yo8zUsXxUrZYAqP3tPwkkaIqGT0MB3qAd+hE0QT0Po5Lq+wWWTOKyrr4943Hmx42IEP2bT2PtI/Ejg3yFIEgfxGvyUGHuUHxbi0Og6irNXGt8w/Jukl4FHjgvdG3GkymrIpwsJ3j3ibcQGwpmlEmiK2CX6K+tGI2lOHL8duh6IFQlQnkKss6XsmuONgN8mwO9RXe7VZ8aWzkwtYCk2M3VqyVSc+cbClusJMnvUlUAoeXpzZulLR2K8xcRtjuYP95ANlRPbUhuOqWFFEh95R8zwY9sazQfTw8FW6b05oDL6viv3CEj3ujVmlgpcGXvWnp4OilIt5vAt7JIZkTw9gqaKXdmo846cKkSR4nlur0iRIChyjU0NU0+R6hQ2cGLL7SZIxddCjzrdTU5P0+GN1bcXAG9jx1QLGr1tPpGA3EYdZmcMyIjaMk6/gbdxGqu5mnYiyevMFalDBmOx1Co6NIPNffYqMltgKGsZDUtNbEvHQNy+gcN143IxHX6Qzt5u2QRU2JLFArNlVpdGlE2Ns4bxCtIO1X0c20Y2VSqe7jlmq+SbnX3FLvCh6JpGAu+3IWiO5qrcS+2mQW2zVWd0Jn770bag5ZitldsE84HRXYCmNnX6qih5egLNbcz9WYrJsdxLbHmLJQIDx9xiRZpT12/XFamQe7BaLEDduHYsHdvSao42AbN1oUtji22rM2c1mfu6P5wPRxmMY87mD9I+3unMbK2UHlUnaUtm/KxJcKNbC9beXh+kXdyuQqUfPzD8/G8FZeMasnw5wp0yPe57sdvTMeqPAlW245kJXx/GrSnwMX2QViU63dD2OoHa57Dzgcn6gRYoEkRj0ZD06bZn9NoDY6r2RlNds+q9sS4O24o3Tx68ladK4Fgu/qfKLdGVN/OncffRtgDNRgzMlk068XvUHneLfJLECZR7KewbG6PPWnS3Cy197Zq9umMO54OpjoFsJHZfe3K97kH7ViRRcszWAhA8mll6kNHuBGqpRjykHaJIgH2uJmavztowEOOtNV6dyF34731587wq/ZVrl+7PzO2rnfua//XrD7vPl1GY2bsUb8zX8F5j48V8YLawctcpbCqzGBvN34Fn9Nzx9Pcky5f6zeNK5zLa4/mbm5hr9paOjBOeR8a2iGeCF665IQ+j4NPJLBAGMWtLLx7x4kXl26/ks9+JH55M/L+fPnj6K5R79ZzWdxsQ4wP6hsdWCE63zoqpKrp4u3T7xiuUjXRg9jbOGDyo8nZt86ahrECTGdEAM7+9hn2tDvzeZuCz58qDyvD9FgZZ89y4TYgB0QLb3MZshs4Cqc3k8rOiIj66jZbqEh0Dv7eEMm5wmKZRB32jrvvtlCWA0ssTc2pc26Ym8n0Ad9dMdjTuSshiBY0liR26bKj7vtNTaF4noD/cKvw0pi3CflfkhUQC86f7ljGROr88rYY3Vq+bug2YzkzxfmbpC0sWF7PGgq3xC1sW37BDJ33yZltmX5cYsVsUp3vHUvGsqa8BwfBxGd4B32C2LN1fBWq/K878bThLVw9mHT8NVkwng8FbwMd1e1oUNcXTN9BUY8fUDuWwNHHW0DBoDpNZo81XdyhPvYHUIaBpLLMGA0LJx74iLbLkkXHK5nS3qbYOi++RzyUlfBh3f8sKQNd3myx5WLGcr0BDSx2rW1dknLyjc9+2dF6kQTr31L5Wn1k6tmR17TZH3sO4+7vS09as+Ewa6t+ZPAWvvKiy4meOEttaYEVqrxSpveS8iZG4vpHygaSvLYGPN1BiQ4m+hpa+gdYoLNPJG9DJ6dtJ8Sn9vXsSV6L7khe9l1GY7zYnv5M7PAmFAUEfDl/Bv/eDvTd+Uxcn/CfvNRD4IUYUfbgSKvk9/qPx/w0AAP//vjIbY1Y0AAA=')
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
