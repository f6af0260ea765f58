package migrate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/domain/report"
)

type node = yaml.Node

// field is a value of the input and its place. The zero node means that the field is missing.
type field struct {
	*ledger
	path report.Path
	// key is the node of the field's name, which has the comments. It is nil for the elements of lists.
	key  *node
	node *node
}

func (f field) exists() bool { return f.node != nil }

// get returns the field at the names below f.
func (f field) get(names ...string) field {
	for _, name := range names {
		f = f.child(name)
	}
	return f
}

func (f field) child(name string) field {
	out := field{ledger: f.ledger, path: f.path.Field(name)}
	if f.node == nil || f.node.Kind != yaml.MappingNode {
		return out
	}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		if f.node.Content[i].Value == name {
			out.key, out.node = f.node.Content[i], f.node.Content[i+1]
			return out
		}
	}
	return out
}

// children returns the fields of a mapping in their order.
func (f field) children() []field {
	if f.node == nil || f.node.Kind != yaml.MappingNode {
		return nil
	}
	var out []field
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		key := f.node.Content[i]
		out = append(out, field{ledger: f.ledger, path: f.path.Field(key.Value), key: key, node: f.node.Content[i+1]})
	}
	return out
}

// items returns the elements of a list.
func (f field) items() []field {
	if f.node == nil || f.node.Kind != yaml.SequenceNode {
		return nil
	}
	var out []field
	for i, n := range f.node.Content {
		out = append(out, field{ledger: f.ledger, path: f.path.Index(i), node: n})
	}
	return out
}

// text returns a scalar's value; empty if the field is missing or not a scalar.
func (f field) text() string {
	if f.node == nil || f.node.Kind != yaml.ScalarNode || f.node.Tag == "!!null" {
		return ""
	}
	return f.node.Value
}

// is reports whether the scalar has the value, in any spelling of upper and lower case.
func (f field) is(value string) bool { return f.exists() && strings.EqualFold(f.text(), value) }

// take consumes the field and returns its node, or nil if it is missing.
func (f field) take() *node {
	if f.node != nil {
		f.used[f.node] = true
	}
	return f.node
}

// takeText consumes the field and returns its text.
func (f field) takeText() string {
	f.take()
	return f.text()
}

// report consumes the field and adds a line, unless the field is missing.
func (f field) report(outcome Outcome, format string, args ...any) {
	if f.exists() {
		f.take()
		f.add(f, outcome, format, args...)
	}
}

// leftovers reports the values below the field that no rule has consumed.
func (f field) leftovers() {
	if f.node == nil || f.used[f.node] {
		return
	}
	switch {
	case f.node.Kind == yaml.MappingNode:
		for _, c := range f.children() {
			c.leftovers()
		}
	case f.node.Kind == yaml.SequenceNode:
		for _, c := range f.items() {
			c.leftovers()
		}
	case f.node.Tag != "!!null":
		f.report(NoCounterpart, unknownField)
	}
}

// unknownField is the message about a value that no rule knows.
const unknownField = "this field is not known and was left out; check its name, or set it by hand"
