package budget

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// The limits of keys that users provide. The time of a verification grows with the square of an RSA key's length and
// cannot be interrupted: a key of one million bits takes more than a minute.
const (
	// RSABits is the maximum length of an RSA key in bits. crypto/tls has the same limit for server certificates.
	RSABits = 8192
	// PrivateKey is the maximum size of a private key in PEM, in bytes.
	PrivateKey = 16 << 10
)

// CheckRSA returns an error if the key is an RSA key that is too long.
func CheckRSA(public any) error {
	k, ok := public.(*rsa.PublicKey)
	if !ok || k.N.BitLen() <= RSABits {
		return nil
	}
	return fmt.Errorf("the RSA key has %d bits; at most %d are allowed", k.N.BitLen(), RSABits)
}

// CheckCertificates returns an error if a certificate in the PEM text has an RSA key that is too long. It skips
// everything that is not a certificate.
func CheckCertificates(text []byte) error {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			continue
		}
		if err := CheckRSA(c.PublicKey); err != nil {
			return err
		}
	}
	return nil
}
