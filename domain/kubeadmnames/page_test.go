package kubeadmnames_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/test/golden"
)

// TestPage generates the page about the names.
func TestPage(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, `# Names of kubeadm

These names are accepted for Kubernetes 1.%d to 1.%d. An unknown phase or feature gate is an error, because kubeadm
refuses it. An unknown preflight check is a warning, because kubeadm ignores it. Without a version, the names of all
versions are accepted. A test generates this page from the tables in `+"`domain/kubeadmnames`"+`, and other tests
compare the tables with real kubeadm.

The source is %s.
`, kubeadmnames.Oldest, kubeadmnames.Newest, kubeadmnames.Source)
	for _, table := range []struct {
		title string
		names []kubeadmnames.Name
	}{
		{"Phases of kubeadm init", kubeadmnames.InitPhases()},
		{"Phases of kubeadm join", kubeadmnames.JoinPhases()},
		{"Preflight checks", kubeadmnames.Checks()},
		{"Feature gates", kubeadmnames.Gates()},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| name | first version | removed in |\n|---|---|---|\n", table.title)
		for _, n := range table.names {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", n.Text, minor(n.Since), minor(n.Removed))
		}
	}
	golden.File(t, "../../docs/kubeadm-names.md", []byte(b.String()))
}

func minor(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("1.%d", n)
}

// TestRanges shows that each name exists in some version.
func TestRanges(t *testing.T) {
	for _, table := range [][]kubeadmnames.Name{
		kubeadmnames.InitPhases(), kubeadmnames.JoinPhases(), kubeadmnames.Checks(), kubeadmnames.Gates(),
	} {
		for _, n := range table {
			if n.Removed != 0 && n.Since >= n.Removed || n.Since > kubeadmnames.Newest {
				t.Errorf("%s: no version has it", n.Text)
			}
		}
	}
}
