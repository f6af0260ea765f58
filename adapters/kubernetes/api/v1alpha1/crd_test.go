package v1alpha1_test

import (
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/definitions"
)

var (
	_ conditions.Getter = &v1alpha1.MachineBootstrapConfig{}
	_ conditions.Setter = &v1alpha1.MachineBootstrapConfig{}
)

// group is the group that the definitions are checked for.
func group() definitions.Group {
	kinds := []string{
		v1alpha1.ConfigKind, v1alpha1.TemplateKind, v1alpha1.S3StorageKind, v1alpha1.EndpointStorageKind,
	}
	for _, p := range v1alpha1.Plugins() {
		kinds = append(kinds, v1alpha1.PluginKind(p), v1alpha1.PluginKind(p)+"Template")
	}
	return definitions.Group{
		Dir: "../../../../config/crd", Kinds: kinds, Labels: map[string]string{
			"clusterctl.cluster.x-k8s.io": "",
			"cluster.x-k8s.io/provider":   "bootstrap-machineadm",
			"cluster.x-k8s.io/v1beta1":    v1alpha1.Version,
			"cluster.x-k8s.io/v1beta2":    v1alpha1.Version,
		},
	}
}

func TestDefinitions(t *testing.T) { definitions.Check(t, group()) }

// TestStoragesAreMoved holds that clusterctl takes storages along, which no cluster owns.
func TestStoragesAreMoved(t *testing.T) {
	for _, crd := range group().Read(t) {
		_, moved := crd.Labels["clusterctl.cluster.x-k8s.io/move"]
		if strings.HasSuffix(crd.Spec.Names.Kind, "BootstrapStorage") && !moved {
			t.Errorf("%s stays behind", crd.Spec.Names.Kind)
		}
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
