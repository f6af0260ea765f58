package structured

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// most is more than any budget has; sums stop there, so that they cannot overflow.
const most = 1 << 40

// errCycle has the parser's message, which package report knows.
var errCycle = errors.New("an anchor's value contains itself")

// extent is the number of nodes after expanding aliases, their depth, and the size when they are written: the bytes of
// their texts, the lines, and the sum of the lines' indentation levels.
type extent struct{ nodes, depth, bytes, lines, indents int }

// with returns the extent with a child, one level below, added.
func (e extent) with(child extent) extent {
	return extent{
		nodes: min(e.nodes+child.nodes, most), depth: max(e.depth, child.depth+1), bytes: min(e.bytes+child.bytes, most),
		lines: min(e.lines+child.lines, most), indents: min(e.indents+child.indents+child.lines, most),
	}
}

// written returns how many bytes an encoder writes with aliases expanded and every line of text indented.
func (e extent) written() int { return e.bytes + indentation*e.indents }

// indentation is how many blanks encoders write for each level.
const indentation = 2

// counter counts the nodes of a document.
type counter struct {
	// maxKeys is the maximum number of keys of a mapping, and before the number of lines before the text in its file.
	maxKeys, before int

	// anchored are the extents of aliases' nodes; open are those that are being counted.
	anchored map[*yaml.Node]extent
	open     map[*yaml.Node]bool
}

// count returns the extent of a document whose mappings have at most maxKeys keys. It takes time in proportion to the
// text, before which its file has as many lines as given.
func count(document *yaml.Node, maxKeys, before int) (extent, error) {
	c := counter{
		maxKeys: maxKeys, before: before, anchored: map[*yaml.Node]extent{}, open: map[*yaml.Node]bool{},
	}
	return c.extent(document, 0)
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
		if err := c.uniqueKeys(n); err != nil {
			return extent{}, err
		}
	}
	sum := extent{nodes: 1, bytes: len(n.Value), lines: 1 + strings.Count(n.Value, "\n")}
	if n.Style&yaml.TaggedStyle != 0 {
		sum.bytes += len(n.Tag)
	}
	for _, child := range n.Content {
		e, err := c.extent(child, depth+1)
		if err != nil {
			return extent{}, err
		}
		sum = sum.with(e)
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

// uniqueKeys finds a repeated key, as the decoder does, but in linear time. Keys that are lists or
// mappings are all equal.
func (c *counter) uniqueKeys(n *yaml.Node) error {
	if keys := len(n.Content) / 2; keys > c.maxKeys {
		return &LimitError{
			Line: n.Line, Column: n.Column, Problem: fmt.Sprintf("a mapping has %d keys, and %d is the limit", keys, c.maxKeys),
			Remedy: "write fewer",
		}
	}
	lines := make(map[key]int, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if first, twice := lines[key{k.Kind, k.Value}]; twice {
			return &LimitError{
				Line:    k.Line,
				Column:  k.Column,
				Problem: fmt.Sprintf("the key is already in line %d", c.before+first),
				Remedy:  "remove one of them",
			}
		}
		lines[key{k.Kind, k.Value}] = k.Line
	}
	return nil
}
