package ssh

import (
	"context"
	"crypto/sha256"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// pool shares connections between calls: each host has at most one.
//
// The limiter counts calls and not connections. There are never more calls than allowed connections, so a connection
// that exceeds the limit can replace one that no call uses.
type pool struct {
	limits     ports.HostDriverLimits
	networks   egress.Networks
	dial       func(ctx context.Context, network, address string) (net.Conn, error)
	calls      *limiter.Limiter[string]
	handshakes *limiter.Limiter[string]

	mutex sync.Mutex
	hosts map[[sha256.Size]byte]*entry
	// idle are the entries with a connection that no call uses, the oldest first.
	idle []*entry
	// outages are the hosts that did not answer.
	outages map[[sha256.Size]byte]*outage
	open    int
	closed  bool
}

// entry is a host with calls or with a connection.
type entry struct {
	id [sha256.Size]byte
	// calls is the number of calls that use or await the connection. The mutex of the pool protects calls, connection
	// and timer.
	calls      int
	connection *connection
	timer      *time.Timer
	// sessions limits the sessions of the connection, and connecting is held while it is established.
	sessions, connecting chan struct{}
}

// lease is the right to one session.
type lease struct {
	connection *connection
	// reused reports whether an earlier call established the connection.
	reused bool
	// release must be called once.
	release func()
}

func newPool(o Options) *pool {
	return &pool{
		limits: o.Limits, networks: o.Networks, dial: o.Dial,
		// A namespace gets at most half, so that hosts that do not answer do not block other namespaces.
		calls:      limiter.New[string](o.Limits.Connections, (o.Limits.Connections+1)/2),
		handshakes: limiter.New[string](o.Limits.Handshakes, (o.Limits.Handshakes+1)/2),
		hosts:      map[[sha256.Size]byte]*entry{}, outages: map[[sha256.Size]byte]*outage{},
	}
}

// acquire waits for a session and returns it with a connection. The caller must release it.
func (p *pool) acquire(ctx context.Context, l login) (*lease, error) {
	if ctx.Err() != nil {
		return nil, busy(ctx)
	}
	finished, err := p.calls.Acquire(ctx, l.namespace)
	if err != nil {
		return nil, busy(ctx)
	}
	e, err := p.join(l)
	if err != nil {
		finished()
		return nil, err
	}
	leave := func() {
		p.leave(e)
		finished()
	}
	if err := enter(ctx, e.sessions); err != nil {
		leave()
		return nil, err
	}
	release := func() {
		<-e.sessions
		leave()
	}
	c, reused, err := p.connect(ctx, l, e)
	if err != nil {
		release()
		return nil, err
	}
	return &lease{connection: c, reused: reused, release: release}, nil
}

// enter waits for a place in a channel.
func enter(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return busy(ctx)
	}
}

// busy returns the error of a call that got no slot.
func busy(ctx context.Context) error {
	if ctx.Err() == context.Canceled {
		return ctx.Err()
	}
	return fault(host.FaultBusy, "no connection became free in time")
}

// join returns the entry of the host, and counts the call. A closed pool has no entries.
func (p *pool) join(l login) (*entry, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return nil, errClosed()
	}
	e := p.hosts[l.id]
	if e == nil {
		e = &entry{
			id: l.id, sessions: make(chan struct{}, max(p.limits.Sessions, 1)), connecting: make(chan struct{}, 1),
		}
		p.hosts[l.id] = e
	}
	e.calls++
	p.wake(e)
	return e, nil
}

// errClosed returns the error of calls after the driver was closed.
func errClosed() error { return fault(host.FaultUnreachable, "the driver is closed") }

// leave ends a call. Without another call, the connection stays open for a time.
func (p *pool) leave(e *entry) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if e.calls--; e.calls > 0 {
		return
	}
	if e.connection == nil || !e.connection.alive() || p.closed {
		p.drop(e)
		return
	}
	p.idle = append(p.idle, e)
	e.timer = time.AfterFunc(p.limits.Idle, func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if e.calls == 0 && p.hosts[e.id] == e {
			p.drop(e)
		}
	})
}

// wake removes an entry from those that no call uses.
func (p *pool) wake(e *entry) {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	p.idle = slices.DeleteFunc(p.idle, func(other *entry) bool { return other == e })
}

// drop closes the connection of an entry without calls and forgets the entry.
func (p *pool) drop(e *entry) {
	p.wake(e)
	p.disconnect(e)
	delete(p.hosts, e.id)
}

// disconnect closes the connection of an entry.
func (p *pool) disconnect(e *entry) {
	if e.connection != nil {
		e.connection.close()
		e.connection = nil
		p.open--
	}
}

// connect returns the connection of the host, and establishes it if there is none. Of several calls, one does this, and
// the others wait.
func (p *pool) connect(ctx context.Context, l login, e *entry) (c *connection, reused bool, err error) {
	if err := enter(ctx, e.connecting); err != nil {
		return nil, false, err
	}
	defer func() { <-e.connecting }()
	if c := p.current(e); c != nil {
		return c, true, nil
	}
	if err := p.paused(l); err != nil {
		return nil, false, err
	}
	p.reserve()
	if c, err = p.establish(ctx, l); err != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.open--
		return nil, false, err
	}
	return c, false, p.store(e, c)
}

// current returns the connection of the entry if it has not ended.
func (p *pool) current(e *entry) *connection {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if e.connection != nil && !e.connection.alive() {
		p.disconnect(e)
	}
	return e.connection
}

// reserve counts a connection before it is established, and closes the one that was not used for the longest time if
// there are too many.
func (p *pool) reserve() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.open++
	if p.open > p.limits.Connections && len(p.idle) > 0 {
		p.drop(p.idle[0])
	}
}

// store sets the connection of the entry.
func (p *pool) store(e *entry, c *connection) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	e.connection = c
	if p.closed {
		p.disconnect(e)
		return errClosed()
	}
	return nil
}

// close closes all connections.
func (p *pool) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.closed = true
	for _, e := range p.hosts {
		if e.calls == 0 {
			p.drop(e)
		} else if e.connection != nil {
			e.connection.close()
		}
	}
}
