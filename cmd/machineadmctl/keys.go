package main

import (
	"context"
	"io"
	"os"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/keys"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// encrypter encrypts with the keys of plugins, whose output is written to errs.
func encrypter(errs io.Writer) ports.Encrypter {
	return seal.Encrypter{Keys: keys.Plugins{Codec: codec.Codec{}, Log: errs, Environment: os.LookupEnv}}
}

// decrypter decrypts with a passphrase, or without one with the keys of plugins and the files of this machine.
func decrypter(errs io.Writer) func(passphrase secret.Value) ports.Decrypter {
	plugins := keys.Plugins{Codec: codec.Codec{}, Log: errs, Environment: os.LookupEnv}
	return func(passphrase secret.Value) ports.Decrypter {
		if !passphrase.IsZero() {
			return seal.Decrypter{Passphrases: fixedPassphrase{passphrase}}
		}
		return seal.Decrypter{Passphrases: seal.Passphrases{Source: plugins, Fallback: plugins}}
	}
}

// fixedPassphrase is the passphrase of all documents.
type fixedPassphrase struct{ passphrase secret.Value }

// Passphrase returns the passphrase.
func (f fixedPassphrase) Passphrase(context.Context, indirect.PassphraseRef) (secret.Value, error) {
	return f.passphrase, nil
}
