//go:build linux

package linux

// Asking returns the host as one that asks its name services, as the running system does.
func Asking(h *Host) *Host {
	asking, tree := *h, *h.tree
	tree.getent = h.getent
	asking.tree = &tree
	return &asking
}

// Running returns the host as one whose tree is the running system's.
func Running(h *Host) *Host {
	live := *h
	live.live = true
	return &live
}
