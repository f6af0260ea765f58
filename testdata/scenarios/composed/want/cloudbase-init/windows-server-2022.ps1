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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R7e3eiSr7o//kU3L5ZY3InOqAxs03fnjWKghDFCPKQ7ty9oKoiaPEYKFQyu89nv6sAFfPo7r3OnJnVSaB+7/evdP9vZupAxLg5EzjA80PkwOCeSbIwZaIQoBsmJVGcMg5hiIeYZz9JCfPs+DhLUOvicpQkUdIHxI/CxwQ9owSFADFfmIZGorhxcfmYRKsEpemrQx+jkOCcj0LihxlqXFymxCHFGX//rUBygqFDnG8noRoXl3HmYh9UUEkWfgM4SwlKmk7sNy4ucbRivjCfSlrf3CgiKUmcuIWj1aeLyyQLQ5RQ5DjaoST1EMYttEdMU4kek+jZx8WfoRQSlDiA+FvENGcZiTMiREngEGaB9oRpjvYIZIXCEfZBzgzy2ElTpilQAh9KT8VtxSnHNC4uo4IolYT5v4o+Yf7xj4/RzrRg2v/4C0ft4DlpYayUOAkprIdi+uxT2ZMsJgg2Li5BBCkUd3HxnIWFjxg+CrcoIUISBc2Bk6K7W6rU1deUJH64erqkT9fMvy8YhmG+0ofWKAQRpGf39/pC+K0lIqIVwFdfK2JP9/eUXkmuOisJXV98r/E2E5+g5iRafcBOmrWoDZ/u7/txjELYx7gQjvr1hilgmb8yX0fh1k+iMEAh5ayg3cQP0TknBe2aj4m/dQiiFE/8Hh3ivcNviDAi6Ko8Lg4vHYCZLwWhmbtGgDAaAlnik7zVBwClKQ3dJMIFhcPREbOlIXJ4OUQpSPyYRIkGIaaRdNUY3j9e9T9/FvqfP3/WltfHvwf968YN0yg5NCpJEn/lkZT5wnz9kQh5SlCgFqBP9/eFqQv0mgaVvhpJkBOUyt4crTCNILUEnyCHIAXtbg6MTyCa5yQURolCdMPcsr2709kspoZPj6fUCuc+eUwiggBpDv0EARIl+fte+WXDH+n8aevP7gf90gMziZfqXjg9V56Y7UKU3DBnDqEqH5k/3d9riJxJdrDsWxMUYYkd8EFAXsIDVepsadaih0/39yIiR36KE5zHaZhhXIHXhSr9eLL1ifZJiYo8HwWuH6IayA3T+K+gFaJd41z+abRFrxUoQuXP51ftkFK9KulUAHWecuSHzUcnIemB59cnyic5RGYZzk+X5e8D8+coQQ7wmKvL2EkI44dMiXM4L2zn5gQVifWjQkbxr084JZtWkWBXJYUbhr2piLUmKFwddPx+UcfgcZSiq/cq4tsSdcN8daMIP11qCCSIHA18VP0YMiHaVdlS+KW0YHHkPzNXFX5d6ZM9K4swV6+qZUG0rgHCKfoxhZo3y8C7KmjUiZxipxS6FLRujD6E/z1TlJnwE1swTSeE9fAb7f2UpFVsnoVHqdwX5p/1TreIzsKjRkhFDm1ZAxoHB3LXzF8rOjVTfOCZUzCUkjOXJMlQHZ3+L0EkS8IatR+7Yxaj8FCQGmVbbbxqy3RSaw4OY8bVVz8kT5d8BNHRsgkCUQJro9Vh/lunUfjpqFMzjMh7li3Rz21LaDP/wrw137HjX78BLn83ExQX7m18/X/fQqb5X0+0UDc+ggYncKf5wjZ7T/+++/6tdXzg7r5T/K8Jgg4gCD6dKBV+olSqrGaaK1K0vbomb1i2tMxNq9pxhlyiHhG/nyR+9hGG6XnX4yOMUeGgtKXFCPgO9l8QbM0SiBIEh35x5iT5azKtPoRXjWJCbNww5ah4/T4QnRopDP39AQja+4TGAgUrYuJ9MBytKATV9wRRc24R20fvlgFxw1xVabWImnIahUyTj4KYbgtMUwrjjFSmqDidlZN6xYni/ETzU7UknAbn5lm03pRpVdKi2pV6nWWEFG6jDWpqBMW1YkQN+arV0cdivHBxBDZPl4MI5sesKU/uD7N6SeDsqJraT3XqcHAc3E91YRKtmKuSBvNXpnHPNMrScmg2JMlrUfkXppCF+YMRomTkAO8QVv+ukft0+funypzlT+AQ4L2pSAfQ4+vzgnEmdEXsvLw4CWlqBcz7c89fGBDAYhP7G2T+Bpirw6pWKUh/lyvT9al+TvraYmRJC342HDHNEDHsWX05N+QZ9BGIeEm0Yz7RtbYEZ1AIEWR2PvHK0CjQz5A/vaPhIVxeqVjfbWq1/VBDqfPpQvipqvP/rHami9LEJ6O9xfhgvHoDd/2emNRxr0VVssClc+6vyk5z61uF9ed0eIN5JqKISFNwQF0yJzj1oa2Ds2LtbZzigAIwTfQvpuFFKQmdADXOAuGA81VBpDUsNhQRkXGUkmKUvm4tokm0Q4kUbp3Ed0Jydf26VZ9YxOWUJD1ub8+5JFFW3F5QBRRE1OKx2YeQVjPBCXycMxSLaQ5RSvzQOVyY+HumwbaK//+NbTB/nPUVLUrIIXGbj0kUo4TkTEF8ikjiA+YPRkO0TRyhhOJ+hjtJ5pQynGSTHiux3pevuP14dgCSQoj2lWatV29/zvZg9gP/1pHtK+sWQ0MJXrdoLTery5BGypSe8FOG4mzCaBd+qreEj4e0jy4yqlmt5H79JhSH0S7EkQNP4agn+G0LeHc+fbrs41WU+MQLau+G/gql5O2SEhaKhcw/rxrjxeLx90d1Zi3pXEKftNOjMqv+PpumXl2JaIjUXhg0rF2MSiY3r4HFHwI3ppXxz5rvn9863t8xjjtRjXRUXiQUY3ej+ZxqqwlVvNlMCURJUvxd/Cjswd11frstHnP6844t/g6Ko9tblm3cHEVoNJsJIkkB1y1JFs9NiLBTvG0XbyM6yITFNqon+PrQobKkvCw8CPirnagKZIr/J9pLdZVBMoeuNFdFXfQxGjupxzQnPkGJg8sdgbqieQw15hR11y0KfRKzokYFfBWGHyzrxy3wVT7CApmJnpmd5xBm56TMMyLAQ5CmZsXn059a/TREmmISZfH7hf9YJwpDTCLg4AKaaRYFoSrQtato5vUF8/nyUdsU3yf2TpOnnPsARFlYNo4PBa21iz4M/NCnUxKJkvOGUQB9qSmkpyhh/mBMDyXoNKxd/t7SpGHLKKppE/sbxDS0JtfsNttc8/80uyzbYL5ft2oyH6m/MfCjk6a7KIHnop+VsxLgNMEikCVUzNOcXtyrobKuMs3q9xGTafbTR+z4YXlTLkQJQEfDnKv6666rmU37mMRRhErqjxfmN+7/OTHm6Hq0RcloH/sJSk9g9bdvzK46IYyC941fj5v/gHneqnq44aotlvTV1yemfVvt9oV4H9y48kkek2iVOLGXt1RFLJ81lGx9gB6TaOtDlNTp1JpqwbqaBGvRV+l01XD63P+iO8zHbbsicf3mlmiK6Pj4YRwX6XyWklWCv8nJ9DwpS7Avb8uMJg0PeddpN7u3t403OXe+f1EpTwRKeZmyxB3YVFqcFZzTEvZ16oMkSqNn0nqk46lWfFrFR0HghDBtlbjlBctoD1DRk54+WN0OU5PDBCXL6LkS4r1tpp+mKCHNnxQ5FG7v+dn0UV+MVKU/LRvfGdj7UxyVAzgYI8i8ofEDaYZR4PjhSZ7y+VioQBTEGSk+3KOu4/1AClPihAAxTR47aVqYwPTDTvt3voItPzF5NYceCLUenYTMns/ZnDRqvNKI4tat6zCwwPzMpKj4TND0Qxjt0m8Qudnqm4KIhkhWfKTXeL1tlDzLa8qTPIe3Rff+QKqr12LVRSquC16Ruz4Z/Jc/RyjWuOuLN5/mMOXJrxMqr2muL06Revg0k5rh7TXiabt1EoLgp2NLf3UdwV18v3h7H/0G+zh71i57DhLQRQ/FToIax/uSs/W3+ij3tPU2gCjkS5ONzI7CggBnNsdudFFgHX7zII+MHAS9fG4qrGP2Mn0sYzswctvsrm2t35N4uIBibyfvoo0+lrd2R8ago8xBYAS2JWM3ULA0ZFcyp8SuaGRQ3Hfn7V4GRZxBUw95rGDIc1O3rXhQxFvX75OFiFnbkj1XGHhQXK1kdnpn8eBBFmHqtmXPHcbTuaHoquHJxkh5VEf66lHr73h/uZJLnAfb8mLI9zeLkbAwRsZSM9ThglUFfvXlS+Oa+X5uOZJkKbVcGiPQinG28kMVPadfuacWjEBGl4v0K/vUouevzPrxR/7fCqrfUp+gFqCOuXx2cFpYfKKxZKJxvKpDeeEPhqoh65puy3NW0NXijCX8hpM1XQ7UkTKcG8rYZoWOpssDm8XGYqQIRlu2lx05dsfyfMkpXcVSc2iuXty219GG9gtkldDU8cTlYhkF0U7VhY5mgQfVjAVd5wbKCA6mhiHMLdjRxGnuDgeOzsoj3VAHNmt3pmM8czbG7cKMBch2R4aFFUNUPZUd3SKd07WFrBgjobtg1cG0H8+MEb5drIUtZI1/qYagzBfqeL4QDMoXst56Gux2JlZ4VRD0OY6V+YYbz0O8VzlFUYZ4YLPGeM4qx2fIGhK/Ge00XeAXFrT1BdZngvSidua3zhiHC/O3WxerAy2UF7PFYLZo79qa7r2oIy+ct+VkmfeEhYk90O4NHjhbc0TjAQYqWXLLB1MnU92QOjDYTxYmt4fWQNBfjJ0tRsnSUhVNlHIHG3dzLCvz9aDQwx6poW5Afo4lzhjbL3pHvp0ZsQyGhrVcbzraPEqQzgmOIDgGT/S5afM22zU1QVFUHY7mBgw/xNVId6EbkW7E+gOnDvSRHC6wLekbjuc3QjAbGbwxEkZzQ5AmLDdwWTicd4SxzrLsTJcHC10ZTEUyWOiGPWexqg6F1FxAbvqibGcGHM0EKKq6rYA2uZ2aHJ6G0oMpQgW041xdKNgQBpISpDvX3A800xtoa/XWwDBQXxQecLHuLARruhEG06E8VEYR6wqDHPg9y+XJHHK24bDKnU5jsB8VsTvRjZnKfxDX/5EMPLu2ZBp//3v2t2XbyOHYYB1zl9mWhyWeCySe82xRfYFiL7e1gea2e6zEw+EM7+cg6IUgEIgqCuzS2JOlqUSO2cVLUyXWWM2hpbDWWImhqGfLjszKuzi2/X4kj/YDnVMFc4T1OdsbqVqfuIG+mvKbFcoHGImYlXj1TYl6nkdfGq/1fvYxOqgdRhD9enXZZC793cqdADdOxRzlsgdEbNqW/EILtrSOfKdj+LYpbFytm8zG08wxf9vCteDbluopvJRKAYndYO7PfPnBbeOMFmg7wCG05KooUxg1Bm1lCwMjR5p0h3LZp9YEHTVfWgPdbRPs+sV79vC3FNh3djB6QX6XoNCIYLDfIZNLlNDbTtvGTvJ3/tIaxDr1XGDkqtndALEXu2Ehy8Y2ue0kMG6XJrdzRf1OWc/ZaU5lUbw5xRl5Hmh7GOTSnZnLL444ypXF8m4mGr69AG3FtNfLQF1PX7zNdK2s7bW0n4ojbiZOc2U956aL1YsyHN1O1+p6OhSwYi5flPXAnw7nt8vFsjNbLHfKWrpVXub5Mpfhs8WmUtDd2qKh2SaMS93V2G3f+rMw9Wk51tu9tdM2WGp3NxzEQNTvJvlv20l+uwUi3tlab+22u+zSxJltyZuJqWzdUPVo5IFg7k94uTiD46k/w+TvUkAwtXfJV8+W7T0HOioGfvd2Yqa3IO/Gbt7j3ABnjqXGS3Mfo8DYUNvaph3YplLIsgh6i2Xbw/bYSG1N7lkW13s/FbPQP2ZiFW8tGmxJiAhKP0g+vW2wE0PBILTjZVtfTfSu55r6qgy9PYZ8n+gd1QOhygFB7QJRX80tg3XbHA2xdeNHUtTqAftBPaBbWrXaVetnY9dpEz9ADbrpOwnJ4kUeI6afkShwiA8+H+74P8D678nzjongyzSHIlvVpiIKAscEKznvkaXZ5ZbmfmebRu6K+AUO4wyO+/tJWNYf2/I81xqktrbboeFq5Ybqbup3XxxLxbUMSafj1a2c97egg7Nl287dNhe4ohCCl7jisVtNOrTRCaw9//Kl8SvOj1I9hk7l+/cMnTlZipLtK0sP/dRxMYKfyyH3Y6TipuU/IUiWRukW/Ckxjig/FeIXmpKK0vdCCkQhcfwQJfAjPuvID193gXciSBbl2PWLoZt2sIQO3UtLDqHJYTdUX+igPedXoRP0YtcHqcQDUtSXwI7tnD7/QucTCbcMDM8W2QyZAnF5EPO+ugaB4UHReClrNa6Gfy5zO/PVwwjSIX5hW3LbMRXaeWdLk8NSSSu1rflqop8vEpLw7kJAeXkggJxrGhkcK6Jj7ssFgi4BY9sDeJ86pgyOhUXYJ9CUC9knpp0uTfgyCYwM+nRhOPF/1Pqh5IPVQ97fLAOcSXy6krkS1xUNlmaRrUmricZ1HLO7cTvwZWLVCprGHTK2N3+JAQyE3BL38RKfaFjiwdbd7tLkUjnvJ7wPClzbktmJqcZgzVEftJeWDFwR+9ZRRhUAkcQSz5Jl0NvCMV3GhN3ELM7PeNuWuq7wcjcwWNtSwDs4VO9sSXs51XsXhZR2abdKzpdCFgxFpbSnJWe2pWJwZhcKuwx5Xz3amfqjLOZzQpe+Zdt4AXmfqAFObaNc2iRf9R2zC2qzB0ai7ks8Nzj6d7SPQWe+kkUhtzsGsc0uS+ksgt7MtqBV+gGsJsbAAx1Fd8Yyx/tqBs19WsRELVY1UchscY/5EEZFzPAr4gZ02jvJPdl4HmCNW1o1bTqt7eIFFIWcxq4rGhjQJtUubL0BeX/PBziQ+NVm2ZHxsrBLLR5MIbP5gavpv2Wl3uzdbENpKyzIV2d5WZxrm1gapw/yWMVoTOPxFS4uZBy44l63LY994N/mwYPW1UGAyQO/eXDM5eqBV1kKK/EcWVrq2uH7obUhxnxjTFVDfdY4g1d1YbQwegN9AxePmhRN/CiW/Hn4oA3+TvPabXO0M2xq9izy5SHvhxJf5svCFFg6OwAu3VvzaOOGRury/Z406mKY/yTvDYVdWjILrYGOrAGWRgIHxR6VN17SmBGNnU3nPraXSeLZLLSa6HLsBkKOipjyStr8SWYel7R/OHj0o3f996j1N3YgpKCtPzzP4x4fsgeb1uKliJWh21apbpmt9XeF3QL6fn4Wf6rlxXCk0BmN0nsVF2qRS7a2Cmn+VhclnqurHhQF4JrC2hFxVuSJUatnIfZccxc+vLc5xFGxMD37oZ96jR9/3aH8Dv75rc//+M2OT9cuga1o/bTxUD5gbPiuiNengi9zLt6v3bHxAkUjn5jCztFoYd9v7ZzSlTagQ41onBfAgJ5LDzLFD7oYlE1z53YgBqES2eY+LQt+UWyoXEFZNLiZ2+7KbqhiEAhrKOJ2AdMxWDA2WDXo5a4psJJQJvFEN25tU+GKJQkPtlR2pA14ZNGCNV1NdDt26aT7c6fn0LzNwHi6l4qbrh4HxwMO0iTjwepx1DUWfP+vj5vpnSUMcrcN86XJjZaW6lki5y3bXuwWgci9Y4d+/ugv99S+x8QViLzIuyPHkvGyo25BiOFsHQ+rJl97v4nk8YBbBvt4mW8eTBY/TjZUJ4PCWyDArK0LqVvaI5J8dQdNOXXMVw3JUrhlW8GgM6UNiQCRNh3dn/D9EHSMddlAQFwWXK9MHhHndHlxO3LXWkR3NMFAR315eO1zXorLYtZfSfwgcGmym0pECzdoK7ljDVhJxNkHOo9tSy2KK8hXvjymBUXFlihv3c7cf9AGv0mCsqWNbtGW/0XlOfEq/8n+YO2a88NYv6GjfcE7NDI3MPJi0BgraxDgHeT7icSrW2ipO2jN4zqdqvi8uTaYmF0sDftF8zjAHv59eMtZo/s8j6rfcbXwvfkO4vktM4xC9On86w0ffRnyne8rplnxnxO0QBTEGBH06YZpVO+KL+T//wAAAP//mR/ML7I1AAA=')
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
