package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// missing returns what machines in namespaces need and this host does not have. The directory is on the file system of
// the demo's files, and the command starts the demo.
func missing(directory, command string) []string {
	var all []string
	if os.Geteuid() != 0 {
		all = append(all, fmt.Sprintf("root; run \"sudo env PATH=$PATH %s\"", command))
	}
	if text, err := os.ReadFile("/proc/filesystems"); err != nil || !strings.Contains(string(text), "\toverlay\n") {
		all = append(all, `overlayfs in the kernel; run "modprobe overlay"`)
	}
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil || system.Type == unix.OVERLAYFS_SUPER_MAGIC {
		all = append(all, fmt.Sprintf("a file system that is not an overlay at %s; use a clone elsewhere", directory))
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		all = append(all, "Debian or Ubuntu: the demo installs packages with apt-get")
	}
	return all
}
