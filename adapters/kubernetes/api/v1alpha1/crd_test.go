package v1alpha1_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

var (
	_ conditions.Getter = &v1alpha1.MachineBootstrapConfig{}
	_ conditions.Setter = &v1alpha1.MachineBootstrapConfig{}
)

// definitions reads the generated definitions.
func definitions(t *testing.T) []apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	paths, err := filepath.Glob("../../../../config/crd/bases/*.yaml")
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

// TestDefinitionNames holds the rule of the contract that a definition's name follows from group and kind.
func TestDefinitionNames(t *testing.T) {
	var kinds []string
	for _, crd := range definitions(t) {
		if want := contract.CalculateCRDName(crd.Spec.Group, crd.Spec.Names.Kind); crd.Name != want {
			t.Errorf("%s is called %s, and the contract calls it %s", crd.Spec.Names.Kind, crd.Name, want)
		}
		kinds = append(kinds, crd.Spec.Names.Kind)
	}
	want := []string{v1alpha1.ConfigKind, v1alpha1.TemplateKind, v1alpha1.S3StorageKind, v1alpha1.EndpointStorageKind}
	for _, p := range v1alpha1.Plugins() {
		want = append(want, v1alpha1.PluginKind(p), v1alpha1.PluginKind(p)+"Template")
	}
	slices.Sort(want)
	slices.Sort(kinds)
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

// maxAnnotations is the limit of the API server for the annotations of an object, in bytes. kubectl apply stores the
// whole object as JSON in one of them.
const maxAnnotations = 256 << 10

func TestDefinitionsFitIntoKubectlApply(t *testing.T) {
	for _, crd := range definitions(t) {
		text, err := json.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) >= maxAnnotations {
			t.Errorf("%s: %d bytes of JSON; kubectl apply needs less than %d", crd.Name, len(text), maxAnnotations)
		}
	}
}

// TestEveryFieldHasADescription holds that kubectl explain describes each field in at least one sentence.
func TestEveryFieldHasADescription(t *testing.T) {
	for _, crd := range definitions(t) {
		for _, version := range crd.Spec.Versions {
			for _, name := range []string{"spec", "status"} {
				part, exists := version.Schema.OpenAPIV3Schema.Properties[name]
				if !exists {
					continue
				}
				walk(crd.Spec.Names.Kind+"."+name, part, func(path string, s apiextensionsv1.JSONSchemaProps) {
					// Items and values are described with their list or map.
					isField := !strings.HasSuffix(path, "[]") && !strings.HasSuffix(path, "[*]")
					if isField && !strings.HasSuffix(s.Description, ".") {
						t.Errorf("%s: the description %q is not a sentence", path, s.Description)
					}
				})
			}
		}
	}
}

// TestDefinitionLabels checks the rule of both contracts that a definition's labels name its versions for each
// contract.
func TestDefinitionLabels(t *testing.T) {
	text, err := os.ReadFile("../../../../config/crd/kustomization.yaml")
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
	want := map[string]string{
		"cluster.x-k8s.io/provider": "bootstrap-machineadm",
		"cluster.x-k8s.io/v1beta1":  v1alpha1.Version,
		"cluster.x-k8s.io/v1beta2":  v1alpha1.Version,
	}
	if len(kustomization.Labels) != 1 || !cmp.Equal(want, kustomization.Labels[0].Pairs) {
		t.Errorf("labels: got %v, want %v", kustomization.Labels, want)
	}
	if got := len(definitions(t)); len(kustomization.Resources) != got {
		t.Errorf("%d of %d definitions are listed", len(kustomization.Resources), got)
	}
}

// TestStoragesAreMoved holds that clusterctl takes storages along, which no cluster owns.
func TestStoragesAreMoved(t *testing.T) {
	for _, crd := range definitions(t) {
		_, moved := crd.Labels["clusterctl.cluster.x-k8s.io/move"]
		if strings.HasSuffix(crd.Spec.Names.Kind, "BootstrapStorage") && !moved {
			t.Errorf("%s stays behind", crd.Spec.Names.Kind)
		}
	}
}

// atCreation begins a rule that holds for new objects alone: a name never changes, and an object that has it already
// has to be reconciled and deleted.
const atCreation = "oldSelf.hasValue() || "

// TestDefinitionsDefaultNothing keeps the API server from filling in fields, which would fight server-side apply and
// roll templates out for ever.
func TestDefinitionsDefaultNothing(t *testing.T) {
	for _, crd := range definitions(t) {
		for _, version := range crd.Spec.Versions {
			walk(crd.Spec.Names.Kind, *version.Schema.OpenAPIV3Schema, func(path string, s apiextensionsv1.JSONSchemaProps) {
				if s.Default != nil {
					t.Errorf("%s has a default", path)
				}
				for _, rule := range s.XValidations {
					rest, creation := strings.CutPrefix(rule.Rule, atCreation)
					if strings.Contains(rest, "oldSelf") {
						t.Errorf("%s compares with the past: %s", path, rule.Rule)
					}
					if strings.Contains(rest, "self.metadata") && !creation {
						t.Errorf("%s: an object of an earlier version could not be changed any more: %s", path, rest)
					}
				}
			})
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

// TestScheme finds out that each kind and its list are known.
func TestScheme(t *testing.T) {
	s := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	kinds := []string{
		v1alpha1.ConfigKind, v1alpha1.ConfigKind + "List", v1alpha1.TemplateKind,
		v1alpha1.TemplateKind + "List",
	}
	for _, p := range v1alpha1.Plugins() {
		kind := v1alpha1.PluginKind(p)
		kinds = append(kinds, kind, kind+"List", kind+"Template", kind+"TemplateList")
	}
	for _, kind := range kinds {
		if !s.Recognizes(v1alpha1.GroupVersion().WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
}

// TestContractVersions holds the rule of clusterctl that the contract of metadata.yaml is one of the labels'.
// clusterctl below 1.11 knows no v1beta2 and refuses to install the provider; the controller needs the v1beta2 API of
// 1.11.
func TestContractVersions(t *testing.T) {
	text, err := os.ReadFile("../../../../config/clusterctl/metadata.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var metadata struct{ ReleaseSeries []struct{ Contract string } }
	if err := yaml.Unmarshal(text, &metadata); err != nil {
		t.Fatal(err)
	}
	if len(metadata.ReleaseSeries) == 0 {
		t.Error("metadata.yaml has no release series")
	}
	for _, series := range metadata.ReleaseSeries {
		if series.Contract != clusterv1.GroupVersion.Version {
			t.Errorf("a release series has contract %s, and the controller reads %s", series.Contract, clusterv1.GroupVersion)
		}
	}
}
