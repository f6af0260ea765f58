package limiter

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// checkUnused fails if a slot or a source is left.
func checkUnused(t *testing.T, l *Limiter[string]) {
	t.Helper()
	if len(l.total) != 0 || len(l.sources) != 0 {
		t.Errorf("left: %d slots, sources %v", len(l.total), l.sources)
	}
}

func TestConcurrencyIsLimited(t *testing.T) {
	const total, perSource, callers = 3, 2, 20
	l := New[string](total, perSource)
	var all sync.WaitGroup
	var running atomic.Int32
	var bySource [2]atomic.Int32
	for i := range callers {
		source := i % len(bySource)
		all.Go(func() {
			release, err := l.Acquire(t.Context(), string(rune('a'+source)))
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			if n := running.Add(1); n > total {
				t.Errorf("%d at once, want at most %d", n, total)
			}
			if n := bySource[source].Add(1); n > perSource {
				t.Errorf("%d of one source at once, want at most %d", n, perSource)
			}
			bySource[source].Add(-1)
			running.Add(-1)
		})
	}
	all.Wait()
	checkUnused(t, l)
}

func TestSourceLeavesSlotsToOthers(t *testing.T) {
	l := New[string](4, 2)
	first, second := l.TryAcquire("silent"), l.TryAcquire("silent")
	if first == nil || second == nil {
		t.Fatal("a source does not get its slots")
	}
	if l.TryAcquire("silent") != nil {
		t.Error("a source got more than its slots")
	}
	other, err := l.Acquire(t.Context(), "other")
	if err != nil {
		t.Fatalf("another source: %v", err)
	}
	other()
	first()
	if again := l.TryAcquire("silent"); again == nil {
		t.Error("a released slot is not available")
	} else {
		again()
	}
	second()
	checkUnused(t, l)
}

func TestAcquireEndsWithItsContext(t *testing.T) {
	for name, held := range map[string]string{"slots of the source": "a", "all slots": "b"} {
		t.Run(name, func(t *testing.T) {
			l := New[string](1, 1)
			release := l.TryAcquire(held)
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := l.Acquire(ended, "a"); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want %v", err, context.Canceled)
			}
			if l.TryAcquire("a") != nil {
				t.Error("a slot is available while another caller holds it")
			}
			release()
			checkUnused(t, l)
		})
	}
}
