package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/test/programs"
)

// schema is the part of an OpenAPI schema that limits values. It is in definitions and in variables of ClusterClasses.
type schema struct {
	Type       string            `json:"type"`
	Pattern    string            `json:"pattern"`
	MinLength  int               `json:"minLength"`
	MaxLength  *int              `json:"maxLength"`
	MaxItems   *int              `json:"maxItems"`
	Minimum    *int              `json:"minimum"`
	Maximum    *int              `json:"maximum"`
	Enum       []string          `json:"enum"`
	Items      *schema           `json:"items"`
	Properties map[string]schema `json:"properties"`
}

// at returns the schema of a field; [] are the items of a list.
func (s schema) at(t *testing.T, path string) schema {
	t.Helper()
	for name := range strings.SplitSeq(path, ".") {
		next, found := s.Properties[name]
		if name == "[]" && s.Items != nil {
			next, found = *s.Items, true
		}
		if !found {
			t.Fatalf("there is no field %s of %s", name, path)
		}
		s = next
	}
	return s
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root(), path))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n---\n")
	if err := yaml.Unmarshal([]byte(first), into); err != nil {
		t.Fatal(err)
	}
}

// TestVariablesHaveTheLimitsOfTheirFields compares the variables of the ClusterClass with the fields that its patches
// set. A Cluster with a larger value is then refused with the name of the variable; otherwise the patched template is
// refused when the Cluster exists.
func TestVariablesHaveTheLimitsOfTheirFields(t *testing.T) {
	var class struct {
		Spec struct {
			Variables []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema schema }
			}
		}
	}
	readYAML(t, "config/clusterctl/clusterclass-machineadm.yaml", &class)
	var definition struct {
		Spec struct {
			Versions []struct {
				Schema struct{ OpenAPIV3Schema schema }
			}
		}
	}
	readYAML(t, "config/crd/bases/bootstrap.machineadm.io_machinebootstrapconfigs.yaml", &definition)
	spec := definition.Spec.Versions[0].Schema.OpenAPIV3Schema.at(t, "spec")
	fields := map[string]string{
		"os": "os", "kubernetes": "machine.kubernetes", "sshUser": "machine.users.[].name",
		"sshAuthorizedKeys": "machine.users.[].sshAuthorizedKeys", "virtualIP": "controlPlane.virtualIP",
		"certSANs": "controlPlane.apiServer.certSANs", "imageRepository": "controlPlane.imageRepository",
		"timeServers": "machine.timeSync.servers", "proxy": "machine.proxy",
	}
	for _, v := range class.Spec.Variables {
		s := v.Schema.OpenAPIV3Schema
		if path, hasField := fields[v.Name]; hasField {
			compareLimits(t, v.Name, s, spec.at(t, path))
		} else if s.Type != "integer" || s.Minimum == nil || s.Maximum == nil {
			t.Errorf("%s has no field to compare with, and no limits", v.Name)
		}
		delete(fields, v.Name)
	}
	if len(fields) > 0 {
		t.Errorf("there are no variables for %v", fields)
	}
}

func compareLimits(t *testing.T, name string, variable, field schema) {
	t.Helper()
	if variable.Type != field.Type {
		t.Errorf("%s is of type %s, its field of type %s", name, variable.Type, field.Type)
	}
	if variable.MinLength < field.MinLength || exceeds(variable.MaxLength, field.MaxLength) ||
		exceeds(variable.MaxItems, field.MaxItems) {
		t.Errorf("%s accepts values that are shorter or longer than those of its field", name)
	}
	if variable.Pattern == "" && field.Pattern != "" || len(variable.Enum) != len(field.Enum) {
		t.Errorf("%s accepts values with other characters, or other names, than its field", name)
	}
	for property, s := range variable.Properties {
		compareLimits(t, name+"."+property, s, field.at(t, property))
	}
	if variable.Items != nil {
		compareLimits(t, name+"[]", *variable.Items, field.at(t, "[]"))
	}
}

// exceeds reports whether a limit is missing or larger than that of the field.
func exceeds(variable, field *int) bool {
	return field != nil && (variable == nil || *variable > *field)
}
