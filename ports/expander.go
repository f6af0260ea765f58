package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Capability says what an expander does.
type Capability struct {
	// Name is the expander's name, such as containerd.
	Name string
	// Kinds are the documents that it expands; no other expander claims them, unless both are Choosy.
	Kinds []document.Kind
	// Reads are further documents that it looks at.
	Reads []document.Kind
	// Before names expanders before whose documents this one's come, in the same phase; After names those after whose
	// documents they come. A name that no expander has means nothing.
	Before, After []string
}

// Expansion is what an expander is asked.
type Expansion struct {
	Document document.Document
	// Others are the documents of the kinds that the expander reads, in their order.
	Others []document.Document
	Target osprofile.Target
}

// Expander turns a document into actions. It is a pure function of what it is asked: no I/O, no clock, no randomness.
type Expander interface {
	// Describe returns what the expander does; it never changes.
	Describe() Capability
	// Expand returns the actions that bring about what the document says. What cannot be brought about on the target is
	// an error finding at the document's path. An error means that the expander failed.
	Expand(ctx context.Context, e Expansion) ([]action.Action, report.Report, error)
}

// Choosy is an expander that shares its kinds with others and expands only some of the documents: there is one expander
// for each time daemon, and TimeSyncConfig is the kind of all three. For each document and target one of them says yes.
type Choosy interface {
	Expander
	// Chooses reports whether the document, which is of one of the expander's kinds, is the expander's on the target.
	Chooses(d document.Document, t osprofile.Target) bool
}
