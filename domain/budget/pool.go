package budget

import (
	"errors"
	"sync"
)

// The share of an object that needs no slot of a pool: bytes of content, nodes, and bytes of the object itself. An
// ordinary machine has a tenth of it. A hundred objects that stay below it fit into the memory beside the slots.
const (
	FreeContent = 256 << 10
	FreeNodes   = 2_000
	FreeOwn     = 64 << 10
)

// ErrBusy reports that the object needs a slot, and that none is free. It does not depend on the object: another
// attempt may succeed.
var ErrBusy = errors.New("as many expensive objects as fit into the memory are being processed")

// Pool limits how many expensive objects a process works on at once. An object takes one slot, once, and never waits
// for it: waiting objects would hold the workers that all others need. So there is no deadlock either.
type Pool struct{ slots chan struct{} }

// NewPool returns a pool of n slots.
func NewPool(n int) *Pool { return &Pool{slots: make(chan struct{}, n)} }

// New returns a budget that takes a slot of the pool once its object exceeds the free share. Release returns the
// slot. A nil pool has a slot for everyone.
func (p *Pool) New(l Limits) *Budget {
	b := New(l)
	b.pool = p
	return b
}

// slot is the part of a budget that a pool gives or refuses.
type slot struct {
	pool       *Pool
	mutex      sync.Mutex
	held, busy bool
}

// take takes a slot unless the budget has one. Once there was none, there is none for this budget.
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

// Busy reports whether the pool had no slot for the object. Whatever was found out about the object means nothing then.
func (s *slot) Busy() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.busy
}

// Release returns the slot, if the budget has one. Nothing may be drawn afterwards.
func (s *slot) Release() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.held {
		<-s.pool.slots
		s.held = false
	}
}

// Weigh takes a slot for an object of so many bytes, if it needs one.
func (b *Budget) Weigh(bytes int) error {
	if bytes <= FreeOwn {
		return nil
	}
	return b.take()
}

// free returns how much of the resource needs no slot.
func free(r Resource) int64 {
	if r == Nodes {
		return FreeNodes
	}
	return FreeContent
}
