package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"

	kubehosts "github.com/machineadm/machineadm/adapters/kubernetes/hosts"
	"github.com/machineadm/machineadm/app/hosts"
)

// hostOptions are the flags of the infrastructure provider for hosts.
type hostOptions struct {
	concurrency int
	probePeriod time.Duration
}

func (o *hostOptions) addFlags(fs *pflag.FlagSet) {
	fs.IntVar(&o.concurrency, "host-concurrency", 64, "Number of machines, and of hosts, to work on at once.")
	fs.DurationVar(&o.probePeriod, "host-probe-period", hosts.DefaultProbePeriod,
		"How often a host without a machine is probed.")
}

// drivers returns the drivers that the flags enable.
func (o *hostOptions) drivers() hosts.Drivers { return hosts.Drivers{} }

// setupHosts sets up the infrastructure provider for hosts.
func setupHosts(ctx context.Context, mgr ctrl.Manager, o *options) error {
	return kubehosts.SetupWithManager(ctx, mgr, kubehosts.Options{
		Drivers: o.hosts.drivers(), Clock: clock{}, Entropy: rand.Reader, WatchFilter: o.watchFilter,
		ProbePeriod: o.hosts.probePeriod,
		Controller:  kcontroller.Options{MaxConcurrentReconciles: o.hosts.concurrency},
	})
}
