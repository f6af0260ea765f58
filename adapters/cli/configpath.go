package cli

import (
	"strings"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/report"
)

// configSpec is the path of the spec in a MachineBootstrapConfig.
const configSpec = "spec"

// outsideConfig is the prefix of paths that are not in the part of the object that describes the machine. It
// distinguishes them from the paths of a config.
const outsideConfig = "object:"

// specPath returns the path of the spec of a MachineBootstrapConfig in an object of the kind.
func specPath(kind string) report.Path {
	switch kind {
	case v1alpha1.TemplateKind:
		return "spec.template.spec"
	case controlplanev1.Kind:
		return "spec.bootstrap"
	case controlplanev1.TemplateKind:
		return "spec.template.spec.bootstrap"
	default:
		return configSpec
	}
}

// pathInConfig returns the path in a config for a path in the machine's object.
func (m *machine) pathInConfig(p report.Path) report.Path {
	spec := specPath(m.config.Kind)
	switch {
	case p == "" || spec == configSpec:
		return p
	case p.Under(spec):
		return configSpec + p[len(spec):]
	default:
		return outsideConfig + p
	}
}

// path returns the path in the machine's object for a path in a config, or for one of pathInConfig.
func (m *machine) path(p report.Path) report.Path {
	if outside, ok := strings.CutPrefix(string(p), outsideConfig); ok {
		return report.Path(outside)
	}
	spec := specPath(m.config.Kind)
	if p == "" || p.Under(spec) || !p.Under(configSpec) {
		return p
	}
	return spec + p[len(configSpec):]
}
