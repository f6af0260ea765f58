package structured

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// Found is the result of Find.
type Found struct {
	// Value is the node of the field, or of its innermost parent that exists.
	Value *yaml.Node
	// Place is the node to show to the user: the key of a mapping or a list, otherwise Value.
	Place *yaml.Node
	// Exact reports whether the field exists.
	Exact bool
}

// InText returns the line and the column of a place in the text of the field, if the text is a literal block. The lines
// are those of the file, and the node's first line is at the offset.
func (f Found) InText(lines []string, offset, line, column int) (fileLine, fileColumn int, ok bool) {
	fileLine = f.Value.Line + offset + line
	if !f.Exact || line <= 0 || f.Value.Kind != yaml.ScalarNode || f.Value.Style&yaml.LiteralStyle == 0 ||
		fileLine > len(lines) {
		return 0, 0, false
	}
	first := lines[f.Value.Line+offset]
	indent := len(first) - len(strings.TrimLeft(first, " "))
	return fileLine, indent + max(column, 1), true
}

// Finder finds fields below a node. It reads the keys of a mapping only once, so that the work for many fields of one
// mapping is proportional to their number. It is not safe for concurrent use.
type Finder struct {
	root *yaml.Node
	// keys are the positions of the keys of the mappings in which a field was searched.
	keys map[*yaml.Node]map[string]int
}

// NewFinder returns a Finder for the fields below the node.
func NewFinder(root *yaml.Node) *Finder {
	return &Finder{root: root, keys: map[*yaml.Node]map[string]int{}}
}

// Find returns the node of a field, such as spec.files[3].path.
func (f *Finder) Find(p report.Path) Found {
	found := Found{Value: f.root, Place: f.root, Exact: true}
	for _, s := range segments(p) {
		key, value := f.step(found.Value, s)
		if value == nil {
			found.Exact = false
			return found
		}
		found.Value, found.Place = value, value
		if key != nil && value.Kind != yaml.ScalarNode {
			found.Place = key
		}
	}
	return found
}

// segment is a part of a path: a field or an index, which is -1 for a field.
type segment struct {
	name  string
	index int
}

// segments splits a path, such as spec.files[3].path or spec.sysctls["a.b"]. It ignores the rest of a path after a
// syntax error.
func segments(p report.Path) []segment {
	var out []segment
	for rest := string(p); rest != ""; {
		var s segment
		var ok bool
		if s, rest, ok = cut(rest); !ok {
			return out
		}
		out = append(out, s)
	}
	return out
}

func cut(s string) (segment, string, bool) {
	s = strings.TrimPrefix(s, ".")
	if !strings.HasPrefix(s, "[") {
		end := strings.IndexAny(s, ".[")
		if end < 0 {
			end = len(s)
		}
		return segment{name: s[:end], index: -1}, s[end:], end > 0
	}
	if quoted, err := strconv.QuotedPrefix(s[1:]); err == nil {
		name, err := strconv.Unquote(quoted)
		rest, closed := strings.CutPrefix(s[1+len(quoted):], "]")
		return segment{name: name, index: -1}, rest, err == nil && closed
	}
	number, rest, closed := strings.Cut(s[1:], "]")
	index, err := strconv.Atoi(number)
	return segment{index: index}, rest, err == nil && closed && index >= 0
}

// step returns the node of a field or an element, and the node of the field's key. Both are nil if there is none.
func (f *Finder) step(n *yaml.Node, s segment) (key, value *yaml.Node) {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n == nil:
		return nil, nil
	case s.index >= 0 && n.Kind == yaml.SequenceNode && s.index < len(n.Content):
		return nil, n.Content[s.index]
	case s.index < 0 && n.Kind == yaml.MappingNode:
		if i, found := f.positions(n)[s.name]; found {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// positions returns the position of each key of a mapping.
func (f *Finder) positions(n *yaml.Node) map[string]int {
	if known, found := f.keys[n]; found {
		return known
	}
	positions := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if _, repeated := positions[n.Content[i].Value]; !repeated {
			positions[n.Content[i].Value] = i
		}
	}
	f.keys[n] = positions
	return positions
}
