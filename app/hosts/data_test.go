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
	w.fleet.Describe(key(with), ports.HostProbe{Agent: true})
	w.reconcile("m")
	if claim := w.machine("m").Claim; claim.Host != with {
		t.Errorf("the machine claims %q, want %q", claim.Host, with)
	}
}

// TestReplacedAgent checks that a machine uses another host if the agent was replaced after the last probe.
func TestReplacedAgent(t *testing.T) {
	w := newWorld(t)
	names := []string{"a", "b"}
	first := w.firstChoice("m", names...)
	for _, name := range names {
		e := w.host(name)
		e.Agent = true
		w.objects.SetHost(e)
		w.fleet.Describe(key(name), ports.HostProbe{Agent: name != first})
	}
	w.addMachine("m")
	w.objects.Format = ports.HostFormatAgent
	w.reconcile("m")
	if m := w.machine("m"); m.Claim.Host == first || w.runs(m.Claim.Host) != 1 || w.runs(first) != 0 {
		t.Errorf("%+v, %+v", m.Machine, w.ready("m"))
	}
	if e := w.host(first); !e.Claim.IsZero() || w.fleet.Claim(key(first)) != "" {
		t.Errorf("the host %s keeps its claim: %+v", first, e)
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

// counted counts what is read from the API server.
type counted struct {
	ports.HostReader
	ports.HostSecrets
	machines, data int
}

func (c *counted) Machine(ctx context.Context, key ports.Key) (ports.HostMachine, error) {
	c.machines++
	return c.HostReader.Machine(ctx, key)
}

func (c *counted) Data(ctx context.Context, m ports.HostMachine) (ports.HostFormat, secret.Value, error) {
	c.data++
	return c.HostSecrets.Data(ctx, m)
}

// TestWaitingMachinesAreNotReadAgain has machines that find no host, and an available host, each change of which wakes
// all of them. They must not read themselves and their data from the API server each time, because all namespaces share
// the limit of requests.
func TestWaitingMachinesAreNotReadAgain(t *testing.T) {
	cases := map[string]struct {
		reason  string
		arrange func(*world, *counted)
		// resolve lets the machine find a host after the time.
		resolve func(*world, *counted)
		later   time.Duration
		want    host.Reason
	}{
		"no match": {
			reason: "the selector matches no host", want: host.ReasonNoMatchingHost,
			arrange: func(w *world, _ *counted) {
				w.addMachine("m", func(m *ports.HostMachine) {
					m.Finalizer = true
					m.Request.Selector = host.Selector{{Key: "pool", Operator: host.OperatorExists}}
				})
			},
			resolve: func(w *world, _ *counted) {
				e := w.host("h")
				e.Labels = map[string]string{"pool": "a"}
				w.objects.SetHost(e)
			},
		},
		"no agent": {
			reason: "the data needs one", want: host.ReasonNoMatchingHost,
			arrange: func(w *world, _ *counted) {
				w.objects.Format = ports.HostFormatAgent
				w.addMachine("m", func(m *ports.HostMachine) { m.Finalizer = true })
			},
			resolve: func(w *world, _ *counted) {
				e := w.host("h")
				e.Agent = true
				w.objects.SetHost(e)
			},
		},
		"no data": {
			reason: "the Secret is missing", want: host.ReasonWaitingForData, later: 30 * time.Second,
			arrange: func(w *world, c *counted) {
				w.addMachine("m", func(m *ports.HostMachine) { m.Finalizer = true })
				c.HostSecrets = withoutData{w.objects}
			},
			resolve: func(w *world, c *counted) { c.HostSecrets = w.objects },
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.addHost("h")
			read := &counted{HostReader: w.objects, HostSecrets: w.objects}
			c.arrange(w, read)
			machines := w.machines()
			machines.Live, machines.Secrets = read, read
			for range 10 {
				after, err := machines.Reconcile(t.Context(), key("m"))
				if got := w.ready("m"); err != nil || after < 30*time.Second || got.Reason != c.want {
					t.Fatalf("after %s: %+v, error %v", after, got, err)
				}
			}
			if read.machines != 1 || read.data != 1 {
				t.Errorf("%s: the machine was read %d times, its data %d times", c.reason, read.machines, read.data)
			}
			c.resolve(w, read)
			w.clock.Advance(c.later)
			if _, err := machines.Reconcile(t.Context(), key("m")); err != nil || w.machine("m").Claim.Host != "h" {
				t.Errorf("afterwards: %+v, error %v", w.machine("m").Claim, err)
			}
		})
	}
}

// TestFormatsAreReadAgain checks that a Secret that was replaced is read after the period of observations.
func TestFormatsAreReadAgain(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.objects.Format = ports.HostFormatAgent
	w.addMachine("m", func(m *ports.HostMachine) { m.Finalizer = true })
	machines := w.machines()
	var after time.Duration
	for range 2 {
		var err error
		if after, err = machines.Reconcile(t.Context(), key("m")); err != nil {
			t.Fatal(err)
		}
	}
	w.objects.Format = ports.HostFormatShell
	w.clock.Advance(after)
	if _, err := machines.Reconcile(t.Context(), key("m")); err != nil || w.machine("m").Claim.Host != "h" {
		t.Errorf("%+v, error %v", w.machine("m").Claim, err)
	}
}
