package keys

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/machineadm/machineadm/ports"
)

// Limit bounds how many plugins run at once, of all namespaces and of each, since a service may not answer one of them.
type Limit struct {
	all   chan struct{}
	mutex sync.Mutex
	// of has the turns of each namespace that asked.
	of map[string]chan struct{}
}

// NewLimit returns a limit of n plugins, one at least, of which a namespace has half.
func NewLimit(n int) *Limit {
	return &Limit{all: make(chan struct{}, max(n, 1)), of: map[string]chan struct{}{}}
}

// patience is how long a request waits for its turn. Who asks holds up other work meanwhile, and asks again later.
const patience = 15 * time.Second

// acquire waits for the turn of a namespace and returns what ends it.
func (l *Limit) acquire(ctx context.Context, namespace string) (release func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	own := l.share(namespace)
	for i, turns := range []chan struct{}{own, l.all} {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-own
			}
			return nil, fmt.Errorf("%w: too many plugins run at once: %w", ports.ErrKeysUnavailable, ctx.Err())
		}
	}
	return func() { <-l.all; <-own }, nil
}

// share returns the turns of a namespace.
func (l *Limit) share(namespace string) chan struct{} {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.of[namespace] == nil {
		l.of[namespace] = make(chan struct{}, max(cap(l.all)/2, 1))
	}
	return l.of[namespace]
}
