package migrate

import (
	"slices"
)

// link names a bootstrap or control plane object and the infrastructure object of the same machines.
type link struct{ kind, name, infraKind, infraName string }

// linkPaths are the paths of the references to both in objects of Cluster API: in Machines, in their sets, deployments
// and pools, in control planes, and in the classes of a ClusterClass of v1beta2 and v1beta1.
func linkPaths() [][2]string {
	return [][2]string{
		{"spec.bootstrap.configRef", "spec.infrastructureRef"},
		{"spec.template.spec.bootstrap.configRef", "spec.template.spec.infrastructureRef"},
		{"", "spec.machineTemplate.infrastructureRef"},
		{"", "spec.machineTemplate.spec.infrastructureRef"},
		{"spec.controlPlane.templateRef", "spec.controlPlane.machineInfrastructure.templateRef"},
		{"spec.controlPlane.ref", "spec.controlPlane.machineInfrastructure.ref"},
	}
}

// classPaths are those in the classes of workers.
func classPaths() [][2]string {
	return [][2]string{
		{"bootstrap.templateRef", "infrastructure.templateRef"},
		{"template.bootstrap.ref", "template.infrastructure.ref"},
	}
}

// linksOf returns the links of all documents. It runs before references are rewritten.
func linksOf(documents []*manifest) []link {
	var out []link
	for _, d := range documents {
		if d.root == nil {
			continue
		}
		out = appendLinks(out, d, d.field(), linkPaths())
		for _, group := range []string{"machineDeployments", "machinePools"} {
			for _, class := range d.field().get("spec", "workers", group).items() {
				out = appendLinks(out, d, class, classPaths())
			}
		}
	}
	return out
}

func appendLinks(out []link, d *manifest, f field, paths [][2]string) []link {
	for _, p := range paths {
		infra := f.get(splitPath(p[1])...)
		if !infra.exists() {
			continue
		}
		l := link{kind: d.kind(), name: d.name()}
		if p[0] != "" {
			config := f.get(splitPath(p[0])...)
			l.kind, l.name = config.get("kind").text(), config.get("name").text()
		}
		l.infraKind, l.infraName = infra.get("kind").text(), infra.get("name").text()
		out = append(out, l)
	}
	return out
}

// machinesOf returns the infrastructure objects of the machines of a bootstrap or control plane object.
func (c *conversion) machinesOf(d *manifest) []*manifest {
	var out []*manifest
	for _, l := range c.links {
		if l.name != d.name() || l.kind != d.kind() {
			continue
		}
		i := slices.IndexFunc(c.documents, func(m *manifest) bool {
			return m.root != nil && m.kind() == l.infraKind && m.name() == l.infraName
		})
		if i >= 0 {
			out = append(out, c.documents[i])
		}
	}
	return out
}
