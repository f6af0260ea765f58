package v1alpha1_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/test/definitions"
)

var (
	_ conditions.Setter = &v1alpha1.Host{}
	_ conditions.Setter = &v1alpha1.HostMachine{}
	_ conditions.Setter = &v1alpha1.HostCluster{}
)

// group is the group that the definitions are checked for.
func group() definitions.Group {
	return definitions.Group{
		Dir: "../../../../../config/hosts/crd",
		Kinds: []string{
			v1alpha1.HostKind, v1alpha1.MachineKind, v1alpha1.MachineTemplateKind, v1alpha1.ClusterKind,
			v1alpha1.ClusterTemplateKind,
		},
		Labels: map[string]string{
			"clusterctl.cluster.x-k8s.io": "",
			"cluster.x-k8s.io/provider":   "infrastructure-machineadm-hosts",
			"cluster.x-k8s.io/v1beta1":    v1alpha1.Version,
			"cluster.x-k8s.io/v1beta2":    v1alpha1.Version,
		},
	}
}

func TestDefinitions(t *testing.T) { definitions.Check(t, group()) }

// TestHostsAreMoved checks that clusterctl takes Hosts along, which no cluster owns.
func TestHostsAreMoved(t *testing.T) {
	for _, crd := range group().Read(t) {
		_, moved := crd.Labels["clusterctl.cluster.x-k8s.io/move"]
		if want := crd.Spec.Names.Kind == v1alpha1.HostKind; moved != want {
			t.Errorf("%s: the label for clusterctl move is %v, want %v", crd.Spec.Names.Kind, moved, want)
		}
	}
}

// TestScheme checks that each kind and its list are registered.
func TestScheme(t *testing.T) {
	s := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range group().Kinds {
		for _, name := range []string{kind, kind + "List"} {
			if !s.Recognizes(v1alpha1.GroupVersion().WithKind(name)) {
				t.Errorf("%s is not registered", name)
			}
		}
	}
}
