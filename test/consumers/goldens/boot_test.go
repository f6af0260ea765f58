package goldens_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/scenarios"
)

// reportUnit keeps what /run has and powers the machine off, when the bootstrap is over.
const reportUnit = `[Unit]
After=cloud-final.service machineadm-bootstrap.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'mkdir -p /var/log/run; cp -r /run/cluster-api /var/log/run/; systemctl --force --force poweroff'
`

// stubUnit is a service of the image.
const stubUnit = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"

// furnish gives the machine the services of a node's image, and the unit that ends the boot, wanted by the target.
func (m *machine) furnish(t *testing.T, target string) {
	t.Helper()
	debian.Packages(t, "systemd-container")
	units := "/etc/systemd/system/"
	for _, name := range []string{"kubelet", "containerd", "crio"} {
		m.Put(t, "/usr/lib/systemd/system/"+name+".service", stubUnit, 0o644)
	}
	m.Put(t, "/usr/bin/crio", stub, 0o755)
	m.Put(t, units+"machineadm-report.service", reportUnit, 0o644)
	m.MaskGenerators(t)
	// Nothing of the image starts by itself that the test does not want: it would wait for a network.
	m.Put(t, "/etc/systemd/system-preset/99-test.preset", "disable *\n", 0o644)
	m.Put(t, "/etc/machine-id", "uninitialized\n", 0o444)
	// The journal outlives the machine.
	m.Put(t, "/var/log/journal/keep", "", 0o644)
	m.link(t, units+target+".wants/machineadm-report.service", units+"machineadm-report.service")
	m.link(t, units+"systemd-networkd-wait-online.service", "/dev/null")
}

func (m *machine) link(t *testing.T, at, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.Path(at)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, m.Path(at)); err != nil {
		t.Fatal(err)
	}
}

// bootTwice boots the machine, and again: the second time nothing runs, and the sentinel is there all the same.
func (m *machine) bootTwice(t *testing.T, provisioning ...string) {
	t.Helper()
	m.Run(t, "./nspawn.sh", provisioning...)
	if !m.Exists(sentinel) || !m.joined(t) {
		t.Fatalf("first boot: no sentinel, or kubeadm did not run once\n%s", m.Log())
	}
	if err := os.RemoveAll(m.Path("/var/log/run")); err != nil {
		t.Fatal(err)
	}
	m.Run(t, "./nspawn.sh")
	if !m.Exists(sentinel) || !m.joined(t) {
		t.Fatalf("second boot: no sentinel, or kubeadm ran again\n%s", m.Log())
	}
}

// worker returns the cloud-config of a scenario.
func worker(t *testing.T, scenario string) []byte {
	t.Helper()
	return scenarios.One(t, "cloud-init", scenario, "ubuntu-24.04").Data
}

// bootableCloud returns a machine that its own cloud-init boots.
func bootableCloud(t *testing.T, suite, scenario string) *machine {
	t.Helper()
	return cloudImage(t, suite, worker(t, scenario))
}

// cloudImage returns a machine that its own cloud-init boots with the userdata.
func cloudImage(t *testing.T, suite string, userdata []byte) *machine {
	t.Helper()
	m := newCloud(t, suite, userdata)
	m.Put(t, "/etc/cloud/ds-identify.cfg", "policy: enabled\n", 0o644)
	m.furnish(t, "cloud-init.target")
	m.link(t, "/etc/systemd/system/multi-user.target.wants/cloud-init.target", "/lib/systemd/system/cloud-init.target")
	return m
}

func TestCloudInitWorkerBoots(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ reason, suite, scenario, dropIn string }{
		"bookworm": {reason: "the older generation", suite: "bookworm", scenario: "customised"},
		"trixie":   {reason: "the newer generation", suite: "trixie", scenario: "customised"},
		"secrets":  {reason: "all secrets that a machine can have", suite: "trixie", scenario: "secrets"},
		"late": {
			reason: "kubelet waits for the unit that runs the program", suite: "trixie", scenario: "customised",
			dropIn: "[Unit]\nAfter=cloud-final.service\n",
		},
	}
	for name, tc := range nightly.Cases(t, cases, "bookworm", "secrets", "late") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := bootableCloud(t, tc.suite, tc.scenario)
			m.Put(t, "/etc/systemd/system/kubelet.service.d/50-order.conf", tc.dropIn, 0o644)
			m.bootTwice(t)
			m.showsNoSecret(t, canary.SecretsIn(string(worker(t, tc.scenario)))...)
		})
	}
}

// leaky is a kubeadm that prints a token and a password, has the password in its environment, and fails.
const leaky = spy + "echo token=" + canary.Token + "\nexport PASSWORD=" + canary.Mark +
	"\n/usr/local/sbin/spy\necho $PASSWORD >/dev/console\nexit 1\n"

// TestBootsAreSearched boots a machine whose kubeadm shows secrets, and holds that each place is seen. The token alone
// is redacted in what the program itself passes on.
func TestBootsAreSearched(t *testing.T) {
	t.Parallel()
	m := bootableCloud(t, "trixie", "customised")
	m.Put(t, "/usr/local/sbin/kubeadm", leaky, 0o755)
	m.Put(t, "/usr/local/sbin/spy", spy, 0o755)
	m.Run(t, "./nspawn.sh")
	seen := strings.Join(m.sayings(t), "\n")
	for _, place := range []string{"/log/machineadm.log", "/log/processes", m.State + "/log"} {
		if !strings.Contains(seen, place+" shows a secret") {
			t.Errorf("%s: not seen in\n%s", place, seen)
		}
	}
	for _, place := range []string{"cloud-init-output.log", "journal", "the record"} {
		if strings.Contains(seen, place) {
			t.Errorf("%s shows the token:\n%s", place, seen)
		}
	}
	if record := m.Read(t, "/var/lib/machineadm/failure.json"); !strings.Contains(record, "token=[redacted]") {
		t.Errorf("the record has no log: %s", record)
	}
}

func TestIgnitionWorkerBoots(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ reason, format, scenario, system, engine, kind string }{
		"3.6": {"the newest specification", "ignition", "fedora-coreos", "fedora-coreos", "ignition", "v3"},
		"2.3": {"old Flatcar", "ignition-v2", "customised", "flatcar-3033.2.4", "ignition-flatcar", "v2"},
		"3.3": {"all secrets that a machine can have", "ignition", "secrets", "flatcar-3374.2.5", "ignition", "v3"},
	}
	for name, tc := range nightly.Cases(t, cases, "3.6", "2.3") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, "bookworm", "systemd-sysext")
			m.Put(t, "/etc/cloud/cloud-init.disabled", "", 0o644)
			m.furnish(t, "multi-user.target")
			golden := scenarios.One(t, tc.format, tc.scenario, tc.system).Data
			m.bootTwice(t, tc.kind, debian.Tool(t, tc.engine), save(t, bootable(t, golden)))
			m.showsNoSecret(t, secretsOfIgnition(t, bootable(t, golden))...)
		})
	}
}
