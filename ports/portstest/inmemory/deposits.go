package inmemory

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"sync"
	"time"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Deposits hands deposits to a storage when it is told to.
type Deposits struct {
	Storage ports.Storage
	// Lifetime is that of the URLs.
	Lifetime time.Duration

	mutex sync.Mutex
	held  map[ports.Key]*deposit
}

type deposit struct {
	ports.Deposit
	data, memo secret.Value
	location   *delivery.Location
	problem    string
}

// Keep returns the location of a deposit that was taken.
func (d *Deposits) Keep(ctx context.Context, asked ports.Deposit) (delivery.Location, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	held := d.held[asked.Key]
	switch {
	case held != nil && held.Owner.UID != asked.Owner.UID:
		return delivery.Location{}, ports.ErrForeign
	case held == nil || held.Sum != asked.Sum || held.Deposit.Storage != asked.Storage:
		data, err := asked.Data(ctx)
		if err != nil {
			return delivery.Location{}, err
		}
		if d.held == nil {
			d.held = map[ports.Key]*deposit{}
		}
		d.held[asked.Key] = &deposit{Deposit: asked, data: data, memo: asked.Memo}
		return delivery.Location{}, ports.ErrStoragePending
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

// Memo returns what was kept beside the data.
func (d *Deposits) Memo(_ context.Context, key ports.Key, owner ports.Owner) (secret.Value, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if held := d.held[key]; held != nil && held.Owner.UID == owner.UID {
		return held.memo, nil
	}
	return secret.Value{}, nil
}

// Take has the storage take all deposits; a problem is what it says of them, if it does not.
func (d *Deposits) Take(ctx context.Context, problem string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, held := range d.held {
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
