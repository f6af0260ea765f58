package cloudinit_test

import (
	"fmt"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// repeated boots, and then writes the files and runs the program as at a first boot, as often as its argument says. cloud-init's own
// command line is called in one process, which saves loading it each time.
const repeated = `set -e
cloud-init init --local && cloud-init init && cloud-init modules --mode=config
python3 - <<'END'
import os, subprocess
from cloudinit.cmd import main
for run in range(%d):
    subprocess.run(["sh", "-ec", """` + localuser.Reset + `"""], check=True)
    for module in ["write_files", "write_files_deferred"]:
        main.main(["cloud-init", "single", "--name", module, "--frequency", "always"])
    subprocess.run(["sh", "/var/lib/cloud/instance/scripts/runcmd"], check=True)
    os.stat("/run/cluster-api/bootstrap-success.complete")
END
`

// TestCloudInitsFilesArePrivateFromCreation has a local user read wherever cloud-init and the program write, while they do.
func TestCloudInitsFilesArePrivateFromCreation(t *testing.T) {
	actions := []action.Action{do(action.EnsureUser{User: dm.User{Name: localuser.User, PasswordHash: secret.FromString(hash), Unlocked: true}})}
	for _, f := range localuser.Files() {
		actions = append(actions, do(action.WriteFile{File: f}))
	}
	actions = append(actions,
		do(action.WriteFile{File: dm.File{
			Path: "/etc/app/facts", Content: document.Join(document.Text(localuser.Secret), document.FromFact(document.FactHostname)), Secret: true,
		}}),
		run(document.PhaseBoot, "true "+canary.Mark), join())
	target := target()
	target.Delivery.Reporting = &delivery.Reporting{Endpoint: "https://127.0.0.1:1", Data: "default/node-1", Credential: secret.FromString(canary.Mark)}
	userdata := render(t, target, actions...)
	eachSuite(t, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(userdata), 0o600)
		localuser.Watch(t, m.Path)
		m.command(t, fmt.Sprintf(repeated, localuser.Runs(t)))
		for name, want := range localuser.Arrived() {
			if got := m.Read(t, name); got != want {
				t.Errorf("%s holds %d bytes, want %d", name, len(got), len(want))
			}
		}
		if m.Exists("/root/.machineadm") {
			t.Error("the files are still below /root")
		}
	})
}
