package seal_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
)

// TestEveryBitOfTheText flips every bit of the document as it is written: it is refused, or still says the same, as
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
			t.Errorf("bit %d of %q: it opens, and says something else", i%8, written[max(0, i/8-10):i/8+1])
		}
	}
	if refused < len(written)*7 {
		t.Errorf("only %d of %d changes are refused", refused, len(written)*8)
	}
}
