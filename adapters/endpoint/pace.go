package endpoint

import (
	"context"
	"maps"
	"sync"
	"time"
)

// readEvery is the least time between two reads of an object for one network.
const readEvery = 250 * time.Millisecond

// pace delays a read of an object that was just read for the same network, so that a client that fetches it endlessly
// does not use the controller's limit of requests. Clients that come meanwhile share the delayed read. It contains only
// keys of the last readEvery.
type pace struct {
	now func() time.Time
	// sleep waits for the duration, or until the context ends.
	sleep func(ctx context.Context, d time.Duration) error

	mutex sync.Mutex
	last  map[string]time.Time
}

func newPace(now func() time.Time) *pace {
	return &pace{now: now, sleep: sleep, last: map[string]time.Time{}}
}

// wait waits until the object may be read. The error is that of the context.
func (p *pace) wait(ctx context.Context, key string) error {
	p.mutex.Lock()
	last, found := p.last[key]
	p.mutex.Unlock()
	left := readEvery - p.now().Sub(last)
	if !found || left <= 0 {
		return nil
	}
	return p.sleep(ctx, min(left, readEvery))
}

// note records that the object was read.
func (p *pace) note(key string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.now()
	maps.DeleteFunc(p.last, func(_ string, at time.Time) bool { return now.Sub(at) >= readEvery })
	p.last[key] = now
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
