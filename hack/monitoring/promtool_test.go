//go:build !unit

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// promtool runs the real promtool.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	path, err := programs.Script(t.Context(), "tool.sh", "promtool")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	if err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestPromtoolChecksRules checks the syntax of the alerts, with the real promtool.
func TestPromtoolChecksRules(t *testing.T) {
	promtool(t, "check", "rules", "--lint=all", "--lint-fatal", filepath.Join(root, "config/monitoring/rules.yaml"))
}

// TestPromtoolTestsEachAlert runs a unit test of each alert, which contains a series for which it fires and one for
// which it does not.
func TestPromtoolTestsEachAlert(t *testing.T) {
	for _, a := range alerts() {
		path := filepath.Join("testdata", a.name+".yaml")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s has no unit test: %v", a.name, err)
			continue
		}
		for _, value := range []string{"    - value: 0\n", "    - value: 1\n"} {
			if !bytes.Contains(text, []byte(value)) {
				t.Errorf("%s: no case expects %s", path, strings.TrimSpace(value))
			}
		}
	}
	paths, _ := filepath.Glob("testdata/*.yaml")
	if len(paths) != len(alerts()) {
		t.Errorf("there are %d unit tests of %d alerts", len(paths), len(alerts()))
	}
	promtool(t, append([]string{"test", "rules"}, paths...)...)
}

// TestPromtoolReadsTheDashboard checks the expressions of the dashboard as recording rules.
func TestPromtoolReadsTheDashboard(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "config/monitoring/dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	file := "groups:\n- name: dashboard\n  rules:\n"
	for i, p := range board.Panels {
		for n, target := range p.Targets {
			file += fmt.Sprintf("  - record: panel_%d_%d\n    expr: %s\n", i, n,
				strings.ReplaceAll(target.Expr, "$__rate_interval", "5m"))
		}
	}
	path := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	promtool(t, "check", "rules", path)
}
