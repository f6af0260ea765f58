package convert

import (
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/report"
)

// Plugins returns the plugins, and the templates of plugins, that a spec at the path names.
func Plugins(s *v1alpha1.MachineBootstrapConfigSpec, p report.Path) []composition.Reference {
	refs := references(s.PluginRefs, p.Field("pluginRefs"), false)
	return append(refs, references(s.PluginTemplateRefs, p.Field("pluginTemplateRefs"), true)...)
}

func references(list []v1alpha1.PluginReference, p report.Path, template bool) []composition.Reference {
	var refs []composition.Reference
	for i, r := range list {
		refs = append(refs, composition.Reference{
			ID: composition.ID{Group: r.APIGroup, Kind: r.Kind, Name: r.Name}, Template: template, At: p.Index(i),
		})
	}
	return refs
}
