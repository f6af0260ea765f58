// Package build returns what a program was built from, for all programs.
package build

import (
	"cmp"
	"crypto/fips140"
	"fmt"
	"runtime/debug"
)

// Info is what a program was built from.
type Info struct {
	// Version is the version of the release, or that of the module in the build information.
	Version string
	// Commit is the revision of the source, or empty if the build does not record it.
	Commit string
	// FIPSModule is the version of the Go Cryptographic Module that a FIPS release contains, such as v1.0.0-c2097c7c, or
	// empty.
	FIPSModule string
}

// version is set by the linker for releases.
var version string

// Read returns what this program was built from. It returns an error if a FIPS release does not use its module.
// Otherwise Go's runtime has already tested the module when the program started.
func Read() (Info, error) {
	i := read()
	return i, i.check(fips140.Enabled())
}

func read() Info {
	i := Info{Version: cmp.Or(version, "unknown")}
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return i
	}
	i.Version = cmp.Or(version, b.Main.Version)
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "GOFIPS140":
			i.FIPSModule = s.Value
		}
	}
	return i
}

// String returns the version, and in a FIPS release the module.
func (i Info) String() string {
	if i.FIPSModule == "" {
		return i.Version
	}
	return i.Version + "\nGo Cryptographic Module " + i.FIPSModule
}

func (i Info) check(enabled bool) error {
	if i.FIPSModule == "" || enabled {
		return nil
	}
	return fmt.Errorf("this program contains the Go Cryptographic Module %s, and GODEBUG disables it; remove fips140=off",
		i.FIPSModule)
}
