package cloudinit_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/localuser"
)

// fetched has cloud-init process the userdata of a new instance, runs times.
func fetched(runs int) string {
	return "python3 - <<'END'\n" + forked + `
for run in range(` + strconv.Itoa(runs) + `):
    sh("cd /var/lib/cloud && rm -rf instance instances data /run/cloud-init/instance-data*")
    cloud_init("init", "--local")
    cloud_init("init")
    os.stat("/var/lib/cloud/instance/machineadm")
END
`
}

// TestStubsFilesArePrivateFromCreation has a local user read wherever cloud-init keeps what the stub fetches, while it
// does. The stub itself is in cloud-init's own files.
func TestStubsFilesArePrivateFromCreation(t *testing.T) {
	t.Setenv("MACHINEADM_NETWORK", "shared")
	key := dm.File{Path: "/etc/app/key", Content: document.Text(localuser.Secret), Secret: true}
	data := render(t, target(), do(action.WriteFile{File: key}), join())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }))
	t.Cleanup(server.Close)
	stub := point(t, digested(delivery.Location{URL: secret.FromString(server.URL)}, data))
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.Put(t, "/var/lib/cloud/seed/nocloud/user-data", string(stub), 0o600)
		m.Put(t, "/etc/app/control", localuser.Control, 0o644)
		instance := m.Path("/var/lib/cloud/instances/i-test-1")
		paths := []string{instance + "/machineadm", instance + "/cloud-config.txt", m.Path("/etc/app/control")}
		r := localuser.Start(t, paths, []string{instance, m.Path("/root")})
		defer r.Check(t)
		localuser.Repeat(t, 1, func(runs int) { m.command(t, fetched(runs)) })
	})
}
