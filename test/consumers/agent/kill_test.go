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
)

// points is at how many points the agent is killed.
const points = 60

// apply returns the command that brings the machine below the root about. What it says goes to a file.
func apply(t *testing.T, agent, root, said string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(agent, "apply", "--root", root, "--path", "testdata/machine.yaml")
	log, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	return cmd
}

// traces are what may differ between two machines of one configuration: what was said and when, and the copies that the programs
// of the system make of accounts before they change them.
var traces = regexp.MustCompile(`^/(var/log/|var/lib/machineadm/(journal\.jsonl|status\.json)$|run/|etc/(passwd|group|shadow|gshadow|subuid|subgid)-$|var/cache/)`)

// tree returns one line for each path that the machine has changed, or that the other has: all that there is to it but times.
func tree(t *testing.T, m, other *machine) []string {
	t.Helper()
	var lines []string
	for _, path := range slices.Sorted(slices.Values(append(changed(t, m), changed(t, other)...))) {
		if !traces.MatchString(path) {
			lines = append(lines, path+" "+described(t, filepath.Join(m.state, "root", path)))
		}
	}
	return slices.Compact(lines)
}

func changed(t *testing.T, m *machine) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(m.path("/"), func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, "/"+strings.TrimPrefix(strings.TrimPrefix(path, m.path("/")), "/"))
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

// TestKilledAnywhere kills the agent at points all over an apply and starts it again: the machine is then what an undisturbed run
// makes of it, or the run says that kubeadm was cut off.
func TestKilledAnywhere(t *testing.T) {
	agent := built(t, "machineadm")
	whole, root := mounted(t, "bookworm")
	said := filepath.Join(t.TempDir(), "said")
	total, status := traced(t, apply(t, agent, root, said), 0)
	if status.ExitStatus() != 0 || total < points {
		t.Fatalf("the undisturbed run: exit code %d, %d changes\n%s", status.ExitStatus(), total, text(t, said))
	}
	journals := map[int]bool{}
	for i := range points {
		n := 1 + i*(total-1)/(points-1)
		t.Run(fmt.Sprintf("change %d of %d", n, total), func(t *testing.T) {
			m, root := mounted(t, "bookworm")
			said := filepath.Join(m.state, "said")
			_, status := traced(t, apply(t, agent, root, said), n)
			if !status.Signaled() || status.Signal() != syscall.SIGKILL {
				t.Fatalf("the agent was not killed: %v\n%s", status, text(t, said))
			}
			journals[strings.Count(text(t, m.path("/var/lib/machineadm/journal.jsonl")), "\n")] = true
			m.resumes(t, whole, apply(t, agent, root, said), said)
		})
	}
	if len(journals) < points/3 {
		t.Errorf("the agent was killed at %d different states of its journal", len(journals))
	}
}

// resumes starts the agent again.
func (m *machine) resumes(t *testing.T, whole *machine, again *exec.Cmd, said string) {
	t.Helper()
	if err := again.Run(); err != nil {
		const joining = "an earlier run was interrupted here; reset the machine, or replace it"
		if !strings.Contains(text(t, said), joining) || m.exists("/run/cluster-api/bootstrap-success.complete") {
			t.Fatalf("%v\n%s", err, text(t, said))
		}
		return
	}
	if diff := cmp.Diff(tree(t, whole, m), tree(t, m, whole)); diff != "" {
		t.Errorf("-undisturbed +killed:\n%s", diff)
	}
}

// text returns what stands in a file that may be missing.
func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}
