package report

import "strings"

// Fields maps paths of documents to paths of the object that the user wrote, where the two differ: the document's
// "passwordHash" is "passwd" there. An entry also applies to every path below it.
type Fields map[Path]Path

// maxRenames is how many entries apply to one path: one for what holds the field, and one for the field.
const maxRenames = 2

// In returns the findings with the paths that the user wrote.
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

// written applies the entry of the longest path that p is under.
func (f Fields) written(p Path) Path {
	for end := len(p); end > 0; end = strings.LastIndexAny(string(p[:end]), ".[") {
		if to, ok := f[p[:end]]; ok {
			return to + p[end:]
		}
	}
	return p
}
