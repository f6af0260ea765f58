package structured_test

import (
	"errors"
	"testing"

	"github.com/machineadm/machineadm/adapters/structured"
)

func TestMalformed(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"known": {
			"the kind of mistake is named", "yaml: line 7: did not find expected key",
			"error: p (line 7, column 1): this is not YAML: there is no key where one is wanted; look at the indentation",
		},
		"column": {
			"", "yaml: line 7, column 9: found unknown escape character",
			"error: p (line 7, column 9): this is not YAML: an escape in a quoted text is not known",
		},
		"wrapped": {"several libraries report it", "error converting YAML to JSON: yaml: line 2: " +
			"unknown anchor 'x' referenced", "error: p (line 2, column 1): this is not YAML: an alias names no anchor; quote " +
			"a text that begins with an asterisk"},
		"many": {"the first counts", "yaml: unmarshal errors:\n  line 3: cannot unmarshal !!str `line 4: " +
			"x` into int\n  line 5: b", "error: p (line 3, column 1): this is not YAML: a value is of " +
			"another type than its field"},
		"unknown": {"nothing is better than too much", "yaml: secret", "error: p: this is not YAML"},
		"quoted line": {
			"digits of a text are no line", "yaml: unknown anchor 'line 99: ' referenced",
			"error: p: this is not YAML: an alias names no anchor; quote a text that begins with an asterisk",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := structured.Malformed("p", "this is not YAML", errors.New(tc.in)).String(); got != tc.want {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}
