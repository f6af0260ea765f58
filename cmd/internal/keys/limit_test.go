package keys

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/ports"
)

// TestPluginsAreBounded has many ask at once: no more than the limit have plugins at a time, also of copies, and all get their turn.
func TestPluginsAreBounded(t *testing.T) {
	const limit, many = 3, 20
	p := Plugins{Folders: []string{t.TempDir()}, Sockets: t.TempDir(), Limit: NewLimit(limit)}
	var now, done atomic.Int32
	full, leave := make(chan struct{}, many), make(chan struct{})
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			ours := p
			err := ours.with(t.Context(), func(*host.Set) error {
				if n := now.Add(1); n > limit {
					t.Errorf("%d at once", n)
				}
				full <- struct{}{}
				<-leave
				now.Add(-1)
				done.Add(1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range limit {
		<-full
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.with(ended, func(*host.Set) error { return nil }); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("one that gave up: %v", err)
	}
	close(leave)
	all.Wait()
	if done.Load() != many {
		t.Errorf("%d of %d had a turn", done.Load(), many)
	}
}
