package bottlerocket

import (
	"slices"
	"strings"
	"sync"
)

// setting is a row of the model.
type setting struct {
	// key is the path below settings, with dots. An asterisk matches a name of the user, two at the end for all
	// below.
	key string
	// name is what the name may be, where the key has an asterisk.
	name constraint
	// is what the setting takes.
	is constraint
	// since is the first release of Bottlerocket with the setting; empty means every release that is supported.
	since string
	// words are the words in a list that only newer releases accept, with the first one that does.
	words map[string]string
	// source is where the fact was found; settings-models is that crate of bottlerocket-settings-sdk.
	source string
}

// model returns the settings that are known, those that only a snippet sets among them.
func model() []setting {
	return slices.Concat(clusterSettings(), kubeletSettings(), newKubeletSettings(), evictionSettings(), systemSettings(),
		registrySettings(), snippetSettings())
}

// index finds a setting by its key.
type index struct {
	exact map[string]setting
	// wild are those with a name of the user's in them, and open those with all below.
	wild, open []setting
}

// known is the index, made when it is first asked for: the expressions in it are compiled once.
var known = sync.OnceValue(newIndex) //nolint:gochecknoglobals // it never varies

func newIndex() index {
	x := index{exact: map[string]setting{}}
	for _, s := range model() {
		switch {
		case strings.HasSuffix(s.key, ".**"):
			s.key = strings.TrimSuffix(s.key, "**")
			x.open = append(x.open, s)
		case strings.Contains(s.key, "*"):
			x.wild = append(x.wild, s)
		default:
			x.exact[s.key] = s
		}
	}
	return x
}

// find returns the setting at the path, and the user's name in it. Names may have dots in them, so that the path is
// parts.
func (x index) find(path []string) (s setting, name string, found bool) {
	joined := strings.Join(path, ".")
	if s, found = x.exact[joined]; found {
		return s, "", true
	}
	for _, s := range x.wild {
		if name, match := s.matches(path); match {
			return s, name, true
		}
	}
	for _, s := range x.open {
		if strings.HasPrefix(joined, s.key) {
			return s, "", true
		}
	}
	return setting{}, "", false
}

func (s setting) matches(path []string) (name string, ok bool) {
	parts := strings.Split(s.key, ".")
	if len(parts) != len(path) {
		return "", false
	}
	for i, part := range parts {
		switch {
		case part == "*":
			name = path[i]
		case part != path[i]:
			return "", false
		}
	}
	return name, true
}

// branch reports whether there are settings below the path, so that it may be a table.
func (x index) branch(path []string) bool {
	below := func(key string) bool {
		parts := strings.Split(key, ".")
		if len(parts) <= len(path) {
			return false
		}
		for i, p := range path {
			if parts[i] != p && parts[i] != "*" {
				return false
			}
		}
		return true
	}
	for key := range x.exact {
		if below(key) {
			return true
		}
	}
	return slices.ContainsFunc(x.wild, func(s setting) bool { return below(s.key) }) ||
		slices.ContainsFunc(x.open, func(s setting) bool { return below(s.key + "*") })
}
