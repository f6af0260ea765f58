package capi

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/kubeconfig"
	capisecret "sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// AdminKubeconfigs implements ports.Kubeconfigs with Cluster API's Secret <cluster>-kubeconfig.
type AdminKubeconfigs struct {
	client       client.Client
	secrets      *ObjectReader
	certificates ports.Certificates
	clock        ports.Clock
}

var _ ports.Kubeconfigs = (*AdminKubeconfigs)(nil)

// NewAdminKubeconfigs returns the kubeconfigs of the management cluster. The client creates and updates Secrets, and
// reads Clusters.
func NewAdminKubeconfigs(c client.Client, secrets *ObjectReader, certificates ports.Certificates, clock ports.Clock,
) *AdminKubeconfigs {
	return &AdminKubeconfigs{client: c, secrets: secrets, certificates: certificates, clock: clock}
}

// Ensure creates the Secret, or renews it if its content is not as desired. The content decides and not the owner:
// another control plane provider may have created the Secret.
func (k *AdminKubeconfigs) Ensure(ctx context.Context, c ports.ControlPlane) error {
	if c.Network.Endpoint == "" {
		return nil
	}
	cluster := ports.Key{Namespace: c.Namespace, Name: c.ClusterName}
	key := client.ObjectKey{Namespace: cluster.Namespace, Name: capisecret.Name(cluster.Name, capisecret.Kubeconfig)}
	stored, err := k.secrets.Secret(ctx, key)
	missing := apierrors.IsNotFound(err)
	switch {
	case err != nil && !missing:
		return fmt.Errorf("read Secret %s: %w", key.Name, err)
	case !missing && stored.Type != clusterv1.ClusterSecretType:
		return nil
	}
	ca, err := k.authority(ctx, cluster)
	if err != nil {
		return fmt.Errorf("Secret %s: %w", key.Name, err)
	}
	server := (&url.URL{Scheme: "https", Host: c.Network.Endpoint}).String()
	if !missing && stored.Labels[clusterv1.ClusterNameLabel] == cluster.Name && k.isCurrent(stored, ca, server) {
		return nil
	}
	text, err := ca.sign(cluster.Name, server, c.Config.Certificates.Algorithm)
	if err != nil {
		return fmt.Errorf("Secret %s: %w", key.Name, err)
	}
	if missing {
		return k.create(ctx, cluster, text)
	}
	return k.update(ctx, stored, cluster, text)
}

// authority is the CA of a cluster.
type authority struct {
	node.KeyPair
	certificate *x509.Certificate
}

func (k *AdminKubeconfigs) authority(ctx context.Context, cluster ports.Key) (authority, error) {
	pair, err := k.certificates.Find(ctx, cluster, node.PurposeClusterCA)
	if err != nil {
		return authority{}, err
	}
	if len(pair.Key.Reveal()) > budget.PrivateKey || budget.CheckCertificates(pair.Certificate) != nil {
		return authority{}, fmt.Errorf("the key of the CA has more than %d bits; use a shorter one", budget.RSABits)
	}
	certificate, err := certs.DecodeCertPEM(pair.Certificate)
	if err != nil || certificate == nil {
		return authority{}, ports.ErrInvalidCertificate
	}
	return authority{KeyPair: pair, certificate: certificate}, nil
}

// sign returns a kubeconfig with a new client certificate.
func (a authority) sign(cluster, server string, algorithm node.KeyAlgorithm) ([]byte, error) {
	if a.Key.IsZero() {
		return nil, fmt.Errorf("the key of the CA is missing; add tls.key to Secret %s-%s, or create a kubeconfig of type %s",
			cluster, node.PurposeClusterCA, corev1.SecretTypeOpaque)
	}
	key, err := certs.DecodePrivateKeyPEM(a.Key.Reveal())
	if err != nil || key == nil {
		// The error of the library is dropped, because it may quote the key.
		return nil, fmt.Errorf("the key of the CA: %w", ports.ErrInvalidCertificate)
	}
	config, err := kubeconfig.New(cluster, server, a.certificate, key, kubeconfig.KeyEncryptionAlgorithm(algorithm))
	if err != nil {
		return nil, fmt.Errorf("sign a client certificate: %w", err)
	}
	return clientcmd.Write(*config)
}

// isCurrent reports whether the kubeconfig has the server and the CA, and a client certificate of the CA that is valid
// for at least half a year.
func (k *AdminKubeconfigs) isCurrent(s *corev1.Secret, ca authority, server string) bool {
	config, err := clientcmd.Load(s.Data[capisecret.KubeconfigDataName])
	if err != nil {
		return false
	}
	current, found := config.Contexts[config.CurrentContext]
	if !found {
		return false
	}
	cluster, user := config.Clusters[current.Cluster], config.AuthInfos[current.AuthInfo]
	if cluster == nil || user == nil || cluster.Server != server || !k.isValid(user, ca) {
		return false
	}
	trusted, err := certs.DecodeCertPEM(cluster.CertificateAuthorityData)
	return err == nil && trusted != nil && bytes.Equal(trusted.Raw, ca.certificate.Raw)
}

func (k *AdminKubeconfigs) isValid(user *api.AuthInfo, ca authority) bool {
	if len(user.ClientKeyData) == 0 || budget.CheckCertificates(user.ClientCertificateData) != nil {
		return false
	}
	certificate, err := certs.DecodeCertPEM(user.ClientCertificateData)
	if err != nil || certificate == nil || certificate.CheckSignatureFrom(ca.certificate) != nil {
		return false
	}
	// Client certificates end one year after they are signed, and begin with the CA: their age is not known.
	return certificate.NotAfter.Sub(k.clock.Now()) >= certs.ClientCertificateRenewalDuration
}

// create creates the Secret, which belongs to the Cluster: clusterctl moves it along.
func (k *AdminKubeconfigs) create(ctx context.Context, cluster ports.Key, text []byte) error {
	owner, err := getCluster(ctx, k.client, cluster)
	if err != nil {
		return err
	}
	s := kubeconfig.GenerateSecretWithOwner(client.ObjectKey(cluster), text, clusterReference(owner))
	if err := k.client.Create(ctx, s); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create Secret %s: %w", s.Name, ports.ErrConflict)
		}
		return fmt.Errorf("create Secret %s: %w", s.Name, err)
	}
	k.secrets.Note(s)
	return nil
}

// update writes the kubeconfig. Other keys and the owners stay.
func (k *AdminKubeconfigs) update(ctx context.Context, stored *corev1.Secret, cluster ports.Key, text []byte) error {
	s := stored.DeepCopy()
	if s.Labels == nil {
		s.Labels = map[string]string{}
	}
	s.Labels[clusterv1.ClusterNameLabel] = cluster.Name
	if s.Data == nil {
		s.Data = map[string][]byte{}
	}
	s.Data[capisecret.KubeconfigDataName] = text
	if err := k.client.Update(ctx, s); err != nil {
		if apierrors.IsConflict(err) {
			return fmt.Errorf("update Secret %s: %w", s.Name, ports.ErrConflict)
		}
		return fmt.Errorf("update Secret %s: %w", s.Name, err)
	}
	k.secrets.Note(s)
	return nil
}
