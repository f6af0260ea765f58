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

// Check finds phases that have no commands, and scripts that no shell reads.
func (c Command) Check(p report.Path) report.Report {
	var r report.Report
	if !slices.Contains([]document.Phase{document.PhaseBoot, document.PhasePre, document.PhasePost}, c.Phase) {
		r = append(r, report.Errorf(p, "no command runs in phase %s", c.Phase))
	}
	if strings.TrimSpace(c.Script) == "" {
		r = append(r, report.Errorf(p, "the command is empty"))
	}
	if strings.ContainsRune(c.Script, 0) {
		r = append(r, report.Errorf(p, "a command cannot hold a NUL byte"))
	}
	return r
}
