package endpoint

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A machine reports its start, its progress from time to time, and its end. The machines of a pool share one name and
// start together.
const (
	reportsPerSecond = 0.2
	reportsAtOnce    = 20
)

// rates is a token bucket for each key. It drops keys whose bucket is full.
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

// allow takes a token of the key and reports whether there was one.
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

// whole returns the time in which an empty bucket becomes full.
func (r *rates) whole() time.Duration {
	return time.Duration(float64(r.burst) / float64(r.perSecond) * float64(time.Second))
}

// sweep drops the keys whose bucket is full.
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
