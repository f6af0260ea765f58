package etcdmembers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/machineadm/machineadm/ports"
)

// alarmCorrupt is the alarm of a member whose data differs from that of the others.
const alarmCorrupt = "CORRUPT"

// errIncomplete means that the end of a snapshot is missing, or that bytes of it changed on the way.
var errIncomplete = errors.New("the snapshot is incomplete: its digest is not that of its data")

// SnapshotSession is a session with a member that returns its data.
type SnapshotSession interface {
	Session
	// Snapshot returns the data of the member and its SHA-256, in the form of etcdctl snapshot save.
	Snapshot(ctx context.Context) (io.ReadCloser, error)
}

var _ ports.EtcdSnapshotter = (*Members)(nil)

// Snapshot returns a snapshot of the leader, which has all that was written, or else of a member that knows of a
// leader. A cluster with corrupt data has none: it would replace the good ones.
func (m *Members) Snapshot(ctx context.Context, c ports.ControlPlane) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	r, err := m.ask(ctx, c)
	if err != nil {
		cancel()
		return nil, err
	}
	end := func() {
		cancel()
		r.close()
	}
	data, err := r.snapshot(ctx, m.Timeout)
	if err != nil {
		end()
		return nil, err
	}
	return &verified{data: data, digest: sha256.New(), end: end}, nil
}

func (r *round) snapshot(ctx context.Context, timeout time.Duration) (io.ReadCloser, error) {
	led := ledBy(r.reports)
	if len(led) == 0 {
		return nil, fmt.Errorf("no member knows of a leader: %w", ports.ErrUnreachable)
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	list, err := r.list(limited)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if slices.Contains(e.Alarms, alarmCorrupt) {
			return nil, fmt.Errorf("member %x has corrupt data; replace its machine", e.ID)
		}
	}
	session, ok := r.sessions[led[0].MemberID].(SnapshotSession)
	if !ok {
		return nil, errors.New("snapshots of these members are not supported")
	}
	return session.Snapshot(ctx)
}

// verified is a snapshot whose end is io.EOF only if it is complete.
type verified struct {
	data   io.ReadCloser
	digest hash.Hash
	// tail contains the last bytes, which may be the digest. The digest of the data covers everything before.
	tail []byte
	end  func()
}

// Read returns the bytes of the snapshot, with the digest at the end.
func (v *verified) Read(p []byte) (int, error) {
	n, err := v.data.Read(p)
	v.tail = append(v.tail, p[:n]...)
	if before := len(v.tail) - sha256.Size; before > 0 {
		_, _ = v.digest.Write(v.tail[:before])
		v.tail = append(v.tail[:0], v.tail[before:]...)
	}
	if errors.Is(err, io.EOF) && !bytes.Equal(v.tail, v.digest.Sum(nil)) {
		return n, errIncomplete
	}
	return n, err
}

// Close ends the sessions.
func (v *verified) Close() error {
	err := v.data.Close()
	v.end()
	return err
}
