package ssh

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/fips"
)

// rsaKey returns a key in PEM, and its public key as in authorized_keys.
func rsaKey(t *testing.T, bits int) (private []byte, public string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(block), string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey())))
}

// TestWithoutCommonAlgorithm checks the fault of a host that supports none of the offered algorithms.
func TestWithoutCommonAlgorithm(t *testing.T) {
	s := newServer(t, answer("end\n"))
	s.config.Ciphers = []string{ssh.InsecureCipherTripleDESCBC}
	_, err := s.driver(t, ports.HostDriverLimits{}).Probe(t.Context(), s.target("a"))
	checkFault(t, err, host.FaultUnreachable, "supports none of the algorithms for client to server cipher that")
	if strings.Contains(err.Error(), ssh.InsecureCipherTripleDESCBC) {
		t.Errorf("the error quotes the host: %v", err)
	}
}

func checkFault(t *testing.T, err error, want host.Fault, text string) {
	t.Helper()
	var fault *ports.HostError
	if !errors.As(err, &fault) || fault.Fault != want || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want %s with %q", err, want, text)
	}
}

// TestFIPSMode logs in with keys and algorithms of which FIPS 140-3 mode approves some. The server is in the mode, too.
func TestFIPSMode(t *testing.T) {
	if !fips.Mode(t) {
		return
	}
	short, shortPublic := rsaKey(t, 1024)
	long, longPublic := rsaKey(t, 2048)
	for name, c := range map[string]struct {
		key      []byte
		hostKey  string
		exchange string
		want     host.Fault
		text     string
	}{
		"Ed25519": {},
		"RSA": {
			key: long, hostKey: longPublic, want: host.FaultHostKeyChanged, text: "presents no key of the types",
		},
		"a short key":      {key: short, want: host.FaultCredentials, text: "does not approve the private key; use a key of"},
		"a short host key": {hostKey: shortPublic, want: host.FaultHostKeyUnknown, text: "does not approve spec.hostKeys[0]"},
		"X25519": {
			exchange: ssh.KeyExchangeCurve25519, want: host.FaultUnreachable,
			text: "none of the algorithms for key exchange that machineadm offers in FIPS 140-3 mode",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, answer("end\n"))
			target := s.target("a")
			if c.key != nil {
				target.Connection.Key = secret.New(c.key)
			}
			if c.hostKey != "" {
				target.Connection.HostKeys = []string{c.hostKey}
			}
			if c.exchange != "" {
				s.config.KeyExchanges = []string{c.exchange}
			}
			_, err := s.driver(t, ports.HostDriverLimits{}).Probe(t.Context(), target)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			checkFault(t, err, c.want, c.text)
		})
	}
}
