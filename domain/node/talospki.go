package node

import (
	"crypto"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/secret"
)

const (
	// talosCAValidity is the validity of a CA, the same as of talosctl gen.
	talosCAValidity = 87600 * time.Hour
	// TalosClientValidity is the validity of a client certificate for the Talos API, the same as of talosctl gen.
	TalosClientValidity = 365 * 24 * time.Hour
	// talosAdmin is the role with all permissions. Talos reads the role from the certificate's organization.
	talosAdmin = "os:admin"
	// talosKeyType is the type of the PEM block in which Talos stores Ed25519 keys, as PKCS #8.
	talosKeyType = "ED25519 PRIVATE KEY"

	certificateType = "CERTIFICATE"
	serialBytes     = 16
)

// errNoKeyPair does not quote the input, which may be secret.
var errNoKeyPair = errors.New("this is not a certificate with its private key")

// NewTalosSecrets generates the secrets of a cluster from random bytes. The CA is valid for ten years from now.
func NewTalosSecrets(random io.Reader, now time.Time) (TalosSecrets, error) {
	maker := talosMaker{random: random}
	s := TalosSecrets{
		TrustdToken: maker.token(), BootstrapToken: maker.token(),
		ClusterID:     base64.URLEncoding.EncodeToString(maker.bytes(talosKeyLength)),
		ClusterSecret: secret.FromString(base64.StdEncoding.EncodeToString(maker.bytes(talosKeyLength))),
		SecretboxKey:  secret.FromString(base64.StdEncoding.EncodeToString(maker.bytes(talosKeyLength))),
	}
	key := maker.key()
	authority := maker.template("talos", now, talosCAValidity)
	authority.IsCA, authority.BasicConstraintsValid = true, true
	authority.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	authority.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	if maker.err != nil {
		return TalosSecrets{}, fmt.Errorf("read random bytes: %w", maker.err)
	}
	var err error
	s.OSCA, err = talosPair(authority, authority, key, key)
	return s, err
}

// NewTalosClient creates a client certificate for the Talos API with all permissions. ca is the OSCA of the cluster's
// TalosSecrets, with its private key.
func NewTalosClient(ca KeyPair, random io.Reader, now time.Time) (KeyPair, error) {
	authority, signer, err := parsePair(ca)
	if err != nil {
		return KeyPair{}, err
	}
	maker := talosMaker{random: random}
	key := maker.key()
	client := maker.template(talosAdmin, now, TalosClientValidity)
	client.KeyUsage, client.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	if maker.err != nil {
		return KeyPair{}, fmt.Errorf("read random bytes: %w", maker.err)
	}
	return talosPair(client, authority, key, signer)
}

// TalosClientExpires returns when the client certificate expires. It is false if the CA did not sign the certificate.
func TalosClientExpires(client, ca KeyPair) (time.Time, bool) {
	certificate, errClient := parseCertificate(client.Certificate)
	authority, errCA := parseCertificate(ca.Certificate)
	if errClient != nil || errCA != nil || certificate.CheckSignatureFrom(authority) != nil {
		return time.Time{}, false
	}
	return certificate.NotAfter, true
}

// talosMaker generates keys from random bytes, and keeps the first error.
type talosMaker struct {
	random io.Reader
	err    error
}

func (m *talosMaker) bytes(n int) []byte {
	b := make([]byte, n)
	if m.err == nil {
		_, m.err = io.ReadFull(m.random, b)
	}
	return b
}

// token returns a token of six characters, a dot and sixteen characters.
func (m *talosMaker) token() secret.Value {
	id := encodeToken([32]byte(m.bytes(32)))[:tokenIDLength]
	return secret.FromString(id + "." + encodeToken([32]byte(m.bytes(32)))[:tokenSecretLength])
}

func (m *talosMaker) key() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(m.bytes(ed25519.SeedSize))
}

func (m *talosMaker) template(organization string, now time.Time, validity time.Duration) *x509.Certificate {
	serial := m.bytes(serialBytes)
	serial[0] &= 0x7f // RFC 5280, section 4.1.2.2: the number is positive.
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial), Subject: pkix.Name{Organization: []string{organization}},
		NotBefore: now, NotAfter: now.Add(validity),
	}
}

// talosPair signs the certificate without random bytes: Ed25519 needs none, and other algorithms sign
// deterministically.
func talosPair(template, parent *x509.Certificate, key ed25519.PrivateKey, signer crypto.Signer) (KeyPair, error) {
	der, err := x509.CreateCertificate(nil, template, parent, key.Public(), signer)
	if err != nil {
		return KeyPair{}, fmt.Errorf("sign a certificate: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return KeyPair{}, fmt.Errorf("encode a private key: %w", err)
	}
	return KeyPair{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: certificateType, Bytes: der}),
		Key:         secret.New(pem.EncodeToMemory(&pem.Block{Type: talosKeyType, Bytes: private})),
	}, nil
}

func parsePair(pair KeyPair) (*x509.Certificate, crypto.Signer, error) {
	certificate, err := parseCertificate(pair.Certificate)
	if err != nil {
		return nil, nil, err
	}
	block, _ := pem.Decode(pair.Key.Reveal())
	if block == nil || len(block.Bytes) > budget.PrivateKey {
		return nil, nil, errNoKeyPair
	}
	signer, err := parseKey(block)
	return certificate, signer, err
}

func parseCertificate(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errNoKeyPair
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil || budget.CheckRSA(certificate.PublicKey) != nil {
		return nil, errNoKeyPair
	}
	return certificate, nil
}

func parseKey(block *pem.Block) (crypto.Signer, error) {
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	signer, ok := key.(crypto.Signer)
	if err != nil || !ok {
		return nil, errNoKeyPair
	}
	return signer, nil
}
