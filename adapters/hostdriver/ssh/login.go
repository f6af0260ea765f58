package ssh

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strconv"

	"golang.org/x/crypto/ssh"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// login is how to reach and identify a host.
type login struct {
	// id identifies everything below, so that a changed Host gets another connection.
	id        [sha256.Size]byte
	namespace string
	// address is a name or an IP address, and port its port.
	address string
	port    uint16
	user    string
	signer  ssh.Signer
	// hostKeys are the accepted keys of the host; none accepts any key.
	hostKeys []ssh.PublicKey
}

// parseLogin returns the login of a target. A target without host keys is an error, except for a probe.
func parseLogin(target ports.HostTarget, probe bool) (login, error) {
	c := target.Connection
	if c == nil {
		return login{}, fault(host.FaultUnsupported, "the target has no connection")
	}
	if c.Port < 1 || c.Port > 65535 {
		return login{}, fault(host.FaultUnreachable, "%d is not a port", c.Port)
	}
	if len(c.HostKeys) == 0 && !probe {
		return login{}, fault(host.FaultHostKeyUnknown, "spec.hostKeys is empty")
	}
	l := login{
		namespace: target.Namespace, address: c.Address, port: uint16(c.Port), user: c.User, id: identify(target),
	}
	for i, text := range c.HostKeys {
		key, _, _, rest, err := ssh.ParseAuthorizedKey([]byte(text))
		if err != nil || len(rest) > 0 {
			return login{}, fault(host.FaultHostKeyUnknown, "spec.hostKeys[%d] is not a public key", i)
		}
		if !approved(key) {
			return login{}, fault(host.FaultHostKeyUnknown, "FIPS 140-3 mode does not approve spec.hostKeys[%d]; %s", i,
				approvedKeys)
		}
		l.hostKeys = append(l.hostKeys, key)
	}
	var err error
	if l.signer, err = ssh.ParsePrivateKey(c.Key.Reveal()); err != nil {
		var locked *ssh.PassphraseMissingError
		if errors.As(err, &locked) {
			return login{}, fault(host.FaultCredentials, "the private key has a passphrase")
		}
		return login{}, fault(host.FaultCredentials, "the Secret has no private key in PEM or OpenSSH's format")
	}
	if !approved(l.signer.PublicKey()) {
		return login{}, fault(host.FaultCredentials, "FIPS 140-3 mode does not approve the private key; %s", approvedKeys)
	}
	return l, nil
}

// identify returns the digest of everything that determines the connection.
func identify(target ports.HostTarget) [sha256.Size]byte {
	c := target.Connection
	// Strings always marshal.
	text, _ := json.Marshal([]any{
		target.Namespace, target.Name, c.Address, c.Port, c.User, c.Key.Reveal(), c.HostKeys,
	})
	return sha256.Sum256(text)
}

// endpoint returns the address with the port.
func (l login) endpoint() string { return net.JoinHostPort(l.address, strconv.Itoa(int(l.port))) }

// algorithms returns the algorithms for the known keys, so that the host presents one of them. Without known keys, they
// are those of keys: a certificate, which many hosts also have, changes when it is renewed.
func (l login) algorithms() []string {
	if len(l.hostKeys) == 0 {
		return []string{
			ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoRSASHA512,
			ssh.KeyAlgoRSASHA256,
		}
	}
	var all []string
	for _, key := range l.hostKeys {
		names := []string{key.Type()}
		if key.Type() == ssh.KeyAlgoRSA {
			names = []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// accepts reports whether the key is known, or any key is accepted.
func (l login) accepts(key ssh.PublicKey) bool {
	return len(l.hostKeys) == 0 || slices.ContainsFunc(l.hostKeys, func(known ssh.PublicKey) bool {
		return bytes.Equal(known.Marshal(), key.Marshal())
	})
}

// fingerprints returns the fingerprints of the known keys.
func (l login) fingerprints() []string {
	all := make([]string, 0, len(l.hostKeys))
	for _, key := range l.hostKeys {
		all = append(all, ssh.FingerprintSHA256(key))
	}
	return all
}
