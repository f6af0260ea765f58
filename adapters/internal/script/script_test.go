package script_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/script"
)

func TestStrip(t *testing.T) {
	cases := map[string]struct{ reason, program, want string }{
		"interpreter":     {"the kernel reads the first line", "#!/bin/sh\n# a\nb\n", "#!/bin/sh\nb\n"},
		"comments":        {"only a reader needs them", "# a\n\t# b\nc\n", "c\n"},
		"blank lines":     {"a blank line has no effect", "a\n\n  \nb\n", "a\nb\n"},
		"indentation":     {"it has no effect", "if a; then\n  b\n\tc\nfi\n", "if a; then\nb\nc\nfi\n"},
		"hash in a word":  {"only a line of its own is a comment", "a ${b#c}\nd '# e'\n", "a ${b#c}\nd '# e'\n"},
		"no line end":     {"the last line may have none", "a\n  b", "a\nb"},
		"nothing at all":  {"a program may have only comments", "# a\n", ""},
		"second shebang":  {"only the first line names an interpreter", "a\n#!/bin/sh\n", "a\n"},
		"nothing to read": {"an empty program is one", "", ""},
	}
	for name, tc := range cases {
		if got := script.Strip(tc.program); got != tc.want {
			t.Errorf("%s: %s: got %q, want %q", name, tc.reason, got, tc.want)
		}
	}
}

func TestStripPython(t *testing.T) {
	cases := map[string]struct{ reason, program, want string }{
		"levels":       {"Python needs the levels", "if a:\n    if b:\n        c()\n", "if a:\n if b:\n  c()\n"},
		"continuation": {"a continued line may have any indentation", "a(\n  b,\n     c)\n", "a(\n b,\n  c)\n"},
		"comments":     {"only a reader needs them", "def a():\n    # b\n    c()\n", "def a():\n c()\n"},
	}
	for name, tc := range cases {
		if got := script.StripPython(tc.program); got != tc.want {
			t.Errorf("%s: %s: got %q, want %q", name, tc.reason, got, tc.want)
		}
	}
}
