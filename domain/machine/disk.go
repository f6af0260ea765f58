package machine

import (
	"strings"
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
	// SizePercent is the size in percent of the disk, from 1 to 100, rounded down to MiB. It excludes SizeMiB.
	SizePercent int `json:"sizePercent,omitempty"`
	// StartMiB is the offset in MiB. Default: the next free space.
	StartMiB int `json:"startMiB,omitempty"`
	// TypeGUID is the GPT partition type. Default: Linux filesystem data.
	TypeGUID string `json:"typeGUID,omitempty"`
	// GUID identifies the GPT partition. Default: a random one.
	GUID string `json:"guid,omitempty"`
	// Resize changes the size of an existing partition with this number or label.
	Resize bool `json:"resize,omitempty"`
	// WipeEntry replaces an existing partition with this number or label that differs.
	WipeEntry bool `json:"wipePartitionEntry,omitempty"`
}

// ChangesExisting reports whether the partition may change one that exists, in a table that is kept.
func (part Partition) ChangesExisting() bool { return part.Resize || part.WipeEntry }

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
	for i, part := range d.Partitions {
		at := p.Field("partitions").Index(i)
		r = append(r, part.check(at, i == len(d.Partitions)-1)...)
		if d.Table == TableMBR {
			r = append(r, part.checkMBR(at)...)
		}
	}
	return append(r, d.checkTogether(p.Field("partitions"))...)
}

// checkTogether returns findings for numbers and GUIDs that two partitions have, and for sizes of more than the disk.
func (d Disk) checkTogether(p report.Path) report.Report {
	var r report.Report
	percent := 0
	for i, part := range d.Partitions {
		for k, first := range d.Partitions[:i] {
			if part.Number != 0 && first.Number == part.Number {
				r = append(r, report.Errorf(p.Index(i).Field("number"), "partition %d is already at %s", part.Number,
					p.Index(k)))
			}
			if part.GUID != "" && strings.EqualFold(first.GUID, part.GUID) {
				r = append(r, report.Errorf(p.Index(i).Field("guid"), "the partition at %s has the same GUID", p.Index(k)).
					To("give each partition another GUID, or leave them out"))
			}
		}
		percent += part.SizePercent
	}
	if percent > 100 {
		r = append(r, report.Errorf(p, "the partitions have %d percent of the disk", percent).
			To("reduce the sum of sizePercent to 100"))
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
	if part.SizePercent < 0 || part.SizePercent > 100 {
		r = append(r, report.Errorf(p.Field("sizePercent"), "%d is not between 1 and 100", part.SizePercent).
			To("use a percentage of the disk"))
	}
	if part.SizePercent != 0 && part.SizeMiB != 0 {
		r = append(r, report.Errorf(p.Field("sizePercent"), "sizeMiB is given as well").To("remove one of them"))
	}
	if part.SizeMiB == 0 && part.SizePercent == 0 && !last {
		r = append(r, report.Errorf(p.Field("sizeMiB"), "only the last partition can use the remaining space").
			To("set its size"))
	}
	if part.ChangesExisting() && part.Number == 0 && part.Label == "" {
		r = append(r, report.Errorf(p, "nothing identifies the existing partition to change").To("set its number or label"))
	}
	r = append(r, checkGUID(p.Field("typeGUID"), part.TypeGUID)...)
	return append(r, checkGUID(p.Field("guid"), part.GUID)...)
}

func checkGUID(p report.Path, guid string) report.Report {
	if guid == "" || guidPattern.MatchString(guid) {
		return nil
	}
	return report.Report{report.Errorf(p, "%q is not a GUID", guid).
		To("write it as 0FC63DAF-8483-4772-8E79-3D69D8477DE4")}
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
		r = append(r, noGUID(p.Field("typeGUID")))
	}
	if part.GUID != "" {
		r = append(r, noGUID(p.Field("guid")))
	}
	return r
}

func noGUID(p report.Path) report.Finding {
	return report.Errorf(p, "partitions of an mbr table have no GUID").To("use gpt or leave it out")
}
