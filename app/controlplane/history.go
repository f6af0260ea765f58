package controlplane

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// The delays of the next reconciliation, if no object changes before.
const (
	// afterChange follows an operation. Etcd members are no objects, so no event follows the change of one.
	afterChange = 50 * time.Millisecond
	// minRetry follows an operation that failed, or that was repeated. It doubles each time up to maxRetry.
	minRetry = time.Second
	maxRetry = 30 * time.Second
	// unseenPeriod is the longest delay while the workload cluster or its members do not answer. It begins with minRetry:
	// the address of a cluster often answers again within seconds after a machine was removed.
	unseenPeriod = 10 * time.Second
	// observePeriod is the longest delay, because no event reports the failure of an etcd member.
	observePeriod = time.Minute
	// waitPeriod is observePeriod while an operation of a machine or of its provider is awaited, such as a boot. Each
	// step of it is an event, and many events need only one look at the members.
	waitPeriod = time.Second
)

// maxInterim is the largest number of consecutive statuses that are not written. Even operations that follow each other
// without an end are reported.
const maxInterim = 5

// history is what one process remembers of its control planes: how long something does not answer, for the status, how
// often an operation was repeated, for the delay, and the members while nothing can be done. No operation depends on
// it. The zero value is ready for use.
type history struct {
	mutex  sync.Mutex
	planes map[ports.Key]*past
}

type past struct {
	// unlisted and silent are since when the members and the workload cluster do not answer, or the zero time.
	unlisted, silent time.Time
	operation        controlplane.Operation
	repeats          int
	// unseen is the number of consecutive rounds in which the workload cluster or its members did not answer.
	unseen int
	// interim is the number of operations since the last status that was not interim, and written its time.
	interim int
	written time.Time
	// steady is the last observation after which nothing could be done, or nil.
	steady *steady
}

// change calls f with the past of a control plane.
func (h *history) change(key ports.Key, f func(*past)) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.planes == nil {
		h.planes = map[ports.Key]*past{}
	}
	if h.planes[key] == nil {
		h.planes[key] = &past{}
	}
	f(h.planes[key])
}

// forget removes what is remembered of a control plane that does not exist any more.
func (h *history) forget(key ports.Key) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.planes, key)
}

// since sets the time if it is zero, and returns it.
func since(t *time.Time, now time.Time) time.Time {
	if t.IsZero() {
		*t = now
	}
	return *t
}

// silent records that the workload cluster does not answer, and returns since when.
func (h *history) silent(key ports.Key, now time.Time) (from time.Time) {
	h.change(key, func(p *past) { from = since(&p.silent, now) })
	return from
}

// answered records that the workload cluster answered.
func (h *history) answered(key ports.Key) { h.change(key, func(p *past) { p.silent = time.Time{} }) }

// unlisted records that the members are unknown, and returns since when.
func (h *history) unlisted(key ports.Key, now time.Time) (from time.Time) {
	h.change(key, func(p *past) { from = since(&p.unlisted, now) })
	return from
}

// listed records that the members are known.
func (h *history) listed(key ports.Key) { h.change(key, func(p *past) { p.unlisted = time.Time{} }) }

// repeat returns how often the operation was carried out before, without another one in between.
func (h *history) repeat(key ports.Key, o controlplane.Operation) (times int) {
	o.Replaces, o.After = nil, 0
	h.change(key, func(p *past) {
		if p.operation != o {
			p.operation, p.repeats = o, 0
		}
		times = p.repeats
		p.repeats++
	})
	return times
}

// misses records whether the workload cluster or its members did not answer, and returns how often they did not before,
// one time after the other.
func (h *history) misses(key ports.Key, unseen bool) (before int) {
	h.change(key, func(p *past) {
		before = p.unseen
		p.unseen++
		if !unseen {
			p.unseen = 0
		}
	})
	return before
}

// defers reports whether the status of a decision remains interim at the given time: any number of waits, and only a
// few operations since the last status that was not interim.
func (h *history) defers(key ports.Key, interim, wait bool, now time.Time) (deferred bool) {
	h.change(key, func(p *past) {
		switch deferred = interim && (wait || p.interim < maxInterim); {
		case !deferred:
			p.interim, p.written = 0, now
		case !wait:
			p.interim++
		}
	})
	return deferred
}

// writesAgain returns when the status of a wait may be written again.
func (h *history) writesAgain(key ports.Key) (at time.Time) {
	h.change(key, func(p *past) { at = p.written.Add(waitPeriod) })
	return at
}

// steady is an observation after which nothing could be done.
type steady struct {
	desired  controlplane.Desired
	machines []controlplane.Machine
	members  controlplane.Members
	// until is when the members must be asked again.
	until time.Time
}

// recall returns the members of the last observation and until when they are valid, if nothing could be done after it,
// and no machine has changed since. Otherwise they must be asked.
func (h *history) recall(c ports.ControlPlane, now time.Time) (members controlplane.Members, until time.Time) {
	h.change(c.Key, func(p *past) {
		if s := p.steady; s != nil && now.Before(s.until) && reflect.DeepEqual(s.desired, c.Desired) &&
			reflect.DeepEqual(s.machines, c.Observed.Machines) {
			members, until = s.members, s.until
		}
	})
	return members, until
}

// remember records the observation of a round after which nothing can be done, or forgets the last one.
func (h *history) remember(r *round) {
	var s *steady
	if r.operation.Kind == controlplane.KindWait && !r.unseen && r.plane.Observed.Members.Known && len(r.problems) == 0 {
		period := waitPeriod
		if r.reason.Code == controlplane.CodeUpToDate {
			period = observePeriod
		}
		s = &steady{
			desired: r.plane.Desired, machines: slices.Clone(r.plane.Observed.Machines), members: r.plane.Observed.Members,
			until: r.plane.Observed.Members.Since.Add(period),
		}
	}
	h.change(r.plane.Key, func(p *past) { p.steady = s })
}

// delay returns the delay of the next reconciliation after an operation that was carried out a number of times before.
func (r *round) delay(repeats int) time.Duration {
	switch {
	case r.operation.Kind == controlplane.KindWait:
		return r.wait()
	case repeats == 0 && r.failure == nil:
		return afterChange
	}
	return min(minRetry<<min(repeats, 5), maxRetry)
}

// wait returns the delay while nothing is to be done. Only a change ends a pause.
func (r *round) wait() time.Duration {
	limit := observePeriod
	misses := r.history.misses(r.plane.Key, r.unseen)
	switch {
	case r.plane.Desired.Paused:
		return 0
	case r.unseen:
		limit = min(minRetry<<min(misses, 5), unseenPeriod)
	case len(r.problems) > 0 || r.plane.Desired.Deleting || !r.plane.Observed.Initialized:
		limit = maxRetry
	case r.recalled():
		limit = max(afterChange, r.validUntil.Sub(r.Clock.Now()))
	}
	if r.operation.After <= 0 {
		return limit
	}
	return max(afterChange, min(r.operation.After, limit))
}
