//go:build linux && !unit

package namespace_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// TestLinksOfAMachineStayInside checks that a machine that replaces a directory by a link changes nothing on this host
// when it starts again.
func TestLinksOfAMachineStayInside(t *testing.T) {
	w := newWorld(t)
	h := w.target(t)
	outside := t.TempDir()
	w.boots(t, h, shell("#!/bin/sh\nset -e\ncd /\n"+
		"umount --lazy /var/lib/containerd /var/lib/containers /var/lib/etcd /var/lib/kubelet\n"+
		"rm --recursive --force /var/lib\nln --symbolic "+outside+" /var/lib\nreboot --force --force\n"))
	w.reaches(t, h, func(o ports.HostObservation) bool { return o.Phase == host.PhaseFailed })
	if created, err := os.ReadDir(outside); err != nil || len(created) > 0 {
		t.Errorf("the machine created %v on this host: %v", created, err)
	}
}

// stubborn is an init that the end of its supervisor does not kill.
const stubborn = `#!/usr/bin/python3
import ctypes, time
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0)
open("/run/cluster-api/bootstrap-success.complete", "w").close()
while True:
    time.sleep(60)
`

// TestReleaseEndsEveryProcess releases a machine whose init outlives its supervisor.
func TestReleaseEndsEveryProcess(t *testing.T) {
	w := newWorld(t)
	w.addRoot(t, "stubborn", map[string]string{"usr/sbin/init": stubborn})
	h := w.target(t)
	h.Machine.Root = "roots/stubborn"
	w.boots(t, h, shell(data))
	w.reaches(t, h, func(o ports.HostObservation) bool { return o.Phase == host.PhaseSucceeded })
	init, err := w.driver().Process(t.Context(), h)
	if err != nil || init == 0 {
		t.Fatal(init, err)
	}
	killParent(t, init)
	if err := w.driver().Release(t.Context(), h, claimID); err != nil {
		t.Fatal(err)
	}
	// A process that has ended has no arguments.
	if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", init)); len(text) > 0 {
		t.Errorf("the init runs after the release: %q", text)
	}
	if o := w.ended(t, h); o.Phase != host.PhaseReleased {
		t.Errorf("%+v", o)
	}
}

// TestMachineCannotChangeTheKernel checks the capabilities of a machine.
func TestMachineCannotChangeTheKernel(t *testing.T) {
	w := newWorld(t)
	h := w.target(t)
	w.boots(t, h, shell("#!/bin/sh\nsed -n 's/^CapEff:.//p' /proc/1/status >/run/cluster-api/capabilities\n"+
		"echo success >/run/cluster-api/bootstrap-success.complete\n"))
	w.reaches(t, h, func(o ports.HostObservation) bool { return o.Phase == host.PhaseSucceeded })
	text, err := os.ReadFile(w.glob(h, "run/capabilities")[0])
	if err != nil {
		t.Fatal(err)
	}
	set, err := strconv.ParseUint(strings.TrimSpace(string(text)), 16, 64)
	const refused = 1<<unix.CAP_SYS_TIME | 1<<unix.CAP_SYS_MODULE | 1<<unix.CAP_SYS_RAWIO
	if err != nil || set&refused != 0 || set&(1<<unix.CAP_SYS_ADMIN) == 0 {
		t.Errorf("the capabilities are %x: %v", set, err)
	}
}
