package controlplane_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
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

// TestSnapshotsAreObserved checks that a failure of snapshots is an event and in the metrics, also that of the first
// one.
func TestSnapshotsAreObserved(t *testing.T) {
	w, recorder, registry := newWorld(t, newCluster(), withSnapshots()), events.NewFakeRecorder(100),
		prometheus.NewPedanticRegistry()
	w.store.Events = recorder
	if _, err := controlplane.NewMetrics(registry, w.Client); err != nil {
		t.Fatal(err)
	}
	at := w.clock.Now()
	for _, step := range []struct {
		name   string
		set    *ports.SnapshotStatus
		status string
		events []string
	}{
		{"before the first one", nil, "Unknown", nil},
		{"the first one fails", &ports.SnapshotStatus{Failure: "broken"}, "False", []string{
			"Warning SnapshotFailed EtcdSnapshotStored is False: broken",
		}},
		{"and again", &ports.SnapshotStatus{Failure: "still broken"}, "False", nil},
		{"one is stored", &ports.SnapshotStatus{Last: "a", At: at}, "True", []string{
			"Normal Stored EtcdSnapshotStored is True",
		}},
		{"the next one fails", &ports.SnapshotStatus{Last: "a", At: at, Failure: "full"}, "False", []string{
			"Warning SnapshotFailed EtcdSnapshotStored is False: full",
		}},
	} {
		w.setSnapshots(t, step.set)
		w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
		got := slices.DeleteFunc(emitted(recorder), func(e string) bool { return !strings.Contains(e, "EtcdSnapshotStored") })
		if diff := cmp.Diff(step.events, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff([]string{step.status}, counted(t, registry)); diff != "" {
			t.Errorf("%s: statuses (-want +got):\n%s", step.name, diff)
		}
	}
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) { o.Spec.EtcdSnapshots = nil })
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	if got := counted(t, registry); len(got) != 0 {
		t.Errorf("without snapshots, the metrics contain %v", got)
	}
}

// counted returns the statuses of the condition of snapshots in the metrics.
func counted(t *testing.T, registry *prometheus.Registry) (statuses []string) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if len(m.GetLabel()) == 2 && m.GetLabel()[0].GetValue() == "EtcdSnapshotStored" {
				statuses = append(statuses, m.GetLabel()[1].GetValue())
			}
		}
	}
	return statuses
}
