package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

// The errors of Storage and Deposits.
var (
	// ErrNoObject means that nothing is stored under the name.
	ErrNoObject = errors.New("no such object")
	// ErrStorageDenied means that the storage does not let us in: the credentials are wrong, or not enough.
	ErrStorageDenied = errors.New("the storage denies access")
	// ErrStoragePending means that the storage has not taken the data yet.
	ErrStoragePending = errors.New("the storage has not taken the data yet")
)

// Storage keeps what machines fetch at their first boot. Its objects are not public: they are fetched with what Locate
// returns.
type Storage interface {
	// Put keeps the data under the name, which may have slashes in it. The same data may be put again, also by several at
	// once. Other data takes the place of what is there.
	Put(ctx context.Context, name string, data secret.Value) error
	// Locate returns from where the object is fetched until the lifetime is over, or earlier if that is not possible. The
	// digests are left out: the storage is not trusted with them. It need not find out whether the object is there.
	Locate(ctx context.Context, name string, lifetime time.Duration) (delivery.Location, error)
	// Delete removes the object. That it is gone already is no error.
	Delete(ctx context.Context, name string) error
}

// Deposit is what a storage resource is asked to keep for a machine.
type Deposit struct {
	Key
	// Cluster is the name of the cluster in the same namespace.
	Cluster string
	Owner   Owner
	Storage delivery.StorageRef
	// After is when an answer ends, at the earliest, that is good enough: one that ends then or before is published
	// already, or not worth to be. Until the storage has signed another the deposit is pending. Zero takes any.
	After time.Time
	// Sum is a digest of all that Data is made of. Data is not asked for again while it is the same.
	Sum string
	// Memo is stored beside the data and never leaves the cluster: values that must not change when the object is
	// requested again.
	Memo secret.Value
	// Data makes the bytes to store. It need not give the same bytes twice: it may encrypt.
	Data func(ctx context.Context) (secret.Value, error)
}

// StorageError is a storage's reason for refusing an object.
type StorageError struct{ Message string }

// Error returns the storage's message.
func (p *StorageError) Error() string { return p.Message }

// Deposits passes the data that machines fetch to storage resources of any provider.
type Deposits interface {
	// Keep returns the location of the stored object. It is called repeatedly: the error is ErrStoragePending until the
	// storage has the data, a StorageError while it refuses, ErrForeign if another owner has the object's name, and
	// ErrDataEnding while it is being removed. Storages sign locations again after half of their lifetime. An object is
	// removed, with its data, when its owner is gone.
	Keep(ctx context.Context, d Deposit) (delivery.Location, error)
	// Located returns where the owner's deposit for a storage is fetched, whatever its bytes are; zero while the storage
	// has not answered. It costs little.
	Located(ctx context.Context, key Key, owner Owner, storage delivery.StorageRef) (delivery.Location, error)
	// Memo returns that of the owner's object under the name that Keep would use for the storage, or else the one that
	// another storage was given first; it is zero if there is none. A name of another owner, or an object that is being
	// removed, is not an error: Keep reports it.
	Memo(ctx context.Context, key Key, owner Owner, storage delivery.StorageRef) (secret.Value, error)
}
