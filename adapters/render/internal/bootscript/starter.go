package bootscript

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
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

// starter writes a program whose only step starts the agent: starterScript with the command in the place of _start. It
// has no line for an interpreter, because its callers run sh. It contains no secrets, so it is not replaced after a
// success.
func (w *writer) starter(s plan.SourcedStep, start action.RunCommand) {
	w.variables("_log", LogFile)
	w.path()
	w.buf.WriteString(parts.log)
	earlier := ""
	if w.options.Installs && !w.options.Compact {
		earlier = parts.earlier
	}
	program := strings.Replace(script.StripShell(starterScript), "_earlier\n", earlier, 1)
	values := strings.NewReplacer("_start", start.Script, "$_resume", delivery.ResumeUnitPath, "$_state", StateDir,
		"$_run", sentinelDir, "$_here", InstallationMarker, `"$_step"`, Quote(jsonText(string(s.Source.Path))))
	// The values are not stripped: the command contains text of users.
	w.buf.WriteString(values.Replace(program))
}
