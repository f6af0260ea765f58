package storage

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// The keys of a request Secret that only machineadm uses.
const (
	inputDigestKey = "input-digest"
	privateDataKey = "private-data"
)

// SecretReader reads Secrets through a cache.
type SecretReader interface {
	Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error)
}

// Requests implements ports.StorageRequests with Secrets that request storage.
type Requests struct {
	// WatchFilter is the value of the label cluster.x-k8s.io/watch-filter of new requests, or empty for none. It is the
	// value of the configs and storages of this controller.
	WatchFilter string

	client  client.Client
	secrets SecretReader
	owner   schema.GroupVersionKind
}

var _ ports.StorageRequests = (*Requests)(nil)

// NewRequests returns the requests that are owned by objects of the kind. The client reads Secrets from the API.
func NewRequests(c client.Client, secrets SecretReader, owner schema.GroupVersionKind) *Requests {
	return &Requests{client: c, secrets: secrets, owner: owner}
}

// nameHashDigits is the length of the digest of a storage in the name of an additional request.
const nameHashDigits = 8

// Ensure creates or updates the request and returns the storage's answer. A request never changes its storage: another
// storage gets an additional request, and the owner's deletion removes both.
func (s *Requests) Ensure(ctx context.Context, request ports.StorageRequest) (delivery.Location, error) {
	key, existing, err := s.findFor(ctx, request.Key, request.Owner, request.Storage)
	if err != nil {
		return delivery.Location{}, err
	}
	request.Key = key
	if existing == nil {
		return delivery.Location{}, s.create(ctx, request)
	}
	if _, err := storagecontract.RequestOf(existing); err != nil ||
		string(existing.Data[inputDigestKey]) != request.InputDigest {
		return delivery.Location{}, s.replace(ctx, existing, request)
	}
	answer, answered, err := storagecontract.AnswerOf(existing)
	if err != nil {
		return delivery.Location{}, &ports.StorageError{Message: "its answer cannot be read: " + err.Error()}
	}
	// An error of the storage does not matter while the current answer is valid for long enough.
	if answered && (answer.Expires.IsZero() || answer.Expires.After(request.MinExpiry)) {
		return location(answer, existing.Data[storagecontract.ValueKey]), nil
	}
	if problem := storagecontract.Problem(existing); problem != "" {
		return delivery.Location{}, &ports.StorageError{Message: problem}
	}
	return delivery.Location{}, ports.ErrStoragePending
}

// findFor returns the owner's request for a storage, or nil, and its key: the first request, or an additional one if
// the first is for another storage. A first request that is being deleted only delays its own storage, since a storage
// that no longer exists never removes its finalizer.
func (s *Requests) findFor(ctx context.Context, key ports.Key, owner ports.Owner,
	wanted delivery.StorageRef) (ports.Key, *corev1.Secret, error,
) {
	existing, err := s.find(ctx, key, owner)
	if forOtherStorage(existing, wanted) {
		key = additionalKey(key, wanted)
		existing, err = s.find(ctx, key, owner)
	}
	return key, existing, err
}

// forOtherStorage reports whether a request is for another storage.
func forOtherStorage(existing *corev1.Secret, wanted delivery.StorageRef) bool {
	if existing == nil {
		return false
	}
	request, err := storagecontract.RequestOf(existing)
	return err == nil && request.Storage != storageOf(wanted)
}

// additionalKey returns the key of the request for a storage other than the first.
func additionalKey(first ports.Key, wanted delivery.StorageRef) ports.Key {
	digest := sha256.Sum256([]byte(storageOf(wanted).String()))
	suffix := "-" + hex.EncodeToString(digest[:])[:nameHashDigits]
	first.Name = strings.TrimRight(first.Name[:min(len(first.Name), validation.DNS1123SubdomainMaxLength-len(suffix))],
		"-.") + suffix
	return first
}

// Location returns the storage's answer.
func (s *Requests) Location(ctx context.Context, first ports.Key, owner ports.Owner, storage delivery.StorageRef,
) (delivery.Location, error) {
	_, existing, err := s.findFor(ctx, first, owner, storage)
	if err != nil || existing == nil {
		return delivery.Location{}, err
	}
	answer, answered, err := storagecontract.AnswerOf(existing)
	if !answered {
		return delivery.Location{}, err
	}
	return location(answer, existing.Data[storagecontract.ValueKey]), nil
}

// PrivateData returns the private data of the request. If there is no request, or no such data in it, PrivateData
// returns the data of the first request. That may be for another storage, but it is for the same machine. Ensure
// returns errors about the request.
func (s *Requests) PrivateData(ctx context.Context, first ports.Key, owner ports.Owner, storage delivery.StorageRef,
) (secret.Value, error) {
	key, existing, err := s.findFor(ctx, first, owner, storage)
	if err == nil && key != first && privateData(existing).IsZero() {
		existing, err = s.find(ctx, first, owner)
	}
	if errors.Is(err, ports.ErrNotOwned) || errors.Is(err, ports.ErrDataDeleting) {
		err = nil
	}
	return privateData(existing), err
}

func privateData(request *corev1.Secret) secret.Value {
	if request == nil {
		return secret.Value{}
	}
	return secret.New(request.Data[privateDataKey])
}

// find returns the owner's request, or nil, and ErrDataDeleting for one that is being deleted. It asks the API if the
// cache does not contain the request, since a second one would be more expensive.
func (s *Requests) find(ctx context.Context, key ports.Key, owner ports.Owner) (*corev1.Secret, error) {
	existing, err := s.secrets.Secret(ctx, client.ObjectKey(key))
	if apierrors.IsNotFound(err) {
		existing = &corev1.Secret{}
		err = s.client.Get(ctx, client.ObjectKey(key), existing)
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get Secret %s: %w", key.Name, err)
	}
	controller := metav1.GetControllerOf(existing)
	switch {
	case controller == nil || controller.UID != types.UID(owner.UID) || existing.Type != storagecontract.SecretType:
		return nil, ports.ErrNotOwned
	case !existing.DeletionTimestamp.IsZero():
		return existing, ports.ErrDataDeleting
	}
	return existing, nil
}

func (s *Requests) create(ctx context.Context, d ports.StorageRequest) error {
	created := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: d.Namespace, Name: d.Name, Labels: map[string]string{clusterv1.ClusterNameLabel: d.Cluster},
		OwnerReferences: []metav1.OwnerReference{kube.ControllerReference(d.Owner, s.owner)},
	}}
	if err := writeRequest(ctx, created, d); err != nil {
		return err
	}
	s.label(created)
	if err := s.client.Create(ctx, created); err != nil {
		return fmt.Errorf("create Secret %s: %w", d.Name, err)
	}
	return ports.ErrStoragePending
}

func (s *Requests) replace(ctx context.Context, existing *corev1.Secret, d ports.StorageRequest) error {
	changed := existing.DeepCopy()
	delete(changed.Annotations, storagecontract.ProblemAnnotation)
	if err := writeRequest(ctx, changed, d); err != nil {
		return err
	}
	s.label(changed)
	patch := client.MergeFromWithOptions(existing, client.MergeFromWithOptimisticLock{})
	if err := s.client.Patch(ctx, changed, patch); err != nil {
		return fmt.Errorf("replace Secret %s: %w", d.Name, err)
	}
	return ports.ErrStoragePending
}

// label sets the watch filter of storage controllers.
func (s *Requests) label(o *corev1.Secret) {
	if s.WatchFilter != "" {
		o.Labels[clusterv1.WatchLabel] = s.WatchFilter
	}
}

func writeRequest(ctx context.Context, o *corev1.Secret, d ports.StorageRequest) error {
	data, err := d.Data(ctx)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(data.Reveal())
	storagecontract.Request{Storage: storageOf(d.Storage), Digest: hex.EncodeToString(digest[:])}.Write(o, data.Reveal())
	o.Data[inputDigestKey] = []byte(d.InputDigest)
	if !d.PrivateData.IsZero() {
		o.Data[privateDataKey] = d.PrivateData.Reveal()
	}
	return nil
}

func storageOf(r delivery.StorageRef) storagecontract.Storage {
	return storagecontract.Storage{Group: r.Group, Kind: r.Kind, Name: r.Name}
}

// location returns the location of the value. The digests are those of the requested data: the storage is not trusted
// with them.
func location(a storagecontract.Answer, value []byte) delivery.Location {
	short, long := sha256.Sum256(value), sha512.Sum512(value)
	l := delivery.Location{
		URL: secret.FromString(a.URL), CABundle: a.CABundle, Expires: a.Expires,
		SHA256: hex.EncodeToString(short[:]), SHA512: hex.EncodeToString(long[:]),
	}
	for name, text := range a.Headers {
		l.Headers = append(l.Headers, delivery.Header{Name: name, Value: secret.FromString(text)})
	}
	slices.SortFunc(l.Headers, func(a, b delivery.Header) int { return strings.Compare(a.Name, b.Name) })
	return l
}
