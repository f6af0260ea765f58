// Package limiter limits concurrent work, in total and for each source, so that a source with many requests, or with a
// server that does not answer, does not block the others.
package limiter

import (
	"context"
	"sync"
)

// Limiter limits concurrent work. It stores only sources that hold a slot or wait for one.
type Limiter[Source comparable] struct {
	total     chan struct{}
	perSource int

	mutex   sync.Mutex
	sources map[Source]*slots
}

// slots are the slots of one source.
type slots struct {
	held chan struct{}
	// users is the number of callers that hold or await a slot.
	users int
}

// New returns a limiter of at least one slot in total and for each source.
func New[Source comparable](total, perSource int) *Limiter[Source] {
	return &Limiter[Source]{
		total: make(chan struct{}, max(total, 1)), perSource: max(perSource, 1), sources: map[Source]*slots{},
	}
}

// Acquire waits for a slot of the source and then for one in total. The caller must release it. The error is that of
// the context.
func (l *Limiter[Source]) Acquire(ctx context.Context, source Source) (release func(), err error) {
	own := l.join(source)
	if err := wait(ctx, own.held); err != nil {
		l.leave(source, own)
		return nil, err
	}
	if err := wait(ctx, l.total); err != nil {
		<-own.held
		l.leave(source, own)
		return nil, err
	}
	return func() { l.release(source, own) }, nil
}

// TryAcquire is Acquire without waiting. It returns nil if there is no slot.
func (l *Limiter[Source]) TryAcquire(source Source) (release func()) {
	own := l.join(source)
	select {
	case own.held <- struct{}{}:
	default:
		l.leave(source, own)
		return nil
	}
	select {
	case l.total <- struct{}{}:
		return func() { l.release(source, own) }
	default:
		<-own.held
		l.leave(source, own)
		return nil
	}
}

// Sources returns the number of sources that hold or await a slot.
func (l *Limiter[Source]) Sources() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.sources)
}

func (l *Limiter[Source]) release(source Source, own *slots) {
	<-l.total
	<-own.held
	l.leave(source, own)
}

func wait(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Limiter[Source]) join(source Source) *slots {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	own := l.sources[source]
	if own == nil {
		own = &slots{held: make(chan struct{}, l.perSource)}
		l.sources[source] = own
	}
	own.users++
	return own
}

func (l *Limiter[Source]) leave(source Source, own *slots) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if own.users--; own.users == 0 {
		delete(l.sources, source)
	}
}
