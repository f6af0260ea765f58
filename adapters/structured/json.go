package structured

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/domain/budget"
)

// JSON spends the cost of decoding a JSON text and of writing it as YAML. The text must be well-formed. The errors are
// those of YAML.
func JSON(ctx context.Context, text []byte) error {
	b := budget.FromContext(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	e := extentOfJSON(text)
	if err := b.Spend(budget.Nodes, e.nodes); err != nil {
		return err
	}
	if e.depth > MaxDepth {
		return &LimitError{Problem: fmt.Sprintf("it is nested deeper than %d levels", MaxDepth), Remedy: "write it flatter"}
	}
	return b.Spend(budget.Content, indentation*e.indents)
}

// extentOfJSON returns at least the number of values: each but the first follows a bracket, a brace, a colon or a
// comma, none of which counts in a string. Escapes in strings count as the ends of lines, which they may be.
func extentOfJSON(text []byte) extent {
	e, depth := extent{nodes: 1}, 0
	quoted, escaped := false, false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
			if b == 'n' || b == 'u' {
				e.indents += depth
			}
		case quoted && b == '\\':
			escaped = true
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			e.nodes++
			depth++
			e.depth = max(e.depth, depth)
		case b == ']' || b == '}':
			depth--
		case b == ':' || b == ',':
			e.nodes++
			e.indents += depth
		}
	}
	return e
}
