package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// places tracks the steps on which later files may depend.
type places struct {
	// owned are the directories that belong to other users.
	owned []string
	// late are the paths that the program writes.
	late map[string]bool
	// links are the links that the program creates.
	links []string
	// packages reports whether the program installs packages, which may contain any file.
	packages bool
}

func newPlaces(p plan.Plan) places {
	return places{owned: bootscript.OwnedDirectories(p.Steps), late: map[string]bool{}}
}

// done records a step of the program.
func (p *places) done(op action.Operation) {
	switch op := op.(type) {
	case action.WriteFile:
		p.late[op.Path] = true
	case action.FetchFile:
		p.late[op.Path] = true
	case action.Link:
		p.late[op.Path] = true
		p.links = append(p.links, op.Path+"/")
	case action.InstallPackages:
		p.packages = p.packages || len(op.Install) > 0 || op.Upgrade
	default: // creates no file that another step may need
	}
}

// isLate reports whether the program writes the file: after its dependencies and after earlier files of the same path.
func (p *places) isLate(f machine.File) bool {
	_, static := f.Content.Static()
	switch {
	case !static || p.late[f.Path]:
		return true
	case f.Mode&0o6000 != 0:
		// cloud-init changes the owner last, which clears the set-user-ID and set-group-ID bits.
		return true
	case f.Path == bootscript.ProxyEnvironment || p.packages && !ours(f.Path) || under(f.Path, p.links):
		// The renderer of the program needs to know that the program writes the proxy's file.
		return true
	case bootscript.Owned(p.owned, f.Path):
		// write_files follows links of users as root; the program does not.
		return true
	case !isRoot(f.Owner.User) || !isRoot(f.Owner.Group):
		// The owner does not exist yet. cloud-init before 21.4 ignores defer, and some images do not run its module
		// (oracle/oracle-linux issue 156).
		return true
	default:
		// runcmd installs only files of root with a mode that the default umask does not change.
		return f.Private() && (f.Append || f.Mode&0o022 != 0)
	}
}

// ours reports whether the path is in a directory in which packages install no files.
func ours(path string) bool {
	return under(path, []string{"/etc/machineadm/", "/etc/kubernetes/", "/etc/systemd/system/", "/root/", "/home/"})
}

// under reports whether the path is in one of the directories, which end in a slash.
func under(path string, directories []string) bool {
	for _, d := range directories {
		if strings.HasPrefix(path, d) {
			return true
		}
	}
	return false
}

func isRoot(name string) bool { return name == "" || name == "root" || name == "0" }
