// Package definitions checks the generated custom resource definitions of an API group.
package definitions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/yaml"
)

// Group is an API group.
type Group struct {
	// Dir is the directory of the group's kustomization. The definitions are in its directory bases.
	Dir string
	// Kinds are the kinds of the group.
	Kinds []string
	// Labels are the labels that the kustomization adds to each definition.
	Labels map[string]string
}

// Read returns the definitions of the group.
func (g Group) Read(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(g.Dir, "bases", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no definitions: %v", err)
	}
	var found []apiextensionsv1.CustomResourceDefinition
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &crd); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		found = append(found, crd)
	}
	return found
}

// Check runs the checks that hold for every group.
func Check(t *testing.T, g Group) {
	t.Helper()
	t.Run("names", g.checkNames)
	t.Run("labels", g.checkLabels)
	t.Run("sizes", g.checkSizes)
	t.Run("descriptions", g.checkDescriptions)
	t.Run("defaults", g.checkDefaults)
}

// checkNames checks the rule of the contract that a definition's name follows from group and kind.
func (g Group) checkNames(t *testing.T) {
	var kinds []string
	for _, crd := range g.Read(t) {
		if want := contract.CalculateCRDName(crd.Spec.Group, crd.Spec.Names.Kind); crd.Name != want {
			t.Errorf("%s has the name %s, and by the contract %s", crd.Spec.Names.Kind, crd.Name, want)
		}
		kinds = append(kinds, crd.Spec.Names.Kind)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(g.Kinds)), slices.Sorted(slices.Values(kinds))); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

// checkLabels checks the rule of both contracts that a definition's labels name its versions for each contract, and
// that the kustomization lists every definition.
func (g Group) checkLabels(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(g.Dir, "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var kustomization struct {
		Resources []string
		Labels    []struct{ Pairs map[string]string }
	}
	if err := yaml.Unmarshal(text, &kustomization); err != nil {
		t.Fatal(err)
	}
	if len(kustomization.Labels) != 1 || !cmp.Equal(g.Labels, kustomization.Labels[0].Pairs) {
		t.Errorf("labels: got %v, want %v", kustomization.Labels, g.Labels)
	}
	if got := len(g.Read(t)); len(kustomization.Resources) != got {
		t.Errorf("the kustomization lists %d of %d definitions", len(kustomization.Resources), got)
	}
}

// maxAnnotations is the limit of the API server for the annotations of an object, in bytes. kubectl apply stores the
// whole object as JSON in one of them.
const maxAnnotations = 256 << 10

func (g Group) checkSizes(t *testing.T) {
	for _, crd := range g.Read(t) {
		text, err := json.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) >= maxAnnotations {
			t.Errorf("%s: %d bytes of JSON; kubectl apply needs less than %d", crd.Name, len(text), maxAnnotations)
		}
	}
}

// checkDescriptions checks that kubectl explain describes each field in at least one sentence.
func (g Group) checkDescriptions(t *testing.T) {
	g.walk(t, func(path string, s apiextensionsv1.JSONSchemaProps) {
		// Items and values are described with their list or map, and the generator describes kind and apiVersion.
		isField := strings.Count(path, ".") > 1 && !strings.HasSuffix(path, "[]") && !strings.HasSuffix(path, "[*]")
		if isField && !strings.HasSuffix(s.Description, ".") {
			t.Errorf("%s: the description %q is not a sentence", path, s.Description)
		}
	})
}

// atCreation begins a rule that applies only to new objects: a name never changes, and an object that already has it
// has to be reconciled and deleted.
const atCreation = "oldSelf.hasValue() || "

// checkDefaults checks that the API server sets no defaults, which would conflict with server-side apply and roll
// templates out forever, and that no rule refuses a change of an existing object.
func (g Group) checkDefaults(t *testing.T) {
	g.walk(t, func(path string, s apiextensionsv1.JSONSchemaProps) {
		if s.Default != nil {
			t.Errorf("%s has a default", path)
		}
		for _, rule := range s.XValidations {
			rest, creation := strings.CutPrefix(rule.Rule, atCreation)
			if strings.Contains(rest, "oldSelf") {
				t.Errorf("%s compares with the past: %s", path, rule.Rule)
			}
			// has(self.metadata) is a field of the same name, such as that of a part of a value.
			if strings.Contains(rest, "self.metadata.") && !creation {
				t.Errorf("%s: an object of an earlier version could not be changed any more: %s", path, rest)
			}
		}
	})
}

// walk visits the schema of each field, with the kind and the path of the field.
func (g Group) walk(t *testing.T, visit func(string, apiextensionsv1.JSONSchemaProps)) {
	t.Helper()
	for _, crd := range g.Read(t) {
		for _, version := range crd.Spec.Versions {
			walk(crd.Spec.Names.Kind, *version.Schema.OpenAPIV3Schema, visit)
		}
	}
}

func walk(path string, s apiextensionsv1.JSONSchemaProps, visit func(string, apiextensionsv1.JSONSchemaProps)) {
	visit(path, s)
	for name, property := range s.Properties {
		walk(path+"."+name, property, visit)
	}
	if s.Items != nil && s.Items.Schema != nil {
		walk(path+"[]", *s.Items.Schema, visit)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		walk(path+"[*]", *s.AdditionalProperties.Schema, visit)
	}
}
