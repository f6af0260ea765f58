// Package s3 fetches machine configuration from buckets of any S3-compatible server, with the credentials of the
// machine.
package s3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"

	"github.com/machineadm/machineadm/adapters/internal/httpclient"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/ports"
)

// Provider is the name of this source in RemoteConfig.provider.
const Provider = "s3"

// The errors of Fetch.
var (
	// ErrDenied means that the credentials of the machine do not permit access.
	ErrDenied = errors.New("the server denies it to this machine")
	// ErrNotFound means that the bucket or the object does not exist.
	ErrNotFound = errors.New("the server does not have it")
	// ErrTooLarge means that the object exceeds the size limit of a configuration.
	ErrTooLarge = errors.New("it is too large")
	// ErrUnreachable means that the server did not answer in time, or that the connection was interrupted.
	ErrUnreachable = errors.New("the server cannot be reached, or is too slow")
)

// Source fetches objects. The zero Source uses the default credentials of the AWS SDK, usually the role of the
// instance.
type Source struct {
	// Settings take precedence over the defaults of the AWS SDK.
	Settings Settings
	// Limit is the timeout of all attempts together; 0 means four minutes, which is a little less than the agent's
	// timeout for a plugin.
	Limit time.Duration
}

// Settings are credentials and a server. Each may be empty.
type Settings struct {
	AccessKeyID, SecretAccessKey, SessionToken string
	Region, Endpoint                           string
	PathStyle                                  bool
}

var _ ports.Source = Source{}

// Fetch fetches the object that the URI names.
func (s Source) Fetch(ctx context.Context, c indirect.RemoteConfig) ([]byte, error) {
	if c.Provider != Provider {
		return nil, fmt.Errorf("%s: %w", c.Provider, ports.ErrNoProvider)
	}
	object, err := Parse(c.URI)
	if err != nil {
		return nil, err
	}
	limit := s.Limit
	if limit == 0 {
		limit = 4 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	client, err := s.client(ctx, object, c.CABundle)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", c.Place(), err)
	}
	data, err := get(ctx, client, object)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", c.Place(), err)
	}
	return data, nil
}

func get(ctx context.Context, client *s3.Client, o Object) ([]byte, error) {
	input := &s3.GetObjectInput{Bucket: &o.Bucket, Key: &o.Key}
	if o.VersionID != "" {
		input.VersionId = &o.VersionID
	}
	answer, err := client.GetObject(ctx, input)
	if err != nil {
		return nil, safeError(err)
	}
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(answer.Body, delivery.MaxStored+1))
	switch {
	case len(data) > delivery.MaxStored:
		return nil, ErrTooLarge
	case err != nil:
		return nil, ErrUnreachable
	default:
		return data, nil
	}
}

// safeError returns the error without parts of the request.
func safeError(err error) error {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		switch code := response.HTTPStatusCode(); code {
		case http.StatusUnauthorized, http.StatusForbidden:
			return ErrDenied
		case http.StatusNotFound:
			return notFound(err)
		default:
			if code >= 300 {
				return fmt.Errorf("the server answered with status %d", code)
			}
		}
	}
	var answer smithy.APIError
	if errors.As(err, &answer) {
		return fmt.Errorf("the server answered %s", answer.ErrorCode())
	}
	return ErrUnreachable
}

// notFound distinguishes an unknown user, which some servers report as not found, from an unknown object.
func notFound(err error) error {
	var answer smithy.APIError
	if errors.As(err, &answer) && answer.ErrorCode() == "XAdminUserNotFound" {
		return ErrDenied
	}
	return ErrNotFound
}

func (s Source) client(ctx context.Context, o Object, bundle string) (*s3.Client, error) {
	transport, err := transport(bundle)
	if err != nil {
		return nil, err
	}
	given := s.Settings
	if o.Region != "" {
		given.Region = o.Region
	}
	if o.Endpoint != "" {
		given.Endpoint = o.Endpoint
	}
	options := []func(*config.LoadOptions) error{config.WithHTTPClient(transport)}
	switch {
	case given.Region != "":
		options = append(options, config.WithRegion(given.Region))
	case given.Endpoint != "":
		options = append(options, config.WithRegion("us-east-1"))
	default:
		options = append(options, config.WithEC2IMDSRegion())
	}
	if given.AccessKeyID != "" {
		options = append(options, config.WithCredentialsProvider(
			credentials.NewStaticCredentialsProvider(given.AccessKeyID, given.SecretAccessKey, given.SessionToken)))
	}
	c, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, errors.New("the region is unknown; set it in the URI or in the settings file")
	}
	return s3.NewFromConfig(c, func(so *s3.Options) {
		so.HTTPClient = withoutRedirects(so.HTTPClient)
		so.UsePathStyle = given.PathStyle || o.PathStyle
		so.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if given.Endpoint != "" {
			so.BaseEndpoint = &given.Endpoint
		}
	}), nil
}

// withoutRedirects returns a client that follows no redirect to another server.
func withoutRedirects(c aws.HTTPClient) aws.HTTPClient {
	built, ok := c.(*awshttp.BuildableClient)
	if !ok {
		return c
	}
	return &http.Client{
		Transport: bounded{built.GetTransport()}, Timeout: built.GetTimeout(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded reads no more of an answer than a configuration has at most: the SDK reads the body of an error into memory.
type bounded struct{ http.RoundTripper }

// RoundTrip sends the request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, delivery.MaxStored+1), answer.Body}
	}
	return answer, err
}

func transport(bundle string) (*awshttp.BuildableClient, error) {
	client := awshttp.NewBuildableClient().WithTimeout(2 * time.Minute)
	if bundle == "" {
		return client, nil
	}
	pool, err := httpclient.CertPool([]byte(bundle))
	if err != nil {
		return nil, fmt.Errorf("caBundle: %w", err)
	}
	return client.WithTransportOptions(func(t *http.Transport) {
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}), nil
}
