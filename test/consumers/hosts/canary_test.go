//go:build linux

package hosts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hosts"
	"github.com/machineadm/machineadm/test/localuser"
)

// TestDataIsSecret reads files as another user, and the arguments and environments of processes, while machines boot
// and are released. Afterwards no file contains the data, and none ever contains the SSH key. The management cluster
// searches objects, events, conditions and logs when it stops; see management.stop.
func TestDataIsSecret(t *testing.T) {
	n := hosts.NewNetwork(t)
	h := n.Start(t, hosts.Options{Files: map[string]string{"/etc/control": localuser.Control}})
	w := worldOf(t, n, h)
	h.WatchProcesses(t)
	// The first line of all keys without passphrase is the same.
	key := strings.Split(string(h.Key.Reveal()), "\n")[3]
	data := filepath.Join(h.Folders()[0], "var/lib/machineadm-hosts", claimID, "data")
	reader := localuser.Start(t, []string{data}, h.Folders())
	localuser.Repeat(t, 10, func(runs int) {
		for range runs {
			w.started(t)
			w.Finish(t, "")
			w.reaches(t, host.PhaseSucceeded)
			// The folders of the host have one parent. One of them may be empty.
			canary.CheckFiles(t, filepath.Dir(h.Folders()[0]), key)
			w.releases(t)
			w.Run(t, "rm /var/lib/runs")
		}
	})
	reader.Check(t)
}
