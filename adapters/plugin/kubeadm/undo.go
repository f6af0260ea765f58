package kubeadm

import (
	_ "embed"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/node"
)

//go:embed undo.sh
var undoScript string

// resetNode defines the function reset_node, which runs kubeadm reset with its arguments, if there is a kubeadm.
//
//nolint:gochecknoglobals // it never varies
var resetNode = script.StripShell(undoScript)

// undo returns the script that takes back what kubeadm did, however far it came: kubeadm reset stops kubelet, removes
// the pods, and empties the directories of kubelet, etcd and the static pods. Of the certificates it takes the
// directory from the cluster, which may not answer, so that one of the user's is named. Where there is no kubeadm it
// has done nothing. kubeadm stops kubelet after it emptied etcd's directory: a kubelet that starts etcd again in
// between fills it. The member of etcd has left by then (ports.Membership).
func (j *job) undo() string {
	if expand.IsWindows(j.target.Target) {
		return "$kubeadm = " + expand.PowerShell(j.target.Profile.BinDir+`\kubeadm.exe`) +
			"\nif ([IO.File]::Exists($kubeadm)) {\n    & $kubeadm " +
			"reset --force --cri-socket " + expand.PowerShell(j.criSocket()) + "\n    exit $LASTEXITCODE\n}\n"
	}
	arguments := ""
	if socket := j.criSocket(); socket != "" {
		arguments += " --cri-socket " + action.Quote(socket)
	}
	if dir := j.node.CertificatesDir; dir != "" && dir != defaultCertificatesDir && j.node.Role != node.RoleWorker {
		arguments += " --cert-dir " + action.Quote(dir)
	}
	return resetNode + "reset_node" + arguments
}
