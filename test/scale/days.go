package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/port"
)

// fleet is a fleet of machines and pools that one manager maintains for days. Time is compressed by the lifetime of
// tokens, which is seconds in place of minutes. All other work of the manager follows from events.
type fleet struct {
	*scene
	of       settings
	manager  *controlplane.Process
	endpoint *controlplane.MachineEndpoint
	// profiler is the address of the manager's profiler.
	profiler string
	// oldest is the index of the oldest machine that was not deleted.
	oldest int
	// audited is the offset of the part of the audit log that was read.
	audited int64
}

// runDays runs a fleet for days, writes a table, and fails if the manager needs more and more.
func runDays(ctx context.Context, c *controlplane.ControlPlane, s settings) error {
	days, err := maintain(ctx, c, s)
	text := daysTable(days)
	fmt.Print(text)
	if err != nil {
		return err
	}
	return errors.Join(s.write(text), leaks(days))
}

// maintain starts the manager and returns what it needed after each day.
func maintain(ctx context.Context, c *controlplane.ControlPlane, s settings) (days []day, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	f, err := newFleet(ctx, c, s)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			printTail(f.manager)
		}
		err = errors.Join(err, f.manager.Stop())
	}()
	if err := f.makePools(ctx); err != nil {
		return nil, err
	}
	for n := range s.days {
		d, err := f.live(ctx, n == 0)
		if compared := n == 1 || n == s.days-1; compared && err == nil {
			err = f.sleep(ctx)
		}
		if err == nil {
			err = f.sample(ctx, &d)
		}
		if err != nil {
			return days, fmt.Errorf("day %d: %w", n+1, err)
		}
		days = append(days, d)
		fmt.Fprintf(os.Stderr, "day %d: %+v\n", n+1, d)
	}
	return days, nil
}

// newFleet starts the manager, and the controllers that delete expired tokens and the objects of deleted machines.
func newFleet(ctx context.Context, c *controlplane.ControlPlane, s settings) (*fleet, error) {
	p, err := newMachineadm(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := unstructured.SetNestedMap(p.config.Object, map[string]any{}, "spec", "reporting"); err != nil {
		return nil, err
	}
	if _, err := c.StartControllerManager(ctx); err != nil {
		return nil, err
	}
	f := &fleet{of: s}
	if f.scene, err = newScene(ctx, c, p, s.clusters); err != nil {
		return nil, err
	}
	dir := filepath.Join(c.Dir, "endpoint")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if f.endpoint, err = controlplane.NewMachineEndpoint(dir); err != nil {
		return nil, err
	}
	if f.profiler, err = port.Reserve(); err != nil {
		return nil, err
	}
	f.manager, err = p.start(ctx, append(f.endpoint.Flags, "--profiler-address="+f.profiler,
		"--bootstrap-token-ttl="+s.tokenTTL.String())...)
	return f, err
}

// live has machines created, which report and join, and as many old ones deleted. On the first day all machines are
// created.
func (f *fleet) live(ctx context.Context, first bool) (d day, err error) {
	n := max(1, f.of.workers*f.of.share/100)
	if first {
		n = f.of.workers
	}
	from := len(f.machines)
	if err := f.makeMachines(ctx, n); err != nil {
		return d, err
	}
	if err := f.boot(ctx, from, from+n); err != nil {
		return d, err
	}
	d.Created = n
	if err := f.inParallelOf(ctx, "reports", from, from+n, f.reportRunning); err != nil {
		return d, err
	}
	if err := f.awaitRenewals(ctx, &d); err != nil {
		return d, err
	}
	if err := f.inParallelOf(ctx, "joins", from, from+n, f.join); err != nil {
		return d, err
	}
	if !first {
		err = f.deleteOldest(ctx, n)
	}
	return d, err
}

// sleep waits until the manager has forgotten what it keeps for some minutes.
func (f *fleet) sleep(ctx context.Context) error {
	if f.of.rest > 0 {
		fmt.Fprintf(os.Stderr, "waiting %s, so that client-go forgets the events of the days\n", f.of.rest)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(f.of.rest):
		return nil
	}
}

// inParallelOf calls the function with from to to-1, several at once.
func (f *fleet) inParallelOf(ctx context.Context, what string, from, to int,
	do func(ctx context.Context, machine int) error,
) error {
	return inParallel(ctx, what, to-from, func(ctx context.Context, i int) error { return do(ctx, from+i) })
}

// awaitRenewals waits until the tokens of the day's machines were extended and the pools' data was replaced so often.
// Pools' tokens are replaced with their data, which is stored and signed again.
func (f *fleet) awaitRenewals(ctx context.Context, d *day) error {
	renewals, resignings := f.of.renewals*d.Created, f.of.renewals*f.clusters
	return await(ctx, time.Second/4, stall, func(context.Context) (string, error) {
		requests, end, err := f.Requests(f.audited)
		f.audited = end
		for _, r := range requests {
			f.countRenewal(r, d)
		}
		if err != nil || d.Renewed >= renewals && d.Resigned >= resignings {
			return "", err
		}
		return fmt.Sprintf("tokens were extended %d of %d times, pools were signed again %d of %d times", d.Renewed, renewals,
			d.Resigned, resignings), nil
	})
}

// countRenewal counts a request that extends a token or replaces a pool's data.
func (f *fleet) countRenewal(r controlplane.Request, d *day) {
	change := (r.Verb == "patch" || r.Verb == "update") && r.Resource == "secrets" && r.Code < 300
	switch {
	case change && r.User == workloadUser:
		d.Renewed++
	case change && r.User == f.provider.user && isPool(r.Name) && !strings.Contains(r.Name, "stored"):
		d.Resigned++
	}
}
