package workload

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"time"

	"sigs.k8s.io/cluster-api/util/certs"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

const (
	// clientValidity is the validity of a client certificate. Each observation creates one.
	clientValidity = time.Hour
	// clockSkew is by how much the clocks of machines may be slow.
	clockSkew = 5 * time.Minute
)

// etcdCredentials returns the configuration for TLS with the members. The CA <cluster>-etcd signs the client's
// certificate. Without the key of the CA, the client is that of the API server, which the user provides.
func etcdCredentials(ctx context.Context, certificates ports.Certificates, cluster ports.Key, now time.Time,
) (*tls.Config, error) {
	ca, err := certificates.Find(ctx, cluster, node.PurposeEtcdCA)
	if err != nil {
		return nil, err
	}
	if err := checkSize(ca); err != nil {
		return nil, fmt.Errorf("Secret %s-%s: %w", cluster.Name, node.PurposeEtcdCA, err)
	}
	authority, err := certs.DecodeCertPEM(ca.Certificate)
	if err != nil || authority == nil {
		return nil, fmt.Errorf("Secret %s-%s: %w", cluster.Name, node.PurposeEtcdCA, ports.ErrInvalidCertificate)
	}
	client, err := etcdClient(ctx, certificates, cluster, ca, authority, now)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	return &tls.Config{
		Certificates: []tls.Certificate{client}, RootCAs: roots, MinVersion: tls.VersionTLS12,
		// kubeadm's certificates of members contain this name (cmd/kubeadm/app/util/pkiutil, GetEtcdAltNames).
		ServerName: "localhost",
	}, nil
}

// checkSize returns an error if the use of the pair would take minutes.
func checkSize(pair node.KeyPair) error {
	if len(pair.Key.Reveal()) > budget.PrivateKey || budget.CheckCertificates(pair.Certificate) != nil {
		return fmt.Errorf("its key has more than %d bits; use a shorter one", budget.RSABits)
	}
	return nil
}

func etcdClient(ctx context.Context, certificates ports.Certificates, cluster ports.Key, ca node.KeyPair,
	authority *x509.Certificate, now time.Time,
) (tls.Certificate, error) {
	if !ca.Key.IsZero() {
		return signClient(ca, authority, now)
	}
	pair, err := certificates.Find(ctx, cluster, node.PurposeEtcdClient)
	if errors.Is(err, ports.ErrNoCertificate) {
		return tls.Certificate{}, fmt.Errorf("Secret %[1]s-%[2]s has no tls.key; add it, or create Secret %[1]s-%[3]s with "+
			"a client certificate for etcd", cluster.Name, node.PurposeEtcdCA, node.PurposeEtcdClient)
	}
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := checkSize(pair); err != nil {
		return tls.Certificate{}, fmt.Errorf("Secret %s-%s: %w", cluster.Name, node.PurposeEtcdClient, err)
	}
	client, err := tls.X509KeyPair(pair.Certificate, pair.Key.Reveal())
	if err != nil {
		// The error of the library is dropped, because it may quote the key.
		return client, fmt.Errorf("Secret %s-%s: %w", cluster.Name, node.PurposeEtcdClient, ports.ErrInvalidCertificate)
	}
	return client, nil
}

// signClient creates a key and a certificate for it that is valid for a short time.
func signClient(ca node.KeyPair, authority *x509.Certificate, now time.Time) (tls.Certificate, error) {
	signer, err := certs.DecodePrivateKeyPEM(ca.Key.Reveal())
	if err != nil || signer == nil {
		// The error of the library is dropped, because it may quote the key.
		return tls.Certificate{}, fmt.Errorf("the key of the etcd CA: %w", ports.ErrInvalidCertificate)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("generate a client key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("generate a serial number: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "machineadm"},
		NotBefore: now.Add(-clockSkew), NotAfter: now.Add(clientValidity), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, authority, key.Public(), signer)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("sign a client certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
