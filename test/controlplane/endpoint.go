package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/test/port"
)

// MachineEndpoint is what a provider needs to serve machines, and what a machine needs to reach it.
type MachineEndpoint struct {
	// URL is where machines reach it.
	URL string
	// Flags are those of the provider.
	Flags []string
	// Client is one that trusts it.
	Client *http.Client
}

// NewMachineEndpoint makes certificates in a folder and reserves a loopback port. The provider does not run yet: give
// it the Flags.
func NewMachineEndpoint(dir string) (*MachineEndpoint, error) {
	at, err := port.Reserve()
	if err != nil {
		return nil, err
	}
	pool, err := writeCertificates(dir)
	if err != nil {
		return nil, fmt.Errorf("make certificates: %w", err)
	}
	e := &MachineEndpoint{URL: "https://" + at, Client: &http.Client{
		Timeout: time.Minute, Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: pool},
			DisableKeepAlives: true,
		},
	}}
	e.Flags = []string{
		"--machine-endpoint-bind-address=" + at, "--machine-endpoint-url=" + e.URL,
		"--machine-endpoint-cert-dir=" + dir,
	}
	return e, nil
}

// writeCertificates writes ca.crt, tls.crt and tls.key, and returns who trusts them.
func writeCertificates(dir string) (*x509.CertPool, error) {
	until := time.Now().Add(24 * time.Hour)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "endpoint-ca"}, NotAfter: until, IsCA: true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "endpoint"}, NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, signer.Public(), signer)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, authority, key.Public(), signer)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	for name, block := range map[string]*pem.Block{
		"ca.crt": {Type: "CERTIFICATE", Bytes: root}, "tls.crt": {Type: "CERTIFICATE", Bytes: leaf},
		"tls.key": {Type: "PRIVATE KEY", Bytes: secret},
	} {
		text := pem.EncodeToMemory(block)
		if name == "ca.crt" {
			pool.AppendCertsFromPEM(text)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return pool, nil
}

// HealthCheck returns a MachineHealthCheck that has the machines of a cluster replaced whose bootstrap is known to have
// failed.
func HealthCheck(namespace, cluster string) *clusterv1.MachineHealthCheck {
	return &clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: cluster + "-bootstrap"},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: cluster,
			Selector:    metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.ClusterNameLabel: cluster}},
			Checks: clusterv1.MachineHealthCheckChecks{
				NodeStartupTimeoutSeconds: ptr.To[int32](0), // what failed is known without waiting
				UnhealthyMachineConditions: []clusterv1.UnhealthyMachineCondition{{
					Type: clusterv1.MachineBootstrapConfigReadyCondition, Status: metav1.ConditionFalse,
					TimeoutSeconds: ptr.To[int32](0),
				}},
			},
		},
	}
}
