// Package vm boots machines with real disks, a kernel and a udev of their own. There is no hardware virtualisation in
// it: a boot takes about a minute, and takes what processors there are, so that one machine boots at a time.
package vm

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/thread"
)

// Machine is a machine of its own: the changes to a pristine root, and its disks.
type Machine struct{ *debian.Machine }

// New returns a machine that has not booted. On it runs Debian 12, as hack/vm.sh makes it.
func New(t testing.TB) *Machine {
	t.Helper()
	debian.Packages(t, "qemu-system-x86", "genisoimage", "e2fsprogs", "socat")
	return &Machine{debian.Over(t, debian.Script(t, "vm.sh"))}
}

// Seed gives the machine userdata as an infrastructure provider of cloud-init does, on a disk.
func (m *Machine) Seed(t testing.TB, userdata []byte, metadata string) {
	t.Helper()
	m.write(t, "seed/user-data", userdata, 0o600)
	m.write(t, "seed/meta-data", []byte(metadata), 0o600)
	dir := filepath.Join(m.State, "seed")
	out, err := exec.Command("genisoimage", "-quiet", "-o", filepath.Join(m.State, "seed.iso"), "-V", "cidata", "-J", "-r",
		filepath.Join(dir, "user-data"), filepath.Join(dir, "meta-data")).CombinedOutput()
	if err != nil {
		t.Fatalf("genisoimage: %v\n%s", err, out)
	}
}

// Ignite gives the machine userdata as an infrastructure provider of Ignition does, by the firmware. The kernel must be
// started with IgnitionArguments at the first boot.
func (m *Machine) Ignite(t testing.TB, config []byte) {
	t.Helper()
	m.write(t, "config.ign", config, 0o600)
}

// IgnitionArguments have the initial ramdisk run Ignition, and power off if it fails.
func IgnitionArguments() []string {
	return []string{
		"ignition.firstboot=1", "ignition.platform.id=qemu", "systemd.firstboot=off", "rd.shell=0",
		"rd.emergency=poweroff",
	}
}

// Forward makes a network in which nothing can be reached but 10.0.2.100:port, which is that address of this machine.
// Without one there is no network.
func (m *Machine) Forward(t testing.TB, port, address string) {
	t.Helper()
	m.appendLine(t, "forwards", port+" "+address)
}

// Expose makes a port of the machine reachable at a port of the loopback address, which it returns.
func (m *Machine) Expose(t testing.TB, port int) int {
	t.Helper()
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	here := netip.MustParseAddrPort(listener.Addr().String()).Port()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	m.appendLine(t, "exposed", fmt.Sprintf("%d %d", here, port))
	return int(here)
}

func (m *Machine) appendLine(t testing.TB, name, line string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(m.State, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func (m *Machine) write(t testing.TB, name string, content []byte, mode fs.FileMode) {
	t.Helper()
	name = filepath.Join(m.State, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		t.Fatal(err)
	}
}

// command boots the machine, with further arguments for its kernel. It ends with the context, and with this process.
func (m *Machine) command(ctx context.Context, arguments []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(programs.Root(), "test/vm/boot.sh"),
		append([]string{m.Lower, m.State}, arguments...)...)
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

// Start boots the machine, with further arguments for its kernel. The channel is closed when it has ended; the function
// ends it, as a power cut does, and so does the end of the test.
func (m *Machine) Start(t testing.TB, arguments ...string) (ended <-chan struct{}, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := m.command(ctx, arguments)
	done := make(chan struct{})
	if err := thread.Start(done, cmd.Start); err != nil {
		cancel()
		close(done)
		t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	end = func() { cancel(); <-done }
	t.Cleanup(end)
	return done, end
}
