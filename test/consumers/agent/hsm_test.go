package agent_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
)

// The parts of a real token of SoftHSM2, on the machine as well as where its configuration is encrypted.
const (
	hsmModule   = "/usr/lib/softhsm/libsofthsm2.so"
	hsmPlugin   = "/usr/libexec/machineadm/machineadm-plugin-encryption-provider-pkcs11"
	hsmSettings = "/etc/machineadm/encryption/pkcs11.yaml"
	hsmPIN      = "/etc/site/pin"
	hsmConfig   = "/etc/softhsm/softhsm2.conf"
	hsmTokens   = "/var/lib/hsm"
)

// token is a folder with a token and its key.
type token struct{ folder string }

// newToken makes a token with an AES key of the label kek.
func newToken(t *testing.T) token {
	t.Helper()
	debian.Packages(t, "softhsm2")
	k := token{t.TempDir()}
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	write(t, filepath.Join(k.folder, "key"), string(key))
	write(t, filepath.Join(k.folder, "conf"), "directories.tokendir = "+k.folder+"/tokens\nobjectstore.backend = file\n")
	if err := os.Mkdir(filepath.Join(k.folder, "tokens"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--init-token", "--free", "--label", "machineadm", "--pin", "1234", "--so-pin", "5678"},
		{"--import", filepath.Join(k.folder, "key"), "--aes", "--token", "machineadm", "--label", "kek", "--id", "01", "--pin", "1234"},
	} {
		command := exec.Command("softhsm2-util", args...)
		command.Env = append(os.Environ(), "SOFTHSM2_CONF="+filepath.Join(k.folder, "conf"))
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("softhsm2-util %q: %v\n%s", args[0], err, out)
		}
	}
	return k
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// into lays the token, the plugin and its settings into a tree.
func (k token) into(t *testing.T, tree, plugin string) {
	t.Helper()
	write(t, tree+hsmConfig, "directories.tokendir = "+hsmTokens+"\nobjectstore.backend = file\n")
	write(t, tree+hsmSettings, "module: "+hsmModule+"\npinFile: "+hsmPIN+"\n")
	write(t, tree+hsmPIN, "1234\n")
	k.tokens(t, tree)
	for to, from := range map[string]string{hsmPlugin: plugin, hsmModule: hsmModule} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, tree+to, string(content))
		if err := os.Chmod(tree+to, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// tokens lays the token alone into a tree.
func (k token) tokens(t *testing.T, tree string) {
	t.Helper()
	if err := os.CopyFS(tree+hsmTokens, os.DirFS(filepath.Join(k.folder, "tokens"))); err != nil {
		t.Fatal(err)
	}
}

// byToken returns the userdata of the worker, encrypted by the real plugin in a tree of its own: nothing of it is left here.
func byToken(t *testing.T, terminal, plugin string, k token) []byte {
	t.Helper()
	dir := t.TempDir()
	k.into(t, filepath.Join(dir, "upper"), plugin)
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	manifests = bytes.Replace(bytes.ReplaceAll(manifests, []byte("DISTRIBUTION"), []byte("debian")), []byte("{mode: Agent}"),
		[]byte(`{mode: Agent, encryption: {provider: pkcs11, key: "pkcs11:token=machineadm;object=kek"}}`), 1)
	overlay := "set -e; cd " + dir + "; for d in /etc /usr /var; do mkdir -p upper$d work$d; mount -t overlay overlay -o lowerdir=$d,upperdir=upper$d,workdir=work$d $d; done; exec "
	command := exec.Command("unshare", "--mount", "sh", "-c", overlay+terminal+" render -f -")
	command.Stdin = bytes.NewReader(manifests)
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil || !bytes.Contains(out, []byte("@pkcs11:token=machineadm;object=kek")) {
		t.Fatalf("render: %v\n%s", err, said.String())
	}
	return out
}

// TestKeyOfATokenBoots has the machine's own token unwrap the key that another plugin of the same token wrapped.
func TestKeyOfATokenBoots(t *testing.T) {
	agent, terminal := built(t, "machineadm"), built(t, "machineadmctl")
	plugin := filepath.Join(t.TempDir(), "pkcs11")
	if out, err := exec.Command("go", "build", "-o", plugin, "../../../cmd/machineadm-plugin-encryption-provider-pkcs11").CombinedOutput(); err != nil {
		t.Fatalf("build the plugin: %v\n%s", err, out)
	}
	ours, other := newToken(t), newToken(t)
	data := byToken(t, terminal, plugin, ours)
	t.Run("its own", func(t *testing.T) {
		m, _ := byCloudInit(t, agent, "bookworm", data)
		ours.into(t, filepath.Join(m.State, "upper"), plugin)
		m.Run(t, "../goldens/nspawn.sh")
		m.holdsAll(t)
		m.showsNoSecret(t)
	})
	for name, c := range map[string]struct {
		reason string
		change func(tree string)
		want   string
	}{
		"another key": {"a token of the same name", func(tree string) {
			must(t, os.RemoveAll(tree+hsmTokens))
			other.tokens(t, tree)
		}, "the key management service refuses"},
		"no token":  {"it is not plugged in", func(tree string) { must(t, os.RemoveAll(tree+hsmTokens)) }, "the key management service cannot be reached"},
		"no plugin": {"the image lacks it", func(tree string) { must(t, os.Remove(tree+hsmPlugin)) }, "no such provider"},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := byCloudInit(t, agent, "bookworm", data)
			tree := filepath.Join(m.State, "upper")
			ours.into(t, tree, plugin)
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
