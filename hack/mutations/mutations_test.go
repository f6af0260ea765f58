package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
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

// TestEachDecisionCanBeMutated expects that the texts of the rules occur in the product.
func TestEachDecisionCanBeMutated(t *testing.T) {
	rules := map[string]bool{}
	for _, m := range decisions() {
		if _, err := m.apply(root); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		if rules[m.rows[0]] {
			t.Errorf("two mutations have the rule %q", m.rows[0])
		}
		rules[m.rows[0]] = true
	}
}
