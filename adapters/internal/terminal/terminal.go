// Package terminal prints text whose author is not the user, such as names in manifests, messages of machines and
// contents of files. A terminal interprets control and formatting characters in it: they move the cursor, change the
// title, and reverse the order of what the user reads.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// controls reports whether a terminal may interpret the character. Lines and tabs are permitted.
func controls(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }

// Text removes the characters that a terminal interprets, except newlines. Tabs become blanks.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if controls(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\t", " "))
}

// Line returns Text on one line.
func Line(text string) string { return strings.Join(strings.Fields(Text(text)), " ") }

// Writer escapes the characters that a terminal interprets, as in strings of JSON: \u001b. JSON stays valid and the
// same, because its strings are the only place of such characters. Each command writes through it, so that none has to
// clean its texts; bytes for other programs bypass it.
type Writer struct {
	w io.Writer
	// sequences are written as they are.
	sequences []string
	// rest is the beginning of a character that the next call completes.
	rest []byte
}

// NewWriter returns a writer that escapes all but the given sequences.
func NewWriter(w io.Writer, sequences ...string) *Writer { return &Writer{w: w, sequences: sequences} }

// Write writes the text. A character of several bytes may be divided between two calls.
func (t *Writer) Write(p []byte) (int, error) {
	text := slices.Concat(t.rest, p)
	end := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := len(text) - n; utf8.RuneStart(text[start]) {
			if !utf8.FullRune(text[start:]) {
				end = start
			}
			break
		}
	}
	t.rest = slices.Clone(text[end:])
	if _, err := t.w.Write(t.escape(text[:end])); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (t *Writer) escape(text []byte) []byte {
	if !bytes.ContainsFunc(text, controls) && utf8.Valid(text) {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		if i := slices.IndexFunc(t.sequences, func(s string) bool { return bytes.HasPrefix(text, []byte(s)) }); i >= 0 {
			b.WriteString(t.sequences[i])
			text = text[len(t.sequences[i]):]
			continue
		}
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch high, low := utf16.EncodeRune(r); {
		case !controls(r):
			b.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// YAML returns the YAML with the characters escaped that a terminal interprets. The values stay the same: strings that
// contain such characters are quoted.
func YAML(text []byte) ([]byte, error) {
	if !bytes.ContainsFunc(text, controls) {
		return text, nil
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return nil, err
	}
	quote(&node)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&node); err != nil {
		return nil, err
	}
	return EscapeYAML(b.Bytes()), nil
}

// EscapeYAML escapes the characters that a terminal interprets in YAML that contains them only between double quotes.
// JSON is such YAML, of which readers of YAML refuse some of the characters.
func EscapeYAML(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		if controls(r) {
			fmt.Fprintf(&b, `\U%08x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// quote selects double quotes for the strings that need escapes.
func quote(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && strings.ContainsFunc(n.Value, controls) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		quote(c)
	}
}

// Table prints rows whose cells are aligned. A cell cannot begin another cell, line or row.
type Table struct {
	w      *tabwriter.Writer
	indent string
}

// NewTable returns a table with blanks before each row and between two cells.
func NewTable(w io.Writer, indent, padding int) *Table {
	return &Table{tabwriter.NewWriter(w, 0, 0, padding, ' ', 0), strings.Repeat(" ", indent)}
}

// Row adds a row.
func (t *Table) Row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = Line(fmt.Sprint(c))
	}
	// Flush returns the error.
	_, _ = fmt.Fprintln(t.w, t.indent+strings.Join(texts, "\t"))
}

// Heading adds a line that is not aligned. It may be empty.
func (t *Table) Heading(text string) {
	_, _ = fmt.Fprintln(t.w, strings.TrimRight(t.indent+Line(text), " "))
}

// Flush prints the rows.
func (t *Table) Flush() error { return t.w.Flush() }
