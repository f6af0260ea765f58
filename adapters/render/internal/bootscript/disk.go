package bootscript

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// settle waits for udev, if it runs.
const settle = "udevadm settle||:;"

// Partition returns the script that partitions a disk. An existing partition table stays unless wipe is set.
func Partition(d machine.Disk) string {
	// NUL cannot be in a label; it marks where the quoted table ends and an expression begins.
	command, input := linuxcmd.Partition(d, func(percent int) string {
		return "\x00$((_size*" + strconv.Itoa(percent) + "/100))\x00"
	})
	script := "printf %s " + strings.ReplaceAll(Quote(input), "\x00", "'") + "|" + command.String()
	if linuxcmd.HasPercent(d) {
		script = "_size=$(" + linuxcmd.DiskSize(d.Device).String() + ")&&_size=$((_size>>20))&&" + script
	}
	return onBlank(d.Device, d.Wipe, script, present{types: linuxcmd.PartitionTables()})
}

// Filesystem returns the script that creates a file system. An existing file system of the same format stays unless
// wipe is set, and one of the type ReplaceFS is replaced.
func Filesystem(f machine.Filesystem) string {
	return onBlank(f.Device, f.Wipe, linuxcmd.MakeFilesystem(f).String(),
		present{types: []string{f.Format}, replaced: f.ReplaceFS})
}

// present lists the content of a device that stays, and the type that is replaced; empty for none.
type present struct {
	types    []string
	replaced string
}

// onBlank returns the script that runs the command on a device without a signature, or on any device after wiping it.
// It fails if the device contains something other than the document specifies.
func onBlank(device string, wipe bool, command string, existing present) string {
	found := waitForDevice(device)
	settled := command + "&&{ " + settle + "}"
	wiped := linuxcmd.Wipe(device).String() + "&&" + settled
	if wipe {
		return found + wiped
	}
	replace := ""
	if existing.replaced != "" {
		replace = existing.replaced + ")" + wiped + ";;"
	}
	return found + "{ _type=$(" + linuxcmd.Signature(device).String() + ")||[ $? = " +
		strconv.Itoa(linuxcmd.NoSignature) + " ];}&&case $_type in '')" + settled + ";;" + replace +
		strings.Join(existing.types, "|") + ");;*)echo " + Quote(device) +
		`" contains $_type; set wipe to replace it">&2;false;;esac`
}

// Mount returns the script that adds the mount to fstab and mounts it.
func Mount(m machine.Mount, selinux bool) string {
	at := Quote(m.Path)
	script := waitForDevice(m.Source) + "mkdir -p " + at + "&&" + linuxcmd.MountEntry(m).Script() + "&&" +
		linuxcmd.ReloadUnits().String() + "&&{ mountpoint -q " + at + "||" + linuxcmd.Mount(m.Path).String() + ";}"
	if selinux {
		script += "&&{ restorecon " + at + "||:;}"
	}
	return script
}

// waitForDevice returns the code that waits for a device, if the source is a path.
func waitForDevice(source string) string {
	if !strings.HasPrefix(source, "/") {
		return ""
	}
	return "_await_device " + Quote(source) + " " + strconv.Itoa(int(linuxcmd.DeviceTimeout.Seconds())) + "&&"
}

// MountRefused reports whether nothing can be mounted at the path after boot, because the system or the bootstrap
// stores its state there.
func MountRefused(path string) bool {
	return slices.Contains([]string{
		"/dev", "/proc", "/sys", "/run", "/tmp", "/usr", "/bin", "/sbin", "/lib", "/etc", "/etc/cloud", "/etc/machineadm",
		"/var", "/var/lib", "/var/lib/cloud", StateDir,
	}, path)
}

// swap refuses a file below a directory of another user: mkswap and swapon open paths, which the user could redirect.
func (w *writer) swap(s plan.SourcedStep, to machine.Swap) {
	if Owned(w.options.Owned, to.Path) {
		w.findings = append(w.findings, report.Errorf(s.Source.Path,
			"%s is below a directory of another user, who could exchange it", to.Path).
			To("use a path whose directories belong to root"))
		return
	}
	w.define(DiskFunctions())
	script := Swap(to)
	if to.Path != "" && w.careful(to.Path) {
		w.define(Enter())
		script = "_enter_private " + Quote(path.Dir(to.Path)) + "&&" + script
	}
	w.run(s, script)
}

// Swap returns the script that enables a device, or a file that it creates if it does not exist.
func Swap(s machine.Swap) string {
	source := s.Device + s.Path
	script := linuxcmd.SwapEntry(source).Script() + "&&" + linuxcmd.Swapon(source).String()
	if s.Path == "" {
		return waitForDevice(s.Device) + script
	}
	at, next := Quote(s.Path), linuxcmd.Temporary(s.Path)
	return "{ [ -e " + at + " ]||{ mkdir -p " + Quote(path.Dir(s.Path)) + "&&(umask 077&&rm -f " + Quote(next) + "&&:>" +
		Quote(next) + "&&{ " + linuxcmd.NoCopyOnWrite(next).String() + " 2>/dev/null||:;}&&" +
		linuxcmd.FillSwapFile(next, s.SizeMiB).String() + ")&&" + linuxcmd.MakeSwap(next).String() + "&&mv " + Quote(next) +
		" " + at + ";};}&&" + script
}
