//go:build !unit

package shell_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/test/debian"
)

// shellcheck runs Debian's shellcheck on a script, and installs it if it is missing.
func shellcheck(t *testing.T, name, script string, flags ...string) {
	t.Helper()
	debian.Packages(t, "shellcheck")
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("shellcheck", append(flags, "--shell=sh", path)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestShellcheckIsContent checks the script without exclusions. It then checks the program and the text of each step,
// which the script contains as data, and excludes only rules about intended brevity.
func TestShellcheckIsContent(t *testing.T) {
	payload := render(t, append(everything("/dev/vdb"), below()[1:]...)...).Payload.Data.Reveal()
	shellcheck(t, "machine.sh", string(payload), "--severity=style")
	text := program(t, payload)
	// SC2174: the mode applies only to the last directory, and its parents exist.
	shellcheck(t, "program.sh", text, "--severity=warning", "--exclude=SC2174")
	var steps strings.Builder
	// The program defines the variable and these functions before the steps.
	steps.WriteString("_state=" + bootscript.StateDir + "\n" + bootscript.Enter() + bootscript.As())
	for _, c := range calls(t, text) {
		steps.WriteString("(\n" + c.script + "\n)\n")
	}
	shellcheck(t, "steps.sh", steps.String(), "--severity=warning")
}

// TestShellsParse checks that each shell parses the script.
func TestShellsParse(t *testing.T) {
	payload := string(render(t, everything("/dev/vdb")...).Payload.Data.Reveal())
	for _, shell := range []string{"dash", "bash"} {
		for name, script := range map[string]string{"script": payload, "program": program(t, []byte(payload))} {
			cmd := exec.Command(shell, "-n")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s -n of the %s: %v\n%s", shell, name, err, out)
			}
		}
	}
}
