package kubeadm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
			_, got, _ := strings.Cut(undoOf(t, c.distribution, c.node), "\nreset_node")
			if diff := cmp.Diff(c.want, got); diff != "" {
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

// upheld is a systemctl of a machine on which a target upholds kubelet: a stop starts it again, as in systemd, unless a
// loaded condition keeps it from starting.
const upheld = `#!/bin/sh
case $* in
daemon-reload) cat "$UNITS"/kubelet.service.d/*.conf >"$UNITS/loaded" 2>/dev/null ;;
"stop kubelet.service") grep -q '^ConditionPathExists=!/$' "$UNITS/loaded" || exit 0; rm "$UNITS/running" ;;
*) exit 1 ;;
esac
`

// TestUndoStopsAnUpheldKubelet runs the script where multi-user.target upholds kubelet, as with a system extension:
// kubelet does not run while kubeadm removes its files, and can start again afterwards.
func TestUndoStopsAnUpheldKubelet(t *testing.T) {
	for name, code := range map[string]string{"done": "0", "failed": "3"} {
		t.Run(name, func(t *testing.T) {
			bin, units := t.TempDir(), t.TempDir()
			for file, text := range map[string]string{
				filepath.Join(bin, "systemctl"): upheld,
				filepath.Join(bin, "kubeadm"):   "#!/bin/sh\n[ ! -e \"$UNITS/running\" ] || exit 9\nexit " + code + "\n",
				filepath.Join(units, "running"): "", filepath.Join(units, "loaded"): "",
			} {
				if err := os.WriteFile(file, []byte(text), 0o700); err != nil { //nolint:gosec // Programs.
					t.Fatal(err)
				}
			}
			script := strings.ReplaceAll(undoOf(t, "flatcar", bare(node.RoleWorker, "v1.36.3")), "/run/systemd/system", units)
			run := exec.CommandContext(t.Context(), "/bin/sh", "-c", script+"\necho $? >$UNITS/code")
			run.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "UNITS=" + units}
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for file, want := range map[string]string{"code": code + "\n", "loaded": ""} {
				if got, err := os.ReadFile(filepath.Join(units, file)); err != nil || string(got) != want {
					t.Errorf("%s is %q, want %q: %v", file, got, want, err)
				}
			}
		})
	}
}
