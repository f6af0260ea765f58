//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// swapped is active swap space in the running system.
type swapped struct {
	*Host
	at string
}

func (s swapped) capture(context.Context) (journal.Original, error) {
	return journal.Original{
			Type: journal.ResourceMount, Name: s.at, Exists: s.is(),
			State: map[string]string{"swap": "on"},
		},
		nil
}

// is reads /proc/swaps, which lists a device by its kernel name and not by a link to it.
func (s swapped) is() bool {
	table, err := s.tree.read("/proc/swaps")
	if err != nil {
		return false
	}
	named, _ := s.tree.follow(s.at)
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 0 && (fields[0] == s.at || fields[0] == named) {
			return true
		}
	}
	return false
}

func (s swapped) diff(context.Context, journal.Original) ([]string, error) {
	if !s.live || s.is() {
		return nil, nil
	}
	return []string{"+ swap " + s.at}, nil
}

func (s swapped) apply(ctx context.Context, _ journal.Original) error {
	_, err := s.run.command(ctx, nil, linuxcmd.Swapon(s.at))
	return err
}

// swapFile is a file with swap space.
type swapFile struct {
	*Host
	machine.Swap
}

// capture does not copy an existing file, because apply keeps it.
func (s swapFile) capture(context.Context) (journal.Original, error) {
	if s.tree.exists(s.Path) {
		return journal.Original{Type: journal.ResourceDisk, Name: s.Path, Exists: true}, nil
	}
	return s.tree.state(s.Path)
}

func (s swapFile) diff(context.Context, journal.Original) ([]string, error) {
	if s.tree.exists(s.Path) {
		return nil, nil
	}
	return []string{fmt.Sprintf("+ %s: swap space of %d MiB", s.Path, s.SizeMiB)}, nil
}

// apply creates the file under a temporary name, so that an incomplete file is never used.
func (s swapFile) apply(ctx context.Context, _ journal.Original) error {
	return s.tree.with(s.Path, false, func(p *place) error {
		if p.shared() {
			return p.refuse("make swap space")
		}
		return s.fill(ctx, p)
	})
}

func (s swapFile) fill(ctx context.Context, p *place) error {
	if err := p.make(ctx); err != nil {
		return err
	}
	half := linuxcmd.Temporary(p.base)
	next := path.Join(p.dir, half)
	// Swap space contains the memory of programs, so other users must not read it.
	if err := s.tree.write(ctx, next, strings.NewReader(""), 0o600, 0, 0); err != nil {
		return err
	}
	if s.run.has("chattr") {
		_, _ = s.run.command(ctx, nil, linuxcmd.NoCopyOnWrite(next))
	}
	if _, err := s.run.command(ctx, nil, linuxcmd.FillSwapFile(next, s.SizeMiB)); err != nil {
		return errors.Join(err, p.unlink(half))
	}
	if _, err := s.run.command(ctx, nil, linuxcmd.MakeSwap(next)); err != nil {
		return err
	}
	return p.move(half)
}
