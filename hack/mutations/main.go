// Command mutations shows that the tests that docs/requirements.md names prove their rows: it removes what a row
// promises from the product, one small change at a time, and expects that a test of the row fails.
//
//	go run ./hack/mutations [-row R6] [-page docs/evidence/requirements.md]
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
	page := flag.String("page", "", "write the results to this Markdown file")
	flag.Parse()
	if err := run(context.Background(), *row, *page, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutations:", err)
		os.Exit(1)
	}
}

// run runs the mutations of a row and prints a line for each. It fails unless each test fails with its mutation.
func run(ctx context.Context, row, page string, out io.Writer) error {
	var results []result
	var survived []string
	for _, m := range mutations() {
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
		if err := os.WriteFile(page, []byte(render(results)), 0o600); err != nil {
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

// render returns the page of the results.
func render(results []result) string {
	var b strings.Builder
	b.WriteString(`# Do the tests prove the requirements?

[requirements.md](../requirements.md) names tests for each row. Each line below removes what a row promises from the
product and runs one of the row's tests, which must fail. ` + "`go run ./hack/mutations`" + ` repeats the lines and
writes this page; ` + "`make nightly`" + ` runs all of them, and ` + "`make test`" + ` a few.

| row | file | instead of | there is | test | result |
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
