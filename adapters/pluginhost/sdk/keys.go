package sdk

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

// Passphrase returns a passphrase.
func (s *service) Passphrase(ctx context.Context, r *pluginv1.PassphraseRequest) (*pluginv1.PassphraseResponse, error) {
	value, err := s.Passphrases.Passphrase(ctx, indirect.PassphraseRef{
		Provider: r.GetProvider(), URI: r.GetUri(),
		Machine: r.GetMachine(),
	})
	if err != nil {
		return nil, withCode(err)
	}
	return &pluginv1.PassphraseResponse{Passphrase: value.Reveal()}, nil
}

// NewPassphrase returns a new passphrase.
func (s *service) NewPassphrase(ctx context.Context, r *pluginv1.NewPassphraseRequest) (*pluginv1.NewPassphraseResponse,
	error,
) {
	value, uri, err := s.DataKeys.NewPassphrase(ctx, indirect.KeyName{Provider: r.GetProvider(), Key: r.GetKey()},
		r.GetMachine())
	if err != nil {
		return nil, withCode(err)
	}
	return &pluginv1.NewPassphraseResponse{Passphrase: value.Reveal(), Uri: uri}, nil
}

// withCode returns the error with the gRPC code that machineadm expects.
func withCode(err error) error {
	switch {
	case errors.Is(err, ports.ErrKeysUnavailable):
		return status.Error(codes.Aborted, err.Error())
	case errors.Is(err, ports.ErrKeyRefused):
		return status.Error(codes.PermissionDenied, err.Error())
	default:
		return err
	}
}
