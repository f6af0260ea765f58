// Package indirect holds the documents that stand for other documents: those to be fetched from elsewhere, and those to be
// decrypted. The agent puts what they yield in their place before it plans.
package indirect

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// The document kinds of this package.
const (
	KindRemote    document.Kind = "RemoteConfig"
	KindEncrypted document.Kind = "EncryptedConfig"
)

// RemoteConfig is a machine configuration that is fetched.
type RemoteConfig struct {
	// Provider names the plugin that fetches it: machineadm-remote-configuration-provider-<provider>.
	Provider string
	// URI is understood by the provider alone, such as s3://bucket/key.
	URI string
}

// Kind returns KindRemote.
func (RemoteConfig) Kind() document.Kind { return KindRemote }

// Check finds missing fields.
func (c RemoteConfig) Check(p report.Path) report.Report {
	r := required(p.Field("provider"), c.Provider)
	return append(r, required(p.Field("uri"), c.URI)...)
}

// The algorithms of EncryptedConfig.
const (
	CipherAES256GCM = "aes-256-gcm"
	DigestSHA512    = "sha-512"
	KDFPBKDF2       = "pbkdf2"
)

// The bounds of the rounds of key derivation. Fewer are guessed too fast; more keep a machine busy for minutes before it
// can tell that the data is not its own.
const (
	MinIterations = 50_000
	MaxIterations = 10_000_000
)

// EncryptedConfig is a machine configuration that is decrypted.
type EncryptedConfig struct {
	// Provider names the plugin that gives the passphrase: machineadm-plugin-encryption-provider-<provider>.
	Provider string
	// PassphraseURI is understood by the provider alone, such as kms://<base64>@<key>.
	PassphraseURI string
	// Ciphertext ends in the cipher's tag; Salt and IV are those of the derivation and of the cipher. All are raw bytes.
	Ciphertext, Salt, IV []byte
	// CipherAlgorithm, DigestAlgorithm and KeyDerivationAlgorithm are aes-256-gcm, sha-512 and pbkdf2.
	CipherAlgorithm, DigestAlgorithm, KeyDerivationAlgorithm string
	// Iterations are the rounds of the derivation, from MinIterations to MaxIterations.
	Iterations int
}

// Kind returns KindEncrypted.
func (EncryptedConfig) Kind() document.Kind { return KindEncrypted }

// Check finds missing fields, unknown algorithms and too few or too many rounds.
func (c EncryptedConfig) Check(p report.Path) report.Report {
	r := required(p.Field("provider"), c.Provider)
	r = append(r, required(p.Field("passphraseURI"), c.PassphraseURI)...)
	r = append(r, required(p.Field("ciphertext"), string(c.Ciphertext))...)
	r = append(r, required(p.Field("salt"), string(c.Salt))...)
	r = append(r, required(p.Field("iv"), string(c.IV))...)
	r = append(r, only(p.Field("cipherAlgorithm"), c.CipherAlgorithm, CipherAES256GCM)...)
	r = append(r, only(p.Field("digestAlgorithm"), c.DigestAlgorithm, DigestSHA512)...)
	r = append(r, only(p.Field("keyDerivationAlgorithm"), c.KeyDerivationAlgorithm, KDFPBKDF2)...)
	if c.Iterations < MinIterations || c.Iterations > MaxIterations {
		r = append(r, report.Errorf(p.Field("iterations"), "%d rounds are not between %d and %d", c.Iterations, MinIterations, MaxIterations))
	}
	return r
}

func required(p report.Path, value string) report.Report {
	if value != "" {
		return nil
	}
	return report.Report{report.Errorf(p, "is required")}
}

func only(p report.Path, value, want string) report.Report {
	if value == want {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not known", value).To("use %s", want)}
}
