// Package s3 stores objects that machines fetch in a bucket of an S3-compatible server, and signs URLs for them.
package s3

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// DefaultRegion is the default region of signatures.
	DefaultRegion = "us-east-1"
	// requestTimeout limits one attempt of a request.
	requestTimeout = 30 * time.Second
	// callTimeout limits a call of Put or Delete with all its requests. A server could otherwise answer each request in
	// time without an end.
	callTimeout = 2 * time.Minute
	// maxVersions is the page size when versions of an object are listed.
	maxVersions = 100
	contentType = "application/octet-stream"
	// maxReplace limits the attempts to replace an object that another client replaces at the same time.
	maxReplace = 4
)

// Options configure a storage. Bucket and Clock are required.
type Options struct {
	Bucket string
	// Prefix is the prefix of all object keys.
	Prefix string
	// Region defaults to DefaultRegion. Endpoint is the server's URL, or empty for AWS's endpoint of the region.
	Region, Endpoint string
	// PathStyle puts the bucket into the path of URLs instead of the host.
	PathStyle bool
	// Endpoints is the policy of allowed endpoints; the zero policy allows none.
	Endpoints egress.Policy
	// CABundle contains PEM certificates that are trusted for the server, in addition to those of the system.
	CABundle []byte
	// Encryption is AES256 or aws:kms, with KMSKeyID or the account's default key; empty is the bucket's default.
	Encryption, KMSKeyID string
	// Keys are the credentials; nil uses the SDK's default credential chain.
	Keys  *Keys
	Clock ports.Clock
	// CallTimeout limits a call of Put or Delete; 0 is two minutes.
	CallTimeout time.Duration
	// Log receives the reason why a server cannot be reached; it may be nil.
	Log *slog.Logger
}

// Keys is an access key. SessionToken may be empty.
type Keys struct {
	AccessKeyID                   string
	SecretAccessKey, SessionToken secret.Value
}

// Storage implements ports.Storage.
type Storage struct {
	options Options
	client  *s3.Client
	signer  *s3.PresignClient
}

// New returns a storage. It sends no request to the server.
func New(ctx context.Context, o Options) (*Storage, error) {
	server, grant, err := o.check(ctx)
	if err != nil {
		return nil, err
	}
	transport, err := o.client(server, grant)
	if err != nil {
		return nil, err
	}
	if o.Region == "" {
		o.Region = DefaultRegion
	}
	c := aws.Config{Region: o.Region}
	if o.Keys != nil {
		c.Credentials = credentials.NewStaticCredentialsProvider(
			o.Keys.AccessKeyID, string(o.Keys.SecretAccessKey.Reveal()), string(o.Keys.SessionToken.Reveal()))
	} else if c, err = ownConfig(ctx, o.Region); err != nil {
		return nil, err
	}
	client := s3.NewFromConfig(c, func(s *s3.Options) {
		// This client is only for the bucket's server; the SDK gets the program's own credentials with another one.
		s.HTTPClient, s.UsePathStyle, s.Region = transport, o.PathStyle, o.Region
		s.Retryer = retry.NewStandard(func(r *retry.StandardOptions) { r.Retryables = append(refusals(), r.Retryables...) })
		// Checksums are sent only where required; other servers than AWS do not support the newest ones.
		s.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		s.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if o.Endpoint != "" {
			s.BaseEndpoint = &o.Endpoint
		}
	})
	return &Storage{options: o, client: client, signer: s3.NewPresignClient(client)}, nil
}

// ownConfig returns the configuration of the program's own identity. The region is part of the host of the credential
// service, which receives a token of the program, so it comes from the program's environment. If that has no region, a
// valid AWS region of the storage is used; sts.s3.amazonaws.com, for example, would be a bucket.
func ownConfig(ctx context.Context, region string) (aws.Config, error) {
	if !egress.IsAWSRegion(region) {
		region = DefaultRegion
	}
	c, err := config.LoadDefaultConfig(ctx, config.WithDefaultRegion(region))
	if err != nil {
		return c, errors.New("find the program's own credentials: they cannot be read")
	}
	return c, nil
}

// bound returns a context with the timeout of a call.
func (s *Storage) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(s.options.CallTimeout, callTimeout))
}

func (s *Storage) key(name string) *string { return aws.String(s.options.Prefix + name) }

// Put uploads the data unless the object exists. It replaces an existing object only if that was not changed since it
// was compared.
func (s *Storage) Put(ctx context.Context, name string, data secret.Value) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	digest := *checksum(data.Reveal())
	var err error
	for range maxReplace {
		input := s.upload(name, data, digest)
		input.IfNoneMatch = aws.String("*")
		if err = s.put(ctx, input, data); !is(err, codePrecondition, codeConflict) {
			break
		}
		if err = s.replace(ctx, name, data, digest); !is(err, codePrecondition, codeConflict, codeNoKey, codeNotFound) {
			break
		}
	}
	// A server without conditional writes gets an unconditional one. Names contain digests, so little can be lost.
	if is(err, codeNotImplemented) {
		err = s.put(ctx, s.upload(name, data, digest), data)
	}
	return s.wrapError(ctx, "store an object", err)
}

func (s *Storage) put(ctx context.Context, input *s3.PutObjectInput, data secret.Value) error {
	input.Body = bytes.NewReader(data.Reveal())
	_, err := s.client.PutObject(ctx, input)
	return err
}

func (s *Storage) upload(name string, data secret.Value, digest string) *s3.PutObjectInput {
	return &s3.PutObjectInput{
		Bucket: &s.options.Bucket, Key: s.key(name), ContentLength: aws.Int64(int64(data.Len())), ChecksumSHA256: &digest,
		ContentType: aws.String(contentType), SSEKMSKeyId: s.options.keyID(),
		ServerSideEncryption: types.ServerSideEncryption(s.options.Encryption),
	}
}

// replace replaces an object unless it already contains the data.
func (s *Storage) replace(ctx context.Context, name string, data secret.Value, digest string) error {
	head, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{
		Bucket: &s.options.Bucket, Key: s.key(name), ChecksumMode: types.ChecksumModeEnabled,
	})
	if err != nil {
		return err
	}
	if aws.ToString(head.ChecksumSHA256) == digest && aws.ToInt64(head.ContentLength) == int64(data.Len()) {
		return nil
	}
	input := s.upload(name, data, digest)
	input.IfMatch = head.ETag
	return s.put(ctx, input, data)
}

// Locate signs a URL. The URL expires no later than the credentials that sign it.
func (s *Storage) Locate(ctx context.Context, name string, lifetime time.Duration) (delivery.Location, error) {
	now := s.options.Clock.Now()
	expires := now.Add(lifetime)
	keys, err := s.client.Options().Credentials.Retrieve(ctx)
	if err != nil {
		return delivery.Location{}, fmt.Errorf("%w: there are no credentials", ports.ErrStorageDenied)
	}
	if keys.CanExpire && keys.Expires.Before(expires) {
		expires = keys.Expires
	}
	object := &s3.GetObjectInput{Bucket: &s.options.Bucket, Key: s.key(name)}
	signed, err := s.signer.PresignGetObject(ctx, object, s3.WithPresignExpires(lifetime))
	if err != nil {
		return delivery.Location{}, s.wrapError(ctx, "sign a URL", err)
	}
	l := delivery.Location{URL: secret.FromString(signed.URL), CABundle: s.options.CABundle, Expires: expires}
	for header := range signed.SignedHeader {
		if !strings.EqualFold(header, "Host") {
			value := secret.FromString(signed.SignedHeader.Get(header))
			l.Headers = append(l.Headers, delivery.Header{Name: header, Value: value})
		}
	}
	slices.SortFunc(l.Headers, func(a, b delivery.Header) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

// Delete removes the object and, in a versioned bucket, all its versions.
func (s *Storage) Delete(ctx context.Context, name string) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	out, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.options.Bucket, Key: s.key(name)})
	if is(err, codeNoKey) {
		return nil
	}
	if err == nil && (aws.ToBool(out.DeleteMarker) || aws.ToString(out.VersionId) != "") {
		err = s.forget(ctx, name)
	}
	return s.wrapError(ctx, "delete an object", err)
}

// forget removes all versions and delete markers of an object. It lists from the start each time, since servers lose
// the position of a deleted version. Lists are sorted by key, so no version of the object follows another key.
func (s *Storage) forget(ctx context.Context, name string) error {
	key := *s.key(name)
	list := &s3.ListObjectVersionsInput{Bucket: &s.options.Bucket, Prefix: &key, MaxKeys: aws.Int32(maxVersions)}
	for {
		page, err := s.client.ListObjectVersions(ctx, list)
		if err != nil {
			return err
		}
		versions, others := versionsOf(page, key)
		for _, v := range versions {
			object := &s3.DeleteObjectInput{Bucket: &s.options.Bucket, Key: &key, VersionId: v}
			if _, err := s.client.DeleteObject(ctx, object); err != nil {
				return err
			}
		}
		if others || len(versions) == 0 || !aws.ToBool(page.IsTruncated) {
			return nil
		}
	}
}

// versionsOf returns the versions of the key in a page, and whether the page contains other keys. Delete markers of
// earlier attempts are first and the current one is last: a version that cannot be deleted yet stays hidden, and
// attempts do not accumulate markers.
func versionsOf(page *s3.ListObjectVersionsOutput, key string) (versions []*string, others bool) {
	var current []*string
	for _, m := range page.DeleteMarkers {
		switch {
		case aws.ToString(m.Key) != key:
		case aws.ToBool(m.IsLatest):
			current = append(current, m.VersionId)
		default:
			versions = append(versions, m.VersionId)
		}
	}
	for _, v := range page.Versions {
		if aws.ToString(v.Key) == key {
			versions = append(versions, v.VersionId)
		}
	}
	versions = append(versions, current...)
	return versions, len(versions) < len(page.Versions)+len(page.DeleteMarkers)
}
