package structured

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// most is more than any budget has; sums stop there, so that they cannot overflow.
const most = 1 << 40

// errCycle says it in the parser's words, which package report knows.
var errCycle = errors.New("an anchor's value contains itself")

// extent is how many nodes a node stands for, and how deep they are nested.
type extent struct{ nodes, depth int }

// counter counts the nodes of a document.
type counter struct {
	// anchored are the extents of nodes that aliases stand for; open are those that are being counted.
	anchored map[*yaml.Node]extent
	open     map[*yaml.Node]bool
}

// count returns how many nodes a document has. It takes time in proportion to the text.
func count(document *yaml.Node) (int, error) {
	c := counter{anchored: map[*yaml.Node]extent{}, open: map[*yaml.Node]bool{}}
	e, err := c.extent(document, 0)
	return e.nodes, err
}

// extent counts a node that is nested as deep as given.
func (c *counter) extent(n *yaml.Node, depth int) (extent, error) {
	if depth > MaxDepth {
		return extent{}, limited(n, "the text is nested deeper than %d levels", MaxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return c.alias(n, depth)
	}
	if n.Anchor != "" {
		c.open[n] = true
		defer delete(c.open, n)
	}
	if n.Kind == yaml.MappingNode {
		if err := uniqueKeys(n); err != nil {
			return extent{}, err
		}
	}
	sum := extent{nodes: 1}
	for _, child := range n.Content {
		e, err := c.extent(child, depth+1)
		if err != nil {
			return extent{}, err
		}
		sum.nodes, sum.depth = min(sum.nodes+e.nodes, most), max(sum.depth, e.depth+1)
	}
	if n.Anchor != "" {
		c.anchored[n] = sum
	}
	return sum, nil
}

func (c *counter) alias(n *yaml.Node, depth int) (extent, error) {
	if c.open[n.Alias] {
		return extent{}, fmt.Errorf("yaml: line %d: %w", n.Line, errCycle)
	}
	e := c.anchored[n.Alias]
	if depth+e.depth > MaxDepth {
		return extent{}, limited(n, "the text is nested deeper than %d levels", MaxDepth)
	}
	return e, nil
}

func limited(n *yaml.Node, format string, args ...any) error {
	return &LimitError{Line: n.Line, Column: n.Column, Problem: fmt.Sprintf(format, args...), Remedy: "write it flatter"}
}

// key is what the decoder compares keys by.
type key struct {
	kind  yaml.Kind
	value string
}

// uniqueKeys finds a key that stands twice, as the decoder does, but in linear time. Keys that are lists or mappings are all equal.
func uniqueKeys(n *yaml.Node) error {
	if keys := len(n.Content) / 2; keys > MaxKeys {
		return &LimitError{
			Line: n.Line, Column: n.Column, Problem: fmt.Sprintf("a mapping has %d keys, and %d is the limit", keys, MaxKeys),
			Remedy: "write fewer",
		}
	}
	lines := make(map[key]int, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if first, twice := lines[key{k.Kind, k.Value}]; twice {
			return &LimitError{
				Line: k.Line, Column: k.Column, Problem: fmt.Sprintf("the key already stands in line %d", first), Remedy: "remove one of them",
			}
		}
		lines[key{k.Kind, k.Value}] = k.Line
	}
	return nil
}
