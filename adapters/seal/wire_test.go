package seal_test

import (
	"bytes"
	"reflect"
	"regexp"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// TestEveryBitOfTheText flips every bit of the document as it is written: it is refused, or has the same content, as
// with another blank or another mark of YAML.
func TestEveryBitOfTheText(t *testing.T) {
	c := sealed(t)
	key, err := seal.Derive([]byte(passphrase), c.Salt, c.Iterations, 32)
	if err != nil {
		t.Fatal(err)
	}
	written, err := codec.Codec{}.Encode([]document.Document{{Value: c}})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range len(written) * 8 {
		flipped := bytes.Clone(written)
		flipped[i/8] ^= 1 << (i % 8)
		docs, found := codec.Codec{}.Decode(t.Context(), flipped)
		read, _, is := document.First[indirect.EncryptedConfig](docs)
		if found.HasErrors() || !is {
			refused++
			continue
		}
		got, err := seal.OpenWith(read, key, machine)
		switch {
		case err != nil:
			refused++
		case !reflect.DeepEqual(read, c) || string(got) != text:
			t.Errorf("bit %d of %q: it opens with another content", i%8, written[max(0, i/8-10):i/8+1])
		}
	}
	if refused < len(written)*7 {
		t.Errorf("only %d of %d changes are refused", refused, len(written)*8)
	}
}

// TestDefaultsOpen leaves out the fields with a default: the agent decrypts the document with the proposal's values.
func TestDefaultsOpen(t *testing.T) {
	written, err := codec.Codec{}.Encode([]document.Document{{Value: sealed(t)}})
	if err != nil {
		t.Fatal(err)
	}
	optional := regexp.MustCompile(`(?m)^ *(cipherAlgorithm|digestAlgorithm|iterations|keyDerivationAlgorithm): .*\n`)
	if n := len(optional.FindAll(written, -1)); n != 4 {
		t.Fatalf("found %d of 4 fields in %s", n, written)
	}
	docs, found := codec.Codec{}.Decode(t.Context(), optional.ReplaceAll(written, nil))
	read, _, is := document.First[indirect.EncryptedConfig](docs)
	if found.HasErrors() || !is {
		t.Fatalf("got %v", found)
	}
	got, err := seal.Open(read, secret.FromString(passphrase), machine)
	if string(got) != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
