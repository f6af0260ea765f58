package windows

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// refusal returns the findings about an operation as an error.
func refusal(r report.Report) error {
	errs := make([]error, len(r))
	for i, f := range r {
		errs[i] = errors.New(f.Message + "; " + f.Remedy)
	}
	return errors.Join(errs...)
}

// group is a local group.
type group struct {
	*Host
	machine.Group
}

func (g group) observe(ctx context.Context) (properties, error) {
	return g.ask(ctx, "look for the group "+g.Name, "Show-Group "+windowscmd.Quote(g.Name))
}

func (g group) capture(ctx context.Context) (journal.Original, error) {
	if r := windowscmd.CheckGroup(g.Group, "group"); len(r) > 0 {
		return journal.Original{}, refusal(r)
	}
	p, err := g.observe(ctx)
	return journal.Original{Type: journal.ResourceGroup, Name: g.Name, Exists: p.exist()}, err
}

func (g group) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	p, err := g.observe(ctx)
	if err != nil || p.exist() {
		return nil, err
	}
	return []string{"+ group " + g.Name}, nil
}

func (g group) apply(ctx context.Context, _ journal.Original) error {
	return g.session(ctx, "create the group "+g.Name, windowscmd.Group(g.Group))
}

// removeGroup returns the command that removes a group which did not exist.
func removeGroup(o journal.Original) string {
	return "Get-LocalGroup -Name " + windowscmd.Quote(o.Name) + " -ErrorAction SilentlyContinue | Remove-LocalGroup"
}

// user is a local account and its keys. Its password cannot be read: like a command, it is set in each run.
type user struct {
	*Host
	machine.User
}

func (u user) keys() file { return file{u.tree, windowscmd.Keys(u.User)} }

func (u user) hasKeys() bool { return len(u.SSHAuthorizedKeys) > 0 }

func (u user) observe(ctx context.Context) (properties, error) {
	return u.ask(ctx, "look for the account "+u.Name, "Show-User "+windowscmd.Quote(u.Name)+" "+list(u.Groups))
}

// The keys of an account's State.
const (
	stateEnabled = "enabled"
	stateComment = "comment"
	// stateJoined are the groups that the account joins, one in each line.
	stateJoined = "joined"
)

func (u user) capture(ctx context.Context) (journal.Original, error) {
	if r := windowscmd.CheckUser(u.User, "user"); len(r) > 0 {
		return journal.Original{}, refusal(r)
	}
	p, err := u.observe(ctx)
	if err != nil {
		return journal.Original{}, err
	}
	o := journal.Original{Type: journal.ResourceUser, Name: u.Name, Exists: p.exist()}
	if o.Exists {
		o.State = map[string]string{
			stateEnabled: p.one("enabled"), stateComment: p.one("comment"), stateJoined: strings.Join(u.joins(p), "\n"),
		}
	}
	if u.hasKeys() {
		keys, err := u.keys().capture(ctx)
		if err != nil {
			return o, err
		}
		o.Parts = append(o.Parts, keys)
	}
	return o, nil
}

// joins returns the groups in which the account is not yet.
func (u user) joins(p properties) []string {
	return slices.DeleteFunc(slices.Clone(u.Groups), func(g string) bool { return slices.Contains(p["member"], g) })
}

func (u user) diff(ctx context.Context, original journal.Original) ([]string, error) {
	lines, err := u.account(ctx)
	if err != nil || !u.hasKeys() || len(original.Parts) == 0 {
		return lines, err
	}
	keys, err := u.keys().diff(ctx, original.Parts[0])
	return append(lines, keys...), err
}

// account returns the changes of the account itself.
func (u user) account(ctx context.Context) ([]string, error) {
	p, err := u.observe(ctx)
	if err != nil {
		return nil, err
	}
	if !p.exist() {
		return []string{"+ account " + u.Name}, nil
	}
	var lines []string
	if !u.Password.IsZero() {
		lines = append(lines, "! account "+u.Name+": set the password")
	}
	if u.Comment != "" {
		lines = append(lines, p.wanting("account "+u.Name, "comment", u.Comment)...)
	}
	if u.Inactive {
		lines = append(lines, p.wanting("account "+u.Name, "enabled", "False")...)
	}
	for _, g := range u.joins(p) {
		lines = append(lines, "+ account "+u.Name+": member of "+g)
	}
	return lines, nil
}

func (u user) apply(ctx context.Context, original journal.Original) error {
	if err := u.session(ctx, "configure the account "+u.Name, windowscmd.User(u.User)); err != nil {
		return err
	}
	if !u.hasKeys() || len(original.Parts) == 0 {
		return nil
	}
	return u.keys().apply(ctx, original.Parts[0])
}

// restoreUser returns the commands that remove a new account, or restore an older one. A password cannot be restored.
func restoreUser(o journal.Original) string {
	find := "$account = Get-LocalUser -Name (Get-AccountName " + windowscmd.Quote(o.Name) +
		") -ErrorAction SilentlyContinue"
	if !o.Exists {
		return find + "\nif ($account) { Remove-LocalUser -Name $account.Name }"
	}
	lines := []string{find, "Set-LocalUser -Name $account.Name -FullName " + windowscmd.Quote(o.State[stateComment])}
	for g := range strings.SplitSeq(o.State[stateJoined], "\n") {
		if g != "" {
			lines = append(lines, "Remove-LocalGroupMember -Group (Get-GroupName "+windowscmd.Quote(g)+
				") -Member $account.Name -ErrorAction SilentlyContinue")
		}
	}
	if o.State[stateEnabled] == "True" {
		lines = append(lines, "Enable-LocalUser -Name $account.Name")
	}
	return strings.Join(lines, "\n")
}
