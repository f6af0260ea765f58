package seal

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Encrypter encrypts configuration. It implements ports.Encrypter. It is safe for concurrent use if Keys is.
type Encrypter struct {
	// Keys creates passphrases for providers with a key management service. If it is nil, only the other providers are
	// supported.
	Keys ports.DataKeys
}

// Encrypt compresses and encrypts the configuration. Encrypted data cannot be compressed later.
func (e Encrypter) Encrypt(ctx context.Context, configuration secret.Value, machine string, with delivery.Encryption,
) (indirect.EncryptedConfig, error) {
	passphrase, uri := with.Passphrase, with.PassphraseURI
	if with.HasService() {
		if e.Keys == nil {
			return indirect.EncryptedConfig{}, fmt.Errorf("%s: %w", with.Provider, ports.ErrNoProvider)
		}
		var err error
		if passphrase, uri, err = e.Keys.NewPassphrase(ctx, with.KeyName(), machine); err != nil {
			return indirect.EncryptedConfig{}, fmt.Errorf("a key of %s: %w", with.Provider, err)
		}
	}
	packed, err := compress(configuration.Reveal())
	if err != nil {
		return indirect.EncryptedConfig{}, err
	}
	return Seal(secret.New(packed), passphrase, machine, Header{
		Provider: with.Provider, PassphraseURI: uri,
		Iterations: with.Iterations,
	})
}

func compress(text []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Decrypter decrypts configuration with the passphrases of Passphrases. It implements ports.Decrypter.
type Decrypter struct{ Passphrases ports.Passphrases }

// Decrypt decrypts the document with the passphrase at its passphraseURI.
func (u Decrypter) Decrypt(ctx context.Context, c indirect.EncryptedConfig, machine string) ([]byte, error) {
	passphrase, err := u.Passphrases.Passphrase(ctx, indirect.PassphraseRef{
		Provider: c.Provider, URI: c.PassphraseURI,
		Machine: machine,
	})
	if err != nil {
		return nil, err
	}
	return Open(c, passphrase, machine)
}
