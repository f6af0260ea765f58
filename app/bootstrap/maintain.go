package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Maintain looks after data that is published: it stays under its owner's control, its token lives until the machine has
// joined, and a pool's token is replaced before it ends, for which the data is made again. Otherwise it is not, whatever the
// description says by now. Whatever goes wrong meanwhile, it is published: the outcome is Ready beside an error, too.
func (s *Service) Maintain(ctx context.Context, r Request, d ports.DataSecret) (Outcome, error) {
	ready := Ready{Name: d.Name, TokenID: d.Token.ID, Published: d.Published}
	err := s.Data.Repair(ctx, d.Key, r.Owner)
	if errors.Is(err, ports.ErrForeign) {
		return foreign(d.Key), nil
	}
	if err != nil {
		return ready, fmt.Errorf("repair the owner of the data: %w", err)
	}
	if r.Cluster.Initialized && r.Machine.ControlPlane {
		if err := s.Lock.Release(ctx, r.Cluster.Key, ""); err != nil {
			return ready, fmt.Errorf("release the init lock: %w", err)
		}
	}
	ready.Start, ready.Held, err = s.maintainTalos(ctx, r)
	if ready.Held != nil || err != nil {
		return ready, err
	}
	if d.Token.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		s.leases.drop(r.Owner.UID)
		return ready, nil
	}
	return s.lookAfterToken(ctx, r, d, ready)
}

// lookAfterToken extends the token while machines may still come with it. A pool that is complete lets its token end, and
// gets another one in time for machines to come.
func (s *Service) lookAfterToken(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Outcome, error) {
	if r.Machine.Pool && r.Machine.Joined {
		return s.rotateInTime(ctx, r, d, ready)
	}
	if left, known := s.left(r.Owner.UID); known && left > s.TokenTTL*2/3 {
		ready.Next = s.next(r, d.Token)
		return ready, nil
	}
	expires := s.Clock.Now().Add(s.TokenTTL)
	err := s.Tokens.Extend(ctx, r.Cluster.Key, d.Token.ID, expires)
	switch {
	case errors.Is(err, ports.ErrTokenNotFound) && r.Machine.Pool:
		return s.rotate(ctx, r, d, ready)
	case errors.Is(err, ports.ErrTokenNotFound):
		ready.TokenLost = true
		return ready, nil
	case err != nil:
		ready.Next = s.TokenTTL / 9
		ready.Held, err = unreachable(fmt.Errorf("extend the token %s: %w", d.Token.ID, err), "extend the token")
		return ready, err
	}
	s.leases.set(r.Owner.UID, expires)
	ready.Next = s.next(r, d.Token)
	return ready, nil
}

func (s *Service) rotateInTime(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Outcome, error) {
	left, known := s.left(r.Owner.UID)
	if !known {
		token, err := s.Tokens.Find(ctx, r.Cluster.Key, d.Token.ID)
		switch {
		case errors.Is(err, ports.ErrTokenNotFound):
			return s.rotate(ctx, r, d, ready)
		case err != nil:
			ready.Next = s.TokenTTL / 9
			ready.Held, err = unreachable(fmt.Errorf("find the token %s: %w", d.Token.ID, err), "look at the token")
			return ready, err
		}
		s.leases.set(r.Owner.UID, token.Expires)
		left = token.Expires.Sub(s.Clock.Now())
	}
	if left <= s.TokenTTL/2 {
		return s.rotate(ctx, r, d, ready)
	}
	ready.Next = s.next(r, d.Token)
	return ready, nil
}

// rotate makes the pool's data again with the next token. Machines that boot with the old one can still join until it ends. What is
// published stays until there is something to take its place.
func (s *Service) rotate(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Outcome, error) {
	r.counter, r.DataName = d.Token.Counter+1, d.Name
	outcome := Gate(r)
	var err error
	if outcome == nil {
		outcome, err = s.make(ctx, r, node.RoleWorker, s.Data.Replace)
	}
	if rotated, ok := outcome.(Ready); ok && err == nil {
		rotated.Created, rotated.Rotated, rotated.Published = false, true, d.Published
		return rotated, nil
	}
	ready.Held = outcome
	return s.holdOn(ctx, r, d, ready, err)
}

// holdOn keeps a pool going with the token that it has, since another one could not be published, and has that tried again soon. Nobody
// is woken by what it waits for: published data refers to nothing. The token gets no more life than what leaves it due.
func (s *Service) holdOn(ctx context.Context, r Request, d ports.DataSecret, ready Ready, err error) (Outcome, error) {
	s.leases.drop(r.Owner.UID)
	ready.Next = s.TokenTTL / 9
	if d.Token.ID == "" {
		return ready, err
	}
	life := s.TokenTTL
	if r.Machine.Joined {
		life = s.TokenTTL / 2
	}
	extended := s.Tokens.Extend(ctx, r.Cluster.Key, d.Token.ID, s.Clock.Now().Add(life))
	if extended != nil && !errors.Is(extended, ports.ErrTokenNotFound) && !errors.Is(extended, ports.ErrUnreachable) {
		err = errors.Join(err, fmt.Errorf("extend the token %s: %w", d.Token.ID, extended))
	}
	return ready, err
}

func (s *Service) left(uid string) (time.Duration, bool) {
	expires, known := s.leases.get(uid)
	return expires.Sub(s.Clock.Now()), known
}

// next returns when a token has to be looked after: after a third of its life while machines are awaited, and at half of it
// when a pool is complete.
func (s *Service) next(r Request, t ports.TokenRef) time.Duration {
	if t.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		return 0
	}
	left, known := s.left(r.Owner.UID)
	keep := s.TokenTTL * 2 / 3
	if r.Machine.Joined {
		keep = s.TokenTTL / 2
	}
	if !known || left <= keep {
		return s.TokenTTL / 9
	}
	return left - keep
}

// Retire undoes what published data did elsewhere, when its owner is gone: its token is revoked and its machine's lock is
// freed. A cluster that cannot be reached keeps the token until it ends by itself.
func (s *Service) Retire(ctx context.Context, cluster ports.Key, d ports.DataSecret) error {
	s.leases.drop(d.Owner.UID)
	if d.Machine != "" {
		if err := s.Lock.Release(ctx, cluster, d.Machine); err != nil {
			return fmt.Errorf("release the init lock: %w", err)
		}
	}
	if d.Token.ID == "" {
		return nil
	}
	owner := node.TokenOwner{Namespace: cluster.Namespace, Cluster: cluster.Name, Config: d.Owner.Name}
	err := s.Tokens.Revoke(ctx, cluster, d.Token.ID, owner)
	if err != nil && !errors.Is(err, ports.ErrUnreachable) {
		return fmt.Errorf("revoke the token %s: %w", d.Token.ID, err)
	}
	return nil
}

// Ensure looks after the data that the owner has, or produces it. A data Secret that somebody deleted is thus made again.
func (s *Service) Ensure(ctx context.Context, r Request) (Outcome, error) {
	key := r.dataKey()
	found, err := s.Data.Find(ctx, key, r.Owner)
	switch {
	case err == nil:
		return s.Maintain(ctx, r, found)
	case errors.Is(err, ports.ErrNoData):
		return s.Produce(ctx, r)
	case errors.Is(err, ports.ErrForeign):
		return foreign(key), nil
	case errors.Is(err, ports.ErrDataEnding):
		return ending(key), nil
	default:
		return nil, fmt.Errorf("find the data: %w", err)
	}
}
