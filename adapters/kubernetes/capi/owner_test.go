package capi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// TestOwnerNamesItsInfrastructure verifies the kind of the infrastructure object of machines and pools.
func TestOwnerNamesItsInfrastructure(t *testing.T) {
	pool := &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
	pool.Spec.Template.Spec.InfrastructureRef.Kind = "AWSMachinePool"
	pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("c")
	machine := &clusterv1.Machine{ObjectMeta: objectMeta("m")}
	machine.Spec.InfrastructureRef.Kind = "AWSMachine"
	machine.Spec.Bootstrap.ConfigRef = refTo("c")
	supervised := machine.DeepCopy()
	supervised.Spec.InfrastructureRef.Kind = "VSphereMachine"
	supervised.Spec.InfrastructureRef.APIGroup = infrastructure.SupervisorGroup
	for want, owner := range map[string]client.Object{
		"AWSMachine": machine, "AWSMachinePool": pool, "VSphereMachine." + infrastructure.SupervisorGroup: supervised,
	} {
		scheme := newLookupScheme(t)
		kinds, _, err := scheme.ObjectKinds(owner)
		if err != nil {
			t.Fatal(err)
		}
		c := machineConfig("c", "debian")
		c.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: kinds[0].Kind,
			Name: owner.GetName(),
		}}
		got, err := capi.NewLookup(fake.NewClientBuilder().WithScheme(scheme).WithObjects(owner, c).Build()).
			Machine(t.Context(), ports.Owner{Key: ports.Key{Namespace: c.Namespace, Name: c.Name}})
		if err != nil || got.Infrastructure != want {
			t.Errorf("%s: %+v %v", want, got, err)
		}
	}
}

func newLookupScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clusterv1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

func refTo(name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: name}
}

// TestAnOwnerNamesItsConfig verifies that an owner reference alone does not make a config that of a machine, since
// users who write configs also write owner references.
func TestAnOwnerNamesItsConfig(t *testing.T) {
	scheme := newLookupScheme(t)
	machine, pool := &clusterv1.Machine{ObjectMeta: objectMeta("m")}, &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
	machine.Spec.Bootstrap.ConfigRef, pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("c"), refTo("c")
	other := &clusterv1.Machine{ObjectMeta: objectMeta("kubeadm")}
	other.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "bootstrap.cluster.x-k8s.io",
		Kind:     "KubeadmConfig", Name: "c",
	}
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
			lookup := capi.NewLookup(fake.NewClientBuilder().WithScheme(scheme).WithObjects(machine, pool, other, c).Build())
			got, err := lookup.Machine(t.Context(), ports.Owner{Key: ports.Key{Namespace: c.Namespace, Name: c.Name}})
			if errors.Is(err, ports.ErrNoOwner) != (tc.want == "") || got.Name != tc.want {
				t.Errorf("%+v %v: %s", got, err, tc.reason)
			}
		})
	}
}

// TestConfigsOfAPoolHaveTheirOwnData gives a pool another config. The pool names the data of one of them, and neither
// config uses the data of the other.
func TestConfigsOfAPoolHaveTheirOwnData(t *testing.T) {
	pool := &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
	pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("new")
	owner := metav1.OwnerReference{APIVersion: clusterv1.GroupVersion.String(), Kind: "MachinePool", Name: "p"}
	before, after := machineConfig("old", "debian"), machineConfig("new", "debian")
	before.OwnerReferences, after.OwnerReferences = []metav1.OwnerReference{owner}, []metav1.OwnerReference{owner}
	before.Status.Initialization.DataSecretCreated, before.Status.DataSecretName = new(true), "old-data"
	for _, named := range []string{"", "old-data", "new"} {
		pool.Spec.Template.Spec.Bootstrap.DataSecretName = &named
		lookup := capi.NewLookup(fake.NewClientBuilder().WithScheme(newLookupScheme(t)).
			WithObjects(pool, before, after).Build())
		for c, want := range map[*v1alpha1.MachineBootstrapConfig]string{before: "old-data", after: ""} {
			got, err := lookup.Machine(t.Context(), ports.Owner{Key: ports.Key{Namespace: c.Namespace, Name: c.Name}})
			if err != nil || got.DataSecretName != want {
				t.Errorf("the pool names %q: the data of config %s is %q, want %q: %v", named, c.Name, got.DataSecretName, want,
					err)
			}
		}
	}
}

// TestPoolIsCompleteWhenAllMachinesAreNodes has a pool with more machines than replicas, as during an update.
func TestPoolIsCompleteWhenAllMachinesAreNodes(t *testing.T) {
	for name, tc := range map[string]struct {
		reason                     string
		replicas, instances, nodes int
		want                       bool
	}{
		"missing":  {reason: "a replica has no instance yet", replicas: 3, instances: 2, nodes: 2},
		"booting":  {reason: "a replica boots", replicas: 3, instances: 3, nodes: 2},
		"complete": {reason: "all replicas are nodes", replicas: 3, instances: 3, nodes: 3, want: true},
		"surplus":  {reason: "an instance beyond the replicas boots", replicas: 3, instances: 4, nodes: 3},
		"joined":   {reason: "this instance is a node, too", replicas: 3, instances: 4, nodes: 4, want: true},
		"unlisted": {reason: "a provider can list no instances", replicas: 3, nodes: 3, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			pool := &clusterv1.MachinePool{ObjectMeta: objectMeta("p")}
			pool.Spec.Template.Spec.Bootstrap.ConfigRef = refTo("m")
			pool.Spec.Replicas = new(int32(tc.replicas))
			for i := range tc.instances {
				pool.Spec.ProviderIDList = append(pool.Spec.ProviderIDList, fmt.Sprintf("test:///%d", i))
			}
			pool.Status.NodeRefs = make([]corev1.ObjectReference, tc.nodes)
			c := machineConfig("m", "debian")
			c.OwnerReferences = []metav1.OwnerReference{{
				APIVersion: clusterv1.GroupVersion.String(), Kind: "MachinePool", Name: "p",
			}}
			lookup := capi.NewLookup(fake.NewClientBuilder().WithScheme(newLookupScheme(t)).WithObjects(pool, c).Build())
			got, err := lookup.Machine(t.Context(), ports.Owner{Key: ports.Key{Namespace: c.Namespace, Name: c.Name}})
			if err != nil || got.Joined != tc.want {
				t.Errorf("%s: joined %t, %v", tc.reason, got.Joined, err)
			}
		})
	}
}

// lookupStore is a management cluster in which a conformance test stores facts as Cluster API objects.
type lookupStore struct {
	client.Client
	t *testing.T
}

func (s lookupStore) create(objects ...client.Object) {
	s.t.Helper()
	for _, o := range objects {
		if err := s.Create(s.t.Context(), o); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s lookupStore) putMachine(owner ports.Owner, m ports.Machine) {
	config := &v1alpha1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{
		Namespace: owner.Namespace, Name: owner.Name, UID: types.UID(owner.UID),
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: "Machine", Name: m.Name, UID: "1",
		}},
	}}
	meta := metav1.ObjectMeta{Namespace: owner.Namespace, Name: m.Name, Labels: map[string]string{}}
	if m.ControlPlane {
		meta.Labels[clusterv1.MachineControlPlaneLabel] = ""
	}
	spec := clusterv1.MachineSpec{
		ClusterName: m.ClusterName, Version: m.Version, Bootstrap: clusterv1.Bootstrap{ConfigRef: refTo(owner.Name)},
		InfrastructureRef: clusterv1.ContractVersionedObjectReference{Kind: m.Infrastructure},
	}
	if m.Pool {
		config.OwnerReferences[0].Kind, config.Status.DataSecretName = "MachinePool", m.DataSecretName
		pool := &clusterv1.MachinePool{ObjectMeta: meta, Spec: clusterv1.MachinePoolSpec{
			ClusterName: m.ClusterName, Template: clusterv1.MachineTemplateSpec{Spec: spec},
		}}
		if m.Joined {
			pool.Status.NodeRefs = []corev1.ObjectReference{{Name: "node"}}
		}
		s.create(config, pool)
		return
	}
	if m.DataSecretName != "" {
		spec.Bootstrap.DataSecretName = &m.DataSecretName
	}
	machine := &clusterv1.Machine{ObjectMeta: meta, Spec: spec}
	if m.Joined {
		machine.Status.NodeRef.Name = "node"
	}
	for i, address := range m.Addresses {
		kind := clusterv1.MachineInternalIP
		if i == 0 {
			kind = clusterv1.MachineExternalIP
		}
		machine.Status.Addresses = append(machine.Status.Addresses, clusterv1.MachineAddress{Type: kind, Address: address})
	}
	s.create(config, machine)
}

func (s lookupStore) putCluster(c ports.Cluster) {
	cluster := &clusterv1.Cluster{ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: c.Name}}
	cluster.Spec.Paused = &c.Paused
	cluster.Spec.ClusterNetwork = clusterv1.ClusterNetwork{
		Pods:          clusterv1.NetworkRanges{CIDRBlocks: c.Network.PodSubnets},
		Services:      clusterv1.NetworkRanges{CIDRBlocks: c.Network.ServiceSubnets},
		ServiceDomain: c.Network.DNSDomain,
	}
	if host, port, found := strings.Cut(c.Network.Endpoint, ":"); found && port == "6443" {
		cluster.Spec.ControlPlaneEndpoint = clusterv1.APIEndpoint{Host: host, Port: 6443}
	}
	cluster.Spec.ControlPlaneRef.Kind = c.ControlPlane.Provider
	if !c.StandAlone {
		cluster.Spec.ControlPlaneRef.Name = "control-plane"
	}
	if c.ControlPlane.Setting != "" {
		cluster.Annotations = map[string]string{ports.ControlPlaneTypeAnnotation: c.ControlPlane.Setting}
	}
	cluster.Status.Initialization.InfrastructureProvisioned = &c.InfrastructureReady
	if c.Initialized {
		cluster.Status.Conditions = []metav1.Condition{{
			Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue,
		}}
	}
	if c.Deleting {
		cluster.Finalizers = []string{"test/wait"}
	}
	s.create(cluster)
	if c.Deleting {
		if err := s.Delete(s.t.Context(), cluster); err != nil {
			s.t.Fatal(err)
		}
	}
	s.putControlPlane(c)
}

// putControlPlane creates the control plane machines of a cluster: those of its evidence, or one for each address.
func (s lookupStore) putControlPlane(c ports.Cluster) {
	version := func(m *clusterv1.Machine) { m.Spec.Version = c.OldestVersion }
	for _, e := range c.ControlPlane.Machines {
		kind := e.Config
		if kind == "" {
			kind = v1alpha1.ConfigKind
			config := machineConfig(e.Name, e.Distribution)
			config.Namespace = c.Namespace
			s.create(config)
		}
		s.create(controlPlaneMachine(e.Name, 0, kind, version))
	}
	for i, address := range c.Addresses {
		s.create(controlPlaneMachine(fmt.Sprintf("cp-%d", i), 0, "KubeadmConfig", version, func(m *clusterv1.Machine) {
			m.Status.Addresses = []clusterv1.MachineAddress{{Type: clusterv1.MachineInternalIP, Address: address}}
		}))
	}
}

func TestLookupConforms(t *testing.T) {
	portstest.ClusterLookup(t, func(t *testing.T) portstest.ClusterLookupStore {
		s := lookupStore{t: t, Client: fake.NewClientBuilder().WithScheme(newLookupScheme(t)).
			WithIndex(&clusterv1.Machine{}, capi.ControlPlaneIndex, capi.ControlPlaneOf).Build()}
		return portstest.ClusterLookupStore{Lookup: capi.NewLookup(s), PutMachine: s.putMachine, PutCluster: s.putCluster}
	})
}
