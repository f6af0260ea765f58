package ignmodel

import (
	"path"
	"slices"
	"strings"

	"github.com/coreos/go-systemd/v22/unit"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// mountOptions are the options of a mount in the terms of its unit.
type mountOptions struct {
	// unit, mount and install are lines of the unit's sections.
	unit, mount, install string
	// others are the options for mount(8). systemd reads nofail and _netdev from them, too: by default a mount is ordered
	// before local-fs.target, with _netdev after network-online.target and before remote-fs.target, and with nofail before
	// neither, which order changes.
	others []string
	// deviceTimeout is how long systemd waits for the device, or empty for its default.
	deviceTimeout string
	// late means that units that start after local-fs.target can start before the mount.
	late bool
}

// translateOptions converts the options of a mount to the settings that systemd-fstab-generator(8) writes for them. It
// returns false if it refuses an option.
func (b *builder) translateOptions(m mount) (o mountOptions, ok bool) {
	ok = true
	for i, item := range m.Options {
		for option := range strings.SplitSeq(item, ",") {
			problem, remedy := o.add(option, b.plan.Target.Profile.Family)
			if problem == "" {
				continue
			}
			ok = false
			b.refuse(report.Errorf(b.at(m.step, machine.KindMount, indexed("options", i)), "%s %s", option, problem).
				To("%s", remedy))
		}
	}
	o.late = o.install != "" || isNetwork(m.Mount) || o.mayFail() && b.needed(m, b.canBeLate) >= 0
	above := b.needed(m, func(other mount) bool { return isNetwork(other.Mount) })
	if above >= 0 && !o.mayFail() && !isNetwork(m.Mount) {
		ok = false
		b.refuse(report.Errorf(b.at(m.step, machine.KindMount, "options"),
			"services start after local mounts without nofail, and %s is mounted after the network", b.mounts[above].Path).
			To("add _netdev or nofail"))
	}
	return o, ok
}

// needed returns the index of a mount that matches and that systemd mounts before m, or -1. A mount needs itself and
// the mounts above its path. Its source is a device, which is never below a mount.
func (b *builder) needed(m mount, matches func(mount) bool) int {
	return slices.IndexFunc(b.mounts, func(other mount) bool {
		return below(m.where, []string{other.where}) && matches(other)
	})
}

// canBeLate reports whether mounts with nofail that need the mount must not be ordered before local-fs.target: the
// mount is ordered after the network or other units, and services start after local-fs.target.
func (b *builder) canBeLate(m mount) bool {
	var o mountOptions
	for option := range strings.SplitSeq(strings.Join(m.Options, ","), ",") {
		o.add(option, b.plan.Target.Profile.Family)
	}
	return o.unit+o.install != "" || isNetwork(m.Mount)
}

func (o mountOptions) mayFail() bool { return slices.Contains(o.others, "nofail") }

// add adds an option, or returns why a mount unit cannot express it, and what replaces it.
func (o *mountOptions) add(option string, f osprofile.Family) (problem, remedy string) {
	name, value, _ := strings.Cut(option, "=")
	other := dependency(canonical(f, value))
	if slices.Contains([]string{"x-systemd.requires", "x-systemd.after"}, name) &&
		slices.Contains([]string{ProgramUnit, plan.BootUnit, kubeletUnit}, other) {
		return "is a cycle, because " + other + " starts after the mount", "remove it, or describe a mount unit in units"
	}
	switch name {
	case "x-systemd.requires":
		o.unit += "Requires=" + other + "\nAfter=" + other + "\n"
	case "x-systemd.after":
		o.unit += "After=" + other + "\n"
	case "x-systemd.before":
		o.unit += "Before=" + other + "\n"
	case "x-systemd.requires-mounts-for":
		o.unit += "RequiresMountsFor=" + specifiers(canonical(f, value)) + "\n"
	case "x-systemd.wanted-by":
		o.install += "WantedBy=" + other + "\n"
	case "x-systemd.required-by":
		o.install += "RequiredBy=" + other + "\n"
	case "x-systemd.mount-timeout":
		o.mount += "TimeoutSec=" + specifiers(value) + "\n"
	case "x-systemd.device-timeout":
		o.deviceTimeout = value
	case "x-systemd.rw-only":
		o.mount += "ReadWriteOnly=yes\n"
		return "", ""
	default:
		if remedy = replacement(name, option); remedy != "" {
			return "has no effect in a mount unit, and Ignition configures mounts as units", remedy
		}
		o.others = append(o.others, option)
		return "", ""
	}
	if value == "" {
		return "has no value", "set it, or remove the option"
	}
	return "", ""
}

// dependency returns the name of the unit that an option names, by its name or the path of its device or mount point.
func dependency(value string) string {
	switch {
	case strings.HasPrefix(value, "/dev/"), strings.HasPrefix(value, "/sys/"):
		value = unit.UnitNamePathEscape(value) + ".device"
	case strings.HasPrefix(value, "/"):
		value = unit.UnitNamePathEscape(value) + ".mount"
	case !slices.Contains([]string{
		".automount", ".device", ".mount", ".path", ".scope", ".service", ".slice", ".socket", ".swap", ".target", ".timer",
	}, path.Ext(value)):
		value += ".mount"
	}
	return specifiers(value)
}

// replacement returns what to use in place of an option that only systemd-fstab-generator(8) implements, or empty for
// other options.
func replacement(name, option string) string {
	switch name {
	case "noauto", "x-systemd.automount", "x-systemd.idle-timeout":
		return "remove the mount, and add its mount unit and automount unit to units"
	case "bg":
		return "use nofail"
	case "x-systemd.makefs":
		return "create the file system with filesystems"
	case "x-systemd.growfs":
		return "remove it, and add a unit that starts systemd-growfs(8)"
	case "x-systemd.device-bound": // Mount units are always bound to their device.
		return ""
	}
	for _, prefix := range []string{"x-systemd.", "comment=systemd.", "x-initrd."} {
		if strings.HasPrefix(option, prefix) {
			return "remove it, or replace the mount by a mount unit in units"
		}
	}
	return ""
}

// mountUnit returns the unit of a mount. Its name has to be the escaped path: dashes in a path are written \x2d.
func mountUnit(m machine.Mount, path string, o mountOptions) machine.Unit {
	var b strings.Builder
	if lines := o.order() + checkedBefore(m) + o.unit; lines != "" {
		b.WriteString("[Unit]\n" + lines + "\n")
	}
	b.WriteString("[Mount]\nWhat=" + specifiers(devicePath(m.Source)) + "\nWhere=" + specifiers(path) + "\n")
	if m.Type != "" && m.Type != "auto" {
		b.WriteString("Type=" + specifiers(m.Type) + "\n")
	}
	if len(o.others) > 0 {
		b.WriteString("Options=" + specifiers(strings.Join(o.others, ",")) + "\n")
	}
	b.WriteString(o.mount + "\n[Install]\n" + o.neededBy(m))
	enabled := true
	return machine.Unit{
		Name: unit.UnitNamePathEscape(path) + ".mount", Content: document.Text(b.String()), Enabled: &enabled,
	}
}

// checkedBefore returns the dependency on the check of the file system, as systemd-fstab-generator(8) writes it, if the
// mount requests one.
func checkedBefore(m machine.Mount) string {
	if m.Pass == nil || *m.Pass == 0 {
		return ""
	}
	check := specifiers("systemd-fsck@" + unit.UnitNamePathEscape(devicePath(m.Source)) + ".service")
	return "Requires=" + check + "\nAfter=" + check + "\n"
}

// order returns the order of a local mount with nofail. The boot waits for it, and does not end if it fails: with the
// order of fstab, kubelet and other units could start before the mount, and write below it.
func (o mountOptions) order() string {
	if o.mayFail() && !o.late {
		return "Before=local-fs.target\n"
	}
	return ""
}

// neededBy returns the units that start the mount at boot. systemd derives the order from the options, and not the
// dependency.
func (o mountOptions) neededBy(m machine.Mount) string {
	if o.install != "" {
		return o.install
	}
	dependency, target := "RequiredBy", "local-fs.target"
	if o.mayFail() {
		dependency = "WantedBy"
	}
	if isNetwork(m) {
		target = "remote-fs.target"
	}
	return dependency + "=" + target + "\n"
}

// isNetwork reports whether systemd orders the mount after the network: fstype_is_network of systemd, or _netdev.
func isNetwork(m machine.Mount) bool {
	switch strings.TrimPrefix(m.Type, "fuse.") {
	case "afs", "ceph", "cifs", "davfs", "gfs", "gfs2", "glusterfs", "lustre", "ncp", "ncpfs", "nfs", "nfs4", "ocfs2",
		"orangefs", "pvfs2", "smb3", "smbfs", "sshfs":
		return true
	}
	return slices.Contains(strings.Split(strings.Join(m.Options, ","), ","), "_netdev")
}

// lateOrder returns the lines of the section Unit for units that use files below a late mount. They start after the
// mount. They start it, and fail if it is not mounted, unless it may fail or other units start it. With Requires=, they
// would also stop when the device is gone for a moment. Ignition limits the length of a line, so each mount has its
// own.
func (o mountOptions) lateOrder(name, path string) string {
	switch {
	case !o.late:
		return ""
	case o.mayFail() || o.install != "":
		return "After=" + name + "\n"
	default:
		return "Wants=" + name + "\nAfter=" + name + "\nAssertPathIsMountPoint=" + specifiers(path) + "\n"
	}
}

// waitingDevice returns the unit of the mount's device with the timeout, as systemd-fstab-generator(8) writes it.
func waitingDevice(m machine.Mount, timeout string) machine.Unit {
	return machine.Unit{
		Name: unit.UnitNamePathEscape(devicePath(m.Source)) + ".device",
		DropIns: []machine.DropIn{{
			Name: "50-device-timeout.conf", Content: document.Text("[Unit]\nJobRunningTimeoutSec=" + specifiers(timeout) + "\n"),
		}},
	}
}
