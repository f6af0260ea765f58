package age_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	library "filippo.io/age"

	"github.com/machineadm/machineadm/adapters/age"
	"github.com/machineadm/machineadm/test/fips"
)

// TestEncrypt checks that each recipient can decrypt, and that nobody else can.
func TestEncrypt(t *testing.T) {
	var keys []*library.X25519Identity
	for range 3 {
		k, err := library.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	var out bytes.Buffer
	w, err := age.Encrypter{}.Encrypt(&out, []string{keys[0].Recipient().String(), keys[1].Recipient().String()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "the data"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		r, err := library.Decrypt(bytes.NewReader(out.Bytes()), k)
		if i == 2 {
			if err == nil {
				t.Error("another key decrypts it")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != "the data" {
			t.Errorf("%q, error %v", text, err)
		}
	}
}

// TestInvalidRecipients checks that the error names the recipient, and does not repeat what may be a private key.
func TestInvalidRecipients(t *testing.T) {
	k, err := library.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		recipients []string
		want       string
	}{
		"none":          {nil, "no recipients"},
		"a private key": {[]string{k.Recipient().String(), k.String()}, "recipients[1]"},
		"a typo":        {[]string{k.Recipient().String() + "q"}, "recipients[0]"},
	} {
		_, err := age.Encrypter{}.Encrypt(io.Discard, c.recipients)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), k.String()[20:]) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestFIPSModeRefuses checks the error in FIPS 140-3 mode.
func TestFIPSModeRefuses(t *testing.T) {
	if !fips.Mode(t) {
		return
	}
	_, err := age.Encrypter{}.Encrypt(io.Discard, nil)
	if !errors.Is(err, age.ErrNotApproved) || !strings.Contains(err.Error(), "remove spec.etcdSnapshots") {
		t.Errorf("got %v", err)
	}
}
