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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fZOiSNbv//UpuH0r1qo7rQNa1ozdtzceRUEoxRLkRbrrTkBmlqDJy0Ki4m4/n/1GAirWy3RP7D7RUa3Aec+Tv3NOyv9mpg5EjJszgQM8P0QODD4xSRamTBQC9JFJSRSnjEMY4iHm2U9Swjw7Ps4S1Lq6HiVJlPQB8aPwMUHPKEEhQMwXpqGRKG5cXT8m0SpBafrioY9RSHDORyHxwww1rq5T4pDiGf/pW8HkBEOHON/ORjWuruPMxT6oqJIs/AZwlhKUNJ3Yb1xd42jFfGE+lLK+uVFEUpI4cQtHqw9X10kWhiihzHG0Q0nqIYxbaI+YphI9JtGzj4uvoRQSlDiA+FvENGcZiTMiREngEGaB9oRpjvYIZIXDEfZBzgzy2ElTpilQAe9aT81txSnHNK6uo0IotYT5v4o+Yf7+9/fZLrxg2n//G0fj4DlpEayUOAkpoodieu1T25MsJgg2rq5BBCkVd3X1nIXFGjF8FG5RQoQkCpoDJ0X3d9Spm68pSfxw9XRNr26Zf14xDMN8pRetUQgiSJ99+qQvhN9bIiJaQXzztRL29OkTlVeKq56Vgm6vvtd0m4lPUHMSrd5RJ81aNIZPnz714xiFsI9xYRxd149MQcv8wnwdhVs/icIAhVSzgnYTP0SXmh6TiCBAiiU5K3t0iHdUdu0AzHxhFLRrztw1AoTREMgSn+StPgAoTWlqJhEuLDo+OnG2NESON4coBYkfkyjRIMQ0U24aw0+PN/3Pn4X+58+fteXt6fugf9v4yDRKDY3bl25riFwovylM/liofNvBoZ8gQKIk/ze9PMn5y67OPg36pbsziZfqLp+vK7dnuxAlH5lX3p+U/6UQUKcesQPeW2B4lMp8KbTQh0+fPomInPQpToBKBaUx12GGcUVeN4pPkEPQOdZn2WcnKvF8FLh+iGokH5nGfwetEO0al/ZPoy166YCCdh+ZN92pZckQYUQu7K49pFJvSjkVQV2nHPlh89FJSHrU+fWJ6klI+rGQopEEOcHTdfl5VP4cJcgBHnNzHTsJYfyQKXmOz4vYuTlBKQ3en6EC5b8985RqWgUw3JQSPjLsx0pYa4LC1dHH71d1Dh5HKbp5C15eb/mPzFc3ivDTtYZAgsgpwCfXTykTol21W4p1KSP4MsJlMtxQ4tuTHZTGf2ZuKh31wNSxqFBRc+e8HlVEmZuaplmMwkIPhYwCERu3papz7pRGl4bWg9GH8N8LRbkTfhCL0sJS8snEvx6Uk+ifj8oLnZeZQHuP5uBYOG+++iF5uuYjiE7uJQhECaw1C8eOZp1G4YeT5c0wInV/R3s/JelNxX57kf+ElqcvdWoVORc17PYVcfnZTFBcxLjx9f99C5nmfz9RtGy8Rw3O5E7zwDZ7T/+8//6tdbrg7r9T/q8Jgg4gCD6dJRWrQaVUW4tprghzx/bu6568UtnSMjetNvAFc8l6Yvx+tvjZRximl6WHjzBGxQKlLS1GwHewf0CwNUsgShAc+sUzJ8lfimn1IbxpFD1P4yNTNj+3bxPRPojS0M93SNDeJzQXKFmRE2+T4WhFKai/Z4ra4hZoc1rdMiE+MjcV+C2ippxGIdPkoyCm/S/TlMI4I1UoKk23dWirQ0wU52eZH6q299wKNi+ylVqZZJUf1LvSr4sdIYXbaIOaGkFxDRFoIF/UG3pZ1HgXR2DzdD2IYH7aNeWTT8fusxRw8ajqQ887+vjg1IrSm6dGkLkpZTC/MI1PTIP5halVNZLktaz8G1PYwvyLEaJk5ADvmFb/rIn7cP3Hhyqc5f/AIcCrSbkkPd2+BIwLoythl/DiJKSpFTRvNx9/Y0AAi9niV8j8Cpib4/BROUg/yyGghpKTvrYYWdKCnw1HTDNEDHuBL5eBvKA+EREviXbMBzqoleQMCiGCzM4nXpkaBfsF84c3PDymywsX6936udqeMJQuPh1xPpQJyfxXNQVclSE+B+01xzs9ziu627fMpAv30lQlC1zabP6s7XRvfau4/poPrzgvTBQRaQoOqFvmBOc6tHVwVgxyjXMeUAKmif7BNLwoJaEToMZFIhx5viqItIZhWja14yglRT9721pEEzrgSuHWSXwnJDd1mHmhIk78rUOQ9Li9u9SSRFkxj1MHFETU4rLZh5CimeAEPs4ZysU0hyglfugcjwD8PdNgW8W/X9kG8y9GixJy3KzNxySKUUJyphA4RSTxAaVBtDScqITilIE7W+OUes/2SI+VKW/bVMzwzw5AUgjRvvKm9eLuj9UeQ33U3zqpfRHRolEoyetRrO3HaqRvpEwZfT9lKM8mjHbhh3oZOLfPi+iieX53HB/QZvmm0n77Kv2G0S7EkQPPKagn+A3Yry77eBUlPvGC2r2hv0IpeT0OhIUnIfNfN43xYvH4x6M6s5a0+aBX2vlSmVXfL1qmF5O8hkjthkFz18WoVPLxJbH4p8SNaRXtiwr7J/39dRQXjQnzhfrSfE611YQa3mymBKIkKb6XNxJEkpx+7daumxBhp7jbLu5GtHcoOnca7NtjUciS8sTpqO5nwb/KI8r/FxC9GuFJ5tBW/qaAIh+jsZN6THPiE5Q4uKhGRWCap4Vnzjlw26LUZzMradTAF0nxzpBKp6S3tgMsmJnomdl5DmF2Tso8IwI8BOnOqPTUHfnxyKMh0hSTKIvfxtrTNi0CMYmAgwtqplnsxwoTa+eZzMtTyst+vzYhvS3sjbpKNfcBiLKwxOp3Da0hdB8GfujTxoREySVGF0Rfag7pKUqYfzGmhxJ07o+u/2hp0rBlFGDWxP4GMQ2tyTW7zTbX/D/NLss2mO+3rZrNJ+mvAvzopOkuSuCl6RdoUhKcm0YEsoSaeW6Ni/MkVMIa06w+T5xMs58+YscPy+NWIUoAOgXm0tWfX7pa2LT3RZxMqKw+8SSIZEl4gSUvlv/HwpjT0qMtSkb72E9Qeiar330VdtUJYRS8Hfx63vwHwvPa1ePJTm2Wo7e+PjHtu2qcLsx756SRT/KYRKvEib28pSpiea2hZOsD9JhEWx+ipC6nVtMK1VXzVcu+yqebhtPn/hcdG96vmpWI21enI1NEO7Z387jYzhdbstrgr/ZkerkpS7Ivr2FGk4bHfddpN7t3d41Xe+5y5KFWngWU9jIlxB3VVF5cAM557vk69UESpdEzaT3SjlArfvLgoyBwQpi2St7yTGO0B6ioSU/vTEvHpsVhglJl9FwZ8dYA0U9TlJDmD0AOhdtP/Gz6qC9GqtKfloXvguztJoraARyMEWReyfgTa4ZR4Pjh2Z7y+gRUIArijBS/ENGl4/1AClPihAAxTR47aVqEwPTDTvsPvqLV8pSg4EUbeBTUenQSMnu+VHP2qPHCI8pbj67DwILzM5Oi4ocl0w9htEu/QeRmq28KIhoiWfG7UONlg1/qZJpOCGv2HO8W1fsdq25emlU3qZjQX4i7PQf8p8/Pi8np9urVrxhM+eTnBZUnI7dX50w9/iRGw/D65O48UDoJQfDDqaS/OAHgrr5fvT7zfcV9Ouqsna8cLaCzFYqdBDVORxQXE2f1e+B50GwAUciXJhuZHYUFAc5sjt3oosA6/OZBHhk5CHr53FRYx+xl+ljGdmDkttld21q/J/FwAcXeTt5FG30sb+2OjEFHmYPACGxLxm6gYGnIrmROiV3RyKC4787bvQyKOIOmHvJYwZDnpm5b8aCIt67fJwsRs7Yle64w8KC4Wsns9N7iwYMswtRty547jKdzQ9FVw5ONkfKojvTVo9bf8f5yJZc8D7blxZDvbxYjYWGMjKVmqMMFqwr86suXxi3z/TJyJMlSGrk0RqAV42zlhyp6Tr9yTy0YgYy2+ulX9qlFn78I6/u/G38rpH5LfYJagC7M9bOD0yLiE40lE43jVR3KC38wVA1Z13RbnrOCrhbPWMJvOFnT5UAdKcO5oYxtVuhoujywWWwsRopgtGV72ZFjdyzPl5zSVSw1h+bq4La9jja0D5BVQlPHE5eLZRREO1UXOpoFHlQzFnSdGygjOJgahjC3YEcTp7k7HDg6K490Qx3YrN2ZjvHM2Rh3CzMWINsdGRZWDFH1VHZ0h3RO1xayYoyE7oJVB9N+PDNG+G6xFraQNf6hGoIyX6jj+UIwqF7IeutpsNuZWOFVQdDnOFbmG248D/Fe5RRFGeKBzRrjOaucriFrSPxmtNN0gV9Y0NYXWJ8J0kHtzO+cMQ4X5u93LlYHWigvZovBbNHetTXdO6gjL5y35WSZ94SFiT3Q7g0eOFtzROMBBipZcssHUydT3ZA6MNhPFia3h9ZA0A/GzhajZGmpiiZKuYON+zmWlfl6UPhhj9RQNyA/xxJnjO2D3pHvZkYsg6FhLdebjjaPEqRzgiMIjsETfW7avM12TU1QFFWHo7kBw3d5NdJd6EakG7H+wKkDfSSHC2xL+obj+Y0QzEYGb4yE0dwQpAnLDVwWDucdYayzLDvT5cFCVwZTkQwWumHPWayqQyE1F5CbHpTtzICjmQBFVbcV0CZ3U5PD01B6MEWogHacqwsFG8JAUoJ055r7gWZ6A22t3hkYBupB4QEX685CsKYbYTAdykNlFLGuMMiB37NcnswhZxsOq9zrNAf7UZG7E92Yqfw7ef0f2YEXJ4VM47ffsl+XbSOHY4N1zF1mWx6WeC6QeM6zRfUAxV5uawPNbfdYiYfDGd7PQdALQSAQVRTYpbEnS1OJHLOLl6ZKrLGaQ0thrbESQ1HPlh2ZlXdxbPv9SB7tBzqnCuYI63O2N1K1PnEDfTXlNyuUDzASMSvx6iuIep5HXxov/X72MTq6HUYQ/Ty6bDKXfrZyJ8CNM5ijXPaAiE3bkg8UsKV15Dsdw7dNYeNq3WQ2nmaO+fsWrgXftlRP4aVUCkjsBnN/5ssPbhtnFKDtAIfQkitQpjRqDNrKFgZGjjTpHuWyT6MJOmq+tAa62ybY9Yv77PG7FNj3djA6IL9LUGhEMNjvkMklSuhtp21jJ/k7f2kNYp2uXGDkqtndALEXu2Fhy8Y2ue0kMO6WJrdzRf1eWc/ZaU5tUbw55Rl5Hmh7GOTSvZnLB0cc5cpieT8TDd9egLZi2utloK6nB28zXStrey3tp+KIm4nTXFnPuelidVCGo7vpWl1PhwJWzOVBWQ/86XB+t1wsO7PFcqespTvlMM+XuQyfLTaVgu7WFg3NNmFc+q7GbvvOn4WpT+FYb/fWTttgadzdcBADUb+f5L9vJ/ndFoh4Z2u9tdvusksTZ7YlbyamsnVD1aOZB4K5P+Hl4hkcT/0ZJr9JAcE03qVePVu29xzoqBj43buJmd6BvBu7eY9zA5w5lhovzX2MAmNDY2ubdmCbSmHLIugtlm0P22MjtTW5Z1lc7+2tmIX+aSdW+daiyZaEiKD0nc2ntw12YigYhHa8bOurid71XFNflam3x5DvE72jeiBUOSCoXSDqq7llsG6boym2bvyZFTU8YN/BAzqlVaNdNX42dp028QPUoJO+k5AsXuQxYvoZiQKH+ODz8Vj9Ha5/z543QgQP0xyKbIVNRRYEjglWct4jS7PLLc39zjaN3BXxAQ7jDI77+0lY4o9teZ5rDVJb2+3QcLVyQ3U39bsHx1JxbYek0/HqTs77W9DB2bJt526bC1xRCMEhrnTsVpMOLXQCa8+/fGn8zOJHqR5Dp1r7twKdOVmKku2LSA/91HExgp/LJvd9puKk5T9hSJZG6Rb8JTNOLD804ieKkorSt1IKRCFx/BAl8D0968gPX1aBNzJIFuXY9Yumm1awhDbdS0sOoclhN1QPtNGe86vQCXqx64NU4gEp8CWwYzun1z9R+UTCLQPDs0U2Q6ZAXB7EvK92lpa6dniqm8vcznz1MIK0cV/Yltx2TIVW29nS5LBU8qe2NV9N9MvhQRLeHAKo/DJL85Nv7aUlA1fEvnWSp4JzHauyOu9iN1yGvK8m0JSxKxpsMWzkUijx6aqKVyLxEJyBqIuRqPsSzxLYxpkt9jog5w5nP1iyrOrfoz69t8a2B/A+dUz5LEPYH3dvFaM+jTMG4ZzYIs7/hG/ntDcrOe8nvN9fSXw/nGhcrY72SUlbrdmBo7HAUFRKGZac2ZaKAbd/g6fwrbCL+vCTck5xmwSU9hxLmgs0liVozwkd7pZt4wDyPlEDnNpGOZxJvuo7Zre2Nsf4cgMQQM41jQyO9jHozFeyKOR2xyC22WWpnEXQm9kWtByzu3E7YDUxBh7oKLozljneVzNo7tNiPWs5qYlCZot7zIcwcsw9lvgVcQPa1Z3tnmw8D7DGHUVHm3Zlu4jG+uxLe49tq7+iBatY6/F0NZ2XNI65XD3wp3ynqLmRBCIv8q5I9VmL6F61PFr7Dw/8MW83sTROHyh/9beBonEH6X55watTP0ZC6goqRuN5JIt2ujTh4UHr6iDA5IHf1OQMyo5zXNCuJiYtlkok8RBpnMGr+l4whN7E0GVhrquKxQqayk17kr/KHvyNL/PgpV3Fnyx2OVfcrR61wcy2ACn7L0wHerIIBGJrg/N+4rkFFAXaWe+MMe1fBgNoqVvXFFjHnK4muoqBaGT2WHl0/cFFbyPxHO+YXQ+EeL601KiU3Y/kGkY85P1Q4gH93CxMgaU9CuDSvaVtXtl9Xr/37a32Ve2vjl1qsDT3B7ta6+JvzD4cP5/nVYdfyze61nCk0N5rNTG7WBr2zzEVaY7NV+/QU3mupv+elfuFvZ9t1MJGW1uF80MMqgMTz9VVD4oCcE1h7Yg4K/aRsT/nc4g919yFD29NEHFUDE7PfuinXuPP3zQoX+i+PP35Hz/h8en4JbCVrB8WIKoHjA3fFfG6kMtSMJU5F+/X7tg4QNHIJ6awczTwIIv7rV0UDWkDOjSIBlgGvS0cKywIhN0koM+lB5nyB10MyuK5czsQg1CJbHOf0vapTKQetSsoQYWbue2u7IYqBoGwhiJuFzQdgwVjg1WDXk43gCRUG1M37mxT4YphCQ+21HakDXhkUUCjm8SOXdrx/njRc2jeZWA83UvFiVePg+MBVwAJD1aPo66x4Pu/PG6m95YwyN02zJcmN1paqmeJnLdse7FbJCL3Rhz6+aO/3NP4uqGRumdwGjmWjJcddQtCDGfreAgCg8aydn8TyeMBtwz28TLfPJgsfpxsqE8GpbdAgFlbP4Oa5Ks7aMqpYyqXdlgKt2wrGHSm2bLdI0CkRUn3J3w/BB1jXRYYEPMBDiTeKzePiHM6xLgduXsJvi/WnJfiB23wWwkAg8Dt0M1DwXK1AW0ld6wBK4k4e8fnsW2pBUiDfOXLY4VdWiq2RHnrdub+gzb4XRKULQWfRVv+B7XnrKsCVQp+5vzY3m9oi1/oDo3MDYy8aEjGyhoEeAd52pSoW2ipO2jN47qcqgC9Oj54BT61v3dPO2tynyvQe57H1eD3zhvGR8CAUYg+XL5V+957iG+8Kphmxev0LRAFMUYEffjINKp7xQvp/z8AAP//p0N/1P8zAAA=')
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
