package hostile_test

import (
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hostile"
)

// minimum is how many inputs the table has at least; it only grows.
const minimum = 400

// table is all of it, with the settings of an ordinary machine.
func table(t *testing.T) []hostile.Case {
	t.Helper()
	profile, known := osprofile.Lookup("debian")
	if !known {
		t.Fatal("no such profile")
	}
	target := osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
	return slices.Concat(hostile.Cases(), hostile.WindowsCases(), hostile.SettingCases(target))
}

func TestTable(t *testing.T) {
	cases, names := table(t), map[string]bool{}
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

func TestInvalidInputIsRefusedByItsDocument(t *testing.T) {
	for _, c := range table(t) {
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
