package bootstrap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/reserved"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// maxName is the maximum length of an object's name (RFC 1123 subdomains in Kubernetes).
const maxName = 253

// hashDigits is the number of digits of the digest in a truncated name.
const hashDigits = 8

// depositKey returns the name of the stored object, which is that of the data with a suffix. A truncated name contains
// a digest of the whole name, so that it stays unique.
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

// store stores the rendered object, if the machine fetches it, and renders the payload with its location.
func (p *production) store(ctx context.Context) error {
	if p.result.Stored == nil {
		return nil
	}
	if p.Deposits == nil {
		return StalledError{
			Reason:  ReasonStorageRefused,
			Message: "this controller has no storage for machine configurations",
		}
	}
	o := p.description.Delivery
	memo := secret.Value{}
	if o.Reporting != nil {
		memo = o.Reporting.Credential
	}
	key, after := p.request.depositKey(), p.Clock.Now().Add(minLifetime)
	if p.request.after.After(after) {
		after = p.request.after
	}
	location, err := p.Deposits.Keep(ctx, ports.Deposit{
		Key: key, Cluster: p.request.Cluster.Name, Owner: p.request.Owner, Storage: o.Storage, Sum: p.result.Stored.Sum,
		Memo: memo, Data: p.result.Stored.Data, After: after,
	})
	if err != nil {
		return storageError(err, key, o.Storage)
	}
	p.data.Address = p.addressRef(location)
	if ends := p.data.Address.Ends; !ends.IsZero() && !ends.After(after) {
		return WaitingError{
			Reason: ReasonStorage, Message: fmt.Sprintf("%s has not signed a later URL for Secret %s yet", o.Storage, key.Name),
		}
	}
	p.description.Delivery.Location = &location
	return p.render(ctx)
}

// hasNewAddress reports whether the storage has signed another URL for a pool's data than the published one, which may
// then be invalid. On errors it returns false: the published address is renewed in time.
func (s *Service) hasNewAddress(ctx context.Context, r Request, published ports.AddressRef) bool {
	if s.Deposits == nil {
		return false
	}
	d, err := r.Describe(ctx)
	if err != nil || d.Delivery.Storage.IsZero() {
		return false
	}
	now, err := s.Deposits.Located(ctx, r.depositKey(), r.Owner, d.Delivery.Storage)
	return err == nil && now.Expires.After(s.Clock.Now().Add(minLifetime)) && now.Fingerprint() != published.Fingerprint
}
