package agent_test

import (
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/test/localuser"
)

// TestApplysFilesArePrivateFromCreation has a local user read wherever the agent writes, while it applies a
// configuration: files, the journal, the log, scripts, and the configuration itself.
func TestApplysFilesArePrivateFromCreation(t *testing.T) {
	agent := built(t, "machineadm")
	localuser.Repeat(t, 3, func(runs int) {
		for range runs {
			applyWatched(t, agent)
		}
	})
}

// applyWatched applies a configuration on a new machine while the local user reads.
func applyWatched(t *testing.T, agent string) {
	t.Helper()
	m, root := furnished(t)
	m.Put(t, "/etc/control", localuser.Control, 0o644)
	paths := []string{
		m.Path("/etc/machineadm/machineadm_config.yaml"), m.Path("/etc/machineadm/kubeadm.yaml"),
		m.Path("/run/machineadm/step"),
		m.Path("/var/lib/machineadm/journal.jsonl"), m.Path("/etc/control"),
	}
	var folders []string
	for _, name := range []string{"/etc", "/srv", "/home", "/root", "/var", "/run"} {
		folders = append(folders, m.Path(name))
	}
	r := localuser.Start(t, paths, folders)
	log := filepath.Join(m.State, "output")
	if err := apply(t, agent, root, log).Run(); err != nil {
		t.Errorf("%v\n%s", err, text(t, log))
	}
	r.Check(t)
	if !m.Exists("/run/cluster-api/bootstrap-success.complete") {
		t.Error("no sentinel")
	}
}
