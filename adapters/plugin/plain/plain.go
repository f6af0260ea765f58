// Package plain expands the documents that correspond to one operation: files, directories, links, groups, users,
// units, disks, file systems, mounts, swap, commands and packages. Each becomes one action, except for the mount of a
// container runtime's data, which also has one for the runtime's unit.
package plain

import (
	"context"
	"fmt"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander is the plain expander.
type Expander struct{}

// New returns the plain expander.
func New() Expander { return Expander{} }

// Describe returns the kinds.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "plain", Kinds: []document.Kind{
		machine.KindFile, machine.KindGroup, machine.KindUser, machine.KindUnit, machine.KindDisk, machine.KindFilesystem,
		machine.KindMount, machine.KindSwap, machine.KindCommand, machine.KindPackages, machine.KindDirectory,
		machine.KindLink, machine.KindKernelArguments,
	}, Reads: []document.Kind{machine.KindPackageRepository}}
}

// Expand returns the action that corresponds to the document. A file, directory, link, swap file or mount point below a
// read-only directory, a package without a package manager, a command in a phase without commands, and kernel arguments
// are error findings. The operation of a user contains its sudo rule.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	if r := refuse(e.Document.Value, e.Target); r.HasErrors() {
		return nil, r.Below(e.Document.Source.Path), nil
	}
	d := e.Document
	if c, packages := d.Value.(machine.PackagesConfig); packages {
		// The lists do not contain the packages of repositories that have just been added.
		c.Update = c.Update || len(e.Others) > 0
		return action.Of(action.InstallPackages{PackagesConfig: c, Refresh: needsRefresh(c, e.Target)}), nil, nil
	}
	op := action.Direct(d)
	if op == nil {
		return nil, nil, fmt.Errorf("expand plain: the document at %s is %T", e.Document.Source, e.Document.Value)
	}
	if m, mount := d.Value.(machine.Mount); mount {
		return action.Of(append([]action.Operation{op}, afterMount(m)...)...), nil, nil
	}
	return action.Of(op), nil, nil
}

// needsRefresh reports whether the package lists must be refreshed before packages are installed or upgraded, although
// the document does not set it. Of the package managers, only apt uses lists of any age: those of an image can be empty
// or name deleted packages.
func needsRefresh(c machine.PackagesConfig, t osprofile.Target) bool {
	return t.Profile.PackageManager == osprofile.PackageManagerAPT && (len(c.Install) > 0 || c.Upgrade)
}

// refuse finds what the document asks for and the target cannot do. Paths are relative to the document.
func refuse(value document.Value, t osprofile.Target) report.Report {
	switch v := value.(type) {
	case machine.File:
		return place(t, v.Path)
	case machine.Directory:
		return place(t, v.Path)
	case machine.Link:
		return place(t, v.Path)
	case machine.Mount:
		return place(t, v.Path)
	case machine.Swap:
		return place(t, v.Path)
	case machine.User:
		return account(v, t)
	case machine.PackagesConfig:
		return withoutManager(v, t)
	case machine.Command:
		return withoutPhase(v)
	case machine.KernelArguments:
		return kernelArguments(t)
	default:
		return nil
	}
}

// place finds a path that cannot be written, or that is reserved.
func place(t osprofile.Target, path string) report.Report {
	return append(expand.Writable(t, "path", path), expand.Reserved(t, "path", path)...)
}

// account finds paths of another operating system, and a password where a hash is wanted. What Windows does not have is
// found by its renderers.
func account(u machine.User, t osprofile.Target) report.Report {
	r := append(expand.Absolute(t, "homeDir", u.Home), expand.Absolute(t, "shell", u.Shell)...)
	if !u.Password.IsZero() && !expand.IsWindows(t) {
		r = append(r, report.Errorf("password", "%s takes no password in clear text", t.Profile.Name).
			To("set the hash of the password; create one with: mkpasswd --method=SHA-512"))
	}
	return r
}

func withoutManager(c machine.PackagesConfig, t osprofile.Target) report.Report {
	requested := len(c.Install) > 0 || c.Update || c.Upgrade
	if !requested || t.Profile.PackageManager != osprofile.PackageManagerNone {
		return nil
	}
	return report.Report{report.Errorf("", "%s has no package manager", t.Profile.Name).
		To("add the programs to the image, or use a system extension or a download")}
}

// kernelArguments refuses them: the kernel is running when this format is read, and no configuration of a boot loader
// is the same on all images. Formats that set kernel arguments render the document themselves.
func kernelArguments(t osprofile.Target) report.Report {
	if expand.IsWindows(t) {
		return report.Report{report.Errorf("", "Windows has no kernel arguments").To(
			"leave them out, and run bcdedit in preCommands")}
	}
	return report.Report{report.Errorf("", "only Ignition since 3.3, its Butane, and Bottlerocket set kernel arguments").
		To("add them to the image, or change the boot loader's configuration in preCommands and reboot")}
}

func withoutPhase(c machine.Command) report.Report {
	switch c.Phase {
	case document.PhaseBoot, document.PhasePre, document.PhasePost:
		return nil
	case document.PhaseDisk, document.PhaseTrust, document.PhaseUser, document.PhaseFile, document.PhaseUnit,
		document.PhaseJoin:
	}
	return report.Report{report.Errorf("", "no command runs in phase %s", c.Phase).To("use boot, pre or post")}
}
