package controlplane

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// collectTimeout is how long a collection may wait for the cache.
const collectTimeout = 5 * time.Second

// Metrics are the metrics of control planes. It collects their number from the cache.
type Metrics struct {
	operations, failures *prometheus.CounterVec
	planes, conditions   *prometheus.Desc
	cache                client.Reader
}

// NewMetrics creates and registers the metrics. The reader reads control planes from the cache.
func NewMetrics(registry prometheus.Registerer, cache client.Reader) (*Metrics, error) {
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"operation"})
	}
	m := &Metrics{
		operations: counter("machineadm_control_plane_operations_total", "Operations on control planes."),
		failures:   counter("machineadm_control_plane_operation_failures_total", "Operations that failed."),
		planes: prometheus.NewDesc("machineadm_control_planes", "Control planes, by reason of the next operation.",
			[]string{"reason"}, nil),
		conditions: prometheus.NewDesc("machineadm_control_plane_conditions",
			"Control planes, by condition and status.", []string{"condition", "status"}, nil),
		cache: cache,
	}
	for _, c := range []prometheus.Collector{m.operations, m.failures, m} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// count counts an operation. To wait is not one.
func (m *Metrics) count(s ports.ControlPlaneStatus) {
	if m == nil || s.Operation.Kind == controlplane.KindWait {
		return
	}
	m.operations.WithLabelValues(string(s.Operation.Kind)).Inc()
	if s.Failure != "" {
		m.failures.WithLabelValues(string(s.Operation.Kind)).Inc()
	}
}

// Describe sends the descriptions of the numbers of control planes.
func (m *Metrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- m.planes
	descriptions <- m.conditions
}

// Collect sends the number of control planes with each reason, and with each status of a condition.
func (m *Metrics) Collect(samples chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTimeout)
	defer cancel()
	var list v1alpha1.MachineadmControlPlaneList
	if err := m.cache.List(ctx, &list); err != nil {
		samples <- prometheus.NewInvalidMetric(m.planes, fmt.Errorf("list control planes: %w", err))
		return
	}
	reasons, statuses := map[string]int{}, map[[2]string]int{}
	for i := range list.Items {
		o := &list.Items[i]
		reasons[reasonLabel(o)]++
		for _, name := range append(watched(), clusterv1.PausedCondition) {
			// Without snapshots or stacked etcd, their conditions are absent, and so are all before the first decision.
			if c := conditions.Get(o, name); c != nil {
				statuses[[2]string{name, string(c.Status)}]++
			}
		}
	}
	for reason, n := range reasons {
		samples <- prometheus.MustNewConstMetric(m.planes, prometheus.GaugeValue, float64(n), reason)
	}
	for l, n := range statuses {
		samples <- prometheus.MustNewConstMetric(m.conditions, prometheus.GaugeValue, float64(n), l[0], l[1])
	}
}

// reasonLabel returns the reason of the next operation, or an empty string before the first decision. The label has
// only the values that this controller writes, even if a user writes another one to the status.
func reasonLabel(o *v1alpha1.MachineadmControlPlane) string {
	next := o.Status.NextOperation
	if next == nil || !slices.Contains(controlplane.Codes(), controlplane.Code(next.Reason)) {
		return ""
	}
	return next.Reason
}
