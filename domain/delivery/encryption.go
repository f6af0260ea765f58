package delivery

import (
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Encryption configures how a machine's configuration is encrypted. The zero Encryption means no encryption.
type Encryption struct {
	// Provider is file, remote, or a provider with a key management service, such as aws-kms.
	Provider string
	// Key is the name of the key in the key management service.
	Key string
	// Passphrase is the passphrase for providers without a key management service. The machine reads it from
	// PassphraseURI.
	Passphrase    secret.Value
	PassphraseURI string
	// Iterations are the rounds of the key derivation; 0 means indirect.RecommendedIterations.
	Iterations int
}

// IsZero reports whether nothing is encrypted.
func (e Encryption) IsZero() bool { return e.Provider == "" }

// HasService reports whether the provider wraps passphrases with a key management service.
func (e Encryption) HasService() bool {
	return e.Provider != indirect.ProviderFile && e.Provider != indirect.ProviderRemote
}

// Fetches reports whether the machine needs the network to decrypt its configuration.
func (e Encryption) Fetches() bool { return !e.IsZero() && e.Provider != indirect.ProviderFile }

// KeyName returns the only key that may encrypt the machine's configuration.
func (e Encryption) KeyName() indirect.KeyName {
	if e.HasService() {
		return indirect.KeyName{Provider: e.Provider, Key: e.Key}
	}
	return indirect.KeyName{Provider: e.Provider, Key: e.PassphraseURI}
}

// MinPassphraseBytes is the minimum length of a passphrase that the user provides: 128 bits if all bytes are random.
const MinPassphraseBytes = 16

// Check returns findings about missing fields, and about fields that the provider does not support. p is the path of
// the encryption.
func (e Encryption) Check(p report.Path) report.Report {
	if e.IsZero() {
		return nil
	}
	var r report.Report
	if n := e.Iterations; n != 0 && (n < indirect.MinIterations || n > indirect.MaxIterations) {
		r = append(r, report.Errorf(p.Field("iterations"), "%d iterations are not between %d and %d", n,
			indirect.MinIterations, indirect.MaxIterations))
	}
	if e.HasService() {
		return append(r, e.checkService(p)...)
	}
	if e.Key != "" {
		r = append(r, report.Errorf(p.Field("key"), "%s has no key management service", e.Provider).To("leave it out"))
	}
	if len(e.Passphrase.Reveal()) < MinPassphraseBytes {
		r = append(r, report.Errorf(p.Field("passphrase"), "the passphrase is shorter than %d bytes and can be guessed",
			MinPassphraseBytes).To("create one with: openssl rand -base64 32"))
	}
	return append(r, e.checkURI(p.Field("passphraseURI"))...)
}

func (e Encryption) checkService(p report.Path) report.Report {
	var r report.Report
	if e.PassphraseURI != "" || !e.Passphrase.IsZero() {
		r = append(r, report.Errorf(p.Field("passphraseURI"), "the provider %s creates a passphrase for each machine",
			e.Provider).To("leave the passphrase out"))
	}
	return r
}

// checkURI returns a finding if the agent could not parse the URI.
func (e Encryption) checkURI(p report.Path) report.Report {
	var err error
	if e.Provider == indirect.ProviderFile {
		_, err = indirect.FilePath(e.PassphraseURI)
	} else {
		_, err = indirect.Scheme(e.PassphraseURI)
	}
	if err != nil {
		return report.Report{report.Errorf(p, "%v", err)}
	}
	return nil
}
