# Sets $environment as the environment of the services, which otherwise have the machine's environment as of the start of
# Windows.
foreach ($service in @('containerd', 'kubelet')) {
    $key = 'HKLM:\SYSTEM\CurrentControlSet\Services\' + $service
    if (Test-Path -LiteralPath $key) {
        Set-ItemProperty -LiteralPath $key -Name Environment -Type MultiString -Value $environment
    }
}
