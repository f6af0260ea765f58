package linuxcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// DeviceTimeout is the time to wait for a block device, because udev may still be creating it.
const DeviceTimeout = time.Minute

// NoSignature is the exit code of Signature for a device without a signature. After any other error the device may
// contain data.
const NoSignature = 2

// Signature prints the type of the file system or partition table on a device. A device with either is not blank.
func Signature(device string) Command {
	return Command{"blkid", "-p", "-o", "value", "-s", "TYPE", "-s", "PTTYPE", device}
}

// PartitionTables returns the types of partition tables, as Signature prints them, that Partition may not replace
// unless the disk may be wiped.
func PartitionTables() []string { return []string{"gpt", "dos"} }

// Wipe removes all signatures from a device. Without --force, wipefs(8) does not erase a nested partition table.
func Wipe(device string) Command { return Command{"wipefs", "-afq", device} }

// Settle waits until udev has handled all events. It fails if udev is not running. Callers ignore this, because the
// next command waits for its device.
func Settle() Command { return Command{"udevadm", "settle"} }

// Partition returns the command that creates the partition table and its input. It wipes signatures on the disk and in
// the new partitions, because a file system of an earlier table may start at the same offset. share returns the size of
// a percentage of the disk in MiB, as a number or, in a script, as an expression.
func Partition(d machine.Disk, share func(percent int) string) (command Command, input string) {
	label := "gpt"
	if d.Table == machine.TableMBR {
		label = "dos"
	}
	var table strings.Builder
	for i, number := range PartitionNumbers(d.Partitions) {
		fmt.Fprintf(&table, "%d: %s\n", number, sfdiskFields(d.Partitions[i], share))
	}
	return Command{"sfdisk", "-q", "-X", label, "-w", "always", "-W", "always", d.Device}, table.String()
}

// sfdiskFields returns a partition as sfdisk(8) reads it. Size + is the remaining space, and \x escapes a byte of a
// name.
func sfdiskFields(p machine.Partition, share func(percent int) string) string {
	fields := "size=+"
	switch {
	case p.SizeMiB > 0:
		fields = fmt.Sprintf("size=%dMiB", p.SizeMiB)
	case p.SizePercent > 0:
		fields = "size=" + share(p.SizePercent) + "MiB"
	}
	if p.StartMiB > 0 {
		fields += fmt.Sprintf(", start=%dMiB", p.StartMiB)
	}
	if p.TypeGUID != "" {
		fields += ", type=" + p.TypeGUID
	}
	if p.GUID != "" {
		fields += ", uuid=" + p.GUID
	}
	if p.Label != "" {
		fields += `, name="` + strings.NewReplacer(`"`, `\x22`, `\`, `\x5c`).Replace(p.Label) + `"`
	}
	return fields
}

// HasPercent reports whether the size of a partition depends on the size of the disk.
func HasPercent(d machine.Disk) bool {
	return slices.ContainsFunc(d.Partitions, func(p machine.Partition) bool { return p.SizePercent > 0 })
}

// DiskSize prints the size of a disk in bytes.
func DiskSize(device string) Command { return Command{"blockdev", "--getsize64", device} }

// CheckExisting returns error findings for partitions that may change existing ones, which only Ignition supports.
func CheckExisting(d machine.Disk, at report.Path) report.Report {
	var r report.Report
	for i, p := range d.Partitions {
		if p.ChangesExisting() {
			r = append(r, report.Errorf(at.Field("partitions").Index(i),
				"only Ignition changes existing partitions with resize and wipePartitionEntry").
				To("leave them out, or set wipe of the disk to replace its partition table"))
		}
	}
	return r
}

// PartitionNumbers returns the number of each partition. One without a number gets the lowest free one.
func PartitionNumbers(partitions []machine.Partition) []int {
	taken := map[int]bool{}
	for _, p := range partitions {
		taken[p.Number] = true
	}
	numbers := make([]int, len(partitions))
	next := 1
	for i, p := range partitions {
		numbers[i] = p.Number
		for ; numbers[i] == 0; next++ {
			if !taken[next] {
				numbers[i] = next
			}
		}
	}
	return numbers
}

// MakeFilesystem returns the command that creates the file system. The caller has checked that the device is blank or
// may be wiped, so the command sets the options that disable prompts. mkfs.ext3, mkfs.ext4 and mkfs.vfat prompt for a
// whole disk, mkfs.xfs and mkfs.btrfs for signatures that blkid(8) does not know.
func MakeFilesystem(f machine.Filesystem) Command {
	command := map[string]Command{
		"ext3": {"mkfs.ext3", "-F"}, "ext4": {"mkfs.ext4", "-F"}, "xfs": {"mkfs.xfs", "-f"}, "btrfs": {"mkfs.btrfs", "-f"},
		"vfat": {"mkfs.vfat", "-I"}, "swap": {"mkswap", "-f"},
	}[f.Format]
	label := "-L"
	if f.Format == "vfat" {
		label = "-n"
	}
	return command.option(label, f.Label).with(f.Options...).with(f.Device)
}

// Mount mounts the fstab entry of the path.
func Mount(path string) Command { return Command{"mount", path} }

// MakeSwap writes the signature of swap space.
func MakeSwap(path string) Command { return Command{"mkswap", path} }

// Swapon enables the swap space.
func Swapon(source string) Command { return Command{"swapon", source} }

// NoCopyOnWrite disables copy-on-write for an empty file. btrfs swaps only to such files (btrfs(5), swapfile support).
// The command fails on other file systems, which do not need it.
func NoCopyOnWrite(path string) Command { return Command{"chattr", "+C", path} }

// FillSwapFile writes the blocks of a swap file. The kernel refuses a sparse file.
func FillSwapFile(path string, sizeMiB int) Command {
	return Command{"dd", "if=/dev/zero", "of=" + path, "bs=1M", fmt.Sprintf("count=%d", sizeMiB), "conv=fsync"}
}
