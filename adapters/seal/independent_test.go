//go:build !unit

package seal_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/debian"
)

// python has another implementation, of Debian's python3-cryptography, open or seal.
func python(t *testing.T, do, machine, text string, s indirect.EncryptedConfig) ([]byte, error) {
	t.Helper()
	requested, err := json.Marshal(map[string]any{
		"do": do, "machine": machine, "passphrase": passphrase,
		"text": text, "spec": s,
	})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "/usr/bin/python3", "testdata/independent.py")
	command.Stdin = bytes.NewReader(requested)
	return command.Output()
}

func TestAnotherImplementationOpensOurs(t *testing.T) {
	debian.Packages(t, "python3", "python3-cryptography")
	c := sealed(t)
	if got, err := python(t, "open", machine, "", c); string(got) != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := python(t, "open", "default/worker-1", "", c); err == nil {
		t.Errorf("for another machine it got %q", got)
	}
}

func TestWeOpenAnotherImplementations(t *testing.T) {
	debian.Packages(t, "python3", "python3-cryptography")
	out, err := python(t, "seal", machine, text, indirect.EncryptedConfig{
		Provider: "file", PassphraseURI: "file:///etc/p",
		Iterations: indirect.MinIterations,
	})
	if err != nil {
		t.Fatal(err)
	}
	var s indirect.EncryptedConfig
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	if got, err := seal.Open(s, secret.FromString(passphrase), machine); string(got) != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
