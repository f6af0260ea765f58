package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// leastLife is how long an address has to live when it is published. A machine has not even begun to boot then.
const leastLife = 2 * time.Minute

// rotate makes the pool's data again with the next token. Machines that boot with the old one can still join until it
// ends.
func (s *Service) rotate(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	r.counter = d.Token.Counter + 1
	return s.replace(ctx, r, d, ready)
}

// lookAfterAddress replaces the address from which a pool's machines fetch the rest, when half of its life is over:
// whatever its token does, machines may come as long as there is a pool. The token stays, since machines may take
// longer than that to join with it. A pool that is complete gets the next token all the same; and so does one whose
// storage signs the same bytes only once. What the storage has signed anew before that time takes its place at once.
func (s *Service) lookAfterAddress(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	if !r.Machine.Pool || d.Address.Ends.IsZero() {
		return ready, nil
	}
	now := s.Clock.Now()
	if now.Before(d.Address.Renew) && s.signedAnew(ctx, r, d.Address) {
		r.counter = d.Token.Counter
		return s.replace(ctx, r, d, ready)
	}
	if now.Before(d.Address.Renew) {
		ready.Next = sooner(ready.Next, s.nextAddress(r, d.Address))
		return ready, nil
	}
	late := !now.Before(d.Address.Renew.Add(d.Address.Ends.Sub(d.Address.Renew) / 2))
	if d.Token.ID != "" && (r.Machine.Joined || late) {
		return s.rotate(ctx, r, d, ready)
	}
	r.counter, r.after = d.Token.Counter, d.Address.Ends
	return s.replace(ctx, r, d, ready)
}

// replace makes the pool's data again. What is published stays until there is something to take its place.
func (s *Service) replace(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	r.DataName = d.Name
	outcome := Gate(r)
	var err error
	if outcome == nil {
		outcome, err = s.make(ctx, r, node.RoleWorker, s.Data.Replace)
	}
	if made, ok := outcome.(Ready); ok && err == nil {
		made.Created, made.Published = false, d.Published
		made.Rotated, made.Renewed = made.TokenID != d.Token.ID, made.TokenID == d.Token.ID
		return made, nil
	}
	ready.Held = outcome
	return s.holdOn(ctx, r, d, ready, err)
}

// holdOn keeps a pool going with the token that it has, since another one could not be published, and has that tried
// again soon. Nobody is woken by what it waits for: published data refers to nothing. The token gets no more life than
// what leaves it due.
func (s *Service) holdOn(ctx context.Context, r Request, d ports.DataSecret, ready Ready, err error) (Ready, error) {
	ready.Early, ready.Next = s.early(r, d, ready.Held), s.soon()
	s.leases.drop(r.Owner.UID)
	if d.Token.ID == "" {
		return ready, err
	}
	life := s.TokenTTL
	if r.Machine.Joined {
		life = s.TokenTTL / 2
	}
	extended := s.Tokens.Extend(ctx, r.Cluster.Key, d.Token.ID, s.Clock.Now().Add(life))
	ready.Early = ready.Early && extended == nil
	if extended != nil && !errors.Is(extended, ports.ErrTokenNotFound) && !errors.Is(extended, ports.ErrUnreachable) {
		err = errors.Join(err, fmt.Errorf("extend the token %s: %w", d.Token.ID, extended))
	}
	return ready, err
}

// early reports whether a storage has been waited for no longer than until the next look. It takes what is new in a
// moment, at each rotation, and what is published counts meanwhile. A wait has no beginning of its own: its first look
// comes when the token or the address is due, and gives the token what leaves it due.
func (s *Service) early(r Request, d ports.DataSecret, held Outcome) bool {
	waiting, waits := held.(Waiting)
	if !waits || waiting.Reason != ReasonStorage {
		return false
	}
	if !d.Address.Ends.IsZero() && !s.Clock.Now().Before(d.Address.Renew.Add(s.soon())) {
		return false
	}
	left, known := s.left(r.Owner.UID)
	return d.Token.ID == "" || known && left > s.TokenTTL/2-s.soon()
}

// soon is when to look again at what could not be looked after: several times before a token ends.
func (s *Service) soon() time.Duration { return s.TokenTTL / 9 }

// next returns when published data has to be looked at again; 0 is never.
func (s *Service) next(r Request, t ports.TokenRef, a ports.AddressRef) time.Duration {
	return sooner(s.nextToken(r, t), s.nextAddress(r, a))
}

// sooner returns the earlier of two times; 0 is never.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// nextToken returns when a token has to be looked after: after a third of its life while machines are awaited, and at
// half of it when a pool is complete.
func (s *Service) nextToken(r Request, t ports.TokenRef) time.Duration {
	if t.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		return 0
	}
	left, known := s.left(r.Owner.UID)
	keep := s.TokenTTL * 2 / 3
	if r.Machine.Joined {
		keep = s.TokenTTL / 2
	}
	if !known || left <= keep {
		return s.soon()
	}
	return left - keep
}

// nextAddress returns when a pool's address has to be replaced.
func (s *Service) nextAddress(r Request, a ports.AddressRef) time.Duration {
	if !r.Machine.Pool || a.Ends.IsZero() {
		return 0
	}
	if left := a.Renew.Sub(s.Clock.Now()); left > 0 {
		return left
	}
	return s.soon()
}

// addressRef says how long an address counts that is published now.
func (s *Service) addressRef(l delivery.Location) ports.AddressRef {
	if l.Expires.IsZero() {
		return ports.AddressRef{}
	}
	now, ends := s.Clock.Now(), l.Expires
	return ports.AddressRef{
		Renew: now.Add(ends.Sub(now) / 2).UTC().Truncate(time.Second), Ends: ends.UTC().Truncate(time.Second),
		Fingerprint: l.Fingerprint(),
	}
}
