package ignmodel

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"sync"

	"github.com/machineadm/machineadm/domain/delivery"
)

// Encoder encodes contents as data URLs (RFC 2397), in the shortest form. It is safe for concurrent use.
type Encoder struct {
	compressors sync.Pool
}

type compressor struct {
	buf bytes.Buffer
	gz  *gzip.Writer
}

const (
	// minCompressed is the size below which compressing gains nothing.
	minCompressed = 256
	plainPrefix   = "data:,"
	base64Prefix  = "data:;base64,"
	// compressedOverhead is the additional text of a compressed resource: "compression":"gzip".
	compressedOverhead = 21
)

// NewEncoder returns an encoder.
func NewEncoder() *Encoder { return &Encoder{} }

// URL returns the contents as a data URL, without compression.
func URL(contents []byte) string {
	if n := escapedLen(contents); n+len(plainPrefix) <= base64.StdEncoding.EncodedLen(len(contents))+len(base64Prefix) {
		return escape(contents, n)
	}
	return encode(contents)
}

// URL returns the contents as a data URL, and whether they are compressed. It compresses them with gzip if that is
// shorter.
func (e *Encoder) URL(contents []byte) (url string, compressed bool) {
	plain := min(escapedLen(contents)+len(plainPrefix), base64.StdEncoding.EncodedLen(len(contents))+len(base64Prefix))
	if len(contents) < minCompressed {
		return URL(contents), false
	}
	c := e.compress(contents)
	defer e.compressors.Put(c)
	if base64.StdEncoding.EncodedLen(c.buf.Len())+len(base64Prefix)+compressedOverhead >= plain {
		return URL(contents), false
	}
	return encode(c.buf.Bytes()), true
}

// ClearURL returns the contents as a data URL in which the placeholders are unchanged, and whether there is any. The
// URL need not be valid before the infrastructure provider has replaced them.
func ClearURL(contents []byte, replaced delivery.Placeholders) (url string, found bool) {
	var s strings.Builder
	s.WriteString(plainPrefix)
	end := 0
	for _, match := range replaced.Find(contents) {
		if match[0] < end {
			continue
		}
		appendEscaped(&s, contents[end:match[0]])
		s.Write(contents[match[0]:match[1]])
		end, found = match[1], true
	}
	if !found {
		return "", false
	}
	appendEscaped(&s, contents[end:])
	return s.String(), true
}

// compress fills a compressor. Writing to a buffer cannot fail.
func (e *Encoder) compress(contents []byte) *compressor {
	c, ok := e.compressors.Get().(*compressor)
	if !ok {
		c = &compressor{}
		c.gz = gzip.NewWriter(&c.buf)
	}
	c.buf.Reset()
	c.gz.Reset(&c.buf)
	_, _ = c.gz.Write(contents)
	_ = c.gz.Close()
	return c
}

func encode(b []byte) string {
	var s strings.Builder
	s.Grow(len(base64Prefix) + base64.StdEncoding.EncodedLen(len(b)))
	s.WriteString(base64Prefix)
	// A Builder takes every byte.
	w := base64.NewEncoder(base64.StdEncoding, &s)
	_, _ = w.Write(b)
	_ = w.Close()
	return s.String()
}

// literal reports whether a byte is not escaped in a data URL (RFC 2397: urlchar).
func literal(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	switch c {
	case '-', '_', '.', '!', '~', '*', '(', ')', ';', '/', ':', '@', '=', '+', '$', ',':
		return true
	}
	return false
}

func escapedLen(b []byte) int {
	n := len(b)
	for _, c := range b {
		if !literal(c) {
			n += 2
		}
	}
	return n
}

func escape(b []byte, n int) string {
	var s strings.Builder
	s.Grow(len(plainPrefix) + n)
	s.WriteString(plainPrefix)
	appendEscaped(&s, b)
	return s.String()
}

func appendEscaped(s *strings.Builder, b []byte) {
	const hex = "0123456789ABCDEF"
	for _, c := range b {
		if literal(c) {
			s.WriteByte(c)
			continue
		}
		s.WriteByte('%')
		s.WriteByte(hex[c>>4])
		s.WriteByte(hex[c&15])
	}
}
