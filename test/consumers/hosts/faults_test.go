//go:build linux

package hosts_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/nightly"
)

// claimID and otherID are claims.
const (
	claimID = "7d0fdc1e-0000-4000-8000-000000000001"
	otherID = "7d0fdc1e-0000-4000-8000-000000000002"
)

// machine is a host in namespaces, or a virtual machine.
type machine interface {
	// Reboot returns when the host has started again.
	Reboot(t testing.TB)
	// Disconnect makes the host silent.
	Disconnect(t testing.TB)
	// ReplaceHostKey makes the host present another key.
	ReplaceHostKey(t testing.TB)
}

// world is a host and a driver.
type world struct {
	hosts.Shell
	machine
	*ssh.Driver
	target ports.HostTarget
	// options are those of the driver.
	options ssh.Options
	// listen listens at an address to which the driver connects.
	listen func(t *testing.T) (listener net.Listener, address string)
	// waits limits calls that wait for their deadline.
	waits bool
}

// newWorld returns a host in namespaces that no machine uses.
func newWorld(t *testing.T, n *hosts.Network) *world {
	t.Helper()
	return worldOf(t, n, n.Start(t, hosts.Options{}))
}

// worldOf returns a host in namespaces with a driver.
func worldOf(t *testing.T, n *hosts.Network, h *hosts.Host) *world {
	t.Helper()
	w := &world{Shell: h.Shell, machine: h, target: h.Target(), options: ssh.Options{Dial: n.Dial}}
	w.listen = func(t *testing.T) (net.Listener, string) {
		t.Helper()
		return n.Listen(t, hosts.Gateway+":0"), hosts.Gateway
	}
	w.restart(t)
	return w
}

// restart replaces the driver, as a restart of the controller does.
func (w *world) restart(t *testing.T) {
	t.Helper()
	w.Driver = ssh.New(w.options)
	t.Cleanup(w.Driver.Close)
}

// The stages of a machine.
type stage int

const (
	before stage = iota
	after
	deletion
)

// faultCase is a row of the table.
type faultCase struct {
	// prepare changes the host after the claim (in the stage before) or after the start of the data.
	prepare func(t *testing.T, w *world)
	// call is what the controller calls in the stage; nil is Claim before, Observe after and Release at a deletion.
	call func(t *testing.T, w *world, s stage) error
	// connected keeps the connection that prepare uses.
	connected bool
	// stages are the stages in which the driver detects the fault.
	stages []stage
	// run replaces the other fields if the row is not a fault of a driver.
	run func(t *testing.T, w *world, r row)
	// elsewhere is why the row is not run here.
	elsewhere string
}

// TestFaultsOfTheTable causes each fault of the table on a host, and compares the fault and what follows from it.
func TestFaultsOfTheTable(t *testing.T) {
	n := hosts.NewNetwork(t)
	runTable(t, func(t *testing.T) *world {
		t.Helper()
		t.Parallel()
		return newWorld(t, n)
	})
}

// runTable runs each row of the table, with a host that no machine uses for each stage: for one stage of each row, in
// turn, in a run that is not nightly.
func runTable(t *testing.T, fresh func(t *testing.T) *world) {
	t.Helper()
	cases := faultCases()
	for i, r := range rows(t) {
		c, known := cases[r.fault]
		delete(cases, r.fault)
		switch {
		case !known:
			t.Errorf("no case runs the row %q", r.fault)
		case c.elsewhere != "":
		case c.run != nil:
			t.Run(r.fault, func(t *testing.T) { c.run(t, fresh(t), r) })
		default:
			for _, s := range nightly.Or(c.stages, c.stages[i%len(c.stages):][:1]) {
				t.Run(r.fault+"/"+[]string{"before", "after", "deletion"}[s], func(t *testing.T) { c.check(t, fresh(t), r, s) })
			}
		}
	}
	for name := range cases {
		t.Errorf("the table has no row %q", name)
	}
}

// check causes the fault in the stage.
func (c faultCase) check(t *testing.T, w *world, r row, s stage) {
	t.Helper()
	w.waits = r.reason == string(host.FaultUnreachable) || r.reason == string(host.FaultBusy)
	if s != before {
		w.started(t)
	}
	if !c.connected {
		w.restart(t)
	}
	if c.prepare != nil {
		c.prepare(t, w)
	}
	call := c.call
	if call == nil {
		call = callOf
	}
	repeat := persist
	if host.Fault(r.reason).Scope() == host.ScopeTemporary {
		repeat = func(call func() error) error { return call() }
	}
	err := repeat(func() error { return call(t, w, s) })
	if string(faultOf(err)) != r.reason {
		t.Fatalf("error %v, want the fault %s", err, r.reason)
	}
	w.follows(t, r, s, faultOf(err))
}

// faultOf returns the fault of an error of a driver, or an empty string if it has none.
func faultOf(err error) host.Fault {
	var failed *ports.HostError
	if errors.As(err, &failed) {
		return failed.Fault
	}
	return ""
}

// observePeriod is the time between two observations of a host: each of them is a session of SSH.
const observePeriod = 250 * time.Millisecond

// callTimeout is the deadline of a call whose fault is its deadline.
const callTimeout = time.Second

// callOf calls the driver as the controller does in the stage.
func callOf(t *testing.T, w *world, s stage) error {
	t.Helper()
	ctx := t.Context()
	if w.waits {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTimeout)
		defer cancel()
	}
	switch s {
	case before:
		return w.Claim(ctx, w.target, claimID)
	case after:
		_, err := w.Observe(ctx, w.target, claimID)
		return err
	case deletion:
		return w.Release(ctx, w.target, claimID)
	}
	return nil
}

// follows compares the decision for a machine in the stage with the table, at once and after the deadline of the stage.
func (w *world) follows(t *testing.T, r row, s stage, f host.Fault) {
	t.Helper()
	now, timeouts := time.Now(), host.DefaultTimeouts()
	m := w.hostMachine()
	cell, deadline := r.before, timeouts.Claim
	switch s {
	case before:
	case after:
		m.SentAt, cell, deadline = now, r.after, timeouts.Boot
	case deletion:
		m.SentAt, m.DeletedAt, cell, deadline = now, now, r.deletion, timeouts.Release
		m.Identified = true
	}
	if !strings.Contains(cell, "Seconds`") || strings.HasPrefix(cell, "tried again") {
		deadline = 0
	}
	o := host.Observed{HostFound: true, HostClaim: m.Claim, Fault: f, FaultSince: now}
	if step := host.Next(m, o, timeouts, now); deadline > 0 && step.Operation != host.OperationWait {
		t.Errorf("the operation before the deadline is %s, want %s for %q", step.Operation, host.OperationWait, cell)
	}
	step := host.Next(m, o, timeouts, now.Add(deadline))
	if want := operation(t, cell, s == deletion); step.Operation != want {
		t.Errorf("the operation is %s, want %s for %q", step.Operation, want, cell)
	}
}

// claims claims the host, and boots starts the script.
func (w *world) claims(t *testing.T) {
	t.Helper()
	w.succeeds(t, func() error { return w.Claim(t.Context(), w.target, claimID) })
}

func (w *world) boots(t *testing.T) {
	t.Helper()
	w.succeeds(t, func() error { return w.Boot(t.Context(), w.target, claimID, hosts.Script()) })
}

// succeeds expects that a call succeeds.
func (w *world) succeeds(t *testing.T, call func() error) {
	t.Helper()
	if err := persist(call); err != nil {
		t.Fatal(err)
	}
}

// persist repeats a call on a busy machine, as the controller does, as long as its fault is temporary.
func persist(call func() error) (err error) {
	for range 4 {
		if err = call(); faultOf(err) == "" || faultOf(err).Scope() != host.ScopeTemporary {
			return err
		}
	}
	return err
}

// started claims the host, starts the script and returns when it runs.
func (w *world) started(t *testing.T) {
	t.Helper()
	w.claims(t)
	w.boots(t)
	w.reaches(t, host.PhaseRunning)
	w.awaitRun(t)
}

// reaches waits until the claim has the phase, and returns the observation.
func (w *world) reaches(t *testing.T, wanted host.Phase) ports.HostObservation {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for {
		o, err := w.Observe(ctx, w.target, claimID)
		if err == nil && o.Phase == wanted {
			return o
		}
		if ctx.Err() != nil {
			t.Fatalf("the phase is %q, want %q; error %v", o.Phase, wanted, err)
		}
		time.Sleep(observePeriod)
	}
}

// faults waits until an observation has a fault, and returns its error.
func (w *world) faults(t *testing.T) error {
	t.Helper()
	for range int(time.Minute / observePeriod) {
		if _, err := w.Observe(t.Context(), w.target, claimID); err != nil {
			return err
		}
		time.Sleep(observePeriod)
	}
	return nil
}

// invalidKey is not a private key.
func invalidKey() secret.Value {
	return secret.FromString("-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n")
}

// hostMachine returns a machine with the claim, whose data was not sent.
func (w *world) hostMachine() host.Machine {
	return host.Machine{
		Owned: true, ClusterFound: true, Finalizer: true, InfrastructureReady: true, DataReady: true,
		Claim: host.Claim{ID: claimID, Machine: "machine", Host: w.target.Name},
	}
}

// ends expects that the machine fails with the reason when the deadline of the bootstrap has passed.
func (w *world) ends(t *testing.T, o host.Observed, reason string) {
	t.Helper()
	now, timeouts := time.Now(), host.DefaultTimeouts()
	m := w.hostMachine()
	m.SentAt, o.HostFound, o.HostClaim = now, true, m.Claim
	step := host.Next(m, o, timeouts, now.Add(timeouts.Boot))
	if step.Operation != host.OperationFail || string(step.Reason) != reason {
		t.Errorf("the step is %+v, want %s", step, reason)
	}
}

// releases releases the host and expects that another machine may use it.
func (w *world) releases(t *testing.T) {
	t.Helper()
	w.succeeds(t, func() error { return w.Release(t.Context(), w.target, claimID) })
	w.reaches(t, host.PhaseReleased)
	if _, err := w.Probe(t.Context(), w.target); err != nil {
		t.Error(err)
	}
}
