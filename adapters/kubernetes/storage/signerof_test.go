package storage

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/secret"
)

// TestSignerRevealsNoKey verifies that the secret key cannot be guessed from the signer's identifier, since other keys
// have the same one.
func TestSignerRevealsNoKey(t *testing.T) {
	seen := map[string]bool{}
	const tries = 2000
	for n := range tries {
		seen[signerOf(v1alpha1.S3BootstrapStorageSpec{},
			Keys{AccessKeyID: "a", SecretAccessKey: secret.New([]byte{1, byte(n), byte(n >> 8)})})] = true
	}
	if len(seen) == tries || len(seen) < tries*9/10 {
		t.Errorf("%d keys have %d words", tries, len(seen))
	}
}
