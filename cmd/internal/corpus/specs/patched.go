package specs

import (
	"context"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/cmd/internal/corpus/classpatch"
)

// addPatched adds the templates of a file with the patches of the ClusterClasses that use them. Templates whose patches
// have no effect on the spec are not added.
func (f *Found) addPatched(ctx context.Context, file Spec) {
	values := Substitute(file.File)
	parts := documents(values, file.Line)
	seen := map[string]bool{}
	for _, use := range classpatch.Uses(Texts(values)) {
		spec := file
		spec.Source, spec.Index, spec.Use, spec.Line = FromPatches, use.Template, &use, parts[use.Template].Line
		before := ""
		if spec.read(parts[use.Template].Text) == "" {
			before = spec.Digest
		}
		text, err := classpatch.Apply(ctx, Texts(values), use)
		if err != nil {
			f.Skipped = append(f.Skipped, Skipped{
				spec.Repository, spec.Commit, spec.Path, spec.Line, firstLine(err.Error()),
			})
			continue
		}
		if reason := spec.read(text); reason == "" && spec.Digest != before && !seen[spec.Digest] {
			seen[spec.Digest] = true
			f.Specs = append(f.Specs, spec)
		}
	}
}

// Texts returns the documents of a text.
func Texts(text string) []string {
	var out []string
	for _, part := range Documents(text) {
		out = append(out, part.Text)
	}
	return out
}

// Title returns the path and the line, and the patch that is enabled in addition to those of the defaults.
func (s Spec) Title() string {
	title := fmt.Sprintf("%s:%d", s.Path, s.Line)
	if s.Use == nil {
		return title
	}
	return strings.TrimSuffix(title+" with the patches of its class, and "+s.Use.Patch, ", and ")
}
