package portstest

import (
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// WorkloadClusterStore is an initialized workload cluster under test, with at least one control plane node. Its
// components are healthy. It is prepared for an older version than the desired one, and so are its add-ons.
type WorkloadClusterStore struct {
	Workload ports.WorkloadCluster
	// ControlPlane describes its machines and the desired version.
	ControlPlane func() ports.ControlPlane
	// Expiry is that of the certificate of the first machine's API server.
	Expiry time.Time
	// Stop makes the API servers stop responding.
	Stop func(t *testing.T)
}

// WorkloadCluster checks an implementation.
func WorkloadCluster(t *testing.T, fresh func(t *testing.T) WorkloadClusterStore) {
	s := fresh(t)
	t.Run("each node reports its components", func(t *testing.T) {
		got := s.observe(t)
		if !got.Initialized {
			t.Error("the cluster is not initialized")
		}
		for _, m := range s.ControlPlane().Observed.Machines {
			if m.NodeName != "" {
				s.checkNode(t, got, m.NodeName)
			}
		}
	})
	t.Run("joins are prepared for the desired version", func(t *testing.T) {
		if s.observe(t).JoinPrepared {
			t.Fatal("it is already prepared")
		}
		for range 2 {
			want(t, "prepare", s.Workload.PrepareJoin(t.Context(), s.ControlPlane()), nil)
			if !s.observe(t).JoinPrepared {
				t.Error("it is not prepared")
			}
		}
	})
	t.Run("add-ons follow the desired version", func(t *testing.T) {
		if s.observe(t).AddonsCurrent {
			t.Fatal("they are already current")
		}
		for range 2 {
			want(t, "update", s.Workload.UpdateAddons(t.Context(), s.ControlPlane()), nil)
			if !s.observe(t).AddonsCurrent {
				t.Error("they are not current")
			}
		}
	})
	t.Run("the serving certificate expires", func(t *testing.T) {
		got, err := s.Workload.CertificateExpiry(t.Context(), s.ControlPlane(), s.ControlPlane().Observed.Machines[0])
		want(t, "expiry", err, nil)
		if !got.Equal(s.Expiry) {
			t.Errorf("it expires at %s, want %s", got, s.Expiry)
		}
	})
	t.Run("a cluster that does not respond is unreachable", func(t *testing.T) { s.checkUnreachable(t) })
}

func (s WorkloadClusterStore) observe(t *testing.T) ports.Workload {
	t.Helper()
	got, err := s.Workload.Observe(t.Context(), s.ControlPlane())
	want(t, "observe", err, nil)
	return got
}

func (s WorkloadClusterStore) checkNode(t *testing.T, got ports.Workload, node string) {
	t.Helper()
	if got.KubeletVersions[node] == "" {
		t.Errorf("node %q: no version of kubelet", node)
	}
	for _, component := range []controlplane.Component{
		controlplane.ComponentAPIServer, controlplane.ComponentControllerManager, controlplane.ComponentScheduler,
		controlplane.ComponentEtcd,
	} {
		if health := got.Components[node][component]; health != controlplane.HealthHealthy {
			t.Errorf("node %q: the health of %s is %q", node, component, health)
		}
	}
}

func (s WorkloadClusterStore) checkUnreachable(t *testing.T) {
	t.Helper()
	s.Stop(t)
	_, err := s.Workload.Observe(t.Context(), s.ControlPlane())
	want(t, "observe", err, ports.ErrUnreachable)
	want(t, "prepare", s.Workload.PrepareJoin(t.Context(), s.ControlPlane()), ports.ErrUnreachable)
	want(t, "update", s.Workload.UpdateAddons(t.Context(), s.ControlPlane()), ports.ErrUnreachable)
	_, err = s.Workload.CertificateExpiry(t.Context(), s.ControlPlane(), s.ControlPlane().Observed.Machines[0])
	want(t, "expiry", err, ports.ErrUnreachable)
}
