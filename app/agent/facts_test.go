package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// platform returns the same value for each fact.
type platform string

func (p platform) Lookup(context.Context, document.Fact) (string, error) { return string(p), nil }

// TestHostileFactsAreRefused settles a file with values from a hostile metadata service.
func TestHostileFactsAreRefused(t *testing.T) {
	file := action.WriteFile{File: machine.File{Path: "/etc/a", Content: document.Join(document.Text("a="),
		document.FromFact(document.FactZone))}}
	for value, want := range map[string]string{
		"eu-1a": "a=eu-1a", "/subscriptions/1": "a=/subscriptions/1",
		"a\nExecStart=/bin/sh": "", `a","b":"c`: "", "$(reboot)": "", "a b": "", "a,b=c": "", "-v": "", "": "", "%h": "",
		strings.Repeat("a", 1025): "",
	} {
		s := Service{Dependencies: Dependencies{Facts: platform(value)}}
		op, err := s.settle(t.Context(), file)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "zone: the value") {
				t.Errorf("%q: %v", value, err)
			}
			continue
		}
		if got := dropIn(t, s); got != want {
			t.Errorf("%q: the drop-in is %q, want %q", value, got, want)
		}
		written, _ := op.(action.WriteFile)
		if got, _ := written.Content.Static(); err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", value, got, err, want)
		}
	}
}

// dropIn returns the text of a drop-in of which the service has filled in the facts.
func dropIn(t *testing.T, s Service) string {
	t.Helper()
	content := document.Join(document.Text("a="), document.FromFact(document.FactZone))
	unit := action.EnsureUnit{Unit: machine.Unit{
		Name: "a.service", DropIns: []machine.DropIn{{Name: "a.conf", Content: content}},
	}}
	op, err := s.settle(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	if _, static := unit.DropIns[0].Content.Static(); static {
		t.Error("the operation of the plan has changed")
	}
	settled, _ := op.(action.EnsureUnit)
	text, _ := settled.DropIns[0].Content.Static()
	return string(text)
}
