package signature_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/longkey"
	"github.com/machineadm/machineadm/test/memory"
)

// FuzzVerify reads keys and signatures of users. No key that it finds has signed the text.
func FuzzVerify(f *testing.F) {
	f.Add(longkey.Public(f), []byte("AAAA"))
	hostile.Seed(func(text string) { f.Add([]byte(text), []byte(text)) })
	f.Fuzz(func(t *testing.T, key, created []byte) {
		memory.Below(t, memory.Parse, func() {
			if err := (signature.Verifier{}).Verify(key, []byte("text"), created); err == nil {
				t.Errorf("%q signs by %q", created, key)
			}
		})
	})
}
