// Command machineadm-plugin-encryption-provider-aws-kms gives the passphrases of encrypted configuration that a key of the AWS Key
// Management Service wrapped, and makes them. docs/encryption.md tells of its settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/machineadm/machineadm/adapters/kms/awskms"
	"github.com/machineadm/machineadm/adapters/pluginhost/sdk"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// The files of AWS's own form that its client reads first. Without them there are the instance's role and the client's usual files.
const (
	configFile      = "/etc/machineadm/aws/config"
	credentialsFile = "/etc/machineadm/aws/credentials"
)

func main() {
	sdk.Serve(sdk.Plugin{Name: awskms.Name, Version: settings.Version(), Passphrases: service{}, DataKeys: service{}})
}

// service reads the settings when it is asked, so that what is wrong with them is told to who asks.
type service struct{}

func (service) Passphrase(ctx context.Context, provider, uri string) (secret.Value, error) {
	k, err := keys(ctx)
	if err != nil {
		return secret.Value{}, err
	}
	return k.Passphrase(ctx, provider, uri)
}

func (service) NewPassphrase(ctx context.Context, name indirect.KeyName) (secret.Value, string, error) {
	k, err := keys(ctx)
	if err != nil {
		return secret.Value{}, "", err
	}
	return k.NewPassphrase(ctx, name)
}

func keys(ctx context.Context) (awskms.Keys, error) {
	var options []func(*config.LoadOptions) error
	if there(configFile) {
		options = append(options, config.WithSharedConfigFiles([]string{configFile}))
	}
	// It holds a key: one that others than its owner read is refused.
	_, err := settings.Secret(credentialsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return awskms.Keys{}, fmt.Errorf("%w: %w", ports.ErrKeyRefused, err)
	}
	if err == nil {
		options = append(options, config.WithSharedCredentialsFiles([]string{credentialsFile}))
	}
	c, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return awskms.Keys{}, fmt.Errorf("%w: the settings of AWS's client: %w", ports.ErrKeysUnavailable, err)
	}
	return awskms.Keys{Config: c}, nil
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
