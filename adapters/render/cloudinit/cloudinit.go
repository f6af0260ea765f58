package cloudinit

import (
	"context"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// program is the entry of Places for a step that the bootstrap program runs.
const program = "runcmd[0]"

// Renderer renders #cloud-config. It has no state.
type Renderer struct{}

var _ ports.Renderer = Renderer{}

// Format returns FormatCloudInit.
func (Renderer) Format() delivery.Format { return delivery.FormatCloudInit }

// Native returns false. cloud-init supports no document natively: it would have to run in the right phase, and its
// failure would have to stop the bootstrap.
func (Renderer) Native(document.Document, osprofile.Target) bool { return false }

// Render renders the plan. Invalid input is reported as findings; the error is always nil.
func (Renderer) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	snippet, findings := readSnippets(ctx, p)
	if err := ctx.Err(); err != nil {
		return ports.Rendering{}, nil, err
	}
	if p.CloudConfig.Minimal {
		rendering, more, err := minimal(ctx, p, snippet)
		return rendering, append(findings, more...), err
	}
	c := newConfig(p)
	for i, s := range p.Sourced() {
		if err := ctx.Err(); err != nil {
			return ports.Rendering{}, nil, err
		}
		c.step(i, s)
	}
	c.boot()
	findings = append(findings, c.findings...)
	findings = append(findings, c.clashes(snippet)...)
	script, scriptFindings := bootscript.Program(c.steps(), bootscript.Options{
		Target: p.Target, Agent: p.Agent, Reporting: p.Reporting,
		Fact: factsOf(p.Target.Platform), Owned: c.places.owned,
		ChangedUnits: c.changedUnits,
	})
	findings = append(findings, scriptFindings...)
	if findings.HasErrors() {
		return ports.Rendering{}, findings, nil
	}
	return ports.Rendering{Payload: payload(c.encode(script, snippet)), Places: c.stepPlaces}, findings, nil
}

func payload(data []byte) delivery.Payload {
	return delivery.Payload{Format: delivery.FormatCloudInit, Data: secret.New(data), FileExtension: ".yaml"}
}

// config collects the content of the cloud-config.
type config struct {
	plan       plan.Plan
	findings   report.Report
	stepPlaces []string

	files  []file
	groups []string
	users  []machine.User
	// early are the commands of bootcmd.
	early []string
	// guards check the results of cloud-init's modules; they are the first steps of the program.
	guards []plan.SourcedStep
	// program are the steps that the bootstrap program runs.
	program []plan.SourcedStep
	// changedUnits are the units whose files cloud-init writes.
	changedUnits []string
	// size is the approximate size of the document in bytes.
	size int

	places places
}

func newConfig(p plan.Plan) *config {
	return &config{
		plan: p, stepPlaces: make([]string, len(p.Steps)), files: make([]file, 0, len(p.Steps)+3),
		program: make([]plan.SourcedStep, 0, len(p.Steps)+4), places: newPlaces(p),
	}
}

// step adds the step to the key that supports it, or to the program.
func (c *config) step(i int, s plan.SourcedStep) {
	switch op := s.Do.(type) {
	case action.PartitionDisk:
		c.partition(i, s, op.Disk)
	case action.MakeFilesystem:
		c.stepPlaces[i] = c.addEarly(s, bootscript.Filesystem(op.Filesystem))
	case action.MountFilesystem:
		c.mount(i, s, op.Mount)
	case action.EnableSwap:
		c.swap(i, s, op.Swap)
	case action.EnsureGroup:
		c.group(i, s, op.Group)
	case action.EnsureUser:
		c.user(i, s, op.User)
	case action.WriteFile:
		c.write(i, s, op.File)
	case action.EnsureUnit:
		c.unit(i, s, op)
	default:
		c.later(i, s)
	}
}

// later leaves the step to the program. If an owner sets only user or group, the other is root, and not the user's
// primary group.
func (c *config) later(i int, s plan.SourcedStep) {
	switch op := s.Do.(type) {
	case action.WriteFile:
		op.Owner = owner(op.Owner)
		s.Do = op
	case action.MakeDirectory:
		op.Owner = owner(op.Owner)
		s.Do = op
	default: // has no owner
	}
	c.places.done(s.Do)
	c.program = append(c.program, s)
	c.stepPlaces[i] = program
}

func owner(o machine.Owner) machine.Owner {
	if o.User == "" && o.Group == "" {
		return o
	}
	return machine.Owner{User: orRoot(o.User), Group: orRoot(o.Group)}
}

// boot adds the script of the commands that run at every boot, and the unit that runs it. The program enables the unit.
func (c *config) boot() {
	script, unit, some := bootscript.Boot(c.program)
	if !some {
		return
	}
	first := 0
	for c.program[first].Phase != document.PhaseBoot {
		first++
	}
	c.addFile(script)
	for _, f := range linuxcmd.UnitFiles(unit) {
		c.addFile(f)
	}
	unit.Content = document.Content{}
	enable := plan.SourcedStep{
		Step:   plan.Step{Phase: document.PhaseBoot, Do: action.EnsureUnit{Unit: unit}},
		Source: c.program[first].Source,
	}
	c.program = append(c.program, plan.SourcedStep{})
	copy(c.program[first+1:], c.program[first:])
	c.program[first] = enable
}

// steps returns all steps of the program.
func (c *config) steps() []plan.SourcedStep {
	if len(c.guards) == 0 {
		return c.program
	}
	return append(c.guards, c.program...)
}

// guard returns a step that fails unless the script succeeds.
func guard(phase document.Phase, source document.Source, script string) plan.SourcedStep {
	return plan.SourcedStep{
		Step:   plan.Step{Phase: phase, Do: action.RunCommand{Name: "check", Script: script, When: phase}},
		Source: source,
	}
}

// interrupted runs the program at later boots if the bootstrap has started. The program publishes the result or reports
// the interruption.
const interrupted = "[ ! -e " + delivery.StartedPath + " ]||sh " + bootscript.Path

func (c *config) encode(script []byte, s snippet) []byte {
	w := yamlenc.New(c.size + len(script)*9/8 + 1024)
	w.Comment("cloud-config")
	// A provider that inserts commands does so after the first "runcmd:" of the text, also if a file contains this word.
	first := c.plan.CloudConfig.Appendable
	if first {
		w.Indent(2)
		c.encodeCommands(w, s)
	}
	w.List("bootcmd")
	w.String(interrupted)
	c.encodeEarly(w)
	w.RawItems(s.lists["bootcmd"])
	w.List("write_files")
	packing := c.packing()
	for _, f := range c.files {
		f.encode(w, packing)
	}
	w.RawItems(s.lists["write_files"])
	file{File: machine.File{Path: bootscript.Path, Mode: 0o700}, bytes: script}.encode(w, packing)
	c.encodeGroups(w, s)
	c.encodeUsers(w, s)
	if !first {
		c.encodeCommands(w, s)
	}
	w.Raw(s.rest)
	return w.Bytes()
}

func (c *config) encodeCommands(w *yamlenc.Writer, s snippet) {
	w.List("runcmd")
	w.String(c.run())
	w.RawItems(s.lists["runcmd"])
}
