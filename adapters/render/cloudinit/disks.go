package cloudinit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// earlyMark holds how many of the early commands succeeded.
const earlyMark = bootscript.StateDir + "/early"

// earlyPrologue takes away what an earlier instance of the disk left, and defines _b, which waits for a block device for at
// most a minute: udev may still be at work.
const earlyPrologue = "umask 077\nmkdir -p " + bootscript.StateDir + "\nrm -f " + earlyMark + "\nexec >>" + bootscript.LogFile + " 2>&1 </dev/null\nset -e\numask 022\n" +
	"_b(){ _i=0;until [ -b \"$1\" ];do [ $((_i=_i+1)) -le 60 ]||{ echo \"$1 did not appear\";exit 1;};udevadm settle||:;sleep 1;done;}\n"

// encodeEarly writes the one item of bootcmd that carries out the early commands in their order, once for an instance. It
// ends at the first that fails; the guards in the program find that out.
func (c *config) encodeEarly(w *yamlenc.Writer) {
	if len(c.early) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(earlyPrologue)
	for i, script := range c.early {
		b.WriteString(script)
		fmt.Fprintf(&b, "echo %d >%s\n", i+1, earlyMark)
	}
	w.Strings("cloud-init-per", "instance", "machineadm", "sh", "-c", b.String())
}

// sayEarly adds a command to bootcmd and a guard to the program. It returns where the command stands.
func (c *config) sayEarly(s bootscript.Step, script string) string {
	if !c.sayable(s, script) {
		return ""
	}
	c.early = append(c.early, script)
	c.size += len(script) * 2
	// A marker that is missing or short is a failure.
	test := "[ \"$(cat " + earlyMark + ")\" -ge " + strconv.Itoa(len(c.early)) + " ]"
	c.guards = append(c.guards, guard(s.Phase, s.Source, test))
	return "bootcmd[1]"
}

// partition says the disk. What only the other kind of table has is refused.
func (c *config) partition(i int, s bootscript.Step, d machine.Disk) {
	if d.Table == machine.TableMBR {
		for n, p := range d.Partitions {
			if p.Label != "" || p.TypeGUID != "" {
				at := s.Source.Path.Field("partitions").Index(n)
				c.findings = append(c.findings, report.Errorf(at, "a partition of an MBR has neither label nor type GUID").
					To("use tableType gpt, or leave them out"))
				return
			}
		}
	}
	c.says[i] = c.sayEarly(s, partitionScript(d))
}

// partitionScript partitions a disk that has nothing on it, or that may be wiped.
// Source: sfdisk(8), whose sizes and offsets take the suffix MiB.
func partitionScript(d machine.Disk) string {
	device := bootscript.Quote(d.Device)
	label := "gpt"
	if d.Table == machine.TableMBR {
		label = "dos"
	}
	var table, names strings.Builder
	for i, number := range partitionNumbers(d.Partitions) {
		p := d.Partitions[i]
		fmt.Fprintf(&table, "%d: %s\n", number, partitionFields(p))
		if p.Label != "" {
			fmt.Fprintf(&names, "sfdisk -q --part-label %s %d %s\n", device, number, bootscript.Quote(p.Label))
		}
	}
	script := fmt.Sprintf("sfdisk -q -X %s -w always -W always %s <<E\n%sE\n%s", label, device, table.String(), names.String())
	return onBlank(device, d.Wipe, script)
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

// onBlank runs the script on a device that has no signature, or on any after wiping it. Exit code 2 of blkid(8) means that
// there is none; on a partition it is 0 even then. Any other means that it cannot tell, which fails.
func onBlank(device string, wipe bool, script string) string {
	script += "udevadm settle||:\n"
	if wipe {
		return "_b " + device + "\nwipefs -afq " + device + "\n" + script
	}
	return "_b " + device + "\n_t=$(blkid -p -o value -s TYPE -s PTTYPE " + device + ")||[ $? = 2 ]\nif [ ! \"$_t\" ];then\n" + script + "fi\n"
}

// filesystemScript makes a file system on a device that has nothing on it, or that may be wiped.
func filesystemScript(f machine.Filesystem) string {
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
	return onBlank(device, f.Wipe, command+" "+device+"\n")
}

// mount says the mount. Where cloud-init, or the bootstrap itself, keeps its state nothing can be mounted once it runs.
func (c *config) mount(i int, s bootscript.Step, m machine.Mount) {
	for _, kept := range []string{
		"/dev", "/proc", "/sys", "/run", "/tmp", "/usr", "/bin", "/sbin", "/lib", "/etc", "/etc/cloud", "/etc/machineadm", "/var", "/var/lib",
		"/var/lib/cloud", bootscript.StateDir,
	} {
		if m.Path == kept {
			c.findings = append(c.findings, report.Errorf(s.Source.Path, "cloud-init runs from %s and cannot mount over it", kept).
				To("mount a directory below it, or bring the mount by the image"))
			return
		}
	}
	c.says[i] = c.sayEarly(s, mountScript(m, c.plan.Target.Profile.SELinux))
}

// mountScript writes the line of fstab and mounts. In a field of fstab blanks and backslashes are octal.
// Source: fstab(5).
func mountScript(m machine.Mount, selinux bool) string {
	escape := strings.NewReplacer(`\`, `\134`, " ", `\040`, "\t", `\011`, "\n", `\012`, "\r", `\015`)
	kind, options := m.Type, strings.Join(m.Options, ",")
	if kind == "" {
		kind = "auto"
	}
	if options == "" {
		options = "defaults"
	}
	line := escape.Replace(m.Source) + " " + escape.Replace(m.Path) + " " + kind + " " + options + " 0 2"
	path, wait := bootscript.Quote(m.Path), ""
	if strings.HasPrefix(m.Source, "/") {
		wait = "_b " + bootscript.Quote(m.Source) + "\n"
	}
	script := wait + "mkdir -p " + path + "\nprintf '%s\\n' " + bootscript.Quote(line) + ">>/etc/fstab\nmountpoint -q " + path +
		"||mount " + bootscript.Quote(m.Path) + "\n"
	if selinux {
		script += "restorecon " + path + "||:\n"
	}
	return script
}
