// Package yamlenc writes YAML of a fixed shape quickly: a document of top-level lists whose items are strings, lists of
// strings, or mappings of one level.
//
// It exists because encoding a worker's userdata with the YAML library takes longer than the rest of the rendering (see
// the benchmark and ADR 0013). Text has one of three styles: plain for unambiguous words, double-quoted for other
// strings, and literal blocks for the content of files. The tests compare each style with the YAML library and with
// PyYAML, which cloud-init uses.
package yamlenc

import (
	"bytes"
	"strconv"
	"strings"
)

// Writer writes a document. Top-level keys, the keys of mappings and header lines must be plain words.
type Writer struct {
	buf []byte
	// indent is the indentation of the lists' items, in spaces.
	indent int
	// first reports whether the next field begins its item.
	first bool
}

// New returns a writer with a buffer of size bytes.
func New(size int) *Writer { return &Writer{buf: make([]byte, 0, size)} }

// Indent sets the indentation of the items of top-level lists, in spaces. The default is 0, the shortest form.
func (w *Writer) Indent(spaces int) { w.indent = spaces }

// line begins a line of an item.
func (w *Writer) line(lead string) {
	w.buf = appendBlanks(w.buf, w.indent)
	w.buf = append(w.buf, lead...)
}

// Bytes returns the document.
func (w *Writer) Bytes() []byte { return w.buf }

// Comment writes a line that begins with #.
func (w *Writer) Comment(line string) {
	w.buf = append(w.buf, '#')
	w.buf = append(w.buf, line...)
	w.buf = append(w.buf, '\n')
}

// List begins the top-level list of that name. At least one item must follow.
func (w *Writer) List(key string) {
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ":\n"...)
}

// Raw writes encoded YAML unchanged: further top-level keys. The YAML must end with a line break.
func (w *Writer) Raw(yaml []byte) { w.buf = append(w.buf, yaml...) }

// RawItems writes encoded YAML that is a list without indentation, as items of the current list. The YAML must end with
// a line break. Indentation of all lines by the same number of spaces keeps their meaning.
func (w *Writer) RawItems(yaml []byte) {
	for line := range bytes.Lines(yaml) {
		if w.indent > 0 && line[0] != '\n' {
			w.buf = appendBlanks(w.buf, w.indent)
		}
		w.buf = append(w.buf, line...)
	}
}

// String writes an item that is a string. Text of complete lines becomes a literal block if Text allows it.
func (w *Writer) String(s string) {
	w.line("- ")
	w.scalar(s, 0)
}

// Strings writes an item that is a list of strings. Text of complete lines becomes a literal block if Text allows it.
func (w *Writer) Strings(items ...string) {
	for i, s := range items {
		lead := "  - "
		if i == 0 {
			lead = "- - "
		}
		w.line(lead)
		w.scalar(s, 2)
	}
}

// Item begins an item that is a mapping. At least one field must follow.
func (w *Writer) Item() { w.first = true }

func (w *Writer) key(key string) {
	lead := "  "
	if w.first {
		lead = "- "
	}
	w.first = false
	w.line(lead)
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ": "...)
}

// Field writes a field whose value is a string.
func (w *Writer) Field(key, value string) {
	w.key(key)
	w.buf = AppendString(w.buf, value)
	w.buf = append(w.buf, '\n')
}

// Literal writes a field whose value is a literal block. It is indented by one space, because the size of userdata is
// limited. Text must return true for the text.
func (w *Writer) Literal(key string, text []byte) {
	w.key(key)
	w.buf = AppendLiteral(w.buf, text, w.indent+2, w.indent+3)
}

// Append writes a field whose value f appends. The value must consist of ASCII letters, digits, "+", "/" and "=", and
// begin with a letter or a digit.
func (w *Writer) Append(key string, f func([]byte) []byte) {
	w.key(key)
	w.buf = append(w.buf, '"')
	w.buf = f(w.buf)
	w.buf = append(w.buf, "\"\n"...)
}

// Octal writes a field whose value is the string of at least four octal digits.
func (w *Writer) Octal(key string, value uint32) {
	w.key(key)
	w.buf = append(w.buf, '\'')
	for limit := uint32(0o1000); limit > 1 && value < limit; limit /= 8 {
		w.buf = append(w.buf, '0')
	}
	w.buf = strconv.AppendUint(w.buf, uint64(value), 8)
	w.buf = append(w.buf, "'\n"...)
}

// Int writes a field whose value is a number.
func (w *Writer) Int(key string, value int) {
	w.key(key)
	w.buf = strconv.AppendInt(w.buf, int64(value), 10)
	w.buf = append(w.buf, '\n')
}

// Bool writes a field whose value is true or false.
func (w *Writer) Bool(key string, value bool) {
	w.key(key)
	w.buf = strconv.AppendBool(w.buf, value)
	w.buf = append(w.buf, '\n')
}

// FieldStrings writes a field whose value is a list of strings.
func (w *Writer) FieldStrings(key string, items []string) {
	w.key(key)
	w.buf = append(w.buf[:len(w.buf)-1], '\n')
	for _, s := range items {
		w.line("  - ")
		w.buf = AppendString(w.buf, s)
		w.buf = append(w.buf, '\n')
	}
}

// scalar writes a string and a line break; the string is a literal block if it ends a line and can be one.
func (w *Writer) scalar(s string, parent int) {
	if strings.HasSuffix(s, "\n") {
		if text := []byte(s); Text(text) {
			w.buf = AppendLiteral(w.buf, text, w.indent+parent, w.indent+parent+2)
			return
		}
	}
	w.buf = AppendString(w.buf, s)
	w.buf = append(w.buf, '\n')
}
