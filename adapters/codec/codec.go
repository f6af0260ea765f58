// Package codec reads and writes machine configuration: multi-document YAML of the group machineadm.io, one document of the
// domain each, in their order.
package codec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/codec/v1alpha1"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
)

// Codec is the codec. It implements ports.Codec.
type Codec struct{}

// header is what each document has.
type header struct {
	APIVersion string    `yaml:"apiVersion"`
	Kind       string    `yaml:"kind"`
	Spec       yaml.Node `yaml:"spec"`
}

// Decode returns the documents in their order. Data that gzip compressed is uncompressed first. Unknown fields, fields that
// stand twice, values of another type and versions that this program does not know are error findings with line and column.
// Kinds of other groups, and of this one that it does not know, become document.Opaque: a plugin may claim them.
//
// Nodes, and the bytes that gzip yields, are drawn from the budget of the context.
func (Codec) Decode(ctx context.Context, data []byte) ([]document.Document, report.Report) {
	left := budget.FromContext(ctx)
	text, err := indirect.Uncompressed(data, int(max(left.Left(budget.Content), int64(len(data)))))
	if err == nil {
		err = left.Spend(budget.Content, len(text)-len(data))
	}
	if err != nil {
		return nil, report.Report{report.Errorf("", "%v", err)}
	}
	if found := parsable(ctx, text); found.HasErrors() {
		return nil, found
	}
	r := reader{budget: left}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return r.documents, r.findings
		}
		if err != nil {
			r.findings = append(r.findings, syntax(text, err))
			return r.documents, r.findings
		}
		if !r.read(&n) {
			return r.documents, r.findings
		}
	}
}

// syntax makes a finding of an error of the YAML library. It names no line for an alias without an anchor and for bytes that are no text, which
// are looked for, nor for what stands in the first.
func syntax(text []byte, err error) report.Finding {
	f := report.Malformed("", "this is not YAML", err)
	if m := aliasPattern.FindStringSubmatch(err.Error()); m != nil {
		f.Line, f.Column = lineOf(text, "*"+m[1])
	}
	if f.Line == 0 {
		f.Line, f.Column = place(text, max(bytes.IndexFunc(text, noText), 0))
	}
	return f
}

// noText reports whether YAML has no such character, or the bytes are none.
func noText(r rune) bool {
	return r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == '\u007f'
}

// place returns the line and the column of a byte, which begin at 1.
func place(text []byte, at int) (line, column int) {
	return bytes.Count(text[:at], []byte("\n")) + 1, at - bytes.LastIndexByte(text[:at], '\n')
}

var aliasPattern = regexp.MustCompile(`(?s)^yaml: unknown anchor '(.*)' referenced$`)

// lineOf returns where the word first stands by itself, or zeros.
func lineOf(text []byte, word string) (line, column int) {
	for at := 0; ; at++ {
		next := bytes.Index(text[at:], []byte(word))
		if next < 0 {
			return 0, 0
		}
		at += next
		before, after := text[:at], text[at+len(word):]
		if endsWith(before, " \t\n[{,") && (len(after) == 0 || strings.IndexByte(" \t\r\n]},", after[0]) >= 0) {
			return place(text, at)
		}
	}
}

// endsWith reports whether the text is empty, or its last byte is one of those.
func endsWith(text []byte, bytes string) bool {
	return len(text) == 0 || strings.IndexByte(bytes, text[len(text)-1]) >= 0
}

// reader gathers documents and findings.
type reader struct {
	budget    *budget.Budget
	documents []document.Document
	findings  report.Report
	position  int
}

// read adds a document. It is false if a limit is exceeded, so that no more is read.
func (r *reader) read(n *yaml.Node) bool {
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 || n.Content[0].ShortTag() == "!!null" {
		return true
	}
	root := n.Content[0]
	path := report.Path("documents").Index(r.position)
	r.position++
	if exceeded := limited(r.budget, n, path); exceeded != nil {
		r.findings = append(r.findings, *exceeded)
		return false
	}
	var s strict
	if root.Kind != yaml.MappingNode {
		s.refuse(root, path, "a document is a mapping with apiVersion, kind and spec")
	}
	var h header
	if len(s.findings) == 0 {
		if err := root.Decode(&h); err != nil {
			s.misread(root, path, err)
		}
	}
	if len(s.findings) == 0 {
		value := s.document(root, h, path)
		if len(s.findings) == 0 {
			r.add(value, path, root)
		}
	}
	r.findings = append(r.findings, s.findings...)
	return true
}

func (r *reader) add(value document.Value, path report.Path, root *yaml.Node) {
	d := document.Document{Value: value, Source: document.Source{Path: path.Field("spec")}}
	d.Source.Line, d.Source.Column = kindAt(root)
	if text, err := (Codec{}).Encode([]document.Document{d}); err == nil {
		sum := sha256.Sum256(text)
		d.Digest = hex.EncodeToString(sum[:])
	}
	r.documents = append(r.documents, d)
}

// kindAt returns where a document names its kind.
func kindAt(root *yaml.Node) (line, column int) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "kind" {
			return root.Content[i+1].Line, root.Content[i+1].Column
		}
	}
	return root.Line, root.Column
}

// document returns the value of a document, or refuses it.
func (s *strict) document(root *yaml.Node, h header, p report.Path) document.Value {
	group, version, _ := strings.Cut(h.APIVersion, "/")
	switch {
	case h.APIVersion == "":
		s.refuse(root, p.Field("apiVersion"), "is required; write %s", v1alpha1.APIVersion)
	case h.Kind == "":
		s.refuse(root, p.Field("kind"), "is required")
	case group == v1alpha1.Group && version != v1alpha1.Version:
		s.refuse(root, p.Field("apiVersion"), "this program reads %s and not %s; use a newer program, or write the older version",
			v1alpha1.APIVersion, named(group, version))
	case group != v1alpha1.Group || v1alpha1.Spec(h.Kind) == nil:
		return s.opaque(root, h, p)
	default:
		return s.known(root, h, p)
	}
	return nil
}

var versionPattern = regexp.MustCompile(`^v[0-9]{1,4}((alpha|beta)[0-9]{1,4})?$`)

// named returns the group and its version, unless the latter is something else that was written in its place.
func named(group, version string) string {
	if versionPattern.MatchString(version) {
		return group + "/" + version
	}
	return "what stands here"
}

// opaque keeps a document as it was read.
func (s *strict) opaque(root *yaml.Node, h header, p report.Path) document.Value {
	s.free(root, p)
	body, err := yaml.Marshal(root)
	if err != nil {
		s.misread(root, p, err)
	}
	return document.Opaque{Type: document.Kind(h.Kind), Body: body}
}

// frame is a document whose spec is checked by itself.
type frame struct {
	APIVersion string         `yaml:"apiVersion"`
	Kind       string         `yaml:"kind"`
	Metadata   map[string]any `yaml:"metadata"`
	Spec       any            `yaml:"spec"`
}

func (s *strict) known(root *yaml.Node, h header, p report.Path) document.Value {
	s.mapping(root, p, func(key string) (reflect.Type, bool) { return fieldType(reflect.TypeFor[frame](), key) })
	wire := v1alpha1.Spec(h.Kind)
	if !h.Spec.IsZero() {
		s.check(&h.Spec, reflect.TypeOf(wire), p.Field("spec"))
	}
	if len(s.findings) > 0 {
		return nil
	}
	if !h.Spec.IsZero() {
		if err := h.Spec.Decode(wire); err != nil {
			s.misread(&h.Spec, p.Field("spec"), err)
			return nil
		}
	}
	value := newValue(document.Kind(h.Kind))
	if err := mirror(value.Elem(), reflect.ValueOf(wire).Elem()); err != nil {
		s.refuse(root, p.Field("spec"), "%v", err)
		return nil
	}
	return value.Elem().Interface().(document.Value)
}

// misread makes a finding of an error of decoding. The library's own errors quote values, which may be secret.
func (s *strict) misread(n *yaml.Node, p report.Path, err error) {
	var placed *v1alpha1.Error
	if errors.As(err, &placed) {
		s.refuse(&yaml.Node{Line: placed.Line, Column: placed.Column}, p, "%s", placed.Message)
		return
	}
	f := report.Malformed(p, "this cannot be read", err)
	if f.Line == 0 {
		f.Line, f.Column = n.Line, n.Column
	}
	s.findings = append(s.findings, f)
}

// Encode writes the documents in their order. The same documents give the same bytes.
func (Codec) Encode(docs []document.Document) ([]byte, error) {
	var out bytes.Buffer
	for _, d := range docs {
		text, err := encode(d)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", d.Source, err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes(), nil
}

func encode(d document.Document) ([]byte, error) {
	if o, opaque := d.Value.(document.Opaque); opaque {
		return o.Body, nil
	}
	wire := v1alpha1.Spec(string(d.Kind()))
	if wire == nil {
		return nil, fmt.Errorf("a %s cannot be serialised", d.Kind())
	}
	if err := mirror(reflect.ValueOf(wire).Elem(), reflect.ValueOf(d.Value)); err != nil {
		return nil, err
	}
	return yaml.Marshal(struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Spec       any    `yaml:"spec"`
	}{v1alpha1.APIVersion, string(d.Kind()), wire})
}
