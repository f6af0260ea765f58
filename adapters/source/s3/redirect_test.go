package s3_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/source/s3"
	"github.com/machineadm/machineadm/domain/indirect"
)

// TestRedirectsCarryNoCredential has a server of buckets redirect to another host.
func TestRedirectsCarryNoCredential(t *testing.T) {
	for _, code := range []int{
		http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect,
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			var seen []string
			other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				seen = append(seen, fmt.Sprint(r.URL, r.Header))
			}))
			defer other.Close()
			requested := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requested++
				http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/stolen", code)
			}))
			defer server.Close()
			_, err := s3.Source{
				Settings: s3.Settings{
					AccessKeyID: "id", SecretAccessKey: "key", SessionToken: "canary7q9zk2xw5v",
					Endpoint: server.URL, PathStyle: true,
				},
				Limit: 10 * time.Second,
			}.Fetch(t.Context(), indirect.RemoteConfig{Provider: s3.Provider, URI: "s3://machines/config"})
			if err == nil || requested == 0 || len(seen) != 0 {
				t.Errorf("asked %d times, error %v; another host saw %q", requested, err, seen)
			}
		})
	}
}

// TestErrorsAreBounded has a server of buckets answer with an error that has no end: little of it is read.
func TestErrorsAreBounded(t *testing.T) {
	const most = 64
	var sent atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		for range most {
			if _, err := w.Write(bytes.Repeat([]byte("a"), 1<<20)); err != nil {
				return
			}
			sent.Add(1)
		}
	}))
	defer server.Close()
	settings := s3.Settings{AccessKeyID: "id", SecretAccessKey: "key", Endpoint: server.URL, PathStyle: true}
	_, err := s3.Source{Settings: settings}.Fetch(t.Context(), indirect.RemoteConfig{
		Provider: s3.Provider, URI: "s3://machines/config",
	})
	if err == nil || sent.Load() == most {
		t.Errorf("%d MiB were sent, %v", sent.Load(), err)
	}
}
