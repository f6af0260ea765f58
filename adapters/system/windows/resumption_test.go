package windows_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/adapters/system/windows"
)

// TestResumption verifies that the agent replaces the bootstrap program by one that starts the agent, also with hostile
// arguments, and that a reset removes it together with the marker of the bootstrap program.
func TestResumption(t *testing.T) {
	d := newDouble(t)
	state := filepath.Join(d.Drive, "ProgramData/machineadm")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bootstrap.ps1", "started"} {
		if err := os.WriteFile(filepath.Join(state, name), []byte("c4n4ry token"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := windows.Resumption{Host: d.Host}
	argv := []string{`C:\it's\a.exe`, "apply", "--path=C:\\$(calc)`\u2019; calc"}
	for range 2 {
		if err := r.Enable(t.Context(), argv); err != nil || !d.Registered {
			t.Fatalf("registered: %v, %v", d.Registered, err)
		}
	}
	for name, want := range map[string]string{
		"bootstrap.ps1": windowscmd.Resume(), "run.ps1": windowscmd.Run(),
		"agent.ps1": "\ufeff& 'C:\\it''s\\a.exe' 'apply' '--path=C:\\$(calc)`\u2019\u2019; calc'\n",
	} {
		text, err := os.ReadFile(filepath.Join(state, name))
		if got := strings.TrimPrefix(string(text), "\ufeff"); err != nil || got != strings.TrimPrefix(want, "\ufeff") {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	if !slices.ContainsFunc(d.Arguments, func(a string) bool { return strings.HasPrefix(a, "icacls.exe") }) {
		t.Error("the files are not protected")
	}
	for range 2 {
		if err := r.Disable(t.Context()); err != nil || d.Registered {
			t.Fatalf("registered: %v, %v", d.Registered, err)
		}
	}
	for _, name := range []string{"bootstrap.ps1", "agent.ps1", "started"} {
		if _, err := os.Stat(filepath.Join(state, name)); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
}
