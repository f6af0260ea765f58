// Package httpclient contains what HTTP clients share: authorities, redirects, and errors without secrets.
package httpclient

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/machineadm/machineadm/domain/report"
)

// ErrNoCertificate means that a bundle of authorities contains no certificate.
var ErrNoCertificate = errors.New("no certificate in PEM found")

// CertPool returns the authorities of the system and of the bundle, in PEM. If the system's cannot be read, it returns
// those of the bundle.
func CertPool(bundle []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(bundle) {
		return nil, ErrNoCertificate
	}
	return pool, nil
}

// WithoutURL returns the cause of a request's error. It contains neither the URL, which may be signed, nor other quoted
// text, such as the URL of a proxy or a redirect.
func WithoutURL(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	return report.Quiet(err)
}

// Cause returns why a request got no response. Its message is the same for each attempt: it contains no times,
// addresses and ports, and no text that WithoutURL removes. So a condition that contains it does not change. Errors of
// contexts are returned as they are.
func Cause(err error) error {
	var (
		lookup  *net.DNSError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		name    x509.HostnameError
		network *net.OpError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return errors.New("there is no host " + lookup.Name)
	case errors.As(err, &lookup):
		return errors.New("the host " + lookup.Name + " cannot be resolved")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return errors.New("the server's certificate has expired or is not valid yet")
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &name):
		return errors.New("the server's certificate is not trusted")
	case errors.As(err, &network) && network.Err != nil:
		return fmt.Errorf("%s: %w", network.Op, Cause(network.Err))
	default:
		return WithoutURL(err)
	}
}

// maxRedirects is the limit of net/http.
const maxRedirects = 10

// CheckRedirect is for the field of http.Client with this name. It follows redirects without the header Referer, which
// would send the previous URL, perhaps a signed one, to the next host. It refuses a redirect from https to http, whose
// answer anyone on the network can change.
func CheckRedirect(r *http.Request, via []*http.Request) error {
	r.Header.Del("Referer")
	if r.URL.Scheme == "http" && via[len(via)-1].URL.Scheme == "https" {
		return errors.New("the server redirects from https to http; use an https URL without such a redirect")
	}
	if len(via) >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	return nil
}
