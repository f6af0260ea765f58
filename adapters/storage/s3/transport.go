package s3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
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

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/pattern"
)

var (
	// errElsewhere means that a request is for a server other than the checked one.
	errElsewhere = errors.New("the request is for another server than the storage's endpoint")
	// errAnswerTooLarge means that a response is larger than any response of S3.
	errAnswerTooLarge = fmt.Errorf("the answer is larger than %d bytes", maxAnswer)
)

// maxAnswer limits the body of a response in bytes. The SDK reads the body of an error into memory, whatever its size.
// The largest response is a list of maxVersions keys, each of 1,024 bytes at most, which XML escapes.
const maxAnswer = 1 << 20

// maxHeader limits the header of a response in bytes.
const maxHeader = 64 << 10

// maxEndpoint is the API's limit for the URL of an endpoint, in characters.
const maxEndpoint = 512

// bucketPattern and prefixPattern are the patterns of the API. They are repeated here, since the API server does not
// validate a storage's annotation with the places of its objects.
var (
	bucketPattern = pattern.Of(63, `^[a-z0-9][a-z0-9.-]+[a-z0-9]$`)
	prefixPattern = regexp.MustCompile(`^([A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?)?$`)
)

// check returns the storage's server and the connections that are allowed for it. Errors name the invalid field.
func (o Options) check(ctx context.Context) (*url.URL, egress.Grant, error) {
	switch {
	case !bucketPattern.MatchString(o.Bucket):
		return nil, egress.Grant{}, fmt.Errorf("spec.bucket: %.80q is not the name of a bucket", o.Bucket)
	case !prefixPattern.MatchString(o.Prefix):
		return nil, egress.Grant{}, fmt.Errorf("spec.prefix: %.80q is not a prefix; use names with slashes between them",
			o.Prefix)
	}
	u, err := o.server(ctx)
	if err != nil {
		return nil, egress.Grant{}, err
	}
	grant, err := o.Endpoints.Endpoint(u)
	if err != nil {
		return nil, grant, fmt.Errorf("spec.endpoint: %w; use another endpoint, or ask the administrator to list it in "+
			"--storage-endpoints", err)
	}
	return u, grant, errors.Join(o.checkStyle(u), o.checkCredentials(u, grant))
}

// checkStyle refuses virtual-hosted buckets for hosts without a domain. The resolver's search list completes such
// names: with the endpoint minio and the bucket web, web.minio would be the Service web in the namespace minio.
func (o Options) checkStyle(u *url.URL) error {
	if o.PathStyle || strings.Contains(strings.TrimSuffix(u.Hostname(), "."), ".") || strings.Contains(u.Hostname(), ":") {
		return nil
	}
	return fmt.Errorf("spec.pathStyle: %s has no domain, so a name with the bucket before it may be another host; "+
		"set pathStyle to true, or use the full name of the server", u.Hostname())
}

// checkCredentials refuses to send credentials to servers that must not receive them. The controller's own credentials
// usually have a session token.
func (o Options) checkCredentials(u *url.URL, grant egress.Grant) error {
	switch {
	case o.Keys == nil && u.Scheme == egress.HTTP:
		return errors.New("spec.credentials: the controller's own identity is not used over http; use an https " +
			"endpoint, or set credentials")
	case o.Keys == nil && !grant.Named():
		return errors.New("spec.credentials: the controller's own identity is used only with endpoints that " +
			"--storage-endpoints lists by name; set credentials, or ask the administrator to list the endpoint")
	case o.Keys != nil && !o.Keys.SessionToken.IsZero() && u.Scheme == egress.HTTP:
		return errors.New("spec.credentials: a sessionToken is not sent over http; use an https endpoint, or credentials " +
			"without sessionToken")
	}
	return nil
}

// server returns the URL of the server, without a bucket.
func (o Options) server(ctx context.Context) (*url.URL, error) {
	if len(o.Endpoint) > maxEndpoint {
		return nil, fmt.Errorf("spec.endpoint: the URL has %d characters; use one of at most %d",
			len(o.Endpoint), maxEndpoint)
	}
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
		return nil, fmt.Errorf("spec.region: %.80q is not an AWS region; use one such as eu-central-1, or set spec.endpoint",
			region)
	}
	found, err := s3.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
		s3.EndpointParameters{Region: &region}.WithDefaults())
	if err != nil {
		return nil, fmt.Errorf("spec.region: AWS has no S3 endpoint for %q", region)
	}
	return &found.URI, nil
}

// client returns an HTTP client for the connections that the grant allows. It follows no redirects, since a server must
// not choose where credentials are sent.
func (o Options) client(server *url.URL, grant egress.Grant) (*http.Client, error) {
	base := awshttp.NewBuildableClient()
	if len(o.CABundle) > 0 {
		pool, err := httpclient.CertPool(o.CABundle)
		if err == nil {
			err = budget.CheckCertificates(o.CABundle)
		}
		if err != nil {
			return nil, fmt.Errorf("spec.certificateAuthority: %w", err)
		}
		base = base.WithTransportOptions(func(t *http.Transport) {
			t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		})
	}
	// A storage is opened for each object, so idle connections would accumulate.
	base = base.WithTransportOptions(func(t *http.Transport) {
		t.DisableKeepAlives, t.MaxResponseHeaderBytes = true, maxHeader
	})
	direct := base.WithDialerOptions(guard(grant)).GetTransport()
	proxied := base.GetTransport()
	t := &transport{options: o, server: server, proxy: direct.Proxy, direct: direct, proxied: proxied}
	direct.Proxy = nil
	return &http.Client{
		Transport: t, Timeout: requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// guard checks each address before the connection, whatever name resolved to it.
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

// refusals makes the transport's refusals final, since a retry would be refused, too.
func refusals() []retry.IsErrorRetryable {
	return []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
		for _, final := range []error{egress.ErrLocal, egress.ErrPrivate, errElsewhere, errAnswerTooLarge} {
			if errors.Is(err, final) {
				return aws.FalseTernary
			}
		}
		return aws.UnknownTernary
	})}
}

// transport sends requests only to the storage's endpoint. The administrator's proxy may have any address; it resolves
// names itself, so it has to check addresses.
type transport struct {
	options         Options
	server          *url.URL
	proxy           func(*http.Request) (*url.URL, error)
	direct, proxied *http.Transport
}

// RoundTrip sends the request and limits the response.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	withoutBucket := strings.TrimPrefix(r.URL.Host, t.options.Bucket+".")
	if !t.isServer(r.URL.Scheme, r.URL.Host) && !t.isServer(r.URL.Scheme, withoutBucket) {
		return nil, errElsewhere
	}
	send := t.direct.RoundTrip
	if proxy, err := t.proxy(r); err != nil || proxy != nil {
		send = t.proxied.RoundTrip
	}
	answer, err := send(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &bounded{ReadCloser: answer.Body, left: maxAnswer}
	return answer, nil
}

// isServer reports whether a request, with the bucket removed from its host, is for the storage's server: the endpoint,
// or a listed AWS endpoint, since the program's environment may select FIPS or dual-stack endpoints.
func (t *transport) isServer(scheme, host string) bool {
	if t.options.Endpoint != "" {
		return scheme == t.server.Scheme && host == t.server.Host
	}
	_, err := t.options.Endpoints.Endpoint(&url.URL{Scheme: scheme, Host: host})
	return err == nil
}

// bounded is a response body that returns an error if it is too large.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errAnswerTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n, errAnswerTooLarge
	}
	return n, err
}
