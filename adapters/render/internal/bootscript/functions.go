package bootscript

import (
	_ "embed"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
)

// The parts of the program. Each file describes its variables and functions.
var (
	//go:embed starter.sh
	starterScript string
	//go:embed log.sh
	logScript string
	//go:embed record.sh
	recordScript string
	//go:embed steps.sh
	stepsScript string
	//go:embed earlier.sh
	earlierScript string
	//go:embed done.sh
	doneScript string
	//go:embed started.sh
	startedScript string
	//go:embed finish.sh
	finishScript string
	//go:embed report.sh
	reportScript string
	//go:embed unreported.sh
	unreportedScript string
)

// parts are the parts without their comments.
//
//nolint:gochecknoglobals // they never vary
var parts = struct{ log, record, steps, earlier, done, started, finish, report, unreported string }{
	log: script.StripShell(logScript), record: script.StripShell(recordScript), steps: script.StripShell(stepsScript),
	earlier: script.StripShell(earlierScript),
	done:    script.StripShell(doneScript), started: script.StripShell(startedScript),
	finish: script.StripShell(finishScript), report: script.StripShell(reportScript),
	unreported: script.StripShell(unreportedScript),
}

// Functions that only some steps need.
var (
	//go:embed enter.sh
	enterScript string
	//go:embed as.sh
	asScript string
	//go:embed device.sh
	deviceScript string
	//go:embed fact.sh
	factScript string
	//go:embed enablenow.sh
	enableNowScript string
	//go:embed unmask.sh
	unmaskScript string
)

// Enter returns the functions _enter, _enter_parent and _enter_private, which enter directories of other users.
func Enter() string { return script.StripShell(enterScript) }

// As returns the function _run_as, which runs a script as another user.
func As() string { return script.StripShell(asScript) }

// DiskFunctions returns the functions that Partition, Filesystem, Mount and swap space need: _await_device and
// _merge_fstab.
func DiskFunctions() string { return script.StripShell(deviceScript) + linuxcmd.MergeFunction() }
