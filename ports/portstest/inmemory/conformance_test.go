package inmemory_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/ports/portstest/inmemory"
)

func TestTokensConform(t *testing.T) {
	portstest.Tokens(t, func(*testing.T) ports.Tokens { return &inmemory.Tokens{} })
}

func TestCertificatesConform(t *testing.T) {
	portstest.Certificates(t, func(*testing.T) ports.Certificates { return &inmemory.Certificates{} })
}

func TestDataSecretsConform(t *testing.T) {
	portstest.DataSecrets(t, func(*testing.T) portstest.DataSecretStore {
		store := &inmemory.DataSecrets{}
		return portstest.DataSecretStore{DataSecrets: store, Orphan: store.Orphan}
	})
}

func TestInitLockConforms(t *testing.T) {
	portstest.InitLock(t, func(*testing.T) (ports.InitLock, func(string)) {
		gone := map[string]bool{}
		lock := &inmemory.InitLock{Gone: func(_ ports.Key, machine string) bool { return gone[machine] }}
		return lock, func(machine string) { gone[machine] = true }
	})
}

func TestSameCallsGiveSameAnswers(t *testing.T) {
	pair := func() node.KeyPair {
		c := inmemory.Certificates{Assume: true}
		p, err := c.Find(t.Context(), ports.Key{Namespace: "default", Name: "c1"}, node.PurposeClusterCA)
		if err != nil {
			t.Fatalf("find: %v", err)
		}
		return p
	}
	if a, b := pair(), pair(); !bytes.Equal(a.Certificate, b.Certificate) || !bytes.Equal(a.Key.Reveal(), b.Key.Reveal()) {
		t.Error("two equal calls made different certificates")
	}
	random := func() []byte {
		b := make([]byte, 100)
		if _, err := io.ReadFull(&inmemory.Entropy{}, b); err != nil {
			t.Fatalf("read: %v", err)
		}
		return b
	}
	if !bytes.Equal(random(), random()) {
		t.Error("two sources of bytes differ")
	}
}
