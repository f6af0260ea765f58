package bootscript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// booting is a systemctl that logs what it starts. A real one would wait in the start of the units after another one
// that has a job. It does not have the option --value, which old versions of systemd do not know.
const booting = `#!/bin/sh
for unit; do :; done
case $* in
*--value*) exit 1;;
*"-p After"*) case $unit in
  after-*) echo "After=${unit#after-} basic.target";;
  -.service) echo "After=basic.target multi-user.target system.slice";;
  *) echo "After=my-multi-user.target multi-user.target.service";; esac;;
*"-p Job"*) echo $JOB;;
enable*) echo "$*" >>"$SYSTEMCTL_LOG";;
esac
`

// TestEnableNow runs the program during the boot and afterwards: it must not wait for a unit that starts after a unit
// of the boot, which waits for the program.
func TestEnableNow(t *testing.T) {
	type test struct{ reason, unit, job, want string }
	cases := map[string]test{
		"dash":    {"it is not an option", "-.service", "Job=7", "--no-block -- -.service"},
		"early":   {"its start can fail, which the program reports", "early.service", "Job=7", "early.service"},
		"other":   {"the boot does not wait for it", "after-a.service", "Job=7", "after-a.service"},
		"reached": {"the target has no job", "after-graphical.target", "", "after-graphical.target"},
		"empty":   {"systemd may print no value", "after-cloud-init.target", "Job=", "after-cloud-init.target"},
		"old":     {"systemd may print 0", "after-cloud-init.target", "Job=0", "after-cloud-init.target"},
	}
	for _, name := range linuxcmd.BootUnits() {
		cases[name] = test{"it waits for the program", "after-" + name, "Job=7", "--no-block after-" + name}
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
				t.Setenv("JOB", tc.job)
				unit := action.EnsureUnit{Unit: machine.Unit{Name: tc.unit, Enabled: &enabled}}
				program := mustProgram(t, []plan.SourcedStep{step("a", unit)}, bootscript.Options{})
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
