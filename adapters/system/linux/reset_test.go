//go:build linux

package linux_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/debian"
)

// logged is a program that logs its call. ACTIVE is the state of each unit.
const logged = `#!/bin/sh
case "$*" in
*is-enabled*) echo enabled ;;
*--property=ActiveState*) cat /srv/active ;;
show* | daemon-reload) ;;
*) echo "${0##*/} $*" >>/srv/calls ;;
esac
`

// logging returns a running machine whose systemctl and umount only log what changes, and whose /proc is a directory.
func logging(t *testing.T, active string) debianHost {
	t.Helper()
	d := debianHost{root: debian.New(t, "trixie").Mount(t)}
	d.put(t, "/srv/active", active+"\n")
	d.put(t, "/srv/calls", "")
	for _, name := range []string{"systemctl", "umount"} {
		d.put(t, "/usr/local/sbin/"+name, logged)
		if err := os.Chmod(d.root+"/usr/local/sbin/"+name, 0o755); err != nil { //nolint:gosec // A program.
			t.Fatal(err)
		}
	}
	d.Host = linux.Running(open(t, d.root))
	return d
}

// TestResetRenewsActiveUnits captures units that run with the machine's configuration after a reset, unless they are
// restarted at its end.
func TestResetRenewsActiveUnits(t *testing.T) {
	enabled := true
	dropIns := []machine.DropIn{{Name: "a.conf", Content: document.Text("[Service]\nEnvironment=A=b\n")}}
	cases := map[string]struct {
		reason, active string
		op             action.EnsureUnit
		want           string
	}{
		"drop-in": {
			"its environment was read at its start", "active",
			action.EnsureUnit{Unit: machine.Unit{Name: "a.service", DropIns: dropIns}},
			"systemctl try-restart a.service",
		},
		"restarted": {
			"its configuration was read at its start", "active", action.EnsureUnit{
				Unit: machine.Unit{Name: "a.service"}, RestartOn: []document.Kind{"File"},
			}, "systemctl try-restart a.service",
		},
		"unchanged": {
			"the bootstrap does not restart it", "active",
			action.EnsureUnit{Unit: machine.Unit{Name: "a.service", Enabled: &enabled}},
			"",
		},
		"new": {
			"the reset stops it", "inactive", action.EnsureUnit{Unit: machine.Unit{Name: "a.service", DropIns: dropIns}}, "",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := logging(t, c.active)
			o, err := d.Capture(t.Context(), c.op)
			if err != nil || o.State[journal.StateRenew] != c.want {
				t.Errorf("%s: %v, error %v", c.reason, o.State, err)
			}
		})
	}
}

// TestUnmountStopsTheRuntime reverts a mount of a container runtime's data: the mount is busy while the runtime runs.
func TestUnmountStopsTheRuntime(t *testing.T) {
	cases := map[string]struct{ path, active, want string }{
		"runs": {
			"/var/lib/containerd", "active",
			"systemctl stop containerd.service\numount -- /var/lib/containerd\nsystemctl start containerd.service\n",
		},
		"does not run": {"/var/lib/containerd", "inactive", "umount -- /var/lib/containerd\n"},
		"other data":   {"/srv/data", "active", "umount -- /srv/data\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := logging(t, c.active)
			if err := os.MkdirAll(d.root+c.path, 0o755); err != nil {
				t.Fatal(err)
			}
			d.put(t, "/proc/self/mountinfo", "22 1 0:1 / "+c.path+" rw - ext4 /dev/vdb rw\n")
			if err := d.Revert(t.Context(), journal.Original{Type: journal.ResourceMount, Name: c.path}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, strings.ReplaceAll(d.get("/srv/calls"), "\r", "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
