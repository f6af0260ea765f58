//go:build !unit

package s3_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/longkey"
	"github.com/machineadm/machineadm/test/s3server"
)

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func options(t *testing.T, server *s3server.Server) s3.Options {
	t.Helper()
	return s3.Options{
		Bucket: "machines", Prefix: "boot/", Endpoint: server.Endpoint, Endpoints: server.Listed(t),
		PathStyle: true, CABundle: server.CA, Clock: clock{},
		Keys: &s3.Keys{AccessKeyID: s3server.AccessKeyID, SecretAccessKey: secret.FromString(s3server.SecretAccessKey)},
	}
}

func open(t *testing.T, o s3.Options) *s3.Storage {
	t.Helper()
	s, err := s3.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fetch fetches an object as a machine does.
func fetch(ctx context.Context, l delivery.Location) ([]byte, error) {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(l.CABundle)
	client := http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}},
	}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, string(l.URL.Reveal()), nil)
	if err != nil {
		return nil, err
	}
	for _, h := range l.Headers {
		r.Header.Set(h.Name, string(h.Value.Reveal()))
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(answer.Body)
}

func TestConformsWithARealServer(t *testing.T) {
	for name, versioned := range map[string]bool{"plain": false, "versioned": true} {
		t.Run(name, func(t *testing.T) {
			server := s3server.Start(t, versioned, "machines")
			portstest.Storage(t, func(t *testing.T) portstest.StorageServer {
				o := options(t, server)
				o.Prefix = strings.NewReplacer("/", "-", ",", "").Replace(t.Name()) + "/"
				return portstest.StorageServer{Storage: open(t, o), Fetch: fetch, Later: time.Sleep}
			})
		})
	}
}

// TestAllVersionsGo verifies that Delete removes all versions of an object, also if there is more than one page. An
// object whose name starts with the object's name stays.
func TestAllVersionsGo(t *testing.T) {
	server := s3server.Start(t, true, "machines")
	s, bucket := open(t, options(t, server)), "machines"
	names := []string{"ab"}
	for range 101 {
		names = append(names, "a")
	}
	for i, name := range names {
		if err := s.Put(t.Context(), name, secret.FromString(strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	list := func() int {
		found, err := server.Client().ListObjectVersions(t.Context(), &sdk.ListObjectVersionsInput{Bucket: &bucket})
		if err != nil {
			t.Fatal(err)
		}
		return len(found.Versions) + len(found.DeleteMarkers)
	}
	if n := list(); n != len(names) {
		t.Fatalf("%d versions are there", n)
	}
	if err := s.Delete(t.Context(), "a"); err != nil || list() != 1 {
		t.Errorf("%d versions are left, %v", list(), err)
	}
}

// TestUnchangedPutUploadsNothing verifies that an existing object is not uploaded again, and that a corrupted one is.
func TestUnchangedPutUploadsNothing(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	s, data := open(t, options(t, server)), secret.FromString("data")
	path := filepath.Join(server.Dir, "machines/boot/a")
	put := func() os.FileInfo {
		t.Helper()
		if err := s.Put(t.Context(), "a", data); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	if first, second := put(), put(); !os.SameFile(first, second) {
		t.Error("it was uploaded twice")
	}
	if err := s.Put(t.Context(), "a", secret.FromString("others")); err != nil {
		t.Fatal(err)
	}
	put()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data.Reveal()) {
		t.Errorf("%q %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	cases := map[string]struct {
		reason string
		change func(*s3.Options)
		is     error
		want   string
	}{
		"wrong key": {
			"who are you", func(o *s3.Options) { o.Keys.AccessKeyID = "nobody" }, ports.ErrStorageDenied,
			"XAdminUserNotFound",
		},
		"wrong word": {
			"you are not", func(o *s3.Options) { o.Keys.SecretAccessKey = secret.FromString("wrong") },
			ports.ErrStorageDenied, "SignatureDoesNotMatch",
		},
		"no bucket": {
			"a bucket is made by people", func(o *s3.Options) { o.Bucket = "nowhere" }, nil,
			"the server answers NoSuchBucket",
		},
		"no trust": {
			"the certificate is a private CA's", func(o *s3.Options) { o.CABundle = nil }, nil,
			"the server cannot be reached",
		},
		"nobody": {"no server listens", func(o *s3.Options) {
			nobody := &s3server.Server{Endpoint: "https://127.0.0.1:1"}
			o.Endpoint, o.Endpoints = nobody.Endpoint, nobody.Listed(t)
		}, nil, "the server cannot be reached"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := options(t, server)
			tc.change(&o)
			s := open(t, o)
			for what, err := range map[string]error{
				"put": s.Put(t.Context(), "a", secret.FromString("canary7q9zk2xw5v")), "delete": s.Delete(t.Context(), "a"),
			} {
				if err == nil || !strings.Contains(err.Error(), tc.want) || (tc.is != nil && !errors.Is(err, tc.is)) {
					t.Errorf("%s: %s: %v", tc.reason, what, err)
				}
				if err != nil && (strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "Signature=")) {
					t.Errorf("%s shows a secret: %v", what, err)
				}
			}
		})
	}
}

func TestBadBundle(t *testing.T) {
	for want, bundle := range map[string][]byte{
		"no certificate in PEM": []byte("abc"),
		"1048576 bits":          longkey.Authority(t),
	} {
		o := options(t, &s3server.Server{Endpoint: "https://127.0.0.1", CA: bundle})
		_, err := s3.New(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "spec.certificateAuthority") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFoldersConformWithARealServer checks folders in a bucket without and with versions.
func TestFoldersConformWithARealServer(t *testing.T) {
	for name, versioned := range map[string]bool{"plain": false, "versioned": true} {
		t.Run(name, func(t *testing.T) {
			server := s3server.Start(t, versioned, "machines")
			portstest.SnapshotStore(t, func(t *testing.T) (portstest.SnapshotStoreServer, ports.SnapshotStore) {
				o := options(t, server)
				o.Prefix = strings.NewReplacer("/", "-", ",", "").Replace(t.Name()) + "/"
				folder := open(t, o).Folder("snapshots/ns/c1/")
				stored := func(t *testing.T, name string) []byte {
					t.Helper()
					bucket, key := "machines", o.Prefix+"snapshots/ns/c1/"+name
					answer, err := server.Client().GetObject(t.Context(), &sdk.GetObjectInput{Bucket: &bucket, Key: &key})
					if err != nil {
						t.Fatal(err)
					}
					data, err := io.ReadAll(answer.Body)
					if err != nil {
						t.Fatal(err)
					}
					return data
				}
				return portstest.SnapshotStoreServer{SnapshotStore: folder, Stored: stored}, open(t, o).Folder("snapshots/ns/c10/")
			})
		})
	}
}

// TestPartsAreRemoved checks that nothing remains of an object that could not be stored completely.
func TestPartsAreRemoved(t *testing.T) {
	server := s3server.Start(t, false, "machines")
	data := io.MultiReader(bytes.NewReader(make([]byte, 9<<20)), &failing{})
	if err := open(t, options(t, server)).Folder("a/").Put(t.Context(), "b", data); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	bucket := "machines"
	left, err := server.Client().ListMultipartUploads(t.Context(), &sdk.ListMultipartUploadsInput{Bucket: &bucket})
	if err != nil || len(left.Uploads) > 0 {
		t.Errorf("%d uploads remain, error %v", len(left.Uploads), err)
	}
}

var errBroken = errors.New("broken")

type failing struct{}

// Read fails.
func (failing) Read([]byte) (int, error) { return 0, errBroken }
