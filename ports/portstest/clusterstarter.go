package portstest

import (
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// UnstartedCluster is a cluster under test that was not started. It has several machines, all of which respond.
type UnstartedCluster struct {
	Starter ports.ClusterStarter
	// ControlPlane describes the machines.
	ControlPlane func() ports.ControlPlane
	// Started counts the machines that started a cluster.
	Started func() int
	// Stop makes a machine stop responding.
	Stop func(t *testing.T, machine string)
}

// ClusterStarter checks an implementation.
func ClusterStarter(t *testing.T, fresh func(t *testing.T) UnstartedCluster) {
	t.Run("a cluster is started once", func(t *testing.T) {
		c := fresh(t)
		for _, m := range c.ControlPlane().Observed.Machines {
			for range 2 {
				want(t, "start on "+m.Name, c.Starter.Start(t.Context(), c.ControlPlane(), m.Name), nil)
				if n := c.Started(); n != 1 {
					t.Fatalf("%d machines started a cluster, want one", n)
				}
			}
		}
	})
	t.Run("a machine that does not respond may have etcd data", func(t *testing.T) {
		c := fresh(t)
		machines := c.ControlPlane().Observed.Machines
		c.Stop(t, machines[len(machines)-1].Name)
		want(t, "start", c.Starter.Start(t.Context(), c.ControlPlane(), machines[0].Name), ports.ErrUnreachable)
		if n := c.Started(); n != 0 {
			t.Errorf("%d machines started a cluster, want none", n)
		}
	})
}
