package cloudinit_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/plain"
	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/nightly"
)

// renderDocuments checks, expands and renders documents, as the use case does.
func renderDocuments(t *testing.T, docs []document.Document) ([]byte, report.Report) {
	t.Helper()
	ordered, findings := plan.Order(docs)
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		findings = append(findings, d.Check()...)
		if findings.HasErrors() {
			return nil, findings
		}
		actions, found, err := plain.New().Expand(t.Context(), ports.Expansion{Document: d, Target: target()})
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, found...)
		expansions[i].Actions = actions
	}
	rendering, found, err := cloudinit.Renderer{}.Render(t.Context(), plan.New(target(), ordered, expansions))
	if err != nil {
		t.Fatal(err)
	}
	findings = append(findings, found...)
	canary.Check(t, "the findings", findings.String())
	return rendering.Payload.Data.Reveal(), findings
}

// TestHostileInputArrives puts every hostile input that is not refused through the real cloud-init: all that can live
// together on one machine, and each of the others on one of its own.
func TestHostileInputArrives(t *testing.T) {
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		var docs []document.Document
		var together, isolated []hostile.Case
		for _, c := range hostile.Cases() {
			switch {
			case c.Refused:
			case c.Isolated:
				isolated = append(isolated, c)
			default:
				together = append(together, c)
				docs = append(docs, c.Documents...)
			}
		}
		arrives(t, suite, docs, together...)
		for _, c := range nightly.Sample(isolated, 1) {
			t.Run(c.Name, func(t *testing.T) { arrives(t, suite, c.Documents, c) })
		}
		if arrived := len(together) + len(isolated); arrived < 120 {
			t.Errorf("only %d hostile inputs arrive", arrived)
		}
	})
}

func arrives(t *testing.T, suite string, docs []document.Document, cases ...hostile.Case) {
	t.Helper()
	userdata, findings := renderDocuments(t, docs)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	m := newMachine(t, suite)
	m.boot(t, userdata)
	if !m.sentinel() {
		t.Fatalf("no sentinel\n%s", m.Log())
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

// TestHostileInputIsRefused renders what no format accepts.
func TestHostileInputIsRefused(t *testing.T) {
	for _, c := range hostile.Cases() {
		if !c.Refused {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			var userdata []byte
			var findings report.Report
			if kinds := plain.New().Describe().Kinds; slices.Contains(kinds, c.Documents[0].Kind()) {
				userdata, findings = renderDocuments(t, c.Documents)
			} else {
				findings = c.Documents[0].Check()
			}
			canary.Check(t, "the findings", findings.String())
			if !findings.HasErrors() || len(bytes.TrimSpace(userdata)) > 0 {
				t.Errorf("%s: findings %v, %d bytes", c.Reason, findings, len(userdata))
			}
			for _, f := range findings {
				if !f.Path.Under(c.Documents[0].Source.Path) {
					t.Errorf("the finding names %s", f.Path)
				}
			}
		})
	}
}
