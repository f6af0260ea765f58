package endpoint

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A machine reports its start, now and then its progress, and its end. A pool's machines share one name and start
// together.
const (
	reportsPerSecond = 0.2
	reportsAtOnce    = 20
)

// rates limits how often something happens, for each key by itself. A key that nothing happened to for so long that its
// burst is whole again takes no memory.
type rates struct {
	perSecond rate.Limit
	burst     int

	mutex sync.Mutex
	known map[string]*keyRate
	swept time.Time
}

type keyRate struct {
	*rate.Limiter
	last time.Time
}

func newRates(perSecond rate.Limit, burst int) *rates {
	return &rates{perSecond: perSecond, burst: burst, known: map[string]*keyRate{}}
}

// allow reports whether it may happen now.
func (r *rates) allow(key string, now time.Time) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.sweep(now)
	one, known := r.known[key]
	if !known {
		one = &keyRate{Limiter: rate.NewLimiter(r.perSecond, r.burst)}
		r.known[key] = one
	}
	one.last = now
	return one.AllowN(now, 1)
}

// whole is how long a burst takes to be whole again.
func (r *rates) whole() time.Duration {
	return time.Duration(float64(r.burst) / float64(r.perSecond) * float64(time.Second))
}

// sweep forgets the keys whose burst is whole again.
func (r *rates) sweep(now time.Time) {
	if now.Sub(r.swept) < r.whole() {
		return
	}
	r.swept = now
	for key, one := range r.known {
		if now.Sub(one.last) >= r.whole() {
			delete(r.known, key)
		}
	}
}
