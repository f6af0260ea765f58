package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/pflag"
	ctrl "sigs.k8s.io/controller-runtime"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	kubehosts "github.com/machineadm/machineadm/adapters/kubernetes/hosts"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/ports"
)

// hostOptions are the flags of the infrastructure provider for hosts.
type hostOptions struct {
	concurrency  int
	probePeriod  time.Duration
	networks     []string
	agentDigests []string
	limits       ports.HostDriverLimits
	namespaces   namespaceOptions
	virtual      virtualOptions
}

func (o *hostOptions) addFlags(fs *pflag.FlagSet) {
	fs.IntVar(&o.concurrency, "host-concurrency", 64,
		"Number of HostMachines to reconcile at once, and of Hosts.")
	fs.DurationVar(&o.probePeriod, "host-probe-period", hosts.DefaultProbePeriod,
		"Interval at which a host without a machine is probed.")
	fs.StringSliceVar(&o.networks, "host-networks", nil,
		"Networks of hosts, such as 10.0.0.0/8. If it is not set, or is "+anyNetwork+", hosts can have all addresses "+
			"except local ones, such as those of loopback and of metadata services.")
	fs.StringSliceVar(&o.agentDigests, "host-agent-sha256", nil,
		"SHA-256 digests of the agents that can apply machine configuration on hosts. If it is not set, or is "+
			none+", hosts accept only shell scripts.")
	o.limits = ports.DefaultHostDriverLimits()
	fs.IntVar(&o.limits.Connections, "host-connections", o.limits.Connections,
		"Maximum number of concurrent SSH connections to hosts.")
	fs.IntVar(&o.limits.Handshakes, "host-handshakes", o.limits.Handshakes,
		"Maximum number of SSH connections that log in at the same time. A namespace can use half of them.")
	o.namespaces.addFlags(fs)
	o.virtual.addFlags(fs)
}

// The values of --host-networks and of other flags that represent an empty list, because a clusterctl variable cannot
// be empty by default.
const (
	anyNetwork = "any"
	none       = "none"
)

// without returns the values, or none if the only one is the word for an empty list.
func without(values []string, empty string) []string {
	if len(values) == 1 && values[0] == empty {
		return nil
	}
	return values
}

// sha256Pattern matches a digest of --host-agent-sha256.
var sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// drivers returns the drivers that the flags enable. The end of the context closes their connections.
func (o *hostOptions) drivers(ctx context.Context) (hosts.Drivers, error) {
	networks, err := egress.ParseNetworks(without(o.networks, anyNetwork))
	if err != nil {
		return hosts.Drivers{}, fmt.Errorf("--host-networks: %w", err)
	}
	agents := without(o.agentDigests, none)
	for _, digest := range agents {
		if !sha256Pattern.MatchString(digest) {
			return hosts.Drivers{}, fmt.Errorf("--host-agent-sha256: %q is not a SHA-256 digest of 64 lower-case "+
				"hexadecimal digits", digest)
		}
	}
	if o.limits.Connections < 1 {
		return hosts.Drivers{}, errors.New("--host-connections must be at least 1")
	}
	if o.limits.Handshakes < 1 {
		return hosts.Drivers{}, errors.New("--host-handshakes must be at least 1")
	}
	namespaces, err := o.namespaces.driver()
	if err != nil {
		return hosts.Drivers{}, err
	}
	virtual, err := o.virtual.driver()
	if err != nil {
		return hosts.Drivers{}, err
	}
	overSSH := ssh.New(ssh.Options{Limits: o.limits, Networks: networks, Agents: agents})
	context.AfterFunc(ctx, overSSH.Close)
	return hosts.Drivers{Hosts: overSSH, Namespaces: namespaces, VirtualMachines: virtual}, nil
}

// setupHosts sets up the infrastructure provider for hosts.
func setupHosts(ctx context.Context, mgr ctrl.Manager, o *options) error {
	drivers, err := o.hosts.drivers(ctx)
	if err != nil {
		return err
	}
	own, err := kubehosts.NewMetrics(metrics.Registry, mgr.GetClient(), clock{})
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	return kubehosts.SetupWithManager(ctx, mgr, kubehosts.Options{
		Drivers: own.Measured(drivers), Clock: clock{}, Entropy: rand.Reader, WatchFilter: o.watchFilter,
		ProbePeriod: o.hosts.probePeriod,
		Controller:  kcontroller.Options{MaxConcurrentReconciles: o.hosts.concurrency},
	})
}
