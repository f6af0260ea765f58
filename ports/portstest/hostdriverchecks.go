package portstest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// fault expects an error with the fault.
func fault(t *testing.T, what string, err error, wanted host.Fault) {
	t.Helper()
	var failed *ports.HostError
	if !errors.As(err, &failed) || failed.Fault != wanted {
		t.Fatalf("%s: error %v, want the fault %s", what, err, wanted)
	}
}

func (w DriverWorld) claims(t *testing.T, h ports.HostTarget, claim string) {
	t.Helper()
	want(t, "claim", w.Claim(t.Context(), h, claim), nil)
}

// boots claims the host and starts the data.
func (w DriverWorld) boots(t *testing.T, h ports.HostTarget, claim string) {
	t.Helper()
	w.claims(t, h, claim)
	want(t, "boot", w.Boot(t.Context(), h, claim, w.Data(t, h)), nil)
}

// returns releases the first claim, waits for the end and expects that a repetition does nothing.
func (w DriverWorld) returns(t *testing.T, h ports.HostTarget) {
	t.Helper()
	want(t, "release", w.Release(t.Context(), h, firstClaim), nil)
	w.reaches(t, h, firstClaim, host.PhaseReleased)
	want(t, "release again", w.Release(t.Context(), h, firstClaim), nil)
}

// reaches waits until the claim has the phase.
func (w DriverWorld) reaches(t *testing.T, h ports.HostTarget, claim string, wanted host.Phase) ports.HostObservation {
	t.Helper()
	var last ports.HostObservation
	err := poll(t, func(ctx context.Context) (bool, error) {
		var err error
		last, err = w.Observe(ctx, h, claim)
		return err == nil && last.Phase == wanted, err
	})
	if last.Phase != wanted {
		t.Fatalf("the phase is %q, want %q; the last error: %v", last.Phase, wanted, err)
	}
	return last
}

// faults waits until an observation returns the fault.
func (w DriverWorld) faults(t *testing.T, h ports.HostTarget, claim string, wanted host.Fault) {
	t.Helper()
	err := poll(t, func(ctx context.Context) (bool, error) {
		_, err := w.Observe(ctx, h, claim)
		var failed *ports.HostError
		return errors.As(err, &failed) && failed.Fault == wanted, err
	})
	fault(t, "observe", err, wanted)
}

// hasRun waits for the number of starts, and expects that it is not exceeded.
func (w DriverWorld) hasRun(t *testing.T, h ports.HostTarget, wanted int) {
	t.Helper()
	_ = poll(t, func(context.Context) (bool, error) { return w.Runs(t, h) >= wanted, nil })
	if got := w.Runs(t, h); got != wanted {
		t.Errorf("the data was started %d times, want %d", got, wanted)
	}
}

func (w DriverWorld) hasRunAtMost(t *testing.T, h ports.HostTarget, most int) {
	t.Helper()
	if got := w.Runs(t, h); got > most {
		t.Errorf("the data was started %d times, want at most %d", got, most)
	}
}

// poll calls the function until it returns true, and returns its last error.
func poll(t *testing.T, done func(context.Context) (bool, error)) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), driverPatience)
	defer cancel()
	for {
		reached, err := done(ctx)
		if reached {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}
