package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// Capability describes an expander.
type Capability struct {
	// Name is the expander's name, such as containerd.
	Name string
	// Kinds are the kinds of documents that it expands. Two expanders may have the same kind only if both are
	// Selectors.
	Kinds []document.Kind
	// Reads are the kinds of other documents that it reads, for example to find the proxy.
	Reads []document.Kind
	// Before and After name expanders. Within a phase, this expander's documents come before or after theirs. Names of
	// expanders that do not exist are ignored.
	Before, After []string
}

// Expansion is the input of an expander.
type Expansion struct {
	Document document.Document
	// Others are the documents of the kinds that the expander reads, in their order.
	Others []document.Document
	Target osprofile.Target
}

// Expander converts a document to actions. It is a pure function: it does no I/O and reads no clock or random numbers.
type Expander interface {
	// Describe returns the expander's capability, which is constant.
	Describe() Capability
	// Expand returns the actions that apply the document. A setting that the target does not support is an error finding
	// at the document's path. An error means that the expander failed.
	Expand(ctx context.Context, e Expansion) ([]action.Action, report.Report, error)
}

// Selector is an expander that shares its kinds with others and expands some of their documents. For example, there is
// one expander for each time daemon, and all of them have the kind TimeSyncConfig. Exactly one of them matches a
// document on a target.
type Selector interface {
	Expander
	// Matches reports whether this expander expands the document on the target. The caller passes only documents of its
	// kinds.
	Matches(d document.Document, t osprofile.Target) bool
}
