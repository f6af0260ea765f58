package action

import (
	"cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// Direct returns the operation that corresponds to the document, or nil if the document needs a plugin. The name of a
// command is the source of its document.
func Direct(d document.Document) Operation {
	switch v := d.Value.(type) {
	case machine.File:
		return WriteFile{File: v}
	case machine.Directory:
		// An existing directory may belong to another user, and shells and Ignition leave its owner alone by default.
		v.Owner = machine.Owner{User: cmp.Or(v.Owner.User, "root"), Group: cmp.Or(v.Owner.Group, "root")}
		return MakeDirectory(v)
	case machine.Link:
		return Link(v)
	case machine.Group:
		return EnsureGroup{Group: v}
	case machine.User:
		return EnsureUser{User: v}
	case machine.Unit:
		return EnsureUnit{Unit: v}
	case machine.Disk:
		return PartitionDisk{Disk: v}
	case machine.Filesystem:
		return MakeFilesystem{Filesystem: v}
	case machine.Mount:
		return MountFilesystem{Mount: v}
	case machine.Swap:
		return EnableSwap{Swap: v}
	case machine.PackagesConfig:
		return InstallPackages{PackagesConfig: v}
	case machine.Command:
		return RunCommand{Name: string(d.Source.Path), Script: v.Script, When: v.Phase}
	default:
		return nil
	}
}
