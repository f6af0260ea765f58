package budget

import (
	"errors"
	"sync"
)

// The limits below which an object needs no slot of a pool: bytes of content, nodes, and bytes of the object itself. A
// typical machine needs a tenth of them. The memory suffices for a hundred such objects in addition to the slots.
const (
	FreeContent = 256 << 10
	FreeNodes   = 2_000
	FreeOwn     = 64 << 10
)

// ErrBusy means that an object needs a slot and that none is free. A retry may succeed.
var ErrBusy = errors.New("too many large objects are being processed")

// Pool limits the number of expensive objects that a process works on concurrently. An object takes at most one slot
// and never waits for it, because waiting objects would occupy the workers and could deadlock.
type Pool struct{ slots chan struct{} }

// NewPool returns a pool of n slots.
func NewPool(n int) *Pool { return &Pool{slots: make(chan struct{}, n)} }

// New returns a budget that takes a slot of the pool once its object exceeds the free share. Release returns the slot.
// A nil pool has unlimited slots.
func (p *Pool) New(l Limits) *Budget {
	b := New(l)
	b.pool = p
	return b
}

// slot is the slot of a budget in a pool.
type slot struct {
	pool       *Pool
	mutex      sync.Mutex
	held, busy bool
}

// take takes a slot unless the budget has one. After one refusal, all later calls for this budget fail.
func (s *slot) take() error {
	if s.pool == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held || s.busy {
		return s.refusal()
	}
	select {
	case s.pool.slots <- struct{}{}:
		s.held = true
	default:
		s.busy = true
	}
	return s.refusal()
}

func (s *slot) refusal() error {
	if s.busy {
		return ErrBusy
	}
	return nil
}

// Busy reports whether the pool refused a slot. All results about the object are then invalid.
func (s *slot) Busy() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.busy
}

// Release returns the slot, if the budget has one. The budget must not be used afterwards.
func (s *slot) Release() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held {
		<-s.pool.slots
		s.held = false
	}
}

// Weigh takes a slot if an object of the given size in bytes needs one.
func (b *Budget) Weigh(bytes int) error {
	if bytes <= FreeOwn {
		return nil
	}
	return b.take()
}

// free returns the amount of the resource that needs no slot.
func free(r Resource) int64 {
	if r == Nodes {
		return FreeNodes
	}
	return FreeContent
}
