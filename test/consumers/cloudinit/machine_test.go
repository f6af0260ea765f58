// Package cloudinit_test holds the cloud-init renderer against the real cloud-init: its schema check, and its boot
// stages in the roots of two generations of an operating system.
package cloudinit_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
)

// The roots: Debian 12 has cloud-init 22.4.2, Debian 13 has 25.1.4.
const (
	bookworm = "bookworm"
	trixie   = "trixie"
)

// eachSuite runs the test in both roots in a nightly run, and in the given one otherwise.
func eachSuite(t *testing.T, suite string, test func(t *testing.T, suite string)) {
	t.Helper()
	for _, suite := range nightly.Or([]string{bookworm, trixie}, []string{suite}) {
		t.Run(suite, func(t *testing.T) { test(t, suite) })
	}
}

// machine is a machine of its own: the changes to a pristine root.
type machine struct {
	*debian.Machine
	suite string
}

// config keeps cloud-init from what would take long or reach outside of the namespaces.
const config = `datasource_list: [NoCloud, None]
network: {config: disabled}
locale: C.UTF-8
growpart: {mode: "off"}
resize_rootfs: false
ssh_genkeytypes: [ed25519]
ssh_deletekeys: false
`

// stub logs its arguments, and fails if there is a file with its name.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n[ ! -e /etc/fail-${0##*/} ]\n"

func newMachine(t *testing.T, suite string) *machine {
	t.Helper()
	m := &machine{Machine: debian.New(t, suite), suite: suite}
	m.Put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", config, 0o644)
	m.Put(t, "/var/lib/cloud/seed/nocloud/meta-data", "instance-id: i-test-1\nlocal-hostname: node-1\n", 0o644)
	for _, name := range []string{"kubeadm", "systemctl"} {
		m.Put(t, "/usr/local/sbin/"+name, stub, 0o755)
	}
	return m
}

// boot boots the machine with the userdata.
func (m *machine) boot(t *testing.T, userdata []byte) {
	t.Helper()
	m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(userdata), 0o600)
	m.start(t)
}

// command runs a shell command in the machine and fails the test if it fails.
func (m *machine) command(t *testing.T, script string) { t.Helper(); m.start(t, script) }

func (m *machine) start(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("./boot.sh", append([]string{m.Lower, m.State}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("boot.sh %q: %v\n%s\n%s", args, err, out, m.Log())
	}
}

// errors returns what cloud-init itself counts as errors of the boot.
func (m *machine) errors(t *testing.T) []string {
	t.Helper()
	var result struct {
		V1 struct {
			Errors []string `json:"errors"`
		} `json:"v1"`
	}
	if err := json.Unmarshal([]byte(m.Read(t, "/var/lib/cloud/data/result.json")), &result); err != nil {
		t.Fatalf("%v\n%s", err, m.Log())
	}
	return result.V1.Errors
}

// failure is the record of a failed bootstrap.
type failure struct {
	Phase    string `json:"phase"`
	Step     string `json:"step"`
	ExitCode int    `json:"exitCode"`
	Log      string `json:"log"`
}

func (m *machine) failure(t *testing.T) failure {
	t.Helper()
	var f failure
	record := m.Read(t, "/var/log/run/cluster-api/bootstrap-failure.json")
	if err := json.Unmarshal([]byte(record), &f); err != nil {
		t.Fatalf("%v: %s\n%s", err, record, m.Log())
	}
	return f
}

// sentinel reports whether the last boot wrote the success sentinel.
func (m *machine) sentinel() bool {
	return m.Exists("/var/log/run/cluster-api/bootstrap-success.complete")
}

// calls returns how the stubs were called, by the program alone.
func (m *machine) calls(t *testing.T, name string) []string {
	t.Helper()
	var calls []string
	for line := range strings.Lines(m.Read(t, "/var/log/calls")) {
		if strings.HasPrefix(line, name+" ") {
			calls = append(calls, strings.TrimSuffix(line, "\n"))
		}
	}
	return calls
}

// entry has the mode and the owner of a file.
type entry struct {
	Mode     fs.FileMode
	UID, GID uint32
}

func (m *machine) stat(t *testing.T, name string) entry {
	t.Helper()
	info, err := os.Lstat(m.Path(name))
	if err != nil {
		t.Errorf("%v\n%s", err, m.Log())
		return entry{}
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no stat")
	}
	return entry{
		Mode: info.Mode().Perm() | info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky),
		UID:  sys.Uid, GID: sys.Gid,
	}
}

// account returns the fields of the line of passwd, group or shadow that begins with the name.
func (m *machine) account(t *testing.T, file, name string) []string {
	t.Helper()
	for line := range strings.Lines(m.Read(t, file)) {
		if strings.HasPrefix(line, name+":") {
			return strings.Split(strings.TrimSuffix(line, "\n"), ":")
		}
	}
	t.Fatalf("no %s in %s\n%s", name, file, m.Log())
	return nil
}
