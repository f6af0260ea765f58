package services_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/plugin/trust"
	domain "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/debian"
)

// clientPair returns a self-signed certificate and its key, PEM.
func clientPair(t *testing.T, name string) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, &template, &template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
}

// TestTrustStoreHoldsEachCertificate rebuilds a trust store from what the plugin writes for a bundle.
func TestTrustStoreHoldsEachCertificate(t *testing.T) {
	debian.Packages(t, "ca-certificates", "openssl")
	one, _ := clientPair(t, "one")
	two, _ := clientPair(t, "two")
	tgt := target(t, "debian")
	c := domain.TrustedCAsConfig{CAs: []domain.TrustedCA{{Name: "corp", PEM: append(append([]byte{}, one...), two...)}}}
	m := expanded(t, trust.New(), tgt, c)
	m.write(t, "etc/ssl/certs/.keep", "")
	m.write(t, "etc/ca-certificates.conf", "")
	_, complaints := run(t, tgt.Profile.Trust.Command, "--certsconf", m.path("etc/ca-certificates.conf"),
		"--localcertsdir",
		m.path(tgt.Profile.Trust.Directory), "--etccertsdir", m.path("etc/ssl/certs"), "--hooksdir", m.path("hooks"))
	store, err := os.ReadFile(m.path("etc/ssl/certs/ca-certificates.crt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, certificate := range map[string][]byte{"one": one, "two": two} {
		if !strings.Contains(string(store), strings.TrimSpace(string(certificate))) {
			t.Errorf("certificate %s is not in the store; %s", name, complaints)
		}
	}
	if strings.Contains(complaints, "skipping") {
		t.Errorf("a certificate was skipped: %s", complaints)
	}
}
