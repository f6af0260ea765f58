package seal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/seal"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

var (
	_ ports.Encrypter   = seal.Encrypter{}
	_ ports.Decrypter   = seal.Decrypter{}
	_ ports.Passphrases = seal.Passphrases{}
)

const (
	machine    = "default/worker-0/6f1c9b52-97c4-4c1c-8f8e-bb7f2c2c2c11"
	passphrase = "correct horse battery staple"
	uri        = "kms://ZW5jcnlwdGVk@arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
	text       = "the machine's " + canary.Mark
)

// sealed is a text for the machine, with the least rounds, so that many can be tried.
func sealed(t *testing.T) indirect.EncryptedConfig {
	t.Helper()
	c, err := seal.Seal(secret.FromString(text), secret.FromString(passphrase), machine,
		seal.Header{Provider: "aws-kms", PassphraseURI: uri, Iterations: indirect.MinIterations})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(c indirect.EncryptedConfig) (string, error) {
	got, err := seal.Open(c, secret.FromString(passphrase), machine)
	return string(got), err
}

func TestSealAndOpen(t *testing.T) {
	c := sealed(t)
	if got, err := open(c); got != text || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	again := sealed(t)
	if bytes.Equal(c.Salt, again.Salt) || bytes.Equal(c.IV, again.IV) || bytes.Equal(c.Ciphertext, again.Ciphertext) {
		t.Error("two of the same text have something in common")
	}
	c, err := seal.Seal(secret.FromString(text), secret.FromString(passphrase), machine,
		seal.Header{Provider: "file", PassphraseURI: "file:///p"})
	if err != nil || c.Iterations != indirect.RecommendedIterations {
		t.Errorf("%d rounds by default, %v", c.Iterations, err)
	}
	for name, h := range map[string]seal.Header{
		"too few rounds": {Provider: "file", PassphraseURI: "file:///p", Iterations: 1},
		"no provider":    {PassphraseURI: "file:///p"},
	} {
		if _, err := seal.Seal(secret.FromString(text), secret.FromString(passphrase), machine, h); err == nil {
			t.Errorf("%s: it is encrypted", name)
		}
	}
}

// TestOneError holds that whatever is wrong, the error is the same: it is no oracle.
func TestOneError(t *testing.T) {
	plainAEAD := func(c *indirect.EncryptedConfig) {
		key, err := seal.Derive([]byte(passphrase), c.Salt, c.Iterations, 32)
		if err != nil {
			t.Fatal(err)
		}
		aead, err := seal.AEAD(key)
		if err != nil {
			t.Fatal(err)
		}
		all := aead.Seal(nil, nil, []byte(text), nil)
		c.IV, c.Ciphertext = all[:12], all[12:]
	}
	cases := map[string]struct {
		reason, passphrase, machine string
		change                      func(*indirect.EncryptedConfig)
	}{
		"another passphrase": {passphrase: "other"},
		"no passphrase":      {passphrase: "-"},
		"another machine": {
			reason:  "an object of another machine was put in place of ours",
			machine: "default/worker-1/6f1c9b52-97c4-4c1c-8f8e-bb7f2c2c2c11",
		},
		"reborn machine": {
			reason:  "the same name, and another UID",
			machine: "default/worker-0/00000000-97c4-4c1c-8f8e-bb7f2c2c2c11",
		},
		"nobody":             {machine: "-"},
		"no associated data": {reason: "as the proposal has it", change: plainAEAD},
		"truncated": {change: func(c *indirect.EncryptedConfig) {
			c.Ciphertext = c.Ciphertext[:len(
				c.Ciphertext)-1]
		}},
		"no tag": {change: func(c *indirect.EncryptedConfig) {
			c.Ciphertext = c.Ciphertext[:len(
				c.Ciphertext)-16]
		}},
		"tag first": {change: func(c *indirect.EncryptedConfig) {
			c.Ciphertext = append(c.Ciphertext[len(text):], c.Ciphertext[:len(text)]...)
		}},
		"grown":      {change: func(c *indirect.EncryptedConfig) { c.Ciphertext = append(c.Ciphertext, 0) }},
		"nothing":    {change: func(c *indirect.EncryptedConfig) { *c = indirect.EncryptedConfig{} }},
		"few rounds": {change: func(c *indirect.EncryptedConfig) { c.Iterations = 1 }},
	}
	or := func(s, other string) string {
		if s == "-" {
			return ""
		}
		if s == "" {
			return other
		}
		return s
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := sealed(t)
			if tc.change != nil {
				tc.change(&c)
			}
			got, err := seal.Open(c, secret.FromString(or(tc.passphrase, passphrase)), or(tc.machine, machine))
			if len(got) > 0 || err != ports.ErrUndecryptable { //nolint:errorlint // Not even wrapped: it has to be the same.
				t.Errorf("got %q, %v: %s", got, err, tc.reason)
			}
		})
	}
}

// TestEveryBit flips every bit of every field, one at a time.
func TestEveryBit(t *testing.T) {
	c := sealed(t)
	key, err := seal.Derive([]byte(passphrase), c.Salt, c.Iterations, 32)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := seal.OpenWith(c, key, machine); string(got) != text || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	fields := map[string]func(*indirect.EncryptedConfig, []byte) []byte{
		"provider": func(c *indirect.EncryptedConfig, b []byte) []byte { return swapText(&c.Provider, b) },
		"uri":      func(c *indirect.EncryptedConfig, b []byte) []byte { return swapText(&c.PassphraseURI, b) },
		"cipher":   func(c *indirect.EncryptedConfig, b []byte) []byte { return swapText(&c.CipherAlgorithm, b) },
		"digest":   func(c *indirect.EncryptedConfig, b []byte) []byte { return swapText(&c.DigestAlgorithm, b) },
		"kdf":      func(c *indirect.EncryptedConfig, b []byte) []byte { return swapText(&c.KeyDerivationAlgorithm, b) },
		"salt":     func(c *indirect.EncryptedConfig, b []byte) []byte { return swap(&c.Salt, b) },
		"iv":       func(c *indirect.EncryptedConfig, b []byte) []byte { return swap(&c.IV, b) },
		"text":     func(c *indirect.EncryptedConfig, b []byte) []byte { return swap(&c.Ciphertext, b) },
	}
	for name, exchange := range fields {
		t.Run(name, func(t *testing.T) {
			was := exchange(&c, nil)
			for i := range len(was) * 8 {
				flipped := bytes.Clone(was)
				flipped[i/8] ^= 1 << (i % 8)
				bad := c
				exchange(&bad, flipped)
				// Only changes that can change the key derive it again, which takes time.
				got, err := seal.OpenWith(bad, key, machine)
				if name == "salt" && i%8 == 0 {
					got, err = seal.Open(bad, secret.FromString(passphrase), machine)
				}
				if err == nil {
					t.Fatalf("bit %d: got %q", i, got)
				}
			}
		})
	}
	for bit := range 24 {
		bad := c
		bad.Iterations ^= 1 << bit
		if got, err := seal.OpenWith(bad, key, machine); err == nil {
			t.Errorf("bit %d of the rounds: got %q", bit, got)
		}
	}
	for i := range len(machine) * 8 {
		flipped := []byte(machine)
		flipped[i/8] ^= 1 << (i % 8)
		if _, err := seal.OpenWith(c, key, string(flipped)); err == nil {
			t.Fatalf("bit %d of the machine's name is not looked at", i)
		}
	}
}

// swap sets the field unless b is nil, and returns what it was.
func swap(field *[]byte, b []byte) []byte {
	was := *field
	if b != nil {
		*field = b
	}
	return was
}

func swapText(field *string, b []byte) []byte {
	was := []byte(*field)
	if b != nil {
		*field = string(b)
	}
	return was
}

// keys is a key management service that needs no server, and is asked for the one machine.
type keys struct{ err error }

func (k keys) NewPassphrase(_ context.Context, key indirect.KeyName, name string) (secret.Value, string, error) {
	if name != machine {
		return secret.Value{}, "", fmt.Errorf("asked for the machine %q", name)
	}
	return secret.FromString(passphrase), indirect.KeyURI{Wrapped: []byte("w"), Key: key.Key}.String(), k.err
}

func (k keys) Passphrase(_ context.Context, ref indirect.PassphraseRef) (secret.Value, error) {
	if ref.Machine != machine {
		return secret.Value{}, fmt.Errorf("asked for the machine %q", ref.Machine)
	}
	return secret.FromString(passphrase), k.err
}

func TestEncrypter(t *testing.T) {
	mine := delivery.Encryption{
		Provider: "file", PassphraseURI: "file:///p", Passphrase: secret.FromString(passphrase),
		Iterations: indirect.MinIterations,
	}
	service := delivery.Encryption{Provider: "aws-kms", Key: "k", Iterations: indirect.MinIterations}
	long := secret.FromString(strings.Repeat(text, 1000))
	for name, with := range map[string]delivery.Encryption{"file": mine, "service": service} {
		c, err := seal.Encrypter{Keys: keys{}}.Encrypt(t.Context(), long, machine, with)
		if err != nil || c.Provider != with.Provider || len(c.Ciphertext) > 1000 {
			t.Fatalf("%s: %s, %d bytes, %v", name, c.Provider, len(c.Ciphertext), err)
		}
		if identity := (indirect.MachineIdentity{Machine: machine, Encryption: with.KeyName()}); identity.Admits(c,
			"").HasErrors() {
			t.Errorf("%s: the key's name is %s, the header has %s", name, with.KeyName(), c.PassphraseURI)
		}
		if _, err := open(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (seal.Encrypter{}).Encrypt(t.Context(), long, machine, service); !errors.Is(err, ports.ErrNoProvider) {
		t.Errorf("without keys: %v", err)
	}
	if _, err := (seal.Encrypter{Keys: keys{ports.ErrKeyRefused}}).Encrypt(t.Context(), long, machine,
		service); !errors.Is(err, ports.ErrKeyRefused) {
		t.Errorf("refused: %v", err)
	}
}

// shelf is what a plugin fetches.
type shelf map[string]string

func (s shelf) Fetch(_ context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if c.Provider != "s3" {
		return nil, ports.ErrNoProvider
	}
	held, is := s[c.URI]
	if !is {
		return nil, errors.New("no answer")
	}
	return []byte(held), nil
}

func TestPassphrases(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"good": 0o600, "exposed": 0o644, "empty": 0o600} {
		held := passphrase + "\n"
		if name == "empty" {
			held = "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(held), mode); err != nil {
			t.Fatal(err)
		}
	}
	p := seal.Passphrases{
		MapPath:  func(path string) (string, error) { return filepath.Join(dir, path), nil },
		Source:   shelf{"s3://bucket/key": passphrase + "\r\n", "s3://bucket/big": strings.Repeat("a", 65<<10)},
		Fallback: keys{},
	}
	cases := map[string]struct {
		reason, provider, uri string
		want                  error
	}{
		"file": {provider: "file", uri: "file:///good"},
		"exposed": {
			reason: "anybody could have read it", provider: "file", uri: "file:///exposed",
			want: ports.ErrKeyRefused,
		},
		"empty":            {reason: "no passphrase", provider: "file", uri: "file:///empty", want: ports.ErrKeyRefused},
		"a folder":         {provider: "file", uri: "file:///.", want: ports.ErrKeyRefused},
		"missing":          {reason: "it may come", provider: "file", uri: "file:///none", want: ports.ErrKeysUnavailable},
		"no file":          {reason: "the grammar", provider: "file", uri: "s3://bucket/key", want: indirect.ErrURI},
		"remote":           {provider: "remote", uri: "s3://bucket/key"},
		"remote, away":     {provider: "remote", uri: "s3://bucket/none", want: ports.ErrKeysUnavailable},
		"remote, too long": {provider: "remote", uri: "s3://bucket/big", want: ports.ErrKeyRefused},
		"no plugin":        {provider: "remote", uri: "gs://bucket/key", want: ports.ErrNoProvider},
		"no scheme":        {provider: "remote", uri: "bucket/key", want: indirect.ErrURI},
		"another":          {provider: "aws-kms", uri: uri},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := p.Passphrase(t.Context(), indirect.PassphraseRef{Provider: c.provider, URI: c.uri, Machine: machine})
			if !errors.Is(err, c.want) || err == nil && string(got.Reveal()) != passphrase {
				t.Errorf("got %d bytes, %v: %s", got.Len(), err, c.reason)
			}
		})
	}
	alone := seal.Passphrases{}
	for _, provider := range []string{"remote", "aws-kms"} {
		if _, err := alone.Passphrase(t.Context(), indirect.PassphraseRef{Provider: provider, URI: uri}); !errors.Is(err,
			ports.ErrNoProvider) {
			t.Errorf("%s: %v", provider, err)
		}
	}
}

func TestUnwrapper(t *testing.T) {
	c := sealed(t)
	if got, err := (seal.Decrypter{Passphrases: keys{}}).Decrypt(t.Context(), c, machine); string(got) != text ||
		err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := (seal.Decrypter{Passphrases: keys{ports.ErrKeysUnavailable}}).Decrypt(t.Context(), c,
		machine); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("unavailable: %v", err)
	}
}

// FuzzOpen holds that nothing but what was sealed is opened, whatever the fields hold.
func FuzzOpen(f *testing.F) {
	f.Add("file", "file:///p", []byte("ciphertext and a tag of 16"), bytes.Repeat([]byte{1}, 16),
		bytes.Repeat([]byte{1}, 12), 50_000)
	f.Fuzz(func(t *testing.T, provider, uri string, ciphertext, salt, iv []byte, iterations int) {
		c := indirect.EncryptedConfig{
			Provider: provider, PassphraseURI: uri, Ciphertext: ciphertext, Salt: salt, IV: iv,
			Iterations:      min(iterations, indirect.MinIterations),
			CipherAlgorithm: indirect.CipherAES256GCM, DigestAlgorithm: indirect.DigestSHA512,
			KeyDerivationAlgorithm: indirect.KDFPBKDF2,
		}
		if got, err := open(c); err == nil {
			t.Errorf("got %q", got)
		}
	})
}
