package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
)

// TestClusterConfigurationMistakes verifies that mistakes name the fields of a MachineadmControlPlane.
func TestClusterConfigurationMistakes(t *testing.T) {
	fact := node.ControlPlaneConfig{Scheduler: node.Component{Args: []node.Arg{
		{Name: "bind-address", Value: document.FromFact(document.FactPrivateIPv4)},
	}}}
	cases := map[string]struct {
		reason, version string
		config          node.ControlPlaneConfig
		path            string
	}{
		"version": {version: "v2.0.0", path: "spec.version"},
		"setting": {
			reason: "v1beta3 does not have it", version: "v1.30.1",
			path:   "spec.bootstrap.controlPlane.certificates.validityDays",
			config: node.ControlPlaneConfig{Certificates: node.Certificates{ValidityDays: 30}},
		},
		"fact": {
			reason: "only a machine knows it", version: "v1.36.3", config: fact, path: "spec.bootstrap.controlPlane",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings := kubeadm.ClusterConfiguration(tc.version, node.Cluster{Name: "c1"}, tc.config)
			if !findings.HasErrors() || !strings.HasPrefix(string(findings[0].Path), tc.path) {
				t.Errorf("findings %s: %s", findings, tc.reason)
			}
		})
	}
}
