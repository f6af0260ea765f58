package capi_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
)

// The kind of the infrastructure object is known of a machine and of a pool of them.
func TestOwnerNamesItsInfrastructure(t *testing.T) {
	pool := &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
	pool.Spec.Template.Spec.InfrastructureRef.Kind = "AWSMachinePool"
	pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("c")
	machine := &clusterv1.Machine{ObjectMeta: objectMeta("m")}
	machine.Spec.InfrastructureRef.Kind = "AWSMachine"
	machine.Spec.Bootstrap.ConfigRef = refTo("c")
	for want, owner := range map[string]client.Object{"AWSMachine": machine, "AWSMachinePool": pool} {
		scheme := runtime.NewScheme()
		if err := clusterv1.AddToScheme(scheme); err != nil {
			t.Fatal(err)
		}
		kinds, _, err := scheme.ObjectKinds(owner)
		if err != nil {
			t.Fatal(err)
		}
		c := machineConfig("c", "debian")
		c.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: kinds[0].Kind,
			Name: owner.GetName(),
		}}
		got, err := capi.NewLookup(fake.NewClientBuilder().WithScheme(scheme).WithObjects(owner).Build()).
			Owner(t.Context(), c)
		if err != nil || got == nil || got.Facts.Infrastructure != want {
			t.Errorf("%s: %+v %v", want, got, err)
		}
	}
}

func refTo(name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: name}
}

// TestAnOwnerNamesItsConfig holds that an owner reference alone makes nobody the config of a machine: who writes
// configs writes those, too.
func TestAnOwnerNamesItsConfig(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := clusterv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	machine, pool := &clusterv1.Machine{ObjectMeta: objectMeta("m")}, &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
	machine.Spec.Bootstrap.ConfigRef, pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("c"), refTo("c")
	other := &clusterv1.Machine{ObjectMeta: objectMeta("kubeadm")}
	other.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "bootstrap.cluster.x-k8s.io",
		Kind:     "KubeadmConfig", Name: "c",
	}
	lookup := capi.NewLookup(fake.NewClientBuilder().WithScheme(scheme).WithObjects(machine, pool, other).Build())
	cases := map[string]struct {
		reason, config, kind, owner string
		published                   bool
		want                        string
	}{
		"named":    {"the machine names it", "c", "Machine", "m", false, "m"},
		"stranger": {"the machine names another", "evil", "Machine", "m", false, ""},
		"late stranger": {
			"a status is no proof for a machine, whose config never changes", "evil", "Machine",
			"m", true, "",
		},
		"other provider": {"the machine names a config of another kind", "c", "Machine", "kubeadm", false, ""},
		"pool":           {"the pool names it", "c", "MachinePool", "p", false, "p"},
		"pool's other":   {"the pool names another", "evil", "MachinePool", "p", false, ""},
		"pool's old":     {"machines of the pool may boot with the data before", "old", "MachinePool", "p", true, "p"},
		"gone":           {"there is none", "c", "Machine", "x", false, ""},
		"set":            {"a set has no data", "c", "MachineSet", "m", false, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machineConfig(tc.config, "debian")
			c.Status.Initialization.DataSecretCreated = &tc.published
			c.OwnerReferences = []metav1.OwnerReference{
				{APIVersion: "example.com/v1", Kind: "Machine", Name: "m"}, {
					APIVersion: clusterv1.GroupVersion.String(),
					Kind:       tc.kind, Name: tc.owner,
				},
			}
			got, err := lookup.Owner(t.Context(), c)
			if err != nil || (got == nil) != (tc.want == "") || got != nil && got.Object.GetName() != tc.want {
				t.Errorf("%+v %v: %s", got, err, tc.reason)
			}
		})
	}
}
