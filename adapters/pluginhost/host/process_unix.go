//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// setProcessGroup gives the process a group of its own, so that all that it starts can be ended with it.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// closeAll ends all processes of the group; there may be none any more.
func closeAll(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
}
