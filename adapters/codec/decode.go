package codec

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// decoder reads values of the domain's types from YAML nodes. Unknown fields, duplicate keys and values of another
// shape are findings with line and column.
type decoder struct{ findings report.Report }

// maxFindings limits the findings: each holds a path, which may be long. Nothing more is decoded after so many.
const maxFindings = 100

// refuse adds an error at the node. The message must not quote what the node contains, which may be secret.
func (d *decoder) refuse(n *yaml.Node, p report.Path, format string, args ...any) {
	f := report.Errorf(p, format, args...)
	f.Line, f.Column = n.Line, n.Column
	d.add(f)
}

// unknown refuses a field that is not one of the names.
func (d *decoder) unknown(key *yaml.Node, p report.Path, names []string) {
	remedy := report.DidYouMean(key.Value, names, "check its spelling and indentation")
	f := report.Errorf(p, "unknown field").To("%s", remedy)
	f.Line, f.Column = key.Line, key.Column
	d.add(f)
}

func (d *decoder) add(f report.Finding) {
	if len(d.findings) < maxFindings {
		d.findings = append(d.findings, f)
	}
}

// misread adds a finding for an error of the YAML library, whose own text quotes values.
func (d *decoder) misread(n *yaml.Node, p report.Path, err error) {
	f := structured.Malformed(p, "invalid value", err)
	if f.Line == 0 {
		f.Line, f.Column = n.Line, n.Column
	}
	d.add(f)
}

// value reads the node into v. The encoding is that of the field's tag.
func (d *decoder) value(n *yaml.Node, v reflect.Value, encoding string, p report.Path) {
	if len(d.findings) >= maxFindings || !d.plain(n, p) || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), encoding, p)
		return
	}
	f := formOf(v.Type(), encoding)
	if want := f.wants(); !slices.Contains(want, n.Kind) {
		d.refuse(n, p, "expected %s, got %s", shape(want[0]), shape(n.Kind))
		return
	}
	switch f {
	case formStruct:
		d.structure(n, v, p)
	case formMap:
		d.stringMap(n, v, p)
	case formList:
		d.list(n, v, p)
	case formTree:
		d.tree(n, v, p)
	case formScalar, formMode, formPhase, formBase64, formNumber:
		d.scalar(n, v, f, p)
	case formBytes, formContent, formUnitText:
		d.bytes(n, v, f, p)
	}
}

// wants returns the kinds of nodes that the form is read from; the first one is the usual.
func (f form) wants() []yaml.Kind {
	switch f {
	case formStruct, formMap:
		return []yaml.Kind{yaml.MappingNode}
	case formList:
		return []yaml.Kind{yaml.SequenceNode}
	case formTree:
		return []yaml.Kind{yaml.MappingNode, yaml.SequenceNode, yaml.ScalarNode}
	case formBytes, formContent, formUnitText:
		return []yaml.Kind{yaml.ScalarNode, yaml.MappingNode}
	case formScalar, formMode, formPhase, formBase64, formNumber:
		return []yaml.Kind{yaml.ScalarNode}
	}
	return []yaml.Kind{yaml.ScalarNode}
}

func shape(k yaml.Kind) string {
	switch k {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode, yaml.DocumentNode, yaml.AliasNode:
		return "a scalar"
	}
	return "a scalar"
}

// plain refuses anchors and aliases, which can grow without bound, and tags that YAML does not define.
func (d *decoder) plain(n *yaml.Node, p report.Path) bool {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.refuse(n, p, "anchors and aliases are not supported")
	case n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		d.refuse(n, p, "unknown tag; quote a text that begins with an exclamation mark")
	default:
		return true
	}
	return false
}

// entries calls do for each key of a mapping, and refuses duplicate keys.
func (d *decoder) entries(n *yaml.Node, p report.Path, do func(key, value *yaml.Node, at report.Path)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := p.Field(key.Value)
		switch {
		case key.Kind != yaml.ScalarNode || key.Anchor != "":
			d.refuse(key, p, "a key must be plain text")
		case seen[key.Value]:
			d.refuse(key, at, "duplicate field")
		default:
			do(key, value, at)
		}
		seen[key.Value] = true
	}
}

// structure reads a mapping with known fields. Fields that it does not contain get the default of their tag.
func (d *decoder) structure(n *yaml.Node, v reflect.Value, p report.Path) {
	for _, f := range fieldsOf(v.Type()) {
		if f.preset != "" {
			d.value(&yaml.Node{Kind: yaml.ScalarNode, Value: f.preset}, v.FieldByIndex(f.index), f.encoding, p.Field(f.name))
		}
	}
	d.entries(n, p, func(key, value *yaml.Node, at report.Path) {
		f, known := fieldNamed(v.Type(), key.Value)
		if !known {
			d.unknown(key, at, fieldNames(v.Type()))
			return
		}
		d.value(value, v.FieldByIndex(f.index), f.encoding, at)
	})
}

func (d *decoder) stringMap(n *yaml.Node, v reflect.Value, p report.Path) {
	all := reflect.MakeMap(v.Type())
	d.entries(n, p, func(key, value *yaml.Node, at report.Path) {
		name, one := reflect.New(v.Type().Key()), reflect.New(v.Type().Elem()).Elem()
		// A key that is not UTF-8 is written as !!binary.
		if err := key.Decode(name.Interface()); err != nil {
			d.misread(key, p, err)
			return
		}
		d.value(value, one, "", at)
		all.SetMapIndex(name.Elem(), one)
	})
	v.Set(all)
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, p report.Path) {
	if len(n.Content) == 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		d.value(item, v.Index(i), "", p.Index(i))
	}
}

// tree reads structured configuration that has no type here.
func (d *decoder) tree(n *yaml.Node, v reflect.Value, p report.Path) {
	before := len(d.findings)
	d.free(n, p)
	if len(d.findings) > before {
		return
	}
	read := reflect.New(reflect.TypeFor[any]()).Elem()
	if v.Kind() == reflect.Map {
		read = reflect.New(reflect.TypeFor[map[string]any]()).Elem()
	}
	if err := n.Decode(read.Addr().Interface()); err != nil {
		d.misread(n, p, err)
		return
	}
	v.Set(read.Convert(v.Type()))
}

// free refuses duplicate keys, anchors and aliases at any depth.
func (d *decoder) free(n *yaml.Node, p report.Path) {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.refuse(n, p, "anchors and aliases are not supported")
	case n.Kind == yaml.MappingNode:
		d.entries(n, p, func(_, value *yaml.Node, at report.Path) { d.free(value, at) })
	default:
		for i, item := range n.Content {
			d.free(item, p.Index(i))
		}
	}
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, f form, p report.Path) {
	switch {
	case f == formMode:
		d.mode(n, v, p)
	case f == formPhase:
		d.phase(n, v, p)
	case f == formNumber:
		number, err := strconv.Atoi(n.Value)
		if err != nil {
			d.refuse(n, p, "expected a number")
		}
		v.SetInt(int64(number))
	case f == formBase64:
		d.base64(n, v, p)
	case v.Kind() == reflect.Bool && n.ShortTag() != "!!bool":
		d.refuse(n, p, "expected true or false")
	case v.Kind() == reflect.Int && n.ShortTag() != "!!int":
		d.refuse(n, p, "expected a number")
	default:
		if err := n.Decode(v.Addr().Interface()); err != nil {
			d.misread(n, p, err)
		}
	}
}

func (d *decoder) mode(n *yaml.Node, v reflect.Value, p report.Path) {
	mode, err := strconv.ParseUint(strings.TrimPrefix(n.Value, "0o"), 8, 32)
	if err != nil {
		d.refuse(n, p, "expected octal permissions such as \"0644\"")
		return
	}
	v.SetUint(mode)
}

func (d *decoder) phase(n *yaml.Node, v reflect.Value, p report.Path) {
	if phase, known := document.PhaseNamed(n.Value); known {
		v.Set(reflect.ValueOf(phase))
		return
	}
	d.refuse(n, p, "unknown phase; use one of %v", document.Phases())
}

// base64 reads bytes that are always base64. Line breaks are ignored. Unused bits must be zero, so that no two texts
// have the same bytes.
func (d *decoder) base64(n *yaml.Node, v reflect.Value, p report.Path) {
	if n.ShortTag() == "!!binary" {
		d.refuse(n, p, "expected base64 as text, without a tag")
		return
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(n.Value)
	if err != nil {
		d.refuse(n, p, "invalid base64: %v", err)
		return
	}
	if len(decoded) > 0 {
		v.SetBytes(decoded)
	}
}

// bytes reads text, {base64: …} or {parts: […]}. A scalar is its text, whatever YAML takes it for: yes stays yes.
func (d *decoder) bytes(n *yaml.Node, v reflect.Value, f form, p report.Path) {
	before := len(d.findings)
	content := d.content(n, p)
	literal, static := content.Static()
	switch {
	case len(d.findings) > before:
	case f == formContent, f == formUnitText:
		v.Set(reflect.ValueOf(content))
	case !static:
		d.refuse(n, p, "a fact is not allowed here")
	case v.Type() == reflect.TypeFor[secret.Value]():
		v.Set(reflect.ValueOf(secret.New(literal)))
	default:
		v.SetBytes(literal)
	}
}

func (d *decoder) content(n *yaml.Node, p report.Path) document.Content {
	if n.Kind == yaml.ScalarNode {
		if n.ShortTag() == "!!binary" {
			d.refuse(n, p, "write binary content as {base64: …}")
		}
		return document.Text(n.Value)
	}
	var content document.Content
	given := 0
	d.entries(n, p, func(key, value *yaml.Node, at report.Path) {
		given++
		switch key.Value {
		case "base64":
			content = d.part(key, value, at)
		case "parts":
			content = d.parts(value, at)
		default:
			d.unknown(key, at, []string{"base64", "parts"})
		}
	})
	if given != 1 {
		d.refuse(n, p, "set either base64 or parts")
	}
	return content
}

func (d *decoder) parts(n *yaml.Node, p report.Path) document.Content {
	if n.Kind != yaml.SequenceNode {
		d.refuse(n, p, "expected a list, got %s", shape(n.Kind))
		return document.Content{}
	}
	list := make([]document.Content, len(n.Content))
	for i, item := range n.Content {
		at := p.Index(i)
		if item.Kind != yaml.MappingNode || len(item.Content) != 2 {
			d.refuse(item, at, "a part has one field: text, base64, fact or metadata")
			continue
		}
		list[i] = d.part(item.Content[0], item.Content[1], at.Field(item.Content[0].Value))
	}
	return document.Join(list...)
}

// part reads the value of one field of a part.
func (d *decoder) part(key, n *yaml.Node, p report.Path) document.Content {
	if len(d.findings) >= maxFindings || !d.plain(n, p) || n.Kind != yaml.ScalarNode {
		d.refuse(n, p, "expected a scalar, got %s", shape(n.Kind))
		return document.Content{}
	}
	switch key.Value {
	case "text":
		return document.Text(n.Value)
	case "base64":
		decoded, err := base64.StdEncoding.DecodeString(n.Value)
		if err != nil {
			d.refuse(n, p, "invalid base64: %v", err)
		}
		return document.Literal(decoded)
	case "metadata":
		fact, ok := document.Metadata(n.Value)
		if !ok {
			d.refuse(n, p, "a path of metadata consists of keys with letters, digits and underscores, separated by dots")
			return document.Content{}
		}
		return document.FromFact(fact)
	case "fact":
		if slices.Contains(document.Facts(), document.Fact(n.Value)) {
			return document.FromFact(document.Fact(n.Value))
		}
		d.refuse(n, p, "unknown fact; use one of %v", document.Facts())
	default:
		d.refuse(key, p, "unknown field; use text, base64, fact or metadata")
	}
	return document.Content{}
}
