package migrate

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mapping returns an empty mapping in block style.
func mapping() *node { return &node{Kind: yaml.MappingNode, Tag: "!!map"} }

// list returns a list of the nodes.
func list(items ...*node) *node { return &node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items} }

// text returns a string. A text with a variable of clusterctl is quoted, because the variable's value may look like a
// number. A default in quotes, such as ${NAME:=""}, is not quoted again: clusterctl replaces text.
func text(s string) *node {
	n := &node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case strings.TrimLeft(s, " \t\n") != s:
		// A block would need an indicator of its indentation.
		n.Style = yaml.DoubleQuotedStyle
	case strings.Contains(strings.TrimSuffix(s, "\n"), "\n"):
		n.Style = yaml.LiteralStyle
	case strings.Contains(s, "${") && !strings.Contains(s, `"`):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func texts(values []string) *node {
	out := list()
	for _, v := range values {
		out.Content = append(out.Content, text(v))
	}
	return out
}

func yes() *node { return &node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"} }

func integer(i int64) *node {
	return &node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(i, 10)}
}

// asString returns the scalar as a string in the API, such as permissions that are written as 0644. The API server
// removes null.
func asString(n *node) *node {
	if n != nil && n.Kind == yaml.ScalarNode && n.Tag != "!!str" && n.Tag != "!!null" && !strings.Contains(n.Value, "${") {
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	}
	return n
}

// lookup returns the value of a name in a mapping, or nil.
func lookup(m *node, name string) *node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i+1]
		}
	}
	return nil
}

// put sets a field of a mapping. A nil value sets nothing.
func put(m *node, name string, value *node) *node {
	if value == nil {
		return m
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			m.Content[i+1] = value
			return m
		}
	}
	m.Content = append(m.Content, &node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value)
	return m
}

// putFirst sets a field and moves it to the begin of the mapping.
func putFirst(m *node, name string, value *node) {
	key := &node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}
	m.Content = append([]*node{key, value}, m.Content...)
}

// set sets the field at a path with dots below a mapping, and creates the mappings between them.
func set(m *node, path string, value *node) {
	if value == nil {
		return
	}
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		next := lookup(m, name)
		if next == nil {
			next = mapping()
			put(m, name, next)
		}
		m = next
	}
	put(m, names[len(names)-1], value)
}

// find returns the value at a path with dots below a mapping, or nil.
func find(m *node, path string) *node {
	for name := range strings.SplitSeq(path, ".") {
		m = lookup(m, name)
	}
	return m
}

// extend appends to the list at the path.
func extend(m *node, path string, items ...*node) {
	if len(items) == 0 {
		return
	}
	if l := find(m, path); l != nil && l.Kind == yaml.SequenceNode {
		l.Content = append(l.Content, items...)
		l.Style &^= yaml.FlowStyle
		return
	}
	set(m, path, list(items...))
}

// move consumes a field and sets it at a path of the output, with its comments. It reports whether the field exists.
func move(f field, out *node, path string) bool {
	n := f.take()
	if n == nil || n.Tag == "!!null" {
		return false
	}
	set(out, path, n)
	copyComments(f.key, out, path)
	return true
}

// copyComments copies the comments of a key of the input to the key at the path.
func copyComments(from, out *node, path string) {
	if from == nil {
		return
	}
	parent, name := out, path
	if i := strings.LastIndex(path, "."); i >= 0 {
		parent, name = find(out, path[:i]), path[i+1:]
	}
	for i := 0; parent != nil && i+1 < len(parent.Content); i += 2 {
		if parent.Content[i].Value == name {
			to := parent.Content[i]
			to.HeadComment, to.LineComment, to.FootComment = from.HeadComment, from.LineComment, from.FootComment
		}
	}
}

// sameValue reports whether two nodes have the same value, without comments and style.
func sameValue(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameValue(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// clone returns a deep copy in which aliases and merge keys are replaced by their values.
func clone(n *node) *node {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.AliasNode {
		return clone(n.Alias)
	}
	out := *n
	out.Anchor, out.Content = "", nil
	for i := 0; i < len(n.Content); i++ {
		if n.Kind == yaml.MappingNode && n.Content[i].Tag == mergeTag {
			i++
			out.Content = append(out.Content, merged(n, n.Content[i])...)
			continue
		}
		out.Content = append(out.Content, clone(n.Content[i]))
		if n.Kind == yaml.MappingNode {
			i++
			out.Content = append(out.Content, clone(n.Content[i]))
		}
	}
	return &out
}

// mergeTag is the tag of the key <<, whose value is a mapping or a list of mappings.
const mergeTag = "!!merge"

// merged returns the keys and values of a merge key that the mapping does not have itself. Of several mappings, the
// first one with a key has precedence.
func merged(m, value *node) []*node {
	from := clone(value)
	mappings := []*node{from}
	if from.Kind == yaml.SequenceNode {
		mappings = from.Content
	}
	present := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		present[m.Content[i].Value] = true
	}
	var out []*node
	for _, source := range mappings {
		for i := 0; source.Kind == yaml.MappingNode && i+1 < len(source.Content); i += 2 {
			if key := source.Content[i]; !present[key.Value] {
				present[key.Value] = true
				out = append(out, key, source.Content[i+1])
			}
		}
	}
	return out
}
