//go:build cgo && !unit

package pkcs11_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/miekg/pkcs11"
	"github.com/onsi/gomega"

	adapter "github.com/machineadm/machineadm/adapters/kms/pkcs11"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
)

var (
	_ ports.DataKeys    = adapter.Keys{}
	_ ports.Passphrases = adapter.Keys{}
)

const (
	module = "/usr/lib/softhsm/libsofthsm2.so"
	pin    = "1234"
	key    = "pkcs11:token=machineadm;object=kek"
)

// token makes a token of SoftHSM with the keys kek, kek2 and two of the label twins.
func token(t *testing.T) adapter.Keys {
	t.Helper()
	debian.Packages(t, "softhsm2")
	dir := t.TempDir()
	conf := filepath.Join(dir, "softhsm2.conf")
	if err := os.WriteFile(conf, []byte("directories.tokendir = "+dir+"\nobjectstore.backend = file\nlog.level = ERROR\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOFTHSM2_CONF", conf)
	if out, err := exec.Command("softhsm2-util", "--init-token", "--free", "--label", "machineadm", "--pin", pin,
		"--so-pin", "5678").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	generate(t, "kek", "kek2", "twins", "twins")
	return adapter.Keys{Module: module, PIN: secret.FromString(pin)}
}

func generate(t *testing.T, labels ...string) {
	t.Helper()
	p := pkcs11.New(module)
	must(t, p.Initialize())
	defer p.Destroy()
	defer func() { must(t, p.Finalize()) }()
	slots, err := p.GetSlotList(true)
	must(t, err)
	for _, slot := range slots {
		info, err := p.GetTokenInfo(slot)
		must(t, err)
		if info.Label != "machineadm" {
			continue
		}
		session, err := p.OpenSession(slot, pkcs11.CKF_SERIAL_SESSION|pkcs11.CKF_RW_SESSION)
		must(t, err)
		must(t, p.Login(session, pkcs11.CKU_USER, pin))
		for _, label := range labels {
			_, err := p.GenerateKey(session, []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_AES_KEY_GEN, nil)},
				[]*pkcs11.Attribute{
					pkcs11.NewAttribute(pkcs11.CKA_LABEL, label), pkcs11.NewAttribute(pkcs11.CKA_VALUE_LEN, 32),
					pkcs11.NewAttribute(pkcs11.CKA_TOKEN, true),
					pkcs11.NewAttribute(pkcs11.CKA_ENCRYPT, true), pkcs11.NewAttribute(pkcs11.CKA_DECRYPT, true),
					pkcs11.NewAttribute(pkcs11.CKA_SENSITIVE, true), pkcs11.NewAttribute(pkcs11.CKA_EXTRACTABLE, false),
				})
			must(t, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSoftHSM(t *testing.T) {
	k := token(t)
	passphrase, uri, err := k.NewPassphrase(t.Context(), indirect.KeyName{Provider: adapter.Name, Key: key}, "default/m/1")
	if err != nil || passphrase.Len() != 32 || indirect.KeyOf(uri) != key {
		t.Fatalf("%d bytes, %s, %v", passphrase.Len(), uri, err)
	}
	again, err := k.Passphrase(t.Context(), indirect.PassphraseRef{Provider: adapter.Name, URI: uri})
	if err != nil || !again.Equal(passphrase) {
		t.Fatalf("%d bytes, %v", again.Len(), err)
	}
	u, err := indirect.ParseKeyURI(uri)
	must(t, err)
	spoiled := indirect.KeyURI{Wrapped: append([]byte{u.Wrapped[0] ^ 1}, u.Wrapped[1:]...), Key: key}.String()
	of := func(key string) string { return indirect.KeyURI{Wrapped: u.Wrapped, Key: key}.String() }
	cases := map[string]struct {
		reason, uri string
		keys        adapter.Keys
		want        error
	}{
		"spoiled":     {"a bit was flipped", spoiled, k, ports.ErrKeyRefused},
		"another key": {"a key of the same token", of("pkcs11:token=machineadm;object=kek2"), k, ports.ErrKeyRefused},
		"no key":      {"it was deleted", of("pkcs11:token=machineadm;object=none"), k, ports.ErrKeyRefused},
		"two keys":    {"which one?", of("pkcs11:token=machineadm;object=twins"), k, ports.ErrKeyRefused},
		"no token":    {"it is not plugged in", of("pkcs11:token=other;object=kek"), k, ports.ErrKeysUnavailable},
		"wrong PIN":   {"", uri, adapter.Keys{Module: module, PIN: secret.FromString("4321")}, ports.ErrKeyRefused},
		"no module": {
			"it is not installed", uri,
			adapter.Keys{Module: "/nowhere.so", PIN: k.PIN},
			ports.ErrKeysUnavailable,
		},
		"no wrapped":   {"", "kms://AAA=@" + key, k, ports.ErrKeyRefused},
		"another form": {"", "file:///a", k, indirect.ErrURI},
		"once more":    {"what went wrong before is no matter", uri, k, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.keys.Passphrase(t.Context(), indirect.PassphraseRef{Provider: adapter.Name, URI: c.uri})
			if !errors.Is(err, c.want) || (c.want == nil) == got.IsZero() {
				t.Errorf("%d bytes, %v: %s", got.Len(), err, c.reason)
			}
		})
	}
}

// TestSlowToken cannot make SoftHSM slow; a deadline that has passed shows that no one waits for the library.
func TestSlowToken(t *testing.T) {
	k := token(t)
	k.Timeout = 1
	if _, _, err := k.NewPassphrase(t.Context(), indirect.KeyName{Key: key}, "default/m/1"); !errors.Is(err,
		ports.ErrKeysUnavailable) {
		t.Errorf("the error is %v", err)
	}
	// The abandoned request still writes to the token's directory, which the end of the test removes.
	gomega.NewWithT(t).Eventually(func() string {
		stacks := make([]byte, 1<<20)
		return string(stacks[:runtime.Stack(stacks, true)])
	}, 10*time.Minute).ShouldNot(gomega.ContainSubstring("pkcs11.Keys.with"))
}
