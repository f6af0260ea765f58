package capi

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// TalosOptions are the parts of TalosSecrets. All are required.
type TalosOptions struct {
	// Client creates and replaces Secrets, reads them from the API, and reads Clusters.
	Client  client.Client
	Secrets *ObjectReader
	Clock   ports.Clock
	Entropy ports.Entropy
}

// TalosSecrets implements ports.TalosSecrets. The machines' secrets are in the Secret <cluster>-talos, and a client
// configuration for administrators is in <cluster>-talosconfig. Both have the names and formats of Talos's own
// bootstrap provider, and belong to the Cluster.
type TalosSecrets struct{ TalosOptions }

// NewTalosSecrets returns the Talos secrets of the management cluster.
func NewTalosSecrets(o TalosOptions) *TalosSecrets { return &TalosSecrets{TalosOptions: o} }

func talosKey(cluster ports.Key, suffix string) client.ObjectKey {
	return client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name + suffix}
}

// ClusterOfTalosSecret returns the cluster of the Talos secrets, or of the client configuration, with the name of a
// Secret.
func ClusterOfTalosSecret(name string) (cluster string, ok bool) {
	if cluster, ok = strings.CutSuffix(name, convert.TalosBundleSuffix); ok {
		return cluster, cluster != ""
	}
	cluster, ok = strings.CutSuffix(name, convert.TalosConfigSuffix)
	return cluster, ok && cluster != ""
}

// Find returns the secrets.
func (s *TalosSecrets) Find(ctx context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	key := talosKey(cluster, convert.TalosBundleSuffix)
	found, err := s.Secrets.Secret(ctx, key)
	if apierrors.IsNotFound(err) {
		return node.TalosSecrets{}, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrNoTalosSecrets)
	}
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	return decodeTalosSecret(ctx, cluster, found)
}

func decodeTalosSecret(ctx context.Context, cluster ports.Key, found *corev1.Secret) (node.TalosSecrets, error) {
	if controlledByOther(cluster, found) {
		return node.TalosSecrets{}, fmt.Errorf("Secret %s: %w", found.Name, ports.ErrNotOwned)
	}
	secrets, err := convert.DecodeTalosBundle(ctx, found.Data[convert.TalosBundleKey])
	if err != nil {
		return secrets, fmt.Errorf("Secret %s, key %s: %w", found.Name, convert.TalosBundleKey, err)
	}
	return secrets, nil
}

// controlledByOther reports whether an object other than the cluster controls the Secret. Users may provide a Secret
// without a controller, as with the cluster's certificates.
func controlledByOther(cluster ports.Key, s *corev1.Secret) bool {
	owner := metav1.GetControllerOf(s)
	return owner != nil && !isClusterReference(cluster, *owner)
}

// Ensure returns the secrets, and generates them if there are none. If several callers generate them, the API server
// accepts the first, and the others read its secrets.
func (s *TalosSecrets) Ensure(ctx context.Context, cluster ports.Key) (node.TalosSecrets, error) {
	key := talosKey(cluster, convert.TalosBundleSuffix)
	found, err := s.Secrets.Secret(ctx, key)
	if err == nil {
		return decodeTalosSecret(ctx, cluster, found)
	}
	if !apierrors.IsNotFound(err) {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	secrets, err := node.NewTalosSecrets(s.Entropy, s.Clock.Now())
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("generate Talos secrets: %w", err)
	}
	text, err := convert.EncodeTalosBundle(secrets)
	if err != nil {
		return node.TalosSecrets{}, fmt.Errorf("encode Talos secrets: %w", err)
	}
	err = s.create(ctx, cluster, key, map[string][]byte{convert.TalosBundleKey: text})
	if !apierrors.IsAlreadyExists(err) {
		return secrets, err
	}
	found = &corev1.Secret{}
	if err := s.Client.Get(ctx, key, found); err != nil {
		return node.TalosSecrets{}, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	return decodeTalosSecret(ctx, cluster, found)
}

// create creates a Secret that belongs to the Cluster, since it outlives the machine.
func (s *TalosSecrets) create(ctx context.Context, cluster ports.Key, key client.ObjectKey, data map[string][]byte,
) error {
	owner, err := getCluster(ctx, s.Client, cluster)
	if err != nil {
		return err
	}
	created := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: key.Namespace, Name: key.Name, Labels: map[string]string{clusterv1.ClusterNameLabel: cluster.Name},
			OwnerReferences: []metav1.OwnerReference{clusterReference(owner)},
		},
		Type: clusterv1.ClusterSecretType, Data: data,
	}
	if err := s.Client.Create(ctx, created); err != nil {
		return fmt.Errorf("create Secret %s: %w", key.Name, err)
	}
	s.Secrets.Note(created)
	return nil
}

// EnsureClient creates or updates the client configuration. It reads the current one from the cache.
func (s *TalosSecrets) EnsureClient(ctx context.Context, cluster ports.Key, addresses []string,
) (ports.TalosClient, error) {
	key := talosKey(cluster, convert.TalosConfigSuffix)
	name := ports.TalosClient{Name: key.Name, Key: convert.TalosConfigKey}
	secrets, err := s.Find(ctx, cluster)
	if err != nil {
		return name, err
	}
	found, err := s.Secrets.Secret(ctx, key)
	if err != nil && !apierrors.IsNotFound(err) {
		return name, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	if err == nil && !isTalosconfigOf(cluster, found) {
		return name, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrNotOwned)
	}
	var held []byte
	if err == nil {
		held = found.Data[convert.TalosConfigKey]
	}
	text, err := s.client(ctx, cluster, secrets, addresses, held)
	switch {
	case err != nil || bytes.Equal(text, held):
		return name, err
	case found == nil:
		err = s.create(ctx, cluster, key, map[string][]byte{convert.TalosConfigKey: text})
	default:
		err = s.replace(ctx, found, text)
	}
	// Another client has written the Secret; its event triggers the next reconciliation.
	if apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) {
		return name, nil
	}
	return name, err
}

// isTalosconfigOf reports whether machineadm created the Secret: it belongs to the cluster, or has lost its owner in a
// backup.
func isTalosconfigOf(cluster ports.Key, s *corev1.Secret) bool {
	if len(s.OwnerReferences) == 0 {
		return s.Type == clusterv1.ClusterSecretType && s.Labels[clusterv1.ClusterNameLabel] == cluster.Name
	}
	return !controlledByOther(cluster, s) && slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return isClusterReference(cluster, o)
	})
}

// client returns the client configuration with the addresses. It keeps a certificate that is valid for long enough.
func (s *TalosSecrets) client(ctx context.Context, cluster ports.Key, secrets node.TalosSecrets, addresses []string,
	held []byte,
) ([]byte, error) {
	c := convert.DecodeTalosConfig(ctx, held)
	now := s.Clock.Now()
	expires, ok := node.TalosClientExpires(c.Pair, secrets.OSCA)
	if !ok || expires.Sub(now) < node.TalosClientValidity/2 {
		pair, err := node.NewTalosClient(secrets.OSCA, s.Entropy, now)
		if err != nil {
			return nil, fmt.Errorf("generate a client certificate: %w", err)
		}
		c.Pair = pair
	}
	c.Context, c.Endpoints, c.CA = cluster.Name, addresses, secrets.OSCA.Certificate
	return convert.EncodeTalosConfig(c)
}

func (s *TalosSecrets) replace(ctx context.Context, found *corev1.Secret, text []byte) error {
	changed := found.DeepCopy()
	changed.Data = map[string][]byte{convert.TalosConfigKey: text}
	if err := s.Client.Update(ctx, changed); err != nil {
		return fmt.Errorf("update Secret %s: %w", found.Name, err)
	}
	return nil
}
