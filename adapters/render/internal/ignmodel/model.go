// Package ignmodel divides a plan between Ignition, which applies disks, file systems, users, files and units before
// the system starts, and the bootstrap program, which applies all other steps in the running system.
//
// The renderers of Ignition 3, Ignition 2.3 and Butane share this package, and convert the model to their types. They
// pass the abilities of the format's version. A step that needs a missing ability becomes part of the program, or an
// error finding.
//
// Ignition applies disks, file systems and their mounts, groups and users, directories, files, links and units, in this
// order. It receives a step only if no step of the program must run before.
package ignmodel

import (
	"cmp"
	"context"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Abilities are the features of a format's version.
type Abilities struct {
	// SHA256 means that downloads can be verified with SHA-256. Every version supports SHA-512.
	SHA256 bool
	// SpecialModes means that setuid, setgid and sticky bits are supported.
	SpecialModes bool
	// DirectoryModes means that only the directory itself gets its mode and owner, not its created parents.
	DirectoryModes bool
	// AppendKeepsMode means that appending without a mode does not change the mode of the file.
	AppendKeepsMode bool
	// UsersOnMounts means that file systems are mounted before users are created, so that home directories may be on
	// them.
	UsersOnMounts bool
	// Directories, Links, Appends and Downloads report whether the format supports them.
	Directories, Links, Appends, Downloads bool
	// Resize means that existing partitions can be resized.
	Resize bool
	// KernelArguments means that kernel arguments can be set.
	KernelArguments bool
}

// Filesystem is a file system to create, and its mount point.
type Filesystem struct {
	machine.Filesystem
	// Path is the mount point, or empty if the plan does not mount the file system.
	Path string
}

// File is a regular file. Without Contents and Fetch the existing file at Path is appended to.
type File struct {
	Path string
	// Mode is the mode; unset if an existing file keeps its mode.
	Mode  machine.Mode
	Owner machine.Owner
	// Replaces reports whether Contents, or the downloaded file, replace an existing file at Path.
	Replaces bool
	Contents []byte
	Fetch    *action.FetchFile
	Appends  [][]byte
	// Document is the index of the last document that wrote the file.
	Document int
}

// Directory is a directory with its mode.
type Directory struct {
	action.MakeDirectory
	Document int
}

// Model contains the steps that Ignition applies. All lists are in the order of the plan.
type Model struct {
	// KernelArguments are empty unless the format renders that document natively.
	KernelArguments machine.KernelArguments
	Disks           []machine.Disk
	Filesystems     []Filesystem
	Groups          []machine.Group
	// Users have the password field of shadow(5), and no duplicate keys.
	Users       []machine.User
	Directories []Directory
	Files       []File
	Links       []action.Link
	Units       []machine.Unit
	// Places is parallel to the plan's steps, with paths that all formats of the family share.
	Places []string
}

// builder divides a plan.
type builder struct {
	plan      plan.Plan
	abilities Abilities
	model     Model
	findings  report.Report
	nodes     map[string]node
	units     map[string]int
	// program are the steps that the program does; inProgram are the kinds of the documents of those before the boot
	// phase.
	program   []plan.SourcedStep
	inProgram []document.Kind
	// mounts are those of the plan; unmounted are the mount points that the engine does not see, and late those of the
	// system. lateOrder are lines for units that use files below mounts for which local-fs.target does not wait.
	mounts    []mount
	resolved  bool
	unmounted []string
	late      []string
	lateOrder string
	sudoers   []sudoers
	// owned are the directories in which other users make entries.
	owned    []string
	facts    bool
	extended bool
}

// sudoers is the file of a user's rule, and the step of the user.
type sudoers struct {
	step int
	file machine.File
}

type mount struct {
	machine.Mount
	// where is the path without links of the system.
	where string
	step  int
}

// Build divides the plan. With error findings, the model is invalid. The error is the error of the context.
func Build(ctx context.Context, p plan.Plan, a Abilities) (Model, report.Report, error) {
	b := &builder{plan: p, abilities: a, nodes: make(map[string]node, 8*len(p.Steps)+16), units: map[string]int{}}
	b.model.Places = make([]string, len(p.Steps))
	b.extended = bringsExtensions(p)
	b.owned = bootscript.OwnedDirectories(p.Steps)
	for i, d := range p.Documents {
		if arguments, ok := d.Value.(machine.KernelArguments); ok && p.Native[i] {
			b.model.KernelArguments = arguments
		}
	}
	b.reserve()
	for i, s := range p.Steps {
		if err := ctx.Err(); err != nil {
			return Model{}, nil, err
		}
		if s.Phase > document.PhaseDisk {
			b.resolveMounts()
		}
		b.step(i, s)
	}
	b.resolveMounts()
	b.finish()
	return b.model, b.findings, nil
}

func (b *builder) step(i int, s plan.Step) {
	switch op := s.Do.(type) {
	case action.WriteFile:
		b.writeFile(i, op)
	case action.FetchFile:
		b.fetchFile(i, op)
	case action.MakeDirectory:
		b.makeDirectory(i, op)
	case action.Link:
		b.link(i, op)
	case action.EnsureGroup:
		b.group(i, op.Group)
	case action.EnsureUser:
		b.user(i, op.User)
	case action.EnsureUnit:
		b.ensureUnit(i, op)
	case action.PartitionDisk:
		b.disk(i, op.Disk)
	case action.MakeFilesystem:
		b.filesystem(i, op.Filesystem)
	case action.MountFilesystem:
		b.mounts = append(b.mounts, mount{
			Mount: op.Mount, where: canonical(b.plan.Target.Profile.Family, op.Path), step: i,
		})
	case action.EnableSwap:
		b.swap(i, op)
	default:
		b.leave(i, s.Do)
	}
}

// leave gives a step to the program.
func (b *builder) leave(i int, op action.Operation) {
	s := b.plan.Steps[i]
	s.Do = owned(op)
	b.program = append(b.program, plan.SourcedStep{Step: s, Source: b.plan.Source(s)})
	if s.Phase < document.PhaseBoot {
		b.inProgram = append(b.inProgram, b.plan.Documents[s.Document].Kind())
	}
}

// at returns the path of the step's document, and of the fields below it if that document is the operation's own, not
// one of which an expander made the operation.
func (b *builder) at(i int, kind document.Kind, fields ...string) report.Path {
	d := b.plan.Documents[b.plan.Steps[i].Document]
	p := d.Source.Path
	if d.Kind() != kind {
		return p
	}
	for _, f := range fields {
		p = p.Field(f)
	}
	return p
}

func (b *builder) refuse(f report.Finding) { b.findings = append(b.findings, f) }

// owned writes root where only one of user and group is given: chown(1) would leave the other alone, or take the user's
// own, and a number has none.
func owned(op action.Operation) action.Operation {
	switch op := op.(type) {
	case action.WriteFile:
		op.Owner = withRoot(op.Owner)
		return op
	case action.MakeDirectory:
		op.Owner = withRoot(op.Owner)
		return op
	default:
		return op
	}
}

func withRoot(o machine.Owner) machine.Owner {
	if o == (machine.Owner{}) {
		return o
	}
	return machine.Owner{User: cmp.Or(o.User, "root"), Group: cmp.Or(o.Group, "root")}
}
