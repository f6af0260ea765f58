# Waits for the state that the setup of Windows sets at its end (learn.microsoft.com: Windows Setup States).
function Wait-Setup {
    $setup = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Setup\State'
    while ((Get-ItemProperty -LiteralPath $setup).ImageState -ne 'IMAGE_STATE_COMPLETE') {
        Start-Sleep -Seconds 2
    }
}

# Removes the answer files, which contain secrets. Setup caches them in the first two places; an image may have them in
# the others.
function Remove-AnswerFile {
    $paths = @(
        'C:\Windows\Panther\unattend.xml',
        'C:\Windows\Panther\unattend-original.xml',
        'C:\Windows\Panther\Unattend\unattend.xml',
        'C:\Windows\Panther\Unattend\autounattend.xml',
        'C:\Windows\System32\Sysprep\unattend.xml',
        'C:\Windows\System32\Sysprep\Panther\unattend.xml',
        'C:\unattend.xml',
        'C:\autounattend.xml'
    )
    foreach ($path in $paths) {
        if ([IO.File]::Exists($path)) {
            [IO.File]::Delete($path)
        }
    }
}
