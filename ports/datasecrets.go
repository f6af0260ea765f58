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
	// ErrNoData means that there is no bootstrap data with the name.
	ErrNoData = errors.New("no such bootstrap data")
	// ErrDataExists means that the owner's data already exists. It is not replaced.
	ErrDataExists = errors.New("the bootstrap data exists")
	// ErrDataDeleting means that the data with the name is being deleted.
	ErrDataDeleting = errors.New("the bootstrap data is being removed")
	// ErrNotOwned means that an object of another owner has the name. Such an object is never changed.
	ErrNotOwned = errors.New("the name belongs to another owner")
)

// TokenRef identifies the bootstrap token in published data.
type TokenRef struct {
	// ID is the public half of the token, or empty if the data contains no token.
	ID string
	// Counter is the counter that the ID was derived from (node.TokenOwner.TokenID).
	Counter int
}

// LocationRef describes the URL of the stored configuration that published data refers to. Its times are whole seconds.
// It is zero if the data refers to no URL, or to one that does not expire.
type LocationRef struct {
	// RenewAfter is when the data must be published again with a new URL, if machines still need it.
	RenewAfter time.Time
	// Expires is when the URL expires.
	Expires time.Time
	// Fingerprint is delivery.Location.Fingerprint of the URL.
	Fingerprint string
}

// DataSummary describes published data without its content. It is zero for data that has no valid description.
type DataSummary struct {
	Format delivery.Format
	// FormatVersion is the version of the format, or empty if it has none.
	FormatVersion string
	// Envelope is that of delivery.Payload.
	Envelope string
	Bytes    int64
	// Warnings is the number of warnings about the data.
	Warnings int32
	// Source identifies the spec that the data was rendered from (composition.Description.Source).
	Source string
	// Version is the version of Kubernetes of the machine.
	Version string
	// Agent is the architecture and a digest of the agent that the machine fetches from the controller's endpoint, with
	// its address and authorities, separated by a colon. It is empty if the machine fetches none there.
	Agent string
}

// DataSecret is the bootstrap data of a machine or a pool, and its metadata.
type DataSecret struct {
	Key
	// Cluster is the name of the cluster in the same namespace.
	Cluster string
	// Machine is the name of the machine, or of the pool of machines, that the data is for.
	Machine  string
	Owner    Owner
	Token    TokenRef
	Location LocationRef
	// Credential authenticates the reports of the machine, or zero if it does not report. Find does not set it.
	Credential credential.Grant
	// PreviousExpiry is when the credentials that Replace replaces expire. Find does not set it.
	PreviousExpiry time.Time
	// Metadata is added to the object that contains the data. It never replaces metadata of the store. Find does not set
	// it.
	Metadata delivery.Metadata
	// Payload is the userdata to publish. Find does not set it.
	Payload delivery.Payload
	// Summary describes the payload.
	Summary DataSummary
	// Published is when the data was created. Replace and Repair do not change it. Find may return the time of the
	// store instead, such as the creation timestamp of a Secret.
	Published time.Time
}

// DataSecrets stores bootstrap data where infrastructure providers read it.
type DataSecrets interface {
	// Create publishes the data under its name. The error is ErrDataExists if data of the owner has the name,
	// ErrNotOwned if an object of another owner has it, and ErrDataDeleting if the object with the name is being deleted.
	Create(ctx context.Context, d DataSecret) error
	// Find returns the metadata of the data without reading the payload. The error is ErrNoData if there is none,
	// ErrDataDeleting if it is being deleted, and ErrNotOwned if another owner controls it. Find also returns data that
	// has lost its owner reference.
	Find(ctx context.Context, key Key, owner Owner) (DataSecret, error)
	// Replace replaces the owner's data and its metadata. Only pools use it.
	Replace(ctx context.Context, d DataSecret) error
	// Repair restores the controller reference to the owner if it is missing. The error is ErrNotOwned if another owner
	// controls the data.
	Repair(ctx context.Context, key Key, owner Owner) error
	// Expire makes the credentials for reports expire now. Without credentials it does nothing. Its errors are those of
	// Repair.
	Expire(ctx context.Context, key Key, owner Owner) error
}
