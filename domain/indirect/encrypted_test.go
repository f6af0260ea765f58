package indirect_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/indirect"
)

func good() indirect.EncryptedConfig {
	return indirect.EncryptedConfig{
		Provider: "aws-kms", PassphraseURI: "kms://ZW5jcnlwdGVk@arn", Ciphertext: bytes.Repeat([]byte{1}, 17),
		Salt: bytes.Repeat([]byte{2}, 16),
		IV:   bytes.Repeat([]byte{3}, 12), CipherAlgorithm: "aes-256-gcm", DigestAlgorithm: "sha-512",
		KeyDerivationAlgorithm: "pbkdf2",
		Iterations:             indirect.RecommendedIterations,
	}
}

func TestEncryptedConfigCheck(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*indirect.EncryptedConfig)
		want   string
	}{
		"good": {"what we write", func(*indirect.EncryptedConfig) {}, ""},
		"least rounds": {
			"the proposal's number is read", func(c *indirect.EncryptedConfig) { c.Iterations = 50_000 },
			"",
		},
		"too few rounds": {
			"they are guessed", func(c *indirect.EncryptedConfig) { c.Iterations = 49_999 },
			"p.iterations: 49999 iterations",
		},
		"too many rounds": {
			"the machine would be busy for hours",
			func(c *indirect.EncryptedConfig) { c.Iterations = 10_000_001 }, "p.iterations",
		},
		"another cipher": {
			"no authentication", func(c *indirect.EncryptedConfig) { c.CipherAlgorithm = "aes-256-cbc" },
			"p.cipherAlgorithm",
		},
		"another digest": {
			"one is enough", func(c *indirect.EncryptedConfig) { c.DigestAlgorithm = "sha-1" },
			"p.digestAlgorithm",
		},
		"another KDF": {
			"one is enough", func(c *indirect.EncryptedConfig) { c.KeyDerivationAlgorithm = "" },
			"p.keyDerivationAlgorithm",
		},
		"short salt": {
			"SP 800-132", func(c *indirect.EncryptedConfig) { c.Salt = c.Salt[1:] },
			"p.salt: it has 15 bytes, want 16 to 64; use the output of machineadmctl encrypt",
		},
		"long vector": {
			"SP 800-38D", func(c *indirect.EncryptedConfig) { c.IV = append(c.IV, 1) },
			"p.iv: it has 13 bytes, want 12; use the output of machineadmctl encrypt",
		},
		"no text": {
			"a tag alone", func(c *indirect.EncryptedConfig) { c.Ciphertext = c.Ciphertext[1:] },
			"p.ciphertext: it has 16 bytes, want at least 17; use the output of machineadmctl encrypt",
		},
		"path as provider": {
			"it is part of a file's name", func(c *indirect.EncryptedConfig) { c.Provider = "../x" },
			"p.provider",
		},
		"control in a URI": {
			"a log would show it", func(c *indirect.EncryptedConfig) { c.PassphraseURI = "a\x1b[0m" },
			"p.passphraseURI",
		},
		"endless URI": {
			"", func(c *indirect.EncryptedConfig) { c.PassphraseURI = strings.Repeat("a", 64<<10+1) },
			"p.passphraseURI",
		},
		"nothing": {
			"all is required", func(c *indirect.EncryptedConfig) { *c = indirect.EncryptedConfig{} },
			"p.ciphertext: is required",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := good()
			tc.change(&c)
			found := c.Check("p")
			if tc.want == "" && len(found) > 0 || !strings.Contains(found.String(), tc.want) {
				t.Errorf("found %q, want %q: %s", found, tc.want, tc.reason)
			}
		})
	}
}

// TestAssociatedDataIsOneToOne moves bytes between neighbouring fields, and changes each by itself.
func TestAssociatedDataIsOneToOne(t *testing.T) {
	changes := map[string]func(*indirect.EncryptedConfig){
		"provider": func(c *indirect.EncryptedConfig) { c.Provider = "aws-kmt" },
		"uri":      func(c *indirect.EncryptedConfig) { c.PassphraseURI += "x" },
		"cipher":   func(c *indirect.EncryptedConfig) { c.CipherAlgorithm = "AES-256-GCM" },
		"digest":   func(c *indirect.EncryptedConfig) { c.DigestAlgorithm = "sha-256" },
		"kdf":      func(c *indirect.EncryptedConfig) { c.KeyDerivationAlgorithm = "scrypt" },
		"rounds":   func(c *indirect.EncryptedConfig) { c.Iterations++ },
		"salt":     func(c *indirect.EncryptedConfig) { c.Salt[0]++ },
		"moved":    func(c *indirect.EncryptedConfig) { c.Provider, c.PassphraseURI = "aws-kmsk", "ms://ZW5jcnlwdGVk@arn" },
	}
	seen := map[string]string{string(good().AssociatedData("a")): "none"}
	for name, change := range changes {
		c := good()
		change(&c)
		data := string(c.AssociatedData("a"))
		if other, is := seen[data]; is {
			t.Errorf("%s is the same as %s", name, other)
		}
		seen[data] = name
	}
	if _, is := seen[string(good().AssociatedData("b"))]; is {
		t.Error("another machine is the same")
	}
}

func TestMachineIdentity(t *testing.T) {
	identity := indirect.MachineIdentity{Machine: "a/b/c", Encryption: indirect.KeyName{Provider: "aws-kms", Key: "arn"}}
	cases := map[string]struct {
		reason   string
		identity indirect.MachineIdentity
		change   func(*indirect.EncryptedConfig)
		want     string
	}{
		"good": {"", identity, func(*indirect.EncryptedConfig) {}, ""},
		"no pin": {
			"",
			indirect.MachineIdentity{Machine: "a"},
			func(c *indirect.EncryptedConfig) { c.Provider = "b" }, "",
		},
		"none": {
			"another machine's would be taken",
			indirect.MachineIdentity{},
			func(*indirect.EncryptedConfig) {}, "write a MachineIdentity",
		},
		"another provider": {
			"who stores it brings a key of his own", identity,
			func(c *indirect.EncryptedConfig) { c.Provider = "file" }, "p.provider",
		},
		"another key": {
			"the same", identity,
			func(c *indirect.EncryptedConfig) { c.PassphraseURI = "kms://ZW5jcnlwdGVk@mine" }, "p.passphraseURI",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := good()
			tc.change(&c)
			found := tc.identity.Admits(c, "p")
			if tc.want == "" && len(found) > 0 || !strings.Contains(found.String(), tc.want) {
				t.Errorf("found %q, want %q: %s", found, tc.want, tc.reason)
			}
		})
	}
	bad := indirect.MachineIdentity{Machine: "a\nb", Encryption: indirect.KeyName{Key: "k"}}
	if found := bad.Check("p").String(); !strings.Contains(found, "p.machine") ||
		!strings.Contains(found, "p.encryption.provider") {
		t.Errorf("found %s", found)
	}
}
