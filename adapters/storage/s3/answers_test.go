package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// opened returns a storage at a listed server with the given handler.
func opened(t *testing.T, answer http.HandlerFunc, change func(*Options)) *Storage {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Some clients read no answer before they have sent everything.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	o := at(t, server.URL, "http://127.0.0.1:*")
	if change != nil {
		change(&o)
	}
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAnswersAreBounded has a server with an endless response: only a part of it is read, and only once.
func TestAnswersAreBounded(t *testing.T) {
	const most = 64
	for status, want := range map[int]string{
		http.StatusBadRequest: "the server cannot be reached", http.StatusInternalServerError: "the server cannot be reached",
		http.StatusForbidden: "the storage denies access (an error code that S3 does not define)",
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			var (
				chunks, requests atomic.Int32
				log              bytes.Buffer
			)
			s := opened(t, func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.WriteHeader(status)
				for range most {
					if _, err := w.Write(bytes.Repeat([]byte("a"), maxAnswer)); err != nil {
						return
					}
					chunks.Add(1)
				}
			}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			err := s.Delete(t.Context(), "a")
			if err == nil || err.Error() != "delete an object: "+want {
				t.Errorf("%v", err)
			}
			if logged := strings.Contains(log.String(), "larger than"); logged != strings.Contains(want, "reached") {
				t.Errorf("the log contains %s", &log)
			}
			if chunks.Load() == most || requests.Load() != 1 {
				t.Errorf("%d MiB were sent in %d requests", chunks.Load(), requests.Load())
			}
		})
	}
}

// TestHeadersAreBounded has a server whose header is larger than any of S3's.
func TestHeadersAreBounded(t *testing.T) {
	s := opened(t, func(w http.ResponseWriter, _ *http.Request) {
		for i := range 4 {
			w.Header().Set(fmt.Sprintf("X-Amz-Meta-%d", i), strings.Repeat("a", maxHeader/2))
		}
	}, func(o *Options) { o.CallTimeout = time.Second })
	if err := s.Delete(t.Context(), "a"); err == nil {
		t.Error("it was read")
	}
}

// TestCallsEnd has a server whose list of versions is endless, although each page arrives at once.
func TestCallsEnd(t *testing.T) {
	endless := func(key string) (*Storage, *atomic.Int32) {
		pages := &atomic.Int32{}
		return opened(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Amz-Delete-Marker", "true")
			if r.Method == http.MethodDelete {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			pages.Add(1)
			_, _ = fmt.Fprintf(w, `<ListVersionsResult><IsTruncated>true</IsTruncated><NextKeyMarker>a</NextKeyMarker>
<Version><Key>%s</Key><VersionId>v</VersionId></Version></ListVersionsResult>`, key)
		}, func(o *Options) { o.CallTimeout = 300 * time.Millisecond }), pages
	}
	ours, _ := endless("a")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := ours.Delete(ctx, "a"); err == nil || ctx.Err() != nil {
		t.Errorf("versions without an end: %v, %v", err, ctx.Err())
	}
	others, pages := endless("ab")
	others.options.CallTimeout = time.Minute
	if err := others.Delete(ctx, "a"); err != nil || pages.Load() != 1 {
		t.Errorf("versions of other objects: %v after %d pages", err, pages.Load())
	}
}

// TestLockedVersion has a version that Object Lock protects. It stays hidden behind the current delete marker, and the
// markers of earlier attempts are deleted.
func TestLockedVersion(t *testing.T) {
	var deleted []string
	s := opened(t, func(w http.ResponseWriter, r *http.Request) {
		version := r.URL.Query().Get("versionId")
		switch {
		case r.Method != http.MethodDelete:
			_, _ = fmt.Fprint(w, `<ListVersionsResult>
<DeleteMarker><Key>a</Key><VersionId>third</VersionId><IsLatest>true</IsLatest></DeleteMarker>
<DeleteMarker><Key>a</Key><VersionId>second</VersionId><IsLatest>false</IsLatest></DeleteMarker>
<Version><Key>a</Key><VersionId>first</VersionId><IsLatest>false</IsLatest></Version></ListVersionsResult>`)
		case version == "first":
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, `<Error><Code>AccessDenied</Code></Error>`)
		default:
			deleted = append(deleted, version)
			w.Header().Set("X-Amz-Delete-Marker", "true")
			w.WriteHeader(http.StatusNoContent)
		}
	}, nil)
	if err := s.Delete(t.Context(), "a"); !errors.Is(err, ports.ErrStorageDenied) {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"", "second"}, deleted); diff != "" {
		t.Error(diff)
	}
}

// TestConnectionsAreNotKept verifies that a storage leaves no idle connection, since one is opened for each object.
func TestConnectionsAreNotKept(t *testing.T) {
	var kept atomic.Int32
	s := opened(t, func(_ http.ResponseWriter, r *http.Request) {
		if !r.Close {
			kept.Add(1)
		}
	}, nil)
	if err := s.Put(t.Context(), "a", secret.FromString("b")); err != nil || kept.Load() > 0 {
		t.Errorf("%d requests ask for the connection to be kept, %v", kept.Load(), err)
	}
}
