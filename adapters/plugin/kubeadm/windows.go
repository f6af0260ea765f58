package kubeadm

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// joinScript starts kubeadm with $arguments from the directory $bin.
//
//go:embed join.ps1
var joinScript string

// onLinux returns the finding that a control plane machine cannot run Windows.
func onLinux(at report.Path) report.Finding {
	return report.Errorf(at, "a Windows machine cannot be a control plane machine: Kubernetes supports only Linux for it").
		To("use a Linux distribution for control plane machines")
}

// windowsCommand runs kubeadm and then removes its configuration, which contains secrets.
func (j *job) windowsCommand() action.Action {
	arguments := []string{"join", "--config", j.target.place(ConfigPath)}
	if v := j.node.Verbosity; v > 0 {
		arguments = append(arguments, "--v="+strconv.Itoa(v))
	}
	if j.hasPatches() && j.node.PatchesDirectory != "" {
		j.find(report.Errorf(j.at.Field("patchesDirectory"), "patches or kubelet.config are given as well, and "+
			"kubeadm reads one directory").To("write the patches of the image in patches"))
	}
	for i, a := range arguments {
		arguments[i] = expand.PowerShell(a)
	}
	// kubeadm writes the bootstrap token and the keys of kubelet, and kubelet runs the Pods of manifests, below these.
	lines := expand.ProtectDirectory(`C:\etc\kubernetes`, false) + expand.ProtectDirectory(`C:\var\lib\kubelet\pki`, false)
	lines += "$bin = " + expand.PowerShell(j.target.Profile.BinDir) + "\n$arguments = @(" +
		strings.Join(arguments, ", ") + ")\n"
	lines += script.Strip(joinScript) + "[IO.File]::Delete(" + expand.PowerShell(j.target.place(ConfigPath)) + ")\n"
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
