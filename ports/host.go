package ports

import (
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// ErrNoFact means that the machine does not know the fact.
var ErrNoFact = errors.New("the fact is not known")

// CommandError means that a command ended with an exit code other than 0.
type CommandError struct {
	// Name describes the command in messages. It is not a command line.
	Name string
	// ExitCode is the exit code of the command; -1 if a signal ended it.
	ExitCode int
	// Output is the end of the command's output. It may contain secrets.
	Output []byte
}

// Error names the command and its exit code.
func (e *CommandError) Error() string { return fmt.Sprintf("%s: exit code %d", e.Name, e.ExitCode) }

// Change describes how the machine differs from the desired state of an operation. The zero Change means that there is
// no difference.
type Change struct {
	// Lines are the difference in the form of a unified diff, without secrets.
	Lines []string
}

// IsEmpty reports whether there is no difference.
func (c Change) IsEmpty() bool { return len(c.Lines) == 0 }

// HostComparer compares the machine with the desired state of operations, and reads other state. It changes nothing.
type HostComparer interface {
	// AwaitDevice waits for the device of the operation, because udev may still be creating it. It returns without an
	// error after a limited time: Diff and Apply report a device that does not exist. For other operations, and in a tree
	// that is not running, it does nothing.
	AwaitDevice(ctx context.Context, op action.Operation)
	// Diff returns how the machine differs from the desired state of the operation. original is the state before the
	// operation was first applied; an operation that appends to a file is compared with that state plus its content. It
	// is zero before Capture. A command always differs.
	Diff(ctx context.Context, op action.Operation, original journal.Original) (Change, error)
	// Exists reports whether a file, a directory, a link or anything else has the path. It does not follow a link at the
	// end of the path.
	Exists(ctx context.Context, path string) (bool, error)
	// IsStopping reports whether the machine shuts down or reboots. Then operations fail that would otherwise succeed:
	// services and the network have stopped, and units cannot start.
	IsStopping(ctx context.Context) bool
}

// Host applies operations to the machine. The caller has replaced the facts in contents by their values.
//
// A power cut may interrupt every method at any point. Afterwards each file has its old or its new content, never a
// part of it.
type Host interface {
	HostComparer
	// Capture returns the current state that Revert needs to undo the operation. It stores a copy of a file that the
	// operation replaces, and changes nothing else.
	Capture(ctx context.Context, op action.Operation) (journal.Original, error)
	// Apply applies the operation. It changes nothing that is already in the desired state. If a command fails, the
	// error is a CommandError. Different files may be written at the same time.
	Apply(ctx context.Context, op action.Operation, original journal.Original) error
	// Revert restores the original state. State that cannot be restored is left as it is, without an error.
	Revert(ctx context.Context, original journal.Original) error
	// Restart restarts a unit, so that it reads its configuration again. It starts a unit that does not run.
	Restart(ctx context.Context, unit string) error
}

// Detector detects the operating system of the machine.
type Detector interface {
	// Detect returns the machine's operating system, its release and architecture, and the versions of installed
	// programs. It takes values that it cannot detect from the hint.
	Detect(ctx context.Context, hint osprofile.Target) (osprofile.Target, error)
}

// Facts looks up values that only the running machine can provide.
type Facts interface {
	// Lookup returns the value of the fact, or ErrNoFact.
	Lookup(ctx context.Context, f document.Fact) (string, error)
}
