// Package talossecrets keeps what the Talos machines of a cluster share in the Secret <cluster>-talos, and a client
// configuration for people in <cluster>-talosconfig. Both belong to the Cluster, so that clusterctl move takes them
// along.
//
// Names and shapes are those of Talos's own bootstrap provider: machines of both can be in one cluster.
package talossecrets

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/talossecrets/bundle"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Secrets reads Secrets, and is told of those that were just made.
type Secrets interface {
	Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error)
	Note(object client.Object)
}

// Options are what the store works with. All are required.
type Options struct {
	// Client makes and replaces Secrets, reads them from the API, and reads Clusters.
	Client  client.Client
	Secrets Secrets
	Clock   ports.Clock
	Entropy ports.Entropy
}

// Store is the port ports.TalosSecrets.
type Store struct{ Options }

// New returns the Talos secrets of the management cluster.
func New(o Options) *Store { return &Store{Options: o} }

func named(cluster ports.Key, suffix string) client.ObjectKey {
	return client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name + suffix}
}

// ClusterOf returns the cluster whose Talos secrets or client configuration a Secret of the name is.
func ClusterOf(name string) (cluster string, ok bool) {
	if cluster, ok = strings.CutSuffix(name, bundle.Suffix); ok {
		return cluster, cluster != ""
	}
	cluster, ok = strings.CutSuffix(name, bundle.ClientSuffix)
	return cluster, ok && cluster != ""
}

// Find returns the secrets.
func (s *Store) Find(ctx context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	key := named(cluster, bundle.Suffix)
	found, err := s.Secrets.Secret(ctx, key)
	if apierrors.IsNotFound(err) {
		return node.TalosSecrets{}, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrNoTalosSecrets)
	}
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	return decode(ctx, cluster, found)
}

func decode(ctx context.Context, cluster ports.Key, found *corev1.Secret) (node.TalosSecrets, error) {
	if foreign(cluster, found) {
		return node.TalosSecrets{}, fmt.Errorf("Secret %s: %w", found.Name, ports.ErrForeign)
	}
	secrets, err := bundle.Decode(ctx, found.Data[bundle.Key])
	if err != nil {
		return secrets, fmt.Errorf("Secret %s, key %s: %w", found.Name, bundle.Key, err)
	}
	return secrets, nil
}

// foreign reports whether an object other than the cluster controls the Secret. A Secret that nobody controls is one
// that somebody brings along, as with the cluster's certificates.
func foreign(cluster ports.Key, s *corev1.Secret) bool {
	owner := metav1.GetControllerOf(s)
	return owner != nil && !isCluster(cluster, *owner)
}

func isCluster(cluster ports.Key, owner metav1.OwnerReference) bool {
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	return err == nil && gv.Group == clusterv1.GroupVersion.Group && owner.Kind == clusterv1.ClusterKind &&
		owner.Name == cluster.Name
}

// Ensure returns the secrets, and makes them if there are none. Of several that make them at once the API server lets
// one win; the others read what it made.
func (s *Store) Ensure(ctx context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	key := named(cluster, bundle.Suffix)
	found, err := s.Secrets.Secret(ctx, key)
	if err == nil {
		return decode(ctx, cluster, found)
	}
	if !apierrors.IsNotFound(err) {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	secrets, err := node.NewTalosSecrets(s.Entropy, s.Clock.Now())
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("make Talos secrets: %w", err)
	}
	text, err := bundle.Encode(secrets)
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("encode Talos secrets: %w", err)
	}
	err = s.create(ctx, cluster, key, map[string][]byte{bundle.Key: text})
	if !apierrors.IsAlreadyExists(err) {
		return secrets, err
	}
	found = &corev1.Secret{}
	if err := s.Client.Get(ctx, key, found); err != nil {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	return decode(ctx, cluster, found)
}

// create makes a Secret that belongs to the Cluster, since it outlives the machine that asked.
func (s *Store) create(ctx context.Context, cluster ports.Key, key client.ObjectKey, data map[string][]byte) error {
	owner := &clusterv1.Cluster{}
	if err := s.Client.Get(ctx, client.ObjectKey(cluster), owner); err != nil {
		return fmt.Errorf("get cluster %s: %w", cluster, err)
	}
	made := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: key.Namespace, Name: key.Name, Labels: map[string]string{clusterv1.ClusterNameLabel: cluster.Name},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: clusterv1.GroupVersion.String(), Kind: clusterv1.ClusterKind, Name: owner.Name, UID: owner.UID,
			}},
		},
		Type: clusterv1.ClusterSecretType, Data: data,
	}
	if err := s.Client.Create(ctx, made); err != nil {
		return fmt.Errorf("create Secret %s: %w", key.Name, err)
	}
	s.Secrets.Note(made)
	return nil
}

// EnsureClient keeps the client configuration. What it has already is asked of the cache.
func (s *Store) EnsureClient(ctx context.Context, cluster ports.Key, addresses []string) (ports.TalosClient, error) {
	key := named(cluster, bundle.ClientSuffix)
	name := ports.TalosClient{Name: key.Name, Key: bundle.ClientKey}
	secrets, err := s.Find(ctx, cluster)
	if err != nil {
		return name, err
	}
	found, err := s.Secrets.Secret(ctx, key)
	if err != nil && !apierrors.IsNotFound(err) {
		return name, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	if err == nil && !made(cluster, found) {
		return name, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrForeign)
	}
	var held []byte
	if err == nil {
		held = found.Data[bundle.ClientKey]
	}
	text, err := s.client(ctx, cluster, secrets, addresses, held)
	switch {
	case err != nil || bytes.Equal(text, held):
		return name, err
	case found == nil:
		err = s.create(ctx, cluster, key, map[string][]byte{bundle.ClientKey: text})
	default:
		err = s.replace(ctx, found, text)
	}
	// Somebody else was faster; the change wakes whoever looks after the configuration.
	if apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) {
		return name, nil
	}
	return name, err
}

// made reports whether the Secret was made here: it belongs to the cluster, or has lost its owner in a backup.
func made(cluster ports.Key, s *corev1.Secret) bool {
	if len(s.OwnerReferences) == 0 {
		return s.Type == clusterv1.ClusterSecretType && s.Labels[clusterv1.ClusterNameLabel] == cluster.Name
	}
	return !foreign(cluster, s) && slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return isCluster(cluster, o)
	})
}

// client returns the client configuration: the one that is held if it is good for long enough, with the addresses.
func (s *Store) client(ctx context.Context, cluster ports.Key, secrets node.TalosSecrets, addresses []string,
	held []byte,
) ([]byte, error) {
	c := bundle.DecodeClient(ctx, held)
	now := s.Clock.Now()
	expires, ok := node.TalosClientExpires(c.Pair, secrets.OSCA)
	if !ok || expires.Sub(now) < node.TalosClientValidity/2 {
		pair, err := node.NewTalosClient(secrets.OSCA, s.Entropy, now)
		if err != nil {
			return nil, fmt.Errorf("make a client certificate: %w", err)
		}
		c.Pair = pair
	}
	c.Context, c.Endpoints, c.CA = cluster.Name, addresses, secrets.OSCA.Certificate
	return bundle.EncodeClient(c)
}

func (s *Store) replace(ctx context.Context, found *corev1.Secret, text []byte) error {
	changed := found.DeepCopy()
	changed.Data = map[string][]byte{bundle.ClientKey: text}
	if err := s.Client.Update(ctx, changed); err != nil {
		return fmt.Errorf("update Secret %s: %w", found.Name, err)
	}
	return nil
}
