package endpoint

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// The bounds of those who are there at once. Half of the connections are for what is done in a moment: reports, and what is stored.
const (
	maxConnections = 2048
	// DefaultPerSource is how many connections one address has at once, if nobody says otherwise. Many machines may stand behind one
	// address, of which each needs one.
	DefaultPerSource = 512
	downloading      = 2
)

// The bits of an address by which one who comes is known. Whoever has an IPv6 address has all of its network (RFC 4291, section 2.5.4).
const (
	bitsOfIPv4 = 32
	bitsOfIPv6 = 64
)

// crowd bounds how many are there at once: of one source, and in all. Once all places are taken, who comes from a source that has few of
// them takes one of the source that has most, so that nobody is shut out by others.
type crowd struct {
	all, each int
	// turned is told of each who is not let in, or has to go for another; it may be nil.
	turned func()

	mutex   sync.Mutex
	count   int
	present map[netip.Prefix][]*guest
}

type guest struct{ dismiss func() }

func newCrowd(all, each int, turned func()) *crowd {
	return &crowd{all: all, each: min(all, each), turned: turned, present: map[netip.Prefix][]*guest{}}
}

// enter lets one in, and reports whether it did; who was let in has to leave. If he has to go for another, dismiss is called.
func (c *crowd) enter(from netip.Prefix, dismiss func()) (leave func(), in bool) {
	one := &guest{dismiss: dismiss}
	displaced, in := c.add(from, one)
	if (!in || displaced != nil) && c.turned != nil {
		c.turned()
	}
	if displaced != nil {
		displaced.dismiss()
	}
	return func() { c.remove(from, one) }, in
}

func (c *crowd) add(from netip.Prefix, one *guest) (displaced *guest, in bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	own := len(c.present[from])
	if own >= c.each {
		return nil, false
	}
	if c.count >= c.all {
		most := c.most()
		crowded := c.present[most]
		if len(crowded) < own+2 {
			return nil, false
		}
		// The newest has the least to lose.
		displaced = crowded[len(crowded)-1]
		c.drop(most, len(crowded)-1)
	}
	c.present[from] = append(c.present[from], one)
	c.count++
	return displaced, true
}

// most returns the source that has most places.
func (c *crowd) most() netip.Prefix {
	var most netip.Prefix
	for source, guests := range c.present {
		if len(guests) > len(c.present[most]) {
			most = source
		}
	}
	return most
}

// remove forgets one who is there; one who was displaced is not.
func (c *crowd) remove(from netip.Prefix, one *guest) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if i := slices.Index(c.present[from], one); i >= 0 {
		c.drop(from, i)
	}
}

func (c *crowd) drop(from netip.Prefix, i int) {
	c.count--
	c.present[from] = slices.Delete(c.present[from], i, i+1)
	if len(c.present[from]) == 0 {
		delete(c.present, from)
	}
}

// source returns by what one who comes from the address is known.
func source(address string) netip.Prefix {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap().WithZone(""), bitsOfIPv6
	if ip.Is4() {
		bits = bitsOfIPv4
	}
	// The address has as many bits.
	known, _ := ip.Prefix(bits)
	return known
}

// door lets those in for whom the crowd has a place.
type door struct {
	net.Listener
	crowd *crowd
}

// Accept waits for the next who is let in.
func (d door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		leave, in := d.crowd.enter(source(conn.RemoteAddr().String()), func() { abort(conn) })
		if in {
			return place{Conn: conn, leave: leave}, nil
		}
		abort(conn)
	}
}

// abort ends a connection, and keeps nothing for one who does not read.
func abort(conn net.Conn) {
	if tcp, is := conn.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// place is the connection of one who was let in.
type place struct {
	net.Conn
	leave func()
}

// Close ends the connection, and has the place free.
func (p place) Close() error {
	p.leave()
	return p.Conn.Close()
}
