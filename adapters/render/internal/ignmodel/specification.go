package ignmodel

import (
	"strconv"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// Specification is the minor number of a version of Ignition's specification 3, 3.minor.0.
type Specification int

// Newest is the newest stable specification.
const Newest Specification = 6

// String returns the version in the form of ignition.version.
func (v Specification) String() string { return "3." + strconv.Itoa(int(v)) + ".0" }

// Abilities returns the abilities of the version (Ignition's docs/migrating-configs.md).
func (v Specification) Abilities() Abilities {
	return Abilities{
		SHA256:          v >= 1,
		SpecialModes:    v >= 6,
		DirectoryModes:  true,
		AppendKeepsMode: true,
		UsersOnMounts:   true,
		Directories:     true,
		Links:           true,
		Appends:         true,
		Downloads:       true,
		Resize:          v >= 2,
		KernelArguments: v >= 3,
	}
}

// Native reports whether a format with these abilities renders the document itself: only kernel arguments, since
// Ignition describes files and units otherwise.
func (a Abilities) Native(d document.Document) bool {
	return a.KernelArguments && d.Kind() == machine.KindKernelArguments
}
