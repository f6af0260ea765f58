//go:build e2e

package hosts_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	xssh "golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/programs"
	"github.com/machineadm/machineadm/test/vm"
)

// The units of the virtual machine: the SSH server of the driver, which restartServer restarts, that of the test, and
// the network.
const (
	serverUnit = "[Unit]\nStartLimitIntervalSec=0\n[Service]\nRuntimeDirectory=sshd\nRuntimeDirectoryPreserve=yes\n" +
		"ExecStart=/usr/sbin/sshd -D -f /etc/ssh/test_config\n[Install]\nWantedBy=multi-user.target\n"
	restartServer = "systemctl restart test-sshd; until ss -ltn | grep -q ':22 '; do sleep 0.1; done"
	networkUnit   = "[Match]\nName=eth0\n[Network]\nDHCP=ipv4\nIPv6AcceptRA=no\n"
)

// bootTime is how long an emulated machine may take to boot.
const bootTime = 10 * time.Minute

// virtualHost is a host with its own kernel and systemd. It has two SSH servers: the driver uses one, and the test uses
// the other one, which no fault affects.
type virtualHost struct {
	hosts.Shell
	// t ends the machine.
	t       *testing.T
	machine *vm.Machine
	target  ports.HostTarget
	key     xssh.Signer
	port    int
	client  *xssh.Client
	ended   <-chan struct{}
	cut     func()
}

// newVirtualHost returns a virtual machine that has booted.
func newVirtualHost(t *testing.T) *virtualHost {
	t.Helper()
	v := &virtualHost{t: t, machine: vm.New(t)}
	v.Shell = v.shell
	public, private := hosts.NewKey(t)
	hostPublic, hostPrivate := hosts.NewKey(t)
	var err error
	if v.key, err = xssh.ParsePrivateKey(private); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{
		"/etc/ssh/keys/root": public, "/etc/ssh/keys/guest": public, "/etc/ssh/admin_keys": public,
		"/etc/ssh/test_config": hosts.ServerConfig, "/etc/ssh/test_key.pub": hostPublic,
		"/etc/ssh/admin_config": strings.Replace(hosts.ServerConfig, "keys/%u", "admin_keys",
			1) + "Port 23\n",
		"/etc/systemd/system/test-sshd.service":     serverUnit,
		"/etc/systemd/system/admin-sshd.service":    strings.ReplaceAll(serverUnit, "test_config", "admin_config"),
		"/etc/systemd/network/10-eth0.network":      networkUnit,
		"/etc/systemd/system-preset/99-test.preset": "enable systemd-networkd.service\ndisable *\n",
		"/etc/hostname":                  "virtual\n",
		"/etc/machine-id":                "0123456789abcdef0123456789abcdef\n",
		"/etc/cloud/cloud-init.disabled": "",
		"/etc/sysusers.d/sshd.conf":      "u sshd - - /run/sshd\nu guest 2002 - /tmp /bin/sh\n",
	} {
		v.machine.Put(t, path, content, 0o644)
	}
	v.machine.Put(t, "/etc/ssh/test_key", string(hostPrivate), 0o600)
	wanted := "/etc/systemd/system/multi-user.target.wants/"
	for _, name := range []string{"test-sshd.service", "admin-sshd.service"} {
		v.machine.Link(t, wanted+name, "/etc/systemd/system/"+name)
	}
	v.machine.Link(t, wanted+"systemd-networkd.service", "/usr/lib/systemd/system/systemd-networkd.service")
	v.machine.Link(t, "/etc/systemd/system/serial-getty@ttyS0.service", "/dev/null")
	v.installServer(t)
	v.port = v.machine.Expose(t, 23)
	v.target = ports.HostTarget{Namespace: "default", Name: "virtual", Connection: &ports.HostConnection{
		Address: "127.0.0.1", Port: v.machine.Expose(t, 22), User: hosts.Root, Key: secret.New(private),
		HostKeys: []string{strings.TrimSpace(hostPublic)},
	}}
	v.boot(t)
	// What the faults change is restored from here. The disk is almost full, so that filling it is fast.
	// sshd refuses users whose password is locked.
	v.Run(t, "usermod -p '*' guest; mkdir /saved && cp -a /etc/passwd /etc/ssh/test_key /etc/ssh/keys "+
		"/usr/bin/flock /saved; "+
		"fallocate -l $(($(df -Pk /var | tail -n1 | tr -s ' ' | cut -d' ' -f4) - 400000))K /var/ballast")
	return v
}

// installServer copies the SSH server of the root of the same release, with the libraries that the machine lacks, and
// the agent.
func (v *virtualHost) installServer(t *testing.T) {
	t.Helper()
	agent, err := programs.Build(t.Context(), "machineadm")
	if err != nil {
		t.Fatal(err)
	}
	v.machine.Install(t, "/usr/bin/machineadm", agent)
	root := debian.Root(t, "bookworm")
	v.machine.Install(t, "/usr/sbin/sshd", filepath.Join(root, "usr/sbin/sshd"))
	for _, word := range strings.Fields(debian.Output(t, "chroot", root, "ldd", "/usr/sbin/sshd")) {
		_, err := os.Stat(filepath.Join(v.machine.Lower, word))
		if strings.HasPrefix(word, "/") && errors.Is(err, os.ErrNotExist) {
			v.machine.Install(t, filepath.Join("/usr", strings.TrimPrefix(word, "/usr")), filepath.Join(root, word))
		}
	}
}

// boot starts the machine and returns when both SSH servers answer.
func (v *virtualHost) boot(t testing.TB) {
	t.Helper()
	v.ended, v.cut = v.machine.Start(v.t)
	v.connect(t)
	v.Run(t, restartServer)
}

// connect logs in as the test.
func (v *virtualHost) connect(t testing.TB) {
	t.Helper()
	config := &xssh.ClientConfig{
		User: hosts.Root, Auth: []xssh.AuthMethod{xssh.PublicKeys(v.key)},
		HostKeyCallback: xssh.InsecureIgnoreHostKey(), Timeout: 20 * time.Second,
	}
	for deadline := time.Now().Add(bootTime); ; time.Sleep(time.Second) {
		var err error
		v.client, err = xssh.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(v.port)), config)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the machine does not answer: %v\n%s", err, v.machine.Console())
		}
	}
}

// shell implements hosts.Shell.
func (v *virtualHost) shell(t testing.TB, command string) string {
	t.Helper()
	session, err := v.client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	output, err := session.CombinedOutput(command)
	// A machine that shuts down ends its sessions.
	var missing *xssh.ExitMissingError
	if err != nil && !errors.As(err, &missing) {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
	return string(output)
}

// Reboot shuts the machine down and starts it.
func (v *virtualHost) Reboot(t testing.TB) {
	t.Helper()
	v.Run(t, "systemctl reboot")
	<-v.ended
	v.boot(t)
}

// Disconnect stops the emulator. It accepts connections, and never answers.
func (v *virtualHost) Disconnect(t testing.TB) { v.signal(t, syscall.SIGSTOP) }

// signal sends a signal to the emulator.
func (v *virtualHost) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		arguments, _ := os.ReadFile(folder + "/cmdline")
		if !bytes.HasPrefix(arguments, []byte("qemu-system")) || !bytes.Contains(arguments, []byte(v.machine.State)) {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(folder))
		if err := syscall.Kill(id, s); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("there is no emulator")
}

// ReplaceHostKey restarts the SSH server of the driver with another key.
func (v *virtualHost) ReplaceHostKey(t testing.TB) {
	t.Helper()
	_, private := hosts.NewKey(t)
	v.Run(t, "cat >/etc/ssh/test_key <<'END'\n"+string(private)+"END\n"+restartServer)
}

// wipe restores a host that no machine uses.
func (v *virtualHost) wipe(t testing.TB) {
	t.Helper()
	v.signal(t, syscall.SIGCONT)
	v.Run(t, `systemctl stop 'machineadm-host-*'
systemctl reset-failed
pkill -KILL -x kubelet
cd /var/lib && rm -rf machineadm-hosts machineadm runs corrupted /var/full* /var/tmp/finish /run/cluster-api \
  /etc/kubernetes /usr/local/sbin/cat /usr/bin/kubelet /bin/loud /etc/systemd/system/machineadm-resume.service
cp -a /saved/passwd /etc/
cp -a /saved/test_key /saved/keys /etc/ssh/
cp -a /saved/flock /usr/bin/
`+restartServer)
}

// world returns the machine, which no other machine of Cluster API uses, with a driver.
func (v *virtualHost) world(t *testing.T) *world {
	t.Helper()
	networks, err := egress.ParseNetworks([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	target, connection := v.target, *v.target.Connection
	target.Connection = &connection
	w := &world{Shell: v.Shell, machine: v, target: target, options: ssh.Options{Networks: networks}}
	w.listen = func(t *testing.T) (net.Listener, string) {
		t.Helper()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		return listener, "127.0.0.1"
	}
	w.restart(t)
	t.Cleanup(func() { v.wipe(t) })
	return w
}

// TestVirtualHost runs machines on a host with systemd, which starts the run and the reset as units: the rows of the
// fault table, a power cut during the run, and a reboot after it.
func TestVirtualHost(t *testing.T) {
	v := newVirtualHost(t)
	t.Run("power cut", func(t *testing.T) { v.losesPower(t) })
	t.Run("table", func(t *testing.T) { runTable(t, v.world) })
	canary.Check(t, "the journal", v.Run(t, "journalctl --no-pager"))
}

// losesPower cuts the power during the run: nothing is started again, and the host serves another machine.
func (v *virtualHost) losesPower(t *testing.T) {
	t.Helper()
	w := v.world(t)
	w.started(t)
	v.Run(t, "systemctl is-active machineadm-host-"+claimID+"-run.service")
	v.cut()
	v.boot(t)
	w.reaches(t, host.PhaseInterrupted)
	w.boots(t)
	w.reaches(t, host.PhaseInterrupted)
	w.releases(t)
	// The record of the first run may not have reached the disk.
	if runs := w.Runs(t); runs > 1 {
		t.Errorf("the data was started %d times", runs)
	}
}
