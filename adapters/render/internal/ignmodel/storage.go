package ignmodel

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// maxLabel is the length of a partition's name that the engine accepts, in bytes.
const maxLabel = 36

func (b *builder) disk(i int, d machine.Disk) {
	for _, known := range b.model.Disks {
		if known.Device == d.Device {
			b.refuse(report.Errorf(b.at(i, machine.KindDisk, "device"), "a second table for %s", d.Device).To(
				"keep one of them"))
			return
		}
	}
	if d.Table == machine.TableMBR {
		b.refuse(report.Errorf(b.at(i, machine.KindDisk, "tableType"), "this format creates only GPT tables").To("use gpt"))
	}
	d.Partitions = numbered(d.Partitions)
	b.partitions(i, d.Partitions)
	b.model.Places[i] = indexed("storage.disks", len(b.model.Disks))
	b.model.Disks = append(b.model.Disks, d)
}

// numbered gives a number to each partition that has none, if one of them has no label either: the engine
// identifies partitions by number or label.
func numbered(partitions []machine.Partition) []machine.Partition {
	anonymous := func(p machine.Partition) bool { return p.Number == 0 && p.Label == "" }
	if !slices.ContainsFunc(partitions, anonymous) {
		return partitions
	}
	out := slices.Clone(partitions)
	for i, number := range linuxcmd.PartitionNumbers(partitions) {
		out[i].Number = number
	}
	return out
}

func (b *builder) partitions(i int, partitions []machine.Partition) {
	for k, p := range partitions {
		at := b.at(i, machine.KindDisk, "partitions")
		if at != b.at(i, machine.KindDisk) {
			at = at.Index(k)
		}
		switch {
		case strings.Contains(p.Label, ":"):
			b.refuse(report.Errorf(at.Field("label"), "%q holds a colon, which the partitioning program cannot write", p.Label).
				To("leave it out"))
		case len(p.Label) > maxLabel:
			b.refuse(report.Errorf(at.Field("label"), "the label has %d bytes; the engine takes %d", len(p.Label), maxLabel).
				To("shorten it"))
		}
		b.sizes(at, p)
		for _, o := range partitions[:k] {
			if p.Label != "" && o.Label == p.Label {
				b.refuse(report.Errorf(at.Field("label"), "two partitions have the label %q", p.Label).To("name them differently"))
			}
			if overlap(p, o) || overlap(o, p) {
				b.refuse(report.Errorf(at.Field("startMiB"), "partitions overlap").To("move one of them"))
			}
		}
	}
}

// sizes refuses sizes that the engine cannot make.
func (b *builder) sizes(at report.Path, p machine.Partition) {
	if p.SizePercent > 0 {
		b.refuse(report.Errorf(at.Field("sizePercent"), "Ignition does not know the size of the disk").
			To("set sizeMiB, or leave both out to use the remaining space"))
	}
	if p.Resize && !b.abilities.Resize {
		b.refuse(report.Errorf(at.Field("resize"), "this version of the format does not resize partitions").
			To("use Ignition 3.2 or later, or wipePartitionEntry"))
	}
}

// overlap reports whether p begins inside o.
func overlap(p, o machine.Partition) bool {
	end := o.StartMiB + max(o.SizeMiB, 1)
	return p.StartMiB > 0 && o.StartMiB > 0 && p.StartMiB >= o.StartMiB && p.StartMiB < end
}

func (b *builder) filesystem(i int, f machine.Filesystem) {
	for _, known := range b.model.Filesystems {
		if known.Device == f.Device {
			b.refuse(report.Errorf(b.at(i, machine.KindFilesystem, "device"), "a second file system for %s", f.Device).
				To("keep one of them"))
			return
		}
	}
	if f.Format == "ext3" {
		b.refuse(report.Errorf(b.at(i, machine.KindFilesystem, "format"), "Ignition does not create ext3").To("use ext4"))
	}
	if f.ReplaceFS != "" {
		b.refuse(report.Errorf(b.at(i, machine.KindFilesystem, "replaceFS"),
			"Ignition keeps a file system of the same format, and refuses any other").
			To("set wipe to replace every file system, or leave it out"))
	}
	b.model.Places[i] = indexed("storage.filesystems", len(b.model.Filesystems))
	b.model.Filesystems = append(b.model.Filesystems, Filesystem{Filesystem: f})
}

// resolveMounts converts each mount to a unit, and adds the paths of file systems that the engine creates, so that
// files are written onto it.
func (b *builder) resolveMounts() {
	if b.resolved {
		return
	}
	b.resolved = true
	for _, m := range b.mounts {
		if !b.checkMount(m) {
			continue
		}
		options, ok := b.translateOptions(m)
		if !ok {
			continue
		}
		if !b.mountByEngine(m) {
			b.unmounted = append(b.unmounted, m.Path, m.where)
		}
		if m.Dump != 0 {
			b.refuse(report.Warningf(b.at(m.step, machine.KindMount, "dump"),
				"a mount unit mounts the file system; dump(8) reads only /etc/fstab").To("leave it out"))
		}
		unit := mountUnit(m.Mount, m.where, options)
		if len(unit.Name) > maxUnitName {
			b.refuse(report.Errorf(b.at(m.step, machine.KindMount, "path"),
				"the unit's name would have %d bytes; systemd allows %d",
				len(unit.Name), maxUnitName).To("mount it at a shorter path"))
			continue
		}
		if options.deviceTimeout != "" {
			b.addUnit(m.step, waitingDevice(m.Mount, options.deviceTimeout))
		}
		b.lateOrder += options.lateOrder(unit.Name, m.where)
		b.addUnit(m.step, unit)
	}
	for _, path := range b.plan.Target.Profile.MountedLate() {
		if !slices.ContainsFunc(b.model.Filesystems, func(f Filesystem) bool { return f.Path == path }) {
			b.late = append(b.late, path)
		}
	}
}

func (b *builder) checkMount(m mount) bool {
	for _, other := range b.mounts {
		if other.Path == m.Path && other.step < m.step {
			b.refuse(report.Errorf(b.at(m.step, machine.KindMount, "path"), "a second mount on %s", m.Path).To(
				"keep one of them"))
			return false
		}
	}
	if !fitsUnit(m.Path) {
		b.refuse(report.Errorf(b.at(m.step, machine.KindMount, "path"), "systemd cannot mount on %q", m.Path).
			To("leave out control characters, and blanks and backslashes at the end"))
		return false
	}
	options := strings.Join(m.Options, ",")
	if !fitsUnit(m.Source) || !fitsUnit(options) ||
		slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return !fitsUnit(o) }) {
		b.refuse(report.Errorf(b.at(m.step, machine.KindMount), "systemd cannot mount %q with these options", m.Source).
			To("leave out control characters, and blanks and backslashes at the end"))
		return false
	}
	return true
}

// mountByEngine gives the mount point to the file system of the plan that is mounted there.
func (b *builder) mountByEngine(m mount) bool {
	for k := range b.model.Filesystems {
		f := &b.model.Filesystems[k]
		device := devicePath(m.Source)
		same := device == f.Device || (f.Label != "" && device == devicePath("LABEL="+f.Label))
		if !same || f.Format == "swap" || f.Path != "" {
			continue
		}
		f.Path = m.Path
		return true
	}
	return false
}

func (b *builder) isMount(path string) bool {
	for _, m := range b.mounts {
		if m.Path == path {
			return true
		}
	}
	return false
}

// swap uses a device by a unit; a file has to be made first, which only the program can do.
func (b *builder) swap(i int, op action.EnableSwap) {
	if op.Device == "" {
		b.leave(i, op)
		return
	}
	if !fitsUnit(op.Device) {
		b.refuse(report.Errorf(b.at(i, machine.KindSwap, "device"), "systemd cannot use %q", op.Device))
		return
	}
	b.addUnit(i, swapUnit(op.Device))
}

// devicePath returns where udev puts the device of a mount source: LABEL=data is /dev/disk/by-label/data.
func devicePath(source string) string {
	for tag, dir := range map[string]string{
		"LABEL=": "label", "UUID=": "uuid", "PARTLABEL=": "partlabel",
		"PARTUUID=": "partuuid",
	} {
		if value, ok := strings.CutPrefix(source, tag); ok {
			return "/dev/disk/by-" + dir + "/" + udevName(value)
		}
	}
	return source
}

// udevName escapes a label as udev does in the names of its links: printable ASCII of a short list and UTF-8 stay.
func udevName(s string) string {
	var b strings.Builder
	for _, r := range s {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("#+-.:=@_", r)
		if plain || r >= utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, r)
	}
	return b.String()
}
