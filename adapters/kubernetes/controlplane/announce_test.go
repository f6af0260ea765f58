package controlplane_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/client-go/tools/events"

	"github.com/machineadm/machineadm/adapters/kubernetes/controlplane"
	decisions "github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// emitted returns the events since the last call.
func emitted(r *events.FakeRecorder) []string {
	var all []string
	for {
		select {
		case e := <-r.Events:
			all = append(all, e)
		default:
			return all
		}
	}
}

// TestEventsOfControlPlanes checks which statuses are events: operations, and conditions that become worse or better,
// each of them once.
func TestEventsOfControlPlanes(t *testing.T) {
	w, recorder := newWorld(t, newCluster(), newPlane()), events.NewFakeRecorder(100)
	w.store.Events = recorder
	w.creates(t)
	healthyPlane := func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) { healthy(&s.Observed) }
	removal := func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
		healthyPlane(c, s)
		s.Operation = decisions.Operation{Kind: decisions.KindRemoveMember, Machine: "a", Member: 1}
		s.Reason = decisions.Reason{Code: decisions.CodeRemovingMember, Message: "a leaves"}
	}
	steps := []struct {
		name   string
		status func(*ports.ControlPlane, *ports.ControlPlaneStatus)
		events []string
	}{
		{"a new control plane is not available", func(*ports.ControlPlane, *ports.ControlPlaneStatus) {}, nil},
		{"it becomes available", healthyPlane, []string{
			"Normal Available Available is True", "Normal Available CertificatesAvailable is True",
			"Normal Healthy EtcdClusterHealthy is True", "Normal Healthy ControlPlaneComponentsHealthy is True",
		}},
		{"an operation", removal, []string{"Normal RemovingMember a leaves"}},
		{"the same operation again", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			removal(c, s)
			s.Again = true
		}, nil},
		{"it completes another one", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			removal(c, s)
			s.Operation.Kind = decisions.KindReleaseMachine
		}, nil},
		{"the operation fails", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			removal(c, s)
			s.Failure = "refused"
		}, []string{
			"Normal RemovingMember a leaves; the operation failed: refused",
			"Warning Failed TasksSucceeded is False: * RemoveMember: refused",
		}},
		{"an interim status", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			removal(c, s)
			s.Interim = true
		}, []string{"Normal RemovingMember a leaves"}},
		{"nothing to do", healthyPlane, []string{"Normal Succeeded TasksSucceeded is True"}},
		{"the member stops", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			healthyPlane(c, s)
			s.Observed.Members.List[0].Responds = false
		}, []string{"Warning QuorumLost Available is False: 0 of 1", "Warning Unhealthy EtcdClusterHealthy is False"}},
		{"the member answers", healthyPlane, []string{
			"Normal Available Available is True", "Normal Healthy EtcdClusterHealthy is True",
		}},
		{"no member answers, and no problem is known", func(c *ports.ControlPlane, s *ports.ControlPlaneStatus) {
			healthyPlane(c, s)
			s.Observed.Members = decisions.Members{}
		}, []string{"Warning MembersUnknown Available is Unknown", "Warning MembersUnknown EtcdClusterHealthy is Unknown"}},
	}
	for _, s := range steps {
		w.reports(t, s.status)
		got := emitted(recorder)
		for i := range got {
			if strings.HasSuffix(strings.TrimSpace(got[i]), ":") {
				t.Errorf("%s: the event ends with a colon: %q", s.name, got[i])
			}
			if i < len(s.events) && strings.HasPrefix(got[i], s.events[i]) {
				got[i] = s.events[i]
			}
		}
		if diff := cmp.Diff(s.events, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.name, diff)
		}
	}
}

// TestMetricsOfControlPlanes checks the counters of operations, and the numbers of control planes by reason and by
// condition.
func TestMetricsOfControlPlanes(t *testing.T) {
	w, registry := newWorld(t, newCluster(), newPlane()), prometheus.NewPedanticRegistry()
	m, err := controlplane.NewMetrics(registry, w.Client)
	if err != nil {
		t.Fatal(err)
	}
	w.store.Metrics = m
	if n, err := testutil.GatherAndCount(registry, "machineadm_control_plane_conditions"); err != nil || n != 0 {
		t.Errorf("%d conditions of a control plane without conditions are counted: %v", n, err)
	}
	w.reports(t, func(_ *ports.ControlPlane, s *ports.ControlPlaneStatus) {
		s.Operation, s.Failure = decisions.Operation{Kind: decisions.KindUpdateAddons}, "refused"
	})
	w.reports(t, func(*ports.ControlPlane, *ports.ControlPlaneStatus) {})
	wanted := `
		# HELP machineadm_control_plane_operation_failures_total Operations that failed.
		# TYPE machineadm_control_plane_operation_failures_total counter
		machineadm_control_plane_operation_failures_total{operation="UpdateAddons"} 1
		# HELP machineadm_control_plane_operations_total Operations on control planes.
		# TYPE machineadm_control_plane_operations_total counter
		machineadm_control_plane_operations_total{operation="UpdateAddons"} 1
		# HELP machineadm_control_planes Control planes, by reason of the next operation.
		# TYPE machineadm_control_planes gauge
		machineadm_control_planes{reason="UpToDate"} 1
	`
	names := []string{
		"machineadm_control_planes", "machineadm_control_plane_operations_total",
		"machineadm_control_plane_operation_failures_total",
	}
	if err := testutil.GatherAndCompare(registry, strings.NewReader(wanted), names...); err != nil {
		t.Error(err)
	}
	if n, err := testutil.GatherAndCount(registry, "machineadm_control_plane_conditions"); err != nil || n != 7 {
		t.Errorf("%d conditions are counted: %v", n, err)
	}

	o := w.plane(t)
	o.Status.NextOperation.Reason = "TextOfAUser"
	if err := w.Status().Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	other := strings.NewReader(`
		# HELP machineadm_control_planes Control planes, by reason of the next operation.
		# TYPE machineadm_control_planes gauge
		machineadm_control_planes{reason=""} 1
	`)
	if err := testutil.GatherAndCompare(registry, other, "machineadm_control_planes"); err != nil {
		t.Error(err)
	}
}
