package httpclient_test

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
)

func TestCertPool(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	pool, err := httpclient.CertPool(bundle)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Transport.(*http.Transport).TLSClientConfig.RootCAs = pool
	response, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	for _, text := range []string{"", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"} {
		if pool, err := httpclient.CertPool([]byte(text)); !errors.Is(err, httpclient.ErrNoCertificate) || pool != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWithoutURL(t *testing.T) {
	refused := errors.New("connection refused")
	cases := map[string]struct {
		reason string
		err    error
		want   string
	}{
		"request": {
			"a URL may be signed",
			&url.Error{Op: "Get", URL: "https://a/?signature=s3cret", Err: refused}, refused.Error(),
		},
		"other": {"an error without a URL stays", refused, refused.Error()},
		"proxy": {
			"the URL of a proxy may contain a password",
			&url.Error{Op: "Get", URL: "https://a", Err: errors.New(`proxy "http://u:s3cret@b" failed`)}, "",
		},
	}
	for name, tc := range cases {
		got := httpclient.WithoutURL(tc.err)
		if got == nil || strings.Contains(got.Error(), "s3cret") || tc.want != "" && got.Error() != tc.want {
			t.Errorf("%s: %s: got %v, want %q", name, tc.reason, got, tc.want)
		}
	}
	if err := httpclient.WithoutURL(nil); err != nil {
		t.Errorf("no error becomes %v", err)
	}
	if got := httpclient.WithoutURL(&url.Error{Err: refused}); !errors.Is(got, refused) {
		t.Errorf("%v is not the cause", got)
	}
}

func TestWithoutReferer(t *testing.T) {
	referers := make(chan string, 1)
	next := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		referers <- r.Header.Get("Referer")
	}))
	defer next.Close()
	first := httptest.NewServer(http.RedirectHandler(next.URL, http.StatusFound))
	defer first.Close()
	loop := httptest.NewServer(http.RedirectHandler("/", http.StatusFound))
	defer loop.Close()
	client := &http.Client{CheckRedirect: httpclient.WithoutReferer}
	response, err := client.Get(first.URL + "/?signature=s3cret")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if got := <-referers; got != "" {
		t.Errorf("the next host got the referer %q", got)
	}
	response, err = client.Get(loop.URL)
	if err == nil {
		_ = response.Body.Close()
		t.Error("a loop of redirects has no end")
	}
}
