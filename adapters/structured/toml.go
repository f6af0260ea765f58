package structured

import (
	"context"
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/machineadm/machineadm/domain/budget"
)

// TOML decodes a TOML text after spending its nodes. The errors are those of YAML, or of the decoder.
func TOML(ctx context.Context, text []byte) (map[string]any, error) {
	b, cost := budget.FromContext(ctx), separators(text, ",=[{.")
	if err := begin(ctx, b, cost); err != nil {
		return nil, err
	}
	tree, err := decodeTOML(b, text)
	if err != nil {
		return nil, refuse(b, cost, err)
	}
	return tree, nil
}

func decodeTOML(b *budget.Budget, text []byte) (map[string]any, error) {
	c := tomlCounter{budget: b}
	var parser unstable.Parser
	parser.Reset(text)
	for parser.NextExpression() {
		if err := c.node(parser.Expression(), 0); err != nil {
			return nil, err
		}
	}
	// What is not well-formed is the decoder's to report: its errors have positions.
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return tree, nil
}

type tomlCounter struct {
	budget *budget.Budget
	keys   int
	// table is how deep the table is nested that the last header opened.
	table int
}

// parts returns how many levels the node's own key opens. A dotted key opens one for each part.
func (c *tomlCounter) parts(n *unstable.Node) int {
	parts := 0
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable, unstable.KeyValue:
		for key := n.Key(); key.Next(); {
			parts++
		}
	default:
	}
	if n.Kind == unstable.Table || n.Kind == unstable.ArrayTable {
		c.table = parts
		return 0
	}
	return max(parts-1, 0)
}

func (c *tomlCounter) node(n *unstable.Node, depth int) error {
	depth += c.parts(n)
	if c.table+depth > MaxDepth {
		problem := fmt.Sprintf("the text is nested deeper than %d levels", MaxDepth)
		return &LimitError{Problem: problem, Remedy: "write it flatter"}
	}
	if n.Kind == unstable.Key {
		c.keys++
	}
	if c.keys > MaxTOMLKeys {
		return &LimitError{Problem: fmt.Sprintf("the text has more than %d keys", MaxTOMLKeys), Remedy: "write fewer"}
	}
	if err := c.budget.Spend(budget.Nodes, 1); err != nil {
		return err
	}
	for children := n.Children(); children.Next(); {
		if err := c.node(children.Node(), depth+1); err != nil {
			return err
		}
	}
	return nil
}
