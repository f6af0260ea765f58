package nodecli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/nodecli"
)

// TestResetAsksOnATerminal resets a machine with every answer. Only y and yes change the machine.
func TestResetAsksOnATerminal(t *testing.T) {
	cases := map[string]struct {
		reason, answer string
		terminal       bool
		flags          []string
		code           int
		resets         bool
		prints         string
	}{
		"yes":     {"the user confirms", "yes\n", true, nil, nodecli.ExitOK, true, "Continue? [y/N] "},
		"Y":       {"case does not matter", "Y\n", true, nil, nodecli.ExitOK, true, "undo: "},
		"no":      {"the user declines", "n\n", true, nil, nodecli.ExitFailed, false, "nothing was changed"},
		"enter":   {"no is the default", "\n", true, nil, nodecli.ExitFailed, false, "nothing was changed"},
		"closed":  {"the terminal was closed", "", true, nil, nodecli.ExitFailed, false, "nothing was changed"},
		"flag":    {"--yes confirms", "", true, []string{"--yes"}, nodecli.ExitOK, true, "undo: "},
		"program": {"programs are not asked", "", false, nil, nodecli.ExitOK, true, "undo: "},
		"dry run": {"it changes nothing", "y\n", true, []string{"--dry-run"}, nodecli.ExitOK, false, "undo: "},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			past := &memory.Journal{}
			var output bytes.Buffer
			o := nodecli.Options{
				Out: &output, Err: &output, In: strings.NewReader("any"), Interactive: c.terminal,
				Open: opener(memory.NewHost(), past, &memory.Resumption{}),
			}
			if code := nodecli.Run(t.Context(), o, []string{"apply", "--path", "-"}); code != nodecli.ExitOK {
				t.Fatalf("apply: exit code %d: %s", code, &output)
			}
			o.In = strings.NewReader(c.answer)
			if code := nodecli.Run(t.Context(), o, append([]string{"reset"}, c.flags...)); code != c.code {
				t.Errorf("%s: exit code %d, want %d: %s", c.reason, code, c.code, &output)
			}
			entries, err := past.Load(t.Context())
			if err != nil || (len(entries) == 0) != c.resets {
				t.Errorf("%s: %d entries remain: %v", c.reason, len(entries), err)
			}
			if !strings.Contains(output.String(), c.prints) {
				t.Errorf("%s: the output lacks %q:\n%s", c.reason, c.prints, &output)
			}
		})
	}
}
