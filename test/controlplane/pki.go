package controlplane

import (
	"crypto"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// pki signs the API server's certificates and those of its clients with one CA, as kubeadm does. It is envtest's
// authenticator too, so that users of envtest are signed by the same CA.
type pki struct {
	dir  string
	pair *secret.Certificate
	cert *x509.Certificate
	key  crypto.Signer
}

// quickKeys are generated in less than a hundredth of the time of RSA keys. The CA has an RSA key, which is the default
// of kubeadm: tests give it to clusters.
const quickKeys = bootstrapv1.EncryptionAlgorithmECDSAP256

func newPKI(dir string, addresses []net.IP) (*pki, error) {
	pair := &secret.Certificate{Purpose: secret.ClusterCA}
	if err := pair.Generate(); err != nil {
		return nil, fmt.Errorf("make CA: %w", err)
	}
	ca, err := certs.DecodeCertPEM(pair.KeyPair.Cert)
	if err != nil {
		return nil, fmt.Errorf("read CA: %w", err)
	}
	key, err := certs.DecodePrivateKeyPEM(pair.KeyPair.Key)
	if err != nil {
		return nil, fmt.Errorf("read CA's key: %w", err)
	}
	p := &pki{dir: dir, pair: pair, cert: ca, key: key}
	return p, p.write(addresses)
}

// write puts the files into their places in which envtest and kube-apiserver look for them. The API server's
// certificate is for loopback and the addresses.
func (p *pki) write(addresses []net.IP) error {
	serving, servingKey, err := p.sign(certs.Config{
		CommonName: "kube-apiserver",
		AltNames: certs.AltNames{DNSNames: []string{"localhost"}, IPs: append([]net.IP{net.IPv4(127, 0, 0, 1)},
			addresses...)},
		Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	if err != nil {
		return err
	}
	accounts := &secret.Certificate{Purpose: secret.ServiceAccount, KeyEncryptionAlgorithm: quickKeys}
	if err := accounts.Generate(); err != nil {
		return fmt.Errorf("make service account key: %w", err)
	}
	files := map[string][]byte{
		"apiserver.crt": serving, "apiserver.key": servingKey, "ca.crt": p.pair.KeyPair.Cert,
		"sa-signer.crt": accounts.KeyPair.Cert, "sa-signer.key": accounts.KeyPair.Key,
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(p.dir, name), data, 0o600); err != nil {
			return fmt.Errorf("write certificates: %w", err)
		}
	}
	return nil
}

func (p *pki) sign(c certs.Config) (certificate, key []byte, err error) {
	signer, err := certs.NewSigner(quickKeys)
	if err != nil {
		return nil, nil, fmt.Errorf("make key: %w", err)
	}
	signed, err := c.NewSignedCert(signer, p.cert, p.key)
	if err != nil {
		return nil, nil, fmt.Errorf("sign certificate: %w", err)
	}
	key, err = certs.EncodePrivateKeyPEMFromSigner(signer)
	if err != nil {
		return nil, nil, fmt.Errorf("encode key: %w", err)
	}
	return certs.EncodeCertPEM(signed), key, nil
}

func (p *pki) ca() []byte { return p.pair.KeyPair.Cert }

// Configure makes the API server trust the CA's client certificates.
func (p *pki) Configure(_ string, args *envtest.Arguments) error {
	args.Set("client-ca-file", filepath.Join(p.dir, "ca.crt"))
	return nil
}

// Start does nothing: the files are in their places.
func (p *pki) Start() error { return nil }

// Stop does nothing: the folder is its owner's.
func (p *pki) Stop() error { return nil }

// AddUser returns a configuration with a client certificate for the user.
func (p *pki) AddUser(user envtest.User, base *rest.Config) (*rest.Config, error) {
	certificate, key, err := p.sign(certs.Config{
		CommonName: user.Name, Organization: user.Groups, Usages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(base)
	config.CertData, config.KeyData = certificate, key
	return config, nil
}
