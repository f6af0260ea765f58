package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// validity is that of serving certificates.
const validity = 24 * time.Hour

// sign returns a serving certificate of the authority in the Secret <cluster>-<purpose>. It has the names that kubeadm
// adds.
func (p *provider) sign(ctx context.Context, cluster client.ObjectKey, purpose, name string) (*tls.Certificate, error) {
	s := &corev1.Secret{}
	key := client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name + "-" + purpose}
	if err := p.client.Get(ctx, key, s); err != nil {
		return nil, fmt.Errorf("read the authority: %w", err)
	}
	authority, err := certs.DecodeCertPEM(s.Data[corev1.TLSCertKey])
	if err != nil {
		return nil, fmt.Errorf("read the authority %s: %w", key, err)
	}
	signer, err := certs.DecodePrivateKeyPEM(s.Data[corev1.TLSPrivateKeyKey])
	if err != nil {
		return nil, fmt.Errorf("read the key of %s: %w", key, err)
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(p.now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: p.now().Add(-time.Hour), NotAfter: p.now().Add(validity),
		DNSNames: []string{name, "localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, authority, private.Public(), signer)
	if err != nil {
		return nil, fmt.Errorf("sign a certificate: %w", err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, nil
}
