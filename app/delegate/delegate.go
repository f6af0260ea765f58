// Package delegate shrinks a plan: the machine's agent brings most of it about, and what is left for the format is what
// the agent cannot start without, one file with all other documents, and the command that starts the agent.
//
// It changes plans, not formats: the renderers say the smaller plan as they say any other.
package delegate

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Opaque reports whether only the machine's agent can tell what the document stands for: one to be fetched or decrypted
// there, or of a kind that a plugin there may know. Nothing expands it before.
func Opaque(d document.Document) bool {
	_, unknown := d.Value.(document.Opaque)
	return unknown || elsewhere(d)
}

// elsewhere reports whether what the document stands for has to be fetched or decrypted.
func elsewhere(d document.Document) bool {
	return d.Kind() == indirect.KindRemote || d.Kind() == indirect.KindEncrypted
}

// Split divides a plan into what stays with the format, and what the agent brings about. Disks, file systems and mounts
// stay: the agent's own files may lie there. So do users with keys, with their groups, so that one can log in if the
// agent fails. Trusted CAs and the proxy go to the agent, which restarts what reads them; if something has to be
// fetched before that, the format sets them up too.
func Split(p plan.Plan) (stays, moves plan.Plan) {
	o := p.Target.Delivery
	fetches := o.Agent.Fetch != nil || !o.Storage.IsZero() || o.Encryption.Fetches() ||
		slices.ContainsFunc(p.Documents, elsewhere)
	groups := groupsOf(p.Documents)
	early := func(i int) bool { return fetches && fetching(p.Documents[i]) }
	keep := func(i int) bool {
		switch v := p.Documents[i].Value.(type) {
		case machine.Disk, machine.Filesystem, machine.Mount:
			return true
		case machine.User:
			return logsIn(v)
		case machine.Group:
			return slices.Contains(groups, v.Name)
		default:
			return false
		}
	}
	stays = p.Only(func(i int) bool { return keep(i) || early(i) })
	stays.Steps = slices.DeleteFunc(stays.Steps, func(s plan.Step) bool {
		return s.Phase > document.PhaseTrust && fetching(stays.Documents[s.Document])
	})
	if o.Encryption.IsZero() {
		return stays, p.Only(func(i int) bool { return !keep(i) })
	}
	// What is secret of these users goes with the rest.
	return withoutPasswords(stays), p.Only(func(i int) bool { return !keep(i) || hasPassword(p.Documents[i]) })
}

// fetching reports whether the document is about how things are fetched.
func fetching(d document.Document) bool {
	return d.Kind() == machine.KindTrustedCAs || d.Kind() == machine.KindProxy
}

func logsIn(u machine.User) bool { return len(u.SSHAuthorizedKeys) > 0 }

// groupsOf returns the groups that users who log in need.
func groupsOf(docs []document.Document) []string {
	var groups []string
	for _, u := range document.Select[machine.User](docs) {
		if logsIn(u) {
			groups = append(groups, u.Groups...)
			groups = append(groups, u.PrimaryGroup)
		}
	}
	return groups
}

// Plan returns the smaller plan, and what it leaves to the agent. The path is that of the field that asks for the
// agent. A plan of which all stays is returned as it is.
func (c Carrier) Plan(ctx context.Context, p plan.Plan, at report.Path) (smaller, moves plan.Plan, err error) {
	stays, moves := Split(p)
	if len(moves.Documents) == 0 {
		return p, moves, nil
	}
	text, err := c.Start(ctx, moves.Documents, p.Target.Delivery)
	if err != nil {
		return p, moves, err
	}
	file := machine.File{
		Path: delivery.ConfigurationPath, Content: document.Literal(text.Reveal()),
		Mode: 0o600, Secret: true,
	}
	d := document.Document{Value: file, Source: document.Source{Path: at}}
	smaller = stays.With(d, begin(p.Target, file))
	// What only the agent can read may ask for facts, too.
	smaller.Facts = moves.AsksFacts() || slices.ContainsFunc(moves.Documents, Opaque)
	return smaller, moves, nil
}

// begin has the agent, writes its configuration and runs it, in this order.
func begin(t osprofile.Target, file machine.File) []action.Action {
	a, path := t.Delivery.Agent, Path(t)
	var actions []action.Action
	if a.Fetch != nil {
		actions = action.Of(action.FetchFile{
			Path: path, URL: address(t), SHA256: a.Fetch.SHA256, Mode: 0o755,
			Authorities: a.Fetch.Authorities,
		})
	}
	// Where there is no agent, the shell says so.
	script := action.Quote(path) + " apply"
	for _, pin := range t.Delivery.Plugins {
		script += " --pin " + action.Quote(pin.Name+"="+pin.SHA256)
	}
	return append(actions, action.Of(
		action.WriteFile{File: file},
		action.RunCommand{Name: "machineadm apply", Script: script, When: document.PhaseJoin},
	)...)
}
