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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R7+XPiSLrg7/4rtLWOwd4uKInD3VRvTTwQSEgGYSR0oKraCSkzDYLUMVIKkGf6/e0bmRKn7e7qee/FRIVtlPnd+eV3qfjf3MSDiPMLLvTAKoiQB8PPXJpHGRdHAH3kMhInGecRjqwQ9xykGeGevQDnKWrc3A7TNE57gARx9JSiZ5SiCCDuC1czSJzUbm6f0niZoiy72gwwigguxDgiQZSj2s1tRjzC9sTP3xiSFw484n07CVW7uU1yHweggkrz6BvAeUZQWveSoHZzi+Ml94X7UNL65scxyUjqJQ0cLz/c3KZ5FKGUIifxDqXZCmHcQHvE1bX4KY2fA8w+RkpEUOoBEmwRV5/mJMmJFKehR7g52hOuPtwjkDOFYxyAgusXiZdlXF2iBN6VnorbSDKBq93cxowolYT7v5o55v761/fRLrTgmn/9i0DtsPIyZqyMeClh1kMJfQ6o7GmeEARrN7cghhRKuLl5ziN2RpwYR1uUEimNw3rfy9BDmyp19zUjaRAtv9/Sp3vuHzccx3Ff6UNjGIEY0r3Pn8259EtDRsRgwHdfK2LfP3+m9Epy1V5J6P7mtzPedhoQVB/Hy3fYKdMGteH3z597SYIi2MOYCUfP9SPHYLmfuK/DaBukcRSiiHLW0G4cROiS01MaEwQIO5ITsyePrA7Mbj2AuS+chnb1qb9GgHAGAnkakKLRAwBlGXXNNMZMosPWEbNhIHJYHKAMpEFC4tSAEFNPuasNPj/d9X79Ver9+uuvxuL++Lnfu6995Golh9r9tdoGIhfM75jIHxnLtxUcBCkCJE6L/6KWRzp/WtXp536vVHeqiMq5yqfnSu3pLkLpR+6V9kfmf8oEVKkn7IH3DhgeqHJfGBe6+f3zZxmRIz/NC1HJoBTmNsoxrsDPhRJT5BF0svWJ9kmJirwYh34QoTOQj1ztP8NGhHa1S/kn8RZdK6Ch3UfuTXXOvGSAMCIXcp9tUqp3JZ0K4JynGgdR/clLSXbg+fU75ZOS7COjYpAUeeH32/LvgflznCIPrLi728RLCRdEXIlz2Ge28wuCMmq834sKFP/+hFOyabDAcFdS+MjxHytijTGKlgcdf7s5xxBxnKG7t8LL6yv/kfvqxzH+fmsgkCJyNPBR9aPLRGhX3RZ2LqUFry1cOsMdBb4/ykFhgmfuruJxbpjzWMRYnKlzOo/KotzdGadpgiLGh4YMFhFr9yWrk++UQpeCnhujB+F/zRTlTfgDW5QSlpSPIv55oxxJ/7hVrnheegKtPer9Q+K8+xpE5PutGEN0VC9FIE7hWbFwqGjWWRx9OEpej2Jyru9wH2Qku6vQ7y/8n9D09OUcWkfeRQ67fwVc/q2nKGE2rn39f98irv6f32m0rL0HDU7gXv2Fr3e//+Pht2+N44Pw8BvF/5oi6AGC4PcTJXYalEp1tbj6knBtvvtwrskrlg0j97PqAl8gl6hHxN9OEj8HCMPsMvWIMcaIHVDWMBIEAg8HLwg2pilEKYKDgO15aXFNptGD8K7Gap7aR64sfu7fBqJ1EIWhf98BQfuAUF+gYMwn3gbD8ZJCUH1PEGeHy6LN8XRLh/jI3VXBbx7X1SyOuLoYhwmtf7m6EiU5qUxRcbo/D23nISZOihPND1XZeyoF6xfeSqVM80oPql2p18WNUKJtvEF1g6DkLCJQQ17lG/rIcryPY7D5ftuPYXG8NeXO50P1WRK42Krq0NONPmwcS1G6eCwEubuSBvcTV/vM1bifuLOsRtLizCv/wjFZuH9yUpwOPbA6uNU/zsh9uP3bh8qc5W/gEbA6o3IJely+DBgXQlfELsOLl5K6wWDeLj7+woEQst7iE+Q+Ae7u0HxUCtK/ZRNwFiXHPWM+dJS5OB0MuXqEOP4ivlwa8gL6CERWabzjPtBGrQTnUAQR5HYBWZWuwdAvkD+8oeHBXa5UPK/WT9n2GEPp4dMW50PpkNx/VF3ATWnik9FeY7xT47yCu39LTHpw16JqeejTYvNHZad361uF9ed0eIV5IaKMSF3ywLlkXnjKQ1sP56yRq538gAJwdfR3rraKMxJ5IapdOMIB56uGSGMQZWVRO4ozwurZ+8Y8HtMGV4m2Xhp4Ebk7DzNXLJI02HoEKU/b9iWXNM5ZP04V0BDR2WO9ByGNZpIXBrjgKBZXH6CMBJF3GAEEe67GN9i/T3yN+ydnxCk5XNb6UxonKCUFxwhOEEkDQGEQTQ1HKIlNGYSTNF7J9ySP8lSJ8rZMrId/9gBSIoj2lTaNq9U/Znsw9YF/48j2yqKsUCjBz614dh+rlr6WcaX1g4yjOJso3kUfztPAqXyexxfF87vteJ8Wy3cV9/tX7jeIdxGOPXhyQTPFb4T96rGHl3EakFV4tjYIligjr9uBiGkScf9xVxvN509/e9KnzoIWH/TJOD1q0+rzRcl01ckbiJwtWNR3fYxKJh+vgeXfBa5NKmtfZNjfqe9v44QVJtwXqkv9OTOWYyp4vZ4RiNKUfWa/mD7CQ+uXNnss6O8Hnn0O2Va7zZeP9RSRlO13zp7rEGGPrTbZakyrDFbj02O5P6SPPC1nUwfBfjRNVB5H8f9E7K+afZJ7tOi/Y0ErwGjkZSuuPg4ISj3M8hYzYf3oItzJW+4bFPokZkWNCnjlPu+0s7SfeuviQIbMxc/cbuURbudl3DMiYIUgvUMVn3NF/rg5MhCpy2mcJ29H5eOFZoYYx8DDDJqrs5tbRc+zySd3Pc+87AzOeqm3ib2RgSnnHgBxHpVR/V1Bz2J5D4ZBFNAShsTpZTRnQF/OFDIzlHL/5OwVStGpkrr9W8NQBg2Lhb06DjaIqxl1od6pN4X6/6l3eL7G/XbfOJP5SP2VgZ+8LNvFKbwU/SLulACn8hKBPKVinopoNnlCZQDk6tXfIyZX72VP2AuicjArxSlAR8NcqvrjR3dmNuN9EkcRKqmPOCkieRpdRJ2r4/9jYtzx6NEWpcN9EqQoO4Gdr74yu+5FMA7fNv653/w3mOe1qocZ0FnXR5e+fuea7arxZuK9M5MU0yIh8TL1klXR0DW5fDZQug0AekrjbQBRek7nLPsx1lWZduZ9lU53Na8n/C/aYLyfXysS96/mKBNEa7t3/Zhd54srWV3wV3cyu7yUJdiX12HGUAaHe9dq1jvtdu3VnbtsjqiUJwKlvFwZ4g5sKi0uAs6pQ/o6CUAaZ/EzaTzR2tFgL0fEOAy9CGaNErecfgz3ALGc9P2dvupQ3nhcWLKMnysh3mo1elmGUlL/gyCHou1ncTp5MudDXetNysR3AfZ2uUXlAB7GCHKvaPyONIM49ILoJE/5fAxUIA6TnLB3SfToxCBUoox4EUBcXcReljET2EHUav5NrGCNIiMovCoYD4QaT15Kps+XbE4a1a40orjn1vU4yDB/5TLEXkHZQQTjXfYNIj9fftMQMRDJ2Ruk2nUrUPLk6l4Ez+Q5rLLs/Y5Ud9dinYvEevkrcvcng//wpJ31WPc3r953cOXOjxMqZyj3NydPPbw8o2Z4PeM7tZ5eShD8cEzpV7MC4ea3m9fT4VfYx6Ho2STmIAHtwlDipah2HGZc9KbVm8NTS1oDslQsbD62WxoPQpy7Ar8xZYn3xM2jOrQKEHaLma3xnt3NzZGK3dAqXLuzdo1eVxHhHMrdnbqLN+ZI3botFYOWNgOhFbqOiv1Qw8qAX6qClviylUN535k1uzmUcQ5tMxKxhqEoTPymtoIy3vpBj8xlzLuOuvKl/grKy6XKTx4cETyqMsz8prryB8lkZmmmbq1Ua6g96UNz+WT0dmKwWKolzqPrrBIo9jbzoTS3htbCsPTBnNclcfnlS+2e++3SciTNM2q5LEGgUflggy0iKPayK0u+/1L5G8P5lgUENQA9i9tnD2fMyGODJ2NDEHUTqvOgP9At1TRMV53xkqmzPZ6IG0E1TDXUh9pgZmkjl5dahqn2XR5b86EmWU3VXbTUxB+ps4WgdTRHL6C9fPGbq5YxcF8gr0W2ice+kKgojHe6KbUMBzzqdiKZptDXhrA/sSxp5sCWIU8Kf9D3TF4dmpbed3m3NRnhqbex2nM7kSDfGVoO1ixZX+n8sI1MwTTmqmYNpc6c1/uTXjK1hrg9X0tbyFt/1y1Jm8310WwuWZQv5FfrSbjb2VgTdUkyZzjRZhthNIvwXhc0TRvgvstboxmvHZ8hbyniZrgzTEmcO9A159icSsqL3pq1vRGO5vYvbR/rfSNS59N5fzpv7pqGuXrRh6to1lTTRdGV5jZegWa3/yi4hidbjzDUyUJYPNommZiW0oLhfjy3hT10+pL5Yu1cOU4Xjq4ZslJ42HqYYVWbrftMD3eoR6YFxRlWBGvkvpgttT21EhUMLGex3rSMWZwiU5A8SfIskZgz2xVdvmMbkqbpJhzOLBi9i2uQzty0YtNKzEdB75tDNZpjVzE3gihupHA6tERrKA1nlqSMeaHv83Awa0kjk+f5qan256bWn8ikPzctd8ZjXR9ImT2HwuRF204tOJxKUNZNVwNN0p7YAp5EyqMtQw00k0Kfa9iS+ooWZjvf3vcNe9U31nrbwjDUXzQRCInpzSVnspH6k4E60IYx70v9AgRdxxfJDAqu5fHag0l9sBcz3x2b1lQX3/Hrf/XSXUwOudrPP+efFk2rgCOL9+xd7jorrIhCqIjCypX1Fyh3C9foG36zyysiHEzxfgbCbgRCieiyxC+sPVnYWuzZHbywdeKM9AI6Gu+MtATKZr5oqby6SxI36MXqcN83BV2yh9ic8d2hbvSIH5rLibhZoqKPkYx5RdRfBaLnWfyl9kOqJmm8L97R0uatHIa48Jsd4tod3pnHD2bT4nW70/QcdeuHAvYj3V44arKw1cw1lpEh6aYpdWfmpruwDZApIozhSN9Ng1+2YKRu0WhDLbbynX7mzuOXyVxpq8VuqfLCatFcJX5oRo+zxL/iAafrZO46uuRHbgLCbu7bVg4ldwVCvFqEe/woQsWS9Jkp/Ft4T+cXfMF+IrY7WtDejde97WS+yMahtgVR78S/lE87eIJabB5V+dLeNGXNxCubzoUf1GllWlJ/7gh9Yy6s3Cd7xcNR72FcdHcg7LaR0cFIlgiQ93i6nuwn62U0FnvRfNN9NiX1yZY23cm8l0/ni3witnfjl2FzLHbWfkvdjUOrvbCFnS8ze4V+S8VUD0VcbvxQIq7RT/yg33sU4dpvdviFjXPXUTdMriYRFqGVuc4sejQ2S7SLl4rYW6oywahM5YrB77Up3s9t6tWmAGYtmv6tHA61rR/phd/c0/MAJr2FIV67jgbUopcqop4vbAGLQW+piH12gyzZeoGiMFs4eqyIwsRzdAxCKStLi97Ga1qdR6P/c4lT/lAfH5uYd22B3tyd66g8Mt4oCUqZybzU+dI/xB6xRnjnGn0N2nves6qypugRK5QyaJvL6/Ou5O6KEf/ohxYPmssyuoxg4ofs/JagafHKqF/4rVVHEWF1lsKL66hN11G63kjnwUB474x/ZvujSfd93+lFiwjvFo72Mrb3CWjNuk/yfrtoStnTOvv7G378+GORZhXTtX+cd0dcbRdE9SiGqC78GJGyKVDjIDojVVX2NRCnSQPtvTDB6BW5PEPpNTW6ln3lv1Nat145n6gaoLNB1fUU6terbvyAWAPtqJ0WXA+GQvSK/3NAhbrkv8l9lEaIIJZnzgfbXG1FSJJ9/vQpDNI0Tg9qfdoKjdZDo/XJD6JPu7Il+uSF8KH9iRLDiDTQnvIRP3/bfLtYMka9ZueBqwk+/yz4nvCv/vr3aObB8Fqz49JBs+b/pGbUS3+8BD/IV3ghrp2aHFSoKyBj23XUF9rIKOs48FpW4NrSxjc66XQ0yT37ly1cS4Hr6CtNVDIlJIkfzoJpoD76TZzTxsUNcQQdtWpWKIyegKa2haFVIEN5QIUa0PoDtPRi4fRNv0mwH7B1/vCZ4nh2J9OCDkGRFcNwv0O2kGrRajtpWjsl2AULp5+UUdYqdLuzAXI38SMmy8a1he1ZJnjQ1jN+UlBZtNWM4gxXK9BcYVAoD3ahvnjysNDmi4epbAXuHDQ1210vQn09eVltJmtt7a6V/UQeClN5UmjrmTCZL1+0wbA9WevryUDCmr140db9YDKYtRfzRWs6X+y0tdLWXmbFolDhs8NnStjZurJluDZMSt31xG+2g2mUBbRnMZvdtUcj6DoO/KifANl8GBe/bMdFewtkGq27FxlrbLOMs6IZGoSzYCyqbA+OJsEUk5+VkGYAakvK18wXzb0AWjoGQac9trM2KDqJX3QFP8S55+jJwt4nKLQ21Lau7YaurTFZ5mF3vmiusDuyMtdQuw7VJaJZRotdZ8Lkd2VcUHi/pXYozuwlAY7UL/wmLBa2MFw4+sqRrmpLab9bOPrak60XJRK6b9fA/7qbJx4BK5QdAg2Io+dgmafsxSnP8/xPIUqX6I1bQBbOauY39RdlHTcnI/7xtVR5FJDfDytvlKyq3BF8ebd8MvpT1wFkHlq8HuLCdeDKl/cGtPe0WJ/SMkGRj6XIcmzqCWj1s4WD394LrXV52fqqH6pbaHc2isjKA95valtf7Jszobccm2WqNOVuAcXefjJQhInYI4fJhTKUMl/utmo/om2cmQn0KmVpzqnGxtwheeYezWDbGldnr/HzZF4kiBsEmedjBH8t5zrvI7GXC/8dguRZnG3BnxLjiPLDQlw2ZTrKyv+5cEkWxBHxggil8D3Sfhy/Ik3XDoPhqhx49f8wuBrP80KtdLOyQuxgOKQVn9Va2PuMDZ5CnLlGj5w+94d+U1h5dns5Nq2cdUn2bKmHUgaa5usebc0qm8ur+Kabq4kfsGqZ9pepuos3C0eNoM06lpdD5+CF3cQPWEdCWCwL3cQtWOfxx31peQVWrsznyJaIL4JEDPQWiyci5S3kfmu2fBxCDEVhTitQz9beuV6XAzxFenMQR+mHvixFoDjq1lw4KvBlHDhHejo45Uyhgu9gP1pEYqCn0FaxL1use1ILJVLEbFnZK1VEWOHuMRRpdWwGisgT2MS5K3dboCgr6VIPniyqXPtkTh6ckbsCeJ95tnqiIe1pvgg9G1Q26lE7YxDNCI3Xv4O385qbJe1aqs4jGhvCWc7ukRK2OrMXgdoCQ1kraThq7tJORti/gcN0Y3JRHX6QztFutML3w5MtqS9QW5otfUX1or69aFovoOgRnfq4VXZDSqAHnt05O5uDfYU+CKHAuqIh6yiWqiwVbstiXQ+lMw+7U9eBjmd3Nn4LLMdWfwVamumNVEEM9Bza+4yd55lPGrKUu/IeixGMPRbWl8QPu7winuQeb1YrwFtt2vW54qnbPOrS3GPX6S3HlobZWY8my8mshPHsxfJRPPo7WdCQLxF1XnRkys+Zxw+6s6J1xsujePDbTaKMssdDJ6mIvQ2UrTak9+UK16R60HQg6RiNZrEqu9nChi+PRscEISaP4uaMTtnNqiMGuxzbAqsNFBEiQ7BE3dxLltQdW6YqzUxdc3jJ0IVJVwmW+WOwCVQRXMtVdd2X6fLYUZ+62tN9EoU5lKUCjqxd1dn2oaNvfVviPXtC0yQGspW7I+3JD/oXdZQiCqJnd1YgwqwTL2n3YvUsRjwWvUgRAf27mdsST+shIGR7x9i8kvt0fu/Le97Rlz/nsUsPF/b+xa3Omv2M+MfD3+dZNX878zd61nCo0TpvObY7WBn0TjaVqY/Nlu/AU3q+Yf6Sl/eFf5hudCajaywjWsdVLy1WvqmvoCwB35bWnoxzdo+s/cmfI7zy7R2bUjF6ZzUh80eZxUf8+ENzx2N9GY2pn45UwTU2r7v5hDXutWfaAq9qv///DcuvdV2+2fkff3sT6C9QlviK1h8qTvmAkRX4Ml4zujwN0qrg4/3aH1kvULaKsS3tPAM8qvJ+67JkpGxAix6OBRZhdwtHGg9CaTcO6b7yqFL8sINBmZR3fgtiEGmxa+8z2iSVDtqlcoVeVYP6zY7qR2wcRWvLJoNpWTwY0Zq1W9CLpUjVhTettmtrAqtBcX9LZUdGX0QODZT08rmJL5vLH3CmAtrtHIwme4W9zeoKcNQXWIASwfJp2LHmYu+np83k4VVzIR/GpNTBhTfs0CuegsWe2tePrMw/Bb2h56h40dK3IMJwuk4GILSoLc/WN7E66guLcJ8sis2jzeOn8YbqZFF4B4SYd81TsFQCfQdtNfNs7VIORxMWTQ2D1iRfNLts9AVlMxiLvQi0rHWZuEAihjhUxNXbl+gY1K/OXFSS06iwfzH2BE2t8Jw+r8g4f0fnkevoLPiDYhmoI41fODp2ZHXrt2bBo9H/RZG0LQ1q86b6dyrP9VhSpUHVnlUvHLobReyuGe/Iyv3QKlihM9LWIMQ7KLJx6BY6+g46s+ScTpXYXr00eBXUzn7efZN5Rve5CqbPs6RqNN/5ntEhYMA4Qh8uv1vz3rcR3vjCQJazL9U1QBwmGBH04SNXq9bY19L+fwAAAP//pVF6sgU8AAA=')
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
