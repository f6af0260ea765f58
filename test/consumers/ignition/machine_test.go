// Package ignition_test holds the renderers of the Ignition family against the real engines: they provision a root, the
// program that they wrote runs in it, and the tree is compared with the plan.
package ignition_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/localuser"
)

// engine is a program that provisions a machine.
type engine struct {
	// tool is its name for hack/tool.sh; kind is v3 or v2.
	tool, kind string
}

var (
	newest = engine{tool: "ignition", kind: "v3"}
	// distribution reads specifications up to 3.3.
	distribution = engine{tool: "ignition-old", kind: "v3"}
	oldFlatcar   = engine{tool: "ignition-flatcar", kind: "v2"}
)

// machine is a machine of its own: the changes to a pristine root.
type machine struct{ *debian.Machine }

// stub records its arguments.
const stub = "#!/bin/sh\necho \"${0##*/} $*\" >>/var/log/calls\n"

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{debian.New(t, "bookworm")}
	m.furnish(t)
	return m
}

// furnish puts into the root what the engine and the program need.
func (m *machine) furnish(t *testing.T) {
	t.Helper()
	m.Put(t, "/usr/local/sbin/systemctl", stub, 0o755)
	m.Put(t, "/usr/local/sbin/kubeadm", stub, 0o755)
	// Older engines read the labels of files when they are done.
	m.Put(t, "/etc/selinux/config", "SELINUXTYPE=targeted\n", 0o644)
	m.Put(t, "/etc/selinux/targeted/contexts/files/file_contexts", "", 0o644)
	for _, name := range []string{"added", "open"} {
		m.Put(t, "/etc/app/"+name, localuser.Existing, 0o644)
	}
}

// boot has the engine provision the machine, and runs the program.
func (m *machine) boot(t *testing.T, e engine, config []byte) error {
	t.Helper()
	file := filepath.Join(m.State, "config.ign")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.Command("./ignite.sh", m.Lower, m.State, e.kind, debian.Tool(t, e.tool), file).Run()
}

// mustBoot boots and fails the test if a stage or the program failed.
func (m *machine) mustBoot(t *testing.T, e engine, config []byte) {
	t.Helper()
	if err := m.boot(t, e, config); err != nil {
		t.Fatalf("%s: %v\n%s", e.tool, err, m.log())
	}
	if _, err := os.Stat(filepath.Join(m.State, "run/cluster-api/bootstrap-success.complete")); err != nil {
		t.Fatalf("no sentinel: %v\n%s", err, m.log())
	}
}

// log returns the complaints of the engine and the program, and the ends of their output.
func (m *machine) log() string {
	b, _ := os.ReadFile(filepath.Join(m.State, "engine"))
	program, _ := os.ReadFile(filepath.Join(m.State, "log"))
	b = append(b, program...)
	var output strings.Builder
	for line := range strings.Lines(string(b)) {
		if lower := strings.ToLower(line); strings.Contains(lower, "fail") || strings.Contains(lower, "error") ||
			strings.Contains(lower, "crit") {
			output.WriteString(line[:min(len(line), 500)])
		}
	}
	return output.String() + "…" + string(b[max(0, len(b)-600):])
}

// entry is the result of stat(2) for a path.
type entry struct {
	Mode        fs.FileMode
	User, Group string
}

func (m *machine) stat(t *testing.T, name string) entry {
	t.Helper()
	info, err := os.Lstat(m.Path(name))
	if err != nil {
		t.Error(err)
		return entry{}
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no stat")
	}
	return entry{Mode: info.Mode(), User: m.name(t, "/etc/passwd", s.Uid), Group: m.name(t, "/etc/group", s.Gid)}
}

// name returns the name that the table gives to an identifier, or the identifier.
func (m *machine) name(t *testing.T, table string, id uint32) string {
	t.Helper()
	if id == 0 {
		return "root"
	}
	for line := range strings.Lines(m.table(t, table)) {
		fields := strings.Split(line, ":")
		if len(fields) > 2 && strings.TrimSpace(fields[2]) == strconv.FormatUint(uint64(id), 10) {
			return fields[0]
		}
	}
	return strconv.FormatUint(uint64(id), 10)
}

// table returns a table of users or groups, which the root has even if it was not changed.
func (m *machine) table(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{m.Path(name), filepath.Join(m.Lower, name)} {
		if b, err := os.ReadFile(path); err == nil {
			return string(b)
		}
	}
	t.Fatalf("no %s", name)
	return ""
}
