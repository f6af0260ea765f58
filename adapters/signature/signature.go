// Package signature verifies signatures of files that were created with cosign sign-blob or openssl dgst.
package signature

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/ports"
)

// Verifier verifies signatures by ECDSA and RSA keys over the SHA-256 of the text, and by Ed25519 keys over the text.
type Verifier struct{}

var _ ports.SignatureVerifier = Verifier{}

// minBits is the shortest RSA key that is taken, as NIST SP 800-131A has it.
const minBits = 2048

// Verify implements ports.Signatures.
func (Verifier) Verify(key, message, signature []byte) error {
	block, rest := pem.Decode(bytes.TrimSpace(key))
	if block == nil || block.Type != "PUBLIC KEY" || len(bytes.TrimSpace(rest)) > 0 {
		return errors.New("the key is not one public key in PEM")
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return fmt.Errorf("read the public key: %w", err)
	}
	created, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(signature)))
	if err != nil {
		return fmt.Errorf("read the signature: %w", err)
	}
	return verify(public, message, created)
}

func verify(public any, message, signature []byte) error {
	sum := sha256.Sum256(message)
	var fits bool
	switch k := public.(type) {
	case *ecdsa.PublicKey:
		fits = ecdsa.VerifyASN1(k, sum[:], signature)
	case ed25519.PublicKey:
		fits = ed25519.Verify(k, message, signature)
	case *rsa.PublicKey:
		if k.N.BitLen() < minBits {
			return fmt.Errorf("the RSA key has %d bits, and %d are needed", k.N.BitLen(), minBits)
		}
		if err := budget.CheckRSA(k); err != nil {
			return err
		}
		fits = rsa.VerifyPKCS1v15(k, crypto.SHA256, sum[:], signature) == nil
	default:
		return fmt.Errorf("a key of the type %T cannot sign", public)
	}
	if !fits {
		return ports.ErrSignature
	}
	return nil
}
