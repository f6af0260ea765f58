//go:build unix

package host_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
)

// lives reports whether the group of the process has a process.
func lives(pid int) bool { return syscall.Kill(-pid, 0) == nil }

func TestCloseEndsAllProcesses(t *testing.T) {
	g := gomega.NewWithT(t)
	p := newHarness(t).start(t, host.TypeDocument, "clinging")
	pid := p.PID()
	if !lives(pid) {
		t.Fatal("the plugin does not run")
	}
	p.Close()
	g.Eventually(func() bool { return lives(pid) }).WithTimeout(10 * time.Minute).Should(gomega.BeFalse())
}
