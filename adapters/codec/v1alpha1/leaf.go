package v1alpha1

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/structured"
)

// Bytes is any bytes, perhaps with facts of the machine between them. Text is written as a string; other bytes as
// {base64: …}; a value with facts as {parts: [{text: …}, {base64: …}, {fact: hostname}]}.
type Bytes []Part

// Part is literal bytes, or a fact.
type Part struct {
	Literal []byte
	Fact    string
}

// IsZero reports whether there are no bytes.
func (b Bytes) IsZero() bool { return len(b) == 0 }

// part is a Part as it is written; exactly one field is set.
type part struct {
	Text   *string `yaml:"text,omitempty"`
	Base64 *string `yaml:"base64,omitempty"`
	Fact   *string `yaml:"fact,omitempty"`
}

// parts is Bytes that are no text.
type parts struct {
	Base64 *string `yaml:"base64,omitempty"`
	Parts  []part  `yaml:"parts,omitempty"`
}

// MarshalYAML writes text where it can.
func (b Bytes) MarshalYAML() (any, error) {
	switch {
	case len(b) == 0:
		return "", nil
	case len(b) == 1 && b[0].Fact == "" && readable(b[0].Literal):
		return scalar(string(b[0].Literal)), nil
	case len(b) == 1 && b[0].Fact == "":
		return parts{Base64: encoded(b[0].Literal)}, nil
	}
	out := parts{Parts: make([]part, len(b))}
	for i, p := range b {
		out.Parts[i] = p.written()
	}
	return out, nil
}

func (p Part) written() part {
	switch {
	case p.Fact != "":
		return part{Fact: &p.Fact}
	case readable(p.Literal):
		text := string(p.Literal)
		return part{Text: &text}
	default:
		return part{Base64: encoded(p.Literal)}
	}
}

// UnmarshalYAML reads all forms. A scalar is its text, whatever YAML takes it for: yes stays yes.
func (b *Bytes) UnmarshalYAML(n *yaml.Node) error {
	*b = nil
	if n.Kind == yaml.ScalarNode {
		text, err := scalarText(n)
		if text != "" {
			*b = Bytes{{Literal: []byte(text)}}
		}
		return err
	}
	var in parts
	if err := n.Decode(&in); err != nil {
		return err
	}
	if (in.Base64 == nil) == (in.Parts == nil) {
		return at(n, "give either base64 or parts")
	}
	if in.Base64 != nil {
		in.Parts = []part{{Base64: in.Base64}}
	}
	for _, p := range in.Parts {
		read, err := p.read(n)
		if err != nil {
			return err
		}
		*b = append(*b, read)
	}
	return nil
}

func (p part) read(n *yaml.Node) (Part, error) {
	switch {
	case p.Text != nil && p.Base64 == nil && p.Fact == nil:
		return Part{Literal: []byte(*p.Text)}, nil
	case p.Fact != nil && p.Text == nil && p.Base64 == nil:
		return Part{Fact: *p.Fact}, nil
	case p.Base64 != nil && p.Text == nil && p.Fact == nil:
		literal, err := base64.StdEncoding.DecodeString(*p.Base64)
		if err != nil {
			return Part{}, at(n, "base64: %v", err)
		}
		return Part{Literal: literal}, nil
	default:
		return Part{}, at(n, "a part is one of text, base64 and fact")
	}
}

// maxSeparators is how many separators a text may have that is written as text. One with more is written as base64, which has
// none: readers limit the separators of a whole configuration.
const maxSeparators = 2000

// readable reports whether the bytes are written as text.
func readable(b []byte) bool { return IsText(b) && structured.Separators(b) <= maxSeparators }

func encoded(b []byte) *string {
	s := base64.StdEncoding.EncodeToString(b)
	return &s
}

// IsText reports whether YAML carries the bytes as they are: valid UTF-8 without control characters but for line feeds and
// tabs, and without what some readers take for a line break or a byte order mark.
func IsText(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	return strings.IndexFunc(string(b), func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff'
	}) < 0
}

// scalar writes text so that it comes back as it was. Block style is for people; it is chosen where no rule of YAML about
// indentation, blanks or line ends can change the text.
func scalar(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	if isBlock(s) {
		n.Style = yaml.LiteralStyle
	}
	return n
}

func isBlock(s string) bool {
	if !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.ContainsAny(s, "\t") || s[0] == ' ' || s[0] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasSuffix(line, " ") {
			return false
		}
	}
	return true
}

// scalarText returns a scalar's text; null is empty.
func scalarText(n *yaml.Node) (string, error) {
	switch n.ShortTag() {
	case "!!null":
		return "", nil
	case "!!binary":
		return "", at(n, "write binary content as {base64: …}")
	default:
		return n.Value, nil
	}
}

// Base64 is bytes that are always written as base64.
type Base64 []byte

// MarshalYAML writes base64.
func (b Base64) MarshalYAML() (any, error) { return base64.StdEncoding.EncodeToString(b), nil }

// UnmarshalYAML reads base64; line breaks in it are ignored. Bits that mean nothing have to be zero, so that no two texts mean
// the same bytes.
func (b *Base64) UnmarshalYAML(n *yaml.Node) error {
	text, err := scalarText(n)
	if err != nil {
		return err
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return at(n, "base64: %v", err)
	}
	*b = nil
	if len(decoded) > 0 {
		*b = decoded
	}
	return nil
}

// Mode is permissions, written in octal with a leading zero.
type Mode uint32

// MarshalYAML writes four octal digits in quotes, since YAML 1.1 and 1.2 read bare ones differently.
func (m Mode) MarshalYAML() (any, error) { return scalar(fmt.Sprintf("%04o", uint32(m))), nil }

// UnmarshalYAML reads octal digits.
func (m *Mode) UnmarshalYAML(n *yaml.Node) error {
	value, err := strconv.ParseUint(strings.TrimPrefix(n.Value, "0o"), 8, 32)
	if err != nil || n.Kind != yaml.ScalarNode {
		return at(n, "these are no octal permissions; write them as \"0644\"")
	}
	*m = Mode(value)
	return nil
}

// Iterations is a number; the proposal's examples write it as a string.
type Iterations int

// UnmarshalYAML reads a number or a string that holds one.
func (i *Iterations) UnmarshalYAML(n *yaml.Node) error {
	value, err := strconv.Atoi(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		return at(n, "this is no number")
	}
	*i = Iterations(value)
	return nil
}

// Phase is the name of a phase.
type Phase string

// Tree is structured configuration.
type Tree = map[string]any

// Error is a mistake at a place. It repeats nothing of what stands there, which may be secret.
type Error struct {
	Line, Column int
	Message      string
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Message }

func at(n *yaml.Node, format string, args ...any) error {
	return &Error{Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

// Shape returns the type whose fields the mapping form of a type has: its own, but for Bytes.
func Shape(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[Bytes]() {
		return reflect.TypeFor[parts]()
	}
	return t
}
