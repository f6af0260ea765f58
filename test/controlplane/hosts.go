package controlplane

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	kubehosts "github.com/machineadm/machineadm/adapters/kubernetes/hosts"
	"github.com/machineadm/machineadm/app/hosts"
)

// The namespace and the account of the manager of hosts.
const (
	HostsNamespace = "machineadm-hosts-system"
	hostsAccount   = "machineadm-hosts-manager"
)

// HostsUser is the name by which the audit log knows the manager of hosts.
const HostsUser = "system:serviceaccount:" + HostsNamespace + ":" + hostsAccount

// HostsOptions configure the controllers of hosts.
type HostsOptions struct {
	Driver hosts.Driver
	// Namespace and WatchFilter limit the objects; empty accepts all.
	Namespace, WatchFilter string
	// Concurrency is the number of objects of a kind to work on at once; 0 means 8.
	Concurrency int
}

// InstallHosts applies what a release ships for hosts (config/hosts), but for the Deployment.
func (c *ControlPlane) InstallHosts(ctx context.Context) error { return c.install(ctx, "config/hosts") }

// StartHostsProvider starts the manager of hosts under the ServiceAccount that InstallHosts created, and waits until it
// is ready and serves metrics.
func (c *ControlPlane) StartHostsProvider(ctx context.Context, program string, args ...string) (*Provider, error) {
	all := append([]string{"--controllers=hosts"}, args...)
	return c.startManager(ctx, manager{hostsAccount, HostsNamespace, hostsAccount}, program, all)
}

// StartHosts starts the controllers of hosts in this process, under the ServiceAccount that InstallHosts created. The
// returned function stops them; the control plane does so at the latest.
func (c *ControlPlane) StartHosts(ctx context.Context, o HostsOptions) (stop func(), err error) {
	path := filepath.Join(c.Dir, "hosts.kubeconfig")
	if err := c.WriteServiceAccountKubeconfig(ctx, HostsNamespace, hostsAccount, path); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	config.QPS, config.Burst = -1, -1
	options := ctrl.Options{Scheme: Scheme(), Metrics: metricsserver.Options{BindAddress: "0"}}
	if o.Namespace != "" {
		options.Cache.DefaultNamespaces = map[string]cache.Config{o.Namespace: {}}
	}
	manager, err := ctrl.NewManager(config, options)
	if err != nil {
		return nil, fmt.Errorf("start the controllers of hosts: %w", err)
	}
	running, cancel := context.WithCancel(ctx)
	err = kubehosts.SetupWithManager(running, manager, kubehosts.Options{
		Drivers: hosts.Drivers{Hosts: o.Driver}, Clock: clock{}, Entropy: rand.Reader, WatchFilter: o.WatchFilter,
		ProbePeriod: hosts.DefaultProbePeriod,
		Controller: controller.Options{
			MaxConcurrentReconciles: cmp.Or(o.Concurrency, 8), SkipNameValidation: ptr.To(true),
		},
	})
	if err != nil {
		cancel()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		_ = manager.Start(running)
		close(done)
	}()
	stop = func() {
		cancel()
		<-done
	}
	c.stops = append(c.stops, stop)
	return stop, nil
}

// clock is the system's.
type clock struct{}

// Now returns the time.
func (clock) Now() time.Time { return time.Now() }
