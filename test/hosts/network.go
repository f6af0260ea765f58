//go:build linux

package hosts

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// process is a process that ends with its standard input, or when the test ends.
type process struct {
	*exec.Cmd
	in     io.Closer
	stdout *bufio.Reader
}

// start starts a process in new namespaces.
func start(t testing.TB, namespaces uintptr, argv ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(argv[0], argv[1:]...)}
	p.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Setsid: true}
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.stdout, p.Stderr = in, bufio.NewReader(out), p.Stdout
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	return p
}

// end ends the process and everything in its namespace of processes.
func (p *process) end() {
	_ = p.in.Close()
	_ = p.Process.Kill()
	_ = p.Wait()
}

const bridge = "hosts0"

// Gateway is the address of the test in the network.
const Gateway = "10.78.0.1"

// Network connects hosts in a namespace without other routes.
type Network struct {
	first *process
	hosts atomic.Int32
	// agent and root are the read-only layers of the file systems of all hosts: the agent, and Debian.
	agent, root string
}

// NewNetwork returns a network that ends with the test.
func NewNetwork(t testing.TB) *Network {
	t.Helper()
	debian.Packages(t, "iproute2", "util-linux")
	n := &Network{first: start(t, syscall.CLONE_NEWNET, "cat"), agent: t.TempDir(), root: debian.Root(t, "bookworm")}
	n.install(t)
	n.ip(t, "link", "set", "lo", "up")
	n.ip(t, "link", "add", bridge, "type", "bridge")
	n.ip(t, "address", "add", Gateway+"/16", "dev", bridge)
	n.ip(t, "link", "set", bridge, "up")
	return n
}

// install builds the agent for the hosts.
func (n *Network) install(t testing.TB) {
	t.Helper()
	path, err := programs.Build(t.Context(), "machineadm")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(n.agent, "usr/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(n.agent, "usr/bin/machineadm"), content, 0o755); err != nil {
		t.Fatal(err)
	}
}

// ip runs ip(8) in the network.
func (n *Network) ip(t testing.TB, args ...string) {
	t.Helper()
	n.first.enter(t, "--net", append([]string{"ip"}, args...)...)
}

// enter runs a command in a namespace of the process.
func (p *process) enter(t testing.TB, namespace string, argv ...string) {
	t.Helper()
	args := append([]string{"--target", strconv.Itoa(p.Process.Pid), namespace}, argv...)
	if out, err := exec.Command("nsenter", args...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", argv, err, out)
	}
}

// Dial connects to an address of the network. It is for the options of drivers.
func (n *Network) Dial(ctx context.Context, network, address string) (connection net.Conn, err error) {
	err = n.inside(func() error {
		connection, err = (&net.Dialer{}).DialContext(ctx, network, address)
		return err
	})
	return connection, err
}

// Listen listens in the network.
func (n *Network) Listen(t testing.TB, address string) net.Listener {
	t.Helper()
	var listener net.Listener
	err := n.inside(func() (err error) {
		listener, err = net.Listen("tcp", address)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// Command returns the arguments that run a command in the network.
func (n *Network) Command(argv ...string) []string {
	return append([]string{"nsenter", fmt.Sprintf("--net=/proc/%d/ns/net", n.first.Process.Pid)}, argv...)
}

// Port returns the port of a listener.
func Port(l net.Listener) int {
	if a, is := l.Addr().(*net.TCPAddr); is {
		return a.Port
	}
	return 0
}

// inside calls the function on a thread in the network.
func (n *Network) inside(call func() error) error {
	done := make(chan error, 1)
	go func() {
		// The thread ends with the goroutine.
		runtime.LockOSThread()
		namespace, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", n.first.Process.Pid))
		if err != nil {
			done <- err
			return
		}
		defer func() { _ = namespace.Close() }()
		if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- err
			return
		}
		done <- call()
	}()
	return <-done
}

// patience is how long a host may take to answer on a busy machine.
const patience = 10 * time.Minute

// dialOnce connects to an address. It does not wait for the network to repeat a packet that was lost.
func (n *Network) dialOnce(ctx context.Context, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return n.Dial(ctx, "tcp", address)
}

// await returns when a server answers at the address.
func (n *Network) await(t testing.TB, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		connection, err := n.dialOnce(ctx, address)
		if err == nil {
			_ = connection.Close()
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("nothing answers at %s: %v", address, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
