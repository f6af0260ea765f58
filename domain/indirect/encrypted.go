package indirect

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// The algorithms of EncryptedConfig.
const (
	CipherAES256GCM = "aes-256-gcm"
	DigestSHA512    = "sha-512"
	KDFPBKDF2       = "pbkdf2"
)

// The limits for the rounds of key derivation. Fewer rounds make guessing of passphrases fast; more rounds make a
// machine compute for minutes before it can reject data for another machine. The default of the field is the minimum.
// machineadm writes RecommendedIterations, which OWASP recommends for PBKDF2-HMAC-SHA512, unless the user sets another
// number.
const (
	MinIterations         = 50_000
	RecommendedIterations = 210_000
	MaxIterations         = 10_000_000
)

// The lengths of the parameters beside the ciphertext, in bytes. NIST SP 800-132 requires a salt of at least 128 bits.
// GCM uses a nonce of 96 bits and a tag of 128 bits (NIST SP 800-38D).
const (
	MinSaltBytes = 16
	MaxSaltBytes = 64
	IVBytes      = 12
	TagBytes     = 16
)

// MaxURIBytes is the maximum length of the URI of a passphrase, which contains the wrapped passphrase and the name of
// its key.
const MaxURIBytes = 64 << 10

// EncryptedConfig is replaced by the machine configuration that the agent decrypts from it.
type EncryptedConfig struct {
	// Provider names the plugin that returns the passphrase: machineadm-plugin-encryption-provider-<provider>.
	Provider string `json:"provider"`
	// PassphraseURI is the location of the passphrase at the provider, such as kms://<base64>@<key>.
	PassphraseURI string `json:"passphraseURI"`
	// Ciphertext is the encrypted configuration, followed by the tag of the cipher (TagBytes).
	Ciphertext []byte `json:"ciphertext" encoding:"base64"`
	// Salt is the random salt of the key derivation.
	Salt []byte `json:"salt" encoding:"base64"`
	// IV is the nonce of the cipher, 12 bytes.
	IV []byte `json:"iv" encoding:"base64"`
	// CipherAlgorithm is the algorithm that encrypted the ciphertext: aes-256-gcm.
	CipherAlgorithm string `json:"cipherAlgorithm" default:"aes-256-gcm"`
	// DigestAlgorithm is the digest algorithm of the key derivation: sha-512.
	DigestAlgorithm string `json:"digestAlgorithm" default:"sha-512"`
	// Iterations are the rounds of the key derivation, from 50,000 to 10,000,000.
	Iterations int `json:"iterations" encoding:"text" default:"50000"`
	// KeyDerivationAlgorithm derives the key from the passphrase: pbkdf2.
	KeyDerivationAlgorithm string `json:"keyDerivationAlgorithm" default:"pbkdf2"`
}

// Kind returns KindEncrypted.
func (EncryptedConfig) Kind() document.Kind { return KindEncrypted }

// Check returns error findings for missing fields, unknown algorithms, too few or too many rounds, and values of a
// wrong length.
func (c EncryptedConfig) Check(p report.Path) report.Report {
	r := checkProvider(p.Field("provider"), c.Provider)
	r = append(r, checkURI(p.Field("passphraseURI"), c.PassphraseURI)...)
	r = append(r, length(p.Field("ciphertext"), c.Ciphertext, TagBytes+1, len(c.Ciphertext))...)
	r = append(r, length(p.Field("salt"), c.Salt, MinSaltBytes, MaxSaltBytes)...)
	r = append(r, length(p.Field("iv"), c.IV, IVBytes, IVBytes)...)
	r = append(r, only(p.Field("cipherAlgorithm"), c.CipherAlgorithm, CipherAES256GCM)...)
	r = append(r, only(p.Field("digestAlgorithm"), c.DigestAlgorithm, DigestSHA512)...)
	r = append(r, only(p.Field("keyDerivationAlgorithm"), c.KeyDerivationAlgorithm, KDFPBKDF2)...)
	if c.Iterations < MinIterations || c.Iterations > MaxIterations {
		r = append(r, report.Errorf(p.Field("iterations"), "%d iterations are not between %d and %d",
			c.Iterations, MinIterations, MaxIterations))
	}
	return r
}

func checkProvider(p report.Path, name string) report.Report {
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if name == "" || strings.Trim(name, allowed) == "" && name[0] != '-' && len(name) <= 64 {
		return required(p, name)
	}
	return report.Report{report.Errorf(p, "%q is not the name of a provider", name).To(
		"use lower-case letters, digits and dashes")}
}

func checkURI(p report.Path, uri string) report.Report {
	if len(uri) > MaxURIBytes || !printable(uri) || strings.Contains(uri, " ") {
		return report.Report{report.Errorf(p, "it is not a URI").To("use at most %d printable characters", MaxURIBytes)}
	}
	return required(p, uri)
}

func length(p report.Path, b []byte, least, most int) report.Report {
	if len(b) == 0 {
		return required(p, "")
	}
	if len(b) < least || len(b) > most {
		return report.Report{report.Errorf(p, "it has %d bytes, want %s", len(b), span(least, most)).To(
			"use the output of machineadmctl encrypt")}
	}
	return nil
}

func span(least, most int) string {
	switch {
	case most < least:
		return "at least " + strconv.Itoa(least)
	case least == most:
		return strconv.Itoa(least)
	default:
		return strconv.Itoa(least) + " to " + strconv.Itoa(most)
	}
}

// associated is the prefix of the associated data. It identifies the version of its layout.
const associated = "machineadm.io/v1alpha1 EncryptedConfig"

// AssociatedData returns the associated data of the cipher (RFC 5116): the version, the name of the machine, and all
// header fields except the IV, which the cipher authenticates itself. Each part is preceded by its length in four
// bytes, big-endian. Encryption and decryption both call this function.
func (c EncryptedConfig) AssociatedData(machine string) []byte {
	var data []byte
	for _, field := range []string{
		associated, machine, c.Provider, c.PassphraseURI, c.CipherAlgorithm, c.DigestAlgorithm, c.KeyDerivationAlgorithm,
		strconv.Itoa(c.Iterations), string(c.Salt),
	} {
		data = binary.BigEndian.AppendUint32(data, uint32(len(field)))
		data = append(data, field...)
	}
	return data
}
