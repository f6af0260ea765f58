package controlplane_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/test/golden"
)

// TestReasonsAreDocumented compares the table of reasons in the documentation with Codes. UPDATE=1 writes it.
func TestReasonsAreDocumented(t *testing.T) {
	const path = "../../docs/control-planes.md"
	const begin, end = "<!-- begin of reasons -->\n", "<!-- end of reasons -->"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no table of reasons", path)
	}
	golden.File(t, path, []byte(before+begin+reasonTable()+end+after))
}

func reasonTable() string {
	var b strings.Builder
	b.WriteString("\n| reason | meaning | remedy |\n|---|---|---|\n")
	for _, c := range controlplane.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c, c.Meaning(), cmp.Or(c.Remedy(), "–"))
	}
	return b.String() + "\n"
}

// TestCodesAreExplained expects each reason once, with a sentence, and a remedy that completes a message.
func TestCodesAreExplained(t *testing.T) {
	seen := map[controlplane.Code]bool{}
	for _, c := range controlplane.Codes() {
		if seen[c] {
			t.Errorf("%s is explained twice", c)
		}
		seen[c] = true
		if !strings.HasSuffix(c.Meaning(), ".") || strings.HasSuffix(c.Remedy(), ".") {
			t.Errorf("%s: meaning %q, remedy %q", c, c.Meaning(), c.Remedy())
		}
	}
	text, err := os.ReadFile("reason.go")
	if n := strings.Count(string(text), ` Code = "`); err != nil || n != len(seen) {
		t.Errorf("reason.go has %d constants, and %d are explained; %v", n, len(seen), err)
	}
}

// TestConditionsAreDocumented expects each condition in the documentation.
func TestConditionsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/control-planes.md")
	if err != nil {
		t.Fatal(err)
	}
	f := three()
	machines := controlplane.MachineConditions(f.d, f.o, epoch())
	for _, c := range slices.Concat(controlplane.Conditions(f.d, f.o, epoch()), machines["m1"]) {
		if !strings.Contains(string(page), "`"+string(c.Type)+"`") {
			t.Errorf("docs/control-planes.md does not explain %s", c.Type)
		}
	}
}
