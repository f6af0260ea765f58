package controlplane

import (
	"slices"
	"strings"
	"time"
)

// The defaults of SnapshotPolicy.
const (
	DefaultSnapshotInterval = 6 * time.Hour
	DefaultSnapshotKeep     = 28
)

const (
	// snapshotTime is the layout of the time in the name of a snapshot, which sorts by time. snapshotSuffix follows it.
	snapshotTime   = "20060102T150405Z"
	snapshotSuffix = ".db.age"
	// clockSkew is by how much the clocks of two controllers may differ.
	clockSkew = 5 * time.Minute
	// minSnapshotRetry and maxSnapshotRetry limit the delay after a snapshot that failed.
	minSnapshotRetry, maxSnapshotRetry = time.Minute, 10 * time.Minute
)

// SnapshotPolicy specifies when snapshots of etcd are taken, and how many are kept.
type SnapshotPolicy struct {
	// Interval is the time between two snapshots, more than zero.
	Interval time.Duration
	// Keep is the number of snapshots that are kept, at least one.
	Keep int
}

// SnapshotName returns the name of a snapshot that is taken at the time.
func SnapshotName(at time.Time) string { return at.UTC().Format(snapshotTime) + snapshotSuffix }

// SnapshotTime returns the time at which the snapshot with the name was taken. It is false for every other name.
func SnapshotTime(name string) (time.Time, bool) {
	text, found := strings.CutSuffix(name, snapshotSuffix)
	at, err := time.Parse(snapshotTime, text)
	return at, found && err == nil
}

// NextSnapshot returns when the next snapshot is due, by the names of those that are stored.
func (p SnapshotPolicy) NextSnapshot(stored []string, now time.Time) time.Time {
	next := now
	for _, name := range pastSnapshots(stored, now) {
		at, _ := SnapshotTime(name)
		if due := at.Add(p.Interval); due.After(next) {
			next = due
		}
	}
	return next
}

// SurplusSnapshots returns the oldest snapshots, above the number to keep. Other names are never among them.
func (p SnapshotPolicy) SurplusSnapshots(stored []string, now time.Time) []string {
	past := pastSnapshots(stored, now)
	return past[:max(0, len(past)-max(p.Keep, 1))]
}

// LastSnapshot returns the name of the newest snapshot, or an empty one.
func LastSnapshot(stored []string, now time.Time) string {
	if past := pastSnapshots(stored, now); len(past) > 0 {
		return past[len(past)-1]
	}
	return ""
}

// pastSnapshots returns the names of snapshots from old to new. A snapshot from the future does not count, because a
// clock was wrong: it would prevent other snapshots until then, or have them deleted as the older ones.
func pastSnapshots(stored []string, now time.Time) []string {
	past := slices.DeleteFunc(slices.Clone(stored), func(name string) bool {
		at, known := SnapshotTime(name)
		return !known || at.After(now.Add(clockSkew))
	})
	slices.Sort(past)
	return slices.Compact(past)
}

// SnapshotRetry returns the delay after a snapshot that failed: a tenth of the interval, within limits.
func (p SnapshotPolicy) SnapshotRetry() time.Duration {
	return min(max(p.Interval/10, minSnapshotRetry), maxSnapshotRetry)
}
