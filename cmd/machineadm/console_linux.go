package main

import (
	"os"
	"syscall"
)

// service reports whether systemd started this process as a service.
func service() bool { return os.Getenv("INVOCATION_ID") != "" }

// console writes a line to the machine's screen. A console that accepts nothing delays nothing, and is not a failure.
func console(line string) {
	f, err := os.OpenFile("/dev/console", os.O_WRONLY|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteString(line + "\r\n")
	_ = f.Close()
}
