//go:build linux && amd64

package agent_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/nightly"
)

// The agent is killed after points of its changes, at equal distances, and after each of the last ends changes, which
// remove the configuration and report success.
const (
	points = 52
	ends   = 8
)

// killed returns the numbers of the changes after which the agent is killed.
func killed(total int) []int {
	var spread, last []int
	for i := range points {
		spread = append(spread, 1+i*(total-ends-1)/(points-1))
	}
	for i := range ends {
		last = append(last, total-ends+1+i)
	}
	return append(nightly.Sample(spread, 2), nightly.Sample(last, 2)...)
}

// furnished returns a machine that userdata has given a configuration, and its root.
func furnished(t *testing.T) (*machine, string) {
	t.Helper()
	m, root := mounted(t, "bookworm")
	// update-ca-certificates starts six programs for each certificate.
	m.Put(t, "/etc/ca-certificates.conf", "mozilla/ISRG_Root_X1.crt\n", 0o644)
	configuration, err := os.ReadFile("testdata/machine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(root, "etc/machineadm/machineadm_config.yaml")
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, configuration, 0o600); err != nil {
		t.Fatal(err)
	}
	return m, root
}

// apply returns the command that applies the configuration to the machine below the root. Its output goes to a file.
func apply(t *testing.T, agent, root, output string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(agent, "apply", "--root", root)
	log, err := os.Create(output)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	return cmd
}

// traces are the differences that two machines of one configuration may have: messages, times, and the backup copies of
// account files that the system's programs write.
var traces = regexp.MustCompile(
	`^/(var/log/|var/lib/machineadm/(journal\.jsonl|status\.json)$|run/|etc/(passwd|group|shadow|gshadow|subuid|` +
		`subgid)-$|var/cache/)`)

// tree returns one line for each path that the machine has changed, or that the other has: all that there is to it but
// times.
func tree(t *testing.T, m, other *machine) []string {
	t.Helper()
	var lines []string
	for _, path := range slices.Sorted(slices.Values(append(changed(t, m), changed(t, other)...))) {
		if !traces.MatchString(path) {
			lines = append(lines, path+" "+described(t, filepath.Join(m.State, "root", path)))
		}
	}
	return slices.Compact(lines)
}

func changed(t *testing.T, m *machine) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(m.Path("/"), func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, "/"+strings.TrimPrefix(strings.TrimPrefix(path, m.Path("/")), "/"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func described(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		return "is not there"
	}
	var content []byte
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		t.Fatal("no stat")
	case info.Mode().IsRegular():
		content, err = os.ReadFile(path)
	case info.Mode()&fs.ModeSymlink != 0:
		var target string
		target, err = os.Readlink(path)
		content = []byte(target)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%v %d:%d %q", info.Mode(), owner.Uid, owner.Gid, content)
}

// TestKilledAtAnyStep kills the agent at points all over an apply and starts it again. The machine must then equal that
// of an undisturbed run, or the run must report that kubeadm was interrupted.
func TestKilledAtAnyStep(t *testing.T) {
	agent := built(t, "machineadm")
	whole, root := furnished(t)
	log := filepath.Join(t.TempDir(), "output")
	total, status := traced(t, apply(t, agent, root, log), 0)
	if status.ExitStatus() != 0 || total < points {
		t.Fatalf("the undisturbed run: exit code %d, %d changes\n%s", status.ExitStatus(), total, text(t, log))
	}
	if lines := tree(t, whole, whole); whole.Exists("/etc/machineadm/machineadm_config.yaml") || len(lines) < points {
		t.Fatalf("the configuration is still there, or the run changed nothing: %d paths", len(lines))
	}
	journals, kills := map[int]bool{}, 0
	for _, n := range killed(total) {
		t.Run(fmt.Sprintf("change %d of %d", n, total), func(t *testing.T) {
			m, root := furnished(t)
			log := filepath.Join(m.State, "output")
			_, status := traced(t, apply(t, agent, root, log), n)
			if !status.Signaled() || status.Signal() != syscall.SIGKILL {
				t.Fatalf("the agent was not killed: %v\n%s", status, text(t, log))
			}
			journal := text(t, m.Path("/var/lib/machineadm/journal.jsonl"))
			kills++
			journals[strings.Count(journal, "\n")] = true
			joining := strings.Contains(journal[strings.LastIndex(strings.TrimRight(journal, "\n"), "\n")+1:],
				"run kubeadm join")
			m.resumes(t, whole, apply(t, agent, root, log), log, joining)
		})
	}
	if len(journals) < kills/3 {
		t.Errorf("the agent was killed at %d different states of its journal", len(journals))
	}
}

// resumes starts the agent again. If it was killed while it joined, it must report that.
func (m *machine) resumes(t *testing.T, whole *machine, again *exec.Cmd, log string, joining bool) {
	t.Helper()
	if err := again.Run(); err != nil {
		const cut = "an earlier run was interrupted here; reset the machine, or replace it"
		if !joining || !strings.Contains(text(t, log), cut) || m.Exists("/run/cluster-api/bootstrap-success.complete") {
			t.Fatalf("%v\n%s", err, text(t, log))
		}
		return
	}
	diff := cmp.Diff(tree(t, whole, m), tree(t, m, whole))
	if diff != "" || !m.Exists("/run/cluster-api/bootstrap-success.complete") {
		t.Errorf("no sentinel, or another tree; -undisturbed +killed:\n%s", diff)
	}
}

// text returns the content of a file that may be missing.
func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}
