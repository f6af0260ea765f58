package controlplane_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

// withSnapshots returns a control plane with snapshots each hour.
func withSnapshots() *v1alpha1.MachineadmControlPlane {
	o := newPlane()
	o.Spec.EtcdSnapshots = &v1alpha1.EtcdSnapshotsSpec{IntervalMinutes: ptr.To(int32(60)), Recipients: []string{"age1a"}}
	o.Spec.EtcdSnapshots.StorageRef.Name = "bucket"
	return o
}

// setSnapshots writes the status of snapshots.
func (w *world) setSnapshots(t *testing.T, s *ports.SnapshotStatus) *v1alpha1.EtcdSnapshotsStatus {
	t.Helper()
	if err := w.store.SetSnapshots(t.Context(), w.read(t), s); err != nil {
		t.Fatal(err)
	}
	return w.plane(t).Status.EtcdSnapshots
}

// TestSnapshotStatus checks what remains of the status of a snapshot when the next one fails.
func TestSnapshotStatus(t *testing.T) {
	w := newWorld(t, newCluster(), withSnapshots())
	at := w.clock.Now()
	stored := &v1alpha1.EtcdSnapshotsStatus{Last: "a", Time: metav1.NewTime(at), Bytes: ptr.To(int64(7))}
	failed := stored.DeepCopy()
	failed.Failure = "broken"
	for _, step := range []struct {
		name string
		set  *ports.SnapshotStatus
		want *v1alpha1.EtcdSnapshotsStatus
	}{
		{"stored", &ports.SnapshotStatus{Last: "a", At: at, Bytes: 7}, stored},
		{"listed after a restart", &ports.SnapshotStatus{Last: "a", At: at}, stored},
		{"etcd fails", &ports.SnapshotStatus{Last: "a", At: at, Failure: "broken"}, failed},
		{"the storage fails", &ports.SnapshotStatus{Failure: "broken"}, failed},
		{"another one", &ports.SnapshotStatus{Last: "b", At: at}, &v1alpha1.EtcdSnapshotsStatus{
			Last: "b", Time: metav1.NewTime(at),
		}},
		{"none any more", nil, nil},
	} {
		if diff := cmp.Diff(step.want, w.setSnapshots(t, step.set)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	writes := w.writes
	w.setSnapshots(t, nil)
	if w.writes != writes {
		t.Error("the same status is written again")
	}
}

// TestSnapshotCondition checks that a failure, and a controller that takes no snapshots, are conditions.
func TestSnapshotCondition(t *testing.T) {
	w := newWorld(t, newCluster(), withSnapshots())
	at := w.clock.Now()
	condition := func() string {
		w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
		return conditionsOf(w.plane(t).Status.Conditions)["EtcdSnapshotStored"]
	}
	check := func(want string) {
		t.Helper()
		if got := condition(); got != want {
			t.Errorf("the condition is %q, want %q", got, want)
		}
	}
	check("Unknown WaitingForSnapshot")
	w.setSnapshots(t, &ports.SnapshotStatus{Last: "a", At: at})
	check("True Stored")
	w.setSnapshots(t, &ports.SnapshotStatus{Last: "a", At: at, Failure: "broken"})
	check("False SnapshotFailed")
	w.setSnapshots(t, &ports.SnapshotStatus{Last: "a", At: at})
	w.clock.Advance(2*time.Hour + time.Second)
	check("False SnapshotOverdue")
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) { o.Spec.EtcdSnapshots = nil })
	check("")
}

// TestSnapshotConditionWithoutProfile checks that the condition remains while the profile of the operating system is
// missing, for example after a move.
func TestSnapshotConditionWithoutProfile(t *testing.T) {
	o := withSnapshots()
	o.Spec.Bootstrap.OS.ProfileFrom = &bootstrapv1.ProfileSource{ConfigMap: bootstrapv1.KeyReference{Name: "p", Key: "k"}}
	w := newWorld(t, newCluster(), o)
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	if got := conditionsOf(w.plane(t).Status.Conditions)["EtcdSnapshotStored"]; got != "Unknown WaitingForSnapshot" {
		t.Errorf("the condition is %q", got)
	}
}
