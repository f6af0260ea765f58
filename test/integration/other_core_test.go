package integration_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// The cores that the tests can run with, by what INTEGRATION_CORE calls them.
const (
	newestCore = "1.14"
	olderCore  = "1.12"
)

// wantedCore returns the core to test with: the newest, or the one that INTEGRATION_CORE names.
func wantedCore() string {
	if os.Getenv("INTEGRATION_CORE") == olderCore {
		return olderCore
	}
	return newestCore
}

func core() controlplane.Core {
	if wantedCore() == olderCore {
		return controlplane.Core112()
	}
	return controlplane.Core114()
}

// essential matches the tests of what passes between the core and us, or in a run that is not nightly one of each kind.
// Others are about us alone, or start another control plane.
func essential() string {
	return nightly.Or("^Test(Behavior[4-8]|Three|LockOf|DeletedConfig|StatusIs|Contract(Data|Template|Server|Paused)|"+
		"PoolOf|ReadersOfOtherCoresWh)",
		"^Test(Behavior6|Contract(Template|Paused)|PoolOf|ReadersOfOtherCoresWhenReady)")
}

// TestTheOtherCore runs the essential tests once more, on a control plane of their own, with the core that this run has
// not.
func TestTheOtherCore(t *testing.T) {
	t.Parallel()
	other := olderCore
	if wantedCore() == olderCore {
		other = newestCore
	}
	cmd := exec.CommandContext(shared().ctx, os.Args[0], "-test.run="+essential(), "-test.count=1", "-test.v")
	cmd.Env = append(os.Environ(), "INTEGRATION_CORE="+other, programs.Variable("machineadm-controller")+"="+
		shared().program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("core %s: %v\n%s", other, err, output)
	}
}
