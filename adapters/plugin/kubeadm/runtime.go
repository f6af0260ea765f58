package kubeadm

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// criSocket returns the endpoint of the container runtime that kubelet uses, or an empty text if only the machine knows
// it. kubeadm then detects it.
func (j *job) criSocket() string {
	switch endpoint := j.node.RuntimeEndpoint(); {
	case endpoint != "":
		return endpoint
	case expand.IsWindows(j.target.Target):
		return "npipe:////./pipe/containerd-containerd"
	case j.runtime == osprofile.RuntimeCRIO:
		return "unix:///var/run/crio/crio.sock"
	case j.runtime == osprofile.RuntimeContainerd:
		return "unix:///run/containerd/containerd.sock"
	default:
		return ""
	}
}

// checkRuntimeConfig finds an endpoint in kubelet's configuration that differs from the one that kubeadm passes to
// kubelet.
func (j *job) checkRuntimeConfig() {
	value, given := j.node.Kubelet.Config[node.FieldRuntimeEndpoint].(string)
	if endpoint := j.node.RuntimeEndpoint(); given && endpoint != "" && node.EndpointURL(value) != endpoint {
		j.find(report.Errorf(j.at.Field("kubelet").Field("config").Field(node.FieldRuntimeEndpoint),
			"kubeadm passes the endpoint %s to kubelet in place of this one", endpoint).
			To("keep one of them"))
	}
}

// idleRuntimes finds settings of a runtime that kubelet does not use: those of the second of two, and those of another
// runtime than the one at the endpoint that the node names.
func (j *job) idleRuntimes(others []document.Document) {
	for _, d := range others {
		if r := osprofile.RuntimeOf(d.Kind()); j.runtime != "" && r != "" && r != j.runtime {
			j.find(report.Warningf(j.registrationAt().Field("criSocket"),
				"kubelet uses %s, so that it does not see the settings of %s at %s", j.runtime, r, d.Source.Path).
				To("leave these out, or set the socket that kubelet uses here"))
		}
	}
}
