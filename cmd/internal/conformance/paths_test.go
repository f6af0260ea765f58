package conformance_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/fieldpath"
)

// TestFindingPathsExist gives each field of each kind wrong values. The path of each finding must name a field of the
// kind, and elements that the document has, in each format and for the agent: a user looks for that path in his file.
func TestFindingPathsExist(t *testing.T) {
	wrong := []any{
		"\x00\n", "", " a b", "-x", -1, 0, 99999999999,
		[]any{},
		[]any{"\x00\n"},
		[]any{"a", "a"},
		map[string]any{"unknown": "x"},
	}
	cases, decoded := readYAML[fieldCase](t, "testdata/fields.yaml"), decodings{}
	for _, c := range consumers(t) {
		t.Run(c.name, func(t *testing.T) {
			for _, fc := range cases {
				base, with := c.base(t, fc)
				for field, value := range fc.Change {
					for _, v := range append(wrong, value) {
						spec := set(t, base, field, v)
						d, text := decoded.decodable(t, fc.Kind, spec)
						// The planner refuses an invalid document before a format reads it, and so with the same findings for
						// every format. The agents check these findings.
						if text == nil || c.renderer != nil && d.Check().HasErrors() {
							continue
						}
						c.checkPaths(t, d, spec, with)
						c.checkLines(t, d, text, with)
					}
				}
			}
		})
	}
}

// checkPaths fails if a finding about the document has a path that does not exist.
func (c consumer) checkPaths(t *testing.T, d document.Document, spec map[string]any, with []document.Value) {
	t.Helper()
	kind, _ := plan.Lookup(d.Kind())
	for _, f := range c.result(t, withOthers(d, with)).findings {
		if !f.Path.Under(d.Source.Path) {
			continue
		}
		path := strings.TrimPrefix(strings.TrimPrefix(string(f.Path), string(d.Source.Path)), ".")
		if err := fieldpath.Resolve(reflect.TypeOf(kind.Zero), spec, path); err != nil {
			t.Errorf("%s: %v: %s", d.Kind(), err, f.Message)
		}
	}
}

// checkLines fails if a finding of the agent about the document has no line, or if the line has not the field's name.
func (c consumer) checkLines(t *testing.T, d document.Document, text []byte, with []document.Value) {
	t.Helper()
	if c.renderer != nil {
		return
	}
	lines := strings.Split(string(text), "\n")
	for _, f := range (codec.Codec{}).Locate(text, c.result(t, withOthers(d, with)).findings) {
		if !f.Path.Under(d.Source.Path) {
			continue
		}
		name := string(f.Path[strings.LastIndexByte(string(f.Path), '.')+1:])
		if f.Line == 0 || f.Line > len(lines) {
			t.Errorf("%s: the finding has the line %d: %s", d.Kind(), f.Line, f)
		} else if _, exists := fields(lines)[name]; exists && name != "spec" && !strings.Contains(lines[f.Line-1], name+":") {
			t.Errorf("%s: line %d is %q: %s", d.Kind(), f.Line, lines[f.Line-1], f)
		}
	}
}

// fields returns the names of the mappings in the lines.
func fields(lines []string) map[string]bool {
	names := map[string]bool{}
	for _, line := range lines {
		if name, _, found := strings.Cut(strings.TrimLeft(line, " -"), ":"); found {
			names[name] = true
		}
	}
	return names
}

// decodings are the results of decodable by document: most consumers start from the same ones.
type decodings map[string]decoding

type decoding struct {
	document document.Document
	text     []byte
}

// decodable returns the document of a tree and its text, unless the codec refuses it.
func (all decodings) decodable(t *testing.T, kind document.Kind, spec map[string]any) (document.Document, []byte) {
	t.Helper()
	key, err := json.Marshal([]any{kind, spec})
	if err != nil {
		t.Fatal(err)
	}
	d, known := all[string(key)]
	if !known {
		d.document, d.text = decodable(t, kind, spec)
		all[string(key)] = d
	}
	return d.document, d.text
}

func decodable(t *testing.T, kind document.Kind, spec map[string]any) (document.Document, []byte) {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{"apiVersion": codec.APIVersion, "kind": string(kind), "spec": spec})
	if err != nil {
		t.Fatal(err)
	}
	docs, findings := codec.Codec{}.Decode(t.Context(), text)
	if findings.HasErrors() || len(docs) != 1 {
		return document.Document{}, nil
	}
	return docs[0], text
}
