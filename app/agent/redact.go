package agent

import (
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
)

// logTail is how much of a failed command's output a status keeps, in bytes.
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

// lineTail is how much of the last line of an output becomes a part of the cause, in bytes.
const lineTail = 300

// tail returns the end of the output.
func tail(output string) string { return last(output, logTail) }

// last returns the last bytes of the text, from the beginning of a character on.
func last(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-n:], "")
}

// lastLine returns the last line with something in it: programs say at the end why they gave up.
func lastLine(output string) string {
	output = strings.TrimSpace(output)
	return last(output[strings.LastIndexByte(output, '\n')+1:], lineTail)
}

// oneLine puts lines one behind the other.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), ": ")
}
