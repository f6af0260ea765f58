package bootscript

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// Boot returns the script of the commands that run at every boot, and the unit that runs it. It returns false if there
// are no such commands.
func Boot(steps []plan.SourcedStep) (machine.File, machine.Unit, bool) {
	var commands []plan.BootCommand
	for _, s := range steps {
		c, isCommand := s.Do.(action.RunCommand)
		if isCommand && s.Phase == document.PhaseBoot && !strings.ContainsRune(c.Script, 0) {
			commands = append(commands, plan.BootCommand{Path: s.Source.Path, Script: c.Script})
		}
	}
	if len(commands) == 0 {
		return machine.File{}, machine.Unit{}, false
	}
	file, unit := plan.Boot(commands)
	return file, unit, true
}

// Complete returns the steps and inserts steps before the first command that runs at every boot. The inserted steps
// write the script of these commands and enable the unit that runs it. Formats without files and units need this.
func Complete(steps []plan.SourcedStep) []plan.SourcedStep {
	script, unit, some := Boot(steps)
	if !some {
		return steps
	}
	i := slices.IndexFunc(steps, func(s plan.SourcedStep) bool { return s.Phase == document.PhaseBoot })
	at := func(op action.Operation) plan.SourcedStep {
		return plan.SourcedStep{Step: plan.Step{Phase: document.PhaseBoot, Do: op}, Source: steps[i].Source}
	}
	return slices.Insert(slices.Clone(steps), i, at(action.WriteFile{File: script}), at(action.EnsureUnit{Unit: unit}))
}
