//go:build cgo

// Command machineadm-plugin-encryption-provider-pkcs11 gives the passphrases of encrypted configuration that a key of a PKCS#11
// token wrapped, and makes them. It is a program of its own since it needs cgo. docs/encryption.md tells of its settings.
package main

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kms/pkcs11"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func main() {
	sdk.Serve(sdk.Plugin{Name: pkcs11.Name, Version: settings.Version(), Passphrases: service{}, DataKeys: service{}})
}

// service reads the settings when it is asked, so that what is wrong with them is told to who asks.
type service struct{}

func (service) Passphrase(ctx context.Context, provider, uri string) (secret.Value, error) {
	k, err := keys()
	if err != nil {
		return secret.Value{}, err
	}
	return k.Passphrase(ctx, provider, uri)
}

func (service) NewPassphrase(ctx context.Context, name indirect.KeyName) (secret.Value, string, error) {
	k, err := keys()
	if err != nil {
		return secret.Value{}, "", err
	}
	return k.NewPassphrase(ctx, name)
}

func keys() (pkcs11.Keys, error) {
	s := struct {
		Module  string `json:"module"`
		PINFile string `json:"pinFile"`
	}{}
	if err := settings.Read(settings.Folder, pkcs11.Name, &s); err != nil {
		return pkcs11.Keys{}, fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	if s.Module == "" || s.PINFile == "" {
		return pkcs11.Keys{}, fmt.Errorf("%w: %s/%s.yaml has no module or no pinFile", ports.ErrKeysUnavailable, settings.Folder, pkcs11.Name)
	}
	pin, err := settings.Secret(s.PINFile)
	if err != nil {
		return pkcs11.Keys{}, fmt.Errorf("%w: the PIN: %w", ports.ErrKeysUnavailable, err)
	}
	return pkcs11.Keys{Module: s.Module, PIN: pin}, nil
}
