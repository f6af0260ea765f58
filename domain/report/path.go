package report

import (
	"strconv"
	"strings"
)

// Path names a field in the notation of Kubernetes API errors: spec.machine.files[3].path. The empty Path means the
// whole input.
type Path string

// Field returns the path of the named field below p.
func (p Path) Field(name string) Path {
	if p == "" {
		return p.below("", name)
	}
	return p.below(".", name)
}

// Index returns the path of element i of the list at p.
func (p Path) Index(i int) Path { return p.below("[", strconv.Itoa(i), "]") }

// Key returns the path of the entry of the map at p that has the given key.
func (p Path) Key(key string) Path { return p.below("[", strconv.Quote(Cut(key, MaxText)), "]") }

// below returns the path with the parts appended. A path that is longer than MaxText is truncated, and paths below it
// do not grow: otherwise the paths of all values below a long key would be many times as long as the text.
func (p Path) below(parts ...string) Path {
	if len(p) >= MaxText-len(ellipsis) {
		return p
	}
	return Path(Cut(string(p)+strings.Join(parts, ""), MaxText))
}

// Under reports whether p is parent or lies below it.
func (p Path) Under(parent Path) bool {
	if parent == "" || p == parent {
		return true
	}
	rest, ok := strings.CutPrefix(string(p), string(parent))
	return ok && (rest[0] == '.' || rest[0] == '[')
}
