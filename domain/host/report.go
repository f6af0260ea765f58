package host

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
)

// CauseUnconfirmed is the cause of a failure if the data ended without an error and without the sentinel.
const CauseUnconfirmed = "the data ended without /run/cluster-api/bootstrap-success.complete"

// BootFailure is the failure record of the agent and of the bootstrap program. The program writes no action and no
// cause. Data that leaves no record has an exit code and a log.
type BootFailure struct {
	Phase, Step, Action, Cause, Log string
	ExitCode                        int
}

// Line describes the failure on one line of at most MaxFailure bytes, without what looks like a secret: the step, and
// the cause or else the exit code and the line of the log that contains the reason.
func (f BootFailure) Line() string {
	var parts []string
	if f.Phase != "" {
		parts = append(parts, "phase "+f.Phase)
	}
	if step := cmp.Or(f.Action, f.Step); step != "" {
		parts = append(parts, step)
	}
	if f.Cause != "" {
		// The cause of a command that failed begins with its name, and the action contains it, too.
		name, rest, found := strings.Cut(f.Cause, ": ")
		if found && strings.HasSuffix(f.Action, " "+name) {
			f.Cause = rest
		}
		parts = append(parts, f.Cause)
	} else {
		parts = append(parts, fmt.Sprintf("exit code %d", f.ExitCode), status.FailureLine(secret.CleanShapes(f.Log)))
	}
	return Line(secret.CleanShapes(strings.TrimSuffix(strings.Join(parts, ": "), ": ")), MaxFailure)
}

// OSImage returns PRETTY_NAME of os-release(5) on one line of at most MaxOSImage bytes, or an empty string if there is
// none.
func OSImage(release string) string {
	for line := range strings.Lines(release) {
		if value, found := strings.CutPrefix(line, "PRETTY_NAME="); found {
			return Line(strings.Trim(strings.TrimSpace(value), `"'`), MaxOSImage)
		}
	}
	return ""
}
