package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// ExternalExpander is an expander that runs as a separate program.
type ExternalExpander struct {
	Expander
	// Pinned means that userdata sets the program's digest. Only a pinned program may replace a core plugin.
	Pinned bool
}

// ExternalPlugins finds the external expanders on the machine.
type ExternalPlugins interface {
	// Expanders returns the external expanders for the kinds: all for unknown, the kinds that no core plugin handles,
	// and only pinned ones for known, the kinds of core plugins. A program that cannot be used is a warning. It is an
	// error if the program is pinned, or if no plugin handles one of the unknown kinds.
	Expanders(ctx context.Context, known, unknown []document.Kind) ([]ExternalExpander, report.Report)
}
