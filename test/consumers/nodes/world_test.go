//go:build linux

// Package nodes_test creates real clusters of machines that their own agent configures: real kubeadm, kubelet,
// containerd and a real control plane in static pods, each machine in namespaces of its own. The machines and the test
// communicate in a network namespace without other routes. The tests need root.
package nodes_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// The network: one bridge, at which the test listens, and a machine at each of the addresses from .10.
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

// held is a process that lives until the test lets go of its standard input, or ends in any other way.
type held struct {
	*exec.Cmd
	in io.Closer
	// output is the process's standard output.
	stdout *bufio.Reader
}

func hold(t *testing.T, namespaces uintptr, argv ...string) *held {
	t.Helper()
	h := &held{Cmd: exec.Command(argv[0], argv[1:]...)}
	h.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Setsid: true}
	in, err := h.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.in, h.stdout, h.Stderr = in, bufio.NewReader(out), h.Stdout
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.end)
	return h
}

// end ends the process, and all in its namespace of processes if it is the first of one.
func (h *held) end() {
	_ = h.in.Close()
	_ = h.Process.Kill()
	_ = h.Wait()
}

// world is a network with machines in it, and what their image is made of.
type world struct {
	dir     string
	network *held
	// layers are the directories below the machines' own changes, the uppermost first.
	layers []string
}

// shared is the directory of what all tests use and none changes: the image and the registry's blobs.
var shared string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "machineadm-nodes-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "nodes:", err)
		os.Exit(1)
	}
	shared = dir
	// Each attempt is a request to an API server.
	SetDefaultEventuallyPollingInterval(250 * time.Millisecond)
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	debian.Packages(t, "iproute2", "util-linux", "runc", "containernetworking-plugins", "gcc", "libc6-dev", "kmod")
	keepSettings(t)
	w := &world{dir: t.TempDir(), network: hold(t, syscall.CLONE_NEWNET, "cat")}
	w.layers = []string{image(t), debian.Root(t, "bookworm")}
	w.ip(t, "link", "set", "lo", "up")
	w.ip(t, "link", "add", bridge, "type", "bridge")
	w.ip(t, "address", "add", gateway+"/24", "dev", bridge)
	w.ip(t, "link", "set", bridge, "up")
	return w
}

// keepSettings puts back what kubelet sets for the whole machine, of which namespaces have none of their own.
func keepSettings(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
		"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes",
	} {
		path := "/proc/sys/" + name
		was, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.WriteFile(path, was, 0o644); err != nil {
				t.Error(err)
			}
		})
	}
}

// image returns a directory with what a node's image has beside the system. The first test fills it.
func image(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(shared, "image")
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	programs := map[string]string{
		"usr/bin/machineadm": built(t, "machineadm"), "usr/sbin/runc": "/usr/sbin/runc",
		"usr/bin/systemctl":               "testdata/systemctl",
		"usr/lib/fake/systemctl":          filepath.Join(debian.Root(t, "bookworm"), "usr/bin/systemctl"),
		"usr/bin/containerd":              debian.Tool(t, "containerd"),
		"usr/bin/kubeadm":                 debian.Tool(t, "kubeadm"),
		"usr/bin/kubelet":                 debian.Tool(t, "kubelet"),
		"usr/bin/containerd-shim-runc-v2": debian.Tool(t, "containerd-shim-runc-v2"),
	}
	for _, name := range []string{"bridge", "host-local", "loopback"} {
		programs["opt/cni/bin/"+name] = "/usr/lib/cni/" + name
	}
	for to, from := range programs {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, to), string(content), 0o755)
	}
	units := filepath.Join(dir, "usr/lib/systemd/system")
	put(t, units+"/containerd.service", containerdUnit, 0o644)
	put(t, units+"/kubelet.service", kubeletUnit, 0o644)
	put(t, units+"/kubelet.service.d/10-kubeadm.conf", kubeadmDropIn, 0o644)
	// The kernel is the machine's that runs the test, which has what a node needs; whether in modules is not looked at.
	kernel := debian.Output(t, "uname", "-r")
	put(t, dir+"/usr/lib/modules/"+kernel+"/modules.builtin", "kernel/br_netfilter.ko\nkernel/nf_conntrack.ko\n", 0o644)
	put(t, dir+"/usr/lib/modules/"+kernel+"/modules.order", "", 0o644)
	debian.Output(t, "depmod", "-b", dir+"/usr", kernel)
	put(t, dir+"/complete", "", 0o644)
	return dir
}

// The units of the packages. containerd's notifies systemd when it is ready, which needs another way of waiting here.
const (
	containerdUnit = `[Service]
ExecStart=/usr/bin/containerd
ExecStartPost=/usr/bin/timeout 60 /bin/sh -c 'until [ -S /run/containerd/containerd.sock ]; do sleep 0.1; done'
[Install]
WantedBy=multi-user.target
`
	kubeletUnit   = "[Service]\nExecStart=/usr/bin/kubelet\nRestart=always\n[Install]\nWantedBy=multi-user.target\n"
	kubeadmDropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf ` +
		`--kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`
)

func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// ip runs ip in the network.
func (w *world) ip(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{"--net", "--target", strconv.Itoa(w.network.Process.Pid), "ip"}, args...)
	if out, err := exec.Command("nsenter", args...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// inside calls the function in the network of the process. It must do what it does with the network before it returns,
// and by itself.
func inside(pid int, call func() error) error {
	done := make(chan error, 1)
	go func() {
		// The thread ends with the goroutine.
		runtime.LockOSThread()
		at, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
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
	err = inside(w.network.Process.Pid, func() error {
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
	err := inside(w.network.Process.Pid, func() (err error) {
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
	name, address, state string
	first                *held
}

// groups are the hierarchies of control groups of this machine.
func groups(t *testing.T) []string {
	t.Helper()
	const top = "/sys/fs/cgroup"
	if _, err := os.Stat(top + "/cgroup.controllers"); err == nil {
		return []string{top}
	}
	found, err := filepath.Glob(top + "/*")
	if err != nil || len(found) == 0 {
		t.Fatalf("no control groups: %v", err)
	}
	return found
}

// group makes a control group for the machine, which goes with it.
func group(t *testing.T, name string) {
	t.Helper()
	for _, top := range groups(t) {
		dir := filepath.Join(top, "machineadm-"+name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { removeGroup(t, dir) })
	}
}

// removeGroup removes a control group and those in it, whose processes have just ended.
func removeGroup(t *testing.T, dir string) {
	t.Helper()
	var all []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			all = append(all, path)
		}
		return nil
	})
	slices.Reverse(all)
	for _, inner := range all {
		NewWithT(t).Eventually(func() error {
			if err := os.Remove(inner); !os.IsNotExist(err) {
				return err
			}
			return nil
		}).WithTimeout(patience).Should(Succeed())
	}
}

// start starts a machine with files of its own, by their paths. It ends with the test.
func (w *world) start(t *testing.T, name string, number int, files map[string]string) *machine {
	t.Helper()
	m := &machine{name: name, address: subnet + strconv.Itoa(number), state: filepath.Join(w.dir, name)}
	put(t, m.state+"/upper/etc/hosts", "127.0.0.1 localhost\n"+m.address+" "+name+"\n", 0o644)
	put(t, m.state+"/upper/etc/hostname", name+"\n", 0o644)
	// Queries fail, and at once.
	put(t, m.state+"/upper/etc/resolv.conf", "nameserver 127.0.0.1\n", 0o644)
	for path, content := range files {
		put(t, m.state+"/upper"+path, content, 0o600)
	}
	group(t, name)
	const own = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC |
		syscall.CLONE_NEWNET
	m.first = hold(t, own, "/bin/bash", "testdata/node.sh", name, strings.Join(w.layers, ":"), m.state)
	if line, err := m.first.stdout.ReadString('\n'); line != "ready\n" {
		rest, _ := io.ReadAll(m.first.stdout)
		t.Fatalf("%s did not start: %v %s%s", name, err, line, rest)
	}
	port := fmt.Sprintf("node%d", number)
	w.ip(t, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(m.first.Process.Pid))
	w.ip(t, "link", "set", port, "master", bridge, "up")
	m.must(t, "ip link set lo up; ip address add "+m.address+"/24 dev eth0; ip link set eth0 up; ip route "+
		"add default via "+gateway)
	return m
}

// limit is how long a command on a machine may take: some times what it takes on a busy machine.
const limit = 5 * time.Minute

// run runs a shell command on the machine and returns its output.
func (m *machine) run(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	enter := exec.CommandContext(ctx, "nsenter", "--target", strconv.Itoa(m.first.Process.Pid),
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
