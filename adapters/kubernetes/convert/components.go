package convert

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// nameOnly resolves each reference to its own name.
type nameOnly struct{}

// Resolve returns the name of the reference.
func (nameOnly) Resolve(_ context.Context, r Reference) ([]byte, error) {
	return []byte(r.String()), nil
}

// componentSettings converts the settings of the control plane components, and adds those of the hardening profile, as
// for the machine that initializes the cluster. kubeadm's configuration names the files with their contents and does
// not contain them. The findings are those of the machine's config.
func componentSettings(ctx context.Context, s *v1alpha1.MachineBootstrapConfigSpec) node.ControlPlaneConfig {
	c := newConverter(ctx, nameOnly{}, "")
	c.controlPlane(s.ControlPlane, "spec.bootstrap.controlPlane")
	c.add("spec.bootstrap.node", node.NodeConfig{Role: node.RoleInit})
	c.hardening(s.Hardening, "spec.bootstrap.hardening")
	docs, _ := hardening.Expand(c.Documents, osprofile.Target{})
	config, _, _ := document.First[node.ControlPlaneConfig](docs)
	return config
}

// CheckControlPlanePlugins returns error findings for plugins in the spec at the path that configure control plane
// components. Machines that join read these settings from the workload cluster, where the control plane writes those of
// its spec, which does not contain the settings of plugins.
func CheckControlPlanePlugins(s *v1alpha1.MachineBootstrapConfigSpec, p report.Path) report.Report {
	fields := map[string]string{"ControlPlaneConfig": "controlPlane", "HardeningConfig": "hardening"}
	var found report.Report
	for _, r := range Plugins(s, p) {
		field := fields[strings.TrimSuffix(r.Kind, composition.TemplateSuffix)]
		if r.Group == v1alpha1.Group && field != "" {
			found = append(found, report.Errorf(r.At, "machines that join a control plane would not have the settings of a %s",
				r.Kind).To("remove it, and set spec.bootstrap.%s", field))
		}
	}
	return found
}
