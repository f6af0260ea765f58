package kubeadm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/node"
)

func TestUndo(t *testing.T) {
	with := func(role node.Role, change func(*node.NodeConfig)) node.NodeConfig {
		n := bare(role, "v1.36.3")
		change(&n)
		return n
	}
	cases := map[string]struct {
		reason, distribution string
		node                 node.NodeConfig
		want                 string
	}{
		"worker": {
			"what it left is kubeadm's to remove; kubeadm detects the runtime", "ubuntu",
			bare(node.RoleWorker, "v1.36.3"), "",
		},
		"socket": {
			"there may be two runtimes", "ubuntu",
			with(node.RoleInit, func(n *node.NodeConfig) { n.Registration.CRISocket = "unix:///run/a b" }),
			" --cri-socket 'unix:///run/a b'",
		},
		"certificates": {
			"the cluster that knows where they are may not answer", "ubuntu",
			with(node.RoleControlPlane, func(n *node.NodeConfig) { n.CertificatesDir = "/etc/my pki" }),
			" --cert-dir '/etc/my pki'",
		},
		"CRI-O": {
			"it is the system's", "fedora-coreos", bare(node.RoleWorker, "v1.36.3"),
			" --cri-socket unix:///var/run/crio/crio.sock",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := "! command -v kubeadm >/dev/null || {\n\tsystemctl stop kubelet.service || :\n\tkubeadm reset --force" +
				c.want + "\n}"
			if diff := cmp.Diff(want, undoOf(t, c.distribution, c.node)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
	const windows = "$kubeadm = 'C:\\k\\kubeadm.exe'\nif ([IO.File]::Exists($kubeadm)) {\n" +
		"    & $kubeadm reset --force --cri-socket 'npipe:////./pipe/containerd-containerd'\n    exit $LASTEXITCODE\n}\n"
	if diff := cmp.Diff(windows, undoOf(t, "windows-server-2022", windowsWorker())); diff != "" {
		t.Errorf("Windows (-want +got):\n%s", diff)
	}
}

// undoOf returns the script that takes back the run of kubeadm.
func undoOf(t *testing.T, distribution string, n node.NodeConfig) string {
	t.Helper()
	actions, r := plugintest.Expand(t, kubeadm.Expander{}, plugintest.Target(t, distribution), n)
	if len(actions) == 0 {
		t.Fatal(r)
	}
	c, ok := actions[len(actions)-1].Do.(action.RunCommand)
	if !ok {
		t.Fatalf("the last action is %s", actions[len(actions)-1].Do.Summary())
	}
	return c.Undo
}

// TestUndoRuns runs the script with and without a kubeadm: one that is not there has done nothing, and one that fails
// is reported.
func TestUndoRuns(t *testing.T) {
	cases := map[string]struct {
		reason, kubeadm string
		fails           bool
	}{
		"none":  {"it was to be fetched, and was not", "", false},
		"well":  {"it is asked", "#!/bin/sh\n[ \"$1 $2\" = 'reset --force' ]\n", false},
		"fails": {"the rest may be tried again", "#!/bin/sh\nexit 3\n", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			if c.kubeadm != "" {
				if err := os.WriteFile(filepath.Join(bin, "kubeadm"), []byte(c.kubeadm),
					0o700); err != nil { //nolint:gosec // A program.
					t.Fatal(err)
				}
			}
			run := exec.CommandContext(t.Context(), "/bin/sh", "-c", undoOf(t, "ubuntu", bare(node.RoleWorker, "v1.36.3")))
			run.Env = []string{"PATH=" + bin}
			if out, err := run.CombinedOutput(); (err != nil) != c.fails {
				t.Errorf("%s: %v\n%s", c.reason, err, out)
			}
		})
	}
}
