package hostile_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

// language returns the format of the snippets that a renderer merges.
func language(f delivery.Format) delivery.Format {
	return cmp.Or(map[delivery.Format]delivery.Format{delivery.FormatIgnition: delivery.FormatButane}[f], f)
}

// A costly text, three times as a snippet, costs no format more than the bound, and what is refused is refused at the
// snippets.
func TestSnippetsAreCheap(t *testing.T) {
	for _, r := range formats.Builtin() {
		f := format{Renderer: r, target: catalogtest.Target(t, r)}
		for _, text := range hostile.Texts() {
			t.Run(string(r.Format())+"/"+text.Name, func(t *testing.T) { f.snippets(t, text) })
		}
	}
}

func (f format) snippets(t *testing.T, text hostile.Text) {
	t.Helper()
	p, findings := f.plan(t, nil)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for i := range 3 {
		p.Target.Snippets = append(p.Target.Snippets, osprofile.SourcedSnippet{
			Snippet: delivery.Snippet{Format: language(f.Format()), Text: text.Text},
			Source:  document.Source{Path: report.Path("snippets").Index(i)},
		})
	}
	memory.Below(t, memory.Render, func() {
		_, found, err := f.Render(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		findings = found
	})
	if slices.Contains([]string{"keys", "keys-in-flow", "list", "deep", "aliases", "merges", "cycle"}, text.Name) &&
		!findings.HasErrors() {
		t.Error("the text is not refused")
	}
	for i, finding := range findings {
		if finding.Severity == report.Error && !finding.Path.Under("snippets") {
			t.Errorf("finding %d is about another field: %s", i, finding)
		}
	}
}
