// Package hostile_test sends every input of the hostile table through the real plugins and every format. What arrives is held
// against the formats' consumers in test/consumers; what is refused is a golden here.
package hostile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/hostile"
)

// minimum is how many inputs have to arrive in each format; it only grows.
const minimum = 120

// format is a renderer and a machine that reads what it writes.
type format struct {
	renderer              ports.Renderer
	distribution, release string
}

func formats() map[string]format {
	return map[string]format{
		"cloud-init":  {renderer: cloudinit.Renderer{}, distribution: "ubuntu"},
		"ignition":    {renderer: ignition.New(), distribution: "flatcar", release: "4230.2.0"},
		"ignition-v2": {renderer: ignitionv2.New(), distribution: "flatcar", release: "2905.2.0"},
		"butane":      {renderer: butane.New(), distribution: "flatcar", release: "4230.2.0"},
	}
}

func TestEachInputArrivesOrIsRefusedByItsField(t *testing.T) {
	goldens := golden.Open(t, "testdata")
	for name, f := range formats() {
		t.Run(name, func(t *testing.T) {
			arrived := 0
			var refused strings.Builder
			for _, c := range hostile.Cases() {
				findings := f.refusal(t, c)
				if findings == nil {
					arrived++
					continue
				}
				names(t, c, findings)
				fmt.Fprintf(&refused, "%s (%s)\n  %s\n", c.Name, c.Reason, strings.ReplaceAll(strings.TrimSpace(fmt.Sprint(findings)), "\n", "\n  "))
			}
			goldens.Compare(t, name+".txt", []byte(refused.String()))
			if arrived < minimum {
				t.Errorf("%d inputs arrive, at least %d have to", arrived, minimum)
			}
		})
	}
}

// names fails the test unless every error is at a field of the case's own documents.
func names(t *testing.T, c hostile.Case, findings report.Report) {
	t.Helper()
	for _, found := range findings {
		own := func(d document.Document) bool { return found.Path.Under(d.Source.Path) }
		if !slices.ContainsFunc(c.Documents, own) {
			t.Errorf("%s: the finding is at %q", c.Name, found.Path)
		}
	}
}

// refusal returns the findings if the case is refused. Then nothing may be rendered.
func (f format) refusal(t *testing.T, c hostile.Case) report.Report {
	t.Helper()
	p, findings := f.plan(t, c.Documents)
	if findings.HasErrors() {
		return findings
	}
	rendering, found, err := f.renderer.Render(p)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	if !found.HasErrors() {
		if rendering.Payload.Data.IsZero() {
			t.Errorf("%s: neither refused nor rendered", c.Name)
		}
		return nil
	}
	if !rendering.Payload.Data.IsZero() {
		t.Errorf("%s: a payload in spite of errors", c.Name)
	}
	return found
}

// plan checks, orders and expands as the use case does.
func (f format) plan(t *testing.T, docs []document.Document) (plan.Plan, report.Report) {
	t.Helper()
	profile, ok := osprofile.Lookup(f.distribution)
	if !ok {
		t.Fatalf("no profile %s", f.distribution)
	}
	target := osprofile.Target{Profile: profile, Release: f.release, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
	ordered, findings := plan.Order(docs)
	expansions := make([]plan.Expansion, len(ordered))
	for i, d := range ordered {
		if findings = append(findings, d.Check()...); findings.HasErrors() {
			return plan.Plan{}, findings
		}
		actions, found, err := expander(t, d).Expand(t.Context(), ports.Expansion{Document: d, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		findings = append(findings, found...)
		expansions[i].Actions = actions
	}
	return plan.New(target, ordered, expansions), findings
}

func expander(t *testing.T, d document.Document) ports.Expander {
	t.Helper()
	for _, e := range plugins.Builtin() {
		if slices.Contains(e.Describe().Kinds, d.Kind()) {
			return e
		}
	}
	t.Fatalf("no plugin for %v", d.Kind())
	return nil
}
