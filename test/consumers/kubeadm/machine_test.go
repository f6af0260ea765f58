// Package kubeadm_test holds what the kubeadm and static pod plugins write against real kubeadm: it validates each
// configuration, and goes through kubeadm init and single phases in a root and namespaces of their own.
package kubeadm_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
)

// goldens are the files that the plugin's own test lays out as on a machine.
const goldens = "../../../adapters/plugin/kubeadm/testdata"

// The programs: newest calls v1beta3 deprecated, native knows nothing newer.
const (
	newest = "kubeadm"
	native = "kubeadm-1.30"
)

// programs are those that read the golden.
func programs(golden string) []string {
	if strings.Contains(golden, "v1beta3") {
		return []string{newest, native}
	}
	return []string{newest}
}

func obtain(t *testing.T, program string) string {
	t.Helper()
	path, err := controlplane.Tool(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// version is the program's own version.
func version(t *testing.T, program string) string {
	t.Helper()
	out, err := exec.Command(obtain(t, program), "version", "-o", "short").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// machine is a root with nothing in it but the files of a golden and kubeadm, which is a static program.
type machine struct {
	root string
	// online leaves the program in the network of this machine, for a cluster on loopback.
	online bool
}

// newMachine returns a machine with the program; without a golden it has no configuration.
func newMachine(t *testing.T, program, golden string) machine {
	t.Helper()
	m := machine{root: t.TempDir()}
	if golden != "" {
		if err := os.CopyFS(m.root, os.DirFS(filepath.Join(goldens, golden))); err != nil {
			t.Fatal(err)
		}
	}
	// The goldens' certificates are no certificates; kubeadm makes its own where there are none.
	if err := os.RemoveAll(filepath.Join(m.root, "etc/kubernetes/certs")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"proc", "tmp"} {
		if err := os.MkdirAll(filepath.Join(m.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	executable, err := os.ReadFile(obtain(t, program))
	if err != nil {
		t.Fatal(err)
	}
	m.write(t, "/usr/bin/kubeadm", executable, 0o755)
	// A golden refers to this file of the image; kubeadm checks that it exists.
	m.write(t, "/etc/discovery.conf", nil, 0o600)
	own := version(t, program)
	m.edit(t, "/etc/machineadm/kubeadm.yaml", strings.NewReplacer(
		// The program refuses control planes that are newer than itself, or more than one minor version older.
		"v1.30.14", own, "v1.34.0", own, "v1.36.3", own,
		// Nothing that kubeadm's preflight checks look for exists here; "all" is the only entry of the list.
		`"NumCPU","Mem"`, `"all"`))
	m.giveAddress(t)
	return m
}

// giveAddress names an address where the golden leaves it to kubeadm, which finds none: there is no network.
func (m machine) giveAddress(t *testing.T) {
	t.Helper()
	const address = `"localAPIEndpoint":{"advertiseAddress":"10.0.0.7"}`
	content, err := os.ReadFile(filepath.Join(m.root, "etc/machineadm/kubeadm.yaml"))
	if err != nil || bytes.Contains(content, []byte("localAPIEndpoint")) {
		return
	}
	m.edit(t, "/etc/machineadm/kubeadm.yaml", strings.NewReplacer(
		`"kind":"InitConfiguration",`, `"kind":"InitConfiguration",`+address+`,`, `"controlPlane":{}`,
		`"controlPlane":{`+address+`}`))
}

func (m machine) write(t *testing.T, path string, content []byte, mode fs.FileMode) {
	t.Helper()
	full := filepath.Join(m.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, content, mode); err != nil {
		t.Fatal(err)
	}
}

func (m machine) read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(m.root, path))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// edit replaces text in a file that may be there.
func (m machine) edit(t *testing.T, path string, r *strings.Replacer) {
	t.Helper()
	if content, err := os.ReadFile(filepath.Join(m.root, path)); err == nil {
		m.write(t, path, []byte(r.Replace(string(content))), 0o600)
	}
}

// run runs kubeadm in the root and in namespaces of its own, with a network without routes, and returns its whole
// output.
func (m machine) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/usr/bin/kubeadm", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: m.root, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC,
	}
	if !m.online {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWNET
	}
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.Path = "/usr/bin/kubeadm"
	cmd.Err = nil
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("kubeadm %s: %w\n%s", strings.Join(args, " "), err, &out)
	}
	return out.String(), err
}

// mustRun fails the test if kubeadm fails.
func (m machine) mustRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := m.run(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
