package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

// large is the size of the file of each document, and enough is room for all of them.
const (
	large  = 64 << 10
	files  = 8
	enough = "size=8m,mode=755"
)

// small returns a root that has room for so many bytes, and a configuration of more.
func small(t *testing.T, options string) (root, configuration string) {
	t.Helper()
	root = t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "etc/os-release"), []byte("ID=debian\nVERSION_ID=12\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range files {
		fmt.Fprintf(&b, "---\napiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /etc/app/%d, content: %q}\n", i,
			content(i))
	}
	configuration = filepath.Join(t.TempDir(), "configuration.yaml")
	if err := os.WriteFile(configuration, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return root, configuration
}

func content(i int) string { return strings.Repeat(fmt.Sprintf("%07d\n", i), large/8) }

// applied applies the configuration and returns the agent's output.
func applied(agent, root, configuration string) (string, error) {
	out, err := exec.Command(agent, "apply", "--root", root, "--path", configuration).CombinedOutput()
	return string(out), err
}

// whole returns how many files are there, and fails the test if one of them, or anything else, is there in part.
func whole(t *testing.T, root string) int {
	t.Helper()
	found := 0
	for i := range files {
		b, err := os.ReadFile(filepath.Join(root, "etc/app", fmt.Sprint(i)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			t.Fatal(err)
		case string(b) != content(i):
			t.Errorf("file %d has %d bytes", i, len(b))
		default:
			found++
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "etc/app"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if len(entries) != found {
		t.Errorf("%d files are whole, and there are %v", found, entries)
	}
	return found
}

// recorded fails the test unless the record of the failure names phase and cause, and there is no sentinel.
func recorded(t *testing.T, root, cause string) {
	t.Helper()
	var record struct{ Phase, Step, Action, Cause string }
	b, err := os.ReadFile(filepath.Join(root, "run/cluster-api/bootstrap-failure.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &record); err != nil {
		t.Fatal(err)
	}
	if record.Phase != "file" || !strings.HasPrefix(record.Action, "write /etc/app/") ||
		!strings.Contains(record.Cause, cause) {
		t.Errorf("the record: %+v", record)
	}
	if _, err := os.Stat(filepath.Join(root, "run/cluster-api/bootstrap-success.complete")); err == nil {
		t.Error("there is a sentinel")
	}
}

func TestFullDisk(t *testing.T) {
	agent := built(t, "machineadm")
	// Six files fit, and then the record of the failure.
	root, configuration := small(t, "size=432k,mode=755")
	output, err := applied(agent, root, configuration)
	if err == nil || !strings.Contains(output, "no space left on device") {
		t.Fatalf("the agent printed %v: %s", err, output)
	}
	recorded(t, root, "no space left on device")
	if found := whole(t, root); found == 0 || found == files {
		t.Errorf("%d of %d files are there", found, files)
	}
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, enough); err != nil {
		t.Fatal(err)
	}
	if output, err := applied(agent, root, configuration); err != nil || whole(t, root) != files {
		t.Errorf("with more room: %v: %s", err, output)
	}
	if _, err := os.Stat(filepath.Join(root, "run/cluster-api/bootstrap-failure.json")); err == nil {
		t.Error("the record of the failure outlived it")
	}
}

// TestDiskFullAtAnyStep has the disk fill up at other points: while the journal or the status is written, too.
func TestDiskFullAtAnyStep(t *testing.T) {
	agent := built(t, "machineadm")
	var sizes []int
	for size := 12; size < files*large>>10; size += 20 {
		sizes = append(sizes, size)
	}
	for _, size := range nightly.Sample(sizes, 4) {
		t.Run(fmt.Sprintf("%d KiB", size), func(t *testing.T) {
			root, configuration := small(t, fmt.Sprintf("size=%dk,mode=755", size))
			output, err := applied(agent, root, configuration)
			if err == nil || !strings.Contains(output, "no space left on device") {
				t.Fatalf("the agent printed %v: %s", err, output)
			}
			whole(t, root)
			if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, enough); err != nil {
				t.Fatal(err)
			}
			if output, err := applied(agent, root, configuration); err != nil || whole(t, root) != files {
				t.Errorf("with more room: %v: %s", err, output)
			}
		})
	}
}

func TestReadOnlyTarget(t *testing.T) {
	agent := built(t, "machineadm")
	root, configuration := small(t, enough)
	etc := filepath.Join(root, "etc")
	if err := syscall.Mount(etc, etc, "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(etc, syscall.MNT_DETACH) })
	if err := syscall.Mount("", etc, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	output, err := applied(agent, root, configuration)
	if err == nil || !strings.Contains(output, "read-only file system") {
		t.Fatalf("the agent printed %v: %s", err, output)
	}
	recorded(t, root, "read-only file system")
	if found := whole(t, root); found != 0 {
		t.Errorf("%d files are there", found)
	}
}

// TestReadOnlyMachine has no writable place for a record: the agent reports that and ends.
func TestReadOnlyMachine(t *testing.T) {
	agent := built(t, "machineadm")
	root, configuration := small(t, enough)
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, enough); err != nil {
		t.Fatal(err)
	}
	output, err := applied(agent, root, configuration)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(output, "read-only file system") ||
		strings.Count(output, "\n") > 2 {
		t.Errorf("the agent printed %v: %s", err, output)
	}
}
