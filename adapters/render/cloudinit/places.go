package cloudinit

import (
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// stage is the time at which a file is written.
type stage int

// The stages in chronological order.
const (
	// stageEarly is write_files, before accounts are created.
	stageEarly stage = iota
	// stageDeferred is write_files with defer, after accounts are created.
	stageDeferred
	// stageProgram is the bootstrap program.
	stageProgram
)

// places tracks the steps on which later files may depend.
type places struct {
	// owned are the directories that belong to other users.
	owned []string
	// written contains the stage of each path that is not written early.
	written map[string]stage
	// links are the links that the program creates.
	links []string
	// packages reports whether the program installs packages, which may contain any file.
	packages bool
}

func newPlaces(p plan.Plan) places {
	return places{owned: bootscript.OwnedDirectories(p.Steps)}
}

// set records the stage of the path.
func (p *places) set(path string, s stage) {
	if s == stageEarly {
		return
	}
	if p.written == nil {
		p.written = map[string]stage{}
	}
	p.written[path] = max(s, p.written[path])
}

// done records a step of the program.
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
	default: // creates no file that another step may need
	}
}

// stage returns the earliest stage for the file: after its dependencies and after earlier files of the same path.
func (p *places) stage(f machine.File) stage {
	if _, static := f.Content.Static(); !static {
		return stageProgram
	}
	// cloud-init changes the owner last, which clears the set-user-ID and set-group-ID bits.
	if f.Mode&0o6000 != 0 {
		return stageProgram
	}
	// The renderer of the program needs to know that the program writes the proxy's file.
	if f.Path == bootscript.ProxyEnvironment || p.packages && !ours(f.Path) || under(f.Path, p.links) {
		return stageProgram
	}
	at := max(p.written[f.Path], p.byOwner(f))
	// runcmd installs only files of root with a mode that the default umask does not change.
	if f.Private() && (at == stageDeferred || f.Append || f.Mode&0o022 != 0) {
		return stageProgram
	}
	return at
}

// byOwner returns the earliest stage at which the owner exists and parent directories get the right owner. cloud-init
// resolves names only, not numbers. Since 23.3 it also gives the owner the parent directories that it creates, but in a
// plan these belong to root.
func (p *places) byOwner(f machine.File) stage {
	switch {
	case bootscript.Owned(p.owned, f.Path):
		// write_files follows links of users as root; the program does not.
		return stageProgram
	case isRoot(f.Owner.User) && isRoot(f.Owner.Group):
		return stageEarly
	case isNumber(f.Owner.User) || isNumber(f.Owner.Group) || !standing(f.Path):
		return stageProgram
	default:
		return stageDeferred
	}
}

// standing reports whether the directory of the file exists on every Linux system.
func standing(path string) bool {
	directory := path[:strings.LastIndexByte(path, '/')+1]
	switch directory {
	case "/", "/etc/", "/opt/", "/srv/", "/usr/local/bin/", "/var/lib/", "/var/log/":
		return true
	}
	return false
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

func isNumber(s string) bool {
	_, number := machine.Number(s)
	return number && s != "0"
}
