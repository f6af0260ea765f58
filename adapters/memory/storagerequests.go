package memory

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// StorageRequests implements ports.StorageRequests. Take passes the objects to the storage.
type StorageRequests struct {
	Storage ports.Storage
	// Lifetime is the lifetime of URLs.
	Lifetime time.Duration

	mutex sync.Mutex
	// requests has the storage requests of each name, one for each storage, in the order in which they were made.
	requests map[ports.Key][]*storageRequest
}

type storageRequest struct {
	ports.StorageRequest
	data     secret.Value
	location *delivery.Location
	problem  string
}

// Ensure returns the location of a stored object.
func (d *StorageRequests) Ensure(ctx context.Context, request ports.StorageRequest) (delivery.Location, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	existing := d.find(request.Key, request.Storage)
	switch {
	case !d.owns(request.Key, request.Owner):
		return delivery.Location{}, ports.ErrNotOwned
	case existing == nil || existing.InputDigest != request.InputDigest:
		return delivery.Location{}, d.store(ctx, existing, request)
	case existing.problem != "":
		return delivery.Location{}, &ports.StorageError{Message: existing.problem}
	case existing.location != nil && !existing.location.Expires.IsZero() &&
		!existing.location.Expires.After(request.MinExpiry):
		existing.location = nil
	}
	if existing.location == nil {
		return delivery.Location{}, ports.ErrStoragePending
	}
	return *existing.location, nil
}

// owns reports whether no other owner has the name.
func (d *StorageRequests) owns(key ports.Key, owner ports.Owner) bool {
	return len(d.requests[key]) == 0 || d.requests[key][0].Owner.UID == owner.UID
}

func (d *StorageRequests) find(key ports.Key, storage delivery.StorageRef) *storageRequest {
	for _, existing := range d.requests[key] {
		if existing.Storage == storage {
			return existing
		}
	}
	return nil
}

// store creates or replaces the stored object. A memo stays until there is another.
func (d *StorageRequests) store(ctx context.Context, existing *storageRequest, request ports.StorageRequest) error {
	data, err := request.Data(ctx)
	if err != nil {
		return err
	}
	if existing == nil {
		existing = &storageRequest{}
		if d.requests == nil {
			d.requests = map[ports.Key][]*storageRequest{}
		}
		d.requests[request.Key] = append(d.requests[request.Key], existing)
	}
	if request.PrivateData.IsZero() {
		request.PrivateData = existing.PrivateData
	}
	*existing = storageRequest{StorageRequest: request, data: data}
	return ports.ErrStoragePending
}

// Location returns the location of a stored object.
func (d *StorageRequests) Location(_ context.Context, key ports.Key, owner ports.Owner, storage delivery.StorageRef,
) (delivery.Location, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.owns(key, owner) {
		return delivery.Location{}, ports.ErrNotOwned
	}
	existing := d.find(key, storage)
	if existing == nil || existing.location == nil {
		return delivery.Location{}, nil
	}
	return *existing.location, nil
}

// PrivateData returns the private data of the object in the storage, or of the first object.
func (d *StorageRequests) PrivateData(_ context.Context, key ports.Key, owner ports.Owner, storage delivery.StorageRef,
) (secret.Value, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if len(d.requests[key]) == 0 || !d.owns(key, owner) {
		return secret.Value{}, nil
	}
	if existing := d.find(key, storage); existing != nil && !existing.PrivateData.IsZero() {
		return existing.PrivateData, nil
	}
	return d.requests[key][0].PrivateData, nil
}

// Process stores all objects. If problem is not empty, the storage refuses them for this reason.
func (d *StorageRequests) Process(ctx context.Context, problem string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, existing := range slices.Concat(slices.Collect(maps.Values(d.requests))...) {
		if existing.problem = problem; problem != "" {
			continue
		}
		short, long := sha256.Sum256(existing.data.Reveal()), sha512.Sum512(existing.data.Reveal())
		name := existing.Key.String() + "/" + hex.EncodeToString(short[:])
		if err := d.Storage.Put(ctx, name, existing.data); err != nil {
			return err
		}
		l, err := d.Storage.Locate(ctx, name, d.Lifetime)
		if err != nil {
			return err
		}
		l.SHA256, l.SHA512 = hex.EncodeToString(short[:]), hex.EncodeToString(long[:])
		existing.location = &l
	}
	return nil
}
