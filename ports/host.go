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

// CommandError is a command that ended with another exit code than 0.
type CommandError struct {
	// Name is for people; it is no command line.
	Name string
	// ExitCode is the command's; -1 if a signal ended it.
	ExitCode int
	// Output is the end of what it printed. It may hold secrets.
	Output []byte
}

// Error names the command and its exit code.
func (e *CommandError) Error() string { return fmt.Sprintf("%s: exit code %d", e.Name, e.ExitCode) }

// Change is how the machine differs from what an operation wants. The zero Change is no difference.
type Change struct {
	// Lines are the difference, like those of a unified diff; secrets are left out.
	Lines []string
}

// None reports whether nothing has to be done.
func (c Change) None() bool { return len(c.Lines) == 0 }

// Host carries out operations on the machine. Contents hold no facts any more: they were filled in.
//
// Every method can be interrupted at any point by a power cut: a file is the old one or the new one, never a part of
// it.
type Host interface {
	// Capture returns the state that the operation replaces, complete enough for Revert. It stores a copy of a file that
	// the operation replaces, and otherwise changes nothing.
	Capture(ctx context.Context, op action.Operation) (journal.Original, error)
	// Diff returns how the machine differs from what the operation wants. The original is the state before the operation
	// was first carried out, to which an append is added. It is zero if the operation was not captured yet. A command
	// always differs.
	Diff(ctx context.Context, op action.Operation, original journal.Original) (Change, error)
	// Apply brings the wish about. Where nothing differs it changes nothing. A command that fails is a CommandError.
	// Different files may be written at the same time.
	Apply(ctx context.Context, op action.Operation, original journal.Original) error
	// Revert restores the original, which contains all that is needed. State that cannot be restored is left, and is not
	// an error.
	Revert(ctx context.Context, original journal.Original) error
	// Restart restarts a unit so that it reads its configuration again, or starts it.
	Restart(ctx context.Context, unit string) error
}

// Surveyor finds out what the machine is.
type Surveyor interface {
	// Survey returns the machine's operating system, its release and architecture, and the versions of what is
	// installed. What it cannot find out stays as the hint has it.
	Survey(ctx context.Context, hint osprofile.Target) (osprofile.Target, error)
}

// Facts knows what only the running machine knows.
type Facts interface {
	// Lookup returns the value of the fact, or ErrNoFact.
	Lookup(ctx context.Context, f document.Fact) (string, error)
}
