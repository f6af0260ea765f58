//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

const fstab = "/etc/fstab"

// disk is a partition table. A disk that has one is left alone unless it is to be wiped, and then only once: the journal
// tells that it was done.
type disk struct {
	*Host
	machine.Disk
}

func (d disk) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingDisk, Name: d.Device}, nil
}

// has reports whether the device has what blkid(8) calls by the tag, such as PTTYPE.
func (h *Host) has(ctx context.Context, device, tag string) (string, error) {
	out, err := h.run.program(ctx, nil, "blkid", "--probe", "--match-tag", tag, "--output", "value", "--", device)
	var empty interface{ error }
	if errors.As(err, &empty) && len(out) == 0 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

func (d disk) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	table, err := d.has(ctx, d.Device, "PTTYPE")
	if err != nil || table != "" && !d.Wipe {
		return nil, err
	}
	return []string{fmt.Sprintf("+ %s: %d partitions", d.Device, len(d.Partitions))}, nil
}

func (d disk) apply(ctx context.Context, _ journal.Original) error {
	if d.Wipe {
		if _, err := d.run.program(ctx, nil, "wipefs", "--all", "--", d.Device); err != nil {
			return err
		}
	}
	_, err := d.run.program(ctx, strings.NewReader(d.script()), "sfdisk", "--wipe-partitions", "auto", "--", d.Device)
	if err == nil && d.run.has("udevadm") {
		_, err = d.run.program(ctx, nil, "udevadm", "settle")
	}
	return err
}

// script is what sfdisk(8) reads.
func (d disk) script() string {
	table := map[machine.TableType]string{"": "gpt", machine.TableGPT: "gpt", machine.TableMBR: "dos"}[d.Table]
	var b strings.Builder
	fmt.Fprintf(&b, "label: %s\n\n", table)
	for _, p := range d.Partitions {
		if p.Number > 0 {
			b.WriteString(strconv.Itoa(p.Number) + " : ")
		}
		var fields []string
		add := func(format string, set bool, value any) {
			if set {
				fields = append(fields, fmt.Sprintf(format, value))
			}
		}
		add("start=%dMiB", p.StartMiB > 0, p.StartMiB)
		add("size=%dMiB", p.SizeMiB > 0, p.SizeMiB)
		add("type=%s", p.TypeGUID != "", p.TypeGUID)
		add(`name="%s"`, p.Label != "", p.Label)
		if len(fields) == 0 {
			fields = []string{"type=L"}
		}
		b.WriteString(strings.Join(fields, ", ") + "\n")
	}
	return b.String()
}

// filesystem is a file system on a device. One that is there is kept unless it is to be wiped.
type filesystem struct {
	*Host
	machine.Filesystem
}

func (f filesystem) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingDisk, Name: f.Device}, nil
}

func (f filesystem) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, err := f.has(ctx, f.Device, "TYPE")
	if err != nil {
		return nil, err
	}
	if is != "" && !f.Wipe {
		if is != f.Format {
			return nil, fmt.Errorf("%s holds %s; give wipe to lose it", f.Device, is)
		}
		return nil, nil
	}
	return []string{fmt.Sprintf("+ %s: %s", f.Device, f.Format)}, nil
}

func (f filesystem) apply(ctx context.Context, _ journal.Original) error {
	tool := "mkfs." + f.Format
	if f.Format == "swap" {
		tool = "mkswap"
	}
	args := f.Options
	if f.Label != "" {
		args = with(args, map[string]string{"vfat": "-n"}[f.Format], f.Label)
		if f.Format != "vfat" {
			args[len(args)-2] = "-L"
		}
	}
	if f.Wipe {
		force := map[string]string{"ext4": "-F", "xfs": "-f", "btrfs": "-f", "swap": "-f"}[f.Format]
		if force != "" {
			args = with(args, force)
		}
	}
	_, err := f.run.program(ctx, nil, tool, with(args, f.Device)...)
	return err
}

// mountParts returns the mount point, the line of fstab(5) and the mount itself.
func (h *Host) mountParts(m machine.Mount) []part {
	kind, options := m.Type, strings.Join(m.Options, ",")
	if kind == "" {
		kind = "auto"
	}
	if options == "" {
		options = "defaults"
	}
	line := strings.Join([]string{fstabWord(m.Source), fstabWord(m.Path), kind, options, "0", "0"}, " ")
	return []part{tableLine{h, line}, mounted{h, m.Path}}
}

// swapParts returns the file, if it is one, the line of fstab(5) and the use of it.
func (h *Host) swapParts(s machine.Swap) []part {
	at := s.Device + s.Path
	parts := []part{tableLine{h, fstabWord(at) + " none swap sw 0 0"}, swapped{h, at}}
	if s.Path != "" {
		parts = append([]part{swapFile{h, s}}, parts...)
	}
	return parts
}

// fstabWord escapes what would end a field of fstab(5).
func fstabWord(s string) string {
	return strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`).Replace(s)
}

// tableLine is a line of fstab(5).
type tableLine struct {
	*Host
	line string
}

func (l tableLine) capture(context.Context) (journal.Original, error) { return l.tree.capture(fstab) }

func (l tableLine) diff(context.Context, journal.Original) ([]string, error) {
	is, err := l.tree.capture(fstab)
	if err != nil || strings.Contains("\n"+string(is.Content), "\n"+l.line+"\n") {
		return nil, err
	}
	return []string{"+ " + fstab + ": " + l.line}, nil
}

func (l tableLine) apply(context.Context, journal.Original) error {
	is, err := l.tree.capture(fstab)
	if err != nil {
		return err
	}
	content := string(is.Content)
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return l.tree.write(fstab, strings.NewReader(content+l.line+"\n"), 0o644, 0, 0)
}

// mounted is a mount, in the running system alone.
type mounted struct {
	*Host
	path string
}

func (m mounted) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingMount, Name: m.path, Exists: m.is()}, nil
}

func (m mounted) is() bool {
	table, err := m.tree.read("/proc/self/mounts")
	return err == nil && strings.Contains(string(table), " "+fstabWord(m.path)+" ")
}

func (m mounted) diff(context.Context, journal.Original) ([]string, error) {
	if m.is() || !m.live && m.tree.exists(m.path) {
		return nil, nil
	}
	return []string{"+ mount " + m.path}, nil
}

func (m mounted) apply(ctx context.Context, _ journal.Original) error {
	name, err := m.tree.parents(m.path)
	if err != nil {
		return err
	}
	if err := m.tree.makeAll(name); err != nil || !m.live {
		return err
	}
	if err := m.reload(ctx); err != nil {
		return err
	}
	_, err = m.run.program(ctx, nil, "mount", "--", m.path)
	return err
}

func (h *Host) revertMount(ctx context.Context, o journal.Original) error {
	if o.Exists || !h.live {
		return nil
	}
	if o.State["swap"] != "" {
		_, err := h.run.program(ctx, nil, "swapoff", "--", o.Name)
		return err
	}
	if !(mounted{h, o.Name}).is() {
		return nil
	}
	_, err := h.run.program(ctx, nil, "umount", "--", o.Name)
	return err
}

// swapped is the use of swap space, in the running system alone.
type swapped struct {
	*Host
	at string
}

func (s swapped) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingMount, Name: s.at, Exists: s.is(), State: map[string]string{"swap": "on"}}, nil
}

func (s swapped) is() bool {
	table, err := s.tree.read("/proc/swaps")
	return err == nil && strings.Contains(string(table), s.at+" ")
}

func (s swapped) diff(context.Context, journal.Original) ([]string, error) {
	if !s.live || s.is() {
		return nil, nil
	}
	return []string{"+ swap " + s.at}, nil
}

func (s swapped) apply(ctx context.Context, _ journal.Original) error {
	_, err := s.run.program(ctx, nil, "swapon", "--", s.at)
	return err
}

// swapFile is a file with swap space in it.
type swapFile struct {
	*Host
	machine.Swap
}

func (s swapFile) capture(context.Context) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingPath, Name: s.Path, Exists: s.tree.exists(s.Path)}
	return o, nil
}

func (s swapFile) diff(context.Context, journal.Original) ([]string, error) {
	if s.tree.exists(s.Path) {
		return nil, nil
	}
	return []string{fmt.Sprintf("+ %s: swap space of %d MiB", s.Path, s.SizeMiB)}, nil
}

// apply makes the file under another name first, so that half of it is never taken for the whole.
func (s swapFile) apply(ctx context.Context, _ journal.Original) error {
	next := s.Path + temporary
	name, err := s.tree.parents(s.Path)
	if err != nil {
		return err
	}
	if err := s.tree.root.RemoveAll(name + temporary); err != nil {
		return err
	}
	// Not a sparse file: the kernel refuses to swap to one.
	if _, err := s.run.program(ctx, nil, "dd", "if=/dev/zero", "of="+next, "bs=1M", "count="+strconv.Itoa(s.SizeMiB)); err != nil {
		return err
	}
	if err := s.tree.root.Chmod(name+temporary, 0o600); err != nil {
		return err
	}
	if _, err := s.run.program(ctx, nil, "mkswap", "--", next); err != nil {
		return err
	}
	return s.tree.move(name+temporary, name)
}
