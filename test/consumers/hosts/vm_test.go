//go:build e2e

package hosts_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// The units of the virtual machine: the SSH server and its network.
const (
	serverUnit = "[Service]\nRuntimeDirectory=sshd\nExecStart=/usr/sbin/sshd -D -f /etc/ssh/test_config\n" +
		"[Install]\nWantedBy=multi-user.target\n"
	networkUnit = "[Match]\nName=eth0\n[Network]\nDHCP=ipv4\nIPv6AcceptRA=no\n"
)

// bootTime is how long an emulated machine may take to boot.
const bootTime = 10 * time.Minute

// virtualHost is a host with its own kernel and systemd.
type virtualHost struct {
	world
	machine *vm.Machine
	ended   <-chan struct{}
	cut     func()
}

// newVirtualHost returns a virtual machine with an SSH server that has booted.
func newVirtualHost(t *testing.T) *virtualHost {
	t.Helper()
	v := &virtualHost{machine: vm.New(t)}
	public, private := hosts.NewKey(t)
	hostPublic, hostPrivate := hosts.NewKey(t)
	for path, content := range map[string]string{
		"/etc/ssh/keys/root": public, "/etc/ssh/test_config": hosts.ServerConfig,
		"/etc/systemd/system/test-sshd.service":     serverUnit,
		"/etc/systemd/network/10-eth0.network":      networkUnit,
		"/etc/systemd/system-preset/99-test.preset": "enable systemd-networkd.service\ndisable *\n",
		"/etc/hostname":                  "virtual\n",
		"/etc/machine-id":                "0123456789abcdef0123456789abcdef\n",
		"/etc/cloud/cloud-init.disabled": "",
		"/etc/sysusers.d/sshd.conf":      "u sshd - - /run/sshd\n",
	} {
		v.machine.Put(t, path, content, 0o644)
	}
	v.machine.Put(t, "/etc/ssh/test_key", string(hostPrivate), 0o600)
	wanted := "/etc/systemd/system/multi-user.target.wants/"
	v.machine.Link(t, wanted+"test-sshd.service", "/etc/systemd/system/test-sshd.service")
	v.machine.Link(t, wanted+"systemd-networkd.service", "/usr/lib/systemd/system/systemd-networkd.service")
	v.machine.Link(t, "/etc/systemd/system/serial-getty@ttyS0.service", "/dev/null")
	v.installServer(t)
	v.target = ports.HostTarget{Namespace: "default", Name: "virtual", Connection: &ports.HostConnection{
		Address: "127.0.0.1", Port: v.machine.Expose(t, 22), User: hosts.Root, Key: secret.New(private),
		HostKeys: []string{strings.TrimSpace(hostPublic)},
	}}
	networks, err := egress.ParseNetworks([]string{"127.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	v.Driver = ssh.New(ssh.Options{Networks: networks})
	t.Cleanup(v.Driver.Close)
	v.boot(t)
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

// boot starts the machine and returns when the driver reaches it.
func (v *virtualHost) boot(t *testing.T) {
	t.Helper()
	v.ended, v.cut = v.machine.Start(t)
	for deadline := time.Now().Add(bootTime); ; time.Sleep(time.Second) {
		_, err := v.Observe(t.Context(), v.target, claimID)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the machine does not answer: %v\n%s", err, v.machine.Console())
		}
	}
}

// command runs a command on the machine and returns its output.
func (v *virtualHost) command(t *testing.T, text string) string {
	t.Helper()
	signer, err := xssh.ParsePrivateKey(v.target.Connection.Key.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	client, err := xssh.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(v.target.Connection.Port)),
		&xssh.ClientConfig{
			User: hosts.Root, Auth: []xssh.AuthMethod{xssh.PublicKeys(signer)},
			HostKeyCallback: xssh.InsecureIgnoreHostKey(), Timeout: time.Minute,
		})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	output, err := session.CombinedOutput(text)
	// A machine that shuts down ends its sessions.
	var missing *xssh.ExitMissingError
	if err != nil && !errors.As(err, &missing) {
		t.Fatalf("%s: %v\n%s", text, err, output)
	}
	return string(output)
}

// starts claims the machine and starts the script.
func (v *virtualHost) starts(t *testing.T) {
	t.Helper()
	if err := v.Claim(t.Context(), v.target, claimID); err != nil {
		t.Fatal(err)
	}
	if err := v.Boot(t.Context(), v.target, claimID, hosts.Script()); err != nil {
		t.Fatal(err)
	}
	v.reaches(t, host.PhaseRunning)
	v.command(t, "until [ -e /var/lib/runs ]; do sleep 0.1; done; systemctl is-active machineadm-host-"+claimID+
		"-run.service")
}

// TestVirtualHost runs machines on a host with systemd, which starts the run and the reset as units: a power cut during
// the run, a full disk, and a reboot after the run.
func TestVirtualHost(t *testing.T) {
	v := newVirtualHost(t)
	v.starts(t)
	v.cut()
	v.boot(t)
	v.reaches(t, host.PhaseInterrupted)
	if err := v.Boot(t.Context(), v.target, claimID, hosts.Script()); err != nil {
		t.Fatal(err)
	}
	v.reaches(t, host.PhaseInterrupted)
	v.releases(t)

	v.command(t, "dd if=/dev/zero of=/var/full bs=1M || true")
	var failed *ports.HostError
	if err := v.Claim(t.Context(), v.target, claimID); !errors.As(err, &failed) || failed.Fault != host.FaultDiskFull {
		t.Errorf("error %v, want the fault %s", err, host.FaultDiskFull)
	}
	v.command(t, "rm -f /var/full /var/lib/runs")

	v.starts(t)
	v.command(t, "touch /var/tmp/finish")
	v.reaches(t, host.PhaseSucceeded)
	v.command(t, "systemctl reboot")
	<-v.ended
	v.boot(t)
	v.reaches(t, host.PhaseSucceeded)
	if runs := v.command(t, "cat /var/lib/runs"); runs != "started\n" {
		t.Errorf("the data was started as %q", runs)
	}
	canary.Check(t, "the journal", v.command(t, "journalctl --no-pager"))
	v.releases(t)
}
