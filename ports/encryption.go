package ports

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
)

// The errors of encryption.
var (
	// ErrUndecryptable is the only error of decryption: it does not reveal the cause.
	ErrUndecryptable = errors.New("the configuration cannot be decrypted: the passphrase is wrong, the data was " +
		"changed, or it belongs to another machine")
	// ErrKeysUnavailable means that the key management service, or the source of a passphrase, cannot be reached now.
	ErrKeysUnavailable = errors.New("the key management service cannot be reached")
	// ErrKeyRefused means that the service does not have the key, does not permit its use, or does not recognize the data
	// to unwrap.
	ErrKeyRefused = errors.New("the key management service refuses")
)

// Encrypter encrypts machine configuration for one machine.
type Encrypter interface {
	// Encrypt returns the configuration, encrypted with the key and bound to the name of the machine. Each call returns
	// different bytes. The errors are ErrNoProvider, ErrKeysUnavailable and ErrKeyRefused.
	Encrypt(ctx context.Context, configuration secret.Value, machine string,
		with delivery.Encryption) (indirect.EncryptedConfig, error)
}

// DataKeys creates passphrases that are wrapped by a key management service.
type DataKeys interface {
	// NewPassphrase returns a new random passphrase for the machine with the name, and the URI from which Passphrases
	// returns the same passphrase. The errors are ErrNoProvider, ErrKeysUnavailable and ErrKeyRefused.
	NewPassphrase(ctx context.Context, key indirect.KeyName, machine string) (passphrase secret.Value,
		uri string, err error)
}
