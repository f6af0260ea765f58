package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// ExternalExpander is an expander that is a program of its own.
type ExternalExpander struct {
	Expander
	// Pinned means that userdata sets the program's digest. Only then it may replace a core plugin.
	Pinned bool
}

// Plugins has the machine's external expanders.
type Plugins interface {
	// Expanders returns those that may expand documents of the kinds: of the unknown ones, which no core plugin knows, and
	// of the known ones if they are pinned. A program that is not fit to be used is a warning; it is an error if the
	// program is pinned, or if a kind stays unknown.
	Expanders(ctx context.Context, known, unknown []document.Kind) ([]ExternalExpander, report.Report)
}
