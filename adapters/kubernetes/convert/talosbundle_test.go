package convert_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"go.yaml.in/yaml/v3"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	inmemory "github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hostile"
	"github.com/machineadm/machineadm/test/memory"
)

func newTalosSecrets(t testing.TB) node.TalosSecrets {
	t.Helper()
	s, err := node.NewTalosSecrets(&inmemory.Entropy{}, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatalf("make secrets: %v", err)
	}
	return s
}

func TestTalosReadsTheBundle(t *testing.T) {
	want := newTalosSecrets(t)
	text, err := convert.EncodeTalosBundle(want)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	path := filepath.Join(t.TempDir(), "secrets.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := secrets.LoadBundle(path)
	if err != nil {
		t.Fatalf("Talos does not read it: %v", err)
	}
	read := node.TalosSecrets{
		OSCA:        node.KeyPair{Certificate: got.Certs.OS.Crt, Key: secret.New(got.Certs.OS.Key)},
		TrustdToken: secret.FromString(got.TrustdInfo.Token), BootstrapToken: secret.FromString(got.Secrets.BootstrapToken),
		ClusterID: got.Cluster.ID, ClusterSecret: secret.FromString(got.Cluster.Secret),
		SecretboxKey: secret.FromString(got.Secrets.SecretboxEncryptionSecret),
	}
	if diff := cmp.Diff(want, read, cmp.Comparer(secret.Value.Equal)); diff != "" {
		t.Errorf("Talos reads something else (-want +got):\n%s", diff)
	}
	if _, err := got.Certs.OS.GetKey(); err != nil {
		t.Errorf("Talos does not read the CA's key: %v", err)
	}
	again, err := convert.DecodeTalosBundle(t.Context(), text)
	if diff := cmp.Diff(want, again, cmp.Comparer(secret.Value.Equal)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestBundleOfTalosIsRead(t *testing.T) {
	theirs, err := secrets.NewBundle(secrets.NewFixedClock(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)), nil)
	if err != nil {
		t.Fatalf("generate: %v", err)
	}
	text, err := yaml.Marshal(theirs)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	got, err := convert.DecodeTalosBundle(t.Context(), text)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	if string(got.TrustdToken.Reveal()) != theirs.TrustdInfo.Token || !bytes.Equal(got.OSCA.Certificate,
		theirs.Certs.OS.Crt) {
		t.Error("something else was read")
	}
	if _, err := node.NewTalosClient(got.OSCA, &inmemory.Entropy{}, theirs.Clock.Now()); err != nil {
		t.Errorf("its CA signs no client: %v", err)
	}
}

func TestDecodeTalosBundleRefuses(t *testing.T) {
	good, err := convert.EncodeTalosBundle(newTalosSecrets(t))
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	const canary = "canary-5e1"
	cases := map[string]struct{ reason, text, want string }{
		"nothing":   {reason: "an empty file is no bundle", want: "certs.os.key"},
		"no YAML":   {reason: "a text that is none", text: "{" + canary, want: "not the YAML"},
		"shape":     {reason: "a list where a map is expected", text: "cluster: [" + canary + "]", want: "not the YAML"},
		"no base64": {reason: "the CA is PEM itself", text: "certs: {os: {crt: '%" + canary + "'}}", want: "certs.os"},
		"token": {
			reason: "a token that is none", text: strings.Replace(string(good), "token: ", "token: "+canary, 1),
			want: "bundle.bootstrapToken",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := convert.DecodeTalosBundle(t.Context(), []byte(tc.text))
			if !errors.Is(err, ports.ErrInvalidTalosSecrets) || !strings.Contains(err.Error(), tc.want) ||
				strings.Contains(err.Error(), canary) {
				t.Errorf("error %v, want one about %s: %s", err, tc.want, tc.reason)
			}
		})
	}
}

func TestTalosReadsTheClient(t *testing.T) {
	s := newTalosSecrets(t)
	pair, err := node.NewTalosClient(s.OSCA, &inmemory.Entropy{}, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatalf("make a client: %v", err)
	}
	want := convert.TalosConfig{
		Context: "yes", Endpoints: []string{"192.0.2.1", "2001:db8::1"},
		CA: s.OSCA.Certificate, Pair: pair,
	}
	text, err := convert.EncodeTalosConfig(want)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	theirs, err := clientconfig.FromBytes(text)
	if err != nil {
		t.Fatalf("Talos does not read it: %v", err)
	}
	context := theirs.Contexts[theirs.Context]
	if theirs.Context != "yes" || context == nil || !cmp.Equal(context.Endpoints, want.Endpoints) || context.Key == "" {
		t.Errorf("Talos reads something else: context %q", theirs.Context)
	}
	if diff := cmp.Diff(want, convert.DecodeTalosConfig(t.Context(), text), cmp.Comparer(secret.Value.Equal)); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	for name, text := range map[string]string{
		"nothing": "", "no YAML": "{",
		"no base64": "context: a\ncontexts: {a: {ca: '%'}}",
	} {
		if got := convert.DecodeTalosConfig(t.Context(), []byte(text)); len(got.CA) > 0 || len(got.Endpoints) > 0 {
			t.Errorf("%s: read %v", name, got.Endpoints)
		}
	}
}

// FuzzDecodeTalosBundle limits the cost of a bundle and of a client configuration.
func FuzzDecodeTalosBundle(f *testing.F) {
	good, err := convert.EncodeTalosBundle(newTalosSecrets(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("context: a\ncontexts: {a: {ca: eA==, endpoints: [b]}}\n"))
	hostile.Seed(func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, text []byte) {
		memory.Below(t, memory.Render, func() {
			if _, err := convert.DecodeTalosBundle(t.Context(), text); err != nil &&
				!errors.Is(err, ports.ErrInvalidTalosSecrets) {
				t.Error(err)
			}
			convert.DecodeTalosConfig(t.Context(), text)
		})
	})
}
