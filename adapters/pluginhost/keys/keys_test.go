package keys_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/keys"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/programs"
)

var (
	_ ports.DataKeys    = keys.Plugins{}
	_ ports.Passphrases = keys.Plugins{}
	_ ports.Source      = keys.Plugins{}
)

// TestPlugins starts real plugins: two refuse what they are asked, and another is not there. Nothing is left of any.
func TestPlugins(t *testing.T) {
	folder, sockets := t.TempDir(), t.TempDir()
	for _, name := range []string{
		"machineadm-plugin-encryption-provider-aws-kms",
		"machineadm-plugin-encryption-provider-kms-v2",
	} {
		if err := programs.Install(t.Context(), folder, name); err != nil {
			t.Fatal(err)
		}
	}
	p := keys.Plugins{Codec: codec.Codec{}, Folders: []string{folder}, Sockets: sockets}
	cases := map[string]struct {
		provider, key string
		want          error
		message       string
	}{
		"refusing": {
			"aws-kms", "alias/mine", ports.ErrKeyRefused,
			"plugin aws-kms: new passphrase: the key management service refuses: \"alias/mine\" is not the ARN of a key",
		},
		"missing": {"tpm", "", ports.ErrNoProvider, "machineadm-plugin-encryption-provider-tpm"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := p.NewPassphrase(t.Context(), indirect.KeyName{Provider: c.provider, Key: c.key}, "default/m/1")
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("NewPassphrase: %v", err)
			}
			uri := indirect.KeyURI{Wrapped: []byte("w"), Key: "k"}.String()
			if _, err := p.Passphrase(t.Context(), indirect.PassphraseRef{Provider: c.provider, URI: uri}); !errors.Is(err,
				c.want) {
				t.Errorf("Passphrase: %v", err)
			}
		})
	}
	// It would wait for its service if it were asked something that makes sense.
	if _, err := p.Passphrase(t.Context(), indirect.PassphraseRef{Provider: "kms-v2", URI: "nonsense"}); err == nil ||
		!strings.Contains(err.Error(), "plugin kms-v2: passphrase: ") {
		t.Errorf("Passphrase of nonsense: %v", err)
	}
	if _, err := p.Fetch(t.Context(), indirect.RemoteConfig{Provider: "s3", URI: "s3://a"}); !errors.Is(err,
		ports.ErrNoProvider) {
		t.Errorf("Fetch: %v", err)
	}
	if left, err := os.ReadDir(sockets); len(left) > 0 || err != nil {
		t.Errorf("%d folders of sockets are left, %v", len(left), err)
	}
}
