// Package goldens_test has each golden of testdata/scenarios read back by the program that reads it on a machine: cloud-init's
// schema check and boot stages, Ignition's validators and engines, Butane, and systemd as PID 1. They need root.
package goldens_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
)

// sentinel is where a boot leaves what it told Cluster API, since /run does not outlive it.
const sentinel = "/var/log/run/cluster-api/bootstrap-success.complete"

// stub stands for a program that the root lacks, or that would change the world; it says what it was called with.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

// spy is a stub that also notes the arguments and the environment of whatever has started it, up to the first process.
const spy = stub + `if [ "$2" = --config ]; then cp "$3" ` + said + `; fi
p=$$
while [ "$p" -gt 1 ]; do
  tr '\0' '\n' <"/proc/$p/cmdline"
  tr '\0' '\n' <"/proc/$p/environ"
  p=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status")
done >>/var/log/processes
`

// said is where the spy keeps the configuration that it is started with; the program removes it afterwards.
const said = "/var/lib/kubeadm.yaml"

// download stands for curl, in a namespace without a network. What it brings has the digest that the scenarios expect.
const download = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && printf test >\"$2\"; shift; done\n"

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

func pristine(t *testing.T, suite string) string {
	t.Helper()
	if dir := os.Getenv("MACHINEADM_ROOTS"); dir != "" {
		return filepath.Join(dir, suite)
	}
	return output(t, "../../../hack/roots.sh", suite)
}

// machine is a machine of its own: the changes to a pristine root.
type machine struct{ lower, state string }

func newMachine(t *testing.T, suite string, stubs ...string) *machine {
	t.Helper()
	m := &machine{lower: pristine(t, suite), state: t.TempDir()}
	for _, dir := range []string{m.state, filepath.Dir(m.state)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range stubs {
		m.put(t, "/usr/local/sbin/"+name, stub, 0o755)
	}
	m.put(t, "/usr/local/sbin/kubeadm", spy, 0o755)
	m.put(t, "/usr/local/sbin/curl", download, 0o755)
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

func (m *machine) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(m.path(name))
	if err != nil {
		t.Error(err)
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

// sayings returns a sentence for each place at which the machine, or who booted it, shows a secret: the console, the logs of the
// first-boot programs and of machineadm, the journal, the record of a failure, and the arguments and environments of what
// kubeadm was started by.
func (m *machine) sayings(t *testing.T, secrets ...string) []string {
	t.Helper()
	search, err := canary.For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, path := range []string{filepath.Join(m.state, "log"), m.path("/var/log")} {
		found, err := search.Files(path)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, found...)
	}
	for _, sighting := range search.In(m.journal(t)) {
		seen = append(seen, "the journal shows "+sighting)
	}
	if m.exists("/var/lib/machineadm/failure.json") {
		for _, sighting := range search.In(m.read(t, "/var/lib/machineadm/failure.json")) {
			seen = append(seen, "the record of the failure shows "+sighting)
		}
	}
	return seen
}

// journal returns all fields of the machine's journal; its files compress the long ones. A root that was not booted has none.
func (m *machine) journal(t *testing.T) string {
	t.Helper()
	if entries, err := os.ReadDir(m.path("/var/log/journal")); err != nil || len(entries) < 2 {
		return ""
	}
	text := output(t, "journalctl", "--directory", m.path("/var/log/journal"), "--output", "export", "--all")
	if !strings.Contains(text, "MESSAGE=") {
		t.Error("the journal is empty")
	}
	return text
}

func (m *machine) showsNoSecret(t *testing.T, secrets ...string) {
	t.Helper()
	if !strings.Contains(m.read(t, "/var/log/processes"), "/etc/machineadm/bootstrap") {
		t.Error("the processes are not those that the program started")
	}
	for _, sighting := range m.sayings(t, secrets...) {
		t.Error(sighting)
	}
}

// validated has the real kubeadm read the configuration that the machine's was started with, as it was filled in there.
func (m *machine) validated(t *testing.T) {
	t.Helper()
	kubeadm, err := controlplane.Tool(t.Context(), "kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(kubeadm, "config", "validate", "--config", m.path(said)).CombinedOutput(); err != nil || strings.Contains(string(out), "deprecated") {
		t.Errorf("kubeadm: %v\n%s", err, out)
	}
}

// joined reports whether kubeadm was started exactly once.
func (m *machine) joined(t *testing.T) bool {
	t.Helper()
	return strings.Count("\n"+m.read(t, "/var/log/calls"), "\nkubeadm ") == 1
}
