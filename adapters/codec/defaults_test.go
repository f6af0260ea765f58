package codec_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
)

// encryptedLines are the fields of an EncryptedConfig whose optional ones differ from their defaults.
func encryptedLines() []string {
	return []string{
		"  provider: file", "  passphraseURI: file:///etc/p", "  ciphertext: AA==", "  salt: AA==", "  iv: AA==",
		"  cipherAlgorithm: other", "  digestAlgorithm: other", "  iterations: 60000", "  keyDerivationAlgorithm: other",
	}
}

// TestEncryptedDefaults reads an EncryptedConfig without one of its optional fields. The proposal has these defaults.
func TestEncryptedDefaults(t *testing.T) {
	cases := map[string]struct {
		reason, left string
		want         func(*indirect.EncryptedConfig)
	}{
		"cipher": {"kubebuilder:default:=aes-256-gcm", "cipherAlgorithm", func(c *indirect.EncryptedConfig) {
			c.CipherAlgorithm = indirect.CipherAES256GCM
		}},
		"digest": {"kubebuilder:default:=sha-512", "digestAlgorithm", func(c *indirect.EncryptedConfig) {
			c.DigestAlgorithm = indirect.DigestSHA512
		}},
		"iterations": {"kubebuilder:default:=50000", "iterations", func(c *indirect.EncryptedConfig) {
			c.Iterations = 50_000
		}},
		"derivation": {"kubebuilder:default:=pbkdf2", "keyDerivationAlgorithm", func(c *indirect.EncryptedConfig) {
			c.KeyDerivationAlgorithm = indirect.KDFPBKDF2
		}},
		"none": {"what is set stays", "", func(*indirect.EncryptedConfig) {}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want := decodeEncrypted(t, encryptedLines())
			tc.want(&want)
			without := slices.DeleteFunc(encryptedLines(), func(line string) bool {
				return tc.left != "" && strings.HasPrefix(line, "  "+tc.left+":")
			})
			if got := decodeEncrypted(t, without); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, want %+v", tc.reason, got, want)
			}
		})
	}
}

func decodeEncrypted(t *testing.T, lines []string) indirect.EncryptedConfig {
	t.Helper()
	text := "apiVersion: machineadm.io/v1alpha1\nkind: EncryptedConfig\nspec:\n" + strings.Join(lines, "\n") + "\n"
	docs, found := codec.Codec{}.Decode(t.Context(), []byte(text))
	c, _, is := document.First[indirect.EncryptedConfig](docs)
	if found.HasErrors() || !is {
		t.Fatalf("%v\n%s", found, text)
	}
	return c
}

// TestEmptyIsNotAbsent expects that only an absent field has its default.
func TestEmptyIsNotAbsent(t *testing.T) {
	lines := append(encryptedLines()[:5:5], `  cipherAlgorithm: ""`, "  iterations: 0")
	if c := decodeEncrypted(t, lines); c.CipherAlgorithm != "" || c.Iterations != 0 {
		t.Errorf("got %+v", c)
	}
}
