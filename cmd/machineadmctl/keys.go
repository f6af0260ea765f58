package main

import (
	"context"
	"io"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/cmd/internal/keys"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// encrypter returns what encrypts with the keys of plugins. What they print goes to errs.
func encrypter(errs io.Writer) ports.Encrypter {
	return seal.Encrypter{Keys: keys.Plugins{Log: errs}}
}

// decrypter returns what decrypts with a passphrase that is given, or with what plugins and this machine's files have.
func decrypter(errs io.Writer) cli.Decrypter {
	plugins := keys.Plugins{Log: errs}
	return func(passphrase secret.Value) ports.Unwrapper {
		if !passphrase.IsZero() {
			return seal.Unwrapper{Passphrases: known{passphrase}}
		}
		return seal.Unwrapper{Passphrases: seal.Passphrases{Source: plugins, Others: plugins}}
	}
}

// known is one passphrase for all.
type known struct{ passphrase secret.Value }

// Passphrase returns it.
func (k known) Passphrase(context.Context, indirect.PassphraseRef) (secret.Value, error) {
	return k.passphrase, nil
}
