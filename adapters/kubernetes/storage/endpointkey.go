package storage

import (
	"context"
	"crypto/rand"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/secret"
)

// SigningKeySecret is the name of the Secret with the key that signs the endpoint's URLs, in the controller's
// namespace.
const SigningKeySecret = "machineadm-endpoint-key"

// signingKey is the key of the signing key in its Secret.
const signingKey = "key"

// EndpointSigner returns the signer of the endpoint's URLs. Its key is in the Secret SigningKeySecret, which all
// replicas share; the first one creates it.
func EndpointSigner(ctx context.Context, reader client.Reader, writer client.Writer, namespace string) (
	credential.Signer, error,
) {
	key := client.ObjectKey{Namespace: namespace, Name: SigningKeySecret}
	s := &corev1.Secret{}
	err := reader.Get(ctx, key, s)
	if apierrors.IsNotFound(err) {
		if s, err = newSigningKey(key); err != nil {
			return credential.Signer{}, err
		}
		if err = writer.Create(ctx, s); apierrors.IsAlreadyExists(err) {
			err = reader.Get(ctx, key, s)
		}
	}
	if err != nil {
		return credential.Signer{}, fmt.Errorf("read the endpoint's signing key: %w", err)
	}
	signer, ok := credential.NewSigner(secret.New(s.Data[signingKey]))
	if !ok {
		return credential.Signer{}, fmt.Errorf(
			"Secret %s: key %s has less than %d bytes; delete the Secret to create another",
			key, signingKey, credential.KeySize)
	}
	return signer, nil
}

func newSigningKey(key client.ObjectKey) (*corev1.Secret, error) {
	random := make([]byte, credential.KeySize)
	if _, err := rand.Read(random); err != nil {
		return nil, fmt.Errorf("generate the endpoint's signing key: %w", err)
	}
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Data:       map[string][]byte{signingKey: random},
	}, nil
}
