package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/report"
)

func TestPathNotation(t *testing.T) {
	cases := map[string]struct {
		path report.Path
		want string
	}{
		"root field":   {report.Path("").Field("spec"), "spec"},
		"field":        {report.Path("spec").Field("machine").Field("files"), "spec.machine.files"},
		"index":        {report.Path("spec").Field("files").Index(3).Field("path"), "spec.files[3].path"},
		"root index":   {report.Path("").Index(0), "[0]"},
		"key":          {report.Path("sysctls").Key("net.ipv4.ip_forward"), `sysctls["net.ipv4.ip_forward"]`},
		"hostile key":  {report.Path("labels").Key("a\"]\n\x00b"), `labels["a\"]\n\x00b"]`},
		"field of key": {report.Path("labels").Key("a").Field("b"), `labels["a"].b`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if string(tc.path) != tc.want {
				t.Errorf("got %s, want %s", tc.path, tc.want)
			}
		})
	}
}

func TestUnder(t *testing.T) {
	cases := []struct {
		path, parent report.Path
		want         bool
	}{
		{"spec.files[3].path", "spec.files", true},
		{"spec.files[3].path", "spec.files[3]", true},
		{"spec.files", "spec.files", true},
		{"spec.filesystems", "spec.files", false},
		{"spec.files[30]", "spec.files[3]", false},
		{"spec", "spec.files", false},
		{"spec.files", "", true},
		{"", "", true},
		{"", "spec", false},
	}
	for _, tc := range cases {
		if got := tc.path.Under(tc.parent); got != tc.want {
			t.Errorf("%q under %q: %v", tc.path, tc.parent, got)
		}
	}
}

func TestFindingIsOneLine(t *testing.T) {
	cases := map[string]struct {
		finding report.Finding
		want    string
	}{
		"plain":  {report.Errorf("spec.a", "%q is wrong", "x\ny"), `error: spec.a: "x\ny" is wrong`},
		"remedy": {report.Warningf("spec.a", "odd").To("write %d", 1), "warning: spec.a: odd; write 1"},
		"position": {
			report.Finding{Severity: report.Info, Path: "p", Message: "m", Line: 3, Column: 7},
			"info: p (line 3, column 7): m",
		},
		"unknown": {report.Finding{Severity: 9, Path: "p", Message: "m"}, "severity(9): p: m"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.finding.String(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestReportCounts(t *testing.T) {
	r := report.Report{report.Infof("a", "i"), report.Warningf("a", "w"), report.Warningf("b", "w")}
	if r.HasErrors() || r.Count(report.Warning) != 2 || r.Count(report.Info) != 1 {
		t.Errorf("counts of %v", r)
	}
	if r = append(r, report.Errorf("a", "e")); !r.HasErrors() {
		t.Error("an error is not seen")
	}
	if got := r.String(); got != "info: a: i\nwarning: a: w\nwarning: b: w\nerror: a: e" {
		t.Errorf("String() = %q", got)
	}
	if report.Report(nil).HasErrors() || report.Report(nil).String() != "" {
		t.Error("an empty report has findings")
	}
}

// A condition is made of a report; it must not change when nothing but the order of the findings did.
func TestSortedIsStable(t *testing.T) {
	one, two, three := report.Errorf("b", "e"), report.Errorf("a", "e"), report.Infof("a", "i")
	late := report.Finding{Severity: report.Info, Path: "a", Message: "a", Line: 2}
	want := report.Report{two, one, three, late}
	given := report.Report{late, one, three, two, one, late}
	if diff := cmp.Diff(want, given.Sorted()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, report.Report{one, one, three, two, late}.Sorted()); diff != "" {
		t.Error(diff)
	}
	if given[0] != late {
		t.Error("the report itself was sorted")
	}
}
