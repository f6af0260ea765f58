package containerlinux

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// unknownKeys warns of keys that a Container Linux Config does not have, which are ignored.
func (t *translation) unknownKeys(root *yaml.Node, in config) {
	if in.Version != 0 {
		t.refuse(child(root, "version"), "only version 0 is known; leave it out")
	}
	t.keysOf(root, reflect.TypeFor[config]())
	for i := range in.Networkd.Units {
		n := resolved(item(child(root, "networkd", "units"), i))
		for _, key := range []string{"enable", "enabled", "mask"} {
			if k := keyOf(n, key); k != nil {
				t.warn(k, "unknown key: %s", key)
			}
		}
	}
}

// keyOf returns a key of a mapping, or nil.
func keyOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i]
		}
	}
	return nil
}

// keysOf holds the keys below a node against a type.
func (t *translation) keysOf(n *yaml.Node, wanted reflect.Type) {
	n = resolved(n)
	for wanted.Kind() == reflect.Pointer {
		wanted = wanted.Elem()
	}
	switch {
	case n == nil:
	case wanted.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for _, one := range n.Content {
			t.keysOf(one, wanted.Elem())
		}
	case wanted.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		known := map[string]reflect.Type{}
		fields(wanted, known)
		t.mapping(n, known)
	}
}

func (t *translation) mapping(n *yaml.Node, known map[string]reflect.Type) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if isMerge(k) {
			for _, m := range mappings(n.Content[i+1]) {
				t.mapping(m, known)
			}
			continue
		}
		below, is := known[k.Value]
		if !is {
			t.warn(k, "unknown key: %s%s", k.Value, similar(k.Value, known))
			continue
		}
		t.keysOf(n.Content[i+1], below)
	}
}

// similar returns a hint at the key that differs in its case alone.
func similar(key string, known map[string]reflect.Type) string {
	if lower := strings.ToLower(key); known[lower] != nil {
		return "; use " + lower
	}
	return ""
}

// fields collects the types of a struct's fields by their keys.
func fields(of reflect.Type, found map[string]reflect.Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if options == "inline" {
			fields(f.Type, found)
			continue
		}
		found[key] = f.Type
	}
}
