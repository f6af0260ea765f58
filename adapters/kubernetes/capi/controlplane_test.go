package capi_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

func objectMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: "c1"}}
}

// controlPlaneMachine returns a control plane machine of the given age, whose config has the given kind and the
// machine's name.
func controlPlaneMachine(name string, age time.Duration, kind string,
	change ...func(*clusterv1.Machine),
) *clusterv1.Machine {
	m := &clusterv1.Machine{ObjectMeta: objectMeta(name), Spec: clusterv1.MachineSpec{
		ClusterName: "c1",
		Version:     "v1.36.3",
	}}
	m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	m.CreationTimestamp = metav1.NewTime(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC).Add(-age))
	m.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "bootstrap.cluster.x-k8s.io",
		Kind:     kind, Name: name,
	}
	if kind == v1alpha1.ConfigKind {
		m.Spec.Bootstrap.ConfigRef.APIGroup = v1alpha1.Group
	}
	for _, c := range change {
		c(m)
	}
	return m
}

func machineConfig(name, distribution string) *v1alpha1.MachineBootstrapConfig {
	c := &v1alpha1.MachineBootstrapConfig{ObjectMeta: objectMeta(name)}
	c.Spec.OS.Distribution = distribution
	return c
}

func deleting(m *clusterv1.Machine) {
	now := metav1.Now()
	m.DeletionTimestamp, m.Finalizers = &now, []string{"test/wait"}
}

func clusterFacts(t *testing.T, cluster *clusterv1.Cluster, objects ...client.Object) ports.Cluster {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clusterv1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatalf("add to scheme: %v", err)
		}
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(cluster).WithObjects(objects...).
		WithIndex(&clusterv1.Machine{}, capi.ControlPlaneIndex, capi.ControlPlaneOf).Build()
	f, err := capi.NewLookup(c).Cluster(t.Context(), ports.Key(client.ObjectKeyFromObject(cluster)))
	if err != nil {
		t.Fatalf("facts: %v", err)
	}
	return f
}

func TestControlPlaneType(t *testing.T) {
	const ours = v1alpha1.ConfigKind
	cases := map[string]struct {
		reason  string
		cluster func(*clusterv1.Cluster)
		objects []client.Object
		want    node.ControlPlaneType
	}{
		"nothing": {reason: "an empty cluster is kubeadm's", want: node.ControlPlaneKubeadm},
		"annotation": {
			reason: "the annotation goes first",
			cluster: func(
				c *clusterv1.Cluster,
			) {
				c.Annotations = map[string]string{ports.ControlPlaneTypeAnnotation: "Talos"}
			},
			objects: []client.Object{controlPlaneMachine("a", 0, "KubeadmConfig")}, want: node.ControlPlaneTalos,
		},
		"provider": {
			reason: "then the kind of the control plane",
			cluster: func(c *clusterv1.Cluster) {
				c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
					Kind:     "TalosControlPlane",
					APIGroup: "controlplane.cluster.x-k8s.io", Name: "c1",
				}
			},
			want: node.ControlPlaneTalos,
		},
		"own provider": {
			reason: "the machines of our own control planes boot any operating system",
			cluster: func(c *clusterv1.Cluster) {
				c.Spec.ControlPlaneRef = clusterv1.ContractVersionedObjectReference{
					Kind: "MachineadmControlPlane", APIGroup: "controlplane.machineadm.io", Name: "c1",
				}
			},
			objects: []client.Object{controlPlaneMachine("a", 0, ours), machineConfig("a", "talos")},
			want:    node.ControlPlaneTalos,
		},
		"oldest": {
			reason: "then the oldest machine, whatever its name",
			objects: []client.Object{
				controlPlaneMachine("a", time.Minute, ours), machineConfig("a", "ubuntu"),
				controlPlaneMachine("b", time.Hour, ours),
				machineConfig("b", "talos"),
			},
			want: node.ControlPlaneTalos,
		},
		"same age": {
			reason: "of machines made in one second the first by name",
			objects: []client.Object{
				controlPlaneMachine("b", 0, ours), machineConfig("b", "talos"), controlPlaneMachine("a", 0, ours),
				machineConfig("a", "ubuntu"),
			},
			want: node.ControlPlaneKubeadm,
		},
		"going": {
			reason: "a machine that is being deleted is no evidence",
			objects: []client.Object{
				controlPlaneMachine("a", time.Hour, ours, deleting), machineConfig("a", "ubuntu"),
				controlPlaneMachine("b", 0, ours), machineConfig("b", "talos"),
			},
			want: node.ControlPlaneTalos,
		},
		"config to come": {
			reason: "a machine without its config yet is no evidence",
			objects: []client.Object{
				controlPlaneMachine("a", time.Hour, ours), controlPlaneMachine("b", 0, ours),
				machineConfig("b", "talos"),
			},
			want: node.ControlPlaneTalos,
		},
		"others": {
			reason: "the kind of the config is evidence about a machine of another provider",
			objects: []client.Object{
				controlPlaneMachine("a", time.Hour, "TalosConfig"), controlPlaneMachine("b", 0, ours),
				machineConfig("b", "ubuntu"),
			},
			want: node.ControlPlaneTalos,
		},
		"another cluster": {
			reason: "machines of other clusters do not count",
			objects: []client.Object{controlPlaneMachine("a", 0, "TalosConfig",
				func(m *clusterv1.Machine) { m.Spec.ClusterName = "c2" })},
			want: node.ControlPlaneKubeadm,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cluster := &clusterv1.Cluster{ObjectMeta: objectMeta("c1")}
			if tc.cluster != nil {
				tc.cluster(cluster)
			}
			if got := bootstrap.DetectControlPlane(clusterFacts(t, cluster, tc.objects...).ControlPlane); got.Type != tc.want {
				t.Errorf("%+v, want %s: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func TestAddressesOfTheControlPlane(t *testing.T) {
	at := func(list ...clusterv1.MachineAddress) func(*clusterv1.Machine) {
		return func(m *clusterv1.Machine) { m.Status.Addresses = list }
	}
	a := controlPlaneMachine("a", 0, "KubeadmConfig", at(
		clusterv1.MachineAddress{Type: clusterv1.MachineHostName, Address: "a"},
		clusterv1.MachineAddress{Type: clusterv1.MachineInternalIP, Address: "10.0.0.1"},
		clusterv1.MachineAddress{Type: clusterv1.MachineExternalIP, Address: "192.0.2.9"},
	))
	b := controlPlaneMachine("b", 0, "KubeadmConfig", at(clusterv1.MachineAddress{
		Type:    clusterv1.MachineInternalIP,
		Address: "10.0.0.1",
	}))
	got := clusterFacts(t, &clusterv1.Cluster{ObjectMeta: objectMeta("c1")}, a, b)
	if diff := cmp.Diff([]string{"10.0.0.1", "192.0.2.9"}, got.Addresses); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

func TestOldestVersionOfTheControlPlane(t *testing.T) {
	version := func(v string) func(*clusterv1.Machine) { return func(m *clusterv1.Machine) { m.Spec.Version = v } }
	got := clusterFacts(t, &clusterv1.Cluster{ObjectMeta: objectMeta("c1")},
		controlPlaneMachine("a", 0, "KubeadmConfig"), controlPlaneMachine("b", 0, "KubeadmConfig", version("v1.35.9")),
		controlPlaneMachine("c", 0, "KubeadmConfig", version("v1.34.0"), deleting),
		controlPlaneMachine("d", 0, "KubeadmConfig", version("x")))
	if got.OldestVersion != "v1.35.9" {
		t.Errorf("version %q", got.OldestVersion)
	}
}
