package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// ObjectSecretType is the type of a Secret that is an object.
	ObjectSecretType corev1.SecretType = "bootstrap.machineadm.io/stored"
	// objectAnnotation is the name of the object.
	objectAnnotation = "bootstrap.machineadm.io/object"
	objectKey        = "value"
	// maxPutAttempts limits the attempts to get a slot that others take at the same time.
	maxPutAttempts = 16
)

// EndpointAddress returns the URL of the endpoint, as machines reach it, and the certificates in PEM by which they
// trust it. The URL is empty if there is no endpoint.
type EndpointAddress func() (url, authorities string, err error)

// EndpointStorage implements ports.Storage and ports.SignedObjects. An object is a Secret that its request owns, so
// that the garbage collector deletes it with the request: the controller is not allowed to delete Secrets. The Secret
// of a deleted object is reused.
type EndpointStorage struct {
	client   client.Client
	signer   credential.Signer
	clock    ports.Clock
	endpoint EndpointAddress
}

// NewEndpointStorage returns a storage. The client reads Secrets from the API.
func NewEndpointStorage(c client.Client, s credential.Signer, clock ports.Clock, e EndpointAddress) *EndpointStorage {
	return &EndpointStorage{client: c, signer: s, clock: clock, endpoint: e}
}

// requestOf returns the request of an object. The name of an object is namespace/request/rest.
func (s *EndpointStorage) requestOf(ctx context.Context, name string) (*corev1.Secret, error) {
	namespace, rest, _ := strings.Cut(name, "/")
	owner, _, found := strings.Cut(rest, "/")
	if !found || namespace == "" || owner == "" {
		return nil, fmt.Errorf("%q names no object of a storage request", name)
	}
	request := &corev1.Secret{}
	if err := s.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: owner}, request); err != nil {
		return nil, fmt.Errorf("get Secret %s: %w", owner, err)
	}
	return request, nil
}

// Put stores the data under the name.
func (s *EndpointStorage) Put(ctx context.Context, name string, data secret.Value) error {
	request, err := s.requestOf(ctx, name)
	if err != nil {
		return err
	}
	// If another client puts the same object at the same time and takes the slot, the next attempt finds it.
	for range maxPutAttempts {
		if err = s.put(ctx, request, name, data); !apierrors.IsAlreadyExists(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return err
}

func (s *EndpointStorage) put(ctx context.Context, request *corev1.Secret, name string, data secret.Value) error {
	found, err := s.findSlots(ctx, request, name)
	if err != nil {
		return err
	}
	if found.object != nil && bytes.Equal(found.object.Data[objectKey], data.Reveal()) {
		return nil
	}
	slot := found.object
	if slot == nil {
		slot = found.free
	}
	if slot == nil {
		return s.create(ctx, request, found.next, name, data)
	}
	return s.patch(ctx, slot, map[string]string{objectAnnotation: name}, map[string][]byte{objectKey: data.Reveal()})
}

func (s *EndpointStorage) create(ctx context.Context, request *corev1.Secret, slot, name string, data secret.Value,
) error {
	err := s.client.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: request.Namespace, Name: slot, Annotations: map[string]string{objectAnnotation: name},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Secret", Name: request.Name, UID: request.UID}},
		},
		Type: ObjectSecretType, Data: map[string][]byte{objectKey: data.Reveal()},
	})
	if err != nil {
		return fmt.Errorf("create Secret %s: %w", slot, err)
	}
	return nil
}

func (s *EndpointStorage) patch(ctx context.Context, slot *corev1.Secret, annotations map[string]string,
	data map[string][]byte,
) error {
	err := kube.Patch(ctx, s.client, slot, func() { slot.Annotations, slot.Data = annotations, data })
	if err != nil {
		return fmt.Errorf("patch Secret %s: %w", slot.Name, err)
	}
	return nil
}

// Locate returns a URL of the endpoint that is signed for the lifetime.
func (s *EndpointStorage) Locate(ctx context.Context, name string, lifetime time.Duration) (delivery.Location, error) {
	base, authorities, err := s.endpoint()
	if err != nil {
		return delivery.Location{}, err
	}
	if base == "" {
		return delivery.Location{}, errNoEndpoint()
	}
	request, err := s.requestOf(ctx, name)
	if err != nil {
		return delivery.Location{}, err
	}
	found, err := s.findSlots(ctx, request, name)
	if err != nil {
		return delivery.Location{}, err
	}
	slot := found.next
	if found.object != nil {
		slot = found.object.Name
	}
	name += slotMark + strings.TrimPrefix(slot, slotPrefix)
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

// Signer identifies what signs URLs. It changes with the key, the URL and the certificates of the endpoint, and is
// empty if they are not known.
func (s *EndpointStorage) Signer() string {
	base, authorities, err := s.endpoint()
	if err != nil || base == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{base, authorities, s.signer.Fingerprint()}))
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// Delete empties the object's Secret, which the next object of the request reuses.
func (s *EndpointStorage) Delete(ctx context.Context, name string) error {
	request, err := s.requestOf(ctx, name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	found, err := s.findSlots(ctx, request, name)
	if err != nil || found.object == nil {
		return err
	}
	return client.IgnoreNotFound(s.patch(ctx, found.object, nil, nil))
}

// Fetch returns an object to a client with a valid signature. Without one it reads nothing.
func (s *EndpointStorage) Fetch(ctx context.Context, name string, expires time.Time, signature string,
) (secret.Value, error) {
	if !s.signer.Verifies(name, expires, signature) || !s.clock.Now().Before(expires) {
		return secret.Value{}, ports.ErrStorageDenied
	}
	namespace, _, _ := strings.Cut(name, "/")
	at := strings.LastIndex(name, slotMark)
	object := &corev1.Secret{}
	err := s.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: slotPrefix + name[at+1:]}, object)
	if client.IgnoreNotFound(err) != nil {
		return secret.Value{}, fmt.Errorf("get the Secret of %s: %w", name, err)
	}
	value, stored := object.Data[objectKey]
	if err != nil || at < 0 || !stored || object.Type != ObjectSecretType ||
		object.Annotations[objectAnnotation] != name[:at] {
		return secret.Value{}, ports.ErrNoObject
	}
	return secret.New(value), nil
}
