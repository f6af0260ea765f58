// Package hostile_test sends every input of the hostile table through the real plugins and every format. What arrives
// is held against the formats' consumers in test/consumers; what is refused is a golden here.
package hostile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/hostile"
)

// format is a renderer and a machine that reads what it writes.
type format struct {
	ports.Renderer
	target osprofile.Target
}

func TestEachInputArrivesOrIsRefusedByItsField(t *testing.T) {
	goldens := golden.Open(t, "testdata")
	for _, r := range formats.Builtin() {
		name := string(r.Format())
		t.Run(name, func(t *testing.T) {
			f := format{Renderer: r, target: catalogtest.Target(t, r)}
			arrived := 0
			var refused strings.Builder
			for _, c := range f.cases() {
				findings := f.refusal(t, c)
				if findings == nil {
					arrived++
					continue
				}
				names(t, c, findings)
				fmt.Fprintf(&refused, "%s (%s)\n  %s\n", c.Name, c.Reason, strings.ReplaceAll(own(findings).String(), "\n", "\n  "))
			}
			goldens.Compare(t, name+".txt", []byte(refused.String()))
			if floor := catalogtest.FloorOf(t, "../conformance/testdata/floors", r.Format()).Hostile; arrived < floor {
				t.Errorf("%d inputs arrive, at least %d have to", arrived, floor)
			}
		})
	}
}

// cases returns the table with the settings, and for Windows, which has paths and scripts of its own, what is for it
// alone.
func (f format) cases() []hostile.Case {
	all := append(hostile.Cases(), hostile.SettingCases(f.target)...)
	if f.target.Profile.Family == osprofile.FamilyWindows {
		return append(all, hostile.WindowsCases()...)
	}
	for i := range all {
		all[i].Documents = local(f.target, all[i].Documents)
	}
	return all
}

// local puts the files, directories and links of the cases below /var where the system takes files there alone, so that
// their contents are tried, too.
func local(t osprofile.Target, docs []document.Document) []document.Document {
	docs = slices.Clone(docs)
	move := func(path string) string {
		if strings.HasPrefix(path, hostile.Dir+"/") && !t.Profile.CanWrite(path) {
			return "/var" + path
		}
		return path
	}
	for i, d := range docs {
		switch v := d.Value.(type) {
		case machine.File:
			v.Path = move(v.Path)
			docs[i].Value = v
		case machine.Directory:
			v.Path = move(v.Path)
			docs[i].Value = v
		case machine.Link:
			v.Path = move(v.Path)
			docs[i].Value = v
		default: // has no path
		}
	}
	return docs
}

// own removes the findings of the documents that are added to each case.
func own(findings report.Report) report.Report {
	return slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool { return f.Path.Under("beside") })
}

// names fails the test unless every error is at a field of the case's own documents.
func names(t *testing.T, c hostile.Case, findings report.Report) {
	t.Helper()
	for _, found := range findings {
		if found.Severity != report.Error {
			continue
		}
		about := func(d document.Document) bool { return found.Path.Under(d.Source.Path) }
		if !slices.ContainsFunc(c.Documents, about) {
			t.Errorf("%s: the finding is not about the case: %s", c.Name, found)
		}
	}
}

// refusal returns the findings if the case is refused. Then nothing may be rendered.
func (f format) refusal(t *testing.T, c hostile.Case) report.Report {
	t.Helper()
	p, findings := f.plan(t, c.Documents)
	canary.Check(t, c.Name, findings.String())
	if findings.HasErrors() {
		return findings
	}
	rendering, found, err := f.Render(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	canary.Check(t, c.Name, found.String())
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

// plan checks, orders and expands as the use case does, with the documents of every machine.
func (f format) plan(t *testing.T, docs []document.Document) (plan.Plan, report.Report) {
	t.Helper()
	planner, err := planner.New(plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	job := plan.Job{Documents: append(slices.Clone(docs), f.beside(docs)...), Target: f.target}
	native := func(d document.Document) bool { return f.Native(d, f.target) }
	p, findings, err := planner.Plan(t.Context(), job, native, ports.Supports(f.Renderer, f.target, "spec"))
	if err != nil {
		t.Fatal(err)
	}
	return p, findings
}

// beside returns the machine's node, unless the case has one.
func (f format) beside(docs []document.Document) []document.Document {
	var all []document.Document
	for i, v := range portstest.Machine(f.target) {
		if !slices.ContainsFunc(docs, func(d document.Document) bool { return d.Kind() == v.Kind() }) {
			all = append(all, document.Document{Value: v, Source: document.Source{Path: report.Path("beside").Index(i)}})
		}
	}
	return all
}
