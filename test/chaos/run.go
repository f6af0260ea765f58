package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
)

// settings are the flags.
type settings struct {
	machines, clusters int
	// kills and restarts are how often a manager is killed and the API server is restarted.
	kills, restarts int
	seed            uint64
}

// result is what happened and what the audit log and the objects show afterwards.
type result struct {
	settings
	killed, ended int
	injected      map[fault]int
	found         findings
}

// patience is how long a run may take.
const patience = 2 * time.Hour

// run creates the machines while managers and the API server are ended and requests fail, waits until all machines are
// ready, and examines the result.
func run(ctx context.Context, dir string, s settings) (r result, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Audit: true})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	if err := errors.Join(c.InstallCoreCRDs(ctx, controlplane.Core114()), c.InstallProvider(ctx)); err != nil {
		return r, err
	}
	p, err := newProxy(c.Config, s.seed)
	if err != nil {
		return r, err
	}
	defer p.Close()
	at := &scene{ControlPlane: c, settings: s, proxy: p}
	if err := at.build(ctx); err != nil {
		return r, err
	}
	m, err := newManagers(ctx, at)
	if err != nil {
		return r, err
	}
	if err := at.disturb(ctx, m); err != nil {
		return r, err
	}
	r = result{settings: s, injected: p.injected()}
	r.killed, r.ended = m.counts()
	r.found, err = at.examine(ctx)
	return r, err
}

// disturb runs the managers until all machines are ready, and disturbs them meanwhile.
func (s *scene) disturb(ctx context.Context, m *managers) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return m.supervise(ctx) })
	group.Go(func() error { return s.makeMachines(ctx) })
	group.Go(func() error {
		defer stop()
		return s.follow(ctx, m)
	})
	return group.Wait()
}

// follow waits until all machines are ready and all disturbances have happened, which are spread over the progress. It
// initializes clusters as the core manager does.
func (s *scene) follow(ctx context.Context, m *managers) error {
	initialized := map[string]bool{}
	for killed, restarted := 0, 0; ; {
		ready, err := s.progress(ctx, initialized)
		if err != nil {
			return err
		}
		done := float64(ready) / float64(s.machines)
		switch {
		case restarted < s.restarts && done >= (float64(restarted)+0.5)/float64(s.restarts+1):
			if err := s.RestartAPIServer(); err != nil {
				return err
			}
			restarted++
		case killed < s.kills && done >= float64(killed)/float64(s.kills+1):
			fmt.Fprintf(os.Stderr, "%d of %d machines are ready; killing a manager\n", ready, s.machines)
			if err := m.kill(); err != nil {
				return err
			}
			killed, _ = m.counts()
		case ready == s.machines:
			return nil
		}
		pause(ctx, time.Second)
	}
}

// progress returns how many machines are ready, and initializes the clusters whose first machine is ready.
func (s *scene) progress(ctx context.Context, initialized map[string]bool) (int, error) {
	var configs v1alpha1.MachineBootstrapConfigList
	if err := controlplane.Insist(ctx, func(ctx context.Context) error {
		return s.Client.List(ctx, &configs, client.InNamespace(namespace))
	}); err != nil {
		return 0, err
	}
	ready := 0
	for i := range configs.Items {
		c := &configs.Items[i]
		if !c.Status.DataSecretCreated() {
			continue
		}
		ready++
		if name := c.Labels["cluster.x-k8s.io/cluster-name"]; !initialized[name] {
			if err := controlplane.Insist(ctx, func(ctx context.Context) error { return s.initialize(ctx, name) }); err != nil {
				return 0, err
			}
			initialized[name] = true
		}
	}
	return ready, nil
}
