package report_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/report"
)

func TestErrors(t *testing.T) {
	wrong := report.Errorf("spec.a", "wrong").To("remove it")
	long := report.Errorf("spec.b", "%s", strings.Repeat("x", 3*report.MaxText))
	many := report.Report{}
	for range 1000 {
		many = append(many, wrong)
	}
	cases := map[string]struct {
		reason string
		found  report.Report
		want   []string
	}{
		"one": {"one needs no number", report.Report{wrong}, []string{"spec.a: wrong; remove it"}},
		"warning": {
			"a warning prevents nothing",
			report.Report{report.Warningf("spec.c", "odd"), wrong},
			[]string{"spec.a: wrong"},
		},
		"several": {
			"all are shown",
			report.Report{wrong, report.Errorf("spec.b", "missing")},
			[]string{"2 errors: 1. spec.a: wrong; remove it 2. spec.b: missing"},
		},
		"long": {
			"a long error hides no other",
			report.Report{long, wrong},
			[]string{"2 errors: 1. spec.b: xxx", "2. spec.a: wrong"},
		},
		"many": {"a condition is bounded", many, []string{"1000 errors: 1. spec.a: wrong", " more"}},
	}
	for name, tc := range cases {
		got := tc.found.Errors()
		if len(got) > report.MaxText {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		for _, want := range tc.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s: %q does not contain %q", name, tc.reason, got, want)
			}
		}
	}
}
