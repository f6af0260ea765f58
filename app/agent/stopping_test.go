package agent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// rebooting is a machine that stops its services and its network before it signals the agent. So a command or a unit
// fails by itself.
type rebooting struct {
	*memory.Host
	at string
}

func (r rebooting) Apply(ctx context.Context, op action.Operation, o journal.Original) error {
	c, ok := op.(action.RunCommand)
	if !ok || c.Name != r.at {
		return r.Host.Apply(ctx, op, o)
	}
	r.Ran = append(r.Ran, c.Script)
	return r.fail(c.Name)
}

func (r rebooting) Restart(ctx context.Context, unit string) error {
	if unit == r.at {
		return r.fail("systemctl")
	}
	return r.Host.Restart(ctx, unit)
}

func (r rebooting) fail(name string) error {
	r.Stopping = true
	return &ports.CommandError{Name: name, ExitCode: 1, Output: []byte("Transaction is destructive")}
}

// Fetch is the source of the machine, which has lost its network.
func (r rebooting) Fetch(context.Context, indirect.RemoteConfig) ([]byte, error) {
	r.Stopping = true
	return nil, errAway
}

// TestRebootBeforeTheSignalIsNoFailure reboots the machine while the agent runs in a unit with KillMode=process: what
// fails because services have stopped is not recorded as a failure, and the next boot continues.
func TestRebootBeforeTheSignalIsNoFailure(t *testing.T) {
	cases := map[string]struct {
		reason, at     string
		configurations codec
		want           []string
	}{
		"command": {
			"its program has lost its services", "pre", codec{"c": bootable()}, []string{"boot", "pre", "boot", "pre", "join"},
		},
		"unit": {
			"systemd starts no unit any more", "a.service", codec{"c": {
				machine.Unit{Name: "a.service", Enabled: enabled()}, machine.Command{Phase: document.PhasePre, Script: "pre"},
			}}, []string{"pre"},
		},
		"fetch": {"the network has stopped", "", fetched(), []string{"boot", "pre", "join"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(c.configurations)
			host := rebooting{w.host, c.at}
			s := w.with(t, host)
			s.Source = host
			got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")})
			if !errors.Is(err, agent.ErrStopped) || got.Failure != nil {
				t.Fatalf("%s: %v, %+v", c.reason, err, got.Failure)
			}
			for _, reported := range w.published {
				if reported.State != status.StateRunning {
					t.Errorf("%s: published %+v", c.reason, reported)
				}
			}
			w.host.Stopping = false
			got, _, err = w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
			if diff := cmp.Diff(c.want, w.host.Ran); diff != "" || err != nil || got.State != status.StateSucceeded {
				t.Errorf("%s: the next boot: %v, %s: %s", c.reason, err, got.State, diff)
			}
		})
	}
}
