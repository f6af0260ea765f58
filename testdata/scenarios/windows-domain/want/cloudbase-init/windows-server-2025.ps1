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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7e5OiSL7o//UpuH0r1qo7rQ0+asae2xtHURBKsQR5SHffDcjMEjR5LCQqtTvns99IQEWraqZnzzmxMVGjwO+dvzft/2ZmDkSMmzOBAzw/RA4MPjNJFqZMFAL0kUlJFKeMQxjiIebZT1LCPDs+zhLUurkdJ0mUDADxo/ApQc8oQSFAzBemoZEobtzcPiXROkFpevXQxygkOOejkPhhhho3tylxSPGM//ytQHKCkUOcb2ehGje3ceZiH1RQSRZ+AzhLCUqaTuw3bm5xtGa+MB9KWt/cKCIpSZy4haP1h5vbJAtDlFDkONqjJPUQxi10QExTiZ6S6NnHxddQCglKHED8HWKa84zEGRGiJHAIs0QHwjTHBwSyQuEI+yBnhnnspCnTFCiBd6Wn4rbilGMaN7dRQZRKwvxfRZ8yf/3r+2gXWjDtv/6Fo3bwnLQwVkqchBTWQzG99qnsSRYTBBs3tyCCFIq7uXnOwuKMGD4KdyghQhIFzaGToocuVerua0oSP1x/v6VX98w/bhiGYb7Si9Y4BBGkzz5/1pfCLy0REa0AvvtaEfv++TOlV5KrnpWE7m9+q/E2E5+g5jRav8NOmreoDb9//jyIYxTCAcaFcPRcPzIFLPMT83Uc7vwkCgMUUs4K2k/9EF1yekoiggApjuTM7Mkh3pHZrQMw84VR0L45dzcIEEZDIEt8krcGAKA0pa6ZRLiQ6PjohNnSEDneHKEUJH5MokSDEFNPuWuMPj/dDX79VRj8+uuv2ur+9H04uG98ZBolh8b9tdoaIhfM7wqRPxYs31Zw5CcIkCjJ/4tanuj8i6rOJV6qq3u+fk/lE8c/pTfV5Ak74L1ThUeqzJeCC334/fNnEZETP8UJUMmgFOY2zDCuwOtC8QlyCDob+Ez7rERFno8C1w9RDeQj0/jPoBWifeNS/lm0Q9cKKGj/kXlTnZprjBBG5ELu2kNK9a6kUwHUecqRHzafnISkR55fv1M+CUk/FlQ0kiAn+H5bfh6ZP0cJcoDH3N3GTkIYP2RKnOPzwnZuTlBKjfd7qYDi359xSjatIhvclRQ+MuzHilhrisL1UcffbuoYPI5SdPdWTnkd5x+Zr24U4e+3GgIJIicDn1Q/uUyI9lWIFOdSWvDawqUz3FHg+5McFMZ/Zu4qHnXD1BNQwaKmzvk8KosydzVO8xiFBR8aNEUabNyXrM6+UwpdClo3xgDC/5opykj4A1uUEpaUTyL+eaOcSP+4Va54XnoCbTiaw2O1vPvqh+T7LR9BdFIvQSBKYK1DOLYxmzQKP5wkb4YRqes7PvgpSe8q9PsL/ye0Jn2pQ6vIuShc96+Ay89mguLCxo2v/+9byDT/8ztNk433oMEZ3Gm+sM3+9388/PatdbrgHn6j+F8TBB1AEPx+plScBqVShRbTXBOmy/Yf6pq8YtnSMjetAvgCuUQ9If52lvjZRximl/WGjzBGxQGlLS1GwHew/4Jga55AlCA48otnTpJfk2kNILxrFI1O4yNTdjz3bwPR5ofC0M93QNDBJ9QXKFjhE2+D4WhNIai+Z4ja4RbZ5nS6pUN8ZO6q5LeMmnIahUyTj4KYNr1MUwrjjFSmqDjd11NbPcVEcX6m+aHqdc/9X/PCW6mUSVbpQbUr9bqICCncRVvU1AiKaxmBGvKq3tDLorC7OALb77fDCOanqCmffD62nCWBi0dV83mO6OODU/9Jb566P+aupMH8xDQ+Mw3mJ6ZW1UiS17zyL0whC/NPRoiSsQO8o1v9o0buw+3fPlTmLP8PHAK8GpVL0NPty4RxIXRF7DK9OAlpagXM283HXxgQwGKg+ASZT4C5O04clYL0s+z8a1lyOtCWY0ta8vPRmGmGiGEv8sulIS+gT0DES6I984FOZyU4g0KIILP3iVe6RoF+gfzhDQ2P7nKlYr1FP1fbUw6lh0/nmg+lQzL/UbX+N6WJz0Z7jfFOj/MK7v4tMenBXYuqZIGLkppz/4HsNLa+VVh/TodXmBciiog0BQfUJXOCcx3aOTgrprfG2Q8oANNEf2caXpSS0AlQ48IRjjhfFURaozAtm9pJlJKin71vLaMpnWqlcOckvhOSu3qauWIRJ/7OIUh62nUvuSRRVgzhVAEFEbW4bA4gpNlMcAIf5wzFYpojlBI/dI5zv39gGmyr+O8T22D+yWhRQo7B2nxKohglJGcKgjNEEh9QGERLwwlKKFYL3Fkap+R7lkd6qkR5W6ZicH92AJJCiA6VNq2ru3/M9mjqI//Wie2VRYtGoQSvW7EWj9Uc30iZ0vp+ylCcbRjtww/1MnBun5fRRfP87gw+pM3yXcX9/pX7jaJ9iCMHnl1QT/Abab+6HOB1lPjEC2r3Rv4apeT1OBAWmoTMf9w1Jsvl09+e1Lm1os0HvdLOl8q8+n7RMl2N7xoitRsG9V0Xo5LJx2tg8XeBG7PK2hcV9nf6+9soLhoT5gvVpfmcauspFbzZTAlESVJ8L28kiCQ5/dqrXTchwk5xt13cjWjvUHTu1Nj3x6KQJeWa6cjuR5N/5UcU/09k9GpuJ5lDW/m7IhX5GE2c1GOaU5+gxMFFNSoM0zwdPHP2gfsWhT6LWVGjAl45xTtDKp2S3goHWCAz0TOz9xzC7J2UeUYEeAjSyKj41BX545FHQ6QpJlEWv51rT2FaGGIaAQcX0EyziMcqJ9aWmMz1avKy369NSG8Te6OuUs4DAKIsLHP1u4LWMvQABn7o08aERMllji6AvtQU0lOUMP9kTA8l6Nwf3f6tpUmjllEksyb2t4hpaE2u2Wu2ueb/afZYtsH8dt+qyXyi/srAT06a7qMEXop+kU1KgHPTiECWUDHPrXGxREJlWmOa1ecJk2kO0ifs+GG5YxWiBKCTYS5V/fGjq5lNe5/ESYRK6hNOgkiWhBe55Or4/5gYczp6tEPJ+BD7CUrPYPW7r8yuOiGMgreNX/eb/wbzvFb1uNmpzXL01tfvTLtbjdOFeO+sF/kkj0m0TpzYy1uqIpbXGkp2PkBPSbTzIUrqdGo1rWBdNV8176t0ums4A+5/0bHh/apZkbh/tR2ZIdqxvevHRThfhGQV4K9iMr0MyhLsy+s0o0mjY9x12s1et9t4FXOXIw+V8kyglJcpU9yRTaXFRcI5zz1fZz5IojR6Jq0n2hFqxXsOPgoCJ4Rpq8QtdxrjA0BFTfr+zrR0bFocJihZRs+VEG8NEIM0RQlp/kGSQ+HuMz+fPenLsaoMZmXhuwB7u4micgAHYwSZVzR+R5pRFDh+eJanvD4lKhAFcUaK10L06Hg/kMKUOCFATJPHTpoWJjD9sNP+G1/BanlKUHDVBh4JtZ6chMyfL9mcNWpcaURx69Z1GFhg/sqkqHibZPohjPbpN4jcbP1NQURDJCteBjWuG/ySJ9N0QliT53i3qN7vSHV3LVZdpGJCvyJ3fzb4D+/Pi8np/ubVqwumfPLjhMrNyP3N2VOP78GoGV5v7s4DpZMQBD+cSvrVBoC7+e3m9c73FfZp1VnbrxwloLMVip0ENU4riouJs3oJeB40G0AU8pXJRmZHYUGAM5tjt7oosA6/fZTHRg6Cfr4wFdYx+5k+kbEdGLlt9ja2NuhLPFxCsb+X99FWn8g7uyNj0FEWIDAC25KxGyhYGrFrmVNiVzQyKB56i3Y/gyLOoKmHPFYw5LmZ21Y8KOKd6w/IUsSsbcmeKww9KK7XMjt7sHjwKIswdduy547i2cJQdNXwZGOsPKljff2kDfa8v1rLJc6jbXkx5Afb5VhYGmNjpRnqaMmqAr/+8qVxz/x2aTmSZCm1XBoj0Kp8sFXcRJAfpFeWfP/98LcC51vqE9QC9Cxunx2cFkaeaiyZahyv6lBe+sORasi6ptvyghV0tXjGEn7LyZouB+pYGS0MZWKzQkfT5aHNYmM5VgSjLdurjhy7E3mx4pSeYqk5NNcvbtvraCP7BbJKaOp46nKxjIJor+pCR7PAo2rGgq5zQ2UMhzPDEBYW7GjiLHdHQ0dn5bFuqEObtTuzCZ47W6O7NGMBsr2xYWHFEFVPZcddpHO6tpQVYyz0lqw6nA3iuTHG3eVG2EHW+LtqCMpiqU4WS8GgfCHrbWbBfm9ihVcFQV/gWFlsuckixAeVUxRlhIc2a0wWrHK6hqwh8dvxXtMFfmlBW19ifS5IL2pn0XUmOFyav3RdrA61UF7Ol8P5sr1va7r3oo69cNGWk1XeF5Ym9kC7P3zkbM0RjUcYqGTFrR5Nncx0Q+rA4DBdmtwBWkNBfzH2thglK0tVNFHKHWw8LLCsLDbDQg97rIa6AfkFljhjYr/oHbk7N2IZjAxrtdl2tEWUIJ0THEFwDJ7oC9PmbbZnaoKiqDocLwwYvourkd5SNyLdiPVHTh3qYzlcYlvStxzPb4VgPjZ4YyyMF4YgTVlu6LJwtOgIE51l2bkuD5e6MpyJZLjUDXvBYlUdCam5hNzsRdnNDTieC1BUdVsBbdKdmRyehdKjKUIFtONcXSrYEIaSEqR71zwMNdMbahu1a2AYqC8KD7hYd5aCNdsKw9lIHinjiHWFYQ78vuXyZAE523BY5UGnPjiICt+d6sZc5d/x63816C72gUzj55+zT6u2kcOJwTrmPrMtD0s8F0g859mi+gLFfm5rQ81t91mJh6M5PixA0A9BIBBVFNiVcSArU4kcs4dXpkqsiZpDS2GtiRJDUc9WHZmV93Fs+4NIHh+GOqcK5hjrC7Y/VrUBcQN9PeO3a5QPMRIxK/Hqq0T0vIi+NH5I1TiJDvk7WpqskcEA5267R2yzx1rL6EFvG6xq9tqOJe/cgMNuqJorS45Xppza2jrUBFXXhf5C3/ZXpgZSiYcRnKj7uf/LDkzkHZpsqcU81xqm9jJ6mS2lrpzv1zLLeau2F7uBHj4uYveKB5xv4qVtqYIb2jEI+plrGhkUbA8E2FsFB/zIQ8kQ1IXO/Vt4z5cXfMFhxnd7it/dTzeD3Wy5SqeBsgPh4My/lE85eoKcbx9l8dLetGQt+CubLrkf1MnTDWG4tLihtuQ8+8n0WDgZPEzz/h4E/S7SehiJAgHiAc83s8Nssw6n/CBcbvvPuiA/mcK2P1sOsvlylc347n76Mm5P+d7G7cj7aWB0Vya3d8XCXoHbkTHVQ+LXWzcQiK0NY9cfDh55uHHbPXZl4sy25G0hV5twq8BIbWsRPmrbNdpHa4kfrGWRYFSWckljD8ocH5Ym9WqdA4sOLf9GBsfKzg3V3G0f6HkAnUZhgDe2pQA5HyQSr2Yrk8O8P1hL/LCIIEM0XiDPLVaWGkk8N3MsFYNASMvWYrB12kbvURv+XOKUf9THpzpmbZOjkbu3LZlF2hstQSkzWZY6X/oHPyDGBO9tbahA88A6RtXW5ANiBEIKTX19fd6V3H0+ZB/dwGBBe11mlwmM3aA4vzVoG6w0GeZux+tJPKzOknuxLbltW1LfmagsGHHvnfHPxfPJrP++7wzCVYj3K0t5mZqHGHQW/SfxsFu1hfRpk/79DT9+/LFM40X03j/q0xHT2PthM4wganI/RqQcCuTID2ukqs6+AaIkbqGDE8QYvSKXpSi5pkbvpV/Z75TWrVPuJ6oBqLaout5C/Xo1jR8RG6AbdpOcGcCAC1/xf/apUJf8t5mLkhARVNSZ+rqaaXiExOnnT58CP0mi5KjWpx3X6jy0Op9cP/y0L0eiT04AH7qfKDGMSAsdKB/+87ftt4tb2mTQ7j0wDc5lnznX4f7V//17NHNgcK3Z6dZRs/b/pGbUS3+8BT/KlzsBbpyHHJTLHhCxaVvyCx1kpE3kOx3Dt01h62q9ZD6ZZY75yw5uBN+2VE/hpVQKSOwGC3/uy49uG2d0cLEDHEJLroYVCqPGoK3sYGDkSJMeUC77tP8AHTVfWUPdbRPs+sV99vid4jhmL1X8HkGhEcHgsEcmlyiht5u1jb3k7/2VNYzLLGvkqtnbArEfu2Ehy9Y2uV2tEjwomwU7y6ksiregOGPPA20Pg1x6MHP5xRHHubJcPcxFw7eXoK2Y9mYVqJvZi7edbZSNvZEOM3HMzcVZrmwW3Gy5flFG4+5so25mIwEr5upF2Qz92WjRXS1XnflytVc2Uld5WeSrXIbPFptKQW9ni4ZmmzAudVdjt93152Hq05lFb/c3Ds2gm8h3w2EMRP1hmv+ym+bdHRBptu5fVKypWVQcj1ZoECz8KS8Xz+Bk5s8x+VkKaAWgtqR89WzVPnCgo2Lg97pTM+2CvBe7eZ9zA5w5lhqvzEOMAmNLbWubdmCbSiHLMugvV20P2xMjtTW5b1FdQlpllMi2ZoX8tohzCu925B7FWbzEwBKGuduG+crkxitL9SzhqrcUDvuVpW4c0XiRQq7/dg/8r7t57BDgofSYaEAUPvvrLCleh7Isy/4UoGSN3ogCsrK8hdtWX6RN1J5N2MfXUmWhT34/rbzRsspij3PF/fpJG85tC5BlYLBqgHPbgp4rHjRoHmizPqdtgiSeWpH1VFdj0BmmKwu//SwwNmWwDWU3kHfQ7G0lvmgPWLet7Fx+qC+4wXqql6VSF/s55AeH2UjiZvyAHDcX0lhIXbHfafyItlGqx9CplKU1p1obM8fimTm0gu0aTLN4OZ/FyzxGzMhPHRcj+Gu513kfqXi58N8hSJZG6Q78KTFOKD8sxOVQpqK0/PcIl2RBFBLHD1EC3yPtRtEr0vTecTFctQOv/nUF02BZlmuUblZ2iD0Mx7TjMzor85AWi6cAp7Y2IOfvw7Hb5jzH7K6nupEVU5K5WKuBkIK2/npG2xSdzWUovunmcuz6RbdM58tE3kfblSWH0Cwmlpfj5OAE/dj1i4mEFLkssGM7LyaPP55LyxDwbJHNkCkQlwcx76udIp/wlDeXuZ3F+nEMMeS5Je1AHVN5J7wuF3iS8OYijtIPXFEIQX7Srb2yZOCK2LdO9FRwrplcBd/DbrgKeV9NoCljVzSK6UnOpVDi03Vlr0TiYYV7wJCn3bHuSzxLYBtnttjvgLzspEs9WLKqau2TPnuwJrYH8CF1TPlMQzjQehE4JqhsNKB2xiBcEJqvfwdv77S3azq1VJNHONW4Ws0ekBK2OrMXjtoCQ1EpaVhyZtNJhju8gVPoVshFdfhBOie70Q7fDc62pL5Abal3VI/qRX171TZeQD4gKvVxo5yGJF/1HbNXO5ujfbkhCCBXTEXjYqJYy6KQ2x2jmHoonWXQn9sWtByzt3U7YD01hh7oKLozkTneVzNoHtLiPGs+qYlCZosHzIcwcoq0viZu0Gcl/iz3dOt5gDW6dOqz+fO0edKlfcC2NVhPDQUXZz2ZrWeLEsYxV+tH/uTvZEVTvkDkZd4TKT9rGT2olkf7jJdH/ui321iapI/HSVLiB1soGl1I4+UKV6d60HIgqBhNFpEs2unKhC+PWk8HASaP/LZGp5xm5UkBu56aXNEbSDxEGmfwqn4QDKE/NXRZWOiqYrGCpnKzvuSvs0d/68s8uJarmrovy+Vpoj5Pted44rklFIUcTox9NdkOoaXuXFNgHXNGyyQGopHZE+XJ9YcXfZTEc7xj9jwQ4mISL2kPIrmWIx7zQSjxgH5ul6bA0n4IcOnB0rav5D6f3/vy1if68q+eu9RgZR5e7Oqsi78J+3j8fF5U+7eav9GzhmOF9nnrqdnD0mhwtqlIfWyxfgee0nM1/ZesjBf2Yb5VCxltbR3SPq56aeG5uupBUQCuKWwcEWdFHBmHsz+H2HPNfbGlKujVesLCH8UiP+LHH9o7nvrLcEr9dCJztrZ9Pc3HxeDeeKYjsNf4/X9FWP5C6/LNzv/42xtffYGiwFa0/lBxygdMDN8V8aagy9IkLXMuPmzcifECRSOfmsLe0cCjLB52dlGMpC3o0MMxwCro7+BEYUEg7KcBfS49yhQ/6GFQFuW924EYhEpkm4eUDkmlg/apXIFT9aBuuye7YbGOor1lu4DpGCyY0J61n9PAkoQq4HWja5sKV/SgeLijsiNtyCOLJkoafHbsivr6B5wph2Y3A5PZQSreZvU5OBlyRYLiwfpp3DOW/OCnp+3s4dVwIR7XpNTBuTfsMMif/NWB2tcNjdQ9J72xY8l41VF3IMRwvolHIDCoLWv3t5E8GXKr4BCv8u2jyeKn6ZbqZFB4CwSYtfVzspR8dQ9NOXVM5VIOS+FWbQWDzixbtfvF6guKuj/lByHoGJuycIGYD3Ag8d7bQXRK6ldnzkvxeVU4vFh7graSO9aQlUScvaPzxLbUIvmDfO3LE4VdWSq2RHnndhb+ozb8RRKUHU1qy7b8dyrP9VpSpknVXFQvHPpbie9vCt6hkbmBkReNzkTZgADvIV+sQ3fQUvfQWsR1OlVhe/XS4FVSq/29+yazRve5SqbPi7gaNN/59dAxYcAoRB8ufzHz3m8M3vgZQJoVP5VrgSiIMSLow0emUd0rfmz2/wMAAP//hp+0Z9A7AAA=')
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
    Set-TimeZone -Id 'W. Europe Standard Time'
    Set-WinSystemLocale -SystemLocale 'de-DE'
    Set-Culture -CultureInfo 'de-DE'
    if ($env:COMPUTERNAME -ne 'win-node-1') { Rename-Computer -NewName 'win-node-1' -Force }
    $secure = ConvertTo-SecureString -AsPlainText -Force -String 'c4n4ry J0in <&''">'
    $credential = New-Object Management.Automation.PSCredential('CORP\joiner', $secure)
    Add-Computer -DomainName 'corp.example' -OUPath 'OU=Nodes,DC=corp,DC=example' -Credential $credential -Options @('JoinWithNewName', 'AccountCreate') -Force
    exit 1001
}
catch {
    Write-Log "$_"
    $record = '{"phase":"start","step":"layout","exitCode":1,"log":"see C:\\ProgramData\\machineadm\\bootstrap.log"}'
    [IO.File]::WriteAllText("$state\failure.json", $record)
    [IO.File]::WriteAllText("$public\bootstrap-failure.json", $record)
    exit 1
}
