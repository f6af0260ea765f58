package codec

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// encode returns the node of a value. The encoding is that of the field's tag.
func encode(v reflect.Value, encoding string) (*yaml.Node, error) {
	if v.Kind() == reflect.Pointer {
		return encode(v.Elem(), encoding)
	}
	switch formOf(v.Type(), encoding) {
	case formStruct:
		return encodeStruct(v)
	case formMap:
		return encodeMap(v)
	case formList:
		return encodeList(v)
	case formTree:
		n := &yaml.Node{}
		return n, n.Encode(v.Interface())
	case formBytes:
		return contentNode(document.Literal(literalOf(v)))
	case formContent:
		content, _ := v.Interface().(document.Content)
		return contentNode(content)
	case formUnitText:
		content, _ := v.Interface().(document.Content)
		if text, static := content.Static(); static && isText(text) {
			return encodeScalar(reflect.ValueOf(string(text)))
		}
		return contentNode(content)
	case formBase64:
		return plainNode("!!str", base64.StdEncoding.EncodeToString(v.Bytes())), nil
	case formMode:
		return textNode(fmt.Sprintf("%04o", v.Uint())), nil
	case formPhase:
		return plainNode("!!str", fmt.Sprint(v.Interface())), nil
	case formScalar, formNumber:
		return encodeScalar(v)
	}
	return nil, fmt.Errorf("a %s cannot be encoded", v.Type())
}

func literalOf(v reflect.Value) []byte {
	if s, ok := v.Interface().(secret.Value); ok {
		return s.Reveal()
	}
	return v.Bytes()
}

func plainNode(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

func encodeStruct(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if f.optional && empty(value) {
			continue
		}
		inner, err := encode(value, f.encoding)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		n.Content = append(n.Content, plainNode("!!str", f.name), inner)
	}
	return n, nil
}

// empty reports whether an optional field is left out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

func encodeMap(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	all := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		all[key.String()] = v.MapIndex(key)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		name, err := encodeScalar(reflect.ValueOf(key))
		if err != nil {
			return nil, err
		}
		value, err := encode(all[key], "")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		n.Content = append(n.Content, name, value)
	}
	return n, nil
}

func encodeList(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range v.Len() {
		item, err := encode(v.Index(i), "")
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		n.Content = append(n.Content, item)
	}
	return n, nil
}

// simplePattern matches texts that need no quotes, whichever version of YAML reads them, unless they are a word of it.
var simplePattern = regexp.MustCompile(`^[A-Za-z/][A-Za-z/]*[A-Za-z0-9_./-]*$`)

// encodeScalar lets the library quote a text that is not simple: it knows what YAML takes for something else.
func encodeScalar(v reflect.Value) (*yaml.Node, error) {
	switch v.Kind() {
	case reflect.Int:
		return plainNode("!!int", strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Bool:
		return plainNode("!!bool", strconv.FormatBool(v.Bool())), nil
	case reflect.String:
		if s := v.String(); strings.ContainsAny(s, "/.-") && simplePattern.MatchString(s) {
			return plainNode("!!str", s), nil
		}
	}
	n := &yaml.Node{}
	return n, n.Encode(v.Interface())
}

// contentNode writes text as a scalar where YAML can carry it, other bytes as {base64: …}, and facts as {parts: […]}.
func contentNode(c document.Content) (*yaml.Node, error) {
	fragments := c.Fragments()
	switch {
	case len(fragments) == 0:
		return textNode(""), nil
	case len(fragments) == 1 && fragments[0].Fact == "" && readable(fragments[0].Literal):
		return textNode(string(fragments[0].Literal)), nil
	case len(fragments) == 1 && fragments[0].Fact == "":
		return partNode(fragments[0])
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, f := range fragments {
		part, err := partNode(f)
		if err != nil {
			return nil, err
		}
		list.Content = append(list.Content, part)
	}
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plainNode("!!str", "parts"), list}}, nil
}

func partNode(f document.Fragment) (*yaml.Node, error) {
	name, text := "base64", base64.StdEncoding.EncodeToString(f.Literal)
	path, isMetadata := f.Fact.MetadataPath()
	switch {
	case isMetadata:
		name, text = "metadata", path
	case f.Fact != "":
		name, text = "fact", string(f.Fact)
	case readable(f.Literal):
		name, text = "text", string(f.Literal)
	}
	value, err := encodeScalar(reflect.ValueOf(text))
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plainNode("!!str", name), value}}, err
}

// isText reports whether YAML carries the bytes unchanged: valid UTF-8 without control characters other than line feeds
// and tabs, and without characters that some readers take for a line break or a byte order mark.
func isText(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	return strings.IndexFunc(string(b), func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
			r == '\ufffe' || r == '\uffff'
	}) < 0
}

// maxTextSeparators limits the separators of bytes that are written as text. Bytes with more are written as base64,
// which has none, because readers limit the separators of a whole configuration.
const maxTextSeparators = 2000

// readable reports whether the bytes are written as text.
func readable(b []byte) bool { return isText(b) && structured.Separators(b) <= maxTextSeparators }

// textNode writes text so that it comes back unchanged. It uses block style, which people read more easily, where no
// rule of YAML about indentation, blanks or line ends can change the text.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	if isBlock(s) {
		n.Style = yaml.LiteralStyle
	}
	return n
}

func isBlock(s string) bool {
	if !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.ContainsAny(s, "\t") ||
		s[0] == ' ' || s[0] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasSuffix(line, " ") {
			return false
		}
	}
	return true
}
