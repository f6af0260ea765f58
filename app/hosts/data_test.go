package hosts_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func TestUnsupportedFormatFailsBeforeAHostIsSelected(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.objects.Format = ports.HostFormatIgnition
	w.reconcile("m")
	status := w.objects.Status(key("m"))
	if status.Failed != host.FaultFormat.Reason() || !strings.Contains(status.FailureMessage, "shell") ||
		!w.machine("m").Claim.IsZero() {
		t.Errorf("%+v, %+v", status, w.machine("m").Claim)
	}
}

// TestMachineConfigurationNeedsAnAgent checks that a machine with machine configuration claims only a host whose last
// probe found an agent: without one, the machine would fail after its data counts as sent.
func TestMachineConfigurationNeedsAnAgent(t *testing.T) {
	w := newWorld(t)
	names := []string{"a", "b", "c"}
	without := w.firstChoice("m", names...)
	w.addMachine("m")
	w.objects.Format = ports.HostFormatAgent
	w.reconcile("m")
	if claim := w.machine("m").Claim; !claim.IsZero() || w.ready("m").Reason != host.ReasonNoMatchingHost {
		t.Fatalf("claim %+v, condition %+v", claim, w.ready("m"))
	}
	with := names[0]
	if with == without {
		with = names[1]
	}
	e := w.host(with)
	e.Agent = true
	w.objects.SetHost(e)
	w.reconcile("m")
	if claim := w.machine("m").Claim; claim.Host != with {
		t.Errorf("the machine claims %q, want %q", claim.Host, with)
	}
}

// withoutData has no bootstrap data.
type withoutData struct{ ports.HostSecrets }

func (withoutData) Data(context.Context, ports.HostMachine) (ports.HostFormat, secret.Value, error) {
	return "", secret.Value{}, fmt.Errorf("%w: the Secret data does not exist", ports.ErrNoBootstrapData)
}

// TestMissingDataIsReported checks that a user sees which Secret is missing, before a host is selected and afterwards.
func TestMissingDataIsReported(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m", func(m *ports.HostMachine) { m.Finalizer = true })
	expect := func() {
		t.Helper()
		machines := w.machines()
		machines.Secrets = withoutData{machines.Secrets}
		after, err := machines.Reconcile(t.Context(), key("m"))
		ready := w.ready("m")
		if err != nil || after < time.Second || ready.Reason != host.ReasonWaitingForData ||
			!strings.Contains(ready.Message, "the Secret data does not exist") {
			t.Errorf("after %s: %+v, error %v", after, ready, err)
		}
	}
	expect()
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultUnreachable}, memory.HostCallBoot)
	w.reconcile("m")
	w.fleet.Fail(key("h"), memory.HostFailure{})
	if w.machine("m").SentAt.IsZero() || w.runs("h") != 0 {
		t.Fatalf("%+v", w.machine("m"))
	}
	expect()
}
