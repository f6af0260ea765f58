package cloudinit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// earlyMark holds how many of the early commands succeeded.
const earlyMark = bootscript.StateDir + "/early"

// earlyPrologue removes the marker of an earlier instance of the disk.
const earlyPrologue = "umask 077\nmkdir -p " + bootscript.StateDir + "\nrm -f " + earlyMark + "\nexec >>" +
	bootscript.LogFile + " 2>&1 </dev/null\numask 022\n"

// encodeEarly writes the one item of bootcmd that carries out the early commands in their order, once for an instance.
// It ends at the first that fails; the guards in the program find that out.
func (c *config) encodeEarly(w *yamlenc.Writer) {
	if len(c.early) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(earlyPrologue + bootscript.DiskFunctions())
	for i, script := range c.early {
		fmt.Fprintf(&b, "%s||exit\necho %d >%s\n", script, i+1, earlyMark)
	}
	w.Strings("cloud-init-per", "instance", "machineadm", "sh", "-c", b.String())
}

// sayEarly adds a command to bootcmd and a guard to the program. It returns where the command stands.
func (c *config) sayEarly(s plan.SourcedStep, script string) string {
	if !c.sayable(s, script) {
		return ""
	}
	c.early = append(c.early, script)
	c.size += len(script) * 2
	// A marker that is missing or short is a failure.
	test := "[ \"$(cat " + earlyMark + " 2>/dev/null||echo 0)\" -ge " + strconv.Itoa(len(c.early)) + " ]"
	c.guards = append(c.guards, guard(s.Phase, s.Source, test))
	return "bootcmd[1]"
}

// partition says the disk. What only the other kind of table has is refused.
func (c *config) partition(i int, s plan.SourcedStep, d machine.Disk) {
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
	c.says[i] = c.sayEarly(s, bootscript.Partition(d))
}

// mount says the mount. Where cloud-init, or the bootstrap itself, keeps its state nothing can be mounted once it runs.
func (c *config) mount(i int, s plan.SourcedStep, m machine.Mount) {
	if bootscript.MountRefused(m.Path) {
		c.findings = append(c.findings, report.Errorf(s.Source.Path, "cloud-init runs from %s and cannot mount over it",
			m.Path).
			To("mount a directory below it, or add the mount to the image"))
		return
	}
	c.says[i] = c.sayEarly(s, bootscript.Mount(m, c.plan.Target.Profile.SELinux))
}
