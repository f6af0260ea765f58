package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/machineadm/machineadm/ports"
)

const (
	// partSize is the size of the parts of an object, of which one is in memory. S3 permits 10,000 parts of at least
	// 5 MiB.
	partSize = 8 << 20
	maxParts = 10_000
	// maxListed is the page size when a folder is listed, and maxPages limits the pages.
	maxListed, maxPages = 500, 100
	// abortTimeout limits the removal of the parts of an object that could not be stored.
	abortTimeout = 30 * time.Second
)

// Folder stores objects of any size below a prefix. It implements ports.SnapshotStore.
type Folder struct {
	storage *Storage
	name    string
}

var _ ports.SnapshotStore = (*Folder)(nil)

// Folder returns the folder with the name, which ends with a slash.
func (s *Storage) Folder(name string) *Folder { return &Folder{storage: s, name: name} }

func (f *Folder) key(name string) *string { return f.storage.key(f.name + name) }

// Put stores the data in parts. The object exists only after its last part was stored. It has the deadline of the
// context.
func (f *Folder) Put(ctx context.Context, name string, data io.Reader) error {
	// One part is in memory at a time.
	part := bytes.NewBuffer(make([]byte, 0, partSize+bytes.MinRead))
	last, err := readPart(part, data)
	switch {
	case err != nil:
		return err
	case last:
		return f.putSmall(ctx, name, part.Bytes())
	}
	s := f.storage
	created, err := s.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &s.options.Bucket, Key: f.key(name), ContentType: aws.String(contentType),
		ServerSideEncryption: types.ServerSideEncryption(s.options.Encryption), SSEKMSKeyId: s.options.keyID(),
		ChecksumAlgorithm: types.ChecksumAlgorithmSha256,
	})
	if err != nil {
		return s.wrapError(ctx, "store an object", err)
	}
	if err := f.putParts(ctx, name, created.UploadId, part, data); err != nil {
		f.abort(ctx, name, created.UploadId)
		return err
	}
	return nil
}

// readPart reads the next part, and reports whether it is the last one. Only io.EOF ends the data: any other error,
// also io.ErrUnexpectedEOF of a connection, means that the rest is missing.
func readPart(part *bytes.Buffer, data io.Reader) (last bool, err error) {
	part.Reset()
	_, err = io.CopyN(part, data, partSize)
	if err == io.EOF { //nolint:errorlint // an error that wraps it is another one
		return true, nil
	}
	return false, err
}

// putSmall stores an object of one part.
func (f *Folder) putSmall(ctx context.Context, name string, data []byte) error {
	s := f.storage
	_, err := s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &s.options.Bucket, Key: f.key(name), ContentLength: aws.Int64(int64(len(data))), Body: bytes.NewReader(data),
		ContentType: aws.String(contentType), ServerSideEncryption: types.ServerSideEncryption(s.options.Encryption),
		SSEKMSKeyId: s.options.keyID(), ChecksumSHA256: checksum(data),
	})
	return s.wrapError(ctx, "store an object", err)
}

// putParts stores the parts, beginning with the one that was read, and completes the object. Buckets with a default
// retention of Object Lock require a checksum of each part.
func (f *Folder) putParts(ctx context.Context, name string, upload *string, part *bytes.Buffer, data io.Reader) error {
	s := f.storage
	var parts []types.CompletedPart
	// The last part is empty if the size is a multiple of that of parts.
	for last := false; part.Len() > 0; {
		if len(parts) == maxParts {
			return fmt.Errorf("store an object: it has more than %d MiB", maxParts*partSize>>20)
		}
		number := aws.Int32(int32(len(parts) + 1)) //nolint:gosec // at most maxParts
		sent, err := s.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &s.options.Bucket, Key: f.key(name), UploadId: upload, PartNumber: number,
			Body: bytes.NewReader(part.Bytes()), ContentLength: aws.Int64(int64(part.Len())),
			ChecksumSHA256: checksum(part.Bytes()),
		})
		if err != nil {
			return s.wrapError(ctx, "store a part of an object", err)
		}
		parts = append(parts, types.CompletedPart{
			ETag: sent.ETag, PartNumber: number, ChecksumSHA256: checksum(part.Bytes()),
		})
		if last {
			break
		}
		if last, err = readPart(part, data); err != nil {
			return err
		}
	}
	_, err := s.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &s.options.Bucket, Key: f.key(name), UploadId: upload,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	})
	return s.wrapError(ctx, "complete an object", err)
}

// abort removes the parts of an object that could not be stored, also after the deadline. If that fails, they remain
// until a lifecycle rule of the bucket removes them.
func (f *Folder) abort(ctx context.Context, name string, upload *string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
	defer cancel()
	_, _ = f.storage.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
		Bucket: &f.storage.options.Bucket, Key: f.key(name), UploadId: upload,
	})
}

// List returns the names of the objects in the folder, without those of folders in it.
func (f *Folder) List(ctx context.Context) ([]string, error) {
	s := f.storage
	ctx, cancel := s.bound(ctx)
	defer cancel()
	input := &s3.ListObjectsV2Input{
		Bucket: &s.options.Bucket, Prefix: f.key(""), Delimiter: aws.String("/"), MaxKeys: aws.Int32(maxListed),
	}
	var names []string
	for range maxPages {
		page, err := s.client.ListObjectsV2(ctx, input)
		if err != nil {
			return nil, s.wrapError(ctx, "list objects", err)
		}
		for _, o := range page.Contents {
			if name, found := strings.CutPrefix(aws.ToString(o.Key), *f.key("")); found && name != "" {
				names = append(names, name)
			}
		}
		if !aws.ToBool(page.IsTruncated) {
			slices.Sort(names)
			return names, nil
		}
		input.ContinuationToken = page.NextContinuationToken
	}
	return nil, fmt.Errorf("list objects: there are more than %d", maxListed*maxPages)
}

// Delete removes the object. In a versioned bucket, its versions remain, so that the credentials need not be able to
// destroy them; a lifecycle rule of the bucket removes them.
func (f *Folder) Delete(ctx context.Context, name string) error {
	s := f.storage
	ctx, cancel := s.bound(ctx)
	defer cancel()
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.options.Bucket, Key: f.key(name)})
	if is(err, codeNoKey) {
		return nil
	}
	return s.wrapError(ctx, "delete an object", err)
}

// checksum returns the SHA-256 of the data in the form of S3.
func checksum(data []byte) *string {
	sum := sha256.Sum256(data)
	return aws.String(base64.StdEncoding.EncodeToString(sum[:]))
}

// keyID returns the ID of the key for the server's encryption, or nil.
func (o Options) keyID() *string {
	if o.KMSKeyID == "" {
		return nil
	}
	return &o.KMSKeyID
}
