// Package linediff compares texts line by line. Their authors may be hostile.
package linediff

import (
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
)

// Unified returns the differences of two texts in the unified format of diff(1), or an empty text if there are none.
// The time is nearly proportional to the number of lines: the library finds the lines that occur once in each text, and
// compares the lines beside these.
func Unified(fromName, toName, from, to string) string {
	text := diff.Diff(fromName, []byte(from), toName, []byte(to))
	if text == nil {
		return ""
	}
	command := fmt.Sprintf("diff %s %s\n", fromName, toName)
	return string(text[len(command):])
}
