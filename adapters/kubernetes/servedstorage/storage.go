// Package servedstorage keeps what machines fetch in Secrets, for the controller's own endpoint to serve.
package servedstorage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// SecretType is the type of a Secret that is an object.
	SecretType corev1.SecretType = "bootstrap.machineadm.io/stored"
	// objectAnnotation is the object's name.
	objectAnnotation = "bootstrap.machineadm.io/object"
	valueKey         = "value"
	// hexDigits are how much of the digest of its name a Secret's own name has.
	hexDigits = 40
)

// Endpoint tells how machines reach the endpoint, and certificates in PEM that vouch for it. The URL is empty if there is none.
type Endpoint func() (url, authorities string, err error)

// Storage is the ports ports.Storage and ports.Stored. An object is a Secret that the deposit of its name owns, so that the API server
// removes it when the deposit goes: the controller has no right to delete Secrets.
type Storage struct {
	client   client.Client
	signer   credential.Signer
	clock    ports.Clock
	endpoint Endpoint
}

// New returns a storage. The client reads Secrets from the API.
func New(c client.Client, s credential.Signer, clock ports.Clock, e Endpoint) *Storage {
	return &Storage{client: c, signer: s, clock: clock, endpoint: e}
}

// key returns the key of an object's Secret, and of its deposit. The name is namespace/deposit/rest.
func key(name string) (object, deposit client.ObjectKey, err error) {
	namespace, rest, _ := strings.Cut(name, "/")
	owner, _, found := strings.Cut(rest, "/")
	if !found || namespace == "" || owner == "" {
		return object, deposit, fmt.Errorf("%q names no object of a deposit", name)
	}
	sum := sha256.Sum256([]byte(name))
	object = client.ObjectKey{Namespace: namespace, Name: "stored-" + hex.EncodeToString(sum[:])[:hexDigits]}
	return object, client.ObjectKey{Namespace: namespace, Name: owner}, nil
}

// Put keeps the data under the name.
func (s *Storage) Put(ctx context.Context, name string, data secret.Value) error {
	at, owner, err := key(name)
	if err != nil {
		return err
	}
	deposit := &corev1.Secret{}
	if err := s.client.Get(ctx, owner, deposit); err != nil {
		return fmt.Errorf("get Secret %s: %w", owner.Name, err)
	}
	object := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: at.Namespace, Name: at.Name, Annotations: map[string]string{objectAnnotation: name},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Secret", Name: deposit.Name, UID: deposit.UID}},
		},
		Type: SecretType, Data: map[string][]byte{valueKey: data.Reveal()},
	}
	err = s.client.Create(ctx, object)
	if apierrors.IsAlreadyExists(err) {
		return s.replace(ctx, object)
	}
	if err != nil {
		return fmt.Errorf("create Secret %s: %w", at.Name, err)
	}
	return nil
}

// replace writes an object anew. A Secret that somebody else made under its name is not touched.
func (s *Storage) replace(ctx context.Context, object *corev1.Secret) error {
	known, err := s.get(ctx, object.Annotations[objectAnnotation])
	if errors.Is(err, ports.ErrNoObject) {
		return &ports.StorageError{Message: fmt.Sprintf("Secret %s is somebody else's; remove it", object.Name)}
	}
	if err != nil {
		return err
	}
	before := known.DeepCopy()
	known.Data, known.OwnerReferences = object.Data, object.OwnerReferences
	if err := s.client.Patch(ctx, known, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("patch Secret %s: %w", known.Name, err)
	}
	return nil
}

// get returns the Secret of an object, or ErrNoObject.
func (s *Storage) get(ctx context.Context, name string) (*corev1.Secret, error) {
	at, _, err := key(name)
	if err != nil {
		return nil, err
	}
	object := &corev1.Secret{}
	err = s.client.Get(ctx, at, object)
	if apierrors.IsNotFound(err) || err == nil && (object.Type != SecretType || object.Annotations[objectAnnotation] != name) {
		return nil, ports.ErrNoObject
	}
	if err != nil {
		return nil, fmt.Errorf("get Secret %s: %w", at.Name, err)
	}
	return object, nil
}

// Locate returns an address of the endpoint that is signed until the lifetime is over.
func (s *Storage) Locate(_ context.Context, name string, lifetime time.Duration) (delivery.Location, error) {
	base, authorities, err := s.endpoint()
	if err != nil {
		return delivery.Location{}, err
	}
	if base == "" {
		return delivery.Location{}, &ports.StorageError{Message: "the controller has no endpoint of its own; give it one by --machine-endpoint-url"}
	}
	expires := s.clock.Now().Add(lifetime).Truncate(time.Second)
	query := url.Values{
		"expires":   {strconv.FormatInt(expires.Unix(), 10)},
		"signature": {string(s.signer.Sign(name, expires).Reveal())},
	}
	return delivery.Location{
		URL:      secret.FromString(strings.TrimSuffix(base, "/") + "/stored/" + name + "?" + query.Encode()),
		CABundle: []byte(authorities), Expires: expires,
	}, nil
}

// Delete empties the object. Its Secret goes with the deposit.
func (s *Storage) Delete(ctx context.Context, name string) error {
	object, err := s.get(ctx, name)
	if errors.Is(err, ports.ErrNoObject) {
		return nil
	}
	if err != nil {
		return err
	}
	before := object.DeepCopy()
	object.Data = nil
	if err := s.client.Patch(ctx, object, client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("patch Secret %s: %w", object.Name, err)
	}
	return nil
}

// Fetch returns an object to who shows its signature in time. Before that, nothing is read.
func (s *Storage) Fetch(ctx context.Context, name string, expires time.Time, signature string) (secret.Value, error) {
	if !s.signer.Verifies(name, expires, signature) || !s.clock.Now().Before(expires) {
		return secret.Value{}, ports.ErrStorageDenied
	}
	object, err := s.get(ctx, name)
	if err != nil {
		return secret.Value{}, err
	}
	value, stored := object.Data[valueKey]
	if !stored {
		return secret.Value{}, ports.ErrNoObject
	}
	return secret.New(value), nil
}
