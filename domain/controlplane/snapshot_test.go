package controlplane_test

import (
	"slices"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// snapshots returns the names of snapshots that were taken some hours before the time.
func snapshots(now time.Time, hours ...int) []string {
	var names []string
	for _, h := range hours {
		names = append(names, controlplane.SnapshotName(now.Add(-time.Duration(h)*time.Hour)))
	}
	return names
}

// TestNextSnapshot checks when a snapshot is due.
func TestNextSnapshot(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := controlplane.SnapshotPolicy{Interval: 6 * time.Hour, Keep: 2}
	for name, c := range map[string]struct {
		stored []string
		want   time.Duration
	}{
		"none is stored":          {nil, 0},
		"the last one is older":   {snapshots(now, 20, 7), 0},
		"the last one is as old":  {snapshots(now, 6), 0},
		"the last one is younger": {snapshots(now, 20, 2, 8), 4 * time.Hour},
		"the clock was wrong":     {snapshots(now, -48, 7), 0},
		"another clock is fast": {
			[]string{controlplane.SnapshotName(now.Add(time.Minute))}, 6*time.Hour + time.Minute,
		},
		"other objects": {[]string{"notes.txt", "20260301T115900Z.db", "x/20260301T115900Z.db.age"}, 0},
	} {
		if got := p.NextSnapshot(c.stored, now).Sub(now); got != c.want {
			t.Errorf("%s: the next snapshot is due after %s, want %s", name, got, c.want)
		}
	}
}

// TestSurplusSnapshots checks that only the oldest snapshots are surplus, and that one is always kept. One from the
// future is not among those that count.
func TestSurplusSnapshots(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	other := append(snapshots(now, -48), "00000000T000000Z.db.age", "a.db.age", "20260301T115900Z.db")
	stored := append(snapshots(now, 3, 1, 2, 9), other...)
	for keep, want := range map[int][]string{
		9: nil, 4: nil, 3: snapshots(now, 9), 2: snapshots(now, 9, 3), 0: snapshots(now, 9, 3, 2),
	} {
		p := controlplane.SnapshotPolicy{Interval: time.Hour, Keep: keep}
		if got := p.SurplusSnapshots(stored, now); !slices.Equal(got, want) {
			t.Errorf("with %d to keep, %q are surplus, want %q", keep, got, want)
		}
	}
	if len(stored) != 8 || stored[0] != snapshots(now, 3)[0] {
		t.Error("the argument was changed")
	}
	if last := controlplane.LastSnapshot(stored, now); last != snapshots(now, 1)[0] {
		t.Errorf("the last one is %q", last)
	}
	if last := controlplane.LastSnapshot(other, now); last != "" {
		t.Errorf("the last one is %q", last)
	}
}

// TestSnapshotRetry checks that a failure is neither repeated at once nor forgotten for hours.
func TestSnapshotRetry(t *testing.T) {
	for interval, want := range map[time.Duration]time.Duration{
		5 * time.Minute: time.Minute, time.Hour: 6 * time.Minute, 24 * time.Hour: 10 * time.Minute,
	} {
		if got := (controlplane.SnapshotPolicy{Interval: interval}).SnapshotRetry(); got != want {
			t.Errorf("with an interval of %s, a failure is repeated after %s, want %s", interval, got, want)
		}
	}
}
