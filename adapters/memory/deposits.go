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

// Deposits implements ports.Deposits. Take passes the objects to the storage.
type Deposits struct {
	Storage ports.Storage
	// Lifetime is the lifetime of URLs.
	Lifetime time.Duration

	mutex sync.Mutex
	// held has the deposits of each name, one for each storage, in the order in which they were made.
	held map[ports.Key][]*deposit
}

type deposit struct {
	ports.Deposit
	data     secret.Value
	location *delivery.Location
	problem  string
}

// Keep returns the location of a stored object.
func (d *Deposits) Keep(ctx context.Context, asked ports.Deposit) (delivery.Location, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	held := d.fitting(asked.Key, asked.Storage)
	switch {
	case !d.owns(asked.Key, asked.Owner):
		return delivery.Location{}, ports.ErrForeign
	case held == nil || held.Sum != asked.Sum:
		return delivery.Location{}, d.fill(ctx, held, asked)
	case held.problem != "":
		return delivery.Location{}, &ports.StorageError{Message: held.problem}
	case held.location != nil && !held.location.Expires.IsZero() && !held.location.Expires.After(asked.After):
		held.location = nil
	}
	if held.location == nil {
		return delivery.Location{}, ports.ErrStoragePending
	}
	return *held.location, nil
}

// owns reports whether no other owner has the name.
func (d *Deposits) owns(key ports.Key, owner ports.Owner) bool {
	return len(d.held[key]) == 0 || d.held[key][0].Owner.UID == owner.UID
}

func (d *Deposits) fitting(key ports.Key, storage delivery.StorageRef) *deposit {
	for _, held := range d.held[key] {
		if held.Storage == storage {
			return held
		}
	}
	return nil
}

// fill creates or replaces the stored object. A memo stays until there is another.
func (d *Deposits) fill(ctx context.Context, held *deposit, asked ports.Deposit) error {
	data, err := asked.Data(ctx)
	if err != nil {
		return err
	}
	if held == nil {
		held = &deposit{}
		if d.held == nil {
			d.held = map[ports.Key][]*deposit{}
		}
		d.held[asked.Key] = append(d.held[asked.Key], held)
	}
	if asked.Memo.IsZero() {
		asked.Memo = held.Memo
	}
	*held = deposit{Deposit: asked, data: data}
	return ports.ErrStoragePending
}

// Located returns the location of a stored object.
func (d *Deposits) Located(_ context.Context, key ports.Key, owner ports.Owner,
	storage delivery.StorageRef,
) (delivery.Location, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.owns(key, owner) {
		return delivery.Location{}, ports.ErrForeign
	}
	held := d.fitting(key, storage)
	if held == nil || held.location == nil {
		return delivery.Location{}, nil
	}
	return *held.location, nil
}

// Memo returns the Memo of the object in the storage, or of the first object.
func (d *Deposits) Memo(_ context.Context, key ports.Key, owner ports.Owner,
	storage delivery.StorageRef,
) (secret.Value, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if len(d.held[key]) == 0 || !d.owns(key, owner) {
		return secret.Value{}, nil
	}
	if held := d.fitting(key, storage); held != nil && !held.Memo.IsZero() {
		return held.Memo, nil
	}
	return d.held[key][0].Memo, nil
}

// Take stores all objects. If problem is not empty, the storage refuses them for this reason.
func (d *Deposits) Take(ctx context.Context, problem string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, held := range slices.Concat(slices.Collect(maps.Values(d.held))...) {
		if held.problem = problem; problem != "" {
			continue
		}
		short, long := sha256.Sum256(held.data.Reveal()), sha512.Sum512(held.data.Reveal())
		name := held.Key.String() + "/" + hex.EncodeToString(short[:])
		if err := d.Storage.Put(ctx, name, held.data); err != nil {
			return err
		}
		l, err := d.Storage.Locate(ctx, name, d.Lifetime)
		if err != nil {
			return err
		}
		l.SHA256, l.SHA512 = hex.EncodeToString(short[:]), hex.EncodeToString(long[:])
		held.location = &l
	}
	return nil
}
