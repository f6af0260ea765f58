package bootscript

import (
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// starterHeader explains the starter to users who open it.
const starterHeader = "#!/bin/sh\n# Created by machineadm: starts its agent.\n"

// startsAgent returns the command that starts the agent, and whether it is the only step.
func (w *writer) startsAgent(steps []plan.SourcedStep) (action.RunCommand, bool) {
	if !w.options.Agent || w.reports() || len(steps) != 1 ||
		steps[0].Phase != document.PhaseJoin {
		return action.RunCommand{}, false
	}
	start, is := steps[0].Do.(action.RunCommand)
	return start, is
}

// starter writes a program whose only step starts the agent. It must be as short as a stub. The agent writes the
// record, creates the sentinel and resumes at later boots. So the starter reports only an agent that fails before that.
// It contains no secrets, so it is not replaced.
func (w *writer) starter(s plan.SourcedStep, start action.RunCommand) {
	w.buf.WriteString(starterHeader)
	w.variables(s.Phase.String(), Quote(jsonText(string(s.Source.Path))))
	w.scripts(unreportedScript, recordScript, startedScript)
	w.path()
	w.buf.WriteString("(" + start.Script + ") 3>&- || _fail $?\n_redact <\"$_log\" >&3\n")
}
