package scenarios

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

const head = `# Scenarios

Machines, said once each, and what every operating system of a small table would boot to become them. In a scenario's folder are:

- ` + "`manifests.yaml`" + `: the machine, for one system. ` + "`spec.os`" + ` is one line, and that line alone is replaced for the others.
- ` + "`os/<system>.yaml`" + `, where a system needs more than another line: it is merged into the config, and the README says why.
- ` + "`want/<format>/<system>.*`" + `: what the machine boots. The format's own consumer reads each (` + "`test/consumers`" + `, ` + "`adapters/render/shell`" + `).
- ` + "`want/report.txt`" + `: what cannot be said, and what to do instead.

The table stands in ` + "`cmd/machineadmctl/systems_test.go`" + `. A test wrote this page from the goldens; a number is that of the systems, and "no" means
that the report says why not.

`

// TestTable holds the page that shows which machines can be said in which formats.
func TestTable(t *testing.T) {
	goldens := byFormat(t)
	var formats []string
	for f := range goldens {
		formats = append(formats, f)
	}
	slices.Sort(formats)
	var b bytes.Buffer
	b.WriteString(head)
	fmt.Fprintf(&b, "| scenario | %s |\n|---|%s\n", strings.Join(formats, " | "), strings.Repeat("---|", len(formats)))
	folders, err := os.ReadDir(Root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range folders {
		fmt.Fprintf(&b, "| [%s](../testdata/scenarios/%s/README.md) |", d.Name(), d.Name())
		for _, f := range formats {
			b.WriteString(" " + cell(t, d.Name(), f, goldens[f]) + " |")
		}
		b.WriteString("\n")
	}
	golden.File(t, filepath.Join(Root(t), "../../docs/scenarios.md"), b.Bytes())
}

// cell returns how many systems of a format become a scenario's machine.
func cell(t *testing.T, scenario, format string, goldens []string) string {
	t.Helper()
	said := 0
	for _, path := range goldens {
		if strings.Contains(path, "/"+scenario+"/want/") {
			said++
		}
	}
	report, err := os.ReadFile(filepath.Join(Root(t), scenario, "want/report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for line := range strings.Lines(string(report)) {
		if strings.HasPrefix(line, "# "+format+" on ") && strings.HasSuffix(line, ": refused\n") {
			refused++
		}
	}
	switch {
	case said == 0 && refused == 0:
		return ""
	case said == 0:
		return "no"
	case refused == 0:
		return fmt.Sprint(said)
	}
	return fmt.Sprintf("%d of %d", said, said+refused)
}
