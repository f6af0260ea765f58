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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/7x7e3eiTN7g//kUbG/OmOy0DmjMtP1sz3kVBSGKEeQi3b1zoKoiaHEZKFSced7PvqcAFRPTT/c77+7pk1bgd7//iuR/MlMHIsbNmcABnh8iBwafmSQLUyYKAfrIpCSKU8YhDPEQ8+InKWFeHB9nCWrd3I6SJEr6gPhR+JygF5SgECDmC9PQSBQ3bm6fk2iVoDR99dDHKCQ456OQ+GGGGje3KXFI8Yz//K1AcoKhQ5xvZ6EaN7dx5mIfVFBJFn4DOEsJSppO7DdubnG0Yr4wH0pa39woIilJnLiFo9WHm9skC0OUUOQ42qEk9RDGLbRHTFOJnpPoxcfF11AKCUocQPwtYpqzjMQZEaIkcAizQHvCNEd7BLJC4Qj7IGcGeeykKdMUKIF3pafituKUYxo3t1FBlErC/G9FnzB/+9v7aBdaMO2//YmjdvCctDBWSpyEFNZDMb32qexJFhMEGze3IIIUiru5ecnCwkcMH4VblBAhiYLmwEnR4wNV6u5rShI/XH2/pVf3zD9vGIZhvtKL1igEEaTPPn/WF8KnloiIVgDffa2Iff/8mdIryVXPSkL3N7/XeJuJT1BzEq3eYSfNWtSG3z9/7scxCmEf40I46tePTAHL/Jn5Ogq3fhKFAQopZwXtJn6ILjk9JxFBgBQuOTN7doh3ZHbrAMx8YRS0a87cNQKE0RDIEp/krT4AKE1paCYRLiQ6PjphtjREjjeHKAWJH5Mo0SDENFLuGsPPz3f9334T+r/99pu2vD99H/TvGx+ZRsmhcf9abQ2RC+Z3hcgfC5bXFRz6CQIkSvJ/U8sTnV9WdfZ50C/VnUm8VFf5fF2pPduFKPnIvNH+xPyXTECVesYOeM/B8EiV+VJwoQ+/f/4sInLipzgBKhmUwtyGGcYVeF0oPkEOQWdbn2mflajI81Hg+iGqgXxkGv8ZtEK0a1zKP4226LUCCtp9ZK6qU4uSIcKIXMhde0ip3pV0KoA6Tznyw+azk5D0yPPrd8onIenHgopGEuQE32/LzyPzlyhBDvCYu9vYSQjjh0yJc3xe2M7NCUqp8X5UFSj+/RmnZNMqCsNdSeEjw36siLUmKFwddfz9po7B4yhFd9fKy9uU/8h8daMIf7/VEEgQORn4pPopZEK0q7Kl8EtpwdcWLoPhjgLfn+SgMP4Lc1fxqBumXosKFjV1zv6oLMrc1TjNYhQWfGjJKCpi475kdY6dUuhS0Lox+hD+e6YoM+EPbFFKWFI+ifjrRjmR/nmrvOJ5GQl09mgOjo3z7qsfku+3fATRSb0EgSiBtWHhONGs0yj8cJK8GUakru9o76ckvavQ7y/in9D29KUOrSLnoofdvwEuP5sJigsbN77+n28h0/zP77RaNt6DBmdwp3lgm73v/3z8/VvrdME9/k7xvyYIOoAg+P1MqfAGpVKlFtNcEeaB7T3WNXnDsqVlblol8AVyiXpC/P0s8YuPMEwvWw8fYYwKB6UtLUbAd7B/QLA1SyBKEBz6xTMnyV+TafUhvGsUM0/jI1MOP/fXgegcRGHo5zsgaO8TGgsUrIiJ62A4WlEIqu8ZoubcotqcvFsGxEfmrip+i6gpp1HINPkoiOn8yzSlMM5IZYqK0329tNVLTBTnZ5ofqrH3PAo2L6KVSplklR5Uu1Kvi4yQwm20QU2NoLhWEaghX/Ubeln0eBdHYPP9dhDB/JQ15ZPPx+mzJHDxqJpDzxl9fHAaRenN0yDI3JU0mD8zjc9Mg/kzU+tqJMlrUfknppCF+RcjRMnIAd4xrP5ZI/fh9u8fKnOW/wOHAK9G5RL0dPuyYFwIXRG7LC9OQppaAXN9+PgTAwJY7BZ/gcxfAHN3XD4qBelnuQTUquSkry1GlrTgZ8MR0wwRw17Ul0tDXkCfgIiXRDvmA13USnAGhRBBZucTrwyNAv0C+cMVDY/h8krF+rR+7ranGkqdT1ecD2VAMv9RbQE3pYnPRnuL8c6M8wbu/pqY1HGvRVWywKXD5s/KTnPrW4X1azq8wbwQUUSkKTigLpkTnPvQ1sFZscg1znFAAZgm+gfT8KKUhE6AGheBcMT5qiDSGoZpOdSOo5QU8+x9axFN6IIrhVsn8Z2Q3NXLzCsWceJvHYKk5+3DJZckyop9nCqgIKIWl80+hLSaCU7g45yhWExziFLih87xCMDfMw22Vfz7C9tg/sVoUUKOydp8TqIYJSRnCoJTRBIfUBhEW8MJSihOGbizNE7J9yyP9FyJcl2mYod/cQCSQoj2lTatV3f/mO3R1Ef+rRPbVxYtBoUSvG7FWj5WK30jZUrr+ylDcTZhtAs/1NvAeXxeRBfD87vr+IAOy3cV9/s34TeMdiGOHHgOQT3BV8p+ddnHqyjxiRfU7g39FUrJ23UgLDQJmf+4a4wXi+e/P6sza0mHD3qlnS+VWfX9YmR6tclriNRuGDR2XYxKJh9fA4s/BG5MK2tfdNgfzPe3UVwMJswXqkvzJdVWEyp4s5kSiJKk+F78V+jDPXY+PRSXOf3/kS2+B8Wjhwe2vGwmiCTF827tugkRdoq77eJuRKeMYsanbrk/to8sKc+mjoL9bJuoIo7i/0Ltr5Z9kjl06L8ripaP0dhJPaY58QlKHFz0rcKEzVOIMOdouW9R6LOYFTUq4KvweWedpfvUtcSBBTITvTA7zyHMzkmZF0SAhyDNoYpPXZE/Xo40RJpiEmXx9ap8SujCEJMIOLiAZppF5lbVs3byybw+z7zcDGq71HViVzow5dwHIMrCsqq/K2itlvdh4Ic+HWFIlFxW8wLoS00hPUUJ8y/G9FCCzpPU7d9bmjRsGUXZa2J/g5iG1uSa3Waba/6vZpdlG8zv962azCfqbwz87KTpLkrgpegXdacEOI+XCGQJFfM8RBcnT6gsgEyz+jxhMs1++owdPywPZoUoAehkmEtVf951NbNp75M4iVBJfcJJEMmS8KLqvHL/HxNjTq5HW5SM9rGfoPQMVr/7xuyqE8IouG78etz8N5jnrarHM6Da1kdvff3OtB+qxbsQ750zST7JYxKtEif28paqiOW1hpKtD9BzEm19iJI6nVr3K1hXY1ot+iqd7hpOn/sfdMF4v79WJO7fnKNMEZ3t3o3jIp0vUrJK8Dc5mV4mZQn25W2Z0aThMe867Wb34aHxJuculyMq5ZlAKS9Tlrgjm0qLi4Jz3pC+Tn2QRGn0QlrPdHbUipcjfBQETgjTVolbnn6M9gAVPen7O3vVcbxxmKBkGb1UQlxbNfppihLS/IMih8LtZ342fdYXI1XpT8vGdwF2fdyicgAHYwSZNzR+IM0wChw/PMtTXp8KFYiCOCPFuyTqOt4PpDAlTggQ0+Sxk6aFCUw/7LT/zlewWp4SFLwaGI+EWs9OQmYvl2zOGjVeaURx69Z1GFhg/sakqHgFZfohjHbpN4jcbPVNQURDJCveIDVerwIlT6bphLAmz/Fu0b3fkerutVh1kYpd/hW5+7PBf/qkvdix7m/evO9gyic/T6g8Q7m/OUfq8eUZNcPbM77z6ukkBMEPp5b+6qyAu/n95u3p8Bvs06Fo7STmKAHdwlDsJKhxOsy42E2rN4fnlbQBRCFfmmxkdhQWBDizOXajiwLr8JsneWTkIOjlc1NhHbOX6WMZ24GR22Z3bWv9nsTDBRR7O3kXbfSxvLU7MgYdZQ4CI7AtGbuBgqUhu5I5JXZFI4Pivjtv9zIo4gyaeshjBUOem7ptxYMi3rp+nyxEzNqW7LnCwIPiaiWz00eLB0+yCFO3LXvuMJ7ODUVXDU82RsqzOtJXz1p/x/vLlVziPNmWF0O+v1mMhIUxMpaaoQ4XrCrwqy9fGvfM75eWI0mWUsulMQKtKgZbxU0E+X76ypLvv1T+VuB8S32CWoD64vbFwWlh5InGkonG8aoO5YU/GKqGrGu6Lc9ZQVeLZyzhN5ys6XKgjpTh3FDGNit0NF0e2Cw2FiNFMNqyvezIsTuW50tO6SqWmkNzdXDbXkcb2gfIKqGp44nLxTIKop2qCx3NAk+qGQu6zg2UERxMDUOYW7CjidPcHQ4cnZVHuqEObNbuTMd45myMh4UZC5DtjgwLK4aoeio7ekA6p2sLWTFGQnfBqoNpP54ZI/ywWAtbyBr/UA1BmS/U8XwhGJQvZL31NNjtTKzwqiDocxwr8w03nod4r3KKogzxwGaN8ZxVTteQNSR+M9ppusAvLGjrC6zPBOmgduYPzhiHC/PTg4vVgRbKi9liMFu0d21N9w7qyAvnbTlZ5j1hYWIPtHuDJ87WHNF4goFKltzyydTJVDekDgz2k4XJ7aE1EPSDsbPFKFlaqqKJUu5g43GOZWW+HhR62CM11A3Iz7HEGWP7oHfkh5kRy2BoWMv1pqPNowTpnOAIgmPwRJ+bNm+zXVMTFEXV4WhuwPBdXI10F7oR6UasP3HqQB/J4QLbkr7heH4jBLORwRsjYTQ3BGnCcgOXhcN5RxjrLMvOdHmw0JXBVCSDhW7Ycxar6lBIzQXkpgdlOzPgaCZAUdVtBbTJw9Tk8DSUnkwRKqAd5+pCwYYwkJQg3bnmfqCZ3kBbqw8GhoF6UHjAxbqzEKzpRhhMh/JQGUWsKwxy4PcslydzyNmGwyqPOo3BflTE7kQ3Zir/Tlz/V5Pu4uSQafz1r9lflm0jh2ODdcxdZlselngukHjOs0X1AMVebmsDzW33WImHwxnez0HQC0EgEFUU2KWxJ0tTiRyzi5emSqyxmkNLYa2xEkNRz5YdmZV3cWz7/Uge7Qc6pwrmCOtztjdStT5xA3015TcrlA8wEjEr8eqbQvQyj740Xqv64mP0WlMQhcTxQ5TA98sLQ2+k386g9OuLv2qRKMCNcwWHgZGDdlE9e9JQeuIx2bljI3TM7sGaxy4Q95zdxhnIH0LH/JQtiwosxC6t5Hw3BOFgPQmX+0mg5I4GIR8qnhuovtvxXhyT8+x2UWFDEBihYyksCDcZaGPW1roYiQIB4h5POgMPWgqerafZdNHPpj64kGPiw9jNu2u33WWXJs5sS95MApgDcZrB9YgaP5bzbm6bMAYdNUcG+0TltAMcWp2yE1AZ5ocYVJ3Gc3XVg6IALvQR9mvbklmQdzfyLnoyO4MUmjB2w2kmt/F2EihbN1Q9GgQgmGd2R94t8257qnXXINiEk1DGdhsf4FjuFrCBHdsdBf5bumgFbOCYkOLW7x8cS8WTwHhYmtzOFfXw1/0FsrpfjjajuD/yl5x3PWipkTWPOdA2cjcQSNXRd9Dcp7YlhXw48EBH6bgdeVN08TaNCyFHC7ifWXEyDb2OYi3D6wn+X436oqnWYx4lJG3Bbwla0d0nb20+pS0/+uZFKUmPqXBqtDwmkdtR2IkPIzhWd+AQbSedmk/DMtlty/Nca5DaWq899XvJbDyltl8vrYG3DHDqWGpsW9PVszZw5c6Ac8VdOOGLHDi47X3bpnkS9Nq2JeeOqeJzjA5YEBr4/49NYAQ2KHnfGtSztDqU3vNYOB4cZv6n7Q8jYxf9geRhBNHPD0WbzKWfrdy5KFoolz0gYtO25AMdLaV15Dsdw7dNYeNqXeqQzDE/beFa8G1L9RReSqWAxG4w92e+/OS2cTavgh1acjU+Uhg1Bm1lS9VGmvSIctmnHYEm3NIa6G6bYNcv7rPH71IgB27gPSp8l6DQiGCw3yGTS5TQ207bxk7yd/7SGsR6ZU7V7G6A2IvdsJBlY5vctpbEj8p6zk5zKovizSnOyPNA28Mglx7NXD444ihXFsvHmWj49gK0FdNeLwN1PT14m+laWdtraT8VR9xMnObKes5NF6uDMhw9TNfqejoUsGIuD8p64E+H84flYtmZLZY7ZS09KId5vsxl+GKxqRR0t7ZoaMdis7TU2G0/+LMw9WmB0tu9tdM2WGp3NxzEQNQfJ/mn7SR/2AIR72ytd1ngzIvC6U94uXgGx1N/hslfpYBgau+Sr54t23sOdFQM/O7DxEwfQN6N3bzHuQHOaHItzX2MAmNDbWubdmCbSiHLIugtlm0P22MjtTW5Z1lc73oyZaH/ZoCgwZaEiKD3Bgi9bbATQ8EgtONlW19N9K7nmvqqDL09hnyf6B3VA6HKAUHtAlFfzS2DddscDbF142ekIH6AtDwEVAYNkWZ16lSdjDV2nTaFaDDN4iVgFi/yGDH9jESBQ3zw2/Hd4DtYvyjAFSPAwzSHIltNUL2qOYGVnPfI0uxyS3O/s00jd0V8gMM4g+P+/m3h3O3QcLVyQ3U39d80snQ6Xj3IeX8LOjhbtu3cbXOBKwohOMQVj91q0qETuMDa8y9ffkqvy1p5xbR1gOvW/Rk2UarH0KmC6JoDMydLUbJ9xWPop46LEfyt3OvfRyoOl/87BMnSKN2CXxLjhPLTQlwO5SpKr0XnheGvkl5Hfvi6g1yJTVmU42KQLSf4RN5Fm6Ulh9DksBuqB9rK5vwqdIJe7PoglXhAitpEB7WcXv/E5C8SbhkYni2yGTIF4vIg5n21s7TUtcNT3lzmduarpxHEkOcWtiW3HVOh28ZsaXJYKvFT25qvJvrlEYkkXD3qoPTL+M9PurWXlgxcEfvWiZ4Kzj2wype8i91wGfK+mkBTxq5osEU7z6VQ4tNVZa9E4iE4FzHaznVf4lkC2zizxV4H5NzhrAdLjoPisz59tMa2B/A+dUz5TEPYH+tCZaM+tTMG4ZzYIs5/gLdz2puVnPcT3u+vJL4fTjSu1oP7pIStfHbgqC0wFJWShiVntqViwO2v4BS6FXJRHX6Szslu5UB/tiWNBWrLsuDPCV0slm3jAPI+UQOc2kY51Em+6jtmt+abo325AQgg55pGBkf7GHTmK1kUcrtjENvsspTOIujNbAtajtnduB2wmhjFUK07Y5njfTWjw3bhz1pMaqKQ2eIe8yGMHHOPJX5F3IButWe5JxvPA6zxQOuuTbfSXURtfdalvce21V/RZlf4ejxdTecljGMuV0/8Kd5pPd5IApEXeVek/KxF9KhaHp0bDk/8MW43sTROnyh+9bOBovEAab68wtWpHiMhdQUVo/E8kkU7XZrw8KR1dRBg8sRvanQG5cY9LmBXE5M2WiWSeIg0zuBVfS8YQm9i6LIw11XFYgVN5aY9yV9lT/7Gl3nwWq7iRxa7dGinA/nMtgApZze8tjXqE7rsDM75xHMLKAo5HBs7Y0xnn8EAWurWNQXWMaeria5iIBqZPVaeXX9wMRdJPMc7ZtcDIZ4vLTUqafcjuVYjnvJ+KPGAfm4WpsDS+QZw6d7SNm/kPvvvfXmrvKr91GuXGizN/cGufF38jNmn4+fLvDrhqMUb9TUcKXRuW03MLpaG/bNNRRpj89U78JSeq+mfsjJf2MfZRi1ktLXV1WXdNYW1I+KsyCNjf47nEHuuuQufrp2gxFFxVvTih37qNX78m1flH7hcnnH/Pz/H9tUDpIOMdiruP2xAlA8YG74r4nVBl6XFVOZcvF+7Y+MARSOfmMLO0cCTLO63dtE0pA3oUCMaYBn0tnCssCAQdpOAPpeeZIofdDEom+fO7UAMQiWyzX1KB7MykHpUrqAsKtzMbXdlN1QxCIQ1FHG7gOkYLBgbrBr0cpoAklAlpm482KbCFYsWHmyp7Egb8MiiBY0miR27dFr+Y6fn0HzIwHi6l4pz/R4HxwOuKCQ8WD2PusaC7//5eTN9tIRB7rZhvjS50dJSPUvkvGXbi90iELkrdujnz/5yT+3rhkbqnovTyLFkvOyoWxBiOFvHQxAY1Ja1+5tIHg+4ZbCPl/nmyWTx82RDdTIovAUCzNr6uahJvrqDppw6pnIph6Vwy7aCQWeaLdu9YqeGou4XpwcdY102GBDzAQ4k3iuTR8Q5XYDcjty9LL6vfM5L8ZM2+GtZAAaB26HJQ4vlagPaSu5YA1YScfaOzmPbUosiDfKVL48Vdmmp2BLlrduZ+0/a4JMkKFtafBZt+R9UnjOvqqjS4mfOj4vDhi4PBe/QyNzAyIuBZKysQYB3kKdDibqFlrqD1jyu06ka0Jvj0zfFp/bz7judGt2Xqui9zONqaXznLy6OBQNGIfpw+VcG7/1e9pVfnU6z4s+LWiAKYowI+vCRaVT3ij/Q+b8BAAD//5KTUcUPOQAA')
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
