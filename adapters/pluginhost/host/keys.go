package host

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Passphrase requests a passphrase from the plugin.
func (p *Plugin) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (value secret.Value, err error) {
	err = p.call(ctx, p.deadlines.Fetch, "passphrase", func(ctx context.Context) error {
		request := &pluginv1.PassphraseRequest{Provider: ref.Provider, Uri: ref.URI, Machine: ref.Machine}
		answer, err := pluginv1.NewUnwrapperClient(p.conn).Passphrase(ctx, request)
		value = secret.New(answer.GetPassphrase())
		return aboutKeys(err)
	})
	return value, err
}

// NewPassphrase requests a new passphrase from the plugin.
func (p *Plugin) NewPassphrase(ctx context.Context, key indirect.KeyName, machine string) (value secret.Value,
	uri string, err error,
) {
	err = p.call(ctx, p.deadlines.Fetch, "new passphrase", func(ctx context.Context) error {
		request := &pluginv1.NewPassphraseRequest{Provider: key.Provider, Key: key.Key, Machine: machine}
		answer, err := pluginv1.NewWrapperClient(p.conn).NewPassphrase(ctx, request)
		value, uri = secret.New(answer.GetPassphrase()), answer.GetUri()
		return aboutKeys(err)
	})
	return value, uri, err
}

// keysError is a plugin's message, and the error of the ports that its status means.
type keysError struct {
	meant   error
	message string
}

func (e keysError) Error() string { return e.message }

func (e keysError) Unwrap() error { return e.meant }

// aboutKeys returns the ports' errors for the statuses that represent them.
func aboutKeys(err error) error {
	answer, is := status.FromError(err)
	if err == nil || !is {
		return err
	}
	meant := map[codes.Code]error{
		codes.Aborted:          ports.ErrKeysUnavailable,
		codes.PermissionDenied: ports.ErrKeyRefused,
	}[answer.Code()]
	if meant == nil {
		return err
	}
	message := oneLine(errors.New(answer.Message()))
	if !strings.HasPrefix(message, meant.Error()) {
		message = meant.Error() + ": " + message
	}
	return keysError{meant: meant, message: message}
}
