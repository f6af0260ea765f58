package cloudinit_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/localuser"
)

// fetched has cloud-init process the userdata of a new instance, as often as there are lines before it.
const fetched = `
rm -rf /var/lib/cloud/instance /var/lib/cloud/instances /var/lib/cloud/data /run/cloud-init/instance-data*
cloud-init init --local && cloud-init init || exit 1
[ -e /var/lib/cloud/instance/machineadm ] || exit 1`

// TestStubsFilesArePrivateFromCreation has a local user read wherever cloud-init keeps what the stub fetches, while it does. The stub itself
// is in cloud-init's own files.
func TestStubsFilesArePrivateFromCreation(t *testing.T) {
	t.Setenv("MACHINEADM_NETWORK", "shared")
	data := render(t, target(), do(action.WriteFile{File: dm.File{Path: "/etc/app/key", Content: document.Text(localuser.Secret), Secret: true}}), join())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }))
	t.Cleanup(server.Close)
	stub := point(t, digested(delivery.Location{URL: secret.FromString(server.URL)}, data))
	eachSuite(t, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(stub), 0o600)
		m.Put(t, "/etc/app/control", localuser.Control, 0o644)
		instance := m.Path("/var/lib/cloud/instances/i-test-1")
		paths := []string{instance + "/machineadm", instance + "/cloud-config.txt", m.Path("/etc/app/control")}
		r := localuser.Start(t, paths, []string{instance, m.Path("/root")})
		defer r.Check(t)
		script := ""
		for range localuser.Runs(t) {
			script += fetched
		}
		m.command(t, script)
	})
}
