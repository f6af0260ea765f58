// Command machineadm-plugin-encryption-provider-aws-kms gives the passphrases of encrypted configuration that a key of the AWS Key
// Management Service wrapped, and makes them. docs/encryption.md tells of its settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

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
	s := service{config: configFile, credentials: credentialsFile}
	sdk.Serve(sdk.Plugin{Name: awskms.Name, Version: settings.Version(), Passphrases: s, DataKeys: s})
}

// service reads the settings of its files when it is asked, so that what is wrong with them is told to who asks.
type service struct{ config, credentials string }

func (s service) Passphrase(ctx context.Context, provider, uri string) (secret.Value, error) {
	k, err := s.keys(ctx)
	if err != nil {
		return secret.Value{}, err
	}
	return k.Passphrase(ctx, provider, uri)
}

func (s service) NewPassphrase(ctx context.Context, name indirect.KeyName) (secret.Value, string, error) {
	k, err := s.keys(ctx)
	if err != nil {
		return secret.Value{}, "", err
	}
	return k.NewPassphrase(ctx, name)
}

func (s service) keys(ctx context.Context) (awskms.Keys, error) {
	var options []func(*config.LoadOptions) error
	// Both may hold a key, and name a program that gives one: what others than their owner read or write is refused.
	there, err := private(s.config)
	if err != nil {
		return awskms.Keys{}, err
	}
	if there {
		options = append(options, config.WithSharedConfigFiles([]string{s.config}))
	}
	if there, err = private(s.credentials); err != nil {
		return awskms.Keys{}, err
	}
	if there {
		options = append(options, config.WithSharedCredentialsFiles([]string{s.credentials}))
	}
	c, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return awskms.Keys{}, fmt.Errorf("%w: the settings of AWS's client: %w", ports.ErrKeysUnavailable, err)
	}
	return awskms.Keys{Config: c}, nil
}

// private reports whether there is such a file, which its owner alone may read.
func private(path string) (bool, error) {
	_, err := settings.Secret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ports.ErrKeyRefused, err)
	}
	return true, nil
}
