//go:build linux

package linux

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
)

// The time limits for a server until it sends the response header.
const (
	connect = 30 * time.Second
	answers = time.Minute
)

// trusted returns the CA bundles of the distributions.
func trusted() []string {
	return []string{
		"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
	}
}

// client returns an HTTP client with the machine's proxy and trusted certificates. It reads both each time, because
// earlier phases may have changed them since the process started.
func (t *tree) client() (*http.Client, error) {
	roots, err := t.certificates()
	if err != nil {
		return nil, err
	}
	proxy, _, err := t.proxy()
	if err != nil {
		return nil, err
	}
	return &http.Client{CheckRedirect: httpclient.CheckRedirect, Transport: &http.Transport{
		Proxy:               proxy,
		DialContext:         (&net.Dialer{Timeout: connect}).DialContext,
		TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: connect, ResponseHeaderTimeout: answers, ForceAttemptHTTP2: true,
	}}, nil
}

// certificates returns the machine's CA bundle, or nil for the library's default if there is no bundle.
func (t *tree) certificates() (*x509.CertPool, error) {
	for _, at := range trusted() {
		data, err := t.read(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(data) {
			return nil, fmt.Errorf("%s has no certificate", at)
		}
		return pool, nil
	}
	return nil, nil //nolint:nilnil // The library uses its default for nil.
}

// Proxy returns the function that selects the machine's proxy for a request. It returns nil if the machine has no
// proxy. The errors of the function do not contain the proxy's address, which may contain a password.
func (h *Host) Proxy(context.Context) (func(*http.Request) (*url.URL, error), error) {
	proxy, configured, err := h.tree.proxy()
	if !configured {
		return nil, err
	}
	return proxy, nil
}

// proxy returns the function that selects the proxy for a request, and whether there is a proxy.
func (t *tree) proxy() (proxy func(*http.Request) (*url.URL, error), configured bool, err error) {
	data, err := t.read(proxyEnvironment)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, err
	}
	values := environment(string(data))
	choose := (&httpproxy.Config{
		HTTPProxy: values["HTTP_PROXY"], HTTPSProxy: values["HTTPS_PROXY"], NoProxy: values["NO_PROXY"],
	}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) {
		u, err := choose(r.URL)
		if err != nil {
			// url.Parse errors contain the URL with its password.
			return nil, fmt.Errorf("the proxy in %s has no proper address", proxyEnvironment)
		}
		return u, nil
	}, values["HTTP_PROXY"]+values["HTTPS_PROXY"] != "", nil
}

// environment parses a file that both the shell and systemd read: lines of NAME="value", in which a backslash escapes
// special characters.
func environment(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		if len(value) > 1 && value[0] == '"' && strings.HasSuffix(value, `"`) {
			value = unescaped(value[1 : len(value)-1])
		}
		values[name] = value
	}
	return values
}

func unescaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
