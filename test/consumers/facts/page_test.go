package facts_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

// The page, and the lines around its table of provider IDs.
const (
	page   = "../../../docs/facts.md"
	header = "\n| platform | provider ID | with cloud-init | with afterburn |\n|---|---|---|---|\n"
	end    = "\n## Sources\n"
)

// TestPage generates the table of provider IDs from the doubles of the platforms. UPDATE=1 writes it.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), header)
	_, after, _ := strings.Cut(rest, end)
	var b strings.Builder
	b.WriteString(before + header)
	for _, p := range platforms(t) {
		if p.Want == "" {
			continue
		}
		var parts []string
		for _, part := range p.Parts {
			switch {
			case part["metadata"] != "":
				parts = append(parts, "`{metadata: "+part["metadata"]+"}`")
			case part["fact"] != "":
				parts = append(parts, "`{fact: "+part["fact"]+"}`")
			default:
				parts = append(parts, "`{text: \""+part["text"]+"\"}`")
			}
		}
		afterburn := "yes"
		if p.Unknown || len(p.Afterburn) == 0 {
			afterburn = "no"
		}
		b.WriteString("| " + p.Name + " | " + strings.Join(parts, ", ") + " | yes | " + afterburn + " |\n")
	}
	golden.File(t, page, []byte(b.String()+end+after))
}
