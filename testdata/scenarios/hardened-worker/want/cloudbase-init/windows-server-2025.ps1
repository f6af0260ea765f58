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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6/3eiSNb37/krePvNWZN3ogMaM2Pm7T2rKAhRoqCAdOeZA0UpaPFloVDJbu/f/pwqUNEk0z3P7nP6pBG43+veW59b+n+Zse1CxsmZwAaeH0LbDR6ZJAtTJgoBvGNSHMUpY2MGe5BZ+kmKmaXtoyyBjavrQZJESRdgPwonCVzCBIYAMp+ZmoajuHZ1PUmiVQLT9OKlj2CIUc5HIfbDDNaurlNsY/qOf/xKmeygb2P768mo2tV1nDnIByVVkoVfAcpSDJO6Hfu1q2sUrZjPzKdC1lcninCKEztuoGj16eo6ycIQJoQ5jnYwST2IUAPuIVNXokkSLX1EP4ZSiGFiA+xvIVN/znCcYSFKAhszM7jHTH2whyCjDkfIBznTy2M7TZm6QAR8aD0xtxGnHFO7uo6oUGIJ8/+V+Yj5618/Zjvzgmn+9S8ciYNnpzRYKbYTTKMHY3LvE9uTLMbQrV1dg8glVNzV1TIL6RoxfBRuYYKFJArqPTuFD/fEqZsvKU78cPVyTe5umX9cMQzDfCE3jUEIIpe8e3ycz4RfGyLEGiW++VIKe3l8JPIKceW7QtDt1beKbiPxMayPotUH6qTnBonhy+NjN45h6HYRosaRdb1jKC3zE/NlEG79JAoDGBLNCtyN/BCea5okEYYA0yU5KZvY2Dsou7YBYj4zCtzVn501BJjRIMgSH+eNLgAwTUlqJhGiFh1eHTkbGsSHh32YgsSPcZRorotIptzU+o+Tm+5vvwnd3377TVvcHj/3ure1O6ZWaKjdXrqtQXym/IaafEdVvu9g308gwFGS/5teHuX8D119lnip6u7p/iOXjxr/lN/EkwmywUer6h6kMp+pFvLy5fFRhPioT7EDWCgojLkOM4RK8qpRfAJtDE8BPsk+OVGK56PA8UNYIbljav8KGiHc1c7tH0dbeOmAAnd3zLvuVFKjDxHEZ3ZXXhKpN4WckqCqU478sD6xE5wedH55IXoSnN5RKRpOoB28XBfXg/JllEAbeMzNdWwnmPFDpuA5vKexc3IMUxK8P2oFhP/2xFOoadBucFNIuGPYu1JYYwTD1cHHb1dVDh5FKbx5r6e8rfM75osTRejlWoMggfgY4KPrx5QJ4a4sEbouRQQvI1wkww0hvj3aQWj8JXNT6qgGptqAqIqKO6f1KCPK3FQ0PccwpHpI0dA2WLstVJ1ypzC6MLQajK7r/nuhKCrhO7EoLCwkH03880E5iv7xqFzoPM8EAjjqvcNuefPFD/HLNR+58OheAkGUuBWEcIAx6zQKPx0tr4cRrvo72PspTm9K9tuz/MdkT/pcpVahfbZx3b4hLq71BMY0xrUv//U1ZOr/eiFtsvYRNTiR2/VXtt55+cfDt6+N4w338I3wf0mgawMM3ZeTJLoaREpZWkx9hZl7tvNQ9eSNyoaWOWlZwGfMBeuR8dvJ4qUPkZue7zd8hBCkC5Q2tBgC30b+K3Qbz4kLE+j2ffrOTvJLMY2u697UKNCp3TEF4rl9n4iAH0JDrh+QwL2PSS4QMpoT75OhaEUoiL8nisri0m5zXN0iIe6Ym7L5zaK6nEYhU+ejICagl6lLYZzhMhSlpttqa6u2mCjOTzI/lVj3hP/qZ9lKrEyy0g/iXeHXWUVI4TbawLqGYVzpCCSQF/sNuaUbu4MisHm57kVufqya4s3jAXIWAs5eleDzVNGHF0f8SR4e0R9zU8hgfmJqj0yN+Ymp7Go4yStZ+ReG2sL8kxGiZGAD75BW/6iI+3T9+6cynMX/wMbAq0g5Jz0+Pm8YZ0aXws7bi53gukZp3gcff2FA4NKB4meX+RkwN4eJo3SQXAvkX+mSo642G5jSjH/uD5h6CBn2rL+cB/KM+kiEvSTaMZ/IdFaQMzB0ocvsfOwVqUHZz5g/vePhIV0uXKxC9NNue+yhZPHJXPOpSEjmbyX0vypCfAraW44PMM4butv3zCQLd2mqkgUOTCrJ/R3bSW19Lbn+nA9vOM9MFCGuCzaoWmYHp31oa6OMTm+1Ux4QAqYO/87UvCjFoR3A2lkiHHi+KBA3+mFagNphlGKKZ28bs2hEplop3NqJb4f4ptpmLlTEib+1MZQm2/tzLUmU0SGcOKBArNLbetd1STcT7MBHOUO4mHofptgP7cPc7++ZGtug/35ma8w/GS1K8KFY65MkimGCc4YKHEOc+IDQQLI1HKkEerTAnayxC70ne6RJacr7NtHBfWkDKIUu3JfeNC6efl/tIdQH/Y2j2ouIUqBQkFejWKnHco6vpUwRfT9lCM8mjHbhp+o2cILPs+gMPH84g/cIWL4ptd++Sb9+tAtRZLunFJwn6J22X9520SpKfOwFlWd9fwVT/HYcCKknIfO3m9pwNpv8PlGfzQUBH+ROO90qz+XnM8h0Mb5rEFce6CR3HQQLJXeXxOIfEtfGZbTPdtg/wPfXUUyBCfOZ+FJfptpqRAyv11PswiShn4sHCcRJTj62K/d1FyKbPm3SpxHBDhS5k2DfHjaFLCmOmQ7qfrT5l3lE+P9ERy/ndpzZBMrf0FbkIzi0U4+pj3wMExvR3YgGpn5ceOaUA7cNQn0ys5RGDLxIig+GVDIlvVcOLmVmoiWz82zM7OyUWUIMPOiSyij1VB35/sijQVwXkyiL3++1xzKlgRhFwEaUmqnTeix7YuUQk7k8mjzH+5UJ6X1h7+yrRHMXgCgLi179oaGVDt11Az/0CTDBUXLeoynR54pD8xQmzD8Zw4MJPOGj698bmtRv6LSZ1ZG/gUxNq3P1dr3J1f9fvc2yNebbbaNi81H6mwBP7DTdRYl7bvpZNykITqARgiwhZp6gMT1EgkVbY+rl9cjJ1LvpBNl+WJyxClEC4DEw567++NJVwqZ9LOJoQmn1kSeBOEvCs15ysfzfF8Yclx5uYTLYx34C0xNZ9embsKt26EbB+8Gv5s1/IDxvXT2c7FRmOfLoywvTvC/HaWreB8eLfJLHOFolduzlDVURi3sNJlsfwEkSbX0XJlU5lT2Nqi7BVyX7Sp9uanaX+z9kbPh41yxF3L45HRlDgtg+zGNazmclWRb4m5pMz4uyIPv8ts1oUv9Qd61mvX1/X3tTc+cjD7HyJKCwlyla3EFN6cVZwznNPV/GPkiiNFrixoQgQo1+z8FHQWCHbtooeIszjcEeQLonvXwwLR1Ai80EhcpoWRrx3gDRTVOY4Pp3mhwMt4/883gynw1UpTsuNr4zsvdBFLED2AhBl3kj4w+s6UeB7Ycne4r7Y6MCURBnmH4tRJaO9wMpTLEdAsjUeWSnKQ2B4Yet5u98SavlKYbBBQw8CGpM7AQ/L8/VnDyqXXhEeKvRtRmXcv7GpJB+m2T4oRvt0q8udLLVVwViDeKMfhlUuwT4hU6mboduxZ7DU7p7f2DVzaVZVZPohH4h7vYU8B8+P6eT0+3Vm68umOLNjwsqTkZur06ZevgejITh7cndaaC0EwzdT8ct/eIEgLv6dvX2zPcN9/Gos3K+crCAzFYwthNYOx5RnE2c5ZeAp0GzBkQhXxhsZLQUFgQoszh2MxcF1uY3T/JAz0HQyaeGwtpGJ5sPZWQFem4Z7bWldTsS785csbOTd9FmPpS3VktGoKVMQaAHlikjJ1CQ1GdXMqfEjqhnrrhvT5udzBVR5hrzkEcKcnlu7DQVzxXR1vG7eCYi1jJlzxF6niuuVjI7fjB58CSLbuo0Zc/px+OprsxV3ZP1gTJRB/PVROvueH+xkgueJ8v0YpfvbmYDYaYP9IWmq/0Zqwr86vPn2i3z7TxySx/BGlNLYwgaZQo2yLP0C/tyEcYa//h18zWMsA9gA+9xjble2iilgZyaOmuLndw2FWTxPQ405yun2U6hdq98X3EYufAdZR98KbvJHHJt5HaAaqe1hLnsAREZlim/kvWS1pFvt3TfMoSNo7WT5+E4s41ft+5a8C1T9RReSqUAx04w9Z99+clpooysjxWg0DXlck0IjRqDprJ1Az2HmvQAc9l3mh0WtNR8YfbmThMjx6fP2cNnKWindsBhS2tjGOqRG+x30OASJfS246a+k/ydvzB78byp50SuarQ3QOzETkht2VgGtx0F+v3C4HaOOH9Q1lN2nBNbFG9KeAaeB5oeArn0YOTyqy0OcmW2eHgWdd+agaZiWOtFoK7Hr95mvFbW1lraj8UB9yyOc2U95caz1avSH9yP1+p63BeQYixelXXPH/en94vZovU8W+yUtXSvvE7zRS67S5NNpaC9tURdsww3LnxXY6d57z+Hqb9oyfG82VnbTZ0lcXfCXgzE+cMo/3U7yu+3QEQ7S+usnWabXRgos0x5MzKUrROqnm20EQim/oiX6Tt3OPafEf5FCjAi8S70zrNFc8+BloqA374fGek9yNuxk3c4J0CZbarxwtjHMNA3JLaWYQWWoVBbZkFntmh6yBrqqaXJHZP4EpJaUSLLHFP7LRHlhN5pyW3CM32NgSn0cqfp5guDGyxM1TOFPV4YSkTsXRgqNoX9bmGqa1vUX6WQ6/yn0zwmgAKmNN0RxCAKl/4qS+ipD8uy7E8BTFbwvSpwTTWyjDZrG4fOQrPTc4JOBg1u6x68NtreItgji5cerEBIQVPvLDWSmYdijqv82GmqiERHb+q+LXa2di53RryM3EDPXEFGi2YntwRhOs+lB0Xb+SDQPWvQyZwhmjotmazGbsTLudNSPVfU+5Yps7ZhxYumwBYroeauMU+lUEEgtBBA6njOylunpb66Q9kDvPTgDmXOIrJbam4ZAraNdkiq1gn0NbV1gzaOqM9tg0NOq8hGxWBpdjlDpW+bvcgy5ZlroEInSn19sJ+ZrN5XB55Ar4LSMzlX1gfecjrXZ+brIH8WOsMpyy3nrNcbr+dNkmVnfJw8m+odU9NVyWQFYc79uh+vvaXKKorJKdJ0JnEK6SbEJ64jTFlVUnV6veTLlZlV4Rvf0051zqfNWWGps2iuCZ2eqitLYpPJuv2Z3plpg8Hrc3/qm9rOd8X968xAmR7oOWgWaykhC4FQiZ1mez4TxvuxL3+QvVno48vdgeRjEkIMU5LLZ+fWTO2XX7Kf502dHel0CeNFc74azdueY8xXRTPeI5fv4nlL9UCockBQ20Ccr8j+4TQ5km7r2o9YEaXz2LVLI8igUk435QRW22V2lsJkWyPTrp3gLJ7lMWT6fmo7CLq/FfDjYyY6A/8nDMnSKN2CP2XGkeVdI9aRH152lHdWQRbl2PEpTOk/o31CYMrClEOXFEaovhJoMuVXoR10YscHqcQDTFtyYMVWTu4p3xQEnRAEAlZFgV3oFy1QxNyCFLnIZtAQsMODmPfVFm2LPNHNZU5runoauATqzCxTbtqGgiSee14YHJIK/tQyp6vR/BxuScK7sInIDxxRCEF+9K25MGXgiMg3j/JUcNr6uZK+jZxwEfK+mriGjBxRZyk8y6VQ4tNVGa9E4l1wytQ2guLcl3gWu02UWWKnBXLu9eQHixclZJjMxw/m0PIA2qe2IZ9kCHuy7QW2AcoYdUmcEQinmGw7f8C3s5ublZx3E97vriS+G440rgI9urigLdfslSOxQK6oFDJMObNMFQFu/w4P9Y3aRXz4QTnHuI0CQnuKJckFEsuiqqeYwOFFU38FeRerAUotvYCzkq/6ttGurM0hvlwPBC7nGHrmDvYxaE1XsijkVkvHZCMjcmZB59kyXdM22hunBVYjveeBljK3hzLH+2rmGvuUrmclJzVRyCxxj/jQjWxjjyR+hZ2gw0r8ye7RxvMAq9/bpoosfrOCu4jE+uRLc48ss7siHY2u9XC8Gk8LGttYrJ74Y77jhdHeSAKWZ3lbJPrMWfSgmh6BS69P/CFvN7E0TJ8If/m3cUX93iX1csE7pxuokDqCiuBwGsmilS4M9/VJa89BgPATv6nI6cWW343kIaVdjQyOQhyJd6HG6bw63wu60Bnpc1mYzlXFZAVN5cYdyV9lT/7Gl3lwaRf9k8U254i71UTrPVsmwAVkRWQEwrNAwJbWO9UTz81cUcjdob7ThwTy9XquqW4dQ2BtY7wazVUERD2zhsrE8XtncFDiOd422h4I0XRhqlEhuxvJlR7xlHdDiQfkupkZAktgHeDSvalt3th9Wr+P7S3rqvJX7V1qsDD2r1a51vRvyD4drstpXMS7km9krd2BQuDqamS0kdTvnmIqkhybrj6gJ/Icbf5rVtQL+/C8UamNlrYKCRwtR0zPmRPwJADHENa2iDJaR/r+lM8h8hxjFz4d5FWgLc1HkfZH9PQj/X14hMnhiOQpBV+bpzc7dBylZGNc+qGferU//s63+D3t+Rz+vz5r++qrKwpsKeu7jhM9YKj7jojWVC6Zw4cy56D92hnqr66o5yND2Nkamc33W4tuRtIGFMgWLILO1h0qLAiE3Sgg76UnmfAHbQSKTXnntFyCwiLL2Kdk1isStEPsCopmxT07zbbshCoCgUDQbZPStHQWDHVWDTo5KSxJKAt+rt9bhsJRFIx6W2I71Ho8NEmjJMVnxQ6BWt9Pptw17jMwHO8levbQ4dxhj6MNigeryaCtz/juT5PN+OHNjCRy3qLpxQ5NcO6dOHTzib/Yk/g6oZ46p6Y3sE0ZLVrqFoTIfV7HfTI9uKJeeb6J5GGPWwT7eJFvngwWTUYb4pNO6E0QINaan5ql5Ks715BT21DO7TAVbtFUEGiNs0Wzg4FINru5P+K7IWjp62LjAjEfoEDivfeL6NjUL9acl+InrfdL0Vh6gdMiRUma8GoDmkpumz1WElH2gc9Dy1Rp8wf5ypeHCrswVWSKZAKa+k9a71dJULakqc2a8t+JPSddZbMmTdWYZpbpIYnvbCS+s6a6Q51MSDkFOkNlDQK0c3kCdtSta6o715zGVTnlxvbmrOlNU6v8fXjuVJG7LJvpchqXE8cHv/U8NAw3CuGn8983fvSLsHd+tJVm9IfNDRAFMYIYfrpjauUz+tPg/w4AAP//vsHuQX4xAAA=')
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
