package agent

import (
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

// logTail limits the output of a failed command that a status contains, in bytes.
const logTail = 4096

// secretContents returns the contents of a secret file.
func secretContents(v document.Value) []secret.Value {
	f, ok := v.(machine.File)
	if !ok || !f.Secret {
		return nil
	}
	var found []secret.Value
	for _, part := range f.Content.Fragments() {
		found = append(found, secret.New(part.Literal))
	}
	return found
}

// lineTail limits the line of the output that becomes part of the cause, in bytes.
const lineTail = 300

// tail returns the end of the output.
func tail(output string) string { return suffix(output, logTail) }

// suffix returns at most n bytes from the end of the text, without a partial character.
func suffix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-n:], "")
}

// failureLine returns the line of a failed command's output that contains the reason: the first failed check of
// kubeadm, or else the last line that begins with "error:", or else the last line. The last lines of kubeadm are only a
// hint for debugging.
func failureLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	checks := linesWithPrefix(lines, "[ERROR ")
	switch errs := linesWithPrefix(lines, "error: "); {
	case len(checks) > 1:
		return suffix(checks[0], lineTail) + fmt.Sprintf(" (and %d more)", len(checks)-1)
	case len(checks) == 1:
		return suffix(checks[0], lineTail)
	case len(errs) > 0:
		return suffix(errs[len(errs)-1], lineTail)
	default:
		return suffix(lines[len(lines)-1], lineTail)
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

// oneLine joins the lines of a text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), ": ")
}
