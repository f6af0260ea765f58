// Package conformance_test holds every format of the list to the contract of renderers, with the real plugins, and
// lists what each format supports itself, by its program, or refuses: docs/formats/README.md.
//
// Each renderer's own tests hold it to the same contract with the parser of its format. Here the view knows no format,
// so that a new one needs no word here.
package conformance_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/golden"
)

// column is what became of each sample in a format.
type column struct {
	format   string
	target   osprofile.Target
	verdicts map[string]portstest.RenderResult
}

func TestFormats(t *testing.T) {
	var columns []column
	for _, r := range formats.Builtin() {
		t.Run(string(r.Format()), func(t *testing.T) {
			c := conform(t, r)
			columns = append(columns, c)
			held(t, c, catalogtest.FloorOf(t, "testdata/floors", r.Format()))
		})
	}
	bootable := map[string]bool{}
	for _, r := range formats.Bootable() {
		bootable[string(r.Format())] = true
	}
	golden.File(t, "../../../docs/formats/README.md", page(columns, bootable))
}

// conform tries every sample.
func conform(t *testing.T, r ports.Renderer) column {
	t.Helper()
	target := catalogtest.Target(t, r)
	c := column{format: string(r.Format()), target: target, verdicts: map[string]portstest.RenderResult{}}
	for _, s := range portstest.Documents(target) {
		t.Run(s.Name, func(t *testing.T) { c.verdicts[s.Name] = renderSample(t, r, target, s) })
	}
	for _, s := range portstest.Actions(target) {
		t.Run(s.Name, func(t *testing.T) { c.verdicts[s.Name] = portstest.Operation(t, r, target, s, portstest.Anywhere) })
	}
	return c
}

// renderSample plans the sample with the plugins, as the use case does, and has it judged.
func renderSample(t *testing.T, r ports.Renderer, target osprofile.Target, s portstest.Sample) portstest.RenderResult {
	t.Helper()
	if s.Document == nil {
		t.Fatalf("there is no sample of %s: add one to package portstest", s.Name)
	}
	planner, err := planner.New(plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	job := plan.Job{Documents: s.At("documents"), Target: target}
	native := func(d document.Document) bool { return r.Native(d, target) }
	p, findings, err := planner.Plan(t.Context(), job, native, ports.Supports(r, target, "spec"))
	if err != nil {
		t.Fatal(err)
	}
	portstest.Discreet(t, findings)
	if findings.HasErrors() {
		return unplanned(t, findings)
	}
	noNativeSteps(t, p)
	return portstest.RenderSample(t, r, p, s, portstest.Anywhere)
}

// unplanned returns the verdict on a sample that no plan could be made of.
func unplanned(t *testing.T, findings report.Report) portstest.RenderResult {
	t.Helper()
	i := slices.IndexFunc(findings, func(f report.Finding) bool { return f.Severity == report.Error })
	if i < 0 {
		t.Fatal("neither a plan nor an error")
	}
	// A document that is required beside another may be refused in its place: a control plane's node, where there are
	// workers alone.
	if !findings[i].Path.Under("documents") {
		t.Errorf("the finding is not about the sample: %s", findings[i])
	}
	return portstest.RenderResult{Refused: findings[i]}
}

// noNativeSteps fails the test if a document that the format supports itself became steps, too.
func noNativeSteps(t *testing.T, p plan.Plan) {
	t.Helper()
	for _, s := range p.Steps {
		if p.Native[s.Document] {
			t.Errorf("the document at %s is native, and a step", p.Source(s))
		}
	}
}

// held fails the test if something of the floor is refused, or is no sample.
func held(t *testing.T, c column, floor catalogtest.Floor) {
	t.Helper()
	if len(floor.Samples) == 0 {
		t.Errorf("the floor of %s is empty: list what the format must support", c.format)
	}
	for _, name := range floor.Samples {
		v, known := c.verdicts[name]
		switch {
		case !known:
			t.Errorf("the floor of %s names %q, of which there is no sample", c.format, name)
		case !v.Rendered():
			t.Errorf("%s must support %q, and refuses it: %s", c.format, name, v.Refused)
		}
	}
}

// TestEachRendererReadsItsOwnFormat holds each renderer's package to a test of the same suite with the format's own
// parser, and to a fuzz target.
func TestEachRendererReadsItsOwnFormat(t *testing.T) {
	for _, r := range formats.Builtin() {
		kind := reflect.TypeOf(r)
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		_, folder, _ := strings.Cut(kind.PkgPath(), "/adapters/")
		tests, err := filepath.Glob(filepath.Join("../../../adapters", folder, "*_test.go"))
		if err != nil || len(tests) == 0 {
			t.Fatalf("%s has no tests: %v", folder, err)
		}
		var text strings.Builder
		for _, path := range tests {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(content)
		}
		for _, needed := range []string{"portstest.Renderer(", "func Fuzz"} {
			if !strings.Contains(text.String(), needed) {
				t.Errorf("no test in adapters/%s has %q", folder, needed)
			}
		}
	}
}
