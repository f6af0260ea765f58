package talosapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/talosapi"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func TestMembersConform(t *testing.T) {
	portstest.EtcdMembers(t, func(t *testing.T) portstest.EtcdCluster {
		w := newWorld(t, 3)
		w.join()
		return portstest.EtcdCluster{
			Members: talosapi.NewMembers(w.options), ControlPlane: w.controlPlane, SelectsSuccessor: true,
			Settle: func(*testing.T) {},
			Stop: func(_ *testing.T, id uint64) {
				for _, m := range w.machines {
					if m.id == id {
						m.stop()
					}
				}
			},
		}
	})
}

func TestStarterConforms(t *testing.T) {
	portstest.ClusterStarter(t, func(t *testing.T) portstest.UnstartedCluster {
		w := newWorld(t, 3)
		return portstest.UnstartedCluster{
			Starter: talosapi.NewStarter(w.options), Started: func() int { return w.started },
			ControlPlane: func() ports.ControlPlane {
				c := w.controlPlane()
				c.Observed.Machines = c.Observed.Machines[:len(w.machines)]
				return c
			},
			Stop: func(_ *testing.T, machine string) {
				for _, m := range w.machines {
					if m.name == machine {
						m.stop()
					}
				}
			},
		}
	})
}

// TestUnreachablePort verifies that the problem contains what a user can do, for a firewall before port 50000.
func TestUnreachablePort(t *testing.T) {
	w := newWorld(t, 1)
	w.join()
	w.machines[0].stop()
	got, err := talosapi.NewMembers(w.options).Observe(t.Context(), w.controlPlane())
	if err != nil || got.Known || !strings.Contains(got.Problem, "talosctl --nodes 127.50.0.1 etcd members") {
		t.Errorf("observed %+v, error %v", got, err)
	}
}

// TestStartWithoutAddress verifies that a machine is not started before it has an address, and that others without one
// do not prevent the start.
func TestStartWithoutAddress(t *testing.T) {
	w := newWorld(t, 1)
	starter := talosapi.NewStarter(w.options)
	if err := starter.Start(t.Context(), w.controlPlane(), "booting"); !errors.Is(err, ports.ErrUnreachable) {
		t.Errorf("error %v, want %v", err, ports.ErrUnreachable)
	}
	if err := starter.Start(t.Context(), w.controlPlane(), "m1"); err != nil || w.started != 1 {
		t.Errorf("error %v, started %d times", err, w.started)
	}
}

// TestSecondAddress verifies that a machine is reached at any of its addresses.
func TestSecondAddress(t *testing.T) {
	w := newWorld(t, 1)
	w.join()
	c := w.controlPlane()
	c.Observed.Machines[0].Addresses = []string{"127.50.0.9", "127.50.0.1"}
	got, err := talosapi.NewMembers(w.options).Observe(t.Context(), c)
	if err != nil || !got.Known || !got.List[0].Responds {
		t.Errorf("observed %+v, error %v", got, err)
	}
}

// TestForeignMachine verifies that a machine with another CA is not believed.
func TestForeignMachine(t *testing.T) {
	w, other := newWorld(t, 1), ports.ControlPlane{Key: ports.Key{Namespace: "default", Name: "cp"}, ClusterName: "c2"}
	w.join()
	other.Observed.Machines = []controlplane.Machine{{Name: "m1", Addresses: []string{"127.50.0.1"}}}
	got, err := talosapi.NewMembers(w.options).Observe(t.Context(), other)
	if err != nil || got.Known || got.Problem == "" {
		t.Errorf("observed %+v, error %v", got, err)
	}
}
