package storage

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/secret"
)

// TestTheSignerTellsNoKey holds that who sees the word for a signer cannot find its secret key by trying: others have
// the same word.
func TestTheSignerTellsNoKey(t *testing.T) {
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
