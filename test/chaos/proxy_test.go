package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"
)

// TestProxyPassesCredentialsOnAndInjects checks the proxy without an API server.
func TestProxyPassesCredentialsOnAndInjects(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("Authorization") != "Bearer a" || r.URL.Path != "/api" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	p, err := newProxy(&rest.Config{Host: server.URL}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const each = 25
	codes := map[int]int{}
	for range 4 * oneIn * each {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.URL+"/api", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer a")
		answer, err := p.Client().Do(request)
		if err != nil {
			codes[0]++
			continue
		}
		codes[answer.StatusCode]++
		if err := answer.Body.Close(); err != nil {
			t.Error(err)
		}
	}
	injected := p.injected()
	for code, f := range map[int]fault{0: faultLost, 409: faultConflict, 504: faultTimeout, 429: faultTooMany} {
		if codes[code] != each || injected[f] != each {
			t.Errorf("%d answers with code %d, and %d %s, want %d", codes[code], code, injected[f], f, each)
		}
	}
	if passed := codes[http.StatusOK] + codes[0]; asked != passed {
		t.Errorf("the server was asked %d times, want %d", asked, passed)
	}
}
