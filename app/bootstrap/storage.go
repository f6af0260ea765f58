package bootstrap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// maxName is the most that an object's name has (RFC 1123 subdomains in Kubernetes).
const maxName = 253

// hashDigits are how much of a digest stands in a name that would be too long.
const hashDigits = 8

// depositKey names the deposit after the data. A name that is cut off has the digest of all of it, so that no two are
// one, and its parts still begin and end with what they may.
func (r Request) depositKey() ports.Key {
	key := r.dataKey()
	if len(key.Name)+len(reserved.StoredSuffix) > maxName {
		sum := sha256.Sum256([]byte(key.Name))
		cut := strings.TrimRight(key.Name[:maxName-len(reserved.StoredSuffix)-1-hashDigits], "-.")
		key.Name = cut + "-" + hex.EncodeToString(sum[:])[:hashDigits]
	}
	key.Name += reserved.StoredSuffix
	return key
}

// store has the storage keep what the machine fetches, and returns the payload that says where that is.
func (s *Service) store(ctx context.Context, r Request, o delivery.Options, m made) (made, Outcome, error) {
	if m.stored == nil {
		return m, nil, nil
	}
	if s.Deposits == nil {
		return m, Stalled{Reason: ReasonStorageRefused, Message: "this controller stores nothing elsewhere"}, nil
	}
	memo := secret.Value{}
	if o.Reporting != nil {
		memo = o.Reporting.Credential
	}
	key, after := r.depositKey(), s.Clock.Now().Add(leastLife)
	if r.after.After(after) {
		after = r.after
	}
	location, err := s.Deposits.Keep(ctx, ports.Deposit{
		Key: key, Cluster: r.Cluster.Name, Owner: r.Owner, Storage: o.Storage, Sum: m.stored.Sum, Memo: memo,
		Data:  m.stored.Data,
		After: after,
	})
	if o, err := notStored(key, o.Storage, err); o != nil || err != nil {
		return m, o, err
	}
	address := s.addressRef(location)
	if !address.Ends.IsZero() && !address.Ends.After(after) {
		return m, Waiting{ReasonStorage, fmt.Sprintf("%s has not signed a later address yet for Secret %s", o.Storage,
			key.Name)}, nil
	}
	pointing, outcome, err := m.pointing(ctx, location)
	if outcome != nil || err != nil {
		return m, outcome, err
	}
	pointing.token, pointing.lease, pointing.address, pointing.stored = m.token, m.lease, address, nil
	return pointing, nil, nil
}

// signedAnew reports whether a pool's data has another answer than what is published: what signed that may be good no
// more. What cannot be found out now waits for the address's time.
func (s *Service) signedAnew(ctx context.Context, r Request, published ports.AddressRef) bool {
	if s.Deposits == nil {
		return false
	}
	described, err := r.Describe(ctx)
	if err != nil || described.Target.Delivery.Storage.IsZero() {
		return false
	}
	now, err := s.Deposits.Located(ctx, r.depositKey(), r.Owner, described.Target.Delivery.Storage)
	return err == nil && now.Expires.After(s.Clock.Now().Add(leastLife)) && now.Fingerprint() != published.Fingerprint
}

// notStored says why there is no location yet.
func notStored(key ports.Key, storage delivery.StorageRef, err error) (Outcome, error) {
	var problem *ports.StorageError
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, ports.ErrStoragePending):
		return Waiting{ReasonStorage, fmt.Sprintf("%s has not taken Secret %s yet", storage, key.Name)}, nil
	case errors.As(err, &problem):
		return Stalled{Reason: ReasonStorageRefused, Message: fmt.Sprintf("%s: %s", storage, problem.Message)}, nil
	case errors.Is(err, ports.ErrForeign):
		return foreign(key), nil
	case errors.Is(err, ports.ErrDataEnding):
		return ending(key), nil
	default:
		return withoutKey(err), fmt.Errorf("store the data: %w", err)
	}
}
