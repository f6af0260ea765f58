package ignmodel

import "strconv"

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
	}
}
