package signature_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/longkey"
)

// openssl runs openssl in the folder, and returns what it prints.
func openssl(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "openssl", args...)
	cmd.Dir = dir
	var message bytes.Buffer
	cmd.Stderr = &message
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("openssl %q: %v\n%s", args, err, message.String())
	}
	return out
}

const text = "0123  machineadm-linux-amd64\n"

// keys are how openssl makes a key and signs, for each type.
func keys() map[string]struct{ generate, sign []string } {
	digest := []string{"dgst", "-sha256", "-sign", "key", "text"}
	return map[string]struct{ generate, sign []string }{
		"cosign's":    {[]string{"-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"}, digest},
		"a longer EC": {[]string{"-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"}, digest},
		"RSA":         {[]string{"-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"}, digest},
		"Ed25519": {[]string{"-algorithm", "ED25519"}, []string{
			"pkeyutl", "-sign", "-inkey", "key", "-rawin",
			"-in", "text",
		}},
	}
}

// signed returns a folder with a text, the public key and the signature that openssl made of it.
func signed(t *testing.T, generate, sign []string) (key, created []byte) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	openssl(t, dir, append(append([]string{"genpkey"}, generate...), "-out", "key")...)
	key = openssl(t, dir, "pkey", "-in", "key", "-pubout")
	return key, []byte(base64.StdEncoding.EncodeToString(openssl(t, dir, sign...)) + "\n")
}

// TestVerify takes what openssl signs, and nothing that differs from it by a bit.
func TestVerify(t *testing.T) {
	if out, err := exec.Command("../../hack/packages.sh", "openssl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, k := range keys() {
		t.Run(name, func(t *testing.T) {
			key, created := signed(t, k.generate, k.sign)
			if err := (signature.Verifier{}).Verify(key, []byte(text), created); err != nil {
				t.Fatal(err)
			}
			for i := range len(text) * 8 {
				changed := []byte(text)
				changed[i/8] ^= 1 << (i % 8)
				if err := (signature.Verifier{}).Verify(key, changed, created); !errors.Is(err, ports.ErrSignature) {
					t.Fatalf("bit %d of the text is of no account: %v", i, err)
				}
			}
			raw, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(string(created)))
			for i := range len(raw) * 8 {
				changed := bytes.Clone(raw)
				changed[i/8] ^= 1 << (i % 8)
				if err := (signature.Verifier{}).Verify(key, []byte(text),
					[]byte(base64.StdEncoding.EncodeToString(changed))); !errors.Is(err, ports.ErrSignature) {
					t.Fatalf("bit %d of the signature is of no account: %v", i, err)
				}
			}
			other, _ := signed(t, k.generate, k.sign)
			if err := (signature.Verifier{}).Verify(other, []byte(text), created); !errors.Is(err, ports.ErrSignature) {
				t.Errorf("another's key: %v", err)
			}
		})
	}
}

func TestMalformedSignature(t *testing.T) {
	k := keys()["cosign's"]
	key, created := signed(t, k.generate, k.sign)
	short, shortMade := signed(t, []string{"-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"}, k.sign)
	exchange, _ := signed(t, []string{"-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"}, k.sign)
	cases := map[string]struct {
		reason         string
		key, signature []byte
		want           string
	}{
		"no key":       {"it is empty", nil, created, "the key is not one public key in PEM"},
		"another text": {"it is no PEM", []byte(text), created, "the key is not one public key in PEM"},
		"two keys": {
			"it is ambiguous", append(bytes.Clone(key), exchange...), created,
			"the key is not one public key in PEM",
		},
		"a broken key": {
			"its bytes are none", []byte("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"), created,
			"read the public key",
		},
		"no base64":   {"openssl writes bytes", key, []byte{0x30, 0x45}, "read the signature"},
		"a short key": {"it can be broken", short, shortMade, "the RSA key has 1024 bits"},
		"a long key": {
			"it takes more than a minute", longkey.Public(t), created,
			"the RSA key has 1048576 bits; at most 8192",
		},
		"nothing": {"an empty signature is another's", key, nil, ports.ErrSignature.Error()},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if err := (signature.Verifier{}).Verify(c.key, []byte(text), c.signature); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.reason, err)
			}
		})
	}
}
