package report_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/report"
)

func TestConceal(t *testing.T) {
	cases := map[string]struct{ reason, text, message, want string }{
		"key": {
			"it is a word of the text",
			"storage:\n  hunter2: x\n",
			"unrecognized key: hunter2",
			"unrecognized key: … (… is what the Secret has)",
		},
		"path": {
			"dots separate words",
			"a:\n  hunter2: x\n",
			"a.hunter2.0 is unknown",
			"a.….0 is unknown (… is what the Secret has)",
		},
		"part":  {"a part of a word is another word", "hunter2: x\n", "hunter22 and hunter", "hunter22 and hunter"},
		"short": {"short words are everywhere", "key: a\n", "the key a is unknown", "the key a is unknown"},
		"accents": {
			"letters of other scripts are letters",
			"pässwörd: x",
			"no key pässwörd",
			"no key … (… is what the Secret has)",
		},
		"nothing": {"there is nothing to conceal", "", "no key", "no key"},
		"invalid": {"bytes that are no text stay as they are", "a\xffbcd", "a\xffbcd!", "…! (… is what the Secret has)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := report.Errorf("spec", "%s", c.message)
			if got := report.Conceal(c.text)(f); got.Message != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got.Message, c.want)
			}
		})
	}
}
