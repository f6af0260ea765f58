package cloudinit

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// earlyMark is the file with the number of early commands that have succeeded.
const earlyMark = bootscript.StateDir + "/early"

// earlyScript precedes the early commands.
//
//go:embed early.sh
var earlyScript string

// encodeEarly writes one bootcmd item that runs the early commands in order, once for each instance. It stops at the
// first failure, which the guards in the program detect.
func (c *config) encodeEarly(w *yamlenc.Writer) {
	if len(c.early) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(script.StripShell(earlyScript) + bootscript.DiskFunctions())
	for i, command := range c.early {
		fmt.Fprintf(&b, "%s||exit\necho %d >%s\n", command, i+1, earlyMark)
	}
	w.Strings("cloud-init-per", "instance", "machineadm", "sh", "-c", b.String())
}

// addEarly adds a command to bootcmd and a guard to the program. It returns the path of the command.
func (c *config) addEarly(s plan.SourcedStep, command string) string {
	if !c.encodable(s, command) {
		return ""
	}
	c.early = append(c.early, command)
	c.size += len(command) * 2
	// A missing or lower number is a failure.
	test := "[ \"$(cat " + earlyMark + " 2>/dev/null||echo 0)\" -ge " + strconv.Itoa(len(c.early)) + " ]"
	c.guards = append(c.guards, guard(s.Phase, s.Source, test))
	return "bootcmd[1]"
}

// partition adds the disk. It refuses labels and type GUIDs in an MBR partition table.
func (c *config) partition(i int, s plan.SourcedStep, d machine.Disk) {
	if d.Table == machine.TableMBR {
		for n, p := range d.Partitions {
			if p.Label != "" || p.TypeGUID != "" || p.GUID != "" {
				at := s.Source.Path.Field("partitions").Index(n)
				c.findings = append(c.findings, report.Errorf(at, "a partition of an MBR has neither label nor GUIDs").
					To("use tableType gpt, or leave them out"))
				return
			}
		}
	}
	c.findings = append(c.findings, linuxcmd.CheckExisting(d, s.Source.Path)...)
	c.stepPlaces[i] = c.addEarly(s, bootscript.Partition(d))
}

// mount adds the mount. It refuses paths at which cloud-init or the bootstrap stores its state.
func (c *config) mount(i int, s plan.SourcedStep, m machine.Mount) {
	if bootscript.MountRefused(m.Path) {
		c.findings = append(c.findings, report.Errorf(s.Source.Path, "cloud-init runs from %s and cannot mount over it",
			m.Path).To("mount a directory below it, or add the mount to the image"))
		return
	}
	c.stepPlaces[i] = c.addEarly(s, bootscript.Mount(m, c.plan.Target.Profile.SELinux))
}

// swap enables swap on a temporary disk early: the module disk_setup formats it unless it is in use. Another device may
// be created by a snippet, and a file may be in a directory that the program creates.
func (c *config) swap(i int, s plan.SourcedStep, swap machine.Swap) {
	if !infrastructure.OnTemporaryDisk(swap.Device) {
		c.later(i, s)
		return
	}
	c.stepPlaces[i] = c.addEarly(s, bootscript.Swap(swap))
}
