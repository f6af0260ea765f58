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

// storageRequestKey returns the name of the stored object, which is that of the data with a suffix. A truncated name
// contains a digest of the whole name, so that it stays unique.
func (r Request) storageRequestKey() ports.Key {
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
	if p.StorageRequests == nil {
		return StalledError{
			Reason:  ReasonStorageRefused,
			Message: "this controller has no storage for machine configurations",
		}
	}
	o := p.description.Delivery
	privateData := secret.Value{}
	if o.Reporting != nil {
		privateData = o.Reporting.Credential
	}
	key, after := p.request.storageRequestKey(), p.Clock.Now().Add(minLifetime)
	if p.request.minExpiry.After(after) {
		after = p.request.minExpiry
	}
	location, err := p.StorageRequests.Ensure(ctx, ports.StorageRequest{
		Key: key, Cluster: p.request.Cluster.Name, Owner: p.request.Owner, Storage: o.Storage,
		InputDigest: p.result.Stored.Sum,
		PrivateData: privateData, Data: p.result.Stored.Data, MinExpiry: after,
	})
	if err != nil {
		return storageError(err, key, o.Storage)
	}
	p.data.Location = p.locationRef(location)
	if ends := p.data.Location.Expires; !ends.IsZero() && !ends.After(after) {
		return WaitingError{
			Reason: ReasonStorage, Message: fmt.Sprintf("%s has not signed a later URL for Secret %s yet", o.Storage, key.Name),
		}
	}
	p.description.Delivery.Location = &location
	return p.render(ctx)
}

// hasNewLocation reports whether the storage has signed another URL for a pool's data than the published one, which may
// then be invalid. On errors it returns false: the published address is renewed in time.
func (s *Service) hasNewLocation(ctx context.Context, r Request, published ports.LocationRef) bool {
	if s.StorageRequests == nil {
		return false
	}
	d, err := r.Describe(ctx)
	if err != nil || d.Delivery.Storage.IsZero() {
		return false
	}
	now, err := s.StorageRequests.Location(ctx, r.storageRequestKey(), r.Owner, d.Delivery.Storage)
	return err == nil && now.Expires.After(s.Clock.Now().Add(minLifetime)) && now.Fingerprint() != published.Fingerprint
}
