//go:build cgo

// Command machineadm-plugin-encryption-provider-pkcs11 creates and unwraps the passphrases of encrypted configuration
// with a key of a PKCS#11 token. It is a separate program because it requires cgo. docs/encryption.md describes its
// settings.
package main

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kms/pkcs11"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/ports"
)

func main() { settings.ServeKeys(pkcs11.Name, keys) }

func keys(context.Context) (pkcs11.Keys, error) {
	s := struct {
		Module  string `json:"module"`
		PINFile string `json:"pinFile"`
	}{}
	if err := settings.Read(settings.Folder, pkcs11.Name, &s); err != nil {
		return pkcs11.Keys{}, fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	if s.Module == "" || s.PINFile == "" {
		return pkcs11.Keys{}, fmt.Errorf("%w: %s/%s.yaml: set module and pinFile", ports.ErrKeysUnavailable,
			settings.Folder, pkcs11.Name)
	}
	pin, err := settings.Secret(s.PINFile)
	if err != nil {
		return pkcs11.Keys{}, fmt.Errorf("%w: read the PIN: %w", ports.ErrKeysUnavailable, err)
	}
	return pkcs11.Keys{Module: s.Module, PIN: pin}, nil
}
