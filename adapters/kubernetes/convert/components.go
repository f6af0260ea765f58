package convert

import (
	"context"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// nameOnly resolves each reference to its own name. It looks up only optional references: without their object, or if
// it is empty, they resolve to nothing, as on the machines.
type nameOnly struct {
	Resolver
	required []Reference
}

// Resolve returns the name of the reference.
func (n nameOnly) Resolve(ctx context.Context, r Reference) ([]byte, error) {
	if !slices.Contains(n.required, r) {
		content, err := n.Resolver.Resolve(ctx, r)
		if err != nil {
			return nil, err //nolint:wrapcheck // the converter wraps it
		}
		if len(content) == 0 {
			return nil, ErrNotFound
		}
	}
	return []byte(r.String()), nil
}

// componentSettings converts the settings of the control plane components, and adds those of the hardening profile, as
// for the machine that initializes the cluster. kubeadm's configuration names the files with their contents and does
// not contain them. The findings are those of the machine's config. An error means that an optional reference could not
// be looked up.
func componentSettings(ctx context.Context, s *v1alpha1.MachineBootstrapConfigSpec, r Resolver) (
	node.ControlPlaneConfig, error,
) {
	c := newConverter(ctx, nameOnly{r, RequiredKeys(s)}, "")
	c.controlPlane(s.ControlPlane, "spec.bootstrap.controlPlane")
	c.add("spec.bootstrap.node", node.NodeConfig{Role: node.RoleInit})
	c.hardening(s.Hardening, "spec.bootstrap.hardening")
	docs, _ := hardening.Expand(c.Documents, osprofile.Target{})
	config, _, _ := document.First[node.ControlPlaneConfig](docs)
	return config, c.err
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
