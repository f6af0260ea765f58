package ssh

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// deadAddress is an address that does not answer.
const deadAddress = "192.0.2.2"

// network is a network in which deadAddress answers only if the test allows it.
type network struct {
	*server
	answers atomic.Bool
	// dials is the number of connections to deadAddress.
	dials atomic.Int32
}

func (n *network) dial(ctx context.Context, _, address string) (net.Conn, error) {
	if !strings.HasPrefix(address, deadAddress+":") {
		return n.listener.DialContext(ctx)
	}
	n.dials.Add(1)
	if n.answers.Load() {
		return n.listener.DialContext(ctx)
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// newNetwork returns a network and a driver in it.
func newNetwork(t *testing.T, limits ports.HostDriverLimits) (*network, *Driver) {
	t.Helper()
	n := &network{server: newServer(t, answer("phase Claimed\nend\n"))}
	d := New(Options{Limits: limits, Dial: n.dial})
	t.Cleanup(d.Close)
	return n, d
}

// dead returns the target of a host with deadAddress.
func (n *network) dead(name string) ports.HostTarget {
	target := n.target(name)
	target.Connection.Address = deadAddress
	return target
}

// TestDeadHost checks that a host that does not answer takes no handshake from another host of its namespace, that its
// call ends early, and that the driver tries it again only after a pause.
func TestDeadHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, d := newNetwork(t, ports.HostDriverLimits{Connections: 8, Sessions: 1, Handshakes: 1, Idle: time.Minute})
		observe := func(target ports.HostTarget) error {
			_, err := d.Observe(t.Context(), target, claimID)
			return err
		}
		started, ended := time.Now(), make(chan error, 1)
		go func() { ended <- observe(n.dead("dead")) }()
		synctest.Wait()
		if err := observe(n.target("live")); err != nil || time.Since(started) != 0 {
			t.Errorf("the other host: error %v after %s", err, time.Since(started))
		}
		if err := <-ended; faultOf(err) != host.FaultUnreachable || time.Since(started) != dialTimeout {
			t.Errorf("error %v after %s", err, time.Since(started))
		}
		if err := observe(n.dead("dead")); faultOf(err) != host.FaultUnreachable || n.dials.Load() != 1 {
			t.Errorf("error %v after %d connections", err, n.dials.Load())
		}
		n.answers.Store(true)
		time.Sleep(firstPause)
		synctest.Wait()
		if err := observe(n.dead("dead")); err != nil || n.dials.Load() != 2 {
			t.Errorf("error %v after %d connections", err, n.dials.Load())
		}
	})
}

// TestDeadlineOfACaller checks that a host is tried again at once after a call that the caller ended.
func TestDeadlineOfACaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, d := newNetwork(t, ports.HostDriverLimits{})
		ctx, cancel := context.WithTimeout(t.Context(), 2*slowAttempt)
		defer cancel()
		if _, err := d.Observe(ctx, n.dead("dead"), claimID); faultOf(err) != host.FaultUnreachable {
			t.Errorf("error %v", err)
		}
		n.answers.Store(true)
		if _, err := d.Observe(t.Context(), n.dead("dead"), claimID); err != nil {
			t.Error(err)
		}
	})
}

// TestManyDeadHosts observes a host every ten seconds, over a new connection each time, while the driver observes many
// hosts of the namespace that do not answer.
func TestManyDeadHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := ports.DefaultHostDriverLimits()
		limits.Idle = time.Second
		n, d := newNetwork(t, limits)
		ctx, stop := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		for i := range 120 {
			calls.Go(func() {
				for ; ctx.Err() == nil; time.Sleep(5 * time.Second) {
					_, _ = d.Observe(ctx, n.dead(fmt.Sprint(i)), claimID)
				}
			})
		}
		synctest.Wait()
		for range 30 {
			if _, err := d.Observe(t.Context(), n.target("live"), claimID); err != nil {
				t.Error(err)
			}
			time.Sleep(10 * time.Second)
		}
		stop()
		calls.Wait()
	})
}
