//go:build e2e

package windows_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/scenarios"
)

// The files of a program. On Linux they are files in the working directory, whose names contain backslashes.
const (
	sentinel = `C:\run\cluster-api\bootstrap-success.complete`
	failure  = `C:\run\cluster-api\bootstrap-failure.json`
)

// execute runs a program in a new directory with doubles, of which one may fail. It returns the directory and the
// calls.
func execute(t *testing.T, program, failing string) (dir, calls string, err error) {
	t.Helper()
	dir = t.TempDir()
	doubles, err := filepath.Abs("testdata/doubles.ps1")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "program.ps1")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("pwsh", "-NoProfile", "-NonInteractive", "-File", doubles, file, failing)
	command.Dir = dir
	out, runErr := command.CombinedOutput()
	t.Logf("%s", out)
	recorded, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, string(recorded), runErr
}

// TestProgramsRun runs the program of each scenario with doubles of cmdlets. It publishes success, or stops at the
// first failure and records it.
func TestProgramsRun(t *testing.T) {
	if _, err := exec.LookPath("pwsh"); err != nil {
		t.Fatalf("%v; install PowerShell 7", err)
	}
	for _, g := range scenarios.Of(t, "cloudbase-init") {
		t.Run(g.Name(), func(t *testing.T) {
			program := script(t, g.Data).program.Text
			dir, calls, err := execute(t, program, "")
			if _, missing := os.Stat(filepath.Join(dir, sentinel)); err != nil || missing != nil {
				t.Errorf("the program fails: %v, %v\n%s", err, missing, calls)
			}
			dir, calls, err = execute(t, program, "Start-Script")
			if _, published := os.Stat(filepath.Join(dir, sentinel)); err == nil || published == nil {
				t.Errorf("the program continues after a failure: %v\n%s", err, calls)
			}
			if _, err := os.Stat(filepath.Join(dir, failure)); err != nil {
				t.Errorf("the failure is not recorded: %v", err)
			}
			if strings.Count(calls, "Start-Script ") != 1 {
				t.Errorf("the failing command runs again:\n%s", calls)
			}
		})
	}
}
