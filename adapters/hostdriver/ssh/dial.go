package ssh

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

const (
	// dialTimeout limits the time to resolve the name of a host and to connect to it.
	dialTimeout = 5 * time.Second
	// slowAttempt is the duration of a failed attempt after which a host is not tried again at once.
	slowAttempt = time.Second
	// firstPause is the time until the next attempt. It doubles with each slow attempt, up to maxPause.
	firstPause = 5 * time.Second
	maxPause   = time.Minute
)

// outage is a host that did not answer.
type outage struct {
	// err is the error of the last attempt until the pause ends, and nil afterwards.
	err   error
	pause time.Duration
	timer *time.Timer
}

// establish dials and logs in. It dials before it waits for a handshake, so that hosts that do not answer take no
// handshakes from other hosts.
func (p *pool) establish(ctx context.Context, l login) (c *connection, err error) {
	var transport net.Conn
	if err := p.attempt(ctx, l, func() (err error) {
		transport, err = p.reach(ctx, l)
		return err
	}); err != nil {
		return nil, err
	}
	done, err := p.handshakes.Acquire(ctx, l.namespace)
	if err != nil {
		_ = transport.Close()
		return nil, busy(ctx)
	}
	defer done()
	err = p.attempt(ctx, l, func() (err error) {
		ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
		defer cancel()
		c, err = l.connect(ctx, transport)
		return err
	})
	if err == nil {
		p.recovered(l)
	}
	return c, err
}

// attempt calls a part of the login. If the host does not answer for a time, it is not tried again before a pause: such
// attempts hold slots that other hosts need. The end of the caller's context shows nothing about the host.
func (p *pool) attempt(ctx context.Context, l login, try func() error) error {
	slow, cancel := context.WithTimeout(ctx, slowAttempt)
	defer cancel()
	err := try()
	var failed *ports.HostError
	if ctx.Err() == nil && slow.Err() != nil && errors.As(err, &failed) && failed.Fault == host.FaultUnreachable {
		p.pause(l, err)
	}
	return err
}

// pause starts a pause of the host, which is longer than its last one.
func (p *pool) pause(l login, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	o := &outage{err: err, pause: firstPause}
	if last := p.outages[l.id]; last != nil {
		last.timer.Stop()
		o.pause = min(2*last.pause, maxPause)
	}
	o.timer = time.AfterFunc(o.pause, func() { p.resume(l, o) })
	p.outages[l.id] = o
}

// resume ends a pause. It forgets the outage if no attempt follows: the host may have been deleted or changed.
func (p *pool) resume(l login, o *outage) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case p.outages[l.id] != o:
	case o.err == nil || p.closed:
		delete(p.outages, l.id)
	default:
		o.err = nil
		o.timer.Reset(2 * maxPause)
	}
}

// recovered forgets the outage of a host that answers.
func (p *pool) recovered(l login) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if o := p.outages[l.id]; o != nil {
		o.timer.Stop()
		delete(p.outages, l.id)
	}
}

// paused returns the error of the last attempt if the host must not be tried yet.
func (p *pool) paused(l login) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if o := p.outages[l.id]; o != nil {
		return o.err
	}
	return nil
}

// reach connects to the first address of the host that answers.
func (p *pool) reach(ctx context.Context, l login) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	candidates, err := p.resolve(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, a := range candidates {
		var transport net.Conn
		if transport, err = p.dialAddress(ctx, l, a, dialTimeout/time.Duration(len(candidates))); err == nil {
			return transport, nil
		}
	}
	return nil, err
}

// dialAddress connects to an address within a time.
func (p *pool) dialAddress(ctx context.Context, l login, a netip.Addr, limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	transport, err := p.dial(ctx, "tcp", net.JoinHostPort(a.String(), strconv.Itoa(int(l.port))))
	if err != nil {
		return nil, unreachable(ctx, "connect to "+l.endpoint(), err)
	}
	return transport, nil
}

// resolve returns the addresses of the host that the networks contain.
func (p *pool) resolve(ctx context.Context, l login) ([]netip.Addr, error) {
	all := []netip.Addr{}
	if a, err := netip.ParseAddr(l.address); err == nil {
		all = append(all, a)
	} else if all, err = net.DefaultResolver.LookupNetIP(ctx, "ip", l.address); err != nil {
		return nil, unreachable(ctx, "resolve "+l.address, err)
	}
	var allowed []netip.Addr
	var refused error
	for _, a := range all {
		if err := p.networks.Check(a); err != nil {
			refused = fault(host.FaultUnreachable, "%s: %w; list its network with --host-networks", l.address, err)
			continue
		}
		allowed = append(allowed, a.Unmap())
	}
	if len(allowed) == 0 {
		return nil, refused
	}
	return allowed, nil
}
