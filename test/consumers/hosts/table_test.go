//go:build linux

// Package hosts_test runs every row of the fault table of ADR 0075 against hosts with real SSH servers.
package hosts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/test/programs"
)

// row is a row of the table: what becomes of a machine before and after its data is sent, and of a host at a deletion.
type row struct{ fault, before, after, deletion, reason string }

// rows returns the fault table of the ADR.
func rows(t *testing.T) []row {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(programs.Root(), "docs/adr/0075-*.md"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the ADR is missing: %v", err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n### Faults\n")
	section, _, _ = strings.Cut(section, "\n### ")
	var all []row
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 || strings.HasPrefix(cells[0], "-") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, row{cells[0], cells[2], cells[3], cells[4], strings.Trim(cells[5], "`")})
	}
	return all[1:]
}

// operation returns the operation that a cell describes, after the deadline of the stage if the cell names one.
func operation(t *testing.T, cell string, deletion bool) host.Operation {
	t.Helper()
	switch {
	case strings.HasPrefix(cell, "tried again"):
		return host.OperationWait
	case strings.Contains(cell, "fails"):
		return host.OperationFail
	case deletion && strings.HasPrefix(cell, "host unavailable"):
		return host.OperationMarkHost
	case strings.HasPrefix(cell, "host unavailable"), strings.Contains(cell, "another host"):
		return host.OperationReturnHost
	}
	t.Fatalf("the cell %q describes no operation", cell)
	return ""
}
