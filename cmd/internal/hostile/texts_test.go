package hostile_test

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

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
		p.Snippets = append(p.Snippets, plan.Snippet{
			Snippet: delivery.Snippet{Format: f.Format().SnippetFormat(), Text: text.Text},
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
