package endpoint

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// clientLimiter limits what clients hold, per source and in total: connections, downloads, or bytes of responses. While
// there is room, every source gets up to its limit. A source at its limit displaces its own clients only: the longest
// idle one, after the grace period.
//
// Once there is no room in total, a new client displaces the first of
//
//  1. a client of the network that holds most, if that network floods the endpoint: it holds more than a sixteenth of
//     the total and more than the new client's network would. This rule does not apply while other small networks
//     together hold more than a sixteenth with clients that are idle past the grace period;
//  2. the longest idle client, if it is idle past the grace period or idle clients always yield. The new client's
//     network must be small (at most a sixteenth) or hold no more than the idle client's;
//  3. a client of the network that holds most, if that is more than the new client's network would hold, or if the
//     client is idle and idle clients always yield.
//
// Within one network, idle clients go first if they always yield, the longest idle first, and then the newest. Networks
// of IPv6 are compared as /48, then /56, then /64. docs/adr/0062 has the reasons.
type clientLimiter struct {
	limits
	now func() time.Time
	// rejected is called for each refused or displaced client; it may be nil.
	rejected func()

	mutex       sync.Mutex
	connections int
	groups      map[netip.Prefix]*group
	// slots are in the order in which they were acquired.
	slots []*slot
}

type limits struct {
	// all is the limit for all sources together, and each the limit for one source.
	all, each int
	// grace is how long a client may be idle when room is needed.
	grace time.Duration
	// idleYields makes idle clients yield within the grace period, too.
	idleYields bool
}

// smallShare is the divisor of the total that defines a small network: it holds at most a sixteenth.
const smallShare = 16

// group counts the slots or bytes of the clients of one network.
type group struct{ connections int }

// slot is the share of one client.
type slot struct {
	limiter *clientLimiter
	size    int
	// idle is the time of the client's last progress, or zero while the client waits for the server.
	idle time.Time
	// groups are the groups of the source's networks, the widest first. The last one is the source itself.
	groups [levels]*group
	source [levels]netip.Prefix
	// cut disconnects the client when it is displaced.
	cut func()
}

func newClientLimiter(l limits, now func() time.Time, turnedAway func()) *clientLimiter {
	l.each = min(l.all, l.each)
	return &clientLimiter{limits: l, now: now, rejected: turnedAway, groups: map[netip.Prefix]*group{}}
}

// acquire returns a slot of the size, which the caller must release, or nil if there is no room. It disconnects
// displaced clients. The new client is idle until it makes progress or is marked as busy.
func (l *clientLimiter) acquire(address string, size int, cut func()) *slot {
	added := &slot{limiter: l, size: size, source: networks(address), cut: cut}
	displaced, ok := l.add(added)
	if (!ok || len(displaced) > 0) && l.rejected != nil {
		l.rejected()
	}
	for _, d := range displaced {
		d.cut()
	}
	if !ok {
		return nil
	}
	return added
}

func (l *clientLimiter) add(added *slot) (displaced []*slot, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.now()
	added.idle = now
	l.join(added)
	defer func() {
		if !ok {
			l.leave(added)
		}
	}()
	for added.ownGroup().connections > l.each || l.connections > l.all {
		d := l.displaceable(added, now)
		if d == nil {
			return displaced, false
		}
		l.remove(d)
		displaced = append(displaced, d)
	}
	l.slots = append(l.slots, added)
	return displaced, true
}

// displaceable returns the slot to displace for the new one, which is already counted, or nil if there is none.
func (l *clientLimiter) displaceable(added *slot, now time.Time) *slot {
	if added.ownGroup().connections > l.each {
		if idle := l.longestIdle(added.ownGroup()); idle != nil && l.isStalled(idle, now) {
			return idle
		}
		return nil
	}
	idle, largest := l.longestIdle(nil), l.ofLargestNetwork()
	crowded := l.isFull(now)
	switch {
	case largest == nil:
		return nil
	case !crowded && !l.isSmall(largest) && largest.holdsMoreThan(added):
		return largest
	case idle != nil && l.canDisplace(idle, added, crowded, now):
		return idle
	case largest.holdsMoreThan(added) || l.idleYields && !largest.idle.IsZero():
		return largest
	default:
		return nil
	}
}

// canDisplace reports whether the longest idle client is displaced for the new one.
func (l *clientLimiter) canDisplace(idle, added *slot, crowded bool, now time.Time) bool {
	if l.isStalled(idle, now) && crowded {
		return true
	}
	return (l.idleYields || l.isStalled(idle, now)) &&
		(l.isSmall(added) || idle.groups[0].connections >= added.groups[0].connections)
}

// isStalled reports whether a client is idle past the grace period.
func (l *clientLimiter) isStalled(s *slot, now time.Time) bool {
	return !s.idle.IsZero() && now.Sub(s.idle) >= l.grace
}

// isFull reports whether stalled clients of small networks hold more than a sixteenth of the total. A few of them
// may be machines with slow lines.
func (l *clientLimiter) isFull(now time.Time) bool {
	held := 0
	for _, s := range l.slots {
		if l.isStalled(s, now) && l.isSmall(s) {
			held += s.size
		}
	}
	return held > l.all/smallShare
}

// isSmall reports whether the slot's widest network holds at most a sixteenth of the total.
func (l *clientLimiter) isSmall(s *slot) bool { return s.groups[0].connections <= l.all/smallShare }

// longestIdle returns the longest idle slot of the source; of all sources if it is nil.
func (l *clientLimiter) longestIdle(source *group) *slot {
	var longest *slot
	for _, s := range l.slots {
		candidate := !s.idle.IsZero() && (source == nil || s.ownGroup() == source)
		if candidate && (longest == nil || s.idle.Before(longest.idle)) {
			longest = s
		}
	}
	return longest
}

// ofLargestNetwork returns the slot that is displaced first in the network that holds most.
func (l *clientLimiter) ofLargestNetwork() *slot {
	var first *slot
	for _, s := range l.slots {
		if first == nil || s.displacedBefore(first) {
			first = s
		}
	}
	return first
}

// displacedBefore reports whether the slot is displaced before an older one.
func (s *slot) displacedBefore(older *slot) bool {
	for i, g := range s.groups {
		if g.connections != older.groups[i].connections {
			return g.connections > older.groups[i].connections
		}
	}
	switch {
	case !s.limiter.idleYields || older.idle.IsZero():
		return true // the newest client loses the least work
	case s.idle.IsZero():
		return false
	default:
		return s.idle.Before(older.idle)
	}
}

// holdsMoreThan reports whether the slot's network would hold at least as much as the network of the new slot, even
// without this slot.
func (s *slot) holdsMoreThan(added *slot) bool {
	for i, g := range s.groups {
		if g != added.groups[i] {
			return g.connections-s.size >= added.groups[i].connections
		}
	}
	return false
}

func (s *slot) ownGroup() *group { return s.groups[levels-1] }

// busy marks that the client waits for the server's answer.
func (s *slot) busy() { s.mark(time.Time{}) }

// progress marks that the client has just made progress.
func (s *slot) progress() { s.mark(s.limiter.now()) }

func (s *slot) mark(idle time.Time) {
	s.limiter.mutex.Lock()
	defer s.limiter.mutex.Unlock()
	s.idle = idle
}

// release releases the slot. It can be called more than once, and for a slot that was displaced.
func (s *slot) release() {
	s.limiter.mutex.Lock()
	defer s.limiter.mutex.Unlock()
	s.limiter.remove(s)
}

func (l *clientLimiter) remove(s *slot) {
	if i := slices.Index(l.slots, s); i >= 0 {
		l.slots = slices.Delete(l.slots, i, i+1)
		l.leave(s)
	}
}

// join counts the slot in its groups.
func (l *clientLimiter) join(s *slot) {
	l.connections += s.size
	for i, network := range s.source {
		known := l.groups[network]
		if known == nil {
			known = &group{}
			l.groups[network] = known
		}
		s.groups[i] = known
		if i == 0 || known != s.groups[i-1] {
			known.connections += s.size
		}
	}
}

// leave undoes join.
func (l *clientLimiter) leave(s *slot) {
	l.connections -= s.size
	for i, network := range s.source {
		if i == 0 || s.groups[i] != s.groups[i-1] {
			s.groups[i].connections -= s.size
		}
		if s.groups[i].connections == 0 {
			delete(l.groups, network)
		}
	}
}
