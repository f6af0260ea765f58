//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/preflight"
)

// Check returns the requirements that the machine does not meet. It implements ports.Preflight.
func (h *Host) Check(ctx context.Context, need preflight.Requirements) ([]preflight.Problem, error) {
	lacks := h.checkSystem()
	for _, name := range need.Programs {
		if !h.run.has(name) {
			lacks = append(lacks, preflight.Problem{
				Name: preflight.Program(name), Message: "this machine has no program " + name,
				Remedy: "install it in the image, or have a document bring it",
			})
		}
	}
	units, err := h.checkUnits(ctx, need.Units)
	if err != nil {
		return lacks, err
	}
	lacks = append(lacks, units...)
	if h.tree.dir == "/" {
		lacks = append(lacks, checkPorts(ctx, need.Ports)...)
		lacks = append(lacks, h.checkSwap(need.NoSwap)...)
	}
	room, err := h.checkRoom(need.FreeMiB)
	return append(lacks, room...), err
}

// checkUnits finds units that do not exist. A missing systemctl is reported as a missing program.
func (h *Host) checkUnits(ctx context.Context, names []string) ([]preflight.Problem, error) {
	if !h.run.has("systemctl") {
		return nil, nil
	}
	var lacks []preflight.Problem
	for _, name := range names {
		enablement, err := unit{h, action.EnsureUnit{Unit: machine.Unit{Name: name}}}.enablement(ctx)
		if err != nil {
			return nil, fmt.Errorf("find the unit %s: %w", name, err)
		}
		if enablement == notFound {
			lacks = append(lacks, preflight.Problem{
				Name: preflight.Unit(name), Message: "the unit " + name + " does not exist",
				Remedy: "correct its name, set its content, or install the package that contains it",
			})
		}
	}
	return lacks, nil
}

// checkSystem checks the user of the agent and the operating system.
func (h *Host) checkSystem() []preflight.Problem {
	var lacks []preflight.Problem
	if os.Geteuid() != 0 {
		lacks = append(lacks, preflight.Problem{
			Name: preflight.Root, Message: "this does not run as root",
			Remedy: "run it as root",
		})
	}
	release := h.osRelease()
	if _, known := osprofile.Lookup(profile(release).ID); !known {
		lacks = append(lacks, preflight.Problem{
			Name: preflight.System, Message: fmt.Sprintf("the operating system %q is not known", release["ID"]),
			Remedy: "use one of " + strings.Join(osprofile.IDs(), ", "),
		})
	}
	return lacks
}

func checkPorts(ctx context.Context, numbers []int) []preflight.Problem {
	var lacks []preflight.Problem
	for _, number := range numbers {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf(":%d", number))
		if err == nil {
			_ = listener.Close()
		}
		if errors.Is(err, syscall.EADDRINUSE) {
			lacks = append(lacks, preflight.Problem{
				Name: preflight.Port(number), Message: fmt.Sprintf("another program listens on port %d", number),
				Remedy: fmt.Sprintf("see who with: ss -ltnp 'sport = :%d'", number),
			})
		}
	}
	return lacks
}

func (h *Host) checkSwap(none bool) []preflight.Problem {
	table, err := h.tree.read("/proc/swaps")
	if !none || err != nil || strings.Count(string(table), "\n") < 2 {
		return nil
	}
	return []preflight.Problem{{
		Name: preflight.Swap, Message: "swap space is in use, and kubelet refuses to run with it",
		Remedy: "turn it off with swapoff -a and in /etc/fstab, or give kubelet failSwapOn: false",
	}}
}

// checkRoom checks the free space of the file system that contains, or will contain, the directory.
func (h *Host) checkRoom(needed map[string]int) ([]preflight.Problem, error) {
	var lacks []preflight.Problem
	for _, dir := range slices.Sorted(maps.Keys(needed)) {
		s, err := h.tree.room(dir)
		for above := dir; errors.Is(err, fs.ErrNotExist) && above != "/"; {
			above = path.Dir(above)
			s, err = h.tree.room(above)
		}
		if err != nil {
			return lacks, fmt.Errorf("free space of %s: %w", dir, err)
		}
		if free := s.Bavail * uint64(s.Bsize) >> 20; free < uint64(needed[dir]) { //nolint:gosec // Neither is negative.
			lacks = append(lacks, preflight.Problem{
				Name: preflight.DiskSpace(dir), Message: fmt.Sprintf("%d MiB are free in %s, and %d are needed", free,
					dir, needed[dir]),
				Remedy: "give the machine a larger disk, or mount one there",
			})
		}
	}
	return lacks, nil
}
