package portstest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

// secretKey is the secretbox key of the samples: 32 bytes in base64.
const secretKey = "Y29uZm9ybWFuY2Utc2VjcmV0Ym94LWtleS1vZi0zMi4="

func base(t osprofile.Target, role node.Role) node.NodeConfig {
	version := t.KubernetesVersion
	if version == "" {
		version = "v1.36.3"
	}
	ca, _ := authority(2)
	return node.NodeConfig{
		Role: role, KubernetesVersion: version,
		Cluster:      node.Cluster{Name: "conformance", Endpoint: "conformance.example:6443"},
		Certificates: []node.CertificateFile{{Path: "ca.crt", Content: secret.New(ca)}},
	}
}

func discovery() *node.Discovery {
	return &node.Discovery{
		APIServerEndpoint: "conformance.example:6443", Token: secret.FromString(secretToken),
		CACertHashes: []string{"sha256:" + sha256Digest},
	}
}

func worker(t osprofile.Target) node.NodeConfig {
	n := base(t, node.RoleWorker)
	n.Discovery = discovery()
	n.Registration.Labels = []node.Label{{Key: "conformance.example/label", Value: document.Text("4711")}}
	n.Registration.Taints, n.Registration.TaintsSet = []node.Taint{{
		Key:    "conformance.example/taint",
		Effect: "NoSchedule",
	}}, true
	return n
}

func joining(t osprofile.Target) node.NodeConfig {
	n := base(t, node.RoleControlPlane)
	n.Discovery = discovery()
	n.Certificates = authorities()
	return n
}

func starting(t osprofile.Target) node.NodeConfig {
	n := base(t, node.RoleInit)
	n.Certificates = authorities()
	return n
}

// authorities returns what a control plane node needs before it starts.
func authorities() []node.CertificateFile {
	var all []node.CertificateFile
	for i, purpose := range node.ControlPlanePurposes(false) {
		certificate, key := authority(byte(i + 2))
		all = append(all, node.KeyPair{Certificate: certificate, Key: secret.New(key)}.CertificateFiles(purpose)...)
	}
	return all
}

// shared returns what the machines of a cluster share on the target's operating system, beside their node.
func shared(t osprofile.Target) []document.Value {
	if t.Profile.Family == osprofile.FamilyTalos {
		return []document.Value{talosSecrets()}
	}
	return []document.Value{}
}

func talosSecrets() node.TalosSecrets {
	certificate, key := authority(9)
	return node.TalosSecrets{
		OSCA:        node.KeyPair{Certificate: certificate, Key: secret.New(key)},
		TrustdToken: secret.FromString("trustd.mancemancemance1"), BootstrapToken: secret.FromString(secretToken),
		ClusterID:     base64.URLEncoding.EncodeToString([]byte("conformance-cluster-of-32-bytes.")),
		ClusterSecret: secret.FromString(base64.StdEncoding.EncodeToString([]byte("conformance-secrets-of-32-bytes."))),
		SecretboxKey:  secret.FromString(secretKey),
	}
}

// keyPair is a certificate and its key, in PEM.
type keyPair struct{ certificate, key []byte }

// keyPairs are the certificate authorities of the samples by their seeds, created once.
//
//nolint:gochecknoglobals // A constant table.
var keyPairs = sync.OnceValue(func() [16]keyPair {
	var all [16]keyPair
	for seed := range all {
		all[seed] = newAuthority(byte(seed))
	}
	return all
})

// authority returns the certificate of a certificate authority and its key, in PEM: of one seed always the same.
func authority(seed byte) (certificate, key []byte) {
	pair := keyPairs()[seed]
	return bytes.Clone(pair.certificate), bytes.Clone(pair.key)
}

func newAuthority(seed byte) keyPair {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	template := x509.Certificate{
		SerialNumber: big.NewInt(int64(seed)), Subject: pkix.Name{CommonName: "conformance"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0,
			0, 0, time.UTC),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	// An Ed25519 signature needs no randomness, and nothing here can fail.
	raw, _ := x509.CreateCertificate(nil, &template, &template, private.Public(), private)
	der, _ := x509.MarshalPKCS8PrivateKey(private)
	return keyPair{
		certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	}
}
