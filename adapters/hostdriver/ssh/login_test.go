package ssh

import (
	"crypto/rand"
	"testing"
	"testing/synctest"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/ports"
)

// TestFirstKeyIsNoCertificate checks that trust on first use stores the key of a host that also has a certificate. A
// certificate is replaced when it expires, and the host would then have another key.
func TestFirstKeyIsNoCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, answer("end\n"))
		authority, _ := newKey(t)
		signer, _ := newKey(t)
		certificate := &ssh.Certificate{
			Key: signer.PublicKey(), CertType: ssh.HostCert, ValidPrincipals: []string{"192.0.2.1"},
			ValidBefore: ssh.CertTimeInfinity,
		}
		if err := certificate.SignCert(rand.Reader, authority); err != nil {
			t.Fatal(err)
		}
		certified, err := ssh.NewCertSigner(certificate, signer)
		if err != nil {
			t.Fatal(err)
		}
		s.config.AddHostKey(certified)
		target := s.target("a")
		target.Connection.HostKeys = nil
		probe, err := s.driver(t, ports.HostDriverLimits{}).Probe(t.Context(), target)
		if err != nil || probe.HostKey != s.hostKey {
			t.Errorf("error %v, key %s, want %s", err, probe.HostKey, s.hostKey)
		}
	})
}
