//go:build e2e

package planescale_test

import (
	"os"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// offAnnotation switches a machine of test/inmemory off.
const offAnnotation = standin.Group + "/off"

// minStuck is the shortest time after which a control plane counts as one that does not recover, and noticeTime how
// long it may take until it reports a member that does not respond.
const minStuck, noticeTime = 3 * time.Minute, 2 * time.Minute

// TestDeadAndDeletedMachine switches one of three machines off, and then deletes another one: in a cluster of this
// provider, and in one of KubeadmControlPlane. With the members {deleted, dead, healthy}, the deletion must not wait
// for the dead machine, and not the other way round. KubeadmControlPlane has at least three times as long as this
// provider needs. The simulated etcd removes every member: it does not refuse to lose the quorum.
func TestDeadAndDeletedMachine(t *testing.T) {
	ours := contender{"MachineadmControlPlane", machineadmPlane, startPlanes(t)}
	theirs := contender{"KubeadmControlPlane", kubeadmPlane, startKubeadmPlanes(t)}
	recovered, took := ours.loses(t, patience)
	if !recovered {
		t.Fatalf("%s did not recover within %s", ours.name, took)
	}
	t.Logf("%s: recovered after %s", ours.name, took.Round(time.Second))
	recovered, took = theirs.loses(t, max(minStuck, 3*took))
	t.Logf("%s: recovered %v, after %s", theirs.name, recovered, took.Round(time.Second))
	if !recovered {
		t.Logf("the end of its log:\n%s", theirs.lastMessages(t))
	}
}

// lastMessages returns the end of the log of the provider.
func (c contender) lastMessages(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(c.meter.process.Log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-60):], "\n")
}

// loses creates a control plane, loses and deletes a machine, and waits until the others are complete again.
func (c contender) loses(t *testing.T, limit time.Duration) (recovered bool, took time.Duration) {
	t.Helper()
	f := newFleet(t, "stuck-"+strings.ToLower(c.name), c.manifest, 1, map[string]any{"bootSeconds": int64(5)})
	f.create()
	f.complete()
	f.checkHealth()
	machines := f.machines(f.names[0])
	dead, deleted := &machines[0], &machines[1]
	annotate := func(o client.Object, annotation string) {
		before, _ := o.DeepCopyObject().(client.Object)
		o.SetAnnotations(map[string]string{annotation: ""})
		f.Expect(env.Client.Patch(t.Context(), o, client.MergeFrom(before))).To(Succeed())
	}
	annotate(standin.Object(standin.MachineKind, f.names[0], dead.Spec.InfrastructureRef.Name), offAnnotation)
	noticed := false
	for from := time.Now(); !noticed && time.Since(from) < noticeTime; time.Sleep(time.Second) {
		f.Expect(env.Client.Get(t.Context(), client.ObjectKeyFromObject(dead), dead)).To(Succeed())
		noticed = !conditions.IsTrue(dead, "EtcdMemberHealthy")
	}
	t.Logf("%s: reports that the member does not respond: %v", c.name, noticed)
	annotate(&clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: dead.Namespace, Name: dead.Name}},
		clusterv1.RemediateMachineAnnotation)
	f.Expect(env.Client.Delete(t.Context(), deleted)).To(Succeed())
	from := time.Now()
	for !recovered && time.Since(from) < limit {
		time.Sleep(time.Second)
		recovered = f.without(dead, deleted)
	}
	return recovered, time.Since(from)
}

// checkHealth creates a MachineHealthCheck, which acts only for machines that are marked by hand.
func (f *fleet) checkHealth() {
	f.t.Helper()
	check := &clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Namespace: f.names[0], Name: "cp"},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: f.names[0],
			Selector: metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: clusterv1.MachineControlPlaneLabel, Operator: metav1.LabelSelectorOpExists},
			}},
			Checks: clusterv1.MachineHealthCheckChecks{NodeStartupTimeoutSeconds: ptr.To(int32(patience / time.Second))},
		},
	}
	f.Expect(env.Client.Create(f.t.Context(), check)).To(Succeed())
}

// without reports whether the control plane has three machines with nodes, none of which is one of the given.
func (f *fleet) without(others ...*clusterv1.Machine) bool {
	f.t.Helper()
	machines := f.machines(f.names[0])
	for i := range machines {
		m := &machines[i]
		if m.Status.NodeRef.Name == "" || !m.DeletionTimestamp.IsZero() {
			return false
		}
		for _, other := range others {
			if m.UID == other.UID {
				return false
			}
		}
	}
	return len(machines) == 3
}
