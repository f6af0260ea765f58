// Package agent_test boots machines that their own agent configures: Debian 12 and 13, by real cloud-init and after
// real Ignition, with systemd as PID 1. The agent is also killed at many points, and given disks that are full. The
// tests need root.
package agent_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// built returns the path of a program of this module.
func built(t *testing.T, name string) string {
	t.Helper()
	path, err := programs.Build(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// userdata returns what the worker of the distribution boots, by machineadmctl. Delivery is spec.delivery; empty has
// the agent in the image.
func userdata(t *testing.T, terminal, distribution, delivery string) []byte {
	t.Helper()
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if delivery != "" {
		manifests = bytes.ReplaceAll(manifests, []byte("{mode: Agent}"), []byte(delivery))
	}
	return rendered(t, terminal, distribution, manifests)
}

// rendered returns what the machine of the manifests boots.
func rendered(t *testing.T, terminal, distribution string, manifests []byte) []byte {
	t.Helper()
	command := exec.Command(terminal, "render", "-f", "-")
	command.Stdin = bytes.NewReader(bytes.ReplaceAll(manifests, []byte("DISTRIBUTION"), []byte(distribution)))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("render: %v\n%s", err, stderr.String())
	}
	return out
}

// machine is a machine of its own: the changes to a pristine root.
type machine struct{ *debian.Machine }

func newMachine(t *testing.T, suite string) *machine {
	t.Helper()
	return &machine{debian.New(t, suite)}
}

// showsNoSecret searches the machine's own output: the console, its logs, its journal, and what the agent publishes.
func (m *machine) showsNoSecret(t *testing.T, secrets ...string) {
	t.Helper()
	search, err := canary.For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(m.State, "log"), m.Path("/var/log")} {
		seen, err := search.Files(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, sighting := range seen {
			t.Error(sighting)
		}
	}
	journal := debian.Output(t, "journalctl", "--directory", m.Path("/var/log/journal"), "--output", "export", "--all")
	if !strings.Contains(journal, "MESSAGE=") {
		t.Error("the journal is empty")
	}
	for _, name := range []string{"status.json", "failure.json"} {
		if m.Exists("/var/lib/machineadm/" + name) {
			journal += m.Read(t, "/var/lib/machineadm/"+name)
		}
	}
	for _, sighting := range search.In(journal) {
		t.Error("the journal, the status or the record shows " + sighting)
	}
}

// mounted returns a machine whose root is there to be changed, and the path of that.
func mounted(t *testing.T, suite string) (*machine, string) {
	t.Helper()
	m := newMachine(t, suite)
	m.Put(t, "/etc/hostname", "node-1\n", 0o644)
	m.Put(t, "/usr/local/sbin/kubeadm", stub, 0o755)
	for _, name := range []string{"kubelet", "containerd"} {
		m.Put(t, "/usr/lib/systemd/system/"+name+".service", stubUnit, 0o644)
	}
	return m, m.Mount(t)
}
