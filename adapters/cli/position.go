package cli

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// position is a place in a file. Lines and columns begin with 1.
type position struct {
	file         *file
	line, column int
	// exact is set if the field exists; otherwise the place is that of its innermost parent that exists.
	exact bool
	// inText is set if the place is in the multi-line text of the field.
	inText bool
}

// locate returns the place of a field, or of its innermost parent that exists.
func (o *object) locate(p report.Path) position {
	at, place, exact := o.node, o.node, true
	for _, segment := range segments(p) {
		key, next := step(at, segment)
		if next == nil {
			exact = false
			break
		}
		at, place = next, next
		if key != nil && next.Kind != yaml.ScalarNode {
			place = key
		}
	}
	return position{file: o.file, line: place.Line + o.offset, column: place.Column, exact: exact}
}

// locateText returns the place of a line and a column in the text of a field, if the text is a literal block.
// Otherwise it returns the place of the field.
func (o *object) locateText(p report.Path, line, column int) position {
	at := o.node
	for _, segment := range segments(p) {
		if _, at = step(at, segment); at == nil {
			return o.locate(p)
		}
	}
	if line <= 0 || at.Kind != yaml.ScalarNode || at.Style&yaml.LiteralStyle == 0 {
		return o.locate(p)
	}
	number := at.Line + o.offset + line
	if number > len(o.file.lines) {
		return o.locate(p)
	}
	first := o.file.lines[at.Line+o.offset]
	indent := len(first) - len(strings.TrimLeft(first, " "))
	return position{file: o.file, line: number, column: indent + max(column, 1), exact: true, inText: true}
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
func step(n *yaml.Node, s segment) (key, value *yaml.Node) {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n == nil:
		return nil, nil
	case s.index >= 0 && n.Kind == yaml.SequenceNode && s.index < len(n.Content):
		return nil, n.Content[s.index]
	case s.index < 0 && n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s.name {
				return n.Content[i], n.Content[i+1]
			}
		}
	}
	return nil, nil
}

// child returns the value of a field, or an empty node if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	if _, value := step(n, segment{name: name, index: -1}); value != nil {
		return value
	}
	return &yaml.Node{}
}
