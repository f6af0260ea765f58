//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

const fstab = "/etc/fstab"

// disk is a partition table. A disk that has one is left alone unless it is to be wiped, and then only once: the
// journal tells that it was done.
type disk struct {
	*Host
	machine.Disk
}

func (d disk) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingDisk, Name: d.Device}, nil
}

// nothingThere is the exit code of blkid(8) for a device on which it finds nothing. Any other says that it cannot tell,
// and there may be data.
const nothingThere = 2

// has returns what the device has under the tag of blkid(8), such as PTTYPE; empty if it has nothing.
func (h *Host) has(ctx context.Context, device, tag string) (string, error) {
	out, err := h.run.program(ctx, nil, "blkid", "--probe", "--match-tag", tag, "--output", "value", "--", device)
	var failed *ports.CommandError
	if errors.As(err, &failed) && failed.ExitCode == nothingThere {
		if !h.tree.exists(device) {
			return "", fmt.Errorf("there is no device %s", device)
		}
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
		add(`name="%s"`, p.Label != "", strings.NewReplacer(`"`, `\x22`, `\`, `\x5c`).Replace(p.Label))
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
	return []part{tableLine{h, line, 1}, mounted{h, m.Path}}
}

// swapParts returns the file, if it is one, the line of fstab(5) and the use of it.
func (h *Host) swapParts(s machine.Swap) []part {
	at := s.Device + s.Path
	parts := []part{tableLine{h, fstabWord(at) + " none swap sw 0 0", 0}, swapped{h, at}}
	if s.Path != "" {
		parts = append([]part{swapFile{h, s}}, parts...)
	}
	return parts
}

// fstabWord escapes what would end a field of fstab(5).
func fstabWord(s string) string {
	return strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`).Replace(s)
}

// tableLine is a line of fstab(5). It takes the place of another with the same field at the key: of two lines for one
// mount point the first would count.
type tableLine struct {
	*Host
	line string
	key  int
}

func (l tableLine) capture(context.Context) (journal.Original, error) { return l.tree.state(fstab) }

// wish returns the table with the line in it.
func (l tableLine) wish(table string) string {
	mine := strings.Fields(l.line)[l.key]
	var lines []string
	placed := false
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		if fields := strings.Fields(line); len(fields) > l.key && !strings.HasPrefix(fields[0], "#") &&
			fields[l.key] == mine {
			if placed {
				continue
			}
			line, placed = l.line, true
		}
		lines = append(lines, line)
	}
	if !placed {
		lines = append(lines, l.line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// is returns the table; that behind a link is not its content.
func (l tableLine) is() (is journal.Original, content []byte, err error) {
	if is, err = l.tree.state(fstab); err != nil || !is.Regular() {
		return is, nil, err
	}
	err = l.tree.with(fstab, false, func(p *place) (err error) { content, _, err = p.read(); return err })
	return is, content, err
}

func (l tableLine) diff(context.Context, journal.Original) ([]string, error) {
	_, content, err := l.is()
	want := l.wish(string(content))
	if err != nil || string(content) == want {
		return nil, err
	}
	return contentLines(fstab, content, []byte(want)), nil
}

func (l tableLine) apply(ctx context.Context, _ journal.Original) error {
	is, content, err := l.is()
	if err != nil {
		return err
	}
	mode := machine.Mode(0o644)
	if is.Exists && is.Link == "" {
		mode = is.Mode
	}
	return l.tree.write(ctx, fstab, strings.NewReader(l.wish(string(content))), mode, is.UID, is.GID)
}

// mounted is a mount, in the running system alone.
type mounted struct {
	*Host
	path string
}

func (m mounted) capture(context.Context) (journal.Original, error) {
	point, err := m.tree.state(m.path)
	o := journal.Original{Thing: journal.ThingMount, Name: m.path, Exists: m.is()}
	if !point.Exists {
		o.NewDirs = with(point.NewDirs, m.path)
	}
	return o, err
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
	_, err = m.run.program(ctx, nil, "mount", "--", m.path)
	return err
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

func (h *Host) unmount(ctx context.Context, o journal.Original) error {
	tool := "umount"
	switch swap := o.State["swap"] != ""; {
	case swap && !(swapped{h, o.Name}).is(), !swap && !(mounted{h, o.Name}).is():
		return nil
	case swap:
		tool = "swapoff"
	}
	_, err := h.run.program(ctx, nil, tool, "--", o.Name)
	return err
}

// swapped is the use of swap space, in the running system alone.
type swapped struct {
	*Host
	at string
}

func (s swapped) capture(context.Context) (journal.Original, error) {
	return journal.Original{Thing: journal.ThingMount, Name: s.at, Exists: s.is(), State: map[string]string{"swap": "on"}},
		nil
}

// is asks the kernel, which knows a device by its own name and not by a link to it.
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
	_, err := s.run.program(ctx, nil, "swapon", "--", s.at)
	return err
}

// swapFile is a file with swap space in it.
type swapFile struct {
	*Host
	machine.Swap
}

// capture does not read a file that is there: it is kept.
func (s swapFile) capture(context.Context) (journal.Original, error) {
	if s.tree.exists(s.Path) {
		return journal.Original{Thing: journal.ThingDisk, Name: s.Path, Exists: true}, nil
	}
	return s.tree.state(s.Path)
}

func (s swapFile) diff(context.Context, journal.Original) ([]string, error) {
	if s.tree.exists(s.Path) {
		return nil, nil
	}
	return []string{fmt.Sprintf("+ %s: swap space of %d MiB", s.Path, s.SizeMiB)}, nil
}

// apply makes the file under another name first, so that half of it is never taken for the whole.
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
	half := beside(p.base)
	next := path.Join(p.dir, half)
	// Nobody else may read what programs had in their memory.
	if err := s.tree.write(ctx, next, strings.NewReader(""), 0o600, 0, 0); err != nil {
		return err
	}
	// Not a sparse file: the kernel refuses to swap to one.
	dd := []string{"if=/dev/zero", "of=" + next, "bs=1M", "count=" + strconv.Itoa(s.SizeMiB), "conv=fsync"}
	if _, err := s.run.program(ctx, nil, "dd", dd...); err != nil {
		return errors.Join(err, p.unlink(half))
	}
	if _, err := s.run.program(ctx, nil, "mkswap", "--", next); err != nil {
		return err
	}
	return p.move(half)
}
