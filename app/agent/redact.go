package agent

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
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

// tail returns the end of the output.
func tail(output string) string { return status.Suffix(output, logTail) }

// oneLine joins the lines of a text.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), ": ")
}
