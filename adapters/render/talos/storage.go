package talos

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// volumeDir is where Talos mounts the volumes of users, each by its name.
const volumeDir = "/var/mnt"

// volumePattern is a volume's name (siderolabs/talos: UserVolumeConfigV1Alpha1.Validate).
var volumePattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,34}$`)

// placed is a value of a document and where that was written.
type placed[T document.Value] struct {
	value T
	at    report.Path
	// used reports whether a volume was rendered from it.
	used bool
}

func placedOf[T document.Value](docs []document.Document, native []bool) []*placed[T] {
	var out []*placed[T]
	for i, d := range docs {
		if v, ok := d.Value.(T); ok && native[i] {
			out = append(out, &placed[T]{value: v, at: d.Source.Path})
		}
	}
	return out
}

// storage collects the settings of disks. Talos has one term for a partition, its file system and its mount: volume.
type storage struct {
	disks       []*placed[machine.Disk]
	filesystems []*placed[machine.Filesystem]
	mounts      []*placed[machine.Mount]
	swaps       []*placed[machine.Swap]
	volumes     []volume
	// taken are the partitions of which a volume was made, by disk and index.
	taken map[*placed[machine.Disk]][]bool
}

// volume is what Talos makes.
type volume struct {
	name string
	// device is the whole disk.
	device string
	// disk is nil when the volume is all of the device; partition is an index into its partitions.
	disk      *placed[machine.Disk]
	partition int
	format    string
	options   []string
	swap      bool
	at        report.Path
}

// readStorage makes volumes of the documents, and finds those of which none can be made.
func (b *build) readStorage() {
	docs, native := b.plan.Documents, b.plan.Native
	s := &storage{
		disks: placedOf[machine.Disk](docs, native), filesystems: placedOf[machine.Filesystem](docs, native),
		mounts: placedOf[machine.Mount](docs, native), swaps: placedOf[machine.Swap](docs, native),
		taken: map[*placed[machine.Disk]][]bool{},
	}
	b.storage = s
	for _, d := range s.disks {
		s.taken[d] = make([]bool, len(d.value.Partitions))
		b.checkDisk(d)
	}
	for _, m := range s.mounts {
		b.mount(s, m)
	}
	for i, swap := range s.swaps {
		b.swap(s, swap, i)
	}
	b.leftovers(s)
}

// checkDisk finds what Talos cannot do to a disk: it only adds partitions where there is room.
func (b *build) checkDisk(d *placed[machine.Disk]) {
	if d.value.Wipe {
		b.find(report.Errorf(d.at.Field("wipe"), "Talos wipes no disks when it boots").To(
			"leave it out, and wipe the disk through Talos's API"))
	}
	if d.value.Table == machine.TableMBR {
		b.find(report.Errorf(d.at.Field("tableType"), "Talos creates only GPT tables").To("leave it out"))
	}
	if len(d.value.Partitions) == 0 {
		b.find(report.Errorf(d.at.Field("partitions"), "Talos creates no table without a volume on it").To(
			"give a partition with a filesystem and a mount"))
	}
	for i, p := range d.value.Partitions {
		at := d.at.Field("partitions").Index(i)
		if p.Number != 0 && p.Number != i+1 {
			b.find(report.Errorf(at.Field("number"), "Talos numbers partitions itself, in their order").To("leave it out"))
		}
		if p.StartMiB != 0 {
			b.find(report.Errorf(at.Field("startMiB"), "Talos takes the next free place").To("leave it out"))
		}
		if p.TypeGUID != "" {
			b.find(report.Errorf(at.Field("typeGUID"), "Talos sets the type of a partition itself").To("leave it out"))
		}
		b.checkPartition(at, p)
	}
}

// checkPartition finds settings of a partition without a counterpart in Talos.
func (b *build) checkPartition(at report.Path, p machine.Partition) {
	if p.SizePercent != 0 {
		b.find(report.Errorf(at.Field("sizePercent"), "machineadm writes sizes of Talos in MiB").
			To("set sizeMiB, or leave both out to use the remaining space"))
	}
	if p.GUID != "" {
		b.find(report.Errorf(at.Field("guid"), "Talos sets the GUID of a partition itself").To("leave it out"))
	}
	if p.ChangesExisting() {
		b.find(report.Errorf(at, "Talos keeps existing partitions").
			To("leave resize and wipePartitionEntry out, or wipe the disk through Talos's API"))
	}
}

// mount makes a volume of a mount, the file system that it mounts and the partition that this is on.
func (b *build) mount(s *storage, m *placed[machine.Mount]) {
	name := path.Base(m.value.Path)
	if path.Dir(m.value.Path) != volumeDir || !volumePattern.MatchString(name) {
		b.find(report.Errorf(m.at.Field("path"), "Talos mounts a volume below %s, by a name of letters, digits and dashes",
			volumeDir).To("use a path such as %s/data", volumeDir))
		return
	}
	device, ok := deviceOf(m.value.Source)
	if !ok {
		b.find(report.Errorf(m.at.Field("source"), "Talos finds a volume by its disk and partition").To(
			"give a device such as /dev/vdb1"))
		return
	}
	i := slices.IndexFunc(s.filesystems, func(f *placed[machine.Filesystem]) bool { return f.value.Device == device })
	if i < 0 {
		b.find(report.Errorf(m.at.Field("source"), "Talos mounts a file system that it has created, and none is given for %q",
			device).To("give a filesystem with this device"))
		return
	}
	f := s.filesystems[i]
	f.used = true
	b.checkFilesystem(f, m)
	b.volume(s, volume{name: name, format: f.value.Format, options: m.value.Options, at: m.at}, device, "u-")
}

func (b *build) checkFilesystem(f *placed[machine.Filesystem], m *placed[machine.Mount]) {
	if f.value.Format != "ext4" && f.value.Format != "xfs" {
		b.find(report.Errorf(f.at.Field("format"), "Talos creates no file system %q for a volume", f.value.Format).
			To("use xfs or ext4"))
	}
	if f.value.Label != "" {
		b.find(report.Errorf(f.at.Field("label"), "Talos labels file systems itself").To("leave it out"))
	}
	if f.value.Wipe {
		b.find(report.Errorf(f.at.Field("wipe"), "Talos keeps a file system that is there").To("leave it out"))
	}
	if len(f.value.Options) > 0 {
		b.find(report.Errorf(f.at.Field("options"), "Talos gives mkfs its own options").To("leave them out"))
	}
	if f.value.ReplaceFS != "" {
		b.find(report.Errorf(f.at.Field("replaceFS"), "Talos keeps a file system that is there").To("leave it out"))
	}
	if m.value.Dump != 0 {
		b.find(report.Warningf(m.at.Field("dump"), "Talos has no /etc/fstab").To("leave it out"))
	}
	if m.value.Pass != nil {
		b.find(report.Warningf(m.at.Field("pass"), "Talos decides itself when it checks a file system").To("leave it out"))
	}
	if t := m.value.Type; t != "" && t != "auto" && t != f.value.Format {
		b.find(report.Errorf(m.at.Field("type"), "the file system is %s", f.value.Format).To("leave it out"))
	}
}

// swap makes a volume of a swap device.
func (b *build) swap(s *storage, w *placed[machine.Swap], i int) {
	device, ok := deviceOf(w.value.Device)
	if w.value.Path != "" || !ok {
		b.find(report.Errorf(w.at, "Talos uses only swap partitions that it creates").To("give a device such as /dev/vdb1"))
		return
	}
	for _, f := range s.filesystems {
		if f.value.Device == device && f.value.Format == "swap" && f.value.Label == "" && !f.value.Wipe {
			f.used = true
		}
	}
	b.volume(s, volume{name: "swap" + strconv.Itoa(i+1), swap: true, at: w.at}, device, "s-")
}

// volume finds the disk of a device and records the volume. Talos names partitions itself, by the prefix and the
// volume's name.
func (b *build) volume(s *storage, v volume, device, prefix string) {
	v.device = device
	for _, d := range s.disks {
		for i, p := range d.value.Partitions {
			if !slices.Contains(partitionDevices(d.value, i), device) {
				continue
			}
			if s.taken[d][i] {
				b.find(report.Errorf(v.at, "another volume has the partition %s already", device).To("use one of them"))
				return
			}
			if p.Label != "" && p.Label != prefix+v.name {
				b.find(report.Errorf(d.at.Field("partitions").Index(i).Field("label"), "Talos names this partition %s",
					prefix+v.name).To("leave it out"))
			}
			v.device, v.disk, v.partition = d.value.Device, d, i
			s.taken[d][i], d.used = true, true
		}
	}
	if v.disk == nil && partitionPattern.MatchString(device) {
		field := "source"
		if v.swap {
			field = "device"
		}
		b.find(report.Errorf(v.at.Field(field), "Talos creates partitions itself, on disks, and %s is a partition",
			device).To("give a disk with this partition"))
		return
	}
	s.volumes = append(s.volumes, v)
}

// partitionPattern finds the names of partitions, in the kernel and in the links that udev makes.
var partitionPattern = regexp.MustCompile(`^/dev/(disk/by-part(label|uuid)/.*|disk/.*-part[0-9]+|` +
	`(nvme[0-9]+n|mmcblk|nbd|loop)[0-9]+p[0-9]+|(s|v|h|xv)d[a-z]+[0-9]+)$`)

// partitionDevices are the names that a partition of a disk has on a machine.
func partitionDevices(d machine.Disk, i int) []string {
	number := strconv.Itoa(i + 1)
	names := []string{d.Device + number, d.Device + "p" + number, d.Device + "-part" + number}
	if label := d.Partitions[i].Label; label != "" {
		names = append(names, "/dev/disk/by-partlabel/"+label)
	}
	return names
}

// deviceOf returns the device of a mount's source.
func deviceOf(source string) (string, bool) {
	if label, found := strings.CutPrefix(source, "PARTLABEL="); found {
		return "/dev/disk/by-partlabel/" + label, true
	}
	return source, strings.HasPrefix(source, "/dev/")
}

// leftovers finds what no volume was made of.
func (b *build) leftovers(s *storage) {
	for _, d := range s.disks {
		for i, taken := range s.taken[d] {
			if !taken {
				b.find(report.Errorf(d.at.Field("partitions").Index(i), "Talos creates no partition that nothing is mounted from").
					To("give a filesystem and a mount for it"))
			}
		}
	}
	for _, f := range s.filesystems {
		if !f.used {
			b.find(report.Errorf(f.at, "Talos creates a file system only if it is mounted").To("give a mount for it"))
		}
	}
}

// covered reports whether a path lies on a volume.
func (b *build) covered(file string) bool {
	return slices.ContainsFunc(b.storage.mounts, func(m *placed[machine.Mount]) bool {
		return strings.HasPrefix(file, m.value.Path+"/")
	})
}
