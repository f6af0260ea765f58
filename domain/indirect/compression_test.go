package indirect_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"testing"

	"github.com/machineadm/machineadm/domain/indirect"
)

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUncompressed(t *testing.T) {
	text := bytes.Repeat([]byte("machine "), 100)
	packed := zipped(t, text)
	cases := map[string]struct {
		reason string
		data   []byte
		most   int
		want   error
		fails  bool
	}{
		"plain":  {reason: "it is what it is", data: text, most: len(text)},
		"packed": {reason: "it has as many bytes as it may", data: packed, most: len(text)},
		"in parts": {
			reason: "gzip puts files behind each other", data: append(bytes.Clone(packed), zipped(t, nil)...),
			most: len(text),
		},
		"large": {
			reason: "one byte is too many", data: text, most: len(text) - 1,
			want: indirect.ErrTooLarge, fails: true,
		},
		"inflating": {
			reason: "what it becomes counts", data: packed, most: len(text) - 1,
			want: indirect.ErrTooLarge, fails: true,
		},
		"again": {
			reason: "all parts count", data: append(bytes.Clone(packed), packed...), most: len(text),
			want: indirect.ErrTooLarge, fails: true,
		},
		"twice": {
			reason: "who reads it would uncompress it again, and count nothing", data: zipped(t, packed),
			most: len(text), fails: true,
		},
		"torn":   {reason: "half of it is nothing", data: packed[:len(packed)-1], most: len(text), fails: true},
		"a head": {reason: "nor is this", data: packed[:3], most: len(text), fails: true},
		"large files": {
			reason: "reading it would be work", data: append(bytes.Clone(packed), make([]byte, len(text))...),
			most: len(text), want: indirect.ErrTooLarge, fails: true,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := indirect.Uncompressed(c.data, c.most)
			if (err != nil) != c.fails || c.want != nil && !errors.Is(err, c.want) || err == nil && !bytes.Equal(got, text) {
				t.Errorf("%s: %d bytes, %v", c.reason, len(got), err)
			}
		})
	}
}
