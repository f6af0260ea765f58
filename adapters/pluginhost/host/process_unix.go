//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// apart gives the process a group of its own, so that all that it starts can be ended with it.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endAll ends all processes of the group; there may be none any more.
func endAll(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
}
