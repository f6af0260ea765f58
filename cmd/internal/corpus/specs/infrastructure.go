package specs

import (
	"strings"

	"sigs.k8s.io/yaml"
)

// tree is an object or a part of one.
type tree map[string]any

// at returns the text at a path, or an empty one.
func (t tree) at(path ...string) string {
	for _, key := range path[:len(path)-1] {
		t = t.in(key)
	}
	text, _ := t[path[len(path)-1]].(string)
	return text
}

func (t tree) in(key string) tree {
	inner, _ := t[key].(map[string]any)
	return inner
}

func (t tree) list(key string) []tree {
	var out []tree
	elements, _ := t[key].([]any)
	for _, e := range elements {
		inner, _ := e.(map[string]any)
		out = append(out, inner)
	}
	return out
}

// Infrastructure returns the kind of the machines that the file combines with the spec, such as AWSMachine. It is empty
// if there are none in the file.
func Infrastructure(s Spec) string {
	for _, d := range Documents(s.File) {
		var o tree
		if err := yaml.Unmarshal([]byte(d.Text), &o); err != nil {
			continue
		}
		if kind := o.infrastructure(s); kind != "" {
			return strings.TrimSuffix(kind, "Template")
		}
	}
	return ""
}

func (t tree) infrastructure(s Spec) string {
	spec := t.in("spec")
	switch t.at("kind") {
	case "KubeadmControlPlane":
		if s.Kind != t.at("kind") || t.in("metadata").at("name") != s.Name {
			return ""
		}
		machine := spec.in("machineTemplate")
		return machine.at("infrastructureRef", "kind") + machine.at("spec", "infrastructureRef", "kind")
	case "MachineDeployment", "MachineSet", "MachinePool":
		return spec.in("template").in("spec").machine(s)
	case "Machine":
		return spec.machine(s)
	case "ClusterClass":
		return spec.class(s)
	default:
		return ""
	}
}

// machine returns the kind of a Machine's spec that refers to the config.
func (t tree) machine(s Spec) string {
	if t.at("bootstrap", "configRef", "kind") != s.Kind || t.at("bootstrap", "configRef", "name") != s.Name {
		return ""
	}
	return t.at("infrastructureRef", "kind")
}

// class returns the kind of a part of a ClusterClass that refers to the template.
func (t tree) class(s Spec) string {
	plane := t.in("controlPlane")
	if reference(plane).at("name") == s.Name && reference(plane).at("kind") == s.Kind {
		return reference(plane.in("machineInfrastructure")).at("kind")
	}
	for _, list := range []string{"machineDeployments", "machinePools"} {
		for _, class := range t.in("workers").list(list) {
			if class.in("template") != nil {
				class = class.in("template")
			}
			if reference(class.in("bootstrap")).at("name") == s.Name {
				return reference(class.in("infrastructure")).at("kind")
			}
		}
	}
	return ""
}

// reference returns a reference of v1beta1 or v1beta2.
func reference(t tree) tree {
	if ref := t.in("templateRef"); ref != nil {
		return ref
	}
	return t.in("ref")
}
