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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R6fXeiSN7o//kU3L45a3InOqIxM2Zu71klihBFReWtO3cOFBVBC4qFQiU7vZ/9nipQUZOenvPsc57dM22gfu/vv9L/zY1sF3JOxgU28PwQ2m7wyMVpmHA4BPCOSwiOEs4mHPEg9+rHCeFebR+lMaxdXffiGMcdQHwcTmL4CmMYAsh95iozgqPK1fUkxssYJsnZoY9gSFAm4JD4YQorV9cJsQk7Ex6/MiQ7eLKJ/fUoVOXqOkod5IMCKk7DrwClCYFx1Y78ytU1wkvuM/cpp/XVwZgkJLajGsLLT1fXcRqGMKbIEd7COPEgQjW4g1xVwZMYv/qI/RlKIYGxDYi/gVx1nJIoJX0cBzbh5nBHuGpvB0HKFMbIBxnXzSI7SbhqnxL4UHoqbi1KeK5ydY0ZUSoJ93+VxZD7+98/RjvRgmv8/W88tYNnJ8xYCbFjwqwHI/rsU9njNCLQrVxdA+xSKP7q6jUNmY84AYcbGJN+jINq107gwz1V6uZLQmI/XL5c06db7l9XHMdxX+hDrRcC7NKzx8fFvP9rTYRkxoBvvhTEXh4fKb2cXHGWE7q9+lbircc+gdUhXn7AThrXqA1fHh87UQRDt4MQE4769Y5jsNxP3JdeuPFjHAYwpJwVuB36ITzlpMBtdRL7G5tASvHIb2IT7x1+TxBBAm/yY3Z4bQPEfWaExs4KAsLNIEhjn2S1DgAwSWjoxhgxCvujA2ZtBsn+5RNMQOxHBMcz10U0km4qT4+Tm85vv/U7v/3228y8Pfzd7dxW7rhKzqFSSBL7S48k3Gfuy/dEyBICA5WBvjw+MlMz9JIGhb4zEkM7yJW9O1hhhF1qCSGGNoEK3N7tGR9BZp4dUxgFh/COu6+3H45n44gaPjmcUiuc+mQSYwIBqT75MQQEx9n7Xvlhwx/o/GXrjx+7ndwDY0mQyl44PheeGG9DGN9xJw6hKh+Yvzw+ziA5kWxv2UsTsLBENvggIK/dPVXqbGlco4cvj48iJAd+ih2cxmmYIlSAl4XK/Xi09ZH2UYmCvIADxw9hCeSOq/w7qIVwWzmVf4Q38FwBFip/Pb9Kh5TqTU6nACjzlLEfVid2TJI9zy8vlE+8j8w8nF+u888981ccQxt43M11ZMeE80Mux9mfM9s5GYEssb5XyCj+7REnZ1NjCXaTU7jj6ncFsdoQhsu9jt+uyhgCwgm8ea8iXpaoO+6LgzF6uZ5BEENyMPBB9UPIhHBbZAvzS25BduS/cjcFflnpoz0Li3A3Z9WSES1rAFECv0+h5M088G4YjTKRY+zkQueClo3Rcd3/minyTPgTW3BVO3TL4dfb+QlJitg8CY9cuc/cP8qdbo5PwqNESIU2bVldGgd7crfcTwWdkik+8MwxGHLJuWsSp7CMTv8XQ5LGYYna990xjmC4L0iVvK1WztoyndSq3f2YcfPFD8nLtYBdeLBsDAGO3dJotZ//VgkOPx10qoaYvGfZHP3UtoQ288/cpfkOHf/2Ajj/rMYwYu6tfPl/X0Ou+u8XWqgrH0GDI7hdfatX2y//evj2tXZ44B++UfwvMXRtQKD7cqTE/ESpFFnNVZeEtb2yJhcsa7PUSYracYKcox4Qvx0lfvUhcpPTridghCBzUFKbRRD4NvLfoFsbxy6MofvkszM7zs7J1Dque1NhE2LljstHxdv3gejUSGHo5wcgcOcTGgsUjMXE+2AILykE1fcIUXIui+2Dd/OAuONuirSa46qc4JCrCjiI6LbAVaUwSklhioLTSTkpVxwcZUean4ol4Tg4V0+i9S5Pq5wW1S7X6yQjpHCD17A6IzAqFSNqyLNWRx/ZeOEgDNYv113sZoesyU8e97N6TuDkqJjaj3Vqf3AY3I91YYiX3E1Og/uJqzxylby07JsNibNSVP6NY7Jwf3B9HPds4O3D6l8lcp+uf/9UmDP/F9gEeBcVaQ96eH1aME6ELoidlhc7JtUZg3l/7vkbBwKXbWI/u9zPgLvZr2qFgvQzX5luj/Vz2JnNe4Y0F8ZPPa4aQq5+Ul9ODXkCfQAiXoy33Ce61ubgHAxd6HJbn3h5aDD0E+RP72i4D5czFcu7Tam272sodT5dCD8Vdf4fxc50lZv4aLRLjA/Gqwu42/fEpI47F1VJA4fOuT8qO82trwXWX9PhAvNERBGSat8GZcns4NiHNjZK2dpbOcYBBeCq8J9cxcMJCe0AVk4CYY/zRYGk9sQ2FBGSAU4IG6Vva3M8xFsYS+HGjn07JDe35636yCLKpyRpsrk/5RLjlN1eUAUUSFT2WO24Lq1mfTvwUcZRLK76BBPih/b+wsTfcZV6jf3/53qF++Okr8xwTPaJW53EOIIxyThGfARJ7APuD24GaZs4QPXZ/Qx/lMzOZTjKJk0Ksd6Xj91+vNoASqELd4VmtbO3f852b/Y9/9qB7Zl12dCQg5ctWsrN4jKkknC5J/yEozjrEG/DT+WW8PGQ9tFFRjGr5dxvL0LxCW9DhG33GI6LGF22gHfn05frDlri2CdeUHr35C9hQi6XlJApFnL/uKkM5vPJ7xN1bJh0LqFPs+OjMi7+Ppmmzq5EZpCUXmg0rB0EcyZ358Did4Ero8L4J833r28d7+8Yh52oRBrnFwls7K5UX5PZckgVr1YT4sI4Zn+zf5g9+Ifmr/fsMaP/PtTZ3wE7ur+v1yt3BxEq1WoMSczgWjlJ9lx1IbLZ2wZ7i+kgE7JtdBGj232HSuP8snAv4I92oiKQKf5faC/FVQZJbbrS3LC66CM4sBOPqw59AmMb5TsCdUX1EGrcMepuaxT6KGZBjQp4FoYfLOuHLfAsH12GzOFXbuvZhNvaCfcKCfCgS1Oz4PPpL61+M0iqYozT6P3Cf6gTzBBDDGzEoLkqKwhFgS5dRXPnF8yny0dpU3yf2DtNnnLuAIDTMG8cHwpaahcdN/BDn05JBMenDYMBfS4ptEhgzP3B6R6M4XFYu/69NpOeahqrplXkryFXmVX5aqva4Kv/p9qq1yvct9taSeYD9QsDT+wk2eLYPRX9pJzlAMcJFoI0pmIe53R2rwbzuspVi88DJlftJBNk+2F+U97HMYAHw5yq+uOuK5lt9jGJgwiF1B8vzBfu/3Ni3MH1cAPj3i7yY5gcwcpvL8yu2qGLg/eNX46b/4B5LlXd33CVFkv66ssL17gvdnsm3gc3rkKcRQQvYzvyspqqiPnzDMYbH8BJjDe+C+MynVJTZayLSbAUfYVONxW7w/8vusN83LYLErcXt0QjSMfHD+OYpfNJShYJfpGTyWlS5mCfL8vMTHra512zUW3d31cucu50/6JSHgnk8nJ5iduzKbQ4KTjHJezLyAcxTvArqU3oeDpj31YJOAjs0E1qOW5+wdLbAch60ssHq9t+arK5IGeJXwsh3ttmOkkCY1L9kyIHw82jMB5NFvOeqnRGeeM7AXt/iqNyABsh6HIXNL4jzRMObD88ypM/HwoVwEGUEvblHnWd4AdSmBA7BJCrCshOEmYC3Q+bjd+FAjb/xuRsDt0Tqk3smIxfT9kcNaqcaURxy9a1OZdh/sYlkH0nqPuhi7fJVxc66fKrAskMkpR9pVc53zZynvk15VGe/VvWvT+Q6uZcrLJI7LrgjNzt0eA//D0CW+Nury6+zeHykx8nlF/T3F4dI3X/bSY1w+U14nG7tWMC3U+Hln52HcFffbu6vI++wD7MnqXLnr0EdNGDkR3DyuG+5GT9Lb7KPW69FSD2M1OvY72p1EGAUouvrxdiv24L62e5p2UgaGdTXanbejtdDGRkBVpm6a2VNeu0JcGdu2J7K2/xejGQN1ZTRqCpTEGgBZYhIydQkPRUX8q8EjmilrrirjVttFNXRKmrL0IBKcgV+JHTUDxXRBvH75C5iOqWIXtOv+u54nIp10cPhgCeZdFNnIbsOU/RaKopC1XzZK2nTNTeYjmZdbaCby7lHOfZMrzIFTrrea8/13qaOdPUp3ld7QvLz58rt9y3U8uROE2o5ZIIgloRg7UoxruMGvHkioSr/PJL+rNe11I3QJnTaBFLb9WNOX5YNLS6qrcatiFvnIBHTqjqpiFHpi4n1mwZzvrqYtFvTxfrtqnPQCIJLnYH6nbs/7oBA3kDB+vUMjzPMbqJNcdvo7l0L2fbpVznPbPhRU6wCJ+nkXPGwx2vorllqH0ntCIQtFNH11K3b3kgQJ4Z7NCz4EpaX50u+P8R3uP5Kd+EutoRvQ1oTpPRXGoOV510JNzvhkJr5Qy0N1fUsmGw25iNfjJ86m2L8+3wbRkOhU441/srW0SpNQOR4KvohLfQaUu9Dpbr3kLrd18XfXmi99dte6DWwRPeDJvdzGl6rWGg3Zs6v3XExcPorZeNBSbbqZ3m/A/aqDUx+O5sznvWRM/ltsX2mytsd6MVyGVf9ZJhoCSuodQtQ0odsb0y9W0ymhe6rTqbsQAiIbA2INA8s7FcPgvqm2XIDVtXkCSilOnVUDZOqHq23kIgmDJ72E3Nt/QdcgUQPc+6vwi+GlvGmqZEOOuR0XwegQWPaBooRk/hQShT3z05jVYdBO2Exq3RVxAIrchsaG+GAJbPWWcNGlrmBmhlTaPI8jtYE7U3V+CnpqFiSeBHtqEiEPSTvFR01nZDazH+eUrLrqgRWhKAqGXuYL0cLnYR9a2p7woauZzDRctz9MXyNLamy6GmtoC4WM4NLXFFNHcHcuQEYDnULM8ZaEgSznzfidpCWH92Aq0OGkvqKyQN3MgJvLo76CxBQ6tLg9z/kuBuQdC+hzOe2dgypCJG+OJ9C0GxT4C4Q+PVaDdaLX9h54NR++NY6IRmiLamobwN9V0EmtP2RMzjYbIi5bj/pRz34wynZmPHg6aKgN/K4QTwXDmvUq8+gvsiFWL3vMB//OOjr+vUoZ+1zA5Q5Vj4YSZ7QES6ZchvtLhLK+zn0dRfO7NWPB6MUlv/deOu+r5lqJ4iSIkUkMgJpv7Yl5+dBkppMbcCFLqGXBRwCqNGoKFs3EDL4Ex6gJnsO412HTTVzDS6C6dBkOOz9/X931Kgbp2G9eDMWgSGGnaD3RbqfKyE3mbU0LaSv/VNoxstWFRqmaq31kBsR07IZFlbOr8pZ7WymtZHGZVF8aYUp+d5oOEhkEkPeia/2WIvU+bmw1jUfGsOGopurcxAXY3evPVopayslbQbiT1+LI4yZTXlR/Plm/LUux+t1NXoqY8U3XxTVl1/9DS9N+dmczw3t8pKulfeppmZye6rUU+koLWxRG1m6W6U665GTuPeH4eJbzblaNFor2walSvsO2E3AuLiYZj9uhlm9xsgoq01a69olpo6Si1DXg/1k+z3h4LMztzByB8j8osUEETtnfNdlKPqfqgn9yBrRU7W5p0ApbahRqa+i2CgraltLd0KLF1hssyD9txseMgaaIk1k9uGwbffb5xp6F/0TRpscQgJTD5onrTgDLV9wVkcCsCxkHXIoql6IFR50M+LwNTQ6k6DpyG2qvyIFDhZRK5dCEF3uGLxK5bTyja10wTGmwpXZXf9aTTPIsg9+YntIOj+lk9mHyOx64H/hCBpgpMN+EtiHFB+WIjDLKPCJP9m45QiwCGx/RDG7kdUV9gPz4vPO76VRTlyfDYXPo3RLqZzoWnIoauzgeGNzoJTYRnaQTtyfNp0AWFhHViRlbEmTPGmIGiHIOgTVezXTW1HTF3BNOxNXSWGSHgz0DxLrKdQ7xNHYIPAijZOV9TeFvvGxeZTPnWa0+Vzz6VNaX5oqAI/NnUeSTmtxDKmy+HidNaV+u/OrJSXBwKXZ01noIi2vstnXDqnDiwPoF1i6zI4xHN/F7u6zGQf6lZi6u7bMNBS16cz7ZE/bdiSnzdfM0CpJCRLmc9xHVGr0/JmzaTlcMY3bb21dpru29Ao5dGMp+UisHXQnr5FwA36mSHuIhMdaRji3tatlqnziZx1YsEHDNcy5PpQVyOw4qkPGqYhA0dEvnGQUQVAJJEk1IkZtDfugO4L/e1QZ+cnvC1DXRV4GW3IlqGAd3Co3qlJWwjVe4tDSju3WyHnG5MFuaKS29OQU4sOHid2obBmSAefvZ2pP/IaMmVDCB1sQNYhaoASS8v3CslXfVtvgVLLQ1Bc+JLAdw/+7bFGvpTFfmY1NTbsUzrzoD22DNfI/UCHkq4HmsrCHsi84Kupq+8SFhOlWJ2J/dQSd0gIXcxiRlgSJ2jX6SB0iI+154G6dk+HK0tYL+E2mrtiP6Ox64gaArQ2Npit1yDr7IQABZKwXJtNGZnMLqV40PupJXSd2eLXNNe7/jBeU9pKHWTLk7xk57N1JA2SZ3mgIjig8XiGi5iMXUfcLSzDqz8Ll3nwPGstQIDIs7B+tnWTDrF1CisJPDENdWULndBYE2261kaqpr7OeE1QF/3eXGt3F2t3PplJeOjjSPKnYTHMrpwGT0y9tS7Zk+XLc9YJpWJYnev9Om1ZgE92xhSvnVBLHLYMtJCb/Unea0rdNOS6a3QX0OgiqdfnXbFN5Y1MGjOitrXouFFvp5J40oKXwwUdSvsZZDHl5bSFo8wCyml/t9918Lv+m8w6ayvoJ6CxeH6d5sNtYdNSvLBYeXIaKtUttWadLbNbQN9PT+JPpTtxT6GjAaV3FhcqyyW6qNL8LXZ5z1moniv2gbNfumieaKV6FiLP0bfh8xR/vujLEWZb9asf+olX+f438vnPxE8vJv7bLx989c0V+/WC1p82HsoHDDTfEdHqWPBl3kG74+aq97f2jBb23cbKKF1pDZrUiNppAQzoufQsU/yghUDeNLdO00UgVLCl75K84LNiQ+UK8qLBj51GS3ZCtn2tXBE1GExTq4OBVleDdubo/brUz5N4uNDuLV3h2WyOuhsqO5x1BWjQgjVaDhdW5NAB68+dnrn6fQoGo53ELmPavDvo8mzjFsBy0mtpc6Hz02Q9ejD63cxpuJmp8z3TUD1D3N8i0EDk37FDJ5v45o7a95C4fSLPs1bPNmRkNtUNCJE7XkVPRZMvvV9jedDlzWAXmdn6Wa+jyXBNddIovAECVLcW/cTJ7YElX926upzY+llDMhTebCgINEe0IbHNzxUXPt2wQVNb5Q2Ebui04Hp58ogoozOz05Rbxhw/0AQDTfXt+dznglRs5p2lJHQDhya7rmBauEFDyWyjW2cb/vs6DyxDZcUVZEtfHtCCoiJDlDdOc+o/z7q/Sn1lQxvdvCH/k8pz5JX/J/vdlaNP841YaK8lob1ivEMtdQItY4PGQFmBAG1doRNLgrpxDXXrGtOoTKcoPheXb0O9haSnDmsee9j9fx9exJXovk5x8RkVe8bFz+ROL0JdHMJPp9/Af/R7vXd+Upek7BfvNYCDCEECP91xleId+834/w8AAP//6lXzAlU0AAA=')
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
