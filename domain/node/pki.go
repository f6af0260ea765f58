package node

import (
	"path"

	"github.com/machineadm/machineadm/domain/secret"
)

// Purpose identifies a key pair of a cluster. Its value is the suffix of the Secret's name in Cluster API.
type Purpose string

// The purposes. The pair of PurposeServiceAccount contains a public key in place of a certificate.
const (
	PurposeClusterCA      Purpose = "ca"
	PurposeEtcdCA         Purpose = "etcd"
	PurposeFrontProxyCA   Purpose = "proxy"
	PurposeServiceAccount Purpose = "sa"
	// PurposeEtcdClient is the API server's client certificate for an external etcd. Only users create it.
	PurposeEtcdClient Purpose = "apiserver-etcd-client"
)

// KeyPair is a certificate or a public key, and its private key, both in PEM.
type KeyPair struct {
	// Certificate is a certificate or a public key, in PEM.
	Certificate []byte `json:"certificate,omitempty"`
	// Key is the private key, in PEM. It is empty if only the certificate is known, as for the CA of an external etcd.
	Key secret.Value `json:"key,omitempty"`
}

// ControlPlanePurposes returns the key pairs that a control plane machine needs.
func ControlPlanePurposes(externalEtcd bool) []Purpose {
	purposes := []Purpose{PurposeClusterCA, PurposeServiceAccount, PurposeFrontProxyCA, PurposeEtcdCA}
	if externalEtcd {
		purposes = append(purposes, PurposeEtcdClient)
	}
	return purposes
}

// keyIsOptional reports whether a control plane machine can do without the pair's private key.
func (p Purpose) keyIsOptional(externalEtcd bool) bool { return externalEtcd && p == PurposeEtcdCA }

// Complete reports whether the pair contains the parts that a control plane machine needs.
func (k KeyPair) Complete(p Purpose, externalEtcd bool) bool {
	return len(k.Certificate) > 0 && (!k.Key.IsZero() || p.keyIsOptional(externalEtcd))
}

// Files returns the paths of the certificate and the key below the directory of certificates.
func (p Purpose) Files() (certificate, key string) {
	switch p {
	case PurposeClusterCA:
		return "ca.crt", "ca.key"
	case PurposeEtcdCA:
		return path.Join("etcd", "ca.crt"), path.Join("etcd", "ca.key")
	case PurposeFrontProxyCA:
		return "front-proxy-ca.crt", "front-proxy-ca.key"
	case PurposeServiceAccount:
		return "sa.pub", "sa.key"
	case PurposeEtcdClient:
		return "apiserver-etcd-client.crt", "apiserver-etcd-client.key"
	default:
		return string(p) + ".crt", string(p) + ".key"
	}
}

// CertificateFiles returns the files of the pair on a control plane machine.
func (k KeyPair) CertificateFiles(p Purpose) []CertificateFile {
	certificate, key := p.Files()
	files := []CertificateFile{{Path: certificate, Content: secret.New(k.Certificate)}}
	if !k.Key.IsZero() {
		files = append(files, CertificateFile{Path: key, Content: k.Key, Private: true})
	}
	return files
}
