package agent_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/hsm"
	"github.com/machineadm/machineadm/test/nightly"
)

// byToken returns the userdata of the worker, encrypted by the real plugin in a tree of its own: nothing of it is left
// here.
func byToken(t *testing.T, terminal, plugin string, k hsm.Token) []byte {
	t.Helper()
	tree := t.TempDir()
	k.Into(t, tree, plugin)
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	manifests = bytes.Replace(bytes.ReplaceAll(manifests, []byte("DISTRIBUTION"), []byte("debian")),
		[]byte("{mode: Agent}"),
		[]byte(`{mode: Agent, encryption: {provider: pkcs11, key: "`+hsm.Key+`"}}`), 1)
	command := exec.Command(hsm.Over(t, tree, terminal), "render", "-f", "-")
	command.Stdin = bytes.NewReader(manifests)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil || !bytes.Contains(out, []byte("@"+hsm.Key)) {
		t.Fatalf("render: %v\n%s", err, stderr.String())
	}
	return out
}

// TestKeyOfATokenBoots has the machine's own token unwrap the key that another plugin of the same token wrapped.
func TestKeyOfATokenBoots(t *testing.T) {
	t.Parallel()
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	ours, other, plugin := hsm.New(t), hsm.New(t), hsm.Build(t)
	data := byToken(t, terminal, plugin, ours)
	t.Run("its own", func(t *testing.T) {
		t.Parallel()
		m, _ := byCloudInit(t, agent, "trixie", data)
		ours.Into(t, filepath.Join(m.State, "upper"), plugin)
		m.Run(t, "../goldens/nspawn.sh")
		m.holdsAll(t)
		m.showsNoSecret(t)
	})
	cases := map[string]struct {
		reason string
		change func(tree string)
		want   string
	}{
		"another key": {"a token of the same name", func(tree string) {
			must(t, os.RemoveAll(tree+hsm.Tokens))
			other.Plug(t, tree)
		}, "the key management service refuses"},
		"no token": {
			"it is not plugged in", func(tree string) { must(t, os.RemoveAll(tree+hsm.Tokens)) },
			"the key management service cannot be reached",
		},
		"no plugin": {"the image lacks it", func(tree string) { must(t, os.Remove(tree+hsm.Plugin)) }, "no such provider"},
	}
	for name, c := range nightly.Cases(t, cases, "no token") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, _ := byCloudInit(t, agent, "trixie", data)
			tree := filepath.Join(m.State, "upper")
			ours.Into(t, tree, plugin)
			c.change(tree)
			m.Run(t, "../goldens/nspawn.sh")
			if failure := m.Read(t, "/var/log/report/cluster-api/bootstrap-failure.json"); !strings.Contains(failure, c.want) {
				t.Errorf("%s: %s\n%s", c.reason, failure, m.Log())
			}
			if m.Exists("/etc/app/name") || m.Exists("/var/log/phases") {
				t.Error("something was applied")
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Sprint(err))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
