package capi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/ports"
)

// The annotations of a data Secret describe its data. They are not secret.
const (
	TokenAnnotation   = "bootstrap.machineadm.io/token-id"
	CounterAnnotation = "bootstrap.machineadm.io/token-counter"
	MachineAnnotation = "bootstrap.machineadm.io/machine"
	// RenewAnnotation and EndAnnotation are the times at which the URL in the data is replaced and expires (RFC 3339).
	RenewAnnotation = "bootstrap.machineadm.io/address-renewal"
	EndAnnotation   = "bootstrap.machineadm.io/address-end"
	// FingerprintAnnotation identifies the URL in the data, to detect that the storage has returned another one.
	FingerprintAnnotation = "bootstrap.machineadm.io/address-fingerprint"
	// CredentialAnnotation contains the digests of the machine's credentials for reports, each with its expiry.
	CredentialAnnotation = "bootstrap.machineadm.io/report-credentials"
	// SummaryAnnotation describes the data and the spec that it was rendered from (summaryForm).
	SummaryAnnotation = "bootstrap.machineadm.io/payload"
	// DataFinalizer lets the controller revoke the data's token and release its machine's lock before the Secret is
	// deleted. It is on the Secret and not on its owner because that needs no additional request.
	DataFinalizer = "bootstrap.machineadm.io/cleanup"
)

// pendingDataFor is how long a created Secret is assumed to exist while the cache does not contain it.
const pendingDataFor = 30 * time.Second

type pendingData struct {
	data ports.DataSecret
	at   time.Time
}

// DataSecrets implements ports.DataSecrets.
type DataSecrets struct {
	client   client.Client
	metadata client.Reader
	owner    schema.GroupVersionKind

	mutex   sync.Mutex
	pending map[ports.Key]pendingData
}

// NewDataSecrets returns the data Secrets that are owned by objects of the kind. The client writes, and reads from the
// API; metadata serves the metadata of Secrets from a cache.
func NewDataSecrets(c client.Client, metadata client.Reader, owner schema.GroupVersionKind) *DataSecrets {
	return &DataSecrets{client: c, metadata: metadata, owner: owner, pending: map[ports.Key]pendingData{}}
}

// Create publishes the data. It reads nothing first: the API server reports a name that is in use.
func (s *DataSecrets) Create(ctx context.Context, d ports.DataSecret) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: d.Name, Finalizers: []string{DataFinalizer},
			Labels: dataLabels(d), Annotations: dataAnnotations(d),
			OwnerReferences: []metav1.OwnerReference{kube.ControllerReference(d.Owner, s.owner)},
		},
		Type: clusterv1.ClusterSecretType,
		Data: dataContent(d.Payload),
	}
	err := s.client.Create(ctx, secret)
	if apierrors.IsAlreadyExists(err) {
		return s.existing(ctx, d)
	}
	if err != nil {
		return fmt.Errorf("create Secret %s: %w", d.Name, err)
	}
	d.Payload, d.Credential, d.Published = delivery.Payload{}, credential.Grant{}, secret.CreationTimestamp.Time
	d.Metadata = delivery.Metadata{}
	s.remember(d)
	return nil
}

func (s *DataSecrets) existing(ctx context.Context, d ports.DataSecret) error {
	meta, err := s.meta(ctx, s.client, d.Key)
	if err == nil {
		err = checkOwner(meta, d.Owner)
	}
	if errors.Is(err, ports.ErrNoData) {
		return ports.ErrDataDeleting
	}
	if err != nil {
		return err
	}
	s.remember(readDataSecret(meta, d.Owner))
	return ports.ErrDataExists
}

// dataLabels returns the labels of the user, and the one of the cluster.
func dataLabels(d ports.DataSecret) map[string]string {
	labels := d.Metadata.Allowed().Labels
	labels[clusterv1.ClusterNameLabel] = d.Cluster
	return labels
}

// dataAnnotations returns the annotations of the user, and those that describe the data.
func dataAnnotations(d ports.DataSecret) map[string]string {
	a := d.Metadata.Allowed().Annotations
	a[MachineAnnotation] = d.Machine
	if given := (credential.Grants{d.Credential}).String(); given != "" {
		a[CredentialAnnotation] = given
	}
	if d.Token.ID != "" {
		a[TokenAnnotation], a[CounterAnnotation] = d.Token.ID, strconv.Itoa(d.Token.Counter)
	}
	setSummary(a, d.Summary)
	setTimeAnnotation(a, RenewAnnotation, d.Location.RenewAfter)
	setTimeAnnotation(a, EndAnnotation, d.Location.Expires)
	if d.Location.Fingerprint != "" {
		a[FingerprintAnnotation] = d.Location.Fingerprint
	}
	return a
}

func setTimeAnnotation(a map[string]string, name string, t time.Time) {
	if !t.IsZero() {
		a[name] = t.UTC().Format(time.RFC3339)
	}
}

// timeAnnotation returns the time of an annotation, or zero if it is missing or invalid.
func timeAnnotation(a map[string]string, name string) time.Time {
	t, err := time.Parse(time.RFC3339, a[name])
	if err != nil {
		return time.Time{}
	}
	return t
}

func dataContent(p delivery.Payload) map[string][]byte {
	data := map[string][]byte{kube.DataKey: p.Data.Reveal()}
	if p.SecretFormat != delivery.SecretFormatNone {
		data[kube.DataFormatKey] = []byte(p.SecretFormat)
	}
	return data
}

// Find returns the metadata of the data from the cache.
func (s *DataSecrets) Find(ctx context.Context, key ports.Key, owner ports.Owner) (ports.DataSecret, error) {
	meta, err := s.meta(ctx, s.metadata, key)
	if errors.Is(err, ports.ErrNoData) {
		if d, ok := s.recall(key, owner); ok {
			return d, nil
		}
		return ports.DataSecret{}, err
	}
	s.forget(key)
	if err != nil {
		return ports.DataSecret{}, err
	}
	if err := checkOwner(meta, owner); err != nil {
		return ports.DataSecret{}, err
	}
	return readDataSecret(meta, owner), nil
}

// meta returns a Secret's metadata, ErrNoData or ErrDataDeleting.
func (s *DataSecrets) meta(ctx context.Context, reader client.Reader, key ports.Key,
) (*metav1.PartialObjectMetadata, error) {
	meta := kube.Metadata(secretKind)
	err := reader.Get(ctx, client.ObjectKey(key), meta)
	switch {
	case apierrors.IsNotFound(err):
		return nil, ports.ErrNoData
	case err != nil:
		return nil, fmt.Errorf("get Secret %s: %w", key.Name, err)
	case !meta.DeletionTimestamp.IsZero():
		return nil, ports.ErrDataDeleting
	}
	return meta, nil
}

// checkOwner returns ErrNotOwned if another object controls the Secret, or if no object does and machineadm did not
// create it. A Secret of machineadm may have lost its owner in a backup.
func checkOwner(meta metav1.Object, owner ports.Owner) error {
	controller := metav1.GetControllerOf(meta)
	_, ours := meta.GetAnnotations()[MachineAnnotation]
	if (controller == nil && !ours) || (controller != nil && controller.UID != types.UID(owner.UID)) {
		return ports.ErrNotOwned
	}
	return nil
}

// ReadDataSecret returns the data's properties from the Secret's metadata, or false for a Secret that machineadm did
// not create.
func ReadDataSecret(meta metav1.Object) (ports.DataSecret, bool) {
	owner := ports.Owner{}
	if c := metav1.GetControllerOf(meta); c != nil {
		owner = ports.Owner{Key: ports.Key{Namespace: meta.GetNamespace(), Name: c.Name}, UID: string(c.UID)}
	}
	return readDataSecret(meta, owner), slices.Contains(meta.GetFinalizers(), DataFinalizer)
}

func readDataSecret(meta metav1.Object, owner ports.Owner) ports.DataSecret {
	a := meta.GetAnnotations()
	// A counter that a user has changed starts again; register skips tokens that it did not create.
	counter, _ := strconv.Atoi(a[CounterAnnotation])
	return ports.DataSecret{
		Key:     ports.Key{Namespace: meta.GetNamespace(), Name: meta.GetName()},
		Cluster: meta.GetLabels()[clusterv1.ClusterNameLabel], Machine: a[MachineAnnotation], Owner: owner,
		Token: ports.TokenRef{ID: a[TokenAnnotation], Counter: counter}, Published: meta.GetCreationTimestamp().Time,
		Location: ports.LocationRef{
			RenewAfter: timeAnnotation(a, RenewAnnotation), Expires: timeAnnotation(a, EndAnnotation),
			Fingerprint: a[FingerprintAnnotation],
		},
		Summary: readSummary(a),
	}
}

// Replace replaces the data of the owner.
func (s *DataSecrets) Replace(ctx context.Context, d ports.DataSecret) error {
	secret := &corev1.Secret{}
	err := s.client.Get(ctx, client.ObjectKey(d.Key), secret)
	if apierrors.IsNotFound(err) {
		return ports.ErrNoData
	}
	if err != nil {
		return fmt.Errorf("get Secret %s: %w", d.Name, err)
	}
	if err := checkOwner(secret, d.Owner); err != nil {
		return err
	}
	secret.Data = dataContent(d.Payload)
	if secret.Annotations == nil {
		secret.Annotations = map[string]string{}
	}
	earlier := credential.ParseGrants(secret.Annotations[CredentialAnnotation]).ValidAt(d.Published)
	for _, known := range []string{
		TokenAnnotation, CounterAnnotation, RenewAnnotation, EndAnnotation, FingerprintAnnotation, CredentialAnnotation,
		SummaryAnnotation,
	} {
		delete(secret.Annotations, known)
	}
	maps.Copy(secret.Annotations, dataAnnotations(d))
	if secret.Labels == nil {
		secret.Labels = map[string]string{}
	}
	maps.Copy(secret.Labels, dataLabels(d))
	if all := earlier.With(d.Credential, d.PreviousExpiry); len(all) > 0 {
		secret.Annotations[CredentialAnnotation] = all.String()
	}
	if err := s.client.Update(ctx, secret); err != nil {
		return fmt.Errorf("update Secret %s: %w", d.Name, err)
	}
	return nil
}

// Repair restores the owner reference and the label. If nothing is missing, it only reads from the cache.
func (s *DataSecrets) Repair(ctx context.Context, key ports.Key, owner ports.Owner) error {
	meta, err := s.meta(ctx, s.metadata, key)
	if errors.Is(err, ports.ErrNoData) {
		if _, ok := s.recall(key, owner); ok {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if err := checkOwner(meta, owner); err != nil {
		return err
	}
	if metav1.GetControllerOf(meta) != nil {
		return nil
	}
	repaired := meta.DeepCopy()
	// Expired credentials are dropped only if the Secret is written anyway.
	if left := credential.ParseGrants(meta.Annotations[CredentialAnnotation]).ValidAt(time.Now()).String(); left != "" {
		repaired.Annotations[CredentialAnnotation] = left
	} else {
		delete(repaired.Annotations, CredentialAnnotation)
	}
	repaired.OwnerReferences = append(otherReferences(meta.OwnerReferences, s.owner.Kind, owner.Name),
		kube.ControllerReference(owner, s.owner))
	patch := client.MergeFromWithOptions(meta, client.MergeFromWithOptimisticLock{})
	if err := s.client.Patch(ctx, repaired, patch); err != nil {
		return fmt.Errorf("repair the owner of Secret %s: %w", key.Name, err)
	}
	return nil
}

// Expire removes the digests of the credentials for reports. If there are none, it only reads from the cache.
func (s *DataSecrets) Expire(ctx context.Context, key ports.Key, owner ports.Owner) error {
	meta, err := s.meta(ctx, s.metadata, key)
	if _, ok := s.recall(key, owner); ok && errors.Is(err, ports.ErrNoData) {
		// The cache will contain the Secret soon, and the machine has not booted yet.
		return nil
	}
	if err != nil {
		return err
	}
	if err := checkOwner(meta, owner); err != nil {
		return err
	}
	if _, has := meta.Annotations[CredentialAnnotation]; !has {
		return nil
	}
	expired := meta.DeepCopy()
	delete(expired.Annotations, CredentialAnnotation)
	if err := s.client.Patch(ctx, expired, client.MergeFrom(meta)); err != nil {
		return fmt.Errorf("remove the credentials of Secret %s: %w", key.Name, err)
	}
	return nil
}

// otherReferences returns the references without those to the owner.
func otherReferences(references []metav1.OwnerReference, kind, name string) []metav1.OwnerReference {
	var kept []metav1.OwnerReference
	for _, r := range references {
		if r.Kind != kind || r.Name != name {
			kept = append(kept, r)
		}
	}
	return kept
}

func (s *DataSecrets) remember(d ports.DataSecret) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.pending[d.Key] = pendingData{data: d, at: time.Now()}
}

func (s *DataSecrets) recall(key ports.Key, owner ports.Owner) (ports.DataSecret, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p, found := s.pending[key]
	return p.data, found && time.Since(p.at) < pendingDataFor && p.data.Owner == owner
}

func (s *DataSecrets) forget(key ports.Key) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.pending, key)
}
