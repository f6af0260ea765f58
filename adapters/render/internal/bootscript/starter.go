package bootscript

import (
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// The starter is the whole program if the only step starts the agent. It must be as short as a stub. The agent writes
// the record, creates the sentinel and resumes at later boots. So the starter reports only an agent that fails before
// that. It contains no secrets, so it is not replaced.
const (
	starterHead = `#!/bin/sh
# Starts machineadm
[ -e ` + delivery.ResumeUnitPath + ` ]&&exit
_d=` + StateDir + ` _r=` + sentinelDir + ` _l=` + LogFile + `
` + state + clean + `_f(){
` + agentStopped + starterRecord
	starterRecord = `[ -e $_d/failure.json ]||printf '{"phase":"join","step":"%s","exitCode":%d,"log":"%s"}\n' `
	starterBegin  = ` $1 ` + tail + `>$_d/failure.json
` + publish + `exit $1
}
` + prologueBegin + `[ -e $_d/started ]&&_f 1
:>$_d/started
`
	starterEnd = `) 3>&-||_f $?
_c<$_l>&3
`
)

// startsAgent returns the command that starts the agent, and whether it is the only step.
func (w *writer) startsAgent(steps []plan.SourcedStep) (action.RunCommand, bool) {
	if !w.options.Agent || w.reports() || len(steps) != 1 ||
		steps[0].Phase != document.PhaseJoin {
		return action.RunCommand{}, false
	}
	start, is := steps[0].Do.(action.RunCommand)
	return start, is
}

func (w *writer) starter(s plan.SourcedStep, start action.RunCommand) {
	w.buf.WriteString(starterHead + Quote(jsonText(string(s.Source.Path))) + starterBegin)
	w.path()
	w.buf.WriteString("(" + start.Script + starterEnd)
}
