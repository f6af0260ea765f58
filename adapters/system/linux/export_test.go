//go:build linux

package linux

// Asking makes the host query its name services, as on the running system.
func Asking(h *Host) *Host {
	asking, tree := *h, *h.tree
	tree.getent = h.getent
	asking.tree = &tree
	return &asking
}

// Running makes the host treat its tree as the tree of the running system, without a sync of the machine of the test.
func Running(h *Host) *Host { return Syncing(h, func() {}) }

// Syncing is Running with a double of sync(2).
func Syncing(h *Host, sync func()) *Host {
	live := SyncedBy(h, sync)
	live.live = true
	return live
}

// SyncedBy replaces sync(2) by a double.
func SyncedBy(h *Host, sync func()) *Host {
	synced := *h
	synced.sync = sync
	return &synced
}
