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

	"github.com/machineadm/machineadm/test/controlplane/standin"
)

// patience is how long the demo waits for a step; pause is how often it looks.
const (
	patience = 15 * time.Minute
	pause    = 500 * time.Millisecond
)

// expectedMachines is how many Machines config/samples/demo.yaml creates.
const expectedMachines = 9

// data shows machines that get their bootstrap data from a fake infrastructure provider, and do not boot.
func (d *demo) data(ctx context.Context) error {
	if err := d.clear(); err != nil {
		return err
	}
	if err := d.startManagement(ctx); err != nil {
		return err
	}
	d.print("starting a fake infrastructure provider")
	if err := d.management.StartStandIn(ctx); err != nil {
		return err
	}
	ca := d.management.ClusterCA(client.ObjectKey{Namespace: "default", Name: "demo"})
	if err := d.management.Client.Create(ctx, ca); err != nil {
		return fmt.Errorf("create the CA of the cluster: %w", err)
	}
	if err := d.apply(ctx, "demo.yaml"); err != nil {
		return err
	}
	w := &dataWatcher{demo: d, ready: map[string]bool{}}
	if err := wait.PollUntilContextTimeout(ctx, pause, patience, true, w.look); err != nil {
		return fmt.Errorf("wait for bootstrap data: %w", err)
	}
	if err := d.showUserdata(ctx); err != nil {
		return err
	}
	d.print("try with KEEP=1: kubectl --kubeconfig %s get machines,machinebootstrapconfigs",
		relative(filepath.Join(d.out, "management.kubeconfig")))
	return nil
}

type dataWatcher struct {
	*demo
	ready  map[string]bool
	joined bool
}

// look prints each Machine that has new bootstrap data, and reports whether all have.
func (w *dataWatcher) look(ctx context.Context) (bool, error) {
	machines, err := w.listMachines(ctx)
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

// join creates the Node of the first control plane machine, as a booting machine would: the others wait for it.
func (w *dataWatcher) join(ctx context.Context, m *clusterv1.Machine) error {
	_, controlPlane := m.Labels[clusterv1.MachineControlPlaneLabel]
	if w.joined || !controlPlane {
		return nil
	}
	w.joined = true
	w.print("%s joins: its Node appears, and the machines that waited for it continue", m.Name)
	_, err := standin.Join(ctx, w.management.Client, m)
	return err
}

func (d *demo) listMachines(ctx context.Context) ([]clusterv1.Machine, error) {
	var list clusterv1.MachineList
	if err := d.management.Client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	slices.SortFunc(list.Items, func(a, b clusterv1.Machine) int { return strings.Compare(a.Name, b.Name) })
	return list.Items, nil
}
