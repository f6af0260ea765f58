package cloudinit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/timedetect"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/nightly"
)

// systemctlOfUnits is a stub that knows the units with a file in /etc/states, which contains their states. It creates
// the directory by which programs recognise a machine that systemd has booted.
const systemctlOfUnits = `#!/bin/sh
mkdir -p /run/systemd/system
for unit; do :; done
case "$*" in
  *is-active*) grep -qs active "/etc/states/$unit" ;;
  *is-enabled*) grep -qs enabled "/etc/states/$unit" || { [ -e "/etc/states/$unit" ] && echo disabled; false; } ;;
  *.service) echo "${0##*/} $*" >>/var/log/calls; [ -e "/etc/states/$unit" ] ;;
esac
`

// TestTheTimeDaemonOfTheImage boots images of Debian with different time daemons. One has none.
func TestTheTimeDaemonOfTheImage(t *testing.T) {
	cases := []struct {
		reason string
		states map[string]string
		want   []string
	}{
		{
			"chrony in place of timesyncd as in images of image-builder",
			map[string]string{"chrony.service": "active enabled"},
			[]string{"systemctl restart chrony.service"},
		},
		{
			"the distribution's own daemon",
			map[string]string{"systemd-timesyncd.service": "active enabled"},
			[]string{"systemctl restart systemd-timesyncd.service"},
		},
		{"no daemon", nil, nil},
	}
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		for _, tc := range nightly.Sample(cases, 2) {
			t.Run(tc.reason, func(t *testing.T) {
				m := newMachine(t, suite)
				m.Put(t, "/usr/local/sbin/systemctl", systemctlOfUnits, 0o755)
				for unit, state := range tc.states {
					m.Put(t, "/etc/states/"+unit, state+"\n", 0o644)
				}
				m.boot(t, timeServers(t))
				var got []string
				for _, call := range m.calls(t, "systemctl") {
					if strings.Contains(call, " restart ") {
						got = append(got, call)
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" || !m.sentinel() {
					t.Errorf("sentinel %v (-want +got):\n%s\n%s", m.sentinel(), diff, m.Log())
				}
				if text := m.Read(t, "/etc/chrony/chrony.conf"); !strings.HasPrefix(text, "server a.example iburst\n") {
					t.Errorf("chronyd reads\n%s", text)
				}
			})
		}
	})
}

// timeServers returns the userdata of a machine with a time server, which does not name the daemon.
func timeServers(t *testing.T) []byte {
	t.Helper()
	var to osprofile.Target
	to.Profile, _ = osprofile.Lookup("debian")
	d := document.Document{
		Value: dm.TimeSyncConfig{Servers: []string{"a.example"}}, Source: document.Source{Path: "timeSync"},
	}
	actions, found, err := timedetect.New().Expand(t.Context(), ports.Expansion{Document: d, Target: to})
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	return render(t, to, append(actions, join())...)
}
