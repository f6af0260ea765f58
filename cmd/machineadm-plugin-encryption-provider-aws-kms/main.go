// Command machineadm-plugin-encryption-provider-aws-kms gives the passphrases of encrypted configuration that a key of
// the AWS Key Management Service wrapped, and makes them. docs/encryption.md tells of its settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/machineadm/machineadm/adapters/kms/awskms"
	"github.com/machineadm/machineadm/cmd/internal/settings"
	"github.com/machineadm/machineadm/ports"
)

// The files of AWS's own form that its client reads first. Without them there are the instance's role and the client's
// usual files.
const (
	configFile      = "/etc/machineadm/aws/config"
	credentialsFile = "/etc/machineadm/aws/credentials"
)

func main() {
	settings.ServeKeys(awskms.Name, files{config: configFile, credentials: credentialsFile}.keys)
}

// files are those of AWS's own form.
type files struct{ config, credentials string }

// keys reads the files.
func (f files) keys(ctx context.Context) (awskms.Keys, error) {
	var options []func(*config.LoadOptions) error
	// Both may hold a key, and name a program that gives one: what others than their owner read or write is refused.
	there, err := private(f.config)
	if err != nil {
		return awskms.Keys{}, err
	}
	if there {
		options = append(options, config.WithSharedConfigFiles([]string{f.config}))
	}
	if there, err = private(f.credentials); err != nil {
		return awskms.Keys{}, err
	}
	if there {
		options = append(options, config.WithSharedCredentialsFiles([]string{f.credentials}))
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
