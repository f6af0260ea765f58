package host

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha512"
	"errors"

	"github.com/machineadm/machineadm/domain/indirect"
)

// keyBytes is the length of a key of AES-256.
const keyBytes = 32

// errUndecided tells nothing of key or text: the passphrase is another one, or the data was changed.
var errUndecided = errors.New("the passphrase does not open it")

// Unwrap decrypts the document with the passphrase that its provider has. The document was checked before.
func (s *Set) Unwrap(ctx context.Context, c indirect.EncryptedConfig) ([]byte, error) {
	passphrase, err := s.Passphrase(ctx, c.Provider, c.PassphraseURI)
	if err != nil {
		return nil, err
	}
	key, err := pbkdf2.Key(sha512.New, string(passphrase.Reveal()), c.Salt, c.Iterations, keyBytes)
	if err != nil {
		return nil, errUndecided
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, errUndecided
	}
	sealed, err := cipher.NewGCMWithNonceSize(block, len(c.IV))
	if err != nil {
		return nil, errUndecided
	}
	text, err := sealed.Open(nil, c.IV, c.Ciphertext, nil)
	if err != nil {
		return nil, errUndecided
	}
	return text, nil
}
