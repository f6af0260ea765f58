package cloudinit_test

import (
	"strconv"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// forked is the beginning of a Python program. cloud_init is cloud-init's own command line in a process of its own,
// without the time to load it. It ends with the programs that cloud-init starts for its output: in one process each
// call would add two.
const forked = `
import os, subprocess, sys, traceback
from cloudinit.cmd import main
def sh(script):
    subprocess.run(["sh", "-ec", script], check=True)
def cloud_init(*args):
    child = os.fork()
    if child == 0:
        try:
            main.main(["cloud-init", *args])
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("cloud-init failed: %s" % (args,))
`

// repeated boots, and then writes the files and runs the program as at a first boot, runs times.
func repeated(runs int) string {
	return "python3 - <<'END'\n" + forked + `
cloud_init("init", "--local")
cloud_init("init")
cloud_init("modules", "--mode=config")
for run in range(` + strconv.Itoa(runs) + `):
    sh("""` + localuser.Reset + `""")
    for module in ["write_files", "write_files_deferred"]:
        cloud_init("single", "--name", module, "--frequency", "always")
    sh("sh /var/lib/cloud/instance/scripts/runcmd")
    os.stat("/run/cluster-api/bootstrap-success.complete")
END
`
}

// TestCloudInitsFilesArePrivateFromCreation has a local user read wherever cloud-init and the program write, while they
// do.
func TestCloudInitsFilesArePrivateFromCreation(t *testing.T) {
	user := dm.User{Name: localuser.User, PasswordHash: secret.FromString(hash), Unlocked: true}
	actions := []action.Action{do(action.EnsureUser{User: user})}
	for _, f := range localuser.Files() {
		actions = append(actions, do(action.WriteFile{File: f}))
	}
	facts := document.Join(document.Text(localuser.Secret), document.FromFact(document.FactHostname))
	actions = append(actions,
		do(action.WriteFile{File: dm.File{Path: "/etc/app/facts", Content: facts, Secret: true}}),
		run(document.PhaseBoot, "true "+canary.Mark), join())
	p := planned(target(), actions...)
	p.Reporting = &delivery.Reporting{
		Endpoint: "https://127.0.0.1:1", Data: "default/node-1", Credential: secret.FromString(canary.Mark),
	}
	userdata := renderPlan(t, p)
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(userdata), 0o600)
		localuser.Watch(t, m.Path)
		localuser.Repeat(t, 2, func(runs int) { m.command(t, repeated(runs)) })
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
