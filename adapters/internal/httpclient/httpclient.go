// Package httpclient contains what HTTP clients share: authorities, redirects, and errors without secrets.
package httpclient

import (
	"crypto/x509"
	"errors"
	"fmt"
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

// maxRedirects is the limit of net/http.
const maxRedirects = 10

// WithoutReferer is for http.Client's field CheckRedirect. It follows redirects without the header Referer, which would
// send the previous URL, perhaps a signed one, to the next host.
func WithoutReferer(r *http.Request, via []*http.Request) error {
	r.Header.Del("Referer")
	if len(via) >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	return nil
}
