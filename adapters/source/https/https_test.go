package https_test

import (
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/source/https"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const canary = "canary7q9zk2xw5v"

func quick() https.Source {
	return https.Source{
		Timeout: 2 * time.Second, AttemptTimeout: time.Second, RetryInterval: 10 * time.Millisecond,
		MaxBytes: 1000,
	}
}

// answer is a handler that answers with the status.
func answer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

func TestFetch(t *testing.T) {
	var requested atomic.Int32
	cases := map[string]struct {
		reason  string
		handler http.HandlerFunc
		change  func(*indirect.RemoteConfig)
		want    string
		is      error
	}{
		"given": {reason: "with its header", handler: give, want: "ours"},
		"no header": {
			"the credential is missing", give, func(c *indirect.RemoteConfig) { c.Headers = nil }, "",
			https.ErrDenied,
		},
		"late": {reason: "the server comes up late", handler: func(w http.ResponseWriter, r *http.Request) {
			if requested.Add(1) < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			give(w, r)
		}, want: "ours"},
		"gone": {reason: "it was deleted", handler: answer(http.StatusNotFound), is: https.ErrNotFound},
		"redirect": {reason: "headers are for one server", handler: http.RedirectHandler("/other", http.StatusFound).
			ServeHTTP, is: https.ErrRedirect},
		"redirect to nowhere": {
			reason: "the library quotes what may be signed", is: https.ErrTimeout,
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "https://[?signature="+canary)
				w.WriteHeader(http.StatusFound)
			},
		},
		"truncated": {reason: "an end is missing", is: https.ErrTruncated, handler: func(w http.ResponseWriter,
			_ *http.Request,
		) {
			w.Header().Set("Content-Length", "100")
			_, _ = fmt.Fprint(w, "our")
		}},
		"large": {reason: "it would fill the machine", is: https.ErrTooLarge, handler: func(w http.ResponseWriter,
			_ *http.Request,
		) {
			_, _ = fmt.Fprint(w, strings.Repeat("a", 1001))
		}},
		"slow": {reason: "it never ends", is: https.ErrTimeout, handler: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = fmt.Fprint(w, "a")
				w.(http.Flusher).Flush()
				time.Sleep(50 * time.Millisecond)
			}
		}},
		"no trust": {
			reason: "a private CA", handler: give, change: func(c *indirect.RemoteConfig) { c.CABundle = "" },
			is: https.ErrTimeout,
		},
		"no URL": {
			reason: "another scheme", handler: give,
			change: func(c *indirect.RemoteConfig) { c.URI = "file:///etc/shadow" }, is: errAny,
		},
		"provider": {
			reason: "another's", handler: give, change: func(c *indirect.RemoteConfig) { c.Provider = "s3" },
			is: ports.ErrNoProvider,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewTLSServer(tc.handler)
			defer server.Close()
			ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
			c := indirect.RemoteConfig{
				Provider: "https", URI: server.URL + "/a?signature=" + canary, CABundle: string(ca),
				Headers: []indirect.Header{{Name: "X-Token", Value: secret.FromString(canary)}},
			}
			if tc.change != nil {
				tc.change(&c)
			}
			limits := quick()
			if again := errors.Is(tc.is, https.ErrTimeout) || errors.Is(tc.is, https.ErrTruncated); !again {
				limits.Timeout, limits.AttemptTimeout = time.Minute, time.Minute
			}
			data, err := limits.Fetch(t.Context(), c)
			if string(data) != tc.want || (err == nil) != (tc.is == nil) || (tc.is != nil && !errors.Is(tc.is, errAny) &&
				!errors.Is(err, tc.is)) {
				t.Errorf("%s: %q %v", tc.reason, data, err)
			}
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("shown: %v", err)
			}
		})
	}
}

var errAny = errors.New("any")

func give(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Token") != canary || r.URL.Query().Get("signature") != canary {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	_, _ = fmt.Fprint(w, "ours")
}
