package keys

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/machineadm/machineadm/adapters/pluginhost/host"
	"github.com/machineadm/machineadm/ports"
)

// TestPluginsAreBounded holds that many concurrent requests run no more plugins than the limit, also of copies, and
// that all requests are served.
func TestPluginsAreBounded(t *testing.T) {
	const limit, many = 3, 20
	p := Plugins{Folders: []string{t.TempDir()}, Sockets: t.TempDir(), Limit: NewLimit(limit)}
	var now, done atomic.Int32
	full, leave := make(chan struct{}, many), make(chan struct{})
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			ours := p
			err := ours.with(t.Context(), strconv.Itoa(i), func(*host.Set) error {
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
	if err := p.with(ended, "", func(*host.Set) error { return nil }); !errors.Is(err, ports.ErrKeysUnavailable) {
		t.Errorf("one that gave up: %v", err)
	}
	close(leave)
	all.Wait()
	if done.Load() != many {
		t.Errorf("%d of %d were served", done.Load(), many)
	}
}

// TestANamespaceLeavesPluginsToOthers makes the service of one namespace not answer. Another namespace is served
// meanwhile, and the first one after its service has answered.
func TestANamespaceLeavesPluginsToOthers(t *testing.T) {
	p := Plugins{Folders: []string{t.TempDir()}, Sockets: t.TempDir(), Limit: NewLimit(4)}
	var all sync.WaitGroup
	began, answer := make(chan struct{}, 8), make(chan struct{})
	for range 8 {
		all.Go(func() {
			err := p.with(t.Context(), "silent", func(*host.Set) error {
				began <- struct{}{}
				<-answer
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 2 {
		<-began
	}
	if err := p.with(t.Context(), "other", func(*host.Set) error { return nil }); err != nil {
		t.Errorf("another namespace: %v", err)
	}
	if n := len(began); n > 0 {
		t.Errorf("%d more than its share run", n)
	}
	close(answer)
	all.Wait()
	if n := p.Limit.Sources(); n != 0 {
		t.Errorf("%d namespaces are left in the limiter", n)
	}
}
