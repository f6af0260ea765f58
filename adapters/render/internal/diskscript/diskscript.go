// Package diskscript makes the shell commands that partition, format and mount, for formats whose own words for that
// would write over what is to be kept, or that have none.
//
// A disk or partition that has something on it is left alone, unless its document says that it may be wiped. So a
// script that runs again, and a disk that comes back with another machine, lose nothing.
package diskscript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/machine"
)

// Then is what stands between two commands.
type Then string

// The ways from one command to the next.
const (
	// Line is for scripts in which errors end the shell (set -e).
	Line Then = "\n"
	// And is for scripts in which they do not: the first failure is the whole's.
	And Then = "&&"
)

// Wait defines _b, which waits for a block device for at most a minute: udev may still be at work. It has to stand
// before the other scripts of this package.
const Wait = "_b(){ _i=0;until [ -b \"$1\" ];do [ $((_i=_i+1)) -le 60 ]||{ echo \"$1 did not appear\";exit " +
	"1;};udevadm settle||:;sleep 1;done;}\n"

// settle has udev work off what has changed, where there is a udev.
const settle = "{ udevadm settle||:;}"

// Partition partitions a disk that has nothing on it, or that may be wiped.
// Source: sfdisk(8), whose sizes and offsets take the suffix MiB.
func (t Then) Partition(d machine.Disk) string {
	device := bootscript.Quote(d.Device)
	label := "gpt"
	if d.Table == machine.TableMBR {
		label = "dos"
	}
	var table strings.Builder
	var names []string
	for i, number := range partitionNumbers(d.Partitions) {
		p := d.Partitions[i]
		fmt.Fprintf(&table, "%d: %s\n", number, partitionFields(p))
		if p.Label != "" {
			names = append(names, fmt.Sprintf("sfdisk -q --part-label -- %s %d %s", device, number, bootscript.Quote(p.Label)))
		}
	}
	partition := fmt.Sprintf("printf %%s %s|sfdisk -q -X %s -w always -W always %s",
		bootscript.Quote(table.String()), label, device)
	return t.onBlank(device, d.Wipe, append([]string{partition}, names...)...)
}

// partitionFields are those of sfdisk's line. A size of + is what is left.
func partitionFields(p machine.Partition) string {
	fields := "size=+"
	if p.SizeMiB > 0 {
		fields = fmt.Sprintf("size=%dMiB", p.SizeMiB)
	}
	if p.StartMiB > 0 {
		fields += fmt.Sprintf(", start=%dMiB", p.StartMiB)
	}
	if p.TypeGUID != "" {
		fields += ", type=" + p.TypeGUID
	}
	return fields
}

// partitionNumbers gives each partition that has no number the lowest that is free.
func partitionNumbers(partitions []machine.Partition) []int {
	taken := map[int]bool{}
	for _, p := range partitions {
		taken[p.Number] = true
	}
	numbers := make([]int, len(partitions))
	next := 1
	for i, p := range partitions {
		numbers[i] = p.Number
		for ; p.Number == 0 && numbers[i] == 0; next++ {
			if !taken[next] {
				numbers[i] = next
			}
		}
	}
	return numbers
}

// onBlank runs the commands on a device that has no signature, or on any after wiping it. Exit code 2 of blkid(8) means
// that there is none; on a partition it is 0 even then. Any other means that it cannot tell, which fails.
func (t Then) onBlank(device string, wipe bool, commands ...string) string {
	commands = append(commands, settle)
	if wipe {
		return t.join(append([]string{"_b " + device, "wipefs -afq " + device}, commands...)...)
	}
	signature := "{ _t=$(blkid -p -o value -s TYPE -s PTTYPE " + device + ")||[ $? = 2 ];}"
	return t.join("_b "+device, signature, "if [ ! \"$_t\" ];then\n"+t.join(commands...)+"\nfi")
}

func (t Then) join(commands ...string) string { return strings.Join(commands, string(t)) }

// Filesystem makes a file system on a device that has nothing on it, or that may be wiped.
func (t Then) Filesystem(f machine.Filesystem) string {
	device := bootscript.Quote(f.Device)
	command := map[string]string{
		"ext4": "mkfs.ext4 -F", "xfs": "mkfs.xfs -f", "btrfs": "mkfs.btrfs -f", "vfat": "mkfs.vfat", "swap": "mkswap -f",
	}[f.Format]
	if command == "" {
		command = "mkfs -t " + bootscript.Quote(f.Format)
	}
	if f.Label != "" {
		flag := " -L "
		if f.Format == "vfat" {
			flag = " -n "
		}
		command += flag + bootscript.Quote(f.Label)
	}
	for _, o := range f.Options {
		command += " " + bootscript.Quote(o)
	}
	return t.onBlank(device, f.Wipe, command+" "+device)
}

// Mount writes the line of fstab and mounts.
func (t Then) Mount(m machine.Mount, selinux bool) string {
	kind, options := m.Type, strings.Join(m.Options, ",")
	if kind == "" {
		kind = "auto"
	}
	if options == "" {
		options = "defaults"
	}
	path := bootscript.Quote(m.Path)
	var commands []string
	if strings.HasPrefix(m.Source, "/") {
		commands = append(commands, "_b "+bootscript.Quote(m.Source))
	}
	commands = append(commands, "mkdir -p "+path, bootscript.Fstab(m.Source, m.Path, kind, options, "0", "2"),
		"{ mountpoint -q "+path+"||mount "+path+";}")
	if selinux {
		commands = append(commands, "{ restorecon "+path+"||:;}")
	}
	return t.join(commands...)
}

// Kept reports whether nothing can be mounted over the path once the system runs: the system, or the bootstrap itself,
// keeps its state there.
func Kept(path string) bool {
	return slices.Contains([]string{
		"/dev", "/proc", "/sys", "/run", "/tmp", "/usr", "/bin", "/sbin", "/lib", "/etc", "/etc/cloud", "/etc/machineadm",
		"/var", "/var/lib",
		"/var/lib/cloud", bootscript.StateDir,
	}, path)
}
