package bootscript

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/facts"
)

// TestFactAcceptsOnlyValues compares the function _fact with facts.IsValue: for each byte at the beginning and within a
// value, and for texts that would break out of a shell, a unit, an environment file, YAML or a list of labels.
func TestFactAcceptsOnlyValues(t *testing.T) {
	values := []string{
		"", strings.Repeat("a", facts.MaxValue), strings.Repeat("a", facts.MaxValue+1), "i-0123456789abcdef0",
		"a\nKUBELET_EXTRA_ARGS=--anonymous-auth=true", "$(touch /pwned)", "a'; reboot; '", `a","b":"`, "a,b=c", "a b", "é",
		"\xff", "2001:db8::1", "/subscriptions/1/vm", "%h", "a\\",
	}
	for b := 1; b < 256; b++ {
		values = append(values, string([]byte{byte(b)}), "a"+string([]byte{byte(b)})+"b")
	}
	var script strings.Builder
	script.WriteString(factScript)
	for _, v := range values {
		script.WriteString("if [ \"$(_fact " + Quote(v) + " 2>/dev/null)\" = " + Quote(v) + " ]&&_fact " + Quote(v) +
			" >/dev/null 2>&1;then echo yes;else echo no;fi\n")
	}
	for _, shell := range []string{"dash", "bash"} {
		command := exec.CommandContext(t.Context(), shell)
		command.Stdin, command.Env = strings.NewReader(script.String()), []string{"LC_ALL=C.UTF-8"}
		output, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		accepted := strings.Fields(string(output))
		if len(accepted) != len(values) || !slices.Contains(accepted, "yes") {
			t.Fatalf("%s: %d results of %d", shell, len(accepted), len(values))
		}
		for i, v := range values {
			if want := facts.IsValue(v); want != (accepted[i] == "yes") {
				t.Errorf("%s: %q: %s, want %v", shell, v, accepted[i], want)
			}
		}
	}
}
