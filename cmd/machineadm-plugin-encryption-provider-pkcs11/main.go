//go:build cgo

// Command machineadm-plugin-encryption-provider-pkcs11 gives the passphrases of encrypted configuration that a key of a
// PKCS#11 token wrapped, and makes them. It is a program of its own since it needs cgo. docs/encryption.md tells of its
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
		return pkcs11.Keys{}, fmt.Errorf("%w: %s/%s.yaml has no module or no pinFile", ports.ErrKeysUnavailable,
			settings.Folder, pkcs11.Name)
	}
	pin, err := settings.Secret(s.PINFile)
	if err != nil {
		return pkcs11.Keys{}, fmt.Errorf("%w: the PIN: %w", ports.ErrKeysUnavailable, err)
	}
	return pkcs11.Keys{Module: s.Module, PIN: pin}, nil
}
