//go:build !unit

package shell_test

import (
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// TestScriptsFilesArePrivateFromCreation runs a local user that reads all paths to which the script and its program
// write, at the same time.
func TestScriptsFilesArePrivateFromCreation(t *testing.T) {
	operations := []action.Operation{action.EnsureUser{User: machine.User{
		Name:         localuser.User,
		PasswordHash: secret.FromString(hash),
	}}}
	for _, f := range localuser.Files() {
		operations = append(operations, action.WriteFile{File: f})
	}
	operations = append(operations, run(document.PhaseBoot, "true "+canary.Mark),
		run(document.PhaseJoin, "echo "+canary.Mark))
	m := newMachine(t)
	m.Put(t, "/root/machine.sh", string(render(t, operations...).Payload.Data.Reveal()), 0o600)
	localuser.Watch(t, m.Path)
	localuser.Repeat(t, 1, func(runs int) {
		loop := fmt.Sprintf("set -e\nfor run in $(seq %d);do\n%ssh /root/machine.sh\ndone\n", runs, localuser.Reset)
		if code, out := m.run(t, "bash -s", loop); code != 0 {
			t.Fatalf("exit code %d: %s\n%s", code, out, m.Log())
		}
	})
	for name, want := range localuser.Arrived() {
		if got := m.Read(t, name); got != want {
			t.Errorf("%s holds %d bytes, want %d", name, len(got), len(want))
		}
	}
}
