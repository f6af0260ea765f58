package linuxcmd

import "strings"

// SearchPath returns the value of PATH for all commands: the system's directories and binDir. binDir contains programs
// that are not part of the operating system; it may be empty.
func SearchPath(binDir string) string {
	if Searches(binDir) {
		return systemPath
	}
	return systemPath + ":" + binDir
}

// systemPath contains the directories of programs of Linux systems.
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Searches reports whether the system's directories contain binDir, or binDir is empty.
func Searches(binDir string) bool {
	return binDir == "" || strings.Contains(":"+systemPath+":", ":"+binDir+":")
}
