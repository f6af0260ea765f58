package linuxcmd

import (
	"slices"
	"strings"
)

// SearchPath returns the value of PATH for all commands: the system's directories and the one in which an operating
// system has the programs that it does not bring itself; empty if there is none.
func SearchPath(binDir string) string {
	dirs := []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	if binDir != "" && !slices.Contains(dirs, binDir) {
		dirs = append(dirs, binDir)
	}
	return strings.Join(dirs, ":")
}
