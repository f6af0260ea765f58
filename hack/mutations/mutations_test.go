package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

const root = "../.."

// cells are the cells of a row of a table that is no heading.
var cells = regexp.MustCompile(`(?m)^\| ([^|-]+) \|.*\| ([^|]*) \|$`)

// proofs returns the last cell of each row of docs/requirements.md by the first one.
func proofs(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(root + "/docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, row := range cells.FindAllStringSubmatch(string(text), -1) {
		found[row[1]] = row[2]
	}
	delete(found, "what")
	if len(found) < 30 {
		t.Fatalf("found only the rows %v", found)
	}
	return found
}

// TestEachRowHasAMutation expects a mutation for each row, of a text that occurs in the product, with a test that the
// row names.
func TestEachRowHasAMutation(t *testing.T) {
	rows := proofs(t)
	proved := map[string]bool{}
	for _, m := range mutations() {
		if _, err := m.apply(root); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		top, _, _ := strings.Cut(m.test, "/")
		for _, row := range m.rows {
			proved[row] = true
			if proof, is := rows[row]; !is || !strings.Contains(proof, "`"+top+"`") {
				t.Errorf("%s: the row %q names no such test", m, row)
			}
		}
	}
	for row := range rows {
		if !proved[row] {
			t.Errorf("row %q has no mutation", row)
		}
	}
}

// TestMutations runs the mutations whose tests take seconds, or in `make nightly` all of them. Their tests run in the
// short version.
func TestMutations(t *testing.T) {
	all := nightly.Enabled()
	t.Setenv(nightly.Variable, "")
	for _, m := range mutations() {
		if !m.quick && !all {
			continue
		}
		t.Run(m.String(), func(t *testing.T) {
			failed, err := m.run(t.Context(), root)
			if err != nil || !failed {
				t.Errorf("the test must fail without what it proves: failed %v, %v", failed, err)
			}
		})
	}
}

// TestMutationsThatProveNothing expects that a change without an effect, and one that does not compile, are noticed.
func TestMutationsThatProveNothing(t *testing.T) {
	m := mutation{
		file: "app/oscontract/check.go", before: `return m.one("curl", "wget")`,
		after: `return (m.one("curl", "wget"))`,
		pkg:   "app/oscontract", test: "TestEachClause",
	}
	if failed, err := m.run(t.Context(), root); failed || err != nil {
		t.Errorf("without an effect: failed %v, %v", failed, err)
	}
	m.after = "return"
	if _, err := m.run(t.Context(), root); err == nil || !strings.Contains(err.Error(), "build app/oscontract/check.go") {
		t.Errorf("not compiling: %v", err)
	}
	m.before = "not in the file"
	if _, err := m.run(t.Context(), root); err == nil || !strings.Contains(err.Error(), "0 times") {
		t.Errorf("not in the file: %v", err)
	}
}
