//go:build linux

package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/moby/sys/mountinfo"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// disk is a partition table. An existing table stays unless wipe is set. The journal ensures that a disk is wiped only
// once.
type disk struct {
	*Host
	machine.Disk
}

func (d disk) capture(context.Context) (journal.Original, error) {
	return journal.Original{Type: journal.ResourceDisk, Name: d.Device}, nil
}

// signature returns the type of the file system or partition table on the device, or an empty string.
func (h *Host) signature(ctx context.Context, device string) (string, error) {
	if !h.tree.exists(device) {
		return "", fmt.Errorf("device %s does not exist", device)
	}
	out, err := h.run.command(ctx, nil, linuxcmd.Signature(device))
	var failed *ports.CommandError
	if errors.As(err, &failed) && failed.ExitCode == linuxcmd.NoSignature {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// blank reports whether to write to the device: it has no signature or may be wiped. It fails if the device contains
// something other than the document specifies.
func (h *Host) blank(ctx context.Context, device string, wipe bool, existing ...string) (bool, error) {
	found, err := h.signature(ctx, device)
	switch {
	case err != nil || wipe || found == "":
		return err == nil, err
	case slices.Contains(existing, found):
		return false, nil
	default:
		return false, fmt.Errorf("%s contains %s; set wipe to replace it", device, found)
	}
}

// create runs the command that writes to the device. It wipes the device first if the document permits that.
func (h *Host) create(ctx context.Context, device string, wipe bool, c linuxcmd.Command, input string) error {
	if wipe {
		if _, err := h.run.command(ctx, nil, linuxcmd.Wipe(device)); err != nil {
			return err
		}
	}
	_, err := h.run.command(ctx, strings.NewReader(input), c)
	if err == nil && h.run.has("udevadm") {
		_, _ = h.run.command(ctx, nil, linuxcmd.Settle())
	}
	return err
}

func (d disk) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	blank, err := d.blank(ctx, d.Device, d.Wipe, linuxcmd.PartitionTables()...)
	if err != nil || !blank {
		return nil, err
	}
	return []string{fmt.Sprintf("+ %s: %d partitions", d.Device, len(d.Partitions))}, nil
}

func (d disk) apply(ctx context.Context, _ journal.Original) error {
	if found := linuxcmd.CheckExisting(d.Disk, ""); found.HasErrors() {
		return errors.New(found[0].Message)
	}
	mebibytes := 0
	if linuxcmd.HasPercent(d.Disk) {
		out, err := d.run.command(ctx, nil, linuxcmd.DiskSize(d.Device))
		if err != nil {
			return err
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			return fmt.Errorf("read the size of %s: %w", d.Device, err)
		}
		mebibytes = size >> 20
	}
	share := func(percent int) string { return strconv.Itoa(mebibytes * percent / 100) }
	command, input := linuxcmd.Partition(d.Disk, share)
	return d.create(ctx, d.Device, d.Wipe, command, input)
}

// filesystem is a file system on a device. An existing one stays unless wipe is set or its type is replaced.
type filesystem struct {
	*Host
	machine.Filesystem
}

func (f filesystem) capture(context.Context) (journal.Original, error) {
	return journal.Original{Type: journal.ResourceDisk, Name: f.Device}, nil
}

// replaces reports whether the device may be wiped.
func (f filesystem) replaces(ctx context.Context) (bool, error) {
	if f.Wipe || f.ReplaceFS == "" {
		return f.Wipe, nil
	}
	found, err := f.signature(ctx, f.Device)
	return found == f.ReplaceFS, err
}

func (f filesystem) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	wipe, err := f.replaces(ctx)
	if err != nil {
		return nil, err
	}
	blank, err := f.blank(ctx, f.Device, wipe, f.Format)
	if err != nil || !blank {
		return nil, err
	}
	return []string{fmt.Sprintf("+ %s: %s", f.Device, f.Format)}, nil
}

func (f filesystem) apply(ctx context.Context, _ journal.Original) error {
	wipe, err := f.replaces(ctx)
	if err != nil {
		return err
	}
	return f.create(ctx, f.Device, wipe, linuxcmd.MakeFilesystem(f.Filesystem), "")
}

// AwaitDevice waits for the device of an operation, because udev may still be creating it. A timeout is not an error
// here: the operation itself fails. In a tree that is not running it does not wait.
func (h *Host) AwaitDevice(ctx context.Context, op action.Operation) {
	device := ""
	switch o := op.(type) {
	case action.PartitionDisk:
		device = o.Device
	case action.MakeFilesystem:
		device = o.Device
	case action.MountFilesystem:
		device = o.Source
	case action.EnableSwap:
		device = o.Device
	default: // needs no device
	}
	if !h.live || !strings.HasPrefix(device, "/") {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, linuxcmd.DeviceTimeout)
	defer cancel()
	for !h.tree.exists(device) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}

// mountParts returns the fstab(5) entry and the mount with its mount point.
func (h *Host) mountParts(m machine.Mount) []part {
	return []part{fstabEntry{h, linuxcmd.MountEntry(m)}, mounted{h, m.Path}}
}

// swapParts returns the swap file, if any, the fstab(5) entry and the active swap space.
func (h *Host) swapParts(s machine.Swap) []part {
	source := s.Device + s.Path
	parts := []part{fstabEntry{h, linuxcmd.SwapEntry(source)}, swapped{h, source}}
	if s.Path != "" {
		parts = append([]part{swapFile{h, s}}, parts...)
	}
	return parts
}

// fstabEntry is a line of fstab(5).
type fstabEntry struct {
	*Host
	linuxcmd.FstabEntry
}

func (e fstabEntry) capture(context.Context) (journal.Original, error) {
	return e.tree.state(linuxcmd.Fstab)
}

// table returns the state and the content of fstab. It does not follow a link.
func (e fstabEntry) table() (state journal.Original, content []byte, err error) {
	if state, err = e.tree.state(linuxcmd.Fstab); err != nil || !state.Regular() {
		return state, nil, err
	}
	err = e.tree.with(linuxcmd.Fstab, false, func(p *place) (err error) { content, _, err = p.read(); return err })
	return state, content, err
}

func (e fstabEntry) diff(context.Context, journal.Original) ([]string, error) {
	_, content, err := e.table()
	want := e.Merge(string(content))
	if err != nil || string(content) == want {
		return nil, err
	}
	return contentLines(linuxcmd.Fstab, content, []byte(want)), nil
}

func (e fstabEntry) apply(ctx context.Context, _ journal.Original) error {
	state, content, err := e.table()
	if err != nil {
		return err
	}
	mode := machine.Mode(0o644)
	if state.Exists && state.Link == "" {
		mode = state.Mode
	}
	return e.tree.write(ctx, linuxcmd.Fstab, strings.NewReader(e.Merge(string(content))), mode, state.UID, state.GID)
}

// mounted is a mount point, and in the running system its mount.
type mounted struct {
	*Host
	path string
}

func (m mounted) capture(context.Context) (journal.Original, error) {
	point, err := m.tree.state(m.path)
	o := journal.Original{Type: journal.ResourceMount, Name: m.path, Exists: m.is()}
	if !point.Exists {
		o.NewDirs = with(point.NewDirs, m.path)
	}
	return o, err
}

// is reads the table of mounts, which lists the paths without links.
func (m mounted) is() bool {
	table, err := m.tree.read("/proc/self/mountinfo")
	if err != nil {
		return false
	}
	at, err := m.tree.follow(m.path)
	if err != nil {
		return false
	}
	mounts, err := mountinfo.GetMountsFromReader(bytes.NewReader(table), mountinfo.SingleEntryFilter(at))
	return err == nil && len(mounts) > 0
}

func (m mounted) diff(context.Context, journal.Original) ([]string, error) {
	if m.is() || !m.live && m.tree.exists(m.path) {
		return nil, nil
	}
	return []string{"+ mount " + m.path}, nil
}

func (m mounted) apply(ctx context.Context, _ journal.Original) error {
	err := m.tree.with(m.path, true, func(p *place) error {
		if p.shared() {
			return p.refuse("mount a file system")
		}
		f, err := p.directory(ctx)
		if err != nil {
			return err
		}
		return f.Close()
	})
	if err != nil || !m.live {
		return err
	}
	if err := m.reload(ctx); err != nil {
		return err
	}
	if _, err := m.run.command(ctx, nil, linuxcmd.Mount(m.path)); err != nil {
		return err
	}
	return m.relabelRoot(ctx)
}

// relabelRoot sets the label of the mounted root directory, because a new file system has none. It fails only if the
// policy cannot be queried: the file system may be read-only.
func (m mounted) relabelRoot(ctx context.Context) error {
	label, err := m.tree.labelOf(ctx, m.path)
	if err != nil || label == "" {
		return err
	}
	return m.tree.with(m.path, true, func(p *place) error {
		f, err := p.directory(ctx)
		if err != nil {
			return err
		}
		_ = relabel(f, label)
		return f.Close()
	})
}

func (h *Host) revertMount(ctx context.Context, o journal.Original) error {
	if o.Exists {
		return nil
	}
	if h.live {
		if err := h.unmount(ctx, o); err != nil {
			return err
		}
	}
	for i := len(o.NewDirs) - 1; i >= 0; i-- {
		if err := h.tree.remove(o.NewDirs[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// unmount unmounts a file system, or ends the use of swap space. A container runtime that was active before the
// bootstrap still runs, and has files of its data open. So it is stopped meanwhile.
func (h *Host) unmount(ctx context.Context, o journal.Original) (err error) {
	tool := "umount"
	switch swap := o.State["swap"] != ""; {
	case swap && !(swapped{h, o.Name}).is(), !swap && !(mounted{h, o.Name}).is():
		return nil
	case swap:
		tool = "swapoff"
	}
	runtime := h.unitNamed(linuxcmd.RuntimeOfData(o.Name))
	if runtime.Name != "" && runtime.property(ctx, "ActiveState") == stateActive {
		if err := runtime.systemctl(ctx, "stop"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, runtime.systemctl(ctx, "start")) }()
	}
	_, err = h.run.program(ctx, nil, tool, "--", o.Name)
	return err
}
