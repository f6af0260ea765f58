package winscript

import (
	"slices"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// service brings a service of Windows into its state. What has to be restarted is restarted once, at the end of the
// phase.
func (w *writer) service(s plan.SourcedStep, u action.EnsureUnit) {
	if r := windowscmd.CheckService(u, s.Source.Path); len(r) > 0 {
		w.findings = append(w.findings, r...)
		return
	}
	if commands := windowscmd.Service(u); commands != "" {
		w.run(s, commands)
	}
	if !windowscmd.Stops(u) && len(u.RestartOn) > 0 {
		w.restart(windowscmd.ServiceName(u.Name), s.Source.Path)
	}
}

func (w *writer) restart(service string, path report.Path) {
	requested := slices.ContainsFunc(w.restarts, func(r restart) bool { return r.service == service })
	if !requested {
		w.restarts = append(w.restarts, restart{service: service, path: path})
	}
}

func (w *writer) restartServices() {
	for _, r := range w.restarts {
		w.guarded(document.PhaseUnit, r.path, "Restart-Service -Name "+windowscmd.Quote(r.service)+" -Force")
	}
	w.restarts = nil
}

func (w *writer) group(s plan.SourcedStep, g machine.Group) {
	if r := windowscmd.CheckGroup(g, s.Source.Path); len(r) > 0 {
		w.findings = append(w.findings, r...)
		return
	}
	w.run(s, windowscmd.Group(g))
}

// user makes a local account, or brings an existing one in line. Without a password it gets a random one, so that only
// its keys log in.
func (w *writer) user(s plan.SourcedStep, u machine.User) {
	if r := windowscmd.CheckUser(u, s.Source.Path); len(r) > 0 {
		w.findings = append(w.findings, r...)
		return
	}
	w.run(s, windowscmd.User(u))
	w.keys(s, u)
}

func (w *writer) keys(s plan.SourcedStep, u machine.User) {
	if len(u.SSHAuthorizedKeys) == 0 {
		return
	}
	w.writeFile(s, windowscmd.Keys(u))
}
