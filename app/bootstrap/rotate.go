package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// minLifetime is the minimum lifetime of an address when it is published, at which time the machine has not yet begun
// to boot.
const minLifetime = 2 * time.Minute

// rotate replaces a pool's data with data that has the next token. Machines that boot with the old token can join until
// it expires.
func (s *Service) rotate(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	r.counter = d.Token.Counter + 1
	return s.replace(ctx, r, d, ready)
}

// isOutdated reports whether a pool's data was rendered from another spec or for another version of Kubernetes, or
// fetches another agent than the endpoint's current one. Instances that boot with it could fail, so that the pool never
// becomes complete. Data is not outdated if its replacement was published, and is not in the cache yet.
func (s *Service) isOutdated(r Request, d ports.DataSecret) (bool, error) {
	if !r.Machine.Pool {
		return false, nil
	}
	published := inputsOf(d.Summary)
	current := inputs{source: r.Source, version: r.Machine.Version}
	if architecture, _, found := strings.Cut(published.agent, ":"); found {
		e, err := s.endpoint()
		if err != nil {
			return false, err
		}
		current.agent = agentID(architecture, e.agent(architecture))
	}
	last, known := s.leases.get(r.Owner.UID)
	return current != published && !(known && current == last.inputs), nil
}

// update replaces outdated data. The token of a pool that is not complete stays, since machines may take longer to join
// with it.
func (s *Service) update(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	if d.Token.ID != "" && r.Machine.Joined {
		return s.rotate(ctx, r, d, ready)
	}
	r.counter = d.Token.Counter
	return s.replace(ctx, r, d, ready)
}

// maintainLocation replaces a pool's data after half of the lifetime of its address, since machines may be created as
// long as the pool exists. The token stays, because machines may take longer to join with it. Two pools get the next
// token, too: a complete one, and one whose storage has not signed another URL for the same bytes in time. If the
// storage has signed another URL earlier, the data is replaced at once.
func (s *Service) maintainLocation(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	if !r.Machine.Pool || d.Location.Expires.IsZero() {
		return ready, nil
	}
	now := s.Clock.Now()
	if now.Before(d.Location.RenewAfter) && s.hasNewLocation(ctx, r, d.Location) {
		r.counter = d.Token.Counter
		return s.replace(ctx, r, d, ready)
	}
	if now.Before(d.Location.RenewAfter) {
		ready.Next = earliest(ready.Next, s.nextLocation(r, d.Location))
		return ready, nil
	}
	late := !now.Before(d.Location.RenewAfter.Add(d.Location.Expires.Sub(d.Location.RenewAfter) / 2))
	if d.Token.ID != "" && (r.Machine.Joined || late) {
		return s.rotate(ctx, r, d, ready)
	}
	r.counter, r.minExpiry = d.Token.Counter, d.Location.Expires
	return s.replace(ctx, r, d, ready)
}

// replace replaces a pool's data. The published data stays until its replacement is complete.
func (s *Service) replace(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	r.DataName = d.Name
	err := s.checkPreconditions(r)
	if err == nil {
		var replaced Ready
		if replaced, err = s.produce(ctx, r, node.RoleWorker, s.Data.Replace); err == nil {
			replaced.Created, replaced.Published = false, d.Published
			replaced.Rotated, replaced.Renewed = replaced.TokenID != d.Token.ID, replaced.TokenID == d.Token.ID
			return replaced, nil
		}
	}
	return s.keepToken(ctx, r, d, ready, err)
}

// keepToken extends the token of a pool whose data could not be replaced, and schedules another attempt. A watch would
// not trigger one, because published data does not refer to the objects that it waits for. The extended lifetime leaves
// the token due for rotation.
func (s *Service) keepToken(ctx context.Context, r Request, d ports.DataSecret, ready Ready, err error) (Ready, error) {
	recent := s.isRecent(r, d, err)
	ready.Next = s.retryInterval()
	s.leases.drop(r.Owner.UID)
	if d.Token.ID == "" {
		return ready, withRecent(err, recent)
	}
	lifetime := s.TokenTTL
	if r.Machine.Joined {
		lifetime = s.TokenTTL / 2
	}
	failure := s.Tokens.Extend(ctx, r.Cluster.Key, d.Token.ID, s.Clock.Now().Add(lifetime))
	err = withRecent(err, recent && failure == nil)
	if failure != nil && !errors.Is(failure, ports.ErrTokenNotFound) && !errors.Is(failure, ports.ErrUnreachable) {
		err = withFailure(err, fmt.Errorf("extend the token %s: %w", d.Token.ID, failure))
	}
	return ready, err
}

// withRecent sets Recent on a Waiting.
func withRecent(err error, recent bool) error {
	var w WaitingError
	if !recent || !errors.As(err, &w) {
		return err
	}
	w.Recent = true
	return w
}

// isRecent reports whether the storage has been waited for no longer than until the next attempt. A storage needs a
// moment for each new object, and the published data is valid meanwhile. The start of a wait is not recorded: the first
// attempt is made when the token or the address is due, and leaves the token due.
func (s *Service) isRecent(r Request, d ports.DataSecret, err error) bool {
	var waiting WaitingError
	if !errors.As(err, &waiting) || waiting.Reason != ReasonStorage {
		return false
	}
	if !d.Location.Expires.IsZero() && !s.Clock.Now().Before(d.Location.RenewAfter.Add(s.retryInterval())) {
		return false
	}
	left, known := s.tokenLifetime(r.Owner.UID)
	return d.Token.ID == "" || known && left > s.TokenTTL/2-s.retryInterval()
}

// retryInterval is the interval of attempts after an error, or for the init lock: several times before a token expires.
func (s *Service) retryInterval() time.Duration { return s.TokenTTL / 9 }

// next returns when published data must be maintained again; 0 is never.
func (s *Service) next(r Request, t ports.TokenRef, a ports.LocationRef) time.Duration {
	return earliest(s.nextToken(r, t), s.nextLocation(r, a))
}

// earliest returns the earlier of two times. 0 means never.
func earliest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// nextToken returns when a token must be maintained: after a third of its lifetime while machines are expected, and
// after half of it when a pool is complete.
func (s *Service) nextToken(r Request, t ports.TokenRef) time.Duration {
	if t.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		return 0
	}
	left, known := s.tokenLifetime(r.Owner.UID)
	due := s.TokenTTL * 2 / 3
	if r.Machine.Joined {
		due = s.TokenTTL / 2
	}
	if !known || left <= due {
		return s.retryInterval()
	}
	return left - due
}

// nextLocation returns when a pool's address must be replaced.
func (s *Service) nextLocation(r Request, a ports.LocationRef) time.Duration {
	if !r.Machine.Pool || a.Expires.IsZero() {
		return 0
	}
	if left := a.RenewAfter.Sub(s.Clock.Now()); left > 0 {
		return left
	}
	return s.retryInterval()
}

// locationRef returns the times at which an address that is published now must be replaced and expires.
func (s *Service) locationRef(l delivery.Location) ports.LocationRef {
	if l.Expires.IsZero() {
		return ports.LocationRef{}
	}
	now, ends := s.Clock.Now(), l.Expires
	return ports.LocationRef{
		RenewAfter: now.Add(ends.Sub(now) / 2).UTC().Truncate(time.Second), Expires: ends.UTC().Truncate(time.Second),
		Fingerprint: l.Fingerprint(),
	}
}
