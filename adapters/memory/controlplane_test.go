package memory_test

import (
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

// simulatedPlane returns a control plane with machines. They are nodes if it is of kubeadm; those of Talos wait for the
// start.
func simulatedPlane(t *testing.T, kind node.ControlPlaneType, machines int) *memory.ControlPlane {
	t.Helper()
	clock := memory.NewClock(time.Unix(1_800_000_000, 0))
	key := ports.Key{Namespace: "default", Name: "cp"}
	plane := ports.ControlPlane{Key: key, ClusterName: "c1"}
	plane.Desired.Type, plane.Desired.Template.Version = kind, "v1.35.1"
	w := memory.NewControlPlane(plane, clock)
	for i := range machines {
		c, err := w.Read(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		o := controlplane.Operation{Kind: controlplane.KindCreateMachine}
		if i == 0 && kind == node.ControlPlaneKubeadm {
			o.Kind = controlplane.KindCreateFirstMachine
		}
		if err := w.Create(t.Context(), c, o); err != nil {
			t.Fatal(err)
		}
		for w.Advance() {
			clock.Advance(time.Minute)
		}
	}
	return w
}

// described returns the control plane as its objects describe it.
func described(t *testing.T, w *memory.ControlPlane) func() ports.ControlPlane {
	t.Helper()
	return func() ports.ControlPlane {
		c, err := w.Read(t.Context(), ports.Key{Namespace: "default", Name: "cp"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func TestControlPlaneMembersConform(t *testing.T) {
	portstest.EtcdMembers(t, func(t *testing.T) portstest.EtcdCluster {
		w := simulatedPlane(t, node.ControlPlaneKubeadm, 3)
		return portstest.EtcdCluster{
			Members: w.Members(), ControlPlane: described(t, w), Settle: func(*testing.T) {},
			Stop: func(t *testing.T, id uint64) {
				t.Helper()
				got, err := w.Members().Observe(t.Context(), described(t, w)())
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range got.List {
					if m.ID == id {
						w.Stop(m.Name)
					}
				}
			},
		}
	})
}

func TestControlPlaneWorkloadConforms(t *testing.T) {
	portstest.WorkloadCluster(t, func(t *testing.T) portstest.WorkloadClusterStore {
		w := simulatedPlane(t, node.ControlPlaneKubeadm, 1)
		w.Change(func(c *ports.ControlPlane) { c.Desired.Template.Version = "v1.36.3" })
		first := w.Machines()[0]
		return portstest.WorkloadClusterStore{
			Workload: w.Workload(), ControlPlane: described(t, w), Expiry: first.CreatedAt.Add(365 * 24 * time.Hour),
			Stop: func(*testing.T) { w.Stop(first.Name) },
		}
	})
}

func TestControlPlaneStarterConforms(t *testing.T) {
	portstest.ClusterStarter(t, func(t *testing.T) portstest.UnstartedCluster {
		w := simulatedPlane(t, node.ControlPlaneTalos, 3)
		return portstest.UnstartedCluster{
			Starter: w.Starter(), ControlPlane: described(t, w), Started: w.Firsts,
			Stop: func(_ *testing.T, machine string) { w.Stop(machine) },
		}
	})
}
