package controlplane_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/report"
)

// deletesNothing is a client whose deletions have no effect.
type deletesNothing struct{ client.Client }

func (deletesNothing) Delete(context.Context, client.Object, ...client.DeleteOption) error {
	return nil
}

// propagates reads the control plane and propagates.
func (w *world) propagates(t *testing.T) {
	t.Helper()
	if err := w.store.Propagate(t.Context(), w.read(t)); err != nil {
		t.Fatal(err)
	}
}

// TestPropagate changes what does not replace machines. Existing machines get it, and lose what is removed.
func TestPropagate(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	update(t, w, w.machine(t, name), func(m *clusterv1.Machine) { m.Annotations["theirs"] = "stays" })
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		template := &o.Spec.MachineTemplate
		template.ObjectMeta.Labels = map[string]string{"team": "a"}
		template.ObjectMeta.Annotations = map[string]string{"note": "x"}
		template.Spec.Deletion.NodeDrainTimeoutSeconds = ptr.To(int32(60))
		template.Spec.Taints = []clusterv1.MachineTaint{{
			Key: "k", Effect: "NoSchedule", Propagation: clusterv1.MachineTaintPropagationAlways,
		}}
		template.Spec.ReadinessGates = []clusterv1.MachineReadinessGate{{ConditionType: "Theirs"}}
	})
	w.propagates(t)
	m := w.machine(t, name)
	last := m.Spec.ReadinessGates[len(m.Spec.ReadinessGates)-1].ConditionType
	if *m.Spec.Deletion.NodeDrainTimeoutSeconds != 60 || len(m.Spec.Taints) != 1 || last != "Theirs" {
		t.Errorf("the Machine is %+v", m.Spec)
	}
	for id, o := range w.objects(t) {
		if o.GetLabels()["team"] != "a" || o.GetAnnotations()["note"] != "x" {
			t.Errorf("%s: labels %v, annotations %v", id, o.GetLabels(), o.GetAnnotations())
		}
	}
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		ref := o.Spec.MachineTemplate.Spec.InfrastructureRef
		o.Spec.MachineTemplate = v1alpha1.MachineTemplate{}
		o.Spec.MachineTemplate.Spec.InfrastructureRef = ref
	})
	w.propagates(t)
	m = w.machine(t, name)
	if m.Spec.Deletion.NodeDrainTimeoutSeconds != nil || len(m.Spec.Taints) != 0 || m.Annotations["theirs"] != "stays" ||
		m.Spec.Version != "v1.36.3" || m.Spec.Bootstrap.ConfigRef.Name != name {
		t.Errorf("the Machine is %+v with %v", m.Spec, m.Annotations)
	}
	for id, o := range w.objects(t) {
		_, label := o.GetLabels()["team"]
		_, annotation := o.GetAnnotations()["note"]
		if label || annotation || o.GetLabels()[clusterv1.ClusterNameLabel] != cluster {
			t.Errorf("%s: labels %v, annotations %v", id, o.GetLabels(), o.GetAnnotations())
		}
	}
}

// TestPropagateWritesNothing checks that nothing is written if nothing has changed.
func TestPropagateWritesNothing(t *testing.T) {
	o := newPlane()
	o.Spec.MachineTemplate.ObjectMeta.Labels = map[string]string{"team": "a"}
	w := newWorld(t, newCluster(), o)
	w.creates(t)
	w.propagates(t)
	before := w.writes
	w.propagates(t)
	if w.writes != before {
		t.Errorf("%d writes", w.writes-before)
	}
}

// TestPropagateToLeavingMachine checks that a machine that is being deleted gets the timeouts, and no hook.
func TestPropagateToLeavingMachine(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	c := w.read(t)
	if err := errors.Join(w.store.Delete(t.Context(), c, controlplane.Operation{Machine: name}),
		w.store.Release(t.Context(), c, name)); err != nil {
		t.Fatal(err)
	}
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		o.Spec.MachineTemplate.ObjectMeta.Labels = map[string]string{"team": "a"}
		o.Spec.MachineTemplate.Spec.Deletion.NodeDrainTimeoutSeconds = ptr.To(int32(60))
	})
	w.propagates(t)
	m := w.machine(t, name)
	_, held := m.Annotations[v1alpha1.HookAnnotation]
	if held || m.Labels["team"] != "" || *m.Spec.Deletion.NodeDrainTimeoutSeconds != 60 {
		t.Errorf("the Machine is %+v with %v", m.Spec, m.Annotations)
	}
}

// TestDeleteAddsTheHook checks that no machine is deleted without the hook.
func TestDeleteAddsTheHook(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	update(t, w, w.machine(t, name), func(m *clusterv1.Machine) { delete(m.Annotations, v1alpha1.HookAnnotation) })
	if err := w.store.Delete(t.Context(), w.read(t), controlplane.Operation{Machine: name}); err != nil {
		t.Fatal(err)
	}
	m := w.machine(t, name)
	if _, held := m.Annotations[v1alpha1.HookAnnotation]; !held || m.DeletionTimestamp.IsZero() {
		t.Errorf("the Machine has %v and is deleted at %v", m.Annotations, m.DeletionTimestamp)
	}
}

// standAlone returns a control plane Machine without a controller.
func standAlone(kind string) (*clusterv1.Machine, *bootstrapv1.MachineBootstrapConfig) {
	labels := map[string]string{clusterv1.ClusterNameLabel: cluster, clusterv1.MachineControlPlaneLabel: ""}
	m := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{
		Name: "old", Namespace: namespace, UID: "old-uid", Labels: labels, Finalizers: []string{clusterv1.MachineFinalizer},
	}}
	m.Spec.ClusterName, m.Spec.Version = cluster, "v1.36.3"
	m.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: bootstrapv1.Group, Kind: kind, Name: "old",
	}
	m.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: "infrastructure.machineadm.io", Kind: "HostMachine", Name: "old",
	}
	config := &bootstrapv1.MachineBootstrapConfig{ObjectMeta: metav1.ObjectMeta{Name: "old", Namespace: namespace}}
	config.Spec.OS.Distribution = "debian"
	return m, config
}

// TestAdoption checks that a stand-alone Machine becomes one of the control plane, and is not replaced.
func TestAdoption(t *testing.T) {
	m, config := standAlone(bootstrapv1.ConfigKind)
	started := newCluster()
	conditions.Set(started, metav1.Condition{
		Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue, Reason: "Initialized",
	})
	w := newWorld(t, started, newPlane(), m, config)
	c := w.read(t)
	if len(c.Observed.Machines) != 1 || len(c.Findings) > 0 {
		t.Fatalf("machines %+v, findings %v", c.Observed.Machines, c.Findings)
	}
	if !c.Observed.Initialized {
		t.Error("certificates could be generated again")
	}
	if d := controlplane.Differences(c.Desired, c.Observed.Machines[0], w.clock.Now()); len(d) > 0 {
		t.Errorf("the machine would be replaced: %v", d)
	}
	w.propagates(t)
	adopted := w.machine(t, "old")
	_, held := adopted.Annotations[v1alpha1.HookAnnotation]
	if !metav1.IsControlledBy(adopted, w.plane(t)) || !held || adopted.UID != "old-uid" ||
		adopted.Labels[clusterv1.MachineControlPlaneNameLabel] != plane {
		t.Errorf("the Machine is %+v", adopted.ObjectMeta)
	}
}

// TestOwnTaints checks which configurations leave out the default taint of control plane nodes.
func TestOwnTaints(t *testing.T) {
	fallback := bootstrapv1.Taint{Key: controlplane.ControlPlaneRole, Effect: "NoSchedule"}
	for name, tc := range map[string]struct {
		taints *[]bootstrapv1.Taint
		want   bool
	}{
		"default":          {nil, false},
		"none":             {&[]bootstrapv1.Taint{}, true},
		"others":           {&[]bootstrapv1.Taint{{Key: "gpu", Effect: "NoSchedule"}}, true},
		"default, written": {&[]bootstrapv1.Taint{fallback}, false},
	} {
		m, config := standAlone(bootstrapv1.ConfigKind)
		config.Spec.Node = &bootstrapv1.NodeConfigSpec{Taints: tc.taints}
		w := newWorld(t, newCluster(), newPlane(), m, config)
		if got := w.read(t).Observed.Machines[0].OwnTaints; got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// fromKubeadm returns a Machine that KubeadmControlPlane left.
func fromKubeadm() *clusterv1.Machine {
	m, _ := standAlone("KubeadmConfig")
	m.Spec.Bootstrap.ConfigRef.APIGroup = "bootstrap.cluster.x-k8s.io"
	m.Annotations = map[string]string{clusterv1.PreTerminateDeleteHookAnnotationPrefix + "/kcp-cleanup": ""}
	m.Spec.ReadinessGates = []clusterv1.MachineReadinessGate{{ConditionType: "NodeKubeadmLabelsAndTaintsSet"}}
	return m
}

// balancerHook is the hook of a controller that removes machines from a load balancer.
const balancerHook = clusterv1.PreTerminateDeleteHookAnnotationPrefix + "/load-balancer"

// TestHooksOfOthersRunFirst checks that a machine keeps its etcd member, and so a ready API server, until the hooks of
// others are removed (ADR 0083).
func TestHooksOfOthersRunFirst(t *testing.T) {
	m, _ := standAlone("KubeadmConfig")
	m.Spec.Bootstrap.ConfigRef.APIGroup = "bootstrap.cluster.x-k8s.io"
	m.Annotations = map[string]string{v1alpha1.HookAnnotation: "", balancerHook: ""}
	w := newWorld(t, newCluster(), newPlane(), m)
	w.propagates(t)
	w.terminates(t, "old")
	if got := w.read(t).Observed.Machines[0].Phase; got != controlplane.PhaseDeleting {
		t.Errorf("with the hook, the phase is %s", got)
	}
	m = w.machine(t, "old")
	delete(m.Annotations, balancerHook)
	if err := w.Update(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := w.read(t).Observed.Machines[0].Phase; got != controlplane.PhaseDue {
		t.Errorf("without the hook, the phase is %s", got)
	}
}

// terminates deletes a Machine whose deletion reaches the hooks that run before its infrastructure is deleted.
func (w *world) terminates(t *testing.T, name string) {
	t.Helper()
	if err := w.store.Delete(t.Context(), w.read(t), controlplane.Operation{Machine: name}); err != nil {
		t.Fatal(err)
	}
	w.drained(t, name)
}

// drained reports that the deletion of a Machine waits for its hooks.
func (w *world) drained(t *testing.T, name string) {
	t.Helper()
	m := w.machine(t, name)
	conditions.Set(m, metav1.Condition{
		Type: clusterv1.MachineDeletingCondition, Status: metav1.ConditionTrue,
		Reason: clusterv1.MachineDeletingWaitingForPreTerminateHookReason,
	})
	if err := w.Status().Update(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// TestAdoptionFromKubeadmControlPlane checks that a Machine of a deleted KubeadmControlPlane is adopted and outdated,
// and that its deletion waits for its member until both hooks are removed.
func TestAdoptionFromKubeadmControlPlane(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane(), fromKubeadm())
	c := w.read(t)
	if len(c.Observed.Machines) != 1 || len(c.Findings) > 0 {
		t.Fatalf("machines %+v, findings %v", c.Observed.Machines, c.Findings)
	}
	if d := controlplane.Differences(c.Desired, c.Observed.Machines[0], w.clock.Now()); len(d) != 1 {
		t.Errorf("the differences are %v", d)
	}
	w.propagates(t)
	if m := w.machine(t, "old"); !metav1.IsControlledBy(m, w.plane(t)) || m.UID != "old-uid" {
		t.Errorf("the Machine is %+v", m.ObjectMeta)
	}
	before := w.writes
	w.propagates(t)
	if w.writes != before {
		t.Errorf("%d writes", w.writes-before)
	}
	w.terminates(t, "old")
	if got := w.read(t).Observed.Machines[0].Phase; got != controlplane.PhaseDue {
		t.Errorf("the phase is %s", got)
	}
	if err := w.store.Release(t.Context(), c, "old"); err != nil {
		t.Fatal(err)
	}
	for key := range w.machine(t, "old").Annotations {
		if strings.HasPrefix(key, clusterv1.PreTerminateDeleteHookAnnotationPrefix) {
			t.Errorf("the hook %s remains", key)
		}
	}
}

// TestLeavingMachineIsReleased checks that a Machine that was already being deleted when its KubeadmControlPlane ended
// does not keep its hook. No other operation would follow.
func TestLeavingMachineIsReleased(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane(), fromKubeadm())
	if err := w.Delete(t.Context(), w.machine(t, "old")); err != nil {
		t.Fatal(err)
	}
	w.drained(t, "old")
	w.propagates(t)
	c := w.read(t)
	if len(c.Observed.Machines) != 1 || c.Observed.Machines[0].Phase != controlplane.PhaseDue {
		t.Fatalf("machines %+v", c.Observed.Machines)
	}
	if err := w.store.Release(t.Context(), c, "old"); err != nil {
		t.Fatal(err)
	}
	if got := w.read(t).Observed.Machines[0].Phase; got != controlplane.PhaseTerminating {
		t.Errorf("the phase is %s", got)
	}
}

// TestMachinesOfOthers checks that machines of other controllers are a mistake that prevents the creation of machines.
func TestMachinesOfOthers(t *testing.T) {
	foreign, _ := standAlone(bootstrapv1.ConfigKind)
	foreign.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "KubeadmControlPlane", Name: "kcp", UID: "kcp-uid", Controller: ptr.To(true),
	}}
	other, _ := standAlone("KubeadmConfig")
	for reason, m := range map[string]*clusterv1.Machine{"another controller": foreign, "another config": other} {
		w := newWorld(t, newCluster(), newPlane(), m)
		c := w.read(t)
		if len(c.Observed.Machines) != 0 || len(c.Findings) != 1 || c.Findings[0].Severity != report.Error ||
			!c.Observed.ForeignMachines {
			t.Errorf("%s: observed %+v, findings %v", reason, c.Observed, c.Findings)
		}
		w.propagates(t)
		if metav1.IsControlledBy(w.machine(t, "old"), w.plane(t)) {
			t.Errorf("%s: the Machine was adopted", reason)
		}
	}
}

// TestFailureDomains checks that domains for workers are left out.
func TestFailureDomains(t *testing.T) {
	got := newWorld(t, newCluster(), newPlane()).read(t).Desired.FailureDomains
	if len(got) != 2 || got[0] != "a" || got[1] != "b" {
		t.Errorf("got %v", got)
	}
}

// TestWithoutCluster checks that a control plane waits for its Cluster.
func TestWithoutCluster(t *testing.T) {
	o := newPlane()
	o.OwnerReferences = nil
	w := newWorld(t, o)
	c := w.read(t)
	if c.Observed.InfrastructureReady || c.ClusterName != "" || len(c.Observed.Machines) > 0 || !c.Desired.Unclaimed {
		t.Errorf("got %+v", c)
	}
	w.propagates(t)
}

// TestOwnerOfAnotherControlPlane expects that a control plane has no Cluster that refers to another one, or to none. It
// would create machines with the keys of that Cluster otherwise.
func TestOwnerOfAnotherControlPlane(t *testing.T) {
	for name, ref := range map[string]clusterv1.ContractVersionedObjectReference{
		"none":          {},
		"another name":  {APIGroup: v1alpha1.Group, Kind: v1alpha1.Kind, Name: "other"},
		"another kind":  {APIGroup: v1alpha1.Group, Kind: "OtherControlPlane", Name: plane},
		"another group": {APIGroup: "other.example", Kind: v1alpha1.Kind, Name: plane},
	} {
		t.Run(name, func(t *testing.T) {
			owner := newCluster()
			owner.Spec.ControlPlaneRef = ref
			c := newWorld(t, newPlane(), owner).read(t)
			if c.Observed.InfrastructureReady || c.ClusterName != "" || len(c.Findings) != 1 || !c.Desired.Unclaimed {
				t.Errorf("got %+v", c)
			}
		})
	}
}
