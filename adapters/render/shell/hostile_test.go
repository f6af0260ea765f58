//go:build !unit

package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/nightly"
)

// expanded plans the documents as the use case does.
func expanded(t *testing.T, docs []document.Document) plan.Plan {
	t.Helper()
	debian := target(t, "debian")
	ordered, findings := plan.Order(docs)
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		actions, found, err := plain.New().Expand(t.Context(), ports.Expansion{Document: d, Target: debian})
		if err != nil {
			t.Fatal(err)
		}
		findings = append(append(findings, d.Check()...), found...)
		expansions[i].Actions = actions
	}
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return plan.New(debian, ordered, expansions)
}

// TestHostileInputArrives runs every accepted hostile input in a Debian. Inputs that fit on one machine run together,
// half of them in dash and the others in bash, and in a nightly run all of them in each shell. Each other input runs on
// a separate machine.
func TestHostileInputArrives(t *testing.T) {
	var together []hostile.Case
	for _, c := range hostile.Cases() {
		switch {
		case c.Refused:
		case c.Isolated:
			t.Run(c.Name, func(t *testing.T) { arrives(t, "dash", c.Documents, c) })
		default:
			together = append(together, c)
		}
	}
	for i, sh := range []string{"dash", "bash"} {
		var docs []document.Document
		var cases []hostile.Case
		for k, c := range together {
			if k%2 == i || nightly.Enabled() {
				cases, docs = append(cases, c), append(docs, c.Documents...)
			}
		}
		t.Run(sh, func(t *testing.T) { arrives(t, sh, docs, cases...) })
	}
	if len(together) < 120 {
		t.Errorf("only %d hostile inputs arrive", len(together))
	}
}

func arrives(t *testing.T, sh string, docs []document.Document, cases ...hostile.Case) {
	t.Helper()
	rendering, findings, err := shell.Renderer{}.Render(t.Context(), expanded(t, docs))
	if err != nil || findings.HasErrors() {
		t.Fatal(err, findings)
	}
	m := newMachine(t)
	m.Put(t, "/root/machine.sh", string(rendering.Payload.Data.Reveal()), 0o600)
	if code, out := m.run(t, sh+" /root/machine.sh", ""); code != 0 || !m.Exists(bootscript.Sentinel) {
		t.Fatalf("exit code %d: %.3000s", code, out)
	}
	for _, c := range cases {
		for name, want := range c.Files {
			if got := m.Read(t, name); got != string(want) {
				t.Errorf("%s (%s): %s has %.60q instead of %.60q", c.Name, c.Reason, name, got, want)
			}
		}
		for name, want := range c.Lines {
			if !slices.Contains(strings.Split(m.Read(t, name), "\n"), want) {
				t.Errorf("%s (%s): %s has no line %q", c.Name, c.Reason, name, want)
			}
		}
	}
}
