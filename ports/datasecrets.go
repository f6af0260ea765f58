package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
)

// The errors of DataSecrets.
var (
	// ErrNoData means that there is no bootstrap data under the name.
	ErrNoData = errors.New("no such bootstrap data")
	// ErrDataExists means that the owner's data is there already; it is not replaced.
	ErrDataExists = errors.New("the bootstrap data exists")
	// ErrDataEnding means that the data under the name is being removed and will be gone soon.
	ErrDataEnding = errors.New("the bootstrap data is being removed")
	// ErrForeign means that something that is not the owner's has the name. It is never taken over.
	ErrForeign = errors.New("the name belongs to another owner")
)

// TokenRef remembers the token that published data holds.
type TokenRef struct {
	// ID is the token's public half; empty if the data holds none.
	ID string
	// Counter is the one from which the ID was made.
	Counter int
}

// AddressRef remembers how long the address counts from which published data has machines fetch the rest. Its times are
// whole seconds; all are zero if there is no such address, or no end to it.
type AddressRef struct {
	// Renew is when data that machines still come for has to be published with another address.
	Renew time.Time
	// Ends is when the address ends.
	Ends time.Time
	// Fingerprint is that of the address (delivery.Location.Fingerprint).
	Fingerprint string
}

// DataSecret is bootstrap data under its name.
type DataSecret struct {
	Key
	// Cluster is the name of the cluster in the same namespace.
	Cluster string
	// Machine is the name of the machine, or of the pool of machines, that the data is for.
	Machine string
	Owner   Owner
	Token   TokenRef
	Address AddressRef
	// Credential is what the machine shows when it reports; zero if it does not report. Find leaves it empty.
	Credential credential.Grant
	// EarlierEnd is when credentials expire that Replace replaces. Find leaves it empty.
	EarlierEnd time.Time
	// Payload is what is published. Find leaves it empty.
	Payload delivery.Payload
	// Published is when the data was created. It does not change when the data is replaced or repaired. A store with a
	// more reliable time returns that when the data is found.
	Published time.Time
}

// DataSecrets keeps bootstrap data where infrastructure providers read it.
type DataSecrets interface {
	// Create publishes the data under its name. The error is ErrDataExists if the owner has data under it, ErrForeign if
	// another owner has, and ErrDataEnding if it is not free yet.
	Create(ctx context.Context, d DataSecret) error
	// Find returns the metadata of the data under the owner's name without reading it: ErrNoData if there is none,
	// ErrDataEnding if it is being deleted, ErrForeign if another owner controls it. Data that lost its owner reference is
	// found.
	Find(ctx context.Context, key Key, owner Owner) (DataSecret, error)
	// Replace publishes new data in place of the owner's, and what is known of it with it. Only a pool of machines has a
	// reason to.
	Replace(ctx context.Context, d DataSecret) error
	// Repair makes the owner control the data again, if it does not. The error is ErrForeign if another owner does.
	Repair(ctx context.Context, key Key, owner Owner) error
	// Expire makes the credentials for reports of the owner's data expire at once. The error is as of Repair. Without a
	// credential it does nothing.
	Expire(ctx context.Context, key Key, owner Owner) error
}
