package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// stage is when a file is written.
type stage int

// The stages in their order.
const (
	// stageEarly is write_files, before accounts are made.
	stageEarly stage = iota
	// stageDeferred is write_files with defer, after accounts were made.
	stageDeferred
	// stageProgram is the bootstrap program.
	stageProgram
)

// places knows what a file may depend on.
type places struct {
	// owned are the directories of other users.
	owned []string
	// written is the stage of each path that is not written early.
	written map[string]stage
	// links are paths that the program makes links.
	links []string
	// packages reports whether packages were installed, which may contain any file.
	packages bool
}

func newPlaces(p plan.Plan) places {
	return places{owned: bootscript.OwnedDirectories(p.Steps)}
}

// set remembers when the path is written.
func (p *places) set(path string, s stage) {
	if s == stageEarly {
		return
	}
	if p.written == nil {
		p.written = map[string]stage{}
	}
	p.written[path] = max(s, p.written[path])
}

// done remembers a step of the program.
func (p *places) done(op action.Operation) {
	switch op := op.(type) {
	case action.WriteFile:
		p.set(op.Path, stageProgram)
	case action.FetchFile:
		p.set(op.Path, stageProgram)
	case action.Link:
		p.set(op.Path, stageProgram)
		p.links = append(p.links, op.Path+"/")
	case action.InstallPackages:
		p.packages = p.packages || len(op.Install) > 0 || op.Upgrade
	default: // leaves no file that another step may need
	}
}

// stage returns when the file can be written: not before what it depends on, and not before an earlier file of its
// path.
func (p *places) stage(f machine.File) stage {
	if _, static := f.Content.Static(); !static {
		return stageProgram
	}
	// cloud-init changes the owner last, which takes a set-user-ID or set-group-ID bit away.
	if f.Mode&0o6000 != 0 {
		return stageProgram
	}
	// The program looks at the proxy's file while it is made, so that it is the one to write it.
	if f.Path == bootscript.ProxyEnvironment || p.packages && !ours(f.Path) || under(f.Path, p.links) {
		return stageProgram
	}
	at := max(p.written[f.Path], p.byOwner(f))
	// What runcmd installs is of root, and of a mode that the usual mask leaves as it is.
	if f.Private() && (at == stageDeferred || f.Append || f.Mode&0o022 != 0) {
		return stageProgram
	}
	return at
}

// byOwner returns when the owner is known and the directory belongs to whom it should. cloud-init looks up names only,
// never numbers; and since 23.3 it gives the owner the directories that it makes for a file, while those of a plan are
// root's.
func (p *places) byOwner(f machine.File) stage {
	switch {
	case bootscript.Owned(p.owned, f.Path):
		// The program does not follow what a user puts there; write_files does, and as root.
		return stageProgram
	case isRoot(f.Owner.User) && isRoot(f.Owner.Group):
		return stageEarly
	case isNumber(f.Owner.User) || isNumber(f.Owner.Group) || !standing(f.Path):
		return stageProgram
	default:
		return stageDeferred
	}
}

// standing reports whether the file's directory is there before the file is written: one of every Linux.
func standing(path string) bool {
	directory := path[:strings.LastIndexByte(path, '/')+1]
	switch directory {
	case "/", "/etc/", "/opt/", "/srv/", "/usr/local/bin/", "/var/lib/", "/var/log/":
		return true
	}
	return false
}

// ours reports whether no package has files there.
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

func isNumber(s string) bool {
	_, number := machine.Number(s)
	return number && s != "0"
}
