// Package action defines the elementary operations on a machine, such as WriteFile, EnsureUser, EnsureUnit and
// RunCommand. Expanders convert documents to actions; renderers write them in a format; the agent applies them.
package action

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Operation is implemented by the types of this package only; All lists them.
//
//sumtype:decl
type Operation interface {
	// Phase returns the phase in which the operation is applied unless its action sets another.
	Phase() document.Phase
	// Summary describes the operation on one line, without secrets: "write /etc/hosts".
	Summary() string
	// Check returns the error findings of the operation that do not depend on the machine. p is the path of the
	// operation.
	Check(p report.Path) report.Report
	operation()
}

// Action is an operation in its phase.
type Action struct {
	// Phase overrides the phase of the operation; 0 does not.
	Phase document.Phase
	Do    Operation
}

// In returns the phase in which the action runs.
func (a Action) In() document.Phase {
	if a.Phase != 0 {
		return a.Phase
	}
	return a.Do.Phase()
}

// Of returns the operations as actions in the phases that their types determine.
func Of(operations ...Operation) []Action {
	actions := make([]Action, len(operations))
	for i, op := range operations {
		actions[i] = Action{Do: op}
	}
	return actions
}

// During returns the operations as actions in the given phase.
func During(p document.Phase, operations ...Operation) []Action {
	actions := Of(operations...)
	for i := range actions {
		actions[i].Phase = p
	}
	return actions
}

// WriteFile writes a file. Missing parent directories are created with owner root and mode 0755.
type WriteFile struct{ machine.File }

// MakeDirectory creates a directory and its missing parents.
type MakeDirectory struct {
	Path  string
	Mode  machine.Mode
	Owner machine.Owner
}

// Link creates a symbolic link and replaces an existing file or link at Path.
type Link struct{ Path, Target string }

// FetchFile downloads a file, verifies its digest, and only then writes it to its path.
type FetchFile struct {
	Path string
	// URL is http, https or file.
	URL string
	// SHA256 or SHA512 is the expected digest in lower-case hexadecimal; one of them is set.
	SHA256, SHA512 string
	Mode           machine.Mode
	// Authorities are certificates in PEM. The certificate of the server is verified with these only; if empty, with
	// the machine's trust store. Plugins cannot set it.
	Authorities string
}

// EnsureGroup creates a group, or changes an existing one.
type EnsureGroup struct{ machine.Group }

// EnsureUser creates a user, or changes an existing one.
type EnsureUser struct{ machine.User }

// EnsureUnit configures a systemd unit.
type EnsureUnit struct {
	machine.Unit
	// RestartOn lists kinds of documents. If one of them changes something, the unit is restarted once, at the end of
	// the unit phase. Formats that write all files before units start ignore it.
	RestartOn []document.Kind
}

// PartitionDisk creates a partition table and partitions.
type PartitionDisk struct{ machine.Disk }

// MakeFilesystem creates a file system.
type MakeFilesystem struct{ machine.Filesystem }

// MountFilesystem mounts a file system now and at each boot.
type MountFilesystem struct{ machine.Mount }

// EnableSwap enables a swap device or file now and at each boot.
type EnableSwap struct{ machine.Swap }

// InstallPackages installs packages with the system's package manager.
type InstallPackages struct {
	machine.PackagesConfig
	// Refresh refreshes the package lists if packages are missing. Update, the user's request, always refreshes them.
	Refresh bool
	// Unless is a program. If the machine has it, nothing is installed. Plugins cannot set it.
	Unless string
	// SkipUnknown ignores packages that cannot be queried: only the package manager knows which ones their names select.
	// The agent sets it after the operation has completed. Plugins cannot set it.
	SkipUnknown bool
}

// ConfigureHost sets the name, the time zone and the language of a Windows machine. On Linux these are files.
type ConfigureHost struct{ machine.HostConfig }

// JoinDomain joins the machine to an Active Directory domain. The membership and a new name take effect after a reboot.
type JoinDomain struct{ machine.DomainJoin }

// RunCommand runs a shell script.
type RunCommand struct {
	// Name describes the command in output and failure records. It need not be unique.
	Name string
	// Script is run in / by /bin/sh as root, on Windows by PowerShell as SYSTEM. An exit code other than 0 fails the
	// bootstrap. It must not contain secrets: write them to files.
	Script string
	// When is the phase in which the command runs. It is required.
	When document.Phase
	// Undo is a script that reverts Script, even after Script has failed halfway, or empty if there is none. The agent
	// runs it on reset; formats ignore it.
	Undo string
	// Renew is a script that the agent runs on reset after it has restored all files, to rebuild what Script derived
	// from them, such as the trust store, or empty if there is none.
	Renew string
}

// Phase returns PhaseFile.
func (WriteFile) Phase() document.Phase { return document.PhaseFile }

// Phase returns PhaseFile.
func (MakeDirectory) Phase() document.Phase { return document.PhaseFile }

// Phase returns PhaseFile.
func (Link) Phase() document.Phase { return document.PhaseFile }

// Phase returns PhaseFile.
func (FetchFile) Phase() document.Phase { return document.PhaseFile }

// Phase returns PhaseUser.
func (EnsureGroup) Phase() document.Phase { return document.PhaseUser }

// Phase returns PhaseUser.
func (EnsureUser) Phase() document.Phase { return document.PhaseUser }

// Phase returns PhaseUnit.
func (EnsureUnit) Phase() document.Phase { return document.PhaseUnit }

// Phase returns PhaseDisk.
func (PartitionDisk) Phase() document.Phase { return document.PhaseDisk }

// Phase returns PhaseDisk.
func (MakeFilesystem) Phase() document.Phase { return document.PhaseDisk }

// Phase returns PhaseDisk.
func (MountFilesystem) Phase() document.Phase { return document.PhaseDisk }

// Phase returns PhaseDisk.
func (EnableSwap) Phase() document.Phase { return document.PhaseDisk }

// Phase returns PhaseFile.
func (InstallPackages) Phase() document.Phase { return document.PhaseFile }

// Phase returns PhaseTrust, so that a reboot precedes all later changes.
func (ConfigureHost) Phase() document.Phase { return document.PhaseTrust }

// Phase returns PhaseTrust.
func (JoinDomain) Phase() document.Phase { return document.PhaseTrust }

// Phase returns the phase that the command names.
func (c RunCommand) Phase() document.Phase { return c.When }

// Facts returns the facts that the operation writes.
func Facts(op Operation) []document.Fact {
	switch op := op.(type) {
	case WriteFile:
		return op.Content.Facts()
	case EnsureUnit:
		return op.Unit.Facts()
	default:
		return nil
	}
}

// Summary implements Operation.
func (o WriteFile) Summary() string {
	if o.Append {
		return "append to " + o.Path
	}
	return "write " + o.Path
}

// Summary implements Operation.
func (o MakeDirectory) Summary() string { return "make directory " + o.Path }

// Summary implements Operation.
func (o Link) Summary() string { return fmt.Sprintf("link %s to %s", o.Path, o.Target) }

// Summary implements Operation.
func (o FetchFile) Summary() string { return fmt.Sprintf("fetch %s from %s", o.Path, o.From()) }

// From returns the URL without the parts that may contain credentials: user, password, query and fragment.
func (o FetchFile) From() string { return secret.PublicURI(o.URL) }

// Summary implements Operation.
func (o EnsureGroup) Summary() string { return "ensure group " + o.Name }

// Summary implements Operation.
func (o EnsureUser) Summary() string { return "ensure user " + o.Name }

// Summary implements Operation.
func (o EnsureUnit) Summary() string {
	switch {
	case o.Masked:
		return "mask unit " + o.Name
	case o.Enabled != nil && *o.Enabled:
		return "enable unit " + o.Name
	case o.Enabled != nil:
		return "disable unit " + o.Name
	default:
		return "configure unit " + o.Name
	}
}

// Summary implements Operation.
func (o PartitionDisk) Summary() string { return "partition " + o.Device }

// Summary implements Operation.
func (o MakeFilesystem) Summary() string { return fmt.Sprintf("make %s on %s", o.Format, o.Device) }

// Summary implements Operation.
func (o MountFilesystem) Summary() string { return fmt.Sprintf("mount %s on %s", o.Source, o.Path) }

// Summary implements Operation.
func (o EnableSwap) Summary() string { return "use swap " + o.Device + o.Path }

// Summary implements Operation.
func (o InstallPackages) Summary() string { return fmt.Sprintf("install %d packages", len(o.Install)) }

// Summary implements Operation.
func (o ConfigureHost) Summary() string { return "configure the host" }

// Summary implements Operation.
func (o JoinDomain) Summary() string {
	if o.Domain == "" {
		return "join a domain"
	}
	return "join the domain " + o.Domain
}

// Summary implements Operation.
func (c RunCommand) Summary() string { return "run " + c.Name }

func (WriteFile) operation()       {}
func (MakeDirectory) operation()   {}
func (Link) operation()            {}
func (FetchFile) operation()       {}
func (EnsureGroup) operation()     {}
func (EnsureUser) operation()      {}
func (EnsureUnit) operation()      {}
func (PartitionDisk) operation()   {}
func (MakeFilesystem) operation()  {}
func (MountFilesystem) operation() {}
func (EnableSwap) operation()      {}
func (InstallPackages) operation() {}
func (ConfigureHost) operation()   {}
func (JoinDomain) operation()      {}
func (RunCommand) operation()      {}
