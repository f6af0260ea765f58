// Package hsm gives tests real tokens of SoftHSM2, and trees in which such a token, the pkcs11 plugin and its settings
// are in their usual places, without touching the machine that runs the test. It needs root.
package hsm

import (
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// Where the parts of a token are, on the machine as well as where its configuration is encrypted.
const (
	// Module is SoftHSM2's library.
	Module = "/usr/lib/softhsm/libsofthsm2.so"
	// Plugin is the program that asks it.
	Plugin = "/usr/libexec/machineadm/machineadm-plugin-encryption-provider-pkcs11"
	// Tokens is the folder of the tokens; without it none is plugged in.
	Tokens = "/var/lib/hsm"

	settings = "/etc/machineadm/encryption/pkcs11.yaml"
	pin      = "/etc/site/pin"
	config   = "/etc/softhsm/softhsm2.conf"
)

// Key is the name of each token's key, as spec.delivery.encryption.key has it.
const Key = "pkcs11:token=machineadm;object=kek"

// Token is a token and its key. All tokens have the same name, and each has another key.
type Token struct{ folder string }

// New makes a token with an AES key. It goes with the test.
func New(t testing.TB) Token {
	t.Helper()
	debian.Packages(t, "softhsm2")
	k := Token{t.TempDir()}
	// The importer reads a line of text: bytes at random would end the key at the first zero or newline.
	write(t, filepath.Join(k.folder, "key"), (rand.Text() + rand.Text())[:32], 0o600)
	write(t, filepath.Join(k.folder, "conf"), "directories.tokendir = "+k.folder+"/tokens\nobjectstore.backend = file\n",
		0o600)
	if err := os.Mkdir(filepath.Join(k.folder, "tokens"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--init-token", "--free", "--label", "machineadm", "--pin", "1234", "--so-pin", "5678"},
		{
			"--import", filepath.Join(k.folder, "key"), "--aes", "--token", "machineadm", "--label", "kek", "--id", "01",
			"--pin", "1234",
		},
	} {
		command := exec.CommandContext(t.Context(), "softhsm2-util", args...)
		command.Env = append(os.Environ(), "SOFTHSM2_CONF="+filepath.Join(k.folder, "conf"))
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("softhsm2-util %q: %v\n%s", args[0], err, out)
		}
	}
	return k
}

// Build builds the plugin and returns its path.
func Build(t testing.TB) string {
	t.Helper()
	path, err := programs.Build(t.Context(), "machineadm-plugin-encryption-provider-pkcs11")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Into installs the token, the plugin at the given path, and their settings in a tree.
func (k Token) Into(t testing.TB, tree, plugin string) {
	t.Helper()
	write(t, tree+config, "directories.tokendir = "+Tokens+"\nobjectstore.backend = file\n", 0o600)
	write(t, tree+settings, "module: "+Module+"\npinFile: "+pin+"\n", 0o600)
	write(t, tree+pin, "1234\n", 0o600)
	k.Plug(t, tree)
	for to, from := range map[string]string{Plugin: plugin, Module: Module} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, tree+to, string(content), 0o755)
	}
}

// Plug lays the token alone into a tree.
func (k Token) Plug(t testing.TB, tree string) {
	t.Helper()
	if err := os.CopyFS(tree+Tokens, os.DirFS(filepath.Join(k.folder, "tokens"))); err != nil {
		t.Fatal(err)
	}
}

// over has a program see a tree above this machine's own, in a mount namespace; it takes the place of the shell.
const over = `#!/bin/sh
exec unshare --mount sh -ec '
for d in /etc /usr /var; do
	mkdir -p "%[1]s$d" "%[2]s$d"
	mount -t overlay overlay -o "lowerdir=$d,upperdir=%[1]s$d,workdir=%[2]s$d" "$d"
done
exec %[3]s "$@"' sh "$@"
`

// Over returns the path of a program that runs another one with its own arguments, as the same process. That sees the
// tree above this machine's /etc, /usr and /var, and what it writes there goes into the tree.
func Over(t testing.TB, tree, program string) string {
	t.Helper()
	dir := t.TempDir()
	at := filepath.Join(dir, filepath.Base(program))
	write(t, at, fmt.Sprintf(over, tree, filepath.Join(dir, "work"), program), 0o755)
	return at
}

func write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
