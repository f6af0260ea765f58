//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/nodecli"
	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/adapters/record"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/oscontract"
	"github.com/machineadm/machineadm/test/golden"
)

const contractPage = "../../docs/os-contract.md"

// TestDocsHaveEachClause makes the table of the page from the clauses.
func TestDocsHaveEachClause(t *testing.T) {
	text, err := os.ReadFile(contractPage)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- clauses -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("the page has no place for the clauses")
	}
	var b strings.Builder
	b.WriteString(before + begin + "| clause | level | what | why | if it is missing |\n|---|---|---|---|---|\n")
	for _, c := range oscontract.Clauses() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", c.Name, strings.ToLower(string(c.Level)), c.What, c.Why, c.Remedy)
	}
	golden.File(t, contractPage, []byte(b.String()+end+after))
}

var (
	cellPattern = regexp.MustCompile("(?m)^\\| (`/[^|]*`) \\|")
	codePattern = regexp.MustCompile(`(?m)^\| (\d+) \|`)
)

// TestDocsHaveEachPath holds the page's paths and exit codes to those of the program.
func TestDocsHaveEachPath(t *testing.T) {
	text, err := os.ReadFile(contractPage)
	if err != nil {
		t.Fatal(err)
	}
	at := record.Linux("/")
	want := append([]string{
		delivery.AgentPath, delivery.ConfigurationPath, logPath, delivery.ResumeUnitPath,
		filepath.Join(at.State, record.JournalFile), filepath.Join(at.State, record.DoneFile),
		filepath.Join(at.State, record.StatusFile), filepath.Join(at.Run, record.StatusFile),
		filepath.Join(at.State, record.FailureFile), filepath.Join(at.Sentinel, record.PublicFailureFile),
		filepath.Join(at.Sentinel, record.SentinelFile),
	}, host.Directories()...)
	var got []string
	for _, cell := range cellPattern.FindAllStringSubmatch(string(text), -1) {
		for path := range strings.SplitSeq(cell[1], ", ") {
			got = append(got, strings.Trim(path, "`"))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("the table of paths (-program +page):\n%s", diff)
	}
	var codes []string
	for _, m := range codePattern.FindAllStringSubmatch(string(text), -1) {
		codes = append(codes, m[1])
	}
	if diff := cmp.Diff([]string{
		fmt.Sprint(nodecli.ExitOK), fmt.Sprint(nodecli.ExitFailed),
		fmt.Sprint(nodecli.ExitUsage), fmt.Sprint(nodecli.ExitStopped),
	}, codes); diff != "" {
		t.Errorf("the exit codes (-program +page):\n%s", diff)
	}
}
