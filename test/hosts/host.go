//go:build linux

package hosts

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// The users of a host. All accept the key of the host's Target.
const (
	Root = "root"
	// Operator may run sudo without a password.
	Operator = "operator"
	// Guest may not run sudo.
	Guest = "guest"
)

// ServerConfig is the configuration of the SSH server.
const ServerConfig = "HostKey /etc/ssh/test_key\nAuthorizedKeysFile /etc/ssh/keys/%u .ssh/authorized_keys\n" +
	"PasswordAuthentication no\nUsePAM no\nUseDNS no\nPidFile none\nLogLevel VERBOSE\nSubsystem sftp internal-sftp\n"

// ServerLog is the log of the SSH server.
const ServerLog = "/var/log/sshd.log"

// Options configures a host.
type Options struct {
	// Files are additional files of the host with mode 0755, by their paths.
	Files map[string]string
	// Disk is the size of all changes of the host in MiB; 0 means 96.
	Disk int
}

// Host is a host that runs.
type Host struct {
	Shell
	Name string
	// Address is its IP address; the SSH server has port 22.
	Address string
	// HostKey is the key of the SSH server in the form of authorized_keys.
	HostKey string
	// Key is the private key of its users.
	Key secret.Value

	network *Network
	state   string
	port    string
	// hardware is the hardware address, which survives a reboot: the other end remembers it.
	hardware string
	first    *process
}

// Start starts a host, which ends with the test.
func (n *Network) Start(t testing.TB, o Options) *Host {
	t.Helper()
	number := n.hosts.Add(1)
	h := &Host{
		Name: fmt.Sprintf("host-%d", number), Address: fmt.Sprintf("10.78.%d.%d", number/250+1, number%250+1),
		network: n, state: t.TempDir(), port: fmt.Sprintf("h%d", number),
		hardware: fmt.Sprintf("02:00:00:00:%02x:%02x", number/256, number%256),
	}
	h.Shell = h.shell
	if o.Disk == 0 {
		o.Disk = 96
	}
	// Tests read the files of the host as another user.
	if err := os.Chmod(filepath.Dir(h.state), 0o755); err != nil {
		t.Fatal(err)
	}
	debian.Mount(t, "tmpfs", h.state, "tmpfs", 0, fmt.Sprintf("mode=755,size=%dm", o.Disk))
	h.configure(t)
	for path, content := range o.Files {
		h.Put(t, path, content, 0o755)
	}
	h.boot(t)
	return h
}

// configure writes the keys, the users and the configuration of the SSH server.
func (h *Host) configure(t testing.TB) {
	t.Helper()
	h.newHostKey(t)
	public, private := NewKey(t)
	h.Key = secret.New(private)
	users, shadow := h.read(t, "/etc/passwd"), h.read(t, "/etc/shadow")
	for i, user := range []string{Root, Operator, Guest} {
		h.Put(t, "/etc/ssh/keys/"+user, public, 0o644)
		if user != Root {
			users += fmt.Sprintf("%s:x:%d:65534::/tmp:/bin/sh\n", user, 2000+i)
			shadow += user + ":*:19000:0:99999:7:::\n"
		}
	}
	h.Put(t, "/etc/passwd", users, 0o644)
	h.Put(t, "/etc/shadow", shadow, 0o600)
	h.Put(t, "/etc/sudoers.d/operator", Operator+" ALL=(ALL) NOPASSWD: ALL\n", 0o440)
	h.Put(t, "/etc/hosts", "127.0.0.1 localhost "+h.Name+"\n", 0o644)
	h.Put(t, "/etc/ssh/test_config", ServerConfig, 0o644)
}

// ReplaceHostKey restarts the host with a new key.
func (h *Host) ReplaceHostKey(t testing.TB) {
	t.Helper()
	h.Stop()
	h.newHostKey(t)
	h.boot(t)
}

func (h *Host) newHostKey(t testing.TB) {
	t.Helper()
	public, private := NewKey(t)
	h.HostKey = strings.TrimSpace(public)
	h.Put(t, "/etc/ssh/test_key", string(private), 0o600)
}

// NewKey returns a public key in the form of authorized_keys, and its private key in OpenSSH's format.
func NewKey(t testing.TB) (public string, private []byte) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(signer.PublicKey())), pem.EncodeToMemory(block)
}

// read returns a file of the shared root.
func (h *Host) read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.network.root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Put writes a file before a boot.
func (h *Host) Put(t testing.TB, path, content string, mode fs.FileMode) {
	t.Helper()
	path = filepath.Join(h.state, "upper", path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// boot starts the host and returns when its SSH server answers.
func (h *Host) boot(t testing.TB) {
	t.Helper()
	const namespaces = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC |
		syscall.CLONE_NEWNET
	h.first = start(t, namespaces, "/bin/bash", filepath.Join(programs.Root(), "test/hosts/init.sh"), h.Name,
		h.network.agent+":"+h.network.root, h.state)
	if line, err := h.first.stdout.ReadString('\n'); line != "ready\n" {
		rest, _ := io.ReadAll(h.first.stdout)
		t.Fatalf("%s does not start: %v %s%s", h.Name, err, line, rest)
	}
	// The kernel removes the port of an earlier boot some time after the last process.
	h.network.first.enter(t, "--net", "/bin/sh", "-c",
		"ip link delete $0 2>/dev/null || ! ip link show $0 >/dev/null 2>&1", h.port)
	h.network.ip(t, "link", "add", h.port, "type", "veth", "peer", "name", "eth0", "address", h.hardware, "netns",
		strconv.Itoa(h.first.Process.Pid))
	h.network.ip(t, "link", "set", h.port, "master", bridge, "up")
	for _, command := range [][]string{
		{"link", "set", "lo", "up"},
		{"address", "add", h.Address + "/16", "dev", "eth0"},
		{"link", "set", "eth0", "up"},
		{"route", "add", "default", "via", Gateway},
	} {
		h.first.enter(t, "--net", append([]string{"ip"}, command...)...)
	}
	h.network.await(t, net.JoinHostPort(h.Address, "22"))
}

// Stop ends all processes of the host at once, as a power failure does.
func (h *Host) Stop() { h.first.end() }

// Reboot ends all processes of the host, clears /run and /tmp, and returns when its SSH server answers.
func (h *Host) Reboot(t testing.TB) {
	t.Helper()
	h.Stop()
	h.boot(t)
}

// Disconnect drops all packets of the host, and Connect delivers them again.
func (h *Host) Disconnect(t testing.TB) {
	t.Helper()
	h.network.ip(t, "link", "set", h.port, "down")
}

// Connect ends Disconnect.
func (h *Host) Connect(t testing.TB) {
	t.Helper()
	h.network.ip(t, "link", "set", h.port, "up")
	h.network.await(t, net.JoinHostPort(h.Address, "22"))
}

// Target returns how drivers reach the host as root.
func (h *Host) Target() ports.HostTarget {
	return ports.HostTarget{Namespace: "default", Name: h.Name, Connection: &ports.HostConnection{
		Address: h.Address, Port: 22, User: Root, Key: h.Key, HostKeys: []string{h.HostKey},
	}}
}

// shell implements Shell.
func (h *Host) shell(t testing.TB, command string) string {
	t.Helper()
	out, err := h.run(t, "/bin/sh", "-c", command)
	if err != nil {
		t.Fatalf("%s on %s: %v\n%s", command, h.Name, err, out)
	}
	return out
}

func (h *Host) run(t testing.TB, argv ...string) (string, error) {
	// Cleanups run commands when the context of the test is over.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	defer cancel()
	enter := exec.CommandContext(ctx, "nsenter", append([]string{
		"--target", strconv.Itoa(h.first.Process.Pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--",
	}, argv...)...)
	enter.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"}
	var out bytes.Buffer
	enter.Stdout, enter.Stderr = &out, &out
	enter.WaitDelay = time.Second
	err := enter.Run()
	return out.String(), err
}

// Logins returns the number of connections that logged in, and of sessions that they started.
func (h *Host) Logins(t testing.TB) (connections, sessions int) {
	t.Helper()
	log := h.Run(t, "cat "+ServerLog)
	return strings.Count(log, "Accepted publickey"), strings.Count(log, "Starting session")
}

// Folders returns the folders of this machine that contain the files of the host that changed.
func (h *Host) Folders() []string {
	return []string{filepath.Join(h.state, "upper"), filepath.Join(h.state, "run"), filepath.Join(h.state, "tmp")}
}

// Visible returns what a user without privileges can read: the arguments and environments of processes, and files that
// changed since the host was created.
func (h *Host) Visible(t testing.TB) string {
	t.Helper()
	// find(1) fails for directories that the user cannot read.
	out, _ := h.run(t, "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/bin/sh", "-c",
		"cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ; "+
			"find /etc /home /root /run /tmp /var -type f -newer /etc/ssh/test_config -exec cat {} +")
	if !strings.Contains(out, "sshd") {
		t.Errorf("%s: the user cannot read the arguments of sshd", h.Name)
	}
	return out
}
