package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// Maintain maintains published data. It restores the owner's control, extends the token until the machine has joined,
// and replaces the data of a pool before its token or address expires, and when it is outdated. Other data is never
// rendered again, even if the description has changed. The errors are those of Ensure.
func (s *Service) Maintain(ctx context.Context, r Request, d ports.DataSecret) (Ready, error) {
	ready := readyFrom(d)
	err := s.Data.Repair(ctx, d.Key, r.Owner)
	if errors.Is(err, ports.ErrNotOwned) {
		return Ready{}, dataError(err, "repair", d.Key)
	}
	if err != nil {
		return ready, fmt.Errorf("repair the owner of the data: %w", err)
	}
	if r.Reported && !r.Machine.Pool {
		// After a move the status may lack the report. The data contains the credential's expiry.
		if err := s.Data.Expire(ctx, d.Key, r.Owner); err != nil {
			return ready, fmt.Errorf("let the credential for reports expire: %w", err)
		}
	}
	if r.Cluster.Initialized && r.Machine.ControlPlane {
		if err := s.Lock.Release(ctx, r.Cluster.Key, ""); err != nil {
			return ready, fmt.Errorf("release the init lock: %w", err)
		}
	}
	if ready.Start, err = s.maintainTalos(ctx, r); err != nil {
		ready.Next = s.retryInterval()
		return ready, err
	}
	outdated, err := s.isOutdated(r, d)
	if err != nil {
		return s.keepToken(ctx, r, d, ready, err)
	}
	if outdated {
		return s.update(ctx, r, d, ready)
	}
	if d.Token.ID == "" || (r.Machine.Joined && !r.Machine.Pool) {
		s.leases.drop(r.Owner.UID)
	} else {
		ready, err = s.maintainToken(ctx, r, d, ready)
	}
	if err != nil || ready.Rotated {
		return ready, err
	}
	return s.maintainLocation(ctx, r, d, ready)
}

// maintainToken extends the token while machines may join with it. The token of a complete pool expires, and is
// replaced in time for future machines.
func (s *Service) maintainToken(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	if r.Machine.Pool && r.Machine.Joined {
		return s.rotateInTime(ctx, r, d, ready)
	}
	if left, known := s.tokenLifetime(r.Owner.UID); known && left > s.TokenTTL*2/3 {
		ready.Next = s.nextToken(r, d.Token)
		return ready, nil
	}
	expires := s.Clock.Now().Add(s.TokenTTL)
	err := s.Tokens.Extend(ctx, r.Cluster.Key, d.Token.ID, expires)
	switch {
	case errors.Is(err, ports.ErrTokenNotFound) && r.Machine.Pool:
		return s.rotate(ctx, r, d, ready)
	case errors.Is(err, ports.ErrTokenNotFound) && s.Clock.Now().Before(d.Published.Add(s.TokenTTL)):
		// clusterctl move creates the data again, and a Machine without status, which may have joined long ago.
		ready.Next = s.retryInterval()
		return ready, nil
	case errors.Is(err, ports.ErrTokenNotFound):
		ready.TokenLost = true
		return ready, nil
	case err != nil:
		ready.Next = s.retryInterval()
		return ready, tokenError(fmt.Errorf("extend the token %s: %w", d.Token.ID, err), "extend the token")
	}
	s.leases.set(r.Owner.UID, expires)
	ready.Next = s.nextToken(r, d.Token)
	return ready, nil
}

func (s *Service) rotateInTime(ctx context.Context, r Request, d ports.DataSecret, ready Ready) (Ready, error) {
	left, known := s.tokenLifetime(r.Owner.UID)
	if !known {
		token, err := s.Tokens.Find(ctx, r.Cluster.Key, d.Token.ID)
		switch {
		case errors.Is(err, ports.ErrTokenNotFound):
			return s.rotate(ctx, r, d, ready)
		case err != nil:
			ready.Next = s.retryInterval()
			return ready, tokenError(fmt.Errorf("find the token %s: %w", d.Token.ID, err), "look up the token")
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

func (s *Service) tokenLifetime(uid string) (time.Duration, bool) {
	l, known := s.leases.get(uid)
	return l.expires.Sub(s.Clock.Now()), known
}

// Retire cleans up for published data whose owner is gone: it revokes the token and releases the machine's lock. In a
// cluster that cannot be reached the token expires by itself.
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
