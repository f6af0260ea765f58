package agent_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// cloudConfig keeps cloud-init from what would take long or reach outside of the namespaces.
const cloudConfig = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
growpart: {mode: "off"}
resize_rootfs: false
ssh_genkeytypes: [ed25519]
ssh_deletekeys: false
`

// stub records its arguments.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

// stubUnit is a service of the image.
const stubUnit = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n"

const reportUnit = `[Unit]
After=cloud-final.service machineadm-bootstrap.service machineadm-resume.service
[Service]
Type=oneshot
ExecStart=/bin/sh /root/report.sh
`

// furnish gives the machine the agent, the services of a node's image, and the unit that ends the boot, wanted by the
// target.
func (m *machine) furnish(t *testing.T, agent, target string) {
	t.Helper()
	debian.Packages(t, "systemd-container")
	m.Install(t, "/usr/bin/machineadm", agent)
	m.Install(t, "/usr/bin/containerd", debian.Tool(t, "containerd"))
	m.Install(t, "/root/report.sh", "testdata/report.sh")
	m.Put(t, "/usr/local/sbin/kubeadm", stub, 0o755)
	units := "/etc/systemd/system/"
	for _, name := range []string{"kubelet", "containerd"} {
		m.Put(t, "/usr/lib/systemd/system/"+name+".service", stubUnit, 0o644)
	}
	m.Put(t, units+"machineadm-report.service", reportUnit, 0o644)
	// A container may not set the clock.
	m.Put(t, units+"chrony.service.d/10-test.conf",
		"[Unit]\nConditionCapability=\n[Service]\nType=exec\nExecStart=\nExecStart=/bin/sleep infinity\n", 0o644)
	m.MaskGenerators(t)
	// Nothing of the image starts by itself that the test does not want: it would wait for a network.
	m.Put(t, "/etc/systemd/system-preset/99-test.preset", "disable *\n", 0o644)
	m.Put(t, "/etc/machine-id", "uninitialized\n", 0o444)
	// The journal outlives the machine.
	m.Put(t, "/var/log/journal/keep", "", 0o644)
	m.Link(t, units+target+".wants/machineadm-report.service", units+"machineadm-report.service")
	m.Link(t, units+"systemd-networkd-wait-online.service", "/dev/null")
}

// byCloudInit returns a machine that its own cloud-init boots with the userdata; nothing else provisions it.
func byCloudInit(t *testing.T, agent, suite string, data []byte) (*machine, []string) {
	t.Helper()
	m := newMachine(t, suite)
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", cloudConfig, 0o644)
	m.Put(t, "/etc/cloud/ds-identify.cfg", "policy: enabled\n", 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data", "instance-id: i-test-1\nlocal-hostname: node-1\n", 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(data), 0o600)
	m.furnish(t, agent, "cloud-init.target")
	m.Link(t, "/etc/systemd/system/multi-user.target.wants/cloud-init.target", "/lib/systemd/system/cloud-init.target")
	return m, nil
}

// byIgnition returns a machine without cloud-init, and the arguments that have Ignition provision it.
func byIgnition(t *testing.T, agent, suite string, data []byte) (*machine, []string) {
	t.Helper()
	m := newMachine(t, suite)
	m.Put(t, "/etc/cloud/cloud-init.disabled", "", 0o644)
	m.Put(t, "/etc/hostname", "node-1\n", 0o644)
	m.furnish(t, agent, "multi-user.target")
	config := m.State + "/config.ign"
	if err := os.WriteFile(config, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return m, []string{"v3", debian.Tool(t, "ignition"), config}
}

func TestAgentBootsAMachine(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason, suite, distribution string
		provision                   func(t *testing.T, agent, suite string, data []byte) (*machine, []string)
	}{
		"cloud-init of 2022": {reason: "Debian 12", suite: "bookworm", distribution: "debian", provision: byCloudInit},
		"cloud-init of 2025": {reason: "Debian 13", suite: "trixie", distribution: "debian", provision: byCloudInit},
		"older Ignition": {
			reason: "systemd of 2022", suite: "bookworm", distribution: "fedora-coreos",
			provision: byIgnition,
		},
		"newer Ignition": {
			reason: "systemd of 2025", suite: "trixie", distribution: "fedora-coreos",
			provision: byIgnition,
		},
	}
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	for name, c := range nightly.Cases(t, cases, "cloud-init of 2022", "newer Ignition") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := userdata(t, terminal, c.distribution, "")
			m, provisioning := c.provision(t, agent, c.suite, data)
			m.Run(t, "../goldens/nspawn.sh", provisioning...)
			m.holdsAll(t)
			m.accepted(t)
			m.reportsItself(t)
			m.runsOnce(t)
			m.showsNoSecret(t, canary.SecretsIn(string(data))...)
		})
	}
}

// holdsAll compares the tree with the manifests.
func (m *machine) holdsAll(t *testing.T) {
	t.Helper()
	if !m.Exists("/var/log/report/cluster-api/bootstrap-success.complete") {
		t.Fatalf("no sentinel\n%s", m.Log())
	}
	files := map[string]struct {
		content  string
		mode     fs.FileMode
		uid, gid uint32
	}{
		"/srv/app/licence": {"key: " + canary.Mark + "\n", 0o600, 4712, 4711},
		"/etc/app/name":    {"it's node-1\n", 0o644, 0, 0},
		"/etc/sysctl.d/90-machineadm.conf": {"kernel.panic = 10\nnet.ipv4.ip_forward = " +
			"1\nvm.max_map_count = 262144\n", 0o644, 0, 0},
		"/var/log/phases": {"boot\npre\npost\n", 0o644, 0, 0},
		"/etc/systemd/system/app.service.d/10-more.conf": {"[Service]\nEnvironment=MORE=yes\n", 0o644, 0, 0},
	}
	for path, want := range files {
		if diff := cmp.Diff(want.content, m.Read(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		info, err := os.Stat(m.Path(path))
		if err != nil {
			t.Error(err)
			continue
		}
		owner, ok := info.Sys().(*syscall.Stat_t)
		if !ok || info.Mode().Perm() != want.mode || owner.Uid != want.uid || owner.Gid != want.gid {
			t.Errorf("%s: %v of %d:%d", path, info.Mode(), owner.Uid, owner.Gid)
		}
	}
	if hosts := m.Read(t, "/etc/hosts"); !strings.HasSuffix(hosts, "10.0.0.1 one\n10.0.0.2 two\n") ||
		strings.Count(hosts, "10.0.0.1 one") != 1 {
		t.Errorf("/etc/hosts: %s", hosts)
	}
	if target, _ := os.Readlink(m.Path("/etc/systemd/system/rpcbind.service")); target != "/dev/null" {
		t.Errorf("rpcbind.service is not masked: %q", target)
	}
	if keys := m.Read(t, "/home/admin/.ssh/authorized_keys"+m.fragment()); !strings.Contains(keys,
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG1hY2hpbmVhZG0tZXhhbXBsZS1rZXktMDAwMDAwMDAw admin") {
		t.Errorf("the keys of admin: %q", keys)
	}
	for _, secret := range []string{"/etc/machineadm/machineadm_config.yaml", "/etc/machineadm/kubeadm.yaml"} {
		if m.Exists(secret) {
			t.Errorf("%s is still there", secret)
		}
	}
}

// fragment is where Ignition puts keys: a file of the directory.
func (m *machine) fragment() string {
	if m.Exists("/home/admin/.ssh/authorized_keys.d/ignition") {
		return ".d/ignition"
	}
	return ""
}

// accepted holds that the programs that were configured take what was written for them.
func (m *machine) accepted(t *testing.T) {
	t.Helper()
	wants := map[string]struct{ reason, has string }{
		"sudo":       {"the rules of both users are rules", "parsed OK"},
		"chrony":     {"chronyd names the servers that it reads", "server ntp1.example"},
		"containerd": {"containerd shows where registries are configured", "/etc/containerd/certs.d"},
		"user":       {"the user has its groups", "uid=4712(app) gid=4711(fixed)"},
		"active":     {"what is enabled runs", "active\nactive\nactive\n"},
	}
	for name, want := range wants {
		if got := m.Read(t, "/var/log/report/"+name); !strings.Contains(got, want.has) || strings.Contains(got, "exit code") {
			t.Errorf("%s: %s: %s", name, want.reason, got)
		}
	}
	for _, silent := range []string{"unit", "login"} {
		if got := m.Read(t, "/var/log/report/"+silent); got != "" {
			t.Errorf("%s: %s", silent, got)
		}
	}
}

// reportsItself checks the agent's answers to status and facts after the boot.
func (m *machine) reportsItself(t *testing.T) {
	t.Helper()
	for _, name := range []string{"again", "same"} {
		if got := m.Read(t, "/var/log/report/"+name); !strings.Contains(got, "this machine is complete; nothing was done") ||
			strings.Contains(got, "exit code") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := m.Read(t, "/var/log/report/diff"); got != "" {
		t.Errorf("the machine differs from its configuration:\n%s", got)
	}
	var status struct {
		State string
		Steps []struct{ Phase, Outcome string }
	}
	if err := json.Unmarshal([]byte(m.Read(t, "/var/log/report/status")), &status); err != nil ||
		status.State != "Succeeded" || len(status.Steps) < 20 {
		t.Errorf("the status: %v, %+v", err, status)
	}
}

// runsOnce boots the machine again: nothing runs but the commands of each boot, and the sentinel is there all the same.
func (m *machine) runsOnce(t *testing.T) {
	t.Helper()
	before := m.Read(t, "/var/lib/machineadm/journal.jsonl")
	m.Run(t, "../goldens/nspawn.sh")
	if !m.Exists("/var/log/report/cluster-api/bootstrap-success.complete") ||
		m.Exists("/var/log/report/cluster-api/bootstrap-failure.json") {
		t.Errorf("second boot: no sentinel\n%s", m.Log())
	}
	if diff := cmp.Diff(before, m.Read(t, "/var/lib/machineadm/journal.jsonl")); diff != "" {
		t.Errorf("the second boot changed something:\n%s", diff)
	}
	if diff := cmp.Diff("boot\npre\npost\nboot\n", m.Read(t, "/var/log/phases")); diff != "" {
		t.Error(diff)
	}
	if calls := m.Read(t, "/var/log/calls"); strings.Count(calls, "kubeadm ") != 1 {
		t.Errorf("kubeadm was called again: %s", calls)
	}
}

// leaky is a kubeadm that prints a token, and fails.
const leaky = stub + "echo token=" + canary.Token + "\nexit 3\n"

// record is the record of a failure. The bootstrap program's own has no action.
type record struct {
	Phase, Step, Action, Cause, Log string
	ExitCode                        int
}

// failed returns the record that the last boot left, which nothing else may contradict.
func (m *machine) failed(t *testing.T) record {
	t.Helper()
	var r record
	text := m.Read(t, "/var/log/report/cluster-api/bootstrap-failure.json")
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s\n%s", err, text, m.Log())
	}
	if m.Exists("/var/log/report/cluster-api/bootstrap-success.complete") ||
		text != m.Read(t, "/var/lib/machineadm/failure.json") {
		t.Errorf("there is a sentinel, or another record\n%s", m.Log())
	}
	return r
}

// copier replaces curl on a machine without a network: it copies the file of a file URL.
const copier = "#!/bin/sh\nfor last; do :; done\nwhile [ \"$1\" != -o ]; do shift; done\ncp " +
	"\"${last#file://}\" \"$2\"\n"

// fetching makes the machine one whose agent is somewhere else.
func (m *machine) fetching(t *testing.T) {
	t.Helper()
	m.Put(t, "/usr/local/sbin/curl", copier, 0o755)
	if err := os.MkdirAll(m.Path("/srv/mirror/v0.1.0"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(m.Path("/usr/bin/machineadm"), m.Path("/srv/mirror/v0.1.0/machineadm-amd64")); err != nil {
		t.Fatal(err)
	}
}

// fetched is the delivery of an agent that is fetched and has the digest.
func fetched(digest string) string {
	return `{mode: Agent, agent: {source: Fetch, fetch: {url: "file:///srv/mirror/{version}/machineadm-{arch}", ` +
		`version: v0.1.0, sha256: "` + digest + `"}}}`
}

func TestAgentIsFetched(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	program, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(program)
	data := userdata(t, terminal, "debian", fetched(hex.EncodeToString(digest[:])))
	m, _ := byCloudInit(t, agent, "trixie", data)
	m.fetching(t)
	m.Run(t, "../goldens/nspawn.sh")
	m.holdsAll(t)
	m.reportsItself(t)
	m.showsNoSecret(t, canary.SecretsIn(string(data))...)
	if got := m.Read(t, "/usr/local/bin/machineadm"); got != string(program) {
		t.Errorf("another agent of %d bytes was started", len(got))
	}
}

func TestFailuresAreRecordedOnce(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	cases := map[string]struct {
		reason, delivery string
		breaks           func(t *testing.T, m *machine)
		want             record
		log              string
	}{
		"another agent": {
			reason: "what has another digest is not started", delivery: fetched(strings.Repeat("0", 64)),
			breaks: func(t *testing.T, m *machine) { t.Helper(); m.fetching(t) },
			want:   record{Phase: "file", Step: "spec.delivery", ExitCode: 1}, log: "wrong digest",
		},
		"kubeadm": {
			reason: "the agent's record is more detailed than the program's",
			breaks: func(t *testing.T, m *machine) { t.Helper(); m.Put(t, "/usr/local/sbin/kubeadm", leaky, 0o755) },
			want: record{
				Phase: "join", Step: "documents[17].spec", Action: "run kubeadm join", ExitCode: 3,
				Cause: "kubeadm join: exit code 3: token=abcdef.[redacted]", Log: "token=abcdef.[redacted]\n",
			},
		},
		"no agent": {
			reason: "the program records what the agent cannot",
			breaks: func(t *testing.T, m *machine) {
				t.Helper()
				if err := os.Remove(m.Path("/usr/bin/machineadm")); err != nil {
					t.Fatal(err)
				}
			},
			want: record{Phase: "join", Step: "spec.delivery", ExitCode: 127}, log: "/usr/bin/machineadm: not found",
		},
	}
	for name, c := range nightly.Cases(t, cases, "kubeadm") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := byCloudInit(t, agent, "trixie", userdata(t, terminal, "debian", c.delivery))
			c.breaks(t, m)
			m.Run(t, "../goldens/nspawn.sh")
			got := m.failed(t)
			if c.log != "" && strings.Contains(got.Log, c.log) {
				got.Log = ""
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			m.showsNoSecret(t)
			m.Put(t, "/usr/local/sbin/kubeadm", stub+"exit 0\n", 0o755)
			m.Run(t, "../goldens/nspawn.sh")
			if again := m.failed(t); again.Phase != c.want.Phase || again.ExitCode != c.want.ExitCode {
				t.Errorf("the next boot reports %+v", again)
			}
		})
	}
}
