package conformance_test

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/codec"
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
)

// fieldCase is an entry of testdata/fields.yaml, which explains it.
type fieldCase struct {
	Kind   document.Kind
	Sample string
	Base   map[string]any
	Set    map[string]any
	Change map[string]any
}

// exception is a field that may change without an effect.
type exception struct {
	Kind   document.Kind
	Field  string
	In     []string
	NotIn  []string `yaml:"notIn"`
	Reason string
}

// covers reports whether the exception is for the consumer.
func (e exception) covers(consumer string) bool {
	return (len(e.In) == 0 || slices.Contains(e.In, consumer)) && !slices.Contains(e.NotIn, consumer)
}

func readYAML[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return all
}

// consumer is what reads documents: a renderer with a target, or the agent, which has no renderer.
type consumer struct {
	name     string
	target   osprofile.Target
	renderer ports.Renderer
	planner  *planner.Planner
	samples  []portstest.Sample
}

// newConsumer returns the consumer of a format, or the agent on the format's target.
func newConsumer(t *testing.T, r ports.Renderer, agent bool) consumer {
	t.Helper()
	p, err := planner.New(plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	target := catalogtest.Target(t, r)
	c := consumer{name: string(r.Format()), target: target, renderer: r, planner: p, samples: portstest.Documents(target)}
	if agent {
		c.name, c.renderer = "agent of "+c.name, nil
	}
	return c
}

// consumers returns every format, and the agent on two systems.
func consumers(t *testing.T) []consumer {
	t.Helper()
	var all []consumer
	for _, r := range formats.Builtin() {
		all = append(all, newConsumer(t, r, false))
		if r.Format() == "cloud-init" || r.Format() == "ignition" {
			all = append(all, newConsumer(t, r, true))
		}
	}
	return all
}

// result is everything that a user can see of a configuration.
type result struct {
	payload  []byte
	steps    []plan.Step
	findings report.Report
}

func (c consumer) result(t *testing.T, docs []document.Document) result {
	t.Helper()
	native, earlier := func(document.Document) bool { return false }, report.Report(nil)
	if c.renderer != nil {
		native = func(d document.Document) bool { return c.renderer.Native(d, c.target) }
		earlier = ports.Supports(c.renderer, c.target, "spec")
	}
	planned, findings, err := c.planner.Plan(t.Context(), plan.Job{Documents: docs, Target: c.target}, native, earlier)
	if err != nil {
		t.Fatal(err)
	}
	if c.renderer == nil || findings.HasErrors() {
		return result{steps: planned.Steps, findings: findings}
	}
	rendering, found, err := c.renderer.Render(t.Context(), planned)
	if err != nil {
		t.Fatal(err)
	}
	return result{payload: rendering.Payload.Data.Reveal(), findings: append(findings, found...)}
}

func (r result) equal(other result) bool {
	return bytes.Equal(r.payload, other.payload) && reflect.DeepEqual(r.steps, other.steps) &&
		r.findings.String() == other.findings.String()
}

// TestFieldsHaveAnEffect changes one field at a time: each change of a document must change the output or the findings,
// in each format and for the agent. A field that a consumer drops in silence fails here, unless fields-exceptions.yaml
// has the reason.
func TestFieldsHaveAnEffect(t *testing.T) {
	cases, exceptions := fieldCases(t), readYAML[exception](t, "testdata/fields-exceptions.yaml")
	used := make([]bool, len(exceptions))
	for _, c := range consumers(t) {
		t.Run(c.name, func(t *testing.T) {
			for i, fc := range cases {
				base := c.unchanged(t, fc)
				for field, value := range fc.Change {
					if base.effect(t, field, value) {
						continue
					}
					at := slices.IndexFunc(exceptions, func(e exception) bool {
						return e.Kind == fc.Kind && e.Field == wild(field) && e.covers(c.name)
					})
					if at < 0 {
						t.Errorf("case %d: %s.%s has no effect: render it, or add a finding", i, fc.Kind, field)
						continue
					}
					used[at] = true
				}
			}
		})
	}
	for i, e := range exceptions {
		if !used[i] {
			t.Errorf("the exception %s.%s is not needed: remove it", e.Kind, e.Field)
		}
		if e.Reason == "" {
			t.Errorf("the exception %s.%s has no reason", e.Kind, e.Field)
		}
	}
}

// baseline is a document before a field changes, and its result for a consumer.
type baseline struct {
	consumer
	spec     map[string]any
	document document.Document
	with     []document.Value
	before   result
}

func (c consumer) unchanged(t *testing.T, fc fieldCase) baseline {
	t.Helper()
	spec, with := c.base(t, fc)
	d := decoded(t, fc.Kind, spec)
	return baseline{c, spec, d, with, c.result(t, withOthers(d, with))}
}

// effect reports whether the change of one field changes what a user sees. Both documents are valid in themselves.
func (b baseline) effect(t *testing.T, field string, value any) bool {
	t.Helper()
	after := decoded(t, b.document.Kind(), set(t, b.spec, field, value))
	for _, d := range []document.Document{b.document, after} {
		if found := d.Check(); found.HasErrors() {
			t.Errorf("%s with another %s is not valid in itself: %s", d.Kind(), field, found)
			return true
		}
	}
	refused := func(f report.Finding) bool { return f.Severity == report.Error && f.Path.Under(b.document.Source.Path) }
	// A document that is refused as a whole needs no finding for each of its fields.
	if slices.ContainsFunc(b.before.findings, refused) {
		return true
	}
	return !b.before.equal(b.result(t, withOthers(after, b.with)))
}

// withOthers returns the document and what has to be beside it.
func withOthers(d document.Document, others []document.Value) []document.Document {
	docs := []document.Document{d}
	for i, v := range others {
		if v.Kind() != d.Kind() {
			docs = append(docs, document.Document{Value: v, Source: document.Source{Path: report.Path("others").Index(i)}})
		}
	}
	return docs
}

// base returns the document to start from as a tree, and what has to be beside it.
func (c consumer) base(t *testing.T, fc fieldCase) (map[string]any, []document.Value) {
	t.Helper()
	for _, s := range c.samples {
		_, variant, _ := strings.Cut(s.Name, ", ")
		if s.Document == nil || s.Document.Kind() != fc.Kind || fc.Sample != "" && fc.Sample != variant {
			continue
		}
		tree := fc.Base
		if tree == nil {
			tree = encoded(t, s.Document)
		}
		tree, _ = substituted(deepCopy(tree)).(map[string]any)
		for _, field := range slices.Sorted(keys(fc.Set)) {
			tree = set(t, tree, field, fc.Set[field])
		}
		return tree, s.With
	}
	t.Fatalf("portstest has no sample %q of %s", fc.Sample, fc.Kind)
	return nil, nil
}

func keys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// encoded returns the spec of a document as a tree.
func encoded(t *testing.T, v document.Value) map[string]any {
	t.Helper()
	text, err := codec.Codec{}.Encode([]document.Document{{Value: v}})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Spec map[string]any }
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Spec
}

// decoded returns the document of a tree.
func decoded(t *testing.T, kind document.Kind, spec map[string]any) document.Document {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{"apiVersion": codec.APIVersion, "kind": string(kind), "spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	docs, findings := codec.Codec{}.Decode(t.Context(), text)
	if findings.HasErrors() || len(docs) != 1 {
		t.Fatalf("%s\n%s", findings, text)
	}
	return docs[0]
}

var numberPattern = regexp.MustCompile(`\[[0-9]+\]`)

// wild returns the field with [] in place of indexes.
func wild(field string) string { return numberPattern.ReplaceAllString(field, "[]") }

// fieldCases returns the cases of testdata/fields.yaml, and a case for each other field whose type determines a value.
func fieldCases(t *testing.T) []fieldCase {
	t.Helper()
	cases := readYAML[fieldCase](t, "testdata/fields.yaml")
	for field, typ := range unlisted(cases) {
		kind, name, _ := strings.Cut(field, ".")
		if value := defaultChange(typ); value != nil && !strings.Contains(name, "[") {
			cases = append(cases, fieldCase{Kind: document.Kind(kind), Change: map[string]any{name: value}})
		}
	}
	return cases
}

// defaultChange returns another value for a field of a plain type, or nil for other types.
func defaultChange(t reflect.Type) any {
	switch t.Kind() {
	case reflect.String:
		return "changed.conformance.example"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return 4711
	case reflect.Bool:
		return true
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return []any{"changed.conformance.example"}
		}
	default:
	}
	return nil
}

// unlisted returns the types of the fields that no case changes, by their paths.
func unlisted(cases []fieldCase) map[string]reflect.Type {
	changed := map[string]bool{}
	for _, fc := range cases {
		for field := range fc.Change {
			changed[string(fc.Kind)+"."+wild(field)] = true
		}
	}
	fields := map[string]reflect.Type{}
	for _, k := range plan.Registry() {
		if k.Phase == 0 {
			continue
		}
		for field, typ := range leaves(reflect.TypeOf(k.Zero), string(k.Zero.Kind())) {
			if !changed[field] && !below(changed, field) {
				fields[field] = typ
			}
		}
	}
	return fields
}

// TestEveryFieldIsChanged checks that a case changes each field of each kind. A field whose type does not determine
// another value needs a case in testdata/fields.yaml.
func TestEveryFieldIsChanged(t *testing.T) {
	for field := range unlisted(fieldCases(t)) {
		t.Errorf("no case changes %s; add one to testdata/fields.yaml", field)
	}
}

// below reports whether a case changes a list or mapping above the field as a whole.
func below(changed map[string]bool, field string) bool {
	for above := field; ; {
		i := strings.LastIndexAny(above, ".[")
		if i < 0 {
			return false
		}
		if above = above[:i]; changed[above] && strings.Contains(above, ".") {
			return true
		}
	}
}

// leaves returns the types of the fields that have no fields themselves, by their paths, as a.b[].c.
func leaves(t reflect.Type, path string) map[string]reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return leaves(t.Elem(), path+"[]")
	case t.Kind() != reflect.Struct || t.NumField() == 0 || !t.Field(0).IsExported():
		return map[string]reflect.Type{path: t}
	}
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if options != "inline" {
			name = path + "." + name
		} else {
			name = path
		}
		maps.Copy(all, leaves(t.Field(i).Type, name))
	}
	return all
}
