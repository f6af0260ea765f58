// Package agent_test boots machines that their own agent brings about: Debian 12 and 13, by real cloud-init and after real
// Ignition, with systemd as PID 1. The agent is also killed at many points, and given disks that are full. They need root.
package agent_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return strings.TrimSpace(string(out))
}

func tool(t *testing.T, name string) string {
	t.Helper()
	return output(t, "../../../hack/tool.sh", name)
}

// pristine returns a root that nobody may write to.
func pristine(t *testing.T, suite string) string {
	t.Helper()
	if dir := os.Getenv("MACHINEADM_ROOTS"); dir != "" {
		return filepath.Join(dir, suite)
	}
	return output(t, "../../../hack/roots.sh", suite)
}

func installed(t *testing.T, packages ...string) {
	t.Helper()
	if out, err := exec.Command("../../../hack/packages.sh", packages...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", packages, err, out)
	}
}

// built returns a program of this module, which needs nothing of the root that it runs in.
func built(t *testing.T, name string, flags ...string) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), name)
	command := exec.Command("go", append(append([]string{"build", "-o", at}, flags...), "../../../cmd/"+name)...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return at
}

// userdata returns what the worker of the distribution boots, by machineadmctl. Delivery is spec.delivery; empty has the agent in
// the image.
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
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		t.Fatalf("render: %v\n%s", err, said.String())
	}
	return out
}

// machine is a machine of its own: the changes to a pristine root.
type machine struct{ lower, state string }

func newMachine(t *testing.T, suite string) *machine {
	t.Helper()
	m := &machine{lower: pristine(t, suite), state: t.TempDir()}
	for _, dir := range []string{m.state, filepath.Dir(m.state)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.state, "upper", name) }

func (m *machine) put(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// install copies a file of this machine.
func (m *machine) install(t *testing.T, name, from string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	m.put(t, name, string(content), 0o755)
}

func (m *machine) link(t *testing.T, at, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(at)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, m.path(at)); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(m.path(name))
	if err != nil {
		t.Errorf("%v\n%s", err, m.log())
	}
	return string(b)
}

func (m *machine) exists(name string) bool { _, err := os.Lstat(m.path(name)); return err == nil }

// run runs one of the scripts, with the machine's root and state as its first arguments.
func (m *machine) run(t *testing.T, script string, args ...string) {
	t.Helper()
	if out, err := exec.Command(script, append([]string{m.lower, m.state}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", script, err, out, m.log())
	}
}

// log returns the last of what the machine said.
func (m *machine) log() string {
	var said strings.Builder
	for _, name := range []string{"engine", "log", "upper/var/log/machineadm.log", "upper/var/log/calls"} {
		b, _ := os.ReadFile(filepath.Join(m.state, name))
		said.WriteString("--- " + name + "\n" + string(b[max(0, len(b)-3000):]))
	}
	return said.String()
}

// showsNoSecret searches what the machine says of itself: the console, its logs, its journal, and what the agent publishes.
func (m *machine) showsNoSecret(t *testing.T, secrets ...string) {
	t.Helper()
	search, err := canary.For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(m.state, "log"), m.path("/var/log")} {
		seen, err := search.Files(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, sighting := range seen {
			t.Error(sighting)
		}
	}
	journal := output(t, "journalctl", "--directory", m.path("/var/log/journal"), "--output", "export", "--all")
	if !strings.Contains(journal, "MESSAGE=") {
		t.Error("the journal is empty")
	}
	for _, name := range []string{"status.json", "failure.json"} {
		if m.exists("/var/lib/machineadm/" + name) {
			journal += m.read(t, "/var/lib/machineadm/"+name)
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
	root := filepath.Join(m.state, "root")
	for _, dir := range []string{root, m.path("/"), filepath.Join(m.state, "work")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.put(t, "/etc/hostname", "node-1\n", 0o644)
	m.put(t, "/usr/local/sbin/kubeadm", stub, 0o755)
	for _, name := range []string{"kubelet", "containerd"} {
		m.put(t, "/usr/lib/systemd/system/"+name+".service", standIn, 0o644)
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s/work", m.lower, m.path("/"), m.state)
	if err := syscall.Mount("overlay", root, "overlay", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return m, root
}
