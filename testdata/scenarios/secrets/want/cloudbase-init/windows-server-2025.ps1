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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7Q6e3eqSJ7/51Owd3PGZDvaPmK6zd07Z5QogSiJqIDcm+0DVRVBi4KBQiXTdz77nipQQZP72JntPjdK1e9dv2fhfwojGyLBSQXfBq5HkA39WyFKSCwEBKArIaZBGAs2FaiLhBcviqnwYns4iVDt7LwfRUHUBdQLyFOEXlCECEDCJ6EyoUFYOTt/ioJFhOL4aNPDiFCcigGhHklQ5ew8pjble+LtF45k+3c2tb8chKqcnYeJgz2QQ0UJ+QJwElMUVe3Qq5yd42AhfBI+ZLS+OEFAYxrZYQ0Hiw9n51FCCIoYchhsUBS7COMa2iKhqgZPUfDiYf6VyISiyAbUWyOh+pjQMKGDIPJtKkzRlgrV/haBhCscYA+kQi8N7TgWqgNG4F3pmbi1MG4IlbPzgBNlkgj/rc6Gwl//+j5aSQuh+de/NJgdXDvmxoqpHVFuPRSyZ4/JHiUhRbBydg4CyKAaZ2cvCeFnJIgBWaOIDqLAr/bsGN1cM6UuPsc08sji+Zw9XQr/OBMEQfjMHmp9AgLI9m5vZ9PB7zUJ0QkHvvicE3u+vWX0MnL5Xkbo8uxrgbcReRRVh8HiHXbyY43Z8Pn2thuGiMAuxlw4dq5XAocVfhE+98naiwLiI8I4q2gz9Agqc1LRpvoUeWubIkbxwO/Jpu4b/O4QRhRdZNt889wGWPjECT06SwSoMEEgiTya1roAoDhmrhsFmFPYbe0xaxNEd4t3KAaRF9IgmkCImSddVO5uny66Hz8Ouh8/fpzML/ffe93LypVQyThUckkib+HSWPgkfP6WCGlMka9x0OfbW25qjl7QINd3QiNk+5myV3srjALILCFGyKZIRZurHeMDyMS1IwajBgRdCdf1zs1h7zFkho/3u8wK5TN5igKKAK3eeRECNIjSt0/lhw2/p/PT1n+87XWzE3iURbl4Cofn/CQeNwRFV0LpQJjKe+bPt7cTREuS7Sx7agLultgG7zjkOdxRZYctP9bY5vPtrYTonp9q+2U/JQnGOXhRqOwcD7Y+0D4okZMXA9/xCCqAXAmVf/o1gjaVsvyjYI2OFeCu8vPxVdhkVC8yOjlAkacSeKT6ZEc03vH8/Mz4RDvPzNz5+Tz73DF/CSJkA1e4OA/tiAoeETKc3T63nZNSxAPrW4mM4V8ecDI2NR5gFxmFK6F+lROrDRFZ7HT8elbEEHEQo4u3MuJpiroSPjtBgJ/PJwhEiO4NvFd97zIEbfJo4eeSWZBveS/CRY5fVPpgz9wiwsVRtuREixogHKNvUyicZuZ4F5xGkcjBdzKhM0GLxuhC+K+ZIouE79hCqNoEFt2vv/ViGue+WXKPTLlPwt+KlW4alNyjQEhDNitZPeYHO3KXwi85nYIp3jmZgzNkkgvnNEpQEZ39FyGaRKRA7dvH8RgisktIlaysVo7KMuvUqr1dm3Hx2SP0+VwMINpbNkIgiGChtdr1f8s4IB/2OlVJQN+ybIZeti1lxfyTcGq+fcW/PAHOPqsRCvnxVj7/zxciVP/5zBJ15T1ocAC3q6/1auf5Hzdfv9T2D42brwz/c4SgDSiCzwdK/JwYlTyqheqC8rJX1OSEZW2SOHGeO0rIGeoe8etB4hcPYRiXq54YYIz4AcW1SYiAZ2PvFcHaYwRRhOCdx/fsKD0mU+tCeFHhHWLlSshaxcu3gVjXyGDY5zsgaOtR5gsMjPvE22A4WDAIpu8BonC43Lf3p5s5xJVwkYfVNKgqcUCEqhj4IZsWhKpMwoTmpsg5ldJJMeMEYXqg+SEfEg6Nc7XkrVdZWGW0mHaZXqWIkMk6WKHqhKKwkIyYIY9KHXvk7YWDA7B6Pu8FMN1HTbZzu+vVMwKlrbxrP+Sp3ca+cT/khWGwEC4yGsIvQuVWqGSpZVdsaJQWvPIvApdF+FMYBFHfBu7Orf5RIPfh/I8PuTmzv8CmwD3JSDvQ/XI5YZSEzomV04sd0eqEw7zd9/xFAD7kk9ivUPgVCBe7US1XkH1mI9PlIX8Ou5Np35Sn4uNdX6gSJNRL+aVsyBL0Hoi6UbARPrCxNgMXEIEIChuPuplrcPQS8oc3NNy5y5GKxdmmkNt3OZQdPhsIP+R5/m/5zHSWmfhgtFOMd9qrE7jLt8RkB3csqpr4Dutzf1R2Fltfcqyf0+EEsySihGh1YIOiZLZ/qENrGyd87K0c/IABCFX0d6HiBjElto8qJUfY4XxWEa3d8QlFQvQ+iClvpS9r02AYbFAkk7UdeTahF5fHpfrAIsy6JPlpfV3mEgUJv71gCqiIavyx2oWQZbOB7Xs4FRiWUL1DMfWIvbsw8bZCpV7j//9arwh/lurKJIjoLnCrT1EQooimAic+QjTygPCnMEGsTOyhBvx+pnGQzM5kOMgmP+VivS0fv/14sQGSCUTbXLPa0er32e7MvuNf27M9si5vGjLwokULsZlfhlRiITsJLxYYzooEG/KhWBLeb9Leu8jIe7WM++WJK94FG4IDGx7ccRbh0xLwZn/6fN7FiyDyqOsX1u68BYrp6ZBCuGJE+NtF5X46ffrjSXs056wvYU+Tw6P6mH8vdVNHVyITRAsLOnNrB6OMydUxsPRN4MooN36p+P781PH2jLGfiQqkg+wigbfdlepLPFkMmeLVakwhiiL+nf/h9mjctH6/5o8p+3tT5999vnV9Xa9XrvYiVKrVCNGIw7Uzkvy5ChG2+WqTrwaskSF8Gp1F+HJXoZIouyzcCfijlSh3ZIb/E+Ulv8qgic1GmgueFz2M7u3YFapDj6LIxtmMwI6iunc14eB1lzUGfRAzp8YEPHLDd4b1/RR4FI+QIwvBi7BxbSps7Fh4QRS4CLLQzPl8+KnRb4JoVYqCJHw78e/zBDfEMAA25tBClSeEPEEXrqKF4wvm8vBRmBTfJvZGkWecuwAECckKx7uCFspFF/oe8ViXRIOoXDA40KeCQrMYRcKfguGiCB2atfM/ahP5rqbzbFrF3goJlUm1UW1Xm43qf1Xb9XpF+HpZK8i8p35i4Cc7jjdBBMuil9JZBnDoYBFIIibmoU/n92ooy6tCNf/cYwrVbvyEbY9kN+WDIAJob5iyqj9+dAWzTd4nsRchl/r9gfnk+L9PTNgfPVqjqL8NvQjFB7Di6onZNZvAwH/b+EW/+TeY51TV3Q1XYbBkS5+fheZ1Pttz8d65cRWjNKTBIrJDN61pqpQ9T1C09gB6ioK1B1FUpFMoqpx13gkWvC/X6aJidxv/wWaY98t2TuLy5JZohFj7+K4f83AuhWQe4CcxGZeDMgP7dJpmJvLdLu5azWr7+rpyEnPl+YtJeSCQyStkKW7HJteilHAOQ9jnkQeiIA5eaO2JtacT/rZKDHzfJjCuZbjZBUt/CxCvSc/vjG67rskW/Ixl8JIL8dY0041jFNHqd5IcIutb8XH0NJv2NbU7ygpfCeztLo7JAWyMERROaHxDmrvAtz1ykCd73icqEPhhQvnLPXZ0oufLJKY2AUioitiOY24CwyOt5h9iDpu9MTnqQ3eEak92RB9fymwOGlWONGK4RevaAuSYH4UY8XeChkdgsIm/QOQkiy8qohNEE/5Kr3I8bWQ8s2vKgzy7VV6935Hq4lisokj8uuCI3OXB4D/8HoGPcZdnJ29zhGznxwll1zSXZwdP3b3NZGY4vUY8TLd2RBH8sC/pR9cRjbOvZ6f30SfY+96zcNmzk4ANeii0I1TZ35eUxt/8Ve5h6q0AaZDOjXpgtNQ68HFiNeqrmTSo2+LqQenrKfA76dhQ67bRSWb3CrZ8PbWM9tKadDuyCKdQ6myUTbCa3Strq6Vg0FLHwNd9y1Sw46tYvqsvlIYaOpKeQGnbHjc7CZRwAo0ZEbGKodgYOU3VhRJeO16XTiVct0zFdQY9F0qLhVIf3ZgieFAkGDtNxXXuwtFYV2ea7ip6X33S+rPF06S7Eb35QslwHizTDaHYXU37g6ne1+cTXbub1rWBuPj0qXIpfC1bLolRVBEqcYhALXfBGluLP9efmRnP7ayC5iFaaKWEygqhEEWVj0eFYodRATaxo/S3v3deV83tpr0WunajcizAi4fRsQAgINT2CIrg0UkWfmUgsIX4ywGUfX3xFjUa+LhyOGLo6ylocvN25Dv5QcR049zrxDbar+Y4dIC0bVhNnID0mtjG78mcH9EgdNhRi20CSG85JPPt0FdTewJhEX/owdBJ20un2a7PDZxYprIa+jAF0iiBy34ybymhkrZTy4AhaGkp0usPjL7lY2K2siN+mnTJ+DUEuQu5zkxzoTQAJTkG26VlKnWQtlfKJngwWr0YGjB0yChRmng99NW1QzTXNtoY+OPEaimbedpujibtJfBXZEgUbDXxK7xX2hzWt0Krpf5rukw4rG8bkOEW1zGSBhRIW6w06v8mWUeJ0iqu69dzo7FxpBkZ+oMGlFwoEv3VMpVkbjSysGv1Go60xcADD0AavIIWXAN/zO09bw6Suam01Va/jfw4RfegAT3wcBoe/1fv5D8HKfomimhcg18itGBNTFpDW9sPMfriBjGNdz77YuOYOe0PicHWdlF6JMTqC/YAIgDVVigtxIIj4WWWvhpraxksLEmnziaMLHN1I0uq6/iDFE3h9tEMoxFxW6o5/45NSADRd6xQ+FHMKnHYZy21SyGKUsUFEjYsU3llmVZeBp7d0j3LGKycSTt6vB8ltvH7Gi4HnmVqrirKsezT0PHH3qOnPDhNnIzzsIKmkmdTBqOFoKmuWQpAE/kGpYrnNDt15qZzszdzmhQ7Hl+v777LZFW37rUtnLQpInoA/e0GGY1IJe561NQ3srfx5mYvnDX1lNHVjPYKSJ3QIVyWlWU01gX3vFGX4/ooZbKo7pjh9F0XNF0MUvnGSJVXW+qn6nR+8yjpnjUFTdWwlnNfW45e3dVoqS6tpbwdSf3GozRK1eW4MZouXtW7/vVoqS1HdwOsGvNXddnzRnfj6/l03nqczjfqUr5WX8fpPFXgi1mPZb+9tiR9sgvRuamFTvPaeySxx8J61uws7aZeZ3Z3SC8E0uxmmP6+HqbXayDhjTXplNOCUQphbygqfA/ej7xHTH+TfYqZvTO+s2Te3DZAS8PAa18PjfgapO3QSTsNx8eJbWrh3NiGyNdXzLaWYfmWoXJZpn5nOm+62LrXY2uidEyz0XmnihGPHscHc7aIIIpi5qCly36h8ttvya+zpl4f6ioGxArnzdliOGu7jjFbZK63xVDs0llLcwHRGmCgtYE0W4xNve40G8zFlpUfkaKcLFihzMewfFSsFAGq/O49CadpiIRuQgPfph74ETZBPAuhnev6BpdNYrOqvj7icefFtoMR/Jh1Y+8j8SuBf4cgSRzEa/BTYuxRfliIstE1FGevNL5h+DdJLwOPHCe6N/xIkZSQdxcivHvE24g1hHNTIdBoYIdor6wajcUFsf1O6HgglkVAeQixypayZ443Bn6HAH9ANWlQn+tbOjfUgIXY3NCoKdHG3NddS6onyBhQRwSh6GlL4OsulPTXLB3hvDFtJE5rvHjoQ9ZgTi1TadqGimWx8cirY0YrtszxYjgrN7ny4M1mlfFygQ8bjqEn8F6VbGObVVnWoN5bLsDb2DYUsI+dwTaChsJlHxpWPGddgq8nrMoqBf6sGsseWDyk3dXcx4ksxgulkeE6kl5nqdSayIvhpNGyjfbKacHXoVmI2Ukj70JAh3VR0B+kprQN5/hAw5R2tm6350YjVtJuJHqA47KuamhoIVg22Bk056YCHAl75l5GDQCJhrJYp3O/s4b3bFAYbIYG3y/xtkxtmeOljq/XLVMFb+AwvXmXaTG9NwFhtDO75XK+clkwlNTMnqaSWKaGQckuDHZORE/b25mdR5avxpR1k/Om/grSLtV8HFt61m3KnubZRhsUyitG0syTxUZvf779bQha44UiDVKrpVPLaNcZnanfebRMaGbnABZDveeCljqz75WG6GkJNLYx94mCr06kQWJJWywSGHCfERfU8Tt1WTzIPVy5Lqjr17apYUtcLdAmnEJpkDLfdSQdA5aHm9zWK5B2t6KPfVlcrOYtBc+5XQr+YAwSS+w5k9nvSaZ3/eZxxWirdZAuSnHJ9yerUL6PH5R7DaN75o9HuJjL2HOk7cwy3fqDeBoHD5P2DPiYPoirB9uYLx5Erc5gZbFB56a2tMUuMVdUH6/0kaZrL5OGLmqzQX+qd3qzFZw+TeRg6AWh7I3Jw6T3G4trp9mgc6O9KtiTx8tD2iWymMXL1BjUWXkEjXhrjoOVQ/TYEbsdud/GMP1O3OtqfW4qdWj2ZsjsYbnPuugOkzecM5+R9I3FWpt6J5GlUrlfDGdKyDtF7lNuRls8yCzijPY3a2s3ePP8nibdleUPYtCcPbyMw45I6jubFvyF+8qd09SYbok16W643Xy2Pi75n8aG4b7K2hBG78gvNB5L1mTx5gTmGIOlLeGEx4leyGcEu46xIQ/j4NNJDxAGMStHLx7xYrfy7Vfx2e/DyzcS/++3Dp72CqVBPaf13cLD+IB73WOjwyHhKw0Hb5fOvf4KJT0dGoONPWGJfbu2UkZXXoEWM6JeToA+25cfFIbvtzHIiubGaUEMiBpYxjbOEj5PNkwuP0sajUen2VYcomHgD5ZQwk0O09Lr4F6va34ndYxBXR5kQTyc6deWoTb4HIB7ayY7mvREZLKENVoMZ1bosGbu+4eeQuM6AfejrcxvYToNeN9rQBZkIlg89dv6VOz+8rQa3ZiDXuo0YTo3Gv25qbmm1HDnTZeN764lNd6wQzd98uZbZt994A6oMk3bfdtU8LylrQHB8HEZ3uVFvrC+CpT7XmPub8N5unow6vhpuGI66QzeBD6uW7NB7GT2CGRP20BDiW3jqCCZamPeVDFojVhB4iM7lGbeUOwS0NKXWQEBYZZw3Sx4JJyy/txpKW1zGtywAAMt7fXh+MxFOcySWXchiz3fYcFuqAFL3KCpprbZq8sSTt7R+d4yNZ5cQbrwlHuWUDRsSsraaY29h0nvd3mgrlmhmzaVvzN5Dryyf4rXWzrGOLFMF8tiZyWLnSXnTfTE8fWUNxr36hL4eAPFbiSL2hqa2gaa47BIJ08+J7duQ6ON5bsuLx472N2/d2/gCnRfxkH+GeYzzcnv48o3oDAg6EP51ft7P9R747d0ccJ/6l4DgR9iRNGHK6GSr/Efi/9vAAAA///jrMlGTjQAAA==')
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
