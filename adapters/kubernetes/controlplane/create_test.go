package controlplane_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// key is the control plane of the tests.
func key() ports.Key { return ports.Key{Namespace: namespace, Name: plane} }

// read returns the control plane as the controller reads it.
func (w *world) read(t *testing.T) ports.ControlPlane {
	t.Helper()
	c, err := w.store.Read(t.Context(), key())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// creates creates a machine and returns its name.
func (w *world) creates(t *testing.T) string {
	t.Helper()
	before := w.read(t)
	if err := w.store.Create(t.Context(), before, controlplane.Operation{FailureDomain: "a"}); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.read(t).Observed.Machines {
		if !slices.ContainsFunc(before.Observed.Machines, func(b controlplane.Machine) bool { return b.Name == m.Name }) {
			return m.Name
		}
	}
	t.Fatal("there is no new machine")
	return ""
}

// objects returns the three objects of a machine, as far as they exist.
func (w *world) objects(t *testing.T) map[string]client.Object {
	t.Helper()
	found := map[string]client.Object{}
	var machines clusterv1.MachineList
	var configs bootstrapv1.MachineBootstrapConfigList
	var hosts infrastructurev1.HostMachineList
	for _, list := range []client.ObjectList{&machines, &configs, &hosts} {
		if err := w.List(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for i := range machines.Items {
		found["Machine/"+machines.Items[i].Name] = &machines.Items[i]
	}
	for i := range configs.Items {
		found["MachineBootstrapConfig/"+configs.Items[i].Name] = &configs.Items[i]
	}
	for i := range hosts.Items {
		found["HostMachine/"+hosts.Items[i].Name] = &hosts.Items[i]
	}
	return found
}

// TestCreatedObjects checks the labels, annotations and owners that the contract requires.
func TestCreatedObjects(t *testing.T) {
	o := newPlane()
	o.Spec.MachineTemplate.ObjectMeta = v1alpha1.Metadata{
		Labels:      map[string]string{"team": "a", clusterv1.ClusterNameLabel: "other"},
		Annotations: map[string]string{"note": "x"},
	}
	w := newWorld(t, newCluster(), o)
	name := w.creates(t)
	all := w.objects(t)
	if len(all) != 3 {
		t.Fatalf("got %v", slices.Collect(maps.Keys(all)))
	}
	for id, object := range all {
		labels := object.GetLabels()
		if labels[clusterv1.ClusterNameLabel] != cluster || labels[clusterv1.MachineControlPlaneNameLabel] != plane ||
			labels["team"] != "a" || object.GetAnnotations()["note"] != "x" {
			t.Errorf("%s: labels %v, annotations %v", id, labels, object.GetAnnotations())
		}
		if _, found := labels[clusterv1.MachineControlPlaneLabel]; !found {
			t.Errorf("%s is not labelled as a part of a control plane", id)
		}
		owners := object.GetOwnerReferences()
		controls := len(owners) == 1 && owners[0].Controller != nil && *owners[0].Controller
		if len(owners) != 1 || owners[0].UID != o.UID || controls != strings.HasPrefix(id, "Machine/") {
			t.Errorf("%s: owners %+v", id, owners)
		}
	}
	infrastructure := all["HostMachine/"+name].GetAnnotations()
	if infrastructure[clusterv1.TemplateClonedFromNameAnnotation] != "template" ||
		infrastructure[clusterv1.TemplateClonedFromGroupKindAnnotation] !=
			"HostMachineTemplate.infrastructure.machineadm.io" {
		t.Errorf("the infrastructure machine was cloned from %v", infrastructure)
	}
	m := w.machine(t, name)
	if _, held := m.Annotations[v1alpha1.HookAnnotation]; !held || m.Spec.Version != "v1.36.3" ||
		m.Spec.FailureDomain != "a" || m.Spec.ClusterName != cluster || m.Spec.Bootstrap.ConfigRef.Name != name ||
		m.Spec.InfrastructureRef.Name != name || m.Spec.InfrastructureRef.Kind != "HostMachine" {
		t.Errorf("the Machine is %+v", m)
	}
	var gates []string
	for _, g := range m.Spec.ReadinessGates {
		gates = append(gates, g.ConditionType)
	}
	if !slices.Contains(gates, "EtcdMemberHealthy") || !slices.Contains(gates, "APIServerPodHealthy") {
		t.Errorf("the readiness gates are %v", gates)
	}
}

// TestCreateLeavesNothing checks that nothing remains if one of the objects cannot be created.
func TestCreateLeavesNothing(t *testing.T) {
	failure := errors.New("refused")
	for _, kind := range []string{"HostMachine", "MachineBootstrapConfig", "Machine"} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			w.fails = func(verb string, o client.Object) error {
				if verb == "apply" && kind == "Machine" || verb == "create" && o.GetObjectKind().GroupVersionKind().Kind == kind {
					return failure
				}
				return nil
			}
			if err := w.store.Create(t.Context(), w.read(t), controlplane.Operation{}); !errors.Is(err, failure) {
				t.Fatalf("got %v", err)
			}
			if left := w.objects(t); len(left) > 0 {
				t.Errorf("%v remain", slices.Collect(maps.Keys(left)))
			}
		})
	}
}

// lostAnswer is a client that applies an object and does not get the answer.
type lostAnswer struct {
	client.Client
	err  error
	stop context.CancelFunc
}

func (c lostAnswer) Apply(ctx context.Context, o runtime.ApplyConfiguration, options ...client.ApplyOption) error {
	if err := c.Client.Apply(ctx, o, options...); err != nil {
		return err
	}
	if errors.Is(c.err, context.Canceled) {
		c.stop()
	}
	return c.err
}

// TestCreateWithoutAnswer checks that a Machine keeps its config and its infrastructure machine if the answer to its
// creation is lost, and that the next attempt finds it.
func TestCreateWithoutAnswer(t *testing.T) {
	for name, lost := range map[string]error{
		"timeout": apierrors.NewTimeoutError("no answer", 1), "end of the controller": context.Canceled,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			c := w.read(t)
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			store := w.with(lostAnswer{w.Client, lost, stop})
			if err := store.Create(ctx, c, controlplane.Operation{}); !errors.Is(err, lost) {
				t.Fatalf("got %v", err)
			}
			if err := w.store.Create(t.Context(), c, controlplane.Operation{}); err != nil {
				t.Error(err)
			}
			if all := w.objects(t); len(all) != 3 {
				t.Errorf("got %v", slices.Collect(maps.Keys(all)))
			}
		})
	}
}

// TestCreateAfterCrash stops the controller after each object. The next creation ends with one complete machine, also
// if the control plane has changed meanwhile.
func TestCreateAfterCrash(t *testing.T) {
	crash := errors.New("crash")
	for _, changed := range []bool{false, true} {
		for _, kind := range []string{"MachineBootstrapConfig", "Machine"} {
			w := newWorld(t, newCluster(), newPlane())
			stopped := false
			w.fails = func(verb string, o client.Object) error {
				reached := verb == "apply" && kind == "Machine" ||
					verb == "create" && o.GetObjectKind().GroupVersionKind().Kind == kind
				stopped = stopped || reached
				if stopped {
					return crash
				}
				return nil
			}
			// A process that has ended deletes nothing.
			store := w.with(deletesNothing{w.Client})
			if err := store.Create(t.Context(), w.read(t), controlplane.Operation{}); !errors.Is(err, crash) {
				t.Fatalf("got %v", err)
			}
			w.fails = nil
			if changed {
				update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) { o.Labels["x"] = "y" })
			}
			w.creates(t)
			if all := w.objects(t); len(all) != 3 {
				t.Errorf("after a crash before %s, changed %v: %v", kind, changed, slices.Collect(maps.Keys(all)))
			}
		}
	}
}

// TestCreateWaitsForTheEndOfDeletions has objects of an earlier attempt whose finalizer delays their deletion. A
// Machine that refers to one of them would never get another one.
func TestCreateWaitsForTheEndOfDeletions(t *testing.T) {
	refused := errors.New("refused")
	for _, kind := range []string{"HostMachine", "MachineBootstrapConfig"} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t, newCluster(), newPlane())
			c := w.read(t)
			w.fails = func(verb string, o client.Object) error {
				if verb == "create" && o.GetObjectKind().GroupVersionKind().Kind == kind {
					o.SetFinalizers([]string{"example.com/slow"})
				}
				if verb == "apply" {
					return refused
				}
				return nil
			}
			if err := w.store.Create(t.Context(), c, controlplane.Operation{}); !errors.Is(err, refused) {
				t.Fatalf("got %v", err)
			}
			w.fails = nil
			if err := w.store.Create(t.Context(), c, controlplane.Operation{}); err == nil ||
				!strings.Contains(err.Error(), "is being deleted") {
				t.Errorf("got %v", err)
			}
			if m := w.read(t).Observed.Machines; len(m) > 0 {
				t.Errorf("a Machine refers to what is being deleted: %+v", m)
			}
			for id, o := range w.objects(t) {
				if strings.HasPrefix(id, kind) {
					o.SetFinalizers(nil)
					if err := w.Client.Update(t.Context(), o); err != nil {
						t.Fatal(err)
					}
				}
			}
			if w.creates(t); len(w.objects(t)) != 3 {
				t.Errorf("got %v", slices.Collect(maps.Keys(w.objects(t))))
			}
		})
	}
}

// TestCreateSeesOtherMachines checks that a stale cache creates no machine.
func TestCreateSeesOtherMachines(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	stale := w.read(t)
	w.creates(t)
	stale.Revision += "1"
	if err := w.store.Create(t.Context(), stale, controlplane.Operation{}); !errors.Is(err, ports.ErrConflict) {
		t.Errorf("got %v", err)
	}
	if all := w.objects(t); len(all) != 3 {
		t.Errorf("got %v", slices.Collect(maps.Keys(all)))
	}
}

// TestCreateFromAnotherSpec checks that a decision about an earlier specification creates nothing.
func TestCreateFromAnotherSpec(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	stale := w.read(t)
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) { o.Spec.Version = "v1.37.0" })
	if err := w.store.Create(t.Context(), stale, controlplane.Operation{}); !errors.Is(err, ports.ErrConflict) {
		t.Errorf("got %v", err)
	}
}

// TestForeignObjectsAreKept checks that an object with the name of a machine stays as it is.
func TestForeignObjectsAreKept(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	c := w.read(t)
	var name string
	w.fails = func(verb string, o client.Object) error {
		if verb == "create" {
			name = o.GetName()
			return errors.New("refused")
		}
		return nil
	}
	_ = w.store.Create(t.Context(), c, controlplane.Operation{})
	w.fails = nil
	theirs := &bootstrapv1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
	theirs.Spec.OS.Distribution = "flatcar"
	if err := w.Client.Create(t.Context(), theirs); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Create(t.Context(), c, controlplane.Operation{}); err == nil {
		t.Error("the config of another owner is used")
	}
	if gone(t, w, &bootstrapv1.MachineBootstrapConfig{}, name) || len(w.objects(t)) != 1 {
		t.Errorf("got %v", slices.Collect(maps.Keys(w.objects(t))))
	}
}

// TestConfigsOfOthersAreKept creates an infrastructure machine that claims to be a leftover of the control plane, with
// the name of the config of another machine. Only the infrastructure machine is deleted.
func TestConfigsOfOthersAreKept(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	theirs := &bootstrapv1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Name: "worker", Namespace: namespace}}
	claimed := &infrastructurev1.HostMachine{ObjectMeta: metav1.ObjectMeta{
		Name: "worker", Namespace: namespace, OwnerReferences: []metav1.OwnerReference{{
			APIVersion: v1alpha1.GroupVersion().String(), Kind: v1alpha1.Kind, Name: plane, UID: w.plane(t).UID,
		}},
	}}
	name := w.creates(t)
	claimed.Labels = w.objects(t)["HostMachine/"+name].GetLabels()
	for _, o := range []client.Object{theirs, claimed} {
		if err := w.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	w.creates(t)
	if gone(t, w, &bootstrapv1.MachineBootstrapConfig{}, "worker") ||
		!gone(t, w, &infrastructurev1.HostMachine{}, "worker") {
		t.Errorf("got %v", slices.Collect(maps.Keys(w.objects(t))))
	}
}

// TestContent checks that a change of a referenced content is seen, if the user wants that.
func TestContent(t *testing.T) {
	for _, policy := range []v1alpha1.ContentChange{"", v1alpha1.ContentChangePin, v1alpha1.ContentChangeRoll} {
		o := newPlane()
		o.Spec.Rollout.OnContentChange = policy
		o.Spec.Bootstrap.Machine = &bootstrapv1.MachineSpec{Files: []bootstrapv1.FileSpec{{
			Path: "/a", ContentFrom: &bootstrapv1.ContentSource{Secret: &bootstrapv1.KeyReference{Name: "s", Key: "k"}},
		}}}
		w := newWorld(t, newCluster(), o)
		ref := convert.Reference{Kind: "Secret", Name: "s", Key: "k"}
		w.contents[ref] = "canary-one"
		name := w.creates(t)
		differs := func() bool {
			c := w.read(t)
			return len(controlplane.Differences(c.Desired, c.Observed.Machines[0], w.clock.Now())) > 0
		}
		if differs() {
			t.Errorf("%q: a new machine is outdated", policy)
		}
		w.contents[ref] = "canary-two"
		if got := differs(); got != (policy == v1alpha1.ContentChangeRoll) {
			t.Errorf("%q: the machine is outdated is %v", policy, got)
		}
		delete(w.contents, ref)
		if differs() {
			t.Errorf("%q: the machine is replaced while its replacement could not boot", policy)
		}
		w.contents[ref] = "canary-two"
		for id, object := range w.objects(t) {
			for key, value := range object.GetAnnotations() {
				if strings.Contains(value, "canary") {
					t.Errorf("%s of %s has the content: %s", key, id, name)
				}
			}
		}
	}
}
