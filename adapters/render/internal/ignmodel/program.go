package ignmodel

import (
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

// ProgramUnit runs the program.
const ProgramUnit = "machineadm-bootstrap.service"

const kubeletUnit = "kubelet.service"

// finish adds what is made of the whole plan: the rules of sudo, the commands of each boot, the program and its unit.
func (b *builder) finish() {
	b.primaryGroups()
	b.maskedWithFacts()
	b.asFiles()
	b.specialModes()
	b.addSudoers()
	if script, unit, found := bootscript.Boot(b.program); found {
		content, _ := script.Content.Static()
		b.addFile(script.Path, content, script.Mode)
		// /var of an earlier installation may contain the marker of a complete bootstrap.
		unit.Content = document.Join(document.Text("[Unit]\nConditionPathExists="+bootscript.InstallationMarker+"\n"),
			unit.Content)
		b.model.Units = append(b.model.Units, unit)
	}
	if b.lateOrder != "" {
		// The agent writes the unit of the commands later.
		for _, unit := range []string{kubeletUnit, plan.BootUnit} {
			b.addFile("/etc/systemd/system/"+unit+".d/50-machineadm-mounts.conf", []byte("[Unit]\n"+b.lateOrder), 0o644)
		}
	}
	b.addProgramPlaces(b.addProgram())
}

func (b *builder) addFile(path string, contents []byte, mode machine.Mode) {
	b.model.Files = append(b.model.Files, File{Path: path, Replaces: true, Contents: contents, Mode: mode})
}

// addProgram adds the program even if it has nothing to do but to publish the sentinel, and returns its place.
func (b *builder) addProgram() string {
	proxy, proxied := b.nodes[bootscript.ProxyEnvironment]
	text, findings := bootscript.Program(b.program, bootscript.Options{
		Target: b.plan.Target, Agent: b.plan.Agent, Reporting: b.plan.Reporting,
		Fact: factsOf(b.plan.Target.Profile.Metadata), Owned: b.owned,
		Installs: true, Compact: b.plan.Compact, Proxied: proxied && !proxy.program,
	})
	b.findings = append(b.findings, findings...)
	place := indexed("storage.files", len(b.model.Files))
	for i := range b.model.Places {
		if b.model.Places[i] == "" {
			b.model.Places[i] = place
		}
	}
	b.addFile(bootscript.Path, text, 0o700)
	enabled := true
	b.model.Units = append(b.model.Units, machine.Unit{
		Name: ProgramUnit, Content: document.Text(b.programUnit()), Enabled: &enabled,
	})
	return place
}

// programUnit starts the program once the network is up, extensions are merged, the container runtime runs, and late
// mounts, below which the program writes files, are mounted or have failed. The unit of the metadata service is asked
// for only if the program reads facts: on a platform that it does not know it fails.
func (b *builder) programUnit() string {
	after := []string{"network-online.target", "systemd-sysext.service"}
	wants := "network-online.target"
	if m := b.plan.Target.Profile.Metadata; m != nil && (b.facts || b.plan.Facts) {
		wants += " " + m.Unit
		after = append(after, m.Unit)
	}
	after = append(after, b.runtimes()...)
	return "[Unit]\nDescription=machineadm bootstrap\nWants=" + wants + "\nAfter=" + strings.Join(after, " ") +
		"\n" + b.lateOrder + "\n[Service]\nType=oneshot\nRemainAfterExit=yes\nTimeoutStartSec=0\n" +
		"ExecStart=/bin/sh " + bootscript.Path + "\n\n[Install]\nWantedBy=multi-user.target\n"
}

// runtimes returns the units of the container runtimes that the profile or the plan names.
func (b *builder) runtimes() []string {
	var units []string
	for _, r := range []osprofile.ContainerRuntime{osprofile.RuntimeContainerd, osprofile.RuntimeCRIO} {
		name := string(r) + ".service"
		_, planned := b.units[name]
		if planned || b.plan.Target.Profile.ContainerRuntime == r {
			units = append(units, name)
		}
	}
	return units
}

// specialModes has the program set the bits that the format drops.
func (b *builder) specialModes() {
	if b.abilities.SpecialModes {
		return
	}
	var steps []plan.SourcedStep
	for i := range b.model.Directories {
		d := &b.model.Directories[i]
		steps = b.chmod(steps, d.Path, &d.Mode, d.Document)
	}
	for i := range b.model.Files {
		f := &b.model.Files[i]
		steps = b.chmod(steps, f.Path, &f.Mode, f.Document)
	}
	b.program = slices.Concat(steps, b.program)
}

func (b *builder) chmod(steps []plan.SourcedStep, path string, mode *machine.Mode, index int) []plan.SourcedStep {
	if *mode <= 0o777 {
		return steps
	}
	script := "chmod 0" + strconv.FormatUint(uint64(*mode), 8) + " " + bootscript.Quote(path)
	*mode &= 0o777
	step := plan.Step{Phase: document.PhaseFile, Document: index, Do: action.RunCommand{
		Name:   "chmod " + path,
		Script: script, When: document.PhaseFile,
	}}
	return append(steps, plan.SourcedStep{Step: step, Source: b.plan.Source(step)})
}

func hasPhase(steps []plan.Step, p document.Phase) bool {
	return slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Phase == p })
}

// indexed returns the path of an element of a list of the configuration.
func indexed(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
