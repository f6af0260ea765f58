package hardening_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/test/golden"
)

const page = "../../docs/hardening.md"

// TestDocsListAllSettings writes the table of docs/hardening.md.
func TestDocsListAllSettings(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- answers -->\n", "<!-- end of answers -->"
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatal("the page has no place for the table")
	}
	var b strings.Builder
	b.WriteString(head + begin + "| where | setting | value | CIS | STIG |\n|---|---|---|---|---|\n")
	for _, a := range hardening.Settings() {
		value := strings.Join(strings.Fields(fmt.Sprint(a.Value)), " ")
		if a.Part == hardening.PartAudit {
			value = "level " + a.Name + " for all requests"
		}
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s | %s |\n", a.Part, a.Name, value, strings.Join(a.CIS, ", "),
			strings.Join(a.STIG, ", "))
	}
	golden.File(t, page, []byte(b.String()+end+tail))
}

// TestEachSettingSatisfiesACheck keeps settings out that nothing asks for, and checks from being answered in two ways.
func TestEachSettingSatisfiesACheck(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range hardening.Settings() {
		if len(a.CIS)+len(a.STIG) == 0 {
			t.Errorf("%s answers nothing", a.Name)
		}
		for _, profile := range []hardening.Profile{hardening.CIS, hardening.STIG} {
			key := fmt.Sprint(profile, a.Part, a.Name)
			if len(a.Checks(profile)) > 0 && seen[key] {
				t.Errorf("%s has %s %s set twice", profile, a.Part, a.Name)
			}
			seen[key] = seen[key] || len(a.Checks(profile)) > 0
		}
	}
}
