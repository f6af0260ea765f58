// Command mutations shows that the tests that docs/requirements.md names prove their rows: it removes what a row
// promises from the product, one small change at a time, and expects that a test of the row fails. It does the same for
// the rules by which control planes are decided.
//
//	go run ./hack/mutations [-row R6] [-page docs/evidence/requirements.md]
//	go run ./hack/mutations -table decisions [-page docs/evidence/control-plane-mutations.md]
//
// The changes are overlays of the go command, so that the tree stays clean. Programs that a test builds contain the
// change as well. The tests need what `make test` needs; all rows take about an hour.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	row := flag.String("row", "", "run the mutations of this row; all rows if empty")
	table := flag.String("table", "requirements", "run the mutations of this table: requirements or decisions")
	page := flag.String("page", "", "write the results to this Markdown file")
	flag.Parse()
	if err := run(context.Background(), *table, *row, *page, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutations:", err)
		os.Exit(1)
	}
}

// tables returns the tables of mutations by their names.
func tables() map[string][]mutation {
	return map[string][]mutation{"requirements": mutations(), "decisions": decisions()}
}

// run runs the mutations of a row and prints a line for each. It fails unless each test fails with its mutation.
func run(ctx context.Context, table, row, page string, out io.Writer) error {
	var results []result
	var survived []string
	all, found := tables()[table]
	if !found {
		return fmt.Errorf("there is no table %q; use requirements or decisions", table)
	}
	for _, m := range all {
		if row != "" && !m.proves(row) {
			continue
		}
		began := time.Now()
		killed, err := m.run(ctx, ".")
		results = append(results, result{m, killed})
		verdict := "fails, as it must"
		if err != nil {
			verdict = "did not run: " + err.Error()
		} else if !killed {
			verdict = "PASSES"
		}
		if !killed {
			survived = append(survived, m.String())
		}
		fmt.Fprintf(out, "%s: %s (%s)\n", m, verdict, time.Since(began).Round(time.Second))
	}
	if page != "" {
		if err := os.WriteFile(page, []byte(headings()[table]+render(results)), 0o600); err != nil {
			return err
		}
	}
	if len(survived) > 0 {
		return fmt.Errorf("%d tests do not fail without what they prove: %s", len(survived), strings.Join(survived, ", "))
	}
	return nil
}

// result is a mutation and whether its test failed.
type result struct {
	mutation

	killed bool
}

// headings returns the text above the results of each table.
func headings() map[string]string {
	return map[string]string{
		"requirements": `# Do the tests prove the requirements?

[requirements.md](../requirements.md) names tests for each row. Each line below removes what a row promises from the
product and runs one of the row's tests, which must fail. ` + "`go run ./hack/mutations`" + ` repeats the lines and
writes this page; ` + "`make nightly`" + ` runs all of them, and ` + "`make test`" + ` a few.

`,
		"decisions": `# Do the tests prove the rules of control planes?

Each line below removes a rule of ` + "`controlplane.Plan`" + ` and runs a test, which must fail.
[The model](control-plane-model.md) describes ` + "`TestModel`" + `, which visits all states.
` + "`go run ./hack/mutations -table decisions`" + ` repeats the lines and writes this page.
` + "`make nightly`" + ` runs all of them, and ` + "`make test`" + ` one.

`,
	}
}

// render returns the table of the results.
func render(results []result) string {
	var b strings.Builder
	b.WriteString(`| row | file | instead of | there is | test | result |
|---|---|---|---|---|---|
`)
	for _, r := range results {
		verdict := "fails"
		if !r.killed {
			verdict = "**does not fail**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | `%s` | %s |\n", strings.Join(r.rows, ", "), r.file, cell(r.before),
			cell(r.after), r.test, verdict)
	}
	return b.String()
}

// cell returns the text as code in a cell of a table.
func cell(text string) string {
	if text == "" {
		return "nothing"
	}
	text = strings.Join(strings.Fields(text), " ")
	return "``" + " " + strings.ReplaceAll(text, "|", `\|`) + " " + "``"
}
