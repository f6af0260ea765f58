package machinescript

import (
	"path"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// builder collects the steps of the program.
type builder struct {
	plan     plan.Plan
	steps    []plan.SourcedStep
	places   []string
	findings report.Report
	// boot is the path of the first command that runs at every boot; its step starts all of them.
	boot report.Path
	// owned are the directories in which users other than root can change entries.
	owned []string
	// functions are the functions of the bootstrap program that the commands use.
	functions []string
}

func newBuilder(p plan.Plan) *builder {
	return &builder{
		plan: p, places: make([]string, len(p.Steps)), steps: make([]plan.SourcedStep, 0, len(p.Steps)+2),
		owned: bootscript.OwnedDirectories(p.Steps),
	}
}

// step adds a step of the plan and returns its name, which consists of phase and field. An operation that the program
// does not support is added as a command.
func (b *builder) step(s plan.SourcedStep) string {
	at := s.Source.Path
	switch op := s.Do.(type) {
	case action.PartitionDisk:
		b.findings = append(b.findings, linuxcmd.CheckExisting(op.Disk, at)...)
		b.disk(s, bootscript.Partition(op.Disk))
	case action.MakeFilesystem:
		b.disk(s, bootscript.Filesystem(op.Filesystem))
	case action.MountFilesystem:
		b.mount(s, op.Mount)
	case action.EnsureGroup:
		b.command(s, bootscript.Group(op.Group))
	case action.EnsureUser:
		b.user(s, op.User)
	case action.RunCommand:
		if s.Phase == document.PhaseBoot && b.boot == "" {
			b.boot = at
		}
		if s.Phase == document.PhaseBoot {
			at = b.boot
		}
		b.steps = append(b.steps, s)
	default:
		b.steps = append(b.steps, owned(s))
	}
	return place(s.Phase, at)
}

// place returns the name of a step of the program.
func place(phase document.Phase, at report.Path) string {
	return "program: " + phase.String() + " " + string(at)
}

func (b *builder) command(s plan.SourcedStep, script string) {
	s.Do = action.RunCommand{Name: s.Do.Summary(), Script: script, When: s.Phase}
	b.steps = append(b.steps, s)
}

// disk adds a command that uses the disk functions.
func (b *builder) disk(s plan.SourcedStep, script string) {
	b.functions = append(b.functions, bootscript.DiskFunctions())
	b.command(s, script)
}

func (b *builder) mount(s plan.SourcedStep, m machine.Mount) {
	if bootscript.MountRefused(m.Path) {
		b.findings = append(b.findings, report.Errorf(s.Source.Path,
			"the system runs from %s, and nothing can be mounted over it", m.Path).
			To("mount a directory below it, or add the mount to the image"))
		return
	}
	if bootscript.Exchangeable(b.owned, m.Path) {
		// mount(8) opens the mount point by its path, and users may be logged in.
		b.findings = append(b.findings, report.Errorf(s.Source.Path,
			"%s is below a directory of another user, who could exchange it", m.Path).
			To("mount at a path whose directories belong to root"))
		return
	}
	b.functions = append(b.functions, bootscript.Enter())
	enter := "_enter_private " + bootscript.Quote(path.Dir(m.Path)) + "&&"
	b.disk(s, enter+bootscript.Mount(m, b.plan.Target.Profile.SELinux))
}

// owned sets a missing user or group of an owner to root. chown(1) would not change it, or would use the user's primary
// group.
func owned(s plan.SourcedStep) plan.SourcedStep {
	switch op := s.Do.(type) {
	case action.WriteFile:
		op.Owner = withRoot(op.Owner)
		s.Do = op
	case action.MakeDirectory:
		op.Owner = withRoot(op.Owner)
		s.Do = op
	default: // has no owner
	}
	return s
}

func withRoot(o machine.Owner) machine.Owner {
	if o.User == "" && o.Group == "" {
		return o
	}
	if o.User == "" {
		o.User = "root"
	}
	if o.Group == "" {
		o.Group = "root"
	}
	return o
}
