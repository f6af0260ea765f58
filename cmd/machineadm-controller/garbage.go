package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How much garbage may accumulate, in percent of the live memory: mostGarbage, and less if that is more than
// garbageSize, but never less than leastGarbage. Most of the live memory are caches, which hardly change, and a
// reconciliation leaves little garbage. To collect it three times as often as by default costs a few percent of the
// processor time, and saves a third of the heap at its largest.
const (
	mostGarbage  = 30
	leastGarbage = 15
	garbageSize  = 16 << 20
)

// collectGarbageEarly limits garbage until the context ends, unless goGC, the value of the environment variable GOGC,
// sets another limit.
func collectGarbageEarly(ctx context.Context, goGC string) {
	if goGC != "" {
		return
	}
	limit := mostGarbage
	debug.SetGCPercent(limit)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(10 * time.Second):
		}
		if next := garbageLimit(liveMemory()); next != limit {
			limit = next
			debug.SetGCPercent(limit)
		}
	}
}

// garbageLimit returns the percentage for so many bytes of live memory.
func garbageLimit(live uint64) int {
	return int(min(max(garbageSize*100/max(live, 1), leastGarbage), mostGarbage))
}

// liveMemory returns how many bytes the last garbage collection left.
func liveMemory() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
