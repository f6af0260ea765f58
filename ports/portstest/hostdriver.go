package portstest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// DriverWorld is a driver with hosts, and what a test does to them from outside.
type DriverWorld struct {
	ports.HostDriver
	// Formats are the formats that the driver accepts.
	Formats []ports.HostFormat
	// Target returns a host that no test has used.
	Target func(t *testing.T) ports.HostTarget
	// Data returns bootstrap data that appends a line to a file, waits until the test calls Finish and then succeeds or
	// fails. It contains DriverCanary.
	Data func(t *testing.T, target ports.HostTarget) ports.HostBoot
	// Finish ends the run of the data: with success, or with the failure.
	Finish func(t *testing.T, target ports.HostTarget, failure string)
	// Runs returns how often the data was started on the host.
	Runs func(t *testing.T, target ports.HostTarget) int
	// Reboot restarts the host and returns when it answers.
	Reboot func(t *testing.T, target ports.HostTarget)
	// Disconnect makes the host unreachable, and Connect reachable again.
	Disconnect, Connect func(t *testing.T, target ports.HostTarget)
	// BreakReset makes the next reset on the host fail.
	BreakReset func(t *testing.T, target ports.HostTarget)
	// Restart returns another driver for the same hosts, as after a restart of the controller.
	Restart func(t *testing.T) ports.HostDriver
	// Visible returns what other users of the host can read: arguments, environments, and readable files.
	Visible func(t *testing.T, target ports.HostTarget) string
}

// DriverCanary is in all bootstrap data, and other users of the host never see it.
const DriverCanary = "c4n4ry3h8sd1rv7x"

// The claims of the tests.
const (
	firstClaim  = "0b4e1c1e-0000-4000-8000-000000000001"
	secondClaim = "0b4e1c1e-0000-4000-8000-000000000002"
)

// driverPatience is how long a host may take to show the effect of a call.
const driverPatience = 10 * time.Minute

// silence is the deadline of a call of a host that does not answer.
const silence = time.Second

// driverCase is a case of the suite.
type driverCase struct {
	name string
	run  func(t *testing.T, w DriverWorld, target ports.HostTarget)
}

// HostDriver checks an implementation. fresh returns a driver with at least one unused host for each case.
func HostDriver(t *testing.T, fresh func(t *testing.T) DriverWorld) {
	for _, c := range slices.Concat(driverClaimCases(), driverBootCases(), driverOnceCases(),
		driverReleaseCases(), driverFaultCases()) {
		t.Run(c.name, func(t *testing.T) {
			w := fresh(t)
			c.run(t, w, w.Target(t))
		})
	}
}

func driverClaimCases() []driverCase {
	return []driverCase{
		{"a new host is released", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.reaches(t, h, firstClaim, host.PhaseReleased)
		}},
		{"a claim is written once or twice", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			w.claims(t, h, firstClaim)
			w.reaches(t, h, firstClaim, host.PhaseClaimed)
		}},
		{"a claim without a run is replaced", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			w.claims(t, h, secondClaim)
			_, err := w.Observe(t.Context(), h, firstClaim)
			fault(t, "observe the replaced claim", err, host.FaultForeignClaim)
			fault(t, "boot it", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), host.FaultForeignClaim)
			w.hasRun(t, h, 0)
		}},
		{"a claim with a run stays", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			fault(t, "claim again", w.Claim(t.Context(), h, secondClaim), host.FaultForeignClaim)
			_, err := w.Probe(t.Context(), h)
			fault(t, "probe", err, host.FaultForeignClaim)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
		}},
		{"one of two claims wins", driverRace},
		{"a probe changes nothing", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			probe, err := w.Probe(t.Context(), h)
			want(t, "probe", err, nil)
			if probe.Architecture == "" || len(probe.OSImage) > 256 {
				t.Errorf("the probe returns %+v", probe)
			}
			w.reaches(t, h, firstClaim, host.PhaseReleased)
		}},
	}
}

// driverRace claims and boots a host for two machines at the same time, as two management clusters do.
func driverRace(t *testing.T, w DriverWorld, h ports.HostTarget) {
	data := w.Data(t, h)
	var calls sync.WaitGroup
	for _, claim := range []string{firstClaim, secondClaim, firstClaim, secondClaim} {
		calls.Go(func() {
			if w.Claim(t.Context(), h, claim) == nil {
				// The claim may have been replaced in between; then the run must not start.
				_ = w.Boot(t.Context(), h, claim, data)
			}
		})
	}
	calls.Wait()
	w.hasRunAtMost(t, h, 1)
}

func driverBootCases() []driverCase {
	return []driverCase{
		{"data needs a claim", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			fault(t, "boot", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), host.FaultForeignClaim)
			w.hasRun(t, h, 0)
		}},
		{"a run succeeds", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			w.Finish(t, h, "")
			o := w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			if len(o.Addresses) > host.MaxAddresses || len(o.Hostname) > host.MaxHostname || o.Failure != "" {
				t.Errorf("it returns %+v", o)
			}
		}},
		{"a run fails, and the cause is reported", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.Finish(t, h, "there is no disk")
			o := w.reaches(t, h, firstClaim, host.PhaseFailed)
			if !strings.Contains(o.Failure, "there is no disk") || strings.ContainsAny(o.Failure, "\n\x1b") ||
				len(o.Failure) > host.MaxFailure {
				t.Errorf("the failure is %q", o.Failure)
			}
		}},
		{"other formats are refused before anything is sent", driverFormats},
		{"other users see no secret", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			if strings.Contains(w.Visible(t, h), DriverCanary) {
				t.Error("the data is visible while it runs")
			}
			w.Finish(t, h, "")
			w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			if strings.Contains(w.Visible(t, h), DriverCanary) {
				t.Error("the data is visible afterwards")
			}
		}},
	}
}

// driverOnceCases check that data is started once for each claim.
func driverOnceCases() []driverCase {
	return []driverCase{
		{"data is started once, also by many calls", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			data := w.Data(t, h)
			var calls sync.WaitGroup
			for range 4 {
				calls.Go(func() { _ = w.Boot(t.Context(), h, firstClaim, data) })
			}
			calls.Wait()
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			w.hasRun(t, h, 1)
		}},
		{"data is not started again after its end", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.Finish(t, h, "broken")
			w.reaches(t, h, firstClaim, host.PhaseFailed)
			want(t, "boot again", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), nil)
			w.hasRun(t, h, 1)
		}},
		{"another driver continues", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.HostDriver = w.Restart(t)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			want(t, "boot again", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), nil)
			w.hasRun(t, h, 1)
		}},
		{"a result survives a reboot", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.Finish(t, h, "")
			w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			w.Reboot(t, h)
			w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			w.hasRun(t, h, 1)
		}},
		{"a reboot interrupts a run", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			w.Reboot(t, h)
			w.reaches(t, h, firstClaim, host.PhaseInterrupted)
			want(t, "boot again", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), nil)
			w.hasRun(t, h, 1)
		}},
	}
}

// driverFormats boots data of each format that the driver does not accept.
func driverFormats(t *testing.T, w DriverWorld, h ports.HostTarget) {
	w.claims(t, h, firstClaim)
	for _, f := range []ports.HostFormat{
		ports.HostFormatShell, ports.HostFormatAgent, ports.HostFormatCloudConfig, ports.HostFormatIgnition, "other",
	} {
		if slices.Contains(w.Formats, f) {
			continue
		}
		boot := w.Data(t, h)
		boot.Format = f
		fault(t, "boot "+string(f), w.Boot(t.Context(), h, firstClaim, boot), host.FaultFormat)
	}
	w.reaches(t, h, firstClaim, host.PhaseClaimed)
	w.hasRun(t, h, 0)
}

func driverReleaseCases() []driverCase {
	return []driverCase{
		{"a claim without a run is released", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			w.returns(t, h)
		}},
		{"a running host is released", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			w.returns(t, h)
		}},
		{"a released host serves the next machine", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.Finish(t, h, "")
			w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			w.returns(t, h)
			_, err := w.Probe(t.Context(), h)
			want(t, "probe", err, nil)
			w.boots(t, h, secondClaim)
			w.reaches(t, h, secondClaim, host.PhaseRunning)
			w.hasRun(t, h, 2)
		}},
		{"a release is repeated", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			var calls sync.WaitGroup
			for range 4 {
				calls.Go(func() { _ = w.Release(t.Context(), h, firstClaim) })
			}
			calls.Wait()
			w.reaches(t, h, firstClaim, host.PhaseReleased)
			w.returns(t, h)
		}},
		{"the claim of another machine is not released", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			want(t, "release", w.Release(t.Context(), h, secondClaim), nil)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
		}},
		{"a reset that fails is reported", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.BreakReset(t, h)
			want(t, "release", w.Release(t.Context(), h, firstClaim), nil)
			w.faults(t, h, firstClaim, host.FaultReset)
			fault(t, "claim", w.Claim(t.Context(), h, secondClaim), host.FaultForeignClaim)
		}},
		{"a reset survives a reboot", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			want(t, "release", w.Release(t.Context(), h, firstClaim), nil)
			w.Reboot(t, h)
			w.returns(t, h)
		}},
	}
}

func driverFaultCases() []driverCase {
	return []driverCase{
		{"a host that does not answer", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.Disconnect(t, h)
			ctx, cancel := context.WithTimeout(t.Context(), silence)
			defer cancel()
			fault(t, "claim", w.Claim(ctx, h, firstClaim), host.FaultUnreachable)
			w.Connect(t, h)
			w.claims(t, h, firstClaim)
		}},
		{"a connection that breaks during a run", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.boots(t, h, firstClaim)
			w.Disconnect(t, h)
			ctx, cancel := context.WithTimeout(t.Context(), silence)
			defer cancel()
			_, err := w.Observe(ctx, h, firstClaim)
			fault(t, "observe", err, host.FaultUnreachable)
			w.Connect(t, h)
			w.Finish(t, h, "")
			w.reaches(t, h, firstClaim, host.PhaseSucceeded)
			w.hasRun(t, h, 1)
		}},
		{"a call that is cancelled", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := w.Boot(ctx, h, firstClaim, w.Data(t, h)); err == nil {
				t.Error("a cancelled call succeeds")
			}
			want(t, "boot", w.Boot(t.Context(), h, firstClaim, w.Data(t, h)), nil)
			w.reaches(t, h, firstClaim, host.PhaseRunning)
			w.hasRun(t, h, 1)
		}},
		{"errors contain no secret", func(t *testing.T, w DriverWorld, h ports.HostTarget) {
			w.claims(t, h, firstClaim)
			boot := w.Data(t, h)
			boot.Format, boot.Data = "other", secret.FromString(DriverCanary)
			err := w.Boot(t.Context(), h, firstClaim, boot)
			if err == nil || strings.Contains(err.Error(), DriverCanary) {
				t.Errorf("the error is %v", err)
			}
		}},
	}
}
