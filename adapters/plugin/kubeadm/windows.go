package kubeadm

import (
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// joinScript runs kubeadm with the arguments that stand in $arguments. Where the image brings no kubelet service it
// makes one as soon as kubeadm has written kubelet's arguments: kubeadm then waits until kubelet has its certificate,
// and kubelet reads its arguments nowhere but on its command line. A service that kubeadm cannot start is a warning of
// kubeadm's.
const joinScript = `$watch = -not (Get-Service -Name kubelet -ErrorAction SilentlyContinue)
$flags = 'C:\var\lib\kubelet\kubeadm-flags.env'
$kubelet = '"' + $bin + '\kubelet.exe" --windows-service --config=C:\var\lib\kubelet\config.yaml --cert-dir=C:\var\lib\kubelet\pki ' +
    '--bootstrap-kubeconfig=C:\etc\kubernetes\bootstrap-kubelet.conf --kubeconfig=C:\etc\kubernetes\kubelet.conf'
$kubeadm = Start-Process -FilePath "$bin\kubeadm.exe" -ArgumentList $arguments -NoNewWindow -PassThru
$null = $kubeadm.Handle
while (-not $kubeadm.HasExited) {
    Start-Sleep -Seconds 1
    if ($watch -and [IO.File]::Exists($flags)) {
        $text = [IO.File]::ReadAllText($flags).Trim()
        if ($text -match '^KUBELET_KUBEADM_ARGS="(.*)"$') {
            $null = New-Service -Name kubelet -StartupType Automatic -DependsOn containerd -BinaryPathName ($kubelet + ' ' + $Matches[1])
            Start-Service -Name kubelet
            $watch = $false
        }
    }
}
if ($kubeadm.ExitCode -ne 0) {
    exit $kubeadm.ExitCode
}
`

// onLinux finds a control plane on Windows.
func onLinux(at report.Path) report.Finding {
	return report.Errorf(at, "a machine of Windows is a worker: the control plane's programs are for Linux alone").
		To("use a distribution of Linux for control plane machines")
}

// windowsCommand runs kubeadm and then removes what it has read, secrets among it.
func (j *job) windowsCommand() action.Action {
	arguments := []string{"join", "--config", j.target.place(ConfigPath)}
	if v := j.node.Verbosity; v > 0 {
		arguments = append(arguments, "--v="+strconv.Itoa(v))
	}
	for i, a := range arguments {
		arguments[i] = expand.PowerShell(a)
	}
	lines := "$bin = " + expand.PowerShell(j.target.Profile.BinDir) + "\n$arguments = @(" +
		strings.Join(arguments, ", ") + ")\n"
	lines += joinScript + "[IO.File]::Delete(" + expand.PowerShell(j.target.place(ConfigPath)) + ")\n"
	if d := j.node.Discovery; d != nil && !d.Kubeconfig.IsZero() {
		lines += "[IO.File]::Delete(" + expand.PowerShell(j.target.place(DiscoveryPath)) + ")\n"
	}
	if j.hasPatches() {
		lines += "[IO.Directory]::Delete(" + expand.PowerShell(j.target.place(PatchDir)) + ", $true)\n"
	}
	return action.Action{Do: action.RunCommand{
		Name: "kubeadm join", Script: lines, When: document.PhaseJoin,
		Undo: j.undo(),
	}}
}
