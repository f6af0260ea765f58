package ports

import (
	"context"
	"io"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/delivery"
)

// EtcdSnapshots specifies the snapshots of a control plane's etcd.
type EtcdSnapshots struct {
	controlplane.SnapshotPolicy
	// Storage is the storage resource, in the namespace of the control plane.
	Storage delivery.StorageRef
	// Recipients are the public keys for which snapshots are encrypted, in the form of age.
	Recipients []string
}

// EtcdSnapshotter takes snapshots.
type EtcdSnapshotter interface {
	// Snapshot returns a snapshot of a member that knows of a leader. The caller closes it. Reading fails if the snapshot
	// is incomplete: only a snapshot that was read up to io.EOF can be restored. It ends with the context.
	Snapshot(ctx context.Context, c ControlPlane) (io.ReadCloser, error)
}

// SnapshotStore stores the snapshots of one cluster.
type SnapshotStore interface {
	// Put stores the data under the name. If reading the data fails, there is no such object, and the error is that of the
	// data.
	Put(ctx context.Context, name string, data io.Reader) error
	// List returns the names of all objects, sorted.
	List(ctx context.Context) ([]string, error)
	// Delete removes the object. A missing object is not an error.
	Delete(ctx context.Context, name string) error
}

// SnapshotStores opens stores.
type SnapshotStores interface {
	// Open returns the store for the snapshots of a control plane. The folder separates them from those of other clusters
	// in the same storage. A StorageError describes a problem that the user can fix.
	Open(ctx context.Context, c ControlPlane, folder string) (SnapshotStore, error)
}

// SnapshotEncrypter encrypts snapshots for recipients.
type SnapshotEncrypter interface {
	// Encrypt returns a writer that encrypts to dst. Closing it completes the data; it does not close dst. An error names
	// a recipient that is not valid.
	Encrypt(dst io.Writer, recipients []string) (io.WriteCloser, error)
}

// SnapshotStatus is the status of a control plane's snapshots.
type SnapshotStatus struct {
	// Last is the name of the last snapshot that is stored, and At when it was taken; empty if there is none.
	Last string
	At   time.Time
	// Bytes is the size of the last snapshot before it was encrypted, or 0 if it is not known.
	Bytes int64
	// Failure is why the last attempt failed, without secrets, or empty.
	Failure string
}

// SnapshotObjects reads control planes and writes the status of their snapshots.
type SnapshotObjects interface {
	// Read returns the control plane, or ErrNoControlPlane.
	Read(ctx context.Context, key Key) (ControlPlane, error)
	// SetSnapshots writes the status, if it differs; nil removes it. A size of 0 keeps the size of the same snapshot.
	SetSnapshots(ctx context.Context, c ControlPlane, status *SnapshotStatus) error
}
