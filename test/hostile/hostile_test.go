package hostile_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hostile"
)

// minimum is how many inputs the table has at least; it only grows.
const minimum = 150

func TestTable(t *testing.T) {
	cases, names := append(hostile.Cases(), hostile.WindowsCases()...), map[string]bool{}
	if len(cases) < minimum {
		t.Errorf("the table has %d inputs, want at least %d", len(cases), minimum)
	}
	for _, c := range cases {
		if names[c.Name] || c.Reason == "" {
			t.Errorf("%s: names are unique and have a reason", c.Name)
		}
		names[c.Name] = true
	}
}

func TestWhatNoMachineTakesIsRefusedByItsDocument(t *testing.T) {
	for _, c := range append(hostile.Cases(), hostile.WindowsCases()...) {
		t.Run(c.Name, func(t *testing.T) {
			var r report.Report
			for _, d := range c.Documents {
				r = append(r, d.Check()...)
			}
			if r.HasErrors() != c.Refused {
				t.Errorf("%s: refused %v, want %v: %v", c.Reason, r.HasErrors(), c.Refused, r)
			}
			canary.Check(t, "the findings", r.String())
			for _, f := range r {
				if !f.Path.Under(c.Documents[0].Source.Path) && len(c.Documents) == 1 {
					t.Errorf("the finding is at %s", f.Path)
				}
			}
		})
	}
}
