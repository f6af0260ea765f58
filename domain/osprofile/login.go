package osprofile

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// CheckLogin returns a finding for a machine whose users cannot log in. A machine without users passes, because the
// infrastructure provider and the image provide the keys of the image's default user. Accounts of programs pass, and so
// do machines whose files configure SSH. If the users replace the default user of the image, no user at all can log in,
// which is a warning.
func CheckLogin(docs []document.Document, t Target, replaceDefault bool) report.Report {
	accounts := document.Select[machine.User](docs)
	if slices.Contains([]Family{FamilyTalos, FamilyBottlerocket, FamilyWindows}, t.Profile.Family) ||
		slices.ContainsFunc(accounts, canLogIn) || slices.ContainsFunc(document.Select[machine.File](docs), configuresSSH) {
		return nil
	}
	for _, d := range docs {
		u, isUser := d.Value.(machine.User)
		switch {
		case !isUser || !replaceDefault && runsPrograms(u):
		case replaceDefault:
			return report.Report{report.Warningf(d.Source.Path, "no user can log in: no user has a key or a password, and "+
				"the image's default user is not created if there are other users").
				To("set sshAuthorizedKeys or passwordHash of a user")}
		default:
			return report.Report{report.Infof(d.Source.Path, "%s cannot log in: it has neither a key nor a password", u.Name).
				To("set sshAuthorizedKeys or passwordHash, or set system for an account of programs")}
		}
	}
	return nil
}

// canLogIn reports whether the user has a credential.
func canLogIn(u machine.User) bool {
	return !u.Inactive && (len(u.SSHAuthorizedKeys) > 0 || !u.PasswordHash.IsZero() || !u.Password.IsZero() || u.Unlocked)
}

// runsPrograms reports whether the account is not for people.
func runsPrograms(u machine.User) bool {
	return u.System || u.Inactive || slices.Contains([]string{"nologin", "false"}, path.Base(u.Shell))
}

// configuresSSH reports whether the file can let users log in.
func configuresSSH(f machine.File) bool {
	return strings.HasPrefix(f.Path, "/etc/ssh/") || strings.Contains(f.Path, "/.ssh/")
}
