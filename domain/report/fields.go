package report

import "strings"

// Fields maps paths of documents to different paths in the object that the user wrote: the field passwordHash of a
// document is passwd in a MachineBootstrapConfig. An entry also applies to all paths below it.
type Fields map[Path]Path

// maxRenames is the maximum number of entries that apply to one path: one for the field, and one for its parent.
const maxRenames = 2

// In returns the findings with the paths of the object that the user wrote.
func (f Fields) In(r Report) Report {
	if len(f) == 0 {
		return r
	}
	out := make(Report, len(r))
	for i, finding := range r {
		for range maxRenames {
			finding.Path = f.written(finding.Path)
		}
		out[i] = finding
	}
	return out
}

// written applies the entry with the longest path that contains p.
func (f Fields) written(p Path) Path {
	for end := len(p); end > 0; end = strings.LastIndexAny(string(p[:end]), ".[") {
		if to, ok := f[p[:end]]; ok {
			return to + p[end:]
		}
	}
	return p
}
