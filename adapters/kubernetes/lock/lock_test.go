package lock_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/lock"
	"github.com/machineadm/machineadm/adapters/kubernetes/objects"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func newClient(t *testing.T) client.Client {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "default", Name: name} }
	return fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		&clusterv1.Cluster{ObjectMeta: meta("c1")}, &clusterv1.Machine{ObjectMeta: meta("m1")}, &clusterv1.Machine{ObjectMeta: meta("m2")},
	).Build()
}

func TestLockConforms(t *testing.T) {
	portstest.InitLock(t, func(t *testing.T) (ports.InitLock, func(string)) {
		c := newClient(t)
		return lock.New(c, objects.NewReader(c, c)), func(machine string) {
			gone := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: machine}}
			if err := c.Delete(t.Context(), gone); err != nil {
				t.Fatalf("delete machine: %v", err)
			}
		}
	})
}

func TestLockHasTheShapeOfTheKubeadmProviders(t *testing.T) {
	c := newClient(t)
	cluster := ports.Key{Namespace: "default", Name: "c1"}
	if _, err := lock.New(c, objects.NewReader(c, c)).Acquire(t.Context(), cluster, "m1"); err != nil {
		t.Fatalf("acquire: %v", err)
	}
	got := &corev1.ConfigMap{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1-lock"}, got); err != nil {
		t.Fatalf("get: %v", err)
	}
	want := map[string]string{"lock-information": `{"machineName":"m1"}`}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if got.Labels[clusterv1.ClusterNameLabel] != "c1" || len(got.OwnerReferences) != 1 || got.OwnerReferences[0].Kind != "Cluster" {
		t.Errorf("labels %v, owners %v", got.Labels, got.OwnerReferences)
	}
}

func TestInitializedClusterIsNotLocked(t *testing.T) {
	c := newClient(t)
	cluster := &clusterv1.Cluster{}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "c1"}, cluster); err != nil {
		t.Fatalf("get: %v", err)
	}
	cluster.Status.Conditions = []metav1.Condition{{Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue}}
	if err := c.Update(t.Context(), cluster); err != nil {
		t.Fatalf("update: %v", err)
	}
	_, err := lock.New(c, objects.NewReader(c, c)).Acquire(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, "m1")
	if !errors.Is(err, ports.ErrInitialized) {
		t.Errorf("error %v, want %v", err, ports.ErrInitialized)
	}
}
