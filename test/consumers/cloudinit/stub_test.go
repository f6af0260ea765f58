package cloudinit_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/s3server"
)

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// bucket opens a bucket of a real server.
func bucket(t *testing.T, server *s3server.Server) *s3.Storage {
	t.Helper()
	s, err := s3.New(t.Context(), s3.Options{
		Bucket: "machines", Endpoint: server.Endpoint, Endpoints: server.Listed(t), PathStyle: true, CABundle: server.CA,
		Clock: wallClock{},
		Keys:  &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stored puts the data into the bucket and returns where it is.
func stored(t *testing.T, s *s3.Storage, name string, data []byte, lifetime time.Duration) delivery.Location {
	t.Helper()
	if err := s.Put(t.Context(), name, secret.New(data)); err != nil {
		t.Fatal(err)
	}
	l, err := s.Locate(t.Context(), name, lifetime)
	if err != nil {
		t.Fatal(err)
	}
	return digested(l, data)
}

func digested(l delivery.Location, data []byte) delivery.Location {
	short, long := sha256.Sum256(data), sha512.Sum512(data)
	l.SHA256, l.SHA512 = hex.EncodeToString(short[:]), hex.EncodeToString(long[:])
	return l
}

// point returns the stub for the location.
func point(t *testing.T, l delivery.Location) []byte {
	t.Helper()
	if found := l.Check("location"); len(found) > 0 {
		t.Fatal(found)
	}
	p, found, err := cloudinit.Renderer{}.Stub(l, target(), "spec.delivery")
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	return p.Data.Reveal()
}

// programPattern matches the compressed program of a stub.
var programPattern = regexp.MustCompile(`b64decode\('([A-Za-z0-9+/=]+)'\)`)

// edited returns the stub with another text in its program.
func edited(t *testing.T, stub []byte, before, after string) []byte {
	t.Helper()
	found := programPattern.FindSubmatchIndex(stub)
	if found == nil {
		t.Fatalf("the stub contains no program: %s", stub)
	}
	packed := base64.NewDecoder(base64.StdEncoding, bytes.NewReader(stub[found[2]:found[3]]))
	r, err := zlib.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(r)
	if err != nil || bytes.Count(program, []byte(before)) != 1 {
		t.Fatalf("%v: the program does not contain %q once:\n%s", err, before, program)
	}
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(bytes.Replace(program, []byte(before), []byte(after), 1))
	_ = w.Close()
	packedAgain := []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
	return slices.Concat(stub[:found[2]], packedAgain, stub[found[3]:])
}

// TestStubBoots has cloud-init fetch its configuration from a real S3 server, and boot again without it.
func TestStubBoots(t *testing.T) {
	t.Setenv("MACHINEADM_NETWORK", "shared")
	server := s3server.Start(t, false, "machines")
	s := bucket(t, server)
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		envelopes := map[string]delivery.Envelope{
			"plain": {}, "gzip": {Gzip: true},
			"message": {Multipart: true, Gzip: true},
		}
		for name, e := range nightly.Cases(t, envelopes, "message") {
			t.Run(name, func(t *testing.T) {
				m := newMachine(t, suite)
				data := wrap(t, render(t, target(), file("/etc/app", "\x00\xff here\r\n"),
					run(document.PhaseBoot, "echo boot >>/var/log/parts"), join()), e)
				userdata := point(t, stored(t, s, suite+"/"+name, data, time.Hour))
				m.boot(t, userdata)
				if !m.sentinel() || m.Read(t, "/etc/app") != "\x00\xff here\r\n" {
					t.Fatalf("not booted\n%s", m.Log())
				}
				if errs := m.errors(t); len(errs) > 0 {
					t.Errorf("cloud-init counts errors: %v", errs)
				}
				if log := m.Log() + m.Read(t, "/var/log/cloud-init.log"); strings.Contains(log, "X-Amz-Signature") {
					t.Error("the log shows the signed URL")
				}
				if err := s.Delete(t.Context(), suite+"/"+name); err != nil {
					t.Fatal(err)
				}
				m.boot(t, userdata)
				if !m.sentinel() || len(m.calls(t, "kubeadm")) != 1 {
					t.Errorf("the second boot: sentinel %v, kubeadm %v\n%s", m.sentinel(), m.calls(t, "kubeadm"), m.Log())
				}
			})
		}
	})
}

// TestStubRetries has a server break off, speak no HTTP, ask to be left alone, and then answer.
func TestStubRetries(t *testing.T) {
	t.Setenv("MACHINEADM_NETWORK", "shared")
	m := newMachine(t, "trixie")
	ours := render(t, target(), file("/etc/app", "ours"), join())
	var requested atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch requested.Add(1) {
		case 1:
			w.Header().Set("Content-Length", fmt.Sprint(len(ours)))
			_, _ = w.Write(ours[:len(ours)/2])
		case 2:
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = conn.Write([]byte("no HTTP\r\n\r\n"))
			_ = conn.Close()
		case 3:
			w.WriteHeader(http.StatusTooManyRequests)
		case 4:
			w.WriteHeader(http.StatusRequestTimeout)
		default:
			_, _ = w.Write(ours)
		}
	}))
	t.Cleanup(server.Close)
	stub := point(t, digested(delivery.Location{URL: secret.FromString(server.URL)}, ours))
	m.boot(t, edited(t, stub, "sleep(5)", "sleep(0)"))
	if !m.sentinel() || m.Read(t, "/etc/app") != "ours" || requested.Load() != 5 {
		t.Errorf("asked %d times: %+v", requested.Load(), m.Log())
	}
}

// TestStubRefuses has each way in which the fetch can go wrong end in an error of its own, with nothing applied.
func TestStubRefuses(t *testing.T) {
	t.Setenv("MACHINEADM_NETWORK", "shared")
	server := s3server.Start(t, false, "machines")
	s, m := bucket(t, server), newMachine(t, "trixie")
	ours, theirs := render(t, target(), file("/etc/app", "ours"), join()),
		render(t, target(), file("/etc/app", "theirs"), join())
	spoil := func(name string, change func([]byte) []byte) []byte {
		l := stored(t, s, name, ours, time.Hour)
		if err := os.WriteFile(filepath.Join(server.Dir, "machines", name), change(bytes.Clone(ours)), 0o600); err != nil {
			t.Fatal(err)
		}
		return point(t, l)
	}
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 200 {
			if _, err := fmt.Fprint(w, "#"); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}))
	t.Cleanup(slow.Close)
	huge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, delivery.MaxStored+1))
	}))
	t.Cleanup(huge.Close)
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(ours)))
		_, _ = w.Write(ours[:len(ours)/2])
	}))
	t.Cleanup(cut.Close)
	away := httptest.NewServer(http.RedirectHandler(slow.URL, http.StatusFound))
	t.Cleanup(away.Close)
	// It answers what is tried again, so that a stub that asks it ends in another error.
	var requested atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requested.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	t.Setenv("MACHINEADM_ENVIRONMENT", fmt.Sprintf("http_proxy=%s https_proxy=%[1]s", proxy.URL))
	at := func(url string) []byte {
		return edited(t, point(t, digested(delivery.Location{URL: secret.FromString(url)}, ours)), "+ 600", "+ 2")
	}
	cases := map[string]struct {
		reason string
		stub   func() []byte
		want   string
	}{
		"wrong signature": {"the credentials were others", func() []byte {
			return edited(t, point(t, stored(t, s, "ours", ours, time.Hour)), "X-Amz-Signature=", "X-Amz-Signature=0")
		}, "HTTP Error 403"},
		"expired": {"the machine is late", func() []byte {
			stub := point(t, stored(t, s, "ours", ours, time.Second))
			time.Sleep(2 * time.Second)
			return stub
		}, "HTTP Error 403"},
		"gone": {"the object was deleted", func() []byte {
			stub := point(t, stored(t, s, "gone", ours, time.Hour))
			if err := s.Delete(t.Context(), "gone"); err != nil {
				t.Fatal(err)
			}
			return stub
		}, "HTTP Error 404"},
		"truncated": {"an end is missing", func() []byte { return at(cut.URL) }, "truncated"},
		"short": {"the object is shorter", func() []byte {
			return spoil("short", func(b []byte) []byte { return b[:len(b)-1] })
		}, "another digest"},
		"flipped": {"one bit is another", func() []byte {
			return spoil("flipped", func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, "another digest"},
		"replayed": {"it is another machine's", func() []byte {
			return point(t, digested(stored(t, s, "theirs", theirs, time.Hour), ours))
		}, "another digest"},
		"slow":     {"the server takes for ever", func() []byte { return at(slow.URL) }, "too slow"},
		"huge":     {"it would fill the machine", func() []byte { return at(huge.URL) }, "too large"},
		"redirect": {"headers are for one server", func() []byte { return at(away.URL) }, "HTTP Error 302"},
		"proxy":    {"it would see the address", func() []byte { return at("http://127.0.0.1:2/") }, "Connection refused"},
		"refused":  {"no server listens", func() []byte { return at("http://127.0.0.1:1/") }, "Connection refused"},
		"no trust": {"a CA that the image does not have", func() []byte {
			l := stored(t, s, "ours", ours, time.Hour)
			l.CABundle = nil
			return edited(t, point(t, l), "+ 600", "+ 2")
		}, "CERTIFICATE_VERIFY_FAILED"},
	}
	for name, tc := range nightly.Cases(t, cases, "replayed", "slow") {
		t.Run(name, func(t *testing.T) {
			m.command(t, "rm -rf /var/lib/cloud/instance* /var/lib/cloud/data /var/lib/cloud/sem /var/log/run")
			m.boot(t, tc.stub())
			if f := m.failure(t); !strings.Contains(f.Log, tc.want) || f.ExitCode == 0 {
				t.Errorf("%s: %+v, want %s", tc.reason, f, tc.want)
			}
			if m.sentinel() || m.Exists("/etc/app") {
				t.Error("something was applied")
			}
			if requested.Load() != 0 {
				t.Error("a proxy was asked")
			}
		})
	}
}
