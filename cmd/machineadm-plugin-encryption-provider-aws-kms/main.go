// Command machineadm-plugin-encryption-provider-aws-kms creates and unwraps the passphrases of encrypted configuration
// with a key of the AWS Key Management Service. docs/encryption.md describes its settings.
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

// The configuration files of the AWS SDK. Without them, the SDK uses its default files and the role of the instance.
const (
	configFile      = "/etc/machineadm/aws/config"
	credentialsFile = "/etc/machineadm/aws/credentials"
)

func main() {
	settings.ServeKeys(awskms.Name, files{config: configFile, credentials: credentialsFile}.keys)
}

// files are the paths of the configuration files.
type files struct{ config, credentials string }

// keys reads the files.
func (f files) keys(ctx context.Context) (awskms.Keys, error) {
	var options []func(*config.LoadOptions) error
	// Both may contain a key, or a program that prints one. So files that others can read or write are refused.
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
		return awskms.Keys{}, fmt.Errorf("%w: load the configuration of the AWS SDK: %w", ports.ErrKeysUnavailable, err)
	}
	return awskms.Keys{Config: c}, nil
}

// private reports whether the file exists. It returns an error if others than its owner can read it.
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
