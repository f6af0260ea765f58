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
    $bytes = [Convert]::FromBase64String('H4sIAAAAAAAC/8R6/XeiSNro7/kruLk5a3InOqAx02Zu71lFQYiiogLSnTsHioqgxcdCoZKd3r/9nipQUZOe7vPue96Zk1bg+X6eer7wfzNDy4GMnTG+BVwvgJbjPzFxGiRMGAB4zyQ4jBLGwgx2IfPqxQlmXi0PpTGsXd304jiM2wB7YTCO4SuMYQAg85mpTHEYVa5uxnG4jGGSnD30EAwwyvgwwF6QwsrVTYItTJ/xT18pkuV3LWx9PQpVubqJUht5oICK0+ArQGmCYVy1Iq9ydYPCJfOZuc5pfbXDECc4tqIaCpfXVzdxGgQwJshRuIVx4kKEanAHmaoSjuPw1UP0ayAFGMYWwN4GMtVRiqMUC2HsW5iZwR1mqr0dBClVOEQeyJhOFllJwlQFQuBD6Ym4tSjhmMrVTUiJEkmY/6vMB8zf//4x2okWTP3vf+OIHVwrocZKsBVjaj0YkWuPyB6nEYZO5eoGhA6B4q6uXtOA+ojhw2ADYyzEoV/tWAl8fCBK3X5JcOwFy5cbcnXH/OuKYRjmC7mo9QIQOuTZ09N8JnyqiRBPKfDtl4LYy9MToZeTK57lhO6uvpV467GHYXUQLj9gJ41qxIYvT0/tKIKB00aICkf8es9QWOYX5ksv2HhxGPgwIJwVuB14ATzlpMBtdRx7GwtDQvHIb2xh9x1+XYgghrf5Y/rwxgKI+UwJjewVBJiZQpDGHs5qbQBgkpDQjUNEKewfHTBrU4j3N7swAbEX4TCeOg4ikXRb6T6Nb9u//y60f//99+ni7vC9076r3DOVnEOlkCT2li5OmM/Ml++JkCUY+ioFfXl6oqam6CUNCn2nOIaWnyt7f7DCMHSIJfgYWhgqcHu/Z3wEmbpWTGCUMID3zAPbejw+G0XE8MnhKbHCqU/GcYghwNWuF0OAwzh73ys/bPgDnZ+2/uip0849MJJ4qeyF43XhidE2gPE9c+IQovKB+cvT0xTiE8n2lr00AQ1LZIEPAvLG2VMlzpZGNfLw5elJhPjAT7H80zgNUoQK8LJQuR+Ptj7SPipRkOdD3/YCWAK5Zyr/9msB3FZO5R+GG3iuAA2Vnz9fpYeE6m1OpwAo85RDL6iOrRgne55fXgifeB+ZeTi/3OSfe+avYQwt4DK3N5EVY8YLmBxn/5zazs4wpAfre4mM4N8dcXI2NXrAbnMK9wx7XxCrDWCw3Ov47aqMwaMwgbfvZcTLFHXPfLHDEL3cTCGIIT4Y+KD6IWQCuC1OC/VLbkH6yHtlbgv8stJHexYWYW7PsiUlWtYAogR+n0LJm3ng3VIaZSLH2MmFzgUtG6PtOP81U+Qn4S9swVStwCmHX2/nJTgpYvMkPHLlPjP/KFe6WXgSHiVCKrRIyeqQONiTu2N+KeiUTPGBZ47BkEvO3OA4hWV08l8McRoHJWrfd8cogsE+IVXyslo5K8ukU6t29m3G7RcvwC83fOjAg2VjCMLYKbVW+/5vlYTB9UGnahDi9yybo5/aFpNi/pm5NN+h4t9dAOef1RhG1L2VL//va8BU//1CEnXlI2hwBLeqb2y19fKvx29fa4cL7vEbwf8SQ8cCGDovR0rUT4RKcaqZ6hLTslfW5IJlbZraSZE7TpBz1APit6PErx5ETnJa9fgQIUgdlNSmEQSehbw36NRGsQNj6HQ9+syKs3Mytbbj3FZoh1i5Z/JW8e59INI1Ehjy+QEI3HmYxAIBozHxPhgKlwSC6HuEKDmXxvbBu3lA3DO3xbGahVU5CQOmyod+RKYFpioFUYoLUxScTtJJOeOEUXakeV0MCcfGuXoSrff5scppEe1yvU5OhBRswjWsTjGMSsmIGPKs1JFL2l7YKATrl5tO6GSHU5M/edr36jmBk0dF137MU/sHh8b9mBcG4ZK5zWkwvzCVJ6aSp5Z9scFxVorKvzFUFuZPRgjjngXcfVj9q0Tu+uaP68Kc+b/AwsC9yEh70MPt04RxInRB7DS9WDGuTinM+33P3xjgO3QS+9VhfgXM7X5UKxQkn/nIdHfMn4P2dNYzpBk/6vaYagAZ9iS/nBryBPoAhN043DLXZKzNwRkYONBhth5289Cg6CfI1+9ouA+XMxXLs00pt+9zKHE+GQivizz/j2JmuspNfDTaJcYH7dUF3N17YhLHnYuqpL5N+twflZ2cra8F1s/pcIF5IqIIcVWwQFkyyz/WoY2FUjr2Vo5xQACYKvwnU3HDBAeWDysngbDH+aJAXOvSCUWEuB8mmLbSd7VZOAi3MJaCjRV7VoBv785L9ZFFlHdJ0njzcMolDlO6vSAKKBCr9LLadhySzQTL91DGECym2oUJ9gJrvzDxdkyFrdH/f2UrzJ8ndWUaxnh/cKvjOIxgjDOGEh9CHHuA+ZOZQlImDlAC3c9wR8msXIajbNK4EOt9+ej249UCUAocuCs0q53d/Wu2e7Pv+dcObM+sS5uGHLxs0dLZLJYhlYTJPeElDMFZB+E2uC6XhI+btI8WGUWvlnO/uwjFbrgNUGg5x3Ccx+iyBLzbn77ctNEyjD3s+qV7XW8JE3w5pARUsYD5x22lP5uN/xirI2NB+hJyNT1eKqPi+0k3dbYSmUJcuqGRsLYRzJncnwOL3wWuDAvjnxTfn5863p8xDjNRiXSYLxJo212pvibT5YAoXq0m2IFxTL/Tf6g9uMfGpwd6mZF/H1n63aePHh5YtnJ/EKFSrcYQxxSumZOk11UHIoverdO7IWlkAjqNzmN0t69QaZwvC/cC/mglKgKZ4P9EeSlWGTi1yEhzS/Oih2DfSlymOvAwjC2UzwjEFdVDqDHHqLurEeijmAU1IuBZGH4wrB+mwLPz6FBkJnxltq6Fma2VMK8QAxc65GgWfK5/avSbQlwV4zCN3k/8hzxBDTEIgYUoNFOlCaFI0KVVNHO+YD4dPkqT4vvE3inyhHMbgDAN8sLxoaClctF2fC/wSJeEw/i0YFCgzyWF5gmMmT8Z3YUxPDZrN3/UplK3ptFsWkXeGjKVaZWrNqt1rvp/qk2WrTDf7molmQ/ULww8tpJkG8bOqegn6SwHOHawEKQxEfPYp9O9GszzKlMtPg+YTLWdjJHlBfmmXAhjAA+GOVX1x11XMtv0YxIHEQqpPx6YL9z/18SYg+vhBsa9XeTFMDmCle9emF21Aif03zd+OW7+A+a5VHW/4SoNluTWlxem/lDM9lS8DzaufJxFOFzGVuRmNVUR8+spjDcegOM43HgOjMt0SkWVsi46wVL0FTrdVqw297/IDPNx2S5I3F1siYaQtI8fxjE9zidHsjjgF2cyOT2UOdjnyzQzlbr7c9eoV5sPD5WLM3c6fxEpjwRyeZk8xe3ZFFqcJJzjEPZl6IE4TMJXXBuT9nRK31bxoe9bgZPUctx8wdLbAUhr0ssHo9u+a7IYP2cZvhZCvDfNtJMExrj6F0kOBpsnfjQcz2c9VWkP88J3AvZ+F0fkABZC0GEuaHxHmm7oW15wlCe/PiQqEPpRiunLPeI63vOlIMFWACBT5ZGVJNQEuhc06n/wBWz+xuSsD90Tqo2tGI9eT9kcNaqcaURwy9a1GIdi/s4kkL4T1L3ACbfJVwfa6fKrAvEU4pS+0qucTxs5z3xNeZRnf5dW7w+kuj0XqywSXReckbs7GvyH3yPQMe7u6uJtDpM/+XFC+Zrm7uoYqfu3mcQMl2vE43RrxRg614eSfraO4K6+XV3uoy+wD71nadmzl4AMejCyYlg57EtOxt/iVe5x6q0AUcgWOhvqDYUFPkpNjl3PRYG1+PWz3NMy4Leyia6wlt5K530Zmb6WmXpzZU7bLYl3Zo7Y2srbcD3vyxuzISPQUCbA13zTkJHtK0jqskuZUyJb1FJH3DUn9VbqiCh19HnAIwU5PDe064rriGhje208ExFrGrJrCx3XEZdLmR0+Gjx4lkUnseuya3ej4URT5qrmylpPGau9+XI8bW95b7GUc5xn03Ajh2+vZz1hpvW0xVRTuzNWFfjl58+VO+bbqeVwnCbEckkEQa2IwVoUh7uMGPFkRcJUfvst/VVntdTxUWbXm9jUm6wxCx/ndY1V9WbdMuSN7XPIDlR9YcjRQpcTc7oMpoI6nwutyXzdWuhTkEi8Ezp9dTvyPm1AX97A/jo1Dde1jU5izsK34Ux6kLPtUmY5d1F3I9ufB8+TyD7j4YxW0cw0VMEOzAj4rdTWtdQRTBf4yF34O/TMO5ImqJM59z/CezQ75ZsQV9uiuwGNSTKcSY3Bqp0O+YfdgG+u7L725ohaNvB3m0VdSAbd3rZ4vh28LYMB3w5murCyRJSaUxDxnopOePPtltRrhzLrzjWh8zoX5LEurFtWX2VBN9wMGp3MbrjNga89LHRua4vzx+FbLxvxVLZTO824H7RRc2xwnemMc82xnsttia03h9/uhiuQy77qJQNfSRxDYU1DSm2xtVro22Q4K3RbtTcjHkS8b26Ar7mL+nL5zKvpQueQJKKU6lRXNnagupbeRMCfUFtYDc0z9R1yeBA9Tzu/8V57KfHttVXXmvTYse5g1mMfDUEx55wqzLRd1zFkcnxZegz78sYWFOQIu5lpyHVLVxDgtoHEJ0tZbLq2Pn+W+PZSEpEv8e7cNBR2oOXHcjDfRcRXC303WRhqKPFqbBrrSOonOQ7968xMY4Knhopsjdi+g0CgNiWeG1qGioAvJHmqKWTmuRHVuXd6viSem0Ojg6Qex9l9NZo31MzSm4HEc/pC33HmtL02T2JzksvQZ59fJ1FqGuqbxTcRFOdLp45SGg985800JsvCt0t5HxuGgkBgIrDK/T82PoiZLqbPwRu3BX7rAU4JfQEDcYdGq+FuuFoGEu940Oi4oDHEtojenC77qfD9L6N6KVa6STlWfnv2Ls+CvA0/V84z16uH4D5xBaFznvQ//kHS13Vqk89aZvmociwGMJNdICLdNOQ3kvClVejlUSas7WkzHvWHqaV/2jgrwTMN1VV4KZF8HNn+xBt58rNdRymJLNNHgWPIRVInMGoE6srG8bUMTqVHmMmeXW+xoKFmC6Mzt+sY2R69z+6/S766tevmoz1tYhhooePvtlDnYiVwN8O6tpW8rbcwOtG8rmWErqo310BsRXZAZVmbOrcpe01ZTdhhRmRR3AnB6bkuqLsIZNKjnslvltjLlNnicSRqnjkDdUU3VwtfXQ3f3PVwpazMlbQbij1uJA4zZTXhhrPlm9LtPQxX6mrYFZCiL96UVccbdicPi9miMZottspKelDeJtkik51Xg00kv7kxRW1q6k6U665Gdv3BGwWJt2jI0bzeWll1jSV2t4NOBMT54yD7tBlkDxsgoq05ba3sepNd6Cg1DXk90E+ygjfgZfrM6Q+9EcK/ST5GxN4533m6qO840FAR8JoPAz15AFkzsrMWZ/sotQw1Wui7CPramtjW1E3f1BUqy8xvzRZ1F5l9LTGncsswuNb7xTQNvItaSoItDiCGyQcFlRTPgUYPXrSoz5eDOU0+y2OCa+N5Q3VBoHJAUJtAnC8nhsbadY6E2KryI1KEyTxyrEIIMtcVw2AxsFa2qZUmMN5UmCrd/6fRLIsg0/USy0bQ+T3v1j5GoiuD/4QgaRImG/BTYhxQfliIQ3+jwiR/23FKEYQBtrwAxs5HVFehF5wnn3d8K4tyZHu0V+yO0C4mveLCkANHp03EGylUE34ZWH4rsj1SiAGmYe2bkZnRwkzwJsBvBcAXsCoK7ELb4YWuhCTsF7qKDRFzC19zTZFNoS5gm6fNQWNhqCuLNAU8l9qNyfK555B+81DsDgUnx09IQRjMT3teSXi3dyX0fVsUApAddKsvDBnYIvKMAz0VHNMnV8A3kR0sAt5TY0eXkS1qLC3WmVQUXmqvWOIdcIx/Wrw8iWcxKWCm2GqAjHs76sHiRZF2x/Pho9E3XYB2iaXLRxrCjqQO39JBYaM2sTMCwQSbIsq+g7e16uulnLXjosEIBlOulL7bOIctfPbGEVsgR1RyGoZMCjAC3O4dHKoblYvo8IN0DnYb+AT2aEsSC8SWea6YYDKTLOraG8jaWPVRYhbNi+SpnqU3S77Z25frAN/haDPZ20WgMVnKopCZDY02IoTOzG+NTMMxLL25thtgSRoi0FDmVl/meE9NHX2XUH+WYnIqCqkp7hAfOKGl75DEL7Htt1jSNO3lHqxdF7DaA2mMTH69hNuQNlEHXeo7ZBrtJcmT1Nf94XI4yWEsfUEaxn2844XeXEsClmdZUyT8yICiGi4pOW/P/D5uz5u19toRtQfaRJ/hzokePSGxBRXB/iSURTNZ6M7b87Q5Bz7Cz/y63PRFptcO5T6FXQ50kqOVUOIdOOU0Xp3vBE1oDbS5LEzmqmKwwlTlhi3JW6bP3tqTeXAuF/2TxSZni9vleNoZmQbAedlHZA7FM1/A5rRzPE88N3NEIXP62lbrk7LZ6TiGurF1gbX04XIwVxEQtdTsK2Pb65yUVInneEtvuiBAtLHNabdDuZQjnrN2IPGAfK5nusCS0gi4ZGdM1xdyH/33sbzFuSr9lXOX6i/03ZtZ+Hrf2JYa3NzepXgjvnZ6Cin5y4HeRFK3fbSpSGJssvwAntCzp/NPaX5e2MfRWqUykiF28haBYs537bnqOqIA7P1ARs6RtjvGc4BcW98Gz5N3GtcopBP3qxd4iVv5/tv6/Cfkp0uL//bFhKe+OaLAFrT+sgARPqCvebaIVvnkRZKpzNlod+zkdWFrTcGzLO42Ji0a0ho0iBE1sPBbG6evsMAXtqTjNzPpWSb4fhOBvHhu7YaDQKCEpr5LSF+bB1KLyOXnSYUb2fWmbAd0slo5IqpTmIbGgr7Gqn4rIwdAEoqDOdceTF3haI+OOhsiO5x2+GJiWQ7mZmSTRuuvnZ45+kMK+sOdRBc1Lc7pdziaSHiwHPea2oxv/zJeDx8NoZPZdSdb6FxvYaiuIe43DCQQuXfs0M7G3mJH7GsHWmIfk1PPMmS0aKgbECBntIq6ZHJ2RK10fx3K/Q638HfRIls/6ywaD9ZEJ43AG8BHrDk/JjXJU7eOLieWrpzKYSjcoq4g0Bimi3qLTniOOPfIBA4a2iovMGR6p1NyfnhElJHe2W7IzdPke+ZzXipN7h3fbpDDQ5Llcg3qSmYZHZZuAN7XuW8aKk3SIFt6cl9hF4aKDFHe2I2J9zztfJIEZUOSz6wu/5PIU9oS5EmVJD99kpqGiyS+tZb41oryDrTU9rWMNiR9ZQV8tHV40pSoG8dQt44xicp0igJ0sZi7SD6lvw+XdCW6r0XSe51Exbxx8RO60yWpEwbw+vTt/Ee/5Xvn53ZJSn8NXwOhHyGI4fU9Uynu0d+T//8AAAD//9sFcl9xNAAA')
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
