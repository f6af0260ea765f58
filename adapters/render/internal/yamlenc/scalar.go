package yamlenc

import (
	"bytes"
	"unicode/utf8"
)

// Printable reports whether YAML parsers accept the rune without an escape: it is printable in YAML 1.1 and 1.2, and
// neither the byte order mark nor one of the three characters that only YAML 1.1 treats as line breaks. Source: YAML
// 1.2.2 section 5.1, YAML 1.1 sections 5.1 and 5.4, and PyYAML's Reader.NON_PRINTABLE.
func Printable(r rune) bool {
	switch {
	case r < ' ' || r == 0x7f:
		return r == '\t' || r == '\n'
	case r <= '~':
		return true
	case r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
		return false
	default:
		return r < 0xd800 || r > 0xdfff && r < 0xfffe || r > 0xffff && r <= utf8.MaxRune
	}
}

// Text reports whether a literal block can contain the bytes unchanged: they are valid, printable UTF-8 and contain a
// character other than a line break.
func Text(b []byte) bool {
	solid := false
	for i := 0; i < len(b); {
		if b[i] >= ' ' && b[i] <= '~' { // Nearly all bytes are.
			solid = true
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if !Printable(r) || r == utf8.RuneError && size == 1 {
			return false
		}
		solid = solid || r != '\n'
		i += size
	}
	return solid
}

// AppendString appends s as a flow scalar that every YAML parser reads as the string s. The scalar is plain if s begins
// with a letter or a slash, contains only letters, digits, slashes, dots, dashes and underscores, and is not a word
// with another meaning in YAML 1.1. Otherwise it is double-quoted. Invalid UTF-8 becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	if plain(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	for _, r := range s {
		b = appendRune(b, r)
	}
	return append(b, '"')
}

func plain(s string) bool {
	if s == "" || !isLetter(s[0]) && s[0] != '/' {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) && (c < '0' || c > '9') && c != '/' && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return !reserved(s)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// reserved reports whether YAML 1.1 takes the word for a boolean or null, in whatever case.
// Source: yaml.org/type/bool.html and yaml.org/type/null.html.
func reserved(s string) bool {
	if len(s) > len("false") {
		return false
	}
	var buf [len("false")]byte
	word := buf[:len(s)]
	for i := range len(s) {
		word[i] = s[i] | 0x20
	}
	switch string(word) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

func appendRune(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case r == '\n':
		return append(b, '\\', 'n')
	case r == '\t':
		return append(b, '\\', 't')
	case r == '\r':
		return append(b, '\\', 'r')
	case Printable(r):
		return utf8.AppendRune(b, r)
	case r <= 0xff:
		return appendHex(append(b, '\\', 'x'), r, 2)
	case r <= 0xffff:
		return appendHex(append(b, '\\', 'u'), r, 4)
	default:
		return appendHex(append(b, '\\', 'U'), r, 8)
	}
}

func appendHex(b []byte, r rune, digits int) []byte {
	for shift := (digits - 1) * 4; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[r>>shift&0xf])
	}
	return b
}

// AppendLiteral appends the text as a literal block with a final line break. parent is the indentation of the parent,
// and indent the additional indentation of the lines, in spaces. Text must return true for the text. The header
// contains the indentation indicator if parsers cannot detect the indentation, and the chomping indicator. Source: YAML
// 1.2.2 section 8.1.
func AppendLiteral(b, text []byte, parent, indent int) []byte {
	b = append(b, '|')
	if text[0] == ' ' || text[0] == '\t' || text[0] == '\n' {
		b = append(b, byte('0'+indent-parent))
	}
	body := bytes.TrimRight(text, "\n")
	switch len(text) - len(body) {
	case 0:
		b = append(b, '-')
	case 1:
	default:
		b = append(b, '+')
	}
	b = append(b, '\n')
	for line := range bytes.Lines(text) {
		if line[0] != '\n' {
			b = appendBlanks(b, indent)
		}
		b = append(b, line...)
	}
	if len(body) == len(text) {
		b = append(b, '\n')
	}
	return b
}

func appendBlanks(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}
