package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/controlplane/standin"
	"github.com/machineadm/machineadm/test/programs"
)

// patience is how long the demo waits for bootstrap data; pause is how often it looks.
const (
	patience = 5 * time.Minute
	pause    = 500 * time.Millisecond
)

// bootstrap applies the sample and waits until each Machine has bootstrap data. The first control plane machine that
// gets some is let join, as a booting machine would, since the others wait for it.
func bootstrap(ctx context.Context, p progress, c *controlplane.ControlPlane) error {
	objects, err := controlplane.ReadManifests(filepath.Join(programs.Root(), "config", "samples", "demo.yaml"))
	if err != nil {
		return err
	}
	p.print("applying %d objects of config/samples/demo.yaml", len(objects))
	if err := c.Client.Create(ctx, c.ClusterCA(client.ObjectKey{Namespace: "default", Name: "demo"})); err != nil {
		return fmt.Errorf("make the cluster's CA: %w", err)
	}
	if err := c.Apply(ctx, objects...); err != nil {
		return err
	}
	w := &watcher{progress: p, controlPlane: c, ready: map[string]bool{}}
	if err := wait.PollUntilContextTimeout(ctx, pause, patience, true, w.look); err != nil {
		return fmt.Errorf("wait for bootstrap data: %w", err)
	}
	return nil
}

// expectedMachines is how many Machines the sample makes.
const expectedMachines = 9

type watcher struct {
	progress
	controlPlane *controlplane.ControlPlane
	ready        map[string]bool
	joined       bool
}

// look prints each Machine that has got bootstrap data, and reports whether all have.
func (w *watcher) look(ctx context.Context) (bool, error) {
	machines, err := listMachines(ctx, w.controlPlane.Client)
	if err != nil {
		return false, err
	}
	for i := range machines {
		m := &machines[i]
		if m.Spec.Bootstrap.DataSecretName == nil || w.ready[m.Name] {
			continue
		}
		w.ready[m.Name] = true
		w.print("%s has bootstrap data (%d of %d)", m.Name, len(w.ready), expectedMachines)
		if err := w.join(ctx, m); err != nil {
			return false, err
		}
	}
	return len(w.ready) == expectedMachines, nil
}

func (w *watcher) join(ctx context.Context, m *clusterv1.Machine) error {
	_, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]
	if w.joined || !controlPlane {
		return nil
	}
	w.joined = true
	w.print("%s joins: its Node appears, and those that waited for it go on", m.Name)
	_, err := standin.Join(ctx, w.controlPlane.Client, m)
	return err
}

func listMachines(ctx context.Context, c client.Client) ([]clusterv1.Machine, error) {
	var list clusterv1.MachineList
	if err := c.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	slices.SortFunc(list.Items, func(a, b clusterv1.Machine) int { return strings.Compare(a.Name, b.Name) })
	return list.Items, nil
}
