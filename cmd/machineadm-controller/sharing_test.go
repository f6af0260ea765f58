package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// sharedConfig returns a config whose parts no other object has.
func sharedConfig(name, content string) *v1alpha1.MachineBootstrapConfig {
	return &v1alpha1.MachineBootstrapConfig{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: "a"}},
		Spec: v1alpha1.MachineBootstrapConfigSpec{Machine: &v1alpha1.MachineSpec{
			Files: []v1alpha1.FileSpec{{Path: "/etc/motd", Content: content}},
		}},
	}
}

func TestEqualPartsAreShared(t *testing.T) {
	s := newSharing()
	first, equal, other := sharedConfig("first", "x"), sharedConfig("equal", "x"), sharedConfig("other", "y")
	secret := &metav1.PartialObjectMetadata{ObjectMeta: *equal.ObjectMeta.DeepCopy()}
	empty := sharedConfig("empty", "x")
	empty.Spec.Machine.PreCommands = []string{}
	for _, o := range []client.Object{first, equal, other, secret, empty} {
		want := o.DeepCopyObject()
		got, err := s.transform(o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: changed:\n%s", o.GetName(), diff)
		}
	}
	if first.Spec.Machine != equal.Spec.Machine {
		t.Error("equal specs are not shared")
	}
	if first.Spec.Machine == other.Spec.Machine || first.Spec.Machine == empty.Spec.Machine {
		t.Error("different specs are shared")
	}
	first.Labels["shared"] = "" // Only a test changes a cached object.
	for _, o := range []client.Object{equal, secret} {
		if _, shared := o.GetLabels()["shared"]; !shared {
			t.Errorf("%s: equal labels are not shared", o.GetName())
		}
	}
}

// TestEqualTextsAreShared transforms configs with an owner of their own name and with equal conditions. Two texts can
// have the same place, which depends on the random seed, so one of some attempts must share them.
func TestEqualTextsAreShared(t *testing.T) {
	same := func(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }
	shared := 0
	for range 8 {
		s := newSharing()
		first, second := cachedConfig(t, s, "first"), cachedConfig(t, s, "second")
		one, other := first.Status.Conditions[0], second.Status.Conditions[0]
		if same(first.Name, first.OwnerReferences[0].Name) && same(one.Reason, other.Reason) {
			shared++
		}
		if same(one.Message, other.Message) {
			t.Error("a long text is shared")
		}
	}
	if shared == 0 {
		t.Error("names and reasons are not shared")
	}
}

// TestSharedSpecsAreNotWritten transforms a config twice, as the cache does with the objects of a list. Meanwhile,
// others may read the spec that an equal config shares with it.
func TestSharedSpecsAreNotWritten(t *testing.T) {
	s := newSharing()
	cached, equal := cachedConfig(t, s, "cached"), cachedConfig(t, s, "equal")
	if equal.Spec.Machine != cached.Spec.Machine {
		t.Fatal("equal specs are not shared")
	}
	path := &cached.Spec.Machine.Files[0].Path
	before := unsafe.StringData(*path)
	for i := range s.texts {
		s.texts[i] = strings.Clone(*path)
	}
	if _, err := s.transform(equal); err != nil {
		t.Fatal(err)
	}
	if unsafe.StringData(*path) != before {
		t.Error("the spec of a cached config was written")
	}
}

// cachedConfig returns a config as it is cached, and checks that its content is unchanged.
func cachedConfig(t *testing.T, s *sharing, name string) *v1alpha1.MachineBootstrapConfig {
	t.Helper()
	config := sharedConfig(strings.Clone(name), "x")
	config.OwnerReferences = []metav1.OwnerReference{{Name: strings.Clone(name)}}
	config.Annotations = map[string]string{"long": strings.Repeat("y", maxText+1)}
	config.Status.Conditions = []metav1.Condition{{
		Reason: strings.Clone("Available"), Message: strings.Repeat("z", maxText+1), LastTransitionTime: metav1.Now(),
	}}
	want := config.DeepCopy()
	if _, err := s.transform(config); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, config); diff != "" {
		t.Fatal(diff)
	}
	return config
}

// TestSharingIsLimited transforms configs without equal parts, and one that is too large.
func TestSharingIsLimited(t *testing.T) {
	s := newSharing()
	transform := func(content string) {
		if _, err := s.transform(sharedConfig("a", content)); err != nil {
			t.Fatal(err)
		}
	}
	const size = maxShared / 8
	for i := range 100 {
		transform(fmt.Sprintf("%d %s", i, strings.Repeat("x", size)))
		if s.size > maxShared || len(s.parts) > maxShared/size+1 {
			t.Fatalf("%d bytes in %d parts are shared", s.size, len(s.parts))
		}
	}
	before := len(s.parts)
	transform(strings.Repeat("x", maxShared))
	if len(s.parts) != before {
		t.Error("the large spec is shared")
	}
}

// TestMachinesAreTrimmed drops the status of Machines, unless controllers run that read or change it.
func TestMachinesAreTrimmed(t *testing.T) {
	status := clusterv1.MachineStatus{
		Addresses:  clusterv1.MachineAddresses{{Type: clusterv1.MachineInternalIP, Address: "192.0.2.1"}},
		NodeRef:    clusterv1.MachineNodeReference{Name: "a"},
		Conditions: []metav1.Condition{{Type: clusterv1.MachineReadyCondition, LastTransitionTime: metav1.Now()}},
		NodeInfo:   &corev1.NodeSystemInfo{KernelVersion: "6.1"},
	}
	for _, c := range []struct {
		controllers controllers
		want        clusterv1.MachineStatus
	}{
		{controllers{bootstrapControllers}, clusterv1.MachineStatus{Addresses: status.Addresses, NodeRef: status.NodeRef}},
		{controllers{bootstrapControllers, controlPlaneControllers}, status},
		{controllers{hostControllers}, status},
	} {
		options := cacheOptions(&options{controllers: c.controllers, syncPeriod: time.Minute})
		got, err := machineTransform(options)(&clusterv1.Machine{Status: *status.DeepCopy()})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&clusterv1.Machine{Status: c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.controllers, diff)
		}
	}
}

// machineTransform returns the transform of Machines.
func machineTransform(o cache.Options) func(any) (any, error) {
	for kind, by := range o.ByObject {
		if _, ok := kind.(*clusterv1.Machine); ok {
			return by.Transform
		}
	}
	return o.DefaultTransform
}

// TestCachedWorkerIsSmall measures what the cache holds for a worker of the benchmark test/scale: its Machine, its
// config and the metadata of its Secret.
func TestCachedWorkerIsSmall(t *testing.T) {
	const limit = 3072
	own := cacheOptions(&options{controllers: controllers{bootstrapControllers}, syncPeriod: time.Minute})
	texts := workerObjects(t)
	size := cachedBytes(t, texts, own.DefaultTransform)
	t.Logf("%d bytes; %d without sharing", size, cachedBytes(t, texts, trim))
	if size > limit {
		t.Errorf("the cache holds %d bytes for each worker; the limit is %d", size, limit)
	}
}

// workerObjects returns the cached objects of a worker as JSON.
func workerObjects(t *testing.T) [3]string {
	t.Helper()
	text, err := os.ReadFile("../../test/scale/machineadm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	config := &v1alpha1.MachineBootstrapConfig{}
	if err := yaml.UnmarshalStrict(text, config); err != nil {
		t.Fatal(err)
	}
	config.Name, config.UID, config.ResourceVersion = "worker-00001", "0b0cb4a4-5b5c-4b6e-8bb0-2a0ec0b8a1ee", "123456"
	machine := &clusterv1.Machine{ObjectMeta: *config.ObjectMeta.DeepCopy()}
	machine.Spec.ClusterName, machine.Spec.Version = "scale-01", "v1.36.3"
	machine.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group, Kind: v1alpha1.ConfigKind, Name: config.Name,
	}
	config.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(machine, clusterv1.GroupVersion.WithKind("Machine")),
	}
	for _, kind := range []string{"Ready", "CertificatesAvailable", "DataSecretAvailable", "Paused"} {
		config.Status.Conditions = append(config.Status.Conditions, metav1.Condition{
			Type: kind, Status: metav1.ConditionTrue, Reason: "Available", LastTransitionTime: metav1.Now(),
		})
	}
	var texts [3]string
	for i, o := range []any{machine, config, &metav1.PartialObjectMetadata{ObjectMeta: config.ObjectMeta}} {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(data)
	}
	return texts
}

// cachedBytes decodes the objects of many workers, and returns how many bytes each worker takes after the transform.
func cachedBytes(t *testing.T, texts [3]string, transform func(any) (any, error)) uint64 {
	t.Helper()
	const workers = 2000
	var before, after runtime.MemStats
	cached := make([][3]any, workers)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range cached {
		for j, o := range []any{
			&clusterv1.Machine{}, &v1alpha1.MachineBootstrapConfig{}, &metav1.PartialObjectMetadata{},
		} {
			if err := json.Unmarshal([]byte(texts[j]), o); err != nil {
				t.Fatal(err)
			}
			var err error
			if cached[i][j], err = transform(o); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(cached)
	return (after.HeapAlloc - before.HeapAlloc) / workers
}
