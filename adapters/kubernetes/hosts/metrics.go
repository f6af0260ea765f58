package hosts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Metrics are the metrics of hosts. It collects the number of hosts from the cache.
type Metrics struct {
	calls *prometheus.HistogramVec
	hosts *prometheus.Desc
	cache client.Reader
	clock ports.Clock
}

// collectTimeout is how long a collection may wait for the cache.
const collectTimeout = 5 * time.Second

// NewMetrics creates and registers the metrics. The reader reads Hosts from the cache.
func NewMetrics(registry prometheus.Registerer, cache client.Reader, clock ports.Clock) (*Metrics, error) {
	m := &Metrics{
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "machineadm_host_call_seconds",
			Help:    "Time of calls of drivers, by driver, call and fault. The fault is empty if the call succeeded.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 12),
		}, []string{"driver", "call", "fault"}),
		hosts: prometheus.NewDesc("machineadm_hosts", "Hosts of the inventory, by state and reason.",
			[]string{"state", "reason"}, nil),
		cache: cache, clock: clock,
	}
	for _, c := range []prometheus.Collector{m.calls, m} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Describe sends the description of the number of hosts.
func (m *Metrics) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- m.hosts }

// Collect sends the number of hosts with each state and reason.
func (m *Metrics) Collect(samples chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTimeout)
	defer cancel()
	var list v1alpha1.HostList
	if err := m.cache.List(ctx, &list); err != nil {
		samples <- prometheus.NewInvalidMetric(m.hosts, fmt.Errorf("list Hosts: %w", err))
		return
	}
	type label struct{ state, reason string }
	numbers := map[label]int{}
	for i := range list.Items {
		state, reason := readHost(&list.Items[i]).State()
		numbers[label{string(state), reasonLabel(reason)}]++
	}
	for l, number := range numbers {
		samples <- prometheus.MustNewConstMetric(m.hosts, prometheus.GaugeValue, float64(number), l.state, l.reason)
	}
}

// reasonLabel returns the reason of a state. Users choose the reason in spec.unavailable, so other values than those of
// the controller have the label of maintenance.
func reasonLabel(r host.Reason) string {
	own := []host.Reason{
		host.ReasonClaimed, host.ReasonDeleting, host.ReasonNotProbed, host.ReasonAvailable, host.ReasonReleaseDeadline,
	}
	if slices.Contains(own, r) || host.Fault(r).Remedy() != "" {
		return string(r)
	}
	return string(host.ReasonMaintenance)
}

// Measured returns the drivers with measured calls.
func (m *Metrics) Measured(d hosts.Drivers) hosts.Drivers {
	return hosts.Drivers{
		Hosts: m.measured("ssh", d.Hosts), Namespaces: m.measured("namespace", d.Namespaces),
		VirtualMachines: m.measured("qemu", d.VirtualMachines),
	}
}

// measured returns the driver with measured calls, or nil if it is disabled.
func (m *Metrics) measured(name string, d hosts.Driver) hosts.Driver {
	if d == nil {
		return nil
	}
	return measuredDriver{Driver: d, name: name, calls: m.calls, clock: m.clock}
}

// measuredDriver measures the calls of a driver.
type measuredDriver struct {
	hosts.Driver
	name  string
	calls *prometheus.HistogramVec
	clock ports.Clock
}

// measure starts to measure a call, and returns the function that records its end.
func (d measuredDriver) measure(call string) func(err *error) {
	began := d.clock.Now()
	return func(err *error) {
		var failed *ports.HostError
		fault := ""
		switch {
		case errors.As(*err, &failed):
			fault = string(failed.Fault)
		case *err != nil:
			fault = string(host.FaultUnreachable)
		}
		d.calls.WithLabelValues(d.name, call, fault).Observe(d.clock.Now().Sub(began).Seconds())
	}
}

// Probe returns the properties of a host.
func (d measuredDriver) Probe(ctx context.Context, target ports.HostTarget) (_ ports.HostProbe, err error) {
	defer d.measure("probe")(&err)
	return d.Driver.Probe(ctx, target)
}

// Claim writes the claim to a host.
func (d measuredDriver) Claim(ctx context.Context, target ports.HostTarget, claimID string) (err error) {
	defer d.measure("claim")(&err)
	return d.Driver.Claim(ctx, target, claimID)
}

// Boot sends the data and starts it.
func (d measuredDriver) Boot(
	ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot,
) (err error) {
	defer d.measure("boot")(&err)
	return d.Driver.Boot(ctx, target, claimID, boot)
}

// Observe returns the state of a claim.
func (d measuredDriver) Observe(
	ctx context.Context, target ports.HostTarget, claimID string,
) (_ ports.HostObservation, err error) {
	defer d.measure("observe")(&err)
	return d.Driver.Observe(ctx, target, claimID)
}

// Release starts the reset of a host.
func (d measuredDriver) Release(ctx context.Context, target ports.HostTarget, claimID string) (err error) {
	defer d.measure("release")(&err)
	return d.Driver.Release(ctx, target, claimID)
}
