package portstest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// expansions is how often an expander is asked the same: often enough that two keys of a map come in either order.
const expansions = 8

// Expander holds an expander to its contract for one question, and returns the answer: it describes itself, always in
// the same way; it answers the same each time; its findings are about the document; next to errors there are no
// actions, and each action has a phase.
func Expander(t *testing.T, x ports.Expander, e ports.Expansion) ([]action.Action, report.Report) {
	t.Helper()
	described(t, x, e.Document)
	actions, findings := expanded(t, x, e)
	for range expansions {
		again, found := expanded(t, x, e)
		if !reflect.DeepEqual(again, actions) || !reflect.DeepEqual(found, findings) {
			t.Fatal("asked the same, the expander gives another answer")
		}
	}
	for _, f := range findings {
		if !f.Path.Under(e.Document.Source.Path) {
			t.Errorf("the finding %q is not about the document at %s", f, e.Document.Source.Path)
		}
	}
	if findings.HasErrors() && len(actions) > 0 {
		t.Errorf("%d actions next to an error", len(actions))
	}
	for _, a := range actions {
		if !slices.Contains(document.Phases(), a.In()) {
			t.Errorf("%q is in no phase", a.Do.Summary())
		}
	}
	return actions, findings
}

func described(t *testing.T, x ports.Expander, d document.Document) {
	t.Helper()
	c := x.Describe()
	if c.Name == "" || !slices.Contains(c.Kinds, d.Kind()) {
		t.Errorf("Describe = %+v, which does not name the kind %s", c, d.Kind())
	}
	if !reflect.DeepEqual(c, x.Describe()) {
		t.Error("Describe changes")
	}
}

func expanded(t *testing.T, x ports.Expander, e ports.Expansion) ([]action.Action, report.Report) {
	t.Helper()
	actions, findings, err := x.Expand(context.Background(), e)
	if err != nil {
		t.Fatalf("Expand: %v", err)
	}
	return actions, findings
}
