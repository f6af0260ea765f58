package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/machineadm/machineadm/domain/report"
)

func TestCut(t *testing.T) {
	cases := map[string]struct {
		reason, in string
		n          int
		want       string
	}{
		"short":   {"nothing is cut", "abc", 3, "abc"},
		"long":    {"the end is marked", "abcdef", 5, "ab…"},
		"rune":    {"a character stays whole", "aéé", 5, "aéé"},
		"in rune": {"half a character goes", "ééé", 5, "é…"},
		"no text": {"bytes that are no text are cut, too", "a\x80\x80\x80\x80\x80\x80", 6, "…"},
	}
	for name, tc := range cases {
		got := report.Cut(tc.in, tc.n)
		if name == "no text" {
			if len(got) > tc.n {
				t.Errorf("%s: %q", tc.reason, got)
			}
			continue
		}
		if got != tc.want {
			t.Errorf("%s: %s: %q, want %q", name, tc.reason, got, tc.want)
		}
	}
}

// TestExcerptShowsItsColumn cuts a line of wide characters around each of its bytes.
func TestExcerptShowsItsColumn(t *testing.T) {
	line := strings.Repeat("aé€😀", 100)
	for column := 1; column <= len(line); column++ {
		got, at := report.Excerpt(line, column, 40)
		if len(got) > 40 || !utf8.ValidString(got) {
			t.Fatalf("column %d: %q", column, got)
		}
		if utf8.RuneStart(line[column-1]) && got[at-1] != line[column-1] {
			t.Fatalf("column %d: byte %d of %q is another one", column, at, got)
		}
	}
	if got, at := report.Excerpt("short", 99, 40); got != "short" || at != 6 {
		t.Errorf("behind the end: %q, %d", got, at)
	}
}

func TestShown(t *testing.T) {
	var r report.Report
	for i := range 3 * report.MaxShown {
		r = append(r, report.Warningf(report.Path("p").Index(i), "%s", strings.Repeat("x", report.MaxText+1)))
	}
	r = append(r, report.Errorf("p", "the worst"))
	shown, omitted := r.Shown()
	if len(shown) != report.MaxShown || omitted != 2*report.MaxShown+1 || shown[0].Message != "the worst" {
		t.Errorf("%d shown, %d left out, first %s", len(shown), omitted, shown[0].Message)
	}
	if n := len(shown[1].Message); n > report.MaxText {
		t.Errorf("a message of %d bytes", n)
	}
}
