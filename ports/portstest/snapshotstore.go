package portstest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/ports"
)

// SnapshotStoreServer is a store, and the bytes that it stores.
type SnapshotStoreServer struct {
	ports.SnapshotStore
	// Stored returns the bytes of an object.
	Stored func(t *testing.T, name string) []byte
}

// large is more than one part of an upload, and not a multiple of one.
const large = 17<<20 + 3

// SnapshotStore checks an implementation; fresh returns an empty store, and another folder of the same storage.
func SnapshotStore(t *testing.T, fresh func(t *testing.T) (SnapshotStoreServer, ports.SnapshotStore)) {
	t.Run("objects of any size are stored byte for byte", func(t *testing.T) {
		s, other := fresh(t)
		for name, data := range map[string][]byte{
			"empty": {}, "small": all(), "parts": bytes.Repeat(all(), 16<<20/len(all())),
			"large": bytes.Repeat([]byte("snapshot"), large/8+1)[:large],
		} {
			want(t, "put", s.Put(t.Context(), name, oneByOne{bytes.NewReader(data)}), nil)
			if got := s.Stored(t, name); !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes are stored that differ from the %d bytes of the data", name, len(got), len(data))
			}
		}
		s.lists(t, "empty", "large", "parts", "small")
		if names, err := other.List(t.Context()); err != nil || len(names) > 0 {
			t.Errorf("the other folder contains %q, error %v", names, err)
		}
	})
	t.Run("data that cannot be read is not stored", func(t *testing.T) {
		s, _ := fresh(t)
		// A connection that ends too early returns io.ErrUnexpectedEOF.
		for _, broken := range []error{
			errors.New("broken"), io.ErrUnexpectedEOF, fmt.Errorf("read: %w", io.ErrUnexpectedEOF),
			fmt.Errorf("read: %w", io.EOF),
		} {
			for _, size := range []int{0, 10, 9 << 20} {
				data := io.MultiReader(bytes.NewReader(make([]byte, size)), failing{broken})
				want(t, "put", s.Put(t.Context(), "a", data), broken)
			}
		}
		s.lists(t)
	})
	t.Run("deleted objects are gone", func(t *testing.T) {
		s, other := fresh(t)
		for _, name := range []string{"a", "ab"} {
			want(t, "put", s.Put(t.Context(), name, bytes.NewReader(all())), nil)
		}
		want(t, "put", other.Put(t.Context(), "a", bytes.NewReader(all())), nil)
		want(t, "delete", s.Delete(t.Context(), "a"), nil)
		want(t, "delete again", s.Delete(t.Context(), "a"), nil)
		s.lists(t, "ab")
		if names, err := other.List(t.Context()); err != nil || !slices.Equal(names, []string{"a"}) {
			t.Errorf("the other folder contains %q, error %v", names, err)
		}
	})
}

func (s SnapshotStoreServer) lists(t *testing.T, names ...string) {
	t.Helper()
	got, err := s.List(t.Context())
	if err != nil || !slices.Equal(got, names) {
		t.Errorf("the folder contains %q, want %q, error %v", got, names, err)
	}
}

// oneByOne returns few bytes at once, as a connection does.
type oneByOne struct{ io.Reader }

// Read reads at most 32 KiB.
func (r oneByOne) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 32<<10)]) }

// failing is a reader that fails.
type failing struct{ err error }

// Read returns the error.
func (r failing) Read([]byte) (int, error) { return 0, r.err }
