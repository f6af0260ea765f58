package snapshots_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/snapshots"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// world is a control plane with its etcd and its storage.
type world struct {
	t      *testing.T
	plane  ports.ControlPlane
	status *ports.SnapshotStatus
	store  memory.SnapshotStore
	clock  *memory.Clock
	// folders are the folders that were opened.
	folders []string
	// openFails, snapshotFails and readFails are errors of the ports.
	openFails, snapshotFails, readFails error
	// closed counts the snapshots that were closed.
	closed     int
	reconciler *snapshots.Reconciler
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, clock: memory.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	w.plane = ports.ControlPlane{
		Key: ports.Key{Namespace: "n", Name: "cp"}, ClusterName: "c1",
		Desired: controlplane.Desired{Type: node.ControlPlaneKubeadm}, Observed: controlplane.Observed{Initialized: true},
		Snapshots: &ports.EtcdSnapshots{
			SnapshotPolicy: controlplane.SnapshotPolicy{Interval: time.Hour, Keep: 3}, Recipients: []string{"key"},
		},
	}
	w.reconciler = &snapshots.Reconciler{
		Objects: w, Certificates: &memory.Certificates{Assume: true}, Members: w, Stores: w, Encrypter: w, Clock: w.clock,
	}
	return w
}

func (w *world) Read(_ context.Context, key ports.Key) (ports.ControlPlane, error) {
	if key != w.plane.Key {
		return ports.ControlPlane{}, ports.ErrNoControlPlane
	}
	return w.plane, nil
}

func (w *world) SetSnapshots(_ context.Context, _ ports.ControlPlane, s *ports.SnapshotStatus) error {
	w.status = s
	return nil
}

func (w *world) Open(_ context.Context, _ ports.ControlPlane, folder string) (ports.SnapshotStore, error) {
	w.folders = append(w.folders, folder)
	return &w.store, w.openFails
}

func (w *world) Snapshot(ctx context.Context, _ ports.ControlPlane) (io.ReadCloser, error) {
	if w.snapshotFails != nil {
		return nil, w.snapshotFails
	}
	return &data{Reader: io.MultiReader(strings.NewReader("etcd"), end{w.readFails}), ctx: ctx, w: w}, nil
}

// Encrypt writes upper case, and a seal at the end.
func (w *world) Encrypt(dst io.Writer, recipients []string) (io.WriteCloser, error) {
	if !slices.Equal(recipients, []string{"key"}) {
		return nil, errors.New("the recipients are invalid")
	}
	return upper{dst}, nil
}

// data is a snapshot.
type data struct {
	io.Reader
	ctx context.Context
	w   *world
}

func (d *data) Read(p []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	return d.Reader.Read(p)
}

func (d *data) Close() error {
	d.w.closed++
	return nil
}

// end is the end of a snapshot.
type end struct{ err error }

func (e end) Read([]byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	return 0, io.EOF
}

type upper struct{ io.Writer }

func (u upper) Write(p []byte) (int, error) {
	if _, err := u.Writer.Write(bytes.ToUpper(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (u upper) Close() error {
	_, err := u.Writer.Write([]byte(" sealed"))
	return err
}

// run reconciles, and returns the delay.
func (w *world) run() time.Duration {
	w.t.Helper()
	after, err := w.reconciler.Reconcile(w.t.Context(), w.plane.Key)
	if err != nil {
		w.t.Fatal(err)
	}
	return after
}

func (w *world) names() []string {
	names, _ := w.store.List(w.t.Context())
	return names
}

// TestSchedule checks that snapshots are taken at their times, encrypted, and that the newest ones are kept. A
// controller that was restarted, or a cluster that was moved, takes none earlier.
func TestSchedule(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		if after := w.run(); after != time.Hour {
			t.Fatalf("the next one is due after %s", after)
		}
		w.clock.Advance(20 * time.Minute)
		if after := w.run(); after != 40*time.Minute {
			t.Fatalf("the next one is due after %s", after)
		}
		w.clock.Advance(40 * time.Minute)
	}
	want := []string{"20260301T140000Z.db.age", "20260301T150000Z.db.age", "20260301T160000Z.db.age"}
	if got := w.names(); !slices.Equal(got, want) {
		t.Errorf("%q are stored, want %q", got, want)
	}
	if got := string(w.store.Stored(want[2])); got != "ETCD sealed" {
		t.Errorf("%q is stored", got)
	}
	at, _ := controlplane.SnapshotTime(want[2])
	if s := *w.status; s != (ports.SnapshotStatus{Last: want[2], At: at}) {
		t.Errorf("the status is %+v", s)
	}
	if w.closed != 5 {
		t.Errorf("%d snapshots were closed", w.closed)
	}
}

// TestUnknownType checks that snapshots are taken while the profile of the operating system is missing, for example
// after a move.
func TestUnknownType(t *testing.T) {
	w := newWorld(t)
	w.plane.Desired.Type = ""
	if after := w.run(); after != time.Hour || len(w.names()) != 1 {
		t.Errorf("%q are stored, and the next one is due after %s", w.names(), after)
	}
}

// TestFolder checks that clusters of the same name do not delete each other's snapshots.
func TestFolder(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.run()
	certificates := &memory.Certificates{}
	certificates.Put(ports.Key{Namespace: "n", Name: "c1"}, node.PurposeEtcdCA, node.KeyPair{Certificate: []byte("other")})
	w.reconciler.Certificates = certificates
	w.run()
	f := w.folders
	if f[0] != f[1] || f[0] == f[2] || !strings.HasPrefix(f[0], "etcd-snapshots/n/c1/") || !strings.HasSuffix(f[0], "/") {
		t.Errorf("the folders are %q", f)
	}
}

// TestFailures checks that a failure is in the status, is repeated soon, and never deletes or replaces a snapshot.
func TestFailures(t *testing.T) {
	for name, fail := range map[string]func(w *world, err error){
		"the storage is unknown":       func(w *world, err error) { w.openFails = err },
		"the storage fails":            func(w *world, err error) { w.store.Fail = err },
		"etcd has no leader":           func(w *world, err error) { w.snapshotFails = err },
		"the snapshot is incomplete":   func(w *world, err error) { w.readFails = err },
		"a recipient is not a key":     func(w *world, _ error) { w.plane.Snapshots.Recipients = []string{"broken"} },
		"the certificates are missing": func(w *world, _ error) { w.reconciler.Certificates = &memory.Certificates{} },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for range 3 {
				w.run()
				w.clock.Advance(time.Hour)
			}
			before := w.names()
			fail(w, errors.New("broken Authorization: Basic cGFzc3dvcmQ6eA=="))
			for range 2 {
				if after := w.run(); after != 6*time.Minute {
					t.Errorf("it is repeated after %s", after)
				}
			}
			if s := w.status; s == nil || s.Failure == "" || strings.Contains(s.Failure, "cGFzc3dv") {
				t.Errorf("the status is %+v", s)
			}
			w.store.Fail = nil
			if got := w.names(); !slices.Equal(got, before) {
				t.Errorf("%q are stored, want %q", got, before)
			}
		})
	}
}

// TestNoSnapshots checks when none are taken, and that an earlier status is removed.
func TestNoSnapshots(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *ports.ControlPlane)
		after  time.Duration
		keeps  bool
	}{
		"none are specified":  {func(c *ports.ControlPlane) { c.Snapshots = nil }, 0, false},
		"etcd is external":    {func(c *ports.ControlPlane) { c.Desired.ExternalEtcd = true }, 0, false},
		"machines of Talos":   {func(c *ports.ControlPlane) { c.Desired.Type = node.ControlPlaneTalos }, 0, false},
		"it is paused":        {func(c *ports.ControlPlane) { c.Desired.Paused = true }, 0, true},
		"it is being deleted": {func(c *ports.ControlPlane) { c.Desired.Deleting = true }, 0, true},
		"not initialized":     {func(c *ports.ControlPlane) { c.Observed.Initialized = false }, time.Minute, true},
		"it does not exist":   {func(c *ports.ControlPlane) { c.Name = "other" }, 0, true},
	} {
		w := newWorld(t)
		w.status = &ports.SnapshotStatus{Last: "earlier"}
		c.change(&w.plane)
		if after, err := w.reconciler.Reconcile(t.Context(), ports.Key{Namespace: "n", Name: "cp"}); after != c.after ||
			err != nil {
			t.Errorf("%s: the delay is %s, error %v", name, after, err)
		}
		if len(w.folders) > 0 || (w.status != nil) != c.keeps {
			t.Errorf("%s: the storage is opened, or the status is %+v", name, w.status)
		}
	}
}

// TestCancellation checks that the end of the controller is not reported as a failure.
func TestCancellation(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.reconciler.Reconcile(ctx, w.plane.Key); !errors.Is(err, context.Canceled) || w.status != nil {
		t.Errorf("error %v, status %+v", err, w.status)
	}
	if got := w.names(); len(got) > 0 {
		t.Errorf("%q are stored", got)
	}
}
