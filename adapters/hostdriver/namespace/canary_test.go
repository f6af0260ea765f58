//go:build linux && !unit

package namespace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

// watchProcesses watches the processes of machines and their supervisors.
func (w *world) watchProcesses(t *testing.T, program string) (seen <-chan struct{}) {
	t.Helper()
	group := namespace.UUID(machineTarget(), claimID)
	return canary.WatchProcesses(t, program, func(folder string) bool {
		groups, _ := os.ReadFile(folder + "/cgroup")
		arguments, _ := os.ReadFile(folder + "/cmdline")
		return strings.Contains(string(groups), group) || strings.Contains(string(arguments), w.directory)
	})
}

// checkRecords checks the logs of the machine, and all files of the driver but the layer.
func (w *world) checkRecords(t *testing.T, h ports.HostTarget) {
	t.Helper()
	records := w.glob(h, "upper/var/log")
	for _, name := range w.glob(h, "*") {
		if base := filepath.Base(name); base != "upper" && base != "work" && base != "volumes" {
			records = append(records, name)
		}
	}
	for _, name := range records {
		if entries, err := os.ReadDir(name); err == nil && len(entries) == 0 {
			continue
		}
		canary.CheckFiles(t, name)
	}
}
