package report

import (
	"strconv"
	"strings"
)

// Path names a field in the notation of Kubernetes API errors: spec.machine.files[3].path. The empty Path means the
// whole input.
type Path string

// Field returns the path of the named field below p.
func (p Path) Field(name string) Path { return p.Join(Path(name)) }

// Index returns the path of element i of the list at p.
func (p Path) Index(i int) Path { return p.Join(Path("[" + strconv.Itoa(i) + "]")) }

// Key returns the path of the entry of the map at p that has the given key.
func (p Path) Key(key string) Path { return p.Join(Path("[" + strconv.Quote(Cut(key, MaxText)) + "]")) }

// Join returns the path that rest, which is relative to p, has in the whole input. A path that is longer than MaxText
// is truncated, and paths below it do not grow: otherwise the paths of all values below a long key would be many times
// as long as the text.
func (p Path) Join(rest Path) Path {
	switch {
	case rest == "" || len(p) >= MaxText-len(ellipsis):
		return p
	case p == "":
		return Path(Cut(string(rest), MaxText))
	case rest[0] == '[':
		return Path(Cut(string(p+rest), MaxText))
	default:
		return Path(Cut(string(p+"."+rest), MaxText))
	}
}

// Under reports whether p is parent or lies below it.
func (p Path) Under(parent Path) bool {
	if parent == "" || p == parent {
		return true
	}
	rest, ok := strings.CutPrefix(string(p), string(parent))
	return ok && (rest[0] == '.' || rest[0] == '[')
}
