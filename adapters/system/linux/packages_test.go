//go:build linux

package linux_test

import (
	"os"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestRefreshFails installs packages on a machine with a repository that does not exist any more.
func TestRefreshFails(t *testing.T) {
	cases := map[string]struct {
		reason, install string
		upgrade, fails  bool
		calls           string
	}{
		"found":     {"another repository has it", "exit 0", false, false, "update\ninstall\n"},
		"not found": {"the installation decides", "exit 100", false, true, "update\ninstall\n"},
		"upgrade":   {"it would upgrade nothing", "exit 0", true, true, "update\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDebian(t, "trixie")
			stub := "#!/bin/sh\ncase $* in *update*) echo update >>/calls; exit 100;;\n" +
				"*install*) echo install >>/calls; " + c.install + ";; esac\n"
			if err := os.WriteFile(d.root+"/usr/bin/apt-get", []byte(stub), 0o755); err != nil { //nolint:gosec // A program.
				t.Fatal(err)
			}
			err := d.try(t, action.InstallPackages{PackagesConfig: machine.PackagesConfig{
				Install: []string{"no-such-package"}, Update: true, Upgrade: c.upgrade,
			}})
			if calls := d.get("/calls"); (err != nil) != c.fails || calls != c.calls {
				t.Errorf("%s: got %v and the calls %q, want %q", c.reason, err, calls, c.calls)
			}
		})
	}
}
