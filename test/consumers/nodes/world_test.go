//go:build linux

// Package nodes_test creates real clusters of machines that their own agent configures: real kubeadm, kubelet,
// containerd and a real control plane in static pods. The driver adapters/hostdriver/namespace creates the machines,
// with systemd. The machines and the test communicate in a network namespace without other routes. The tests need root.
package nodes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/uuid"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// The network: one bridge, at which the test listens, and the machines at the addresses from .10.
const (
	bridge  = "nodes0"
	gateway = "10.77.0.1"
	subnet  = "10.77.0."
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

// world is a network with machines in it, and what their image is made of.
type world struct {
	dir string
	// network is the path of the network namespace.
	network string
	driver  *namespace.Driver
	// layers are the directories below the machines' own changes, the uppermost first.
	layers []string
	// mounted reports whether the layers are the image of the machines.
	mounted bool
}

// shared is the directory of what all tests use and none changes: the image and the registry's blobs.
var shared = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "machineadm-nodes-") })

func TestMain(m *testing.M) {
	if code, requested := namespace.Main(os.Args); requested {
		os.Exit(code)
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "nodes:", err)
		code = 1
	}
	os.Exit(code)
}

// run runs the tests with the kernel settings of nodes.
func run(m *testing.M) (code int, err error) {
	dir, err := shared()
	if err != nil {
		return 1, err
	}
	restore, err := nodeimage.ChangeSettings()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, restore(), os.RemoveAll(dir)) }()
	// Each attempt is a request to an API server.
	SetDefaultEventuallyPollingInterval(250 * time.Millisecond)
	return m.Run(), nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	debian.Packages(t, "util-linux")
	dir, err := image()
	ok(t, err)
	w := &world{dir: t.TempDir(), layers: []string{dir, debian.Root(t, "bookworm")}, network: newNetwork(t)}
	w.driver = namespace.New(namespace.Config{Directory: w.dir, Network: namespace.Network{
		Bridge: bridge, Subnets: []netip.Prefix{netip.MustParsePrefix(subnet + "0/24")}, Namespace: w.network,
	}})
	return w
}

// newNetwork returns the path of a network namespace, which ends with the test.
func newNetwork(t *testing.T) string {
	t.Helper()
	holder := exec.Command("sleep", "infinity")
	holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = holder.Process.Kill()
		_ = holder.Wait()
	})
	return fmt.Sprintf("/proc/%d/ns/net", holder.Process.Pid)
}

// image returns a directory with what a node's image has beside the system.
var image = sync.OnceValues(func() (string, error) {
	dir, err := shared()
	if err != nil {
		return "", err
	}
	image := filepath.Join(dir, "image")
	return image, nodeimage.Write(context.Background(), image)
})

func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// inside calls the function in the network namespace at the path. It must do what it does with the network before it
// returns, and by itself.
func inside(network string, call func() error) error {
	done := make(chan error, 1)
	go func() {
		// The thread ends with the goroutine.
		runtime.LockOSThread()
		at, err := os.Open(network)
		if err != nil {
			done <- err
			return
		}
		defer func() { _ = at.Close() }()
		if err := unix.Setns(int(at.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- err
			return
		}
		done <- call()
	}()
	return <-done
}

// dial connects to an address of the network.
func (w *world) dial(ctx context.Context, network, address string) (connection net.Conn, err error) {
	err = inside(w.network, func() error {
		dialer := net.Dialer{Timeout: 10 * time.Second}
		connection, err = dialer.DialContext(ctx, network, address)
		return err
	})
	return connection, err
}

// listen listens in the network.
func (w *world) listen(t *testing.T, address string) net.Listener {
	t.Helper()
	var l net.Listener
	err := inside(w.network, func() (err error) {
		l, err = net.Listen("tcp", address)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// machine is a machine that runs.
type machine struct {
	*world

	name string
	// claim is the claim of the driver, and state its directory.
	claim, state string
	target       ports.HostTarget
	// pid is the first process.
	pid int
}

// images returns a registry with the images of a control plane.
var images = sync.OnceValues(func() (*nodeimage.Registry, error) {
	dir, err := shared()
	if err != nil {
		return nil, err
	}
	r := nodeimage.NewRegistry(dir)
	return r, r.AddControlPlane(context.Background(), nodeimage.Current())
})

// serve serves the images of a control plane in the machines' network, at the port of their configured mirror.
func (w *world) serve(t *testing.T) {
	t.Helper()
	registry, err := images()
	ok(t, err)
	server := &http.Server{Handler: registry} //nolint:gosec // its only clients are the test's machines
	go func() { _ = server.Serve(w.listen(t, ":5000")) }()
	t.Cleanup(func() { _ = server.Close() })
}

// mountImage mounts the layers as the image of the machines.
func (w *world) mountImage(t *testing.T) {
	t.Helper()
	if w.mounted {
		return
	}
	// systemd runs its generators whenever a step of the agent reloads the units. Nothing here needs them.
	masks := debian.New(t, "bookworm")
	masks.MaskGenerators(t)
	layers := append([]string{masks.Path("/")}, w.layers...)
	debian.Mount(t, "overlay", filepath.Join(w.dir, "root"), "overlay", 0, "lowerdir="+strings.Join(layers, ":"))
	w.mounted = true
}

// userdataPath is where tests find the userdata of a machine, to run it again.
const userdataPath = "/root/userdata"

// proceed is a file that a machine waits for before it runs its userdata.
const proceed = "/run/proceed"

// start starts a machine, which waits for run before it runs its userdata. It ends with the test.
func (w *world) start(t *testing.T, name, userdata string) *machine {
	t.Helper()
	w.mountImage(t)
	m := &machine{world: w, name: name, claim: string(uuid.NewUUID()), target: ports.HostTarget{
		Namespace: "default", Name: name, Machine: &ports.HostMachineSettings{Root: "root"},
	}}
	m.state = filepath.Join(w.dir, "machines/default", name, m.claim)
	first, rest, _ := strings.Cut(userdata, "\n")
	boot := ports.HostBoot{
		Format: ports.HostFormatShell, Hostname: name,
		Data: secret.FromString(first + "\nuntil [ -e " + proceed + " ]; do sleep 0.05; done\n" + rest),
	}
	t.Cleanup(func() { m.end(t) })
	ok(t, w.driver.Claim(t.Context(), m.target, m.claim))
	ok(t, w.driver.Boot(t.Context(), m.target, m.claim, boot))
	pid, err := w.driver.Process(t.Context(), m.target)
	ok(t, err)
	m.pid = pid
	put(t, m.path("root")+userdataPath, userdata, 0o600)
	return m
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// path returns the path of a link of the first process, such as its root.
func (m *machine) path(name string) string { return fmt.Sprintf("/proc/%d/%s", m.pid, name) }

// end ends the machine and removes it.
func (m *machine) end(t *testing.T) {
	t.Helper()
	ok(t, m.driver.Release(context.WithoutCancel(t.Context()), m.target, m.claim))
}

// boot makes the machine run its userdata and returns how it ended.
func (m *machine) boot(t *testing.T) error {
	t.Helper()
	m.must(t, "touch "+proceed)
	for {
		o, err := m.driver.Observe(t.Context(), m.target, m.claim)
		switch {
		case err != nil:
			return err
		case o.Phase == host.PhaseRunning:
			time.Sleep(100 * time.Millisecond)
		case o.Phase == host.PhaseSucceeded:
			return nil
		default:
			// The record exists before the agent has ended.
			m.must(t, "while [ \"$(systemctl show --property ActiveState --value machineadm-host.service)\" = activating ]; "+
				"do sleep 0.1; done")
			return fmt.Errorf("%s: %s", o.Phase, o.Failure)
		}
	}
}

// limit is how long a command on a machine may take: some times what it takes on a busy machine.
const limit = 5 * time.Minute

// run runs a shell command on the machine and returns its output.
func (m *machine) run(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	enter := exec.CommandContext(ctx, "nsenter", "--target", strconv.Itoa(m.pid),
		"--mount", "--uts", "--ipc", "--net", "--pid", "--", "/bin/sh", "-c", command)
	enter.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"}
	var out bytes.Buffer
	enter.Stdout, enter.Stderr = &out, &out
	enter.WaitDelay = time.Second
	err := enter.Run()
	if err != nil {
		err = fmt.Errorf("%s on %s: %w\n%s", command, m.name, err, &out)
	}
	return out.String(), err
}

func (m *machine) must(t *testing.T, command string) string {
	t.Helper()
	out, err := m.run(command)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
