package bootscript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestRefreshFails runs the program on a machine with a repository that does not exist any more.
func TestRefreshFails(t *testing.T) {
	debian := bootscript.Options{Target: osprofile.Target{Profile: osprofile.Profile{
		PackageManager: osprofile.PackageManagerAPT,
	}}}
	cases := map[string]struct {
		reason          string
		packages        machine.PackagesConfig
		status, install string
		code            int
		calls           string
	}{
		"installed": {
			"nothing is to be done",
			machine.PackagesConfig{Install: []string{"a", "b"}},
			"installed 1",
			"exit 100",
			0,
			"",
		},
		"missing": {
			"another repository has it",
			machine.PackagesConfig{Install: []string{"a", "b"}},
			"config-files 1",
			"",
			0,
			"update install",
		},
		"second missing": {
			"only the first package is installed",
			machine.PackagesConfig{Install: []string{"a", "b"}},
			"$([ $5 = a ] && echo installed || echo config-files) 1",
			"",
			0,
			"update install",
		},
		"suite": {
			"the package may be of another suite",
			machine.PackagesConfig{Install: []string{"a/backports"}},
			"installed 1",
			"",
			0,
			"update install",
		},
		"requested": {
			"the user requests it",
			machine.PackagesConfig{Install: []string{"a", "b"}, Update: true},
			"installed 1",
			"exit 100",
			0,
			"update",
		},
		"requested, missing": {
			"one refresh is enough",
			machine.PackagesConfig{Install: []string{"a", "b"}, Update: true},
			"config-files 1",
			"",
			0,
			"update install",
		},
		"requested, not found": {
			"the installation decides",
			machine.PackagesConfig{Install: []string{"a"}, Update: true},
			"config-files 1",
			"exit 100",
			100,
			"update install",
		},
		"not found": {
			"the installation decides",
			machine.PackagesConfig{Install: []string{"a"}},
			"config-files 1",
			"exit 100",
			100,
			"update install",
		},
		"upgrade": {
			"it would upgrade nothing",
			machine.PackagesConfig{Install: []string{"a"}, Upgrade: true},
			"installed 1",
			"",
			100,
			"update",
		},
		"only refresh": {
			"new repositories imply it",
			machine.PackagesConfig{Update: true},
			"installed 1",
			"",
			0,
			"update",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, bin := newRoot(t), t.TempDir()
			for program, text := range map[string]string{
				"dpkg": "", "stat": "", "dpkg-query": "echo " + tc.status,
				"apt-get": "case $* in *update*) echo update >>" + bin + "/calls; exit 100;;\n" +
					"*install*) echo install >>" + bin + "/calls; " + tc.install + ";; esac",
			} {
				text = "#!/bin/sh\n" + text + "\n"
				if err := os.WriteFile(filepath.Join(bin, program), []byte(text), 0o700); err != nil { //nolint:gosec // A program.
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			install := step("spec.machine.packages", action.InstallPackages{PackagesConfig: tc.packages, Refresh: true})
			code, out := r.run(t, "dash", mustProgram(t, []plan.SourcedStep{install}, debian))
			calls, _ := os.ReadFile(filepath.Join(bin, "calls"))
			if got := strings.Join(strings.Fields(string(calls)), " "); code != tc.code || got != tc.calls {
				t.Errorf("%s: got code %d and calls %q, want %d and %q\n%s", tc.reason, code, got, tc.code, tc.calls, out)
			}
			log, err := os.ReadFile(r.dir + bootscript.LogFile)
			warns := strings.Contains(string(log), "warning: ")
			want := strings.HasSuffix(tc.calls, "install") || tc.calls == "update" && tc.code == 0
			if err != nil || warns != want {
				t.Errorf("%s: the log is %q, error %v", tc.reason, log, err)
			}
		})
	}
}
