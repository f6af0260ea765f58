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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7x7e3eiWr7g//kUTE1Wm0yXNmhMlzlTvVpREKIYQR5SlekFe+8Iunk0bFTsPvezz9qAinnUqbr3zpyzUgr83u/fJvmfzNSBiHFzJnCA54fIgcEDk2RhykQhQJ+ZlERxyjiEIR5iXvwkJcyL4+MsQa2r61GSREkfED8KnxL0ghIUAsR8ZRoaieLG1fVTEq0SlKavHvoYhQTnfBQSP8xQ4+o6JQ4pnvEP3wskJxg6xPl+FqpxdR1nLvZBBZVk4XeAs5SgpOnEfuPqGkcr5ivzqaT13Y0ikpLEiVs4Wn26uk6yMEQJRY6jHUpSD2HcQnvENJXoKYlefFx8DaWQoMQBxN8ipjnLSJwRIUoChzALtCdMc7RHICsUjrAPcmaQx06aMk2BEvhQeipuK045pnF1HRVEqSTM/1b0CfO3v32MdqEF0/7bnzhqB89JC2OlxElIYT0U02ufyp5kMUGwcXUNIkihuKurlywsfMTwUbhFCRGSKGgOnBTd31Glbr6lJPHD1fM1vbpl/nXFMAzzjV60RiGIIH328KAvhC8tERGtAL75VhF7fnig9Epy1bOS0O3V7zXeZuIT1JxEqw/YSbMWteHzw0M/jlEI+xgXwlG/fmYKWObPzLdRuPWTKAxQSDkraDfxQ3TJSUG75lPibx2CKMUzvyeHeO/wGyKMCLopHxcPrx2Ama8FoZm7RoAwGgJZ4pO81QcApSkN3STCBYXjoxNmS0PkeHOIUpD4MYkSDUJMI+mmMXx4uun/9pvQ/+2337Tl7en7oH/b+Mw0Sg6NSpLEX3kkZb4y334kQp4SFKgF6PPDQ2HqAr2mQaWvRhLkBKWyn09WmEaQWoJPkEOQgnafj4zPIJrnJBRGiUL0mblje/fnZ7OYGj49PaVWuPTJUxIRBEhz6CcIkCjJ3/fKTxv+ROeXrT97GPRLD8wkXqp74XxdeWK2C1HymblwCFX5xPz54UFD5EKyo2XfmqAIS+yADwLyGh6pUmdLsxZ9+PzwICJy4qc4wWWchhnGFXhdqNKPZ1ufaZ+VqMjzUeD6IaqBfGYa/xG0QrRrXMo/jbbotQJFqPx6ftUeUqo3JZ0KoM5Tjvyw+eQkJD3y/PZM+STHyCzD+fm6/Dwyf4kS5ACPubmOnYQwfsiUOMfnhe3cnKAisX5UyCj+7RmnZNMqEuympPCZYT9XxFoTFK6OOv5+VcfgcZSim/cq4tsS9Zn55kYRfr7WEEgQORn4pPopZEK0q7Kl8EtpweKR/8LcVPh1pc/2rCzC3LyqlgXRugYIp+jHFGreLAPvpqBRJ3KOnVLoUtC6MfoQ/tdMUWbCH9iCaTohrIffaO+nJK1i8yI8SuW+Mn+vd7pFdBEeNUIqcmjLGtA4OJK7Zf5c0amZ4gPPnIOhlJy5JkmG6uj0vwSRLAlr1H7sjlmMwmNBapRttfGqLdNJrTk4jhk33/yQPF/zEUQnyyYIRAmsjVbH+W+dRuGnk07NMCLvWbZEv7Qtoc38K/PWfKeOf/sGuPxsJigu3Nv49n++h0zzP55poW58BA3O4E7zwDZ7z/+6//1763TB3f9O8b8lCDqAIPh8plT4iVKpsppprkjR9uqavGHZ0jI3rWrHBXKJekL8/Szxi48wTC+7Hh9hjAoHpS0tRsB3sH9AsDVLIEoQHPrFMyfJX5Np9SG8aRQTYuMzU46Kt+8D0amRwtDPD0DQ3ic0FihYERPvg+FoRSGovmeImnOL2D55twyIz8xNlVaLqCmnUcg0+SiI6bbANKUwzkhliorTRTmpV5wozs80P1VLwnlwbl5E6+cyrUpaVLtSr4uMkMJttEFNjaC4VoyoIV+1OnpZjBcujsDm+XoQwfyUNeWTh+OsXhK4eFRN7ec6dXxwGtzPdWESrZibkgbzZ6bxwDTK0nJsNiTJa1H5J6aQhfk3I0TJyAHeMaz+VSP36fofnypzlv8ChwDvTUU6gp5uXxaMC6ErYpflxUlIUytg3p97/sSAABab2F8g8xfA3BxXtUpB+lmuTLfn+jnpa4uRJS342XDENEPEsBf15dKQF9AnIOIl0Y75RNfaEpxBIUSQ2fnEK0OjQL9A/vSOhsdweaVifbep1fZjDaXOpwvhp6rO/73ama5KE5+N9hbjg/HqDdzte2JSx70WVckCl865Pys7za3vFdav6fAG80JEEZGm4IC6ZE5w7kNbB2fF2ts4xwEFYJron0zDi1ISOgFqXATCEeebgkhrWGwoIiLjKCXFKH3bWkSTaIcSKdw6ie+E5Ob2das+s4jLKUl62t5dckmirDi9oAooiKjFZbMPIa1mghP4OGcoFtMcopT4oXM8MPH3TINtFf//hW0w/77oK1qUkGPiNp+SKEYJyZmC+BSRxAfMvxkN0TZxghKK8xnuLJlTynCWTXqqxHpfvuL048UBSAoh2leatV7d/WO2R7Mf+bdObF9ZtxgaSvC6RWu5WR2GNFKm9ISfMhRnE0a78FO9JXw8pH10kFHNaiX32zehOIx2IY4ceA5HPcFvW8C78+nzdR+vosQnXlC7N/RXKCVvl5SwUCxk/n7TGC8WT/94UmfWks4l9Eo7Xyqz6vvFNPXqSERDpHbDoGHtYlQy+fwaWPwhcGNaGf+i+f761vH+jnHaiWqko/IgoRi7G82XVFtNqOLNZkogSpLie/FPYQ/uvvPlrrjM6b/3bPE9KB7d3bFs4/NJhEazmSCSFHDdkmRx3YQIO8XddnE3ooNMWGyjeoJvjx0qS8rDwqOAP9uJqkCm+L/QXqqjDJI5dKW5Keqij9HYST2mOfEJShxc7gjUFc1TqDHnqLttUeizmBU1KuCrMPxgWT9tga/yERbITPTC7DyHMDsnZV4QAR6CNDUrPp9+afXTEGmKSZTF7xf+U50oDDGJgIMLaKZZFISqQNeOopnXB8yXy0dtU3yf2DtNnnLuAxBlYdk4PhS01i76MPBDn05JJEouG0YB9LWmkJ6ihPk3Y3ooQedh7fofLU0atoyimjaxv0FMQ2tyzW6zzTX/V7PLsg3m99tWTeYT9TcGfnLSdBcl8FL0i3JWApwnWASyhIp5ntOLczVU1lWmWX2eMJlmP33Cjh+WJ+VClAB0Msylqj/vuprZtI9JnESopP54YX7j/j8mxpxcj7YoGe1jP0HpGax+943ZVSeEUfC+8etx899gnreqHk+4aoslvfXtmWnfVbt9Id4HJ658ksckWiVO7OUtVRHLaw0lWx+gpyTa+hAldTq1plqwribBWvRVOt00nD73P+gO83HbrkjcvjklmiI6Pn4Yx0U6X6RkleBvcjK9TMoS7OvbMqNJw2PeddrN7t1d403OXe5fVMozgVJepixxRzaVFhcF57yEfZv6IInS6IW0nuh4qhVvq/goCJwQpq0StzxgGe0BKnrS8wer23FqcpigZBm9VEK8t8300xQlpPkHRQ6F2wd+Nn3SFyNV6U/LxncB9v4UR+UADsYIMm9o/ECaYRQ4fniWp7w+FSoQBXFGipd71HW8H0hhSpwQIKbJYydNCxOYfthp/4OvYMs3Jq/m0COh1pOTkNnLJZuzRo1XGlHcunUdBhaYvzEpKt4Jmn4Io136HSI3W31XENEQyYpXeo3X20bJszymPMtzvFt07w+kunktVl2k4rjgFbnbs8F/+j1CscbdXr15m8OUT36eUHlMc3t1jtTj20xqhrfHiOft1kkIgp9OLf3VcQR39fvV2/PoN9in2bN22HOUgC56KHYS1Didl1ysv9Wr3PPW2wCikC9NNjI7CgsCnNkcu9FFgXX4zaM8MnIQ9PK5qbCO2cv0sYztwMhts7u2tX5P4uECir2dvIs2+lje2h0Zg44yB4ER2JaM3UDB0pBdyZwSu6KRQXHfnbd7GRRxBk095LGCIc9N3bbiQRFvXb9PFiJmbUv2XGHgQXG1ktnpvcWDR1mEqduWPXcYT+eGoquGJxsj5Ukd6asnrb/j/eVKLnEebcuLId/fLEbCwhgZS81QhwtWFfjV16+NW+b3S8uRJEup5dIYgVYVg63iJoJ8P31lyY/f8n8vcL6nPkEtQH1x/eLgtDDyRGPJRON4VYfywh8MVUPWNd2W56ygq8UzlvAbTtZ0OVBHynBuKGObFTqaLg9sFhuLkSIYbdleduTYHcvzJad0FUvNobk6uG2vow3tA2SV0NTxxOViGQXRTtWFjmaBR9WMBV3nBsoIDqaGIcwt2NHEae4OB47OyiPdUAc2a3emYzxzNsbdwowFyHZHhoUVQ1Q9lR3dIZ3TtYWsGCOhu2DVwbQfz4wRvlushS1kjX+qhqDMF+p4vhAMyhey3noa7HYmVnhVEPQ5jpX5hhvPQ7xXOUVRhnhgs8Z4ziqna8gaEr8Z7TRd4BcWtPUF1meCdFA78ztnjMOF+eXOxepAC+XFbDGYLdq7tqZ7B3XkhfO2nCzznrAwsQfavcEjZ2uOaDzCQCVLbvlo6mSqG1IHBvvJwuT20BoI+sHY2WKULC1V0UQpd7BxP8eyMl8PCj3skRrqBuTnWOKMsX3QO/LdzIhlMDSs5XrT0eZRgnROcATBMXiiz02bt9muqQmKoupwNDdg+CGuRroL3Yh0I9YfOXWgj+RwgW1J33A8vxGC2cjgjZEwmhuCNGG5gcvC4bwjjHWWZWe6PFjoymAqksFCN+w5i1V1KKTmAnLTg7KdGXA0E6Co6rYC2uRuanJ4GkqPpggV0I5zdaFgQxhISpDuXHM/0ExvoK3VOwPDQD0oPOBi3VkI1nQjDKZDeaiMItYVBjnwe5bLkznkbMNhlXudxmA/KmJ3ohszlf8grv+zSXdxOMk0/vrX7C/LtpHDscE65i6zLQ9LPBdIPOfZonqAYi+3tYHmtnusxMPhDO/nIOiFIBCIKgrs0tiTpalEjtnFS1Ml1ljNoaWw1liJoahny47Myrs4tv1+JI/2A51TBXOE9TnbG6lan7iBvprymxXKBxiJmJV49U0heplHXxuvVX3xMXqtKYhC4vghSuDH5YWhN9LvZ1D69cVftUgU4Ma5gsPAyEG7qJ49aSg98pjs3LEROmb3YM1jF4h7zm7jDOR3oWN+yZZFBRZil1ZyvhuCcLCehMv9JFByR4OQDxXPDVTf7Xgvjsl5druosCEIjNCxFBaEmwy0MWtrXYxEgQBxjyedgQctBc/W02y66GdTH1zIMfFh7ObdtdvusksTZ7YlbyYBzIE4zeB6RI0fy3k3t00Yg46aI4N9pHLaAQ6tTtkJqAzzQwyqTuO5uupBUQAX+gj7tW3JLMi7G3kXPZqdQQpNGLvhNJPbeDsJlK0bqh4NAhDMM7sj75Z5tz3VumsQbMJJKGO7jQ9wLHcL2MCO7Y4C/0u6aAVs4JiQ4tbvHxxLxZPAuFua3M4V9fDX/QWyul+ONqO4P/KXnHc9aKmRNY850DZyNxBI1dF30NyntiWFfDjwQEfpuB15U3TxNo0LIUcLuJ9ZcTINvY5iLcP3E/w/G/VFU63HPEpI2oLfE7Siu0/e2nxJW3703YtSkh5T4dRoeUwit6OwEx9GcKzuwCHaTjo1n4ZlstuW57nWILW1Xnvq95LZeEptv15aA28Z4NSx1Ni2pqsnbeDKnQHnirtwwhc5cHDb+7ZN8yTotW1Lzh1TxecYHbAgNPD/H5vACGxQ8rE1qGdpdSi957FwPDjM/C/bH0bGLvoDycMIop8fijaZSz9buXNRtFAue0DEpm3JBzpaSuvIdzqGb5vCxtW61CGZY37ZwrXg25bqKbyUSgGJ3WDuz3z50W3jbF4FO7TkanykMGoM2sqWqo006R7lsk87Ak24pTXQ3TbBrl/cZ4/fpUAO3MC7V/guQaERwWC/QyaXKKG3nbaNneTv/KU1iPXKnKrZ3QCxF7thIcvGNrltLYnvlfWcneZUFsWbU5yR54G2h0Eu3Zu5fHDEUa4slvcz0fDtBWgrpr1eBup6evA207WyttfSfiqOuJk4zZX1nJsuVgdlOLqbrtX1dChgxVwelPXAnw7nd8vFsjNbLHfKWrpTDvN8mcvwxWJTKehubdHQjsVmaamx277zZ2Hq0wKlt3trp22w1O5uOIiBqN9P8i/bSX63BSLe2VrvssCZF4XTn/By8QyOp/4Mk79KAcHU3iVfPVu29xzoqBj43buJmd6BvBu7eY9zA5zR5Fqa+xgFxoba1jbtwDaVQpZF0Fss2x62x0Zqa3LPsrje+8mUhf6bAYIGWxIigj4aIPS2wU4MBYPQjpdtfTXRu55r6qsy9PYY8n2id1QPhCoHBLULRH01twzWbXM0xNaNn5GC+AHS8hBQGTREmtWpU3Uy1th12hSiwTSL94xZvMhjxPQzEgUO8cFvx9ePH2D9ogDvGAEepjkU2WqC6lXNCazkvEeWZpdbmvudbRq5K+IDHMYZHPf3bwvnboeGq5Ubqrup/6aRpdPx6k7O+1vQwdmybedumwtcUQjBIa547FaTDp3ABdaef/36U3pd1sp3TFsHeN+6P8MmSvUYOlUQvefAzMlSlGxf8Rj6qeNiBH8r9/qPkYrD5f8OQbI0Srfgl8Q4ofy0EJdDuYrS96LzwvDvkl5Hfvi6g7wTm7Iox8UgW07wibyLNktLDqHJYTdUD7SVzflV6AS92PVBKvGAFLWJDmo5vf6JyV8k3DIwPFtkM2QKxOVBzPtqZ2mpa4envLnM7cxXjyOIIc8tbEtuO6ZCt43Z0uSwVOKntjVfTfTLIxJJePeog9Iv4z8/6dZeWjJwRexbJ3oqOPfAKl/yLnbDZcj7agJNGbuiwRbtPJdCiU9Xlb0SiYfgXMRoO9d9iWcJbOPMFnsdkHOHsx4sOQ6KT/r03hrbHsD71DHlMw1hf6wLlY361M4YhHNiizj/Ad7OaW9Wct5PeL+/kvh+ONG4Wg/ukxK28tmBo7bAUFRKGpac2ZaKAbd/B6fQrZCL6vCTdE52Kwf6sy1pLFBblgV/TuhisWwbB5D3iRrg1DbKoU7yVd8xuzXfHO3LDUAAOdc0Mjjax6AzX8mikNsdg9hml6V0FkFvZlvQcszuxu2A1cQohmrdGcsc76sZHbYLf9ZiUhOFzBb3mA9h5Jh7LPEr4gZ0qz3LPdl4HmCNO1p3bbqV7iJq67Mu7T22rf6KNrvC1+PpajovYRxzuXrkT/FO6/FGEoi8yLsi5WctonvV8ujccHjkj3G7iaVx+kjxq58NFI07SPPlFa5O9RgJqSuoGI3nkSza6dKEh0etq4MAk0d+U6MzKDfucQG7mpi00SqRxEOkcQav6nvBEHoTQ5eFua4qFitoKjftSf4qe/Q3vsyD13IVP7LYpUM7HchntgVIObvhta1Rn9BlZ3DOJ55bQFHI4djYGWM6+wwG0FK3rimwjjldTXQVA9HI7LHy5PqDi7lI4jneMbseCPF8aalRSbsfybUa8Zj3Q4kH9HOzMAWWzjeAS/eWtnkj99l/H8tb5VXtp1671GBp7g925eviZ8w+Hj9f5tUJRy3eqK/hSKFz22pidrE07J9tKtIYm68+gKf0XE3/kpX5wt7PNmoho62t3l3WXVNYOyLOijwy9ud4DrHnmrvw8b0TlDgqzope/NBPvcaPf7mr/IujyzPu/+fn2L56gHSQ0U7F/YcNiPIBY8N3Rbwu6LK0mMqci/drd2wcoGjkE1PYORp4lMX91i6ahrQBHWpEAyyD3haOFRYEwm4S0OfSo0zxgy4GZfPcuR2IQahEtrlP6WBWBlKPyhWURYWbue2u7IYqBoGwhiJuFzAdgwVjg1WDXk4TQBKqxNSNO9tUuGLRwoMtlR1pAx5ZtKDRJLFjl07Lf+z0HJp3GRhP91Jxrt/j4HjAFYWEB6unUddY8P0/P22m95YwyN02zJcmN1paqmeJnLdse7FbBCL3jh36+ZO/3FP7uqGRuufiNHIsGS876haEGM7W8RAEBrVl7f4mkscDbhns42W+eTRZ/DTZUJ0MCm+BALO2fi5qkq/uoCmnjqlcymEp3LKtYNCZZst2r9ipoaj7xelBx1iXDQbEfIADiffK5BFxThcgtyN3L4vvK5/zUvyoDf5aFoBB4HZo8tBiudqAtpI71oCVRJx9oPPYttSiSIN85ctjhV1aKrZEeet25v6jNvgiCcqWFp9FW/4nlefMqyqqtPiZ8+PisKHLQ8E7NDI3MPJiIBkraxDgHeTpUKJuoaXuoDWP63SqBvTm+PRN8an9fPhOp0b3pSp6L/O4Whrf/Mb15Ts1GIXo0+Uvc330q9/v/HZ2mhV/PNUCURBjRNCnz0yjulf8+dH/DQAA//8PCJRLoDoAAA==')
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
