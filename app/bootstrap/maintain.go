package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Maintain looks after data that is published: it stays under its owner's control, its token lives until the machine
// has joined, and a pool's token is replaced before it ends, for which the data is made again. Otherwise it is not,
// whatever the description says by now. Whatever goes wrong meanwhile, it is published: the outcome is Ready beside an
// error, too.
func (s *Service) Maintain(ctx context.Context, r Request, d ports.DataSecret) (Outcome, error) {
	ready := Ready{Name: d.Name, TokenID: d.Token.ID, Published: d.Published}
	err := s.Data.Repair(ctx, d.Key, r.Owner)
	if errors.Is(err, ports.ErrForeign) {
		return foreign(d.Key), nil
	}
	if err != nil {
		return ready, fmt.Errorf("repair the owner of the data: %w", err)
	}
	if r.Reported && !r.Machine.Pool {
		// What is known of the report is gone after a move; the data is not.
		if err := s.Data.Expire(ctx, d.Key, r.Owner); err != nil {
			return ready, fmt.Errorf("let the credential for reports expire: %w", err)
		}
	}
	if r.Cluster.Initialized && r.Machine.ControlPlane {
		if err := s.Lock.Release(ctx, r.Cluster.Key, ""); err != nil {
			return ready, fmt.Errorf("release the init lock: %w", err)
		}
	}
	ready.Start, ready.Held, err = s.maintainTalos(ctx, r)
	if ready.Held != nil || err != nil {
		ready.Next = s.soon()
		return ready, err
	}
	if d.Token.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		s.leases.drop(r.Owner.UID)
	} else {
		ready, err = s.lookAfterToken(ctx, r, d, ready)
	}
	if err != nil || ready.Held != nil || ready.Rotated {
		return ready, err
	}
	return s.lookAfterAddress(ctx, r, d, ready)
}

// lookAfterToken extends the token while machines may still come with it. A pool that is complete lets its token end,
// and gets another one in time for machines to come.
func (s *Service) lookAfterToken(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	if r.Machine.Pool && r.Machine.Joined {
		return s.rotateInTime(ctx, r, d, ready)
	}
	if left, known := s.left(r.Owner.UID); known && left > s.TokenTTL*2/3 {
		ready.Next = s.nextToken(r, d.Token)
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
		ready.Next = s.soon()
		ready.Held, err = unreachable(fmt.Errorf("extend the token %s: %w", d.Token.ID, err), "extend the token")
		return ready, err
	}
	s.leases.set(r.Owner.UID, expires)
	ready.Next = s.nextToken(r, d.Token)
	return ready, nil
}

func (s *Service) rotateInTime(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	left, known := s.left(r.Owner.UID)
	if !known {
		token, err := s.Tokens.Find(ctx, r.Cluster.Key, d.Token.ID)
		switch {
		case errors.Is(err, ports.ErrTokenNotFound):
			return s.rotate(ctx, r, d, ready)
		case err != nil:
			ready.Next = s.soon()
			ready.Held, err = unreachable(fmt.Errorf("find the token %s: %w", d.Token.ID, err), "look at the token")
			return ready, err
		}
		s.leases.set(r.Owner.UID, token.Expires)
		left = token.Expires.Sub(s.Clock.Now())
	}
	if left <= s.TokenTTL/2 {
		return s.rotate(ctx, r, d, ready)
	}
	ready.Next = s.nextToken(r, d.Token)
	return ready, nil
}

func (s *Service) left(uid string) (time.Duration, bool) {
	expires, known := s.leases.get(uid)
	return expires.Sub(s.Clock.Now()), known
}

// Retire undoes what published data did elsewhere, when its owner is gone: its token is revoked and its machine's lock
// is freed. A cluster that cannot be reached keeps the token until it ends by itself.
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

// Ensure looks after the data that the owner has, or produces it. A data Secret that somebody deleted is thus made
// again. Data that an earlier version published under a reserved name, or for another machine, stays as it is: it is
// neither maintained nor replaced.
func (s *Service) Ensure(ctx context.Context, r Request) (Outcome, error) {
	key := r.dataKey()
	found, err := s.Data.Find(ctx, key, r.Owner)
	held := CheckName(r)
	if err == nil && held == nil {
		held = checkMachine(r, found)
	}
	switch {
	case err == nil && held != nil:
		return Ready{Name: found.Name, TokenID: found.Token.ID, Published: found.Published, Held: held}, nil
	case held != nil:
		return held, nil
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
