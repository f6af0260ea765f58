package endpoint

import (
	"fmt"
	"testing"
	"time"
)

// counter is a limiter with its own clock, and records the slots that were cut.
type counter struct {
	*clientLimiter
	time time.Time
	gone []*slot
}

func newCounter(l limits) *counter {
	c := &counter{time: time.Unix(1_800_000_000, 0)}
	c.clientLimiter = newClientLimiter(l, func() time.Time { return c.time }, nil)
	return c
}

// take acquires a slot of the size.
func (c *counter) take(address string, size int) *slot {
	var one *slot
	one = c.acquire(address+":1", size, func() { c.gone = append(c.gone, one) })
	return one
}

func (c *counter) forgetsAll(t *testing.T, slots ...*slot) {
	t.Helper()
	for _, s := range slots {
		s.release()
		s.release()
	}
	if c.connections != 0 || len(c.groups) != 0 || len(c.slots) != 0 {
		t.Errorf("remembered: %d, %v, %v", c.connections, c.groups, c.slots)
	}
}

// connectionLimits returns the server's limits.
func connectionLimits() limits {
	return limits{all: maxConnections, each: DefaultPerSource, grace: grace, idleYields: true}
}

// TestNewClientsGetSlots attacks with idle connections from many sources. A hundred machines elsewhere get slots, and
// none of them is displaced by another machine or by the attacker's next connections.
func TestNewClientsGetSlots(t *testing.T) {
	cases := map[string]struct{ reason, attacker string }{
		"one /64":        {reason: "one machine has all its addresses", attacker: "[2001:db8::%x]"},
		"one /56":        {reason: "one customer has 256 networks", attacker: "[2001:db8:0:%x::1]"},
		"one /48":        {reason: "one site has 65,536 networks", attacker: "[2001:db8:1:%x::1]"},
		"one address":    {reason: "it has as many connections as it wants", attacker: "192.0.2.1"},
		"IPv6 with IPv4": {reason: "the listener shows IPv4 like that", attacker: "[::ffff:192.0.2.1]"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := newCounter(connectionLimits())
			attack := func(i int) string {
				if tc.attacker[0] == '[' && name != "IPv6 with IPv4" {
					return fmt.Sprintf(tc.attacker, i%0xffff+1)
				}
				return tc.attacker
			}
			for i := range maxConnections {
				c.take(attack(i), 1)
			}
			machines := map[*slot]bool{}
			for i := range 100 {
				// Half of the machines are at one site, each in its own network.
				machine := fmt.Sprintf("198.51.100.%d", i)
				if i%2 == 0 {
					machine = fmt.Sprintf("[2001:db8:2:%x::1]", i)
				}
				one := c.take(machine, 1)
				if one == nil {
					t.Fatalf("%s: machine %d is refused", tc.reason, i)
				}
				machines[one] = true
				c.take(attack(maxConnections+i), 1)
			}
			for _, gone := range c.gone {
				if machines[gone] {
					t.Errorf("%s: a machine had to leave", tc.reason)
				}
			}
		})
	}
}

// TestManyAddressesOfIPv4 attacks with one idle connection from each of many IPv4 addresses, which look like machines.
func TestManyAddressesOfIPv4(t *testing.T) {
	c := newCounter(connectionLimits())
	attack := func(i int) string { return fmt.Sprintf("10.%d.%d.1", i>>8, i&0xff) }
	for i := range maxConnections {
		c.take(attack(i), 1)
	}
	site := map[*slot]bool{}
	for i := range 100 {
		// All machines share one address, which soon holds most connections; half of them have sent their requests.
		one := c.take("198.51.100.1", 1)
		if one == nil {
			t.Fatalf("machine %d is refused", i)
		}
		if i%2 == 0 {
			one.busy()
		}
		site[one] = true
		c.time = c.time.Add(grace / 50)
		for j := range 10 {
			c.take(attack(10*i+j+maxConnections), 1)
		}
	}
	for _, gone := range c.gone {
		if site[gone] {
			t.Error("a machine had to leave before an attacker that was idle for longer")
		}
	}
}

// TestFloodOfOneNetworkLeavesSlowMachines attacks with connections that are displaced by newer ones before the grace
// period ends. A machine with a slow line needs longer than the grace period for a handshake.
func TestFloodOfOneNetworkLeavesSlowMachines(t *testing.T) {
	for name, attacker := range map[string]struct {
		pattern string
		sources int
	}{"one site of IPv6": {"[2001:db8:1:%x::1]", 0xffff}, "four addresses": {"192.0.2.%d", 4}} {
		t.Run(name, func(t *testing.T) {
			c, n := newCounter(connectionLimits()), 0
			flood := func(connections int) {
				for range connections {
					n++
					c.take(fmt.Sprintf(attacker.pattern, n%attacker.sources), 1)
				}
			}
			flood(maxConnections)
			machines := map[*slot]bool{}
			for i := range 8 {
				one := c.take(fmt.Sprintf("198.51.100.%d", i), 1)
				if one == nil {
					t.Fatalf("machine %d is refused", i)
				}
				machines[one] = true
				c.time = c.time.Add(grace / 2)
				flood(maxConnections)
			}
			for _, gone := range c.gone {
				if machines[gone] {
					t.Error("a machine had to leave")
				}
			}
		})
	}
}

// TestIdleClientsDoNotDisplaceALargeNetwork attacks with idle connections from many addresses while machines that share
// one address hold more than a sixteenth of all connections.
func TestIdleClientsDoNotDisplaceALargeNetwork(t *testing.T) {
	const machines = maxConnections / smallShare * 2
	c := newCounter(connectionLimits())
	attack := func(i int) string { return fmt.Sprintf("10.%d.%d.1", i>>8, i&0xff) }
	for i := range maxConnections - machines {
		c.take(attack(i), 1)
	}
	site := map[*slot]bool{}
	for range machines {
		site[c.take("198.51.100.1", 1)] = true
	}
	c.time = c.time.Add(grace)
	for i := range machines {
		c.take(attack(maxConnections+i), 1)
	}
	if len(c.gone) != machines {
		t.Errorf("%d clients were displaced, want %d", len(c.gone), machines)
	}
	for _, gone := range c.gone {
		if site[gone] {
			t.Fatal("a machine was displaced before an attacker that was idle for as long")
		}
	}
}

func TestBusyConnectionsStay(t *testing.T) {
	c := newCounter(limits{all: 2, each: 2, grace: grace, idleYields: true})
	one, two := c.take("192.0.2.1", 1), c.take("192.0.2.2", 1)
	one.busy()
	two.busy()
	c.time = c.time.Add(time.Hour)
	if c.take("192.0.2.3", 1) != nil || len(c.gone) != 0 {
		t.Error("a connection that waits for its answer was cut, though its source holds no more than another")
	}
	c.forgetsAll(t, one, two)
}

// TestLargestReaderIsDisplaced has downloads that neither exceed the limit of a source nor are idle.
func TestLargestReaderIsDisplaced(t *testing.T) {
	c := newCounter(limits{all: 4, each: 3, grace: stalled})
	var slots []*slot
	for _, address := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"} {
		slots = append(slots, c.take(address, 1))
	}
	if c.take("192.0.2.1", 1) != nil {
		t.Error("one source has more than its share")
	}
	if s := c.take("192.0.2.3", 1); s == nil || len(c.gone) != 1 || c.gone[0] != slots[2] {
		t.Errorf("the newest of the greediest source gives way: %v", c.gone)
	}
	if s := c.take("192.0.2.2", 1); s != nil {
		t.Error("no client holds more than this one would")
	}
	c.time = c.time.Add(stalled)
	slots[0].progress()
	if s := c.take("192.0.2.4", 1); s == nil || c.gone[1] != slots[1] {
		t.Errorf("a client that does not read gives way: %v", c.gone)
	}
}

// TestBytesAreShared verifies that large objects use more of the limit than small ones.
func TestBytesAreShared(t *testing.T) {
	c := newCounter(limits{all: 100, each: 60, grace: stalled})
	large, small := c.take("192.0.2.1", 60), c.take("192.0.2.2", 10)
	if c.take("192.0.2.1", 1) != nil {
		t.Error("one source has more than its share")
	}
	other := c.take("192.0.2.3", 30)
	if c.take("192.0.2.4", 61) != nil || len(c.gone) != 0 {
		t.Error("an object that is larger than a share got in")
	}
	if c.take("192.0.2.4", 1) != nil || len(c.gone) != 0 {
		t.Error("without its only slot the source would hold less than the new one")
	}
	large.release()
	first, second := c.take("192.0.2.1", 30), c.take("192.0.2.1", 30)
	if s := c.take("192.0.2.4", 20); s == nil || len(c.gone) != 1 || c.gone[0] != second {
		t.Errorf("the newest of the greediest source gives way: %v", c.gone)
	} else {
		c.forgetsAll(t, first, small, other, s)
	}
}

func TestNetworks(t *testing.T) {
	cases := map[string]struct {
		reason, a, b string
		// same is the number of equal networks.
		same int
	}{
		"ports": {reason: "a machine has many", a: "192.0.2.1:1", b: "192.0.2.1:2", same: 3},
		"IPv4":  {reason: "neighbours are strangers", a: "192.0.2.1:1", b: "192.0.2.2:1"},
		"links": {
			reason: "a machine has all addresses of its link", a: "[2001:db8::1]:1",
			b: "[2001:db8::ffff:2]:1", same: 3,
		},
		"customers": {reason: "a customer has 256 links", a: "[2001:db8:0:1::1]:1", b: "[2001:db8:0:ff::1]:1", same: 2},
		"sites":     {reason: "a site has 65,536 links", a: "[2001:db8::1]:1", b: "[2001:db8:0:100::1]:1", same: 1},
		"IPv6":      {reason: "these are two sites", a: "[2001:db8::1]:1", b: "[2001:db8:1::1]:1"},
		"two sorts": {reason: "the listener shows one as the other", a: "[::ffff:192.0.2.1]:1", b: "192.0.2.1:1", same: 3},
		"zones":     {reason: "it is the same network", a: "[fe80::1%eth0]:1", b: "[fe80::2]:1", same: 3},
		"unknown":   {reason: "what has no address is one source", a: "", b: "@", same: 3},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a, b, same := networks(c.a), networks(c.b), 0
			for i := range a {
				if a[i] == b[i] {
					same++
				}
			}
			if same != c.same {
				t.Errorf("%s: %v and %v", c.reason, a, b)
			}
		})
	}
}
