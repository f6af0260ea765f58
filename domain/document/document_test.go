package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

type note struct{ text string }

func (note) Kind() document.Kind                 { return "Note" }
func (n note) Check(p report.Path) report.Report { return report.Report{report.Infof(p, "%s", n.text)} }

func documents() []document.Document {
	return []document.Document{
		{Value: document.Opaque{Type: "Unknown"}, Source: document.Source{Path: "spec.a"}},
		{Value: note{"first"}, Source: document.Source{Object: "Note/ns/n", Path: "spec.b"}},
		{Value: note{"second"}, Source: document.Source{Path: "spec.c"}},
	}
}

func TestSelectKeepsTheOrder(t *testing.T) {
	if diff := cmp.Diff([]note{{"first"}, {"second"}}, document.Select[note](documents()),
		cmp.AllowUnexported(note{})); diff != "" {
		t.Error(diff)
	}
	if got := document.Select[note](nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestFirst(t *testing.T) {
	n, source, ok := document.First[note](documents())
	if n.text != "first" || source.Path != "spec.b" || !ok {
		t.Errorf("First = %v, %v, %v", n, source, ok)
	}
	if _, source, ok := document.First[note](nil); ok || source != (document.Source{}) {
		t.Errorf("of nothing: %v, %v", source, ok)
	}
}

func TestDocumentChecksItsValueAtItsPath(t *testing.T) {
	docs := documents()
	if diff := cmp.Diff(report.Report{report.Infof("spec.c", "second")}, docs[2].Check()); diff != "" {
		t.Error(diff)
	}
	if got := docs[0].Check(); got != nil {
		t.Errorf("an opaque document is checked: %v", got)
	}
	if docs[0].Kind() != "Unknown" || docs[1].Kind() != "Note" {
		t.Errorf("kinds %s and %s", docs[0].Kind(), docs[1].Kind())
	}
}

func TestSourceNamesTheObject(t *testing.T) {
	docs := documents()
	if got := docs[1].Source.String(); got != "Note/ns/n: spec.b" {
		t.Errorf("with an object: %q", got)
	}
	if got := docs[2].Source.String(); got != "spec.c" {
		t.Errorf("without an object: %q", got)
	}
}

func TestPhasesAreInOrderAndNamed(t *testing.T) {
	want := []string{"disk", "trust", "user", "file", "unit", "boot", "pre", "join", "post"}
	var got []string
	for i, p := range document.Phases() {
		if int(p) != i+1 {
			t.Errorf("phase %s is number %d", p, p)
		}
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, p := range []document.Phase{0, -1, 10} {
		if got := p.String(); got != map[document.Phase]string{0: "phase(0)", -1: "phase(-1)", 10: "phase(10)"}[p] {
			t.Errorf("phase %d is %q", int(p), got)
		}
	}
}
