package machine

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/pattern"
	"github.com/machineadm/machineadm/domain/report"
)

// Filesystem creates a file system on a device.
type Filesystem struct {
	// Device is the path of a disk or a partition.
	Device string `json:"device"`
	// Format is ext3, ext4, xfs, btrfs, vfat or swap.
	Format string `json:"format"`
	// Label is the label of the file system. Its maximum length depends on the format.
	Label string `json:"label,omitempty"`
	// Wipe creates a new file system even if the device contains one.
	Wipe bool `json:"wipe,omitempty"`
	// ReplaceFS is a type of file system, by its name in blkid(8), that is replaced although Wipe is false.
	ReplaceFS string `json:"replaceFS,omitempty"`
	// Options are arguments of mkfs.
	Options []string `json:"options,omitempty"`
}

// Formats returns the supported types of file systems.
func Formats() []string { return []string{"ext3", "ext4", "xfs", "btrfs", "vfat", "swap"} }

// Kind returns KindFilesystem.
func (Filesystem) Kind() document.Kind { return KindFilesystem }

// Check returns error findings for unknown formats, and for labels that are too long for their format.
func (f Filesystem) Check(p report.Path) report.Report {
	r := checkDevice(p.Field("device"), f.Device)
	if !slices.Contains(Formats(), f.Format) {
		r = append(r, report.Errorf(p.Field("format"), "%q is not a supported file system", f.Format).
			To("use one of %v", Formats()))
	}
	limits := map[string]int{"ext3": 16, "ext4": 16, "xfs": 12, "btrfs": 255, "vfat": 11, "swap": 15}
	if limit, known := limits[f.Format]; known && len(f.Label) > limit {
		r = append(r, report.Errorf(p.Field("label"), "a label of %s has at most %d bytes", f.Format, limit).To("shorten it"))
	}
	r = append(r, checkLine(p.Field("label"), f.Label)...)
	for i, o := range f.Options {
		r = append(r, checkLine(p.Field("options").Index(i), o)...)
	}
	if f.ReplaceFS != "" && !blkidType.MatchString(f.ReplaceFS) {
		r = append(r, report.Errorf(p.Field("replaceFS"), "%q is not a type of file system", f.ReplaceFS).
			To("use a name that blkid prints, such as ntfs"))
	}
	if f.ReplaceFS != "" && f.ReplaceFS == f.Format {
		r = append(r, report.Errorf(p.Field("replaceFS"), "a file system of the same format is kept").To("set wipe instead"))
	}
	if f.ReplaceFS != "" && f.Wipe {
		r = append(r, report.Warningf(p.Field("replaceFS"), "wipe replaces any file system").To("remove one of them"))
	}
	return r
}

// blkidType matches the names that blkid(8) gives to file systems.
var blkidType = pattern.Of(64, `^[a-zA-Z0-9_+.-]+$`)

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
	// Dump is the fifth field of fstab(5): 1 if dump(8) saves the file system, otherwise 0.
	Dump int `json:"dump,omitempty"`
	// Pass is the sixth field of fstab(5): the order in which fsck(8) checks the file system at boot, or 0 for never. The
	// default is 2, after the root file system.
	Pass *int `json:"pass,omitempty"`
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
	if m.Dump < 0 || m.Dump > 1 {
		r = append(r, report.Errorf(p.Field("dump"), "%d is neither 0 nor 1", m.Dump).To("leave it out"))
	}
	if m.Pass != nil && (*m.Pass < 0 || *m.Pass > 2) {
		r = append(r, report.Errorf(p.Field("pass"), "%d is not between 0 and 2", *m.Pass).To("use 0 or 2"))
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
