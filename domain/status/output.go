package status

import (
	"fmt"
	"strings"
)

// lineTail limits the line of the output that becomes part of the cause, in bytes.
const lineTail = 300

// Suffix returns at most n bytes from the end of the text, without a partial character.
func Suffix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-n:], "")
}

// FailureLine returns the line of a failed command's output that contains the reason: the first failed check of
// kubeadm, or else the last line that begins with "error:", or else the last line. The last lines of kubeadm are only a
// hint for debugging.
func FailureLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	checks := linesWithPrefix(lines, "[ERROR ")
	switch errs := linesWithPrefix(lines, "error: "); {
	case len(checks) > 1:
		return Suffix(checks[0], lineTail) + fmt.Sprintf(" (and %d more)", len(checks)-1)
	case len(checks) == 1:
		return Suffix(checks[0], lineTail)
	case len(errs) > 0:
		return Suffix(errs[len(errs)-1], lineTail)
	default:
		return Suffix(lines[len(lines)-1], lineTail)
	}
}

// linesWithPrefix returns the lines with the prefix, without surrounding white space.
func linesWithPrefix(lines []string, prefix string) []string {
	var found []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, prefix) {
			found = append(found, l)
		}
	}
	return found
}
