package indirect

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge means that a configuration exceeds the size limit.
var ErrTooLarge = errors.New("it is too large")

// Uncompressed decompresses a gzip-compressed configuration (RFC 1952), and returns any other unchanged. If the result
// would exceed most bytes, the error is ErrTooLarge.
func Uncompressed(data []byte, most int) ([]byte, error) {
	if len(data) > most {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)
	}
	if !compressed(data) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	if len(text) > most {
		return nil, fmt.Errorf("%w: more than %d bytes after decompression", ErrTooLarge, most)
	}
	if compressed(text) {
		return nil, errors.New("the data is compressed twice")
	}
	return text, nil
}

func compressed(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }
