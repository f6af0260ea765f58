// Package delegate reduces a plan for a machine whose agent applies most documents. The format keeps the documents that
// the agent needs before it starts, one file with all other documents, and the command that starts the agent.
//
// Renderers render the reduced plan like any other.
package delegate

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// Opaque reports whether only the machine's agent can interpret the document: the agent fetches or decrypts it, or one
// of its plugins may know the kind. Such documents are not expanded earlier.
func Opaque(d document.Document) bool {
	_, unknown := d.Value.(document.Opaque)
	return unknown || indirection(d)
}

// indirection reports whether the document refers to configuration that is fetched or decrypted.
func indirection(d document.Document) bool {
	return d.Kind() == indirect.KindRemote || d.Kind() == indirect.KindEncrypted
}

// Split divides a plan between the format and the agent. The format keeps kernel arguments, which the agent cannot set,
// and disks, file systems and mounts, because the agent's files may be on them. Both have swap on a temporary disk:
// cloud-init formats the disk before the agent starts if it is not in use, and the agent permits only swap of its own
// configuration. The format also keeps users with keys and their groups, so that an administrator can log in if the
// agent fails. The agent applies trusted CAs and the proxy, because it restarts the services that read them. The format
// also applies them if the machine fetches something before the agent has applied them. On Windows the format also
// keeps a host whose settings only an answer file supports.
func Split(p plan.Plan, o delivery.Options) (stays, moves plan.Plan) {
	fetches := o.Agent.Fetch != nil || !o.Storage.IsZero() || o.Encryption.Fetches() ||
		slices.ContainsFunc(p.Documents, indirection)
	groups := loginGroups(p.Documents)
	early := func(i int) bool { return fetches && affectsFetching(p.Documents[i]) }
	stay := func(i int) bool {
		switch v := p.Documents[i].Value.(type) {
		case machine.Disk, machine.Filesystem, machine.Mount, machine.KernelArguments:
			return true
		case machine.User:
			return canLogIn(v)
		case machine.Group:
			return slices.Contains(groups, v.Name)
		case machine.HostConfig:
			return isWindows(p.Target) && (v.RandomHostname || v.UILanguage != "" || v.Keyboard != "")
		default:
			return false
		}
	}
	stays = p.Only(func(i int) bool { return stay(i) || early(i) || isEarlySwap(p.Documents[i]) })
	stays.Steps = slices.DeleteFunc(stays.Steps, func(s plan.Step) bool {
		return s.Phase > document.PhaseTrust && affectsFetching(stays.Documents[s.Document])
	})
	if o.Encryption.IsZero() {
		return stays, p.Only(func(i int) bool { return !stay(i) })
	}
	// The passwords of the format's users are encrypted with the other documents.
	return withoutPasswords(stays), p.Only(func(i int) bool { return !stay(i) || hasPassword(p.Documents[i]) })
}

// isEarlySwap reports whether the document enables swap on a temporary disk.
func isEarlySwap(d document.Document) bool {
	s, ok := d.Value.(machine.Swap)
	return ok && infrastructure.OnTemporaryDisk(s.Device)
}

// affectsFetching reports whether the document configures how the machine reaches servers.
func affectsFetching(d document.Document) bool {
	return d.Kind() == machine.KindTrustedCAs || d.Kind() == machine.KindProxy
}

func canLogIn(u machine.User) bool { return len(u.SSHAuthorizedKeys) > 0 }

// loginGroups returns the groups of users who can log in. A group with the name of such a user is one of them:
// otherwise useradd(8) would create it first, with another number.
func loginGroups(docs []document.Document) []string {
	var groups []string
	for _, u := range document.Select[machine.User](docs) {
		if canLogIn(u) {
			groups = append(groups, u.Groups...)
			groups = append(groups, u.PrimaryGroup, u.Name)
		}
	}
	return groups
}

// Plan returns the reduced plan and the agent's part. It returns the plan unchanged if the agent has no part. The path
// is that of the delivery options.
func (e Encoder) Plan(ctx context.Context, p plan.Plan, o delivery.Options, at report.Path,
) (reduced, moves plan.Plan, err error) {
	stays, moves := Split(p, o)
	if len(moves.Documents) == 0 {
		return p, moves, nil
	}
	text, err := e.Start(ctx, moves.Documents, o)
	if err != nil {
		return p, moves, err
	}
	file := machine.File{
		Path: configurationPath(p.Target), Content: document.Literal(text.Reveal()),
		Mode: 0o600, Secret: true,
	}
	d := document.Document{Value: file, Source: document.Source{Path: at}}
	reduced = stays.With(d, startActions(p.Target, o, file))
	// Documents that only the agent can interpret may contain facts.
	reduced.Facts = moves.UsesFacts() || slices.ContainsFunc(moves.Documents, Opaque)
	return reduced, moves, nil
}

// startActions returns the actions that fetch the agent, write its configuration and run it, in this order.
func startActions(t osprofile.Target, o delivery.Options, file machine.File) []action.Action {
	a, path := o.Agent, Path(t, o.Agent)
	var actions []action.Action
	if a.Fetch != nil {
		actions = action.Of(action.FetchFile{
			Path: path, URL: fetchURL(t, *a.Fetch), SHA256: a.Fetch.SHA256, Mode: 0o755,
			Authorities: a.Fetch.Authorities,
		})
	}
	call, quote := "", action.Quote
	if isWindows(t) {
		call, quote = "& ", action.QuotePowerShell
	}
	script := call + quote(path) + " apply"
	for _, pin := range o.Plugins {
		script += " --pin " + quote(pin.Name+"="+pin.SHA256)
	}
	return append(actions, action.Of(
		action.WriteFile{File: file},
		action.RunCommand{Name: "machineadm apply", Script: script, When: document.PhaseJoin},
	)...)
}
