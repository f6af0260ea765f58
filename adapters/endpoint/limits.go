package endpoint

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/machineadm/machineadm/ports"
)

// A machine tells of its start, now and then of its progress, and of its end. A pool's machines share one name, and start together.
const (
	reportsPerSecond = 0.2
	reportsAtOnce    = 20
	// forgotten is when a machine that has been silent may report at full rate again anyway.
	forgotten = reportsAtOnce / reportsPerSecond * time.Second
)

// limits has a rate for each machine that was admitted: strangers take neither memory nor somebody's turn.
type limits struct {
	clock ports.Clock
	// turns are taken by who is given what is stored.
	turns chan struct{}

	mutex   sync.Mutex
	allowed map[string]*limit
	swept   time.Time
}

type limit struct {
	*rate.Limiter
	last time.Time
}

func newLimits(clock ports.Clock) *limits {
	return &limits{clock: clock, turns: make(chan struct{}, storedAtOnce), allowed: map[string]*limit{}, swept: clock.Now()}
}

// allow reports whether the machine may report now.
func (l *limits) allow(machine string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.clock.Now()
	l.sweep(now)
	one, known := l.allowed[machine]
	if !known {
		one = &limit{Limiter: rate.NewLimiter(reportsPerSecond, reportsAtOnce)}
		l.allowed[machine] = one
	}
	one.last = now
	return one.AllowN(now, 1)
}

// sweep forgets machines that have been silent for so long that their rate is whole again.
func (l *limits) sweep(now time.Time) {
	if now.Sub(l.swept) < forgotten {
		return
	}
	l.swept = now
	for machine, one := range l.allowed {
		if now.Sub(one.last) >= forgotten {
			delete(l.allowed, machine)
		}
	}
}
