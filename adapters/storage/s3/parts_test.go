package s3

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPartsHaveAChecksum has a server with the rules of AWS for buckets with a default retention of Object Lock, and
// for checksums of parts: the upload names their algorithm, and its end repeats them.
func TestPartsHaveAChecksum(t *testing.T) {
	var parts atomic.Int32
	completed := ""
	s := opened(t, func(w http.ResponseWriter, r *http.Request) {
		valid := true
		switch {
		case r.URL.Query().Has("uploads"):
			valid = r.Header.Get("X-Amz-Checksum-Algorithm") == "SHA256"
			_, _ = fmt.Fprint(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
		case r.URL.Query().Has("partNumber"):
			// All bytes are zero.
			valid = r.Header.Get("X-Amz-Checksum-Sha256") == *checksum(make([]byte, r.ContentLength))
			w.Header().Set("ETag", `"1"`)
			parts.Add(1)
		case r.Method == http.MethodPost:
			body, _ := io.ReadAll(r.Body)
			completed = string(body)
			_, _ = fmt.Fprint(w, "<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>")
		}
		if !valid {
			t.Errorf("%s %s has no checksum", r.Method, r.URL)
		}
	}, nil)
	err := s.Folder("snapshots/").Put(t.Context(), "a", bytes.NewReader(make([]byte, partSize+1)))
	if err != nil || parts.Load() != 2 || strings.Count(completed, "<ChecksumSHA256>") != 2 {
		t.Errorf("%d parts, %q, error %v", parts.Load(), completed, err)
	}
}
