// Package cloudinit_test holds the cloud-init renderer against the real cloud-init: its schema check, and its boot stages in
// the roots of two generations of an operating system.
package cloudinit_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// suites are the roots: Debian 12 has cloud-init 22.4.2, Debian 13 has 25.1.4.
func suites() []string { return []string{"bookworm", "trixie"} }

// pristine returns the root of the suite, which nobody may write to.
func pristine(t *testing.T, suite string) string {
	t.Helper()
	out, err := exec.Command("../../../hack/roots.sh", suite).Output()
	if err != nil {
		t.Fatalf("hack/roots.sh %s: %v", suite, err)
	}
	return strings.TrimSpace(string(out))
}

// eachSuite runs the test in every root.
func eachSuite(t *testing.T, test func(t *testing.T, suite string)) {
	for _, suite := range suites() {
		t.Run(suite, func(t *testing.T) { test(t, suite) })
	}
}

// machine is a machine of its own: the changes to a pristine root.
type machine struct {
	suite, lower, state string
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

// stub says what it was called with, and can be made to fail by a file.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n[ ! -e /etc/fail-${0##*/} ]\n"

func newMachine(t *testing.T, suite string) *machine {
	t.Helper()
	m := &machine{suite: suite, lower: pristine(t, suite), state: t.TempDir()}
	if err := os.Chmod(m.state, 0o755); err != nil {
		t.Fatal(err)
	}
	m.put(t, "/etc/cloud/cloud.cfg.d/99-test.cfg", config, 0o644)
	m.put(t, "/var/lib/cloud/seed/nocloud/meta-data", "instance-id: i-test-1\nlocal-hostname: node-1\n", 0o644)
	for _, name := range []string{"kubeadm", "systemctl"} {
		m.put(t, "/usr/local/sbin/"+name, stub, 0o755)
	}
	return m
}

// path returns where a path of the machine that was changed stands.
func (m *machine) path(name string) string { return filepath.Join(m.state, "upper", name) }

// put writes a file into the machine while it is off. Directories are made as they are in the root.
func (m *machine) put(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// read returns a file that the machine has written.
func (m *machine) read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(m.path(name))
	if err != nil {
		t.Errorf("%v\n%s", err, m.logs())
	}
	return string(content)
}

func (m *machine) exists(name string) bool {
	_, err := os.Lstat(m.path(name))
	return !errors.Is(err, fs.ErrNotExist)
}

// boot boots the machine with the userdata.
func (m *machine) boot(t *testing.T, userdata []byte) {
	t.Helper()
	m.put(t, "/var/lib/cloud/seed/nocloud/user-data", string(userdata), 0o600)
	m.start(t)
}

// command runs a shell command in the machine and fails the test if it fails.
func (m *machine) command(t *testing.T, script string) { t.Helper(); m.start(t, script) }

func (m *machine) start(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("./boot.sh", append([]string{m.lower, m.state}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("boot.sh %q: %v\n%s\n%s", args, err, out, m.logs())
	}
}

// logs returns what the last boot had to say.
func (m *machine) logs() string {
	var all strings.Builder
	for _, name := range []string{"log", "upper/var/log/machineadm.log"} {
		content, _ := os.ReadFile(filepath.Join(m.state, name))
		all.WriteString("--- " + name + "\n" + string(content))
	}
	return all.String()
}

// errors returns what cloud-init itself counts as errors of the boot.
func (m *machine) errors(t *testing.T) []string {
	t.Helper()
	var result struct {
		V1 struct {
			Errors []string `json:"errors"`
		} `json:"v1"`
	}
	if err := json.Unmarshal([]byte(m.read(t, "/var/lib/cloud/data/result.json")), &result); err != nil {
		t.Fatalf("%v\n%s", err, m.logs())
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
	record := m.read(t, "/var/log/run/cluster-api/bootstrap-failure.json")
	if err := json.Unmarshal([]byte(record), &f); err != nil {
		t.Fatalf("%v: %s\n%s", err, record, m.logs())
	}
	return f
}

// sentinel reports whether the last boot told Cluster API that the bootstrap succeeded.
func (m *machine) sentinel() bool {
	return m.exists("/var/log/run/cluster-api/bootstrap-success.complete")
}

// calls returns how the stubs were called, by the program alone.
func (m *machine) calls(t *testing.T, name string) []string {
	t.Helper()
	var calls []string
	for line := range strings.Lines(m.read(t, "/var/log/calls")) {
		if strings.HasPrefix(line, name+" ") {
			calls = append(calls, strings.TrimSuffix(line, "\n"))
		}
	}
	return calls
}

// entry is what stat(2) tells of a file.
type entry struct {
	Mode     fs.FileMode
	UID, GID uint32
}

func (m *machine) stat(t *testing.T, name string) entry {
	t.Helper()
	info, err := os.Lstat(m.path(name))
	if err != nil {
		t.Errorf("%v\n%s", err, m.logs())
		return entry{}
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no stat")
	}
	return entry{Mode: info.Mode().Perm() | info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky), UID: sys.Uid, GID: sys.Gid}
}

// account returns the fields of the line of passwd, group or shadow that begins with the name.
func (m *machine) account(t *testing.T, file, name string) []string {
	t.Helper()
	for line := range strings.Lines(m.read(t, file)) {
		if strings.HasPrefix(line, name+":") {
			return strings.Split(strings.TrimSuffix(line, "\n"), ":")
		}
	}
	t.Fatalf("no %s in %s\n%s", name, file, m.logs())
	return nil
}
