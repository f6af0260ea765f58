//go:build !unit

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

// TestMutations runs the mutations whose tests take seconds, or in `make nightly` all of them. Their tests run in the
// short version.
func TestMutations(t *testing.T) {
	all := nightly.Enabled()
	t.Setenv(nightly.Variable, "")
	for _, m := range slices.Concat(mutations(), decisions()) {
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
