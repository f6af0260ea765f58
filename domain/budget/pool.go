package budget

import (
	"errors"
	"maps"
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
// and never waits for it, because waiting objects would occupy the workers and could deadlock. A namespace that has a
// slot gets no other one while objects of another namespace wait for their next attempt.
type Pool struct {
	mutex sync.Mutex
	free  int
	// held is the number of slots of each namespace that has any. refused contains the namespaces whose last attempt got
	// none, and how many slots other namespaces got since then.
	held, refused map[string]int
}

// maxPassed is how many slots others get before a namespace is forgotten that was refused one. Its objects may not
// exist any more. Those that do make the next attempt earlier.
const maxPassed = 256

// NewPool returns a pool of n slots.
func NewPool(n int) *Pool { return &Pool{free: n, held: map[string]int{}, refused: map[string]int{}} }

// New returns a budget that takes a slot of the pool once its object, which is in the namespace, exceeds the free
// share. Release returns the slot. A nil pool has unlimited slots.
func (p *Pool) New(l Limits, namespace string) *Budget {
	b := New(l)
	b.pool, b.namespace = p, namespace
	return b
}

// take reports whether the namespace gets a slot.
func (p *Pool) take(namespace string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	others := len(p.refused)
	if _, found := p.refused[namespace]; found {
		others--
	}
	if p.free == 0 || p.held[namespace] > 0 && others > 0 {
		p.refused[namespace] = 0
		return false
	}
	delete(p.refused, namespace)
	for other := range p.refused {
		p.refused[other]++
	}
	maps.DeleteFunc(p.refused, func(_ string, passed int) bool { return passed > maxPassed })
	p.free--
	p.held[namespace]++
	return true
}

// give returns a slot of the namespace.
func (p *Pool) give(namespace string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free++
	if p.held[namespace]--; p.held[namespace] == 0 {
		delete(p.held, namespace)
	}
}

// slot is the slot of a budget in a pool.
type slot struct {
	pool       *Pool
	namespace  string
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
	if !s.held && !s.busy {
		s.held = s.pool.take(s.namespace)
		s.busy = !s.held
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
		s.pool.give(s.namespace)
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
