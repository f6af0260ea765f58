package node_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
)

var errDry = errors.New("no more bytes")

// stream gives n bytes that depend on the seed, and then an error.
func stream(seed string, n int) io.Reader {
	var b []byte
	for block := sha256.Sum256([]byte(seed)); len(b) < n; block = sha256.Sum256(block[:]) {
		b = append(b, block[:]...)
	}
	return io.MultiReader(bytes.NewReader(b[:n]), failing{})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDry }

const plenty = 1024

func talosNow() time.Time { return time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC) }

func newSecrets(t *testing.T, seed string) node.TalosSecrets {
	t.Helper()
	s, err := node.NewTalosSecrets(stream(seed, plenty), talosNow())
	if err != nil {
		t.Fatalf("make secrets: %v", err)
	}
	return s
}

func TestNewTalosSecretsAreSoundAndFollowTheBytes(t *testing.T) {
	s := newSecrets(t, "a")
	if findings := s.Check("at"); findings.HasErrors() || s.OSCA.Key.IsZero() {
		t.Errorf("the secrets are refused:\n%s", findings)
	}
	same := cmp.Comparer(secret.Value.Equal)
	if diff := cmp.Diff(s, newSecrets(t, "a"), same); diff != "" {
		t.Errorf("the same bytes gave other secrets (-want +got):\n%s", diff)
	}
	other := newSecrets(t, "b")
	if other.TrustdToken.Equal(s.TrustdToken) || other.ClusterID == s.ClusterID || other.OSCA.Key.Equal(s.OSCA.Key) {
		t.Error("other bytes gave the same secrets")
	}
	if s.TrustdToken.Equal(s.BootstrapToken) || s.ClusterSecret.Equal(s.SecretboxKey) {
		t.Error("two secrets are one")
	}
}

func certificate(t *testing.T, text []byte) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatalf("%q is no PEM", text)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	return c
}

func TestTalosClientIsAnAdministratorForAYear(t *testing.T) {
	ca := newSecrets(t, "a").OSCA
	client, err := node.NewTalosClient(ca, stream("client", plenty), talosNow())
	if err != nil {
		t.Fatalf("make a client: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate(t, ca.Certificate))
	c := certificate(t, client.Certificate)
	for _, at := range []time.Duration{time.Minute, 364 * 24 * time.Hour} {
		_, err := c.Verify(x509.VerifyOptions{
			Roots: roots, CurrentTime: talosNow().Add(at), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		})
		if err != nil {
			t.Errorf("after %s: %v", at, err)
		}
	}
	if diff := cmp.Diff([]string{"os:admin"}, c.Subject.Organization); diff != "" {
		t.Errorf("organization (-want +got):\n%s", diff)
	}
	if expires, ok := node.TalosClientExpires(client, ca); !ok ||
		!expires.Equal(talosNow().Add(node.TalosClientValidity)) {
		t.Errorf("expires %s, %v", expires, ok)
	}
}

func TestTalosClientOfAnotherCAIsNone(t *testing.T) {
	ca, other := newSecrets(t, "a").OSCA, newSecrets(t, "b").OSCA
	client, err := node.NewTalosClient(other, stream("client", plenty), talosNow())
	if err != nil {
		t.Fatalf("make a client: %v", err)
	}
	for name, pair := range map[string]node.KeyPair{
		"other CA": client, "nothing": {},
		"no PEM": {Certificate: []byte("x")}, "no DER": {Certificate: block("CERTIFICATE")},
	} {
		if _, ok := node.TalosClientExpires(pair, ca); ok {
			t.Errorf("%s: the certificate is taken", name)
		}
	}
}

func TestTalosClientNeedsAKeyPair(t *testing.T) {
	ca := newSecrets(t, "a").OSCA
	for name, pair := range map[string]node.KeyPair{
		"nothing": {}, "no key": {Certificate: ca.Certificate}, "no certificate": {Key: ca.Key},
		"RSA":   {Certificate: ca.Certificate, Key: secret.New(block("RSA PRIVATE KEY"))},
		"EC":    {Certificate: ca.Certificate, Key: secret.New(block("EC PRIVATE KEY"))},
		"PKCS8": {Certificate: ca.Certificate, Key: secret.New(block("PRIVATE KEY"))},
		"other": {Certificate: ca.Certificate, Key: newSecrets(t, "b").OSCA.Key},
	} {
		if _, err := node.NewTalosClient(pair, stream("client", plenty), talosNow()); err == nil {
			t.Errorf("%s: a client was made", name)
		}
	}
}

func TestTalosSecretsNeedAllTheirBytes(t *testing.T) {
	for n := range 12 {
		if _, err := node.NewTalosSecrets(stream("a", 16*n), talosNow()); !errors.Is(err, errDry) {
			t.Errorf("%d bytes: error %v, want %v", 16*n, err, errDry)
		}
	}
	if _, err := node.NewTalosClient(newSecrets(t, "a").OSCA, stream("a", 40), talosNow()); !errors.Is(err, errDry) {
		t.Errorf("client: error %v, want %v", err, errDry)
	}
}
