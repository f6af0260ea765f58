package report_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/domain/report"
)

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
