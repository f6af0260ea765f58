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

// spec is the fields as machine configuration has them; encoding/json writes bytes as base64.
type spec struct {
	Provider               string `json:"provider"`
	PassphraseURI          string `json:"passphraseURI"`
	Ciphertext             []byte `json:"ciphertext"`
	Salt                   []byte `json:"salt"`
	IV                     []byte `json:"iv"`
	CipherAlgorithm        string `json:"cipherAlgorithm"`
	DigestAlgorithm        string `json:"digestAlgorithm"`
	KeyDerivationAlgorithm string `json:"keyDerivationAlgorithm"`
	Iterations             int    `json:"iterations"`
}

// python has another implementation, of Debian's python3-cryptography, open or seal.
func python(t *testing.T, do, machine, text string, s spec) ([]byte, error) {
	t.Helper()
	asked, err := json.Marshal(map[string]any{"do": do, "machine": machine, "passphrase": passphrase, "text": text, "spec": s})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "/usr/bin/python3", "testdata/independent.py")
	command.Stdin = bytes.NewReader(asked)
	return command.Output()
}

func TestAnotherImplementationOpensOurs(t *testing.T) {
	debian.Packages(t, "python3", "python3-cryptography")
	c := sealed(t)
	if got, err := python(t, "open", machine, "", spec(c)); string(got) != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := python(t, "open", "default/worker-1", "", spec(c)); err == nil {
		t.Errorf("for another machine it got %q", got)
	}
}

func TestWeOpenAnotherImplementations(t *testing.T) {
	debian.Packages(t, "python3", "python3-cryptography")
	out, err := python(t, "seal", machine, text, spec{Provider: "file", PassphraseURI: "file:///etc/p", Iterations: indirect.MinIterations})
	if err != nil {
		t.Fatal(err)
	}
	var s spec
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	if got, err := seal.Open(indirect.EncryptedConfig(s), secret.FromString(passphrase), machine); string(got) != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
