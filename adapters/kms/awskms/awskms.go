// Package awskms wraps passphrases with keys of the AWS Key Management Service. The name of a key is its ARN, which
// contains its region.
package awskms

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Name is the name of the provider.
const Name = "aws-kms"

// passphraseBytes is how long a passphrase is.
const passphraseBytes = 32

// DefaultTimeout is the timeout of a request with all its attempts. On a booting machine, the network and the
// credentials of its role may be available late.
const DefaultTimeout = time.Minute

// Keys implements ports.DataKeys and ports.Passphrases.
type Keys struct {
	// Config is the configuration of the client, with credentials. The region is taken from the key.
	Config aws.Config
	// Timeout is the timeout of a request; 0 means DefaultTimeout.
	Timeout time.Duration
}

// NewPassphrase requests a data key from the service (kms:GenerateDataKey).
func (k Keys) NewPassphrase(ctx context.Context, name indirect.KeyName, machine string) (secret.Value, string, error) {
	ctx, cancel := k.bound(ctx)
	defer cancel()
	bound, err := encryptionContext(machine)
	if err != nil {
		return secret.Value{}, "", err
	}
	client, err := k.client(ctx, name.Key)
	if err != nil {
		return secret.Value{}, "", err
	}
	if strings.Contains(name.Key, ":alias/") {
		// The service decrypts only with the key that the alias names at that time.
		return secret.Value{}, "", fmt.Errorf("%w: %q is an alias, and machines could not decrypt after a change of its "+
			"key; use the ARN of the key, which automatic rotation keeps", ports.ErrKeyRefused, name.Key)
	}
	answer, err := client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId:         &name.Key,
		NumberOfBytes: aws.Int32(passphraseBytes), EncryptionContext: bound,
	})
	if err != nil {
		return secret.Value{}, "", explain("GenerateDataKey", err)
	}
	if len(answer.Plaintext) != passphraseBytes || len(answer.CiphertextBlob) == 0 {
		return secret.Value{}, "", fmt.Errorf("%w: the service returned a key of %d bytes", ports.ErrKeyRefused,
			len(answer.Plaintext))
	}
	return secret.New(answer.Plaintext), indirect.KeyURI{Wrapped: answer.CiphertextBlob, Key: name.Key}.String(), nil
}

// Passphrase lets the service unwrap the passphrase in the URI with the key that the URI names (kms:Decrypt).
func (k Keys) Passphrase(ctx context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	u, err := indirect.ParseKeyURI(ref.URI)
	if err != nil {
		return secret.Value{}, err
	}
	ctx, cancel := k.bound(ctx)
	defer cancel()
	bound, err := encryptionContext(ref.Machine)
	if err != nil {
		return secret.Value{}, err
	}
	client, err := k.client(ctx, u.Key)
	if err != nil {
		return secret.Value{}, err
	}
	answer, err := client.Decrypt(ctx, &kms.DecryptInput{
		CiphertextBlob: u.Wrapped, KeyId: &u.Key,
		EncryptionContext: bound,
	})
	if err != nil {
		return secret.Value{}, explain("Decrypt", err)
	}
	return secret.New(answer.Plaintext), nil
}

// ContextKey is the key in the encryption context whose value is the machine's identity.
const ContextKey = "machineadm.io/machine"

// encryptionContext binds what the service wraps to the machine: the service authenticates it, unwraps nothing with
// another one, records it, and policies can have conditions on it (AWS Key Management Service Developer Guide,
// Encryption context).
func encryptionContext(machine string) (map[string]string, error) {
	if machine == "" {
		return nil, fmt.Errorf("%w: the machine has no name; a passphrase is bound to one", ports.ErrKeyRefused)
	}
	return map[string]string{ContextKey: machine}, nil
}

func (k Keys) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if k.Timeout == 0 {
		return context.WithTimeout(ctx, DefaultTimeout)
	}
	return context.WithTimeout(ctx, k.Timeout)
}

// client returns one for the key's region, which has credentials: missing credentials are reported separately from
// errors of the service.
func (k Keys) client(ctx context.Context, arn string) (*kms.Client, error) {
	region, err := Region(arn)
	if err != nil {
		return nil, err
	}
	if k.Config.Credentials != nil {
		if _, err := k.Config.Credentials.Retrieve(ctx); err != nil {
			return nil, withoutCredentials(err)
		}
	}
	return kms.NewFromConfig(k.Config, func(o *kms.Options) { o.Region = region }), nil
}

// Region returns the region of an ARN of a key or of an alias: arn:PARTITION:kms:REGION:ACCOUNT:key/ID. The region
// becomes part of the service's host name, so Region returns an error unless it has the form of an AWS region.
func Region(arn string) (string, error) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "kms" || !egress.IsAWSRegion(parts[3]) || parts[5] == "" {
		return "", fmt.Errorf("%w: %q is not the ARN of a key, such as arn:aws:kms:REGION:ACCOUNT:key/ID",
			ports.ErrKeyRefused, arn)
	}
	return parts[3], nil
}
