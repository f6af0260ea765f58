package machine

import (
	"slices"
	"unicode/utf16"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// TableType is the kind of a partition table.
type TableType string

// The partition tables.
const (
	TableGPT TableType = "gpt"
	TableMBR TableType = "mbr"
)

// Partition is one partition of a disk.
type Partition struct {
	// Number is the number of the partition, from 1. Default: the next free number.
	Number int `json:"number,omitempty"`
	// Label is the name of the GPT partition, of at most 36 UTF-16 code units.
	Label string `json:"label,omitempty"`
	// SizeMiB is the size in MiB. Default: the remaining space.
	SizeMiB int `json:"sizeMiB,omitempty"`
	// StartMiB is the offset in MiB. Default: the next free space.
	StartMiB int `json:"startMiB,omitempty"`
	// TypeGUID is the GPT partition type. Default: Linux filesystem data.
	TypeGUID string `json:"typeGUID,omitempty"`
}

// Disk partitions a disk.
type Disk struct {
	// Device is a path such as /dev/disk/by-id/….
	Device string `json:"device"`
	// Table is the type of the partition table: gpt or mbr. Default: gpt.
	Table TableType `json:"tableType,omitempty"`
	// Wipe replaces an existing partition table. Without it, a disk that has one is not changed.
	Wipe bool `json:"wipe,omitempty"`
	// Partitions are created in this order.
	Partitions []Partition `json:"partitions,omitempty"`
}

// Kind returns KindDisk.
func (Disk) Kind() document.Kind { return KindDisk }

// Check returns error findings for invalid devices, partition tables and partitions.
func (d Disk) Check(p report.Path) report.Report {
	r := checkDevice(p.Field("device"), d.Device)
	if d.Table != "" && d.Table != TableGPT && d.Table != TableMBR {
		r = append(r, report.Errorf(p.Field("tableType"), "%q is not a type of partition table", d.Table).To(
			"use gpt or mbr"))
	}
	seen := map[int]int{}
	for i, part := range d.Partitions {
		at := p.Field("partitions").Index(i)
		r = append(r, part.check(at, i == len(d.Partitions)-1)...)
		if d.Table == TableMBR {
			r = append(r, part.checkMBR(at)...)
		}
		if first, dup := seen[part.Number]; dup && part.Number != 0 {
			r = append(r, report.Errorf(at.Field("number"), "partition %d is already at %s", part.Number,
				p.Field("partitions").Index(first)))
		}
		seen[part.Number] = i
	}
	return r
}

func (part Partition) check(p report.Path, last bool) report.Report {
	var r report.Report
	if part.Number < 0 || part.Number > 128 {
		r = append(r, report.Errorf(p.Field("number"), "%d is not between 1 and 128", part.Number).To(
			"use a number in this range"))
	}
	if len(utf16.Encode([]rune(part.Label))) > 36 {
		r = append(r, report.Errorf(p.Field("label"), "a GPT partition name has at most 36 characters").To("shorten it"))
	}
	r = append(r, checkLine(p.Field("label"), part.Label)...)
	if part.SizeMiB < 0 || part.StartMiB < 0 {
		r = append(r, report.Errorf(p, "sizes and offsets must not be negative").To("use a number of MiB, or leave it out"))
	}
	if part.SizeMiB == 0 && !last {
		r = append(r, report.Errorf(p.Field("sizeMiB"), "only the last partition can use the remaining space").
			To("set its size"))
	}
	if part.TypeGUID != "" && !guidPattern.MatchString(part.TypeGUID) {
		r = append(r, report.Errorf(p.Field("typeGUID"), "%q is not a GUID", part.TypeGUID).
			To("write it as 0FC63DAF-8483-4772-8E79-3D69D8477DE4"))
	}
	return r
}

// checkMBR returns findings for settings that an MBR partition table cannot contain.
func (part Partition) checkMBR(p report.Path) report.Report {
	var r report.Report
	if part.Number > 4 {
		r = append(r, report.Errorf(p.Field("number"), "an mbr table has four partitions").To("use gpt"))
	}
	if part.Label != "" {
		r = append(r, report.Errorf(p.Field("label"), "partitions of an mbr table have no names").To(
			"use gpt or leave it out"))
	}
	if part.TypeGUID != "" {
		r = append(r, report.Errorf(p.Field("typeGUID"), "partitions of an mbr table have no GUID").To(
			"use gpt or leave it out"))
	}
	return r
}

// Filesystem creates a file system on a device.
type Filesystem struct {
	// Device is the path of a disk or a partition.
	Device string `json:"device"`
	// Format is ext4, xfs, btrfs, vfat or swap.
	Format string `json:"format"`
	// Label is the label of the file system. Its maximum length depends on the format.
	Label string `json:"label,omitempty"`
	// Wipe creates a new file system even if the device contains one.
	Wipe bool `json:"wipe,omitempty"`
	// Options are arguments of mkfs.
	Options []string `json:"options,omitempty"`
}

// Formats returns the supported types of file systems.
func Formats() []string { return []string{"ext4", "xfs", "btrfs", "vfat", "swap"} }

// Kind returns KindFilesystem.
func (Filesystem) Kind() document.Kind { return KindFilesystem }

// Check returns error findings for unknown formats, and for labels that are too long for their format.
func (f Filesystem) Check(p report.Path) report.Report {
	r := checkDevice(p.Field("device"), f.Device)
	if !slices.Contains(Formats(), f.Format) {
		r = append(r, report.Errorf(p.Field("format"), "%q is not a supported file system", f.Format).
			To("use one of %v", Formats()))
	}
	limits := map[string]int{"ext4": 16, "xfs": 12, "btrfs": 255, "vfat": 11, "swap": 15}
	if limit, known := limits[f.Format]; known && len(f.Label) > limit {
		r = append(r, report.Errorf(p.Field("label"), "a label of %s has at most %d bytes", f.Format, limit).To("shorten it"))
	}
	r = append(r, checkLine(p.Field("label"), f.Label)...)
	for i, o := range f.Options {
		r = append(r, checkLine(p.Field("options").Index(i), o)...)
	}
	return r
}

// Mount mounts a file system, also after reboots.
type Mount struct {
	// Source is a device path, or LABEL=…, UUID=…, PARTLABEL=… or PARTUUID=….
	Source string `json:"source"`
	// Path is the mount point.
	Path string `json:"path"`
	// Type is the type of the file system. Default: auto.
	Type string `json:"type,omitempty"`
	// Options are mount options. Default: defaults.
	Options []string `json:"options,omitempty"`
}

// Kind returns KindMount.
func (Mount) Kind() document.Kind { return KindMount }

// Check returns error findings for invalid sources and mount points.
func (m Mount) Check(p report.Path) report.Report {
	r := checkMountSource(p.Field("source"), m.Source)
	r = append(r, checkPath(p.Field("path"), m.Path)...)
	// systemd mounts with a unit file, in which a carriage return also ends a line.
	r = append(r, checkLine(p.Field("path"), m.Path)...)
	r = append(r, checkWord(p.Field("type"), m.Type)...)
	for i, o := range m.Options {
		r = append(r, checkItem(p.Field("options").Index(i), o)...)
	}
	return r
}

// Swap enables a swap device or file. kubelet refuses to start with swap unless its configuration permits it.
type Swap struct {
	// Device is an existing swap device. It excludes Path.
	Device string `json:"device,omitempty"`
	// Path is a swap file, which is created.
	Path string `json:"path,omitempty"`
	// SizeMiB is the size of the swap file in MiB.
	SizeMiB int `json:"sizeMiB,omitempty"`
}

// Kind returns KindSwap.
func (Swap) Kind() document.Kind { return KindSwap }

// Check returns an error finding unless exactly one of Device and Path is set.
func (s Swap) Check(p report.Path) report.Report {
	switch {
	case (s.Device == "") == (s.Path == ""):
		return report.Report{report.Errorf(p, "exactly one of device and path must be set").To("give one of them")}
	case s.Device != "":
		return checkMountSource(p.Field("device"), s.Device)
	}
	r := append(checkPath(p.Field("path"), s.Path), checkLine(p.Field("path"), s.Path)...)
	if s.SizeMiB <= 0 {
		r = append(r, report.Errorf(p.Field("sizeMiB"), "sizeMiB is not set").To("set the size of the swap file in MiB"))
	}
	return r
}
