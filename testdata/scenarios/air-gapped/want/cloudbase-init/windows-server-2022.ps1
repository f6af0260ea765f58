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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7x7e3eiWr7g//UpmJqsNpkubdCYLnOmerWiIEQxgjykqqYX7L0j6ObRsFFJ97mffdbe4CuPOlX33plzVkWB3/v92yT/k5t6EHF+yUUeCMIYeTC657IizrkkBugTl5MkzTmPcCRA3FOY5YR78kJcZKj14WqUZUnWByRM4scMPaEMxQBxX7iGQZK08eHqMUtWGcrzFw9DjGKCSzGJSRgXqPHhKiceYc/E+28MyYuGHvG+nYRqfLhKCx+HoIbKivgbwEVOUNb00rDx4QonK+4L97Gi9c1PEpKTzEtbOFl9/HCVFXGMMoqcJjuU5QHCuIX2iGtqyWOWPIWYfY2VmKDMAyTcIq45K0haECnJIo9wC7QnXHO0R6BgCic4BCU3KFMvz7mmRAm8Kz0Vt5XmAtf4cJUwolQS7n9r5oT729/eR7vQgmv/7U8CtUPg5cxYOfEywqyHUnodUtmzIiUINj5cgQRSKOHDh6ciZj7ixCTeooxIWRI1B16O7m6pUtdfc5KF8er7Fb264f71geM47iu9aI1ikED67P7eXEifWzIiBgO+/loT+35/T+lV5OpnFaGbD7+f8bazkKDmJFm9w06ZtagNv9/f99MUxbCPMROO+vUTx2C5P3NfR/E2zJI4QjHlrKHdJIzRJScN7ZqPWbj1CKIUT/wePRK8wW+IMCLounrMHl55AHNfGKGZv0aAcAYCRRaSstUHAOU5Dd0swYzC4dERs2Ugcrg5RDnIwpQkmQEhppF03RjeP173f/tN6v/222/G8ub4fdC/aXziGhWHRi1JFq4CknNfuK8/EqHMCYp0Bvr9/p6ZmqGfaVDra5AMeVGl7KejFaYJpJYQM+QRpKHdpwPjE4gReBmF0ZIYfeJu+d7d6dkspYbPj0+pFS598pglBAHSHIYZAiTJyre98tOGP9L5ZevP7gf9ygMzRVTOvXC6rj0x28Uo+8RdOISqfGT+/f7eQORCsoNlX5uAhSX2wDsBeQUPVKmzlVmLPvx+fy8jcuSnedFlnMYFxjX4uVCVH0+2PtE+KVGTF5PID2N0BvKJa/xH1IrRrnEp/zTZopcKsFD59fw6e0ipXld0aoBznmoSxs1HLyP5gefX75RPdojMKpy/X1WfB+ZPSYY8EHDXV6mXES6MuQrn8JzZzi8JYon1o0JG8W9OOBWbFkuw64rCJ47/VBNrTVC8Ouj4+4dzDBEnObp+qyK+LlGfuK9+kuDvVwYCGSJHAx9VP4ZMjHZ1tjC/VBZkj8In7rrGP1f6ZM/aItz1i2rJiJ5rgHCOfkzhzJtV4F0zGudETrFTCV0Jem6MPoT/NVNUmfAHtuCaXgzPw2+0D3OS17F5ER6Vcl+4v593ukVyER5nhHTk0ZY1oHFwIHfD/bmmc2aKdzxzCoZKcu6KZAU6R6f/ZYgUWXxG7cfumKUoPhSkRtVWGy/aMp3UmoPDmHH9NYzJ9ysxgeho2QyBJINno9Vh/lvnSfzxqFMzTshblq3QL21LaDP/wr0237Hj37wCrj6bGUqZextf/8+3mGv+x3daqBvvQYMTuNd85pu97/+6+/1b63gh3P1O8b9mCHqAIPj9RIn5iVKps5prrghre+eavGLZMgo/r2vHBXKFekT8/STxU4gwzC+7nphgjJiD8paRIhB6OHxGsDXLIMoQHIbsmZeVL8m0+hBeN9iE2PjEVaPizdtAdGqkMPTzHRC0DwmNBQrGYuJtMJysKATV9wRx5lwW20fvVgHxibuu02qRNNU8ibmmmEQp3Ra4phKnBalNUXO6KCfnFSdJyxPNj/WScBqcmxfR+qlKq4oW1a7S6yIjlHibbFDTICg9K0bUkC9aHb1k44WPE7D5fjVIYHnMmurJ/WFWrwhcPKqn9lOdOjw4Du6nujBJVtx1RYP7M9e45xpVaTk0G5KVZ1H5J47Jwv2bk5Js5IHgEFb/OiP38eofH2tzVj+BR0DwqiIdQI+3LwvGhdA1scvy4mWkaTCYt+eeP3EggmwT+wvk/gK468OqVitIP6uV6eZUPyd9YzFylIU4G464Zow4/qK+XBryAvoIRIIs2XEf6VpbgXMohghyu5AEVWgw9Avkj29oeAiXFyqe7zZntf1QQ6nz6UL4sa7zf693pg+ViU9Ge43xznj1Cu7mLTGp416KqhWRT+fcn5Wd5ta3GuvXdHiFeSGijEhT8sC5ZF506kNbDxds7W2c4oACcE30T64RJDmJvQg1LgLhgPNVQ6Q1ZBuKjMg4yQkbpW9ai2SS7FCmxFsvC72YXN+8bNUnFmk1JSmP29tLLllSsNMLqoCGiM4um30IaTWTvCjEJUexuOYQ5SSMvcOBSbjnGnyL/f8XvsH9+6KvGElGDonbfMySFGWk5BjxKSJZCLh/cwaibeIIJbHzGeEkmVfJcJJNeazFels+dvrx5AGkxBDta81aL+7+MduD2Q/8W0e2L6zLhoYK/NyiZ7lZH4Y0cq7yRJhzFGcTJ7v443lLeH9Ie+8go57VKu43r0JxmOxinHjwFI5mhl+3gDfn0+9XfbxKspAE0dm9YbhCOXm9pMRMsZj7+3VjvFg8/uNRnzlLOpfQK+N0qc3q7xfT1IsjEQORsxsWDWsfo4rJp5fA8g+BG9Pa+BfN99e3jrd3jONOdEY6qQ4S2NjdaD7lxmpCFW82cwJRlrHv7Aezh3DX+XzLLkv6845n3yP26PaW5xufjiI0ms0MkYzBdSuS7LoJEfbY3Ta7m9BBJmbbqJnhm0OHKrLqsPAg4M92ojqQKf4vtJf6KIMUHl1prlldDDEae3nANSchQZmHqx2BuqJ5DDXuFHU3LQp9ErOmRgV8EYbvLOvHLfBFPkKGzCVP3C7wCLfzcu4JERAgSFOz5vPxl1Y/A5GmnCVF+nbhP9YJZohJAjzMoLkmKwh1gT47iuZeHjBfLh9nm+LbxN5o8pRzH4CkiKvG8a6gZ+2iD6MwDumURJLssmEwoC9nCpk5yrh/c3aAMnQa1q7+0TKUYcti1bSJww3iGkZTaHabbaH5v5pdnm9wv9+0zmQ+Un9l4Ecvz3dJBi9FvyhnFcBpgkWgyKiYpzmdnauhqq5yzfrziMk1+/kj9sK4OimXkgygo2EuVf15152ZzXifxFGEWur3F+ZX7v9jYtzR9WiLstE+DTOUn8DO774yu+7FMIneNv553Pw3mOe1qocTrrPFkt76+p1r39a7PRPvnRNXMStTkqwyLw3Klq7J1bWBsm0I0GOWbEOIsnM6Z02Vsa4nwbPoq3W6bnh94X/QHeb9tl2TuHl1SjRFdHx8N45ZOl+kZJ3gr3Iyv0zKCuzL6zJjKMND3nXaze7tbeNVzl3uX1TKE4FKXq4qcQc2tRYXBee0hH2dhiBL8uSJtB7peGqwt1ViEkVeDPNWhVsdsIz2ALGe9P2d1e0wNXlcVLFMnmoh3tpm+nmOMtL8gyKH4u29OJs+mouRrvWnVeO7AHt7iqNyAA9jBLlXNH4gzTCJvDA+yVNdHwsVSKK0IOzlHnWdGEZKnBMvBohritjLc2YCO4w77X+INWz1xuTFHHog1Hr0MjJ7umRz0qjxQiOKe25dj4MM8zcuR+ydoB3GMNnl3yDyi9U3DREDkYK90mu83DYqntUx5Umew13Wvd+R6vqlWOciseOCF+RuTgb/6fcIbI27+fDqbQ5XPfl5QtUxzc2HU6Qe3mZSM7w+Rjxtt15GEPx4bOkvjiOED79/eH0e/Qr7OHueHfYcJKCLHkq9DDWO5yUX62/9Kve09TaALJVLm0/sjsaDCBeuwG9MWeI9cfOgjqwSRL1ybmu8Z/cKc6xiN7JK1+6uXaPfU0S4gHJvp+6SjTlWt25HxaCjzUFkRa6jYj/SsDLkV6qgpb5sFVDed+ftXgFlXEDbjEWsYSgKU7+tBVDGWz/sk4WMeddRA18aBFBerVR+eueI4EGVYe631cAfptO5pZm6FajWSHvUR+bq0ejvxHC5UiucB9cJUij2N4uRtLBG1tKw9OGC1yVx9eVL44b7/dJyJCtyark8RaBVx2CL3URQ7OcvLPn+W/5vDOdbHhLUAtQXV08ezpmRJwZPJoYg6iZUF+FgqFuqaZiuOuclU2fPeCJuBNUw1UgfacO5pY1dXuoYpjpweWwtRppktVV32VFTf6zOl4LW1Ry9hPbq2W8HHWPoPkNei20TT3whVVGU7HRT6hgOeNDtVDJNYaCN4GBqWdLcgR1Dnpb+cOCZvDoyLX3g8m5nOsYzb2PdLuxUgnx3ZDlYs2Q90PnRLTIF01iomjWSugteH0z76cwa4dvFWtpC3vqnbknafKGP5wvJonwhH6yn0W5nY03UJcmc41Sbb4TxPMZ7XdA0bYgHLm+N57x2vIa8pYib0c4wJXHhQNdcYHMmKc96Z37rjXG8sD/f+lgfGLG6mC0Gs0V71zbM4FkfBfG8rWbLsictbByAdm/wILiGJ1sPMNLJUlg+2CaZmpbSgdF+srCFPXQGkvls7Vw5yZaOrhmyUnrYuptjVZuvB0wPd6THpgXFOVYEa+w+mx31dmalKhhaznK96RjzJEOmIHmS5FkiMee2K7p81zYkTdNNOJpbMH4X1yDdhWklppWaD4I+MEdqvMCuYm4EUdxI0WxkidZIGs0tSZnwwsDn4XDekcYmz/MzUx0sTG0wlclgYVrunMe6PpRyewGF6bO2nVlwNJOgrJuuBtrkdmoLeBorD7YMNdBOS32hYUsaKFqU73x7PzDsYGCs9VsLw0h/1kQgpKa3kJzpRhpMh+pQGyW8Lw1KEPYcXyRzKLiWx2t3Jo3BfsJid2JaM118J67/s0l3cTjJNf761+Ivy7ZVwrHFe/aucJ0AK6IQKaIQuLL+DOVe6RoDw2/3eEWEwxnez0HUi0EkEV2W+KW1J0tbSzy7i5e2TpyxXkJH452xlkLZLJYdlVd3aeqG/UQd7QemoEv2CJtzvjfSjT7xI3M1FTcrVA4wkjGviPqrQvQ0T740Xqr6FGL0UlOQxMQLY5TB98sLR2/k306g9OtTuGqRJMKNUwWHkVWCNquePWWoPIiY7PyxFXt299mZpz6Q94LbxgUob2PP/lwsWQWWUp9WcrEbg3iwnsTL/STSSs+AUIy1wI/00O8ET54tBG6bVdgYRFbsORoP4k0B2ph3jS5GskSAvMeTziCAjoZn62kxXfSLaQgu5JiEMPXL7tpvd/mljQvXUTeTCJZAnhZwPaLGT9WyW7o2TEFHL5HFP1A53QjHTqfqBFSG+XMK6k4T+KYeQFkCF/pI+7XrqDwouxt1lzzYnUEObZj68bRQ23g7ibStH+sBDQIQzQu3o+6WZbc9NbprEG3iSaxit42f4VjtMtjITd2OBv9LuhgMNvJsSHHP7z97jo4nkXW7tIWdL5vxr/sLFOd+OdiM4v7IX2rZDaCjJ848FUDbKv1IInVH30F7n7uOEovxIAAdreN31A3r4m0aF1KJFnA/c9JsGgcdzVnGbyf4fzbqWVM9j3mUkbwFv2VoRXefsrX5nLfC5FuQ5CQ/pMKx0YqYJH5H4ychTOBY34HnZDvpnPk0rpLddYLAdwa5a/Ta07CXzcZTavv10hkEywjnnqOnrjNdPRoDX+0MBF/exROR5cCz3963XZonUa/tOmrp2To+xeiAB7GF///YBCZgg7L3rUE9S6tD5b2Ah+PB8yz8vP1hZOySP5A8TiD6+aFoU/j0s1V6F0ULlWoAZGy7jvpMR0tlnYRexwpdW9r4Rpc6pPDsz1u4lkLX0QNNVHIlIqkfzcNZqD74bVzM62CHjlqPjxRGT0Fb21K1kaHcoVINaUegCbd0BqbfJtgP2X3+8F2J1MiPgjtN7BIUWwmM9jtkC5kWB9tp29op4S5cOoPUrM2p290NkHupHzNZNq4tbM+S+E5bz/lpSWXRgjnFGQUBaAcYlMqdXarPnjwqtcXybiZbobsAbc1218tIX0+fg810ra3dtbKfyiNhJk9LbT0XpovVszYc3U7X+no6lLBmL5+19SCcDue3y8WyM1ssd9paudWe5+WyVOGTw+dK1N26smUcis3S0VO/fRvO4jykBcps99Ze2+Kp3f14kALZvJuUn7eT8nYLZLxzjd5lgbMvCmc4EVX2DI6n4QyTvyoRwdTeFV+zWLb3AujoGITd24md34Kym/plT/AjXNDkWtr7FEXWhtrWtd3ItTUmyyLqLZbtALtjK3cNtec4Qu/tZCri8NUAQYMtixFB7w0QZtviJ5aGQeymy7a5mpjdwLfNVRV6ewzFPjE7egBiXQCS3gWyuZo7Fu+3BRpi68bPSEHCCBllDKgMBiLN+tSpPhlr7DptCtHgmuw9Y5EuyhRx/YIkkUdC8Nvh9eM7WL8owBtGgM/TEsp8PUH16uYEVmrZI0u7Kyzt/c61rdKX8TMcpgUc9/evC+duh4arlR/ru2n4qpHl0/HqVi37W9DBxbLtln5biHxZisFzWvPYrSYdOoFLvDv/8uWn9LqslW+Y9hzgbev+DJskN1Po1UH0lgMLr8hRtn3BYxjmno8R/K3a699HYofL/x2CFHmSb8EviXFE+WkhLodyHeVvReeF4d8kvU7C+GUHeSM2VVlN2SBbTfCZuks2S0eNoS1gP9afaSubi6vYi3qpH4JcEQFhtYkOaiW9/onJXybCMrICV+YLZEvEF0EqhvoaRFYAZeu5qvO4PuIQCr8zXz2MIIaisHAdte3ZGt08ZktbwEpFK3ed+WpiXh6XKNKbxx6UVwAiKPi2VcCxJnv2vjom4ad3ztgNAN7nnq2CY1GS9hm0VSb7xHbzJR0kI6uAIXhQz/jTAVkJweqh7G+WES4UMV+pQoXryxZP89M1lNXEEDqe3d34Hfg8cc6KoSEcakGPDtowkkpH3qdLfKLhyAdbd7tLW8jVsp+JIWC4dPCe2HoK1gL1QXvpqMCXcegcZdQBkEmqiDxZRr0tHGs8iKTdxGbPL3i7jr6u8Uo/snjX0cAbOFTvauileu+SmNKu7FbL+cxkwVDWKns6auE6OgYXdqGwy1gM9aOdqT+qRjAndOFYtq1nUPaJHuHctaphTwn10LO74GxuwUg2Q0UUBkf/jvYp6MxXqiyVbscirt3lKZ1F1Ju5DnQqP4DVxGLDtumNVUEM9YIO4SwmzmLVkKXClfdYjGHCYkZcET+i2+5J7skmCABv3dJ67NJtdZcuoCyVNHZ92cKANrg2s/UGlP29GOFIEVebZUfFS2aXs3iwpcIVB75hfi4qvfm72YbS1nhQri7ykj03Nqkyzh/UsY7ReM6G5wtczGQc+PLedJ2AfxBf58GD0TVBhMmDuHnw7OXqQdR5CquIAlk6+toT+7GzIdZ8Y011S38yBEvUTWm0sHoDcwMXj4aSTMIkVcJ5/GAM/krz2m8LtOdszuzJ8uWh7MeKWOXLwpZ4OncAId8782Tjx1bui/2eMupiWP5B3lsav3RUHjoDEzkDrIwkAco9Km+6pDEjWzuXzox8r1DkizlqNTHVlC1VLKaCirZ4klnEFe0fDi395E3/PRr9jRtJOWibD0/ztCfG/MGmZ/HCYmXot3WqW+Ea/R2zW0Tvzy/iT3eCFI40Ot9Rei/iQme55BqrN5d035bWnowLlifWWT2LceDbu/jhrZOTNGFnRE9hHOZB48e/1FX9pdHl2fb/8/PrUH+GdIAxjg3rh42H8gFjK/RlvD4VfFXw8X7tj61nKFvlxJZ2nkEL+37rlpSusgEdakTrsgBG9LnyoFL8qItB1TR3fgdiEGuJa+/zquCzYkPliqqiIcz8dlf1Yx2DSFpDGbcZTMfiwdji9ahX+rbEK1KVxBPTunVtTWALFh5sqezIGIjIoQVrupqYburTKfmPnV5C+7YA4+leYef5PQGOBwKkSSaC1eOoay3E/p8fN9M7RxqUfhuWS1sYLR09cGQhWLaD1GeBKLxhh375GC731L7HxJWIuii7I89R8bKjb0GM4WydDusmf3Z/k6jjgbCM9umy3DzYPH6cbKhOFoV3QIR515Ryv7JHooT6Dtpq7tkvGpKjCcu2hkFnShsS26WhbIbs1KBjrasGAtKq4AZV8si4pIuP31G7ziK5owkGOvrzw0ufi0paFbP+ShEHkU+T3dYSWrhBWys9Z8ArMi7e0XnsOjorrqBcheqYFhQdO7K69Tvz8MEYfFYkbUsb3aKt/pPKc+JV/VPDwdq354eFYUOXBsY7tgo/sko2aIy1NYjwDor9TBH1LXT0HXTm6Tmduvi8Ojad2F2sDPuseRxgD//efZdzRvdpntSfab0svvpN68t3aTCJ0cfLX+J671e+3/it7LxgfzTVAkmUYkTQx09co77H/uzo/wYAAP//u0uwwpg6AAA=')
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
