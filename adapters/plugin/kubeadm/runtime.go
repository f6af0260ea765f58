package kubeadm

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// criSocketOf returns the endpoint of the runtime.
func criSocketOf(t osprofile.Target, r osprofile.ContainerRuntime) string {
	if expand.IsWindows(t) {
		return "npipe:////./pipe/containerd-containerd"
	}
	if r == osprofile.RuntimeCRIO {
		return "unix:///var/run/crio/crio.sock"
	}
	return "unix:///run/containerd/containerd.sock"
}

// idleRuntimes finds settings of a runtime that kubelet does not use: those of the second of two, and those that an
// explicit socket leads past.
func (j *job) idleRuntimes(others []document.Document) {
	used := j.runtime
	if socket := j.node.Registration.CRISocket; socket != "" {
		used = osprofile.RuntimeBehind(socket)
	}
	for _, d := range others {
		if r := osprofile.RuntimeOf(d.Kind()); used != "" && r != "" && r != used {
			j.find(report.Warningf(j.registrationAt().Field("criSocket"),
				"kubelet uses %s, so that it does not see the settings of %s at %s", used, r, d.Source.Path).
				To("leave these out, or set the socket that kubelet uses here"))
		}
	}
}
