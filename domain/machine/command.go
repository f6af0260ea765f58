package machine

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
)

// Command is a shell command of the user.
type Command struct {
	// Phase is boot (at every boot), pre (once, before kubeadm) or post (once, after the node has joined).
	Phase document.Phase `json:"phase"`
	// Script is run by /bin/sh as root in the directory /, on Windows by PowerShell as SYSTEM. An exit code other than 0
	// ends the bootstrap. It may have several lines.
	Script string `json:"script"`
}

// Kind returns KindCommand.
func (Command) Kind() document.Kind { return KindCommand }

// Check returns findings if the phase has no commands or if no shell can read the script.
func (c Command) Check(p report.Path) report.Report {
	var r report.Report
	switch {
	case c.Phase == 0:
		r = append(r, report.Errorf(p.Field("phase"), "the phase is not set").To("set it to boot, pre or post"))
	case !slices.Contains([]document.Phase{document.PhaseBoot, document.PhasePre, document.PhasePost}, c.Phase):
		r = append(r, report.Errorf(p.Field("phase"), "commands cannot run in phase %s", c.Phase).To("use boot, pre or post"))
	}
	if strings.TrimSpace(c.Script) == "" {
		r = append(r, report.Errorf(p.Field("script"), "the command is empty").To("set a command, or remove the entry"))
	}
	if strings.ContainsRune(c.Script, 0) {
		r = append(r, report.Errorf(p.Field("script"), "a command cannot contain a NUL byte").To("remove the NUL byte"))
	}
	return r
}
