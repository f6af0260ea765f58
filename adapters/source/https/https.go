// Package https fetches machine configuration over HTTPS or HTTP. It is part of the agent.
package https

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

// Provider is the name of this source in RemoteConfig.provider.
const Provider = "https"

// The errors of Fetch.
var (
	// ErrDenied means that the server denies access: the credential is wrong or expired.
	ErrDenied = errors.New("the server denies it; the address may have expired")
	// ErrNotFound means that the configuration does not exist on the server.
	ErrNotFound = errors.New("the server does not have it")
	// ErrTruncated means that the response is shorter than its Content-Length.
	ErrTruncated = errors.New("it was cut off")
	// ErrTooLarge means that the response exceeds the size limit of a configuration.
	ErrTooLarge = errors.New("it is too large")
	// ErrTimeout means that the response did not arrive in time.
	ErrTimeout = errors.New("the server is too slow, or does not answer")
	// ErrRedirect means that the server redirects the request. Redirects are not followed.
	ErrRedirect = errors.New("the server redirects, which is not followed")
)

// Source fetches over HTTP. A Source without a Timeout has the limits of Default.
type Source struct {
	// Proxy selects the proxy for a request, as in http.Transport; nil means the proxy of the environment.
	Proxy func(*http.Request) (*url.URL, error)
	// Timeout is the timeout of all attempts together, AttemptTimeout the timeout of one attempt, and RetryInterval the
	// pause between attempts.
	Timeout, AttemptTimeout, RetryInterval time.Duration
	// MaxBytes is the maximum size of the configuration in bytes.
	MaxBytes int64
}

var _ ports.Source = Source{}

// Default returns the limits for a first boot. All attempts together may take ten minutes, because the network may come
// up late.
func Default() Source {
	return Source{
		Timeout: 10 * time.Minute, AttemptTimeout: 2 * time.Minute, RetryInterval: 5 * time.Second,
		MaxBytes: delivery.MaxStored,
	}
}

// Fetch fetches the configuration. It retries if the server does not answer or reports a temporary error; all other
// responses are final. Errors contain neither the query of the URL nor headers.
func (s Source) Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if s.Timeout == 0 {
		proxy := s.Proxy
		s = Default()
		s.Proxy = proxy
	}
	if c.Provider != Provider {
		return nil, fmt.Errorf("%s: %w", c.Provider, ports.ErrNoProvider)
	}
	client, err := s.client(c)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", c.Place(), err)
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, ErrTimeout)
	defer cancel()
	var last error
	data, err := backoff.Retry(ctx, func() ([]byte, error) {
		data, err := s.attempt(ctx, client, c)
		// An attempt that the end of the time has cancelled does not hide the error of the one before.
		if err != nil && (last == nil || ctx.Err() == nil) {
			last = err
		}
		return data, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(s.RetryInterval)), backoff.WithMaxElapsedTime(0))
	switch {
	case err != nil && errors.Is(err, context.Cause(ctx)):
		return nil, fmt.Errorf("fetch %s: %w: %w", c.Place(), err, last)
	case err != nil:
		return nil, fmt.Errorf("fetch %s: %w", c.Place(), err)
	}
	return data, nil
}

// client returns what speaks with the document's server alone.
func (s Source) client(c indirect.RemoteConfig) (*http.Client, error) {
	u, err := url.Parse(c.URI)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil {
		return nil, errors.New("this is not an http or https URL")
	}
	proxy := s.Proxy
	if proxy == nil {
		proxy = http.ProxyFromEnvironment
	}
	transport := &http.Transport{
		Proxy: proxy, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 30 * time.Second,
		// What the server compresses has another digest.
		DisableCompression: true, ForceAttemptHTTP2: true,
	}
	if c.CABundle != "" {
		pool, err := httpclient.CertPool([]byte(c.CABundle))
		if err != nil {
			return nil, fmt.Errorf("caBundle: %w", err)
		}
		transport.TLSClientConfig.RootCAs = pool
	}
	return &http.Client{
		Transport: transport, Timeout: s.AttemptTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// attempt sends one request. An error that another request does not mend is a backoff.PermanentError.
func (s Source) attempt(ctx context.Context, client *http.Client, c indirect.RemoteConfig) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URI, nil)
	if err != nil {
		return nil, backoff.Permanent(errors.New("the request cannot be made"))
	}
	for _, h := range c.Headers {
		r.Header.Set(h.Name, string(h.Value.Reveal()))
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, bare(err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch code := answer.StatusCode; {
	case code == http.StatusOK:
		return s.read(answer)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return nil, backoff.Permanent(ErrDenied)
	case code == http.StatusNotFound || code == http.StatusGone:
		return nil, backoff.Permanent(ErrNotFound)
	case code >= 300 && code < 400:
		return nil, backoff.Permanent(ErrRedirect)
	case code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests:
		return nil, fmt.Errorf("HTTP status %d", code)
	default:
		return nil, backoff.Permanent(fmt.Errorf("HTTP status %d", code))
	}
}

func (s Source) read(answer *http.Response) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(answer.Body, s.MaxBytes+1))
	switch {
	case int64(len(data)) > s.MaxBytes:
		return nil, backoff.Permanent(ErrTooLarge)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, ErrTruncated
	case err != nil:
		return nil, bare(err)
	default:
		return data, nil
	}
}

// bare returns the error without the URL.
func bare(err error) error {
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return ErrTimeout
	}
	return httpclient.WithoutURL(err)
}
