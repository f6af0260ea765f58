//go:build linux && e2e

package controlplanes_test

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"k8s.io/utils/ptr"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/test/planes"
)

func TestMain(m *testing.M) { os.Exit(planes.Main(m, planes.KubeadmTools()...)) }

// observed is a cluster whose API server is polled, and whose members are watched.
type observed struct {
	*planes.Cluster
	t      *testing.T
	quorum *planes.Quorum
	steps  int
}

// observe waits until the cluster is complete, and starts to watch it.
func observe(t *testing.T, c *planes.Cluster) *observed {
	t.Helper()
	c.Complete()
	return &observed{Cluster: c, t: t, quorum: c.WatchQuorum()}
}

// step runs a step, waits until the cluster is complete again, and logs what a client of the API server saw. What was
// written before the step must be there afterwards, and the quorum of etcd was never lost.
func (o *observed) step(name string, change func()) {
	o.t.Helper()
	o.steps++
	o.quorum.Write(fmt.Sprintf("step-%d", o.steps), name)
	probe := o.StartProbe()
	change()
	o.Complete()
	figures := probe.Stop()
	o.quorum.Check()
	o.t.Logf("| %s | %s |", name, figures)
	o.record(name, figures)
}

// record appends the figures to the file that the environment variable PLANES_FIGURES names.
func (o *observed) record(name string, figures planes.Figures) {
	o.t.Helper()
	f, err := os.OpenFile(cmp.Or(os.Getenv("PLANES_FIGURES"), os.DevNull), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		o.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(f, "| %s | %s |\n", name, figures); err != nil {
		o.t.Error(err)
	}
	if err := f.Close(); err != nil {
		o.t.Error(err)
	}
}

// scale changes the number of machines.
func (o *observed) scale(replicas int32) func() {
	return func() {
		o.Change(func(s *controlplanev1.MachineadmControlPlaneSpec) { s.Replicas = ptr.To(replicas) })
	}
}
