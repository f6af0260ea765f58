package linuxcmd

import (
	"slices"
	"strings"
)

// SearchPath returns the value of PATH for all commands: the system's directories and binDir. binDir contains programs
// that are not part of the operating system; it may be empty.
func SearchPath(binDir string) string {
	dirs := []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	if binDir != "" && !slices.Contains(dirs, binDir) {
		dirs = append(dirs, binDir)
	}
	return strings.Join(dirs, ":")
}
