package host

import "os/exec"

// setProcessGroup has nothing to do: a service's job holds its processes together.
func setProcessGroup(*exec.Cmd) {}

// closeAll ends the process; it may have ended.
func closeAll(c *exec.Cmd) {
	if c.Process != nil {
		_ = c.Process.Kill()
	}
}
