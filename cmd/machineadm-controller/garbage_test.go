package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestGarbageIsCollectedEarlyByDefault(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		environment string
		want        int
	}{{"200", 100}, {"", mostGarbage}} {
		collectGarbageEarly(ended, c.environment)
		got := debug.SetGCPercent(100)
		if got != c.want {
			t.Errorf("GOGC=%q: %d, want %d", c.environment, got, c.want)
		}
	}
}

func TestGarbageLimit(t *testing.T) {
	for live, want := range map[uint64]int{
		0: mostGarbage, 20 << 20: mostGarbage, 53 << 20: mostGarbage, 80 << 20: 20, 107 << 20: leastGarbage,
		1 << 40: leastGarbage,
	} {
		if got := garbageLimit(live); got != want {
			t.Errorf("%d bytes: %d percent, want %d", live, got, want)
		}
	}
}

func TestLiveMemory(t *testing.T) {
	kept := make([]byte, 32<<20)
	runtime.GC()
	if got := liveMemory(); got < uint64(len(kept)) {
		t.Errorf("%d bytes are live, but %d are kept", got, len(kept))
	}
	runtime.KeepAlive(kept)
}
