package clusterlookup_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/clusterlookup"
)

// The kind of the infrastructure object is known of a machine and of a pool of them.
func TestOwnerNamesItsInfrastructure(t *testing.T) {
	pool := &clusterv1.MachinePool{ObjectMeta: meta("p")}
	pool.Spec.Template.Spec.InfrastructureRef.Kind = "AWSMachinePool"
	machine := &clusterv1.Machine{ObjectMeta: meta("m")}
	machine.Spec.InfrastructureRef.Kind = "AWSMachine"
	for want, owner := range map[string]client.Object{"AWSMachine": machine, "AWSMachinePool": pool} {
		scheme := runtime.NewScheme()
		if err := clusterv1.AddToScheme(scheme); err != nil {
			t.Fatal(err)
		}
		kinds, _, err := scheme.ObjectKinds(owner)
		if err != nil {
			t.Fatal(err)
		}
		c := config("c", "debian")
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: clusterv1.GroupVersion.String(), Kind: kinds[0].Kind, Name: owner.GetName()}}
		got, err := clusterlookup.New(fake.NewClientBuilder().WithScheme(scheme).WithObjects(owner).Build()).Owner(t.Context(), c)
		if err != nil || got == nil || got.Facts.Infrastructure != want {
			t.Errorf("%s: %+v %v", want, got, err)
		}
	}
}
