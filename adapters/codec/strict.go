package codec

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/codec/v1alpha1"
	"github.com/machineadm/machineadm/domain/report"
)

// strict finds fields that the type does not have, fields that stand twice, and values of another shape, each at its line and
// column. It goes before decoding, which would take the last of two and not tell of the rest.
type strict struct{ findings report.Report }

func (s *strict) refuse(n *yaml.Node, p report.Path, format string, args ...any) {
	f := report.Errorf(p, format, args...)
	f.Line, f.Column = n.Line, n.Column
	s.findings = append(s.findings, f)
}

// check holds the node against the type.
func (s *strict) check(n *yaml.Node, t reflect.Type, p report.Path) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		s.refuse(n, p, "anchors and aliases are not read")
		return
	}
	if n.Kind == yaml.ScalarNode {
		s.scalar(n, t, p)
		return
	}
	switch t = v1alpha1.Shape(t); {
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		s.mapping(n, p, func(key string) (reflect.Type, bool) { return fieldType(t, key) })
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		s.mapping(n, p, func(string) (reflect.Type, bool) { return t.Elem(), true })
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		for i, item := range n.Content {
			s.check(item, t.Elem(), p.Index(i))
		}
	case t.Kind() == reflect.Interface:
		s.free(n, p)
	default:
		s.refuse(n, p, "%s stands here where %s is wanted", shape(n), wanted(t))
	}
}

// free checks what has no type: only that nothing stands twice.
func (s *strict) free(n *yaml.Node, p report.Path) {
	anything := reflect.TypeFor[any]()
	if n.Kind == yaml.MappingNode {
		s.mapping(n, p, func(string) (reflect.Type, bool) { return anything, true })
		return
	}
	for i, item := range n.Content {
		s.check(item, anything, p.Index(i))
	}
}

func (s *strict) mapping(n *yaml.Node, p report.Path, field func(string) (reflect.Type, bool)) {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := p.Field(key.Value)
		t, known := field(key.Value)
		switch {
		case key.Kind != yaml.ScalarNode || key.Anchor != "":
			s.refuse(key, p, "a key is no plain text")
		case seen[key.Value]:
			s.refuse(key, at, "stands twice")
		case !known:
			s.refuse(key, at, "there is no such field")
		default:
			s.check(value, t, at)
		}
		seen[key.Value] = true
	}
}

// scalar finds a scalar where a structure is wanted, and text that YAML takes for a tag. That a number is one is left to decoding.
func (s *strict) scalar(n *yaml.Node, t reflect.Type, p report.Path) {
	if t.Kind() != reflect.Interface && strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		s.refuse(n, p, "a tag is not known; quote a text that begins with an exclamation mark")
		return
	}
	if n.ShortTag() == "!!null" || reflect.PointerTo(t).Implements(reflect.TypeFor[yaml.Unmarshaler]()) {
		return
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map, reflect.Slice:
		s.refuse(n, p, "%s stands here where %s is wanted", shape(n), wanted(t))
	case reflect.Bool:
		if n.ShortTag() != "!!bool" {
			s.refuse(n, p, "write true or false")
		}
	case reflect.Int:
		if n.ShortTag() != "!!int" {
			s.refuse(n, p, "write a number")
		}
	default:
	}
}

func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a scalar"
	}
}

func wanted(t reflect.Type) string {
	switch v1alpha1.Shape(t).Kind() {
	case reflect.Struct, reflect.Map:
		return "a mapping"
	case reflect.Slice:
		return "a list"
	default:
		return "a scalar"
	}
}

// fieldType returns the type of the field that the key names, embedded structures' among them.
func fieldType(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if options == "inline" {
			if found, ok := fieldType(f.Type, key); ok {
				return found, true
			}
			continue
		}
		if name == key {
			return f.Type, true
		}
	}
	return nil, false
}
