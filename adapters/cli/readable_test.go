package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/budget"
)

// TestReadableIsBounded decodes many files that decompress to more than the limit of all of them together.
func TestReadableIsBounded(t *testing.T) {
	limit := int(budget.Default().Content)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(bytes.Repeat([]byte("x"), limit/4)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("#cloud-config\nwrite_files:\n")
	for range 20 {
		fmt.Fprintf(&text, "- {content: %s, encoding: gzip+base64}\n", base64.StdEncoding.EncodeToString(packed.Bytes()))
	}
	got := readable([]byte(text.String()))
	if n := bytes.Count(got, []byte("decoded from")); n != 4 || len(got) > 2*limit {
		t.Errorf("%d files are decoded to %d bytes, want 4 and at most %d", n, len(got), 2*limit)
	}
	if n := bytes.Count(got, []byte("too large to be decompressed")); n != 16 {
		t.Errorf("%d files have the comment that they are not decompressed, want 16", n)
	}
}

// TestDeepTextIsUnchanged prints a text with many values at a deep level, each of which block style would indent.
func TestDeepTextIsUnchanged(t *testing.T) {
	const levels = 1000
	text := []byte("#cloud-config\n" + strings.Repeat("{a: ", levels) + "[" + strings.Repeat("x,", 1000) + "]" +
		strings.Repeat("}", levels) + "\n")
	if got := readable(text); !bytes.Equal(got, text) {
		t.Errorf("%d bytes are %d bytes for readers", len(text), len(got))
	}
}
