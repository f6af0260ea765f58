package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/machineadm/machineadm/domain/egress"
)

// errElsewhere means that a request is for another server than the one that was checked.
var errElsewhere = errors.New("the request is for another server than the storage's endpoint")

// bucketPattern and prefixPattern are those of the API. They are checked here, too, since a storage's annotation with the
// places of its objects is not checked by the API server.
var (
	bucketPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	prefixPattern = regexp.MustCompile(`^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?)?$`)
)

// check returns what the storage may connect to. What it must not do is an error that names the field.
func (o Options) check(ctx context.Context) (egress.Grant, error) {
	switch {
	case !bucketPattern.MatchString(o.Bucket):
		return egress.Grant{}, fmt.Errorf("spec.bucket: %q is not the name of a bucket", o.Bucket)
	case !prefixPattern.MatchString(o.Prefix):
		return egress.Grant{}, fmt.Errorf("spec.prefix: %q is not a prefix; use names with slashes between them", o.Prefix)
	}
	u, err := o.server(ctx)
	if err != nil {
		return egress.Grant{}, err
	}
	grant, err := o.Endpoints.Endpoint(u)
	if err != nil {
		return grant, fmt.Errorf("spec.endpoint: %w; use another endpoint, or ask the administrator to list it in --storage-endpoints", err)
	}
	return grant, o.checkCredentials(u, grant)
}

// checkCredentials keeps credentials from servers that must not see them. The controller's own usually have a session token.
func (o Options) checkCredentials(u *url.URL, grant egress.Grant) error {
	switch {
	case o.Keys == nil && u.Scheme == egress.HTTP:
		return errors.New("spec.credentials: the controller's own identity is not used over http; use an https endpoint, or set credentials")
	case o.Keys == nil && !grant.Named():
		return errors.New("spec.credentials: the controller's own identity is used only with endpoints that --storage-endpoints lists by name; " +
			"set credentials, or ask the administrator to list the endpoint")
	case o.Keys != nil && !o.Keys.SessionToken.IsZero() && u.Scheme == egress.HTTP:
		return errors.New("spec.credentials: a sessionToken is not sent over http; use an https endpoint, or credentials without sessionToken")
	}
	return nil
}

// server returns the URL of the server, without a bucket.
func (o Options) server(ctx context.Context) (*url.URL, error) {
	if o.Endpoint != "" {
		u, err := url.Parse(o.Endpoint)
		if err != nil {
			return nil, errors.New("spec.endpoint: this is not a URL; use https://HOST or https://HOST:PORT")
		}
		return u, nil
	}
	region := o.Region
	if region == "" {
		region = DefaultRegion
	}
	if !egress.IsAWSRegion(region) {
		return nil, fmt.Errorf("spec.region: %q is not an AWS region; use one such as eu-central-1, or set spec.endpoint", region)
	}
	found, err := s3.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx, s3.EndpointParameters{Region: &region}.WithDefaults())
	if err != nil {
		return nil, fmt.Errorf("spec.region: AWS has no S3 endpoint for %q", region)
	}
	return &found.URI, nil
}

// client returns a client that connects to what the grant allows, and follows no redirect: a server must not choose where
// credentials go.
func (o Options) client(grant egress.Grant) (*http.Client, error) {
	base := awshttp.NewBuildableClient()
	if len(o.CABundle) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			return nil, fmt.Errorf("read the system's certificates: %w", err)
		}
		if !pool.AppendCertsFromPEM(o.CABundle) {
			return nil, errors.New("spec.certificateAuthority: there is no certificate in PEM")
		}
		base = base.WithTransportOptions(func(t *http.Transport) {
			t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		})
	}
	direct := base.WithDialerOptions(guard(grant)).GetTransport()
	proxied := base.GetTransport()
	t := &transport{options: o, proxy: direct.Proxy, direct: direct, proxied: proxied}
	direct.Proxy = nil
	return &http.Client{
		Transport: t, Timeout: requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// guard checks each address before it is connected to, whatever name led to it.
func guard(grant egress.Grant) func(*net.Dialer) {
	return func(d *net.Dialer) {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return egress.ErrLocal
			}
			return grant.Check(to.Addr())
		}
	}
}

// refusals makes what the transport refuses final: another attempt would be refused, too.
func refusals() []retry.IsErrorRetryable {
	return []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
		if errors.Is(err, egress.ErrLocal) || errors.Is(err, egress.ErrPrivate) || errors.Is(err, errElsewhere) {
			return aws.FalseTernary
		}
		return aws.UnknownTernary
	})}
}

// transport sends requests to the storage's endpoint alone. The administrator's proxy is connected to wherever it is; it
// resolves names itself, so addresses are its own to check.
type transport struct {
	options         Options
	proxy           func(*http.Request) (*url.URL, error)
	direct, proxied *http.Transport
}

// RoundTrip sends the request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	server := *r.URL
	server.Host = strings.TrimPrefix(server.Host, t.options.Bucket+".")
	server.Path, server.RawPath, server.RawQuery = "", "", ""
	if _, err := t.options.Endpoints.Endpoint(&server); err != nil {
		return nil, errElsewhere
	}
	if proxy, err := t.proxy(r); err != nil || proxy != nil {
		return t.proxied.RoundTrip(r)
	}
	return t.direct.RoundTrip(r)
}
