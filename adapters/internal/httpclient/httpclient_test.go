package httpclient_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

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

// TestCause verifies that attempts that fail in the same way have the same message.
func TestCause(t *testing.T) {
	address := func(port int) *net.TCPAddr { return &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: port} }
	untrusted := "the server's certificate is not trusted"
	cases := map[string]struct {
		reason string
		// at returns the error of an attempt from the port.
		at   func(port int) error
		want string
	}{
		"reset": {"each connection has another port", func(port int) error {
			return &net.OpError{
				Op: "read", Net: "tcp", Source: address(port), Addr: address(443),
				Err: os.NewSyscallError("read", syscall.ECONNRESET),
			}
		}, "read: read: connection reset by peer"},
		"refused": {"the address of a name changes", func(port int) error {
			return &net.OpError{Op: "dial", Net: "tcp", Addr: address(port), Err: os.NewSyscallError("connect",
				syscall.ECONNREFUSED)}
		}, "dial: connect: connection refused"},
		"lookup": {"each query has another port", func(port int) error {
			message := fmt.Sprintf("read udp 10.0.0.7:%d->10.0.0.1:53: i/o timeout", port)
			return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: message, Name: "s3.example", IsTimeout: true}}
		}, "the host s3.example cannot be resolved"},
		"no host": {"several servers may answer", func(port int) error {
			return &net.DNSError{
				Err: "no such host", Name: "s3.example", Server: fmt.Sprintf("10.0.0.1:%d", port),
				IsNotFound: true,
			}
		}, "there is no host s3.example"},
		"expired": {"the message contains the time", func(port int) error {
			now := time.Unix(int64(port), 0).Format(time.RFC3339)
			return &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{
				Reason: x509.Expired,
				Detail: "current time " + now,
			}}
		}, "the server's certificate has expired or is not valid yet"},
		"authority": {
			"the certificate contains names", func(int) error { return x509.UnknownAuthorityError{} }, untrusted,
		},
		"name": {"an address has no name", func(port int) error {
			return x509.HostnameError{Certificate: &x509.Certificate{}, Host: fmt.Sprintf("10.0.0.%d", port%256)}
		}, untrusted},
		"late": {
			"the controller distinguishes its own timeout", func(int) error { return context.DeadlineExceeded },
			"context deadline exceeded",
		},
		"canceled": {"likewise", func(int) error { return context.Canceled }, "context canceled"},
		"cut off":  {"it contains nothing else", func(int) error { return io.ErrUnexpectedEOF }, "unexpected EOF"},
	}
	for name, tc := range cases {
		for _, port := range []int{40001, 40002} {
			request := &url.Error{Op: "Put", URL: "https://s3.example/?X-Amz-Signature=0", Err: tc.at(port)}
			if got := httpclient.Cause(errors.Join(request)); got == nil || got.Error() != tc.want {
				t.Errorf("%s: %s: got %v, want %q", name, tc.reason, got, tc.want)
			}
		}
	}
}

func TestRedirectsSendNoReferer(t *testing.T) {
	referers := make(chan string, 1)
	next := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		referers <- r.Header.Get("Referer")
	}))
	defer next.Close()
	first := httptest.NewServer(http.RedirectHandler(next.URL, http.StatusFound))
	defer first.Close()
	loop := httptest.NewServer(http.RedirectHandler("/", http.StatusFound))
	defer loop.Close()
	client := &http.Client{CheckRedirect: httpclient.CheckRedirect}
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

func TestRedirectsToHTTPAreRefused(t *testing.T) {
	asked := false
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	client := secure.Client()
	client.CheckRedirect = httpclient.CheckRedirect
	response, err := client.Get(secure.URL)
	if err == nil {
		_ = response.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "redirects from https to http; use") || asked {
		t.Errorf("got %v, asked the server over http: %v", err, asked)
	}
}
