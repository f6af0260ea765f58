package vm

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Printed reports whether the machine's console contains the text.
func (m *Machine) Printed(text string) bool {
	b, _ := os.ReadFile(m.ConsoleFile())
	return strings.Contains(string(b), text)
}

// ConsoleFile is the file of what the machine's console shows.
func (m *Machine) ConsoleFile() string { return filepath.Join(m.State, "console") }

// Console returns the last of what the machine's console shows.
func (m *Machine) Console() string {
	b, _ := os.ReadFile(m.ConsoleFile())
	return string(b[max(0, len(b)-6000):])
}

// Reported returns the files of the tar archive that the machine has left on its third disk, without blanks at their
// ends.
func (m *Machine) Reported(t testing.TB) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(m.State, "report.img"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	files := map[string]string{}
	archive := tar.NewReader(f)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, m.Console())
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(header.Name, "./")] = strings.TrimRight(string(content), " \n")
	}
	if len(files) == 0 {
		t.Fatalf("no report\n%s", m.Console())
	}
	return files
}

// Tree returns a directory with copies of the directories of the machine's first disk. The machine must have
// ended.
func (m *Machine) Tree(t testing.TB, directories ...string) string {
	t.Helper()
	disk, tree := filepath.Join(m.State, "root.img"), t.TempDir()
	// A machine that was cut off has left the last changes in the journal. The program's exit code shows that it changed
	// something.
	if out, err := exec.Command("e2fsck", "-p", "-E", "journal_only", disk).CombinedOutput(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() > 1 {
			t.Fatalf("e2fsck: %v\n%s", err, out)
		}
	}
	for _, dir := range directories {
		into := filepath.Join(tree, filepath.Dir(dir))
		if err := os.MkdirAll(into, 0o755); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("debugfs", "-R", "rdump "+dir+" "+into, disk).CombinedOutput()
		if _, missing := os.Stat(filepath.Join(tree, dir)); err != nil || missing != nil {
			t.Fatalf("debugfs: %s: %v, %v\n%s", dir, err, missing, out)
		}
	}
	return tree
}
