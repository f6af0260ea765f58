//go:build linux

package hosts_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hosts"
)

// always are all stages.
func always() []stage { return []stage{before, after, deletion} }

// setting changes how the controller reaches the host.
func setting(change func(w *world, c *ports.HostConnection)) func(*testing.T, *world) {
	return func(_ *testing.T, w *world) { change(w, w.target.Connection) }
}

// command runs a command on the host.
func command(text string) func(*testing.T, *world) {
	return func(t *testing.T, w *world) { w.Run(t, text) }
}

// faultCases returns the cases by the first cell of their row.
func faultCases() map[string]faultCase {
	cases := connectionCases()
	maps.Copy(cases, hostCases())
	maps.Copy(cases, runCases())
	const objects = "about objects, which no driver reads: TestFaultsOfObjects"
	cases["two machines, one host"] = faultCase{elsewhere: objects}
	cases["no `Host` object, in spite of the finalizer"] = faultCase{elsewhere: objects}
	cases["driver without its flag"] = faultCase{elsewhere: objects}
	cases["wrong image"] = faultCase{elsewhere: "about virtual machines: TestImages of the driver qemu"}
	return cases
}

// connectionCases are the faults before a session starts.
func connectionCases() map[string]faultCase {
	return map[string]faultCase{
		"host never answers": {
			prepare: func(t *testing.T, w *world) { w.Disconnect(t) },
			stages:  always(),
		},
		"broken connection": {
			prepare: func(t *testing.T, w *world) {
				if _, err := w.Observe(t.Context(), w.target, claimID); err != nil {
					t.Fatal(err)
				}
				w.Disconnect(t)
			},
			connected: true,
			stages:    []stage{after, deletion},
		},
		"host key changed": {
			prepare: func(t *testing.T, w *world) { w.ReplaceHostKey(t) },
			stages:  always(),
		},
		"no host key": {
			prepare: setting(func(_ *world, c *ports.HostConnection) { c.HostKeys = nil }),
			stages:  always(),
		},
		"login refused": {
			prepare: command(": >/etc/ssh/keys/root"),
			stages:  always(),
		},
		"no sudo": {
			prepare: setting(func(_ *world, c *ports.HostConnection) { c.User = hosts.Guest }),
			stages:  always(),
		},
		"key Secret missing or invalid": {
			prepare: setting(func(_ *world, c *ports.HostConnection) { c.Key = invalidKey() }),
			stages:  always(),
		},
		"our own limits": {call: busy, stages: always()},
		"other format": {
			call: func(t *testing.T, w *world, _ stage) error {
				return w.Boot(t.Context(), w.target, claimID, ports.HostBoot{
					Format: ports.HostFormatIgnition, Data: secret.FromString("{}"),
				})
			},
			stages: []stage{before},
		},
		"data too long or corrupt": {call: invalidData, stages: []stage{before, after}},
	}
}

// invalidData boots data that is too long, and data that the host corrupts when it writes it.
func invalidData(t *testing.T, w *world, s stage) error {
	err := w.Boot(t.Context(), w.target, claimID, ports.HostBoot{
		Format: ports.HostFormatShell, Data: secret.FromString("#!/bin/sh\n" + strings.Repeat("#", 5<<20)),
	})
	if faultOf(err) != host.FaultData {
		return err
	}
	if s == before {
		if err := w.Claim(t.Context(), w.target, claimID); err != nil {
			return err
		}
	} else {
		w.notStarted(t)
	}
	w.Run(t, `printf '#!/bin/sh\n[ $# = 0 ] || exec /bin/cat "$@"\nexec tr "#" "%%"\n' >/usr/local/sbin/cat; `+
		`chmod 755 /usr/local/sbin/cat`)
	return w.Boot(t.Context(), w.target, claimID, hosts.Script())
}

// notStarted changes a host on which the data was started to one that has received only the claim.
func (w *world) notStarted(t *testing.T) {
	t.Helper()
	w.Run(t, "rm -rf /var/lib/machineadm-hosts/"+claimID+"/started /var/lib/machineadm-hosts/"+claimID+"/data")
}

// busy calls a driver whose only connection waits for a host that does not answer.
func busy(t *testing.T, w *world, s stage) error {
	o := w.options
	o.Limits = ports.HostDriverLimits{Connections: 1, Sessions: 1, Handshakes: 1, Idle: time.Minute}
	limited := ssh.New(o)
	t.Cleanup(limited.Close)
	listener, address := w.listen(t)
	silent := w.target
	connection := *w.target.Connection
	silent.Name, silent.Connection = "silent", &connection
	connection.Address, connection.Port = address, hosts.Port(listener)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = limited.Claim(ctx, silent, otherID)
	}()
	// The call has the only connection from here on.
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		<-done
		_ = accepted.Close()
	})
	w.Driver = limited
	return callOf(t, w, s)
}

// hostCases are the faults of the host.
func hostCases() map[string]faultCase {
	return map[string]faultCase{
		"disk full": {
			prepare: command("dd if=/dev/zero of=/var/full bs=1M 2>/dev/null; dd if=/dev/zero " +
				"of=/var/full2 bs=1 2>/dev/null; true"),
			call: full, stages: always(),
		},
		"two inventories, one host": {
			prepare: func(t *testing.T, w *world) {
				w.Run(t, "cd /var/lib && mkdir -p machineadm-hosts/"+otherID+"/started && echo "+otherID+
					" >machineadm-hosts/claim")
			},
			call: func(t *testing.T, w *world, s stage) error {
				if s == deletion {
					s = after
				}
				return callOf(t, w, s)
			},
			stages: always(),
		},
		"host not clean": {
			prepare: command("mkdir -p /etc/kubernetes && touch /etc/kubernetes/kubelet.conf"),
			call: func(t *testing.T, w *world, s stage) error {
				if s == before {
					return callOf(t, w, s)
				}
				return w.resets(t)
			},
			stages: []stage{before, deletion},
		},
		"reset fails": {
			prepare: func(t *testing.T, w *world) { w.BreakReset(t) },
			call:    func(t *testing.T, w *world, _ stage) error { return w.resets(t) },
			stages:  []stage{deletion},
		},
		"hostile output": {
			prepare: command(`printf '#!/bin/sh\necho welcome\nexec /bin/sh "$@"\n' >/bin/loud; chmod 755 /bin/loud; ` +
				`sed -i 's,^\(root:.*\):[^:]*$,\1:/bin/loud,' /etc/passwd`),
			stages: always(),
		},
		"no POSIX shell, flock or sha256sum": {prepare: command("rm /usr/bin/flock"), stages: always()},
	}
}

// full calls what writes in the stage.
func full(t *testing.T, w *world, s stage) error {
	switch s {
	case before:
		return w.Claim(t.Context(), w.target, claimID)
	case after:
		w.notStarted(t)
		return w.Boot(t.Context(), w.target, claimID, hosts.Script())
	case deletion:
		return w.Release(t.Context(), w.target, claimID)
	}
	return nil
}

// resets releases the host and returns the error of the reset.
func (w *world) resets(t *testing.T) error {
	t.Helper()
	w.succeeds(t, func() error { return w.Release(t.Context(), w.target, claimID) })
	return w.faults(t)
}

// runCases are the rows about the run.
func runCases() map[string]faultCase {
	return map[string]faultCase{
		"controller killed":     {run: killed},
		"reboot during the run": {run: rebootDuring},
		"reboot after the run":  {run: rebootAfter},
		"host installed again":  {run: installedAgain},
		"failed join":           {run: failedJoin},
		"run never ends":        {run: neverEnds},
		"other provider ID":     {run: otherProviderID},
	}
}

func rebootDuring(t *testing.T, w *world, r row) {
	w.started(t)
	w.Reboot(t)
	w.reaches(t, host.PhaseInterrupted)
	w.ends(t, host.Observed{Phase: host.PhaseInterrupted}, r.reason)
	w.Run(t, "mkdir -p /etc/systemd/system && touch /etc/systemd/system/machineadm-resume.service")
	w.reaches(t, host.PhaseRunning)
	w.Run(t, "rm /etc/systemd/system/machineadm-resume.service")
	w.releases(t)
	if runs := w.Runs(t); runs != 1 {
		t.Errorf("the data was started %d times", runs)
	}
}

func rebootAfter(t *testing.T, w *world, _ row) {
	w.started(t)
	w.Finish(t, "")
	w.reaches(t, host.PhaseSucceeded)
	w.Reboot(t)
	w.reaches(t, host.PhaseSucceeded)
	w.releases(t)
}

func installedAgain(t *testing.T, w *world, r row) {
	w.started(t)
	w.Run(t, "rm -rf /var/lib/machineadm-hosts")
	w.reaches(t, host.PhaseReleased)
	w.ends(t, host.Observed{Phase: host.PhaseReleased}, r.reason)
	if err := w.Release(t.Context(), w.target, claimID); err != nil {
		t.Error(err)
	}
}

func failedJoin(t *testing.T, w *world, r row) {
	w.started(t)
	w.Run(t, `mkdir -p /run/cluster-api; echo '{"phase":"join","step":"spec.join","action":"run kubeadm join",'`+
		`'"exitCode":1,"cause":"the token abcdef.0123456789abcdef has expired","log":"x"}' `+
		`>/run/cluster-api/bootstrap-failure.json`)
	w.Finish(t, "the output of the script")
	failure := w.reaches(t, host.PhaseFailed).Failure
	if want := "phase join: run kubeadm join: the token [redacted] has expired"; failure != want {
		t.Errorf("the failure is %q, want %q", failure, want)
	}
	w.ends(t, host.Observed{Phase: host.PhaseFailed, Failure: failure}, r.reason)
	w.releases(t)
}

func neverEnds(t *testing.T, w *world, r row) {
	w.started(t)
	w.ends(t, host.Observed{Phase: host.PhaseRunning}, r.reason)
	w.releases(t)
	if left := w.Run(t, "ps ax | grep '[s]leep 0.1' || true"); left != "" {
		t.Errorf("the run was not stopped:\n%s", left)
	}
}

func otherProviderID(t *testing.T, w *world, r row) {
	w.started(t)
	w.Finish(t, "")
	w.Run(t, `printf '#!/bin/sh\nsleep 600\n' >/usr/bin/kubelet; chmod 755 /usr/bin/kubelet; `+
		`setsid /usr/bin/kubelet --provider-id=other://machine </dev/null >/dev/null 2>&1 & true`)
	if id := w.reaches(t, host.PhaseSucceeded).ProviderID; id != "other://machine" {
		t.Errorf("the provider ID is %q", id)
	}
	m := w.hostMachine()
	m.Provisioned = true
	step := host.Next(m, host.Observed{
		HostFound: true, HostClaim: m.Claim, Phase: host.PhaseSucceeded, ProviderIDDiffers: true,
	}, host.DefaultTimeouts(), time.Now())
	if step.Operation != host.OperationWait || string(step.Reason) != r.reason {
		t.Errorf("the step is %+v", step)
	}
}
