package hosts

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// slow is a driver whose claims take two seconds and fail.
type slow struct {
	hosts.Driver
	clock *memory.Clock
}

func (d slow) Claim(context.Context, ports.HostTarget, string) error {
	d.clock.Advance(2 * time.Second)
	return &ports.HostError{Fault: host.FaultDiskFull, Operation: "write the claim"}
}

// TestMetrics checks the number of hosts by state, and the calls of drivers with their faults and durations.
func TestMetrics(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	named := func(name, reason string) *v1alpha1.Host {
		h := &v1alpha1.Host{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: name}}
		if reason != "" {
			h.Spec.Unavailable = &v1alpha1.HostUnavailable{Reason: reason}
		}
		return h
	}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		named("a", ""), named("b", ""), named("c", "ResetFailed"), named("d", "TextOfAUser"),
	).Build()
	registry, clock := prometheus.NewRegistry(), memory.NewClock(time.Unix(1_800_000_000, 0))
	m, err := NewMetrics(registry, api, clock)
	if err != nil {
		t.Fatal(err)
	}
	drivers := m.Measured(hosts.Drivers{Hosts: slow{clock: clock}})
	if drivers.Namespaces != nil || drivers.VirtualMachines != nil {
		t.Error("a driver that is disabled became enabled")
	}
	if err := drivers.Hosts.Claim(t.Context(), ports.HostTarget{}, "c"); err == nil {
		t.Error("the fault is lost")
	}
	if err := testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP machineadm_hosts Hosts of the inventory, by state and reason.
# TYPE machineadm_hosts gauge
machineadm_hosts{reason="Maintenance",state="Unavailable"} 1
machineadm_hosts{reason="NotProbed",state="Pending"} 2
machineadm_hosts{reason="ResetFailed",state="Unavailable"} 1
`), "machineadm_hosts"); err != nil {
		t.Error(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "machineadm_host_call_seconds" {
			sample := f.GetMetric()[0]
			if h := sample.GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() != 2 ||
				!strings.Contains(sample.String(), "DiskFull") {
				t.Errorf("the calls are %s", sample)
			}
			return
		}
	}
	t.Error("no call was measured")
}
