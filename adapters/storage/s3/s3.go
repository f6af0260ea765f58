// Package s3 keeps what machines fetch in a bucket of any server that speaks S3, and signs URLs for them.
package s3

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
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
	// DefaultRegion is the region that requests are signed for if none is given.
	DefaultRegion = "us-east-1"
	// requestTimeout bounds one attempt of a request.
	requestTimeout = 30 * time.Second
	// callTimeout bounds a call of Put or Delete with all its requests, since a server may answer each of them in time
	// and still have no end.
	callTimeout = 2 * time.Minute
	// maxVersions is how many versions of an object are listed at once.
	maxVersions = 100
	// maxReplace bounds how often an object is replaced that somebody else replaces at the same time.
	maxReplace = 4
)

// Options say where and how objects are kept. Bucket and Clock are required.
type Options struct {
	Bucket string
	// Prefix begins the keys of all objects.
	Prefix string
	// Region defaults to DefaultRegion. Endpoint is the server's URL; empty is that of AWS for the region.
	Region, Endpoint string
	// PathStyle has the bucket stand in the path.
	PathStyle bool
	// Endpoints are those that requests may go to; the zero policy allows none.
	Endpoints egress.Policy
	// CABundle holds certificates in PEM that the server is trusted by besides the system's.
	CABundle []byte
	// Encryption is AES256 or aws:kms, with KMSKeyID or the account's own key; empty is the bucket's default.
	Encryption, KMSKeyID string
	// Keys are the credentials; nil takes those that the program finds by itself (the client's default chain).
	Keys  *Keys
	Clock ports.Clock
	// CallTimeout bounds a call of Put or Delete; 0 is two minutes.
	CallTimeout time.Duration
	// Log is told why a server cannot be reached; it may be nil.
	Log *slog.Logger
}

// Keys are an access key. SessionToken may be empty.
type Keys struct {
	AccessKeyID                   string
	SecretAccessKey, SessionToken secret.Value
}

// Storage is the port ports.Storage.
type Storage struct {
	options Options
	client  *s3.Client
	signer  *s3.PresignClient
}

// New returns the storage. It asks no server anything.
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
		// It is for the bucket's server alone: the program's own credentials come from others.
		s.HTTPClient, s.UsePathStyle, s.Region = transport, o.PathStyle, o.Region
		s.Retryer = retry.NewStandard(func(r *retry.StandardOptions) { r.Retryables = append(refusals(), r.Retryables...) })
		// Digests are given where they are wanted; others than AWS do not know the newest of them.
		s.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		s.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if o.Endpoint != "" {
			s.BaseEndpoint = &o.Endpoint
		}
	})
	return &Storage{options: o, client: client, signer: s3.NewPresignClient(client)}, nil
}

// ownConfig returns the settings of the program's own identity. The region is a part of the host of the service that
// gives its credentials, to which the program shows a token: it is that of the program's environment. Where that has
// none, it is the storage's if it has the form of AWS's, since sts.s3.amazonaws.com would be a bucket.
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

// bound ends a call after its time.
func (s *Storage) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(s.options.CallTimeout, callTimeout))
}

func (s *Storage) key(name string) *string { return aws.String(s.options.Prefix + name) }

// Put uploads the data unless it is there. What has the name is replaced only as it was when it was looked at.
func (s *Storage) Put(ctx context.Context, name string, data secret.Value) error {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	sum := sha256.Sum256(data.Reveal())
	digest := base64.StdEncoding.EncodeToString(sum[:])
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
	// A server that knows no conditions is asked without. Names hold digests, so that little is lost.
	if is(err, codeNotImplemented) {
		err = s.put(ctx, s.upload(name, data, digest), data)
	}
	return s.told(ctx, "store an object", err)
}

func (s *Storage) put(ctx context.Context, input *s3.PutObjectInput, data secret.Value) error {
	input.Body = bytes.NewReader(data.Reveal())
	_, err := s.client.PutObject(ctx, input)
	return err
}

func (s *Storage) upload(name string, data secret.Value, digest string) *s3.PutObjectInput {
	input := &s3.PutObjectInput{
		Bucket: &s.options.Bucket, Key: s.key(name), ContentLength: aws.Int64(int64(data.Len())), ChecksumSHA256: &digest,
		ContentType:          aws.String("application/octet-stream"),
		ServerSideEncryption: types.ServerSideEncryption(s.options.Encryption),
	}
	if s.options.KMSKeyID != "" {
		input.SSEKMSKeyId = &s.options.KMSKeyID
	}
	return input
}

// replace leaves an object that holds the data, and replaces one that does not.
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

// Locate signs a URL. One that is signed with credentials that end earlier ends with them.
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
		return delivery.Location{}, s.told(ctx, "sign a URL", err)
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

// Delete removes the object, and in a bucket that keeps versions all of them.
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
	return s.told(ctx, "delete an object", err)
}

// forget removes all versions of an object, and the marks of its deletions. It lists from the beginning each time,
// since servers lose the place of a version that is gone. Lists are in the order of the keys, so nothing of the object
// comes after another key.
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

// versionsOf returns the versions of the key in a page, and whether the page has other keys, too.
func versionsOf(page *s3.ListObjectVersionsOutput, key string) (versions []*string, others bool) {
	for _, v := range page.Versions {
		if aws.ToString(v.Key) == key {
			versions = append(versions, v.VersionId)
		}
	}
	for _, m := range page.DeleteMarkers {
		if aws.ToString(m.Key) == key {
			versions = append(versions, m.VersionId)
		}
	}
	return versions, len(versions) < len(page.Versions)+len(page.DeleteMarkers)
}
