package credential_test

import (
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/secret"
)

// nextOf returns the digit of base64 after this one. The last digit of 32 bytes has two bits that no byte uses, which
// are zero.
func nextOf(digit byte) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return digits[strings.IndexByte(digits, digit)+1:][:1]
}

func TestSigner(t *testing.T) {
	s, ok := credential.NewSigner(secret.FromString(strings.Repeat("k", 32)))
	other, _ := credential.NewSigner(secret.FromString(strings.Repeat("l", 32)))
	if !ok {
		t.Fatal("32 bytes are enough")
	}
	at := time.Unix(1_800_000_000, 0)
	right := string(s.Sign("a/b/c", at).Reveal())
	if !s.Verifies("a/b/c", at, right) {
		t.Error("its own signature is refused")
	}
	for reason, wrong := range map[string]bool{
		"another name":      s.Verifies("a/b/d", at, right),
		"another time":      s.Verifies("a/b/c", at.Add(time.Second), right),
		"another key":       other.Verifies("a/b/c", at, right),
		"no signature":      s.Verifies("a/b/c", at, ""),
		"no base64":         s.Verifies("a/b/c", at, "%"+right),
		"a line end in it":  s.Verifies("a/b/c", at, right[:9]+"\n"+right[9:]),
		"other unused bits": s.Verifies("a/b/c", at, right[:42]+nextOf(right[42])),
		"more of it":        s.Verifies("a/b/c", at, right+"AAAA"),
		"part of it":        s.Verifies("a/b/c", at, right[:40]),
	} {
		if wrong {
			t.Error(reason)
		}
	}
	same, _ := credential.NewSigner(secret.FromString(strings.Repeat("k", 32)))
	if s.Fingerprint() != same.Fingerprint() || s.Fingerprint() == other.Fingerprint() || len(s.Fingerprint()) != 16 {
		t.Errorf("fingerprints %s, %s and %s", s.Fingerprint(), same.Fingerprint(), other.Fingerprint())
	}
	if weak, ok := credential.NewSigner(secret.Value{}); ok ||
		weak.Verifies("a", at, string(weak.Sign("a", at).Reveal())) {
		t.Error("no key signs nothing")
	}
}
