// Package codec reads and writes machine configuration: YAML with one document of the API group machineadm.io for each
// document of the domain.
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

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Codec implements ports.Codec and ports.Locator.
type Codec struct{}

// APIVersion is the apiVersion of documents. Names and meanings of fields never change within a version, because
// machines have files of it.
const APIVersion = Group + "/" + Version

// The parts of APIVersion.
const (
	Group   = "machineadm.io"
	Version = "v1alpha1"
)

// header is what identifies the type of a document.
type header struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
}

// Decode returns the documents in their order. Decode decompresses gzip first. Unknown fields, duplicate fields, values
// of a wrong type and unknown versions are error findings with line and column. Kinds of other groups, and unknown
// kinds of this one, become document.Opaque: a plugin may handle them.
//
// The number of nodes and of decompressed bytes is limited by the budget of the context.
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

// syntax returns a finding for an error of the YAML library. The library names no line for an alias without an anchor,
// for bytes that are not text, and for mistakes in the first line; syntax searches for the first two.
func syntax(text []byte, err error) report.Finding {
	f := structured.Malformed("", "this is not YAML", err)
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

// lineOf returns the first place of the word as a whole word, or zeros.
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

// read adds a document. It is false if a limit is exceeded or there are many findings, so that no more is read.
func (r *reader) read(n *yaml.Node) bool {
	root, isDocument := rootOf(n)
	if !isDocument {
		return true
	}
	path := documentPath(r.position)
	r.position++
	if exceeded := limited(r.budget, n, path); exceeded != nil {
		r.findings = append(r.findings, *exceeded)
		return false
	}
	var s decoder
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
	return len(r.findings) < maxFindings
}

// rootOf returns the content of a YAML document, unless the document is empty.
func rootOf(n *yaml.Node) (*yaml.Node, bool) {
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 || n.Content[0].ShortTag() == "!!null" {
		return nil, false
	}
	return n.Content[0], true
}

// documentPath returns the path of a document; empty ones do not count.
func documentPath(position int) report.Path { return report.Path("documents").Index(position) }

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
func (d *decoder) document(root *yaml.Node, h header, p report.Path) document.Value {
	group, version, _ := strings.Cut(h.APIVersion, "/")
	switch {
	case h.APIVersion == "":
		d.refuse(root, p.Field("apiVersion"), "is required; write %s", APIVersion)
	case h.Kind == "":
		d.refuse(root, p.Field("kind"), "is required")
	case group == Group && version != Version:
		d.refuse(root, p.Field("apiVersion"),
			"this program reads %s and not %s; use a newer program, or write the older version",
			APIVersion, named(group, version))
	case group == Group:
		if k, known := plan.Lookup(document.Kind(h.Kind)); known {
			return d.known(root, k, p)
		}
		return d.opaque(root, h, p)
	default:
		return d.opaque(root, h, p)
	}
	return nil
}

var versionPattern = regexp.MustCompile(`^v[0-9]{1,4}((alpha|beta)[0-9]{1,4})?$`)

// named returns the group and its version, unless the latter is something else that was written in its place.
func named(group, version string) string {
	if versionPattern.MatchString(version) {
		return group + "/" + version
	}
	return "this value"
}

// opaque keeps a document as it was read.
func (d *decoder) opaque(root *yaml.Node, h header, p report.Path) document.Value {
	d.free(root, p)
	body, err := yaml.Marshal(root)
	if err != nil {
		d.misread(root, p, err)
	}
	return document.Opaque{Type: document.Kind(h.Kind), Body: body}
}

// known reads a document of a kind of the registry.
func (d *decoder) known(root *yaml.Node, k plan.Kind, p report.Path) document.Value {
	value := reflect.New(reflect.TypeOf(k.Zero)).Elem()
	d.entries(root, p, func(key, n *yaml.Node, at report.Path) {
		switch key.Value {
		case "apiVersion", "kind":
		case "metadata":
			d.metadata(n, at)
		case "spec":
			d.value(n, value, "", at)
		default:
			d.unknown(key, at, []string{"apiVersion", "kind", "metadata", "spec"})
		}
	})
	if len(d.findings) > 0 {
		return nil
	}
	read, _ := value.Interface().(document.Value)
	return read
}

// metadata checks the shape of what is read and not used.
func (d *decoder) metadata(n *yaml.Node, p report.Path) {
	if n.Kind != yaml.MappingNode && n.ShortTag() != "!!null" {
		d.refuse(n, p, "expected a mapping, got %s", shape(n.Kind))
		return
	}
	d.free(n, p)
}

// Encode returns the documents as YAML, in their order. It is deterministic.
func (Codec) Encode(docs []document.Document) ([]byte, error) {
	var out bytes.Buffer
	for _, d := range docs {
		text, err := encodeDocument(d)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", d.Source, err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes(), nil
}

func encodeDocument(d document.Document) ([]byte, error) {
	if o, opaque := d.Value.(document.Opaque); opaque {
		return o.Body, nil
	}
	if _, known := plan.Lookup(d.Kind()); !known {
		return nil, fmt.Errorf("a %s cannot be serialised", d.Kind())
	}
	spec, err := encode(reflect.ValueOf(d.Value), "")
	if err != nil {
		return nil, err
	}
	return yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		plainNode("!!str", "apiVersion"), plainNode("!!str", APIVersion),
		plainNode("!!str", "kind"), plainNode("!!str", string(d.Kind())),
		plainNode("!!str", "spec"), spec,
	}})
}
