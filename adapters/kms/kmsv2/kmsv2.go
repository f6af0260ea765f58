// Package kmsv2 wraps passphrases with KMS v2 plugins of Kubernetes (k8s.io/kms). Such a plugin listens on a Unix
// socket of the machine.
package kmsv2

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	kmsapi "k8s.io/kms/apis/v2"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Name is the name of the provider.
const Name = "kms-v2"

// The limits of the KMS v2 API (k8s.io/kms, api.proto) and the length of a passphrase, in bytes.
const (
	maxCiphertext   = 1 << 10
	maxKeyID        = 1 << 10
	maxAnnotations  = 32 << 10
	passphraseBytes = 32
)

// DefaultTimeout is the timeout of a request. On a booting machine, the KMS plugin may start late.
const DefaultTimeout = time.Minute

// Keys implements ports.DataKeys and ports.Passphrases.
type Keys struct {
	// Endpoint is the socket of the KMS plugin, such as unix:///run/kmsplugin/socket.sock.
	Endpoint string
	// Timeout is the timeout of a request; 0 means DefaultTimeout.
	Timeout time.Duration
}

// NewPassphrase generates a passphrase and encrypts it with the KMS plugin. If name contains a key, it must be the
// current key of the KMS plugin.
func (k Keys) NewPassphrase(ctx context.Context, name indirect.KeyName, _ string) (secret.Value, string, error) {
	passphrase := make([]byte, passphraseBytes)
	// It fills the slice or ends the program.
	_, _ = rand.Read(passphrase)
	var uri string
	err := k.call(ctx, func(ctx context.Context, c kmsapi.KeyManagementServiceClient) error {
		answer, err := c.Encrypt(ctx, &kmsapi.EncryptRequest{Plaintext: passphrase, Uid: uid()})
		if err != nil {
			return err
		}
		if err := check(answer, name.Key); err != nil {
			return err
		}
		uri = indirect.KeyURI{
			Wrapped: answer.GetCiphertext(), Key: answer.GetKeyId(),
			Annotations: answer.GetAnnotations(),
		}.String()
		return nil
	})
	return secret.New(passphrase), uri, err
}

// check holds the answer against the interface's bounds, and the key against the one that is asked for.
func check(answer *kmsapi.EncryptResponse, key string) error {
	size := 0
	for name, value := range answer.GetAnnotations() {
		size += len(name) + len(value)
	}
	id, wrapped := answer.GetKeyId(), len(answer.GetCiphertext())
	if wrapped == 0 || wrapped > maxCiphertext || id == "" || len(id) > maxKeyID || size > maxAnnotations {
		return fmt.Errorf("%w: its answer has %d bytes, a key of %d and annotations of %d", ports.ErrKeyRefused,
			wrapped, len(id), size)
	}
	if key != "" && key != id {
		return fmt.Errorf("%w: its key is now %q instead of %q", ports.ErrKeyRefused, id, key)
	}
	return nil
}

// Passphrase decrypts the passphrase in the URI with the KMS plugin.
func (k Keys) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	u, err := indirect.ParseKeyURI(ref.URI)
	if err != nil {
		return secret.Value{}, err
	}
	var passphrase secret.Value
	err = k.call(ctx, func(ctx context.Context, c kmsapi.KeyManagementServiceClient) error {
		answer, err := c.Decrypt(ctx, &kmsapi.DecryptRequest{
			Ciphertext: u.Wrapped, Uid: uid(), KeyId: u.Key,
			Annotations: u.Annotations,
		})
		passphrase = secret.New(answer.GetPlaintext())
		return err
	})
	return passphrase, err
}

// uid names a request in the logs of both sides.
func uid() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return hex.EncodeToString(id)
}

// call asks the plugin how it is, and then what is wanted. It waits for a plugin that is not there yet, within the
// bound.
func (k Keys) call(ctx context.Context, do func(context.Context, kmsapi.KeyManagementServiceClient) error) error {
	if !strings.HasPrefix(k.Endpoint, "unix:///") {
		return fmt.Errorf("%w: %q is not a socket; write unix:///PATH", ports.ErrKeysUnavailable, k.Endpoint)
	}
	bound := k.Timeout
	if bound == 0 {
		bound = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	conn, err := grpc.NewClient(k.Endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)), grpc.WithAuthority("localhost"))
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrKeysUnavailable, err)
	}
	defer func() { _ = conn.Close() }()
	client := kmsapi.NewKeyManagementServiceClient(conn)
	if err := healthy(ctx, client); err != nil {
		return err
	}
	return explain(do(ctx, client))
}

// healthy returns an error unless the plugin supports version 2 and is healthy.
func healthy(ctx context.Context, c kmsapi.KeyManagementServiceClient) error {
	s, err := c.Status(ctx, &kmsapi.StatusRequest{})
	switch {
	case status.Code(err) == codes.Unimplemented:
		return fmt.Errorf("%w: the plugin does not support v2", ports.ErrKeyRefused)
	case err != nil:
		return fmt.Errorf("%w: Status: %s", ports.ErrKeysUnavailable, status.Code(err))
	case s.GetVersion() != "v2" && s.GetVersion() != "v2beta1":
		return fmt.Errorf("%w: the plugin does not support v2", ports.ErrKeyRefused)
	case s.GetHealthz() != "ok":
		return fmt.Errorf("%w: the plugin reports that it is not healthy", ports.ErrKeysUnavailable)
	default:
		return nil
	}
}

// explain returns an error with only the plugin's code, by which it distinguishes refusals from temporary failures. The
// plugin's message may be that of a service behind it and contain accounts and requests, and many users can read the
// error.
func explain(err error) error {
	answer, is := status.FromError(err)
	if err == nil || !is {
		return err
	}
	switch answer.Code() {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.ResourceExhausted, codes.Aborted:
		return fmt.Errorf("%w: %s", ports.ErrKeysUnavailable, answer.Code())
	default:
		return fmt.Errorf("%w: %s", ports.ErrKeyRefused, answer.Code())
	}
}
