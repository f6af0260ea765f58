package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/machineadm/machineadm/test/controlplane"
)

const (
	// patience is how long one manager may take until all configs are ready.
	patience = 2 * time.Hour
	// calm is how long a manager must have asked for nothing until it counts as done, events included.
	calm = 3 * time.Second
	// unrest is for how long its requests are counted if it does not become calm: a manager that still extends tokens
	// when the last config is ready never does.
	unrest = time.Minute
)

// measure has a provider's manager make the data of many workers. The clock runs from the first config to the last one
// that is ready. One worker of each cluster comes before: the manager connects to the cluster with it, and its requests
// are not counted.
func measure(ctx context.Context, c *controlplane.ControlPlane, p provider, limits string, of settings,
) (r result, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	args, err := arguments(limits)
	if err != nil {
		return r, err
	}
	s, err := newScene(ctx, c, p, of.clusters)
	if err != nil {
		return r, err
	}
	if err := s.makeMachines(ctx, of.workers+s.clusters); err != nil {
		return r, err
	}
	if err := dropPages(p.program); err != nil {
		return r, err
	}
	manager, err := p.start(ctx, args...)
	if err != nil {
		return r, err
	}
	r, err = s.timed(ctx, of.workers)
	if err != nil {
		printTail(manager)
	} else {
		r.Memory, err = manager.Memory()
	}
	r.Limits = limits
	return r, errors.Join(err, manager.Stop())
}

// printTail prints the end of the log of a manager that has failed.
func printTail(manager *controlplane.Process) {
	log, _ := os.ReadFile(manager.Log)
	_, _ = os.Stderr.Write(log[max(0, len(log)-4000):])
}

func (s *scene) timed(ctx context.Context, workers int) (result, error) {
	r := result{Provider: s.provider.name, Workers: workers, Clusters: s.clusters}
	if err := s.boot(ctx, 0, s.clusters); err != nil {
		return r, fmt.Errorf("first workers: %w", err)
	}
	_, offset, err := s.quiet(ctx, 0)
	if err != nil {
		return r, err
	}
	if err := s.clocked(ctx, &r); err != nil {
		return r, err
	}
	requests, _, err := s.quiet(ctx, offset)
	r.count(requests)
	return r, err
}

// clocked takes the time of all workers but the first ones, and that of the API server's processors.
func (s *scene) clocked(ctx context.Context, r *result) error {
	before, err := serverCPU(ctx, s.ControlPlane)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := s.boot(ctx, s.clusters, s.clusters+r.Workers); err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	after, err := serverCPU(ctx, s.ControlPlane)
	r.ServerCPU = after - before
	return err
}

// quiet waits until the manager asks for nothing any more, for the time of unrest at most, and returns what it has
// asked for since the offset and the offset of the end.
func (s *scene) quiet(ctx context.Context, offset int64) ([]controlplane.Request, int64, error) {
	var all []controlplane.Request
	began := time.Now()
	for last := began; time.Since(last) < calm && time.Since(began) < unrest; {
		requests, end, err := s.Requests(offset)
		if err != nil {
			return nil, offset, err
		}
		offset = end
		for _, r := range requests {
			if !s.counted(r) {
				continue
			}
			last = time.Now()
			all = append(all, r)
		}
		select {
		case <-ctx.Done():
			return nil, offset, fmt.Errorf("wait until the manager sends no more requests: %w", ctx.Err())
		case <-time.After(calm / 10):
		}
	}
	return all, offset, nil
}

// counted distinguishes a manager's requests for workers, in both clusters, from others: those of other identities,
// watches, leases, and checks of a cluster's health, which name no resource.
func (s *scene) counted(r controlplane.Request) bool {
	own := r.User == s.provider.user || r.User == workloadUser
	return own && r.Verb != "watch" && r.Resource != "leases" && r.Resource != ""
}
