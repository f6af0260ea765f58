package agent

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/report"
)

// shelf is a source with one configuration.
type shelf []byte

func (s shelf) Fetch(context.Context, indirect.RemoteConfig) ([]byte, error) { return s, nil }

func TestFetchedConfigurationMatchesItsDigest(t *testing.T) {
	sum := sha256.Sum256([]byte("ours"))
	c := indirect.RemoteConfig{
		Provider: "https", URI: "https://me:canary7q9zk2xw5v@a/b?signature=canary7q9zk2xw5v",
		SHA256: hex.EncodeToString(sum[:]),
	}
	cases := map[string]struct {
		held string
		want error
	}{"ours": {"ours", nil}, "another's": {"theirs", ErrDigest}, "cut": {"our", ErrDigest}}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := &resolver{Service: &Service{Dependencies: Dependencies{Source: shelf(tc.held)}}}
			data, err := r.fetch(t.Context(), c)
			if !errors.Is(err, tc.want) || (err == nil) != (string(data) == "ours") {
				t.Errorf("%q %v", data, err)
			}
			if err != nil && (strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "https://a/b")) {
				t.Errorf("the error %v", err)
			}
		})
	}
}

// TestDigestMismatchNamesTheField verifies that the error names the field with the digest, which the user corrects.
func TestDigestMismatchNamesTheField(t *testing.T) {
	r := &resolver{Service: &Service{Dependencies: Dependencies{Source: shelf("theirs")}}}
	err := r.add(t.Context(), document.Document{
		Value:  indirect.RemoteConfig{Provider: "https", URI: "https://a/b", SHA256: strings.Repeat("0", 64)},
		Source: document.Source{Path: "documents[0].spec"},
	}, nil)
	const want = "documents[0].spec.sha256: configuration from https://a/b: sha256 mismatch: got "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

// counting decodes "list" to references to many places, and counts the bytes of other inputs.
type counting struct{ bytes *int }

func (c counting) Decode(_ context.Context, data []byte) ([]document.Document, report.Report) {
	if string(data) != "list" {
		*c.bytes += len(data)
		return nil, nil
	}
	docs := make([]document.Document, 100)
	for i := range docs {
		docs[i].Value = indirect.RemoteConfig{Provider: "https", URI: fmt.Sprintf("https://a/%d", i)}
	}
	return docs, nil
}

func (counting) Encode([]document.Document) ([]byte, error) { return nil, errors.ErrUnsupported }

func TestUncompressedSizeIsLimited(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(make([]byte, 1<<20))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	read := 0
	s := &Service{Dependencies: Dependencies{Source: shelf(packed.Bytes()), Codec: counting{&read}}}
	_, err = s.resolve(t.Context(), []byte("list"))
	if err == nil || !strings.Contains(err.Error(), "exceed 16777216 bytes") {
		t.Errorf("100 references of %d bytes, of which each becomes a MiB: %v", packed.Len(), err)
	}
	if read != 15<<20 {
		t.Errorf("read %d bytes", read)
	}
}
