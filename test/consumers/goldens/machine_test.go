// Package goldens_test has each golden of testdata/scenarios read back by the program that reads it on a machine:
// cloud-init's schema check and boot stages, Ignition's validators and engines, Butane, and systemd as PID 1. They need
// root.
package goldens_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
)

// sentinel is where a boot copies its sentinel to, since /run does not outlive it.
const sentinel = "/var/log/run/cluster-api/bootstrap-success.complete"

// stub replaces a program that the root lacks, or that would change the host; it records its arguments.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

// spy is a stub that also notes the arguments and the environment of whatever has started it, up to the first process.
const spy = stub + `if [ "$2" = --config ]; then cp "$3" ` + joinConfiguration + `; fi
p=$$
while [ "$p" -gt 1 ]; do
  tr '\0' '\n' <"/proc/$p/cmdline"
  tr '\0' '\n' <"/proc/$p/environ"
  p=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status")
done >>/var/log/processes
`

// joinConfiguration is the spy's copy of its configuration; the program removes the original afterwards.
const joinConfiguration = "/var/lib/kubeadm.yaml"

// download replaces curl in a namespace without a network. Its output has the digest that the scenarios expect.
const download = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && printf test >\"$2\"; shift; done\n"

// machine is a machine of its own: the changes to a pristine root.
type machine struct{ *debian.Machine }

func newMachine(t *testing.T, suite string, stubs ...string) *machine {
	t.Helper()
	m := &machine{debian.New(t, suite)}
	for _, name := range stubs {
		m.Put(t, "/usr/local/sbin/"+name, stub, 0o755)
	}
	m.Put(t, "/usr/local/sbin/kubeadm", spy, 0o755)
	m.Put(t, "/usr/local/sbin/curl", download, 0o755)
	return m
}

// sayings returns a sentence for each place at which the machine, or who booted it, shows a secret: the console, the
// logs of the first-boot programs and of machineadm, the journal, the record of a failure, and the arguments and
// environments of what kubeadm was started by.
func (m *machine) sayings(t *testing.T, secrets ...string) []string {
	t.Helper()
	search, err := canary.For(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, path := range []string{filepath.Join(m.State, "log"), m.Path("/var/log")} {
		found, err := search.Files(path)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, found...)
	}
	for _, sighting := range search.In(m.journal(t)) {
		seen = append(seen, "the journal shows "+sighting)
	}
	if m.Exists("/var/lib/machineadm/failure.json") {
		for _, sighting := range search.In(m.Read(t, "/var/lib/machineadm/failure.json")) {
			seen = append(seen, "the record of the failure shows "+sighting)
		}
	}
	return seen
}

// journal returns all fields of the machine's journal; its files compress the long ones. A root that was not booted has
// none.
func (m *machine) journal(t *testing.T) string {
	t.Helper()
	if entries, err := os.ReadDir(m.Path("/var/log/journal")); err != nil || len(entries) < 2 {
		return ""
	}
	text := debian.Output(t, "journalctl", "--directory", m.Path("/var/log/journal"), "--output", "export", "--all")
	if !strings.Contains(text, "MESSAGE=") {
		t.Error("the journal is empty")
	}
	return text
}

func (m *machine) showsNoSecret(t *testing.T, secrets ...string) {
	t.Helper()
	if !strings.Contains(m.Read(t, "/var/log/processes"), "/etc/machineadm/bootstrap") {
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
	if out, err := exec.Command(kubeadm, "config", "validate", "--config", m.Path(joinConfiguration)).
		CombinedOutput(); err != nil ||
		strings.Contains(string(out), "deprecated") {
		t.Errorf("kubeadm: %v\n%s", err, out)
	}
}

// joined reports whether kubeadm was started exactly once.
func (m *machine) joined(t *testing.T) bool {
	t.Helper()
	return strings.Count("\n"+m.Read(t, "/var/log/calls"), "\nkubeadm ") == 1
}
