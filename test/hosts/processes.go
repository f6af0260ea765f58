//go:build linux

package hosts

import (
	"fmt"
	"os"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

// WatchProcesses watches all processes of the host for canary.Mark, until the test ends.
func (h *Host) WatchProcesses(t testing.TB) {
	t.Helper()
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", h.first.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	canary.WatchProcesses(t, "sshd", func(folder string) bool {
		link, err := os.Readlink(folder + "/ns/pid")
		return err == nil && link == namespace
	})
}
