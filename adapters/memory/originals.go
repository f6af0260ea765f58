package memory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"sync"
)

// Originals implements ports.Originals.
type Originals struct {
	mutex  sync.Mutex
	copies map[string][]byte
}

// Save stores the content under its SHA-256.
func (o *Originals) Save(_ context.Context, content io.Reader) (string, error) {
	data, err := io.ReadAll(content)
	if err != nil {
		return "", err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.copies == nil {
		o.copies = map[string][]byte{}
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	o.copies[digest] = data
	return digest, nil
}

// Open returns the content with the SHA-256, or fs.ErrNotExist.
func (o *Originals) Open(_ context.Context, digest string) (io.ReadCloser, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	data, known := o.copies[digest]
	if !known {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}
