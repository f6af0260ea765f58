package endpoint

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

// limiter limits what clients hold at once, each source and all together: connections, downloads, or bytes of
// responses. While there is room, every source gets up to its limit. Once there is none, a new client displaces the
// first of
//
//  1. the longest idle client, if a crowd has been idle for the grace period: more than a sixteenth, in networks that
//     hold no more than a sixteenth each. A few may be machines with slow lines;
//  2. a client of the network that holds most, if that is more than a sixteenth and more than the new client's network
//     would hold;
//  3. the longest idle client, if it has been idle for the grace period, and either the new client's network holds at
//     most a sixteenth or the other's no less;
//  4. the longest idle client, if idle clients always yield and the new client's network holds at most a sixteenth;
//  5. a client of the network that holds most, if that is more than the new client's would, or if it is idle and idle
//     clients yield.
//
// Of one network, idle clients go first if they always yield, the longest idle first, and then the newest. A source
// that is at its limit displaces its own clients alone, the longest idle one, after the grace period. Networks of IPv6
// are compared as /48, then /56, then /64.
type limiter struct {
	limits
	now func() time.Time
	// turnedAway is called for each client that is refused or displaced; it may be nil.
	turnedAway func()

	mutex  sync.Mutex
	held   int
	groups map[netip.Prefix]*group
	// slots are in the order in which they were taken.
	slots []*slot
}

// limits are the limits of a limiter.
type limits struct {
	// all is what all sources hold together at most, and each what one source does.
	all, each int
	// grace is how long a client may be idle if room is needed.
	grace time.Duration
	// idleYields makes idle clients give way also within the grace period.
	idleYields bool
}

// smallShare is the part of all that a network holds without being displaced while others are idle: a sixteenth.
const smallShare = 16

// group is what the clients of one network hold.
type group struct{ held int }

// slot is what one client holds.
type slot struct {
	limiter *limiter
	size    int
	// idle is since when the client has done nothing that it could; zero while it need not do anything.
	idle time.Time
	// groups are those of the source's networks, the widest first. The last is the source itself.
	groups [levels]*group
	source [levels]netip.Prefix
	// cut ends what the client is doing, once it is displaced.
	cut func()
}

func newLimiter(l limits, now func() time.Time, turnedAway func()) *limiter {
	l.each = min(l.all, l.each)
	return &limiter{limits: l, now: now, turnedAway: turnedAway, groups: map[netip.Prefix]*group{}}
}

// acquire returns a slot of the size, which the caller has to release; nil if there is no room. A client that is
// displaced for it is cut. The new holder counts as idle until it is marked as busy.
func (l *limiter) acquire(address string, size int, cut func()) *slot {
	one := &slot{limiter: l, size: size, source: networks(address), cut: cut}
	displaced, ok := l.add(one)
	if (!ok || len(displaced) > 0) && l.turnedAway != nil {
		l.turnedAway()
	}
	for _, d := range displaced {
		d.cut()
	}
	if !ok {
		return nil
	}
	return one
}

func (l *limiter) add(one *slot) (displaced []*slot, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	one.idle = l.now()
	l.join(one)
	defer func() {
		if !ok {
			l.leave(one)
		}
	}()
	for !l.fits(one) {
		d := l.victim(one)
		if d == nil {
			return displaced, false
		}
		l.drop(d)
		displaced = append(displaced, d)
	}
	l.slots = append(l.slots, one)
	return displaced, true
}

// fits reports whether the limits hold with the new slot, which is counted already.
func (l *limiter) fits(one *slot) bool { return l.held <= l.all && one.own().held <= l.each }

// victim returns the slot to displace for the new one; nil if there is none.
func (l *limiter) victim(one *slot) *slot {
	idle := l.longestIdle(one)
	waited := idle != nil && one.idle.Sub(idle.idle) >= l.grace
	if one.own().held > l.each {
		if waited {
			return idle
		}
		return nil
	}
	if waited && l.isCrowded(one.idle) {
		return idle
	}
	return l.victimAmongFew(one, idle, waited)
}

// victimAmongFew is victim while few idle clients are connected.
func (l *limiter) victimAmongFew(one, idle *slot, waited bool) *slot {
	most := l.greediest()
	switch {
	case most == nil:
		return nil
	case most.greedierThan(one) && !l.isSmall(most):
		return most
	case waited && (l.isSmall(one) || idle.groups[0].held >= one.groups[0].held):
		return idle
	case l.idleYields && l.isSmall(one) && idle != nil:
		return idle
	case most.greedierThan(one) || l.idleYields && !most.idle.IsZero():
		return most
	default:
		return nil
	}
}

// isCrowded reports whether clients that have been idle for the grace period hold more than a sixteenth, in networks
// that are small.
func (l *limiter) isCrowded(now time.Time) bool {
	held := 0
	for _, s := range l.slots {
		if !s.idle.IsZero() && now.Sub(s.idle) >= l.grace && l.isSmall(s) {
			held += s.size
		}
	}
	return held > l.all/smallShare
}

// isSmall reports whether the slot's widest network holds so little that it is not what leaves no room for others.
func (l *limiter) isSmall(s *slot) bool { return s.groups[0].held <= l.all/smallShare }

// longestIdle returns the slot that has been idle for longest: of the new slot's source if that is over its limit, and
// of all sources otherwise.
func (l *limiter) longestIdle(one *slot) *slot {
	var longest *slot
	for _, s := range l.slots {
		candidate := !s.idle.IsZero() && (one.own().held <= l.each || s.own() == one.own())
		if candidate && (longest == nil || s.idle.Before(longest.idle)) {
			longest = s
		}
	}
	return longest
}

// greediest returns of the network that holds most the slot that is displaced first.
func (l *limiter) greediest() *slot {
	var most *slot
	for _, s := range l.slots {
		if most == nil || s.displacedBefore(most) {
			most = s
		}
	}
	return most
}

// displacedBefore reports whether the slot is displaced before another one, which is older.
func (s *slot) displacedBefore(older *slot) bool {
	for i, g := range s.groups {
		if g.held != older.groups[i].held {
			return g.held > older.groups[i].held
		}
	}
	if !s.limiter.idleYields || s.idle.IsZero() || older.idle.IsZero() {
		// The newest loses least, and one that is idle loses less than one that is busy.
		return !s.limiter.idleYields || older.idle.IsZero()
	}
	return s.idle.Before(older.idle)
}

// greedierThan reports whether the slot's network holds no less than the new one's, also after the exchange.
func (s *slot) greedierThan(one *slot) bool {
	for i, g := range s.groups {
		if g != one.groups[i] {
			return g.held-s.size >= one.groups[i].held
		}
	}
	return false
}

func (s *slot) own() *group { return s.groups[levels-1] }

// busy marks that the client need not do anything before it is answered.
func (s *slot) busy() { s.mark(time.Time{}) }

// progress marks that the client has just done something.
func (s *slot) progress() { s.mark(s.limiter.now()) }

func (s *slot) mark(idle time.Time) {
	s.limiter.mutex.Lock()
	defer s.limiter.mutex.Unlock()
	s.idle = idle
}

// release gives the slot back. It may be called more than once, and for a slot that was displaced.
func (s *slot) release() {
	s.limiter.mutex.Lock()
	defer s.limiter.mutex.Unlock()
	s.limiter.drop(s)
}

func (l *limiter) drop(s *slot) {
	if i := slices.Index(l.slots, s); i >= 0 {
		l.slots = slices.Delete(l.slots, i, i+1)
		l.leave(s)
	}
}

// join counts the slot in its groups.
func (l *limiter) join(s *slot) {
	l.held += s.size
	for i, network := range s.source {
		known := l.groups[network]
		if known == nil {
			known = &group{}
			l.groups[network] = known
		}
		s.groups[i] = known
		if i == 0 || known != s.groups[i-1] {
			known.held += s.size
		}
	}
}

// leave is the opposite of join.
func (l *limiter) leave(s *slot) {
	l.held -= s.size
	for i, network := range s.source {
		if i == 0 || s.groups[i] != s.groups[i-1] {
			s.groups[i].held -= s.size
		}
		if s.groups[i].held == 0 {
			delete(l.groups, network)
		}
	}
}
