package codec

import (
	"context"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/report"
)

// parsable finds what keeps a text from being parsed at all.
func parsable(ctx context.Context, text []byte) report.Report {
	switch {
	case ctx.Err() != nil:
		return report.Report{report.Errorf("", "stopped before it was read: %v", ctx.Err())}
	case structured.Separators(text) > structured.MaxSeparators:
		const message = "it has more than %d commas, colons, dashes and other characters that can separate values"
		return report.Report{report.Errorf("", message, structured.MaxSeparators).
			To("write long contents as base64, or make the machine fetch them")}
	}
	if err := structured.Directives(text); err != nil {
		return report.Report{structured.Finding("", "this is not YAML", err)}
	}
	return nil
}

// limited finds what keeps a document from being decoded, and draws its nodes from the budget.
func limited(b *budget.Budget, document *yaml.Node, p report.Path) *report.Finding {
	var found *report.Finding
	refuse := func(n *yaml.Node, f report.Finding) {
		f.Line, f.Column = n.Line, n.Column
		found = &f
	}
	var visit func(n *yaml.Node, depth int)
	visit = func(n *yaml.Node, depth int) {
		keys := len(n.Content) / 2
		switch {
		case found != nil:
			return
		case depth > structured.MaxDepth:
			refuse(n, report.Errorf(p, "it is nested deeper than %d levels", structured.MaxDepth))
		case n.Kind == yaml.MappingNode && keys > structured.MaxKeys:
			refuse(n, report.Errorf(p, "a mapping has %d keys, and %d is the limit", keys, structured.MaxKeys))
		default:
			if err := b.Spend(budget.Nodes, 1); err != nil {
				refuse(n, report.Errorf(p, "the configuration has %v", err).To("divide it, or write less"))
			}
		}
		for _, child := range n.Content {
			visit(child, depth+1)
		}
	}
	visit(document, 0)
	return found
}
