package kmsv2_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	kmsapi "k8s.io/kms/apis/v2"

	"github.com/machineadm/machineadm/adapters/kms/kmsv2"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

var (
	_ ports.DataKeys    = kmsv2.Keys{}
	_ ports.Passphrases = kmsv2.Keys{}
)

// plugin is a KMS plugin: it speaks the interface of k8s.io/kms over a real socket, and XORs in place of encrypting.
type plugin struct {
	kmsapi.UnimplementedKeyManagementServiceServer
	key, version, health string
	annotations          map[string][]byte
	refuse               error
	hang                 chan struct{}
	plaintext            []byte
}

func (p *plugin) Status(context.Context, *kmsapi.StatusRequest) (*kmsapi.StatusResponse, error) {
	return &kmsapi.StatusResponse{Version: p.version, Healthz: p.health, KeyId: p.key}, nil
}

func crypt(b []byte) []byte {
	out := bytes.Clone(b)
	for i := range out {
		out[i] ^= 0x5a
	}
	return out
}

func (p *plugin) Encrypt(ctx context.Context, r *kmsapi.EncryptRequest) (*kmsapi.EncryptResponse, error) {
	if p.hang != nil {
		<-p.hang
	}
	p.plaintext = r.GetPlaintext()
	if r.GetUid() == "" || p.refuse != nil {
		return nil, p.refuse
	}
	return &kmsapi.EncryptResponse{Ciphertext: crypt(r.GetPlaintext()), KeyId: p.key, Annotations: p.annotations}, nil
}

func (p *plugin) Decrypt(ctx context.Context, r *kmsapi.DecryptRequest) (*kmsapi.DecryptResponse, error) {
	if r.GetKeyId() != p.key || string(r.GetAnnotations()["version.example.com"]) != string(
		p.annotations["version.example.com"]) {
		return nil, status.Error(codes.InvalidArgument, "another key")
	}
	return &kmsapi.DecryptResponse{Plaintext: crypt(r.GetCiphertext())}, p.refuse
}

func good() *plugin {
	return &plugin{
		key: "key 1?", version: "v2", health: "ok",
		annotations: map[string][]byte{"version.example.com": {1, 2}},
	}
}

// serve serves the plugin and returns who speaks with it.
func serve(t *testing.T, p kmsapi.KeyManagementServiceServer) kmsv2.Keys {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	kmsapi.RegisterKeyManagementServiceServer(s, p)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return kmsv2.Keys{Endpoint: "unix://" + socket}
}

func TestPassphraseRoundTrip(t *testing.T) {
	p := good()
	k := serve(t, p)
	for _, key := range []string{"", "key 1?"} {
		passphrase, uri, err := k.NewPassphrase(t.Context(), indirect.KeyName{Provider: kmsv2.Name, Key: key}, "default/m/1")
		if err != nil || passphrase.Len() != 32 || indirect.KeyOf(uri) != "key 1?" ||
			!strings.HasSuffix(uri, "@key%201%3F?version.example.com=AQI=") {
			t.Fatalf("%d bytes, %s, %v", passphrase.Len(), uri, err)
		}
		again, err := k.Passphrase(t.Context(), indirect.PassphraseRef{Provider: kmsv2.Name, URI: uri})
		if err != nil || !again.Equal(passphrase) || !bytes.Equal(p.plaintext, again.Reveal()) {
			t.Errorf("%d bytes, %v", again.Len(), err)
		}
	}
}

// words are those of a service behind a plugin.
const words = "User: arn:aws:sts::111122223333:assumed-role/node/i-0 is not authorized, RequestID: 7"

func TestRefusals(t *testing.T) {
	change := func(f func(*plugin)) *plugin {
		p := good()
		f(p)
		return p
	}
	cases := map[string]struct {
		reason  string
		plugin  kmsapi.KeyManagementServiceServer
		key     string
		want    error
		message string
	}{
		"sick": {
			"it may recover", change(func(p *plugin) { p.health = words }), "", ports.ErrKeysUnavailable,
			"not healthy",
		},
		"version 1": {
			"another protocol", change(func(p *plugin) { p.version = words }), "", ports.ErrKeyRefused,
			"does not support v2",
		},
		"nothing": {
			"another service",
			kmsapi.UnimplementedKeyManagementServiceServer{},
			"", ports.ErrKeyRefused,
			"does not support v2",
		},
		"rotated": {
			"the machine was started with another key", good(), "key 0", ports.ErrKeyRefused,
			`its key is now "key 1?"`,
		},
		"busy": {
			"", change(func(p *plugin) { p.refuse = status.Error(codes.Unavailable, words) }), "",
			ports.ErrKeysUnavailable, "Unavailable",
		},
		"refusing": {
			"", change(func(p *plugin) { p.refuse = status.Error(codes.PermissionDenied, words) }), "",
			ports.ErrKeyRefused, "PermissionDenied",
		},
		"no key": {
			"it could not be decrypted", change(func(p *plugin) { p.key = "" }), "",
			ports.ErrKeyRefused, "a key of 0",
		},
		"long key": {
			"the interface's bound", change(func(p *plugin) { p.key = strings.Repeat("k", 1025) }), "",
			ports.ErrKeyRefused, "a key of 1025",
		},
		"big annotations": {"the interface's bound", change(func(p *plugin) {
			p.annotations["a.example"] = make([]byte,
				32<<10)
		}), "", ports.ErrKeyRefused, "annotations of"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := serve(t, c.plugin).NewPassphrase(t.Context(), indirect.KeyName{Key: c.key}, "default/m/1")
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.message) || strings.Contains(err.Error(), words) {
				t.Errorf("%v: %s", err, c.reason)
			}
		})
	}
	k := serve(t, good())
	for uri, want := range map[string]error{
		"kms://AAA=@other":      ports.ErrKeyRefused,
		"kms://AAA=@key%201%3F": ports.ErrKeyRefused, "file:///a": indirect.ErrURI,
	} {
		if v, err := k.Passphrase(t.Context(), indirect.PassphraseRef{Provider: kmsv2.Name, URI: uri}); !errors.Is(err,
			want) || !v.IsZero() {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func TestUnavailableAndSlowService(t *testing.T) {
	away := kmsv2.Keys{Endpoint: "unix://" + filepath.Join(t.TempDir(), "none"), Timeout: 200 * time.Millisecond}
	if _, err := away.Passphrase(t.Context(), indirect.PassphraseRef{
		Provider: kmsv2.Name,
		URI:      "kms://AAA=@k",
	}); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("nobody: %v", err)
	}
	p := good()
	p.hang = make(chan struct{})
	slow := serve(t, p)
	slow.Timeout = 500 * time.Millisecond
	if _, _, err := slow.NewPassphrase(t.Context(), indirect.KeyName{}, "default/m/1"); !errors.Is(err,
		ports.ErrKeysUnavailable) {
		t.Errorf("slow: %v", err)
	}
	close(p.hang)
	if _, err := (kmsv2.Keys{Endpoint: "tcp://a"}).Passphrase(t.Context(), indirect.PassphraseRef{
		Provider: kmsv2.Name,
		URI:      "kms://AAA=@k",
	}); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("no socket: %v", err)
	}
}
