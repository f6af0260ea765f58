package agent

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/report"
)

// text is a configuration that was read.
type text struct {
	data []byte
	// parent is the path of the document that refers to it, and name describes that document. Both are empty for the
	// configuration that the machine was started with.
	parent report.Path
	name   string
}

// path returns the path, which is one of the text, below the document that refers to the text.
func (t text) path(p report.Path) report.Path {
	switch {
	case t.parent == "":
		return p
	case p == "":
		return t.parent.Field("documents")
	default:
		return t.parent.Field(string(p))
	}
}

// contains reports whether the path is in the text, or in another text to which it refers.
func (t text) contains(p report.Path) bool { return p.Under(t.path("")) }

// relative is the reverse of path.
func (t text) relative(p report.Path) report.Path {
	if t.parent == "" {
		return p
	}
	// A long path is truncated, and may be shorter than the parent's path.
	rest, _ := strings.CutPrefix(string(p), string(t.parent)+".")
	return report.Path(rest)
}

// named adds the name of the document that refers to the text to the message of a finding.
func (t text) named(f report.Finding) report.Finding {
	if t.name != "" {
		f.Message = "in " + t.name + ": " + f.Message
	}
	return f
}

// locate sets the line and column of each finding. It names the configuration that contains the finding, unless the
// machine was started with it.
func (r *resolver) locate(findings report.Report) report.Report {
	out := slices.Clone(findings)
	for i, t := range r.texts {
		var local report.Report
		var at []int
		for k, f := range out {
			if r.innermost(f.Path) == i {
				f.Path = t.relative(f.Path)
				local, at = append(local, f), append(at, k)
			}
		}
		if r.Locator != nil && len(local) > 0 {
			local = r.Locator.Locate(t.data, local)
		}
		for j, k := range at {
			out[k].Line, out[k].Column = local[j].Line, local[j].Column
			out[k] = t.named(out[k])
		}
	}
	return out
}

// innermost returns the index of the innermost text that contains the path, or -1. A text is listed after the one that
// refers to it.
func (r *resolver) innermost(p report.Path) int {
	for i, t := range slices.Backward(r.texts) {
		if t.contains(p) {
			return i
		}
	}
	return -1
}
