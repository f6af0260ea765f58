// Command machineadm-plugin-encryption-provider-kms-v2 gives the passphrases of encrypted configuration that a KMS plugin of
// Kubernetes wrapped, and makes them. docs/encryption.md tells of its settings.
package main

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kms/kmsv2"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func main() {
	sdk.Serve(sdk.Plugin{Name: kmsv2.Name, Version: settings.Version(), Passphrases: service{}, DataKeys: service{}})
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

func keys() (kmsv2.Keys, error) {
	s := struct {
		Endpoint string `json:"endpoint"`
	}{"unix:///run/kmsplugin/socket.sock"}
	if err := settings.Read(settings.Folder, kmsv2.Name, &s); err != nil {
		return kmsv2.Keys{}, fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	return kmsv2.Keys{Endpoint: s.Endpoint}, nil
}
