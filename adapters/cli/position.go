package cli

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

// position is a place in a file; lines and columns count from 1.
type position struct {
	text         *text
	line, column int
	// exact says that the field itself stands there, and not only what would hold it.
	exact bool
	// within says that the place is inside of the text that the field holds.
	within bool
}

// locate returns where the field stands, or the innermost one that would hold it and does stand somewhere.
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
	return position{text: o.text, line: place.Line + o.offset, column: place.Column, exact: exact}
}

// inside returns the place of a line and a column of the text that the field holds, if it holds a block of lines.
func (o *object) inside(p report.Path, line, column int) position {
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
	if number > len(o.text.lines) {
		return o.locate(p)
	}
	first := o.text.lines[at.Line+o.offset]
	indent := len(first) - len(strings.TrimLeft(first, " "))
	return position{text: o.text, line: number, column: indent + max(column, 1), exact: true, within: true}
}

// segment is a step of a path: into a field or an element.
type segment struct {
	name  string
	index int
}

// segments splits spec.files[3].path and spec.sysctls["a.b"]. What does not follow the notation ends the path.
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

// step returns the node below, and the node of its key if it has one; nil if there is none.
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

// child returns the value of a field, or an empty node.
func child(n *yaml.Node, name string) *yaml.Node {
	if _, value := step(n, segment{name: name, index: -1}); value != nil {
		return value
	}
	return &yaml.Node{}
}
