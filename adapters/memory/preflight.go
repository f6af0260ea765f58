package memory

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/preflight"
)

// Preflight implements ports.Preflight for a machine with the properties in its fields. Needs contains the arguments of
// all calls.
type Preflight struct {
	Programs []string
	Units    []string
	Used     []int
	Swap     bool
	FreeMiB  int
	Requests []preflight.Requirements
}

// Check returns the requirements that the machine does not meet.
func (p *Preflight) Check(_ context.Context, requirements preflight.Requirements) ([]preflight.Problem, error) {
	p.Requests = append(p.Requests, requirements)
	var names []string
	for _, program := range requirements.Programs {
		if !slices.Contains(p.Programs, program) {
			names = append(names, preflight.Program(program))
		}
	}
	for _, unit := range requirements.Units {
		if !slices.Contains(p.Units, unit) {
			names = append(names, preflight.Unit(unit))
		}
	}
	for _, port := range requirements.Ports {
		if slices.Contains(p.Used, port) {
			names = append(names, preflight.Port(port))
		}
	}
	if requirements.NoSwap && p.Swap {
		names = append(names, preflight.Swap)
	}
	for dir, room := range requirements.FreeMiB {
		if room > p.FreeMiB {
			names = append(names, preflight.DiskSpace(dir))
		}
	}
	lacks := make([]preflight.Problem, len(names))
	for i, name := range names {
		lacks[i] = preflight.Problem{Name: name, Message: "is lacking", Remedy: "bring it"}
	}
	return lacks, nil
}
