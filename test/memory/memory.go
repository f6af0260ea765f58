// Package memory measures what a call allocates, for tests of what hostile input costs.
package memory

import (
	"runtime/metrics"
	"testing"
)

// The bounds, in bytes.
const (
	// Parse is that of one text of users, with all that is done to it before it is decoded.
	Parse = 64 << 20
	// Render is that of one machine, whose whole budget of nodes goes through the library of its format.
	Render = 256 << 20
)

// Below fails the test if the call allocates more than the bound in all, whether it is freed in between or not. What
// other goroutines allocate meanwhile is included, so the test may not be parallel.
func Below(t testing.TB, bound uint64, call func()) {
	t.Helper()
	before := allocated()
	call()
	if got := allocated() - before; got > bound {
		t.Errorf("the call allocates %d MiB; the bound is %d MiB", got>>20, bound>>20)
	}
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
