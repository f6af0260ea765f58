// Package vm boots machines with real disks, a kernel and a udev of their own. There is no hardware virtualisation in it: a boot
// takes about a minute, and takes what processors there are, so that one machine boots at a time.
package vm

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
)

// Machine is a machine of its own: the changes to a pristine root, and its disks.
type Machine struct{ lower, state string }

// New returns a machine that has not booted. On it runs Debian 12, as hack/vm.sh makes it.
func New(t testing.TB) *Machine {
	t.Helper()
	output(t, "hack/packages.sh", "qemu-system-x86", "genisoimage", "e2fsprogs", "socat")
	return &Machine{lower: output(t, "hack/vm.sh"), state: t.TempDir()}
}

// output returns what a program of the project prints.
func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(controlplane.Root(), name), args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return strings.TrimSpace(string(out))
}

// Put adds a file to the machine's root.
func (m *Machine) Put(t testing.TB, name, content string, mode fs.FileMode) {
	t.Helper()
	m.write(t, filepath.Join("upper", name), []byte(content), mode)
}

// Install adds a file of this machine to the machine's root, as a program.
func (m *Machine) Install(t testing.TB, name, from string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	m.write(t, filepath.Join("upper", name), content, 0o755)
}

// Link adds a symbolic link to the machine's root.
func (m *Machine) Link(t testing.TB, at, to string) {
	t.Helper()
	at = filepath.Join(m.state, "upper", at)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// Seed gives the machine userdata as an infrastructure provider of cloud-init does, on a disk.
func (m *Machine) Seed(t testing.TB, userdata []byte, metadata string) {
	t.Helper()
	m.write(t, "seed/user-data", userdata, 0o600)
	m.write(t, "seed/meta-data", []byte(metadata), 0o600)
	dir := filepath.Join(m.state, "seed")
	out, err := exec.Command("genisoimage", "-quiet", "-o", filepath.Join(m.state, "seed.iso"), "-V", "cidata", "-J", "-r",
		filepath.Join(dir, "user-data"), filepath.Join(dir, "meta-data")).CombinedOutput()
	if err != nil {
		t.Fatalf("genisoimage: %v\n%s", err, out)
	}
}

// Ignite gives the machine userdata as an infrastructure provider of Ignition does, by the firmware. The kernel must be told
// IgnitionArguments at the first boot.
func (m *Machine) Ignite(t testing.TB, config []byte) {
	t.Helper()
	m.write(t, "config.ign", config, 0o600)
}

// IgnitionArguments have the initial ramdisk run Ignition, and power off if it fails.
func IgnitionArguments() []string {
	return []string{"ignition.firstboot=1", "ignition.platform.id=qemu", "systemd.firstboot=off", "rd.shell=0", "rd.emergency=poweroff"}
}

// Forward makes a network in which nothing can be reached but 10.0.2.100:port, which is that address of this machine. Without
// one there is no network.
func (m *Machine) Forward(t testing.TB, port, address string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(m.state, "forwards"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(port + " " + address + "\n"); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func (m *Machine) write(t testing.TB, name string, content []byte, mode fs.FileMode) {
	t.Helper()
	name = filepath.Join(m.state, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		t.Fatal(err)
	}
}

// command boots the machine, with further arguments for its kernel. It ends with the context, and with this process.
func (m *Machine) command(ctx context.Context, arguments []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(controlplane.Root(), "test/vm/boot.sh"), append([]string{m.lower, m.state}, arguments...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// Boot boots the machine until it powers itself off, with further arguments for its kernel.
func (m *Machine) Boot(t testing.TB, arguments ...string) {
	t.Helper()
	if out, err := m.command(t.Context(), arguments).CombinedOutput(); err != nil {
		t.Fatalf("boot.sh %q: %v\n%s\n%s", arguments, err, out, m.Console())
	}
}

// Start boots the machine, with further arguments for its kernel. The channel is closed when it has ended; the function ends it,
// as a power cut does, and so does the end of the test.
func (m *Machine) Start(t testing.TB, arguments ...string) (ended <-chan struct{}, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := m.command(ctx, arguments)
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	end = func() { cancel(); <-done }
	t.Cleanup(end)
	return done, end
}
