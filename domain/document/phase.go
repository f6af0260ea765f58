package document

import "fmt"

// Phase is a stage of the first boot. Phases run in the order of their values. Within a phase, documents are applied in
// the order in which they were written.
type Phase int

// The phases in their order.
const (
	// PhaseDisk partitions, formats and mounts.
	PhaseDisk Phase = iota + 1
	// PhaseTrust configures trusted CAs and the proxy, which downloads need.
	PhaseTrust
	// PhaseUser creates groups and users, which may own files.
	PhaseUser
	// PhaseFile writes, links and fetches files and installs packages.
	PhaseFile
	// PhaseUnit configures units and restarts those whose configuration changed.
	PhaseUnit
	// PhaseBoot runs the commands that run at every boot.
	PhaseBoot
	// PhasePre runs the commands that come before kubeadm.
	PhasePre
	// PhaseJoin runs kubeadm.
	PhaseJoin
	// PhasePost runs the commands that come after the node has joined.
	PhasePost
)

// Phases returns all phases in their order.
func Phases() []Phase {
	return []Phase{PhaseDisk, PhaseTrust, PhaseUser, PhaseFile, PhaseUnit, PhaseBoot, PhasePre, PhaseJoin, PhasePost}
}

// PhaseNamed returns the phase with the name. It is false for unknown names.
func PhaseNamed(name string) (Phase, bool) {
	for _, p := range Phases() {
		if p.String() == name {
			return p, true
		}
	}
	return 0, false
}

// String returns the lower-case name of the phase, as failure records and explain show it.
func (p Phase) String() string {
	names := [...]string{"disk", "trust", "user", "file", "unit", "boot", "pre", "join", "post"}
	if p < PhaseDisk || int(p) > len(names) {
		return fmt.Sprintf("phase(%d)", int(p))
	}
	return names[p-1]
}
