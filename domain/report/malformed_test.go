package report_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/domain/report"
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
			if got := report.Malformed("p", "this is not YAML", errors.New(tc.in)).String(); got != tc.want {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

func TestUnquoted(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"nothing":       {"", "the path is\n\t relative", "the path is relative"},
		"double":        {"", `unit "x" is enabled`, "unit a value is enabled"},
		"single":        {"", "unknown anchor 'x' referenced", "unknown anchor a value referenced"},
		"backtick":      {"", "cannot unmarshal !!str `x` into int", "cannot unmarshal !!str a value into int"},
		"two":           {"a value may hold a mark", `a "x" for "y" has none`, "a a value has none"},
		"mixed":         {"", "a \"x' y\" 'z' b", "a a value b"},
		"apostrophe":    {"that is no mark", `unit "x" doesn't start`, "unit a value doesn't start"},
		"no end":        {"the rest goes", `garbage "x`, "garbage a value"},
		"lines":         {"", "parse \"x\ny\": bad", "parse a value: bad"},
		"after a colon": {"", `option:"x"`, "option:a value"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := report.Unquoted(tc.in); got != tc.want {
				t.Errorf("%s: %s", tc.reason, got)
			}
		})
	}
}

func TestQuiet(t *testing.T) {
	plain := errors.New("the server is away")
	if got := report.Quiet(plain); got != plain { //nolint:errorlint // It is the same.
		t.Errorf("%v", got)
	}
	quoting := fmt.Errorf("invalid proxy address %q: %w", "http://u:canary7q9zk2xw5v@h", plain)
	got := report.Quiet(quoting)
	if !errors.Is(got, plain) || got.Error() != "invalid proxy address a value: the server is away" {
		t.Errorf("%v", got)
	}
	if report.Quiet(nil) != nil {
		t.Error("nothing is an error")
	}
}
