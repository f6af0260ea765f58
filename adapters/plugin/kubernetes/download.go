package kubernetes

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// downloads fetches the programs one by one into the profile's directory and writes kubelet's unit, which no package
// brings.
func downloads(q request) ([]action.Operation, report.Report) {
	bin := q.target.Profile.BinDir
	r := lacking(q)
	r = append(r, expand.Writable(q.target, q.at.Field("provision"), bin)...)
	var operations []action.Operation
	if expand.IsWindows(q.target) {
		// kubelet runs as SYSTEM.
		operations = append(operations, action.RunCommand{
			Name: "protect programs", When: document.PhaseFile, Script: expand.ProtectDirectory(bin, true),
		})
	}
	var paths []string
	for i, a := range q.config.Artifacts {
		from, found := url(q, a, q.at.Field("artifacts").Index(i), q.target.Architecture)
		r = append(r, found...)
		program := programPath(q.target, a.Name)
		operations = append(operations, fetch(a, from, program, 0o755))
		paths = append(paths, program)
	}
	if q.target.Profile.SELinux {
		// A file has the label of its directory in the policy only once it is asked for. The profile is for systems that
		// may have SELinux; an image without it has no restorecon(8).
		operations = append(operations, action.RunCommand{
			Name: "label programs", When: document.PhaseFile,
			Script: "! command -v restorecon >/dev/null || restorecon -F " + strings.Join(paths, " "),
		})
	}
	if expand.IsWindows(q.target) {
		return append(operations, openKubelet()), r
	}
	return append(operations, kubeletUnit(q)), r
}

// programPath returns where a program goes.
func programPath(t osprofile.Target, name string) string {
	if expand.IsWindows(t) {
		return t.Profile.BinDir + `\` + strings.TrimSuffix(name, ".exe") + ".exe"
	}
	return path.Join(t.Profile.BinDir, name)
}

// openKubelet lets the API server reach kubelet through Windows's firewall. kubelet's service is made by the run of
// kubeadm, which knows kubelet's arguments.
func openKubelet() action.RunCommand {
	return action.RunCommand{
		Name: "open kubelet's port", When: document.PhaseUnit,
		Script: "$null = New-NetFirewallRule -Name kubelet -DisplayName kubelet -Direction Inbound -Protocol TCP " +
			"-LocalPort 10250 -Action Allow",
	}
}

// lacking finds that kubelet or kubeadm is not among the artifacts. kubectl may be left out, unless the machine sets
// annotations of its Node with it.
func lacking(q request) report.Report {
	var r report.Report
	programs := []string{"kubelet", "kubeadm"}
	if n, _, _ := document.First[node.NodeConfig](q.others); len(n.Registration.Annotations) > 0 {
		programs = append(programs, "kubectl")
	}
	for _, program := range programs {
		if !slices.ContainsFunc(q.config.Artifacts, func(a machine.Artifact) bool { return a.Name == program }) {
			r = append(r, report.Errorf(q.at.Field("artifacts"), "%s gets Kubernetes by download, and no artifact is "+
				"named %s", q.target.Profile.Name, program).To("add one with its name, url and sha256"))
		}
	}
	return r
}

// kubeletUnit is kubelet's unit, and the drop-in through which kubeadm gives it arguments: kubeadm writes
// /var/lib/kubelet/config.yaml and kubeadm-flags.env, and the bootstrap kubeconfig, which kubelet exchanges for its
// own.
func kubeletUnit(q request) action.EnsureUnit {
	t := q.target
	unit := expand.Enabled("kubelet.service")
	unit.Content = document.Text(strings.Join([]string{
		"[Unit]",
		"Description=Kubernetes node agent",
		"Wants=network-online.target",
		"After=network-online.target " + expand.RuntimeUnit(q.target, q.others),
		"StartLimitIntervalSec=0",
		"",
		"[Service]",
		"ExecStart=" + path.Join(t.Profile.BinDir, "kubelet"),
		"Restart=always",
		"RestartSec=10",
		"",
		"[Install]",
		"WantedBy=multi-user.target",
		"",
	}, "\n"))
	unit.DropIns = []machine.DropIn{{Name: "10-kubeadm.conf", Content: document.Text(kubeadmDropIn(t))}}
	return unit
}

func kubeadmDropIn(t osprofile.Target) string {
	command := []string{
		"ExecStart=" + path.Join(t.Profile.BinDir, "kubelet"),
		"--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf",
		"--kubeconfig=/etc/kubernetes/kubelet.conf",
		"--config=/var/lib/kubelet/config.yaml",
		"$KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS",
	}
	lines := []string{"[Service]", "EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env"}
	if file := t.Profile.KubeletEnvironment; file != "" {
		lines = append(lines, "EnvironmentFile=-"+file)
	}
	return strings.Join(append(lines, "ExecStart=", strings.Join(command, " "), ""), "\n")
}
