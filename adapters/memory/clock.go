package memory

import (
	"crypto/sha256"
	"sync"
	"time"
)

// Clock is a clock that is set explicitly. The zero value returns the beginning of 1970.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock returns a clock that is set to the time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time to which the clock is set.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.now.IsZero() {
		return time.Unix(0, 0).UTC()
	}
	return c.now
}

// Advance advances the clock.
func (c *Clock) Advance(by time.Duration) {
	now := c.Now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = now.Add(by)
}

// Entropy is a deterministic source of pseudo-random bytes. The zero value is ready to use.
type Entropy struct {
	mutex sync.Mutex
	block [sha256.Size]byte
	left  []byte
}

// Read fills b.
func (e *Entropy) Read(b []byte) (int, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for n := 0; n < len(b); {
		if len(e.left) == 0 {
			e.block = sha256.Sum256(e.block[:])
			e.left = e.block[:]
		}
		k := copy(b[n:], e.left)
		n, e.left = n+k, e.left[k:]
	}
	return len(b), nil
}
