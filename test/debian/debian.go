// Package debian gives tests machines to try things on: Debian roots that hack/roots.sh makes, with what a machine
// changes on top, Debian's packages for the machine that runs the test, and the real programs that hack/tool.sh builds.
// It needs root.
package debian

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// Output returns what a program prints, without blanks at its ends, and ends the test if the program fails.
func Output(t testing.TB, name string, args ...string) string {
	t.Helper()
	var message strings.Builder
	// What tidies up runs when the test's own context is over.
	command := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	command.Stderr = &message
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, message.String())
	}
	return strings.TrimSpace(string(out))
}

// Tool returns the path of a program that hack/tool.sh builds.
func Tool(t testing.TB, name string) string {
	t.Helper()
	return Script(t, "tool.sh", name)
}

// Script returns what one of the scripts in hack/ prints.
func Script(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := programs.Script(t.Context(), name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Packages installs Debian's packages on the machine that runs the test, where they are missing.
func Packages(t testing.TB, names ...string) {
	t.Helper()
	Script(t, "packages.sh", names...)
}

// Root returns the pristine root of a suite, such as bookworm. It is read-only. MACHINEADM_ROOTS names a folder
// of roots that are there already.
func Root(t testing.TB, suite string) string {
	t.Helper()
	if dir := os.Getenv("MACHINEADM_ROOTS"); dir != "" {
		return filepath.Join(dir, suite)
	}
	return Script(t, "roots.sh", suite)
}

// Machine is what a machine of its own changes of a pristine root. Paths that its methods take are the machine's.
type Machine struct {
	// Lower is the pristine root.
	Lower string
	// State is the machine's folder: upper holds its changes; the scripts that boot it write its output there.
	State string
}

// New returns a machine of the suite that was never on.
func New(t testing.TB, suite string) *Machine {
	t.Helper()
	return Over(t, Root(t, suite))
}

// Over returns a machine with another pristine root that was never on.
func Over(t testing.TB, lower string) *Machine {
	t.Helper()
	m := &Machine{Lower: lower, State: t.TempDir()}
	// First-boot programs work as the users that they make, who have to come through here.
	for _, dir := range []string{m.State, filepath.Dir(m.State)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// Path returns the path of a file that the machine changed.
func (m *Machine) Path(name string) string { return filepath.Join(m.State, "upper", name) }

// Put writes a file while the machine is off.
func (m *Machine) Put(t testing.TB, name, content string, mode fs.FileMode) {
	t.Helper()
	m.folder(t, name)
	if err := os.WriteFile(m.Path(name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// Install copies a program of the machine that runs the test.
func (m *Machine) Install(t testing.TB, name, from string) {
	t.Helper()
	m.folder(t, name)
	source, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	target, err := os.OpenFile(m.Path(name), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	// The kernel copies from file to file.
	_, err = io.Copy(target, source)
	if err = errors.Join(err, target.Close()); err != nil {
		t.Fatal(err)
	}
}

// Link makes a symbolic link while the machine is off.
func (m *Machine) Link(t testing.TB, at, to string) {
	t.Helper()
	m.folder(t, at)
	if err := os.Symlink(to, m.Path(at)); err != nil {
		t.Fatal(err)
	}
}

// MaskGenerators masks the generators of units, which systemd runs at each boot and whenever it reloads its units. That
// of cloud-init starts cloud-init.target, which needs a link instead.
func (m *Machine) MaskGenerators(t testing.TB) {
	t.Helper()
	const generators = "systemd/system-generators/"
	entries, err := os.ReadDir(filepath.Join(m.Lower, "/usr/lib", generators))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		m.Link(t, "/etc/"+generators+e.Name(), "/dev/null")
	}
}

func (m *Machine) folder(t testing.TB, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.Path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
}

// Read returns a file that the machine changed. One that is not there fails the test, which goes on.
func (m *Machine) Read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(m.Path(name))
	if err != nil {
		t.Errorf("%v\n%s", err, m.Log())
	}
	return string(content)
}

// Exists reports whether the machine has made the path, even if it is a link that leads nowhere.
func (m *Machine) Exists(name string) bool {
	_, err := os.Lstat(m.Path(name))
	return err == nil
}

// Run runs a script that boots or enters the machine, whose root and state are its first arguments.
func (m *Machine) Run(t testing.TB, script string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), script, append([]string{m.Lower, m.State}, args...)...).
		CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", script, err, out, m.Log())
	}
}

// Log returns the ends of the machine's logs: its console, its engine, the bootstrap program, its stubs.
func (m *Machine) Log() string {
	var message strings.Builder
	for _, name := range []string{"engine", "log", "console", "upper/var/log/machineadm.log", "upper/var/log/calls"} {
		if b, err := os.ReadFile(filepath.Join(m.State, name)); err == nil {
			message.WriteString("--- " + name + "\n" + string(b[max(0, len(b)-4000):]))
		}
	}
	return message.String()
}
