package snapshots

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

const (
	// snapshotTimeout is the deadline of a snapshot from the first byte to the last.
	snapshotTimeout = 30 * time.Minute
	// waitPeriod is the delay while the control plane is not initialized.
	waitPeriod = time.Minute
	// maxMessage limits a message in the status in bytes.
	maxMessage = 512
	// digestLength is the number of hexadecimal digits of the digest in the name of a folder.
	digestLength = 16
)

// Reconciler takes and deletes snapshots.
type Reconciler struct {
	Objects      ports.SnapshotObjects
	Certificates ports.Certificates
	Members      ports.EtcdSnapshotter
	Stores       ports.SnapshotStores
	Encrypter    ports.SnapshotEncrypter
	Clock        ports.Clock
}

// Reconcile takes a snapshot of a control plane if one is due, and returns the delay of the next call, or 0 if only a
// change of the control plane requires it. A snapshot that fails is in the status. The error is that of reading or
// writing the objects of the control plane.
func (r *Reconciler) Reconcile(ctx context.Context, key ports.Key) (time.Duration, error) {
	c, err := r.Objects.Read(ctx, key)
	switch {
	case errors.Is(err, ports.ErrNoControlPlane):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("read the control plane: %w", err)
	case c.Desired.Paused || c.Desired.Deleting:
		return 0, nil
	case c.Snapshots == nil || !taken(c):
		return 0, r.setStatus(ctx, c, nil)
	case !c.Observed.Initialized:
		return waitPeriod, nil
	}
	status, next, err := r.run(ctx, c)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	delay := next.Sub(r.Clock.Now())
	if err != nil {
		status.Failure = host.Line(secret.CleanShapes(err.Error()), maxMessage)
		delay = c.Snapshots.SnapshotRetry()
	}
	// A delay of 0 would end the schedule.
	return max(delay, time.Second), r.setStatus(ctx, c, &status)
}

// taken reports whether the machines run an etcd of which the controller takes snapshots. The type is not known while
// the profile of the operating system is missing.
func taken(c ports.ControlPlane) bool {
	return !c.Desired.ExternalEtcd && c.Desired.Type != node.ControlPlaneTalos
}

func (r *Reconciler) setStatus(ctx context.Context, c ports.ControlPlane, status *ports.SnapshotStatus) error {
	err := r.Objects.SetSnapshots(ctx, c, status)
	if errors.Is(err, ports.ErrNoControlPlane) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the status of the snapshots: %w", err)
	}
	return nil
}

// run takes a snapshot if one is due, and deletes the surplus. It returns when the next one is due. The status is valid
// also if there is an error.
func (r *Reconciler) run(ctx context.Context, c ports.ControlPlane) (ports.SnapshotStatus, time.Time, error) {
	var status ports.SnapshotStatus
	folder, err := r.folder(ctx, c)
	if err != nil {
		return status, time.Time{}, err
	}
	store, err := r.Stores.Open(ctx, c, folder)
	if err != nil {
		return status, time.Time{}, fmt.Errorf("open the storage %s: %w", c.Snapshots.Storage.Name, err)
	}
	stored, err := store.List(ctx)
	if err != nil {
		return status, time.Time{}, fmt.Errorf("list the snapshots: %w", err)
	}
	now := r.Clock.Now()
	status.Last = controlplane.LastSnapshot(stored, now)
	next := c.Snapshots.NextSnapshot(stored, now)
	if !next.After(now) {
		name := controlplane.SnapshotName(now)
		if status.Bytes, err = r.take(ctx, c, store, name); err == nil {
			stored, status.Last = append(stored, name), name
			next = c.Snapshots.NextSnapshot(stored, now)
		}
	}
	status.At, _ = controlplane.SnapshotTime(status.Last)
	if err != nil {
		return status, next, err
	}
	// Only a snapshot that succeeded makes another one surplus.
	for _, name := range c.Snapshots.SurplusSnapshots(stored, now) {
		if err := store.Delete(ctx, name); err != nil {
			return status, next, fmt.Errorf("delete the snapshot %s: %w", name, err)
		}
	}
	return status, next, nil
}

// folder returns where the snapshots of the cluster are stored. It contains a digest of the certificate of etcd's CA.
// That stays the same when the cluster is moved, and differs for another cluster of the same name: the snapshots of one
// must not delete those of the other.
func (r *Reconciler) folder(ctx context.Context, c ports.ControlPlane) (string, error) {
	cluster := ports.Key{Namespace: c.Namespace, Name: c.ClusterName}
	ca, err := r.Certificates.Find(ctx, cluster, node.PurposeEtcdCA)
	if err != nil {
		return "", fmt.Errorf("Secret %s-%s: %w", cluster.Name, node.PurposeEtcdCA, err)
	}
	digest := sha256.Sum256(ca.Certificate)
	return fmt.Sprintf("etcd-snapshots/%s/%s/%s/", cluster.Namespace, cluster.Name,
		hex.EncodeToString(digest[:])[:digestLength]), nil
}

// take streams a snapshot through the encryption to the store, and returns its size before the encryption.
func (r *Reconciler) take(ctx context.Context, c ports.ControlPlane, store ports.SnapshotStore, name string) (int64,
	error,
) {
	ctx, cancel := context.WithTimeout(ctx, snapshotTimeout)
	defer cancel()
	data, err := r.Members.Snapshot(ctx, c)
	if err != nil {
		return 0, fmt.Errorf("take a snapshot: %w", err)
	}
	defer func() { _ = data.Close() }()
	reader, writer := io.Pipe()
	written := make(chan int64, 1)
	go func() {
		n, err := r.encrypt(writer, data, c.Snapshots.Recipients)
		written <- n
		// Without an error, the reader gets io.EOF.
		writer.CloseWithError(err)
	}()
	err = store.Put(ctx, name, reader)
	// A store that gave up does not read the rest, and the member must not be waited for.
	reader.CloseWithError(errors.New("the snapshot is not stored"))
	cancel()
	n := <-written
	if err != nil {
		return 0, fmt.Errorf("store the snapshot %s: %w", name, err)
	}
	return n, nil
}

// encrypt copies the data, and returns its size.
func (r *Reconciler) encrypt(dst io.Writer, data io.Reader, recipients []string) (int64, error) {
	encrypted, err := r.Encrypter.Encrypt(dst, recipients)
	if err != nil {
		return 0, fmt.Errorf("encrypt: %w", err)
	}
	n, err := io.Copy(encrypted, data)
	if err != nil {
		return n, fmt.Errorf("read the snapshot: %w", err)
	}
	if err := encrypted.Close(); err != nil {
		return n, fmt.Errorf("encrypt: %w", err)
	}
	return n, nil
}
