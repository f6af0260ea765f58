package agent

import (
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

// tail returns the end of the output.
func tail(output []byte) string {
	if len(output) > logTail {
		output = output[len(output)-logTail:]
	}
	return string(output)
}
