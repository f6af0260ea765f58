//go:build linux

package linux

// Asking makes the host query its name services, as on the running system.
func Asking(h *Host) *Host {
	asking, tree := *h, *h.tree
	tree.getent = h.getent
	asking.tree = &tree
	return &asking
}

// Running makes the host treat its tree as the tree of the running system.
func Running(h *Host) *Host {
	live := *h
	live.live = true
	return &live
}
