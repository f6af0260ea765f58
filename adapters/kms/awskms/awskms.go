// Package awskms has passphrases wrapped by keys of the AWS Key Management Service, through its official client. A key is named
// by its ARN, which tells its region, too.
package awskms

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"

	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Name is the provider's.
const Name = "aws-kms"

// passphraseBytes is how long a passphrase is.
const passphraseBytes = 32

// DefaultTimeout bounds a request with all its attempts. On a machine that boots, the network and the credentials of its role may
// come late.
const DefaultTimeout = time.Minute

// Keys implements ports.DataKeys and ports.Passphrases.
type Keys struct {
	// Config is the client's, with credentials. The region is that of the key.
	Config aws.Config
	// Timeout bounds a request; 0 is DefaultTimeout.
	Timeout time.Duration
}

// NewPassphrase asks the service for a data key (kms:GenerateDataKey).
func (k Keys) NewPassphrase(ctx context.Context, name indirect.KeyName) (secret.Value, string, error) {
	client, err := k.client(name.Key)
	if err != nil {
		return secret.Value{}, "", err
	}
	ctx, cancel := k.bound(ctx)
	defer cancel()
	answer, err := client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{KeyId: &name.Key, NumberOfBytes: aws.Int32(passphraseBytes)})
	if err != nil {
		return secret.Value{}, "", explain("GenerateDataKey", err)
	}
	if len(answer.Plaintext) != passphraseBytes || len(answer.CiphertextBlob) == 0 {
		return secret.Value{}, "", fmt.Errorf("%w: it gave a key of %d bytes", ports.ErrKeyRefused, len(answer.Plaintext))
	}
	return secret.New(answer.Plaintext), indirect.KeyURI{Wrapped: answer.CiphertextBlob, Key: name.Key}.String(), nil
}

// Passphrase has the service unwrap what stands in the URI, with the key that the URI names (kms:Decrypt).
func (k Keys) Passphrase(ctx context.Context, _, uri string) (secret.Value, error) {
	u, err := indirect.ParseKeyURI(uri)
	if err != nil {
		return secret.Value{}, err
	}
	client, err := k.client(u.Key)
	if err != nil {
		return secret.Value{}, err
	}
	ctx, cancel := k.bound(ctx)
	defer cancel()
	answer, err := client.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: u.Wrapped, KeyId: &u.Key})
	if err != nil {
		return secret.Value{}, explain("Decrypt", err)
	}
	return secret.New(answer.Plaintext), nil
}

func (k Keys) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if k.Timeout == 0 {
		return context.WithTimeout(ctx, DefaultTimeout)
	}
	return context.WithTimeout(ctx, k.Timeout)
}

// client returns one for the key's region.
func (k Keys) client(arn string) (*kms.Client, error) {
	region, err := Region(arn)
	if err != nil {
		return nil, err
	}
	return kms.NewFromConfig(k.Config, func(o *kms.Options) { o.Region = region }), nil
}

// Region returns the region of an ARN of a key or of an alias: arn:PARTITION:kms:REGION:ACCOUNT:key/ID.
func Region(arn string) (string, error) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "kms" || parts[3] == "" || parts[5] == "" {
		return "", fmt.Errorf("%w: %q is no ARN of a key, such as arn:aws:kms:REGION:ACCOUNT:key/ID", ports.ErrKeyRefused, arn)
	}
	return parts[3], nil
}

// explain says whether the service refused, or whether it is worth another attempt.
func explain(what string, err error) error {
	var said smithy.APIError
	if !errors.As(err, &said) || said.ErrorFault() == smithy.FaultServer || passing(err) {
		return fmt.Errorf("%w: %s: %w", ports.ErrKeysUnavailable, what, err)
	}
	return fmt.Errorf("%w: %s: %s: %s", ports.ErrKeyRefused, what, said.ErrorCode(), said.ErrorMessage())
}

// passing reports whether the service says that it is too busy, or not ready.
func passing(err error) bool {
	var limit *types.LimitExceededException
	var busy *types.KeyUnavailableException
	var slow *types.DependencyTimeoutException
	var said smithy.APIError
	return errors.As(err, &limit) || errors.As(err, &busy) || errors.As(err, &slow) ||
		errors.As(err, &said) && strings.HasPrefix(said.ErrorCode(), "Throttling")
}
