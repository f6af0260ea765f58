package capi

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Certificates implements ports.Certificates with Cluster API's Secrets <cluster>-<purpose>.
type Certificates struct {
	client  client.Client
	secrets *ObjectReader

	mutex sync.Mutex
	// pins caches the pins of each CA Secret with the version of the Secret.
	pins map[client.ObjectKey]pinned
}

type pinned struct {
	version string
	pins    []string
}

// NewCertificates returns the certificates of the management cluster. The client creates Secrets and reads Clusters.
func NewCertificates(c client.Client, secrets *ObjectReader) *Certificates {
	return &Certificates{client: c, secrets: secrets, pins: map[client.ObjectKey]pinned{}}
}

func certificateKey(cluster ports.Key, p node.Purpose) client.ObjectKey {
	return client.ObjectKey{Namespace: cluster.Namespace, Name: capisecret.Name(cluster.Name, capisecret.Purpose(p))}
}

// Find returns the key pair.
func (c *Certificates) Find(ctx context.Context, cluster ports.Key, p node.Purpose) (node.KeyPair, error) {
	s, err := c.read(ctx, cluster, p)
	if err != nil {
		return node.KeyPair{}, err
	}
	return node.KeyPair{Certificate: s.Data[corev1.TLSCertKey], Key: secret.New(s.Data[corev1.TLSPrivateKeyKey])}, nil
}

func (c *Certificates) read(ctx context.Context, cluster ports.Key, p node.Purpose) (*corev1.Secret, error) {
	key := certificateKey(cluster, p)
	s, err := c.secrets.Secret(ctx, key)
	if apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrNoCertificate)
	}
	if err != nil {
		return nil, fmt.Errorf("read Secret %s: %w", key.Name, err)
	}
	earlier, err := c.ofEarlierCluster(ctx, cluster, s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("get cluster %s: %w", cluster, err)
	case earlier:
		return nil, fmt.Errorf("Secret %s is being deleted with an earlier cluster of that name: %w", key.Name,
			ports.ErrNoCertificate)
	}
	if len(s.Data[corev1.TLSCertKey]) == 0 {
		return nil, fmt.Errorf("Secret %s has no %s: %w", key.Name, corev1.TLSCertKey, ports.ErrInvalidCertificate)
	}
	return s, nil
}

// ofEarlierCluster reports whether the Secret is owned by an earlier cluster with the same name. The garbage collector
// deletes such a Secret, or the owner reference if there are other owners.
func (c *Certificates) ofEarlierCluster(ctx context.Context, cluster ports.Key, s *corev1.Secret) (bool, error) {
	for _, o := range s.OwnerReferences {
		if !isClusterReference(cluster, o) {
			continue
		}
		present := &clusterv1.Cluster{}
		if err := c.client.Get(ctx, client.ObjectKey(cluster), present); err != nil {
			return false, client.IgnoreNotFound(err)
		}
		return present.UID != o.UID, nil
	}
	return false, nil
}

// Pins returns the pins of the CA. It computes them once for each version of the Secret.
func (c *Certificates) Pins(ctx context.Context, cluster ports.Key) ([]string, error) {
	key := certificateKey(cluster, node.PurposeClusterCA)
	s, err := c.read(ctx, cluster, node.PurposeClusterCA)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	version := string(s.UID) + "/" + s.ResourceVersion
	if known := c.pins[key]; known.version == version {
		return known.pins, nil
	}
	ca := capisecret.Certificate{Purpose: capisecret.ClusterCA, KeyPair: &certs.KeyPair{Cert: s.Data[corev1.TLSCertKey]}}
	pins, err := ca.Hashes()
	if err != nil {
		return nil, fmt.Errorf("Secret %s: %w", key.Name, ports.ErrInvalidCertificate)
	}
	c.pins[key] = pinned{version: version, pins: pins}
	return pins, nil
}

// Generate generates a key pair unless it exists. Its Secret belongs to the Cluster, since it outlives the machine.
func (c *Certificates) Generate(ctx context.Context, cluster ports.Key, p node.Purpose, how node.Certificates) error {
	if p == node.PurposeEtcdClient {
		return ports.ErrNoCertificate
	}
	if _, err := c.secrets.Secret(ctx, certificateKey(cluster, p)); !apierrors.IsNotFound(err) {
		return err
	}
	owner, err := getCluster(ctx, c.client, cluster)
	if err != nil {
		return err
	}
	certificate := &capisecret.Certificate{
		Purpose:                capisecret.Purpose(p),
		ValidityPeriodDays:     int32(min(how.CAValidityDays, 1<<20)), //nolint:gosec // bounded
		KeyEncryptionAlgorithm: bootstrapv1.EncryptionAlgorithmType(how.Algorithm),
	}
	if err := certificate.Generate(); err != nil {
		return fmt.Errorf("generate the pair %s: %w", p, err)
	}
	s := certificate.AsSecret(client.ObjectKey(cluster), clusterReference(owner))
	err = c.client.Create(ctx, s)
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create Secret %s: %w", s.Name, err)
	}
	c.secrets.Note(s)
	return nil
}
