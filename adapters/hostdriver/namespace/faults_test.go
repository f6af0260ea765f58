//go:build linux && !unit

package namespace_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

func shell(script string) ports.HostBoot {
	return ports.HostBoot{Format: ports.HostFormatShell, Data: secret.FromString(script), Hostname: "node-1"}
}

// faultCase returns the fault of the machine, or the phase and the end of the failure.
type faultCase struct {
	run     func(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error)
	fault   host.Fault
	phase   host.Phase
	failure string
}

// TestFaults runs the rows of the fault table of ADR 0075 that are about one machine of this driver. The suite of the
// port has those about claims, reboots and releases.
func TestFaults(t *testing.T) {
	adr, err := filepath.Glob(filepath.Join(programs.Root(), "docs/adr/0075-*.md"))
	if err != nil || len(adr) != 1 {
		t.Fatal(adr, err)
	}
	text, err := os.ReadFile(adr[0])
	if err != nil {
		t.Fatal(err)
	}
	for row, c := range faultCases() {
		t.Run(row, func(t *testing.T) {
			if !strings.Contains(string(text), "\n| "+row+" | ") {
				t.Errorf("%s has no such row", adr[0])
			}
			w := newWorld(t)
			h := w.target(t)
			o, err := c.run(t, w, h)
			var failed *ports.HostError
			if errors.As(err, &failed); failed == nil && c.fault != "" || failed != nil && failed.Fault != c.fault {
				t.Errorf("error %v, want the fault %q", err, c.fault)
			}
			if o.Phase != c.phase || !strings.HasSuffix(o.Failure, c.failure) || len(o.Failure) > host.MaxFailure ||
				strings.ContainsAny(o.Failure, "\n\x1b") {
				t.Errorf("%+v", o)
			}
			if err != nil && strings.Contains(err.Error(), portstest.DriverCanary) {
				t.Errorf("the error contains the data: %v", err)
			}
		})
	}
}

func faultCases() map[string]faultCase {
	return map[string]faultCase{
		"disk full":                          {run: fullDisk, fault: host.FaultDiskFull},
		"other format":                       {run: missingProgram, fault: host.FaultFormat},
		"wrong image":                        {run: otherMachineAsRoot, fault: host.FaultImage},
		"our own limits":                     {run: lockedMachine, fault: host.FaultBusy},
		"host installed again":               {run: removedMachine, phase: host.PhaseReleased},
		"no POSIX shell, flock or sha256sum": {run: otherInterface, fault: host.FaultUnsupported},
		"failed join": {
			run: ends(`echo '{"phase": "join", "action": "run kubeadm join", "cause": "there is no route"}' ` +
				">/run/cluster-api/bootstrap-failure.json; exit 1"),
			phase: host.PhaseFailed, failure: "phase join: run kubeadm join: there is no route",
		},
		"hostile output": {
			run: ends("ln -s /etc/shadow /run/cluster-api/bootstrap-failure.json; " +
				`{ head -c 70000 /dev/zero | tr '\0' a; printf '\033[2J\nthe end\n'; } >&2; exit 7`),
			phase: host.PhaseFailed, failure: "exit code 7: the end",
		},
		"controller killed": {run: killedController, phase: host.PhaseSucceeded},
	}
}

// ends boots a machine whose data is the script, and returns how it ends.
func ends(script string) func(*testing.T, *world, ports.HostTarget) (ports.HostObservation, error) {
	return func(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
		w.boots(t, h, shell("#!/bin/sh\n"+script+"\n"))
		return w.ended(t, h), nil
	}
}

// boot claims a machine and boots it with the data of the suite.
func (w *world) boot(t *testing.T, h ports.HostTarget) (ports.HostObservation, error) {
	t.Helper()
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		return ports.HostObservation{}, err
	}
	return ports.HostObservation{}, w.driver().Boot(t.Context(), h, claimID, shell(data))
}

func fullDisk(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	debian.Mount(t, "tmpfs", filepath.Join(w.directory, "machines"), "tmpfs", 0, "size=64k")
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	boot := shell(data + strings.Repeat("#\n", 1<<16))
	return ports.HostObservation{}, w.driver().Boot(t.Context(), h, claimID, boot)
}

func missingProgram(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	boot := ports.HostBoot{Format: ports.HostFormatIgnition, Data: secret.FromString(portstest.DriverCanary)}
	return ports.HostObservation{}, w.driver().Boot(t.Context(), h, claimID, boot)
}

func otherMachineAsRoot(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	w.boots(t, h, shell(data))
	other := h
	other.Name, other.Machine = "machine-2", &ports.HostMachineSettings{
		Root: "machines/default/machine-1/" + claimID + "/upper",
	}
	return w.boot(t, other)
}

func lockedMachine(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Open(filepath.Join(w.directory, "machines/default/machine-1/lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	return ports.HostObservation{}, w.driver().Boot(ctx, h, claimID, shell(data))
}

// removedMachine removes the files of a machine, as a new file system does.
func removedMachine(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.directory, "machines")); err != nil {
		t.Fatal(err)
	}
	return w.driver().Observe(t.Context(), h, claimID)
}

// otherInterface lacks what the driver needs in its own way: the name of the bridge belongs to another interface.
func otherInterface(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	w.config.Network.Bridge = "lo"
	return w.boot(t, h)
}

// killedController kills the controller at a random point of Boot, until a later call finds the machine started.
func killedController(t *testing.T, w *world, h ports.HostTarget) (ports.HostObservation, error) {
	if err := w.driver().Claim(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	for delay := time.Millisecond; len(w.glob(h, "started")) == 0; delay += 5 * time.Millisecond {
		w.bootAndKill(t, delay)
	}
	if err := w.driver().Boot(t.Context(), h, claimID, shell(data)); err != nil {
		t.Fatal(err)
	}
	w.finish(t, h, "")
	o := w.ended(t, h)
	if runs := w.count(h); runs != 1 {
		t.Errorf("the data was started %d times", runs)
	}
	return o, nil
}

// TestCopiedClaim boots a copy of a machine, which has the claim of the original: the two share nothing, and the end of
// one is not that of the other.
func TestCopiedClaim(t *testing.T) {
	w := newWorld(t)
	original := w.target(t)
	copied := original
	copied.Name = "machine-2"
	release := func(h ports.HostTarget) {
		if err := w.driver().Release(context.WithoutCancel(t.Context()), h, claimID); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { release(copied) })
	var addresses []string
	for _, h := range []ports.HostTarget{original, copied} {
		w.boots(t, h, shell(data))
		o, err := w.driver().Observe(t.Context(), h, claimID)
		if err != nil {
			t.Fatal(err)
		}
		addresses = append(addresses, o.Addresses...)
	}
	slices.Sort(addresses)
	if unique := slices.Compact(slices.Clone(addresses)); len(addresses) != 4 || len(unique) != 4 {
		t.Errorf("the addresses are %v", addresses)
	}
	release(original)
	w.finish(t, copied, "")
	if o := w.ended(t, copied); o.Phase != host.PhaseSucceeded {
		t.Errorf("%+v", o)
	}
}

// bootArgument makes this program boot a machine in the place of a controller.
const bootArgument = "boot-machine"

// bootAndKill boots the machine in another process, and kills it after the delay.
func (w *world) bootAndKill(t *testing.T, delay time.Duration) {
	t.Helper()
	config, err := json.Marshal(w.config)
	if err != nil {
		t.Fatal(err)
	}
	controller := exec.Command(self(t), bootArgument, string(config))
	if err := controller.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(delay)
	_ = controller.Process.Kill()
	_ = controller.Wait()
}

// bootMachine boots the machine of the tests with the configuration of a driver.
func bootMachine(config string) error {
	var c namespace.Config
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		return err
	}
	return namespace.New(c).Boot(context.Background(), machineTarget(), claimID, shell(data))
}
