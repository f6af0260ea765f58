package portstest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// StorageServer is a storage, and what a machine and the time do to it.
type StorageServer struct {
	ports.Storage
	// Fetch does what a machine does. An error means that it was refused, or that nothing is there.
	Fetch func(ctx context.Context, l delivery.Location) ([]byte, error)
	// Later lets the time pass.
	Later func(time.Duration)
}

// Storage checks an implementation; fresh returns an empty one.
func Storage(t *testing.T, fresh func(t *testing.T) StorageServer) {
	t.Run("what was put is fetched byte for byte", func(t *testing.T) {
		s := fresh(t)
		for name, data := range map[string][]byte{
			"default/m1/0": []byte("#cloud-config\n"), "default/m1/1": all(), "default/m1-2/a.b": bytes.Repeat(all(),
				4096), "x": {0},
		} {
			s.put(t, name, data)
			s.holds(t, name, data)
		}
	})
	t.Run("the same may be put again, by many at once", func(t *testing.T) {
		s, data := fresh(t), bytes.Repeat(all(), 64)
		var puts sync.WaitGroup
		for range 8 {
			puts.Go(func() { s.put(t, "a/b", data) })
		}
		puts.Wait()
		s.holds(t, "a/b", data)
	})
	t.Run("other data takes its place", func(t *testing.T) {
		s := fresh(t)
		s.put(t, "a/b", []byte("short"))
		s.put(t, "a/b", []byte("longer than before"))
		s.holds(t, "a/b", []byte("longer than before"))
	})
	t.Run("objects do not mix", func(t *testing.T) {
		s := fresh(t)
		s.put(t, "a/b", []byte("one"))
		s.put(t, "a/b2", []byte("two"))
		want(t, "delete", s.Delete(t.Context(), "a/b"), nil)
		s.holds(t, "a/b2", []byte("two"))
	})
	t.Run("it is gone after it was deleted, once or twice", func(t *testing.T) {
		s := fresh(t)
		s.put(t, "a/b", []byte("one"))
		l := s.locate(t, "a/b", time.Hour)
		want(t, "delete", s.Delete(t.Context(), "a/b"), nil)
		want(t, "delete again", s.Delete(t.Context(), "a/b"), nil)
		s.refuses(t, l, "it was deleted")
	})
	t.Run("a fetch without the credential fails", func(t *testing.T) {
		s := fresh(t)
		s.put(t, "a/b", []byte("one"))
		s.refuses(t, bare(t, s.locate(t, "a/b", time.Hour)), "the credential is missing")
	})
	t.Run("a fetch after the expiry fails", func(t *testing.T) {
		s := fresh(t)
		s.put(t, "a/b", []byte("one"))
		l := s.locate(t, "a/b", 2*time.Second)
		if l.Expires.IsZero() {
			t.Error("it does not return its expiry")
		}
		s.Later(4 * time.Second)
		s.refuses(t, l, "it has expired")
	})
}

// all returns each byte once.
func all() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func (s StorageServer) put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := s.Put(t.Context(), name, secret.New(bytes.Clone(data))); err != nil {
		t.Errorf("put %s: %v", name, err)
	}
}

func (s StorageServer) locate(t *testing.T, name string, lifetime time.Duration) delivery.Location {
	t.Helper()
	l, err := s.Locate(t.Context(), name, lifetime)
	want(t, "locate "+name, err, nil)
	if shown := fmt.Sprintf("%v %+v %#v", l, l, l); bytes.Contains([]byte(shown), l.URL.Reveal()) {
		t.Errorf("a location shows its URL: %s", shown)
	}
	return l
}

func (s StorageServer) holds(t *testing.T, name string, data []byte) {
	t.Helper()
	got, err := s.Fetch(t.Context(), s.locate(t, name, time.Hour))
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("fetched %d bytes of %s, not the %d that were put: %v", len(got), name, len(data), err)
	}
}

func (s StorageServer) refuses(t *testing.T, l delivery.Location, why string) {
	t.Helper()
	if got, err := s.Fetch(t.Context(), l); err == nil {
		t.Errorf("fetched %d bytes although %s", len(got), why)
	}
}

// bare returns the location without what lets a machine in.
func bare(t *testing.T, l delivery.Location) delivery.Location {
	t.Helper()
	u, err := url.Parse(string(l.URL.Reveal()))
	want(t, "parse the URL", err, nil)
	u.RawQuery = ""
	l.URL, l.Headers = secret.FromString(u.String()), nil
	return l
}
