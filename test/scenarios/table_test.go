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

Each scenario describes one machine, and contains what each operating system of a small table boots to become that
machine. The folder of a scenario contains:

- ` + "`manifests.yaml`" + `: the machine, for one system. ` + "`spec.os`" +
	` is one line; only that line is replaced for the
  other systems.
- ` + "`os/<system>.yaml`" +
	`: further changes that a system needs. The file is merged into the config, and the README has
  the reason.
- ` + "`want/<format>/<system>.*`" + `: the data that the machine boots. The real consumer of each format reads it
  (` + "`test/consumers`" + `, ` + "`adapters/render/shell`" + `).
- ` + "`want/report.txt`" + `: what a format does not support, and the alternatives.

The table of systems is in ` + "`test/scenarios/systems.go`" + `. A test generates this page from the goldens.
A number is the number of systems that the format supports for the scenario; "no" means that the report contains the
reasons.

`

// TestTable generates the page that shows which formats support which machines.
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
	message := 0
	for _, path := range goldens {
		if strings.Contains(path, "/"+scenario+"/want/") {
			message++
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
	case message == 0 && refused == 0:
		return ""
	case message == 0:
		return "no"
	case refused == 0:
		return fmt.Sprint(message)
	}
	return fmt.Sprintf("%d of %d", message, message+refused)
}
