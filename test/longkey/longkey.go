// Package longkey makes certificates and public keys with an RSA key whose use would take minutes.
package longkey

import (
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// bits is the length of the key. Verifying a signature by such a key takes more than a minute.
const bits = 1 << 20

func public() *rsa.PublicKey {
	n := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return &rsa.PublicKey{N: n.SetBit(n, 0, 1), E: 1<<31 - 1}
}

// Public returns the public key in PEM.
func Public(t testing.TB) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(public())
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// Authority returns the certificate of an authority with the key, in PEM. Another key has signed it.
func Authority(t testing.TB) []byte {
	t.Helper()
	signer := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "long"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(nil, c, c, public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
