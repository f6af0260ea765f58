package bootscript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// booting is a systemctl that logs what it starts. The unit of the properties is the last argument.
const booting = `#!/bin/sh
for unit; do :; done
case $* in
*After*) case $unit in late.service|-.service) echo "basic.target multi-user.target system.slice";;
  last.service) echo graphical.target;; *) echo my-multi-user.target basic.target;; esac;;
*"Job multi-user.target") echo $MULTI_USER;;
*Job*) ;;
enable*) echo "$*" >>"$SYSTEMCTL_LOG";;
esac
`

// TestLateUnits runs the program during the boot and afterwards: it must not wait for a unit that starts after
// multi-user.target, which waits for the program.
func TestLateUnits(t *testing.T) {
	cases := map[string]struct {
		reason, unit, job, want string
		during                  bool
	}{
		"late":    {"it starts after the target", "late.service", "7", "--no-block late.service", true},
		"dash":    {"it is not an option", "-.service", "7", "--no-block -- -.service", true},
		"early":   {"its start can fail, which the program reports", "early.service", "7", "early.service", true},
		"other":   {"no job of the boot starts its target", "last.service", "7", "last.service", true},
		"reached": {"the target has no job", "late.service", "", "late.service", true},
		"old":     {"systemd may print 0 if there is no job", "late.service", "0", "late.service", true},
		"after":   {"the boot does not wait for the program", "late.service", "7", "late.service", false},
	}
	for name, tc := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r, bin, enabled := newRoot(t), t.TempDir(), true
				if err := os.WriteFile(bin+"/systemctl", []byte(booting), 0o700); err != nil { //nolint:gosec // A program.
					t.Fatal(err)
				}
				t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
				t.Setenv("SYSTEMCTL_LOG", bin+"/log")
				t.Setenv("MULTI_USER", tc.job)
				unit := action.EnsureUnit{Unit: machine.Unit{Name: tc.unit, Enabled: &enabled}}
				program := mustProgram(t, []plan.SourcedStep{step("a", unit)}, bootscript.Options{DuringBoot: tc.during})
				if code, out := r.run(t, shell, program); code != 0 {
					t.Fatal(out)
				}
				got, err := os.ReadFile(bin + "/log")
				if want := "enable --now " + tc.want; err != nil || strings.TrimSpace(string(got)) != want {
					t.Errorf("%s: got %q, want %q, %v", tc.reason, got, want, err)
				}
			})
		}
	}
}
