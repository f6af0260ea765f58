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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7Ra/3eiSpb/PX9FbW/OmOxrfaIx79m9PWeURIQoUVRAunvfgaIiaFEwUKhkpudv31MFCprkdb+dt6dPWoH7ve699bmF/wnGtouAk4HAhp5PkO0GH0CckgSEBKL3IKFhlACbAuoh8OTHCQVPto/TGDUuLu/jOIx7kPohmcToCcWIQAQ+gdqMhlHt4nISh6sYJcnZQx8jQnEmhoT6JEW1i8uE2pQ/Ez984Ux2cGdT+0tpVO3iMkod7MOCKk7JF4jThKK4bkd+7eIShyvwCbzLZX1xwpAmNLajBg5X7y4u45QQFDPmKNyhOPEQxg20R6CuhpM4fPIx/0pkQlFsQ+pvEag/pjRK6SCMA5uCOdpTUL/fI5hyh0Pswwz0s8hOElAfMAFvWs/MbUSJAGoXlyEXyiwB/60uRuCvf32b7cQL0PrrXwQWB89OeLASaseURw9F7NpntsdpRJFbu7iEocuohIuLp5TwNQJiSLYopoM4DOp9O0G3N8ypq88JjX2y+nrJrq7BPy4AAOAzu2jcExi67NmHD4v54NeGhOiME199LoR9/fCBycvFFc9yQdcX3yq6jdinqD4KV2+okx8bLIZfP3zoRREibg9jbhxb1/eA04KfwOd7svXjkASIMM0q2o18gk41TeKQIkj5kpTKJjb1DsoubYjBJ6CiXf3RWSNIwQzBNPZp1uhBiJKEpWYcYm7R4dGRszFD9HDzDiUw9iMaxjPXxSxTrmp3HyZXvY8fB72PHz/OltfH7/3ede09qOUaatfnbs8QPVF+xU1+z1W+7uCdHyNIwzj7N708yvk/uvooi3LV3fL6LZePGv+Q38yTCbbhW6vqHqSCT1wLe/j1wwcJ0aM+1Q5QriA35pKkGBfkVaPEGNkUlQEuZZdOFOLFMHB8giok70HtX0GDoF3t1P5xuEXnDqho9x686k4lNe4QRvTE7spDJvUql1MQVHUqoU/qEzumyUHn569MT0yT91zKjMbIDr5e5p8H5U9hjGzogavLyI4p8AnIeQ7PeeycjKKEBe/3WgHjvy55cjUN3g2ucgnvQfN9IawxQmR18PHbRZVDxGGCrl7rKS/r/D347IQh/no5QzBG9Bjgo+vHlCFoV5QIX5c8gucRzpPhihFfH+1gNP4TuCp0VANTbUBcRcWdcj2KiIKriqbHCBGuhxUNb4O161xVmTu50bmh1WD0XPffC0VeCd+JRW5hLvlo4h8PylH0j0flTOdpJjDAUe8fdsurzz6hXy/F0EVH92IEw9itIIQDjFknIXl3tLxOQlr1937vJzS5KtivT/Kfsj3pU5VaQ/bJxnX9gjj/rMco4jGuff6fLwTU//WVtcnaW9SwJLfrz8169+s/br99aRwvhNtvjP9zjFwbUuR+LSXx1WBSitIC9RUFN83ubdWTFyobs9RJigI+Yc5Zj4zfSouffITd5HS/EUOMEV+gpDGLEPRt7D8jt/EYuyhG7p3Pn9lxdi6m0XPdqxoHOrX3IEc8168TMfDDaNjnGyRo71OWC4yM58TrZDhcMQrmb0lRWVzebY6rmyfEe3BVNL95WFeSkIC6GAYRA72gLpMopUUoCk3X1dZWbTFhlJUy3xVYt8R/9ZNsZVbGaeEH8y7366QiZLINN6g+oyiqdAQWyLP9hl3yjd3BIdx8veyHbnasmvzJhwPkzAWcPCrAZ1nRhwdH/MluHtEfuMplgJ9A7QOogZ9AZVejcVbJyr8Abgv4JxiE8b0NvUNa/aMi7t3lb++KcOb/Q5tCryLllPR4+7RhnBhdCDttL3ZM6zNO8zr4+AuAgcsHip9d8DMEV4eJo3CQfebIv9IlR73Z/N6U5+Lj3T2oEwSaJ/3lNJAn1Eci6sXhDrxj01lODhBxkQt2PvXy1ODsJ8zvXvHwkC5nLlYhernbHnsoW3w217zLExL8rYD+F3mIy6C95HgD47ygu37NTLZw56aqaeCguJLc37Gd1daXguuP+fCC88RECdH6wIZVy+yg3Ie2Nk759FYr84ARgDr6O6h5YUKJHaDaSSIceD6riDbuSJKD2mGYUI5nrxvzcMSmWpls7di3Cb2qtpkzFVHsb22K5Mn25lRLHKZ8CGcOqIhq/LLec13WzQZ24OMMMC5Qv0MJ9Yl9mPv9Pag1G/zfz80a+CeYhTE9FGt9EocRimkGuMAxorEPGQ1iW8ORasCPFoTSGjvXW9ojTwpTXreJD+5PNkQycdG+8KZxdvf7ag+hPuhvHNWeRZQDhZy8GsVKPRZzfC0BefT9BDCeDQl35F11Gyjh8zw8Ac9vzuB9BpavCu3XL9LvLtwRHNpumYKLGL/S9ovLHl6FsU+9oHLvzl+hhL4cBwj3hIC/XdWG8/nkt4n2aC4Z+GBXs/JSfSy+n0Cms/F9hmjlhs5y18EoV/L+nFj6XeLauIj2yQ77O/j+Mow4MAGfmC/1p2S2GjHD6/WEuiiO+ff8RoxonLGvncp13UXY5ndb/G7IsANH7izY14dNIY3zY6aDuh9t/kUeMf4/0NGLuZ2mNoPyV7wV+RgN7cQD9ZFPUWxjvhvxwNSPCw/KHLhuMOrSzEIaM/AsKd4YUtmU9Fo5uJwZhE9g59kU7OwEPCEKPeSyyij0VB35/sgzQ7QuxWEavd5rj2XKAzEKoY05Najzeix6YuUQE5wfTZ7i/cqE9LqwV/ZVprkHYZiSvFe/aWilQ/fcwCc+AyY0jE97NCf6VHFokaAY/BMYHopRiY8uf2vM5LuGzptZHfsbBGqzulDv1FtC/b/qnWazBr5dNyo2H6W/CPDETpJdGLunpp90k5ygBI0IpjEzs4TG/BAJ5W0N1IvPIyeo95IJtn2Sn7EOwhiiY2BOXf3xpauEbfa2iKMJhdVHnhjRNCYnveRs+b8vDByXHm1RfL+P/BglJVn17ouwazZxw+D14Ffz5k8Iz0tXDyc7lVmO3fr8FbRuinGam/fG8aIYZxENV7EdeVlDU6X8eobirQ/RJA63voviqpzKnsZVF+Crkn2FT1c1uyf8Bxsb3t41CxHXL05HxoghtjfzmJfzSUkWBf6iJpPToszJPr1sMzP57lB37Va9c3NTe1FzpyMPs7IUkNsL8hZ3UFN4cdJwyrnn89iHcZiET7QxYYhwxt9ziGEQ2MRNGjlvfqZxv4eI70lf35iWDqDFBkGuMnwqjHhtgOglCYpp/TtNDpHtB/FxPFnM7zW1N843vhOy10EUswPaGCMXvJDxO9bchYHtk9Ke/PrYqGAYRCnlr4XY0ol+IJOE2gQiUBexnSQ8BIZP2q3fxIJ2liUUBWcw8CCoMbFj+vh0qqb0qHbmEeOtRtcGLuf8CBLE3yYZPnHDXfLFRU66+qIiOkM05S+DaucAP9cJ6jZxK/Yc7vLd+w2rrs7NqprEJ/QzcddlwH/4/JxPTtcXL15dgPzJjwvKT0auL8pMPbwHY2F4eXJXDpR2TJH77riln50ACBffLl6e+b7gPh51Vs5XDhaw2QpFdoxqxyOKk4mzeAlYDpo1KA2ypdEMjbbahAFOLaG5WUiDpi1uHpR7PYNBN5saatM2uuliqGAr0DPL6KytWa8ri+7clbo7ZRduFkNla7UVDNvqFAZ6YJkKdgIVy3fNlSKokSPpqSvtO9NWN3UlnLrGgohYxa4ojJ2W6rkS3jp+j84l3LRMxXMGfc+VViulOb41RfigSG7itBTPuYvGU11daLqn6PfqRLtfrCaz3k70lysl53mwTC9yxd5mfj+Y6/f6cqZrd/OmNhBXnz7VrsG308g9+RjVQC2JEGyQ0D0P3dsvhL9sUod9NjI7wLUypChTPChhwzKVZxY2eR36dlv3LWOwcWad+HE4Tm3j1627HviWqXmqKCdyQCMnmPqPvvLgtHDKwmQFmLimUoSG0WgRbKlbN9AzNJNvUab4TqvbhG0tW5r9hdOi2PH5/ebhO+OxjU6i+h2KiB66wX6HDCFWibcdt/Sd7O/8pdmPFi09Y3I1o7OBUjdyCLdlYxnCdhToN0tD2DnS4lZdT5vjjNmielPGc+95sOVhmMm3RqY829J9ps6Xt4+S7ltz2FINa70MtPX42duM1+raWsv7sXQvPErjTF1PhfF89aze3d+M19p6fDfAqrF8Vtd9f3w3vVnOl+3H+XKnruUb9XmaLTPFfTKbiRx0tpakzyzDjXLftchp3fiPJPGXbSVatLpru6U3Wdwd0o+gtLgdZb9uR9nNFkp4Z826a6fVaS4NnFqmshkZ6tYhmmcbHQyDqT8SFf7MHY79R0x/kQOKWbzlMg6p01bIqKVhS8Lrpalhi60hsTxnqGOmdxkMmsvWisnCVmDhZZvH89ER1LUt6RvX2GOZNBOUKbFlbtiz1GlpeBSoiWuqTcuUUyQKZa4YncgJcNM2BoltRrk+VmaBvnZF+VbedLaLlhpahiY40sJ/0lmcqLAM9MQytQEaatlyMcis9sGnjucYi1KvsfcYLcxO/XCC7saadWLXUDAMOtiV9OdRgLejdn/rtHZdq6WnvFxFpWuytSGsBNXQMsd8PSwJZ5ahNp220mHyps8RNAf9zGm52dIQ7pem5pmDPV0aasjivzQ0ag72u6WpsTg9y0To/tllGzGcghJevhhRGJInf5XG/DCp2Ww2fwpQvEKvVDVdmt7UaWnP8jpsqcPmw0urUuLTg1WFygbTExNEUcJsPDnmBLVffkl/XrT05khXMSRWtGwtVqMFX5xV3jT22BV7dNHWPEg0AQ60DpQWq6mpN52WwJrDuvYjVlA/QLOMQGYDg7UFFi7wem3XbjGKGhuN7Jim0TyLEOilNAxs6sOPh3PIN7j+oAGvBMF9Hmeu1Ewt08OyyCs0sA24UrIuXRodYWnsd5ahZ46En927KHWHvX2lMyXj4epGljpNeCczGZ5j9hNrttuhuxWRxe4zYpsWUbaOYSVLw31+DATPIbrniL2ta/Y3rIp/yI8wWUSuXazma5FM7TRB8fYslHd+YjsYuR/zbf9tJj57/hmGpEmYbOEfMuPI8qoR69An5yX3ykoqkhI5PocHd494HzN4sDQV4hoCdoj2zCDBVFwRO+hGjg8TWYSU9+DAiqyMXXO+KQy6BAYDqkmD5lI/6xES722eJTVTZAyoI8JI9LU27xsi0y2kTnu6erh3GcSYW6bSsg0Vy6LwuDQELEuH3jhdjRanMEcevApXmPzAkQYEZkffWktTgY6EffMoT4PlXi8U9B3skCURfY33UUfSmxwWZTKRxWRVxCuWRReWJd/BSFr4stikbgunltRtw0x4Lv1o0mWBESaL8a05tDyI94ltKKWMwf5QRUWMeizOGJIpZX35d/h2dmuzUrJeLPq9lSz2yGgmVLBGj+a0xZo9CywW2JXUXIappJapYSjsX+HhvnG7mA8/KOcYt1HAaMtYslxgsczb45QyGLps6c8w61EtwIml5zBS9jXfNjqVtTnEV+jDwBUcQ0/d+30E29OVIrF9UqeW0WkyOfOg+2iZrmkbnY3ThquR3vdgW13YQ0UQfS11jX3C17OSkzNpkFrSHovEDW2214sr6gTdpiyWdo82ngeb+o3N8cNmhXYhi3XpS2uPLbO3YlsDX+vheDWe5jS2sVw9iMd8Zx1yIw+oMs86EtNnzsNbzfQYPnp+EA95u4nkYfLA+Iu/jSvpNy6rlzPeBfPjfpA4Aw2j4TRUpLxrPsw6Cxhg+iBuKnL6keX3QmXIaVcjQ+AYQBZdNBN0UVvsB/qgO9IXymC60FSzOZhpwrgr+6v0wd/4igjP7eJ/itQRHGm3msz6j5YJaY5RMRs96DwYUGvWL+tJFOauNMjcob7Thwzj9fuuqW0dY9C0jfFqtNAwlPTUGqoTx++f4D9ZFETb6HiQ4OnS1MJcdi9UKj3iIesRWYTsczM3GLbzMBSSvTnbvLC7XL+37S3qqvJX7V1asDT2z1ax1vxv2Hw4fD5NozzelXxja+3eq1tLWqxGRgfLd70yphLLsenqDXomz5ktfk3zemnePm40bqM1WxGG14rRznMWmudKA+gYg7Ut4ZTXkb4v85lgzzF25OEgr4L9eD5KvD/ihx/p78MjjiQjlqdDRbBmm4cXO3QUJmxjfPKJn3i133/Xmv+O9XT+/X+fcX3t2ZUGzULWdx1neuBQ9x0Jr7lcNv8OFcHB+7Uz1J9dSc9GxmBnz9hMvN9afDOSN7DNFkeHy6C7dYdslh/sRgF7Lj8ojD/oYJhvyjun7WJI2LCwTxiEyhO0y+wK8mYlPDqtjuIQDcNgsHYl3OI0bb0Jh3pTC7oZKyx5UBT8Qr+xDFXggyrub5ntaNYXkckaJSs+K3IYZv1+MmWucZPC4Xgv85m/K7jDvsAblAhXk/uOPhd7P00249sXQ4QkeMuWFzk8wYVX4tDLJv5yz+LrED1xyqZ3b5sKXra1LSTYfVxHdzDQWSwr9zehMuwLy2AfLbPNg9HEk9GG+aQzehMGuGktymYp+9rONZTENtRTO0xVWLZUDNvjdNnqUiixzW7hj8QegW19nW9cMBIDHMii93oRHZv62ZqLcvQw6/+SN5Z+4LRZUbImvNrAlprZZr8pSzh9w+ehZWq8+cNs5StDtcngsCkpW6c99R9m/V/lgbplTW3eUv7O7Cl1Fc2aNVVjeoDvGwbhuW6ip06gZxzoDNU1DPDOFRnY0bauqe1ccxpV5RQb24sznhdNrfL35nlPRe5T0UyfplExUL7xG8tDw3BDgt6d/q7wrV9ivfJjqSTlPyhuwDCIMKLo3XtQK+7xn+T+bwAAAP//T0J49fYwAAA=')
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
