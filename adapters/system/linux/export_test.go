//go:build linux

package linux

// Running returns the host as one whose tree is the running system's.
func Running(h *Host) *Host {
	live := *h
	live.live = true
	return &live
}
