package memory

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// SnapshotStore implements ports.SnapshotStore. The zero value is empty.
type SnapshotStore struct {
	// Fail is the error of all methods, or nil if they succeed.
	Fail error

	mutex   sync.Mutex
	objects map[string][]byte
}

var _ ports.SnapshotStore = (*SnapshotStore)(nil)

// Put stores the data.
func (s *SnapshotStore) Put(_ context.Context, name string, data io.Reader) error {
	if s.Fail != nil {
		return s.Fail
	}
	all, err := io.ReadAll(data)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.objects == nil {
		s.objects = map[string][]byte{}
	}
	s.objects[name] = all
	return nil
}

// List returns the names.
func (s *SnapshotStore) List(context.Context) ([]string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Sorted(maps.Keys(s.objects)), s.Fail
}

// Delete removes the object.
func (s *SnapshotStore) Delete(_ context.Context, name string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.Fail == nil {
		delete(s.objects, name)
	}
	return s.Fail
}

// Stored returns the bytes of an object, or nil.
func (s *SnapshotStore) Stored(name string) []byte {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.objects[name]
}
