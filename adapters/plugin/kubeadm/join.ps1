# Runs kubeadm with $arguments and creates the kubelet service if the image has none.
#
# kubeadm writes kubelet's arguments, starts the service and waits until kubelet has its certificate. kubelet reads the
# arguments only from its command line, so the service can be created only after kubeadm has written them. A service
# that kubeadm cannot start is a warning of kubeadm.
$createsService = -not (Get-Service -Name kubelet -ErrorAction SilentlyContinue)
$argumentsFile = 'C:\var\lib\kubelet\kubeadm-flags.env'
$kubelet = '"' + $bin + '\kubelet.exe" --windows-service --config=C:\var\lib\kubelet\config.yaml' +
    ' --cert-dir=C:\var\lib\kubelet\pki --bootstrap-kubeconfig=C:\etc\kubernetes\bootstrap-kubelet.conf' +
    ' --kubeconfig=C:\etc\kubernetes\kubelet.conf'
$kubeadm = Start-Process -FilePath "$bin\kubeadm.exe" -ArgumentList $arguments -NoNewWindow -PassThru
# Without a handle, .NET does not know the exit code of a process that has ended.
$null = $kubeadm.Handle
while (-not $kubeadm.HasExited) {
    Start-Sleep -Seconds 1
    if ($createsService -and [IO.File]::Exists($argumentsFile)) {
        $text = [IO.File]::ReadAllText($argumentsFile).Trim()
        if ($text -match '^KUBELET_KUBEADM_ARGS="(.*)"$') {
            $command = $kubelet + ' ' + $Matches[1]
            $null = New-Service -Name kubelet -StartupType Automatic -DependsOn containerd -BinaryPathName $command
            Start-Service -Name kubelet
            $createsService = $false
        }
    }
}
if ($kubeadm.ExitCode -ne 0) {
    exit $kubeadm.ExitCode
}
