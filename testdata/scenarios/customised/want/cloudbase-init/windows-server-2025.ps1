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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7R6fXeiSN7o//kUdfvmrMmd6IjGzJi+vedRIghRoqiAdOfOgaIiaPHyQKGS3d7Pfk8VqPiS6Z6z+5w+aaXq916/18L/DYaWg4CdAd+Crhcgy/EfQZwGCQgDiO5AQsIoARYBxEXgzYsTAt4sD6cxql1d9+I4jDuQeGEwitEbilEAEfgCKhMSRpWr61EcLmKUJCebHkYBwRkfBsQLUlS5uk6IRdge//iNIVn+k0WsbwehKlfXUWpjDxZQcRp8gzhNCIqrVuRVrq5xuABfwKec1jc7DElCYiuq4XDx6eo6ToMAxRQ5CjcoTlyEcQ1tEagq4SgO3zzMvgZSQFBsQeKtEai+pCRKiRDGvkXAFG0JqPa2CKZM4RB7MAPdLLKSBFQFSuBD6am4tSjhQOXqOmREqSTg/yqzAfj73z9GO9ICNP7+N47awbUSZqyEWDFh1kMRffao7HEaEeRUrq5h6FAo7urqLQ3YGQE+DNYoJkIc+tWulaCHe6rUzdeExF6weL2mT7fgH1cAAPCVPtR6AQwduvf4OJsKv9dERCYM+OZrQez18ZHSy8kVezmh26vvJd567BFUHYSLD9hJLzVqw9fHx04UocDpYMyEo+d6Bxgs+AV87QVrLw4DHwWUs4I2Ay9Ax5xGcUgQJOxIDsxGFnF3zK4tiMEXoKBN9cVeIkjABME09khW60CIkoS6ZhxiJtFua49ZmyCyW3xCCYy9iITxxHEw9ZSbytPj6Kbz+bPQ+fz582R+u//e7dxW7kAl51C5PVV7gsgR8xsm8h1jeVnBJy9GkIRx9m9quafzl1V9eex2cnVfJF4qq3x4LtR+2QQovgNn2u+Z/yUTUKVG2IIfHbCzowq+MC508/XxUURkz0+xfJQzyIW5DlKMC/CyUHyMLIIOtj7QPihRkOdD3/YCVAK5A5V/+bUAbSrH8g/DNTpVQEGbO3BRnZKXPCGMyJHcpU1K9SanUwCUecqhF1RHVkySHc+vr5RPTJI7RmVCYmT5r9f55475WxgjC7rg5jqyYgK8AOQ4u31mOzsjKKHG+7OsQPFvDzg5mxpLDDc5hTtQvyuI1QYoWOx0/H5VxuBxmKCbS+nlPOTvwFc7DPHr9QTBGJG9gfeq710mQJsiWti55BY8tXDuDDcU+HYvB4Xx3sBNwaNsmHIuYixK6hzOo7AouClxeolQwPjQlMEyYuU2Z3XwnVzoXNCyMTqO8++ZIo+EH9gilzCnvBfxrxtlT/rnrXLC89gTaO9R7e4K581XLyCv13zooL16MYJh7JSahV1Hs0zC4NNe8moQkrK+va2XkOSmQL898n9Cy9OXMrSKrKMadnsGnH9WYxQxG1e+/r9vAaj+65Vmy8pH0PAAblXf69X26z8evn+r7R+4h+8U/2uMHAsS5LweKLHToFSK0ALVBQH39fZDWZMzlrVJaidFAB8h56h7xO8Hid88hJ3kuPTwIcaIHVBSm0QIehb23pFTe4kdFCPnyWN7Vpydkql1HOemwnqeyh3Im5/by0C0D6Iw9PMDELT1CPUFCsZ84jIYDhcUgup7gCgdLss2+9PNHeIO3BTJbxpW5SQMQJUP/Yj2v6AqBVFKClMUnG7Lqa2cYsIoO9D8VLS9h1aweuStVMo4LfSg2uV6HUWEFKzDFapOCIpKGYEa8qTe0EdW420cwtXrdTd0sn3U5DuPu+4zJ3C0VfShh4jebexbUbq4bwTBTU4D/AIqj6ACfgGlqkbirOSVfwNMFvBPIIRxz4Luzq3+USL36fqPT4U58/+hRaBbonIMul8+ThhHQhfEjtOLFZPqhMFcbj7+BqDvsNniVwf8CsHNbvgoFKSf+RBQypKDzmTaM6Qp//LUA9UAgfpRfjk25BH0Hoi4cbgBn+igloMDFDjIARuPuLlrMPQj5E8XNNy5y4mK5W79UG33OZQePh1xPuUOCf6rmAKuchMfjHaO8UGPcwZ3e0lMenCnoiqpb9Nm82dlp7H1rcD6azqcYR6JKCJSFSxYlszyD3VobeGUDXKVgx9QAFBF/w0qbpiQwPJR5cgRdjhfFURqT0GSN7X9MCGsn72tTcMBHXClYG3FnhWQm3KaOWERxd7aIkgare+PucRhyuZxqoCCiMoeqx3HodlMsHwPZ4BigeoTSogXWLsrAG8LKvUa+/drvQL+CSZhTHbBWh3FYYRikgFGcIhI7EEKg2hp2EMJ7JaBO0hj5XwP8kijQpTLMrEZ/s2CSAoctC20qZ2s/pjtztQ7/rU92xOLskYhBy9bsRSPxUhfSUBufS8BFGcVhJvgU7kMHNrnaXjUPH84jndps3xTcL89c7+ncBPg0HIOLjiL8YW0Xzx28CKMPeL6pbUnb4EScj4OBEyTAPzXTaU/nY7+GKkvxpw2H/RpcnhUXorvRy3TySQ/QaS0oFHftTHKmdydAot/ClwZFtY+qrB/0t9fhxFrTMAXqkv1LZksBlTwajUhDopj9p39x/ThHpq/37PHjP7/UGfffbZ1f1/PH6sxIjHbb5Weqw7CFlttsNWQdhmsx6fHcrsrH2mc303tBPvZMlF4HMX/C7m/GPZJatGm/4YlLQ+jvpW4oDrwCIotzOoWM2F17yLg4C23NQp9ELOgRgU8cZ8Pxlk6T10KHIchg/ANbFyLgI2VgDdEoIscGkMFn7IiPx6OJohUxThMo8tZeR/QzBCDEFqYQYMqi9wie5ZuPsHpfebxZFCapS4Tu1CBKecOhGEa5Fn9Q0FLubzj+F7g0RaGhPFxNmdAX0oKzRIUg38C3UUxOnRS13/UJtJTTWNpr4q9FQKVSZWrtqoNrvp/qq16vQK+39ZKMu+pnxl4ZCXJJoydY9GP8k4OcGgvEUxjKuahiWY3TyhPgKBafO4xQbWTjLDlBfnFrBDGEO0Nc6zqzx9dyWyTj0nsRSik3uPEiKRxcJR1To7/x8TA/ujRGsW9beTFKDmAlVfPzK5agRP6l41f9pv/gHnOVd3dAZWmPrr09RU07ovBm4n3wZ0kH2cRCRexFblZTVXE/HmC4rUH0SgO156D4jKdUvVjrIs2reR9hU43FavD/S86YHxcXwsSt2f3KENEe7sP/ZiF81FIFgF+FpPJcVDmYF/O08xEetrFXbNRbd3fV85i7ng4olIeCOTygjzF7dgUWhwlnMOE9HXowThMwjdSG9HeccJejvCh71uBk9Ry3Pz2o7eFiNWk1w/mql17YwE/Zxm+FUJcGjU6SYJiUv1BkkPB+pF/GY5m056qdIZ54TsCu9xuUTmghTFywBmNP5HmKfQtLzjIkz/vExUM/Sgl7F0SPTre86UgIVYAEajy2EoSZgLdC5qNP/gCdpIlBPknDeOOUG1kxeTl7ZjNQaPKiUYUt2xdCzgM8zNIEHsFpXuBE26Sbw6y08U3BZEJIil7g1Q5HQVynqBqBU5Jnt0qq94fSHVzKlZZJDbLn5C7PRj8p2/a2Yx1e3X2vgPkOz9PKL9Dub06eOru5Rk1w/kd32H0tGKCnE/7kn5yV8Bdfb86vx0+w95fipZuYnYS0CkMRVaMKvvLjKPZtHhzeBhJK1AUsrleD/WmUoc+Tk2uvpqJQt3iV89yT8ug387GulK39HY668vY9LXM1FtLc9JpS7wzdcT2Rt6Eq1lfXptNGcOmMoa+5puGjG1fwdJTfSFzSmSLWuqI29a40U4dEaeOPgt4rGCH54Z2Q3EdEa9tr0OmIq6bhuzaQtd1xMVCrg8fDB4+y6KT2A3ZtZ+i4VhTZqrmylpPGam92WI06Wx4b76Qc5xn03Ajh++spj1hqvW0+URTn6Z1VeAXX75UbsH3Y8ulCYoroJJECNYKF6zRteRr/ZWa8drKK2gRoqVWClTCKKl8vlAs90ifL1f+HcmqkGKck3qJUN5tfS5VigPkafr/q1rsbvHP3oonifvNOqL9h5USN4y9d+T8sUJZUil5S1MJB7q2Gi5n3HC6WoxnQnc8G75Pg8gdvwuJvlLl4aw1U6dal+5NZuG9Ou2aQ6G30ZddYygsNvq0aw3F3ma+7C6H4nhjTrv+UIQb66kbDcVwY2XdNRS1bG6oa7jqYiQKBIpb/DQOL5zem4fRqd50bad3KQio5qtvfkicGtmSCrh+s3DC1BpPuqndULEktn2pr4bmpLu0+9q7I2qZJKrY1n9Pf8w+CB10geUHb+NXqU0/a5nl45KFUSa7UMS6acjvNOakZehZTc0zdWFlT1rxS3+YWvrva2cpeKahugovJZJPItsfey+e/Gw3cEpjzPRx4BhyEVcURo1gQ1k7vpahifSAMtmzG+06bKrZ3OjO7AbBtsfW67vvUtBtIp1rzL0WQYEWOv52g3QuVgJ3PWxoG8nbeHOjG80aWkbpqnprBcV2ZAdMlpWpc+uBr93PdW5ji7MHZTmuDzMqi+KOKU7PdWHDxTCTHvRMfrfEXqZM5w8vouaZU9hQdHM599Xl8N1dDZfK0lxK26HY417EYaYsx9xwunhXnnr3w6W6HD4JWNHn78qy6w2fxvfz6bz5Mp1vlKV0r7yPs3kmO29GPZH81toUtYmpO1GuuxrZjXvvJUi8eVOOZo320mpodWp3O+hGUJw9DLLf14Psfg1FvDEn7aXdaNXnOk5NQ14NdGVtB6pr6S0M/bE34GW25/SH3gsmv0k+wdTeOd9ZOm9sOdhUMfRa9wM9uYdZK7KzNmf7OLUMNZrr2wj52ora1tRN39QVJsvUb0/nDRebfS0xJ3LbmGwKv9hip6fdO33ZHRtywGzZTDzbF4h54EtsUaCw75Su4wuJo8/oGTG3H/iEm/taZvta3TRy/4Jie20/cYHJ9BISKeCo/Z4v5M/AI6cRSJ07DhBBCQ2IoztgUPntt/TXWUOrDzQFw8CM5o3ZYjBrubY+W+xV4jtk1lRdGKgcFNQWFGeLsaHV7QZHXXpZ+RkpwmQWOVYhBM3DRf9fZOHKJrVoilxX6DxoxSSNplmEwJOXWDZGzue8QH+MxKbE/4QgaRIma/iXxNijXBTCDsMzIejarg0vkuPZrTeo1Ot1rpKfkdaUI0eckWlTq8O+VpdEeW03VWx2vnw5s38Un6XhKEaX+ZUdQf3AEeasTxAim/YblxguQy84zbwX6MuiHNke61WeXvA2pr3K3JADR+ewHajvtD8Z84vA8tuR7cFE4iFhMe2bkZnRZ4Y3hn47gL5AVFGoz7UtmetKSGN+rqvEEFn8uKZYT5EuEJuHEe+pzbmhLi2e8uZSuzlePPcc2u9MTUNuWLqCJZ57mesclnL8xDTGi8HsuOeShIu9E6Xv26IQwGyvW2NuyNAWsWfs6anwUDu4Ar6F7WAe8J4aO7qMbVGrsx4tkwKJTxaFvWKJd+AhGFsYiTNP4uvEaeDUFNtNmHHvBz3qZF7UnNFs+GD0TRfibWLp8oGGsKV507d0WNioQ+2MYTAmpoizP8HbWI3VQs46Me91FhLfCQYTrlS7OiSHLc7snaO2wI6o5DQMOTUNFUNuewGH6cbkojr8JJ293QY+hT3YkvoCtWWeuMaE9sTzhvYOsw5RfZyYWt7TSp7qWXqrdDY7+3Jd6DucrWup09tGsDleyKKQmU2NmHqrTulM/faLaTiGpbdWdhMuBlrXhU1lZvVljvfU1NG3CTvPkk9ORCE1xS3mAye09C2W+AWx/XZd4g9yD1auC+vavWWo2ORXC7QJqa0PujS22DQ6Cxqr7Kz7w8VwnMNY+nzxzO/9ncz11koSiDzNWiLlZ0zDB9Vwab19f+Z3fruKpH7yTPGLv5UjavcOjZcT3BnVoycktqBi1B+Hsmgmc915f560ZtDH5Jlfleh0I9PrhHKfwS4GOi0YSijxDppwGq/OtoImtAfaTBbGM1Ux6sJE5YZtyVukz97Kk3l4Khf7k8UWZ4ubxWjSfTENSPKeB9M5iExZre0e4onnpo4oZE5f22h92jN0u46hrm1dqFv6cDGYqRiKWmr2lZHtdY/6CYnneEtvuTDA47mhhjntTiiXcsRz1gkkHtLP1VQX6rQvgFyyNSarM7kP5/exvEVclf7KuUv15/r23SzOmv3168+7z7dxlNu75G/0rJ2eQvuOxUBvYempc7CpSH1svPgAntKzJ7Pf0zxe6g8vK5XJaE4Wwfg9gsWc6doz1XVEAdq6sLREnLI40rYHfw6wa+ub4Jm27WfFKkzOyiNd+3G5Yn3LjLV82A5out5GdEqY61t2XFJv+GCIBLJy4murQaBSlyZa3nItdusfifRG5zC38udvl/Mf8R7P8f/js7qnvjuiUC9o/bAmUj6wr3m2iJeMLp3j+zJn4+1+tBrowsaa0Nl+uzZZHZNWsEnPVYNzv712+kod+sJm4NN96Vmm+H4Lw7yeb+ymg2GghKa+Teickft2m8rl53mOe7EbLZkeFvSFpSPiBoMpGhrVb2c0JiWhyBUz7d7UFY7NTLi7prKjSZdHBs2xNG7NyKaN6I/9MHP0+xT2h1uJ3V20Oaff5Vhu4+Fi1GtpU77zy2g1fDCEbmY3nGyuc725obqGyLnzhkudxDVF7oIdOtnIm2+pfe1AS+xDvuxZhoznTXUNA+y8LKMn6GvUlqX1VSj3u9zc30bzbPWs1/FosKI6aRTegD6um7NDnpU8dePocmLpyrEchsLNGwqGzWE6b7TZdO6IM2/AdwLY1JZ5zYMR72Nf4t08nkWc0VnGbsqt43pwcua8FD1Pur/lOanr200azzR/L1awoWSW0a1LIk4/0LlvGiqrGzBbeHJfqc8NFRuscR17z5Pu75KgrGk+nDbk/6byHHgVeZ7mY32cmoaLJb69kvj2kvEOtJT2oqxH6itL6OONw9M+SV07hrpxjHFUplPUxLO7qrN8WPr78N6qRPetyMNv46id32d98KvSXcJwwgB9Ov4l5Ue/Pbvw87AkZT+hrsHQjzAi6NMdqBRr7EfI/z8AAP//WCiP//MxAAA=')
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
    Set-TimeZone -Id 'UTC'
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
