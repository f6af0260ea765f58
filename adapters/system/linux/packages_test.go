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
	missing := machine.PackagesConfig{Install: []string{"no-such-package"}}
	cases := map[string]struct {
		reason, install string
		config          machine.PackagesConfig
		fails           bool
		calls           string
	}{
		"found":     {"another repository has it", "exit 0", missing, false, "update\ninstall\n"},
		"not found": {"the installation decides", "exit 100", missing, true, "update\ninstall\n"},
		"upgrade":   {"it would upgrade nothing", "exit 0", machine.PackagesConfig{Upgrade: true}, true, "update\n"},
		"installed": {"nothing is to be done", "exit 100", machine.PackagesConfig{Install: []string{"sudo"}}, false, ""},
		"requested": {
			"the user requests it",
			"exit 100",
			machine.PackagesConfig{Install: []string{"sudo"}, Update: true},
			false,
			"update\n",
		},
		"one of two": {
			"one refresh is enough",
			"exit 0",
			machine.PackagesConfig{Install: []string{"sudo", "no-such-package"}, Update: true},
			false,
			"update\ninstall\n",
		},
		"only refresh": {"new repositories imply it", "exit 100", machine.PackagesConfig{Update: true}, false, "update\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDebian(t, "trixie")
			d.put(t, "/calls", "")
			stub := "#!/bin/sh\ncase $* in *update*) echo update >>/calls; exit 100;;\n" +
				"*install*) echo install >>/calls; " + c.install + ";; esac\n"
			if err := os.WriteFile(d.root+"/usr/bin/apt-get", []byte(stub), 0o755); err != nil { //nolint:gosec // A program.
				t.Fatal(err)
			}
			err := d.try(t, action.InstallPackages{PackagesConfig: c.config, Refresh: true})
			if calls := d.get("/calls"); (err != nil) != c.fails || calls != c.calls {
				t.Errorf("%s: got %v and the calls %q, want %q", c.reason, err, calls, c.calls)
			}
		})
	}
}
