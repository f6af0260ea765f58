package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

// The errors of Storage and StorageRequests.
var (
	// ErrNoObject means that no object is stored under the name.
	ErrNoObject = errors.New("no such object")
	// ErrStorageDenied means that the storage denies access: the credentials are wrong or lack permissions.
	ErrStorageDenied = errors.New("the storage denies access")
	// ErrStoragePending means that the storage has not stored the data yet.
	ErrStoragePending = errors.New("the storage has not taken the data yet")
)

// Storage stores the configuration that machines fetch at their first boot. Its objects are not public: clients need
// the signed URL or the headers that Locate returns.
type Storage interface {
	// Put stores the data under the name, which may contain slashes, and replaces existing data. Concurrent calls with
	// the same data are allowed.
	Put(ctx context.Context, name string, data secret.Value) error
	// Locate returns a URL and headers with which the object can be fetched for the lifetime, or for less if the
	// storage cannot sign for so long. It sets no digests, because the storage is not trusted. It may succeed although
	// there is no such object.
	Locate(ctx context.Context, name string, lifetime time.Duration) (delivery.Location, error)
	// Delete removes the object. A missing object is not an error.
	Delete(ctx context.Context, name string) error
}

// StorageRequest is a request to store a machine's configuration through a storage resource.
type StorageRequest struct {
	Key
	// Cluster is the name of the cluster in the same namespace.
	Cluster string
	Owner   Owner
	Storage delivery.StorageRef
	// MinExpiry is the time after which the returned URL must expire. A URL that expires at MinExpiry or before was
	// already published, or would expire too soon; Ensure then returns ErrStoragePending until the storage has signed a
	// new one. Zero accepts any URL.
	MinExpiry time.Time
	// InputDigest is a digest of the inputs of Data. Ensure calls Data only if InputDigest has changed.
	InputDigest string
	// PrivateData contains values that must be the same for later calls of Ensure. It is stored beside the data and never
	// leaves the cluster.
	PrivateData secret.Value
	// Data returns the bytes to store. Calls may return different bytes, because encryption is randomized.
	Data func(ctx context.Context) (secret.Value, error)
}

// StorageError is a storage's reason for refusing an object.
type StorageError struct{ Message string }

// Error returns the storage's message.
func (p *StorageError) Error() string { return p.Message }

// StorageRequests stores the data that machines fetch through storage resources of any provider.
type StorageRequests interface {
	// Ensure returns the location of the stored object. It is called repeatedly: the error is ErrStoragePending until the
	// storage has the data, a StorageError while it refuses, ErrNotOwned if another owner has the object's name, and
	// ErrDataDeleting while it is being removed. Storages sign locations again after half of their lifetime. An object is
	// removed, with its data, when its owner is gone.
	Ensure(ctx context.Context, d StorageRequest) (delivery.Location, error)
	// Location returns the location of the owner's object in a storage without comparing its content. It is zero until
	// the storage has stored the object.
	Location(ctx context.Context, key Key, owner Owner, storage delivery.StorageRef) (delivery.Location, error)
	// PrivateData returns the PrivateData of the owner's object in the storage, or else that of the owner's first object,
	// which may be in another storage, or zero if there is none. It ignores objects of other owners and objects that are
	// being deleted: Ensure reports them.
	PrivateData(ctx context.Context, key Key, owner Owner, storage delivery.StorageRef) (secret.Value, error)
}
