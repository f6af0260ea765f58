package settings

import (
	"context"
	"fmt"
	"os"

	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/cmd/internal/build"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Keys is the interface of a key management service.
type Keys interface {
	ports.Passphrases
	ports.DataKeys
}

// ServeKeys serves a plugin for a key management service. It calls open, which reads the settings, for each request, so
// that the client receives errors of the settings.
func ServeKeys[K Keys](name string, open func(context.Context) (K, error)) {
	k := opened[K](open)
	Serve(sdk.Plugin{Name: name, Passphrases: k, DataKeys: k})
}

// Serve serves a plugin with the version of this program. It exits if the program belongs to a FIPS release and does
// not use its module.
func Serve(p sdk.Plugin) {
	built, err := build.Read()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
	p.Version = built.Version
	sdk.Serve(p)
}

type opened[K Keys] func(context.Context) (K, error)

// Passphrase opens the service and returns the passphrase.
func (open opened[K]) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	k, err := open(ctx)
	if err != nil {
		return secret.Value{}, err
	}
	return k.Passphrase(ctx, ref)
}

// NewPassphrase opens the service and returns a new passphrase.
func (open opened[K]) NewPassphrase(ctx context.Context, name indirect.KeyName, machine string) (secret.Value,
	string, error,
) {
	k, err := open(ctx)
	if err != nil {
		return secret.Value{}, "", err
	}
	return k.NewPassphrase(ctx, name, machine)
}
