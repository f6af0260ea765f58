package upload

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
)

// maxBody is the maximum size of a report that the endpoint accepts, in bytes.
const maxBody = 32 << 10

var (
	// errRefused means that a retry would be refused, too.
	errRefused = errors.New("the endpoint refuses the report")
	errFile    = errors.New("the file of the report is none")
)

// destination is the content of the report file.
type destination struct {
	url        string
	credential secret.Value
	roots      *x509.CertPool
}

// read reads the file with the URL, the credential and the certificates.
func read(path string) (destination, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return destination{}, err
	}
	address, rest, _ := strings.Cut(string(data), "\n")
	shown, certificates, found := strings.Cut(rest, "\n")
	if !found || !strings.HasPrefix(address, "https://") || shown == "" {
		return destination{}, fmt.Errorf("%s: %w", path, errFile)
	}
	d := destination{url: address, credential: secret.FromString(shown)}
	if strings.TrimSpace(certificates) == "" {
		return d, nil
	}
	d.roots = x509.NewCertPool()
	if !d.roots.AppendCertsFromPEM([]byte(certificates)) {
		return d, fmt.Errorf("%s: %w", path, errFile)
	}
	return d, nil
}

// client returns an HTTP client that trusts the authorities of the destination, or those of the system if it has none.
// It uses no proxy and follows no redirects, so that the credential is sent to no other server.
func (d destination) client() *http.Client {
	return &http.Client{
		Timeout: attempt,
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: d.roots}, DisableKeepAlives: true,
			TLSHandshakeTimeout: attempt,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send uploads the status once. Errors contain neither the address nor the credential.
func (r *Reporter) send(s status.Status) error {
	d, err := read(r.Path)
	if err != nil {
		return err
	}
	body, err := r.encode(s)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, d.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", r.Path, errFile)
	}
	request.Header.Set("Authorization", "Bearer "+string(d.credential.Reveal()))
	request.Header.Set("Content-Type", "application/json")
	answer, err := d.client().Do(request)
	if err != nil {
		return httpclient.WithoutURL(err)
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code >= 500 || code == http.StatusTooManyRequests:
		return fmt.Errorf("the endpoint answers %d", code)
	default:
		return fmt.Errorf("%w: it answers %d", errRefused, code)
	}
}

// encode encodes the status within the endpoint's limit: if it is too long, it first omits the details of the steps,
// then the steps.
func (r *Reporter) encode(s status.Status) ([]byte, error) {
	body, err := r.Encode(s)
	if err != nil || len(body) <= maxBody {
		return body, err
	}
	steps := make([]status.Step, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = status.Step{Phase: step.Phase, Outcome: step.Outcome}
	}
	s.Steps = steps
	if body, err = r.Encode(s); err != nil || len(body) <= maxBody {
		return body, err
	}
	s.Steps = nil
	return r.Encode(s)
}
