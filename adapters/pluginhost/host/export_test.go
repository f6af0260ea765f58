package host

import "syscall"

// PID returns the number of the plugin's process.
func (p *Plugin) PID() int { return p.process.Process.Pid }

// Lives reports whether a process that the plugin started, or it itself, is there.
func Lives(pid int) bool { return syscall.Kill(-pid, 0) == nil }
