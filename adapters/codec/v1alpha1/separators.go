package v1alpha1

import "bytes"

// maxSeparators is how many separators a text may have that is written as text. One with more is written as base64, which has
// none: readers limit the separators of a whole configuration.
const maxSeparators = 2000

// Separators counts what can begin a node or a comment, whether it does so or not: it may be in a quoted text. It looks at bytes
// only, since a parser would take the memory that this is to save.
func Separators(text []byte) int {
	n := 0
	for i, c := range text {
		switch c {
		case ',', ':', '[', '{', '?', '#':
			n++
		case '-':
			if i+1 == len(text) || text[i+1] <= ' ' || text[i+1] >= 0x80 {
				n++
			}
		case '.':
			if bytes.HasPrefix(text[i:], []byte("...")) {
				n++
			}
		}
	}
	return n
}
