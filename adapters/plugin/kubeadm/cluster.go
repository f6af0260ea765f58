package kubeadm

import (
	"errors"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// ClusterConfiguration returns the ClusterConfiguration of a machine with the role Init, in JSON. kubeadm join reads it
// from the cluster, so it must follow the specification of a control plane. Arguments must not contain facts, which
// only a machine knows.
func ClusterConfiguration(version string, network node.Cluster, config node.ControlPlaneConfig,
) ([]byte, report.Report) {
	const at, source = report.Path("spec.bootstrap"), report.Path("spec.bootstrap.controlPlane")
	api, problem := versionOf(version, "spec.version")
	if problem != nil {
		return nil, problem
	}
	j := job{
		node: node.NodeConfig{Role: node.RoleInit, KubernetesVersion: version, Cluster: network}, at: at,
		controlPlane: &config, controlPlaneSource: source, api: api,
	}
	j.checkNames()
	text, err := encode(j.cluster())
	if err == nil && j.facts.placed > 0 {
		err = errors.New("an argument contains a fact")
	}
	if err != nil {
		return nil, report.Report{report.Errorf(source, "the configuration cannot be written: %v", err)}
	}
	return text, j.found
}
