package planescale_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
)

// startPlanes starts the manager of control planes.
func startPlanes(t *testing.T) meter {
	t.Helper()
	planes, err := env.StartPlanesProvider(env.ctx, env.program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		memory, err := planes.Memory()
		if err := errors.Join(err, planes.Stop()); err != nil {
			t.Error(err)
		}
		t.Logf("memory of the manager of control planes: %d MiB", memory.Peak>>20)
	})
	return meter{process: planes.Process, user: controlplane.PlanesUser, agent: "machineadm-control-plane-manager"}
}

// TestManyControlPlanes initializes clusters of three control plane machines, replaces each machine once, and reports
// what the manager used: 50 clusters in a nightly run. Reconciliations without anything to do must cost no requests to
// workload clusters.
func TestManyControlPlanes(t *testing.T) {
	m := startPlanes(t)
	f := newFleet(t, "many", machineadmPlane, nightly.Or(50, 1), nil)
	rows := []string{"| phase | seconds | CPU seconds | requests to the management cluster | to workload clusters |"}
	measure := func(phase string, do func()) {
		before := m.read(t)
		do()
		after := m.read(t)
		u := after.since(before)
		rows = append(rows, fmt.Sprintf("| %s | %.0f | %.1f | %d | %d |", phase, after.at.Sub(before.at).Seconds(),
			u.cpu.Seconds(), sum(u.management), sum(u.workload)))
		t.Logf("%s: management: %s; workload: %s", phase, list(u.management), list(u.workload))
	}
	measure("initialization", func() {
		f.create()
		f.complete()
	})
	measure("rollout", f.roll)
	m.isSteady(t, f)
	if nightly.Enabled() {
		measure("steady state", func() { f.pass(steadyPeriod) })
	}
	t.Logf("%d clusters of three\n%s", len(f.names), strings.Join(rows, "\n"))
}

const (
	// steadyPeriod is the time for which a steady state is measured.
	steadyPeriod = 5 * time.Minute
	// lookPeriod is the time in which members are asked once while nothing changes, and settingsPeriod that of the
	// settings in the workload cluster.
	lookPeriod, settingsPeriod = time.Minute, 10 * time.Minute
	// settingsReads is the number of objects that contain the settings.
	settingsReads = 3
	// touches is the number of reconciliations without anything to do.
	touches = 20
)

// isSteady reconciles the control plane of the first cluster often while nothing is to be done. The requests to its
// workload cluster must depend on the time, and not on the number of reconciliations.
func (m meter) isSteady(t *testing.T, f *fleet) {
	t.Helper()
	before, from := m.read(t), m.reconciliations(t)
	f.Eventually(func() int {
		plane := f.get(f.names[0])
		old := plane.DeepCopy()
		plane.SetAnnotations(map[string]string{"example.com/touched": time.Now().String()})
		f.Expect(env.Client.Patch(t.Context(), plane, client.MergeFrom(old))).To(Succeed())
		return m.reconciliations(t) - from
	}).WithPolling(100 * time.Millisecond).Should(BeNumerically(">=", touches))
	after := m.read(t)
	u, elapsed, clusters := after.since(before), after.at.Sub(before.at), len(f.names)
	t.Logf("%d reconciliations in %s: %s", m.reconciliations(t)-from, elapsed.Round(time.Second), list(u.workload))
	forwards := u.workload["connect pods/portforward"]
	// A connection is two requests: client-go tries WebSocket first, which this server does not support.
	if looks := clusters * (2 + int(elapsed/lookPeriod)); forwards > 2*3*looks {
		t.Errorf("%d port-forwards, want those of %d looks at three members", forwards, looks)
	}
	reads := sum(u.workload) - forwards
	if periods := clusters * (1 + int(elapsed/settingsPeriod)); reads > settingsReads*periods {
		t.Errorf("%d reads, want at most %d: %s", reads, settingsReads*periods, list(u.workload))
	}
}

// reconciliations returns how often control planes were reconciled.
func (m meter) reconciliations(t *testing.T) (total int) {
	t.Helper()
	text, err := m.process.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, `controller_runtime_reconcile_total{controller="machineadmcontrolplane"`) {
			continue
		}
		words := strings.Fields(line)
		n, err := strconv.ParseFloat(words[len(words)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		total += int(n)
	}
	return total
}

// pass waits for a period in which every control plane stays complete.
func (f *fleet) pass(period time.Duration) {
	f.t.Helper()
	end := time.Now().Add(period)
	f.Eventually(func() bool {
		f.complete()
		return time.Now().After(end)
	}).WithPolling(10 * time.Second).Should(BeTrue())
}
