package ssh

import (
	"crypto/fips140"
	"crypto/rsa"

	"golang.org/x/crypto/ssh"
)

// approvedKeys is the remedy for a key that FIPS 140-3 mode does not approve.
const approvedKeys = "use a key of Ed25519, ECDSA, or RSA with at least 2048 bits"

// minBits is the length of the shortest RSA key that NIST SP 800-131A approves. The library checks no length.
const minBits = 2048

// approved reports whether the program may use the key. Outside of FIPS 140-3 mode, that is any key.
func approved(key ssh.PublicKey) bool {
	if !fips140.Enabled() {
		return true
	}
	switch key.Type() {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521:
		return true
	}
	k, is := key.(ssh.CryptoPublicKey)
	if !is {
		return false
	}
	public, is := k.CryptoPublicKey().(*rsa.PublicKey)
	return is && public.N.BitLen() >= minBits
}

// inMode describes FIPS 140-3 mode, in which the library offers only approved algorithms.
func inMode() string {
	if fips140.Enabled() {
		return " in FIPS 140-3 mode"
	}
	return ""
}
