// Package seal encrypts and decrypts machine configuration with the standard library's cryptography: PBKDF2 with
// HMAC-SHA-512 derives a key from a passphrase, and AES-256-GCM encrypts with it. indirect.EncryptedConfig defines the
// additional authenticated data. docs/encryption.md specifies the format.
//
// It also runs in FIPS 140-3 mode: Go's cryptographic module generates the nonce, so that callers cannot choose it.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"errors"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// The lengths of generated values in bytes.
const (
	keyBytes  = 32
	saltBytes = 32
)

// Header contains the authenticated fields of encrypted configuration apart from the algorithms.
type Header struct {
	// Provider and PassphraseURI locate the passphrase.
	Provider, PassphraseURI string
	// Iterations are the rounds of the key derivation; 0 means indirect.RecommendedIterations.
	Iterations int
}

// Seal encrypts the text for the machine with the given identity. Each call uses a new salt and nonce.
func Seal(text, passphrase secret.Value, machine string, h Header) (indirect.EncryptedConfig, error) {
	c := indirect.EncryptedConfig{
		Provider: h.Provider, PassphraseURI: h.PassphraseURI, Iterations: h.Iterations, Salt: make([]byte, saltBytes),
		CipherAlgorithm: indirect.CipherAES256GCM, DigestAlgorithm: indirect.DigestSHA512,
		KeyDerivationAlgorithm: indirect.KDFPBKDF2,
	}
	if c.Iterations == 0 {
		c.Iterations = indirect.RecommendedIterations
	}
	if passphrase.IsZero() || machine == "" || text.IsZero() {
		return c, errors.New("encrypt: the passphrase, the machine's name or the text is empty")
	}
	// It fills the salt or ends the program.
	_, _ = rand.Read(c.Salt)
	key, err := derive(passphrase.Reveal(), c.Salt, c.Iterations, keyBytes)
	if err != nil {
		return c, fmt.Errorf("encrypt: %w", err)
	}
	cipher, err := aead(key)
	if err != nil {
		return c, fmt.Errorf("encrypt: %w", err)
	}
	sealed := cipher.Seal(nil, nil, text.Reveal(), c.AssociatedData(machine))
	c.IV, c.Ciphertext = sealed[:indirect.IVBytes:indirect.IVBytes], sealed[indirect.IVBytes:]
	if found := c.Check(""); found.HasErrors() {
		return c, fmt.Errorf("encrypt: %s", found.Sorted()[0])
	}
	return c, nil
}

// Open decrypts a document on the machine with the given identity. Its only error is ports.ErrUndecryptable, for all
// causes.
func Open(c indirect.EncryptedConfig, passphrase secret.Value, machine string) ([]byte, error) {
	if passphrase.IsZero() || machine == "" || c.Check("").HasErrors() {
		return nil, ports.ErrUndecryptable
	}
	key, err := derive(passphrase.Reveal(), c.Salt, c.Iterations, keyBytes)
	if err != nil {
		return nil, ports.ErrUndecryptable
	}
	return openWith(c, key, machine)
}

// openWith decrypts with the key that was derived.
func openWith(c indirect.EncryptedConfig, key []byte, machine string) ([]byte, error) {
	if c.Check("").HasErrors() {
		return nil, ports.ErrUndecryptable
	}
	cipher, err := aead(key)
	if err != nil {
		return nil, ports.ErrUndecryptable
	}
	sealed := slices.Concat(c.IV, c.Ciphertext)
	text, err := cipher.Open(nil, nil, sealed, c.AssociatedData(machine))
	if err != nil {
		return nil, ports.ErrUndecryptable
	}
	return text, nil
}

func derive(passphrase, salt []byte, iterations, length int) ([]byte, error) {
	return pbkdf2.Key(sha512.New, string(passphrase), salt, iterations, length)
}

// aead returns the cipher, which keeps the vector before the ciphertext.
func aead(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
