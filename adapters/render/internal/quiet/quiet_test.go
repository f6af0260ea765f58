package quiet_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/quiet"
	"github.com/machineadm/machineadm/domain/report"
)

func TestOf(t *testing.T) {
	cases := map[string]struct{ reason, snippet, in, want string }{
		"quoted": {"", "a: b\n", `host "canary" is none`, "host a value is none"},
		"bare": {
			"some messages have no marks", "a: [x, {b: canary}]\n", "canary is not in dotted-tri format",
			"a value is not in dotted-tri format",
		},
		"within": {
			"a word is not torn apart", "a: file\n", "the filesystem of a file: file",
			"the filesystem of a a value: a value",
		},
		"keys":      {"they show the position", "canary: b\n", "canary is not known", "canary is not known"},
		"short":     {"it would be found anywhere", "a: is\n", "it is bad", "it is bad"},
		"documents": {"all are looked at", "a: b\n---\nc: canary\n", "bad: canary", "bad: a value"},
		"no YAML":   {"there are no values, and marks are taken out", "a: [", `bad: "canary"`, "bad: a value"},
		"pattern":   {"a value is no pattern", "a: 'c.n(ry'\n", "c.n(ry, canary", "a value, canary"},
		"URL": {
			"the cause would be removed with the URL", "a: 'http://canary:x/'\n", `parse "http://canary:x/": invalid port ":x"`,
			"this is not a URL: check its scheme, host, port and escapes",
		},
		"mode": {
			"other files have this mode", "a: 0644\n", "permissions unset, defaulting to 0644",
			"permissions unset, defaulting to 0644",
		},
		"mode of a value": {
			"only octal digits are kept", "a: canary\n", "permissions unset, defaulting to canary",
			"permissions unset, defaulting to a value",
		},
		"lines": {"messages have one line", "a: |\n  ab\n  cd\n", "bad: ab\ncd", "bad: a value"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := quiet.Of(report.Report{report.Errorf("p", "%s", tc.in)}, tc.snippet)
			if got[0].Message != tc.want {
				t.Errorf("%s: %s", tc.reason, got[0].Message)
			}
		})
	}
}
