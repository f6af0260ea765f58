package settings

import "runtime/debug"

// Version returns the version of the module from the build information.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
