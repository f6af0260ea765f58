package agent_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/nightly"
)

// powerCut ends the machine at once the first time that it is called, as a power cut does: nothing is stopped, and what
// was not written to the disk is lost.
const powerCut = "#!/bin/sh\n[ -e /var/log/cut ]&&exit\n: >/var/log/cut\nsync\nsystemctl poweroff --force " +
	"--force\nsleep 60\n"

// cutting returns the userdata of a machine whose power fails in a command before it joins.
func cutting(t *testing.T, terminal, distribution string) []byte {
	t.Helper()
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const before = "preCommands: ["
	if !bytes.Contains(manifests, []byte(before)) {
		t.Fatal("the worker has no command before it joins")
	}
	return rendered(t, terminal, distribution, bytes.ReplaceAll(manifests, []byte(before),
		[]byte(before+"/usr/local/sbin/power-cut, ")))
}

// TestNextBootGoesOn cuts the power in the middle of a bootstrap. The next boot goes on by itself, each command of the
// configuration runs once but the one that was cut off. In a nightly run there is another boot, which changes nothing;
// TestImageStartsTheAgent always has one.
func TestNextBootGoesOn(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	cases := map[string]struct {
		reason, suite, distribution string
		provision                   func(t *testing.T, agent, suite string, data []byte) (*machine, []string)
	}{
		"cloud-init of 2022": {"its program runs early at each boot", "bookworm", "debian", byCloudInit},
		"newer Ignition":     {"the program has a unit", "trixie", "fedora-coreos", byIgnition},
	}
	for name, c := range nightly.Cases(t, cases, "cloud-init of 2022") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, provisioning := c.provision(t, agent, c.suite, cutting(t, terminal, c.distribution))
			m.Put(t, "/usr/local/sbin/power-cut", powerCut, 0o755)
			m.Run(t, "../goldens/nspawn.sh", provisioning...)
			if !m.Exists("/var/log/cut") || m.Exists("/var/lib/machineadm/done") ||
				m.Exists("/var/lib/machineadm/failure.json") {
				t.Fatalf("%s: the power was not cut\n%s", c.reason, m.Log())
			}
			m.Run(t, "../goldens/nspawn.sh")
			m.holdsResumed(t, "boot\nboot\npre\npost\n")
			m.reportsItself(t)
			if !nightly.Enabled() {
				return
			}
			before := m.Read(t, "/var/lib/machineadm/journal.jsonl")
			m.Run(t, "../goldens/nspawn.sh")
			m.holdsResumed(t, "boot\nboot\npre\npost\nboot\n")
			if diff := cmp.Diff(before, m.Read(t, "/var/lib/machineadm/journal.jsonl")); diff != "" {
				t.Errorf("the third boot changed something:\n%s", diff)
			}
		})
	}
}

func (m *machine) holdsResumed(t *testing.T, phases string) {
	t.Helper()
	if !m.Exists("/var/log/report/cluster-api/bootstrap-success.complete") ||
		m.Exists("/var/log/report/cluster-api/bootstrap-failure.json") {
		t.Fatalf("no sentinel, or a failure\n%s", m.Log())
	}
	if diff := cmp.Diff(phases, m.Read(t, "/var/log/phases")); diff != "" {
		t.Errorf("the commands (-want +got):\n%s\n%s", diff, m.Log())
	}
	if calls := m.Read(t, "/var/log/calls"); strings.Count(calls, "kubeadm ") != 1 {
		t.Errorf("kubeadm was called again: %s", calls)
	}
	if m.Exists("/etc/machineadm/machineadm_config.yaml") {
		t.Error("the configuration is still there")
	}
}

// TestKubeadmIsNotRepeated has the power fail while kubeadm runs, and kubeadm fail: both are failures at every boot
// from then on, with the record of the first, and kubeadm does not run again.
func TestKubeadmIsNotRepeated(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	cases := map[string]struct{ reason, kubeadm, cause string }{
		"cut off": {
			"what it left is unknown", stub + strings.TrimPrefix(powerCut, "#!/bin/sh\n"),
			"an earlier run was interrupted here; reset the machine, or replace it",
		},
		"failed": {
			"it would fail again, or join twice", stub + "echo no such token\nexit 4\n",
			"kubeadm join: exit code 4: no such token",
		},
	}
	for name, c := range nightly.Cases(t, cases, "cut off") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := byCloudInit(t, agent, "trixie", userdata(t, terminal, "debian", ""))
			m.Put(t, "/usr/local/sbin/kubeadm", c.kubeadm, 0o755)
			m.Run(t, "../goldens/nspawn.sh")
			m.Put(t, "/usr/local/sbin/kubeadm", stub, 0o755)
			for range nightly.Or(2, 1) {
				m.Run(t, "../goldens/nspawn.sh")
				if got := m.failed(t); got.Phase != "join" || got.Action != "run kubeadm join" || got.Cause != c.cause {
					t.Errorf("%s: %+v", c.reason, got)
				}
			}
			if calls := m.Read(t, "/var/log/calls"); strings.Count(calls, "kubeadm ") != 1 {
				t.Errorf("kubeadm was called again: %s", calls)
			}
		})
	}
}

// TestImageStartsTheAgent boots an image that has the unit of docs/os-contract.md and a configuration, and no other
// first-boot tool.
func TestImageStartsTheAgent(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/os-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, unit, _ := strings.Cut(string(page), "```ini\n")
	unit, _, found := strings.Cut(unit, "```")
	if !found {
		t.Fatal("the page has no unit")
	}
	agent := built(t, "machineadm")
	m := newMachine(t, "trixie")
	m.Put(t, "/etc/cloud/cloud-init.disabled", "", 0o644)
	m.Put(t, "/etc/hostname", "node-1\n", 0o644)
	m.furnish(t, agent, "multi-user.target")
	m.Put(t, "/usr/lib/systemd/system/machineadm.service", unit, 0o644)
	m.Link(t, "/etc/systemd/system/multi-user.target.wants/machineadm.service",
		"/usr/lib/systemd/system/machineadm.service")
	m.Put(t, "/etc/systemd/system/machineadm-report.service.d/10-image.conf", "[Unit]\nAfter=machineadm.service\n", 0o644)
	m.Put(t, "/usr/local/sbin/power-cut", powerCut, 0o755)
	m.Put(t, "/etc/machineadm/machineadm_config.yaml", imageConfig, 0o600)
	m.Run(t, "../goldens/nspawn.sh")
	var journals []string
	for range 2 {
		m.Run(t, "../goldens/nspawn.sh")
		journals = append(journals, m.Read(t, "/var/lib/machineadm/journal.jsonl"))
		if !m.Exists("/var/log/report/cluster-api/bootstrap-success.complete") ||
			m.Exists("/etc/machineadm/machineadm_config.yaml") {
			t.Errorf("no sentinel, or the configuration is still there\n%s", m.Log())
		}
		if got := m.Read(t, "/var/log/order"); got != "one\ntwo\n" {
			t.Errorf("the commands: %q\n%s", got, m.Log())
		}
	}
	if diff := cmp.Diff(journals[0], journals[1]); diff != "" {
		t.Errorf("the third boot changed something:\n%s", diff)
	}
}

// imageConfig is what another first-boot tool wrote. The last command reads a file that the power cut removes.
const imageConfig = `apiVersion: machineadm.io/v1alpha1
kind: File
spec: {path: /run/setup.sh, content: "echo two >>/var/log/order"}
---
apiVersion: machineadm.io/v1alpha1
kind: Command
spec: {phase: pre, script: "echo one >>/var/log/order"}
---
apiVersion: machineadm.io/v1alpha1
kind: Command
spec: {phase: pre, script: /usr/local/sbin/power-cut}
---
apiVersion: machineadm.io/v1alpha1
kind: Command
spec: {phase: post, script: sh /run/setup.sh}
`
