package etcdmembers

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// TestSnapshotsAreVerified checks that only a complete snapshot is read to its end, however the bytes arrive.
func TestSnapshotsAreVerified(t *testing.T) {
	data := bytes.Repeat([]byte("etcd"), 10_000)
	digest := sha256.Sum256(data)
	whole := append(bytes.Clone(data), digest[:]...)
	changed := bytes.Clone(whole)
	changed[77]++
	empty := sha256.Sum256(nil)
	for name, c := range map[string]struct {
		snapshot []byte
		complete bool
	}{
		"complete": {whole, true}, "without data": {empty[:], true},
		"nothing": {nil, false}, "without a digest": {data, false}, "cut off": {whole[:len(whole)-1], false},
		"only the start": {whole[:10], false}, "changed": {changed, false},
		"too long": {append(bytes.Clone(whole), 0), false},
	} {
		for way, reader := range map[string]io.Reader{
			"at once": bytes.NewReader(c.snapshot), "with the end": iotest.DataErrReader(bytes.NewReader(c.snapshot)),
			"byte by byte": iotest.OneByteReader(bytes.NewReader(c.snapshot)),
		} {
			ended := false
			v := &verified{data: io.NopCloser(reader), digest: sha256.New(), end: func() { ended = true }}
			got, err := io.ReadAll(v)
			if complete := err == nil; complete != c.complete || !complete && !errors.Is(err, errIncomplete) {
				t.Errorf("%s, %s: error %v", name, way, err)
			}
			if c.complete && !bytes.Equal(got, c.snapshot) {
				t.Errorf("%s, %s: the bytes differ", name, way)
			}
			if err := v.Close(); err != nil || !ended {
				t.Errorf("%s, %s: the sessions do not end, error %v", name, way, err)
			}
		}
	}
}
