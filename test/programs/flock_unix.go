//go:build unix

package programs

import (
	"os"
	"syscall"
)

// flock waits for the exclusive lock of the file. Closing the file releases it.
func flock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }
