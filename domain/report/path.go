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
		return Path(name)
	}
	return p + "." + Path(name)
}

// Index returns the path of element i of the list at p.
func (p Path) Index(i int) Path { return p + "[" + Path(strconv.Itoa(i)) + "]" }

// Key returns the path of the entry of the map at p that has the given key.
func (p Path) Key(key string) Path { return p + "[" + Path(strconv.Quote(key)) + "]" }

// Under reports whether p is parent or lies below it.
func (p Path) Under(parent Path) bool {
	if parent == "" || p == parent {
		return true
	}
	rest, ok := strings.CutPrefix(string(p), string(parent))
	return ok && (rest[0] == '.' || rest[0] == '[')
}
