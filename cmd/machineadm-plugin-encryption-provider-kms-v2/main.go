// Command machineadm-plugin-encryption-provider-kms-v2 creates and unwraps the passphrases of encrypted configuration
// with a KMS plugin of Kubernetes. docs/encryption.md describes its settings.
package main

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/kms/kmsv2"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/ports"
)

func main() { settings.ServeKeys(kmsv2.Name, keys) }

func keys(context.Context) (kmsv2.Keys, error) {
	s := struct {
		Endpoint string `json:"endpoint"`
	}{"unix:///run/kmsplugin/socket.sock"}
	if err := settings.Read(settings.Folder, kmsv2.Name, &s); err != nil {
		return kmsv2.Keys{}, fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	return kmsv2.Keys{Endpoint: s.Endpoint}, nil
}
