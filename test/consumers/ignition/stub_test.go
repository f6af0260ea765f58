package ignition_test

import (
	"crypto/sha512"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/s3server"
)

var (
	_ ports.StubRenderer = (*ignition.Renderer)(nil)
	_ ports.StubRenderer = (*ignitionv2.Renderer)(nil)
)

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// stored puts the data into a bucket of a real server and returns where it is.
func stored(t *testing.T, server *s3server.Server, name string, data []byte, lifetime time.Duration) delivery.Location {
	t.Helper()
	s, err := s3.New(t.Context(), s3.Options{
		Bucket: "machines", Endpoint: server.Endpoint, Endpoints: server.Listed(t), PathStyle: true, CABundle: server.CA,
		Clock: wallClock{},
		Keys:  &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), name, secret.New(data)); err != nil {
		t.Fatal(err)
	}
	l, err := s.Locate(t.Context(), name, lifetime)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(data)
	l.SHA512 = hex.EncodeToString(sum[:])
	return l
}

func point(t *testing.T, r ports.Renderer, target osprofile.Target, l delivery.Location) []byte {
	t.Helper()
	p, found, err := r.(ports.StubRenderer).Stub(l, target, "spec.delivery")
	if err != nil || found.HasErrors() {
		t.Fatal(found, err)
	}
	return p.Data.Reveal()
}

// TestStubsArrive has each engine fetch its configuration from a real S3 server with a private CA.
func TestStubsArrive(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	for name, r := range nightly.Cases(t, runs(t), "2.3", "3.1.0-distribution", "3.4.0") {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if b, err := os.ReadFile(m.Lower + "/etc/hosts"); err == nil {
				m.Put(t, "/etc/hosts", string(b), 0o640)
			}
			stub := point(t, r.renderer, r.target, stored(t, server, name, render(t, r.renderer, rich(t, r.target)), time.Hour))
			if len(stub) > 2<<10 {
				t.Errorf("the stub has %d bytes", len(stub))
			}
			m.mustBoot(t, r.engine, stub)
			m.checkFiles(t)
			m.checkUnits(t)
		})
	}
}

// TestStubsRefuse has each way in which the fetch can go wrong end in an error of its own, with nothing applied.
func TestStubsRefuse(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	cases := map[string]struct {
		reason string
		spoil  func(t *testing.T, l delivery.Location, path string) delivery.Location
		want   string
	}{
		"wrong signature": {"the credentials were others", func(_ *testing.T, l delivery.Location,
			_ string,
		) delivery.Location {
			l.URL = secret.FromString(strings.Replace(string(l.URL.Reveal()), "X-Amz-Signature=", "X-Amz-Signature=0", 1))
			return l
		}, "Forbidden"},
		"expired": {"the machine is late", func(_ *testing.T, l delivery.Location, _ string) delivery.Location {
			time.Sleep(3 * time.Second)
			return l
		}, "Forbidden"},
		"truncated": {"an end is missing", change(func(b []byte) []byte { return b[:len(b)-1] }), "hash verification failed"},
		"flipped": {"one bit is another", change(func(b []byte) []byte {
			b[len(b)/2] ^= 1
			return b
		}), "hash verification failed"},
		"replayed": {"it is another machine's", func(t *testing.T, l delivery.Location, _ string) delivery.Location {
			other := stored(t, server, "other", []byte(`{"ignition":{"version":"3.4.0"}}`), time.Hour)
			other.SHA512 = l.SHA512
			return other
		}, "hash verification failed"},
	}
	r := runs(t)["3.4.0"]
	for name, tc := range nightly.Cases(t, cases, "wrong signature", "flipped") {
		t.Run(name, func(t *testing.T) {
			m, object := newMachine(t), strings.ReplaceAll(name, " ", "-")
			l := stored(t, server, object, render(t, r.renderer, rich(t, r.target)), 2*time.Second)
			if name != "expired" {
				l = stored(t, server, object, render(t, r.renderer, rich(t, r.target)), time.Hour)
			}
			l = tc.spoil(t, l, filepath.Join(server.Dir, "machines", object))
			if err := m.boot(t, r.engine, point(t, r.renderer, r.target, l)); err == nil {
				t.Fatal("it boots")
			}
			output, err := os.ReadFile(filepath.Join(m.State, "engine"))
			if err != nil || !strings.Contains(string(output), tc.want) {
				t.Errorf("%s: %v %s", tc.reason, err, m.log())
			}
			if _, err := os.Stat(m.Path("/etc/machineadm/bootstrap")); err == nil {
				t.Error("something was applied")
			}
		})
	}
}

func change(by func([]byte) []byte) func(*testing.T, delivery.Location, string) delivery.Location {
	return func(t *testing.T, l delivery.Location, path string) delivery.Location {
		t.Helper()
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, by(b), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}
