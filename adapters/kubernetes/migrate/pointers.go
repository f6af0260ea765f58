package migrate

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// splitPointer returns the names of a JSON pointer that ends in a slash.
func splitPointer(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(pointer, "/"), "/")
}

// nest returns the value below the names of a JSON pointer. A dash is the next element of a list.
func nest(names []string, value *node) *node {
	for _, name := range slices.Backward(names) {
		if name == "-" || isIndex(name) {
			value = list(value)
			continue
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		value = put(mapping(), name, value)
	}
	return value
}

// isIndex reports whether the name in a JSON pointer is the index of an element.
func isIndex(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil
}

// elements are the indices of the lists in a JSON pointer, or dashes. last means that the pointer ends with one.
type elements struct {
	names []string
	last  bool
}

func elementsOf(names []string) elements {
	if isEntry(names) {
		return elements{[]string{"-"}, true}
	}
	found := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name != "-" && !isIndex(name) })
	last := names[len(names)-1]
	return elements{found, last == "-" || isIndex(last)}
}

// soleValue returns the JSON pointer and the value of the only field that is set. The elements are those of the lists
// on the way to it.
func soleValue(n *node, e elements) (string, *node) {
	var names []string
	for {
		switch {
		case n.Kind == yaml.MappingNode && len(n.Content) == 2:
			names = append(names, strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Content[0].Value))
			n = n.Content[1]
		case n.Kind == yaml.SequenceNode && len(n.Content) == 1 && len(e.names) > 0:
			names, n, e.names = append(names, e.names[0]), n.Content[0], e.names[1:]
			if e.last && len(e.names) == 0 {
				return strings.Join(names, "/"), n
			}
		case n.Kind == yaml.SequenceNode && len(e.names) > 0:
			return "", nil
		case n.Kind == yaml.MappingNode || len(names) == 0:
			return "", nil
		default:
			return strings.Join(names, "/"), n
		}
	}
}

// isEntry reports whether the path names an argument in a map of v1beta1, which is an element of a list here.
func isEntry(names []string) bool {
	return len(names) > 1 && strings.HasSuffix(strings.ToLower(names[len(names)-2]), "extraargs")
}
