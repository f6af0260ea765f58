package ignition_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/nightly"
)

// minArrivals is how many of the table's cases have to arrive in each format that machines read.
const minArrivals = 120

// refusal returns why the case is not rendered: the findings of the documents' own checks, or else the renderer's.
func refusal(t *testing.T, r ports.Renderer, target osprofile.Target, c hostile.Case) report.Report {
	t.Helper()
	for _, d := range c.Documents {
		findings := d.Check()
		canary.Check(t, c.Name, findings.String())
		if findings.HasErrors() {
			return findings
		}
	}
	rendering, findings, err := r.Render(t.Context(), planFor(target, c.Documents))
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	canary.Check(t, c.Name, findings.String())
	if findings.HasErrors() && !rendering.Payload.Data.IsZero() {
		t.Errorf("%s: a payload in spite of errors", c.Name)
	}
	if !findings.HasErrors() {
		return nil
	}
	return findings
}

// expandable reports whether the plain expansion covers the whole case; the others are about documents of other
// plugins.
func expandable(c hostile.Case) bool {
	for _, d := range c.Documents {
		if action.Direct(d) == nil {
			return false
		}
	}
	return true
}

func TestHostileInputArrives(t *testing.T) {
	cases := map[string]run{
		"3.4":              {engine: newest, renderer: ignition.New(), target: target(t, "flatcar", "", "")},
		"3.6":              {engine: newest, renderer: ignition.New(), target: target(t, "fedora-coreos", "", "")},
		"3.3-distribution": {engine: distribution, renderer: ignition.New(), target: target(t, "flatcar", "", "3.3.0")},
		"2.3":              {engine: oldFlatcar, renderer: ignitionv2.New(), target: target(t, "flatcar", "2905.2.0", "")},
	}
	for name, r := range nightly.Cases(t, cases, "3.6", "2.3") {
		t.Run(name, func(t *testing.T) {
			var together []document.Document
			var arriving []hostile.Case
			for _, c := range hostile.Cases() {
				if !c.Refused && !c.Isolated && expandable(c) && refusal(t, r.renderer, r.target, c) == nil {
					arriving = append(arriving, c)
					together = append(together, c.Documents...)
				}
			}
			m := newMachine(t)
			m.mustBoot(t, r.engine, render(t, r.renderer, planFor(r.target, together)))
			arrived := 0
			for _, c := range arriving {
				if m.holds(t, c) {
					arrived++
				}
			}
			t.Logf("%d cases arrived", arrived)
			if arrived < minArrivals {
				t.Errorf("%d of %d cases arrived; at least %d must", arrived, len(arriving), minArrivals)
			}
		})
	}
}

// holds reports whether the machine is as the case describes.
func (m *machine) holds(t *testing.T, c hostile.Case) bool {
	t.Helper()
	good := true
	for path, want := range c.Files {
		if got := m.Read(t, path); !bytes.Equal([]byte(got), want) {
			t.Errorf("%s: %d bytes at %q instead of %d: %.80q", c.Name, len(got), path, len(want), got)
			good = false
		}
	}
	for path, line := range c.Lines {
		if !strings.Contains("\n"+m.Read(t, path)+"\n", "\n"+line+"\n") {
			t.Errorf("%s: %s lacks the line %q", c.Name, path, line)
			good = false
		}
	}
	return good
}

// TestHostileRefusals keeps what the renderers themselves refuse; what documents refuse is the domain's own golden.
func TestHostileRefusals(t *testing.T) {
	goldens := golden.Open(t, "testdata")
	renderers := map[string]struct {
		renderer ports.Renderer
		target   osprofile.Target
	}{
		"ignition":    {renderer: ignition.New(), target: target(t, "flatcar", "", "")},
		"ignition-v2": {renderer: ignitionv2.New(), target: target(t, "flatcar", "2905.2.0", "")},
		"butane":      {renderer: butane.New(), target: target(t, "flatcar", "", "")},
	}
	for name, r := range renderers {
		var refused strings.Builder
		for _, c := range hostile.Cases() {
			findings := refusal(t, r.renderer, r.target, c)
			if c.Refused != (findings != nil) && expandable(c) {
				fmt.Fprintf(&refused, "%s: %s\n", c.Name, findings)
			}
		}
		goldens.Compare(t, name+"-refusals.txt", []byte(refused.String()))
	}
}
